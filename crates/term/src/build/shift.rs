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
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(BinOp::Shl, a, b) {
            return folded;
        }
        if width == 1 {
            let not_b = self.not(b);
            return self.and(a, not_b);
        }
        if self.is_zero(a) {
            return a;
        }
        if let Some(k) = self.amount(width, b) {
            if k == width {
                return self.bv(width, 0);
            }
            let factor = self.bv_value(width, &value::power(k));
            return self.mul(a, factor);
        }
        if self.shifts_all_out(width, b) {
            return self.bv(width, 0);
        }
        self.intern_bv(Node::Shl(a, b), width)
    }

    /// `a >> b`, filled with 0; 0 if `b` is at least the width.
    pub fn lshr(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(BinOp::Lshr, a, b) {
            return folded;
        }
        if width == 1 {
            let not_b = self.not(b);
            return self.and(a, not_b);
        }
        if self.is_zero(a) {
            return a;
        }
        if let Some(k) = self.amount(width, b) {
            if k == width {
                return self.bv(width, 0);
            }
            let kept = self.extract(a, width - 1, k);
            return self.zext(kept, width);
        }
        if self.shifts_all_out(width, b) {
            return self.bv(width, 0);
        }
        self.intern_bv(Node::Lshr(a, b), width)
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
