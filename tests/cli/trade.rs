//! `kpe trade`, and `kpe best` where pits can be sold.

use serde_json::Value;

use crate::{batch, document, ran};

const GORE: [&str; 2] = ["--game", "gore"];
const POSITION: &str = "9-1-2-0-3-6-0-3-12-12-S@ABCD";

fn number(of: &Value, name: &str) -> i64 {
    of[name].as_i64().unwrap_or_else(|| panic!("{name} of {of}"))
}

#[test]
fn every_offer_is_valued_accepted_and_declined() {
    let answer = document(&["trade", POSITION, "--depth", "5", "--threads", "1", "--json"]);
    assert_eq!((&answer["schema"], &answer["position"]), (&"kpe.trade/1".into(), &POSITION.into()));
    let offers = answer["offers"].as_array().unwrap();
    // Four pits, six pairs: North can pay for two.
    assert_eq!(offers.len(), 10);
    for offer in offers {
        let (accepted, declined) = (number(&offer["accepted"], "value"), number(&offer["declined"], "value"));
        let answered = if accepted < declined { "accept" } else { "decline" };
        assert_eq!((number(offer, "value"), &offer["answer"]), (accepted.min(declined), &answered.into()), "{offer}");
        assert_eq!(number(offer, "gain"), number(offer, "value") - number(&answer["ordinary"], "value"), "{offer}");
        assert_eq!(declined, number(&offers[0]["declined"], "value"), "declining is the same for all");
    }
    let again = document(&["trade", POSITION, "--depth", "5", "--threads", "1", "--json"]);
    assert_eq!(answer, again);
}

#[test]
fn where_nothing_can_be_offered_the_answer_says_so() {
    let start = ran(&["trade", "--depth", "2"]);
    assert!(start.status == 0 && start.out.contains("South can offer nothing that North can pay for"), "{}", start.out);
    let over = ran(&["trade", "2-2-0-0-0-2-0-0-18-24-S@ABCD"]);
    assert!(over.status == 0 && over.out.contains("North wins"), "{}", over.out);
    let pending = ran(&["trade", "9-1-2-0-3-6-0-3-12-12-N@ABCD~A"]);
    assert!(pending.status == 2 && pending.err.contains("kpe best --game gore"), "{}", pending.err);
    for wrong in [&["--game", "kpe"][..], &["--trade", "off"], &["6-6"]] {
        assert_eq!(ran(&[&["trade"], wrong].concat()).status, 2, "{wrong:?}");
    }
}

#[test]
fn best_values_sowings_and_offers() {
    let args = [&["best", POSITION, "--depth", "6", "--threads", "1", "--json"], &GORE[..]].concat();
    let answer = document(&args);
    assert_eq!((&answer["schema"], &answer["options"]), (&"kpe.best/1".into(), &"origin=skip,trade=on".into()));
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 3 + 10);
    assert_eq!((&answer["best"], &answer["value"]), (&moves[0]["move"], &moves[0]["value"]));
    assert_eq!(answer["best"], answer["line"][0]);
    assert!(moves.is_sorted_by(|a, b| number(a, "value") >= number(b, "value")), "{answer}");
    assert_eq!(document(&args), answer);
}

#[test]
fn best_accepts_or_declines() {
    // Who buys the pit has nine stones to sow and wins by 7; declining wins by 3.
    let answer = document(&[&["best", "3-0-0-0-0-0-0-0-0-6-N@ABCD~A", "--json"], &GORE[..]].concat());
    assert_eq!((&answer["best"], &answer["value"], &answer["kind"]), (&"accept".into(), &7.into(), &"exact".into()));
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &moves[1]["move"], &moves[1]["value"]), (2, &"decline".into(), &3.into()));
    // After the answer the same player is to move.
    assert!(moves.iter().all(|valued| valued["result"].as_str().unwrap().contains("-N@")), "{answer}");
}

#[test]
fn a_repetition_ends_the_game_for_the_search_too() {
    let args = ["best", "3-0-0-0-4-0-0-0-20-21-S@ABCD", "--json", "--depth", "4", "--threads", "1", "--moves"];
    let moves = ["offer:A", "decline", "offer:a", "decline"];
    let whole = ran(&[&args[..], &moves, &GORE[..]].concat());
    assert!(whole.status == 0 && whole.err.contains("repeat a position"), "{}", whole.err);
    // One answer earlier: declining repeats the start and ends the game one stone behind.
    let answer = document(&[&args[..], &moves[..3], &GORE[..]].concat());
    let declined = answer["moves"].as_array().unwrap().iter().find(|valued| valued["move"] == "decline").unwrap();
    assert_eq!((number(declined, "value"), &answer["best"]), (-1, &"accept".into()), "{answer}");
}

#[test]
fn people_see_it_in_eighty_columns_without_escape_codes() {
    let small = ["--depth", "3", "--threads", "1"];
    for args in [
        [&["trade", POSITION], &small[..]].concat(),
        [&["best", POSITION], &small[..], &GORE[..]].concat(),
        [&["best", "9-1-2-0-3-6-0-3-12-12-N@ABCD~AB"], &small[..], &GORE[..]].concat(),
        [&["best", "startpos"], &small[..], &GORE[..]].concat(),
    ] {
        let shown = ran(&args);
        assert_eq!((shown.status, shown.err.as_str()), (0, ""), "{args:?}");
        assert!(shown.out.lines().all(|line| line.chars().count() <= 80), "{}", shown.out);
        assert!(!shown.out.contains('\u{1b}'));
    }
}

#[test]
fn lines_are_answered_in_order() {
    let args = [&["best", "-", "--depth", "2"], &GORE[..]].concat();
    let (status, answers) = batch(&args, format!("{POSITION}\nwrong\n2-2-0-0-0-2-0-0-18-24-S@ABCD\n"));
    assert_eq!((status, answers.len()), (1, 3));
    assert_eq!((&answers[0]["source"], &answers[2]["source"]), (&"search".into(), &"rules".into()));
    assert!(answers[1]["error"].is_string());
}
