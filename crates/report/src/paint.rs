//! Colours outside of quoted source, and text made safe for a terminal.
//!
//! Guarantees: with colours off no escape sequence is written; what the analysed program or its source contains
//! never reaches the terminal as a control character. Meaning is never carried by colour alone.

/// Writes ANSI colours, or nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    on: bool,
}

/// What a piece of text is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Role {
    /// The unsafe verdict.
    Error,
    /// A warning, the unknown verdict.
    Warning,
    /// The safe verdict.
    Good,
    /// Headings.
    Heading,
}

impl Paint {
    pub(crate) fn new(on: bool) -> Self {
        Paint { on }
    }

    /// `text` in the colour of `role`.
    pub(crate) fn apply(self, role: Role, text: &str) -> String {
        if !self.on || text.is_empty() {
            return text.to_owned();
        }
        let code = match role {
            Role::Error => "1;31",
            Role::Warning => "1;33",
            Role::Good => "1;32",
            Role::Heading => "1",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

/// `text` with control characters written as escapes; tabs become four spaces.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// At most `max` characters of `text`; what is cut off is marked.
pub(crate) fn shortened(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}... ({} characters)", &text[..end], text.chars().count()),
    }
}

/// Bytes as a C string literal.
pub(crate) fn c_string(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for &b in bytes {
        match b {
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'\r' => out.push_str("\\r"),
            0 => out.push_str("\\0"),
            b'"' | b'\\' => out.extend(['\\', char::from(b)]),
            b' '..=b'~' => out.push(char::from(b)),
            b => out.push_str(&format!("\\x{b:02x}")),
        }
    }
    out.push('"');
    out
}

/// `3 bugs`, `1 bug`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_of_the_program_do_not_reach_the_terminal() {
        assert_eq!(printable("a\x1b[31m\tb\r\n\u{9b}"), "a\\x1b[31m    b\\r\\n\\x9b");
    }

    #[test]
    fn bytes_read_like_a_string_literal() {
        assert_eq!(c_string(b"-f\n\"\\\0\xff"), r#""-f\n\"\\\0\xff""#);
    }

    #[test]
    fn nothing_is_coloured_unless_asked() {
        assert_eq!(Paint::new(false).apply(Role::Error, "x"), "x");
        assert_eq!(Paint::new(true).apply(Role::Error, "x"), "\x1b[1;31mx\x1b[0m");
        assert_eq!(Paint::new(true).apply(Role::Error, ""), "");
    }

    #[test]
    fn shortening_counts_characters_and_says_so() {
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("äöüx", 3), "äöü... (4 characters)");
    }
}
