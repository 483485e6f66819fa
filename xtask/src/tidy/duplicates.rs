//! No text twice: two places with many identical lines are one idea written down twice.
//!
//! Blank lines, comments, imports and lines with less than two words (braces, names in a table) are not
//! counted and do not interrupt. The limit was measured: with 8 lines most of what is found are formulas and
//! signatures that look alike by chance, with 10 everything found was a copy.

use std::collections::BTreeMap;

use super::{File, Violation};

/// Identical lines, counted as above, from which two places are a copy.
const LIMIT: usize = 10;

/// Pairs of files that may have the same text, and why.
const ALLOWED: [(&str, &str, &str); 2] = [
    ("README.md", "docs/tutorial.md", "both show the first run in full; a test compares each with the tool"),
    (
        "crates/explore/tests/ir/shared.rs",
        "crates/prove-c/tests/ir/unknown.rs",
        "one program, searched and proved",
    ),
];

/// Violations in all files, each reported where the second copy begins.
pub(crate) fn check(files: &[File]) -> Vec<Violation> {
    let files: Vec<&File> = files.iter().filter(|f| is_compared(f)).collect();
    let lines: Vec<Vec<(usize, &str)>> = files.iter().map(|file| counted_lines(file)).collect();
    let mut windows: BTreeMap<Vec<&str>, Vec<(usize, usize)>> = BTreeMap::new();
    let mut violations = Vec::new();
    for (file, own) in lines.iter().enumerate() {
        for start in 0..(own.len() + 1).saturating_sub(LIMIT) {
            let text = own[start..start + LIMIT].iter().map(|(_, line)| *line).collect();
            let earlier = windows.entry(text).or_default();
            for &(other, at) in earlier.iter() {
                let continues = start > 0 && at > 0 && own[start - 1].1 == lines[other][at - 1].1;
                let overlaps = other == file && at + LIMIT > start;
                let (a, b) = (&files[other].path, &files[file].path);
                let allowed = ALLOWED.iter().any(|(x, y, _)| (x == a && y == b) || (x == b && y == a));
                if !continues && !overlaps && !allowed {
                    let same =
                        own[start..].iter().zip(&lines[other][at..]).take_while(|(x, y)| x.1 == y.1).count();
                    let message = format!("{same} lines as from {a}:{}: write it once", lines[other][at].0);
                    violations.push(Violation::new(b, own[start].0, message));
                }
            }
            earlier.push((file, start));
        }
    }
    violations
}

/// Our code and our documents.
fn is_compared(file: &File) -> bool {
    file.is_our_code() || file.has_extension(&["md"]) && !file.is_third_party()
}

/// The lines that count, trimmed, with their numbers.
fn counted_lines(file: &File) -> Vec<(usize, &str)> {
    let lines = file.text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines.filter(|(_, line)| counts(line)).collect()
}

fn counts(line: &str) -> bool {
    const UNCOUNTED: [&str; 7] = ["//", "/*", "* ", "#", "use ", "pub use ", "mod "];
    let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    words.count() > 1 && !UNCOUNTED.iter().any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, lines: impl Iterator<Item = String>) -> File {
        File { path: path.to_owned(), text: lines.map(|line| line + "\n").collect() }
    }

    fn statements(from: usize, n: usize) -> impl Iterator<Item = String> {
        (from..from + n).map(|i| format!("    let x = step_{i}();"))
    }

    fn messages(files: &[File]) -> Vec<(String, usize, String)> {
        check(files).into_iter().map(|v| (v.place, v.line, v.message)).collect()
    }

    #[test]
    fn a_copy_is_reported_once_where_it_begins_for_the_second_time() {
        let a = file("crates/x/src/a.rs", statements(0, 30));
        let b =
            file("crates/y/src/b.rs", statements(100, 5).chain(statements(7, 14)).chain(statements(200, 5)));
        let expected = "14 lines as from crates/x/src/a.rs:8: write it once".to_owned();
        assert_eq!(messages(&[a, b]), [("crates/y/src/b.rs".to_owned(), 6, expected)]);
    }

    #[test]
    fn fewer_lines_than_the_limit_may_be_the_same() {
        let a = || file("crates/x/src/a.rs", statements(0, 20));
        assert_eq!(messages(&[a(), file("crates/y/src/b.rs", statements(11, 20))]), []);
        assert_eq!(messages(&[a(), file("crates/y/src/b.rs", statements(10, 20))]).len(), 1);
    }

    #[test]
    fn a_copy_within_one_file_is_found_and_repetition_in_place_is_not() {
        let twice =
            file("crates/x/src/a.rs", statements(0, 12).chain(statements(50, 3)).chain(statements(0, 12)));
        assert_eq!(messages(&[twice]).len(), 1);
    }

    #[test]
    fn lines_that_say_nothing_neither_count_nor_interrupt() {
        let names = || (0..40).map(|i| format!("    Name{i},"));
        assert_eq!(messages(&[file("crates/x/src/a.rs", names()), file("crates/y/src/b.rs", names())]), []);
        let with_comments = statements(0, 10).flat_map(|line| ["    // Other words here.".to_owned(), line]);
        let found = messages(&[file("a.md", statements(0, 10)), file("crates/y/src/b.rs", with_comments)]);
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn programs_to_be_analysed_may_repeat_each_other() {
        let program = |path: &str| file(path, statements(0, 20));
        assert_eq!(messages(&[program("tests/programs/a.c"), program("tests/programs/b.c")]), []);
    }
}
