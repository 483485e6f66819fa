//! The graph of the crates in `ARCHITECTURE.md`: written between two marks by `cargo xtask graph`, compared by `tidy`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::tidy::layers::{self, Crate};
use crate::tidy::{File, Violation};

/// The document.
const DOCUMENT: &str = "ARCHITECTURE.md";
const BEGIN: &str = "<!-- The table is written by `cargo xtask graph`. -->\n";
const END: &str = "<!-- End of the table. -->\n";

/// Writes the table; false if the document has no place for it.
pub(crate) fn write(root: &Path) -> Result<bool> {
    let path = root.join(DOCUMENT);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {DOCUMENT}"))?;
    let Some(new) = replaced(&text, &render(&layers::read_workspace(root)?)) else { return Ok(false) };
    fs::write(&path, new).with_context(|| format!("cannot write {DOCUMENT}"))?;
    Ok(true)
}

/// The table differs from what the manifests say.
pub(crate) fn check(crates: &[Crate], files: &[File]) -> Vec<Violation> {
    let Some(file) = files.iter().find(|file| file.path == DOCUMENT) else { return Vec::new() };
    let message = match replaced(&file.text, &render(crates)) {
        Some(new) if new == file.text => return Vec::new(),
        Some(_) => "the table of crates is out of date: run `cargo xtask graph`",
        None => "the marks of the table of crates are missing",
    };
    vec![Violation::new(DOCUMENT, 0, message)]
}

/// One row for each crate, highest layer first, with the crates that it uses directly, outside of tests.
fn render(crates: &[Crate]) -> String {
    let mut rows: Vec<(usize, &Crate)> =
        crates.iter().filter_map(|krate| Some((layers::layer(&krate.name)?, krate))).collect();
    rows.sort_by(|(a, x), (b, y)| b.cmp(a).then_with(|| x.name.cmp(&y.name)));
    let mut table = String::from("| layer | crate | uses |\n|---|---|---|\n");
    for (layer, krate) in rows {
        let mut used: Vec<(usize, &str)> = krate
            .uses
            .iter()
            .filter(|(_, in_tests)| !in_tests)
            .filter_map(|(name, _)| Some((layers::layer(name)?, name.as_str())))
            .collect();
        used.sort_by(|(a, x), (b, y)| b.cmp(a).then_with(|| x.cmp(y)));
        let used: Vec<String> = used.into_iter().map(|(_, name)| format!("`{name}`")).collect();
        let name = krate.folder.rsplit('/').next().unwrap_or_default();
        table += &format!("| {layer} | `{name}` | {} |\n", used.join(" "));
    }
    table
}

/// The document with `table` between its marks.
fn replaced(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}{table}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crates() -> Vec<Crate> {
        vec![
            Crate::for_tests("base", &[]),
            Crate::for_tests("exec", &["serde", "term", "analysis", "~testkit"]),
            Crate::for_tests("selvedge", &["engine"]),
            Crate::for_tests("testkit", &["engine"]),
        ]
    }

    const TABLE: &str = "| layer | crate | uses |\n|---|---|---|\n| 7 | `cli` | `engine` |\n| 3 | `exec` | `analysis` `term` |\n| 0 | `base` |  |\n";

    fn messages(text: String) -> Vec<String> {
        let file = File { path: DOCUMENT.to_owned(), text };
        check(&crates(), &[file]).into_iter().map(|v| v.message).collect()
    }

    #[test]
    fn the_table_has_the_layers_and_what_is_used_outside_of_tests() {
        assert_eq!(render(&crates()), TABLE);
    }

    #[test]
    fn a_document_with_the_table_passes() {
        assert_eq!(messages(format!("a\n{BEGIN}{TABLE}{END}b\n")), [""; 0]);
        assert_eq!(
            replaced(&format!("a\n{BEGIN}old\n{END}b\n"), TABLE),
            Some(format!("a\n{BEGIN}{TABLE}{END}b\n"))
        );
    }

    #[test]
    fn a_table_that_is_out_of_date_or_missing_is_reported() {
        let old = TABLE.replace("`analysis` ", "");
        let found = messages(format!("{BEGIN}{old}{END}"));
        assert_eq!(found, ["the table of crates is out of date: run `cargo xtask graph`"]);
        assert_eq!(messages("a\n".to_owned()), ["the marks of the table of crates are missing"]);
    }
}
