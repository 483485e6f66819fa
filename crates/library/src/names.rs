//! What a name says of functions and variables that have no row: their meaning is that of their bodies, but somebody must
//! know them by name.

/// The thread's error number, a variable of the C run-time.
pub const ERRNO: &str = "__selvedge_errno";

/// Functions whose calls clang may replace without optimisation.
const FOLDED: &[&str] = &[
    "memcpy", "memmove", "memset", "mempcpy", "bcopy", "bzero", "bcmp", "memcmp", "memchr", "strlen",
    "strcmp", "strncmp", "strchr", "wcslen", "wcscmp", "wcsncmp", "wcschr", "wmemcmp", "wmemchr", "wmemcpy",
    "wmemmove", "abs", "labs", "llabs", "imaxabs", "ffs", "ffsl", "ffsll", "alloca", "printf", "fprintf",
    "sprintf", "snprintf",
];

/// Functions of `math.h` in the same position, which come with the suffixes `f` and `l`.
const FOLDED_MATH: &[&str] = &[
    "fabs",
    "sqrt",
    "cbrt",
    "floor",
    "ceil",
    "trunc",
    "round",
    "roundeven",
    "rint",
    "nearbyint",
    "copysign",
    "fmin",
    "fmax",
    "fminimum_num",
    "fmaximum_num",
    "fma",
    "fmod",
    "remainder",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "sincos",
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "pow",
    "ldexp",
    "scalbn",
    "frexp",
    "modf",
    "lround",
    "llround",
    "lrint",
    "llrint",
    "nan",
    "nans",
    "hypot",
    "fdim",
    "nextafter",
    "isnan",
    "isinf",
    "finite",
];

/// Whether clang may compute a call of this function itself, whatever the program defines under its name.
pub fn is_computed_by_clang(name: &str) -> bool {
    let is_math =
        |known: &&str| name.strip_prefix(known).is_some_and(|suffix| matches!(suffix, "" | "f" | "l"));
    FOLDED.contains(&name) || FOLDED_MATH.iter().any(is_math)
}

/// Whether the name is one that C++ makes of a function and its types.
pub fn is_cxx(name: &str) -> bool {
    name.starts_with("_Z")
}

/// Whether the function of C++ tells, or sets, the state of a stream: whether it has failed.
pub fn is_stream_state(name: &str) -> bool {
    const STATE: [&str; 7] =
        ["4goodEv", "4failEv", "3badEv", "7rdstateEv", "ntEv", "cvbEv", "10exceptionsESt12_Ios_Iostate"];
    let member = name
        .strip_prefix("_ZNKSt9basic_iosIcSt11char_traitsIcEE")
        .or_else(|| name.strip_prefix("_ZNSt9basic_iosIcSt11char_traitsIcEE"));
    member.is_some_and(|member| STATE.contains(&member))
}
