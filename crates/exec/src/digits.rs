//! The decimal digits of a floating-point number, cut off where they are not wanted.
//!
//! To nearest is what Rust's own formatting does. In the other rounding modes the number is written exactly first.

use selvedge_term::RoundingMode;

/// Where the digits of a magnitude go that are not printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cut {
    /// To the nearest number that is left, of two the even one.
    Nearest,
    /// To the next one, unless they are zeros.
    Away,
    /// They are dropped.
    Toward,
}

impl Cut {
    /// For a number of this sign.
    pub(crate) fn new(mode: RoundingMode, negative: bool) -> Cut {
        match mode {
            RoundingMode::NearestEven | RoundingMode::NearestAway => Cut::Nearest,
            RoundingMode::Up if !negative => Cut::Away,
            RoundingMode::Down if negative => Cut::Away,
            RoundingMode::Up | RoundingMode::Down | RoundingMode::TowardZero => Cut::Toward,
        }
    }
}

/// Digits after the point that suffice to write every number exactly, in both notations.
const ALL_DIGITS: usize = 1100;

/// A number with so many digits after the point.
pub(crate) fn decimal(value: f64, precision: usize, cut: Cut) -> String {
    if cut == Cut::Nearest || precision >= ALL_DIGITS {
        return format!("{value:.precision$}");
    }
    shorten(&format!("{value:.ALL_DIGITS$}"), precision, cut)
}

/// Its mantissa and its exponent, with one digit before the point.
pub(crate) fn scientific(value: f64, precision: usize, cut: Cut) -> (String, i32) {
    let is_whole = cut == Cut::Nearest || precision >= ALL_DIGITS;
    let digits = if is_whole { precision } else { ALL_DIGITS };
    let text = format!("{value:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').expect("scientific notation");
    let exponent: i32 = exponent.parse().expect("a number");
    if is_whole {
        return (mantissa.to_string(), exponent);
    }
    let mut mantissa = shorten(mantissa, precision, cut);
    if !mantissa.starts_with("10") {
        return (mantissa, exponent);
    }
    // It was all nines, and is all zeros now.
    mantissa.remove(1);
    (mantissa, exponent + 1)
}

/// An exact decimal number with fewer digits after its point.
fn shorten(exact: &str, precision: usize, cut: Cut) -> String {
    let (whole, fraction) = exact.split_once('.').unwrap_or((exact, ""));
    let (kept, rest) = fraction.split_at(precision.min(fraction.len()));
    let mut digits: Vec<u8> = whole.bytes().chain(kept.bytes()).collect();
    if cut == Cut::Away && rest.bytes().any(|digit| digit != b'0') {
        let nines = digits.iter().rev().take_while(|digit| **digit == b'9').count();
        let at = digits.len() - nines;
        digits[at..].fill(b'0');
        match at.checked_sub(1) {
            Some(last) => digits[last] += 1,
            None => digits.insert(0, b'1'),
        }
    }
    let point = digits.len() - kept.len();
    if !kept.is_empty() {
        digits.insert(point, b'.');
    }
    String::from_utf8(digits).expect("digits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_cut_in_the_wanted_direction() {
        assert_eq!(decimal(0.125, 2, Cut::Nearest), "0.12");
        assert_eq!(decimal(0.125, 2, Cut::Away), "0.13");
        assert_eq!(decimal(0.125, 2, Cut::Toward), "0.12");
        assert_eq!(decimal(0.125, 3, Cut::Away), "0.125");
        assert_eq!(decimal(99.5, 0, Cut::Away), "100");
        assert_eq!(decimal(1e-300, 1, Cut::Away), "0.1");
        assert_eq!(scientific(9.99, 1, Cut::Away), ("1.0".to_string(), 1));
        assert_eq!(scientific(9.5, 0, Cut::Away), ("1".to_string(), 1));
        assert_eq!(scientific(9.99, 1, Cut::Toward), ("9.9".to_string(), 0));
        assert_eq!(scientific(0.0, 2, Cut::Away), ("0.00".to_string(), 0));
    }
}
