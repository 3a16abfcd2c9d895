//! Values of games in play, whose history counts (RULES 2.6, 3.6), against an exhaustive search of the game itself.

mod common;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use common::Random;
use kpe::board::{Board, Pits};
use kpe::engine::TableProbe;
use kpe::index::Layer;
use kpe::level::Level;
use kpe::notation::{Move, Outcome, Position, Side};
use kpe::player::{Assessment, Player};
use kpe::record::Playing;
use kpe::rules::{Game, Loops};
use kpe::search::Limits;
use kpe::table::{TableSet, embedded};
use kpe::value::{Kind, Value};

/// Plies of a line that the reference follows.
const LONGEST_LINE: usize = 300;

/// The rules and nothing else: every line to its end, one after the other.
struct Reference {
    loops: Loops,
    /// Who must get so many half stones more in the end.
    claimant: Side,
    halves: i16,
    /// The positions of the game and of the line.
    seen: HashSet<Position>,
    /// What is known of positions just after a capture or first sowing, before which nothing can come back: none in Goré with trades.
    events: HashMap<Position, bool>,
    nodes: u32,
}

impl Reference {
    fn difference(&self, [south, north]: [i16; 2]) -> i16 {
        if self.claimant == Side::South { south - north } else { north - south }
    }

    /// Whether the claimant gets as much when this position comes up after those seen; `None` if it takes too long.
    fn holds(&mut self, position: &Position, is_event: bool) -> Option<bool> {
        if let Some(totals) = position.totals() {
            return Some(self.difference(totals.map(|stones| 2 * i16::from(stones))) >= self.halves);
        }
        if self.seen.contains(position) {
            let stores = position.stores().map(|stones| 2 * i16::from(stones));
            let owned = match self.loops {
                Loops::Split => [0, 0],
                Loops::Own => position.stones_owned().map(|stones| 2 * i16::from(stones)),
            };
            return Some(self.difference([stores[0] + owned[0], stores[1] + owned[1]]) >= self.halves);
        }
        if let Some(&known) = self.events.get(position).filter(|_| is_event) {
            return Some(known);
        }
        self.nodes = self.nodes.checked_sub(1)?;
        if self.seen.len() > LONGEST_LINE {
            return None;
        }
        let mine = position.side() == self.claimant;
        let mut outcomes = position.outcomes();
        outcomes.sort_by_cached_key(promise);
        self.seen.insert(*position);
        let mut holds = Some(!mine);
        for outcome in outcomes {
            let is_event = position
                .solver_board()
                .zip(outcome.result.solver_board())
                .is_some_and(|(before, after)| outcome.captured > 0 || before.flags().len() != after.flags().len());
            match self.holds(&outcome.result, is_event) {
                None => holds = None,
                Some(found) if found == mine => {
                    holds = Some(mine);
                    break;
                }
                Some(_) => {}
            }
            if self.nodes == 0 {
                holds = None;
                break;
            }
        }
        self.seen.remove(position);
        if let Some(holds) = holds.filter(|_| is_event) {
            self.events.insert(*position, holds);
        }
        holds
    }
}

/// The order in which moves are tried; it decides how long it takes, not what is found.
fn promise(outcome: &Outcome) -> (i16, i16) {
    static TABLES: LazyLock<TableProbe> = LazyLock::new(|| {
        TableProbe::new(TableSet::new(&Game::named("kpe").unwrap()).and_embedded(embedded())).unwrap()
    });
    thread_local!(static KNOWN: RefCell<HashMap<Board, (i16, i16)>> = RefCell::default());
    let Some(board) = outcome.result.solver_board() else { return (-i16::from(outcome.captured), 0) };
    let layer = Layer::of(board);
    let look = || TABLES.probe_tables(layer, layer.rank(board)).unwrap_or_default();
    let read = || (i16::from(look().value().0), look().distance().0 as i16);
    let (theirs, plies) = KNOWN.with_borrow_mut(|known| *known.entry(board).or_insert_with(read));
    let value = i16::from(outcome.captured) - theirs;
    (-value, if value > 0 { plies } else { -plies })
}

/// Whether the player to move in `position` still takes so many half stones more, in a game that had these positions.
fn takes(earlier: &[Position], position: &Position, loops: Loops, halves: i16, nodes: u32) -> Option<bool> {
    let claimant = position.side();
    let stores = position.stores().map(|stones| 2 * i16::from(stones));
    let mut reference = Reference {
        loops,
        claimant,
        halves: 0,
        seen: earlier.iter().copied().collect(),
        events: HashMap::new(),
        nodes,
    };
    let is_trading = position.game().layered().is_none();
    reference.halves = halves + if is_trading { 0 } else { reference.difference(stores) };
    reference.holds(position, false)
}

/// The same of a move: what its maker takes from it on.
fn move_takes(playing: &Playing, action: Move, halves: i16, nodes: u32) -> Option<bool> {
    let position = playing.position();
    let outcome = position.play(action).unwrap();
    let mut earlier = playing.earlier().to_vec();
    earlier.push(*position);
    let claimant = position.side();
    let mut reference = Reference {
        loops: playing.loops(),
        claimant,
        halves: 0,
        seen: earlier.into_iter().collect(),
        events: HashMap::new(),
        nodes,
    };
    let stores = position.stores().map(|stones| 2 * i16::from(stones));
    let is_trading = position.game().layered().is_none();
    reference.halves = halves + if is_trading { 0 } else { reference.difference(stores) };
    reference.holds(&outcome.result, false)
}

fn player(game: &Game, tables: bool) -> Player {
    let set = TableSet::new(&game.without_trades());
    let set = if tables { set.and_embedded(embedded()) } else { set };
    Player::new(game, Arc::new(TableProbe::new(set).unwrap()), Level::HIGHEST, 4 << 20, 0).unwrap()
}

fn assess(player: &Player, playing: &Playing) -> Assessment {
    let limits = Limits { nodes: Some(3_000), lines: usize::MAX, ..Limits::default() };
    player.assess(playing, None, &limits, &AtomicBool::new(false), &mut |_| ()).unwrap()
}

fn after(game: &str, start: &str, moves: &str) -> Playing {
    let game = Game::parse(game.split(' ').next().unwrap(), game.split(' ').nth(1).unwrap_or("")).unwrap();
    let mut playing = Playing::new(Position::parse(start, game).unwrap(), Loops::Split);
    moves.split(' ').for_each(|text| _ = playing.play_text(text).unwrap());
    playing
}

/// What is claimed of a value and turned out to be true.
#[derive(Default, Debug)]
struct Checked {
    exact: usize,
    bounds: usize,
    estimates: usize,
    /// Exact values that are not those of the position by itself.
    changed: usize,
    too_long: usize,
}

impl Checked {
    fn check(&mut self, value: Value, kind: Kind, told: &str, takes: &dyn Fn(i16) -> Option<bool>) {
        let halves = 2 * i16::from(value.0);
        let (least, more) = (kind != Kind::AtMost, kind != Kind::AtLeast);
        if kind == Kind::Estimate {
            self.estimates += 1;
            return;
        }
        let found = [(least, halves, true), (more, halves + 1, false)].map(|(asked, halves, expected)| {
            if !asked {
                return Some(());
            }
            let found = takes(halves)?;
            assert_eq!(found, expected, "{value} {}: {told}", kind.word());
            Some(())
        });
        match (found, kind) {
            ([Some(()), Some(())], Kind::Exact) => self.exact += 1,
            ([Some(()), Some(())], _) => self.bounds += 1,
            _ => self.too_long += 1,
        }
    }

    /// Checks everything that is claimed of a game in play.
    fn game(&mut self, player: &Player, playing: &Playing, nodes: u32) {
        let assessment = assess(player, playing);
        let position = *playing.position();
        let moves: Vec<String> = playing.made().iter().map(|made| made.text().to_string()).collect();
        let told = format!("{} {} after {}", playing.start(), playing.game(), moves.join(" "));
        let takes = |halves| takes_in(playing, halves, nodes);
        self.check(assessment.value, assessment.kind, &told, &takes);
        let alone = player.analyse(
            &position,
            None,
            &Limits { nodes: Some(3_000), ..Limits::default() },
            &AtomicBool::new(false),
            &mut |_| (),
        );
        let alone = alone.unwrap();
        self.changed +=
            usize::from(assessment.kind == Kind::Exact && alone.kind == Kind::Exact && alone.value != assessment.value);
        for m in &assessment.moves {
            let told = format!("{told}, {}", m.action.text(position.side()));
            self.check(m.value, m.kind, &told, &|halves| move_takes(playing, m.action, halves, nodes));
        }
        assert_eq!(assessment.best, assessment.line.first().copied(), "{told}");
        assert_eq!(assessment.best, assessment.moves.first().map(|m| m.action), "{told}");
        if assessment.kind == Kind::Exact && player.game().layered().is_some() {
            line_is_worth(&assessment, playing, &told);
        }
    }
}

fn takes_in(playing: &Playing, halves: i16, nodes: u32) -> Option<bool> {
    takes(playing.earlier(), playing.position(), playing.loops(), halves, nodes)
}

/// A line that ends the game ends it with the value; none goes on after the end.
fn line_is_worth(assessment: &Assessment, playing: &Playing, told: &str) {
    let mut end = playing.clone();
    for &action in &assessment.line {
        assert!(end.ending().is_none(), "{told}: {:?}", assessment.line);
        end.play(action).unwrap();
    }
    let Some(ending) = end.ending() else { return };
    let [south, north] = ending.halves.map(i16::from);
    let [own_south, own_north] = playing.position().stores().map(|stones| 2 * i16::from(stones));
    let taken = (south - own_south) - (north - own_north);
    let taken = if playing.position().side() == Side::South { taken } else { -taken };
    assert_eq!(taken, 2 * i16::from(assessment.value.0), "{told}: {:?}", assessment.line);
}

/// Games of random moves from random positions of so many stones; every position of them is looked at.
fn random_games(game: &str, tables: bool, loops: Loops, stones: [u8; 2], games: u32, nodes: u32) -> Checked {
    let game = Game::parse(game.split(' ').next().unwrap(), game.split(' ').nth(1).unwrap_or("")).unwrap();
    let player = player(&game, tables);
    let mut random = Random(u64::from(stones[0]));
    let mut checked = Checked::default();
    for _ in 0..games {
        let stones = stones[0] + random.below(u32::from(stones[1] - stones[0]) + 1) as u8;
        let board = random.board(Layer::new(Pits::NONE, stones).unwrap());
        let pits = board.lanes().map(|pit| pit.to_string()).join("-");
        // With few stones in all, pits can seldom be paid for.
        let stores = if game.layered().is_none() { 8 } else { 48 - stones };
        let (south, north) = (stores / 2, stores.div_ceil(2));
        let owned = if matches!(game, Game::Gore(_)) { "@ABCD" } else { "" };
        let text = format!("{pits}-{south}-{north}-S{owned}");
        let mut playing = Playing::new(Position::parse(&text, game).unwrap(), loops);
        while playing.ending().is_none() && playing.made().len() < 40 {
            checked.game(&player, &playing, nodes);
            // Captures end the history: they are made less often than not.
            let outcomes = playing.position().outcomes();
            let quiet: Vec<Move> = outcomes.iter().filter(|m| m.captured == 0).map(|m| m.action).collect();
            let moves = if quiet.is_empty() || random.below(6) == 0 { playing.moves() } else { quiet };
            playing.play(moves[random.below(moves.len() as u32) as usize]).unwrap();
        }
    }
    println!("{game} tables {tables} {loops}: {checked:?}");
    checked
}

/// The games by which it was noticed that values forgot the game: what is right in each, and what is the only way to it.
#[test]
fn a_game_in_play_is_worth_what_its_repetitions_make_of_it() {
    let player = player(&Game::named("kpe").unwrap(), true);
    for (start, moves, best, value) in [
        ("0-1-1-1-0-0-0-1-22-22-S", "D d C a B b A", "c", 0),
        ("1-1-2-0-0-0-0-0-22-22-S", "C a B b C c A d D a", "", 0),
        ("1-1-0-1-0-0-1-0-22-22-S", "B c D a A b C c D a B b C", "d", 0),
    ] {
        let playing = after("kpe", start, moves);
        let known = assess(&player, &playing);
        let text = known.best.unwrap().text(playing.position().side()).to_string();
        assert!(best.is_empty() || text == best, "{start}: {known:?}");
        assert_eq!((known.value, known.kind), (Value(value), Kind::Exact), "{start}: {known:?}");
        line_is_worth(&known, &playing, start);
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let choice = player.choose(&playing, None, &limits, &AtomicBool::new(false), &mut |_| ()).unwrap().unwrap();
        assert_eq!((Some(choice.action), choice.assessment.value), (known.best, known.value), "{start}");
    }
}

/// The convention of tables (endless play shares the stones) and the rule of the game (the first repetition does) come to the same
/// as long as there is no history.
#[test]
fn without_a_history_the_first_repetition_is_worth_what_endless_play_is() {
    let game = Game::named("kpe").unwrap();
    let player = player(&game, true);
    let (mut checked, mut draws) = (Checked::default(), 0);
    for (stones, step) in [(2, 1), (4, 1), (6, 1), (8, 97)] {
        let layer = Layer::new(Pits::NONE, stones).unwrap();
        for number in (0..layer.positions()).step_by(step) {
            let pits = layer.unrank(number).lanes().map(|pit| pit.to_string()).join("-");
            let position = Position::parse(&format!("{pits}-20-20-S"), game).unwrap();
            let playing = Playing::new(position, Loops::Split);
            let known = assess(&player, &playing);
            assert_eq!(known.kind, Kind::Exact);
            let before = checked.exact;
            checked.check(known.value, known.kind, &position.to_string(), &|halves| takes_in(&playing, halves, 5_000));
            draws += usize::from(known.value == Value::ZERO && known.best.is_some()) * (checked.exact - before);
        }
    }
    println!("{checked:?}, {draws} draws");
    assert!(checked.exact > 700 && draws > 20, "{checked:?} {draws}");
}

#[test]
fn what_is_called_exact_is_the_value_of_the_game() {
    let checked = random_games("kpe", true, Loops::Split, [3, 7], 80, 4_000);
    assert!(checked.changed > 10 && checked.exact > 1_000, "{checked:?}");
    let checked = random_games("kpe origin=sow,unlock=next,feed=sown", false, Loops::Split, [3, 6], 40, 4_000);
    assert!(checked.changed > 2 && checked.exact > 300, "{checked:?}");
    let checked = random_games("gore trade=off", true, Loops::Split, [6, 10], 40, 4_000);
    assert!(checked.exact > 100, "{checked:?}");
}

#[test]
fn with_own_loops_only_what_cannot_repeat_is_called_exact() {
    let checked = random_games("kpe", true, Loops::Own, [2, 6], 100, 4_000);
    assert!(checked.exact > 200 && checked.estimates > 200, "{checked:?}");
}

#[test]
fn with_trades_what_is_called_exact_is_the_value_of_the_game() {
    let checked = random_games("gore", true, Loops::Split, [3, 9], 40, 4_000);
    assert!(checked.exact > 20, "{checked:?}");
}
