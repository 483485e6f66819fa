//! Sums, products, quotients.
//!
//! Sums are kept by [`super::linear`]. Of products: the constant is the second operand,
//! is positive as a signed number and not 1; a factor's own constant is pulled out.

use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::value::{self, BinOp, mask};

impl TermPool {
    /// `a + b`.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if width == 1 {
            return self.xor(a, b);
        }
        let (a, b) = self.constant_last(a, b);
        if self.is_const(b) {
            return self.add_constant(width, a, b);
        }
        if *self.node(b) == Node::Not(a) || *self.node(a) == Node::Not(b) {
            return self.all_ones(width);
        }
        let (x, c) = self.split_complement(width, a);
        let (y, d) = self.split_complement(width, b);
        let mut sum = self.add_sums(width, x, y);
        for constant in [c, d].into_iter().flatten() {
            sum = self.add_constant(width, sum, constant);
        }
        sum
    }

    /// The summand without its constant, and the constant; `~x` is `-x - 1`.
    fn split_complement(&mut self, width: u32, t: TermId) -> (TermId, Option<TermId>) {
        match *self.node(t) {
            Node::Not(x) => {
                let minus = self.neg(x);
                let minus_one = self.all_ones(width);
                (minus, Some(minus_one))
            }
            _ => self.split_constant(t),
        }
    }

    /// `a - b`.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.bv(self.width(a), 0);
        }
        let minus = self.neg(b);
        self.add(a, minus)
    }

    /// `-a`.
    pub fn neg(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        if width == 1 {
            return a;
        }
        match *self.node(a) {
            Node::Const { value, .. } => self.bv(width, value.wrapping_neg()),
            Node::Wide { .. } => {
                let value = self.as_value(a).expect("a constant");
                self.bv_value(width, &value::neg(width, &value))
            }
            Node::Neg(x) => x,
            Node::Not(x) => {
                let one = self.bv(width, 1);
                self.add_constant(width, x, one)
            }
            Node::Add(..) => match self.negated_sum(width, a) {
                Some(sum) => sum,
                None => self.intern_bv(Node::Neg(a), width),
            },
            Node::Ite(c, x, y) if self.is_const(x) && self.is_const(y) => {
                let (x, y) = (self.neg(x), self.neg(y));
                self.ite(c, x, y)
            }
            _ => self.intern_bv(Node::Neg(a), width),
        }
    }

    /// `a * b`.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if width == 1 {
            return self.and(a, b);
        }
        if let Some(folded) = self.fold(BinOp::Mul, a, b) {
            return folded;
        }
        let (a, b) = self.constant_last(a, b);
        if self.is_const(b) {
            return self.mul_constant(width, a, b);
        }
        // Signs and constants of the factors go outside.
        for (factor, other) in [(a, b), (b, a)] {
            match *self.node(factor) {
                Node::Neg(x) => {
                    let product = self.mul(x, other);
                    return self.neg(product);
                }
                Node::Mul(x, c) if self.is_const(c) => {
                    let product = self.mul(x, other);
                    return self.mul(product, c);
                }
                Node::Zext(x) if self.width(x) == 1 => {
                    let zero = self.bv(width, 0);
                    return self.ite(x, other, zero);
                }
                _ => {}
            }
        }
        self.intern_bv(Node::Mul(a, b), width)
    }

    /// `a * c` for a constant `c`, `a` not constant.
    fn mul_constant(&mut self, width: u32, a: TermId, c: TermId) -> TermId {
        if self.is_zero(c) {
            return c;
        }
        if self.is_one(c) {
            return a;
        }
        // The least number is its own negation and stays.
        if self.known_sign(c) == Some(true) {
            let minus = self.neg(c);
            if minus != c {
                let product = self.mul(a, minus);
                return self.neg(product);
            }
        }
        match *self.node(a) {
            Node::Neg(x) => {
                let product = self.mul(x, c);
                return self.neg(product);
            }
            Node::Mul(x, d) if self.is_const(d) => {
                let c = self.mul(c, d);
                return self.mul(x, c);
            }
            Node::Add(x, d) if self.is_const(d) => {
                let (x, d) = (self.mul(x, c), self.mul(d, c));
                return self.add(x, d);
            }
            Node::Ite(cond, x, y) if self.is_const(x) && self.is_const(y) => {
                let (x, y) = (self.mul(x, c), self.mul(y, c));
                return self.ite(cond, x, y);
            }
            // Terms made of pieces stay so when shifted.
            Node::Zext(_) | Node::Concat(..) => {
                if let Some(k) = self.log2(c) {
                    return self.shifted_pieces(a, k);
                }
            }
            _ => {}
        }
        self.intern_bv(Node::Mul(a, c), width)
    }

    /// `a << k` as pieces: the bits that stay above zeros.
    pub(super) fn shifted_pieces(&mut self, a: TermId, k: u32) -> TermId {
        let width = self.width(a);
        if k == 0 {
            return a;
        }
        let kept = self.extract(a, width - 1 - k, 0);
        let zeros = self.bv(k, 0);
        self.concat(kept, zeros)
    }

    /// The exponent if the term is a constant power of two.
    pub(super) fn log2(&self, t: TermId) -> Option<u32> {
        match *self.node(t) {
            Node::Const { value, .. } => value.is_power_of_two().then(|| value.trailing_zeros()),
            Node::Wide { value, .. } => {
                let value = self.wide(value);
                (value.count_ones() == 1).then(|| value.bits() as u32 - 1)
            }
            _ => None,
        }
    }

    /// Unsigned quotient; all ones if `b` is 0.
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(BinOp::Udiv, a, b) {
            return folded;
        }
        if width == 1 {
            // Division by 0 gives 1, division by 1 the dividend.
            let not_b = self.not(b);
            return self.or(a, not_b);
        }
        if let Some(k) = self.log2(b) {
            let amount = self.bv(width, u64::from(k));
            return self.lshr(a, amount);
        }
        if self.is_zero(b) {
            return self.all_ones(width);
        }
        // Writing a number digit by digit divides quotients again and again.
        if let Node::Udiv(x, d) = *self.node(a)
            && let (Some(d), Some(c)) = (self.as_u64(d), self.as_u64(b))
        {
            return match self.product_within(width, d, c) {
                Some(divisor) => self.udiv(x, divisor),
                None => self.bv(width, 0),
            };
        }
        if let Some((x, y)) = self.narrowed_unsigned(a, b) {
            let quotient = self.udiv(x, y);
            return self.zext(quotient, width);
        }
        self.intern_bv(Node::Udiv(a, b), width)
    }

    /// The constant `c * d`, unless it needs more than `width` bits.
    pub(super) fn product_within(&mut self, width: u32, c: u64, d: u64) -> Option<TermId> {
        let product = c.checked_mul(d).filter(|p| *p <= mask(width))?;
        Some(self.bv(width, product))
    }

    /// Unsigned remainder; `a` if `b` is 0.
    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(BinOp::Urem, a, b) {
            return folded;
        }
        if width == 1 {
            let not_b = self.not(b);
            return self.and(a, not_b);
        }
        if self.is_zero(b) {
            return a;
        }
        if let Some(k) = self.log2(b) {
            return self.low_bits(a, k);
        }
        if width <= 64 && self.range(a).1 < self.range(b).0 {
            return a;
        }
        if let Some((x, y)) = self.narrowed_unsigned(a, b) {
            let rest = self.urem(x, y);
            return self.zext(rest, width);
        }
        self.intern_bv(Node::Urem(a, b), width)
    }

    /// `a` with all but its `k` lowest bits cleared.
    pub(super) fn low_bits(&mut self, a: TermId, k: u32) -> TermId {
        let width = self.width(a);
        if k == 0 {
            return self.bv(width, 0);
        }
        let low = self.extract(a, k - 1, 0);
        self.zext(low, width)
    }

    /// The operands of an unsigned division by a constant on fewer bits: C computes in
    /// `int` what was a `char`, and a divider's cost is quadratic.
    fn narrowed_unsigned(&mut self, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
        let Node::Zext(x) = *self.node(a) else { return None };
        let width = self.width(x);
        let divisor = self.as_value(b)?;
        // A larger divisor was decided by the dividend's range.
        if divisor.to_big().bits() > u64::from(width) {
            return None;
        }
        let divisor = self.bv_value(width, &divisor);
        Some((x, divisor))
    }

    /// The same for a signed division; not by -1, whose quotient can need one bit more.
    fn narrowed_signed(&mut self, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
        let Node::Sext(x) = *self.node(a) else { return None };
        let width = self.width(x);
        if width == 1 || !self.is_const(b) || self.is_zero(b) || self.is_all_ones(b) {
            return None;
        }
        let divisor = self.extract(b, width - 1, 0);
        (self.sext(divisor, self.width(b)) == b).then_some((x, divisor))
    }

    /// Signed quotient, rounded toward zero; 1 if `b` is 0 and `a` negative, -1 if `b`
    /// is 0 and `a` is not.
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(BinOp::Sdiv, a, b) {
            return folded;
        }
        if width == 1 {
            let not_b = self.not(b);
            return self.or(a, not_b);
        }
        if self.is_one(b) {
            return a;
        }
        if self.is_all_ones(b) {
            return self.neg(a);
        }
        if self.known_sign(a) == Some(false) && self.known_sign(b) == Some(false) {
            return self.udiv(a, b);
        }
        if let Some((x, y)) = self.narrowed_signed(a, b) {
            let quotient = self.sdiv(x, y);
            return self.sext(quotient, width);
        }
        self.intern_bv(Node::Sdiv(a, b), width)
    }

    /// Signed remainder, with the sign of `a`; `a` if `b` is 0.
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(BinOp::Srem, a, b) {
            return folded;
        }
        if width == 1 {
            let not_b = self.not(b);
            return self.and(a, not_b);
        }
        if self.is_one(b) || self.is_all_ones(b) {
            return self.bv(width, 0);
        }
        if self.is_zero(b) {
            return a;
        }
        if self.known_sign(a) == Some(false) && self.known_sign(b) == Some(false) {
            return self.urem(a, b);
        }
        // The divisor's sign does not matter.
        if self.is_const(b) && self.known_sign(b) == Some(true) {
            let minus = self.neg(b);
            if minus != b {
                return self.srem(a, minus);
            }
        }
        if let Some((x, y)) = self.narrowed_signed(a, b) {
            let rest = self.srem(x, y);
            return self.sext(rest, width);
        }
        self.intern_bv(Node::Srem(a, b), width)
    }

    /// The operands of a commutative operator: a constant last, otherwise by id.
    #[inline]
    pub(crate) fn constant_last(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        match (self.is_const(a), self.is_const(b)) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ => (a.min(b), a.max(b)),
        }
    }
}
