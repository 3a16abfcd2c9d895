//! What is refused, where, and with which words; parse and print as inverses; texts that were tampered with.

use proptest::prelude::*;

use super::*;
use crate::board::Board;
use crate::rules::Game;
use crate::rules::agreement::{game_of, positions};

fn game(name: &str, options: &str) -> Game {
    Game::parse(name, options).unwrap()
}

/// The error of a wrong text as "the wrong part | message", with the start of the wrong part checked by a caret.
fn refusal(name: &str, options: &str, text: &str) -> String {
    let error = Position::parse(text, game(name, options)).unwrap_err();
    assert_eq!(&text[error.at.clone()], error.found);
    format!("{} {error}", error.at.start)
}

#[test]
fn malformed_positions_are_refused_where_they_are_wrong() {
    let kpe = |text| refusal("kpe", "", text);
    assert_eq!(kpe(""), "0 found nothing more, expected a number of stones, 0 to 48");
    assert_eq!(kpe("start"), "0 found \"start\", expected a number of stones, 0 to 48");
    assert_eq!(kpe("6-6-6-6-6-6-6-6-0-S"), "18 found \"S\", expected a number of stones, 0 to 48");
    assert_eq!(kpe("6-6--6-6-6-6-6-0-0-S"), "4 found \"-\", expected a number of stones, 0 to 48");
    assert_eq!(kpe("6-6-06-6-6-6-6-6-0-0-S"), "4 found \"06\", expected a number without leading zeros");
    assert_eq!(kpe("6-6-6-6-6-6-6-6-00-0-S"), "16 found \"00\", expected a number without leading zeros");
    assert_eq!(kpe("6-6-6-6-6-6-6-6-0-1-S"), "18 found \"1\", expected at most 48 stones in all, these make 49");
    assert_eq!(kpe("0-0-0-99999999999-0"), "6 found \"99999999999\", expected a number of stones, 0 to 48");
    assert_eq!(kpe("6-6 6-6-6-6-6-6-0-0-S"), "3 found \" \", expected \"-\" between two numbers");
    assert_eq!(kpe("6-6-6-6-6-6-6-6-0-0"), "19 found nothing more, expected \"-\" between two numbers");
    assert_eq!(kpe("6-6-6-6-6-6-6-6-0-0-"), "20 found nothing more, expected S or N, the player to move");
    assert_eq!(kpe("6-6-6-6-6-6-6-6-0-0-s"), "20 found \"s\", expected S or N, the player to move");
    assert_eq!(kpe("6-6-6-6-6-6-6-6-0-0-0-S"), "20 found \"0\", expected S or N, the player to move");
}

#[test]
fn wrong_suffixes_are_refused_where_they_are_wrong() {
    let kpe = |suffix: &str| refusal("kpe", "", &format!("5-7-6-6-6-6-6-6-0-0-S{suffix}"));
    let gore = |suffix: &str| refusal("gore", "", &format!("5-7-6-6-6-6-6-6-0-0-S{suffix}"));
    assert_eq!(kpe("@ABCD"), "21 found \"@ABCD\", expected \":\" and the unsown pits of Kpé, or the end");
    assert_eq!(gore(":ABCD"), "21 found \":ABCD\", expected \"@\" and the pits South owns in Goré, or the end");
    assert_eq!(gore("~a"), "21 found \"~a\", expected \"@\" and the pits South owns in Goré, or the end");
    assert_eq!(kpe(" "), "21 found \" \", expected \":\" and the unsown pits of Kpé, or the end");
    assert_eq!(kpe(":"), "22 found nothing more, expected a pit's letter, one of ABCDabcd");
    assert_eq!(gore("@"), "22 found nothing more, expected a pit's letter, one of ABCDabcd");
    assert_eq!(gore("@ABCD~"), "27 found nothing more, expected a pit's letter, one of ABCDabcd");
    assert_eq!(gore("@~a"), "22 found \"~\", expected a pit's letter, one of ABCDabcd");
    assert_eq!(kpe(":BE"), "23 found \"E\", expected a pit's letter, one of ABCDabcd");
    assert_eq!(kpe(":CB"), "23 found \"B\", expected letters in the order ABCDabcd, each once");
    assert_eq!(kpe(":BB"), "23 found \"B\", expected letters in the order ABCDabcd, each once");
    assert_eq!(gore("@aA"), "23 found \"A\", expected letters in the order ABCDabcd, each once");
    assert_eq!(gore("@AB+a"), "24 found \"+\", expected a pit's letter, \"~\" and the pits offered, or the end");
    assert_eq!(kpe(":AB"), "22 found \"A\", expected 6 stones or more in a pit not yet sown from, A holds 5");
    let all = "22 found \"ABCDabcd\", expected one pit or more for each player, North has none";
    assert_eq!(gore("@ABCDabcd"), all);
    let off = refusal("gore", "trade=off", "6-6-6-6-6-6-6-6-0-0-S@ABC");
    assert_eq!(off, "22 found \"ABC\", expected ABCD: without trades each player owns his row");
}

#[test]
fn offers_that_could_not_have_been_made_are_refused() {
    let why = |options, text: &str| {
        let refusal = refusal("gore", options, text);
        assert!(refusal.starts_with(&text.find('~').map_or(0, |at| at + 1).to_string()), "{refusal}");
        refusal.split("could have made: ").last().unwrap_or_default().to_owned()
    };
    let pay = "the receiver must have 12 captured stones to pay, he has 11";
    assert_eq!(why("", "4-4-4-4-4-4-4-4-5-11-N@ABCD~CD"), pay);
    assert_eq!(why("", "4-4-4-4-4-4-4-4-5-11-N@ABCD~d"), "only pits one owns can be offered");
    assert_eq!(why("", "2-2-2-2-2-2-2-2-0-32-N@ABCD~ABCD"), "the game is over, no pit holds three stones");
    assert_eq!(why("", "3-2-2-2-2-2-2-2-0-31-N@ABCD~ABCD"), "one to 3 pits can be offered");
    assert_eq!(why("", "3-2-2-2-2-2-2-2-0-31-N@ABC~ABC"), "one pit must be kept");
    assert_eq!(why("", "0-0-0-0-3-2-2-2-0-31-N@ABCD~A"), "a player who cannot sow cannot offer");
    assert_eq!(why("trade=off", "4-4-4-4-4-4-4-4-5-11-N@ABCD~C"), "there are no offers in this game");
    let whole = refusal("gore", "", "4-4-4-4-4-4-4-4-5-11-N@ABCD~CD");
    assert_eq!(whole, format!("28 found \"CD\", expected an offer that South could have made: {pay}"));
}

#[test]
fn a_board_that_is_no_position_is_refused_without_a_text() {
    let six = Board::new([6; 8], Pits::NONE);
    let new = |name, board, stores| Position::new(game(name, ""), Side::South, board, stores, Pits::NONE);
    assert_eq!(new("kpe", six, [1, 1]), Err(SetupError::Stones { stones: 50 }));
    assert_eq!(new("gore", six, [0, 0]), Err(SetupError::NoPit { side: Side::South }));
    let offer = Position::new(game("kpe", ""), Side::South, six, [0, 0], Pits(0x10));
    assert_eq!(offer, Err(SetupError::Offer { side: Side::South, reason: IllegalOffer::NoTrade }));
}

#[test]
fn the_start_has_a_name_in_each_game() {
    for (name, text) in [("kpe", "6-6-6-6-6-6-6-6-0-0-S:ABCDabcd"), ("gore", "6-6-6-6-6-6-6-6-0-0-S@ABCD")] {
        let start = Position::parse("startpos", game(name, "")).unwrap();
        assert_eq!((start, start.to_string().as_str()), (Position::start(game(name, "")), text));
        assert_eq!(Position::parse(text, start.game()), Ok(start));
    }
    let plain = Position::parse("6-6-6-6-6-6-6-6-0-0-S", game("gore", ""));
    assert_eq!(plain, Ok(Position::start(game("gore", ""))));
}

fn at(name: &str, text: &str) -> Position {
    Position::parse(text, game(name, "")).unwrap()
}

#[test]
fn a_pits_letter_is_read_in_either_case_where_that_is_clear() {
    let kpe = at("kpe", "0-12-2-8-0-0-0-1-1-19-S");
    assert_eq!(kpe.parse_move("b"), kpe.parse_move("B"));
    let north = at("kpe", "0-12-2-8-0-0-0-1-1-19-N");
    assert_eq!(north.parse_move("D").map(|action| action.text(Side::North).to_string()), Ok("d".to_owned()));
    // South owns A, B and a, North the rest: C can only mean c.
    let both = at("gore", "1-1-1-1-1-1-1-3-12-12-S@ABa");
    let read = |text: &str| both.parse_move(text).map(|action| action.text(Side::South).to_string());
    assert_eq!(read("A"), Ok("A".to_owned()));
    assert_eq!(read("a"), Ok("a".to_owned()));
    assert_eq!(read("b"), Ok("B".to_owned()));
    assert_eq!(read("offer:ba"), Ok("offer:Ba".to_owned()));
    assert_eq!(both.parse_move("C").unwrap_err().found, "C");
}

#[test]
fn moves_that_are_not_legal_are_refused_with_the_reason() {
    let why = |position: Position, text: &str| {
        let error = position.parse_move(text).unwrap_err();
        assert_eq!(text.get(error.at.clone()), Some(error.found.as_str()));
        error.to_string()
    };
    let kpe = at("kpe", "0-12-2-8-0-0-0-1-1-19-S");
    assert_eq!(why(kpe, "A"), "found \"A\", expected one of B, C, D (the pit is empty)");
    assert_eq!(why(kpe, "E"), "found \"E\", expected one of B, C, D");
    assert_eq!(why(kpe, "BB"), "found \"BB\", expected one of B, C, D");
    assert_eq!(why(kpe, ""), "found nothing more, expected one of B, C, D");
    assert_eq!(why(kpe, "pass"), "found \"pass\", expected one of B, C, D (only a player who cannot sow passes)");
    assert_eq!(why(kpe, "offer:A"), "found \"offer:A\", expected one of B, C, D (there are no offers in this game)");
    let feed = at("kpe", "1-0-0-1-0-0-0-0-0-0-S");
    assert_eq!(why(feed, "A"), "found \"A\", expected one of D (the opponent must be fed)");
    let over = at("kpe", "0-0-0-0-1-0-0-0-0-0-S");
    assert_eq!(why(over, "A"), "found \"A\", expected no move: the game is over");
    let asked = at("gore", "4-4-4-4-4-4-4-4-5-11-N@ABCD~C");
    assert_eq!(why(asked, "a"), "found \"a\", expected one of accept, decline (the offer must be answered)");
    let gore = at("gore", "0-4-0-4-0-0-0-4-5-11-N@ABCD");
    assert_eq!(why(gore, "accept"), "found \"accept\", expected one of d (no offer is pending)");
    assert_eq!(why(gore, "offer:"), "found nothing more, expected a pit's letter, one of ABCDabcd");
    assert_eq!(why(gore, "offer:xb"), "found \"x\", expected a pit's letter, one of ABCDabcd");
    assert_eq!(why(gore, "offer:ba"), "found \"a\", expected letters in the order ABCDabcd, each once");
    let poor = "found \"offer:a\", expected one of d (the receiver must have 6 captured stones to pay, he has 5)";
    assert_eq!(why(gore, "offer:a"), poor);
}

#[test]
fn the_caret_stands_under_the_wrong_part() {
    let kpe = game("kpe", "");
    let caret = |text: &str| Position::parse(text, kpe).unwrap_err().caret(text);
    assert_eq!(caret("6-6-06-6"), "6-6-06-6\n    ^^");
    assert_eq!(caret("6-6"), "6-6\n   ^");
    assert_eq!(caret("ë\t-6"), "ë·-6\n^^");
    assert_eq!(caret(""), "\n^");
}

/// One change to a text: which, where, and with what.
fn mutated(text: &str, changes: &[(u8, usize, char)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for &(kind, at, sign) in changes {
        let at = at % (chars.len() + 1);
        match kind {
            0 => chars.insert(at, sign),
            1 if at < chars.len() => drop(chars.remove(at)),
            2 if at < chars.len() => chars[at] = sign,
            3 => chars.truncate(at),
            4 if at + 1 < chars.len() => chars.swap(at, at + 1),
            _ => {}
        }
    }
    chars.into_iter().collect()
}

fn sits_inside(error: &ParseError, text: &str) {
    assert_eq!(text.get(error.at.clone()), Some(error.found.as_str()), "{error:?} of {text:?}");
    assert!(!error.found.is_empty() || error.at.end == text.len(), "{error:?} of {text:?}");
    assert!(error.caret(text).lines().last().is_some_and(|line| line.ends_with('^')));
    assert!(!error.to_string().contains('\n'));
}

fn sign() -> impl Strategy<Value = char> {
    prop_oneof![
        prop::sample::select("0123456789-SN:@~ABCDabcdoferpsü\t\u{1F600} ".chars().collect::<Vec<_>>()),
        any::<char>()
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tampered_texts_are_read_or_refused_inside_the_text(
        (rules, slow) in (0..=48u32).prop_flat_map(positions),
        other in any::<bool>(),
        changes in prop::collection::vec((0..5u8, any::<usize>(), sign()), 1..5),
    ) {
        let text = mutated(&slow.text(rules), &changes);
        let name = if other { "gore" } else { "kpe" };
        for game in [game_of(rules), game(name, "")] {
            match Position::parse(&text, game) {
                Ok(position) => {
                    let printed = position.to_string();
                    prop_assert_eq!(Position::parse(&printed, game), Ok(position));
                    let short = printed.strip_suffix("@ABCD") == Some(&text);
                    prop_assert!(printed == text || short || text == "startpos");
                }
                Err(error) => sits_inside(&error, &text),
            }
        }
    }

    #[test]
    fn tampered_moves_are_read_or_refused_inside_the_text(
        (rules, slow) in (0..=48u32).prop_flat_map(positions),
        pick in any::<usize>(),
        changes in prop::collection::vec((0..5u8, any::<usize>(), sign()), 0..4),
    ) {
        let position = Position::parse(&slow.text(rules), game_of(rules)).unwrap();
        let moves = position.moves();
        let text = match moves.len() {
            0 => "A".to_owned(),
            number => moves[pick % number].text(position.side()).to_string(),
        };
        let text = mutated(&text, &changes);
        match position.parse_move(&text) {
            Ok(action) => prop_assert!(moves.contains(&action)),
            Err(error) => sits_inside(&error, &text),
        }
    }
}
