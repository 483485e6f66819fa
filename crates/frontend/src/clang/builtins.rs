//! Library functions that clang computes itself, and programs that bring their own.
//!
//! clang turns a call of `memcpy` into an intrinsic and `strlen("abc")` into 3, whatever the program defines
//! under these names. A program that defines one is therefore compiled again with that knowledge taken from
//! clang. Copies of structs, and calls spelled `__builtin_memcpy`, stay with the engine.

use crate::llvm::Module;

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

/// Flags that make clang forget the functions of these that the program defines itself.
pub(crate) fn without_replaced(module: &Module<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for function in module.functions().filter(|function| !function.is_declaration()) {
        let name = function.name();
        let is_math = |known: &&str| {
            name.strip_prefix(known).is_some_and(|suffix: &str| matches!(suffix, "" | "f" | "l"))
        };
        if FOLDED.contains(&name.as_str()) || FOLDED_MATH.iter().any(is_math) {
            found.push(format!("-fno-builtin-{name}"));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
