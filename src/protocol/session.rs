//! A session: what it was told so far, and what it answers.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;

use super::Host;
use super::command::{Command, Dialect, Query};
use super::go::Go;
use super::options::{DEFAULT_HASH, EMPTY, Settings, Touched};
use super::out::Out;
use super::queue::Event;
use super::work::{NO_MOVE, Task, Work, count};
use crate::echo::plain;
use crate::engine::{TableProbe, UNPACKED_MEMORY};
use crate::notation::{Move, Position, Side};
use crate::player::{Player, PlayerError};
use crate::record::Playing;
use crate::rules::options::Choice;
use crate::search::Limits;
use crate::table::{TableError, TableSet, embedded, parent_of_set};

/// The state of a session.
pub(super) struct Session<W> {
    host: Host,
    settings: Settings,
    out: Arc<Out<W>>,
    playing: Playing,
    /// Made when first needed after an option has changed.
    player: Option<Arc<Player>>,
    tables: Option<Arc<TableProbe>>,
    work: Option<Work>,
    /// Hears when work has ended.
    events: Sender<Event>,
}

/// Why there is no player.
#[derive(Debug, thiserror::Error)]
enum Unable {
    #[error("no directory of tables at {0}")]
    NoDirectory(String),
    #[error("{0} is the directory of one set; Tables wants the one above it: {1}")]
    OneSet(String, String),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Player(#[from] PlayerError),
}

impl<W: Write + Send + 'static> Session<W> {
    pub(super) fn new(writer: W, host: Host, events: Sender<Event>) -> Self {
        let settings = Settings::new(&host);
        let out = Arc::new(Out::new(writer));
        // The default game exists.
        let game = settings.game().unwrap_or(crate::rules::Game::Kpe(Default::default()));
        let playing = Playing::new(Position::start(game), settings.loops);
        Self { host, settings, out, playing, player: None, tables: None, work: None, events }
    }

    /// Says that something is wrong.
    pub(super) fn complain(&self, what: &str) {
        self.out.line(&format!("info string error: {}", plain(&what.replace(['\n', '\r'], " "))));
    }

    /// Answers a line. A search that it begins ends at once if it `is_stopped`.
    pub(super) fn answer(&mut self, line: &str, is_stopped: bool) {
        if let Some(error) = Command::surplus(line) {
            self.complain(&error.to_string());
        }
        match Command::parse(line) {
            Ok(command) => self.obey(command, is_stopped),
            Err(error) => self.complain(&error.to_string()),
        }
    }

    /// Whether nobody hears us any more.
    pub(super) fn is_broken(&self) -> bool {
        self.out.is_broken()
    }

    /// Ends the session at once.
    pub(super) fn quit(mut self) -> io::Result<()> {
        self.stop();
        self.put_away();
        self.out.result()
    }

    fn obey(&mut self, command: Command, is_stopped: bool) {
        match command {
            Command::Identify(dialect) => self.identify(dialect),
            Command::IsReady => self.make_ready(),
            Command::NewGame => self.new_game(),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Position { start, moves } => self.set_position(&start, &moves),
            Command::Go(go) => self.go(&go, is_stopped),
            Command::Stop => self.stop(),
            Command::Query(query) => self.tell(query),
            Command::Display => self.display(),
            Command::Evaluate => self.evaluate(),
            Command::Quit | Command::Nothing => {}
        }
    }

    fn identify(&self, dialect: Dialect) {
        let mut lines = vec![
            concat!("id name kpe ", env!("CARGO_PKG_VERSION")).to_owned(),
            "id author the authors of kpe".to_owned(),
        ];
        lines.extend(Settings::lines(&self.host));
        lines.push(if dialect == Dialect::Ugi { "ugiok" } else { "uciok" }.to_owned());
        self.out.line(&lines.join("\n"));
    }

    fn make_ready(&mut self) {
        // A search shows that all is ready, and must not wait.
        if !self.is_working() {
            match self.player() {
                Ok(_) => {}
                Err(error) => self.complain(&error.to_string()),
            }
        }
        self.out.line("readyok");
    }

    pub(super) fn is_working(&self) -> bool {
        self.work.is_some()
    }

    /// Asks the search in hand to end, if there is one.
    fn stop(&self) {
        self.work.iter().for_each(Work::stop);
    }

    /// Asks it to end if nothing else would end it.
    pub(super) fn stop_what_waits(&self) {
        self.work.iter().filter(|work| work.waits_for_stop).for_each(Work::stop);
    }

    /// Waits for the end of the search in hand, which has written its best move then.
    pub(super) fn put_away(&mut self) {
        self.work.take().into_iter().for_each(Work::join);
    }

    fn new_game(&mut self) {
        self.playing = Playing::new(Position::start(self.playing.game()), self.settings.loops);
        match self.player.as_mut().map(Arc::get_mut) {
            Some(Some(player)) => player.clear(),
            // Nobody else holds it, as no search is under way; if somebody did, a new one would do.
            Some(None) => self.player = None,
            None => {}
        }
    }

    fn set_option(&mut self, name: &str, value: &str) {
        let mut settings = self.settings.clone();
        let touched = match settings.set(name, value) {
            Ok(touched) => touched,
            Err(error) => return self.complain(&error.to_string()),
        };
        let game = match settings.game() {
            Ok(game) => game,
            Err(error) => return self.complain(&error.to_string()),
        };
        if touched == Touched::Tables
            && let Err(error) = self.check_directory(settings.tables.as_deref())
        {
            return self.complain(&format!("option Tables: {error}, expected a directory or {EMPTY}"));
        }
        self.settings = settings;
        if touched != Touched::Nothing {
            self.player = None;
        }
        // Tables take long to open, and nobody else has them now.
        let tables = self.tables.take().filter(|_| !matches!(touched, Touched::Tables | Touched::Game));
        self.tables = match touched {
            Touched::Book => tables.and_then(Arc::into_inner).map(|tables| Arc::new(self.book_of(tables))),
            _ => tables,
        };
        if touched == Touched::Game {
            self.playing = Playing::new(Position::start(game), self.settings.loops);
        }
    }

    fn set_position(&mut self, start: &str, moves: &[String]) {
        let game = self.playing.game();
        let start = match Position::parse(start, game) {
            Ok(start) => start,
            Err(error) => return self.complain(&format!("position: {error}")),
        };
        let mut playing = Playing::new(start, self.settings.loops);
        for (number, text) in moves.iter().enumerate() {
            if let Err(error) = playing.play_text(text) {
                return self.complain(&format!("move {}: {error}", number + 1));
            }
        }
        self.playing = playing;
    }

    fn go(&mut self, go: &Go, is_stopped: bool) {
        let (mut go, side) = (go.clone(), self.playing.position().side());
        go.complaints.extend(go.lacks_time(side));
        go.complaints.iter().for_each(|error| self.complain(&format!("go: {error}")));
        if let Some(depth) = go.perft {
            let (position, out) = (*self.playing.position(), Arc::clone(&self.out));
            return self.begin(false, is_stopped, move |stop| count(&position, depth, &out, stop));
        }
        let mut allowed = Vec::new();
        for text in &go.moves {
            match self.playing.position().parse_move(text) {
                Ok(action) if allowed.contains(&action) => {}
                Ok(action) => allowed.push(action),
                Err(error) => self.complain(&format!("go: searchmoves: {error}")),
            }
        }
        if allowed.is_empty() && !go.moves.is_empty() {
            go.limit_at_least();
        }
        if let Some(ending) = self.playing.ending() {
            self.out.line(&format!("info string the game is over: {ending}\nbestmove {NO_MOVE}"));
            return;
        }
        let player = match self.player() {
            Ok(player) => player,
            Err(error) => return self.play_anything(&error.to_string()),
        };
        let task = Task {
            player,
            playing: self.playing.clone(),
            allowed: (!allowed.is_empty()).then_some(allowed),
            limits: go.limits(side, self.settings.threads),
            waits_for_stop: go.waits_for_stop(),
            out: Arc::clone(&self.out),
        };
        self.begin(go.waits_for_stop(), is_stopped, move |stop| task.search(stop));
    }

    /// Begins work in a thread of its own.
    fn begin(&mut self, waits: bool, is_stopped: bool, work: impl FnOnce(&AtomicBool) + Send + 'static) {
        self.work = Work::begin(waits, self.events.clone(), work);
        match &self.work {
            Some(work) if is_stopped => work.stop(),
            Some(_) => {}
            None => self.play_anything("no thread to search with"),
        }
    }

    /// Names a legal move, for whatever is wrong a game goes on.
    fn play_anything(&self, error: &str) {
        self.complain(error);
        let first = self.playing.moves().first().map(|action| self.text(*action));
        self.out.line(&format!("bestmove {}", first.as_deref().unwrap_or(NO_MOVE)));
    }

    fn text(&self, action: Move) -> String {
        action.text(self.playing.position().side()).to_string()
    }

    fn tell(&self, query: Query) {
        let ending = self.playing.ending();
        let answer = match query {
            Query::FirstToMove => (self.playing.position().side() == Side::South).to_string(),
            Query::GameOver => ending.is_some().to_string(),
            Query::Result => match ending.map(|ending| ending.winner()) {
                None => "none",
                Some(None) => "draw",
                Some(Some(Side::South)) => "p1win",
                Some(Some(Side::North)) => "p2win",
            }
            .to_owned(),
        };
        self.out.line(&format!("response {answer}"));
    }

    fn display(&self) {
        let game = self.playing.game();
        let list = |texts: Vec<String>| if texts.is_empty() { "-".to_owned() } else { texts.join(" ") };
        let legal = self.playing.moves().into_iter().map(|action| self.text(action)).collect();
        let made = self.playing.made().iter().map(|made| made.text().to_string()).collect();
        let mut lines = vec![
            format!("game {} {game},loops={}", game.name(), self.playing.loops().word()),
            format!("position {}", self.playing.position()),
            format!("played {}", list(made)),
            format!("moves {}", list(legal)),
        ];
        if let Some(ending) = self.playing.ending() {
            lines.push(format!("over {ending} ({})", ending.reason.word()));
        }
        self.out.line(&lines.join("\n"));
    }

    fn evaluate(&mut self) {
        let limits = Limits { nodes: Some(0), ..Limits::default() };
        let position = *self.playing.position();
        let analysis = self
            .player()
            .and_then(|player| Ok(player.analyse(&position, None, &limits, &AtomicBool::new(false), &mut |_| ())?));
        match analysis {
            Ok(analysis) => self.out.line(&format!("eval {} {}", analysis.value, analysis.kind.word())),
            Err(error) => self.complain(&error.to_string()),
        }
    }

    /// The player, made if need be.
    fn player(&mut self) -> Result<Arc<Player>, Unable> {
        if let Some(player) = &self.player {
            return Ok(Arc::clone(player));
        }
        let game = self.playing.game();
        let tables = match &self.tables {
            Some(tables) => Arc::clone(tables),
            None => Arc::new(self.open()?),
        };
        self.tables = Some(Arc::clone(&tables));
        let Settings { level, hash, seed, .. } = self.settings;
        let player = match Player::new(&game, Arc::clone(&tables), level, hash << 20, seed) {
            // Rather with less memory than not at all.
            Err(PlayerError::Memory(error)) if hash > DEFAULT_HASH => {
                self.complain(&format!("Hash {hash}: {error}; going on with {DEFAULT_HASH}"));
                self.settings.hash = DEFAULT_HASH;
                Player::new(&game, tables, level, DEFAULT_HASH << 20, seed)?
            }
            player => player?,
        };
        player.make_ready();
        let player = Arc::new(player);
        self.player = Some(Arc::clone(&player));
        Ok(player)
    }

    /// The user's own directory need not exist; one that was named must.
    fn check_directory(&self, root: Option<&Path>) -> Result<(), Unable> {
        match root {
            Some(root) if Some(root) != self.host.tables.as_deref() && !root.is_dir() => {
                Err(Unable::NoDirectory(root.display().to_string()))
            }
            Some(root) => match parent_of_set(root) {
                Some(above) => Err(Unable::OneSet(root.display().to_string(), above.display().to_string())),
                None => Ok(()),
            },
            None => Ok(()),
        }
    }

    /// The same tables with or without the opening book.
    fn book_of(&self, tables: TableProbe) -> TableProbe {
        if self.settings.book { tables.with_book() } else { tables.without_book() }
    }

    fn open(&self) -> Result<TableProbe, Unable> {
        let set = TableSet::new(&self.playing.game().without_trades());
        let set = match &self.settings.tables {
            Some(root) => {
                self.check_directory(Some(root))?;
                set.and_directory(root)
            }
            None => set,
        };
        let probe = TableProbe::new(set.and_embedded(embedded()))?;
        let probe = self.book_of(probe);
        probe.unpack(UNPACKED_MEMORY);
        Ok(probe)
    }
}
