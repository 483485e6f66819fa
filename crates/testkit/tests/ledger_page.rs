//! `docs/limitations.md` lists exactly the choices that the engine can make for the user.

use std::path::Path;

#[test]
fn the_table_of_choices_and_the_ledger_agree() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/limitations.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let section = page.split("\n## ").find(|part| part.starts_with("Choices that are made for you"));
    let section = section.expect("the page has the section");
    let mut listed = Vec::new();
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 3, "a row has three cells: {line}");
        listed.push((cells[0].trim_matches('`').to_owned(), cells[1].to_owned()));
    }
    let known: Vec<(String, String)> =
        selvedge_engine::known_assumptions().map(|(id, text)| (id.to_owned(), text.to_owned())).collect();
    assert_eq!(listed, known, "left: docs/limitations.md, right: crates/exec/src/ledger.rs");
}
