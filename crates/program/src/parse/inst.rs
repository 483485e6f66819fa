//! Instructions of the text form.

use super::function::Regs;
use super::{ErrorKind, Parsed, Parser};
use crate::lexer::Token;
use crate::mnemonics::Word;
use crate::{
    Access, Arg, BinOp, BlockId, Callee, CastOp, CmpOp, Edge, FBinOp, FCmpOp, FloatKind, Inst, IntrinsicOp,
    Operand, Order, Reg, RmwOp, Ty, Wrap,
};

/// The words of a mnemonic that are still to be read: `nsw`, `nuw` of `add.nsw.nuw`.
struct Flags<'a>(Vec<&'a str>);

impl<'a> Flags<'a> {
    fn eat(&mut self, word: &str) -> bool {
        let found = self.0.first() == Some(&word);
        if found {
            self.0.remove(0);
        }
        found
    }

    fn take<T: Word>(&mut self) -> Option<T> {
        let value = self.0.first().and_then(|word| T::from_word(word))?;
        self.0.remove(0);
        Some(value)
    }
}

impl Parser {
    pub(super) fn inst(&mut self, regs: &mut Regs) -> Parsed<Inst> {
        let mut dsts = Vec::new();
        if matches!(self.peek(), Token::Reg(_)) {
            dsts = self.comma_list(|p| p.description(regs))?;
            self.punct("=")?;
        }
        let start = self.at;
        let word = self.word("an instruction")?;
        let mut parts = word.split('.');
        let head = parts.next().unwrap_or_default();
        let mut flags = Flags(parts.collect());
        let inst = self.inst_after(head, &mut flags, &dsts)?;
        let Some(inst) = inst.filter(|_| flags.0.is_empty()) else {
            self.at = start;
            return Err(self.expected("an instruction"));
        };
        let mut expected = 0;
        inst.for_each_dst(|_| expected += 1);
        if expected != dsts.len() {
            self.at = start;
            return Err(ErrorKind::ResultCount { expected });
        }
        Ok(inst)
    }

    /// The instruction with this mnemonic, or `None` if there is none.
    fn inst_after(&mut self, head: &str, flags: &mut Flags<'_>, dsts: &[Reg]) -> Parsed<Option<Inst>> {
        // Missing results are reported by the caller, which counts them.
        let dst = dsts.first().copied().unwrap_or(Reg(0));
        if let Some(op) = BinOp::from_word(head) {
            let wrap = Wrap { nsw: flags.eat("nsw"), nuw: flags.eat("nuw") };
            let width = self.int_width()?;
            let (a, b) = self.two()?;
            return Ok(Some(Inst::Bin { dst, op, wrap, width, a, b }));
        }
        if let Some(op) = CastOp::from_word(head) {
            let (from, a) = (self.ty()?, self.operand()?);
            self.keyword("to")?;
            return Ok(Some(Inst::Cast { dst, op, from, to: self.ty()?, a }));
        }
        if let Some(op) = FBinOp::from_word(head) {
            let kind = self.float_kind()?;
            let (a, b) = self.two()?;
            return Ok(Some(Inst::FBin { dst, op, kind, a, b }));
        }
        let inst = match head {
            "cmp" => {
                let Some(op) = flags.take::<CmpOp>() else { return Ok(None) };
                let width = self.int_width()?;
                let (a, b) = self.two()?;
                Inst::Cmp { dst, op, width, a, b }
            }
            "fneg" => Inst::FNeg { dst, kind: self.float_kind()?, a: self.operand()? },
            "fcmp" => {
                let op = FCmpOp {
                    lt: flags.eat("lt"),
                    eq: flags.eat("eq"),
                    gt: flags.eat("gt"),
                    unordered: flags.eat("uno"),
                };
                let kind = self.float_kind()?;
                let (a, b) = self.two()?;
                Inst::FCmp { dst, op, kind, a, b }
            }
            "select" => {
                let ty = self.ty()?;
                let (cond, a, b) = self.three()?;
                Inst::Select { dst, ty, cond, a, b }
            }
            "copy" => Inst::Copy { dst, a: self.operand()? },
            "freeze" => Inst::Freeze { dst, ty: self.ty()?, a: self.operand()? },
            "intrinsic" => {
                let Some(op) = flags.take::<IntrinsicOp>() else { return Ok(None) };
                let ty = self.ty()?;
                let args = self.list_in("(", ")", Parser::operand)?.into();
                Inst::Intrinsic { dsts: dsts.into(), op, ty, args }
            }
            "jump" => Inst::Jump { edge: self.edge()? },
            "branch" => {
                let cond = self.operand()?;
                self.punct(",")?;
                let then = self.edge()?;
                self.punct(",")?;
                Inst::Branch { cond, then, otherwise: self.edge()? }
            }
            "switch" => self.switch()?,
            "goto" => {
                let addr = self.operand()?;
                Inst::IndirectJump { addr, targets: self.list_in("[", "]", Parser::edge)?.into() }
            }
            "return" => {
                let values = if self.at_operand() { self.comma_list(Parser::operand)? } else { Vec::new() };
                Inst::Return { values: values.into() }
            }
            "unreachable" => Inst::Unreachable,
            "trap" => Inst::Trap,
            "unsupported" => Inst::Unsupported { what: self.string()?.into() },
            "call" => self.call(dsts)?,
            _ => return self.memory_inst(head, flags, dst, dsts.get(1).copied().unwrap_or(Reg(0))),
        };
        Ok(Some(inst))
    }

    fn memory_inst(
        &mut self,
        head: &str,
        flags: &mut Flags<'_>,
        dst: Reg,
        second: Reg,
    ) -> Parsed<Option<Inst>> {
        let inst = match head {
            "ptradd" => {
                let base = self.operand()?;
                self.punct(",")?;
                let (offset, mut scaled) = (self.number("offset")?, Vec::new());
                while self.eat(",") {
                    let (width, index) = (self.int_width()?, self.operand()?);
                    self.punct("*")?;
                    scaled.push((index, width, self.number("scale")?));
                }
                Inst::PtrAdd { dst, base, offset, scaled: scaled.into() }
            }
            "alloca" => {
                let size = self.number("size")?;
                self.keyword("x")?;
                let count = self.operand()?;
                self.keyword("align")?;
                let align = self.number("alignment")?;
                let name =
                    if matches!(self.peek(), Token::Text(_)) { Some(self.string()?.into()) } else { None };
                Inst::Alloca { dst, size, count, align, name, var_ty: self.optional_type()? }
            }
            "load" => {
                let access = access(flags);
                Inst::Load { dst, ty: self.ty()?, ptr: self.operand()?, access }
            }
            "store" => {
                let access = access(flags);
                let (ty, value) = (self.ty()?, self.operand()?);
                self.keyword("to")?;
                Inst::Store { ty, value, ptr: self.operand()?, access }
            }
            "memcpy" | "memmove" => {
                let (to, from, len) = self.three()?;
                Inst::MemCopy { to, from, len, overlap: head == "memmove" }
            }
            "memset" => {
                let (to, byte, len) = self.three()?;
                Inst::MemSet { to, byte, len }
            }
            "rmw" => {
                let (Some(op), Some(order)) = (flags.take::<RmwOp>(), flags.take::<Order>()) else {
                    return Ok(None);
                };
                let ty = self.ty()?;
                let (ptr, value) = self.two()?;
                Inst::AtomicRmw { dst, op, ty, ptr, value, order }
            }
            "cmpxchg" => {
                let weak = flags.eat("weak");
                let (Some(order), Some(failure)) = (flags.take::<Order>(), flags.take::<Order>()) else {
                    return Ok(None);
                };
                let ty = self.ty()?;
                let (ptr, expected, new) = self.three()?;
                Inst::CmpXchg { old: dst, ok: second, ty, ptr, expected, new, weak, order, failure }
            }
            "fence" => {
                let Some(order) = flags.take::<Order>() else { return Ok(None) };
                Inst::Fence { order, signal: flags.eat("signal") }
            }
            "lifetime" => {
                let start = flags.eat("start");
                if !start && !flags.eat("end") {
                    return Ok(None);
                }
                Inst::Lifetime { ptr: self.operand()?, start }
            }
            "stacksave" => Inst::StackSave { dst },
            "stackrestore" => Inst::StackRestore { mark: self.operand()? },
            "va_start" => Inst::VaStart { list: self.operand()? },
            "va_copy" => {
                let (to, from) = self.two()?;
                Inst::VaCopy { to, from }
            }
            "va_end" => Inst::VaEnd { list: self.operand()? },
            "va_arg" => Inst::VaArg { dst, ty: self.ty()?, list: self.operand()? },
            _ => return Ok(None),
        };
        Ok(Some(inst))
    }

    fn call(&mut self, dsts: &[Reg]) -> Parsed<Inst> {
        let callee =
            if self.eat("*") { Callee::Indirect(self.operand()?) } else { Callee::Direct(self.func_ref()?) };
        let args = self.list_in("(", ")", |p| {
            let ty: Ty = p.ty()?;
            let byval = if p.eat_word("byval") { Some(p.number("size")?) } else { None };
            Ok(Arg { value: p.operand()?, ty, byval })
        })?;
        Ok(Inst::Call { dsts: dsts.into(), callee, args: args.into() })
    }

    fn switch(&mut self) -> Parsed<Inst> {
        let (width, value) = (self.int_width()?, self.operand()?);
        let cases = self.list_in("[", "]", |p| {
            let case = p.number("case")?;
            p.punct(":")?;
            Ok((case, p.edge()?))
        })?;
        self.keyword("default")?;
        Ok(Inst::Switch { value, width, cases: cases.into(), default: self.edge()? })
    }

    fn edge(&mut self) -> Parsed<Edge> {
        let target = BlockId(self.id("bb", "a block such as `bb0`")?);
        let has_args = *self.peek() == Token::Punct("(");
        let args = if has_args { self.list_in("(", ")", Parser::operand)? } else { Vec::new() };
        Ok(Edge { target, args: args.into() })
    }

    fn float_kind(&mut self) -> Parsed<FloatKind> {
        match self.ty()? {
            Ty::Float(kind) => Ok(kind),
            _ => Err(self.before("a floating-point type")),
        }
    }

    fn two(&mut self) -> Parsed<(Operand, Operand)> {
        let a = self.operand()?;
        self.punct(",")?;
        Ok((a, self.operand()?))
    }

    fn three(&mut self) -> Parsed<(Operand, Operand, Operand)> {
        let (a, b) = self.two()?;
        self.punct(",")?;
        Ok((a, b, self.operand()?))
    }
}

fn access(flags: &mut Flags<'_>) -> Access {
    Access { volatile: flags.eat("volatile"), order: flags.take::<Order>() }
}
