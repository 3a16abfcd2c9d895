use super::*;
use crate::value::Value;
use proptest::prelude::*;

/// Entries that could be: every value at its floor or a little above it.
fn some_book(rules: Kpe, plies: u8, seed: u64) -> Book {
    let mut state = seed | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let made = Book::build(rules, plies, 0, |_, hint| {
        let floor = if hint.floor.0 == -48 { 0 } else { hint.floor.0 };
        let value = Value((floor + (next() % 3) as i8 * 2).min(48));
        let distance = if value == Value::ZERO { 0 } else { (next() % 9) as u16 };
        Ok::<_, std::convert::Infallible>(Entry::new(value, crate::value::Distance(distance)))
    });
    made.unwrap()
}

#[test]
fn a_book_comes_back() {
    for plies in [0, 1, 5] {
        let book = some_book(Kpe::default(), plies, 77);
        let again = Book::from_bytes("test", &book.to_bytes()).unwrap();
        assert_eq!((again.plies(), again.rules()), (plies, Kpe::default()));
        assert_eq!((&again.boards, &again.entries, &again.plies), (&book.boards, &book.entries, &book.plies));
        assert!(again.iter().all(|(board, entry)| again.entry(board) == Some(entry)));
    }
}

#[test]
fn other_rules_are_kept() {
    let rules = Kpe { unlock: crate::rules::kpe::Unlock::Next, ..Kpe::default() };
    assert_eq!(Book::from_bytes("test", &some_book(rules, 2, 5).to_bytes()).unwrap().rules(), rules);
}

/// Bytes with one part changed and the checksum made right again, so that what lies behind it is reached.
fn forged(mut bytes: Vec<u8>, at: usize, flip: u8) -> Vec<u8> {
    bytes[at] ^= flip;
    let checksum = crate::table::checksum_of_two(&bytes[..24], &bytes[32..]);
    bytes[24..32].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn foreign_bytes_do_no_harm(seed: u64, at: prop::sample::Index, flip in 1u8.., cut: prop::sample::Index) {
        let bytes = some_book(Kpe::default(), 3, seed).to_bytes();
        let at = at.index(bytes.len());
        prop_assert!(Book::from_bytes("test", &bytes[..cut.index(bytes.len())]).is_err());
        let mut changed = bytes.clone();
        changed[at] ^= flip;
        prop_assert!(Book::from_bytes("test", &changed).is_err());
        // Another book may come out, or a refusal.
        let _ = Book::from_bytes("test", &forged(bytes, at, flip));
    }
}

/// Counted by a slow enumeration of plain arrays, independent of this program.
#[test]
fn the_book_in_the_program_has_every_position_of_ten_plies() {
    let book = Book::embedded().unwrap();
    assert_eq!((book.len(), book.plies(), book.rules()), (ROOM, BOOK_PLIES, Kpe::default()));
    assert!(book.iter().all(|(board, _)| Book::embedded_may_know(Layer::of(board))));
    assert!(EMBEDDED.len() <= 1 << 20);
}
