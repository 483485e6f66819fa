//! Floating-point numbers whose last digits show how a result was rounded.

use crate::generator::Rng;

fn between(rng: &mut Rng, low: i64, high: i64) -> i64 {
    low + i64::try_from(rng.below((high - low + 1) as u64)).expect("a small number")
}

/// A number with random digits, as C writes it: often of the smallest or the largest of its format, or a short one.
pub(super) fn pattern(rng: &mut Rng, digits: u32, bias: i64) -> String {
    let exponent = match rng.below(6) {
        0 => -bias - i64::from(digits) + between(rng, 0, i64::from(digits) + 2),
        1 => bias - between(rng, 0, 2),
        2 => -between(rng, bias / 2 - 2, bias / 2 + 2),
        3 => between(rng, bias / 2 - 2, bias / 2 + 2),
        _ => between(rng, -4, 4),
    };
    let kept = if rng.chance(30) { between(rng, 1, 8) as u32 } else { digits };
    let fraction = (rng.next() & ((1 << digits) - 1)) >> (digits - kept) << (digits - kept);
    // Of a number that is too small for all digits those remain that it can have.
    let spare = (1 - bias - exponent).clamp(0, i64::from(digits)) as u32;
    let fraction = fraction >> spare << spare;
    let sign = if rng.chance(50) { "-" } else { "" };
    format!("{sign}0x1.{:013x}p{exponent}", fraction << (52 - digits))
}
