//! Registers with names, in place of numbers.

use std::collections::BTreeMap;

/// The text of one function with its registers numbered in the order in which they are first mentioned.
pub(crate) fn number_registers(text: &str) -> String {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let (before, from) = rest.split_at(at);
        out += before;
        let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
        let end = from[1..].find(is_end).map_or(from.len(), |end| end + 1);
        let next = numbers.len();
        let number = *numbers.entry(&from[..end]).or_insert(next);
        out += &format!("%{number}");
        rest = &from[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::number_registers;

    #[test]
    fn a_name_has_one_number() {
        assert_eq!(number_registers("%a = %b + %a, %c"), "%0 = %1 + %0, %2");
    }

    #[test]
    fn a_number_is_a_name_like_others() {
        assert_eq!(number_registers("%7 %x %7"), "%0 %1 %0");
    }
}
