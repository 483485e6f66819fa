//! Quotients and remainders.
//!
//! By a power of two they are shifts and masks. Operands that are small by their range
//! are divided at the width they need: C computes in `int` what was a `char`, and the
//! cost of a divider is quadratic in its width. Signed division of non-negative numbers
//! is unsigned.

use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::value::{BinOp, mask};

/// Bits of the greatest value.
fn unsigned_bits((_, hi): (u64, u64)) -> u32 {
    (64 - hi.leading_zeros()).max(1)
}

/// Bits of two's complement that hold the interval.
fn signed_bits((lo, hi): (i64, i64)) -> u32 {
    let bits = |v: i64| 65 - if v < 0 { v.leading_ones() } else { v.leading_zeros() };
    bits(lo).max(bits(hi))
}

impl TermPool {
    /// The bits that two terms need as unsigned numbers, for widths up to 64.
    fn unsigned_need(&self, width: u32, a: TermId, b: TermId) -> u32 {
        if width > 64 {
            return width;
        }
        unsigned_bits(self.range(a)).max(unsigned_bits(self.range(b)))
    }

    /// The bits that two terms need as signed numbers, for widths up to 64.
    fn signed_need(&self, width: u32, a: TermId, b: TermId) -> u32 {
        if width > 64 {
            return width;
        }
        signed_bits(self.signed_range(a)).max(signed_bits(self.signed_range(b)))
    }

    /// The `width` lowest bits of two terms.
    fn low_parts(&mut self, width: u32, a: TermId, b: TermId) -> (TermId, TermId) {
        (self.extract(a, width - 1, 0), self.extract(b, width - 1, 0))
    }

    /// The product of two small terms at a width that holds it.
    pub(super) fn narrow_product(&mut self, width: u32, a: TermId, b: TermId) -> Option<TermId> {
        if width > 64 {
            return None;
        }
        let need = unsigned_bits(self.range(a)) + unsigned_bits(self.range(b));
        if need < width {
            let (a, b) = self.low_parts(need, a, b);
            let product = self.mul(a, b);
            return Some(self.zext(product, width));
        }
        let need = signed_bits(self.signed_range(a)) + signed_bits(self.signed_range(b));
        if need < width {
            let (a, b) = self.low_parts(need, a, b);
            let product = self.mul(a, b);
            return Some(self.sext(product, width));
        }
        None
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
        let need = self.unsigned_need(width, a, b);
        if need < width && self.range(b).0 > 0 {
            let (a, b) = self.low_parts(need, a, b);
            let quotient = self.udiv(a, b);
            return self.zext(quotient, width);
        }
        if need + 1 < width {
            // With one bit more, only a division by 0 has the highest bit set, and
            // copying that up gives all ones again.
            let (a, b) = self.low_parts(need + 1, a, b);
            let quotient = self.udiv(a, b);
            return self.sext(quotient, width);
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
        let need = self.unsigned_need(width, a, b);
        if need < width {
            let (a, b) = self.low_parts(need, a, b);
            let rest = self.urem(a, b);
            return self.zext(rest, width);
        }
        self.intern_bv(Node::Urem(a, b), width)
    }

    /// `a` with all but its `k` lowest bits cleared.
    fn low_bits(&mut self, a: TermId, k: u32) -> TermId {
        let width = self.width(a);
        if k == 0 {
            return self.bv(width, 0);
        }
        let low = self.extract(a, k - 1, 0);
        self.zext(low, width)
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
        if self.is_zero(b) {
            let negative = self.is_negative(a);
            let (one, minus_one) = (self.bv(width, 1), self.all_ones(width));
            return self.ite(negative, one, minus_one);
        }
        if self.known_sign(a) == Some(false) && self.known_sign(b) == Some(false) {
            return self.udiv(a, b);
        }
        // The least number divided by -1 needs one bit more; -1 is no constant here.
        let need = self.signed_need(width, a, b) + u32::from(!self.is_const(b));
        if need < width {
            let (a, b) = self.low_parts(need, a, b);
            let quotient = self.sdiv(a, b);
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
        let need = self.signed_need(width, a, b);
        if need < width {
            let (a, b) = self.low_parts(need, a, b);
            let rest = self.srem(a, b);
            return self.sext(rest, width);
        }
        self.intern_bv(Node::Srem(a, b), width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needed_bits_hold_the_bounds() {
        assert_eq!(unsigned_bits((0, 0)), 1);
        assert_eq!(unsigned_bits((0, 255)), 8);
        assert_eq!(unsigned_bits((0, 256)), 9);
        assert_eq!(unsigned_bits((0, u64::MAX)), 64);
        assert_eq!(signed_bits((0, 0)), 1);
        assert_eq!(signed_bits((-1, 0)), 1);
        assert_eq!(signed_bits((-128, 127)), 8);
        assert_eq!(signed_bits((-129, 5)), 9);
        assert_eq!(signed_bits((0, 128)), 9);
        assert_eq!(signed_bits((i64::MIN, i64::MAX)), 64);
    }
}
