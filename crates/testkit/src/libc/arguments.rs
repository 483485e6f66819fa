//! Random arguments: for each kind of hole a C expression, ordinary, at a bound, or what a function must refuse.

use super::{floats, formats, world};
use crate::generator::Rng;

const INTS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "7",
    "10",
    "100",
    "255",
    "256",
    "-128",
    "32767",
    "65536",
    "123456789",
    "INT_MAX",
    "INT_MIN",
    "(INT_MIN + 1)",
];
const LONGS: &[&str] = &[
    "0L",
    "1L",
    "-1L",
    "42L",
    "1000000007L",
    "4294967296L",
    "-2147483649L",
    "LONG_MAX",
    "LONG_MIN",
    "(LONG_MIN + 1)",
    "123456789012345L",
];
const SIZES: &[&str] = &["0", "0", "1", "2", "3", "4", "5", "7", "8", "16"];
/// Above what any allocation can have, and around it.
const HUGE: &[&str] = &[
    "0",
    "1",
    "16",
    "PTRDIFF_MAX",
    "SIZE_MAX",
    "(SIZE_MAX / 2 + 1)",
    "(SIZE_MAX - 4096)",
    "SIZE_MAX / 4 + 2",
];
const BASES: &[&str] = &["0", "0", "10", "10", "16", "8", "2", "36", "3", "1", "37", "-1", "-10", "INT_MAX"];
const NUMBERS: &[&str] = &[
    "",
    "0",
    "-0",
    "+7",
    "12",
    "  42xyz",
    "-",
    "+",
    "0x",
    "0xg",
    "0x1F",
    "-0xff",
    "0b11",
    "0b2",
    "007",
    "089",
    "z",
    "Zz",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "-18446744073709551615",
    "99999999999999999999999",
    "2147483648",
    "-2147483649",
    "\\t\\n 5",
    " +-5",
    "--5",
    "1e5",
    "777777777777777777777777",
    "\\v\\f\\r8",
    "0X7fffffffffffffff",
];
const FLOATS: &[&str] = &[
    "",
    "0",
    "-0",
    "1.5",
    "-2.25",
    ".5",
    "5.",
    ".",
    "1e10",
    "1e",
    "1e+",
    "1e400",
    "-1e400",
    "1e-400",
    "4.9e-324",
    "2.2250738585072014e-308",
    "1.7976931348623157e308",
    "1.7976931348623159e308",
    "3.4028236e38",
    "1e-46",
    "0x1p3",
    "0x.8p-1",
    "0x1.8",
    "0x",
    "0xp1",
    "inf",
    "-INFINITY",
    "infinit",
    "nan",
    "-NaN(12)",
    "nan(",
    "  7.5abc",
    "+3e2x",
    "0.1",
    "123456789.987654321",
    "1e-310",
    "0x1p-1074",
    "0x1p-1075",
    "0x1.fffffffffffff8p1023",
];
const DOUBLES: &[&str] = &[
    "0.0",
    "-0.0",
    "1.0",
    "-1.0",
    "0.5",
    "-0.5",
    "1.5",
    "2.5",
    "-2.5",
    "3.0",
    "10.0",
    "0.1",
    "100.75",
    "-7.25",
    "1e10",
    "-1e10",
    "1e300",
    "-1e300",
    "1e-300",
    "1e308",
    "710.0",
    "-746.0",
    "1024.0",
    "-1075.0",
    "4.9406564584124654e-324",
    "2.2250738585072014e-308",
    "1.7976931348623157e308",
    "-1.7976931348623157e308",
    "INFINITY",
    "-INFINITY",
    "NAN",
    "9007199254740993.0",
    "4503599627370497.5",
    "9.3e18",
    "-9.3e18",
    "2147483648.5",
    "0.9999999999999999",
    "170.5",
    "-3.0",
    "172.0",
];
const SINGLES: &[&str] = &[
    "0.0f",
    "-0.0f",
    "1.0f",
    "-1.0f",
    "0.5f",
    "1.5f",
    "2.5f",
    "-2.5f",
    "3.25f",
    "1e10f",
    "-1e10f",
    "1e38f",
    "1e-38f",
    "1e-45f",
    "89.0f",
    "-104.0f",
    "3.4028235e38f",
    "INFINITY",
    "-INFINITY",
    "NAN",
    "16777217.0f",
    "0.1f",
    "-7.75f",
    "2147483648.0f",
    "-9.3e18f",
];
const CHARACTERS: &[&str] =
    &["'a'", "'b'", "'c'", "'A'", "'\\0'", "'z'", "' '", "'9'", "-1", "'a' + 256", "200", "'-'"];
const TEXTS: &[&str] = &[
    "",
    "a",
    "b",
    "ab",
    "ba",
    "abc",
    "abcabc",
    "aab",
    "ABC",
    "aBc",
    "abd",
    "abcd",
    "a b c",
    "hello world",
    "\\xff\\x80",
    "a\\xff",
    "x=1;y=2",
    ",,a,,b,",
    "zzzzzzzzzz",
    "-",
    "0123456789",
    "bca",
    "aaaaab",
    "\\t a",
];
const PATHS: &[&str] = &[
    "", "/", "//", "///", "a", "a/", "/a", "/a/b", "a/b/", "a//b//", "/usr/lib", ".", "..", "/a//", "a/b/c",
];
const ERRORS: &[&str] = &[
    "0",
    "1",
    "2",
    "EINVAL",
    "ERANGE",
    "ENOMEM",
    "EAGAIN",
    "EOVERFLOW",
    "133",
    "134",
    "41",
    "58",
    "-1",
    "9999",
    "INT_MAX",
    "INT_MIN",
    "EILSEQ",
    "ENOTSOCK",
];
const TIMES: &[&str] = &[
    "0",
    "1",
    "-1",
    "86399",
    "86400",
    "-86400",
    "951782400",
    "951868800",
    "1078012800",
    "1700000000",
    "2147483647",
    "2147483648",
    "-2147483649",
    "4102444800",
    "253402300799",
    "-62135596800",
    "-62167219201",
    "67767976233532799",
    "67767976233532800",
    "67768036191676799",
    "67768036191676800",
    "-67768040609740800",
    "-67768040609740801",
    "LONG_MAX",
    "LONG_MIN",
    "1234567890",
    "68169600",
    "5097600",
    "-2203977600",
];
const WIDES: &[&str] =
    &["", "a", "ab", "abc", "abcabc", "ABC", "b", "abd", "hello", "a b", "\\u00e9", "zzz", "x,y", "12"];
const ADDRESSES: &[&str] = &[
    "127.0.0.1",
    "0.0.0.0",
    "255.255.255.255",
    "1.2.3",
    "1.2",
    "1",
    "0x7f.1",
    "010.1.2.3",
    "256.1.1.1",
    "1.2.3.4.5",
    "",
    "a",
    "1.2.3.4x",
    "1.2.3.4 x",
    "1..2",
    "4294967295",
    "4294967296",
    "1.2.65536",
    "1.16777216",
    "01.02.03.04",
    " 1.2.3.4",
    "1.2.3.",
    "0xffffffff",
    "08.1.1.1",
    "1.2.3.0400",
];
const LOCALES: &[&str] =
    &["\"C\"", "\"POSIX\"", "NULL", "\"C\"", "\"xx_YY\"", "\"nonsense\"", "\"C/\"", "\"POSIXX\""];

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// A text made of few letters, so that searches find something.
fn letters(rng: &mut Rng) -> String {
    let alphabet = if rng.chance(80) { "aab" } else { "abAB, -" };
    let alphabet: Vec<char> = alphabet.chars().collect();
    (0..rng.below(9)).map(|_| *rng.pick(&alphabet)).collect()
}

/// A number as a calendar part: mostly in range, sometimes far outside.
fn part(rng: &mut Rng, low: i64, high: i64) -> i64 {
    let width = u64::try_from(high - low + 1).unwrap_or(1);
    let inside = low + i64::try_from(rng.below(width)).unwrap_or(0);
    match rng.below(6) {
        0 => low - 1 - i64::try_from(rng.below(40)).unwrap_or(0),
        1 => high + 1 + i64::try_from(rng.below(4000)).unwrap_or(0),
        _ => inside,
    }
}

/// The members of a `struct tm`, in their order.
fn date(rng: &mut Rng, wild: bool) -> String {
    let ranges = [(0, 59), (0, 59), (0, 23), (1, 31), (0, 11)];
    let mut parts: Vec<String> = Vec::new();
    for (low, high) in ranges {
        let value = if wild {
            part(rng, low, high)
        } else {
            low + i64::try_from(rng.below(28)).unwrap_or(0) % (high - low + 1)
        };
        parts.push(value.to_string());
    }
    let year = if wild {
        *rng.pick(&[70, 100, 124, 0, -1, -1900, -2000, 8099, 8100, 2_147_481_747, -2_147_483_648])
    } else {
        60 + i64::try_from(rng.below(100)).unwrap_or(0)
    };
    parts.push(if year == -2_147_483_648 { "INT_MIN".to_owned() } else { year.to_string() });
    parts.push(rng.below(7).to_string());
    parts.push(rng.below(366).to_string());
    parts.push("0".to_owned());
    parts.join(", ")
}

/// An expression for a hole; `None` if there is no such kind.
pub(super) fn argument(kind: &str, rng: &mut Rng) -> Option<String> {
    let pick = |rng: &mut Rng, items: &[&str]| (*rng.pick(items)).to_owned();
    Some(match kind {
        "int" if rng.chance(30) => format!("{}", rng.next() as i32),
        "int" => pick(rng, INTS),
        "positive" => (1 + rng.below(1000)).to_string(),
        "small" => (i64::try_from(rng.below(12)).unwrap_or(0) - 3).to_string(),
        "long" if rng.chance(30) => format!("{}L", (rng.next() >> 1) as i64),
        "long" => pick(rng, LONGS),
        "unsigned" => format!("{}u", rng.next() as u32),
        "size" => pick(rng, SIZES),
        "huge" => pick(rng, HUGE),
        "base" => pick(rng, BASES),
        "number" => {
            let text = pick(rng, NUMBERS);
            quoted(&if rng.chance(20) { format!("{text}{}", rng.below(100)) } else { text })
        }
        "floating" => quoted(&pick(rng, FLOATS)),
        "double" if rng.chance(20) => format!("{:?}", (rng.next() as i64) as f64 / 1e15),
        "double" => pick(rng, DOUBLES),
        "single" => pick(rng, SINGLES),
        "character" => pick(rng, CHARACTERS),
        "ctype" => (i64::try_from(rng.below(257)).unwrap_or(0) - 1).to_string(),
        "wctype" => pick(
            rng,
            &[
                "0", "'a'", "'Z'", "'5'", "' '", "'\\t'", "'~'", "127", "128", "0xe9", "0x100", "WEOF",
                "'_'", "31",
            ],
        ),
        "text" if rng.chance(40) => quoted(&letters(rng)),
        "text" => quoted(&pick(rng, TEXTS)),
        "set" => quoted(&pick(rng, &["", "a", "ab", "b", ",", " ,;", "-", "abc", "\\xff", "xyz"])),
        "wide" => format!("L{}", quoted(&pick(rng, WIDES))),
        "path" => quoted(&pick(rng, PATHS)),
        "error" => pick(rng, ERRORS),
        "time" if rng.chance(40) => format!("{}", (rng.next() as i64) >> (20 + rng.below(14))),
        "time" => pick(rng, TIMES),
        "date" => date(rng, false),
        "wilddate" => date(rng, true),
        "address" => quoted(&pick(rng, ADDRESSES)),
        "locale" => pick(rng, LOCALES),
        "category" => pick(
            rng,
            &[
                "LC_ALL",
                "LC_CTYPE",
                "LC_NUMERIC",
                "LC_TIME",
                "LC_COLLATE",
                "LC_MONETARY",
                "LC_MESSAGES",
                "99",
                "-1",
                "13",
            ],
        ),
        "align" => pick(
            rng,
            &["0", "1", "2", "3", "4", "8", "12", "16", "24", "64", "4096", "-1", "SIZE_MAX / 2 + 1", "48"],
        ),
        "power" => pick(
            rng,
            &[
                "0", "1", "-1", "10", "-10", "1023", "1024", "-1074", "-1075", "2000", "-3000", "INT_MAX",
                "INT_MIN", "52",
            ],
        ),
        "printf" => formats::printf(rng),
        "printfloat" => formats::print_float(rng),
        "scanf" => formats::scanf(rng),
        "strftime" => formats::strftime(rng),
        "strptime" => formats::strptime(rng),
        "letters" => quoted(&letters(rng)),
        "policy" => pick(rng, &["SCHED_OTHER", "SCHED_FIFO", "SCHED_RR", "3", "5", "6", "-1", "99", "4"]),
        "badname" => pick(rng, &["-1", "9999", "1000000", "INT_MAX", "INT_MIN", "-2"]),
        "langinfo" => pick(
            rng,
            &[
                "CODESET",
                "RADIXCHAR",
                "THOUSEP",
                "CRNCYSTR",
                "D_T_FMT",
                "D_FMT",
                "T_FMT",
                "T_FMT_AMPM",
                "AM_STR",
                "PM_STR",
                "YESEXPR",
                "NOEXPR",
                "ERA",
                "ERA_D_FMT",
                "ALT_DIGITS",
                "-1",
                "DAY_1",
                "DAY_7",
                "ABDAY_3",
                "MON_1",
                "MON_9",
                "MON_12",
                "ABMON_5",
            ],
        ),
        "direction" => pick(rng, &["FE_TONEAREST", "FE_DOWNWARD", "FE_UPWARD", "FE_TOWARDZERO"]),
        "anydouble" => floats::pattern(rng, 52, 1023),
        "anysingle" => format!("{}f", floats::pattern(rng, 23, 127)),
        "rounding" => {
            pick(rng, &["FE_TONEAREST", "FE_DOWNWARD", "FE_UPWARD", "FE_TOWARDZERO", "1", "-1", "0x1000"])
        }
        "signal" => pick(
            rng,
            &[
                "SIGINT",
                "SIGSEGV",
                "SIGKILL",
                "SIGTERM",
                "SIGUSR1",
                "SIGCHLD",
                "SIGSYS",
                "SIGHUP",
                "SIGPWR",
                "SIGSTKFLT",
            ],
        ),
        "args" => formats::arguments(rng),
        _ => return world::argument(kind, rng),
    })
}
