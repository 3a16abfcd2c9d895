//! The short programs of `examples/` run and say what is so.

use std::process::Command;

/// What an example prints.
fn output(name: &str) -> String {
    let mut command = Command::new(env!("CARGO"));
    let output =
        command.args(["run", "--quiet", "--example", name]).output().expect("cargo is there: it runs the test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn they_run() {
    assert_eq!(output("probe"), "North to move: value +4, distance 1 plies\n");
    assert!(output("search").starts_with("best move "));
    let solved = output("own_rules");
    assert_eq!(solved.lines().count(), 9, "{solved}");
    assert!(solved.contains(" 2 stones: 36 positions"), "{solved}");
}
