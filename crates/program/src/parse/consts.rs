//! Constants and operands of the text form.

use super::{ErrorKind, Named, Parsed, Parser, literal};
use crate::lexer::Token;
use crate::mnemonics::Word;
use crate::print::MAX_DEPTH;
use crate::{BinOp, BlockId, CastOp, Const, ConstExpr, ConstId, FloatKind, Operand, Reg};

impl Parser {
    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        if let Token::Reg(index) = *self.peek() {
            self.at += 1;
            return Ok(Operand::Reg(Reg(index)));
        }
        self.constant().map(Operand::Const)
    }

    /// Whether an operand can start here.
    pub(super) fn at_operand(&self) -> bool {
        match self.peek() {
            Token::Reg(_) | Token::Number(_) | Token::Symbol(_) | Token::Punct("(") => true,
            Token::Word(word) => {
                matches!(word.as_str(), "true" | "false" | "null" | "undef" | "label")
                    || FloatKind::from_word(word).is_some()
            }
            _ => false,
        }
    }

    pub(super) fn constant(&mut self) -> Parsed<ConstId> {
        self.constant_at(0)
    }

    fn constant_at(&mut self, depth: u32) -> Parsed<ConstId> {
        if depth >= MAX_DEPTH {
            return Err(ErrorKind::TooDeep);
        }
        let value = match self.peek().clone() {
            Token::Number(text) => {
                let value =
                    literal::number(&text).ok_or(ErrorKind::OutOfRange("number with a type suffix"))?;
                self.at += 1;
                value
            }
            Token::Symbol(_) => match self.named()? {
                Named::Func(func) => Const::Func(func),
                Named::Global(global) => {
                    let offset = if self.eat("+") { self.number("offset")? } else { 0 };
                    Const::Global { global, offset }
                }
            },
            Token::Punct("(") => Const::Expr(self.expression(depth)?),
            Token::Word(word) => {
                self.at += 1;
                self.worded(&word)?
            }
            _ => return Err(self.expected("an operand")),
        };
        Ok(self.program.add_const(value))
    }

    fn worded(&mut self, word: &str) -> Parsed<Const> {
        if let Some(kind) = FloatKind::from_word(word) {
            self.punct(":")?;
            let Token::Number(text) = self.peek() else {
                return Err(self.expected("the bits of the number"));
            };
            let bits = text.strip_prefix("0x").and_then(|digits| u128::from_str_radix(digits, 16).ok());
            let bits = bits.filter(|bits| kind.bits() == 128 || bits >> kind.bits() == 0);
            let bits = bits.ok_or(ErrorKind::OutOfRange("bit pattern"))?;
            self.at += 1;
            return Ok(Const::Float { kind, bits });
        }
        match word {
            "true" => Ok(Const::Int { width: 1, value: 1 }),
            "false" => Ok(Const::Int { width: 1, value: 0 }),
            "null" => Ok(Const::Null),
            "undef" => {
                self.punct(":")?;
                self.ty().map(Const::Undef)
            }
            "label" => {
                self.punct("(")?;
                let func = self.func_ref()?;
                self.punct(",")?;
                let block = BlockId(self.id("bb", "a block such as `bb0`")?);
                self.punct(")")?;
                Ok(Const::Block(func, block))
            }
            _ => Err(self.before("an operand")),
        }
    }

    fn expression(&mut self, depth: u32) -> Parsed<ConstExpr> {
        self.punct("(")?;
        let word = self.word("an operation")?;
        let expr = if word == "ptradd" {
            let base = self.constant_at(depth + 1)?;
            self.punct(",")?;
            ConstExpr::PtrAdd { base, offset: self.number("offset")? }
        } else if let Some(op) = CastOp::from_word(&word) {
            let from = self.ty()?;
            let arg = self.constant_at(depth + 1)?;
            self.keyword("to")?;
            ConstExpr::Cast { op, from, to: self.ty()?, arg }
        } else if let Some(op) = BinOp::from_word(&word) {
            let width = self.int_width()?;
            let a = self.constant_at(depth + 1)?;
            self.punct(",")?;
            ConstExpr::Bin { op, width, a, b: self.constant_at(depth + 1)? }
        } else {
            return Err(self.before("an operation"));
        };
        self.punct(")")?;
        Ok(expr)
    }

    /// The width of an integer type.
    pub(super) fn int_width(&mut self) -> Parsed<u32> {
        let word = self.word("an integer type")?;
        literal::int_width(&word).ok_or_else(|| self.before("an integer type"))
    }
}
