//! A reader in another language, written from `tables/README.md` alone, finds in the files what the program finds.

use std::path::Path;
use std::process::Command;

/// The layers of the sets built here, small enough to be read in Python in a second or two.
const STONES: &str = "10";

fn output(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// Positions of the set's layers: unlocked, and with a pit unsown.
fn positions() -> Vec<String> {
    let mut seed = 7u32;
    let mut random = move |limit: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % limit
    };
    let mut positions = Vec::new();
    for number in 0..120 {
        let mut pits = [0u32; 8];
        let unsown = (number % 3 == 0).then(|| random(4) as usize);
        let stones = 2 * (1 + random(5));
        let loose = if let Some(pit) = unsown {
            pits[pit] = 6;
            2 * random(3)
        } else {
            stones
        };
        (0..loose).for_each(|_| pits[random(8) as usize] += 1);
        let text: Vec<String> = pits.iter().map(ToString::to_string).collect();
        let suffix = unsown.map_or(String::new(), |pit| format!(":{}", ["A", "B", "C", "D"][pit]));
        positions.push(format!("{}-0-0-S{suffix}", text.join("-")));
    }
    positions
}

#[test]
fn a_reader_of_a_hundred_lines_agrees() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/probe.py");
    assert!(std::fs::read_to_string(&script).unwrap().lines().count() <= 100);
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    for (flags, set) in [
        (&[][..], "kpe-skip-same-remains"),
        (&["--unlock", "next", "--origin", "sow"], "kpe-sow-next-remains"),
        (&["--game", "gore", "--trade", "off"], "gore-skip-off"),
    ] {
        let kpe = |args: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_kpe"));
            command.args(args).args(flags).arg("--tables").arg(&root);
            command
        };
        output(&mut kpe(&["tables", "build", "--stones", STONES]));
        let positions: Vec<String> =
            positions().into_iter().filter(|text| !set.starts_with("gore") || !text.contains(':')).collect();
        let found = output(Command::new("python3").arg(&script).arg(root.join(set)).args(&positions));
        assert_eq!(found.lines().count(), positions.len());
        for (position, found) in positions.iter().zip(found.lines()) {
            let answer = output(&mut kpe(&["tables", "probe", "--json", position]));
            let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
            let expected = format!("{position} {} {}", answer["value"], answer["distance"].as_u64().unwrap_or(0));
            assert_eq!(found, expected, "{set}");
        }
    }
}
