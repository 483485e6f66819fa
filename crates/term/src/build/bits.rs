//! Bitwise operators, shifts, and the operators that cut and join bit-vectors.

use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::value::{self, BinOp};

impl TermPool {
    /// Whether the term is the constant with all bits set.
    pub(crate) fn is_all_ones(&self, t: TermId) -> bool {
        match *self.node(t) {
            Node::Const { width, value } => value == value::mask(width),
            Node::Wide { width, value } => *self.wide(value) == value::big_mask(width),
            _ => false,
        }
    }

    /// Whether the term is the constant 0.
    pub(crate) fn is_zero(&self, t: TermId) -> bool {
        match *self.node(t) {
            Node::Const { value, .. } => value == 0,
            Node::Wide { value, .. } => self.wide(value).bits() == 0,
            _ => false,
        }
    }

    /// Bitwise complement.
    pub fn bvnot(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        if let Some(value) = self.as_value(a) {
            return self.bv_value(width, &value::not(width, &value));
        }
        match *self.node(a) {
            Node::Not(x) => x,
            _ => self.intern_bv(Node::Not(a), width),
        }
    }

    /// Bitwise conjunction.
    pub fn bvand(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if width == 1 {
            return self.and(a, b);
        }
        if let Some(folded) = self.fold(BinOp::And, a, b) {
            return folded;
        }
        let (a, b) = self.constant_last(a, b);
        if a == b || self.is_all_ones(b) {
            return a;
        }
        if self.is_zero(b) {
            return b;
        }
        self.intern_bv(Node::BvAnd(a, b), width)
    }

    /// Bitwise disjunction.
    pub fn bvor(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if width == 1 {
            return self.or(a, b);
        }
        if let Some(folded) = self.fold(BinOp::Or, a, b) {
            return folded;
        }
        let (a, b) = self.constant_last(a, b);
        if a == b || self.is_zero(b) {
            return a;
        }
        if self.is_all_ones(b) {
            return b;
        }
        self.intern_bv(Node::BvOr(a, b), width)
    }

    /// Bitwise exclusive or.
    pub fn bvxor(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if width == 1 {
            return self.xor(a, b);
        }
        if let Some(folded) = self.fold(BinOp::Xor, a, b) {
            return folded;
        }
        let (a, b) = self.constant_last(a, b);
        if a == b {
            return self.bv(width, 0);
        }
        if self.is_zero(b) {
            return a;
        }
        if self.is_all_ones(b) {
            return self.bvnot(a);
        }
        self.intern_bv(Node::BvXor(a, b), width)
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
        if self.is_zero(b) || self.is_zero(a) {
            return a;
        }
        if let Some(amount) = self.as_value(b) {
            return match amount.to_u64() {
                Some(amount) if amount < u64::from(width) => {
                    let amount = amount as u32;
                    let kept = self.extract(a, width - 1 - amount, 0);
                    let zeros = self.bv(amount, 0);
                    self.concat(kept, zeros)
                }
                _ => self.bv(width, 0),
            };
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
        if self.is_zero(b) || self.is_zero(a) {
            return a;
        }
        if let Some(amount) = self.as_value(b) {
            return match amount.to_u64() {
                Some(amount) if amount < u64::from(width) => {
                    let kept = self.extract(a, width - 1, amount as u32);
                    self.zext(kept, width)
                }
                _ => self.bv(width, 0),
            };
        }
        self.intern_bv(Node::Lshr(a, b), width)
    }

    /// `a >> b`, filled with the sign; only signs if `b` is at least the width.
    pub fn ashr(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(BinOp::Ashr, a, b) {
            return folded;
        }
        if width == 1 || self.is_zero(b) || self.is_zero(a) || self.is_all_ones(a) {
            return a;
        }
        if let Some(amount) = self.as_value(b) {
            let last = u64::from(width) - 1;
            let amount = amount.to_u64().unwrap_or(last).min(last) as u32;
            let kept = self.extract(a, width - 1, amount);
            return self.sext(kept, width);
        }
        self.intern_bv(Node::Ashr(a, b), width)
    }

    /// The bits of `high` above those of `low`.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let low_width = self.width(low);
        let width = self.width(high) + low_width;
        if self.is_zero(high) {
            return self.zext(low, width);
        }
        if let (Some(h), Some(l)) = (self.as_value(high), self.as_value(low)) {
            return self.bv_value(width, &value::concat(&h, low_width, &l, width));
        }
        self.intern_bv(Node::Concat(high, low), width)
    }

    /// The bits `high_bit` to `low_bit` of `t`, both inclusive.
    pub fn extract(&mut self, t: TermId, high_bit: u32, low_bit: u32) -> TermId {
        let width = self.width(t);
        assert!(low_bit <= high_bit && high_bit < width, "no bits {high_bit}..{low_bit} in {width}");
        if low_bit == 0 && high_bit == width - 1 {
            return t;
        }
        if let Some(value) = self.as_value(t) {
            return self.bv_value(high_bit - low_bit + 1, &value::extract(&value, high_bit, low_bit));
        }
        self.intern_bv(Node::Extract { term: t, high: high_bit, low: low_bit }, high_bit - low_bit + 1)
    }

    /// `t` with zeros above it, `to_width` bits in all.
    pub fn zext(&mut self, t: TermId, to_width: u32) -> TermId {
        let width = self.width(t);
        assert!(to_width >= width, "cannot extend {width} bits to {to_width}");
        if to_width == width {
            return t;
        }
        if let Some(value) = self.as_value(t) {
            return self.bv_value(to_width, &value);
        }
        match *self.node(t) {
            Node::Zext(x) => self.zext(x, to_width),
            _ => self.intern_bv(Node::Zext(t), to_width),
        }
    }

    /// `t` with copies of its sign bit above it, `to_width` bits in all.
    pub fn sext(&mut self, t: TermId, to_width: u32) -> TermId {
        let width = self.width(t);
        assert!(to_width >= width, "cannot extend {width} bits to {to_width}");
        if to_width == width {
            return t;
        }
        if let Some(value) = self.as_value(t) {
            return self.bv_value(to_width, &value::sext(width, &value, to_width));
        }
        match *self.node(t) {
            Node::Zext(x) => self.zext(x, to_width),
            Node::Sext(x) => self.sext(x, to_width),
            _ => self.intern_bv(Node::Sext(t), to_width),
        }
    }
}
