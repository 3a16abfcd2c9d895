//! Game records: they read what they write, say where they are wrong, and take whatever a file may hold.

mod common;

use common::Random;
use kpe::notation::{Position, Side};
use kpe::record::{Award, GameResult, Playing, Record, Records};
use kpe::rules::options::Choice;
use kpe::rules::{Game, Loops};
use proptest::prelude::*;

const RULES: [(&str, &str); 6] = [
    ("kpe", ""),
    ("kpe", "origin=sow,feed=sown"),
    ("kpe", "unlock=next"),
    ("gore", ""),
    ("gore", "origin=sow"),
    ("gore", "trade=off"),
];

/// A game of random moves, at most so many; in Goré many of them are offers and answers.
fn random_game(seed: u64, most: usize) -> Playing {
    let mut random = Random(seed);
    let (game, options) = RULES[random.below(6) as usize];
    let game = Game::parse(game, options).unwrap();
    let start = match (game.name(), random.below(4)) {
        ("kpe", 0) => Position::parse("0-3-8-1-2-4-1-3-12-14-N", game).unwrap(),
        ("gore", 0 | 1) if game.layered().is_none() => {
            Position::parse("4-3-3-2-3-3-3-1-13-13-N@BCDa~Ba", game).unwrap()
        }
        _ => Position::start(game),
    };
    let loops = if random.below(2) == 0 { Loops::Split } else { Loops::Own };
    let mut playing = Playing::new(start, loops);
    while playing.made().len() < most && playing.ending().is_none() {
        let moves = playing.moves();
        playing.play(moves[random.below(moves.len() as u32) as usize]).unwrap();
    }
    playing
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("{ ( [ % ; \" \\ $1 1-0 é ½ \u{1b}[31m \r\n \t } end".to_owned()),
        "[ -~]{0,120}",
        "\\PC{0,30}",
        ".{0,20}",
    ]
}

prop_compose! {
    fn a_record()(
        seed in any::<u64>(),
        most in 0usize..120,
        tags in prop::collection::vec(("[A-Za-z0-9_]{1,9}", words()), 0..4),
        comments in prop::collection::vec((any::<prop::sample::Index>(), words()), 0..5),
        marks in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        award in prop::option::of((0u8..3, words())),
    ) -> Record {
        let mut record = Record::new(random_game(seed, most));
        let notes = record.playing().made().len() + 1;
        tags.iter().for_each(|(name, value)| record.set_tag(name, value));
        comments.iter().for_each(|(at, text)| record.note_mut(at.index(notes)).comment(text));
        marks.iter().for_each(|(at, mark)| record.note_mut(at.index(notes)).marks.push(*mark));
        if let Some((winner, how)) = award {
            let winner = [Some(Side::South), Some(Side::North), None][usize::from(winner)];
            // These words are kept for games that the rules end.
            record.award(Award { winner, how: how.replace("rules", "").replace("unfinished", "") });
        }
        record
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_record_reads_what_it_writes(record in a_record()) {
        let text = record.to_string();
        let read = Record::read(&text);
        prop_assert_eq!(read.as_ref(), Ok(&record), "{}", text);
        prop_assert!(text.lines().all(|line| line.chars().count() <= 79 || !line.contains(' ') || line.starts_with(['[', ';'])), "{}", text);
        // Ends of lines, a byte order mark and the case of letters in Kpé do not matter.
        let other = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        prop_assert_eq!(Record::read(&other), Ok(record));
    }

    #[test]
    fn several_games_are_read_in_order(records in prop::collection::vec(a_record(), 1..5)) {
        let text: Vec<String> = records.iter().map(ToString::to_string).collect();
        prop_assert_eq!(Records::all(text.join("\n").as_bytes()), Ok(records));
    }

    #[test]
    fn a_changed_text_is_read_or_refused_with_a_place(record in a_record(), at in any::<prop::sample::Index>(), with in "[ -~\n]{0,3}", cut in 0usize..4) {
        let mut signs: Vec<char> = record.to_string().chars().collect();
        let at = at.index(signs.len());
        let end = signs.len().min(at + cut);
        signs.splice(at..end, with.chars());
        let text: String = signs.into_iter().collect();
        if let Err(error) = Records::all(text.as_bytes()) {
            let lines: Vec<&str> = text.split('\n').collect();
            prop_assert!((1..=lines.len()).contains(&error.line), "{error}");
            prop_assert!((1..=lines[error.line - 1].chars().count() + 1).contains(&error.column), "{error}");
            prop_assert_eq!(error.caret().lines().count(), 2);
        }
    }

    #[test]
    fn nothing_makes_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "([\\[\\](){};$!?*%\"\\\\ \r\n]|[A-Da-dx0-9.]|1-0|offer:|accept|Game|Start|6-6-6){0,60}") {
        let _ = Records::all(&bytes);
        let _ = Records::all(text.as_bytes());
    }
}

/// The error of a text, and the place drawn.
fn refused(text: &[u8]) -> (String, String) {
    let error = Records::all(text).expect_err(&String::from_utf8_lossy(text));
    (error.to_string(), error.caret())
}

#[test]
fn errors_have_line_and_column() {
    for (text, told) in [
        ("1. A a\n2. B b 3. X\n", "line 2, column 11: found \"X\", expected one of A, B, C, D"),
        ("1. Ax2", "line 1, column 5: found \"x2\", expected no capture, for the move makes none"),
        (
            "[Start \"0-0-0-1-1-0-0-0-23-23-S\"]\r\n\r\n1. Dx4",
            "line 3, column 5: found \"x4\", expected x2, what the move captures",
        ),
        (
            "1. A a 3. B",
            "line 1, column 8: found \"3.\", expected 2., the number of the next move; perhaps moves are missing or doubled before it",
        ),
        (
            "1... b a",
            "line 1, column 1: found \"1...\", expected 1., the number of the next move, for South is to move",
        ),
        (
            "1. A 1. a",
            "line 1, column 6: found \"1.\", expected 1..., the number of the next move, for North is to move",
        ),
        (
            "1. A a\n2.. B",
            "line 2, column 1: found \"2..\", expected 2., the number of the next move, for South is to move",
        ),
        (
            "1. A 2. a",
            "line 1, column 6: found \"2.\", expected 1..., the number of the next move; perhaps moves are missing or doubled before it",
        ),
        (
            "[SetUp \"1\"]\n[FEN \"0-0-0-1-1-0-0-0-23-23-S\"]\n[Start \"0-0-0-1-1-0-0-0-23-23-N\"]",
            "line 2, column 7: found \"0-0-0-1-1-0-0-0-23-23-S\", expected 0-0-0-1-1-0-0-0-23-23-N, as the tag Start in line 3, column 9 has it",
        ),
        (
            "[SetUp \"0\"][FEN \"0-0-0-1-1-0-0-0-23-23-S\"]",
            "line 1, column 18: found \"0-0-0-1-1-0-0-0-23-23-S\", expected the start of the game, as the tag SetUp in line 1, column 9 has it",
        ),
        (
            "[SetUp \"1\"] A",
            "line 1, column 9: found \"1\", expected a tag FEN or Start with the position that it announces",
        ),
        (
            "[SetUp \"yes\"] A",
            "line 1, column 9: found \"yes\", expected 0 (the start of the game) or 1 (the position of the tag FEN)",
        ),
        ("[FEN \"rnbqkbnr/8 w\"]", "line 1, column 7: found \"rnbqkbnr/8 w\", expected a number of stones, 0 to 48"),
        ("[Game \"oware\"]", "line 1, column 8: no game is called \"oware\", expected kpe or gore"),
        ("\n[Options \"origin=jump\"]", "line 2, column 11: option origin is \"jump\", expected skip or sow"),
        ("[Game \"gore\"]\r[Loops \"x\"]", "line 2, column 9: option loops is \"x\", expected split or own"),
        ("[Start \"6-6-07-6\"]", "line 1, column 13: found \"07\", expected a number without leading zeros"),
        ("[Start \"6-6\\\\\"]", "line 1, column 12: found \"\\\\\", expected \"-\" between two numbers"),
        ("[Date 2026]", "line 1, column 7: found \"2\", expected the value of the tag in quotation marks"),
        ("[ \"x\"]", "line 1, column 3: found \"\\\"\", expected the name of a tag, in letters and digits"),
        ("[Date \"2026\" A", "line 1, column 14: found \"A\", expected \"]\" after the value of the tag"),
        ("[Date \"2026\n\"]", "line 1, column 7: found \"\\\"\", expected the closing \" on the same line"),
        (
            "[Date \"a\\b\"]",
            "line 1, column 9: found \"\\\\\", expected \\\" or \\\\, the only signs that follow a backslash",
        ),
        ("[Date \"\"][Date \"\"]", "line 1, column 10: found \"[Date \\\"\\\"]\", expected each tag once"),
        ("1. A {ends\nnever", "line 1, column 6: found \"{\", expected \"}\" somewhere after it"),
        ("1. A (b {)} (C)", "line 1, column 6: found \"(\", expected \")\" somewhere after it"),
        ("1. A ) b", "line 1, column 6: found \")\", expected \"(\" before it"),
        ("1. A } b", "line 1, column 6: found \"}\", expected a move or a tag"),
        ("1. A $256", "line 1, column 6: found \"$256\", expected $ and a number up to 255"),
        (
            "1. A 2-0",
            "line 1, column 6: found \"2-0\", expected a move, its number, or a result: 1-0, 0-1, 1/2-1/2 or *",
        ),
        ("1. A 1-0 1-0", "line 1, column 10: found \"1-0\", expected a move or a tag of the game it is of"),
        ("[Result \"2-0\"]", "line 1, column 10: found \"2-0\", expected 1-0, 0-1, 1/2-1/2 or *"),
        ("[Result \"1-0\"] A *", "line 1, column 18: found \"*\", expected 1-0, as the tag Result has it"),
        (
            "[Start \"0-0-0-1-1-0-0-0-23-23-S\"] D 1/2-1/2",
            "line 1, column 37: found \"1/2-1/2\", expected 1-0, to which the moves lead",
        ),
        (
            "[Start \"0-0-0-1-1-0-0-0-23-23-S\"] D a",
            "line 1, column 37: found \"a\", expected no move: the game is over (25-23, South wins)",
        ),
        (
            "[Start \"0-0-0-1-1-0-0-0-23-23-S\"][Termination \"repetition\"] D",
            "line 1, column 48: found \"repetition\", expected rules, to which the moves lead",
        ),
        (
            "[Start \"0-0-0-1-1-0-0-0-23-23-S\"]\n[Score \"23-23\"] D",
            "line 2, column 9: found \"23-23\", expected 25-23, to which the moves lead",
        ),
        (
            "[Termination \"rules\"] A",
            "line 1, column 15: found \"rules\", expected another word, for the moves do not end the game",
        ),
        ("", "line 1, column 1: found nothing more, expected a game: tags such as [Game \"kpe\"], moves, or both"),
        (
            "{Nothing\nelse.}",
            "line 2, column 7: found nothing more, expected a game: tags such as [Game \"kpe\"], moves, or both",
        ),
        ("A é", "line 1, column 3: found \"é\", expected one of a, b, c, d"),
        ("A \u{1b}[31m", "line 1, column 3: found \"\\u{1b}\", expected text without control characters"),
    ] {
        assert_eq!(refused(text.as_bytes()).0, told, "{text:?}");
    }
}

#[test]
fn other_encodings_and_binary_files_are_refused() {
    let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain("1. A".bytes().flat_map(|byte| [byte, 0])).collect();
    assert_eq!(refused(&utf16).0, "line 1, column 1: found byte 0xff, expected text in UTF-8");
    assert_eq!(refused(b"1. A a\n{\xe9}").0, "line 2, column 2: found byte 0xe9, expected text in UTF-8");
    assert_eq!(refused(b"1. A\0").0, "line 1, column 5: found \"\\0\", expected text without control characters");
}

#[test]
fn the_place_is_drawn_even_in_a_long_line() {
    assert_eq!(refused(b"1. A a 2. Bx7 b").1, "1. A a 2. Bx7 b\n           ^^");
    let (told, drawn) = refused(format!("{{{}}} Q", "é".repeat(100_000)).as_bytes());
    assert!(told.starts_with("line 1, column 100004: found \"Q\""), "{told}");
    let (line, signs) = drawn.split_once('\n').unwrap();
    assert_eq!((line.chars().count(), line.chars().nth(signs.find('^').unwrap())), (36, Some('Q')));
    let (told, _) = refused("x".repeat(1 << 20).as_bytes());
    assert!(told.len() < 200, "{told}");
}

#[test]
fn a_large_file_takes_time_in_proportion() {
    let game = Record::new(random_game(5, 80)).to_string();
    let text = game.repeat((8 << 20) / game.len());
    let begun = std::time::Instant::now();
    let games = Records::all(text.as_bytes()).unwrap();
    assert_eq!(games.len(), text.len() / game.len());
    for hostile in [
        "(".repeat(4 << 20),
        "{".repeat(4 << 20),
        "[A \"".repeat(1 << 20),
        "A a ".repeat(1 << 20),
        "\r\n".repeat(2 << 20),
    ] {
        assert!(Records::all(hostile.as_bytes()).is_err());
    }
    let wide = format!("1. A {} *", "(b) ".repeat(1 << 20));
    assert_eq!(Record::read(&wide).unwrap().playing().made().len(), 1);
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

#[test]
fn what_is_not_said_is_as_usual_and_what_is_skipped_changes_nothing() {
    let plain = Record::read("A a B b").unwrap();
    assert_eq!(plain.playing().start(), &Position::start(Game::named("kpe").unwrap()));
    assert_eq!((plain.result(), plain.termination(), plain.is_over()), (GameResult::Open, "unfinished", false));
    let full = "% kept for others\n1.A!? $14 (1. B {a ) in it} b (1... c)) 1... A ; the other case\n2. B! b *";
    let record = Record::read(full).unwrap();
    assert_eq!(record.playing(), plain.playing());
    assert_eq!((&record.note(1).marks[..], &record.note(3).marks[..]), (&[5, 14][..], &[1][..]));
    assert_eq!(record.note(2).comments, ["the other case"]);
    assert_eq!(Record::read(&record.to_string()), Ok(record));
}

#[test]
fn results_come_from_the_rules_or_from_an_award() {
    let mut record = Record::read("[North \"Koffi\"]\n1. A a").unwrap();
    record.resign(Side::South);
    assert_eq!((record.result(), record.termination()), (GameResult::North, "resignation"));
    let text = record.to_string();
    assert!(text.ends_with("\n1. A a 0-1\n") && text.contains("[Termination \"resignation\"]"), "{text}");
    assert_eq!(Record::read(&text), Ok(record.clone()));
    // Playing on takes the award back.
    let action = record.playing().moves()[0];
    record.play(action).unwrap();
    assert_eq!(record.result(), GameResult::Open);
    assert_eq!(Record::read("1. A a 1/2-1/2").unwrap().termination(), "unknown");
    // A game that the rules ended keeps its result.
    let mut over = Record::read("[Start \"0-0-0-1-1-0-0-0-23-23-S\"] D").unwrap();
    over.resign(Side::South);
    assert_eq!((over.result(), over.awarded()), (GameResult::South, None));
    let glory = "[Game \"gore\"][Start \"3-3-3-3-3-3-3-3-18-6-S@ABCD\"] offer:A decline offer:a decline";
    let tags =
        Record::read(glory).unwrap().tags().iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
    assert_eq!(tags[4..], ["Result=1-0", "Termination=repetition", "Score=30-18", "Label=victory without glory"]);
}

#[test]
fn tags_that_follow_from_the_game_cannot_be_set() {
    let mut record =
        Record::new(Playing::new(Position::start(Game::named("kpe").unwrap()), Loops::parse("own").unwrap()));
    for name in ["Game", "Result", "", "two words", "é", "a\"]"] {
        record.set_tag(name, "x");
    }
    record.set_tag("Site", "a\nb");
    record.set_tag("Site", "c\u{1b}d");
    assert_eq!(record.tags().len(), 7);
    assert_eq!(record.tag("Site"), Some("c d"));
}

/// What RECORDS.md shows is what the program reads and writes.
#[test]
fn the_examples_of_the_description_hold() {
    let text = include_str!("../RECORDS.md");
    let blocks = |kind: &str| -> Vec<String> {
        text.split("```")
            .skip(1)
            .step_by(2)
            .filter_map(|block| Some(block.strip_prefix(&format!("{kind}\n"))?.to_owned()))
            .collect()
    };
    let written = blocks("record");
    for example in &written {
        let games = Records::all(example.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{}", error.caret()));
        assert_eq!(games.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"), *example);
    }
    let read = blocks("record,read");
    for pair in read.chunks(2) {
        assert_eq!(Record::read(&pair[0]).map(|record| record.to_string()), Ok(pair[1].clone()));
    }
    let mut errors = 0;
    for row in text.lines().filter(|line| line.starts_with("| `") && line.contains("| line ")) {
        let mut cells = row.trim_matches(['|', ' ']).split(" | ");
        let (example, told) = (cells.next().unwrap().trim_matches('`'), cells.next().unwrap());
        assert_eq!(refused(example.as_bytes()).0, told.replace('`', ""));
        errors += 1;
    }
    assert!(written.len() >= 3 && read.len() == 2 && errors >= 4);
}

#[test]
fn more_tags_than_anybody_needs_are_refused_at_once() {
    let tags: String = (0..100_000).map(|number| format!("[T{number} \"x\"]\n")).collect();
    let error = kpe::record::Records::all(format!("{tags}\n1. A a *\n").as_bytes()).unwrap_err();
    assert!(error.to_string().contains("at most 256 tags"), "{error}");
}

/// Other programs say with `FEN` and `SetUp` where a game began.
#[test]
fn a_position_of_another_program_is_where_the_game_begins() {
    let position = "0-0-0-1-1-0-0-0-23-23-S";
    for tags in [
        format!("[FEN \"{position}\"][SetUp \"1\"]"),
        format!("[SetUp \"1\"][Start \"{position}\"]"),
        format!("[FEN \"{position}\"][Start \"{position}\"]"),
        format!("[FEN \"{position}\"]"),
    ] {
        let record = Record::read(&format!("{tags}\n1. Dx2 1-0")).unwrap_or_else(|error| panic!("{tags}: {error}"));
        assert_eq!((record.playing().start().to_string().as_str(), record.warnings().len()), (position, 0), "{tags}");
        let written = record.to_string();
        assert!(written.contains(&format!("[Start \"{position}\"]")), "{written}");
        assert!(!written.contains("FEN") && !written.contains("SetUp"), "{written}");
        assert_eq!(Record::read(&written), Ok(record));
    }
    let gore = "[FEN \"4-3-3-2-3-3-3-1-13-13-N@BCDa\"][SetUp \"1\"][Game \"gore\"] 1... b *";
    assert_eq!(Record::read(gore).unwrap().playing().made().len(), 1);
    let usual = Record::read("[SetUp \"0\"][Start \"startpos\"] A *").unwrap();
    assert_eq!(usual.playing().start(), &Position::start(Game::named("kpe").unwrap()));
}

#[test]
fn tags_that_would_change_the_game_are_told() {
    for (tag, told) in [
        ("[Variant \"oware\"]", "The tag Variant says \"oware\", which is not understood"),
        ("[Rules \"grand slam\"]", "The tag Rules says"),
        ("[start \"0-0-0-1-1-0-0-0-23-23-S\"]", "The tag start is not read: its name is written Start."),
        ("[Setup \"1\"]", "The tag Setup is not read: its name is written SetUp."),
        ("[Fen \"0-0-0-1-1-0-0-0-23-23-S\"]", "The tag Fen is not read: its name is written FEN."),
    ] {
        let record = Record::read(&format!("{tag} A *")).unwrap();
        assert!(matches!(&record.warnings()[..], [warning] if warning.starts_with(told)), "{:?}", record.warnings());
        let again = Record::read(&record.to_string()).unwrap();
        assert_eq!((&again, again.warnings()), (&record, record.warnings()));
    }
    assert_eq!(Record::read("[Variant \"Kpe\"][Event \"x\"] A *").unwrap().warnings(), Vec::<String>::new());
}

#[test]
fn a_comment_with_a_brace_is_kept() {
    let text = "; before {all} of it\n1. A {one} ; a } in it\n1... a ; x}\n; y}\n{z} *";
    let record = Record::read(text).unwrap();
    let comments = |number: usize| record.note(number).comments.join("|");
    assert_eq!([0, 1, 2].map(comments), ["before {all} of it", "one|a } in it", "x}|y}|z"]);
    let written = record.to_string();
    assert!(written.contains("; before {all} of it\n1. A {one} ; a } in it\n1... a"), "{written}");
    assert_eq!(Record::read(&written), Ok(record));
    let long = format!("A ; {}}}\n *", "long ".repeat(40));
    let record = Record::read(&long).unwrap();
    assert_eq!(Record::read(&record.to_string()), Ok(record));
}

/// What a file says of the end is never lost, and what contradicts the moves is told.
#[test]
fn what_the_tags_say_of_the_end_is_kept() {
    let over = "[Start \"0-0-0-1-1-0-0-0-23-23-S\"]";
    let glory = "[Game \"gore\"][Start \"3-3-3-3-3-3-3-3-18-6-S@ABCD\"]";
    let declined = "offer:A decline offer:a decline";
    for (text, kept, warned) in [
        ("[Termination \"abandoned\"][Score \"0-0\"] A *".to_owned(), vec!["Termination abandoned", "Score 0-0"], 1),
        ("[Label \"third round\"] A 1-0".to_owned(), vec!["Label third round", "Termination unknown"], 0),
        ("[Termination \"unfinished\"] A 1-0".to_owned(), vec!["Termination unfinished", "Result 1-0"], 1),
        ("[Termination \"\"] A 1-0".to_owned(), vec!["Termination unknown"], 0),
        ("[Termination \"ran  out\"] A 1-0".to_owned(), vec!["Termination ran out"], 0),
        ("[Score \"30-18\"][Termination \"time\"] A 1-0".to_owned(), vec!["Termination time", "Score 30-18"], 1),
        (format!("{over}[Termination \"time\"][Label \"final\"] D"), vec!["Termination time", "Label final"], 1),
        (format!("{over}[Label \"victory without glory\"] D"), vec!["Label victory without glory"], 1),
        (format!("{glory}[Label \"final\"] {declined}"), vec!["Label final"], 1),
        (format!("{glory} {declined}"), vec!["Label victory without glory"], 0),
        (format!("{over}[Score \"25-23\"][Termination \"rules\"] D"), vec!["Score 25-23", "Termination rules"], 0),
    ] {
        let record = Record::read(&text).unwrap();
        let tags: Vec<String> = record.tags().iter().map(|(name, value)| format!("{name} {value}")).collect();
        for tag in kept {
            assert!(tags.iter().any(|found| found == tag), "{text}: {tag} in {tags:?}");
        }
        assert_eq!(record.warnings().len(), warned, "{text}: {:?}", record.warnings());
        let written = record.to_string();
        let again = Record::read(&written).unwrap();
        assert_eq!((again.to_string(), again.warnings()), (written, record.warnings()), "{text}");
        assert_eq!(again, record, "{text}");
    }
    // It is of the end there was: a game that goes on has another.
    let mut record = Record::read("[Termination \"abandoned\"][Score \"1-1\"][Label \"final\"] A *").unwrap();
    let told = "The tag Score says \"1-1\", but the moves do not end the game.";
    assert_eq!((record.termination(), record.warnings().as_slice()), ("abandoned", &[told.to_owned()][..]));
    record.play(record.playing().moves()[0]).unwrap();
    assert_eq!((record.termination(), record.warnings().len()), ("unfinished", 0));
    assert!(record.to_string().contains("[Label \"final\"]") && !record.to_string().contains("Score"));
    assert_eq!(Record::read("A 0-1").unwrap().outcome(), "0-1, no reason given");
    record.resign(kpe::notation::Side::South);
    assert_eq!(record.outcome(), "0-1 (resignation)");
}
