//! Table files from outside: what is written is read again, and nothing else ever is.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use kpe::board::Pits;
use kpe::index::Layer;
use kpe::rules::Game;
use kpe::rules::kpe::Kpe;
use kpe::table::testing::{change_entry, reseal, write_pair_in_blocks};
use kpe::table::{TableError, TableFile, file_name, write_pair};
use kpe::value::{Distance, Entry, Value};
use proptest::prelude::*;

/// The layers of a file with their entries.
type Pair = Vec<(Layer, Vec<Entry>)>;

/// The changes made to each byte of a file: every bit, all bits, every other bit.
const CHANGES: [u8; 10] = [1, 2, 4, 8, 16, 32, 64, 128, 0xff, 0x55];

fn game() -> Game {
    Game::Kpe(Kpe::default())
}

fn layer(unsown: u8, stones: u8) -> Layer {
    Layer::new(Pits(unsown), stones).unwrap()
}

/// Entries that look like a layer's, the same for the same seed.
fn entries(layer: Layer, seed: u64) -> Vec<Entry> {
    let mut state = seed;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let reach = i64::from(layer.stones());
    let mut entry = || {
        let value = next(2 * reach as u64 + 1) as i64 - reach;
        let distance = if value == 0 { 0 } else { next(20) as u16 };
        Entry::new(Value(value as i8), Distance(distance))
    };
    (0..layer.positions()).map(|_| entry()).collect()
}

/// A layer and, unless it is symmetric, its mirror image, with entries.
fn pair(layer: Layer, seed: u64) -> Pair {
    let layers = if layer.is_symmetric() { vec![layer] } else { vec![layer, layer.mirror()] };
    layers.into_iter().zip(seed..).map(|(layer, seed)| (layer, entries(layer, seed))).collect()
}

fn write(directory: &Path, pair: &[(Layer, Vec<Entry>)], block_positions: u32) -> Vec<u8> {
    let sections: Vec<_> = pair.iter().map(|(layer, entries)| (*layer, entries.as_slice())).collect();
    let summary = write_pair_in_blocks(directory, &game(), &sections, block_positions).unwrap();
    let bytes = fs::read(&summary.path).unwrap();
    assert_eq!(summary.length, bytes.len() as u64);
    bytes
}

/// Asserts that `file` holds exactly `pair`, by every way of reading it.
fn assert_holds(file: &TableFile, pair: &[(Layer, Vec<Entry>)]) {
    file.verify_checksums().unwrap();
    for (layer, entries) in pair {
        assert_eq!(&file.read_section(*layer).unwrap(), entries);
        let mut values = vec![0; entries.len()];
        file.read_values(*layer, &mut values).unwrap();
        for (rank, entry) in entries.iter().enumerate() {
            assert_eq!(values[rank], entry.value().0);
            assert_eq!(file.probe(*layer, rank as u32).unwrap(), *entry);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn reading_undoes_writing(unsown: u8, loose in 0u8..5, block_positions in 1u32..300, seed: u64) {
        let stones = 6 * unsown.count_ones() as u8 + loose;
        prop_assume!(stones <= 48);
        let pair = pair(layer(unsown, stones), seed);
        let directory = tempfile::tempdir().unwrap();
        write(directory.path(), &pair, block_positions);
        assert_holds(&TableFile::open(directory.path().join(file_name(pair[0].0))).unwrap(), &pair);
    }
}

#[test]
fn layers_of_one_position_and_of_many_blocks_are_read_as_written() {
    for (unsown, stones) in [(0, 0), (0x01, 6), (0xff, 48), (0, 12), (0x0f, 36)] {
        let pair = pair(layer(unsown, stones), 7);
        let directory = tempfile::tempdir().unwrap();
        write(directory.path(), &pair, 4096);
        assert_holds(&TableFile::open(directory.path().join(file_name(pair[0].0))).unwrap(), &pair);
    }
}

#[test]
fn the_longest_distance_and_the_largest_values_are_kept() {
    let layer = layer(0, 48 - 47);
    let mut entries = entries(layer, 1);
    entries[3] = Entry::new(Value(-1), Distance(Entry::MAX_DISTANCE));
    entries[4] = Entry::new(Value(1), Distance(256));
    let directory = tempfile::tempdir().unwrap();
    let pair = [(layer, entries)];
    let bytes = write(directory.path(), &pair, 5);
    assert_holds(&TableFile::from_vec("file", bytes).unwrap(), &pair);
}

#[test]
fn the_bytes_do_not_depend_on_threads_or_on_the_order_of_the_pair() {
    let mut pair = pair(layer(0x03, 24), 3);
    let directory = tempfile::tempdir().unwrap();
    let expected = write(directory.path(), &pair, 1000);
    pair.reverse();
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| write(directory.path(), &pair, 1000)), expected);
    }
}

#[test]
fn statistics_are_those_of_the_entries() {
    let pair = pair(layer(0x03, 16), 3);
    let directory = tempfile::tempdir().unwrap();
    let file = TableFile::from_vec("file", write(directory.path(), &pair, 64)).unwrap();
    for (section, (layer, entries)) in file.metadata().sections.iter().zip(&pair) {
        assert_eq!(section.layer, *layer);
        let wins = entries.iter().filter(|entry| entry.value() > Value::ZERO).count();
        assert_eq!(section.statistics.wins, wins as u64);
        assert_eq!(section.statistics.positions(), u64::from(layer.positions()));
    }
}

/// A small file of two layers with several blocks each, and what it holds.
fn small() -> &'static (Vec<u8>, Pair) {
    static SMALL: OnceLock<(Vec<u8>, Pair)> = OnceLock::new();
    SMALL.get_or_init(|| {
        let pair = pair(layer(0x01, 7), 11);
        let directory = tempfile::tempdir().unwrap();
        (write(directory.path(), &pair, 3), pair)
    })
}

/// Asserts that damaged bytes are refused, and that what a probe still answers is right.
fn assert_refused(bytes: Vec<u8>, pair: &[(Layer, Vec<Entry>)], what: &str) {
    let damaged = |error: &TableError| matches!(error, TableError::Damaged { .. });
    let file = match TableFile::from_vec("file", bytes) {
        Ok(file) => file,
        Err(error) => return assert!(damaged(&error), "{what}: {error}"),
    };
    for (layer, entries) in pair {
        for (rank, expected) in entries.iter().enumerate() {
            match file.probe(*layer, rank as u32) {
                Ok(found) => assert_eq!(found, *expected, "{what}"),
                Err(error) => assert!(damaged(&error), "{what}: {error}"),
            }
        }
    }
    let error = file.verify_checksums().expect_err(what);
    assert!(damaged(&error), "{what}: {error}");
}

#[test]
fn every_change_of_one_byte_is_refused() {
    let (good, pair) = small();
    for at in 0..good.len() {
        for change in 1..=u8::MAX {
            let mut bad = good.clone();
            bad[at] ^= change;
            assert_refused(bad, pair, &format!("byte {at} changed by {change:02x}"));
        }
    }
}

#[test]
fn every_truncation_and_appended_byte_is_refused() {
    let (good, pair) = small();
    for length in 0..good.len() {
        assert_refused(good[..length].to_vec(), pair, &format!("cut to {length}"));
    }
    for byte in [0, 1, 0xff] {
        assert_refused([good.as_slice(), &[byte]].concat(), pair, "a byte more");
    }
}

/// With the checksums made right again, a change must be caught by the checks of fields, or change what is read:
/// either way nothing panics and no memory is asked for that the layer does not need.
#[test]
fn sealed_damage_never_panics() {
    let (good, pair) = small();
    let mut read = 0;
    for at in 0..good.len() {
        for change in CHANGES {
            let mut bad = good.clone();
            bad[at] ^= change;
            reseal(&mut bad);
            let Ok(file) = TableFile::from_vec("file", bad) else { continue };
            for (layer, _) in pair {
                let _ = file.probe(*layer, 0);
                let _ = file.read_section(*layer);
            }
            read += usize::from(file.verify_checksums().is_ok());
        }
    }
    // Changes of the game's name, and values that happen to be sound: the certificate's business, not ours.
    assert!(read > 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn sealed_rubbish_never_panics(places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), length: prop::sample::Index) {
        let (good, pair) = small();
        let mut bad = good.clone();
        for (at, byte) in places {
            let at = at.index(bad.len());
            bad[at] = byte;
        }
        bad.truncate(length.index(bad.len()) + 1);
        reseal(&mut bad);
        if let Ok(file) = TableFile::from_vec("file", bad) {
            let _ = file.verify_checksums();
            let _ = file.probe(pair[0].0, 0);
        }
    }

    #[test]
    fn any_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(TableFile::from_vec("file", bytes).is_err());
    }
}

#[test]
fn a_sealed_wrong_entry_passes_the_checksums() {
    let pair = pair(layer(0x01, 8), 5);
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), &pair, 16);
    let path = directory.path().join(file_name(pair[0].0));
    let wrong = Entry::new(Value(-(pair[1].1[20].value().0)), Distance(3));
    change_entry(&path, &game(), pair[1].0, 20, wrong).unwrap();
    let file = TableFile::open(&path).unwrap();
    file.verify_checksums().unwrap();
    assert_eq!(file.metadata().block_positions, 16);
    let found = file.read_section(pair[1].0).unwrap();
    let changed: Vec<_> = (0..found.len()).filter(|&rank| found[rank] != pair[1].1[rank]).collect();
    assert_eq!(changed, [20]);
    assert_eq!(file.read_section(pair[0].0).unwrap(), pair[0].1);
}

#[test]
fn a_file_cut_while_it_is_open_is_an_error_and_no_crash() {
    let pair = pair(layer(0, 12), 5);
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), &pair, 4096);
    let path = directory.path().join(file_name(pair[0].0));
    let file = TableFile::open(&path).unwrap();
    let first = file.probe(pair[0].0, 0).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_len(100).unwrap();
    let last = pair[0].0.positions() - 1;
    assert!(matches!(file.probe(pair[0].0, last), Err(TableError::Damaged { .. })));
    assert!(matches!(file.read_section(pair[0].0), Err(TableError::Damaged { .. })));
    assert!(matches!(file.verify_checksums(), Err(TableError::Damaged { .. })));
    // What was unpacked before is still known.
    assert_eq!(file.probe(pair[0].0, 0).unwrap(), first);
}

#[test]
fn a_file_overwritten_while_it_is_open_is_an_error_and_no_wrong_entry() {
    let pair = pair(layer(0, 12), 5);
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), &pair, 4096);
    let path = directory.path().join(file_name(pair[0].0));
    let file = TableFile::open(&path).unwrap();
    // The first block was found sound once; then its last byte changes.
    assert_eq!(file.probe(pair[0].0, 0).unwrap(), pair[0].1[0]);
    let mut bytes = fs::read(&path).unwrap();
    let length = bytes.len();
    for byte in &mut bytes[length / 2..] {
        *byte ^= 0x55;
    }
    fs::write(&path, bytes).unwrap();
    let mut damaged = 0;
    for rank in 1..pair[0].0.positions() {
        match file.probe(pair[0].0, rank) {
            Ok(entry) => assert_eq!(entry, pair[0].1[rank as usize]),
            Err(error) => {
                assert!(matches!(error, TableError::Damaged { .. }), "{error}");
                damaged += 1;
            }
        }
    }
    assert!(damaged > 100, "{damaged}");
}

#[test]
fn a_file_replaced_while_it_is_open_keeps_its_entries() {
    let (old, new) = (pair(layer(0, 8), 5), pair(layer(0, 8), 6));
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), &old, 64);
    let file = TableFile::open(directory.path().join(file_name(old[0].0))).unwrap();
    write(directory.path(), &new, 64);
    assert_holds(&file, &old);
}

#[test]
fn what_is_no_layer_pair_is_not_written() {
    let directory = tempfile::tempdir().unwrap();
    let refused = |sections: &[(Layer, &[Entry])]| {
        let error = write_pair(directory.path(), &game(), sections).unwrap_err();
        assert!(matches!(error, TableError::Unwritable { .. }), "{error}");
    };
    let locked = pair(layer(0x01, 7), 1);
    let sections: Vec<_> = locked.iter().map(|(layer, entries)| (*layer, entries.as_slice())).collect();
    refused(&[]);
    refused(&sections[..1]);
    refused(&[sections[0], sections[0]]);
    refused(&[sections[0], (sections[1].0, &sections[1].1[1..])]);
    refused(&[(layer(0, 1), &[Entry::new(Value(2), Distance(1)); 8])]);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn paths_that_are_no_files_are_errors() {
    let directory = tempfile::tempdir().unwrap();
    assert!(matches!(TableFile::open(directory.path()), Err(TableError::Io { .. })));
    assert!(matches!(TableFile::open(directory.path().join("n02.kpt")), Err(TableError::Missing { .. })));
    fs::write(directory.path().join("n02.kpt"), "").unwrap();
    assert!(matches!(TableFile::open(directory.path().join("n02.kpt")), Err(TableError::Damaged { .. })));
}
