//! Floating-point operations on known numbers of the types `f32` and `f64`, by the host's arithmetic.
//!
//! Guarantee: the engine has this one use of the host's arithmetic. [`host_float`] gives what the machine gives, which the
//! executor needs where a program can print the sign of a NaN; terms know one NaN only ([`apply`]).
//! Relies on the host being IEEE 754 with correctly rounded operations, which Rust guarantees for these types.

use crate::float::{FpFormat, FpOp, RoundingMode};

macro_rules! host {
    ($name:ident, $float:ty, $bits:ty) => {
        /// The operation on patterns of this type, if the host offers it.
        fn $name(op: FpOp, args: &[u64]) -> Option<u64> {
            let arg = |i: usize| <$float>::from_bits(args[i] as $bits);
            let float = |value: $float| Some(u64::from(value.to_bits()));
            let truth = |value: bool| Some(u64::from(value));
            match op {
                FpOp::Add(_) => float(arg(0) + arg(1)),
                FpOp::Sub(_) => float(arg(0) - arg(1)),
                FpOp::Mul(_) => float(arg(0) * arg(1)),
                FpOp::Div(_) => float(arg(0) / arg(1)),
                FpOp::Rem(_) => float(arg(0) % arg(1)),
                FpOp::Sqrt(_) => float(arg(0).sqrt()),
                FpOp::Fma(_) => float(arg(0).mul_add(arg(1), arg(2))),
                FpOp::RoundToIntegral(_, mode) => float(match mode {
                    RoundingMode::NearestEven => arg(0).round_ties_even(),
                    RoundingMode::NearestAway => arg(0).round(),
                    RoundingMode::Up => arg(0).ceil(),
                    RoundingMode::Down => arg(0).floor(),
                    RoundingMode::TowardZero => arg(0).trunc(),
                }),
                FpOp::Lt(_) => truth(arg(0) < arg(1)),
                FpOp::Le(_) => truth(arg(0) <= arg(1)),
                FpOp::Eq(_) => truth(arg(0) == arg(1)),
                FpOp::IsNan(_) => truth(arg(0).is_nan()),
                FpOp::IsInf(_) => truth(arg(0).is_infinite()),
                _ => None,
            }
        }
    };
}

host!(single, f32, u32);
host!(double, f64, u64);

/// The result of `op` on patterns of at most 64 bits as terms have it: every NaN is the same.
pub(crate) fn apply(op: FpOp, args: &[u64], arg_width: u32) -> Option<u64> {
    let bits = host_float(op, args, arg_width)?;
    // The choice is made between integers: between floats the compiler may drop it, as any NaN is as good as another to it.
    Some(match op.result_format() {
        Some(FpFormat::F32) if bits & 0x7fff_ffff > 0x7f80_0000 => 0x7fc0_0000,
        Some(FpFormat::F64) if bits & (u64::MAX >> 1) > 0x7ff0_0000_0000_0000 => 0x7ff8_0000_0000_0000,
        _ => bits,
    })
}

/// The result of `op` on patterns of at most 64 bits as the host has it, or `None` if it does not offer the operation on
/// these formats. `arg_width` is the width of the operands.
pub fn host_float(op: FpOp, args: &[u64], arg_width: u32) -> Option<u64> {
    match op {
        FpOp::ToFp { from: FpFormat::F32, to: FpFormat::F64 } => {
            Some(f64::from(f32::from_bits(args[0] as u32)).to_bits())
        }
        FpOp::ToFp { from: FpFormat::F64, to: FpFormat::F32 } => {
            Some(u64::from((f64::from_bits(args[0]) as f32).to_bits()))
        }
        FpOp::FromSInt { to } => {
            let value = crate::value::signed(arg_width, args[0]);
            match to {
                FpFormat::F32 => Some(u64::from((value as f32).to_bits())),
                FpFormat::F64 => Some((value as f64).to_bits()),
                _ => None,
            }
        }
        FpOp::FromUInt { to: FpFormat::F32 } => Some(u64::from((args[0] as f32).to_bits())),
        FpOp::FromUInt { to: FpFormat::F64 } => Some((args[0] as f64).to_bits()),
        FpOp::ToFp { .. } | FpOp::FromUInt { .. } | FpOp::ToSInt { .. } | FpOp::ToUInt { .. } => None,
        _ => match op.operand_format() {
            Some(FpFormat::F32) => single(op, args),
            Some(FpFormat::F64) => double(op, args),
            _ => None,
        },
    }
}
