//! What is fuzzed: for each kind of input from outside, what it is made of and what may never happen when it is read. Every
//! target panics when that happens. `main.rs` tries inputs changed at random on stable Rust; the package in `coverage` tries those
//! that reach new code.

use kpe::board::Pits;
use kpe::index::Layer;
use kpe::notation::Position;
use kpe::opening::book::Book;
use kpe::pack::{Model, Scratch};
use kpe::protocol::{Host, serve};
use kpe::record::Records;
use kpe::rules::{Game, kpe::Kpe};
use kpe::table::testing::reseal;
use kpe::table::{TableError, TableFile, embedded};
use kpe::value::Entry;
use xxhash_rust::xxh3::Xxh3;

#[cfg(feature = "serve")]
#[path = "http.rs"]
mod http;

/// A kind of input.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    /// Name, also that of its directory in `tests/corpus`.
    pub(crate) name: &'static str,
    /// Right inputs to begin with.
    pub(crate) seeds: fn() -> Vec<Vec<u8>>,
    /// Words that such inputs have.
    pub(crate) words: &'static [&'static str],
    /// Reads an input and panics if something happens that may not.
    pub(crate) read: fn(&[u8]),
}

/// All kinds.
pub(crate) const TARGETS: &[Target] = &[
    Target {
        name: "positions",
        seeds: || texts(&POSITIONS),
        words: &["offer:AB", "accept", "decline", "pass", "-0-", "-48-", "~", "@", ":", " A", "½", "+1"],
        read: positions,
    },
    Target {
        name: "records",
        seeds: || texts(&RECORDS),
        words: &[
            "{",
            "}",
            "(",
            ")",
            "[Result \"1-0\"]\n",
            "[Score \"",
            "1...",
            "$3",
            "24-24",
            "*",
            "; x\n",
            "\u{feff}",
            "\r\n",
            "\"",
            "\\",
        ],
        read: records,
    },
    Target {
        name: "protocol",
        seeds: || texts(&SESSIONS),
        words: &[
            "go ",
            "nodes 10",
            "movetime 1",
            "stop\n",
            "position ",
            "moves ",
            "value ",
            "\n",
            "0",
            "-1",
            "wtime 5",
        ],
        read: protocol,
    },
    Target { name: "tables", seeds: table_files, words: &[], read: tables },
    Target { name: "packed", seeds: packed_blocks, words: &[], read: packed },
    Target { name: "book", seeds: opening_books, words: &[], read: book },
    #[cfg(feature = "serve")]
    Target { name: "requests", seeds: || texts(&http::REQUESTS), words: &http::WORDS, read: http::request },
    #[cfg(feature = "serve")]
    Target { name: "queries", seeds: || texts(&http::QUERIES), words: &http::WORDS, read: http::query },
];

const POSITIONS: [&str; 6] = [
    "startpos",
    "6-6-6-6-6-6-6-6-0-0-S:ABCDabcd",
    "0-3-8-1-2-4-1-3-12-14-N",
    "3-3-3-3-3-3-3-3-12-12-N@ABCD~CD",
    "9-1-2-0-3-6-0-3-12-12-S@ABCa",
    "0-0-0-0-1-2-0-3-20-22-S",
];

const RECORDS: [&str; 3] = [
    "[Game \"kpe\"]\n[South \"Ann\"]\n\n1. A b 2. C {well} d *\n",
    "[Game \"gore\"]\n[Options \"trade=on\"]\n[Start \"3-3-3-3-3-3-3-3-12-12-S@ABCD\"]\n\n1. offer:A decline b *\n",
    "[Game \"kpe\"]\n[Start \"0-0-0-1-0-0-0-1-23-23-S\"]\n[Result \"1/2-1/2\"]\n\n1. D {a \\} b} 1/2-1/2\n",
];

const SESSIONS: [&str; 3] = [
    "ugi\nisready\nsetoption name Level value 3\nposition startpos moves A b\ngo depth 2\nd\n",
    "setoption name Game value gore\nposition fen 3-3-3-3-3-3-3-3-12-12-S@ABCD moves offer:A\ngo nodes 50\n",
    "go perft 2\neval\nquery result\nuginewgame\ngo searchmoves A depth 1\n",
];

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// A position and a move: what is read is written the same, and what a legal move leads to can be read again.
fn positions(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let (position, action) = text.rsplit_once(' ').unwrap_or((text, "A"));
    for game in ["kpe", "gore"].map(|name| Game::named(name).unwrap()) {
        match Position::parse(position, game) {
            Ok(position) => {
                assert_eq!(Position::parse(&position.to_string(), game), Ok(position));
                if let Ok(action) = position.parse_move(action) {
                    let played = position.play(action).map(|outcome| outcome.result.to_string());
                    assert!(played.is_err() || Position::parse(&played.unwrap(), game).is_ok());
                }
            }
            Err(error) => drop((error.to_string(), error.caret(position))),
        }
    }
}

/// Game records: what is read is written such that it is read again and written the same.
fn records(input: &[u8]) {
    match Records::all(input) {
        Ok(games) => games.iter().for_each(|game| {
            let text = game.to_string();
            let again = Records::all(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(again[0].to_string(), text);
        }),
        Err(error) => drop((error.to_string(), error.caret())),
    }
}

/// A session of the protocol ends with its input.
fn protocol(input: &[u8]) {
    // Searches without an end would end with the input; long ones are not what is tested here.
    let long = |line: &str| {
        let digits = line.bytes().filter(u8::is_ascii_digit).count();
        let says = |words: &[&str]| words.iter().any(|word| line.contains(word));
        digits > 1 && says(&["perft", "depth", "mate"])
            || digits > 2 && says(&["nodes", "time", "inc", "hash", "threads"])
    };
    let lines = String::from_utf8_lossy(input);
    let quick = lines.lines().filter(|line| {
        let line = line.to_lowercase();
        !long(&line) && !line.contains("tables")
    });
    let lines: Vec<&str> = quick.collect();
    let host = Host { tables: None, threads: 1 };
    // Of these rules no tables are in the program, so that none are to be unpacked for every session.
    let session = format!("setoption name Hash value 1\nsetoption name Origin value sow\n{}", lines.join("\n"));
    serve(session.as_bytes(), std::io::sink(), host).unwrap();
}

fn table_files() -> Vec<Vec<u8>> {
    let small = embedded().iter().filter(|(_, bytes)| bytes.len() < 20_000);
    small.map(|(_, bytes)| bytes.to_vec()).collect()
}

/// A table file, as it is and with right checksums, is refused or answers.
fn tables(input: &[u8]) {
    let mut sealed = input.to_vec();
    reseal(&mut sealed);
    for bytes in [input.to_vec(), sealed] {
        let Ok(file) = TableFile::from_vec("fuzzed", bytes) else { continue };
        for stones in 0..=8 {
            let Some(layer) = Layer::new(Pits::NONE, stones) else { continue };
            for number in (0..layer.positions()).step_by(37) {
                if let Err(error) = file.probe(layer, number) {
                    drop(error.to_string());
                    break;
                }
            }
        }
        drop(file.verify_checksums());
    }
}

/// The layer whose blocks are fuzzed, and the positions in a block.
const PACKED: (u8, usize) = (6, 256);

/// Parameters and the first block of layers: a length of two bytes, the parameters, the block.
fn packed_blocks() -> Vec<Vec<u8>> {
    let (stones, positions) = PACKED;
    let layer = Layer::new(Pits::NONE, stones).unwrap();
    let name = kpe::table::file_name(layer);
    let (_, bytes) =
        embedded().iter().find(|(path, _)| path.ends_with(&name)).expect("small layers are in the program");
    let solved = TableFile::from_static(&name, bytes).unwrap().read_section(layer).unwrap();
    [solved.clone(), vec![Entry::default(); solved.len()]]
        .iter()
        .map(|entries| {
            let mut scratch = Scratch::default();
            let model = Model::train(Kpe::default(), layer, entries, positions, &mut scratch);
            let parameters = model.to_bytes();
            let mut input = (parameters.len() as u16).to_le_bytes().to_vec();
            input.extend(parameters);
            model.pack(Kpe::default(), layer, 0, &entries[..positions], &mut scratch, &mut input);
            input
        })
        .collect()
}

/// What is accepted as parameters or as a block is what would be written for what it means.
fn packed(input: &[u8]) {
    let (stones, positions) = PACKED;
    let Some((length, rest)) = input.split_first_chunk() else { return };
    let Some((parameters, block)) = rest.split_at_checked(u16::from_le_bytes(*length).into()) else { return };
    let Ok(model) = Model::from_bytes(parameters) else { return };
    assert_eq!(model.to_bytes(), parameters);
    let layer = Layer::new(Pits::NONE, stones).unwrap();
    let (mut scratch, mut entries) = (Scratch::default(), vec![Entry::default(); positions]);
    let unpacked = model.unpack(Kpe::default(), layer, 0, (block, positions), &mut scratch, &mut entries);
    if unpacked.is_ok() {
        let mut again = Vec::new();
        model.pack(Kpe::default(), layer, 0, &entries, &mut scratch, &mut again);
        assert_eq!(again, block);
    }
}

/// Books of a few plies.
fn opening_books() -> Vec<Vec<u8>> {
    let whole = Book::embedded().unwrap();
    let entry = |board| Ok::<_, TableError>(whole.entry(board).expect("the first plies are in the book"));
    [0, 1, 3].map(|plies| Book::collect(Kpe::default(), plies, entry).unwrap().to_bytes()).to_vec()
}

/// An opening book, with its checksum right, is refused, or is read again from what is written of it.
fn book(input: &[u8]) {
    let mut bytes = input.to_vec();
    let Some((head, body)) = bytes.split_first_chunk_mut::<32>() else { return };
    // What is true of its length takes as long as it says.
    head[14..16].fill(0);
    let mut hash = Xxh3::new();
    hash.update(&head[..24]);
    hash.update(body);
    head[24..].copy_from_slice(&hash.digest().to_le_bytes());
    match Book::from_bytes("fuzzed", &bytes) {
        Ok(book) => {
            let again = Book::from_bytes("written", &book.to_bytes()).unwrap();
            assert!(again.iter().eq(book.iter()));
        }
        Err(error) => drop(error.to_string()),
    }
}
