//! Dependencies that nothing uses, or that only tests use.
//!
//! A dependency is used where its name stands before `::`, after `use` or after `extern crate`, outside of
//! comments. What stands below `#[cfg(test)]` at the end of a file, and files called `tests`, are tests.

use std::collections::BTreeSet;

use super::layers::{self, Crate};
use super::{File, Violation};

/// Violations in the manifests of all crates.
pub(crate) fn check(crates: &[Crate], files: &[File]) -> Vec<Violation> {
    let mut violations = unused_in_workspace(crates, files);
    for krate in crates {
        let folder = format!("{}/", krate.folder);
        let sources: Vec<&File> =
            files.iter().filter(|f| f.path.starts_with(&folder) && f.has_extension(&["rs"])).collect();
        for (used, in_tests) in &krate.uses {
            let ident = layers::ident(used);
            let mut report = |message| violations.push(Violation::new(&krate.manifest(), 0, message));
            if !sources.iter().any(|file| is_named(&file.text, &ident)) {
                report(format!("nothing uses {used}"));
            } else if !in_tests && !sources.iter().any(|file| is_named(without_tests(file, &folder), &ident))
            {
                report(format!("only tests use {used}: it belongs to [dev-dependencies]"));
            } else if *in_tests && krate.uses.contains(&(used.clone(), false)) {
                report(format!("{used} is a dependency and one of tests"));
            }
        }
    }
    violations
}

/// Entries of the workspace's own table that no crate takes.
fn unused_in_workspace(crates: &[Crate], files: &[File]) -> Vec<Violation> {
    let Some(manifest) = files.iter().find(|file| file.path == "Cargo.toml") else { return Vec::new() };
    let taken: BTreeSet<&str> =
        crates.iter().flat_map(|krate| krate.uses.iter().map(|(used, _)| used.as_str())).collect();
    let lines = manifest.text.lines().enumerate();
    let table = lines
        .skip_while(|(_, line)| *line != "[workspace.dependencies]")
        .skip(1)
        .take_while(|(_, line)| !line.starts_with('['));
    let entries = table.filter_map(|(index, line)| Some((index + 1, line.split_once('=')?.0.trim())));
    entries
        .filter(|(_, name)| !taken.contains(layers::short(name).as_str()))
        .map(|(line, name)| Violation::new(&manifest.path, line, format!("no crate uses {name}")))
        .collect()
}

/// The text of a file that is compiled without tests.
fn without_tests<'a>(file: &'a File, folder: &str) -> &'a str {
    let path = &file.path[folder.len()..];
    let in_tests = path.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "benches" | "examples"));
    match in_tests {
        true => "",
        false => file.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default(),
    }
}

/// Whether code in `text` names the crate `ident`.
fn is_named(text: &str, ident: &str) -> bool {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).any(|line| {
        line.match_indices(ident).any(|(at, _)| {
            let before = &line[..at];
            let after = &line[at + ident.len()..];
            let is_start = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let is_import = ["use ", "crate "].iter().any(|word| before.ends_with(word));
            is_start && (after.starts_with("::") || is_import && after.starts_with([';', ' ']))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "[workspace.dependencies]\nselvedge-base = { path = \"crates/base\" }\nserde = \"1\"\n\n[profile.dev]\nx = 1\n";

    /// Messages for a crate `exec` with these dependencies (`~`: for tests) and sources.
    fn messages(uses: &[&str], sources: &[(&str, &str)]) -> Vec<String> {
        let mut files = vec![File { path: "Cargo.toml".to_owned(), text: ROOT.to_owned() }];
        files.extend(
            sources
                .iter()
                .map(|(path, text)| File { path: format!("crates/exec/{path}"), text: (*text).to_owned() }),
        );
        let violations =
            check(&[Crate::for_tests("exec", uses), Crate::for_tests("all", &["base", "serde"])], &files);
        violations.into_iter().filter(|v| v.place != "crates/all/Cargo.toml").map(|v| v.message).collect()
    }

    #[test]
    fn what_is_named_is_used() {
        let source =
            "use selvedge_base::Id;\nuse libc;\nfn f() { rustc_hash::g(); }\n#[derive(thiserror::Error)]\n";
        let uses = ["base", "libc", "rustc-hash", "thiserror"];
        assert_eq!(messages(&uses, &[("src/lib.rs", source)]), [""; 0]);
        assert_eq!(messages(&["cc"], &[("build.rs", "fn main() { cc::Build::new(); }\n")]), [""; 0]);
    }

    #[test]
    fn what_is_not_named_is_reported() {
        let source = "// serde::Serialize\nuse my_serde::X;\nlet serde = 1;\n";
        assert_eq!(messages(&["serde"], &[("src/lib.rs", source)]), ["nothing uses serde"]);
        assert_eq!(messages(&["~serde"], &[("src/lib.rs", source)]), ["nothing uses serde"]);
    }

    #[test]
    fn what_only_tests_name_belongs_to_them() {
        let inline = [("src/lib.rs", "//! Doc.\n#[cfg(test)]\nmod tests {\n    use serde::X;\n}\n")];
        let message = "only tests use serde: it belongs to [dev-dependencies]";
        assert_eq!(messages(&["serde"], &inline), [message]);
        assert_eq!(messages(&["serde"], &[("tests/a.rs", "use serde::X;\n")]), [message]);
        assert_eq!(messages(&["~serde"], &inline), [""; 0]);
        let used = [("src/lib.rs", "use serde::X;\n")];
        assert_eq!(messages(&["serde", "~serde"], &used), ["serde is a dependency and one of tests"]);
    }

    #[test]
    fn entries_of_the_workspace_are_taken_by_some_crate() {
        let files = [File { path: "Cargo.toml".to_owned(), text: ROOT.to_owned() }];
        let found = check(&[Crate::for_tests("all", &["base"])], &files);
        let messages: Vec<(usize, String)> = found.into_iter().map(|v| (v.line, v.message)).collect();
        assert!(messages.contains(&(3, "no crate uses serde".to_owned())), "{messages:?}");
        assert!(!messages.iter().any(|(_, m)| m == "no crate uses selvedge-base"), "{messages:?}");
    }
}
