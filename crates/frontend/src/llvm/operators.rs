//! Operators of C++ that order their operands, told by the names of their functions.
//!
//! Since C++17 `a << b`, `a >> b`, `a[b]`, `a->*b` and all assignments order what they are applied to, also where a
//! function of the program stands for the operator. A call of such a function by its name is taken for the operator.
//! Relies on: names as the Itanium ABI makes them.

/// Their codes in names: shifts, subscript, member pointer, assignments; and `&&`, `||` and the comma.
const ORDERED: [&str; 19] = [
    "ls", "rs", "ix", "pm", "aS", "pL", "mI", "mL", "dV", "rM", "aN", "oR", "eO", "lS", "rS", "aa", "oo",
    "cm", "cl",
];

/// Whether the function of this name is such an operator.
pub(super) fn is_ordered(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("_Z") else { return false };
    let bytes = rest.as_bytes();
    let mut at = 0;
    let mut is_nested = false;
    if bytes.first() == Some(&b'N') {
        is_nested = true;
        at += 1;
        while matches!(bytes.get(at), Some(b'r' | b'V' | b'K' | b'R' | b'O')) {
            at += 1;
        }
    }
    while let Some(next) = bytes.get(at) {
        match next {
            b'0'..=b'9' => at = after_name(bytes, at),
            b'S' => at = after_abbreviation(bytes, at),
            b'I' if is_nested => at = after_arguments(bytes, at),
            _ => {
                let code = bytes.get(at..at + 2).unwrap_or_default();
                return ORDERED.iter().any(|known| known.as_bytes() == code);
            }
        }
    }
    false
}

/// Behind `3foo`.
fn after_name(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    let mut len = 0usize;
    while let Some(digit) = bytes.get(at).filter(|b| b.is_ascii_digit()) {
        len = len.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
        at += 1;
    }
    at.saturating_add(len)
}

/// Behind `St`, `So`, `S_` or `S1_`.
fn after_abbreviation(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while matches!(bytes.get(at), Some(b'0'..=b'9' | b'A'..=b'Z')) {
        at += 1;
    }
    at + 1
}

/// Behind the template arguments that begin here: `I`, `N`, `L`, `X`, `J` and `F` are closed by `E`.
fn after_arguments(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    let mut depth = 0u32;
    while let Some(next) = bytes.get(at) {
        match next {
            b'0'..=b'9' if depth > 0 => {
                at = after_name(bytes, at);
                continue;
            }
            b'S' => {
                at = after_abbreviation(bytes, at);
                continue;
            }
            b'T' => {
                while !matches!(bytes.get(at), Some(b'_') | None) {
                    at += 1;
                }
            }
            // A literal: its digits are a value, no length.
            b'L' => {
                while !matches!(bytes.get(at), Some(b'E') | None) {
                    at += 1;
                }
            }
            b'I' | b'N' | b'X' | b'J' | b'F' => depth += 1,
            b'E' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::is_ordered;

    #[test]
    fn operators_that_order_their_operands_are_told_from_other_functions() {
        for name in [
            "_ZNSolsEi",
            "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
            "_ZNSt6vectorIiSaIiEEixEm",
            "_ZN3FooaSERKS_",
            "_ZlsRSoRK3Foo",
            "_ZNSt5arrayIiLm3EEixEm",
            "_ZNKSt8functionIFivEEclEv",
        ] {
            assert!(is_ordered(name), "{name}");
        }
        for name in ["main", "_Z3lsxi", "_ZplRK3FooS1_", "_ZN3Foo2lsEv", "_ZStplIcE", "_ZN3FooC1Ei"] {
            assert!(!is_ordered(name), "{name}");
        }
    }
}
