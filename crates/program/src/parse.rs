//! Reads the text form that [`Program`]'s `Display` writes; `docs/ir.md` has the grammar.
//!
//! Guarantees: `parse(&p.to_string())` equals `p.with_canonical_consts()` for every valid `p`; any text gives a program
//! or an error with its place, never a panic. The result is *not* validated: call [`crate::validate`].
//! Functions and globals share one name space and may be used before they appear.

mod consts;
mod function;
mod inst;
mod literal;

pub(crate) use literal::MAX_WIDTH;
use rustc_hash::FxHashMap;
use selvedge_base::{FileId, Loc};

use crate::lexer::{Spanned, Token, lex};
use crate::mnemonics::Word;
use crate::{
    DebugType, Encoding, Field, FuncId, Global, GlobalId, InitPiece, Program, SourceFile, Target, Ty, TypeId,
};

/// Why a text is not a program, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {kind}")]
pub struct ParseError {
    /// 1-based line.
    pub line: u32,
    /// 1-based column in bytes.
    pub column: u32,
    /// What is wrong.
    pub kind: ErrorKind,
}

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The grammar wants something else here.
    #[error("expected {what}, found {found}")]
    Expected {
        /// What the grammar wants.
        what: &'static str,
        /// The token that is there.
        found: String,
    },
    /// No global or function has this name.
    #[error("unknown name `@{0}`")]
    UnknownName(String),
    /// Two globals or functions have this name.
    #[error("the name `@{0}` is defined twice")]
    DuplicateName(String),
    /// A number does not fit.
    #[error("{0} out of range")]
    OutOfRange(&'static str),
    /// Items must be numbered from zero without a gap.
    #[error("expected {expected} here: numbers follow each other")]
    OutOfOrder {
        /// The id that comes next.
        expected: String,
    },
    /// One register is described in two ways.
    #[error("register {0} was described differently before")]
    RegisterConflict(String),
    /// A register between others is never described.
    #[error("register {0} is never assigned or declared")]
    RegisterMissing(String),
    /// Wrong number of results.
    #[error("the number of registers before `=` must be {expected}")]
    ResultCount {
        /// How many registers must stand before `=`.
        expected: usize,
    },
    /// Expressions nest too deeply.
    #[error("expression nested too deeply")]
    TooDeep,
    /// A name is not UTF-8.
    #[error("this name is not valid UTF-8")]
    NotUtf8,
    /// A character that starts no token.
    #[error("unexpected character {0:?}")]
    BadCharacter(char),
    /// A string without its end.
    #[error("string without closing quote")]
    UnterminatedString,
    /// An escape other than `\"`, `\\` and `\xNN`.
    #[error("unknown escape in a string")]
    BadEscape,
}

/// Reads a program.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let tokens = lex(text)?;
    let mut parser = Parser {
        tokens,
        at: 0,
        program: Program::new(Target { ptr_bits: 64 }),
        symbols: FxHashMap::default(),
    };
    match parser.collect_symbols().and_then(|()| parser.items()) {
        Ok(()) => Ok(parser.program),
        Err(kind) => {
            let Spanned { line, column, .. } = parser.tokens[parser.at];
            Err(ParseError { line, column, kind })
        }
    }
}

type Parsed<T> = Result<T, ErrorKind>;

#[derive(Clone, Copy)]
enum Named {
    Global(GlobalId),
    Func(FuncId),
}

struct Parser {
    tokens: Vec<Spanned>,
    // Invariant: `at` indexes a token; the last token is `End` and is never stepped over.
    at: usize,
    program: Program,
    symbols: FxHashMap<String, Named>,
}

impl Parser {
    /// Finds all names first, so that uses may come before definitions.
    fn collect_symbols(&mut self) -> Parsed<()> {
        let (mut depth, mut globals, mut funcs) = (0_u32, 0_u32, 0_u32);
        for index in 0..self.tokens.len() {
            match &self.tokens[index].token {
                Token::Punct("{") => depth += 1,
                Token::Punct("}") => depth = depth.saturating_sub(1),
                Token::Word(word) if depth == 0 && matches!(word.as_str(), "global" | "func" | "declare") => {
                    // The file may end after the word: `End` is then the next token.
                    let Token::Symbol(name) = &self.tokens[index + 1].token else { continue };
                    self.at = index + 1;
                    let name = String::from_utf8(name.clone()).map_err(|_| ErrorKind::NotUtf8)?;
                    let id = if word == "global" {
                        globals += 1;
                        Named::Global(GlobalId(globals - 1))
                    } else {
                        funcs += 1;
                        Named::Func(FuncId(funcs - 1))
                    };
                    if self.symbols.insert(name.clone(), id).is_some() {
                        return Err(ErrorKind::DuplicateName(name));
                    }
                }
                _ => {}
            }
        }
        self.at = 0;
        Ok(())
    }

    fn items(&mut self) -> Parsed<()> {
        loop {
            if *self.peek() == Token::End {
                return Ok(());
            }
            let word =
                self.word("`target`, `entry`, `ctors`, `file`, `type`, `global`, `func` or `declare`")?;
            match word.as_str() {
                "target" => self.program.target.ptr_bits = self.number("pointer width")?,
                "entry" => self.program.entry = Some(self.func_ref()?),
                "ctors" => self.program.ctors = self.comma_list(Parser::func_ref)?,
                "file" => self.file()?,
                "type" => self.debug_type()?,
                "global" => self.global()?,
                "func" => self.function(true)?,
                "declare" => self.function(false)?,
                _ => {
                    self.at -= 1;
                    return Err(self.expected("a top-level item"));
                }
            }
        }
    }

    fn file(&mut self) -> Parsed<()> {
        let next = self.program.files.next_id();
        self.numbered("file", next.0)?;
        let name = self.string()?;
        self.keyword("in")?;
        let dir = self.string()?;
        self.program.files.push(SourceFile { name, dir });
        Ok(())
    }

    fn debug_type(&mut self) -> Parsed<()> {
        let next = self.program.types.next_id();
        self.numbered("ty", next.0)?;
        self.punct("=")?;
        let kind = self.word("a kind of type")?;
        let ty = match kind.as_str() {
            "basic" => {
                let (name, size) = (self.string()?, self.number("size")?);
                let encoding = self.word("an encoding")?;
                let encoding = Encoding::from_word(&encoding).ok_or_else(|| self.before("an encoding"))?;
                DebugType::Basic { name, size, encoding }
            }
            "pointer" => DebugType::Pointer { to: self.type_or_void()? },
            "record" => {
                let (name, size) = (self.string()?, self.number("size")?);
                let fields = self.list_in("{", "}", |p| {
                    let (name, ty) = (p.string()?, p.type_ref()?);
                    p.keyword("at")?;
                    let bit_offset = p.number("bit offset")?;
                    p.keyword("bits")?;
                    Ok(Field { name, bit_offset, bit_size: p.number("bit size")?, ty })
                })?;
                DebugType::Record { name, size, fields }
            }
            "array" => {
                let elem = self.type_ref()?;
                self.keyword("x")?;
                DebugType::Array { elem, count: self.number("count")? }
            }
            "enum" => {
                let (name, size) = (self.string()?, self.number("size")?);
                let values = self.list_in("{", "}", |p| {
                    let name = p.string()?;
                    p.punct("=")?;
                    Ok((name, p.number("enumerator")?))
                })?;
                DebugType::Enum { name, size, values }
            }
            "alias" => DebugType::Alias { name: self.string()?, to: self.type_or_void()? },
            "other" => DebugType::Other { name: self.string()? },
            _ => return Err(self.before("a kind of type")),
        };
        self.program.types.push(ty);
        Ok(())
    }

    fn global(&mut self) -> Parsed<()> {
        let name = self.symbol()?;
        self.keyword("size")?;
        let size = self.number("size")?;
        self.keyword("align")?;
        let align = self.number("alignment")?;
        let is_const = self.eat_word("const");
        let thread_local = self.eat_word("tls");
        let is_runtime = self.eat_word("runtime");
        let var_ty = self.optional_type()?;
        let init = if self.eat_word("extern") {
            None
        } else {
            self.punct("=")?;
            Some(self.list_in("{", "}", Parser::init_piece)?)
        };
        let loc = self.optional_loc()?;
        let global = Global { name, size, align, init, is_const, thread_local, loc, var_ty, is_runtime };
        self.program.globals.push(global);
        Ok(())
    }

    fn init_piece(&mut self) -> Parsed<InitPiece> {
        let offset = self.number("offset")?;
        self.punct(":")?;
        if self.eat_word("bytes") {
            let Token::Text(bytes) = self.peek().clone() else { return Err(self.expected("a string")) };
            self.at += 1;
            return Ok(InitPiece::Bytes { offset, bytes: bytes.into() });
        }
        if self.eat_word("undef") {
            return Ok(InitPiece::Undef { offset, len: self.number("length")? });
        }
        let ty = self.ty()?;
        Ok(InitPiece::Scalar { offset, ty, value: self.constant()? })
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.at].token
    }

    fn expected(&self, what: &'static str) -> ErrorKind {
        ErrorKind::Expected { what, found: self.peek().to_string() }
    }

    /// The error that the token just read is not `what`.
    fn before(&mut self, what: &'static str) -> ErrorKind {
        self.at -= 1;
        self.expected(what)
    }

    fn word(&mut self, what: &'static str) -> Parsed<String> {
        let Token::Word(word) = self.peek().clone() else { return Err(self.expected(what)) };
        self.at += 1;
        Ok(word)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(w) if w == word);
        self.at += usize::from(found);
        found
    }

    fn keyword(&mut self, word: &'static str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(word)) }
    }

    fn eat(&mut self, punct: &str) -> bool {
        let found = matches!(self.peek(), Token::Punct(p) if *p == punct);
        self.at += usize::from(found);
        found
    }

    fn punct(&mut self, punct: &'static str) -> Parsed<()> {
        if self.eat(punct) { Ok(()) } else { Err(self.expected(punct)) }
    }

    /// A number without suffix.
    fn number<N: std::str::FromStr>(&mut self, what: &'static str) -> Parsed<N> {
        let Token::Number(text) = self.peek() else { return Err(self.expected(what)) };
        let value = text.parse().map_err(|_| ErrorKind::OutOfRange(what))?;
        self.at += 1;
        Ok(value)
    }

    fn string(&mut self) -> Parsed<String> {
        let Token::Text(bytes) = self.peek().clone() else { return Err(self.expected("a string")) };
        let text = String::from_utf8(bytes).map_err(|_| ErrorKind::NotUtf8)?;
        self.at += 1;
        Ok(text)
    }

    fn symbol(&mut self) -> Parsed<String> {
        let Token::Symbol(bytes) = self.peek().clone() else { return Err(self.expected("a name")) };
        let text = String::from_utf8(bytes).map_err(|_| ErrorKind::NotUtf8)?;
        self.at += 1;
        Ok(text)
    }

    fn named(&mut self) -> Parsed<Named> {
        let name = self.symbol()?;
        self.symbols.get(&name).copied().ok_or_else(|| {
            self.at -= 1;
            ErrorKind::UnknownName(name)
        })
    }

    fn func_ref(&mut self) -> Parsed<FuncId> {
        match self.named()? {
            Named::Func(id) => Ok(id),
            Named::Global(_) => Err(self.before("the name of a function")),
        }
    }

    /// An id: `prefix` and a number, in one word.
    fn id(&mut self, prefix: &'static str, what: &'static str) -> Parsed<u32> {
        let number = match self.peek() {
            Token::Word(word) => word.strip_prefix(prefix).and_then(|digits| digits.parse().ok()),
            _ => None,
        };
        let number = number.ok_or_else(|| self.expected(what))?;
        self.at += 1;
        Ok(number)
    }

    /// The id that has to come next.
    fn numbered(&mut self, prefix: &'static str, next: u32) -> Parsed<()> {
        if self.eat_word(&format!("{prefix}{next}")) {
            Ok(())
        } else {
            Err(ErrorKind::OutOfOrder { expected: format!("{prefix}{next}") })
        }
    }

    fn type_ref(&mut self) -> Parsed<TypeId> {
        self.id("ty", "a type such as `ty0`").map(TypeId)
    }

    fn type_or_void(&mut self) -> Parsed<Option<TypeId>> {
        if self.eat_word("void") { Ok(None) } else { self.type_ref().map(Some) }
    }

    fn optional_type(&mut self) -> Parsed<Option<TypeId>> {
        let is_type = matches!(self.peek(), Token::Word(w)
            if w.strip_prefix("ty").is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit())));
        if is_type { self.type_ref().map(Some) } else { Ok(None) }
    }

    fn ty(&mut self) -> Parsed<Ty> {
        let word = self.word("a type such as `i32`")?;
        literal::ty(&word).ok_or_else(|| self.before("a type such as `i32`"))
    }

    fn optional_loc(&mut self) -> Parsed<Loc> {
        if !self.eat("!") {
            return Ok(Loc::UNKNOWN);
        }
        let file = if self.eat("?") {
            Loc::UNKNOWN.file
        } else {
            FileId(self.id("file", "a file such as `file0`")?)
        };
        self.punct(":")?;
        let line = self.number("line")?;
        self.punct(":")?;
        Ok(Loc { file, line, column: self.number("column")? })
    }

    /// One or more items with commas between them.
    fn comma_list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Items with commas between them, in brackets; may be empty.
    fn list_in<T>(
        &mut self,
        open: &'static str,
        close: &'static str,
        item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        self.punct(open)?;
        if self.eat(close) {
            return Ok(Vec::new());
        }
        let items = self.comma_list(item)?;
        self.punct(close)?;
        Ok(items)
    }
}

#[cfg(test)]
mod tests;
