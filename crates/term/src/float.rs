//! Floating-point operators over IEEE 754 bit patterns.
//!
//! An operand is a bit-vector that holds the interchange format: sign, exponent,
//! stored significand. Arithmetic rounds to nearest, ties to even. Every NaN an
//! operation produces is the quiet NaN with sign 0 and all other payload bits 0;
//! solvers must be told so, as their theories leave the pattern open.

use serde::{Deserialize, Serialize};

/// A binary format: `exp_bits` of exponent, `sig_bits` of significand with the hidden bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct FpFormat {
    /// Bits of the exponent.
    pub exp_bits: u8,
    /// Bits of the significand, counting the hidden one.
    pub sig_bits: u8,
}

impl FpFormat {
    /// IEEE half precision.
    pub const F16: FpFormat = FpFormat { exp_bits: 5, sig_bits: 11 };
    /// The C type `float`.
    pub const F32: FpFormat = FpFormat { exp_bits: 8, sig_bits: 24 };
    /// The C type `double`.
    pub const F64: FpFormat = FpFormat { exp_bits: 11, sig_bits: 53 };
    /// IEEE quadruple precision.
    pub const F128: FpFormat = FpFormat { exp_bits: 15, sig_bits: 113 };

    /// Bits of a pattern.
    pub fn width(self) -> u32 {
        u32::from(self.exp_bits) + u32::from(self.sig_bits)
    }
}

/// How a value between two neighbours is rounded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum RoundingMode {
    /// To nearest, ties to even.
    NearestEven,
    /// To nearest, ties away from zero (C's `round`).
    NearestAway,
    /// Toward positive infinity (`ceil`).
    Up,
    /// Toward negative infinity (`floor`).
    Down,
    /// Toward zero (`trunc`).
    TowardZero,
}

/// A floating-point operation with the format of its operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum FpOp {
    /// `a + b`.
    Add(FpFormat),
    /// `a - b`.
    Sub(FpFormat),
    /// `a * b`.
    Mul(FpFormat),
    /// `a / b`.
    Div(FpFormat),
    /// C's `fmod` (LLVM's `frem`). Accepted by the builder, which expresses it by
    /// [`IeeeRem`](FpOp::IeeeRem): it never occurs in a node.
    Rem(FpFormat),
    /// C's `remainder`, SMT-LIB's `fp.rem`: `a - b * n`, where `n` is `a / b` to nearest even.
    IeeeRem(FpFormat),
    /// The square root.
    Sqrt(FpFormat),
    /// `a * b + c`, rounded once.
    Fma(FpFormat),
    /// The integral value chosen by the rounding mode, in the same format.
    RoundToIntegral(FpFormat, RoundingMode),
    /// `a < b`; width 1.
    Lt(FpFormat),
    /// `a <= b`; width 1.
    Le(FpFormat),
    /// `a == b`: NaN differs from all, the zeros are equal; width 1.
    Eq(FpFormat),
    /// Whether the operand is a NaN; width 1.
    IsNan(FpFormat),
    /// Whether the operand is an infinity; width 1.
    IsInf(FpFormat),
    /// Conversion between formats.
    ToFp {
        /// Format of the operand.
        from: FpFormat,
        /// Format of the result.
        to: FpFormat,
    },
    /// Conversion of a signed integer (of the operand's width).
    FromSInt {
        /// Format of the result.
        to: FpFormat,
    },
    /// Conversion of an unsigned integer (of the operand's width).
    FromUInt {
        /// Format of the result.
        to: FpFormat,
    },
    /// Truncation to a signed integer; the least integer if NaN or out of range.
    ToSInt {
        /// Format of the operand.
        from: FpFormat,
        /// Width of the result.
        width: u32,
    },
    /// Truncation to an unsigned integer; all ones if NaN or out of range.
    ToUInt {
        /// Format of the operand.
        from: FpFormat,
        /// Width of the result.
        width: u32,
    },
}

impl FpOp {
    /// How many operands the operation takes.
    pub fn arity(self) -> usize {
        match self {
            FpOp::Fma(_) => 3,
            FpOp::Add(_)
            | FpOp::Sub(_)
            | FpOp::Mul(_)
            | FpOp::Div(_)
            | FpOp::Rem(_)
            | FpOp::IeeeRem(_)
            | FpOp::Lt(_)
            | FpOp::Le(_)
            | FpOp::Eq(_) => 2,
            _ => 1,
        }
    }

    /// Whether the result is a number that can be a NaN.
    pub fn can_be_nan(self) -> bool {
        matches!(
            self,
            FpOp::Add(_)
                | FpOp::Sub(_)
                | FpOp::Mul(_)
                | FpOp::Div(_)
                | FpOp::Rem(_)
                | FpOp::IeeeRem(_)
                | FpOp::Sqrt(_)
                | FpOp::Fma(_)
                | FpOp::RoundToIntegral(..)
                | FpOp::ToFp { .. }
        )
    }

    /// The width of the result.
    pub fn result_width(self) -> u32 {
        match (self.result_format(), self) {
            (Some(format), _) => format.width(),
            (None, FpOp::ToSInt { width, .. } | FpOp::ToUInt { width, .. }) => width,
            (None, _) => 1,
        }
    }

    /// The format of the result, or `None` for truth values and integers.
    pub fn result_format(self) -> Option<FpFormat> {
        match self {
            FpOp::Lt(_) | FpOp::Le(_) | FpOp::Eq(_) | FpOp::IsNan(_) | FpOp::IsInf(_) => None,
            FpOp::ToSInt { .. } | FpOp::ToUInt { .. } => None,
            FpOp::ToFp { to, .. } | FpOp::FromSInt { to } | FpOp::FromUInt { to } => Some(to),
            _ => self.operand_format(),
        }
    }

    /// The format of the operands, or `None` for integer operands of any width.
    pub fn operand_format(self) -> Option<FpFormat> {
        match self {
            FpOp::Add(f)
            | FpOp::Sub(f)
            | FpOp::Mul(f)
            | FpOp::Div(f)
            | FpOp::Rem(f)
            | FpOp::IeeeRem(f)
            | FpOp::Sqrt(f)
            | FpOp::Fma(f)
            | FpOp::RoundToIntegral(f, _)
            | FpOp::Lt(f)
            | FpOp::Le(f)
            | FpOp::Eq(f)
            | FpOp::IsNan(f)
            | FpOp::IsInf(f) => Some(f),
            FpOp::ToFp { from, .. } | FpOp::ToSInt { from, .. } | FpOp::ToUInt { from, .. } => Some(from),
            FpOp::FromSInt { .. } | FpOp::FromUInt { .. } => None,
        }
    }
}
