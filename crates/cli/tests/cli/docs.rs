//! The commands quoted in the documentation print what is shown there.
//!
//! `UPDATE_EXPECT=1` writes what they print into the documents, as it does for the other snapshots.

use std::path::{Path, PathBuf};

use crate::Sandbox;

/// A quoted command and its output begin like this, and end with a line of three backquotes.
const START: &str = "```text\n$ selvedge ";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn documents() -> Vec<PathBuf> {
    let folder =
        std::fs::read_dir(root().join("docs")).expect("a folder").map(|e| e.expect("an entry").path());
    let mut files: Vec<PathBuf> = folder.filter(|p| p.extension().is_some_and(|e| e == "md")).collect();
    files.push(root().join("README.md"));
    files.sort();
    files
}

/// The text without what differs from run to run: times and memory.
fn stable(text: &str) -> String {
    let words = text.split_inclusive([' ', '\n', ')', ',']);
    let mut out: Vec<&str> = Vec::new();
    for word in words {
        let is_unit = ["s", "MiB"].contains(&word.trim_end_matches([' ', '\n', ')', ',']));
        if is_unit && out.last().is_some_and(|number| number.ends_with(' ')) {
            out.pop();
            out.push("N ");
        }
        out.push(word);
    }
    out.concat()
}

#[test]
fn quoted_commands_print_what_is_shown() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let (mut n_commands, mut wrong) = (0, Vec::new());
    for file in documents() {
        // One for each document: later commands use what earlier ones wrote.
        let sandbox = Sandbox::new();
        let examples = root().join("examples").canonicalize().expect("a folder");
        std::os::unix::fs::symlink(examples, sandbox.path().join("examples")).expect("an empty folder");
        let text = std::fs::read_to_string(&file).expect("a document");
        let mut written = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find(START) {
            let (before, quote) = rest.split_at(at + START.len());
            let (command, quote) = quote.split_once('\n').expect("a line");
            let end = quote.find("```\n").expect("the end of the quote");
            let shown = &quote[..end];
            rest = &quote[end..];
            let run = sandbox.run(&command.split_whitespace().collect::<Vec<_>>());
            n_commands += 1;
            let is_same = stable(shown) == stable(&run.stdout);
            if !is_same {
                wrong.push(format!("{}: selvedge {command}\n{}", file.display(), run.stdout));
            }
            let now = if is_same { shown } else { &run.stdout };
            written.push_str(&format!("{before}{command}\n{now}"));
        }
        written.push_str(rest);
        if update && written != text {
            std::fs::write(&file, written).expect("a document of ours");
        }
    }
    assert!(n_commands >= 4, "quoted commands are not recognised");
    assert!(update || wrong.is_empty(), "these print something else now:\n{}", wrong.join("\n"));
}

#[test]
fn times_and_memory_do_not_count_as_differences() {
    let text =
        "stats: 4 states, 3 solver queries (0.12 s), 29 MiB, lines 7/7\nSAFE  4 executions in 0.05 s\n";
    let expected = "stats: 4 states, 3 solver queries N s), N MiB, lines 7/7\nSAFE  4 executions in N s\n";
    assert_eq!(stable(text), expected);
}
