//! Order: `<` unsigned and signed; the others are these, swapped or negated.
//!
//! A constant is on the right (`c < x` is `¬(x < c+1)`); comparisons that the operands'
//! ranges decide are constants, those that leave one value are equalities; extensions
//! are compared at the narrower width, quotients by a constant without the division; a
//! signed comparison of terms with the same known sign is unsigned.

use crate::facts::add_modulo;
use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::value::{BinOp, bin64, mask, signed};

/// How far comparisons are pushed into branches of an `ite`.
pub(super) const ITE_FUEL: u32 = 16;

impl TermPool {
    /// `a < b`, unsigned.
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult_within(a, b, ITE_FUEL)
    }

    fn ult_within(&mut self, a: TermId, b: TermId, fuel: u32) -> TermId {
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
        if width <= 64 {
            let ((a_lo, a_hi), (b_lo, b_hi)) = (self.range(a), self.range(b));
            if a_hi < b_lo {
                return self.tt();
            }
            if a_lo >= b_hi {
                return self.ff();
            }
            // A single value on either side makes the bounds above and below the only cases.
            if a_lo.checked_add(1) == Some(b_hi) && b_lo == b_hi {
                let least = self.bv(width, a_lo);
                return self.eq(a, least);
            }
            if a_hi == b_lo && b_lo == b_hi {
                let greatest = self.bv(width, a_hi);
                return self.ne(a, greatest);
            }
        } else if self.is_zero(b) || self.is_all_ones(a) {
            return self.ff();
        }
        if self.is_const(a) {
            // Not all ones: that was decided.
            let one = self.bv(width, 1);
            let next = self.fold(BinOp::Add, a, one).expect("two constants");
            let not_above = self.ult_within(b, next, fuel);
            return self.not(not_above);
        }
        if self.is_const(b) {
            return self.ult_constant(width, a, b, fuel);
        }
        match (*self.node(a), *self.node(b)) {
            (Node::Zext(x), Node::Zext(y)) => {
                let inner = self.width(x).max(self.width(y));
                let (x, y) = (self.zext(x, inner), self.zext(y, inner));
                return self.ult(x, y);
            }
            // Sign extension keeps the unsigned order too.
            (Node::Sext(x), Node::Sext(y)) => {
                let inner = self.width(x).max(self.width(y));
                let (x, y) = (self.sext(x, inner), self.sext(y, inner));
                return self.ult(x, y);
            }
            (Node::Not(x), Node::Not(y)) => return self.ult(y, x),
            (Node::Urem(_, d), _) if d == b => {
                let zero = self.bv(width, 0);
                return self.ne(b, zero);
            }
            (Node::BvOr(x, y), _) if x == b || y == b => return self.ff(),
            (_, Node::BvAnd(x, y)) if x == a || y == a => return self.ff(),
            _ => {}
        }
        self.intern_bool(Node::Ult(a, b))
    }

    /// `a < c` for a constant `c` that the range of `a` does not decide.
    fn ult_constant(&mut self, width: u32, a: TermId, c: TermId, fuel: u32) -> TermId {
        match *self.node(a) {
            Node::Zext(x) => {
                let inner = self.width(x);
                return match self.fitting_constant(c, inner, false) {
                    Some(c) => self.ult_within(x, c, fuel),
                    None => self.tt(),
                };
            }
            Node::Sext(x) => {
                let inner = self.width(x);
                return match self.fitting_constant(c, inner, true) {
                    Some(c) => self.ult_within(x, c, fuel),
                    // Between the extensions of the non-negative and of the negative numbers.
                    None => {
                        let negative = self.is_negative(x);
                        self.not(negative)
                    }
                };
            }
            Node::Concat(high, low) => {
                let low_width = self.width(low);
                let rest = self.extract(c, low_width - 1, 0);
                if self.is_zero(rest) {
                    let c = self.extract(c, width - 1, low_width);
                    return self.ult_within(high, c, fuel);
                }
            }
            Node::Not(x) => {
                let c = self.bvnot(c);
                return self.ult_within(c, x, fuel);
            }
            Node::Add(x, d) if width <= 64 => {
                if let (Some(d), Some(c)) = (self.as_u64(d), self.as_u64(c)) {
                    let (lo, hi) = self.range(x);
                    if !add_modulo(width, hi, d).1 {
                        // The sum does not wrap, and `c` is above its least value.
                        let c = self.bv(width, c - d);
                        return self.ult_within(x, c, fuel);
                    }
                    if add_modulo(width, lo, d).1 {
                        // It always wraps: x + d - 2^width < c.
                        let (limit, wraps) = add_modulo(width, c, (mask(width) - d) + 1);
                        if !wraps {
                            let c = self.bv(width, limit);
                            return self.ult_within(x, c, fuel);
                        }
                    }
                }
            }
            // x / d < c is x < c * d, since d is not zero.
            Node::Udiv(x, d) => {
                if let (Some(d), Some(c)) = (self.as_u64(d), self.as_u64(c)) {
                    return match self.product_within(width, c, d) {
                        Some(limit) => self.ult_within(x, limit, fuel),
                        None => self.tt(),
                    };
                }
            }
            Node::Ite(cond, x, y) if fuel > 0 && (self.is_const(x) || self.is_const(y)) => {
                let (x, y) = (self.ult_within(x, c, fuel - 1), self.ult_within(y, c, fuel - 1));
                return self.ite(cond, x, y);
            }
            _ => {}
        }
        self.intern_bool(Node::Ult(a, c))
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

    /// `a < 0`, signed: the sign bit.
    pub(super) fn is_negative(&mut self, a: TermId) -> TermId {
        let zero = self.bv(self.width(a), 0);
        self.slt(a, zero)
    }

    /// `a < b`, signed.
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.slt_within(a, b, ITE_FUEL)
    }

    fn slt_within(&mut self, a: TermId, b: TermId, fuel: u32) -> TermId {
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
        match (self.known_sign(a), self.known_sign(b)) {
            (Some(x), Some(y)) if x == y => return self.ult_within(a, b, fuel),
            (Some(x), Some(_)) => return self.bool(x),
            _ => {}
        }
        if width <= 64 {
            let ((a_lo, a_hi), (b_lo, b_hi)) = (self.signed_range(a), self.signed_range(b));
            if a_hi < b_lo {
                return self.tt();
            }
            if a_lo >= b_hi {
                return self.ff();
            }
            if a_lo.checked_add(1) == Some(b_hi) && b_lo == b_hi {
                let least = self.bv(width, a_lo as u64);
                return self.eq(a, least);
            }
            if a_hi == b_lo && b_lo == b_hi {
                let greatest = self.bv(width, a_hi as u64);
                return self.ne(a, greatest);
            }
        }
        if self.is_const(a) {
            let one = self.bv(width, 1);
            let next = self.fold(BinOp::Add, a, one).expect("two constants");
            if self.fold(BinOp::Slt, a, next) == Some(self.ff()) {
                // Nothing is above the greatest number.
                return self.ff();
            }
            let not_above = self.slt_within(b, next, fuel);
            return self.not(not_above);
        }
        if self.is_const(b) {
            return self.slt_constant(width, a, b, fuel);
        }
        match (*self.node(a), *self.node(b)) {
            (Node::Sext(x), Node::Sext(y)) => {
                let inner = self.width(x).max(self.width(y));
                let (x, y) = (self.sext(x, inner), self.sext(y, inner));
                return self.slt(x, y);
            }
            (Node::Not(x), Node::Not(y)) => return self.slt(y, x),
            _ => {}
        }
        self.intern_bool(Node::Slt(a, b))
    }

    /// `a < c`, signed, for a constant `c` that the range of `a` does not decide.
    fn slt_constant(&mut self, width: u32, a: TermId, c: TermId, fuel: u32) -> TermId {
        match *self.node(a) {
            Node::Sext(x) => {
                let inner = self.width(x);
                return match self.fitting_constant(c, inner, true) {
                    Some(c) => self.slt_within(x, c, fuel),
                    None => {
                        // Beyond all values of x, on the side of its sign.
                        let above = self.known_sign(c) == Some(false);
                        self.bool(above)
                    }
                };
            }
            Node::Concat(high, low) => {
                let low_width = self.width(low);
                let rest = self.extract(c, low_width - 1, 0);
                if self.is_zero(rest) {
                    let c = self.extract(c, width - 1, low_width);
                    return self.slt_within(high, c, fuel);
                }
            }
            Node::Not(x) => {
                let c = self.bvnot(c);
                return self.slt_within(c, x, fuel);
            }
            Node::Add(x, d) if width <= 64 => {
                if let (Some(d), Some(c)) = (self.as_u64(d), self.as_u64(c)) {
                    let (lo, hi) = self.signed_range(x);
                    let (d, c) = (signed(width, d), signed(width, c));
                    let fits = |v: Option<i64>| v.is_some_and(|v| signed(width, v as u64) == v);
                    // Neither the sum nor the moved constant may wrap.
                    if fits(lo.checked_add(d)) && fits(hi.checked_add(d)) && fits(c.checked_sub(d)) {
                        let c = self.bv(width, (c - d) as u64);
                        return self.slt_within(x, c, fuel);
                    }
                }
            }
            Node::Ite(cond, x, y) if fuel > 0 && (self.is_const(x) || self.is_const(y)) => {
                let (x, y) = (self.slt_within(x, c, fuel - 1), self.slt_within(y, c, fuel - 1));
                return self.ite(cond, x, y);
            }
            _ => {}
        }
        self.intern_bool(Node::Slt(a, c))
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

    /// Whether no assignment makes the two equal, as far as this is cheap to see.
    pub fn surely_differ(&self, a: TermId, b: TermId) -> bool {
        let width = self.width(a);
        if a == b {
            return false;
        }
        if (self.is_const(a) && self.is_const(b)) || self.complementary(a, b) {
            return true;
        }
        if width > 64 {
            return false;
        }
        let ((a_lo, a_hi), (b_lo, b_hi)) = (self.range(a), self.range(b));
        let (x, y) = (self.known_bits(a), self.known_bits(b));
        if a_hi < b_lo || b_hi < a_lo || x.ones & y.zeros != 0 || x.zeros & y.ones != 0 {
            return true;
        }
        let ((x, c), (y, d)) = (self.split_constant(a), self.split_constant(b));
        let constant = |c: Option<TermId>| c.and_then(|c| self.as_u64(c)).unwrap_or(0);
        x == y && bin64(BinOp::Eq, width, constant(c), constant(d)) == 0
    }
}
