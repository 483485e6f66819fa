//! All fixtures of the repository have headers that can be read; a fast check before they are run.

use std::path::Path;

use selvedge_testkit::fixture::{find, parse};

#[test]
fn every_fixture_has_a_readable_header() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut problems = Vec::new();
    let files = find(&root).expect("the fixtures are readable");
    for file in &files {
        let text = std::fs::read_to_string(file).expect("the fixture is readable");
        if let Err(error) = parse(&text) {
            problems.push(format!("{}: {error}", file.display()));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(!files.is_empty(), "there are no fixtures");
}
