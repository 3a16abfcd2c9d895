//! Text from outside as messages show it: never more than a line of it, and nothing in it that a terminal obeys.
//!
//! Whoever prints what came from arguments, files, programs or sockets does it through here.

use std::borrow::Cow;
use std::fmt;

/// The most characters of a foreign text that a message shows.
pub const LONGEST: usize = 80;

/// The text in quotes, with escapes, and if it is long its beginning and its length: `"6-6-6-…" (1048576 bytes)`.
#[must_use]
pub const fn quoted(text: &str) -> Quoted<'_> {
    Quoted(text)
}

/// A text to be shown in quotes; see [`quoted`].
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, rest) = cut(self.0);
        // The quotation that Rust gives escapes all that `is_obeyed` names, and more.
        let quotation = format!("{start:?}");
        match rest {
            0 => f.write_str(&quotation),
            _ => write!(f, "{}…\" ({} bytes)", &quotation[..quotation.len() - 1], self.0.len()),
        }
    }
}

/// The text with escapes for what a terminal would obey, whole and without quotes; ends of lines are escaped too.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    escaped(text, is_obeyed)
}

/// [`plain`] for a text of several lines, whose ends and tabs stay.
#[must_use]
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| !matches!(c, '\n' | '\t') && is_obeyed(c))
}

/// [`plain`], and if the text is long its beginning and its length: `666… (1048576 bytes)`.
#[must_use]
pub fn short(text: &str) -> Cow<'_, str> {
    match cut(text) {
        (_, 0) => plain(text),
        (start, _) => format!("{}… ({} bytes)", plain(start), text.len()).into(),
    }
}

/// Whether a terminal or a text editor takes the character for a command: controls, ends of lines, what turns the direction of
/// writing, and signs that cannot be seen and stand for none. Joiners and marks that letters need are not among them.
#[must_use]
pub fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// The beginning of a text that is shown, and how many bytes are left.
fn cut(text: &str) -> (&str, usize) {
    let end = text.char_indices().nth(LONGEST).map_or(text.len(), |(end, _)| end);
    (&text[..end], text.len() - end)
}

fn escaped(text: &str, escapes: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&escapes) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if escapes(c) { shown.extend(c.escape_debug()) } else { shown.push(c) }
    }
    shown.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OBEYED: &str = "\u{1b}[31m\u{7}\u{9b}\u{202e}\u{2028}\u{2029}\u{2066}\u{feff}\u{e0041}\r\n";

    #[test]
    fn what_a_terminal_obeys_is_escaped() {
        for shown in [quoted(OBEYED).to_string(), plain(OBEYED).into(), short(OBEYED).into(), lines(OBEYED).into()] {
            assert!(!shown.trim_end_matches('\n').contains(is_obeyed), "{shown:?}");
        }
        assert_eq!(lines("a\nb\r\n"), "a\nb\\r\n");
        assert_eq!(plain("a\nb\u{1b}"), "a\\nb\\u{1b}");
        // Letters of all scripts, with their marks and joiners, are none of it.
        for name in ["Ama", "e\u{301}", "ক্ষ্\u{200d}য", "ਪੰਜਾਬੀ", "👩\u{200d}🌾"] {
            assert!(matches!(plain(name), Cow::Borrowed(_)), "{name}");
        }
    }

    #[test]
    fn a_long_text_is_cut_and_measured() {
        let long = "é".repeat(LONGEST + 1);
        assert_eq!(quoted(&long).to_string(), format!("\"{}…\" (162 bytes)", "é".repeat(LONGEST)));
        assert_eq!(short(&long), format!("{}… (162 bytes)", "é".repeat(LONGEST)));
        let whole = "é".repeat(LONGEST);
        assert_eq!((quoted(&whole).to_string(), short(&whole).into_owned()), (format!("\"{whole}\""), whole));
        assert_eq!((quoted("").to_string(), short("")), ("\"\"".to_owned(), "".into()));
    }
}
