//! `printf` conversions: parsing and integer formatting (C11 7.21.6.1).

use selvedge_term::RoundingMode;

use crate::digits::{Cut, decimal, scientific};

/// A conversion of a `printf` format with its numbers filled in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Spec {
    /// `-`.
    pub left: bool,
    /// `+`.
    pub plus: bool,
    /// A space.
    pub space: bool,
    /// `#`.
    pub alt: bool,
    /// `0`.
    pub zero: bool,
    /// Minimum width.
    pub width: usize,
    /// Precision, if given and not negative.
    pub precision: Option<usize>,
    /// Size of the integer in bits (from the length modifier).
    pub bits: u32,
    /// The `l` modifier: texts are of wide characters.
    pub wide: bool,
    /// The `L` modifier.
    pub long_double: bool,
    /// The conversion character.
    pub conv: u8,
}

/// A width or precision in the format text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Count {
    /// Not given.
    None,
    /// A number.
    Number(usize),
    /// `*`: the next argument.
    Star,
}

/// A parsed piece of a format string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    /// Text to copy.
    Text(Vec<u8>),
    /// A conversion; `spec.width` and `spec.precision` are to be filled in from `width` and `precision`.
    Conversion {
        /// Flags, size, conversion character.
        spec: Spec,
        /// Minimum width.
        width: Count,
        /// Precision.
        precision: Count,
    },
}

/// Parses a format string for a target whose `long` and pointers have `ptr_bits`.
pub(crate) fn parse(format: &[u8], ptr_bits: u32) -> Result<Vec<Item>, String> {
    let mut items = Vec::new();
    let mut text = Vec::new();
    let mut i = 0;
    while i < format.len() {
        if format[i] != b'%' {
            text.push(format[i]);
            i += 1;
            continue;
        }
        i += 1;
        if format.get(i) == Some(&b'%') {
            text.push(b'%');
            i += 1;
            continue;
        }
        if !text.is_empty() {
            items.push(Item::Text(std::mem::take(&mut text)));
        }
        let mut spec = Spec { bits: 32, ..Spec::default() };
        while let Some(flag) = format.get(i) {
            match flag {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alt = true,
                b'0' => spec.zero = true,
                _ => break,
            }
            i += 1;
        }
        let width = parse_count(format, &mut i);
        let precision = if format.get(i) == Some(&b'.') {
            i += 1;
            match parse_count(format, &mut i) {
                Count::None => Count::Number(0),
                given => given,
            }
        } else {
            Count::None
        };
        loop {
            match format.get(i) {
                Some(b'h') => spec.bits = if spec.bits == 16 { 8 } else { 16 },
                Some(b'l') => {
                    spec.wide = true;
                    spec.bits = if format[i - 1] == b'l' { 64 } else { ptr_bits };
                }
                Some(b'q' | b'j') => spec.bits = 64,
                Some(b'z' | b't') => spec.bits = ptr_bits,
                Some(b'L') => {
                    spec.bits = 64;
                    spec.long_double = true;
                }
                _ => break,
            }
            i += 1;
        }
        let Some(&conv) = format.get(i) else { return Err("incomplete conversion".into()) };
        i += 1;
        spec.conv = conv;
        items.push(Item::Conversion { spec, width, precision });
    }
    if !text.is_empty() {
        items.push(Item::Text(text));
    }
    Ok(items)
}

fn parse_count(format: &[u8], i: &mut usize) -> Count {
    if format.get(*i) == Some(&b'*') {
        *i += 1;
        return Count::Star;
    }
    let start = *i;
    let mut value = 0usize;
    while let Some(digit) = format.get(*i).filter(|c| c.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
        *i += 1;
    }
    if *i == start { Count::None } else { Count::Number(value) }
}

/// Appends the conversion of `value` (a pattern of `spec.bits` bits) for `d i u x X o c`.
pub(crate) fn format_integer(spec: &Spec, value: u64, out: &mut Vec<u8>) {
    let value = crate::value::truncate(value, spec.bits);
    if spec.conv == b'c' {
        pad(spec, b"", &[value as u8], false, out);
        return;
    }
    let signed = matches!(spec.conv, b'd' | b'i');
    let number = crate::value::sign_extend(value, spec.bits);
    let negative = signed && number < 0;
    let magnitude = if negative { number.unsigned_abs() } else { value };
    let mut digits = match spec.conv {
        b'x' => format!("{magnitude:x}"),
        b'X' => format!("{magnitude:X}"),
        b'o' => format!("{magnitude:o}"),
        _ => magnitude.to_string(),
    }
    .into_bytes();
    if spec.precision == Some(0) && magnitude == 0 {
        digits.clear();
    }
    let minimum = spec.precision.unwrap_or(1);
    if digits.len() < minimum {
        digits.splice(0..0, std::iter::repeat_n(b'0', minimum - digits.len()));
    }
    if spec.conv == b'o' && spec.alt && digits.first() != Some(&b'0') {
        digits.insert(0, b'0');
    }
    let prefix: &[u8] = match spec.conv {
        _ if negative => b"-",
        _ if signed && spec.plus => b"+",
        _ if signed && spec.space => b" ",
        b'x' if spec.alt && magnitude != 0 => b"0x",
        b'X' if spec.alt && magnitude != 0 => b"0X",
        _ => b"",
    };
    pad(spec, prefix, &digits, spec.zero && spec.precision.is_none(), out);
}

/// Appends `prefix` and `body`, padded to the width.
pub(crate) fn pad(spec: &Spec, prefix: &[u8], body: &[u8], zeros: bool, out: &mut Vec<u8>) {
    let fill = spec.width.saturating_sub(prefix.len() + body.len());
    if spec.left {
        out.extend_from_slice(prefix);
        out.extend_from_slice(body);
        out.extend(std::iter::repeat_n(b' ', fill));
    } else if zeros {
        out.extend_from_slice(prefix);
        out.extend(std::iter::repeat_n(b'0', fill));
        out.extend_from_slice(body);
    } else {
        out.extend(std::iter::repeat_n(b' ', fill));
        out.extend_from_slice(prefix);
        out.extend_from_slice(body);
    }
}

/// Appends the conversion of a floating-point number for `f e g a` and their capitals.
pub(crate) fn format_double(spec: &Spec, value: f64, mode: RoundingMode, out: &mut Vec<u8>) {
    let upper = spec.conv.is_ascii_uppercase();
    let negative = value.is_sign_negative();
    let magnitude = value.abs();
    let cut = Cut::new(mode, negative);
    let mut body = if !value.is_finite() {
        if value.is_nan() { "nan".to_string() } else { "inf".to_string() }
    } else {
        let precision = spec.precision.unwrap_or(6);
        match spec.conv.to_ascii_lowercase() {
            b'f' => fixed(magnitude, precision, spec.alt, cut),
            b'e' => exponential(magnitude, precision, spec.alt, cut),
            b'a' => crate::float_text::hexadecimal(magnitude, spec.precision, spec.alt, cut),
            _ => general(magnitude, precision, spec.alt, cut),
        }
    };
    if upper {
        body = body.to_ascii_uppercase();
    }
    let sign = if negative {
        "-"
    } else if spec.plus {
        "+"
    } else if spec.space {
        " "
    } else {
        ""
    };
    let base = match spec.conv {
        b'a' if value.is_finite() => "0x",
        b'A' if value.is_finite() => "0X",
        _ => "",
    };
    let prefix = format!("{sign}{base}");
    pad(spec, prefix.as_bytes(), body.as_bytes(), spec.zero && value.is_finite(), out);
}

fn fixed(value: f64, precision: usize, point: bool, cut: Cut) -> String {
    let mut text = decimal(value, precision, cut);
    if point && precision == 0 {
        text.push('.');
    }
    text
}

fn exponential(value: f64, precision: usize, point: bool, cut: Cut) -> String {
    let (mantissa, exponent) = scientific(value, precision, cut);
    let point = if point && precision == 0 { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{point}e{sign}{:02}", exponent.abs())
}

fn general(value: f64, precision: usize, keep_zeros: bool, cut: Cut) -> String {
    let precision = precision.max(1);
    let (_, exponent) = scientific(value, precision - 1, cut);
    let trim = |text: String| {
        if keep_zeros || !text.contains('.') {
            text
        } else {
            text.trim_end_matches('0').trim_end_matches('.').to_string()
        }
    };
    if exponent < -4 || exponent >= precision as i32 {
        let text = exponential(value, precision - 1, keep_zeros, cut);
        let (mantissa, rest) = text.split_once('e').expect("scientific notation");
        format!("{}e{rest}", trim(mantissa.to_string()))
    } else {
        trim(fixed(value, (precision as i32 - 1 - exponent) as usize, keep_zeros, cut))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: &str, value: u64, expected: &str) {
        let items = parse(format.as_bytes(), 64).unwrap();
        let [Item::Conversion { spec, width, precision }] = &items[..] else { panic!("one conversion") };
        let mut spec = spec.clone();
        if let Count::Number(n) = width {
            spec.width = *n;
        }
        if let Count::Number(n) = precision {
            spec.precision = Some(*n);
        }
        let mut out = Vec::new();
        format_integer(&spec, value, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected, "{format}");
    }

    #[test]
    fn integers_are_formatted_as_c_does() {
        check("%d", (-5i32) as u32 as u64, "-5");
        check("%5d", 42, "   42");
        check("%-5d", 42, "42   ");
        check("%05d", (-42i32) as u32 as u64, "-0042");
        check("%+d", 42, "+42");
        check("%.3d", 7, "007");
        check("%#x", 255, "0xff");
        check("%#o", 8, "010");
        check("%hhd", 0xff, "-1");
        check("%hu", 0x1_ffff, "65535");
        check("%lld", u64::MAX, "-1");
        check("%lu", u64::MAX, "18446744073709551615");
        check("%.0d", 0, "");
        check("%c", 65, "A");
        check("%X", 0xbeef, "BEEF");
    }

    #[test]
    fn long_is_as_wide_as_the_target_says() {
        for (bits, expected) in [(32, 32), (64, 64)] {
            let items = parse(b"%ld", bits).unwrap();
            assert!(matches!(&items[0], Item::Conversion { spec, .. } if spec.bits == expected));
            let items = parse(b"%lld", bits).unwrap();
            assert!(matches!(&items[0], Item::Conversion { spec, .. } if spec.bits == 64));
        }
    }

    #[test]
    fn floating_point_numbers_are_formatted_as_c_does() {
        for (format, value, expected) in [
            ("%f", 1.5, "1.500000"),
            ("%.2f", -0.125, "-0.12"),
            ("%e", 12345.678, "1.234568e+04"),
            ("%g", 100_000.0, "100000"),
            ("%g", 1_000_000.0, "1e+06"),
            ("%g", 0.0001, "0.0001"),
            ("%.3g", 2.0 / 3.0, "0.667"),
            ("%08.2f", -3.25, "-0003.25"),
            ("%G", 1e-10, "1E-10"),
            ("%f", f64::INFINITY, "inf"),
        ] {
            let items = parse(format.as_bytes(), 64).unwrap();
            let [Item::Conversion { spec, width, precision }] = &items[..] else { panic!("one conversion") };
            let mut spec = spec.clone();
            if let Count::Number(n) = width {
                spec.width = *n;
            }
            if let Count::Number(n) = precision {
                spec.precision = Some(*n);
            }
            let mut out = Vec::new();
            format_double(&spec, value, RoundingMode::NearestEven, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{format}");
        }
    }
}
