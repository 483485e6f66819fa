//! Cheap facts about a term's value: an unsigned interval and known bits.
//!
//! Guarantees: for every assignment, the value lies in the interval, has every bit of
//! `ones` set and every bit of `zeros` clear. Computed from the operands' facts when a
//! node is interned; only for widths up to 64.
//! Checked by: `tests/properties.rs`, `range_and_known_bits_contain_the_value`.

use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::value::{mask, signed};

/// Bits of a value that are the same under every assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KnownBits {
    /// Bits that are always 0 (within the width).
    pub zeros: u64,
    /// Bits that are always 1.
    pub ones: u64,
}

/// What is known of a term's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    pub(crate) lo: u64,
    pub(crate) hi: u64,
    pub(crate) bits: KnownBits,
}

impl Facts {
    fn top(width: u32) -> Facts {
        let hi = if width == 0 { u64::MAX } else { mask(width) };
        Facts { lo: 0, hi, bits: KnownBits::default() }
    }

    fn interval(lo: u64, hi: u64) -> Facts {
        Facts { lo, hi, bits: KnownBits::default() }
    }

    fn exactly(width: u32, value: u64) -> Facts {
        Facts { lo: value, hi: value, bits: KnownBits { zeros: !value & mask(width), ones: value } }
    }

    fn with_bits(width: u32, zeros: u64, ones: u64) -> Facts {
        Facts { bits: KnownBits { zeros, ones }, ..Facts::top(width) }
    }

    /// Lets each of the two kinds of facts sharpen the other.
    fn refined(mut self, width: u32) -> Facts {
        let all = mask(width);
        self.lo = self.lo.max(self.bits.ones);
        self.hi = self.hi.min(!self.bits.zeros & all);
        // The bits above the highest one in which the bounds differ are common to the interval.
        let differing = self.lo ^ self.hi;
        let unknown = if differing == 0 { 0 } else { u64::MAX >> differing.leading_zeros() };
        self.bits.ones |= self.lo & !unknown;
        self.bits.zeros |= !self.lo & !unknown & all;
        self
    }

    fn meet(self, other: Facts) -> Facts {
        Facts {
            lo: self.lo.max(other.lo),
            hi: self.hi.min(other.hi),
            bits: KnownBits {
                zeros: self.bits.zeros | other.bits.zeros,
                ones: self.bits.ones | other.bits.ones,
            },
        }
    }

    fn join(self, other: Facts) -> Facts {
        Facts {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            bits: KnownBits {
                zeros: self.bits.zeros & other.bits.zeros,
                ones: self.bits.ones & other.bits.ones,
            },
        }
    }

    /// How many of the lowest bits are known to be 0.
    fn trailing_zeros(self, width: u32) -> u32 {
        (!self.bits.zeros & mask(width)).trailing_zeros().min(width)
    }

    /// The facts of a node whose operands are in the pool; width 0 means no bit-vector.
    #[inline]
    pub(crate) fn of(pool: &TermPool, node: &Node, width: u32) -> Facts {
        match *node {
            Node::Const { value, .. } => Facts::exactly(width, value),
            // Nothing is known of variables, nor of truth values that are not constants.
            Node::Var(_) | Node::And(_) | Node::Eq(..) | Node::Ult(..) | Node::Slt(..) => Facts::top(width),
            _ if width == 0 || width > 64 => Facts::top(width),
            _ => operation(pool, node, width).refined(width),
        }
    }
}

/// The facts of an operation with a result of 1 to 64 bits.
fn operation(pool: &TermPool, node: &Node, width: u32) -> Facts {
    let of = |t: TermId| *pool.facts(t);
    let all = mask(width);
    match *node {
        Node::Not(a) => {
            let a = of(a);
            Facts {
                lo: all - a.hi,
                hi: all - a.lo,
                bits: KnownBits { zeros: a.bits.ones, ones: a.bits.zeros },
            }
        }
        Node::BvAnd(a, b) => {
            let (a, b) = (of(a), of(b));
            let bits = Facts::with_bits(width, a.bits.zeros | b.bits.zeros, a.bits.ones & b.bits.ones);
            bits.meet(Facts::interval(0, a.hi.min(b.hi)))
        }
        Node::BvOr(a, b) => {
            let (a, b) = (of(a), of(b));
            let bits = Facts::with_bits(width, a.bits.zeros & b.bits.zeros, a.bits.ones | b.bits.ones);
            bits.meet(Facts::interval(a.lo.max(b.lo), all))
        }
        Node::BvXor(a, b) => {
            let (a, b) = (of(a).bits, of(b).bits);
            let zeros = (a.zeros & b.zeros) | (a.ones & b.ones);
            let ones = (a.zeros & b.ones) | (a.ones & b.zeros);
            Facts::with_bits(width, zeros, ones)
        }
        Node::Neg(a) => {
            let a = of(a);
            let low_zeros = Facts::with_bits(width, mask(a.trailing_zeros(width)), 0);
            if a.lo == 0 {
                low_zeros
            } else {
                low_zeros.meet(Facts::interval((all - a.hi) + 1, (all - a.lo) + 1))
            }
        }
        Node::Add(a, b) => sum(width, of(a), of(b)).meet(signed_sum(pool, width, a, b)),
        Node::Mul(a, b) => {
            let (a, b) = (of(a), of(b));
            let zeros = a.trailing_zeros(width) + b.trailing_zeros(width);
            let bits = Facts::with_bits(width, mask(zeros.min(width)), 0);
            match a.hi.checked_mul(b.hi) {
                Some(hi) if hi <= all => bits.meet(Facts::interval(a.lo * b.lo, hi)),
                _ => bits,
            }
        }
        Node::Udiv(a, b) => {
            let (a, b) = (of(a), of(b));
            let hi = a.hi.checked_div(b.lo).unwrap_or(all);
            Facts::interval(a.lo.checked_div(b.hi).unwrap_or(all), hi)
        }
        Node::Urem(a, b) => {
            let (a, b) = (of(a), of(b));
            // A zero divisor gives the dividend.
            let hi = if b.lo == 0 { a.hi } else { a.hi.min(b.hi - 1) };
            Facts::interval(0, hi)
        }
        Node::Shl(a, _) => Facts::with_bits(width, mask(of(a).trailing_zeros(width)), 0),
        Node::Lshr(a, b) => {
            let hi = of(a).hi.checked_shr(u32::try_from(of(b).lo).unwrap_or(64)).unwrap_or(0);
            Facts::interval(0, hi)
        }
        Node::Ashr(a, _) => {
            let a = of(a);
            let sign = 1 << (width - 1);
            if a.bits.zeros & sign != 0 {
                Facts::interval(0, a.hi)
            } else if a.bits.ones & sign != 0 {
                Facts::interval(a.lo, all)
            } else {
                Facts::top(width)
            }
        }
        Node::Concat(a, b) => {
            let low_width = pool.width(b);
            let (a, b) = (of(a), of(b));
            Facts {
                lo: a.lo << low_width | b.lo,
                hi: a.hi << low_width | b.hi,
                bits: KnownBits {
                    zeros: a.bits.zeros << low_width | b.bits.zeros,
                    ones: a.bits.ones << low_width | b.bits.ones,
                },
            }
        }
        Node::Extract { term, high, low } => {
            if pool.width(term) > 64 {
                return Facts::top(width);
            }
            let a = of(term);
            let bits = Facts::with_bits(width, a.bits.zeros >> low & all, a.bits.ones >> low & all);
            // If the bits above are common to the interval, the rest keeps its order.
            let above = |v: u64| v.checked_shr(high + 1).unwrap_or(0);
            if above(a.lo) == above(a.hi) {
                bits.meet(Facts::interval(a.lo >> low & all, a.hi >> low & all))
            } else {
                bits
            }
        }
        Node::Zext(a) => {
            let extension = all & !mask(pool.width(a));
            let mut facts = of(a);
            facts.bits.zeros |= extension;
            facts
        }
        Node::Sext(a) => {
            let from = pool.width(a);
            let extension = all & !mask(from);
            let sign = 1 << (from - 1);
            let a = of(a);
            let mut facts = Facts::with_bits(width, a.bits.zeros & mask(from), a.bits.ones);
            if a.bits.zeros & sign != 0 {
                facts.bits.zeros |= extension;
                facts = facts.meet(Facts::interval(a.lo, a.hi));
            } else if a.bits.ones & sign != 0 {
                facts.bits.ones |= extension;
                facts = facts.meet(Facts::interval(a.lo | extension, a.hi | extension));
            }
            facts
        }
        Node::Ite(_, a, b) => of(a).join(of(b)),
        _ => Facts::top(width),
    }
}

/// Carries make a bit of a sum known where both operands' bits and the carry into it are.
fn sum(width: u32, a: Facts, b: Facts) -> Facts {
    let all = mask(width);
    let most = (!a.bits.zeros & all).wrapping_add(!b.bits.zeros & all);
    let least = a.bits.ones.wrapping_add(b.bits.ones);
    let carry_zero = !(most ^ a.bits.zeros ^ b.bits.zeros);
    let carry_one = least ^ a.bits.ones ^ b.bits.ones;
    let known = (a.bits.zeros | a.bits.ones) & (b.bits.zeros | b.bits.ones) & (carry_zero | carry_one) & all;
    let bits = Facts::with_bits(width, !most & known, least & known);
    let (lo, lo_wraps) = add_modulo(width, a.lo, b.lo);
    let (hi, hi_wraps) = add_modulo(width, a.hi, b.hi);
    if lo_wraps == hi_wraps { bits.meet(Facts::interval(lo, hi)) } else { bits }
}

/// The interval of a sum whose operands are read as signed numbers where that says more: in `c - x` with a small `x`,
/// the negated operand is zero or close to the top, which as unsigned interval is everything.
fn signed_sum(pool: &TermPool, width: u32, a: TermId, b: TermId) -> Facts {
    let narrower = |t: TermId| {
        let (lo, hi) = pool.range(t);
        let sign = 1u64 << (width - 1);
        let unsigned = (i128::from(lo), i128::from(hi));
        if hi < sign || lo >= sign {
            return unsigned;
        }
        let (lo, hi) = pool.signed_range_within(t, 2);
        let signed = (i128::from(lo), i128::from(hi));
        if signed.1 - signed.0 < unsigned.1 - unsigned.0 { signed } else { unsigned }
    };
    let (a, b) = (narrower(a), narrower(b));
    let (lo, hi, modulus) = (a.0 + b.0, a.1 + b.1, 1i128 << width);
    let turns = lo.div_euclid(modulus);
    if turns != hi.div_euclid(modulus) {
        return Facts::top(width);
    }
    let within = |value: i128| (value - turns * modulus) as u64;
    Facts::interval(within(lo), within(hi))
}

/// The sum modulo 2^width and whether it wraps.
pub(crate) fn add_modulo(width: u32, a: u64, b: u64) -> (u64, bool) {
    let (sum, carry) = a.overflowing_add(b);
    (sum & mask(width), carry || sum > mask(width))
}

impl TermPool {
    /// An interval of two's complement numbers that holds the value, for widths up to 64.
    ///
    /// Looks through the few operators whose signed range the unsigned one loses.
    pub fn signed_range(&self, t: TermId) -> (i64, i64) {
        self.signed_range_within(t, 4)
    }

    fn signed_range_within(&self, t: TermId, fuel: u32) -> (i64, i64) {
        let width = self.width(t);
        if width > 64 {
            return (i64::MIN, i64::MAX);
        }
        let sign = 1u64 << (width - 1);
        let (lo, hi) = self.range(t);
        if hi < sign || lo >= sign {
            return (signed(width, lo), signed(width, hi));
        }
        let (least, greatest) = (signed(width, sign), signed(width, sign - 1));
        if fuel == 0 {
            return (least, greatest);
        }
        match *self.node(t) {
            Node::Sext(x) => self.signed_range_within(x, fuel - 1),
            Node::Ite(_, a, b) => {
                let a = self.signed_range_within(a, fuel - 1);
                let b = self.signed_range_within(b, fuel - 1);
                (a.0.min(b.0), a.1.max(b.1))
            }
            Node::Add(a, b) => {
                let a = self.signed_range_within(a, fuel - 1);
                let b = self.signed_range_within(b, fuel - 1);
                match (a.0.checked_add(b.0), a.1.checked_add(b.1)) {
                    (Some(lo), Some(hi)) if lo >= least && hi <= greatest => (lo, hi),
                    _ => (least, greatest),
                }
            }
            Node::Neg(a) => {
                let (lo, hi) = self.signed_range_within(a, fuel - 1);
                if lo == least { (least, greatest) } else { (-hi, -lo) }
            }
            Node::Srem(_, b) => match self.as_u64(b) {
                Some(b) if b != 0 && b != sign => {
                    let limit = signed(width, b).abs() - 1;
                    (-limit, limit)
                }
                _ => (least, greatest),
            },
            _ => (least, greatest),
        }
    }

    /// The sign bit if it is the same under every assignment.
    pub(crate) fn known_sign(&self, t: TermId) -> Option<bool> {
        let width = self.width(t);
        if width > 64 {
            return match *self.node(t) {
                Node::Zext(_) => Some(false),
                Node::Wide { width, value } => Some(self.wide(value).bit(u64::from(width) - 1)),
                _ => None,
            };
        }
        let bits = self.known_bits(t);
        match (bits.zeros >> (width - 1), bits.ones >> (width - 1)) {
            (1, _) => Some(false),
            (_, 1) => Some(true),
            _ => None,
        }
    }
}
