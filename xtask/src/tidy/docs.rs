//! Rules about the documents: links lead somewhere, flags exist, and every flag is explained.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::{File, Violation};

/// Commands whose flags are not ours; a line that names one of them is not checked for flags.
const OTHER_TOOLS: [&str; 7] = ["cargo", "git ", "apt", "clang", "rustc", "klee", "make "];

/// The page that explains every flag.
const FLAG_PAGE: &str = "docs/flags.md";

/// Violations in all documents; `exists` tells whether a path from the root exists.
pub(crate) fn check(files: &[File], exists: impl Fn(&Path) -> bool) -> Vec<Violation> {
    let flags = known_flags(files);
    let mut violations = Vec::new();
    for file in files.iter().filter(|file| file.has_extension(&["md"])) {
        let dir = Path::new(&file.path).parent().unwrap_or(Path::new(""));
        for (index, line) in file.text.lines().enumerate() {
            for target in links(line) {
                if !exists(&normalise(&dir.join(target))) {
                    violations.push(Violation::new(
                        &file.path,
                        index + 1,
                        format!("broken link to {target}"),
                    ));
                }
            }
            for flag in mentioned_flags(line) {
                if !flags.is_empty() && !flags.contains(flag) {
                    violations.push(Violation::new(
                        &file.path,
                        index + 1,
                        format!("there is no flag {flag}"),
                    ));
                }
            }
        }
    }
    if let Some(page) = files.iter().find(|file| file.path == FLAG_PAGE) {
        let explained: BTreeSet<&str> = page.text.lines().flat_map(mentioned_flags).collect();
        // Clap adds these two itself.
        let own = flags.iter().filter(|flag| !matches!(flag.as_str(), "--help" | "--version"));
        for flag in own.filter(|flag| !explained.contains(flag.as_str())) {
            violations.push(Violation::new(FLAG_PAGE, 0, format!("{flag} is not explained")));
        }
    }
    violations
}

/// Targets of relative links, without their anchors.
pub(crate) fn links(line: &str) -> impl Iterator<Item = &str> {
    let targets =
        line.match_indices("](").filter_map(|(at, _)| line[at + 2..].split_once(')').map(|(t, _)| t));
    targets
        .filter(|target| !target.contains("://") && !target.starts_with('#'))
        .map(|target| target.split('#').next().unwrap_or_default())
}

/// `a/../b` as `b`; paths do not exist yet in tests, so the file system is not asked.
pub(crate) fn normalise(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            _ => out.push(part),
        }
    }
    out
}

/// Flags in a line, as in `--json`.
fn mentioned_flags(line: &str) -> Vec<&str> {
    let names = |tool| line.match_indices(tool).any(|(at, _)| !line[..at].ends_with('-'));
    if OTHER_TOOLS.into_iter().any(names) {
        return Vec::new();
    }
    let mut flags = Vec::new();
    for (at, _) in line.match_indices("--") {
        let starts_word = !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
        let name_len = line[at + 2..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        let end = name_len.map_or(line.len(), |len| at + 2 + len);
        let flag = line[at..end].trim_end_matches('-');
        if starts_word && flag.len() > 2 && flag[2..].starts_with(|c: char| c.is_ascii_lowercase()) {
            flags.push(flag);
        }
    }
    flags
}

/// Long flags of the command line, read from its `clap` declarations; `--help` and `--version` come with it.
fn known_flags(files: &[File]) -> BTreeSet<String> {
    let mut flags = BTreeSet::new();
    for file in files.iter().filter(|f| f.path.starts_with("crates/cli/src/") && f.has_extension(&["rs"])) {
        for (at, _) in file.text.match_indices("#[arg(") {
            let Some((attribute, rest)) = file.text[at..].split_once(")]") else { continue };
            let Some(long) = attribute.find("long").map(|at| &attribute[at + 4..]) else { continue };
            let explicit = long.trim_start().strip_prefix('=').and_then(|v| v.split('"').nth(1));
            let field = || {
                let declaration =
                    rest.trim_start().lines().find(|line| !line.trim_start().starts_with('#'))?;
                declaration
                    .split(':')
                    .next()?
                    .split_whitespace()
                    .next_back()
                    .map(|name| name.replace('_', "-"))
            };
            if let Some(name) = explicit.map(str::to_owned).or_else(field) {
                flags.insert(format!("--{name}"));
            }
        }
    }
    if !flags.is_empty() {
        flags.extend(["--help".to_owned(), "--version".to_owned()]);
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    fn messages(files: &[File]) -> Vec<String> {
        let existing = [Path::new("docs/verdicts.md"), Path::new("README.md")];
        check(files, |path| existing.contains(&path)).into_iter().map(|v| v.message).collect()
    }

    const ARGS: &str = "//! Args.\n#[arg(short, long)]\npub(crate) all_bugs: bool,\n\
        /// Doc\n#[arg(long = \"json\", value_name = \"FILE\")]\nfile: PathBuf,\n#[arg(value_name = \"X\")]\nfiles: Vec<PathBuf>,\n";

    #[test]
    fn links_must_lead_somewhere() {
        let good =
            file("docs/a.md", "[v](verdicts.md#safe) [r](../README.md) [w](https://x.org) [h](#here)\n");
        assert_eq!(messages(&[good]), [""; 0]);
        assert_eq!(messages(&[file("docs/a.md", "[v](nowhere.md)\n")]), ["broken link to nowhere.md"]);
        assert_eq!(messages(&[file("a.md", "[v](verdicts.md)\n")]), ["broken link to verdicts.md"]);
    }

    #[test]
    fn flags_come_from_the_declarations() {
        let flags = known_flags(&[file("crates/cli/src/args.rs", ARGS)]);
        assert_eq!(
            flags.iter().map(String::as_str).collect::<Vec<_>>(),
            ["--all-bugs", "--help", "--json", "--version"]
        );
    }

    #[test]
    fn documents_mention_only_flags_that_exist() {
        let args = || file("crates/cli/src/args.rs", ARGS);
        let good = "`--json -` and `--all-bugs`, `x--`, a -- b, `cargo test --workspace`\n";
        assert_eq!(messages(&[args(), file("a.md", good)]), [""; 0]);
        assert_eq!(messages(&[args(), file("a.md", "use `--jason FILE`\n")]), ["there is no flag --jason"]);
    }

    #[test]
    fn every_flag_is_explained() {
        let args = file("crates/cli/src/args.rs", ARGS);
        let page = file(FLAG_PAGE, "`--json FILE`\n");
        assert_eq!(messages(&[args, page]), ["--all-bugs is not explained"]);
    }
}
