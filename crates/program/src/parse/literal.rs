//! Types and numeric literals of the text form: `i32`, `5i32`, `-1i64`, `0x1fi128`, `1.5f64`.

use crate::mnemonics::Word;
use crate::{Const, FloatKind, Ty};

/// The widest integer, as in LLVM.
pub(crate) const MAX_WIDTH: u32 = 1 << 23;

/// A scalar type by its name.
pub(super) fn ty(word: &str) -> Option<Ty> {
    if word == "ptr" {
        return Some(Ty::Ptr);
    }
    FloatKind::from_word(word).map(Ty::Float).or_else(|| int_width(word).map(Ty::Int))
}

/// `32` for `i32`.
pub(super) fn int_width(word: &str) -> Option<u32> {
    let width = word.strip_prefix('i')?;
    let width: u32 = width.parse().ok()?;
    (1..=MAX_WIDTH).contains(&width).then_some(width)
}

/// A number with its type as suffix; `None` if there is no such literal or the value does not fit.
pub(super) fn number(text: &str) -> Option<Const> {
    if let Some(rest) = text.strip_prefix("0x") {
        let (digits, suffix) = rest.split_at(rest.find('i')?);
        return hex(digits, int_width(suffix)?);
    }
    if let Some(digits) = text.strip_suffix("f32") {
        let value: f32 = digits.parse().ok()?;
        return Some(Const::Float { kind: FloatKind::Single, bits: u128::from(value.to_bits()) });
    }
    if let Some(digits) = text.strip_suffix("f64") {
        let value: f64 = digits.parse().ok()?;
        return Some(Const::Float { kind: FloatKind::Double, bits: u128::from(value.to_bits()) });
    }
    let (digits, suffix) = text.split_at(text.find('i')?);
    decimal(digits, int_width(suffix)?)
}

/// Decimal literals are for integers of at most 64 bits.
fn decimal(digits: &str, width: u32) -> Option<Const> {
    if width > 64 {
        return None;
    }
    let value: i128 = digits.parse().ok()?;
    let (least, most) = (-(1_i128 << (width - 1)), (1_i128 << width) - 1);
    if !(least..=most).contains(&value) {
        return None;
    }
    let mask = u64::MAX >> (64 - width);
    Some(Const::Int { width, value: (value as u64) & mask })
}

fn hex(digits: &str, width: u32) -> Option<Const> {
    let digits = digits.trim_start_matches('0');
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let mut limbs = Vec::new();
    for chunk in digits.as_bytes().rchunks(16) {
        limbs.push(u64::from_str_radix(std::str::from_utf8(chunk).ok()?, 16).ok()?);
    }
    let significant =
        limbs.last().map_or(0, |top: &u64| limbs.len() as u64 * 64 - u64::from(top.leading_zeros()));
    if significant > u64::from(width) {
        return None;
    }
    limbs.resize(width.div_ceil(64) as usize, 0);
    match width {
        ..=64 => Some(Const::Int { width, value: limbs[0] }),
        _ => Some(Const::Wide { width, limbs: limbs.into() }),
    }
}
