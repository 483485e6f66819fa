//! Random programs about arguments, environment, standard input and files: the engine and the real machine agree.
//!
//! `SELVEDGE_WORLD_PROGRAMS` sets the number of programs of each kind, `SELVEDGE_WORLD_SEED` the first seed (0). A program
//! with a mismatch stays in `target/tmp/worlds`; `cargo xtask fuzz --world` goes on for longer.

use std::path::{Path, PathBuf};

use selvedge_testkit::worlds::{Mismatch, compare_calls, compare_open};

const CASES: u32 = 24;
const SAMPLES: u32 = 12;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

fn folder() -> PathBuf {
    let keep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("worlds");
    std::fs::create_dir_all(&keep).expect("a folder");
    keep
}

fn all(programs: u64, compare: impl Fn(u64) -> Result<Vec<Mismatch>, String>) {
    let first = number("SELVEDGE_WORLD_SEED", 0);
    let mut text = String::new();
    for seed in first..first + number("SELVEDGE_WORLD_PROGRAMS", programs) {
        for mismatch in compare(seed).expect("a program of ours is valid and ends") {
            text.push_str(&format!("{mismatch}\n"));
        }
    }
    assert!(text.is_empty(), "{text}see {}", folder().display());
}

#[test]
fn calls_give_what_they_give_natively() {
    let keep = folder();
    all(2, |seed| compare_calls(seed, CASES, &keep));
}

#[test]
fn native_endings_in_open_surroundings_are_foreseen() {
    let keep = folder();
    all(6, |seed| compare_open(seed, SAMPLES, &keep));
}
