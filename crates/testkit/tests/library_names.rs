//! Nobody but the crate `library` compares names of library functions.
//!
//! A name is classified once and is typed from then on. This test reads the sources of all crates: a string that is the
//! name of a function of the table must not be compared, matched or looked up there; one that can be nothing but such a
//! name must not be there at all.

use std::path::{Path, PathBuf};

use selvedge_library::classify;

const CRATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// What stands before or after a string that is compared.
const BEFORE: [&str; 8] =
    ["== ", "!= ", "| ", "func_named(", "function(", "starts_with(", "strip_prefix(", "matches!(name, "];
const AFTER: [&str; 2] = [" =>", " |"];

/// Words that are names of functions, too, in files where they mean something else.
const WORDS: [(&str, &[&str]); 1] = [("asm/table.rs", &["pause"])];

/// Files with lists of something else: parts of test cases, names of intrinsics, files of the native run-time.
const OTHER_LISTS: [&str; 3] = ["exec/src/state.rs", "lower/pure.rs", "native/mod.rs"];

/// Prototypes of functions that a program uses without a declaration, by name.
const PROTOTYPES: &str = "clang/implicit.rs";

/// The strings of a line that are compared.
fn compared(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let code = line.split("//").next().unwrap_or_default();
    let parts: Vec<&str> = code.split('"').collect();
    for i in (1..parts.len().saturating_sub(1)).step_by(2) {
        let (before, after) = (parts[i - 1], parts[i + 1]);
        let is_pattern = before.trim().is_empty() && after.is_empty();
        if is_pattern
            || parts[i].contains('_')
            || BEFORE.iter().any(|b| before.ends_with(b))
            || AFTER.iter().any(|a| after.starts_with(a))
        {
            found.push(parts[i]);
        }
    }
    found
}

/// The strings of a source that are compared, or listed to be, with the numbers of their lines.
fn compared_or_listed(code: &str, has_lists: bool) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut is_list = false;
    for (number, line) in code.lines().enumerate() {
        let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
        let is_constant = matches!(words.next(), Some("const" | "static")) && !line.contains("fn ");
        is_list |= has_lists && is_constant && line.contains('[') && line.contains("str");
        let strings = match is_list {
            true => line.split('"').skip(1).step_by(2).collect(),
            false => compared(line),
        };
        found.extend(strings.into_iter().map(|text| (number + 1, text)));
        is_list &= !line.trim_end().ends_with(';');
    }
    found
}

fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push(path);
        }
    }
}

#[test]
fn names_of_library_functions_are_compared_in_the_library_only() {
    let crates = ["analysis", "cli", "engine", "exec", "explore", "frontend", "prove-c", "report", "summary"];
    let mut files = Vec::new();
    for name in crates {
        sources(&Path::new(CRATES).join(name).join("src"), &mut files);
    }
    assert!(files.len() > 200, "{}", files.len());
    let mut wrong = Vec::new();
    for file in files.into_iter().filter(|file| !file.ends_with(PROTOTYPES)) {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let words = WORDS.iter().find(|(path, _)| file.ends_with(path)).map_or(&[][..], |(_, words)| words);
        let has_lists = !OTHER_LISTS.iter().any(|path| file.ends_with(path));
        let names =
            compared_or_listed(code, has_lists).into_iter().filter(|(_, name)| classify(name).is_some());
        wrong.extend(
            names
                .filter(|(_, name)| !words.contains(name))
                .map(|(line, name)| format!("{}:{line}: {name}", file.display())),
        );
    }
    assert!(wrong.is_empty(), "names of library functions are compared:\n{}", wrong.join("\n"));
}

#[test]
fn comparisons_are_recognised() {
    assert_eq!(compared(r#"if name == "malloc" {"#), ["malloc"]);
    assert_eq!(compared(r#"    "malloc" | "free" => 1,"#), ["malloc", "free"]);
    assert_eq!(compared(r#"program.func_named("exit")"#), ["exit"]);
    assert_eq!(compared(r#"let name = "pthread_create";"#), ["pthread_create"]);
    assert_eq!(compared(r#"name.strip_prefix("malloc")"#), ["malloc"]);
    assert!(compared(r#"format!("malloc")  // == "malloc""#).is_empty());
    let list = "const LIST: [&str; 2] = [\n\"malloc\",\n\"free\",\n];\nlet name = \"exit\";";
    assert_eq!(compared_or_listed(list, true), [(2, "malloc"), (3, "free")]);
}
