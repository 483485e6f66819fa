//! Floating-point numbers as text: what `strtod` reads, and `%a`.
//!
//! Guarantee: numbers are rounded correctly in the given mode, as glibc does, and the result says where C sets `ERANGE`.

use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, Round, Status};
use selvedge_term::RoundingMode;

use crate::digits::Cut;
use crate::step::rounded::round;

/// A number that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parsed {
    /// Its bits.
    pub(crate) bits: u128,
    /// Bytes read; 0 if there is no number.
    pub(crate) used: usize,
    /// Too large, or too small to be represented exactly.
    pub(crate) out_of_range: bool,
}

/// The longest prefix (after white space) that is a `double`.
pub(crate) fn parse_double(text: &[u8], mode: RoundingMode) -> Parsed {
    parse::<Double>(text, round(mode))
}

/// The longest prefix (after white space) that is a `float`.
pub(crate) fn parse_single(text: &[u8], mode: RoundingMode) -> Parsed {
    parse::<Single>(text, round(mode))
}

/// The longest prefix (after white space) that is a `long double` of x86.
pub(crate) fn parse_extended(text: &[u8], mode: RoundingMode) -> Parsed {
    parse::<X87DoubleExtended>(text, round(mode))
}

fn parse<F: Float>(text: &[u8], round: Round) -> Parsed {
    let start = text.iter().take_while(|c| c.is_ascii_whitespace() || **c == 0x0b).count();
    let negative = text.get(start) == Some(&b'-');
    let first = start + usize::from(matches!(text.get(start), Some(b'-' | b'+')));
    let rest = &text[first..];
    let (value, len, out_of_range) = match special::<F>(rest) {
        Some((value, len)) => (value, len, false),
        None => match numeral(rest) {
            Some((numeral, len)) => match F::from_str_r(&numeral, if negative { -round } else { round }) {
                Ok(parsed) => {
                    let out_of_range = parsed.status.intersects(Status::OVERFLOW | Status::UNDERFLOW)
                        || is_beyond(parsed.value, &numeral);
                    (parsed.value, len, out_of_range)
                }
                Err(_) => return Parsed { bits: 0, used: 0, out_of_range: false },
            },
            None => return Parsed { bits: 0, used: 0, out_of_range: false },
        },
    };
    let value = if negative { -value } else { value };
    Parsed { bits: value.to_bits(), used: first + len, out_of_range }
}

/// Whether a numeral that became the largest number is larger than all that would be rounded to it if there were more.
fn is_beyond<F: Float>(value: F, numeral: &str) -> bool {
    let beyond = Quad::from_u128(1).value.scalbn(F::MAX_EXP + 1);
    let exact = || Quad::from_str_r(numeral, Round::TowardZero).map(|exact| exact.value >= beyond);
    value.bitwise_eq(F::largest()) && exact().unwrap_or(true)
}

/// Infinity or "not a number".
fn special<F: Float>(text: &[u8]) -> Option<(F, usize)> {
    let starts = |word: &[u8]| text.get(..word.len()).is_some_and(|t| t.eq_ignore_ascii_case(word));
    if starts(b"infinity") {
        return Some((F::INFINITY, 8));
    }
    if starts(b"inf") {
        return Some((F::INFINITY, 3));
    }
    if !starts(b"nan") {
        return None;
    }
    let payload = text[3..].strip_prefix(b"(").map_or(0, |rest| {
        let len = rest.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_').count();
        if rest.get(len) == Some(&b')') { len + 2 } else { 0 }
    });
    Some((F::NAN, 3 + payload))
}

/// A number without its sign, written in full, and its length in `text`.
fn numeral(text: &[u8]) -> Option<(String, usize)> {
    let hexadecimal = match text {
        [b'0', b'x' | b'X', b'.', digit, ..] | [b'0', b'x' | b'X', digit, ..] => digit.is_ascii_hexdigit(),
        _ => false,
    };
    let is_digit = |c: &u8| if hexadecimal { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
    let mut at = if hexadecimal { 2 } else { 0 };
    let run = |at: usize| text[at..].iter().take_while(|c| is_digit(c)).count();
    let whole = &text[at..at + run(at)];
    at += whole.len();
    let mut fraction: &[u8] = b"";
    if text.get(at) == Some(&b'.') {
        fraction = &text[at + 1..at + 1 + run(at + 1)];
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        at += 1 + fraction.len();
    }
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut exponent = 0i64;
    let mark = if hexadecimal { b'p' } else { b'e' };
    if text.get(at).is_some_and(|c| c.to_ascii_lowercase() == mark) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'-' | b'+')));
        let digits = text[at + 1 + sign..].iter().take_while(|c| c.is_ascii_digit());
        let len = digits.clone().count();
        if len > 0 {
            // Beyond this everything is infinite or zero.
            exponent = digits.fold(0i64, |n, c| (n * 10 + i64::from(c - b'0')).min(100_000));
            if text[at + 1] == b'-' {
                exponent = -exponent;
            }
            at += 1 + sign + len;
        }
    }
    let digits = |part: &[u8]| match part {
        [] => "0".to_string(),
        part => String::from_utf8_lossy(part).into_owned(),
    };
    let prefix = if hexadecimal { "0x" } else { "" };
    let mark = char::from(mark);
    Some((format!("{prefix}{}.{}{mark}{exponent}", digits(whole), digits(fraction)), at))
}

/// The text of `%a` after `0x`, for a finite number that is not negative.
pub(crate) fn hexadecimal(value: f64, precision: Option<usize>, point: bool, cut: Cut) -> String {
    const DIGITS: usize = 13;
    let bits = value.to_bits();
    let field = (bits >> 52) as i32;
    let exponent = match (field, value == 0.0) {
        (_, true) => 0,
        (0, _) => -1022,
        (field, _) => field - 1023,
    };
    // One digit before the point and 13 after it.
    let mut digits = (bits & ((1 << 52) - 1)) | (u64::from(field != 0) << 52);
    let shown = match precision {
        Some(precision) if precision < DIGITS => {
            let hidden = 4 * (DIGITS - precision);
            let (rest, half) = (digits & ((1 << hidden) - 1), 1u64 << (hidden - 1));
            digits >>= hidden;
            let goes_up = match cut {
                Cut::Nearest => rest > half || (rest == half && digits & 1 == 1),
                Cut::Away => rest > 0,
                Cut::Toward => false,
            };
            digits += u64::from(goes_up);
            digits <<= hidden;
            precision
        }
        Some(precision) => precision,
        None => DIGITS - (digits.trailing_zeros() as usize / 4).min(DIGITS),
    };
    let fraction = format!("{:013x}", digits & ((1 << 52) - 1));
    let fraction: String = fraction.chars().chain(std::iter::repeat('0')).take(shown).collect();
    let point = if point || shown > 0 { "." } else { "" };
    format!("{}{point}{fraction}p{exponent:+}", digits >> 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(text: &str) -> (f64, usize, bool) {
        let parsed = parse_double(text.as_bytes(), RoundingMode::NearestEven);
        (f64::from_bits(parsed.bits as u64), parsed.used, parsed.out_of_range)
    }

    #[test]
    fn the_longest_numeric_prefix_is_read() {
        assert_eq!(double(" 12.5e3xyz"), (12500.0, 7, false));
        assert_eq!(double("-1e"), (-1.0, 2, false));
        assert_eq!(double("abc"), (0.0, 0, false));
        assert_eq!(double("."), (0.0, 0, false));
        assert_eq!(double("+.5"), (0.5, 3, false));
        assert_eq!(double("5.e+1"), (50.0, 5, false));
        assert_eq!(double("-Infinite"), (f64::NEG_INFINITY, 4, false));
        assert_eq!(double("0x1p3"), (8.0, 5, false));
        assert_eq!(double("0x.8P+1z"), (1.0, 7, false));
        assert_eq!(double("0xg"), (0.0, 1, false));
        assert_eq!(double("0x1.8p"), (1.5, 5, false));
        assert_eq!(parse_double(b"nan(12)x", RoundingMode::NearestEven).used, 7);
    }

    #[test]
    fn numbers_that_do_not_fit_are_told() {
        assert_eq!(double("1e400"), (f64::INFINITY, 5, true));
        assert_eq!(double("-1e99999999999999999999"), (f64::NEG_INFINITY, 23, true));
        assert_eq!(double("1e-400"), (0.0, 6, true));
        assert_eq!(double("1e-310"), (1e-310, 6, true));
        assert_eq!(double("0x1p-1074"), (f64::from_bits(1), 9, false));
        assert!(parse_single(b"1e39", RoundingMode::NearestEven).out_of_range);
        assert_eq!(double("0e9999"), (0.0, 6, false));
    }

    #[test]
    fn hexadecimal_numbers_are_as_glibc_prints_them() {
        assert_eq!(hexadecimal(1.0, None, false, Cut::Nearest), "1p+0");
        assert_eq!(hexadecimal(3.0, None, false, Cut::Nearest), "1.8p+1");
        assert_eq!(hexadecimal(0.0, None, false, Cut::Nearest), "0p+0");
        assert_eq!(hexadecimal(0.1, None, false, Cut::Nearest), "1.999999999999ap-4");
        assert_eq!(hexadecimal(0.1, Some(2), false, Cut::Nearest), "1.9ap-4");
        assert_eq!(hexadecimal(1.99, Some(0), false, Cut::Nearest), "2p+0");
        assert_eq!(hexadecimal(1.0, Some(0), true, Cut::Nearest), "1.p+0");
        assert_eq!(hexadecimal(1.0, Some(15), false, Cut::Nearest), "1.000000000000000p+0");
        assert_eq!(hexadecimal(f64::from_bits(1), None, false, Cut::Nearest), "0.0000000000001p-1022");
    }
}
