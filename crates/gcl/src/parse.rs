//! The parser: recursive descent, one function per rule of the grammar in `docs/gcl.md`. Here are the entry points and
//! how words are taken; the rules are in `declarations` and `expressions`.
//!
//! Guarantees: nesting is limited ([`MAX_DEPTH`]), so that no text overflows the stack here or in the
//! passes behind.

mod declarations;
mod expressions;

use crate::ast::{Expr, Name, Program};
use crate::error::{Error, Span};
use crate::token::{Token, describe, is_keyword, tokens};

/// How deep expressions may be nested.
const MAX_DEPTH: usize = 150;

type Result<T> = std::result::Result<T, Error>;

/// The tree of a whole source.
pub fn parse(source: &str) -> Result<Program> {
    let (words, comments) = tokens(source)?;
    let mut parser = Parser { words, at: 0, depth: 0, no_call: false };
    let mut items = Vec::new();
    while !parser.is(&Token::End) {
        items.push(parser.item()?);
    }
    Ok(Program { items, comments, source: source.to_owned() })
}

/// The tree of one expression.
pub fn parse_expr(source: &str) -> Result<Expr> {
    let (words, _) = tokens(source)?;
    let mut parser = Parser { words, at: 0, depth: 0, no_call: false };
    let expr = parser.expr()?;
    if !parser.is(&Token::End) {
        return Err(parser.unexpected("the end of the expression"));
    }
    Ok(expr)
}

struct Parser {
    words: Vec<(Token, Span)>,
    at: usize,
    depth: usize,
    /// Whether a parenthesis behind a name belongs to something around: `forall i: 1..N (..)` calls no `N`.
    no_call: bool,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.words[self.at].0
    }

    fn span(&self) -> Span {
        self.words[self.at].1
    }

    /// The place of the word before.
    fn last(&self) -> Span {
        self.words[self.at.saturating_sub(1)].1
    }

    fn is(&self, token: &Token) -> bool {
        self.peek() == token
    }

    fn advance(&mut self) {
        if self.at + 1 < self.words.len() {
            self.at += 1;
        }
    }

    fn eat(&mut self, sign: &'static str) -> bool {
        let found = self.is(&Token::Sign(sign));
        if found {
            self.advance();
        }
        found
    }

    fn unexpected(&self, wanted: &str) -> Error {
        let error = Error::new(self.span(), format!("expected {wanted}, found {}", describe(self.peek())));
        match self.peek() {
            Token::Sign(word) if is_keyword(word) && wanted.contains("name") => {
                error.help(format!("`{word}` is a keyword and cannot be a name"))
            }
            _ => error,
        }
    }

    fn expect(&mut self, sign: &'static str) -> Result<()> {
        if self.eat(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn name(&mut self, what: &str) -> Result<Name> {
        let span = self.span();
        match self.peek() {
            Token::Name(text) => {
                let name = Name { text: text.clone(), span };
                self.advance();
                Ok(name)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn names(&mut self, what: &str) -> Result<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.eat(",") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }
}
