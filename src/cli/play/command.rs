//! What a player can type.

use kpe::echo::quoted;

/// A line of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// Nothing.
    Empty,
    /// A move, or something that is no command.
    Move(String),
    Undo,
    Hint,
    Values,
    Board,
    Moves,
    Record,
    Rules,
    New,
    Save(Option<String>),
    Load(String),
    Resign,
    Help,
    Quit,
}

/// What `help` says.
pub(super) const HELP: [&str; 17] = [
    "A, b       sow from a pit, by its letter",
    "offer CD   Goré: offer pits for six stones each; also offer:CD",
    "accept     Goré: buy the pits on offer",
    "decline    Goré: refuse them",
    "pass       Goré: when no pit of yours has stones",
    "moves      the legal moves",
    "board      the board",
    "hint       the best move",
    "values     what every move is worth",
    "rules      the rules of this game in short",
    "undo       take your last move back",
    "new        another game like this one; an unfinished one is kept",
    "save FILE  write the game to a file; without a name to the one before",
    "load FILE  go on with the game of a file",
    "record     the game so far as text",
    "resign     give the game up",
    "quit       leave; an unfinished game is kept for kpe play --resume",
];

impl Command {
    /// What a line means.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let alone = |command| if rest.is_empty() { Ok(command) } else { Err(format!("{word} takes nothing after it")) };
        // One letter is a pit, in either case; q is none.
        match word.to_ascii_lowercase().as_str() {
            "" => Ok(Self::Empty),
            "undo" => alone(Self::Undo),
            "hint" => alone(Self::Hint),
            "values" => alone(Self::Values),
            "board" => alone(Self::Board),
            "moves" => alone(Self::Moves),
            "record" => alone(Self::Record),
            "rules" => alone(Self::Rules),
            "new" => alone(Self::New),
            "resign" => alone(Self::Resign),
            "help" | "?" => alone(Self::Help),
            "quit" | "exit" | "q" => alone(Self::Quit),
            "save" => Ok(Self::Save((!rest.is_empty()).then(|| rest.to_owned()))),
            "load" if rest.is_empty() => Err("load needs the name of a file".to_owned()),
            "load" => Ok(Self::Load(rest.to_owned())),
            "offer" => offer(rest),
            // The letters are not to be made small.
            lower if lower.starts_with("offer:") => offer(&line["offer:".len()..]),
            word @ ("accept" | "decline" | "pass") => alone(Self::Move(word.to_owned())),
            _ if rest.is_empty() => Ok(Self::Move(word.to_owned())),
            _ => Err(format!("Not played: found {}, expected one move or command; help lists them.", quoted(line))),
        }
    }
}

/// An offer of these pits, in any order, with blanks and commas between them or not.
fn offer(letters: &str) -> Result<Command, String> {
    const ORDER: &str = "ABCDabcd";
    let parts = letters.split(|c: char| c.is_whitespace() || c == ',').filter(|part| *part != "and");
    let mut letters: Vec<char> = parts.flat_map(str::chars).collect();
    if let Some(&wrong) = letters.iter().find(|&&letter| !ORDER.contains(letter)) {
        return Err(format!("Not offered: found {wrong:?}, expected the letters of pits, such as offer CD."));
    }
    letters.sort_unstable();
    match letters.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("Not offered: {} is named twice, expected each pit once.", pair[0])),
        None if letters.is_empty() => {
            Err("Not offered: found no pit, expected the letters of one to three pits, such as offer CD.".to_owned())
        }
        None => Ok(Command::Move(format!("offer:{}", letters.iter().collect::<String>()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood_or_refused() {
        for (line, command) in [
            ("  ", Command::Empty),
            ("a", Command::Move("a".into())),
            ("offer CD", Command::Move("offer:CD".into())),
            ("offer:CD", Command::Move("offer:CD".into())),
            ("offer D, C", Command::Move("offer:CD".into())),
            ("offer:A B", Command::Move("offer:AB".into())),
            ("Offer A and b", Command::Move("offer:Ab".into())),
            ("new", Command::New),
            ("rules", Command::Rules),
            ("Accept", Command::Move("accept".into())),
            ("UNDO", Command::Undo),
            ("save", Command::Save(None)),
            ("save my game.kpg ", Command::Save(Some("my game.kpg".into()))),
            ("load x", Command::Load("x".into())),
            ("?", Command::Help),
            ("q", Command::Quit),
            ("nonsense", Command::Move("nonsense".into())),
        ] {
            assert_eq!(Command::parse(line), Ok(command), "{line:?}");
        }
        for (line, told) in [
            ("offer AA", "A is named twice"),
            ("offer A, B, A", "A is named twice"),
            ("offer", "found no pit"),
            ("offer:", "found no pit"),
            ("offer AX", "found 'X', expected the letters of pits"),
        ] {
            assert!(Command::parse(line).unwrap_err().contains(told), "{line:?}");
        }
        let told = "Not played: found \"foo bar\", expected one move or command; help lists them.";
        assert_eq!(Command::parse(" foo bar "), Err(told.to_owned()));
        for wrong in ["undo 3", "new game", "rules of kpe", "load", "A b", "quit now", "pass on"] {
            assert!(Command::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
