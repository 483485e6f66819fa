//! Arithmetic on floating-point numbers that are known, rounded as the thread wants it (`fesetround`).
//!
//! To nearest this is [`known_float`], by the host's arithmetic. The other modes are computed in software, for the formats
//! that C programs of x86 have in hardware; a NaN depends on no mode and is the one of the host.

use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};
use selvedge_program::{FBinOp, FloatKind, IntrinsicOp};
use selvedge_term::RoundingMode;

use super::known_float;
use crate::value::sign_extend;

/// The name of the mode in the library for software arithmetic.
pub(crate) fn round(mode: RoundingMode) -> Round {
    match mode {
        RoundingMode::NearestEven => Round::NearestTiesToEven,
        RoundingMode::NearestAway => Round::NearestTiesToAway,
        RoundingMode::Up => Round::TowardPositive,
        RoundingMode::Down => Round::TowardNegative,
        RoundingMode::TowardZero => Round::TowardZero,
    }
}

/// Runs `$soft` for the format; `None` for those that software of the program's own would compute.
macro_rules! by_kind {
    ($kind:expr, $soft:ident($($arg:expr),*)) => {
        match $kind {
            FloatKind::Single => $soft::<Single>($($arg),*),
            FloatKind::Double => $soft::<Double>($($arg),*),
            FloatKind::X87 => $soft::<X87DoubleExtended>($($arg),*),
            _ => None,
        }
    };
}

/// The bits of a number; those of a NaN are up to `other`.
fn bits<F: Float>(value: F, other: impl FnOnce() -> Option<u128>) -> Option<u128> {
    if value.is_nan() { other() } else { Some(value.to_bits()) }
}

pub(super) fn bin(op: FBinOp, kind: FloatKind, mode: RoundingMode, a: u128, b: u128) -> Option<u128> {
    fn soft<F: Float>(op: FBinOp, kind: FloatKind, round: Round, a: u128, b: u128) -> Option<u128> {
        let (x, y) = (F::from_bits(a), F::from_bits(b));
        let result = match op {
            FBinOp::Add => x.add_r(y, round),
            FBinOp::Sub => x.sub_r(y, round),
            FBinOp::Mul => x.mul_r(y, round),
            FBinOp::Div => x.div_r(y, round),
            // Exact.
            FBinOp::Rem => return Some(known_float::bin(op, kind, a, b)),
        };
        bits(result.value, || Some(known_float::bin(op, kind, a, b)))
    }
    if mode == RoundingMode::NearestEven {
        return Some(known_float::bin(op, kind, a, b));
    }
    by_kind!(kind, soft(op, kind, round(mode), a, b))
}

pub(super) fn convert(from: FloatKind, to: FloatKind, mode: RoundingMode, value: u128) -> Option<u128> {
    fn soft<F>(from: FloatKind, to: FloatKind, round: Round, value: u128) -> Option<u128>
    where
        F: Float + FloatConvert<Single> + FloatConvert<Double> + FloatConvert<X87DoubleExtended>,
    {
        let number = F::from_bits(value);
        if number.is_nan() {
            return Some(known_float::convert(from, to, value));
        }
        let mut lossy = false;
        Some(match to {
            FloatKind::Single => {
                <F as FloatConvert<Single>>::convert_r(number, round, &mut lossy).value.to_bits()
            }
            FloatKind::Double => {
                <F as FloatConvert<Double>>::convert_r(number, round, &mut lossy).value.to_bits()
            }
            FloatKind::X87 => {
                <F as FloatConvert<X87DoubleExtended>>::convert_r(number, round, &mut lossy).value.to_bits()
            }
            _ => return None,
        })
    }
    if mode == RoundingMode::NearestEven {
        return Some(known_float::convert(from, to, value));
    }
    by_kind!(from, soft(from, to, round(mode), value))
}

pub(super) fn from_int(
    to: FloatKind,
    mode: RoundingMode,
    value: u64,
    width: u32,
    signed: bool,
) -> Option<u128> {
    fn soft<F: Float>(round: Round, value: u64, width: u32, signed: bool) -> Option<u128> {
        let number = match signed {
            true => F::from_i128_r(i128::from(sign_extend(value, width)), round),
            false => F::from_u128_r(u128::from(value), round),
        };
        Some(number.value.to_bits())
    }
    if mode == RoundingMode::NearestEven {
        return Some(known_float::from_int(to, value, width, signed));
    }
    by_kind!(to, soft(round(mode), value, width, signed))
}

/// `None` also for what is not computed in any mode.
pub(super) fn intrinsic(op: IntrinsicOp, kind: FloatKind, mode: RoundingMode, args: &[u128]) -> Option<u128> {
    use IntrinsicOp as I;
    fn soft<F: Float>(op: IntrinsicOp, kind: FloatKind, mode: Round, args: &[u128]) -> Option<u128> {
        let number = |i: usize| F::from_bits(args[i]);
        let result = match op {
            I::Rint => number(0).round_to_integral(mode).value,
            I::Fma => number(0).mul_add_r(number(1), number(2), mode).value,
            I::MulAdd => number(0).mul_r(number(1), mode).value.add_r(number(2), mode).value,
            _ => return None,
        };
        bits(result, || known_float::intrinsic(op, kind, args))
    }
    match op {
        _ if mode == RoundingMode::NearestEven => known_float::intrinsic(op, kind, args),
        I::Sqrt => root(kind, mode, args[0]),
        I::Rint | I::Fma | I::MulAdd => by_kind!(kind, soft(op, kind, round(mode), args)),
        // Exact.
        _ => known_float::intrinsic(op, kind, args),
    }
}

/// The root to nearest is next to the one that is wanted, or that one; its square, which is exact, tells.
fn root(kind: FloatKind, mode: RoundingMode, of: u128) -> Option<u128> {
    fn soft<F: Float>(mode: RoundingMode, nearest: u128, order: std::cmp::Ordering) -> Option<u128> {
        let root = F::from_bits(nearest);
        let wanted = match (mode, order) {
            (RoundingMode::Up, std::cmp::Ordering::Less) => root.next_up().value,
            (RoundingMode::Down | RoundingMode::TowardZero, std::cmp::Ordering::Greater) => {
                root.next_down().value
            }
            _ => root,
        };
        Some(wanted.to_bits())
    }
    let nearest = known_float::intrinsic(IntrinsicOp::Sqrt, kind, &[of])?;
    let wide = |bits: u128| Quad::from_bits(known_float::convert(kind, FloatKind::Quad, bits));
    let (root, of) = (wide(nearest), wide(of));
    match (root * root).value.partial_cmp(&of) {
        Some(order) if !of.is_infinite() => by_kind!(kind, soft(mode, nearest, order)),
        _ => Some(nearest),
    }
}
