//! Floating-point operations over bit patterns.
//!
//! Constants fold; `fmod` is expressed by the IEEE remainder, conversions to integers
//! are guarded by their range; operations that cannot change a number drop out; operands
//! of commutative operations are ordered. Every operation gives the canonical NaN, so
//! `x * 1.0` is `x` only if `x` is a result itself, otherwise `ite(isnan x, nan, x)`.
//! Comparisons are in [`super::float_compare`].

use smallvec::SmallVec;

use crate::eval::eval_fp;
use crate::float::{FpFormat, FpOp, RoundingMode};
use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::value::{self, BvValue};

impl TermPool {
    /// The result of a floating-point operation.
    pub fn fp(&mut self, op: FpOp, args: &[TermId]) -> TermId {
        assert!(args.len() == op.arity(), "{op:?} takes {} operands", op.arity());
        if let Some(format) = op.operand_format() {
            for &arg in args {
                assert!(self.width(arg) == format.width(), "{op:?} takes operands of {format:?}");
            }
        }
        let values: Option<SmallVec<[BvValue; 3]>> = args.iter().map(|&a| self.as_value(a)).collect();
        if let Some(values) = values {
            let result = eval_fp(op, &values, self.width(args[0]));
            return self.bv_value(op.result_width(), &result);
        }
        match op {
            FpOp::Add(f) => self.fp_add(f, args[0], args[1]),
            FpOp::Mul(f) => self.fp_mul(f, args[0], args[1]),
            FpOp::Sub(f) if self.is_zero(args[1]) => self.canonical(f, args[0]),
            FpOp::Div(f) if self.is_fp_one(f, args[1]) => self.canonical(f, args[0]),
            FpOp::Fma(_) => {
                let (a, b) = self.constant_last(args[0], args[1]);
                self.fp_node(op, &[a, b, args[2]])
            }
            FpOp::Rem(f) => self.fmod(f, args[0], args[1]),
            FpOp::RoundToIntegral(..) if self.as_integer(args[0]).is_some() => args[0],
            FpOp::Lt(f) | FpOp::Le(f) | FpOp::Eq(f) => self.fp_compare(op, f, args[0], args[1]),
            FpOp::IsNan(f) => self.fp_is_nan(f, args[0]),
            FpOp::IsInf(f) => self.fp_is_inf(f, args[0]),
            FpOp::ToFp { from, to } => self.fp_convert(from, to, args[0]),
            FpOp::FromSInt { to } => self.fp_from_int(to, args[0], true),
            FpOp::FromUInt { to } => self.fp_from_int(to, args[0], false),
            FpOp::ToSInt { .. } | FpOp::ToUInt { .. } => self.fp_to_int(op, args[0]),
            _ => self.fp_node(op, args),
        }
    }

    pub(super) fn fp_node(&mut self, op: FpOp, args: &[TermId]) -> TermId {
        let list = self.intern_list(args);
        self.intern_bv(Node::Fp(op, list), op.result_width())
    }

    /// Whether the term is the result of a floating-point operation, hence never a NaN
    /// other than the canonical one.
    pub(super) fn is_fp_result(&self, t: TermId) -> bool {
        matches!(*self.node(t), Node::Fp(op, _) if op.result_format().is_some())
    }

    /// `x` with its NaNs made canonical.
    fn canonical(&mut self, format: FpFormat, x: TermId) -> TermId {
        if self.is_fp_result(x) {
            return x;
        }
        let is_nan = self.fp(FpOp::IsNan(format), &[x]);
        let nan = self.bv_wide(format.width(), format.nan_pattern());
        self.ite(is_nan, nan, x)
    }

    fn is_fp_one(&mut self, format: FpFormat, t: TermId) -> bool {
        self.is_const(t) && t == self.power_of_two(format, 0)
    }

    fn fp_add(&mut self, format: FpFormat, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.constant_last(a, b);
        // Only -0 is neutral: -0 + 0 is 0.
        if self.is_const(b) && b == self.sign_bit(format) {
            return self.canonical(format, a);
        }
        self.fp_node(FpOp::Add(format), &[a, b])
    }

    fn fp_mul(&mut self, format: FpFormat, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.constant_last(a, b);
        if self.is_fp_one(format, b) {
            return self.canonical(format, a);
        }
        self.fp_node(FpOp::Mul(format), &[a, b])
    }

    /// `-a`: the sign bit flipped, also of a NaN.
    pub fn fp_neg(&mut self, format: FpFormat, a: TermId) -> TermId {
        let sign = self.sign_bit(format);
        self.bvxor(a, sign)
    }

    /// `|a|`: the sign bit cleared, also of a NaN.
    pub fn fp_abs(&mut self, format: FpFormat, a: TermId) -> TermId {
        let sign = self.sign_bit(format);
        let others = self.bvnot(sign);
        self.bvand(a, others)
    }

    fn sign_bit(&mut self, format: FpFormat) -> TermId {
        let width = format.width();
        self.bv_value(width, &value::power(width - 1))
    }

    /// The pattern of 2^`exponent`, or of infinity if that is too large.
    fn power_of_two(&mut self, format: FpFormat, exponent: u32) -> TermId {
        let one = value::power(exponent);
        let pattern = eval_fp(FpOp::FromUInt { to: format }, &[one], exponent + 1);
        self.bv_value(format.width(), &pattern)
    }

    /// `fmod` by the IEEE remainder of the magnitudes: that one lies in `-|b|/2..=|b|/2`,
    /// and adding `|b|` to a negative one is exact.
    fn fmod(&mut self, format: FpFormat, a: TermId, b: TermId) -> TermId {
        let (x, y) = (self.fp_abs(format, a), self.fp_abs(format, b));
        let nearest = self.fp(FpOp::IeeeRem(format), &[x, y]);
        let up = self.fp(FpOp::Add(format), &[nearest, y]);
        let zero = self.bv(format.width(), 0);
        let negative = self.fp(FpOp::Lt(format), &[nearest, zero]);
        let magnitude = self.ite(negative, up, nearest);
        let sign = self.sign_bit(format);
        let sign = self.bvand(a, sign);
        let signed = self.bvor(magnitude, sign);
        let is_nan = self.fp(FpOp::IsNan(format), &[nearest]);
        self.ite(is_nan, nearest, signed)
    }

    fn fp_convert(&mut self, from: FpFormat, to: FpFormat, a: TermId) -> TermId {
        if from == to {
            return self.canonical(from, a);
        }
        // There and back through a wider format.
        if let Some((source, x)) = self.as_widened(a)
            && source == to
        {
            return self.canonical(to, x);
        }
        self.fp_node(FpOp::ToFp { from, to }, &[a])
    }

    /// The narrower format and pattern that `t` is an exact conversion of.
    pub(super) fn as_widened(&self, t: TermId) -> Option<(FpFormat, TermId)> {
        match *self.node(t) {
            Node::Fp(FpOp::ToFp { from, to }, list)
                if from.exp_bits <= to.exp_bits && from.sig_bits <= to.sig_bits =>
            {
                Some((from, self.list(list)[0]))
            }
            _ => None,
        }
    }

    fn fp_from_int(&mut self, to: FpFormat, a: TermId, is_signed: bool) -> TermId {
        let (a, is_signed) = match *self.node(a) {
            Node::Sext(x) if is_signed => (x, true),
            Node::Zext(x) => (x, false),
            _ if is_signed && self.known_sign(a) == Some(false) => (a, false),
            _ => (a, is_signed),
        };
        let op = if is_signed { FpOp::FromSInt { to } } else { FpOp::FromUInt { to } };
        self.fp_node(op, &[a])
    }

    /// The integer that `t` is an exact conversion of, as a signed number.
    pub(super) fn as_integer(&mut self, t: TermId) -> Option<TermId> {
        let Node::Fp(op, list) = *self.node(t) else { return None };
        let x = *self.list(list).first()?;
        let (format, magnitude_bits) = match op {
            FpOp::FromSInt { to } => (to, self.width(x) - 1),
            FpOp::FromUInt { to } => (to, self.width(x)),
            _ => return None,
        };
        // The significand holds every integer of that size, the exponent too.
        let bias = (1u32 << (format.exp_bits - 1)) - 1;
        if magnitude_bits > u32::from(format.sig_bits) || magnitude_bits > bias {
            return None;
        }
        Some(match op {
            FpOp::FromSInt { .. } => x,
            _ => self.zext(x, self.width(x) + 1),
        })
    }

    /// A conversion to an integer, guarded so that solvers' theories, which leave it
    /// open what becomes of values out of range, cannot choose.
    fn fp_to_int(&mut self, op: FpOp, a: TermId) -> TermId {
        let (from, width, is_signed) = match op {
            FpOp::ToSInt { from, width } => (from, width, true),
            FpOp::ToUInt { from, width } => (from, width, false),
            _ => unreachable!("{op:?} does not give an integer"),
        };
        // An integer that fits comes back as it was.
        if let Some(x) = self.as_integer(a) {
            let inner = self.width(x);
            if is_signed && inner <= width {
                return self.sext(x, width);
            }
            if !is_signed && self.known_sign(x) == Some(false) && inner - 1 <= width {
                return if inner > width { self.extract(x, width - 1, 0) } else { self.zext(x, width) };
            }
        }
        let (least, limit, otherwise) = if is_signed {
            let limit = self.power_of_two(from, width - 1);
            let otherwise = self.bv_value(width, &value::power(width - 1));
            (self.fp_neg(from, limit), limit, otherwise)
        } else {
            (self.bv(from.width(), 0), self.power_of_two(from, width), self.all_ones(width))
        };
        let whole = self.fp(FpOp::RoundToIntegral(from, RoundingMode::TowardZero), &[a]);
        let above = self.fp(FpOp::Le(from), &[least, whole]);
        let below = self.fp(FpOp::Lt(from), &[whole, limit]);
        let in_range = self.and(above, below);
        let converted = self.fp_node(op, &[a]);
        self.ite(in_range, converted, otherwise)
    }
}
