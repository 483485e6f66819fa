//! Random programs with uninitialised locals: every native outcome must be one that the engine knows.
//!
//! Natively a program runs with its locals filled with zeros, with clang's pattern, and with what is there. Where the
//! engine finds nothing that depends on an unwritten value (`uninit`), all fillings must give the same; where everything is
//! written, it must find nothing.
//!
//! `SELVEDGE_UNWRITTEN_PROGRAMS` sets the number of programs (8), `SELVEDGE_UNWRITTEN_SEED` the first seed (0). A program
//! with a mismatch stays in `target/tmp/unwritten`; `cargo xtask fuzz --unwritten` goes on for longer.

use std::path::Path;

use selvedge_testkit::unwritten::compare;

const PROGRAMS: u64 = 8;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

#[test]
fn native_outcomes_of_unwritten_values_are_foreseen() {
    let keep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unwritten");
    std::fs::create_dir_all(&keep).expect("a folder");
    let first = number("SELVEDGE_UNWRITTEN_SEED", 0);
    let mut n_open = 0;
    for seed in first..first + number("SELVEDGE_UNWRITTEN_PROGRAMS", PROGRAMS) {
        let comparison = compare(seed, &keep).expect("a program of ours is valid and ends");
        assert!(comparison.mismatches.is_empty(), "{:?}, see {}", comparison.mismatches, keep.display());
        n_open += usize::from(comparison.statuses.len() > 1);
    }
    assert!(n_open > 0, "no program shows what was never written");
}
