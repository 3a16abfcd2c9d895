//! Games that are played, taken back and ended.

use super::*;

fn playing(game: &str, options: &str, position: &str, loops: Loops) -> Playing {
    let game = Game::parse(game, options).unwrap();
    Playing::new(Position::parse(position, game).unwrap(), loops)
}

fn play(playing: &mut Playing, moves: &str) {
    moves.split(' ').for_each(|text| _ = playing.play_text(text).unwrap());
}

#[test]
fn a_loop_shares_the_rest_in_halves_or_by_rows() {
    let text = "1-1-0-0-1-0-0-0-23-22-S";
    for (loops, shown) in [(Loops::Split, "24½-23½, South wins"), (Loops::Own, "25-23, South wins")] {
        let mut game = playing("kpe", "", text, loops);
        play(&mut game, "A a B b C c D d A a B b C c D");
        assert_eq!(game.ending(), None);
        assert!(game.has_been(&Position::parse(text, game.game()).unwrap()));
        // The set-up counts as the first occurrence.
        play(&mut game, "d");
        let ending = game.ending().unwrap();
        assert_eq!((ending.reason, ending.to_string().as_str()), (Reason::Repetition, shown));
        assert_eq!((game.position().to_string().as_str(), game.moves().len()), (text, 0));
        assert_eq!(game.play_text("A"), Err(PlayError::Over { ending }));
    }
}

#[test]
fn a_loop_of_two_equal_stones_is_a_draw() {
    let mut game = playing("kpe", "", "1-0-0-0-1-0-0-0-23-23-S", Loops::Split);
    play(&mut game, "A a B b C c D d");
    assert_eq!(game.ending().map(|ending| (ending.winner(), ending.halves)), Some((None, [48, 48])));
    assert_eq!(game.ending().unwrap().to_string(), "24-24, a draw");
}

#[test]
fn a_set_up_may_be_over() {
    let game = playing("kpe", "", "0-0-0-0-1-2-0-3-20-22-S", Loops::Own);
    let ending = game.ending().unwrap();
    assert_eq!((ending.reason, ending.halves), (Reason::Rules, [40, 56]));
    assert_eq!(playing("gore", "", "2-2-0-0-1-0-0-1-20-22-N@ABCD", Loops::Own).ending().unwrap().halves, [48, 48]);
}

#[test]
fn offers_always_declined_end_the_game_and_cost_the_glory() {
    for (stores, shown) in [("18-6", "30-18, South wins, a victory without glory"), ("12-12", "24-24, a draw")] {
        let mut game = playing("gore", "", &format!("3-3-3-3-3-3-3-3-{stores}-S@ABCD"), Loops::Split);
        play(&mut game, "offer:A decline offer:a");
        assert_eq!(game.ending(), None);
        play(&mut game, "decline");
        let ending = game.ending().unwrap();
        assert_eq!((ending.reason, ending.to_string().as_str()), (Reason::Repetition, shown));
    }
    // The loser's refusals take no glory from the winner.
    let mut game = playing("gore", "", "3-3-3-3-3-3-3-3-12-6-N@ABCD", Loops::Split);
    play(&mut game, "offer:a decline");
    assert_eq!((game.position().side(), game.ending()), (Side::South, None));
    let mut game = playing("gore", "", "3-3-3-3-3-3-3-3-6-18-S@ABCD", Loops::Split);
    play(&mut game, "offer:A accept");
    assert_eq!(game.position().to_string(), "9-3-3-3-3-3-3-3-6-12-N@BCD");
}

#[test]
fn moves_are_taken_back() {
    let mut game = playing("kpe", "", "1-0-0-0-1-0-0-0-23-23-S", Loops::Split);
    play(&mut game, "A a B b C c D d");
    assert_eq!(game.take_back().map(|made| made.text().to_string()).as_deref(), Some("d"));
    assert_eq!((game.ending(), game.made().len()), (None, 7));
    play(&mut game, "d");
    assert!(game.ending().is_some());
    (0..8).for_each(|_| _ = game.take_back().unwrap());
    assert_eq!((game.take_back(), game.position() == game.start()), (None, true));
}

/// The rule said in another way: a game is over by repetition when, and only when, its last position occurs twice
/// in the list of positions since the last capture (Kpé) or in the whole list (Goré).
#[test]
fn random_games_end_at_the_first_repetition() {
    let mut seed = 1u64;
    let mut reasons = [0; 2];
    for number in 0..300 {
        let start = Position::start(Game::named(if number % 2 == 0 { "kpe" } else { "gore" }).unwrap());
        let mut game = Playing::new(start, Loops::Split);
        let mut since = vec![start];
        while game.ending().is_none() {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let moves = game.moves();
            let made = game.play(moves[(seed >> 33) as usize % moves.len()]).unwrap();
            if made.captured > 0 && number % 2 == 0 {
                since.clear();
            }
            let occurs = since.contains(game.position());
            since.push(*game.position());
            let over = game.position().totals().is_some();
            assert_eq!(game.ending().is_some(), over || occurs);
        }
        let ending = game.ending().unwrap();
        reasons[ending.reason as usize] += 1;
        assert_eq!(ending.halves[0] + ending.halves[1], 96);
    }
    assert!(reasons.iter().all(|&games| games > 20), "{reasons:?}");
}
