//! Bit-vector values and the meaning of every bit-vector operator on them.
//!
//! This is the reference semantics (SMT-LIB's, total): constant folding and the
//! evaluator both use it. Values of at most 64 bits are plain `u64`s; wider ones are
//! big integers, and slow.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

/// An unsigned value of any size. Invariant: `Big` only for values of at least 2^64,
/// so that derived equality and order are those of numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BvValue {
    /// Below 2^64.
    Small(u64),
    /// At least 2^64.
    Big(BigUint),
}

impl From<u64> for BvValue {
    fn from(value: u64) -> Self {
        BvValue::Small(value)
    }
}

impl From<BigUint> for BvValue {
    fn from(value: BigUint) -> Self {
        match value.to_u64() {
            Some(small) => BvValue::Small(small),
            None => BvValue::Big(value),
        }
    }
}

impl BvValue {
    /// The value if it is below 2^64.
    pub fn to_u64(&self) -> Option<u64> {
        match self {
            BvValue::Small(value) => Some(*value),
            BvValue::Big(_) => None,
        }
    }

    /// The value as a big integer.
    pub fn to_big(&self) -> BigUint {
        match self {
            BvValue::Small(value) => BigUint::from(*value),
            BvValue::Big(value) => value.clone(),
        }
    }

    /// Whether the value is 0.
    pub fn is_zero(&self) -> bool {
        *self == BvValue::Small(0)
    }
}

/// A binary operator on two bit-vectors of one width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BinOp {
    Add,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    And,
    Or,
    Xor,
    Shl,
    Lshr,
    Ashr,
    /// Result of width 1, as the two below.
    Eq,
    Ult,
    Slt,
}

impl BinOp {
    /// The width of the result on operands of this width.
    #[inline]
    pub(crate) fn result_width(self, width: u32) -> u32 {
        if matches!(self, BinOp::Eq | BinOp::Ult | BinOp::Slt) { 1 } else { width }
    }
}

/// The `width` lowest bits set, for widths up to 64.
#[inline]
pub(crate) const fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The value read as two's complement, for widths up to 64.
#[inline]
pub(crate) const fn signed(width: u32, value: u64) -> i64 {
    let unused = 64 - width;
    ((value << unused) as i64) >> unused
}

/// Two's complement negation, for widths up to 64.
#[inline]
pub(crate) const fn neg64(width: u32, value: u64) -> u64 {
    value.wrapping_neg() & mask(width)
}

/// `op` on values of `width <= 64` bits.
#[inline]
pub(crate) fn bin64(op: BinOp, width: u32, a: u64, b: u64) -> u64 {
    let all = mask(width);
    let sign = |v: u64| (v >> (width - 1)) & 1 == 1;
    let abs = |v: u64| if sign(v) { neg64(width, v) } else { v };
    match op {
        BinOp::Add => a.wrapping_add(b) & all,
        BinOp::Mul => a.wrapping_mul(b) & all,
        BinOp::Udiv => a.checked_div(b).unwrap_or(all),
        BinOp::Urem => a.checked_rem(b).unwrap_or(a),
        BinOp::Sdiv => {
            let q = abs(a).checked_div(abs(b)).unwrap_or(all);
            if sign(a) == sign(b) { q } else { neg64(width, q) }
        }
        BinOp::Srem => {
            let r = abs(a).checked_rem(abs(b)).unwrap_or(abs(a));
            if sign(a) { neg64(width, r) } else { r }
        }
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl if b >= u64::from(width) => 0,
        BinOp::Shl => (a << b) & all,
        BinOp::Lshr if b >= u64::from(width) => 0,
        BinOp::Lshr => a >> b,
        BinOp::Ashr => (signed(width, a) >> b.min(u64::from(width - 1))) as u64 & all,
        BinOp::Eq => u64::from(a == b),
        BinOp::Ult => u64::from(a < b),
        BinOp::Slt => u64::from(signed(width, a) < signed(width, b)),
    }
}

/// The `width` lowest bits set.
pub(crate) fn big_mask(width: u32) -> BigUint {
    (BigUint::one() << width) - 1u32
}

fn big_neg(width: u32, value: &BigUint) -> BigUint {
    if value.is_zero() { BigUint::zero() } else { (BigUint::one() << width) - value }
}

/// The value read as two's complement.
pub(crate) fn big_signed(width: u32, value: &BigUint) -> BigInt {
    if value.bit(u64::from(width) - 1) {
        BigInt::from(value.clone()) - (BigInt::one() << width)
    } else {
        BigInt::from(value.clone())
    }
}

/// `op` on values of any width.
pub(crate) fn bin(op: BinOp, width: u32, a: &BvValue, b: &BvValue) -> BvValue {
    match (a, b) {
        (BvValue::Small(x), BvValue::Small(y)) if width <= 64 => bin64(op, width, *x, *y).into(),
        _ => bin_big(op, width, &a.to_big(), &b.to_big()),
    }
}

fn bin_big(op: BinOp, width: u32, a: &BigUint, b: &BigUint) -> BvValue {
    let sign = |v: &BigUint| v.bit(u64::from(width) - 1);
    let abs = |v: &BigUint| if sign(v) { big_neg(width, v) } else { v.clone() };
    let udiv = |x: &BigUint, y: &BigUint| if y.is_zero() { big_mask(width) } else { x / y };
    let urem = |x: &BigUint, y: &BigUint| if y.is_zero() { x.clone() } else { x % y };
    let amount = b.to_u32().unwrap_or(u32::MAX).min(width);
    let result = match op {
        BinOp::Add => (a + b) & big_mask(width),
        BinOp::Mul => (a * b) & big_mask(width),
        BinOp::Udiv => udiv(a, b),
        BinOp::Urem => urem(a, b),
        BinOp::Sdiv => {
            let q = udiv(&abs(a), &abs(b));
            if sign(a) == sign(b) { q } else { big_neg(width, &q) }
        }
        BinOp::Srem => {
            let r = urem(&abs(a), &abs(b));
            if sign(a) { big_neg(width, &r) } else { r }
        }
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl if amount == width => BigUint::zero(),
        BinOp::Shl => (a << amount) & big_mask(width),
        BinOp::Lshr => a >> amount,
        BinOp::Ashr => {
            let fill = if sign(a) { big_mask(width) ^ (big_mask(width) >> amount) } else { BigUint::zero() };
            (a >> amount) | fill
        }
        BinOp::Eq => return u64::from(a == b).into(),
        BinOp::Ult => return u64::from(a < b).into(),
        BinOp::Slt => return u64::from(big_signed(width, a) < big_signed(width, b)).into(),
    };
    result.into()
}

/// The value 2^bit at a width that has that bit.
pub(crate) fn power(bit: u32) -> BvValue {
    (BigUint::one() << bit).into()
}

/// Bitwise complement.
pub(crate) fn not(width: u32, a: &BvValue) -> BvValue {
    match a {
        BvValue::Small(x) if width <= 64 => (!x & mask(width)).into(),
        _ => (a.to_big() ^ big_mask(width)).into(),
    }
}

/// Two's complement negation.
pub(crate) fn neg(width: u32, a: &BvValue) -> BvValue {
    match a {
        BvValue::Small(x) if width <= 64 => neg64(width, *x).into(),
        _ => big_neg(width, &a.to_big()).into(),
    }
}

/// `high` above the `low_width` bits of `low`.
pub(crate) fn concat(high: &BvValue, low_width: u32, low: &BvValue, width: u32) -> BvValue {
    match (high, low) {
        (BvValue::Small(h), BvValue::Small(l)) if width <= 64 => (h << low_width | l).into(),
        _ => ((high.to_big() << low_width) | low.to_big()).into(),
    }
}

/// The bits `high` to `low`.
pub(crate) fn extract(a: &BvValue, high: u32, low: u32) -> BvValue {
    let width = high - low + 1;
    match a {
        BvValue::Small(_) if low >= 64 => BvValue::Small(0),
        BvValue::Small(x) => (x >> low & mask(width)).into(),
        BvValue::Big(x) => ((x >> low) & big_mask(width)).into(),
    }
}

/// The value with its sign bit repeated up to `to` bits.
pub(crate) fn sext(from: u32, a: &BvValue, to: u32) -> BvValue {
    match a {
        BvValue::Small(x) if to <= 64 => (signed(from, *x) as u64 & mask(to)).into(),
        _ => {
            let x = a.to_big();
            if x.bit(u64::from(from) - 1) { (x | (big_mask(to) ^ big_mask(from))).into() } else { x.into() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPS: [BinOp; 15] = [
        BinOp::Add,
        BinOp::Mul,
        BinOp::Udiv,
        BinOp::Urem,
        BinOp::Sdiv,
        BinOp::Srem,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::Shl,
        BinOp::Lshr,
        BinOp::Ashr,
        BinOp::Eq,
        BinOp::Ult,
        BinOp::Slt,
    ];

    #[test]
    fn small_and_big_arithmetic_agree_on_all_values_of_up_to_four_bits() {
        for width in 1..=4 {
            for op in OPS {
                for a in 0..1u64 << width {
                    for b in 0..1u64 << width {
                        let small = BvValue::from(bin64(op, width, a, b));
                        let big = bin_big(op, width, &a.into(), &b.into());
                        assert_eq!(small, big, "{op:?} {a} {b} at width {width}");
                    }
                }
            }
        }
    }

    #[test]
    fn division_is_total_and_truncates_toward_zero() {
        assert_eq!(bin64(BinOp::Udiv, 8, 7, 0), 0xff);
        assert_eq!(bin64(BinOp::Urem, 8, 7, 0), 7);
        assert_eq!(bin64(BinOp::Sdiv, 8, 0xf9, 2), 0xfd);
        assert_eq!(bin64(BinOp::Srem, 8, 0xf9, 2), 0xff);
        assert_eq!(bin64(BinOp::Sdiv, 8, 0x80, 0xff), 0x80);
        assert_eq!(bin64(BinOp::Sdiv, 8, 0xf9, 0), 1);
        assert_eq!(bin64(BinOp::Sdiv, 64, u64::MAX, u64::MAX), 1);
    }
}
