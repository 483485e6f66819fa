//! Shifts. By a constant they are products, extensions and pieces, never shift nodes.

use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::value::{self, BinOp};

impl TermPool {
    /// A constant shift amount, cut to the width.
    fn amount(&self, width: u32, b: TermId) -> Option<u32> {
        let amount = self.as_value(b)?.to_u64().unwrap_or(u64::MAX);
        Some(amount.min(u64::from(width)) as u32)
    }

    /// Whether every shift by `b` moves all bits out.
    fn shifts_all_out(&self, width: u32, b: TermId) -> bool {
        width <= 64 && self.range(b).0 >= u64::from(width)
    }

    /// `a << b`; 0 if `b` is at least the width.
    pub fn shl(&mut self, a: TermId, b: TermId) -> TermId {
        self.filled_with_zeros(BinOp::Shl, a, b, |pool, width, k| {
            let factor = pool.bv_value(width, &value::power(k));
            pool.mul(a, factor)
        })
    }

    /// `a >> b`, filled with 0; 0 if `b` is at least the width.
    pub fn lshr(&mut self, a: TermId, b: TermId) -> TermId {
        self.filled_with_zeros(BinOp::Lshr, a, b, |pool, width, k| {
            let kept = pool.extract(a, width - 1, k);
            pool.zext(kept, width)
        })
    }

    /// `a` shifted by `b`; `by` does it for a constant below the width.
    fn filled_with_zeros(
        &mut self,
        op: BinOp,
        a: TermId,
        b: TermId,
        by: impl FnOnce(&mut TermPool, u32, u32) -> TermId,
    ) -> TermId {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(op, a, b) {
            return folded;
        }
        if width == 1 {
            let not_b = self.not(b);
            return self.and(a, not_b);
        }
        if self.is_zero(a) {
            return a;
        }
        match self.amount(width, b) {
            Some(k) if k == width => self.bv(width, 0),
            Some(k) => by(self, width, k),
            None if self.shifts_all_out(width, b) => self.bv(width, 0),
            None if op == BinOp::Shl => self.intern_bv(Node::Shl(a, b), width),
            None => self.intern_bv(Node::Lshr(a, b), width),
        }
    }

    /// `a >> b`, filled with the sign; only signs if `b` is at least the width.
    pub fn ashr(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(BinOp::Ashr, a, b) {
            return folded;
        }
        if width == 1 || self.is_zero(a) || self.is_all_ones(a) {
            return a;
        }
        if let Some(k) = self.amount(width, b) {
            let kept = self.extract(a, width - 1, k.min(width - 1));
            return self.sext(kept, width);
        }
        if self.known_sign(a) == Some(false) {
            return self.lshr(a, b);
        }
        if self.shifts_all_out(width, b) {
            let sign = self.extract(a, width - 1, width - 1);
            return self.sext(sign, width);
        }
        self.intern_bv(Node::Ashr(a, b), width)
    }
}
