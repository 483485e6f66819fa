//! Errors with their place in the source.

use selvedge_base::Mark;

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
        let (line, start) = self.line(source);
        let before = &source.as_bytes()[start..self.span.start.min(source.len())];
        (line, String::from_utf8_lossy(before).chars().count() + 1)
    }

    /// The place in the text of `file`, for a message.
    pub fn mark(&self, file: String, source: &str) -> Mark {
        let (line, start) = self.line(source);
        let column = self.span.start.min(source.len()) - start + 1;
        let length = self.span.end.saturating_sub(self.span.start);
        Mark { file, line: line as u32, column: column as u32, length: length as u32, label: String::new() }
    }

    /// The line, from 1, and the byte at which it begins.
    fn line(&self, source: &str) -> (usize, usize) {
        let before = &source.as_bytes()[..self.span.start.min(source.len())];
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        (line, before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_those_of_marks_bytes() {
        let source = "a\nβ + γγ;\n";
        let start = source.find("γγ").expect("it is there");
        let error = Error::new(Span { start, end: start + 4 }, "m");
        assert_eq!(error.position(source), (2, 5));
        let mark = error.mark("a.gcl".into(), source);
        assert_eq!((mark.line, mark.column, mark.length), (2, 6, 4));
    }

    #[test]
    fn a_place_behind_the_end_is_shown_at_the_end() {
        let error = Error::new(Span { start: 99, end: 120 }, "m");
        assert_eq!(error.position("ab"), (1, 3));
        assert_eq!(error.mark("a.gcl".into(), "ab").column, 3);
    }
}
