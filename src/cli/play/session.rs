//! A game as it is played: whose turn it is, what was typed, what is said, and what is kept.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use kpe::echo::plain;
use kpe::level::Level;
use kpe::notation::Move;
use kpe::player::{Assessment, Player};
use kpe::record::{PlayError, Playing, Record};
use kpe::search::{Budget, Limits};

use super::adviser::Adviser;
use super::command::{Command, HELP};
use super::events::{Event, Events};
use super::files::Saved;
use super::kept::Kept;
use super::{Begun, People, PlayArgs, fresh, kept, rules, speech};
use crate::cli::advice::{paragraph, words};
use crate::cli::args::STANDARD_INPUT;
use crate::cli::exit::{Refused, Status};
use crate::cli::output::Output;
use crate::cli::progress::tell;
use crate::cli::style::Style;
use crate::cli::{drawing, opponent, system};

/// A game under way.
pub(super) struct Session<'a> {
    args: &'a PlayArgs,
    people: People,
    level: Level,
    record: Record,
    /// The file the game was kept in when it was left before.
    kept: Option<Kept>,
    /// The file it was saved to by name or loaded from.
    saved: Option<Saved>,
    /// Whether something has happened since it was saved, kept or loaded.
    unsaved: bool,
    opponent: Option<Player>,
    adviser: Adviser,
    seed: u64,
    events: Events,
    out: Output,
    draws: bool,
    prompts: bool,
}

impl<'a> Session<'a> {
    pub(super) fn new(args: &'a PlayArgs, begun: Begun) -> anyhow::Result<Self> {
        Ok(Self {
            args,
            people: begun.people,
            level: begun.level,
            record: begun.record,
            kept: begun.kept,
            saved: begun.saved,
            unsaved: false,
            opponent: None,
            adviser: Adviser::default(),
            seed: args.seed.unwrap_or_else(system::arbitrary_number),
            events: Events::begin()?,
            out: Output::new(),
            draws: io::stdout().is_terminal() && !args.plain,
            prompts: io::stdin().is_terminal() && io::stdout().is_terminal(),
        })
    }

    /// Plays until somebody leaves. Whatever ends it, what is not saved is kept first.
    pub(super) fn run(mut self) -> anyhow::Result<Status> {
        let ended = self.play();
        // Who closes the terminal while he reads the result has not yet had time to save it.
        let abrupt = !matches!(ended, Ok(Status::Done));
        self.leave(abrupt)?;
        // Nobody may be left to read it.
        let flushed = self.out.finish();
        match ended {
            Ok(Status::Interrupted) => Ok(Status::Interrupted),
            Ok(status) => Ok(flushed.map(|()| status)?),
            Err(error) => Err(error),
        }
    }

    /// Keeps the game if something would be lost, or removes what was kept of one that is over.
    fn leave(&mut self, abrupt: bool) -> anyhow::Result<()> {
        let over = self.record.is_over();
        if over && !abrupt {
            self.kept.take().into_iter().for_each(Kept::remove);
        } else if (self.unsaved || self.kept.is_some()) && !self.record.playing().made().is_empty() {
            let path = kept::keep(&self.record, self.kept.as_ref()).inspect_err(|_| {
                tell(&format!("The game could not be kept. Copy it from here:\n\n{}", self.record));
            })?;
            tell(&format!("The game is kept in {}; kpe play --resume goes on with it.", path.display()));
        }
        Ok(())
    }

    fn play(&mut self) -> anyhow::Result<Status> {
        self.greet()?;
        let mut input_ended = false;
        loop {
            if self.is_programs_turn() {
                // What a person has typed ahead is for his own turn. Where no person plays it is heard between moves.
                let listens = self.people == People::None && !input_ended;
                match listens.then(|| self.events.look()).flatten() {
                    None => match self.reply()? {
                        true => continue,
                        false => return Ok(Status::Interrupted),
                    },
                    // The program's game against itself goes on when nobody is there to type.
                    Some(Event::End) => input_ended = true,
                    Some(event) => {
                        if let Some(status) = self.handle(event)? {
                            return Ok(status);
                        }
                    }
                }
                continue;
            }
            if input_ended {
                return Ok(Status::Done);
            }
            self.prompt()?;
            let event = self.events.wait();
            if let Some(status) = self.handle(event)? {
                return Ok(status);
            }
        }
    }

    /// What to end with, if the event ends the game.
    fn handle(&mut self, event: Event) -> anyhow::Result<Option<Status>> {
        match event {
            Event::Line(Ok(line)) => match Command::parse(&line) {
                Ok(Command::Quit) => return Ok(Some(Status::Done)),
                Ok(command) => self.obey(command)?,
                Err(told) => self.say(&told)?,
            },
            Event::Line(Err(refused)) => self.out.line(refused)?,
            Event::End => {
                if self.prompts {
                    self.out.line("")?;
                }
                return Ok(Some(Status::Done));
            }
            Event::Broken(error) => return Err(error.into()),
            Event::Signal => return Ok(Some(Status::Interrupted)),
        }
        Ok(None)
    }

    fn obey(&mut self, command: Command) -> anyhow::Result<()> {
        match command {
            Command::Empty | Command::Quit => {}
            Command::Move(text) => self.person_moves(&text)?,
            Command::Undo => self.undo()?,
            Command::Hint => self.hint()?,
            Command::Values => self.values()?,
            Command::Board => self.show_board()?,
            Command::Moves if self.record.is_over() => self.out.line("The game is over.")?,
            Command::Moves => {
                self.say(&format!("Legal moves: {}.", speech::moves(self.record.playing().position())))?
            }
            Command::Record => self.show_record()?,
            Command::Rules => {
                let playing = self.record.playing();
                let told = rules::told(&playing.game(), playing.loops());
                told.iter().try_for_each(|paragraph| self.say(paragraph))?;
            }
            Command::New => self.begin_anew()?,
            Command::Save(name) => self.save(name)?,
            Command::Load(name) => self.load(&name)?,
            Command::Resign => self.resign()?,
            Command::Help => HELP.iter().try_for_each(|line| self.out.line(line))?,
        }
        Ok(())
    }

    /// A text on lines that fit a terminal.
    fn say(&mut self, text: &str) -> io::Result<()> {
        paragraph(text).into_iter().try_for_each(|line| self.out.line(line))
    }

    fn greet(&mut self) -> anyhow::Result<()> {
        let game = self.record.playing().game();
        let players = match self.people {
            People::South => format!("you play South (below) against level {}", self.level),
            People::North => format!("you play North (above) against level {}", self.level),
            People::Both => "two people play".to_owned(),
            People::None => format!("level {} plays against itself", self.level),
        };
        let help = "rules tells how to play, help what you can type.";
        self.say(&format!("{}; {players}. {help}", speech::game(&game)))?;
        if self.args.load.is_none() && !self.args.resume && kept::all().is_ok_and(|games| !games.is_empty()) {
            self.say("A game was left before its end; kpe play --resume goes on with it.")?;
        }
        self.warn()?;
        if self.is_programs_turn() && self.people == People::None {
            self.show_board()?;
        }
        self.show_turn()
    }

    /// Says what in the record of a game contradicts it.
    fn warn(&mut self) -> io::Result<()> {
        let warnings = self.record.warnings();
        warnings.iter().try_for_each(|warning| self.say(&plain(&format!("Warning: {warning}"))))
    }

    fn show_board(&mut self) -> anyhow::Result<()> {
        let position = self.record.playing().position();
        let lines = match (self.draws, self.record.is_over()) {
            (true, true) => [self.drawn(), vec![String::new(), "  The game is over".to_owned()]].concat(),
            (true, false) => self.drawn(),
            // The position does not know it if nobody moves on for another reason than its rules.
            (false, true) => [speech::board(position)[..2].to_vec(), vec!["The game is over.".to_owned()]].concat(),
            (false, false) => speech::board(position),
        };
        lines.iter().try_for_each(|line| self.out.line(line))?;
        Ok(())
    }

    /// The board drawn, after an empty line; who is to move only if the game goes on.
    fn drawn(&self) -> Vec<String> {
        let position = self.record.playing().position();
        let mut lines = [vec![String::new()], drawing::board(position, Style::of_output())].concat();
        if self.record.is_over() {
            lines.truncate(1 + drawing::BOARD_LINES);
            lines.iter_mut().for_each(|line| *line = line.replace(drawing::TURN, " "));
        }
        lines
    }

    /// The board before a person's turn, or the end of the game.
    fn show_turn(&mut self) -> anyhow::Result<()> {
        if self.is_programs_turn() {
            return Ok(());
        }
        if self.record.is_over() {
            if self.draws {
                // How it ended is said next.
                let lines = [self.drawn(), vec![String::new()]].concat();
                lines.iter().try_for_each(|line| self.out.line(line))?;
            } else if self.people == People::None {
                // Nobody has asked for the board on the way.
                let rows = speech::board(self.record.playing().position());
                rows.iter().take(2).try_for_each(|line| self.out.line(line))?;
            }
            for line in speech::ended(&self.record) {
                self.say(&line)?;
            }
            return Ok(());
        }
        self.show_board()
    }

    fn prompt(&mut self) -> io::Result<()> {
        if self.prompts {
            let side = self.record.playing().position().side();
            let prompt = if self.record.is_over() { "Game over> ".to_owned() } else { format!("{side}> ") };
            self.out.text(prompt)?;
        }
        self.out.flush()
    }

    fn is_programs_turn(&self) -> bool {
        !self.record.is_over() && !self.people.plays(self.record.playing().position().side())
    }

    fn limits(&self) -> Limits {
        let budget = Budget { soft: self.args.time.mul_f64(0.6), hard: self.args.time };
        Limits { time: Some(budget), threads: system::threads(None), ..Limits::default() }
    }

    /// Makes a move and says what it does.
    fn make(&mut self, action: Move) -> anyhow::Result<()> {
        let text = speech::made(self.record.playing().position(), action);
        self.record.play(action)?;
        self.unsaved = true;
        self.say(&text)?;
        self.show_turn()
    }

    fn person_moves(&mut self, text: &str) -> anyhow::Result<()> {
        if self.record.is_over() {
            return Ok(self.say("The game is over; type new, undo, save FILE, load FILE or quit.")?);
        }
        if self.is_programs_turn() {
            return Ok(self.say("It is not your turn.")?);
        }
        match self.record.playing().position().parse_move(text) {
            Ok(action) => self.make(action),
            Err(error) => Ok(self.say(&format!("Not played: {error}. help lists what else you can type."))?),
        }
    }

    /// The program's move; whether it came to one.
    fn reply(&mut self) -> anyhow::Result<bool> {
        let limits = self.limits();
        let game = self.record.playing().game();
        let player = match self.opponent.take() {
            Some(player) if *player.game() == game => player,
            _ => opponent::open(&self.args.place, &game, self.level, self.seed, &limits)?,
        };
        // Who has typed a move sees what it did while the program thinks.
        self.out.flush()?;
        let choice = player.choose(self.record.playing(), None, &limits, &self.events.stop, &mut |_| ());
        self.opponent = Some(player);
        if self.events.stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Ok(false);
        }
        match choice? {
            Some(choice) => self.make(choice.action).map(|()| true),
            None => Ok(false),
        }
    }

    /// What the highest level knows of the position.
    fn assessment(&mut self) -> anyhow::Result<Assessment> {
        let limits = self.limits();
        self.out.flush()?;
        self.adviser.assess(&self.args.place, self.record.playing(), &limits, &self.events.stop)
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        let assessment = self.assessment()?;
        let side = assessment.position.side();
        let Some(best) = assessment.best else { return Ok(self.out.line("The game is over.")?) };
        // What is said of the move is what `values` says of it: more may be known of it than of the whole position.
        let own = assessment.moves.iter().find(|m| m.action == best && !m.is_upper);
        let (value, kind) = own.map_or((assessment.value, assessment.kind), |m| (m.value, m.kind));
        let as_good = assessment.moves.iter().filter(|m| m.value == value && m.action != best && !m.is_upper);
        let as_good: Vec<String> = as_good.map(|m| m.action.text(side).to_string()).collect();
        let also = if as_good.is_empty() { String::new() } else { format!("; as good: {}", speech::list(&as_good)) };
        let sure = words(kind);
        Ok(self.say(&format!("Best is {}, worth {value} to {side}, {sure}{also}.", best.text(side)))?)
    }

    fn values(&mut self) -> anyhow::Result<()> {
        let assessment = self.assessment()?;
        let side = assessment.position.side();
        if assessment.moves.is_empty() {
            self.out.line("The game is over.")?;
        }
        for valued in &assessment.moves {
            self.out.line(speech::valued(side, valued))?;
        }
        Ok(())
    }

    /// Takes back what was done since a person last had a choice.
    fn undo(&mut self) -> anyhow::Result<()> {
        let mut undone = self.record.cancel_award();
        if !undone {
            let made = self.record.playing().made();
            let Some(last) = made.iter().rposition(|made| self.people.plays(made.side)) else {
                return Ok(self.out.line("There is no move of yours to take back.")?);
            };
            for _ in last..made.len() {
                undone |= self.record.take_back().is_some();
            }
        }
        self.unsaved |= undone;
        self.show_turn()
    }

    fn resign(&mut self) -> anyhow::Result<()> {
        if self.record.is_over() {
            return Ok(self.out.line("The game is over.")?);
        }
        let side = self.record.playing().position().side();
        if !self.people.plays(side) {
            return Ok(self.out.line("It is not your turn.")?);
        }
        self.record.resign(side);
        self.unsaved = true;
        self.show_turn()
    }

    /// The record, without the signs that would disturb a terminal.
    fn show_record(&mut self) -> io::Result<()> {
        let text = self.record.to_string();
        text.lines().try_for_each(|line| self.out.line(plain(line)))
    }

    fn save(&mut self, name: Option<String>) -> anyhow::Result<()> {
        let Some(path) = name.map(PathBuf::from).or_else(|| Some(self.saved.as_ref()?.path().to_owned())) else {
            return Ok(self.out.line("save needs the name of a file")?);
        };
        let objection = match self.saved.as_ref().filter(|saved| saved.path() == path) {
            Some(saved) => saved.objection(),
            None => path.exists().then(|| format!("{} is there already", path.display())),
        };
        if let Some(objection) = objection {
            return Ok(self.out.line(format!("{}; choose another name.", plain(&objection)))?);
        }
        match Saved::write(path, &self.record) {
            Ok(saved) => {
                self.out.line(format!("Saved to {}.", plain(&saved.path().display().to_string())))?;
                (self.saved, self.unsaved) = (Some(saved), false);
            }
            Err(error) => self.out.line(format!("Not saved: {error}."))?,
        }
        Ok(())
    }

    fn load(&mut self, name: &str) -> anyhow::Result<()> {
        if name == STANDARD_INPUT {
            return Ok(self.out.line("Not loaded: found -, expected the name of a file.")?);
        }
        let (record, saved) = match Saved::load(Path::new(name)) {
            Ok(loaded) => loaded,
            // The drawing of the place has lines of its own.
            Err(error) => return Ok(self.out.line(format!("Not loaded: {error:#}"))?),
        };
        let games = saved.as_ref().map_or(1, Saved::games);
        self.turn_to(record, saved)?;
        let (game, moves) = (self.record.playing().game(), self.record.playing().made().len());
        let which = if games > 1 { format!(", the last of {games} games") } else { String::new() };
        self.say(&format!("{}{which}; {moves} moves made.", speech::game(&game)))?;
        self.warn()?;
        self.show_turn()
    }

    /// Another game from where this one began.
    fn begin_anew(&mut self) -> anyhow::Result<()> {
        let playing = self.record.playing();
        let playing = Playing::new(*playing.start(), playing.loops());
        self.turn_to(fresh(playing, self.people, self.level), None)?;
        if self.args.seed.is_none() {
            // Who has found out what a level gets wrong shall not win by it again.
            (self.seed, self.opponent) = (system::arbitrary_number(), None);
        }
        self.out.line("A new game.")?;
        self.show_turn()
    }

    /// Leaves the game in hand, which is kept if something would be lost, for another one.
    fn turn_to(&mut self, record: Record, saved: Option<Saved>) -> anyhow::Result<()> {
        self.leave(false)?;
        self.record = record;
        self.adviser.forget();
        (self.saved, self.kept, self.unsaved) = (saved, None, false);
        Ok(())
    }
}

impl From<PlayError> for Refused {
    fn from(error: PlayError) -> Self {
        Self::Usage(error.to_string())
    }
}
