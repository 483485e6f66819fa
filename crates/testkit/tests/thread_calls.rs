//! Random calls of the thread library in one thread: what they answer must be what the native library answers.
//!
//! `SELVEDGE_CALLS_PROGRAMS` sets the number of programs (8), `SELVEDGE_CALLS_SEED` the first seed (0). A program with a
//! mismatch is written to `target/tmp/thread_calls`.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use selvedge_engine::Config;
use selvedge_testkit::differential::explore;
use selvedge_testkit::native::compile;
use selvedge_testkit::process::run;
use selvedge_testkit::thread_calls::source;
use selvedge_testkit::wishes::number;

const PROGRAMS: u64 = 8;
const CALLS: u32 = 150;
const PATIENCE: Duration = Duration::from_secs(60);

fn native(file: &Path, executable: &Path) -> String {
    compile(file, executable, |command| {
        command.args(["-w", "-pthread"]);
    })
    .expect("the program is valid");
    let ended = run(&mut Command::new(executable), b"", PATIENCE).expect("it runs");
    assert_eq!(ended.code, Some(0), "{}", file.display());
    String::from_utf8_lossy(&ended.stdout).into_owned()
}

fn predicted(file: &Path) -> String {
    let config = Config::default().with(|c| {
        c.search.tests = true;
        c.limits.timeout = Some(PATIENCE);
    });
    let (outcome, _) = explore(file, &config).expect("the program is explored");
    assert!(outcome.reasons.is_empty(), "{}: {:?}", file.display(), outcome.reasons);
    let [test] = &outcome.tests[..] else { panic!("{}: {} paths", file.display(), outcome.tests.len()) };
    String::from_utf8_lossy(&test.stdout).into_owned()
}

#[test]
fn calls_answer_as_they_do_natively() {
    let keep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("thread_calls");
    std::fs::create_dir_all(&keep).expect("a folder");
    let first = number("SELVEDGE_CALLS_SEED", 0);
    for seed in first..first + number("SELVEDGE_CALLS_PROGRAMS", PROGRAMS) {
        let file = keep.join(format!("{seed}.c"));
        std::fs::write(&file, source(seed, CALLS)).expect("a file");
        let executable = file.with_extension("out");
        let (native, predicted) = (native(&file, &executable), predicted(&file));
        let differs = native.lines().zip(predicted.lines()).find(|(n, p)| n != p);
        assert_eq!(native, predicted, "{}: native and predicted first differ in {differs:?}", file.display());
        std::fs::remove_file(executable).expect("made above");
        std::fs::remove_file(file).expect("made above");
    }
}
