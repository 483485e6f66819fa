//! Random formats with the arguments that they ask for: printf, scanf, strftime, strptime, command lines.

use crate::generator::Rng;

fn flags(rng: &mut Rng, allowed: &str) -> String {
    allowed.chars().filter(|_| rng.chance(25)).collect()
}

/// Width and precision, some of them taken from arguments, which are added to `arguments`.
fn shape(rng: &mut Rng, arguments: &mut Vec<String>) -> String {
    let mut text = String::new();
    match rng.below(4) {
        0 => text.push_str(&rng.below(13).to_string()),
        1 if rng.chance(50) => {
            text.push('*');
            arguments.push((i64::try_from(rng.below(20)).unwrap_or(0) - 10).to_string());
        }
        _ => {}
    }
    match rng.below(5) {
        0 => text.push_str(&format!(".{}", rng.below(9))),
        1 => text.push('.'),
        2 if rng.chance(50) => {
            text.push_str(".*");
            arguments.push((i64::try_from(rng.below(10)).unwrap_or(0) - 2).to_string());
        }
        _ => {}
    }
    text
}

/// A conversion of an integer, and its argument.
fn integer(rng: &mut Rng, arguments: &mut Vec<String>) -> String {
    let (size, ty) = *rng.pick(&[
        ("", "int"),
        ("hh", "int"),
        ("h", "int"),
        ("l", "long"),
        ("ll", "long long"),
        ("j", "intmax_t"),
        ("z", "size_t"),
        ("t", "ptrdiff_t"),
    ]);
    let letter = *rng.pick(&["d", "i", "u", "x", "X", "o", "d", "x"]);
    let flags = flags(
        rng,
        if matches!(letter, "d" | "i") {
            "-+ 0"
        } else if letter == "u" {
            "-0"
        } else {
            "-#0"
        },
    );
    let shape = shape(rng, arguments);
    let value = match rng.below(6) {
        0 => "0".to_owned(),
        1 => "-1".to_owned(),
        2 => "LONG_MIN".to_owned(),
        3 => "LONG_MAX".to_owned(),
        4 => rng.below(1000).to_string(),
        _ => format!("{}", rng.next() as i64 >> 3),
    };
    arguments.push(format!("({ty}){value}"));
    format!("%{flags}{shape}{size}{letter}")
}

fn floating(rng: &mut Rng, arguments: &mut Vec<String>) -> String {
    let letter = *rng.pick(&["f", "e", "g", "F", "E", "G", "a", "A", "g", "f"]);
    let flags = flags(rng, "-+ #0");
    let shape = shape(rng, arguments);
    let value = *rng.pick(&[
        "0.0",
        "-0.0",
        "1.0",
        "0.5",
        "1.5",
        "2.5",
        "-2.5",
        "0.1",
        "100.0",
        "123456.789",
        "1e10",
        "1e-5",
        "1e-4",
        "999999.5",
        "9.9999995",
        "1e100",
        "-1e-100",
        "INFINITY",
        "-INFINITY",
        "NAN",
        "0.00012345",
        "12345678.0",
    ]);
    arguments.push(value.to_owned());
    format!("%{flags}{shape}{letter}")
}

fn text(rng: &mut Rng, arguments: &mut Vec<String>) -> String {
    let flags = flags(rng, "-");
    match rng.below(5) {
        0 => {
            let width = rng.below(5);
            arguments.push((*rng.pick(&["'a'", "'~'", "65", "256 + 'b'"])).to_owned());
            if width == 0 { "%c".to_owned() } else { format!("%{flags}{width}c") }
        }
        1 => "%%".to_owned(),
        _ => {
            let shape = shape(rng, arguments);
            arguments.push(format!("\"{}\"", *rng.pick(&["", "a", "hello", "some text", "\\t."])));
            format!("%{flags}{shape}s")
        }
    }
}

fn joined(rng: &mut Rng, floats: bool) -> String {
    let mut format = String::new();
    let mut arguments = Vec::new();
    for _ in 0..=rng.below(3) {
        let before: &str = rng.pick::<&str>(&["", "", "<", "a ", "%%"]);
        format.push_str(before);
        let item = match (floats, rng.below(10)) {
            (true, 0..8) => floating(rng, &mut arguments),
            (_, 0..6) => integer(rng, &mut arguments),
            _ => text(rng, &mut arguments),
        };
        format.push_str(&item);
    }
    arguments.insert(0, format!("\"{format}\""));
    arguments.join(", ")
}

/// A format without floating-point conversions, and its arguments.
pub(super) fn printf(rng: &mut Rng) -> String {
    joined(rng, false)
}

/// A format with floating-point conversions, and its arguments.
pub(super) fn print_float(rng: &mut Rng) -> String {
    joined(rng, true)
}

/// Texts for `scanf`.
const SCANNED: [&str; 25] = [
    "",
    " ",
    "12",
    "12 34",
    "  -5,6",
    "0x1f 7",
    "abc 12",
    "abcabc",
    "1.5e3x",
    "99999999999999999999",
    "08",
    "+ 3",
    "a,b,c",
    "12abc",
    "nan 1",
    "inf",
    "%5",
    "5%",
    "0x",
    "-",
    "1e",
    "x y",
    "3000000000",
    "\\t\\n7",
    "[z]",
];

/// Conversions of `scanf` with the place of each result.
const CONVERSIONS: [(&str, &str); 33] = [
    ("%d", "&i"),
    ("%i", "&i"),
    ("%2d", "&i"),
    ("%u", "(unsigned *)&i"),
    ("%x", "(unsigned *)&i"),
    ("%o", "(unsigned *)&i"),
    ("%hhd", "(signed char *)&i"),
    ("%hd", "(short *)&i"),
    ("%ld", "&l"),
    ("%lx", "(unsigned long *)&l"),
    ("%3ld", "&l"),
    ("%s", "b"),
    ("%3s", "b"),
    ("%c", "c"),
    ("%2c", "c"),
    ("%[abc]", "b"),
    ("%[^,]", "b"),
    ("%4[0-9]", "b"),
    ("%[]x]", "b"),
    ("%n", "&j"),
    ("%*d", ""),
    ("%*s", ""),
    ("%lf", "&d"),
    ("%4lf", "&d"),
    ("%%", ""),
    (",", ""),
    (" ", ""),
    ("%zd", "(ssize_t *)&l"),
    ("%jd", "(intmax_t *)&l"),
    ("%*2c", ""),
    ("x", ""),
    ("%le", "&d"),
    ("%lg", "&d"),
];

/// A text, a format, and places for results: two integers `i`, `j`, a long `l`, texts `b` and `c`, a double `d`. Each
/// is used at most once.
pub(super) fn scanf(rng: &mut Rng) -> String {
    let text = *rng.pick(&SCANNED);
    let mut format = String::new();
    let mut places: Vec<&str> = Vec::new();
    for _ in 0..=rng.below(4) {
        let (item, place) = *rng.pick(&CONVERSIONS);
        let variable = place.rsplit(['&', ')', ' ', '*']).next().unwrap_or(place);
        if !place.is_empty() && places.iter().any(|used| used.ends_with(variable)) {
            continue;
        }
        format.push_str(item);
        if !place.is_empty() {
            places.push(place);
        }
    }
    let mut all = format!("\"{text}\", \"{format}\"");
    for place in places {
        all.push_str(", ");
        all.push_str(place);
    }
    all
}

/// A format of strftime.
pub(super) fn strftime(rng: &mut Rng) -> String {
    let items = [
        "%a", "%A", "%b", "%B", "%c", "%C", "%d", "%D", "%e", "%F", "%g", "%G", "%h", "%H", "%I", "%j", "%k",
        "%l", "%m", "%M", "%n", "%p", "%P", "%r", "%R", "%s", "%S", "%t", "%T", "%u", "%U", "%V", "%w", "%W",
        "%x", "%X", "%y", "%Y", "%z", "%Z", "%%", "x", " ", ":", "%Ey", "%Od",
    ];
    let text: String = (0..rng.below(4)).map(|_| *rng.pick(&items)).collect();
    format!("\"{text}\"")
}

/// A text and a format of strptime.
pub(super) fn strptime(rng: &mut Rng) -> String {
    let pairs = [
        ("2024-02-29", "%Y-%m-%d"),
        ("2024-02-29 12:34:56", "%Y-%m-%d %H:%M:%S"),
        ("12/31/99", "%D"),
        ("2001-13-01", "%Y-%m-%d"),
        ("Mon Jan  5 01:02:03 1970", "%a %b %d %H:%M:%S %Y"),
        ("monday", "%A"),
        ("Sept", "%b"),
        ("23:59", "%R"),
        ("24:00", "%R"),
        ("12 PM", "%I %p"),
        ("12 am", "%I %p"),
        ("x", "%d"),
        ("366", "%j"),
        ("  7", "%e"),
        ("99", "%y"),
        ("68", "%y"),
        ("69", "%y"),
        ("2024-1-2", "%F"),
        ("01:02:03", "%T"),
        ("5%", "%d%%"),
        ("a b", "a b"),
        ("ab", "a b"),
        ("a  b", "a b"),
        ("20", "%C"),
        ("61", "%S"),
        ("60", "%S"),
        ("", "%Y"),
        ("07", "%w"),
        ("3", "%w"),
        ("1700000000", "%s"),
        ("2024 60", "%Y %j"),
        ("2024-06-15T", "%Y-%m-%dT"),
        ("JAN", "%h"),
        ("01:02:03 PM", "%r"),
    ];
    let (text, format) = *rng.pick(&pairs);
    format!("\"{text}\", \"{format}\"")
}

/// The words of a command line after the program's name, for getopt.
pub(super) fn arguments(rng: &mut Rng) -> String {
    let words = [
        "-a",
        "-b",
        "-ab",
        "-c",
        "-cx",
        "-c",
        "x",
        "--",
        "-",
        "-z",
        "file",
        "-abc",
        "--long",
        "--value=3",
        "--value",
        "--lo",
        "--none",
    ];
    let count = rng.below(5);
    (0..count).map(|_| format!("\"{}\", ", rng.pick(&words))).collect()
}
