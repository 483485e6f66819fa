//! Rules about size: files and functions that a reader can hold in mind.
//!
//! Relies on: the code is formatted by rustfmt, so a function ends at the first line that has its own
//! indentation and is a closing brace.

use super::{File, Violation};

/// Most lines of a source file.
const FILE: usize = 600;
/// Most lines of a function, unless it is one `match`.
const FUNCTION: usize = 80;
/// Lines that a function of one `match` may have around it.
const AROUND: usize = 16;

/// Violations in one file.
pub(crate) fn check(file: &File) -> Vec<Violation> {
    let mut violations = Vec::new();
    if !file.is_our_code() {
        return violations;
    }
    let lines: Vec<&str> = file.text.lines().collect();
    if lines.len() > FILE {
        let message = format!("{} lines, at most {FILE}: look for a seam", lines.len());
        violations.push(Violation::new(&file.path, 0, message));
    }
    if file.has_extension(&["rs"]) {
        violations.extend(long_functions(&lines).into_iter().map(|(at, name, n)| {
            let message = format!(
                "`{name}` has {n} lines, at most {FUNCTION} unless it is one match: split it at an idea"
            );
            Violation::new(&file.path, at, message)
        }));
    }
    violations
}

/// Line, name and length of the functions that are too long.
fn long_functions<'a>(lines: &[&'a str]) -> Vec<(usize, &'a str, usize)> {
    let mut long = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let indent = &line[..line.len() - line.trim_start().len()];
        let Some(end) = body_end(&lines[start..], indent) else { continue };
        let body = &lines[start..start + end];
        let length = body.len() - quoted(body);
        if length > FUNCTION && body.len() - longest_match(body, indent) > AROUND {
            long.push((start + 1, name, length));
        }
    }
    long
}

/// The name that a line declares a function by.
fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let is_declaration = before.split_whitespace().all(|word| {
        let word = word.split('(').next().unwrap_or_default();
        matches!(word, "pub" | "const" | "unsafe" | "async" | "extern" | "\"C\"" | "in" | "crate)" | "super)")
    });
    let name = after.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()?;
    (is_declaration && !name.is_empty()).then_some(name)
}

/// Lines of a function whose declaration is the first line; `None` if it has no body of several lines.
fn body_end(lines: &[&str], indent: &str) -> Option<usize> {
    let own = |line: &str| line.starts_with(indent) && !line[indent.len()..].starts_with(' ');
    let head = lines.iter().position(|line| own(line) && line.ends_with(['{', '}', ';']))?;
    if !lines[head].ends_with('{') {
        return None;
    }
    lines[head..].iter().position(|line| own(line) && &line[indent.len()..] == "}").map(|at| head + at + 1)
}

/// Lines inside of raw strings, such as what a test expects.
fn quoted(body: &[&str]) -> usize {
    let mut is_quoted = false;
    let inside = |line: &&&str| {
        let was_quoted = is_quoted;
        is_quoted = if is_quoted { !line.contains("\"#") } else { line.ends_with("r#\"") };
        was_quoted
    };
    body.iter().filter(inside).count()
}

/// Lines of the longest `match` that is a statement of the body.
fn longest_match(body: &[&str], indent: &str) -> usize {
    let inner = format!("{indent}    ");
    let statement = |line: &str| line.strip_prefix(&inner).is_some_and(|rest| !rest.starts_with(' '));
    let begins = |line: &str| {
        let before = line.split_once("match ").map(|(before, _)| before);
        statement(line)
            && line.ends_with('{')
            && before.is_some_and(|b| b.is_empty() || b.ends_with([' ', '(']))
    };
    let starts = body.iter().enumerate().filter(|(_, line)| begins(line));
    let lengths = starts.filter_map(|(start, _)| {
        body[start..]
            .iter()
            .position(|line| statement(line) && line.trim_start().starts_with('}'))
            .map(|n| n + 1)
    });
    lengths.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, text: &str) -> Vec<(usize, String)> {
        let file = File { path: path.to_owned(), text: text.to_owned() };
        check(&file).into_iter().map(|v| (v.line, v.message)).collect()
    }

    fn function(head: &str, lines: usize, inner: &str) -> String {
        format!("//! Doc.\n{head} {{\n{}}}\n", inner.repeat(lines))
    }

    #[test]
    fn files_have_at_most_six_hundred_lines() {
        for path in ["crates/x/src/a.rs", "crates/x/runtime/a.c", "xtask/src/a.rs"] {
            assert_eq!(messages(path, &"x\n".repeat(600)), []);
            let found = messages(path, &"x\n".repeat(601));
            assert_eq!(found, [(0, "601 lines, at most 600: look for a seam".to_owned())]);
        }
        assert_eq!(messages("tests/programs/a.c", &"x\n".repeat(601)), []);
        assert_eq!(messages("docs/a.md", &"x\n".repeat(601)), []);
    }

    #[test]
    fn functions_have_at_most_eighty_lines() {
        assert_eq!(messages("crates/x/src/a.rs", &function("fn f()", 78, "    g();\n")), []);
        for head in
            ["fn f()", "pub(crate) const unsafe fn f<T>(t: T)", "pub extern \"C\" fn f(\n    a: A,\n)"]
        {
            let found = messages("crates/x/src/a.rs", &function(head, 79, "    g();\n"));
            assert_eq!(found.len(), 1, "{head}: {found:?}");
            assert!(found[0].0 == 2 && found[0].1.starts_with("`f` has 8"), "{found:?}");
        }
    }

    #[test]
    fn quoted_text_is_not_counted() {
        let text = |n| {
            format!(
                "//! Doc.\nfn f() {{\n{}    x(r#\"\n{}\"#);\n}}\n",
                "    g();\n".repeat(n),
                "text\n".repeat(99)
            )
        };
        assert_eq!(messages("crates/x/src/a.rs", &text(77)), []);
        assert_eq!(messages("crates/x/src/a.rs", &text(78)).len(), 1);
    }

    #[test]
    fn a_method_after_a_declaration_without_body_is_measured_alone() {
        let text = format!(
            "//! Doc.\ntrait T {{\n    fn a(&self);\n    fn b(&self) -> u8 {{ 1 }}\n{}}}\n",
            "    fn c() {\n        g();\n    }\n".repeat(40)
        );
        assert_eq!(messages("crates/x/src/a.rs", &text), []);
    }

    #[test]
    fn a_single_match_may_be_longer() {
        let arms = |before: usize| {
            format!(
                "//! Doc.\nfn f(x: X) -> Y {{\n{}    let y = match x {{\n{}    }};\n    y\n}}\n",
                "    g();\n".repeat(before),
                "        A => b(),\n".repeat(90)
            )
        };
        assert_eq!(messages("crates/x/src/a.rs", &arms(13)), []);
        assert_eq!(messages("crates/x/src/a.rs", &arms(14)).len(), 1);
        let chain = function("fn f()", 30, "    match x {\n        A => b(),\n    }\n");
        assert_eq!(messages("crates/x/src/a.rs", &chain).len(), 1, "many small matches are not one");
    }
}
