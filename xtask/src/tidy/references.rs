//! References to files: what a document or a comment names exists.
//!
//! A word in backquotes is such a reference if it begins with a folder of the repository or a crate
//! (`exec/src/step/mod.rs`), or ends like a Rust file or a document. In ARCHITECTURE.md and CONTRIBUTING.md
//! files in C count as well. A bare name stands for a file of the crate that the comment or the section is about.
//! Capital letters stand for a name to be filled in.

use std::collections::BTreeSet;
use std::path::Path;

use super::docs::{links, normalise};
use super::{File, Violation};

/// Documents about the code.
const MAPS: [&str; 2] = ["ARCHITECTURE.md", "CONTRIBUTING.md"];
/// Tells what was, so it names files that are gone.
const HISTORY: &str = "CHANGELOG.md";

/// Violations in all documents and comments; `paths` are all files and folders of the repository.
pub(crate) fn check(files: &[File], paths: &BTreeSet<String>) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in files.iter().filter(|f| !f.is_third_party() && f.path != HISTORY) {
        let is_document = file.has_extension(&["md"]);
        if !is_document && !file.is_our_code() && !file.has_extension(&["toml", "sh"]) {
            continue;
        }
        let mut section: Vec<&str> =
            file.path.strip_prefix("crates/").and_then(|path| path.split('/').next()).into_iter().collect();
        for (index, line) in file.text.lines().enumerate() {
            if let Some(heading) = line.strip_prefix("### `") {
                section = heading.split('`').step_by(2).collect();
            } else if line.starts_with("## ") {
                section.clear();
            }
            let text = if is_document { Some(line) } else { comment(line) };
            let Some(text) = text else { continue };
            let named = text.split('`').skip(1).step_by(2);
            for reference in named.filter(|r| is_reference(r, &file.path, paths)) {
                if !exists(reference, &section, &file.path, paths) {
                    let message = format!("there is no `{reference}`");
                    violations.push(Violation::new(&file.path, index + 1, message));
                }
            }
            // Links of documents are a rule of their own.
            let dir = Path::new(&file.path).parent().unwrap_or(Path::new(""));
            let is_file = |target: &&str| target.ends_with(".md") || target.ends_with(".rs");
            for target in links(text).filter(|target| !is_document && is_file(target)) {
                if !paths.contains(&*normalise(&dir.join(target)).to_string_lossy()) {
                    let message = format!("broken link to {target}");
                    violations.push(Violation::new(&file.path, index + 1, message));
                }
            }
        }
    }
    violations
}

/// The comment of a line of code.
fn comment(line: &str) -> Option<&str> {
    let starts = ["// ", "//! ", "/// ", "/* ", "# "];
    let trimmed = line.trim_start();
    let whole = trimmed.starts_with("* ") || starts.iter().any(|start| trimmed.starts_with(start));
    match whole {
        true => Some(trimmed),
        false => {
            starts.iter().filter_map(|start| line.find(&format!(" {start}"))).min().map(|at| &line[at..])
        }
    }
}

fn is_reference(text: &str, place: &str, paths: &BTreeSet<String>) -> bool {
    let parts: Vec<&str> = text.trim_end_matches('/').split('/').collect();
    let is_path_char = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let (stem, extension) = parts[parts.len() - 1].rsplit_once('.').unwrap_or((parts[parts.len() - 1], ""));
    let is_placeholder = |part: &str| !part.contains(|c: char| c.is_ascii_lowercase());
    let folders = &parts[..parts.len() - 1];
    if !text.chars().all(is_path_char)
        || folders.iter().any(|part| is_placeholder(part))
        || is_placeholder(stem) && extension != "md"
    {
        return false;
    }
    if matches!(extension, "rs" | "md")
        || MAPS.contains(&place) && matches!(extension, "c" | "h" | "sh" | "toml")
    {
        return !stem.is_empty();
    }
    // `exec/step` may be two words: of a crate only files are meant.
    let in_crate = paths.contains(&format!("crates/{}", parts[0])) && !extension.is_empty();
    parts.len() > 1 && (in_crate || paths.contains(parts[0]) && !parts[0].contains('.'))
}

/// Whether a file of the crates of `section`, or of the whole repository if there are none, is meant.
fn exists(reference: &str, section: &[&str], place: &str, paths: &BTreeSet<String>) -> bool {
    let reference = reference.trim_end_matches('/');
    let homes: Vec<String> = match section {
        [] if place.starts_with("xtask/") => vec!["xtask/".to_owned()],
        [] => vec![String::new()],
        names => names
            .iter()
            .map(|name| if *name == "xtask" { "xtask/".to_owned() } else { format!("crates/{name}/") })
            .collect(),
    };
    let dir = Path::new(place).parent().unwrap_or(Path::new(""));
    paths.contains(reference)
        || paths.contains(&format!("crates/{reference}"))
        || paths.contains(&*normalise(&dir.join(reference)).to_string_lossy())
        || homes.iter().any(|home| {
            paths.iter().any(|p| p.starts_with(home.as_str()) && p.ends_with(&format!("/{reference}")))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHS: [&str; 11] = [
        "ARCHITECTURE.md",
        "crates",
        "crates/exec",
        "crates/exec/src/state.rs",
        "crates/exec/src/step/mod.rs",
        "crates/frontend/runtime/clock.c",
        "crates/por/src/dpor.rs",
        "docs",
        "docs/flags.md",
        "docs/world.md",
        "tests/programs",
    ];

    fn messages(place: &str, text: &str) -> Vec<String> {
        let paths = PATHS.iter().map(|p| (*p).to_owned()).collect();
        let file = File { path: place.to_owned(), text: text.to_owned() };
        check(&[file], &paths).into_iter().map(|v| v.message).collect()
    }

    #[test]
    fn files_that_exist_may_be_named_in_several_ways() {
        let document =
            "`crates/exec/src/state.rs`, `exec/src/step/mod.rs`, `step/mod.rs`, `docs/`, `world.md`\n";
        assert_eq!(messages("docs/flags.md", document), [""; 0]);
        assert_eq!(
            messages("crates/exec/src/step/mod.rs", "//! See `state.rs` and `por/src/dpor.rs`.\n"),
            [""; 0]
        );
    }

    #[test]
    fn what_does_not_exist_is_reported() {
        let place = "crates/exec/src/state.rs";
        assert_eq!(messages(place, "//! See `gone.rs`.\n"), ["there is no `gone.rs`"]);
        let behind_code = format!("fn f() {{}} /{} `exec/src/gone.rs`\n", "/");
        assert_eq!(messages(place, &behind_code), ["there is no `exec/src/gone.rs`"]);
        assert_eq!(messages("docs/flags.md", "`docs/gone/`\n"), ["there is no `docs/gone/`"]);
        assert_eq!(messages("docs/flags.md", "`design.md`\n"), ["there is no `design.md`"]);
        assert_eq!(
            messages("crates/x/Cargo.toml", "# as in `docs/gone.md`\n"),
            ["there is no `docs/gone.md`"]
        );
    }

    #[test]
    fn a_bare_name_is_one_of_the_crate_it_is_about() {
        assert_eq!(messages("crates/exec/src/state.rs", "//! See `dpor.rs`.\n"), ["there is no `dpor.rs`"]);
        let map = "### `exec`\n`state.rs`\n### `por`\n`state.rs`\n### `exec` and `por`\n`dpor.rs`\n## Rules\n`state.rs`\n";
        assert_eq!(messages("ARCHITECTURE.md", map), ["there is no `state.rs`"]);
        assert_eq!(messages("ARCHITECTURE.md", "`clock.c`, `cuckoo.c`\n"), ["there is no `cuckoo.c`"]);
    }

    #[test]
    fn links_in_comments_lead_somewhere() {
        let place = "crates/exec/src/state.rs";
        assert_eq!(messages(place, "//! [a](../../../docs/flags.md) [b](State::new)\n"), [""; 0]);
        assert_eq!(messages(place, "//! [a](../docs/flags.md)\n"), ["broken link to ../docs/flags.md"]);
    }

    #[test]
    fn other_words_are_left_alone() {
        let text =
            "`/dev/null`, `and/or`, `sys/stat.h`, `a.c`, `.c`, `bench/NAME.toml`, `x.rs: y`, exec/gone.rs\n";
        assert_eq!(messages("docs/flags.md", text), [""; 0]);
        assert_eq!(messages("crates/exec/src/state.rs", "let s = \"`gone.rs`\";\n"), [""; 0]);
        assert_eq!(messages("CHANGELOG.md", "`gone.rs`\n"), [""; 0]);
        assert_eq!(messages("tests/programs/a.c", "/* `gone.rs` */\n"), [""; 0]);
    }
}
