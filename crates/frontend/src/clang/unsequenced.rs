//! Lines of which clang warns that they change a variable and use it, with no order between the two.
//!
//! Such a line is undefined in C (`i = i++ + 1`). clang looks at variables that are named, not at what pointers lead to.

/// File and line of each such warning.
pub(crate) fn unsequenced(warnings: &str) -> Vec<(&str, u32)> {
    let of_kind = warnings.lines().filter(|line| line.ends_with("[-Wunsequenced]"));
    of_kind.filter_map(split_place).collect()
}

/// `file:line:column: ...`
fn split_place(text: &str) -> Option<(&str, u32)> {
    let (place, _) = text.split_once(": warning: ")?;
    let (place, _column) = place.rsplit_once(':')?;
    let (file, line) = place.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::unsequenced;

    #[test]
    fn the_lines_are_those_of_the_warnings() {
        let text = "a.c:2:31: warning: multiple unsequenced modifications to 'i' [-Wunsequenced]\n\
                    a.c:3:1: warning: unused variable 'x' [-Wunused-variable]\n";
        assert_eq!(unsequenced(text), [("a.c", 2)]);
    }
}
