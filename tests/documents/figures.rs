//! Figures of the documents that are facts, against the data; and that every measured one has its place in `scripts/figures`.

use std::fmt::Write as _;

use crate::read;

/// The sum of a column of a page of digests, and how many rows it has.
fn total(page: &str, column: usize) -> (u64, usize) {
    let rows = page.lines().filter(|line| line.starts_with("| `n"));
    let cells = rows.map(|row| row.split('|').nth(column).unwrap().trim().parse::<u64>().unwrap());
    let cells: Vec<u64> = cells.collect();
    (cells.iter().sum(), cells.len())
}

/// With commas between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        let _ = write!(text, "{digit}");
    }
    text
}

/// The counts of README.md's table of rules are the sums of the digests.
#[test]
fn counts_are_those_of_the_digests() {
    let readme = read("README.md");
    for (page, row) in
        [("tables/DIGESTS.md", "| standard: "), ("tables/DIGESTS-gore.md", "| `--game gore --trade off` ")]
    {
        let text = read(page);
        let row = readme.lines().find(|line| line.starts_with(row)).unwrap();
        let [bytes, wins, draws, losses] = [2, 3, 4, 5].map(|column| total(&text, column).0);
        assert!(row.contains(&format!("| {} · {} · {} |", grouped(wins), grouped(draws), grouped(losses))), "{row}");
        assert!(row.contains(&format!("| {} |", grouped(bytes))), "{row}");
        let files = total(&text, 2).1;
        let format = read("tables/README.md");
        assert!([" files of Kpé", " of Goré"].iter().any(|of| format.contains(&format!(" {files}{of}"))), "{files}");
        let head = format!("{files} files, {} bytes", grouped(bytes));
        assert!(
            text.contains(&head) && text.contains(&format!("{} positions.", grouped(wins + draws + losses))),
            "{page}"
        );
    }
    let text = read("tables/DIGESTS.md");
    let positions = grouped([3, 4, 5].map(|column| total(&text, column).0).iter().sum());
    assert!(readme.contains(&format!("{positions} positions")) && read("RULES.md").contains(&positions), "{positions}");
}

/// The counts of paths in RULES.md are those of the independent implementation.
#[test]
fn perft_is_that_of_the_golden_data() {
    let (rules, golden) = (read("RULES.md"), read("tests/golden/perft.txt"));
    for (row, game) in [
        ("| Kpé | 4 |", "kpe default "),
        ("| Goré, `trade=off` |", "gore trade=off "),
        ("| Goré | 4 |", "gore trade=on "),
    ] {
        let row = rules.lines().find(|line| line.starts_with(row)).unwrap();
        let mut cells = row.split('|').skip(2).map(|cell| cell.trim().replace(',', ""));
        let counts = golden.lines().filter_map(|line| line.strip_prefix(game)?.split_whitespace().nth(1));
        assert!(counts.clone().count() >= 7);
        assert!(counts.zip(&mut cells).all(|(count, cell)| count == cell), "{row}");
        assert!(cells.all(|cell| cell.is_empty()), "{row}");
    }
}

/// What README.md says of the opening stands in the report that the complete tables made.
#[test]
fn findings_are_those_of_the_report() {
    let report: String =
        read("tables/opening-report.html").split('<').map(|part| part.split('>').nth(1).unwrap_or(part)).collect();
    let readme = read("README.md").split_whitespace().collect::<Vec<_>>().join(" ");
    for (said, reported) in [
        (
            "Not unlocking before the seventh turn costs nobody anything; not before the eighth or ninth costs 2 stones",
            "not before it: 0 at 5, 0 at 6, 0 at 7, -2 at 8, -2 at 9",
        ),
        (
            "in 17 of 24 ways without loss; the worst, `CBAD`, costs 6",
            "7 of 24 cost South something (worst CBAD, by 6)",
        ),
        (
            "North may in none: the best four orders cost 2, the worst two (`ABCD`, `ACDB`) 30",
            "24 of 24 cost North something (worst ABCD, by 30)",
        ),
        ("chooses the order as he goes loses nothing", "Choosing as he goes, South gets 0 and North 0"),
        (
            "South wins 17.9 % with the lock, draws 79.6 % and loses 2.6 %",
            "of all lines of 8 plies South wins 17.9 %, draws 79.6 %, loses 2.6 %; first capture of best play: ply 7.",
        ),
        (
            "without it 41.2, 32.4 and 26.3 %",
            "South wins 41.2 %, draws 32.4 %, loses 26.3 %; first capture of best play: ply 3.",
        ),
        (
            "it is 14.5, 84.0 and 1.6 %",
            "South wins 14.5 %, draws 84.0 %, loses 1.6 %; first capture of best play: ply 9.",
        ),
        ("on the seventh move at the earliest with the lock (the ninth with the slower one), on the third without", ""),
    ] {
        assert!(readme.contains(said), "README.md no longer says {said:?}");
        assert!(report.contains(reported), "the report does not say {reported:?}");
    }
}

#[test]
fn the_book_and_the_format_are_what_the_documents_say() {
    let book = kpe::opening::book::Book::embedded().unwrap();
    let text = read("tables/README.md");
    assert!(text.contains(&format!("{}\ndifferent positions", grouped(book.len() as u64))), "{}", book.len());
    assert!(text.contains(&format!("| 8 | 4 | format version, {} |", kpe::table::FORMAT_VERSION)));
    assert!(text.contains(&format!("in files of this program {}", grouped(kpe::table::BLOCK_POSITIONS.into()))));
    let readme = read("README.md");
    assert!(readme.contains(&format!("One block of {} positions", grouped(kpe::table::BLOCK_POSITIONS.into()))));
    // "1.6 bits a position": the bytes of the complete set.
    let page = read("tables/DIGESTS.md");
    let positions: u64 = [3, 4, 5].map(|column| total(&page, column).0).iter().sum();
    assert_eq!((total(&page, 2).0 * 80).div_ceil(positions), 17, "between 1.6 and 1.7 bits");
    assert!(readme.contains("1.6\n  bits a position"));
}

/// Rows of a table of README.md whose head begins so.
fn rows(text: &str, head: &str) -> Vec<String> {
    let (_, table) = text.split_once(head).unwrap_or_else(|| panic!("no table begins with {head:?}"));
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(str::to_owned).collect()
}

#[test]
fn every_measured_row_is_measured_by_the_script() {
    let (readme, script) = (read("README.md"), read("scripts/figures"));
    let mut measured = 0;
    for row in rows(&readme, "| what | command | figure |") {
        let what = row.split('|').nth(1).unwrap().trim().to_owned();
        assert!(script.contains(&format!("\"{what}\"")), "scripts/figures does not measure {what:?}");
        measured += 1;
    }
    for row in rows(&readme, "| rules | value of the start ") {
        let options = row.split('`').nth(1).unwrap().to_owned();
        assert!(row.starts_with("| standard: ") || script.contains(&format!("\"{options}\"")), "{row}");
        measured += 1;
    }
    assert!(measured >= 15, "{measured}");
}

/// The strengths of the levels stand in README.md and where a level is defined; the version of Rust in README.md and the manifest.
#[test]
fn what_stands_twice_is_the_same() {
    let code = read("crates/core/src/level.rs");
    let levels = code.lines().filter(|line| line.starts_with("//! | ") && line.matches('|').count() == 7);
    let last = levels.filter_map(|line| line.rsplit('|').nth(1)).map(str::trim);
    let elo: Vec<&str> = last.filter(|cell| cell.parse::<u32>().is_ok()).collect();
    assert_eq!(elo.len(), 8);
    let readme = read("README.md");
    assert!(readme.contains(&format!("| Elo above the level below | {} |", elo.join(" | "))), "{elo:?}");
    let manifest = read("Cargo.toml");
    let rust = manifest.split("rust-version = \"").nth(1).unwrap().split('"').next().unwrap();
    assert!(readme.contains(&format!("Rust {rust} or later")), "{rust}");
    let version = manifest.split("\nversion = \"").nth(1).unwrap().split('"').next().unwrap();
    assert!(read("CHANGELOG.md").contains(&format!("\n## {version}")), "{version}");
}

/// The positions that RULES.md shows are positions.
#[test]
fn positions_of_the_rules_are_read() {
    use kpe::notation::Position;
    use kpe::rules::Game;
    let text = read("RULES.md");
    let words = text.lines().filter_map(|line| line.split(' ').next()).filter(|word| word.starts_with("6-6-"));
    let words: Vec<&str> = words.collect();
    assert!(words.len() >= 3);
    for word in words {
        let game = if word.contains('@') { "gore" } else { "kpe" };
        let position = Position::parse(word, Game::named(game).unwrap());
        assert_eq!(position.unwrap().to_string(), word);
    }
}
