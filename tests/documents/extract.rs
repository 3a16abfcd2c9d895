//! Commands and links as they stand in a document.

/// A command and, if it is shown, what it prints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shown {
    pub(crate) command: String,
    pub(crate) output: Option<String>,
}

/// What a command of a document begins with.
const PROGRAMS: [&str; 11] = [
    "kpe ",
    "cargo ",
    "scripts/",
    ".ci/",
    "printf ",
    "sha256sum ",
    "parallel ",
    "sbatch ",
    "python3 ",
    "INSTA_UPDATE=",
    "KPE_TABLES=",
];

/// The commands of a document in their order: in fenced blocks of `sh` and `text`, in blocks set in by four blanks, and
/// between backquotes.
pub(crate) fn commands(text: &str) -> Vec<Shown> {
    let mut found = Vec::new();
    for (at, part) in text.split("```").enumerate() {
        let block = part.split_once('\n');
        match (at % 2, block) {
            (0, _) => found.extend(prose(part)),
            (_, Some(("sh", block))) => found.extend(script(block)),
            (_, Some(("text", block))) => found.extend(session(block)),
            _ => {}
        }
    }
    found
}

/// The lines of a script, without comments; a line that ends in `\` goes on in the next.
fn script(block: &str) -> Vec<Shown> {
    let joined = block.replace("\\\n", " ");
    let lines = joined.lines().map(|line| line.split(" # ").next().unwrap_or_default());
    lines.filter(|line| is_command(line.trim())).map(|line| shown(line, None)).collect()
}

/// `$ command` and, up to the end of the block, what it prints.
fn session(block: &str) -> Vec<Shown> {
    let Some((command, output)) = block.strip_prefix("$ ").and_then(|rest| rest.split_once('\n')) else {
        return Vec::new();
    };
    vec![shown(command, Some(output.to_owned()))]
}

/// Commands between backquotes, and lines set in by four blanks.
fn prose(text: &str) -> Vec<Shown> {
    let mut found = Vec::new();
    let (set_in, flat): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("    "));
    let flat = flat.join("\n");
    let quoted = flat.split('`').skip(1).step_by(2);
    found.extend(quoted.filter(|words| is_command(words)).map(|words| shown(words, None)));
    found.extend(script(&set_in.join("\n")));
    found
}

fn is_command(words: &str) -> bool {
    PROGRAMS.iter().any(|program| words.starts_with(program)) && words != "scripts/"
}

fn shown(words: &str, output: Option<String>) -> Shown {
    Shown { command: words.split_whitespace().collect::<Vec<_>>().join(" "), output }
}

/// Where the links of a document lead: `[words](target)`, without those to other sites.
pub(crate) fn links(text: &str) -> Vec<String> {
    let targets = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned()));
    targets.filter(|target| !target.contains("://")).collect()
}

/// Words between backquotes that look like a file of this repository: with a directory, or in capitals.
pub(crate) fn files(text: &str) -> Vec<String> {
    const PLACES: [&str; 9] =
        ["src/", "crates/", "tests/", "tables/", "scripts/", "examples/", "benches/", ".ci/", "README.md"];
    let plain: String = text.split("```").step_by(2).collect();
    let quoted =
        plain.split('`').skip(1).step_by(2).map(|words| words.split(' ').next().unwrap_or_default().to_owned());
    quoted.filter(|word| PLACES.iter().any(|place| word.starts_with(place)) && !word.contains(['*', '…'])).collect()
}
