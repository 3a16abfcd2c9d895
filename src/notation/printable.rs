//! Texts from elsewhere as a terminal can show them.

/// A text from elsewhere as a terminal can show it: what would move the cursor, turn the line round or be seen by nobody is
/// written as `\u{202e}`. All letters, and what joins or marks them, stay as they are.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for sign in text.chars() {
        if is_unprintable(sign) { shown.extend(sign.escape_unicode()) } else { shown.push(sign) }
    }
    shown
}

/// Control characters, ends of lines and paragraphs, and the format characters of Unicode but those that join letters.
pub(crate) fn is_unprintable(sign: char) -> bool {
    sign.is_control()
        || matches!(
            sign,
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

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn only_what_no_terminal_should_see_is_escaped() {
        for (text, shown) in [
            ("Kpé, e\u{301} \"x\\y\" नमस्\u{200d}ते 😀", None),
            ("a\u{202e}b", Some("a\\u{202e}b")),
            ("\u{1b}[31m\u{7}", Some("\\u{1b}[31m\\u{7}")),
            ("\u{2028}\u{200f}\u{feff}\u{9b}", Some("\\u{2028}\\u{200f}\\u{feff}\\u{9b}")),
        ] {
            assert_eq!(printable(text), shown.unwrap_or(text));
        }
    }
}
