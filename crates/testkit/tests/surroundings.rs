//! Random programs about what surrounds them, natively and in the engine.
//!
//! | about | first seed | number of programs | goes on with |
//! |---|---|---|---|
//! | arguments, environment, standard input, files | `SELVEDGE_WORLD_SEED` | `SELVEDGE_WORLD_PROGRAMS` | `cargo xtask fuzz --world` |
//! | signals to oneself | `SELVEDGE_SIGNALS_SEED` | `SELVEDGE_SIGNALS_PROGRAMS` | `cargo xtask fuzz --signals` |
//! | locals that are not written | `SELVEDGE_UNWRITTEN_SEED` | `SELVEDGE_UNWRITTEN_PROGRAMS` | `cargo xtask fuzz --unwritten` |
//!
//! A program with a mismatch stays in a folder of `target/tmp`. Natively a program runs with its locals filled with zeros,
//! with clang's pattern, and with what is there. Where the engine finds nothing that depends on an unwritten value
//! (`uninit`), all fillings must give the same; where everything is written, it must find nothing.

use std::ops::Range;
use std::path::{Path, PathBuf};

use selvedge_testkit::wishes::number;
use selvedge_testkit::worlds::{Mismatch, compare_calls, compare_open};
use selvedge_testkit::{signal_runs, unwritten};

const CASES: u32 = 24;
const SAMPLES: u32 = 12;

fn folder(name: &str) -> PathBuf {
    let keep = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&keep).expect("a folder");
    keep
}

/// The seeds that are wished for, or so many.
fn seeds(what: &str, programs: u64) -> Range<u64> {
    let first = number(&format!("SELVEDGE_{what}_SEED"), 0);
    first..first + number(&format!("SELVEDGE_{what}_PROGRAMS"), programs)
}

fn all_worlds(programs: u64, compare: impl Fn(u64, &Path) -> Result<Vec<Mismatch>, String>) {
    let keep = folder("worlds");
    let mut text = String::new();
    for seed in seeds("WORLD", programs) {
        for mismatch in compare(seed, &keep).expect("a program of ours is valid and ends") {
            text.push_str(&format!("{mismatch}\n"));
        }
    }
    assert!(text.is_empty(), "{text}see {}", keep.display());
}

#[test]
fn calls_give_what_they_give_natively() {
    all_worlds(2, |seed, keep| compare_calls(seed, CASES, keep));
}

#[test]
fn native_endings_in_open_surroundings_are_foreseen() {
    all_worlds(6, |seed, keep| compare_open(seed, SAMPLES, keep));
}

#[test]
fn signals_to_oneself_do_what_they_do_natively() {
    let keep = folder("signals");
    let (mut n_killed, mut n_handled, mut n_interrupted) = (0, 0, 0);
    for seed in seeds("SIGNALS", 3) {
        let seen = signal_runs::compare(seed, &keep).unwrap_or_else(|difference| panic!("{difference}"));
        n_killed += seen.killed;
        n_handled += seen.handled;
        n_interrupted += seen.interrupted;
    }
    assert!(n_killed > 0 && n_handled > 0, "no signal ended a program, or none was handled");
    assert!(n_interrupted > 0, "no call was interrupted");
}

#[test]
fn native_outcomes_of_unwritten_values_are_foreseen() {
    let keep = folder("unwritten");
    let mut n_open = 0;
    for seed in seeds("UNWRITTEN", 8) {
        let comparison = unwritten::compare(seed, &keep).expect("a program of ours is valid and ends");
        assert!(comparison.mismatches.is_empty(), "{:?}, see {}", comparison.mismatches, keep.display());
        n_open += usize::from(comparison.statuses.len() > 1);
    }
    assert!(n_open > 0, "no program shows what was never written");
}
