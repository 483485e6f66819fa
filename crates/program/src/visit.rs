//! What an instruction reads, assigns and jumps to.
//!
//! The one place that knows where operands sit inside [`Inst`]; the printer's constant
//! numbering, the validator and the analyses go through it.
//! Guarantee: operands and registers come in the order in which the text form shows them.

use crate::{Block, Callee, Edge, Inst, Operand, Reg};

macro_rules! operands {
    ($inst:expr, $f:expr, $iter:ident) => {{
        let mut f = $f;
        match $inst {
            Inst::Bin { a, b, .. }
            | Inst::Cmp { a, b, .. }
            | Inst::FBin { a, b, .. }
            | Inst::FCmp { a, b, .. } => {
                f(a);
                f(b);
            }
            Inst::FNeg { a, .. } | Inst::Cast { a, .. } | Inst::Copy { a, .. } | Inst::Freeze { a, .. } => {
                f(a)
            }
            Inst::Select { cond, a, b, .. } => {
                f(cond);
                f(a);
                f(b);
            }
            Inst::Intrinsic { args, .. } => args.$iter().for_each(f),
            Inst::PtrAdd { base, scaled, .. } => {
                f(base);
                scaled.$iter().for_each(|(index, _, _)| f(index));
            }
            Inst::Alloca { count, .. } => f(count),
            Inst::Load { ptr, .. } => f(ptr),
            Inst::Store { value, ptr, .. } => {
                f(value);
                f(ptr);
            }
            Inst::MemCopy { to, from, len, .. } => {
                f(to);
                f(from);
                f(len);
            }
            Inst::MemSet { to, byte, len } => {
                f(to);
                f(byte);
                f(len);
            }
            Inst::AtomicRmw { ptr, value, .. } => {
                f(ptr);
                f(value);
            }
            Inst::CmpXchg { ptr, expected, new, .. } => {
                f(ptr);
                f(expected);
                f(new);
            }
            Inst::Lifetime { ptr, .. } => f(ptr),
            Inst::StackRestore { mark } => f(mark),
            Inst::VaStart { list } | Inst::VaEnd { list } | Inst::VaArg { list, .. } => f(list),
            Inst::VaCopy { to, from } => {
                f(to);
                f(from);
            }
            Inst::Call { callee, args, .. } => {
                if let Callee::Indirect(target) = callee {
                    f(target);
                }
                args.$iter().for_each(|arg| match arg {
                    crate::Arg { value, .. } => f(value),
                });
            }
            Inst::Jump { edge } => match edge {
                Edge { args, .. } => args.$iter().for_each(f),
            },
            Inst::Branch { cond, then, otherwise } => {
                f(cond);
                for Edge { args, .. } in [then, otherwise] {
                    args.$iter().for_each(&mut f);
                }
            }
            Inst::Switch { value, cases, default, .. } => {
                f(value);
                cases.$iter().for_each(|(_, Edge { args, .. })| args.$iter().for_each(&mut f));
                match default {
                    Edge { args, .. } => args.$iter().for_each(f),
                }
            }
            Inst::IndirectJump { addr, targets } => {
                f(addr);
                targets.$iter().for_each(|Edge { args, .. }| args.$iter().for_each(&mut f));
            }
            Inst::Return { values } => values.$iter().for_each(f),
            Inst::Fence { .. }
            | Inst::StackSave { .. }
            | Inst::Unsupported { .. }
            | Inst::Unreachable
            | Inst::Trap => {}
        }
    }};
}

impl Inst {
    /// Calls `f` with every operand, those of edges included.
    pub fn for_each_operand(&self, f: impl FnMut(&Operand)) {
        operands!(self, f, iter);
    }

    /// Like [`for_each_operand`](Self::for_each_operand), to replace operands.
    pub fn for_each_operand_mut(&mut self, f: impl FnMut(&mut Operand)) {
        operands!(self, f, iter_mut);
    }

    /// Calls `f` with every register this assigns.
    pub fn for_each_dst(&self, mut f: impl FnMut(Reg)) {
        match self {
            Inst::Bin { dst, .. }
            | Inst::Cmp { dst, .. }
            | Inst::FBin { dst, .. }
            | Inst::FNeg { dst, .. }
            | Inst::FCmp { dst, .. }
            | Inst::Cast { dst, .. }
            | Inst::Select { dst, .. }
            | Inst::Copy { dst, .. }
            | Inst::Freeze { dst, .. }
            | Inst::PtrAdd { dst, .. }
            | Inst::Alloca { dst, .. }
            | Inst::Load { dst, .. }
            | Inst::AtomicRmw { dst, .. }
            | Inst::StackSave { dst }
            | Inst::VaArg { dst, .. } => f(*dst),
            Inst::CmpXchg { old, ok, .. } => {
                f(*old);
                f(*ok);
            }
            Inst::Intrinsic { dsts, .. } | Inst::Call { dsts, .. } => dsts.iter().copied().for_each(f),
            Inst::Store { .. }
            | Inst::MemCopy { .. }
            | Inst::MemSet { .. }
            | Inst::Fence { .. }
            | Inst::Lifetime { .. }
            | Inst::StackRestore { .. }
            | Inst::VaStart { .. }
            | Inst::VaCopy { .. }
            | Inst::VaEnd { .. }
            | Inst::Unsupported { .. }
            | Inst::Jump { .. }
            | Inst::Branch { .. }
            | Inst::Switch { .. }
            | Inst::IndirectJump { .. }
            | Inst::Return { .. }
            | Inst::Unreachable
            | Inst::Trap => {}
        }
    }

    /// Calls `f` with every edge that leaves a block through this instruction.
    pub fn for_each_edge<'a>(&'a self, mut f: impl FnMut(&'a Edge)) {
        match self {
            Inst::Jump { edge } => f(edge),
            Inst::Branch { then, otherwise, .. } => {
                f(then);
                f(otherwise);
            }
            Inst::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, edge)| f(edge));
                f(default);
            }
            Inst::IndirectJump { targets, .. } => targets.iter().for_each(f),
            _ => {}
        }
    }
}

impl Block {
    /// The instruction that ends the block, if the block is well formed.
    pub fn terminator(&self) -> Option<&Inst> {
        self.insts.last().filter(|inst| inst.is_terminator())
    }

    /// Calls `f` with every outgoing edge.
    pub fn for_each_edge<'a>(&'a self, f: impl FnMut(&'a Edge)) {
        if let Some(inst) = self.terminator() {
            inst.for_each_edge(f);
        }
    }
}
