//! Colour and weight, only where somebody sees them.

use std::io::IsTerminal;

/// All that decoration is made of.
pub(super) const CODES: [&str; 3] = ["\x1b[0m", "\x1b[1m", "\x1b[2m"];

/// Whether text is decorated.
#[derive(Clone, Copy)]
pub(super) struct Style {
    on: bool,
}

impl Style {
    /// Decoration for standard output: on a terminal that can show it and unless `NO_COLOR` is set.
    pub(super) fn of_output() -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        Self { on: std::io::stdout().is_terminal() && !dumb && !set("NO_COLOR") }
    }

    /// Whether there is any decoration.
    pub(super) const fn is_on(self) -> bool {
        self.on
    }

    /// No decoration.
    #[cfg(test)]
    pub(super) const PLAIN: Self = Self { on: false };

    pub(super) fn bold(self, text: &str) -> String {
        self.wrap(CODES[1], text)
    }

    pub(super) fn dim(self, text: &str) -> String {
        self.wrap(CODES[2], text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.on { format!("{code}{text}{}", CODES[0]) } else { text.to_owned() }
    }
}
