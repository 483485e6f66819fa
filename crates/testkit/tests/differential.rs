//! The engine against native runs of generated programs.
//!
//! `SELVEDGE_DIFF_PROGRAMS` sets the number of programs (2000), `SELVEDGE_DIFF_SEED` the first seed (0).
//! Faulty programs are written to `target/tmp/differential`, with a smaller version of the first ones.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use selvedge_engine::Config;
use selvedge_testkit::differential::{Plan, compare};
use selvedge_testkit::generator::Options;
use selvedge_testkit::wishes::number;

/// Enough to find a fault in what programs commonly do; longer runs are for changes of the executor.
const PROGRAMS: u64 = 2_000;

/// Compares `count` programs from `first` on, with the given changes to the usual plan.
#[track_caller]
fn check(count: u64, first: u64, change: impl FnOnce(&mut Plan)) {
    let keep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("differential");
    let mut plan = Plan {
        seeds: first..first + count,
        batch: 40,
        threads: std::thread::available_parallelism().map_or(2, usize::from),
        samples: 24,
        optimised_every: 5,
        shrink: 3,
        keep: keep.clone(),
        options: Options::default(),
        bitcode: None,
        config: Config::default().with(|c| c.limits.timeout = Some(Duration::from_secs(60))),
    };
    change(&mut plan);
    let report = compare(&plan).expect("native programs are built and run");
    // Written past the test harness: how much was compared belongs into the log of a passing run.
    let _ = writeln!(std::io::stderr(), "\ndifferential: {report}");
    assert!(report.mismatches.is_empty(), "{report}\nsee {}", keep.display());
    let least = usize::try_from(count).unwrap_or(0);
    assert!(report.programs == least && report.cases > 2 * least, "too little was compared: {report}");
}

#[test]
fn predictions_come_true_on_generated_programs() {
    let (count, first) = (number("SELVEDGE_DIFF_PROGRAMS", PROGRAMS), number("SELVEDGE_DIFF_SEED", 0));
    check(count, first, |_| {});
}

#[test]
fn predictions_for_optimised_bitcode_come_true() {
    let (count, first) =
        (number("SELVEDGE_DIFF_PROGRAMS", PROGRAMS) / 20, number("SELVEDGE_DIFF_SEED", 0) + 400_000);
    check(count, first, |plan| {
        plan.bitcode = Some(vec!["-O2".to_owned(), "-fno-pie".to_owned()]);
        // The optimiser joins paths of the source, so paths cannot be looked up.
        plan.samples = 0;
        plan.optimised_every = 0;
    });
}

#[test]
fn sanitizers_agree_about_the_inputs_that_fail() {
    let (count, first) =
        (number("SELVEDGE_DIFF_PROGRAMS", PROGRAMS) / 20, number("SELVEDGE_DIFF_SEED", 0) + 500_000);
    check(count, first, |plan| plan.options.faults = true);
}
