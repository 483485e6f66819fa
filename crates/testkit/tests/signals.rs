//! Random C programs that send signals to themselves: what the native program prints must be what the engine says.
//!
//! `SELVEDGE_SIGNALS_PROGRAMS` sets the number of programs (3), `SELVEDGE_SIGNALS_SEED` the first seed (0). A program with
//! a mismatch stays in `target/tmp/signals`. `cargo xtask fuzz --signals` goes on for as long as one likes.

use std::path::Path;

use selvedge_testkit::signal_runs::compare;

const PROGRAMS: u64 = 3;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

#[test]
fn signals_to_oneself_do_what_they_do_natively() {
    let keep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("signals");
    std::fs::create_dir_all(&keep).expect("a folder");
    let first = number("SELVEDGE_SIGNALS_SEED", 0);
    let (mut n_killed, mut n_handled, mut n_interrupted) = (0, 0, 0);
    for seed in first..first + number("SELVEDGE_SIGNALS_PROGRAMS", PROGRAMS) {
        let seen = compare(seed, &keep).unwrap_or_else(|difference| panic!("{difference}"));
        n_killed += seen.killed;
        n_handled += seen.handled;
        n_interrupted += seen.interrupted;
    }
    assert!(n_killed > 0 && n_handled > 0, "no signal ended a program, or none was handled");
    assert!(n_interrupted > 0, "no call was interrupted");
}
