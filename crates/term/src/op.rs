//! Operators without operands: what a term does, apart from what it does it to.

use serde::{Deserialize, Serialize};

use crate::float::FpOp;
use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::sort::Sort;

/// The operator of an inner [`Node`], with all that is not an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Op {
    Not,
    And,
    BvAnd,
    BvOr,
    BvXor,
    Neg,
    Add,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Shl,
    Lshr,
    Ashr,
    Concat,
    Extract { high: u32, low: u32 },
    Zext { width: u32 },
    Sext { width: u32 },
    Eq,
    Ult,
    Slt,
    Ite,
    ConstArray { index: u32 },
    Select,
    Store,
    IAdd,
    IMul,
    IDiv,
    IMod,
    ILe,
    Fp(FpOp),
}

impl TermPool {
    /// The operator of a term; `None` for variables and constants.
    #[inline]
    pub(crate) fn op(&self, t: TermId) -> Option<Op> {
        Some(match *self.node(t) {
            Node::Var(_) | Node::Const { .. } | Node::Wide { .. } | Node::IntConst(_) => return None,
            Node::Not(_) => Op::Not,
            Node::And(_) => Op::And,
            Node::BvAnd(..) => Op::BvAnd,
            Node::BvOr(..) => Op::BvOr,
            Node::BvXor(..) => Op::BvXor,
            Node::Neg(_) => Op::Neg,
            Node::Add(..) => Op::Add,
            Node::Mul(..) => Op::Mul,
            Node::Udiv(..) => Op::Udiv,
            Node::Urem(..) => Op::Urem,
            Node::Sdiv(..) => Op::Sdiv,
            Node::Srem(..) => Op::Srem,
            Node::Shl(..) => Op::Shl,
            Node::Lshr(..) => Op::Lshr,
            Node::Ashr(..) => Op::Ashr,
            Node::Concat(..) => Op::Concat,
            Node::Extract { high, low, .. } => Op::Extract { high, low },
            Node::Zext(_) => Op::Zext { width: self.width(t) },
            Node::Sext(_) => Op::Sext { width: self.width(t) },
            Node::Eq(..) => Op::Eq,
            Node::Ult(..) => Op::Ult,
            Node::Slt(..) => Op::Slt,
            Node::Ite(..) => Op::Ite,
            Node::ConstArray(_) => match self.sort(t) {
                Sort::Array { index, .. } => Op::ConstArray { index },
                other => unreachable!("a constant array of sort {other:?}"),
            },
            Node::Select(..) => Op::Select,
            Node::Store(..) => Op::Store,
            Node::IAdd(..) => Op::IAdd,
            Node::IMul(..) => Op::IMul,
            Node::IDiv(..) => Op::IDiv,
            Node::IMod(..) => Op::IMod,
            Node::ILe(..) => Op::ILe,
            Node::Fp(op, _) => Op::Fp(op),
        })
    }

    /// The term of an operator over operands of its sorts.
    #[inline]
    pub(crate) fn apply(&mut self, op: Op, operands: &[TermId]) -> TermId {
        let o = |i: usize| operands[i];
        match op {
            Op::Not => self.bvnot(o(0)),
            Op::And => self.and_all(operands),
            Op::BvAnd => self.bvand(o(0), o(1)),
            Op::BvOr => self.bvor(o(0), o(1)),
            Op::BvXor => self.bvxor(o(0), o(1)),
            Op::Neg => self.neg(o(0)),
            Op::Add => self.add(o(0), o(1)),
            Op::Mul => self.mul(o(0), o(1)),
            Op::Udiv => self.udiv(o(0), o(1)),
            Op::Urem => self.urem(o(0), o(1)),
            Op::Sdiv => self.sdiv(o(0), o(1)),
            Op::Srem => self.srem(o(0), o(1)),
            Op::Shl => self.shl(o(0), o(1)),
            Op::Lshr => self.lshr(o(0), o(1)),
            Op::Ashr => self.ashr(o(0), o(1)),
            Op::Concat => self.concat(o(0), o(1)),
            Op::Extract { high, low } => self.extract(o(0), high, low),
            Op::Zext { width } => self.zext(o(0), width),
            Op::Sext { width } => self.sext(o(0), width),
            Op::Eq => self.eq(o(0), o(1)),
            Op::Ult => self.ult(o(0), o(1)),
            Op::Slt => self.slt(o(0), o(1)),
            Op::Ite => self.ite(o(0), o(1), o(2)),
            Op::ConstArray { index } => self.const_array(index, o(0)),
            Op::Select => self.select(o(0), o(1)),
            Op::Store => self.store(o(0), o(1), o(2)),
            Op::IAdd => self.iadd(o(0), o(1)),
            Op::IMul => self.imul(o(0), o(1)),
            Op::IDiv => self.idiv(o(0), o(1)),
            Op::IMod => self.imod(o(0), o(1)),
            Op::ILe => self.ile(o(0), o(1)),
            Op::Fp(op) => self.fp(op, operands),
        }
    }

    /// The term of `t`'s operator over other operands of the same sorts.
    pub fn rebuild(&mut self, t: TermId, operands: &[TermId]) -> TermId {
        match self.op(t) {
            Some(op) => self.apply(op, operands),
            None => t,
        }
    }
}
