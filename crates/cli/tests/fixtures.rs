//! Every program under `tests/programs` gives what its header says.
//!
//! `SELVEDGE_FIXTURES` selects the fixtures whose path contains its value.

use std::path::Path;
use std::time::Duration;

use selvedge_testkit::fixture::Suite;

#[test]
fn every_fixture_gives_what_its_header_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let suite = Suite {
        binary: env!("CARGO_BIN_EXE_selvedge").into(),
        root: root.canonicalize().expect("the folder of fixtures exists"),
        limit: Duration::from_secs(120),
        threads: 2,
        filter: std::env::var("SELVEDGE_FIXTURES").unwrap_or_default(),
    };
    let report = suite.run().expect("the fixtures are readable");
    assert!(report.failures.is_empty(), "\n{report}");
    assert!(report.fixtures > 0, "there are no fixtures");
}
