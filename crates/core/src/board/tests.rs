//! Tests of boards.

use super::*;

#[test]
fn every_set_survives_the_lanes() {
    for set in 0..=255u8 {
        let board = Board::new([6; 8], Pits(set));
        assert_eq!(board.flags(), Pits(set));
        let stones = std::array::from_fn(|i| set >> i & 1);
        assert_eq!(Board::new(stones, Pits::NONE).occupied(), Pits(set));
        assert_eq!(Pits(set).into_iter().collect::<Pits>(), Pits(set));
        assert_eq!(Board::each(Pits(set), 6).lanes(), std::array::from_fn(|i| 6 * (set >> i & 1)));
        assert_eq!(Board::new(stones, Pits::NONE).any_at_least(1), set != 0);
        assert_eq!(board.rotate_owned().flags(), Pits(!set).rotate());
        let fours = std::array::from_fn(|i| if set >> i & 1 != 0 { 2 + (i as u8 & 1) * 2 } else { 3 });
        assert_eq!(Board::new(fours, Pits::NONE).twos_and_fours(), Pits(set));
    }
}

#[test]
fn taking_removes_exactly_the_named_pits() {
    let board = Board::new([1, 2, 3, 4, 5, 6, 7, 8], Pits(0x81));
    let (rest, taken) = board.take(Pits(0b1001_0010));
    assert_eq!(rest.lanes(), [1, 0, 3, 4, 0, 6, 7, 0]);
    assert_eq!((taken, rest.flags()), (15, Pits(0x81)));
    assert_eq!((board.own(), board.opponents(), board.total()), (10, 26, 36));
}

#[test]
fn sowing_goes_round() {
    let board = Board::new([0, 0, 15, 0, 0, 0, 0, 0], Pits::NONE);
    let (skip, last) = board.sow(Pit::new(2), Origin::Skip);
    assert_eq!((skip.lanes(), last), ([2, 2, 0, 3, 2, 2, 2, 2], Pit::new(3)));
    let (sow, last) = board.sow(Pit::new(2), Origin::Sow);
    assert_eq!((sow.lanes(), last), ([2, 2, 1, 2, 2, 2, 2, 2], Pit::new(1)));
}
