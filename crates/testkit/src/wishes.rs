//! What a person tells tests by variables of the environment: how much to do, and where to note how long it took.
//!
//! `cargo xtask test` names a file in `SELVEDGE_TEST_TIMES`, collects the times of all test programs there, and shows the
//! slowest tests. A line has the program, the test and seconds, with tabs between them.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::time::Instant;

/// The number in a variable of the environment, such as how many programs to try.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Runs a test and notes how long it took, if anybody wants to know.
pub fn timed<T>(program: &str, test: &str, run: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let result = run();
    if let Some(path) = std::env::var_os("SELVEDGE_TEST_TIMES") {
        let line = format!("{program}\t{test}\t{:.3}\n", started.elapsed().as_secs_f64());
        let file = OpenOptions::new().append(true).create(true).open(path);
        // One write for each line: several tests do this at the same time.
        file.and_then(|mut file| file.write_all(line.as_bytes())).expect("the times can be written");
    }
    result
}
