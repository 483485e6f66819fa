//! Rules about single source files.

use super::{File, Violation};

/// File and folder names that say nothing.
const EMPTY_NAMES: [&str; 5] = ["util", "utils", "helper", "helpers", "misc"];

/// Words for work left open; in two parts so that this file passes its own check.
const OPEN_MARKS: [&str; 2] = [concat!("TO", "DO"), concat!("FIX", "ME")];

/// Violations in one file.
pub(crate) fn check(file: &File) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut report = |line, message: &str| violations.push(Violation::new(&file.path, line, message));

    if file.path.split('/').any(|part| EMPTY_NAMES.contains(&part.split('.').next().unwrap_or_default())) {
        report(0, "this name says nothing: name the concept");
    }
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        report(0, "the last line does not end");
    }
    if is_our_rust(file) && !file.text.starts_with("//!") {
        report(1, "a file starts with a `//!` doc: what it is, what it guarantees");
    }
    if is_our_rust(file) {
        for number in doc_tests(&file.text) {
            report(number, "doc tests are not run: name the language of this block, such as `text`");
        }
    }
    let tabs_allowed = file.path.ends_with("Makefile");
    for (index, line) in file.text.lines().enumerate() {
        let number = index + 1;
        if line.contains('\t') && !tabs_allowed {
            report(number, "a tab");
        }
        if line.ends_with([' ', '\t', '\r']) {
            report(number, "white space at the end of the line");
        }
        if OPEN_MARKS.iter().any(|mark| has_open_mark(line, mark)) {
            report(number, "an open task names its issue: `(#123)` follows the word");
        }
        // A module shared by several test binaries is not used in full by each, so `expect` cannot be met there.
        let attribute = line.trim_start();
        if file.has_extension(&["rs"])
            && !file.path.contains("/tests/")
            && (attribute.starts_with("#[allow(") || attribute.starts_with("#![allow("))
        {
            report(number, "use `expect` with a reason, which notices when it is no longer needed");
        }
    }
    violations
}

/// Rust code of Selvedge, not a program to be analysed.
fn is_our_rust(file: &File) -> bool {
    file.has_extension(&["rs"]) && !file.path.starts_with("tests/programs/")
}

/// Lines that begin a code block in documentation which rustdoc would run as a test.
fn doc_tests(text: &str) -> Vec<usize> {
    let mut is_inside = false;
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let doc = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        let Some(language) = doc.and_then(|doc| doc.trim_start().strip_prefix("```")) else { continue };
        if !is_inside && matches!(language.split(',').next(), Some("" | "rust" | "no_run" | "should_panic")) {
            found.push(index + 1);
        }
        is_inside = !is_inside;
    }
    found
}

/// Whether `mark` stands in `line` as a word and no issue number follows.
fn has_open_mark(line: &str, mark: &str) -> bool {
    line.match_indices(mark).any(|(at, _)| {
        let is_word_char = |c: char| c.is_alphanumeric() || c == '_';
        let before = line[..at].chars().next_back();
        let rest = &line[at + mark.len()..];
        let is_word = !before.is_some_and(is_word_char) && !rest.chars().next().is_some_and(is_word_char);
        let issue = rest.strip_prefix("(#").and_then(|r| r.split_once(')')).map(|(number, _)| number);
        is_word && !issue.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, text: &str) -> Vec<(usize, String)> {
        let file = File { path: path.to_owned(), text: text.to_owned() };
        check(&file).into_iter().map(|v| (v.line, v.message)).collect()
    }

    #[track_caller]
    fn one(path: &str, text: &str, line: usize, part: &str) {
        let found = messages(path, text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].0 == line && found[0].1.contains(part), "{found:?}");
    }

    #[test]
    fn a_tidy_file_passes() {
        assert_eq!(messages("crates/x/src/a.rs", "//! Doc.\nfn f() {}\n"), []);
        assert_eq!(messages("Makefile", "all:\n\techo\n"), []);
    }

    #[test]
    fn a_module_doc_is_required() {
        one("crates/x/src/a.rs", "fn f() {}\n", 1, "//!");
        assert_eq!(messages("tests/programs/a.rs", "fn f() {}\n"), []);
    }

    #[test]
    fn doc_tests_are_refused_because_nobody_runs_them() {
        let fence = "```";
        one("a.rs", &format!("//! Doc.\n/// {fence}\n/// f();\n/// {fence}\nfn f() {{}}\n"), 2, "doc tests");
        one("a.rs", &format!("//! {fence}rust,no_run\n//! f();\n//! {fence}\n"), 1, "doc tests");
        assert_eq!(messages("a.rs", &format!("//! {fence}text\n//! x\n//! {fence}\n// {fence}\n")), []);
    }

    #[test]
    fn names_that_say_nothing_are_refused() {
        one("crates/x/src/utils.rs", "//! Doc.\n", 0, "says nothing");
        one("crates/x/src/helpers/a.rs", "//! Doc.\n", 0, "says nothing");
    }

    #[test]
    fn white_space_is_checked() {
        one("a.md", "a\tb\n", 1, "a tab");
        one("a.md", "a \n", 1, "end of the line");
        one("a.md", "a", 0, "last line");
    }

    #[test]
    fn open_tasks_name_an_issue() {
        let mark = OPEN_MARKS[0];
        one("a.rs", &format!("//! Doc.\n// {mark}: later\n"), 2, "issue");
        one("a.rs", &format!("//! Doc.\n// {mark}(#x): later\n"), 2, "issue");
        assert_eq!(messages("a.rs", &format!("//! Doc.\n// {mark}(#12): later\n")), []);
        assert_eq!(messages("a.rs", &format!("//! Doc.\n// {mark}S\n")), []);
    }

    #[test]
    fn allow_is_refused() {
        let text = format!("//! Doc.\n#[{}(dead_code)]\nfn f() {{}}\n", "allow");
        one("a.rs", &text, 2, "expect");
        assert_eq!(messages("crates/x/tests/common/mod.rs", &text), []);
    }
}
