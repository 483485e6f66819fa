//! Random C programs that send signals to themselves: what the engine prints must be what the native program prints.
//!
//! `SELVEDGE_SIGNALS_PROGRAMS` sets the number of programs (3), `SELVEDGE_SIGNALS_SEED` the first seed (0). A program with
//! a mismatch stays in `target/tmp/signals`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use selvedge_engine::{Config, PathEndKind};
use selvedge_testkit::differential::explore;
use selvedge_testkit::native::compile;
use selvedge_testkit::process::run;
use selvedge_testkit::signals::source;

const PROGRAMS: u64 = 3;
const CASES: u32 = 20;
const PATIENCE: Duration = Duration::from_secs(60);

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// What each case prints natively, and its exit code; a shell's, if a signal ended it.
fn native(file: &Path, executable: &Path) -> BTreeMap<u32, (i32, String)> {
    compile(file, executable, |command| {
        command.args(["-w", "-DNATIVE"]);
    })
    .expect("the program is valid");
    let run_case = |case: u32| {
        let mut shell = Command::new("sh");
        shell.args(["-c", "\"$0\" \"$1\"; exit $?"]).arg(executable).arg(case.to_string());
        let ended = run(&mut shell, b"", PATIENCE).expect("it runs");
        (case, (ended.code.expect("it ends"), String::from_utf8_lossy(&ended.stdout).into_owned()))
    };
    (0..CASES).map(run_case).collect()
}

/// What the engine says of each case.
fn predicted(file: &Path) -> BTreeMap<u32, (i32, String)> {
    let config = Config {
        tests: true,
        all_bugs: true,
        signals: Some(0),
        timeout: Some(PATIENCE),
        ..Config::default()
    };
    let (outcome, _) = explore(file, &config).expect("the program is explored");
    assert!(outcome.reasons.is_empty(), "{}: {:?}", file.display(), outcome.reasons);
    let mut found = BTreeMap::new();
    for test in &outcome.tests {
        let input = &test.inputs.first().expect("the case").bytes;
        let case = u32::from_le_bytes(input[..].try_into().expect("an int"));
        let PathEndKind::Exit(code) = test.end else { panic!("{}: case {case} fails", file.display()) };
        let ended = (code, String::from_utf8_lossy(&test.stdout).into_owned());
        let other = found.insert(case, ended.clone()).unwrap_or_else(|| ended.clone());
        assert_eq!(other, ended, "{}: case {case} has two outcomes", file.display());
    }
    // The input that chooses none.
    found.retain(|case, _| *case < CASES);
    found
}

#[test]
fn signals_to_oneself_do_what_they_do_natively() {
    let keep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("signals");
    std::fs::create_dir_all(&keep).expect("a folder");
    let first = number("SELVEDGE_SIGNALS_SEED", 0);
    let (mut n_killed, mut n_handled) = (0, 0);
    for seed in first..first + number("SELVEDGE_SIGNALS_PROGRAMS", PROGRAMS) {
        let file = keep.join(format!("signals{seed}.c"));
        std::fs::write(&file, source(seed, CASES)).expect("a file");
        let native = native(&file, &keep.join(format!("signals{seed}")));
        assert_eq!(predicted(&file), native, "see {}", file.display());
        n_killed += native.values().filter(|(code, _)| *code > 128).count();
        n_handled += native.values().filter(|(_, text)| text.contains("-20") || text.contains("-30")).count();
        std::fs::remove_file(&file).expect("ours");
    }
    assert!(n_killed > 0 && n_handled > 0, "no signal ended a program, or none was handled");
}
