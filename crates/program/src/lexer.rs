//! Cuts the text form of a program into tokens with their places.
//!
//! White space, line ends included, only separates tokens; `;` starts a comment that ends with the line.

use crate::parse::{ErrorKind, ParseError};

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// A word, with dots inside: `add.nsw`, `bb3`, `i32`.
    Word(String),
    /// A number with its suffix, not yet interpreted: `-5`, `0x1fi128`, `1.5f64`.
    Number(String),
    /// A quoted string, escapes resolved.
    Text(Vec<u8>),
    /// `@name` or `@"name"`.
    Symbol(Vec<u8>),
    /// `%12`.
    Reg(u32),
    /// Punctuation: one of `( ) { } [ ] , : = ! ? + *`, `->` or `...`.
    Punct(&'static str),
    /// End of the text.
    End,
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Word(text) | Token::Number(text) => write!(f, "`{text}`"),
            Token::Text(bytes) => write!(f, "\"{}\"", bytes.escape_ascii()),
            Token::Symbol(bytes) => write!(f, "`@{}`", bytes.escape_ascii()),
            Token::Reg(index) => write!(f, "`%{index}`"),
            Token::Punct(text) => write!(f, "`{text}`"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

/// A token and where it starts.
#[derive(Clone, Debug)]
pub(crate) struct Spanned {
    pub(crate) token: Token,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// All tokens of `text`, ending in [`Token::End`].
pub(crate) fn lex(text: &str) -> Result<Vec<Spanned>, ParseError> {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, line: 1, line_start: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank();
        let (line, column) = (lexer.line, lexer.column());
        let token = lexer.token().map_err(|kind| ParseError { line, column, kind })?;
        let done = token == Token::End;
        tokens.push(Spanned { token, line, column });
        if done {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: u32,
    line_start: usize,
}

const PUNCTUATION: [&str; 14] = ["->", "...", "(", ")", "{", "}", "[", "]", ",", ":", "=", "!", "?", "+"];

impl Lexer<'_> {
    fn column(&self) -> u32 {
        u32::try_from(self.at - self.line_start + 1).unwrap_or(u32::MAX)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => {
                    self.line = self.line.saturating_add(1);
                    self.line_start = self.at + 1;
                }
                b';' => {
                    while self.peek().is_some_and(|b| b != b'\n') {
                        self.at += 1;
                    }
                    continue;
                }
                _ if byte.is_ascii_whitespace() => {}
                _ => return,
            }
            self.at += 1;
        }
    }

    fn take_while(&mut self, keep: impl Fn(u8) -> bool) -> String {
        let start = self.at;
        while self.peek().is_some_and(&keep) {
            self.at += 1;
        }
        String::from_utf8_lossy(&self.bytes[start..self.at]).into_owned()
    }

    fn token(&mut self) -> Result<Token, ErrorKind> {
        let Some(byte) = self.peek() else { return Ok(Token::End) };
        let next_is_digit = self.bytes.get(self.at + 1).is_some_and(u8::is_ascii_digit);
        match byte {
            b'0'..=b'9' => Ok(self.number()),
            b'-' if next_is_digit => Ok(self.number()),
            b'%' => {
                self.at += 1;
                let digits = self.take_while(|b| b.is_ascii_digit());
                digits.parse().map(Token::Reg).map_err(|_| ErrorKind::OutOfRange("register number"))
            }
            b'@' => {
                self.at += 1;
                if self.peek() == Some(b'"') {
                    return self.text().map(Token::Symbol);
                }
                let name = self.take_while(|b| b.is_ascii_alphanumeric() || b"_.$".contains(&b));
                if name.is_empty() {
                    return Err(ErrorKind::BadCharacter('@'));
                }
                Ok(Token::Symbol(name.into_bytes()))
            }
            b'"' => self.text().map(Token::Text),
            b'*' => {
                self.at += 1;
                Ok(Token::Punct("*"))
            }
            _ if byte.is_ascii_alphabetic() || byte == b'_' => {
                Ok(Token::Word(self.take_while(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.')))
            }
            _ => {
                let rest = &self.bytes[self.at..];
                let known = PUNCTUATION.iter().find(|p| rest.starts_with(p.as_bytes()));
                let found = known.ok_or_else(|| {
                    let character = self.text.get(self.at..).and_then(|rest| rest.chars().next());
                    ErrorKind::BadCharacter(character.unwrap_or(char::REPLACEMENT_CHARACTER))
                })?;
                self.at += found.len();
                Ok(Token::Punct(found))
            }
        }
    }

    fn number(&mut self) -> Token {
        let start = self.at;
        self.at += 1;
        let hex = self.bytes[start..].starts_with(b"0x");
        while let Some(byte) = self.peek() {
            let exponent_sign = matches!(byte, b'-' | b'+') && !hex && self.bytes[self.at - 1] == b'e';
            if !(byte.is_ascii_alphanumeric() || byte == b'.' || exponent_sign) {
                break;
            }
            self.at += 1;
        }
        Token::Number(String::from_utf8_lossy(&self.bytes[start..self.at]).into_owned())
    }

    fn text(&mut self) -> Result<Vec<u8>, ErrorKind> {
        self.at += 1;
        let mut out = Vec::new();
        loop {
            let byte = self.peek().filter(|b| *b != b'\n').ok_or(ErrorKind::UnterminatedString)?;
            self.at += 1;
            match byte {
                b'"' => return Ok(out),
                b'\\' => out.push(self.escape()?),
                _ => out.push(byte),
            }
        }
    }

    fn escape(&mut self) -> Result<u8, ErrorKind> {
        let byte = self.peek().ok_or(ErrorKind::UnterminatedString)?;
        self.at += 1;
        match byte {
            b'"' | b'\\' => Ok(byte),
            b'x' => {
                let digits = self.bytes.get(self.at..self.at + 2).ok_or(ErrorKind::BadEscape)?;
                let digits = std::str::from_utf8(digits).map_err(|_| ErrorKind::BadEscape)?;
                self.at += 2;
                u8::from_str_radix(digits, 16).map_err(|_| ErrorKind::BadEscape)
            }
            _ => Err(ErrorKind::BadEscape),
        }
    }
}
