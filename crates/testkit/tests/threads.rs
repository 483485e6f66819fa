//! Random programs with threads: plain enumeration, every reduction and native runs must agree.
//!
//! `SELVEDGE_RANDOM_FACTOR` multiplies the number of programs (5,000), `SELVEDGE_THREADS_PROGRAMS` sets it, and
//! `SELVEDGE_THREADS_SEED` the first seed (0). `SELVEDGE_THREADS_RUNS`: executions at which enumeration gives up
//! (1,000). `SELVEDGE_THREADS_STRESS`: one batch of 25 in so many is run natively (16, 0 for none), each program
//! `SELVEDGE_THREADS_NATIVE` times (8).
//! Programs with a mismatch are written to `target/tmp/threads`, with a smaller version of the first ones.

use std::io::Write as _;
use std::path::Path;

use selvedge_testkit::threads::{Plan, compare};
use selvedge_testkit::wishes::number;

const PROGRAMS: u64 = 5_000;

#[test]
fn all_searches_over_schedules_see_the_same() {
    let first = number("SELVEDGE_THREADS_SEED", 0);
    let count = PROGRAMS * number("SELVEDGE_RANDOM_FACTOR", 1);
    let keep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("threads");
    let plan = Plan {
        seeds: first..first + number("SELVEDGE_THREADS_PROGRAMS", count),
        batch: 25,
        workers: std::thread::available_parallelism().map_or(2, usize::from),
        max_runs: number("SELVEDGE_THREADS_RUNS", 1_000),
        stress_every: number("SELVEDGE_THREADS_STRESS", 16) as usize,
        native_runs: number("SELVEDGE_THREADS_NATIVE", 8) as u32,
        keep: keep.clone(),
    };
    let report = compare(&plan);
    // Written past the test harness: how much was compared belongs into the log of a passing run.
    let _ = writeln!(std::io::stderr(), "\nthreads: {report}");
    assert!(report.mismatches.is_empty(), "{report}\nsee {}", keep.display());
    let (several, sliced) = report.sliced;
    assert!(sliced * 2 > several, "slicing leaves out hardly anything: {report}");
}
