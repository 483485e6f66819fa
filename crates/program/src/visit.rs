//! What an instruction reads, assigns and jumps to.
//!
//! The one place that knows where operands sit inside [`Inst`]; the printer's constant
//! numbering, the validator and the analyses go through it.
//! Guarantee: operands and registers come in the order in which the text form shows them.

use crate::{Block, BlockId, Callee, Edge, Inst, Operand, Reg};

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

macro_rules! dsts {
    ($inst:expr, $f:expr, $iter:ident) => {{
        let mut f = $f;
        match $inst {
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
            | Inst::VaArg { dst, .. } => f(dst),
            Inst::CmpXchg { old, ok, .. } => {
                f(old);
                f(ok);
            }
            Inst::Intrinsic { dsts, .. } | Inst::Call { dsts, .. } => dsts.$iter().for_each(f),
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
        dsts!(self, |dst: &Reg| f(*dst), iter);
    }

    /// Like [`for_each_dst`](Self::for_each_dst), to replace registers.
    pub fn for_each_dst_mut(&mut self, f: impl FnMut(&mut Reg)) {
        dsts!(self, f, iter_mut);
    }

    /// Calls `f` for each block that control can go to next.
    pub fn for_each_target_mut(&mut self, mut f: impl FnMut(&mut BlockId)) {
        match self {
            Inst::Jump { edge } => f(&mut edge.target),
            Inst::Branch { then, otherwise, .. } => {
                f(&mut then.target);
                f(&mut otherwise.target);
            }
            Inst::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, edge)| f(&mut edge.target));
                f(&mut default.target);
            }
            Inst::IndirectJump { targets, .. } => targets.iter_mut().for_each(|edge| f(&mut edge.target)),
            _ => {}
        }
    }

    /// Every edge that leaves a block through this instruction.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        let (mut cases, mut targets): (&[(u64, Edge)], &[Edge]) = (&[], &[]);
        let single = match self {
            Inst::Jump { edge } => [Some(edge), None],
            Inst::Branch { then, otherwise, .. } => [Some(then), Some(otherwise)],
            Inst::Switch { cases: all, default, .. } => {
                cases = all;
                [Some(default), None]
            }
            Inst::IndirectJump { targets: all, .. } => {
                targets = all;
                [None, None]
            }
            _ => [None, None],
        };
        cases.iter().map(|(_, edge)| edge).chain(targets).chain(single.into_iter().flatten())
    }
}

impl Block {
    /// The instruction that ends the block, if the block is well formed.
    pub fn terminator(&self) -> Option<&Inst> {
        self.insts.last().filter(|inst| inst.is_terminator())
    }

    /// Every outgoing edge.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        self.terminator().into_iter().flat_map(Inst::edges)
    }

    /// Blocks that control can go to from here, in the order of the edges; one that several edges lead to comes as often.
    pub fn successors(&self) -> impl Iterator<Item = BlockId> {
        self.edges().map(|edge| edge.target)
    }
}
