//! The value of a floating-point operation on constants, for any format.
//!
//! Finite values are exact big-integer fractions `±m·2^e`; each operation computes the
//! exact result (or enough of it to round) and rounds once. Slow and simple: `f32` and
//! `f64` go to the host's arithmetic first, and the tests compare the two.
//!
//! This is not `rustc_apfloat`, with which the executor computes numbers of x87, binary128 and others that never become
//! terms: that has a few formats and no square root, while a formula in SMT-LIB may be about any format, and the value
//! that a solver gives it is checked here. A test in `exec/src/step/known_float.rs` compares the two.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Signed, Zero};

use crate::float::{FpFormat, FpOp, RoundingMode};
use crate::value::{BvValue, big_mask, big_signed};

/// What a bit pattern stands for.
#[derive(Clone, Debug)]
enum Fp {
    Nan,
    Inf {
        negative: bool,
    },
    /// `±significand * 2^exponent`; a zero keeps its sign.
    Finite {
        negative: bool,
        significand: BigUint,
        exponent: i64,
    },
}

impl FpFormat {
    fn stored_bits(self) -> u32 {
        u32::from(self.sig_bits) - 1
    }
    fn max_exp_field(self) -> u64 {
        (1 << self.exp_bits) - 1
    }
    /// Exponent of the lowest bit of a subnormal's significand.
    fn min_exponent(self) -> i64 {
        let bias = (1i64 << (self.exp_bits - 1)) - 1;
        1 - bias - i64::from(self.stored_bits())
    }

    fn decode(self, bits: &BvValue) -> Fp {
        let bits = bits.to_big();
        let negative = bits.bit(u64::from(self.width()) - 1);
        let stored = &bits & big_mask(self.stored_bits());
        let field = (&bits >> self.stored_bits()) & big_mask(u32::from(self.exp_bits));
        let field = field.iter_u64_digits().next().unwrap_or(0);
        if field == self.max_exp_field() {
            return if stored.is_zero() { Fp::Inf { negative } } else { Fp::Nan };
        }
        if field == 0 {
            return Fp::Finite { negative, significand: stored, exponent: self.min_exponent() };
        }
        let significand = stored | (BigUint::one() << self.stored_bits());
        Fp::Finite { negative, significand, exponent: self.min_exponent() + field as i64 - 1 }
    }

    fn pack(self, negative: bool, field: u64, stored: BigUint) -> BvValue {
        let sign = BigUint::from(u32::from(negative)) << (self.width() - 1);
        (sign | (BigUint::from(field) << self.stored_bits()) | stored).into()
    }

    /// The pattern of every NaN that an operation produces.
    pub(crate) fn nan_pattern(self) -> BigUint {
        self.nan().to_big()
    }

    fn nan(self) -> BvValue {
        self.pack(false, self.max_exp_field(), BigUint::one() << (self.stored_bits() - 1))
    }

    /// The nearest value to `±m·2^e`, or a little more than it if `sticky`.
    fn round(self, negative: bool, significand: BigUint, exponent: i64, sticky: bool) -> BvValue {
        if significand.is_zero() {
            return self.pack(negative, 0, significand);
        }
        // Bring the lowest bit to where the result's lowest bit lies.
        let spare = significand.bits() as i64 - i64::from(self.sig_bits);
        let target = (exponent + spare).max(self.min_exponent());
        let (mut kept, _) =
            shift_round(&significand, target - exponent, sticky, RoundingMode::NearestEven, negative);
        let mut target = target;
        if kept.bits() > u64::from(self.sig_bits) {
            kept >>= 1;
            target += 1;
        }
        let normal = kept.bits() == u64::from(self.sig_bits);
        let field = if normal { target - self.min_exponent() + 1 } else { 0 };
        if field >= self.max_exp_field() as i64 {
            return self.encode_inf(negative);
        }
        let stored = kept & big_mask(self.stored_bits());
        self.pack(negative, field as u64, stored)
    }

    fn encode_inf(self, negative: bool) -> BvValue {
        self.pack(negative, self.max_exp_field(), BigUint::zero())
    }

    fn encode(self, value: &Fp) -> BvValue {
        match value {
            Fp::Nan => self.nan(),
            Fp::Inf { negative } => self.encode_inf(*negative),
            Fp::Finite { negative, significand, exponent } => {
                self.round(*negative, significand.clone(), *exponent, false)
            }
        }
    }
}

/// `value / 2^shift` rounded to an integer; `sticky` stands for a positive rest below
/// the lowest bit. Returns also whether the result is inexact.
fn shift_round(
    value: &BigUint,
    shift: i64,
    sticky: bool,
    mode: RoundingMode,
    negative: bool,
) -> (BigUint, bool) {
    if shift <= 0 {
        return (value << shift.unsigned_abs(), sticky);
    }
    let shift = shift as u64;
    let floor = value >> shift;
    let half = value.bit(shift - 1);
    let rest = sticky || value.trailing_zeros().is_some_and(|zeros| zeros < shift - 1);
    let up = match mode {
        RoundingMode::NearestEven => half && (rest || floor.bit(0)),
        RoundingMode::NearestAway => half,
        RoundingMode::Up => (half || rest) && !negative,
        RoundingMode::Down => (half || rest) && negative,
        RoundingMode::TowardZero => false,
    };
    (if up { floor + 1u32 } else { floor }, half || rest)
}

impl Fp {
    fn negative(&self) -> bool {
        match self {
            Fp::Nan => false,
            Fp::Inf { negative } | Fp::Finite { negative, .. } => *negative,
        }
    }
    fn is_zero(&self) -> bool {
        matches!(self, Fp::Finite { significand, .. } if significand.is_zero())
    }
    fn negate(mut self) -> Fp {
        match &mut self {
            Fp::Nan => {}
            Fp::Inf { negative } | Fp::Finite { negative, .. } => *negative = !*negative,
        }
        self
    }

    fn compare(&self, other: &Fp) -> Option<Ordering> {
        Some(match (self, other) {
            (Fp::Nan, _) | (_, Fp::Nan) => return None,
            (Fp::Inf { negative: a }, Fp::Inf { negative: b }) => b.cmp(a),
            (Fp::Inf { negative }, _) => {
                if *negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (_, Fp::Inf { negative }) => {
                if *negative {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (
                Fp::Finite { negative: na, significand: a, exponent: ea },
                Fp::Finite { negative: nb, significand: b, exponent: eb },
            ) => {
                let low = *ea.min(eb);
                scaled(*na, a, ea - low).cmp(&scaled(*nb, b, eb - low))
            }
        })
    }

    fn add(&self, other: &Fp) -> Fp {
        match (self, other) {
            (Fp::Nan, _) | (_, Fp::Nan) => Fp::Nan,
            (Fp::Inf { negative: a }, Fp::Inf { negative: b }) if a != b => Fp::Nan,
            (Fp::Inf { negative }, _) | (_, Fp::Inf { negative }) => Fp::Inf { negative: *negative },
            (
                Fp::Finite { negative: na, significand: a, exponent: ea },
                Fp::Finite { negative: nb, significand: b, exponent: eb },
            ) => {
                let low = *ea.min(eb);
                let sum = scaled(*na, a, ea - low) + scaled(*nb, b, eb - low);
                // An exact zero is positive unless both operands are negative zeros.
                let negative = if sum.is_zero() { *na && *nb } else { sum.is_negative() };
                Fp::Finite { negative, significand: sum.magnitude().clone(), exponent: low }
            }
        }
    }

    fn mul(&self, other: &Fp) -> Fp {
        let negative = self.negative() != other.negative();
        match (self, other) {
            (Fp::Nan, _) | (_, Fp::Nan) => Fp::Nan,
            (Fp::Inf { .. }, o) | (o, Fp::Inf { .. }) => {
                if o.is_zero() {
                    Fp::Nan
                } else {
                    Fp::Inf { negative }
                }
            }
            (
                Fp::Finite { significand: a, exponent: ea, .. },
                Fp::Finite { significand: b, exponent: eb, .. },
            ) => Fp::Finite { negative, significand: a * b, exponent: ea + eb },
        }
    }
}

fn scaled(negative: bool, significand: &BigUint, shift: i64) -> BigInt {
    let sign = if negative { Sign::Minus } else { Sign::Plus };
    BigInt::from_biguint(sign, significand << shift.unsigned_abs())
}

fn div(format: FpFormat, a: &Fp, b: &Fp) -> BvValue {
    let negative = a.negative() != b.negative();
    match (a, b) {
        (Fp::Nan, _) | (_, Fp::Nan) | (Fp::Inf { .. }, Fp::Inf { .. }) => format.nan(),
        (Fp::Inf { .. }, _) => format.encode_inf(negative),
        (_, Fp::Inf { .. }) => format.pack(negative, 0, BigUint::zero()),
        (_, b) if b.is_zero() => {
            if a.is_zero() {
                format.nan()
            } else {
                format.encode_inf(negative)
            }
        }
        (
            Fp::Finite { significand: m, exponent: ea, .. },
            Fp::Finite { significand: n, exponent: eb, .. },
        ) => {
            // Two bits more than the result has, so that the rest is only sticky.
            let shift = u64::from(format.sig_bits) + 2 + n.bits();
            let shifted = m << shift;
            let quotient = &shifted / n;
            let sticky = &quotient * n != shifted;
            format.round(negative, quotient, ea - eb - shift as i64, sticky)
        }
    }
}

fn sqrt(format: FpFormat, a: &Fp) -> BvValue {
    match a {
        Fp::Nan => format.nan(),
        Fp::Finite { significand, .. } if significand.is_zero() => format.encode(a),
        Fp::Inf { negative: true } | Fp::Finite { negative: true, .. } => format.nan(),
        Fp::Inf { negative: false } => format.encode_inf(false),
        Fp::Finite { significand, exponent, .. } => {
            let mut shift = 2 * (i64::from(format.sig_bits) + 2);
            if (exponent - shift) % 2 != 0 {
                shift += 1;
            }
            let shifted = significand << shift;
            let root = shifted.sqrt();
            let sticky = &root * &root != shifted;
            format.round(false, root, (exponent - shift) / 2, sticky)
        }
    }
}

/// The remainder of `a / b` with the quotient to nearest even, or truncated.
fn rem(format: FpFormat, a: &Fp, b: &Fp, nearest: bool) -> BvValue {
    match (a, b) {
        (Fp::Nan, _) | (_, Fp::Nan) | (Fp::Inf { .. }, _) => format.nan(),
        (_, b) if b.is_zero() => format.nan(),
        (_, Fp::Inf { .. }) => format.encode(a),
        (
            Fp::Finite { negative, significand: m, exponent: ea },
            Fp::Finite { significand: n, exponent: eb, .. },
        ) => {
            let (sign, exponent) = (*negative, *ea.min(eb));
            let divisor = n << (eb - exponent) as u64;
            // A quotient's parity is decided modulo twice the divisor; this keeps huge
            // exponent differences from making huge numbers.
            let twice = &divisor << 1u32;
            let shift = BigUint::from((ea - exponent) as u64);
            let mut rest = (m % &twice) * BigUint::from(2u32).modpow(&shift, &twice) % &twice;
            let odd = rest >= divisor;
            if odd {
                rest -= &divisor;
            }
            let doubled = &rest << 1u32;
            if nearest && (doubled > divisor || (doubled == divisor && odd)) {
                return format.round(!sign, divisor - rest, exponent, false);
            }
            format.round(sign, rest, exponent, false)
        }
    }
}

fn to_integer(a: &Fp, mode: RoundingMode) -> Option<BigInt> {
    match a {
        Fp::Finite { negative, significand, exponent } => {
            let (magnitude, _) = shift_round(significand, -exponent, false, mode, *negative);
            Some(scaled(*negative, &magnitude, 0))
        }
        _ => None,
    }
}

/// The greatest integer not above the number and whether that is the number itself;
/// `None` for NaN and infinities.
pub(crate) fn floor(format: FpFormat, bits: &BvValue) -> Option<(BigInt, bool)> {
    let number = format.decode(bits);
    let floor = to_integer(&number, RoundingMode::Down)?;
    let ceiling = to_integer(&number, RoundingMode::Up)?;
    let is_whole = floor == ceiling;
    Some((floor, is_whole))
}

/// The order of two numbers; `None` if one is a NaN.
pub(crate) fn compare(format: FpFormat, a: &BvValue, b: &BvValue) -> Option<Ordering> {
    format.decode(a).compare(&format.decode(b))
}

/// The result of `op` on bit patterns.
pub(crate) fn apply(op: FpOp, args: &[BvValue], arg_width: u32) -> BvValue {
    let arg = |i: usize, f: FpFormat| f.decode(&args[i]);
    let ordered = |f: FpFormat, accept: &[Ordering]| {
        let order = arg(0, f).compare(&arg(1, f));
        BvValue::from(u64::from(order.is_some_and(|o| accept.contains(&o))))
    };
    match op {
        FpOp::Add(f) => f.encode(&arg(0, f).add(&arg(1, f))),
        FpOp::Sub(f) => f.encode(&arg(0, f).add(&arg(1, f).negate())),
        FpOp::Mul(f) => f.encode(&arg(0, f).mul(&arg(1, f))),
        FpOp::Div(f) => div(f, &arg(0, f), &arg(1, f)),
        FpOp::Rem(f) => rem(f, &arg(0, f), &arg(1, f), false),
        FpOp::IeeeRem(f) => rem(f, &arg(0, f), &arg(1, f), true),
        FpOp::Sqrt(f) => sqrt(f, &arg(0, f)),
        FpOp::Fma(f) => f.encode(&arg(0, f).mul(&arg(1, f)).add(&arg(2, f))),
        FpOp::RoundToIntegral(f, mode) => {
            let a = arg(0, f);
            match to_integer(&a, mode) {
                None => f.encode(&a),
                Some(value) => f.round(a.negative(), value.magnitude().clone(), 0, false),
            }
        }
        FpOp::Lt(f) => ordered(f, &[Ordering::Less]),
        FpOp::Le(f) => ordered(f, &[Ordering::Less, Ordering::Equal]),
        FpOp::Eq(f) => ordered(f, &[Ordering::Equal]),
        FpOp::IsNan(f) => u64::from(matches!(arg(0, f), Fp::Nan)).into(),
        FpOp::IsInf(f) => u64::from(matches!(arg(0, f), Fp::Inf { .. })).into(),
        FpOp::ToFp { from, to } => to.encode(&arg(0, from)),
        FpOp::FromSInt { to } => {
            let value = big_signed(arg_width, &args[0].to_big());
            to.round(value.is_negative(), value.magnitude().clone(), 0, false)
        }
        FpOp::FromUInt { to } => to.round(false, args[0].to_big(), 0, false),
        FpOp::ToSInt { from, width } => {
            let limit = BigInt::one() << (width - 1);
            match to_integer(&arg(0, from), RoundingMode::TowardZero) {
                Some(v) if v >= -&limit && v < limit => {
                    ((v + (BigInt::one() << width)).magnitude() & big_mask(width)).into()
                }
                _ => (BigUint::one() << (width - 1)).into(),
            }
        }
        FpOp::ToUInt { from, width } => match to_integer(&arg(0, from), RoundingMode::TowardZero) {
            Some(v) if !v.is_negative() && v.magnitude().bits() <= u64::from(width) => {
                v.magnitude().clone().into()
            }
            _ => big_mask(width).into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::host_float;

    /// Patterns with a bias to zeros, subnormals, infinities and NaNs.
    fn pattern(exp_bits: u32, sig_bits: u32) -> impl Strategy<Value = u64> {
        let stored = sig_bits - 1;
        let fields = (any::<bool>(), 0..1u64 << exp_bits, any::<u64>(), 0..8u8);
        fields.prop_map(move |(negative, exponent, bits, kind)| {
            let all = (1u64 << exp_bits) - 1;
            let middle = all / 2;
            let exponent = match kind {
                0 => 0,
                1 => all,
                2 | 3 => middle + exponent % 8 - 4,
                _ => exponent,
            };
            let bits = match kind {
                1 | 4 => bits & 1,
                5 => bits << 40,
                _ => bits,
            };
            u64::from(negative) << (exp_bits + stored) | exponent << stored | bits & ((1 << stored) - 1)
        })
    }

    fn ops(f: FpFormat) -> Vec<FpOp> {
        let mut ops = vec![
            FpOp::Add(f),
            FpOp::Sub(f),
            FpOp::Mul(f),
            FpOp::Div(f),
            FpOp::Rem(f),
            FpOp::Sqrt(f),
            FpOp::Fma(f),
            FpOp::Lt(f),
            FpOp::Le(f),
            FpOp::Eq(f),
            FpOp::IsNan(f),
            FpOp::IsInf(f),
            FpOp::FromSInt { to: f },
            FpOp::FromUInt { to: f },
            FpOp::ToFp { from: FpFormat::F32, to: FpFormat::F64 },
            FpOp::ToFp { from: FpFormat::F64, to: FpFormat::F32 },
        ];
        for mode in [
            RoundingMode::NearestEven,
            RoundingMode::NearestAway,
            RoundingMode::Up,
            RoundingMode::Down,
            RoundingMode::TowardZero,
        ] {
            ops.push(FpOp::RoundToIntegral(f, mode));
        }
        ops
    }

    fn compare_with_host(format: FpFormat, args: [u64; 3]) {
        for op in ops(format) {
            if op.operand_format().is_some_and(|operand| operand != format) {
                continue;
            }
            let args = &args[..op.arity()];
            let host = host_float::apply(op, args, format.width()).expect("the host has the operation");
            let values: Vec<BvValue> = args.iter().map(|&arg| arg.into()).collect();
            assert_eq!(apply(op, &values, format.width()), host.into(), "{op:?} on {args:x?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn soft_and_host_arithmetic_agree_on_doubles(args in [pattern(11, 53), pattern(11, 53), pattern(11, 53)]) {
            compare_with_host(FpFormat::F64, args);
        }

        #[test]
        fn soft_and_host_arithmetic_agree_on_singles(args in [pattern(8, 24), pattern(8, 24), pattern(8, 24)]) {
            compare_with_host(FpFormat::F32, args);
        }

        #[test]
        fn conversions_to_integers_agree_with_the_host_in_range(bits in pattern(11, 53)) {
            let number = f64::from_bits(bits);
            let convert = |op| apply(op, &[bits.into()], 64).to_u64().expect("at most 64 bits");
            let from = FpFormat::F64;
            let signed = convert(FpOp::ToSInt { from, width: 32 }) as u32 as i32;
            let unsigned = convert(FpOp::ToUInt { from, width: 64 });
            if number.trunc() >= -2f64.powi(31) && number.trunc() < 2f64.powi(31) {
                prop_assert_eq!(signed, number as i32);
            } else {
                prop_assert_eq!(signed, i32::MIN);
            }
            if number.trunc() >= 0.0 && number < 2f64.powi(64) {
                prop_assert_eq!(unsigned, number as u64);
            } else {
                prop_assert_eq!(unsigned, u64::MAX);
            }
        }
    }

    #[test]
    fn the_ieee_remainder_rounds_its_quotient_to_nearest_even() {
        let f = FpFormat::F64;
        let remainder = |a: f64, b: f64| {
            let bits = apply(FpOp::IeeeRem(f), &[a.to_bits().into(), b.to_bits().into()], 64);
            f64::from_bits(bits.to_u64().expect("64 bits"))
        };
        assert_eq!(remainder(5.0, 3.0), -1.0);
        assert_eq!(remainder(4.5, 3.0), -1.5);
        assert_eq!(remainder(1.5, 3.0), 1.5);
        assert_eq!(remainder(-5.0, 3.0), 1.0);
        assert_eq!(remainder(6.0, 3.0).to_bits(), 0.0f64.to_bits());
        assert_eq!(remainder(-6.0, 3.0).to_bits(), (-0.0f64).to_bits());
        assert!(remainder(1.0, 0.0).is_nan());
        assert!(remainder(1e300, 0.7).abs() <= 0.35);
    }
}
