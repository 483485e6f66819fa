//! Random C++ programs that throw and catch: what the engine prints must be what the native program prints.
//!
//! `SELVEDGE_EXCEPTIONS_PROGRAMS` sets the number of programs (6), `SELVEDGE_EXCEPTIONS_SEED` the first seed (0). A
//! program with a mismatch is written to `target/tmp/exceptions`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use selvedge_engine::{Config, PathEndKind};
use selvedge_testkit::differential::explore;
use selvedge_testkit::exceptions::source;
use selvedge_testkit::native::compile;
use selvedge_testkit::process::run;
use selvedge_testkit::wishes::number;

const PROGRAMS: u64 = 6;
const CASES: u32 = 25;
const PATIENCE: Duration = Duration::from_secs(60);

/// What each case prints natively, and its exit code.
fn native(file: &Path, executable: &Path) -> BTreeMap<u32, (i32, String)> {
    let flags = ["-w", "-DNATIVE", "-lstdc++"];
    compile(file, executable, |command| {
        command.args(flags);
    })
    .expect("the program is valid");
    let run_case = |case: u32| {
        let ended = run(Command::new(executable).arg(case.to_string()), b"", PATIENCE).expect("it runs");
        (case, (ended.code.expect("it ends"), String::from_utf8_lossy(&ended.stdout).into_owned()))
    };
    (0..CASES).map(run_case).collect()
}

/// What the engine says of each case.
fn predicted(file: &Path) -> BTreeMap<u32, (i32, String)> {
    let config = Config::default().with(|c| {
        c.search.tests = true;
        c.search.all_bugs = true;
        c.limits.timeout = Some(PATIENCE);
    });
    let (outcome, _) = explore(file, &config).expect("the program is explored");
    assert!(outcome.reasons.is_empty(), "{}: {:?}", file.display(), outcome.reasons);
    let mut found = BTreeMap::new();
    for test in &outcome.tests {
        let input = &test.inputs.first().expect("the case").bytes;
        let case = u32::from_le_bytes(input[..].try_into().expect("an int"));
        let PathEndKind::Exit(code) = test.end else { panic!("{}: case {case} fails", file.display()) };
        found.insert(case, (code, String::from_utf8_lossy(&test.stdout).into_owned()));
    }
    // The input that chooses none.
    found.retain(|case, _| *case < CASES);
    found
}

#[test]
fn exceptions_end_where_they_do_natively() {
    let keep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exceptions");
    std::fs::create_dir_all(&keep).expect("a folder");
    let first = number("SELVEDGE_EXCEPTIONS_SEED", 0);
    let mut n_terminated = 0;
    for seed in first..first + number("SELVEDGE_EXCEPTIONS_PROGRAMS", PROGRAMS) {
        let file = keep.join(format!("exceptions{seed}.cpp"));
        std::fs::write(&file, source(seed, CASES)).expect("a file");
        let native = native(&file, &keep.join(format!("exceptions{seed}")));
        assert_eq!(predicted(&file), native, "see {}", file.display());
        n_terminated += native.values().filter(|(code, _)| *code == 77).count();
        std::fs::remove_file(&file).expect("ours");
    }
    assert!(n_terminated > 0, "no exception was left uncaught");
}
