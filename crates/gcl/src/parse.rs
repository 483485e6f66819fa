//! The parser: recursive descent, one function per rule of the grammar in `docs/gcl.md`.
//!
//! Guarantees: nesting is limited ([`MAX_DEPTH`]), so that no text overflows the stack here or in the
//! passes behind.

use num_bigint::BigInt;

use crate::ast::{
    BinOp, Expr, ExprKind, Fold, Init, Item, ItemKind, Local, LocalKind, Name, Path, Process, Program, Range,
    TransitionDecl, Type, VarDecl,
};
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

    fn item(&mut self) -> Result<Item> {
        let start = self.span();
        let kind = if self.eat("const") {
            let name = self.name("the name of a constant")?;
            self.expect("=")?;
            let value = self.expr()?;
            self.expect(";")?;
            ItemKind::Const(name, value)
        } else if self.eat("enum") {
            let name = self.name("the name of an enumeration")?;
            self.expect("{")?;
            let members = self.names("the name of a member")?;
            self.expect("}")?;
            self.eat(";");
            ItemKind::Enum(name, members)
        } else if self.eat("var") {
            ItemKind::Var(self.var_decl()?)
        } else if self.eat("define") {
            let name = self.name("the name of a macro")?;
            let mut params = Vec::new();
            if self.eat("(") {
                params = self.names("the name of a parameter")?;
                self.expect(")")?;
            }
            self.expect("=")?;
            let body = self.expr()?;
            self.expect(";")?;
            ItemKind::Define(name, params, body)
        } else if self.eat("init") {
            let expr = self.expr()?;
            self.expect(";")?;
            ItemKind::Init(expr)
        } else if self.is(&Token::Sign("safe")) || self.is(&Token::Sign("bad")) {
            let bad = self.is(&Token::Sign("bad"));
            self.advance();
            let expr = self.expr()?;
            self.expect(";")?;
            ItemKind::Property { bad, expr }
        } else if self.eat("process") {
            ItemKind::Process(self.process()?)
        } else {
            return Err(self.unexpected("a declaration").help(
                "a declaration starts with `const`, `enum`, `var`, `define`, `init`, `process`, `safe` or `bad`",
            ));
        };
        Ok(Item { kind, span: start.to(self.last()) })
    }

    fn var_decl(&mut self) -> Result<VarDecl> {
        let mut names = Vec::new();
        loop {
            let name = self.name("the name of a variable")?;
            let mut size = None;
            if self.eat("[") {
                size = Some(self.expr()?);
                self.expect("]")?;
            }
            names.push((name, size));
            if !self.eat(",") {
                break;
            }
        }
        self.expect(":")?;
        let ty = if self.eat("int") {
            Type::Int
        } else if self.eat("bool") {
            Type::Bool
        } else {
            Type::Enum(self.name("`int`, `bool` or the name of an enumeration")?)
        };
        let init = if self.eat("=") { Some(self.value()?) } else { None };
        self.expect(";")?;
        Ok(VarDecl { names, ty, init })
    }

    fn value(&mut self) -> Result<Init> {
        let span = self.span();
        if self.eat("nondet") { Ok(Init::Nondet(span)) } else { Ok(Init::Value(self.expr()?)) }
    }

    fn range(&mut self) -> Result<Range> {
        let name = self.name("the name of an index")?;
        self.expect(":")?;
        let low = self.sum()?;
        self.expect("..")?;
        let high = self.sum()?;
        Ok(Range { name, low, high })
    }

    fn bracketed_range(&mut self) -> Result<Option<Range>> {
        if !self.eat("[") {
            return Ok(None);
        }
        let range = self.range()?;
        self.expect("]")?;
        Ok(Some(range))
    }

    fn process(&mut self) -> Result<Process> {
        let name = self.name("the name of a process")?;
        let range = self.bracketed_range()?;
        self.expect("{")?;
        let mut locals = Vec::new();
        while !self.eat("}") {
            let start = self.span();
            let kind = if self.eat("loc") {
                let names = self.names("the name of a location")?;
                self.expect(";")?;
                LocalKind::Locations(names)
            } else if self.eat("var") {
                LocalKind::Var(self.var_decl()?)
            } else {
                LocalKind::Transition(Box::new(self.transition()?))
            };
            locals.push(Local { kind, span: start.to(self.last()) });
        }
        Ok(Process { name, range, locals })
    }

    fn transition(&mut self) -> Result<TransitionDecl> {
        if !matches!(self.peek(), Token::Name(_)) {
            return Err(self.unexpected("`loc`, `var`, `}` or the name of a transition"));
        }
        let name = self.name("the name of a transition")?;
        let range = self.bracketed_range()?;
        self.expect(":")?;
        let mut at = Vec::new();
        if self.eat("at") {
            at.push(self.name("the name of a location")?);
            while self.eat("|") {
                at.push(self.name("the name of a location")?);
            }
        }
        let when = if self.eat("when") { Some(self.expr()?) } else { None };
        let mut assigns = Vec::new();
        if self.eat("do") {
            loop {
                let start = self.span();
                let path = self.path()?;
                let target = Expr { kind: ExprKind::Path(path), span: start.to(self.last()) };
                self.expect(":=")?;
                assigns.push((target, self.value()?));
                if !self.eat(",") {
                    break;
                }
            }
        }
        let goto = if self.eat("goto") { Some(self.name("the name of a location")?) } else { None };
        if !self.eat(";") {
            return Err(self.unexpected("`;`").help(
                "the parts of a transition come in the order `at`, `when`, `do`, `goto`, each at most once",
            ));
        }
        Ok(TransitionDecl { name, range, at, when, assigns, goto })
    }

    fn expr(&mut self) -> Result<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Error::new(self.span(), "expressions are nested too deeply"));
        }
        let left = self.or()?;
        let expr = if self.eat("=>") { binary(BinOp::Implies, left, self.expr()?) } else { left };
        self.depth -= 1;
        Ok(expr)
    }

    fn or(&mut self) -> Result<Expr> {
        let mut items = vec![self.and()?];
        while self.eat("||") {
            items.push(self.and()?);
        }
        Ok(flat(items, ExprKind::Or))
    }

    fn and(&mut self) -> Result<Expr> {
        let mut items = vec![self.comparison()?];
        while self.eat("&&") {
            items.push(self.comparison()?);
        }
        Ok(flat(items, ExprKind::And))
    }

    fn comparison(&mut self) -> Result<Expr> {
        let left = self.sum()?;
        let Some(op) = self.comparison_sign() else {
            if self.is(&Token::Sign("=")) {
                return Err(self.unexpected("an operator").help("equality is `==`"));
            }
            return Ok(left);
        };
        let expr = binary(op, left, self.sum()?);
        if self.comparison_sign().is_some() {
            return Err(Error::new(self.last(), "comparisons cannot be chained").help("use `&&`"));
        }
        Ok(expr)
    }

    fn comparison_sign(&mut self) -> Option<BinOp> {
        const ALL: [BinOp; 6] = [BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge];
        ALL.into_iter().find(|op| self.eat(op.sign()))
    }

    fn sum(&mut self) -> Result<Expr> {
        let first = self.product()?;
        let mut items = vec![(false, first)];
        loop {
            let minus = if self.eat("+") {
                false
            } else if self.eat("-") {
                true
            } else {
                break;
            };
            items.push((minus, self.product()?));
        }
        if items.len() == 1 {
            return Ok(items.remove(0).1);
        }
        let span = items[0].1.span.to(self.last());
        Ok(Expr { kind: ExprKind::Sum(items), span })
    }

    fn product(&mut self) -> Result<Expr> {
        let mut expr = self.unary()?;
        let mut factors = 0;
        loop {
            let op = if self.eat("*") {
                BinOp::Mul
            } else if self.eat("mod") {
                BinOp::Mod
            } else {
                return Ok(expr);
            };
            factors += 1;
            if factors > MAX_DEPTH {
                return Err(Error::new(self.span(), "too many factors"));
            }
            expr = binary(op, expr, self.unary()?);
        }
    }

    fn unary(&mut self) -> Result<Expr> {
        let start = self.span();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Error::new(start, "expressions are nested too deeply"));
        }
        let expr = if self.eat("-") {
            let inner = self.unary()?;
            Expr { kind: ExprKind::Neg(Box::new(inner)), span: start.to(self.last()) }
        } else if self.eat("!") {
            let inner = self.unary()?;
            Expr { kind: ExprKind::Not(Box::new(inner)), span: start.to(self.last()) }
        } else {
            self.primary()?
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn primary(&mut self) -> Result<Expr> {
        let start = self.span();
        let kind = match self.peek().clone() {
            Token::Number(number) => self.number(number),
            Token::Sign("true" | "false") => {
                let value = self.is(&Token::Sign("true"));
                self.advance();
                ExprKind::Bool(value)
            }
            Token::Sign("deadlock") => {
                self.advance();
                ExprKind::Deadlock
            }
            Token::Sign("@") => {
                self.advance();
                ExprKind::At(None, self.name("the name of a location")?)
            }
            Token::Sign(word @ ("forall" | "exists" | "sum")) => {
                self.advance();
                let fold = match word {
                    "forall" => Fold::All,
                    "exists" => Fold::Any,
                    _ => Fold::Sum,
                };
                let outside = std::mem::replace(&mut self.no_call, true);
                let range = self.range()?;
                self.no_call = outside;
                let body = self.parenthesised()?;
                ExprKind::Fold(fold, Box::new(range), Box::new(body))
            }
            Token::Sign("(") => {
                let inner = self.parenthesised()?;
                return Ok(Expr { kind: inner.kind, span: start.to(self.last()) });
            }
            Token::Sign("nondet") => {
                return Err(Error::new(start, "`nondet` stands alone on the right of `:=` or `=`"));
            }
            Token::Name(_) => self.reference()?,
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { kind, span: start.to(self.last()) })
    }

    fn parenthesised(&mut self) -> Result<Expr> {
        self.expect("(")?;
        let outside = std::mem::replace(&mut self.no_call, false);
        let inner = self.expr()?;
        self.no_call = outside;
        self.expect(")")?;
        Ok(inner)
    }

    fn number(&mut self, number: BigInt) -> ExprKind {
        self.advance();
        ExprKind::Number(number)
    }

    fn reference(&mut self) -> Result<ExprKind> {
        let path = self.path()?;
        if path.index.is_none() && path.field.is_none() && !self.no_call && self.eat("(") {
            let mut args = vec![self.expr()?];
            while self.eat(",") {
                args.push(self.expr()?);
            }
            self.expect(")")?;
            return Ok(ExprKind::Call(path.name, args));
        }
        if path.field.is_none() && self.eat("@") {
            let location = self.name("the name of a location")?;
            return Ok(ExprKind::At(Some(path), location));
        }
        Ok(ExprKind::Path(path))
    }

    fn path(&mut self) -> Result<Path> {
        let name = self.name("a name")?;
        let index = self.index()?;
        let mut field = None;
        if self.eat(".") {
            let name = self.name("the name of a variable of the process")?;
            field = Some((name, self.index()?));
        }
        Ok(Path { name, index, field })
    }

    fn index(&mut self) -> Result<Option<Box<Expr>>> {
        if !self.eat("[") {
            return Ok(None);
        }
        let outside = std::mem::replace(&mut self.no_call, false);
        let index = self.expr()?;
        self.no_call = outside;
        self.expect("]")?;
        Ok(Some(Box::new(index)))
    }
}

fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    let span = a.span.to(b.span);
    Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), span }
}

fn flat(mut items: Vec<Expr>, make: fn(Vec<Expr>) -> ExprKind) -> Expr {
    if items.len() == 1 {
        return items.remove(0);
    }
    let span = items[0].span.to(items[items.len() - 1].span);
    Expr { kind: make(items), span }
}
