//! Expressions, from the weakest operator to the strongest.

use num_bigint::BigInt;

use super::{MAX_DEPTH, Parser, Result};
use crate::ast::{BinOp, Expr, ExprKind, Fold, Path};
use crate::error::Error;
use crate::token::Token;

impl Parser {
    pub(super) fn expr(&mut self) -> Result<Expr> {
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

    pub(super) fn sum(&mut self) -> Result<Expr> {
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

    pub(super) fn path(&mut self) -> Result<Path> {
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
