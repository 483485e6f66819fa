//! Floating-point operations over bit patterns.

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
            FpOp::Rem(format) => self.fmod(format, args[0], args[1]),
            FpOp::ToSInt { from, width } => {
                let limit = self.power_of_two(from, width - 1);
                let least = self.fp_neg(from, limit);
                let otherwise = self.bv_value(width, &value::power(width - 1));
                self.convert_in_range(op, from, args[0], (least, limit), otherwise)
            }
            FpOp::ToUInt { from, width } => {
                let limit = self.power_of_two(from, width);
                let zero = self.bv(from.width(), 0);
                let otherwise = self.bv_wide(width, value::big_mask(width));
                self.convert_in_range(op, from, args[0], (zero, limit), otherwise)
            }
            _ => self.fp_node(op, args),
        }
    }

    fn fp_node(&mut self, op: FpOp, args: &[TermId]) -> TermId {
        let list = self.intern_list(args);
        self.intern_bv(Node::Fp(op, list), op.result_width())
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

    /// A conversion to an integer, guarded so that solvers' theories, which leave it
    /// open what becomes of values out of range, cannot choose.
    fn convert_in_range(
        &mut self,
        op: FpOp,
        from: FpFormat,
        a: TermId,
        (least, limit): (TermId, TermId),
        otherwise: TermId,
    ) -> TermId {
        let whole = self.fp(FpOp::RoundToIntegral(from, RoundingMode::TowardZero), &[a]);
        let above = self.fp(FpOp::Le(from), &[least, whole]);
        let below = self.fp(FpOp::Lt(from), &[whole, limit]);
        let in_range = self.and(above, below);
        let converted = self.fp_node(op, &[a]);
        self.ite(in_range, converted, otherwise)
    }
}
