//! Arithmetic on floating-point numbers that are known, as bit patterns.
//!
//! `float` and `double` use the host's arithmetic ([`host_float`]), which is what the program would use; the other formats,
//! which are no terms, are computed in software (`rustc_apfloat`).
//! The tests compare all of them with what `selvedge-term` computes for constants, so that a number has one meaning.

use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Category, Float, FloatConvert, Round, Status};
use selvedge_program::{FBinOp, FloatKind, IntrinsicOp};
use selvedge_term::{FpFormat, FpOp, RoundingMode, host_float};

use super::float::format_of;
use crate::value::{sign_extend, truncate};

/// The theory's name of an operation.
pub(super) fn theory_bin(op: FBinOp, format: FpFormat) -> FpOp {
    match op {
        FBinOp::Add => FpOp::Add(format),
        FBinOp::Sub => FpOp::Sub(format),
        FBinOp::Mul => FpOp::Mul(format),
        FBinOp::Div => FpOp::Div(format),
        FBinOp::Rem => FpOp::Rem(format),
    }
}

/// The host's operation on numbers of at most 64 bits.
fn host(op: FpOp, args: &[u128]) -> Option<u128> {
    let format = op.operand_format()?;
    let mut small = [0; 3];
    small.iter_mut().zip(args).for_each(|(small, arg)| *small = *arg as u64);
    host_float(op, &small, format.width()).map(u128::from)
}

pub(super) fn bin(op: FBinOp, kind: FloatKind, a: u128, b: u128) -> u128 {
    if let Some(result) = format_of(kind).and_then(|format| host(theory_bin(op, format), &[a, b])) {
        return result;
    }
    match kind {
        FloatKind::Single => soft_bin::<Single>(op, a, b),
        FloatKind::Double => soft_bin::<Double>(op, a, b),
        FloatKind::Half => soft_bin::<Half>(op, a, b),
        FloatKind::BFloat => soft_bin::<BFloat>(op, a, b),
        FloatKind::X87 => soft_bin::<X87DoubleExtended>(op, a, b),
        FloatKind::Quad => soft_bin::<Quad>(op, a, b),
    }
}

fn soft_bin<F: Float>(op: FBinOp, a: u128, b: u128) -> u128 {
    let (x, y) = (F::from_bits(a), F::from_bits(b));
    match op {
        FBinOp::Add => x + y,
        FBinOp::Sub => x - y,
        FBinOp::Mul => x * y,
        FBinOp::Div => x / y,
        FBinOp::Rem => x % y,
    }
    .value
    .to_bits()
}

pub(super) fn cmp(kind: FloatKind, a: u128, b: u128) -> Option<std::cmp::Ordering> {
    fn soft<F: Float>(a: u128, b: u128) -> Option<std::cmp::Ordering> {
        F::from_bits(a).partial_cmp(&F::from_bits(b))
    }
    match kind {
        FloatKind::Half => soft::<Half>(a, b),
        FloatKind::BFloat => soft::<BFloat>(a, b),
        FloatKind::Single => soft::<Single>(a, b),
        FloatKind::Double => soft::<Double>(a, b),
        FloatKind::X87 => soft::<X87DoubleExtended>(a, b),
        FloatKind::Quad => soft::<Quad>(a, b),
    }
}

/// The class of a number, as the bit of `llvm.is.fpclass`'s mask that stands for it.
pub(super) fn class(kind: FloatKind, bits: u128) -> u32 {
    fn soft<F: Float>(bits: u128) -> u32 {
        let number = F::from_bits(bits);
        let magnitude = match number.category() {
            Category::NaN => return u32::from(!number.is_signaling()),
            Category::Infinity => 3,
            Category::Zero => 0,
            Category::Normal if number.is_denormal() => 1,
            Category::Normal => 2,
        };
        if number.is_negative() { 5 - magnitude } else { 6 + magnitude }
    }
    match kind {
        FloatKind::Half => soft::<Half>(bits),
        FloatKind::BFloat => soft::<BFloat>(bits),
        FloatKind::Single => soft::<Single>(bits),
        FloatKind::Double => soft::<Double>(bits),
        FloatKind::X87 => soft::<X87DoubleExtended>(bits),
        FloatKind::Quad => soft::<Quad>(bits),
    }
}

/// `fmin` or `fmax`: of two equal numbers (zeros with different signs) the second, as x86's instructions do.
fn pick(min: bool, kind: FloatKind, a: u128, b: u128) -> u128 {
    use std::cmp::Ordering::{Greater, Less};
    match cmp(kind, a, b) {
        Some(order) => {
            if order == (if min { Less } else { Greater }) {
                a
            } else {
                b
            }
        }
        // One of them is not a number: the other one.
        None if cmp(kind, a, a).is_none() => b,
        None => a,
    }
}

pub(super) fn convert(from: FloatKind, to: FloatKind, bits: u128) -> u128 {
    fn to_kind<F>(bits: u128, to: FloatKind) -> u128
    where
        F: Float
            + FloatConvert<Half>
            + FloatConvert<BFloat>
            + FloatConvert<Single>
            + FloatConvert<Double>
            + FloatConvert<X87DoubleExtended>
            + FloatConvert<Quad>,
    {
        let value = F::from_bits(bits);
        let mut lossy = false;
        match to {
            FloatKind::Half => <F as FloatConvert<Half>>::convert(value, &mut lossy).value.to_bits(),
            FloatKind::BFloat => <F as FloatConvert<BFloat>>::convert(value, &mut lossy).value.to_bits(),
            FloatKind::Single => <F as FloatConvert<Single>>::convert(value, &mut lossy).value.to_bits(),
            FloatKind::Double => <F as FloatConvert<Double>>::convert(value, &mut lossy).value.to_bits(),
            FloatKind::X87 => {
                <F as FloatConvert<X87DoubleExtended>>::convert(value, &mut lossy).value.to_bits()
            }
            FloatKind::Quad => <F as FloatConvert<Quad>>::convert(value, &mut lossy).value.to_bits(),
        }
    }
    match from {
        FloatKind::Half => to_kind::<Half>(bits, to),
        FloatKind::BFloat => to_kind::<BFloat>(bits, to),
        FloatKind::Single => to_kind::<Single>(bits, to),
        FloatKind::Double => to_kind::<Double>(bits, to),
        FloatKind::X87 => to_kind::<X87DoubleExtended>(bits, to),
        FloatKind::Quad => to_kind::<Quad>(bits, to),
    }
}

/// Two to the power of `exponent`, as binary128.
pub(super) fn power(exponent: u32) -> u128 {
    Quad::from_u128(1u128 << exponent).value.to_bits()
}

/// Toward zero; `None` if the integer type cannot hold it, which is undefined in C.
pub(super) fn to_int(from: FloatKind, bits: u128, width: u32, signed: bool) -> Option<u64> {
    let double = convert(from, FloatKind::Quad, bits);
    let value = Quad::from_bits(double);
    let mut exact = false;
    if signed {
        let out = value.to_i128_r(width as usize, Round::TowardZero, &mut exact);
        let fits = !out.status.contains(Status::INVALID_OP);
        fits.then(|| truncate(out.value as u64, width))
    } else {
        let out = value.to_u128_r(width as usize, Round::TowardZero, &mut exact);
        let fits = !out.status.contains(Status::INVALID_OP);
        fits.then(|| truncate(out.value as u64, width))
    }
}

pub(super) fn from_int(to: FloatKind, value: u64, width: u32, signed: bool) -> u128 {
    fn soft<F: Float>(value: u64, width: u32, signed: bool) -> u128 {
        if signed {
            F::from_i128(i128::from(sign_extend(value, width))).value.to_bits()
        } else {
            F::from_u128(u128::from(value)).value.to_bits()
        }
    }
    match to {
        FloatKind::Half => soft::<Half>(value, width, signed),
        FloatKind::BFloat => soft::<BFloat>(value, width, signed),
        FloatKind::Single => soft::<Single>(value, width, signed),
        FloatKind::Double => soft::<Double>(value, width, signed),
        FloatKind::X87 => soft::<X87DoubleExtended>(value, width, signed),
        FloatKind::Quad => soft::<Quad>(value, width, signed),
    }
}

pub(super) fn intrinsic(op: IntrinsicOp, kind: FloatKind, args: &[u128]) -> Option<u128> {
    use IntrinsicOp as I;
    if matches!(op, I::MinNum | I::MaxNum) {
        return Some(pick(op == I::MinNum, kind, args[0], args[1]));
    }
    if let Some(format) = format_of(kind) {
        return host_intrinsic(op, format, args);
    }
    match kind {
        FloatKind::Single => soft_round::<Single>(op, args),
        FloatKind::Double => soft_round::<Double>(op, args),
        FloatKind::X87 => soft_round::<X87DoubleExtended>(op, args),
        FloatKind::Quad => soft_round::<Quad>(op, args),
        FloatKind::Half => soft_round::<Half>(op, args),
        FloatKind::BFloat => soft_round::<BFloat>(op, args),
    }
}

fn host_intrinsic(op: IntrinsicOp, format: FpFormat, args: &[u128]) -> Option<u128> {
    use IntrinsicOp as I;
    let integral = |mode| host(FpOp::RoundToIntegral(format, mode), args);
    match op {
        I::Sqrt => host(FpOp::Sqrt(format), args),
        I::Floor => integral(RoundingMode::Down),
        I::Ceil => integral(RoundingMode::Up),
        I::FTrunc => integral(RoundingMode::TowardZero),
        I::Rint | I::RoundEven => integral(RoundingMode::NearestEven),
        I::Round => integral(RoundingMode::NearestAway),
        I::Fma => host(FpOp::Fma(format), args),
        I::MulAdd => {
            let product = host(FpOp::Mul(format), &args[..2])?;
            host(FpOp::Add(format), &[product, args[2]])
        }
        _ => None,
    }
}

fn soft_round<F: Float>(op: IntrinsicOp, args: &[u128]) -> Option<u128> {
    use IntrinsicOp as I;
    let x = F::from_bits(args[0]);
    let round = |mode| Some(x.round_to_integral(mode).value.to_bits());
    match op {
        I::Floor => round(Round::TowardNegative),
        I::Ceil => round(Round::TowardPositive),
        I::FTrunc => round(Round::TowardZero),
        I::Rint | I::RoundEven => round(Round::NearestTiesToEven),
        I::Round => round(Round::NearestTiesToAway),
        I::MulAdd => {
            Some((x * F::from_bits(args[1])).value).map(|p| (p + F::from_bits(args[2])).value.to_bits())
        }
        I::Fma => Some(x.mul_add(F::from_bits(args[1]), F::from_bits(args[2])).value.to_bits()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use proptest::prelude::*;
    use selvedge_term::{BvValue, TermPool};

    use super::*;

    /// The formats that terms have as well.
    const FORMATS: [(FloatKind, FpFormat); 5] = [
        (FloatKind::Half, FpFormat::F16),
        (FloatKind::BFloat, FpFormat { exp_bits: 8, sig_bits: 8 }),
        (FloatKind::Single, FpFormat::F32),
        (FloatKind::Double, FpFormat::F64),
        (FloatKind::Quad, FpFormat::F128),
    ];

    /// The value of the operation as a term.
    fn term(op: FpOp, width: u32, args: &[u128]) -> u128 {
        let mut pool = TermPool::new();
        let value = |arg: &u128| BvValue::from(BigUint::from(*arg));
        let args: Vec<_> = args.iter().map(|arg| pool.bv_value(width, &value(arg))).collect();
        let result = pool.fp(op, &args);
        match pool.as_value(result).expect("operations on constants are computed") {
            BvValue::Small(small) => small.into(),
            BvValue::Big(big) => big.try_into().expect("at most 128 bits"),
        }
    }

    /// A NaN is as good as another: terms have one only.
    fn same(kind: FloatKind, a: u128, b: u128) -> bool {
        a == b || cmp(kind, a, a).is_none() && cmp(kind, b, b).is_none()
    }

    /// Patterns of so many bits; near zero, one, infinity and each other more often than by chance.
    fn patterns() -> impl Strategy<Value = [(u128, u8); 3]> {
        let pattern = || (any::<u128>(), 0..8u8);
        [pattern(), pattern(), pattern()]
    }

    fn pattern(format: FpFormat, (bits, kind): (u128, u8)) -> u128 {
        let (width, stored) = (format.width(), u32::from(format.sig_bits) - 1);
        let all = u128::MAX >> (128 - width);
        let fraction = bits & ((1 << stored) - 1);
        let exponents = (1u128 << format.exp_bits) - 1;
        let of_exponent = |exponent: u128| (bits & 1) << (width - 1) | exponent << stored | fraction;
        match kind {
            0 => of_exponent(0),
            1 => of_exponent(exponents) & !(fraction & !1),
            2..=4 => of_exponent(exponents / 2 + (bits >> 120) % 6 - 3),
            _ => bits & all,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn terms_have_the_values_of_the_executor(bits in patterns(), op in 0..5usize) {
            let op = [FBinOp::Add, FBinOp::Sub, FBinOp::Mul, FBinOp::Div, FBinOp::Rem][op];
            for (kind, format) in FORMATS {
                let args = bits.map(|bits| pattern(format, bits));
                let ours = bin(op, kind, args[0], args[1]);
                let theirs = term(theory_bin(op, format), format.width(), &args[..2]);
                prop_assert!(same(kind, ours, theirs), "{op:?} {kind:?} {args:x?}: {ours:x}, {theirs:x}");
                let (fma, fused) = (IntrinsicOp::Fma, FpOp::Fma(format));
                let ours = intrinsic(fma, kind, &args).expect("it is computed");
                let theirs = term(fused, format.width(), &args);
                prop_assert!(same(kind, ours, theirs), "fma {kind:?} {args:x?}: {ours:x}, {theirs:x}");
            }
        }

        #[test]
        fn terms_round_and_convert_as_the_executor_does(bits in patterns()) {
            let modes = [
                (IntrinsicOp::Floor, RoundingMode::Down),
                (IntrinsicOp::Ceil, RoundingMode::Up),
                (IntrinsicOp::FTrunc, RoundingMode::TowardZero),
                (IntrinsicOp::RoundEven, RoundingMode::NearestEven),
                (IntrinsicOp::Round, RoundingMode::NearestAway),
            ];
            for (kind, format) in FORMATS {
                let arg = pattern(format, bits[0]);
                for (op, mode) in modes {
                    let ours = intrinsic(op, kind, &[arg]).expect("it is computed");
                    let theirs = term(FpOp::RoundToIntegral(format, mode), format.width(), &[arg]);
                    prop_assert!(same(kind, ours, theirs), "{op:?} {kind:?} {arg:x}: {ours:x}, {theirs:x}");
                }
                for (to, wanted) in FORMATS {
                    let theirs = term(FpOp::ToFp { from: format, to: wanted }, format.width(), &[arg]);
                    let ours = convert(kind, to, arg);
                    prop_assert!(same(to, ours, theirs), "{kind:?} {to:?} {arg:x}: {ours:x}, {theirs:x}");
                }
                let integer = bits[1].0 as u64;
                for (signed, op) in [(true, FpOp::FromSInt { to: format }), (false, FpOp::FromUInt { to: format })] {
                    let ours = from_int(kind, integer, 64, signed);
                    prop_assert_eq!(ours, term(op, 64, &[integer.into()]), "{:?} {:x}", kind, integer);
                }
            }
        }
    }
}
