//! Floating-point comparisons.
//!
//! Comparisons of exactly converted integers are integer comparisons; those of widened
//! numbers are made in the narrow format. Comparisons and classifications of patterns
//! that are not results of floating-point operations (inputs, loaded bytes) are
//! expressed on bits, so that no floating-point theory is needed for them.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::One;

use crate::eval::eval_fp;
use crate::float::{FpFormat, FpOp};
use crate::node::TermId;
use crate::pool::TermPool;
use crate::soft_float;
use crate::value::{self, BvValue};

/// Which comparison; the operation without its format.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Lt,
    Le,
    Eq,
}

impl Relation {
    fn of(op: FpOp) -> Relation {
        match op {
            FpOp::Lt(_) => Relation::Lt,
            FpOp::Le(_) => Relation::Le,
            FpOp::Eq(_) => Relation::Eq,
            _ => unreachable!("{op:?} is no comparison"),
        }
    }

    fn op(self, format: FpFormat) -> FpOp {
        match self {
            Relation::Lt => FpOp::Lt(format),
            Relation::Le => FpOp::Le(format),
            Relation::Eq => FpOp::Eq(format),
        }
    }
}

impl TermPool {
    pub(super) fn fp_is_nan(&mut self, format: FpFormat, a: TermId) -> TermId {
        if self.as_integer(a).is_some() {
            return self.ff();
        }
        if let Some((narrow, x)) = self.as_widened(a) {
            return self.fp(FpOp::IsNan(narrow), &[x]);
        }
        if self.is_fp_result(a) {
            return self.fp_node(FpOp::IsNan(format), &[a]);
        }
        let magnitude = self.magnitude(a);
        let infinity = self.infinity(format);
        self.ult(infinity, magnitude)
    }

    pub(super) fn fp_is_inf(&mut self, format: FpFormat, a: TermId) -> TermId {
        if self.as_integer(a).is_some() {
            return self.ff();
        }
        if let Some((narrow, x)) = self.as_widened(a) {
            return self.fp(FpOp::IsInf(narrow), &[x]);
        }
        if self.is_fp_result(a) {
            return self.fp_node(FpOp::IsInf(format), &[a]);
        }
        let magnitude = self.magnitude(a);
        let infinity = self.infinity(format);
        self.eq(magnitude, infinity)
    }

    /// The pattern without its sign bit.
    fn magnitude(&mut self, a: TermId) -> TermId {
        self.extract(a, self.width(a) - 2, 0)
    }

    /// The magnitude of infinity.
    fn infinity(&mut self, format: FpFormat) -> TermId {
        let stored = u32::from(format.sig_bits) - 1;
        let ones = self.all_ones(u32::from(format.exp_bits));
        let zeros = self.bv(stored, 0);
        self.concat(ones, zeros)
    }

    pub(super) fn fp_compare(&mut self, op: FpOp, format: FpFormat, a: TermId, b: TermId) -> TermId {
        let relation = Relation::of(op);
        if a == b {
            if relation == Relation::Lt {
                return self.ff();
            }
            let is_nan = self.fp(FpOp::IsNan(format), &[a]);
            return self.not(is_nan);
        }
        if let Some(result) = self.compare_integers(relation, format, a, b) {
            return result;
        }
        if let Some(result) = self.compare_narrow(relation, format, a, b) {
            return result;
        }
        if self.is_fp_result(a) || self.is_fp_result(b) {
            let (a, b) = if relation == Relation::Eq { self.constant_last(a, b) } else { (a, b) };
            return self.fp_node(op, &[a, b]);
        }
        self.compare_patterns(relation, format, a, b)
    }

    fn compare_patterns(&mut self, relation: Relation, format: FpFormat, a: TermId, b: TermId) -> TermId {
        let (a_nan, b_nan) = (self.fp(FpOp::IsNan(format), &[a]), self.fp(FpOp::IsNan(format), &[b]));
        let (not_a, not_b) = (self.not(a_nan), self.not(b_nan));
        let holds = match relation {
            Relation::Eq => {
                let same = self.eq(a, b);
                let zeros = self.both_zero(a, b);
                self.or(same, zeros)
            }
            Relation::Lt => self.pattern_below(a, b),
            Relation::Le => {
                let above = self.pattern_below(b, a);
                self.not(above)
            }
        };
        self.and_all(&[not_a, not_b, holds])
    }

    fn both_zero(&mut self, a: TermId, b: TermId) -> TermId {
        let (x, y) = (self.magnitude(a), self.magnitude(b));
        let zero = self.bv(self.width(x), 0);
        let (x, y) = (self.eq(x, zero), self.eq(y, zero));
        self.and(x, y)
    }

    /// `a < b` of patterns that are not NaN.
    fn pattern_below(&mut self, a: TermId, b: TermId) -> TermId {
        let (a_negative, b_negative) = (self.is_negative(a), self.is_negative(b));
        let (x, y) = (self.magnitude(a), self.magnitude(b));
        let (less, more) = (self.ult(x, y), self.ult(y, x));
        let zeros = self.both_zero(a, b);
        let not_zeros = self.not(zeros);
        let b_positive = self.not(b_negative);
        let from_negative = self.ite(b_negative, more, not_zeros);
        let from_positive = self.and(b_positive, less);
        self.ite(a_negative, from_negative, from_positive)
    }

    /// Compares integers that were converted exactly with each other or with a constant.
    fn compare_integers(
        &mut self,
        relation: Relation,
        format: FpFormat,
        a: TermId,
        b: TermId,
    ) -> Option<TermId> {
        match (self.as_integer(a), self.as_integer(b)) {
            (Some(x), Some(y)) => {
                let width = self.width(x).max(self.width(y));
                let (x, y) = (self.sext(x, width), self.sext(y, width));
                Some(match relation {
                    Relation::Lt => self.slt(x, y),
                    Relation::Le => self.sle(x, y),
                    Relation::Eq => self.eq(x, y),
                })
            }
            (Some(x), None) => {
                let c = self.as_value(b)?;
                let Some((floor, is_whole)) = soft_float::floor(format, &c) else {
                    return self.compare_beyond(relation, format, &c, true);
                };
                // x < c is x ≤ floor(c), or x ≤ c - 1 for a whole c.
                let bound = if relation == Relation::Lt && is_whole { floor - 1 } else { floor };
                if relation == Relation::Eq {
                    return Some(if is_whole { self.int_relation(x, bound, Self::eq) } else { self.ff() });
                }
                Some(self.int_relation(x, bound, Self::sle))
            }
            (None, Some(y)) => {
                let c = self.as_value(a)?;
                let Some((floor, is_whole)) = soft_float::floor(format, &c) else {
                    return self.compare_beyond(relation, format, &c, false);
                };
                // c ≤ y is floor(c) < y, or c - 1 < y for a whole c.
                let bound = if relation == Relation::Le && is_whole { floor - 1 } else { floor };
                if relation == Relation::Eq {
                    return Some(if is_whole { self.int_relation(y, bound, Self::eq) } else { self.ff() });
                }
                let at_most = self.int_relation(y, bound, Self::sle);
                Some(self.not(at_most))
            }
            (None, None) => None,
        }
    }

    /// Compares an integer with a NaN or an infinity `c`, which stands on the right or left.
    fn compare_beyond(
        &mut self,
        relation: Relation,
        format: FpFormat,
        c: &BvValue,
        on_right: bool,
    ) -> Option<TermId> {
        let zero = BvValue::Small(0);
        let args = if on_right { [zero, c.clone()] } else { [c.clone(), zero] };
        let holds = eval_fp(relation.op(format), &args, format.width());
        Some(self.bool(!holds.is_zero()))
    }

    /// A comparison of the signed number `x` with any integer, at a width that holds both.
    fn int_relation(
        &mut self,
        x: TermId,
        bound: BigInt,
        relation: fn(&mut TermPool, TermId, TermId) -> TermId,
    ) -> TermId {
        let bits = u32::try_from(bound.bits()).expect("a float has few bits") + 1;
        let width = self.width(x).max(bits);
        let x = self.sext(x, width);
        let bound = (bound + (BigInt::one() << width)).magnitude() & value::big_mask(width);
        let bound = self.bv_wide(width, bound);
        relation(self, x, bound)
    }

    /// Compares widened numbers in the format they come from.
    fn compare_narrow(&mut self, relation: Relation, wide: FpFormat, a: TermId, b: TermId) -> Option<TermId> {
        match (self.as_widened(a), self.as_widened(b)) {
            (Some((from, x)), Some((other, y))) if from == other => Some(self.fp(relation.op(from), &[x, y])),
            (Some((from, x)), None) => self.compare_narrow_constant(relation, (wide, from), x, b, true),
            (None, Some((from, y))) => self.compare_narrow_constant(relation, (wide, from), y, a, false),
            _ => None,
        }
    }

    /// The same with a constant of the wide format, which the narrow one may only have
    /// an approximation of.
    fn compare_narrow_constant(
        &mut self,
        relation: Relation,
        (wide, narrow): (FpFormat, FpFormat),
        x: TermId,
        c: TermId,
        on_right: bool,
    ) -> Option<TermId> {
        let exact = self.as_value(c)?;
        let rounded =
            eval_fp(FpOp::ToFp { from: wide, to: narrow }, std::slice::from_ref(&exact), wide.width());
        let back =
            eval_fp(FpOp::ToFp { from: narrow, to: wide }, std::slice::from_ref(&rounded), narrow.width());
        let order = soft_float::compare(wide, &back, &exact);
        let relation = match (relation, order) {
            // A comparison with NaN fails; so does equality with what x cannot be.
            (_, None) | (Relation::Eq, Some(Ordering::Less | Ordering::Greater)) => return Some(self.ff()),
            (relation, Some(Ordering::Equal)) => relation,
            // The approximation is on x's side of the constant or beyond it.
            (_, Some(Ordering::Less)) => {
                if on_right {
                    Relation::Le
                } else {
                    Relation::Lt
                }
            }
            (_, Some(Ordering::Greater)) => {
                if on_right {
                    Relation::Lt
                } else {
                    Relation::Le
                }
            }
        };
        let rounded = self.bv_value(narrow.width(), &rounded);
        let args = if on_right { [x, rounded] } else { [rounded, x] };
        Some(self.fp(relation.op(narrow), &args))
    }
}
