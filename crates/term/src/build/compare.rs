//! Comparisons.

use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::value::BinOp;

impl TermPool {
    /// `a = b`, for any sort.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        let sort = self.sorts[a.0 as usize];
        assert!(self.sorts[b.0 as usize] == sort, "{a} and {b} differ in sort");
        if a == b {
            return self.tt();
        }
        if let Some(folded) = self.fold(BinOp::Eq, a, b) {
            return folded;
        }
        let (a, b) = self.constant_last(a, b);
        if self.is_const(a) && self.is_const(b) {
            // Different constants of one sort.
            return self.ff();
        }
        if sort.width_or_zero() == 1 {
            if let Some(b) = self.as_bool(b) {
                return if b { a } else { self.not(a) };
            }
            match (*self.node(a), *self.node(b)) {
                (Node::Not(x), Node::Not(y)) => return self.eq(x, y),
                (Node::Not(x), _) => {
                    let same = self.eq(x, b);
                    return self.not(same);
                }
                (_, Node::Not(y)) => {
                    let same = self.eq(a, y);
                    return self.not(same);
                }
                _ => {}
            }
        }
        self.intern_bool(Node::Eq(a, b))
    }

    /// `a ≠ b`, for any sort.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// `a < b`, unsigned.
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if a == b {
            return self.ff();
        }
        if let Some(folded) = self.fold(BinOp::Ult, a, b) {
            return folded;
        }
        if width == 1 {
            let not_a = self.not(a);
            return self.and(not_a, b);
        }
        if self.is_zero(b) || self.is_all_ones(a) {
            return self.ff();
        }
        self.intern_bool(Node::Ult(a, b))
    }

    /// `a ≤ b`, unsigned.
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// `a > b`, unsigned.
    pub fn ugt(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(b, a)
    }

    /// `a ≥ b`, unsigned.
    pub fn uge(&mut self, a: TermId, b: TermId) -> TermId {
        self.ule(b, a)
    }

    /// `a < b`, signed.
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if a == b {
            return self.ff();
        }
        if let Some(folded) = self.fold(BinOp::Slt, a, b) {
            return folded;
        }
        if width == 1 {
            let not_b = self.not(b);
            return self.and(a, not_b);
        }
        self.intern_bool(Node::Slt(a, b))
    }

    /// `a ≤ b`, signed.
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    /// `a > b`, signed.
    pub fn sgt(&mut self, a: TermId, b: TermId) -> TermId {
        self.slt(b, a)
    }

    /// `a ≥ b`, signed.
    pub fn sge(&mut self, a: TermId, b: TermId) -> TermId {
        self.sle(b, a)
    }
}
