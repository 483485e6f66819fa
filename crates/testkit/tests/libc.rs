//! At least 150 modelled functions of the library give what the real ones give, for valid and invalid arguments.
//!
//! `SELVEDGE_LIBC_PROGRAMS` sets the number of programs, `SELVEDGE_DIFF_SEED` the first seed. Programs with a difference
//! are written to `target/tmp/libc`.

use std::io::Write as _;
use std::path::Path;

use selvedge_testkit::libc::{Plan, Table, compare};
use selvedge_testkit::wishes::number;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/libc");

/// Calls in a program: compiling costs as much as running so many.
const LENGTH: usize = 120;

/// How often each row is tried, at least.
const ROUNDS: usize = 12;

#[test]
fn modelled_functions_give_what_the_real_ones_give() {
    let table = Table::read(Path::new(FOLDER)).expect("a table of ours");
    let functions: Vec<String> = table.functions().into_iter().map(str::to_owned).collect();
    let rounds = u64::try_from((table.rows.len() * ROUNDS).div_ceil(LENGTH)).expect("a small number");
    let first = number("SELVEDGE_DIFF_SEED", 0);
    let plan = Plan {
        seeds: first..first + number("SELVEDGE_LIBC_PROGRAMS", rounds),
        length: LENGTH,
        workers: std::thread::available_parallelism().map_or(2, usize::from),
        prelude: std::fs::read_to_string(Path::new(FOLDER).join("prelude.h")).expect("the prelude"),
        keep: Path::new(env!("CARGO_TARGET_TMPDIR")).join("libc"),
    };
    let report = compare(&table, &plan).expect("programs are built and run");
    // Written past the test harness: what was compared belongs into the log of a passing run.
    let _ = writeln!(
        std::io::stderr(),
        "\nlibc: {report}\nlibc: {} functions: {}",
        functions.len(),
        functions.join(" ")
    );
    assert!(report.differences.is_empty(), "{report}\nsee {}", plan.keep.display());
    for row in &table.rows {
        let is_called = |name: &str| row.code.contains(name) || plan.prelude.contains(name);
        let unused = row.names.iter().find(|name| !is_called(name) && !name.starts_with("__"));
        assert!(unused.is_none(), "{unused:?} is listed, but not called: {}", row.code);
    }
    assert!(functions.len() >= 150, "only {} functions are listed", functions.len());
    let missed: Vec<&String> = functions.iter().filter(|name| !report.functions.contains(*name)).collect();
    assert!(missed.is_empty(), "never called: {missed:?}");
}
