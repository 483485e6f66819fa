//! Damaged inputs never crash the tool: they are refused, or run like any other program.
//!
//! `SELVEDGE_FUZZ_ROUNDS` sets the number of damaged inputs of each kind, `SELVEDGE_DIFF_SEED` the first seed.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use selvedge_engine::Config;
use selvedge_testkit::differential::explore;
use selvedge_testkit::generator::{Options, Rng, generate};
use selvedge_testkit::mutate;
use selvedge_testkit::wishes::number;

/// Explores damaged files made by `damage` from a seed; each may fail, but only in an orderly way.
fn check(extension: &str, rounds: u64, damage: impl Fn(&Path, u64) -> Vec<u8>) {
    let dir = tempfile::tempdir().expect("a folder");
    let first = number("SELVEDGE_DIFF_SEED", 0) + 600_000;
    let keep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutations");
    let (mut problems, mut accepted) = (Vec::new(), 0);
    for seed in first..first + number("SELVEDGE_FUZZ_ROUNDS", rounds) {
        let file = dir.path().join(format!("damaged.{extension}"));
        let content = damage(dir.path(), seed);
        std::fs::write(&file, &content).expect("written");
        let config = Config::default().with(|c| {
            c.limits.timeout = Some(Duration::from_secs(2));
            c.limits.memory_mib = Some(4000);
            c.bounds.max_steps = Some(200_000);
            c.search.tests = true;
            c.search.all_bugs = true;
        });
        match explore(&file, &config) {
            Ok(_) => accepted += 1,
            Err(problem) if problem.contains("panics") => {
                let _ = std::fs::create_dir_all(&keep);
                let _ = std::fs::write(keep.join(format!("{seed}.{extension}")), &content);
                problems.push(format!("seed {seed}: {problem}"));
            }
            Err(_) => {}
        }
    }
    assert!(problems.is_empty(), "{}\nsee {}", problems.join("\n"), keep.display());
    assert!(accepted > 0, "all damaged files were refused: the damage is too great to test anything");
}

fn program(seed: u64) -> String {
    generate(seed, &Options { faults: seed.is_multiple_of(2), ..Options::default() }).source()
}

/// The program of a seed as LLVM text (`-S`) or bitcode (`-c`).
fn compiled(dir: &Path, seed: u64, how: &str) -> Vec<u8> {
    let (source, out) = (dir.join("whole.c"), dir.join("whole.out"));
    std::fs::write(&source, program(seed)).expect("written");
    let level = if seed.is_multiple_of(3) { "-O1" } else { "-O0" };
    let mut clang = Command::new("clang-22");
    let status = clang.args(["-w", level, "-emit-llvm", how, "-o"]).arg(&out).arg(&source).status();
    assert!(status.is_ok_and(|s| s.success()), "generated programs compile");
    std::fs::read(&out).expect("clang has written")
}

#[test]
fn damaged_sources_do_not_crash_the_tool() {
    check("c", 150, |_, seed| {
        let text = program(seed);
        // The headers at the top are clang's business.
        let start = text.find("static").unwrap_or(0);
        format!("{}{}", &text[..start], mutate::tokens(&text[start..], &mut Rng::new(seed))).into_bytes()
    });
}

#[test]
fn damaged_llvm_text_does_not_crash_the_tool() {
    check("ll", 100, |dir, seed| {
        let text = String::from_utf8_lossy(&compiled(dir, seed, "-S")).into_owned();
        mutate::tokens(&text, &mut Rng::new(seed)).into_bytes()
    });
}

#[test]
fn damaged_bitcode_does_not_crash_the_tool() {
    check("bc", 100, |dir, seed| mutate::bytes(&compiled(dir, seed, "-c"), &mut Rng::new(seed)));
}
