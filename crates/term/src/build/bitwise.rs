//! Complement, conjunction, disjunction, exclusive or on more than one bit.
//!
//! Constants are the second operand; complements move out of `xor` and, by De Morgan,
//! out of pairs; a conjunction with a run of ones is a piece of the term between zeros;
//! a disjunction of pieces that nowhere overlap is their concatenation.

use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::value::{self, BinOp, mask};

impl TermPool {
    /// Whether the term is the constant with all bits set.
    pub(crate) fn is_all_ones(&self, t: TermId) -> bool {
        match *self.node(t) {
            Node::Const { width, value } => value == mask(width),
            Node::Wide { width, value } => self.wide(value).count_ones() == u64::from(width),
            _ => false,
        }
    }

    /// Whether the term is the constant 0.
    #[inline]
    pub(crate) fn is_zero(&self, t: TermId) -> bool {
        match *self.node(t) {
            Node::Const { value, .. } => value == 0,
            Node::Wide { value, .. } => self.wide(value).bits() == 0,
            _ => false,
        }
    }

    /// Whether the term is the constant 1.
    #[inline]
    pub(crate) fn is_one(&self, t: TermId) -> bool {
        match *self.node(t) {
            Node::Const { value, .. } => value == 1,
            Node::Wide { value, .. } => self.wide(value).bits() == 1,
            _ => false,
        }
    }

    /// The constant with all bits set.
    pub(crate) fn all_ones(&mut self, width: u32) -> TermId {
        if width <= 64 { self.bv(width, u64::MAX) } else { self.bv_wide(width, value::big_mask(width)) }
    }

    /// Whether one term is the complement of the other.
    #[inline]
    pub(crate) fn complementary(&self, a: TermId, b: TermId) -> bool {
        *self.node(a) == Node::Not(b) || *self.node(b) == Node::Not(a)
    }

    /// Bitwise complement.
    pub fn bvnot(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        match *self.node(a) {
            Node::Not(x) => x,
            Node::Const { value, .. } => self.bv(width, !value),
            Node::Wide { .. } => {
                let value = self.as_value(a).expect("a constant");
                self.bv_value(width, &value::not(width, &value))
            }
            _ if width == 1 => self.intern_bool(Node::Not(a)),
            Node::Neg(x) => {
                let minus_one = self.all_ones(width);
                self.add_constant(width, x, minus_one)
            }
            // ~s is -s - 1, which keeps the sum open to cancellation.
            Node::Add(..) => match self.negated_sum(width, a) {
                Some(minus) => {
                    let minus_one = self.all_ones(width);
                    self.add_constant(width, minus, minus_one)
                }
                None => self.intern_bv(Node::Not(a), width),
            },
            Node::BvXor(x, c) if self.is_const(c) => {
                let c = self.bvnot(c);
                self.bvxor(x, c)
            }
            Node::Sext(x) => {
                let x = self.bvnot(x);
                self.sext(x, width)
            }
            Node::Ite(c, x, y) if self.is_const(x) && self.is_const(y) => {
                let (x, y) = (self.bvnot(x), self.bvnot(y));
                self.ite(c, x, y)
            }
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
        if self.complementary(a, b) {
            return self.bv(width, 0);
        }
        if self.is_const(b) {
            return self.and_constant(width, a, b);
        }
        match (*self.node(a), *self.node(b)) {
            (Node::BvAnd(x, y), _) if x == b || y == b => return a,
            (_, Node::BvAnd(x, y)) if x == a || y == a => return b,
            (Node::BvOr(x, y), _) if x == b || y == b => return b,
            (_, Node::BvOr(x, y)) if x == a || y == a => return a,
            (Node::Not(x), Node::Not(y)) => {
                let either = self.bvor(x, y);
                return self.bvnot(either);
            }
            (Node::Zext(x), _) => return self.and_extended(width, x, b),
            (_, Node::Zext(y)) => return self.and_extended(width, y, a),
            (Node::Sext(x), _) if self.width(x) == 1 => {
                let zero = self.bv(width, 0);
                return self.ite(x, b, zero);
            }
            (_, Node::Sext(y)) if self.width(y) == 1 => {
                let zero = self.bv(width, 0);
                return self.ite(y, a, zero);
            }
            _ => {}
        }
        self.intern_bv(Node::BvAnd(a, b), width)
    }

    /// `zext(x) & other`: nothing above `x` survives.
    fn and_extended(&mut self, width: u32, x: TermId, other: TermId) -> TermId {
        let low = self.extract(other, self.width(x) - 1, 0);
        let both = self.bvand(x, low);
        self.zext(both, width)
    }

    fn and_constant(&mut self, width: u32, a: TermId, c: TermId) -> TermId {
        match *self.node(a) {
            Node::BvAnd(x, d) if self.is_const(d) => {
                let c = self.bvand(c, d);
                return self.bvand(x, c);
            }
            Node::Zext(x) => return self.and_extended(width, x, c),
            Node::Sext(x) if self.width(x) == 1 => {
                let zero = self.bv(width, 0);
                return self.ite(x, c, zero);
            }
            Node::Ite(cond, x, y) if self.is_const(x) && self.is_const(y) => {
                let (x, y) = (self.bvand(x, c), self.bvand(y, c));
                return self.ite(cond, x, y);
            }
            _ => {}
        }
        if let Node::Const { value, .. } = *self.node(c) {
            // Bits of the mask where the term is 0 anyway do not matter, those where it
            // may be 1 do.
            let possible = !self.known_bits(a).zeros & mask(width);
            if possible & !value == 0 {
                return a;
            }
            if value & !possible != 0 {
                let c = self.bv(width, value & possible);
                return self.bvand(a, c);
            }
        }
        if let Some((high, low)) = self.run_of_ones(c) {
            let piece = self.extract(a, high, low);
            let extended = self.zext(piece, width - low);
            if low == 0 {
                return extended;
            }
            let zeros = self.bv(low, 0);
            return self.concat(extended, zeros);
        }
        if let Node::Concat(high, low) = *self.node(a) {
            let low_width = self.width(low);
            let (c_high, c_low) = (self.extract(c, width - 1, low_width), self.extract(c, low_width - 1, 0));
            let (high, low) = (self.bvand(high, c_high), self.bvand(low, c_low));
            return self.concat(high, low);
        }
        self.intern_bv(Node::BvAnd(a, c), width)
    }

    /// The highest and lowest bit of a constant whose ones are contiguous.
    fn run_of_ones(&self, c: TermId) -> Option<(u32, u32)> {
        let (low, length, ones) = match *self.node(c) {
            Node::Const { value, .. } => {
                let low = value.trailing_zeros();
                (low, 64 - value.leading_zeros() - low, value.count_ones())
            }
            Node::Wide { value, .. } => {
                let value = self.wide(value);
                let low = value.trailing_zeros()? as u32;
                (low, value.bits() as u32 - low, value.count_ones() as u32)
            }
            _ => return None,
        };
        (length == ones).then(|| (low + length - 1, low))
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
        if self.complementary(a, b) {
            return self.all_ones(width);
        }
        if let Some(joined) = self.join_disjoint(a, b) {
            return joined;
        }
        if self.is_const(b) {
            return self.or_constant(width, a, b);
        }
        match (*self.node(a), *self.node(b)) {
            (Node::BvOr(x, y), _) if x == b || y == b => return a,
            (_, Node::BvOr(x, y)) if x == a || y == a => return b,
            (Node::BvAnd(x, y), _) if x == b || y == b => return b,
            (_, Node::BvAnd(x, y)) if x == a || y == a => return a,
            (Node::Not(x), Node::Not(y)) => {
                let both = self.bvand(x, y);
                return self.bvnot(both);
            }
            (Node::Zext(x), Node::Zext(y)) => {
                let inner = self.width(x).max(self.width(y));
                let (x, y) = (self.zext(x, inner), self.zext(y, inner));
                let either = self.bvor(x, y);
                return self.zext(either, width);
            }
            _ => {}
        }
        self.intern_bv(Node::BvOr(a, b), width)
    }

    fn or_constant(&mut self, width: u32, a: TermId, c: TermId) -> TermId {
        match *self.node(a) {
            Node::BvOr(x, d) if self.is_const(d) => {
                let c = self.bvor(c, d);
                return self.bvor(x, c);
            }
            Node::Ite(cond, x, y) if self.is_const(x) && self.is_const(y) => {
                let (x, y) = (self.bvor(x, c), self.bvor(y, c));
                return self.ite(cond, x, y);
            }
            Node::Concat(high, low) => {
                let low_width = self.width(low);
                let c_high = self.extract(c, width - 1, low_width);
                let c_low = self.extract(c, low_width - 1, 0);
                let (high, low) = (self.bvor(high, c_high), self.bvor(low, c_low));
                return self.concat(high, low);
            }
            Node::Zext(x) => {
                let low_width = self.width(x);
                let c_high = self.extract(c, width - 1, low_width);
                let c_low = self.extract(c, low_width - 1, 0);
                let low = self.bvor(x, c_low);
                return self.concat(c_high, low);
            }
            _ => {}
        }
        if let Node::Const { value, .. } = *self.node(c)
            && value & !self.known_bits(a).ones == 0
        {
            return a;
        }
        self.intern_bv(Node::BvOr(a, c), width)
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
        match (*self.node(a), *self.node(b)) {
            (Node::Not(x), _) => {
                let differ = self.bvxor(x, b);
                return self.bvnot(differ);
            }
            (_, Node::Not(y)) => {
                let differ = self.bvxor(a, y);
                return self.bvnot(differ);
            }
            (Node::BvXor(x, y), _) if x == b => return y,
            (Node::BvXor(x, y), _) if y == b => return x,
            (_, Node::BvXor(x, y)) if x == a => return y,
            (_, Node::BvXor(x, y)) if y == a => return x,
            // Constants gather at the outside.
            (Node::BvXor(x, c), _) if self.is_const(c) => {
                if self.is_const(b) {
                    let c = self.bvxor(c, b);
                    return self.bvxor(x, c);
                }
                let differ = self.bvxor(x, b);
                return self.bvxor(differ, c);
            }
            (_, Node::BvXor(y, c)) if self.is_const(c) => {
                let differ = self.bvxor(a, y);
                return self.bvxor(differ, c);
            }
            (Node::Ite(cond, x, y), _) if self.is_const(b) && self.is_const(x) && self.is_const(y) => {
                let (x, y) = (self.bvxor(x, b), self.bvxor(y, b));
                return self.ite(cond, x, y);
            }
            (Node::Zext(x), Node::Zext(y)) => {
                let inner = self.width(x).max(self.width(y));
                let (x, y) = (self.zext(x, inner), self.zext(y, inner));
                let differ = self.bvxor(x, y);
                return self.zext(differ, width);
            }
            (Node::Zext(low), _) if self.is_const(b) => {
                let split = self.width(low);
                let (high, c) = (self.extract(b, width - 1, split), self.extract(b, split - 1, 0));
                let low = self.bvxor(low, c);
                return self.concat(high, low);
            }
            (Node::Concat(high, low), _) if self.is_const(b) => {
                let split = self.width(low);
                let (c, d) = (self.extract(b, width - 1, split), self.extract(b, split - 1, 0));
                let (high, low) = (self.bvxor(high, c), self.bvxor(low, d));
                return self.concat(high, low);
            }
            _ => {}
        }
        if let Some(joined) = self.join_disjoint(a, b) {
            return joined;
        }
        self.intern_bv(Node::BvXor(a, b), width)
    }
}
