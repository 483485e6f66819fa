//! Every program under `tests/programs` gives what its header says: one test for each fixture and revision, named
//! `topic/name[rev]`.
//!
//! `cargo test -p selvedge --test fixtures -- mutex` runs those with `mutex` in their name.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Arguments, Trial};
use selvedge_testkit::fixture::{Case, Suite};
use selvedge_testkit::wishes::timed;

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let suite = Arc::new(Suite {
        binary: env!("CARGO_BIN_EXE_selvedge").into(),
        root: root.canonicalize().expect("the folder of fixtures exists"),
        limit: Duration::from_secs(120),
    });
    let cases = suite.cases().expect("the fixtures are readable");
    assert!(!cases.is_empty(), "there are no fixtures");
    let trial = |case: Case| {
        let suite = suite.clone();
        Trial::test(case.name.clone(), move || Ok(timed("fixtures", &case.name, || suite.run(&case))?))
    };
    libtest_mimic::run(&args, cases.into_iter().map(trial).collect()).exit_code()
}
