//! Floating-point operations: bit patterns into Z3's float theory and back.
//!
//! Z3 leaves open which NaN pattern `fp.to_ieee_bv` gives and what `fp.to_sbv` gives out of
//! range. The term language does not (see `selvedge_term::FpOp`), and models are checked by
//! evaluation, so both are pinned down here.

use num_bigint::BigUint;
use selvedge_term::{FpFormat, FpOp, RoundingMode};

use super::ffi::{Ast, Context, Conversion, Op1, Op2, Op3, OpN, Z3Error, ZRounding, ZSort};
use super::translate::Failure;

/// The translation of `op`, whose operands are given as bit-vectors with their widths.
/// Predicates come out as Booleans, everything else as bit-vectors.
pub(super) fn operation(ctx: &mut Context, op: FpOp, args: &[(Ast, u32)]) -> Result<Ast, Failure> {
    let nearest = ctx.rounding(ZRounding::NearestEven)?;
    let mut floats = Vec::with_capacity(3);
    if let Some(format) = op.operand_format() {
        for &(bits, _) in args {
            floats.push(from_bits(ctx, bits, format)?);
        }
    }
    let made = match op {
        FpOp::Add(f) => binary(ctx, Op3::FpAdd, nearest, &floats, f)?,
        FpOp::Sub(f) => binary(ctx, Op3::FpSub, nearest, &floats, f)?,
        FpOp::Mul(f) => binary(ctx, Op3::FpMul, nearest, &floats, f)?,
        FpOp::Div(f) => binary(ctx, Op3::FpDiv, nearest, &floats, f)?,
        FpOp::Rem(_) => return Err(Failure::Unsupported("fmod that was not expressed by fp.rem".to_owned())),
        FpOp::IeeeRem(f) => {
            let made = ctx.op2(Op2::FpRem, floats[0], floats[1])?;
            to_bits(ctx, made, f)?
        }
        FpOp::Sqrt(f) => {
            let made = ctx.op2(Op2::FpSqrt, nearest, floats[0])?;
            to_bits(ctx, made, f)?
        }
        FpOp::Fma(f) => {
            let made = ctx.fma(nearest, floats[0], floats[1], floats[2])?;
            to_bits(ctx, made, f)?
        }
        FpOp::RoundToIntegral(f, mode) => {
            let mode = ctx.rounding(rounding(mode))?;
            let made = ctx.op2(Op2::FpRound, mode, floats[0])?;
            to_bits(ctx, made, f)?
        }
        FpOp::Lt(_) => ctx.op2(Op2::FpLt, floats[0], floats[1])?,
        FpOp::Le(_) => ctx.op2(Op2::FpLeq, floats[0], floats[1])?,
        FpOp::Eq(_) => ctx.op2(Op2::FpEq, floats[0], floats[1])?,
        FpOp::IsNan(_) => ctx.op1(Op1::FpIsNan, floats[0])?,
        FpOp::IsInf(_) => ctx.op1(Op1::FpIsInf, floats[0])?,
        FpOp::ToFp { to, .. } => convert(ctx, Conversion::Float, nearest, floats[0], to)?,
        FpOp::FromSInt { to } => convert(ctx, Conversion::Signed, nearest, args[0].0, to)?,
        FpOp::FromUInt { to } => convert(ctx, Conversion::Unsigned, nearest, args[0].0, to)?,
        FpOp::ToSInt { from, width } => to_int(ctx, floats[0], from, width, true)?,
        FpOp::ToUInt { from, width } => to_int(ctx, floats[0], from, width, false)?,
    };
    Ok(made)
}

fn rounding(mode: RoundingMode) -> ZRounding {
    match mode {
        RoundingMode::NearestEven => ZRounding::NearestEven,
        RoundingMode::NearestAway => ZRounding::NearestAway,
        RoundingMode::Up => ZRounding::TowardPositive,
        RoundingMode::Down => ZRounding::TowardNegative,
        RoundingMode::TowardZero => ZRounding::TowardZero,
    }
}

fn binary(ctx: &mut Context, op: Op3, mode: Ast, args: &[Ast], format: FpFormat) -> Result<Ast, Z3Error> {
    let made = ctx.op3(op, mode, args[0], args[1])?;
    to_bits(ctx, made, format)
}

fn convert(ctx: &mut Context, how: Conversion, mode: Ast, arg: Ast, to: FpFormat) -> Result<Ast, Z3Error> {
    let made = ctx.convert_to_fp(how, mode, arg, to.exp_bits.into(), to.sig_bits.into())?;
    to_bits(ctx, made, to)
}

fn from_bits(ctx: &mut Context, bits: Ast, format: FpFormat) -> Result<Ast, Z3Error> {
    // The mode is not used by this conversion.
    ctx.convert_to_fp(Conversion::Bits, bits, bits, format.exp_bits.into(), format.sig_bits.into())
}

/// The pattern of `float`; of a NaN, the one pattern that terms use.
fn to_bits(ctx: &mut Context, float: Ast, format: FpFormat) -> Result<Ast, Z3Error> {
    let is_nan = ctx.op1(Op1::FpIsNan, float)?;
    let fraction_bits = u32::from(format.sig_bits) - 1;
    // All exponent bits and the highest fraction bit.
    let ones = (BigUint::from(1u8) << (u32::from(format.exp_bits) + 1)) - 1u8;
    let nan = ctx.decimal(&(ones << (fraction_bits - 1)).to_string(), ZSort::Bv(format.width()))?;
    let bits = ctx.op1(Op1::FpToIeeeBv, float)?;
    ctx.op3(Op3::Ite, is_nan, nan, bits)
}

/// `2^exponent` as a float, or infinity if the format has no such number.
fn power_of_two(ctx: &mut Context, exponent: u32, negative: bool, format: FpFormat) -> Result<Ast, Z3Error> {
    let fraction_bits = u32::from(format.sig_bits) - 1;
    let exp_bits = u32::from(format.exp_bits);
    let bias = (BigUint::from(1u8) << (exp_bits - 1)) - 1u8;
    let biased = if BigUint::from(exponent) <= bias { bias + exponent } else { (bias << 1) + 1u8 };
    let mut pattern = biased << fraction_bits;
    if negative {
        pattern |= BigUint::from(1u8) << (exp_bits + fraction_bits);
    }
    let bits = ctx.decimal(&pattern.to_string(), ZSort::Bv(format.width()))?;
    from_bits(ctx, bits, format)
}

/// Truncation to an integer; out of range, the least signed or the greatest unsigned integer.
fn to_int(ctx: &mut Context, float: Ast, from: FpFormat, width: u32, signed: bool) -> Result<Ast, Z3Error> {
    let zero_ward = ctx.rounding(ZRounding::TowardZero)?;
    let whole = ctx.op2(Op2::FpRound, zero_ward, float)?;
    let is_inf = ctx.op1(Op1::FpIsInf, float)?;
    let finite = ctx.op1(Op1::Not, is_inf)?;
    let above = power_of_two(ctx, if signed { width - 1 } else { width }, false, from)?;
    let low_enough = ctx.op2(Op2::FpLt, whole, above)?;
    let least = if signed {
        power_of_two(ctx, width - 1, true, from)?
    } else {
        let zero = ctx.small(0, ZSort::Bv(from.width()))?;
        from_bits(ctx, zero, from)?
    };
    // Comparisons with a NaN are false, so that a NaN is out of range.
    let high_enough = ctx.op2(Op2::FpLeq, least, whole)?;
    let fits = ctx.op_n(OpN::And, &[finite, low_enough, high_enough])?;
    let converted = ctx.fp_to_int(signed, zero_ward, float, width)?;
    let otherwise =
        if signed { BigUint::from(1u8) << (width - 1) } else { (BigUint::from(1u8) << width) - 1u8 };
    let otherwise = ctx.decimal(&otherwise.to_string(), ZSort::Bv(width))?;
    ctx.op3(Op3::Ite, fits, converted, otherwise)
}
