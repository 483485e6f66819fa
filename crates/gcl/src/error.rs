//! Errors with their place in the source.

/// A half-open range of bytes of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// From the start of one to the end of the other.
    #[must_use]
    pub fn to(self, end: Span) -> Span {
        Span { start: self.start, end: end.end.max(self.start) }
    }
}

/// Why a text is no program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// One sentence, lower case, no full stop.
    pub message: String,
    /// What the user can do about it.
    pub help: Option<String>,
    /// Where.
    pub span: Span,
}

impl Error {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Error {
        Error { message: message.into(), help: None, span }
    }

    pub(crate) fn help(mut self, text: impl Into<String>) -> Error {
        self.help = Some(text.into());
        self
    }

    /// Whether it is about the program as a whole, so that there is no line to show.
    pub fn is_about_everything(&self) -> bool {
        self.span == Span::default()
    }

    /// Line and column, both from 1; columns count characters.
    pub fn position(&self, source: &str) -> (usize, usize) {
        let before = &source.as_bytes()[..self.span.start.min(source.len())];
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
        (line, column)
    }

    /// The line in question with a mark under the place, without a newline at the end. Of a long line only what is near
    /// the place is shown.
    pub fn snippet(&self, source: &str) -> String {
        let (line, column) = self.position(source);
        let text = source.lines().nth(line - 1).unwrap_or_default();
        let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let (shown, column) = window(&shown, column);
        let room = shown.chars().count().saturating_sub(column - 1).max(1);
        let covered = source.get(self.span.start..self.span.end).unwrap_or_default();
        let width = covered.lines().next().unwrap_or_default().chars().count().clamp(1, room);
        let number = line.to_string();
        let pad = " ".repeat(number.len());
        format!("{pad} |\n{number} | {shown}\n{pad} | {}{}", " ".repeat(column - 1), "^".repeat(width))
    }
}

/// Characters of a line that are shown.
const WIDTH: usize = 120;

/// The part of a line around a column, and that column in it.
fn window(line: &str, column: usize) -> (String, usize) {
    let length = line.chars().count();
    if length <= WIDTH {
        return (line.to_owned(), column);
    }
    let first = column.saturating_sub(WIDTH / 2).min(length - WIDTH);
    let cut: String = line.chars().skip(first).take(WIDTH).collect();
    let (before, after) =
        (if first > 0 { "..." } else { "" }, if first + WIDTH < length { "..." } else { "" });
    (format!("{before}{cut}{after}"), column - first + before.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_stands_under_the_place_after_wide_characters() {
        let source = "a\nβ + γγ;\n";
        let start = source.find("γγ").expect("it is there");
        let error = Error::new(Span { start, end: start + 4 }, "m");
        assert_eq!(error.position(source), (2, 5));
        assert_eq!(error.snippet(source), "  |\n2 | β + γγ;\n  |     ^^");
    }

    #[test]
    fn of_a_long_line_the_part_with_the_place_is_shown() {
        let source = format!("{}x{}", "a".repeat(500), "b".repeat(500));
        let snippet = Error::new(Span { start: 500, end: 501 }, "m").snippet(&source);
        let lines: Vec<&str> = snippet.lines().collect();
        assert!(lines[1].len() < 140, "{snippet}");
        assert_eq!(lines[1].find('x'), lines[2].find('^'), "{snippet}");
        let snippet = Error::new(Span { start: 0, end: 1 }, "m").snippet(&source);
        assert!(snippet.contains("| aaaa") && snippet.contains("..."), "{snippet}");
    }

    #[test]
    fn a_place_behind_the_end_is_shown_at_the_end() {
        let error = Error::new(Span { start: 99, end: 120 }, "m");
        assert_eq!(error.position("ab"), (1, 3));
        assert_eq!(error.snippet("ab"), "  |\n1 | ab\n  |   ^");
    }
}
