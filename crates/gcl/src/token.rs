//! Words of the source, and its comments.

use num_bigint::BigInt;

use crate::error::{Error, Span};

/// A word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Name(String),
    Number(BigInt),
    /// A keyword or a sign.
    Sign(&'static str),
    End,
}

/// A comment, without its line break.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// The text with its marks.
    pub text: String,
    /// Where.
    pub span: Span,
}

const KEYWORDS: [&str; 23] = [
    "at", "bad", "bool", "const", "deadlock", "define", "do", "enum", "exists", "false", "forall", "goto",
    "init", "int", "loc", "mod", "nondet", "process", "safe", "sum", "true", "var", "when",
];

/// Bits of a constant.
pub(crate) const MAX_BITS: u64 = 10_000;
/// As many digits, rounded up.
const MAX_DIGITS: usize = 3_011;
/// What is said about a constant that has more.
pub(crate) const TOO_LARGE: &str = "this number is too large: it has more than 3000 digits";

/// Longer signs first, so that `<=` is not read as `<`.
const SIGNS: [&str; 28] = [
    ":=", "==", "!=", "<=", ">=", "&&", "||", "=>", "..", "{", "}", "(", ")", "[", "]", ";", ",", ":", "=",
    "<", ">", "+", "-", "*", "!", ".", "@", "|",
];

/// Whether a word has a meaning of its own and cannot be a name.
pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Words with their places, and comments.
pub(crate) type Words = (Vec<(Token, Span)>, Vec<Comment>);

/// The words of `source`, ended by [`Token::End`], and its comments.
pub(crate) fn tokens(source: &str) -> Result<Words, Error> {
    let mut words = Vec::new();
    let mut comments = Vec::new();
    // Some editors start a file with a byte-order mark.
    let mut at = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    while let Some(c) = source[at..].chars().next() {
        let rest = &source[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if rest.starts_with("//") {
            let len = rest.find('\n').unwrap_or(rest.len());
            let span = Span { start: at, end: at + len };
            comments.push(Comment { text: rest[..len].trim_end().to_owned(), span });
            at += len;
        } else if c.is_ascii_digit() {
            let len = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let span = Span { start: at, end: at + len };
            if rest[len..].starts_with(|c: char| c.is_alphabetic() || c == '_') {
                return Err(Error::new(span, "a name cannot start with a digit"));
            }
            if len > MAX_DIGITS {
                return Err(Error::new(span, TOO_LARGE));
            }
            let number = rest[..len].parse().map_err(|_| Error::new(span, "not a number"))?;
            words.push((Token::Number(number), span));
            at += len;
        } else if c.is_alphabetic() || c == '_' {
            let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let span = Span { start: at, end: at + len };
            let word = &rest[..len];
            words.push(match KEYWORDS.iter().find(|k| **k == word) {
                Some(keyword) => (Token::Sign(keyword), span),
                None => (Token::Name(word.to_owned()), span),
            });
            at += len;
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            words.push((Token::Sign(sign), Span { start: at, end: at + sign.len() }));
            at += sign.len();
        } else {
            let span = Span { start: at, end: at + c.len_utf8() };
            let error = Error::new(span, format!("the character `{}` has no meaning", c.escape_debug()));
            return Err(match c {
                '&' => error.help("conjunction is `&&`"),
                '/' => error.help("there is no division; comments start with `//`"),
                _ => error,
            });
        }
    }
    words.push((Token::End, Span { start: source.len(), end: source.len() }));
    Ok((words, comments))
}

/// How a word is named in messages.
pub(crate) fn describe(token: &Token) -> String {
    match token {
        Token::Name(name) => format!("`{name}`"),
        Token::Number(number) => format!("`{number}`"),
        Token::Sign(sign) => format!("`{sign}`"),
        Token::End => "the end of the file".to_owned(),
    }
}
