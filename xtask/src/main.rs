//! Tasks of this repository, run as `cargo xtask <task>`.
//!
//! - `tidy`: the rules that the compiler does not check; part of `make test`.
//! - `graph`: writes which crate uses which into `ARCHITECTURE.md`.
//! - `test [CARGO-TEST-ARGS]`: all tests, and which were the slowest; part of `make test`. `timed` is its part for one
//!   test program.
//! - `bless [CARGO-TEST-ARGS]`: accepts what the tests produce now as what their snapshots expect; look at the diff afterwards.
//! - `fuzz [--libc|--signals|--world|--unwritten|--incremental] --minutes N [--seed S]`: compares all searches on random programs with threads
//!   until the time is over; with `--libc`, functions of the library with the real ones; with `--world`, programs about
//!   files, input and arguments with native runs; with `--unwritten`, programs that read what they never
//!   wrote; with `--signals`, programs that send signals to themselves; with `--incremental`, edited programs with what is
//!   known of earlier versions and from scratch.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool talks to its user")]

mod graph;
mod testing;
mod tidy;

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Context;

const USAGE: &str = "usage: cargo xtask tidy
       cargo xtask graph
       cargo xtask test [CARGO-TEST-ARGS]
       cargo xtask bless [CARGO-TEST-ARGS]
       cargo xtask fuzz [--libc|--signals|--world|--unwritten|--incremental] --minutes N [--seed S]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the repository");
    let result = match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["tidy"] => tidy::run(root),
        ["graph"] => graph::write(root),
        ["test", rest @ ..] => testing::run(root, rest),
        ["timed", program, rest @ ..] => {
            return match testing::timed(program, rest) {
                Ok(code) => ExitCode::from(code),
                Err(error) => {
                    eprintln!("error: {error:#}");
                    ExitCode::FAILURE
                }
            };
        }
        ["bless", rest @ ..] => bless(root, rest),
        ["fuzz", "--minutes", minutes] => fuzz(root, minutes, "0"),
        ["fuzz", "--libc", "--minutes", minutes] => fuzz_libc(root, minutes, "0"),
        ["fuzz", "--libc", "--minutes", minutes, "--seed", seed] => fuzz_libc(root, minutes, seed),
        ["fuzz", "--incremental", "--minutes", minutes, rest @ ..] => {
            let seed = if let ["--seed", seed] = rest { seed } else { "0" };
            example(root, "fuzz_incremental", &[minutes, seed])
        }
        ["fuzz", what @ ("--signals" | "--world" | "--unwritten"), "--minutes", minutes, rest @ ..] => {
            fuzz_native(root, &what[2..], minutes, if let ["--seed", seed] = rest { seed } else { "0" })
        }
        ["fuzz", "--minutes", minutes, "--seed", seed] | ["fuzz", "--seed", seed, "--minutes", minutes] => {
            fuzz(root, minutes, seed)
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the tests so that snapshots are rewritten; false if a test fails all the same.
fn bless(root: &Path, args: &[&str]) -> anyhow::Result<bool> {
    let scope: &[&str] = if args.is_empty() { &["--workspace"] } else { args };
    let status = Command::new(tidy::cargo())
        .arg("test")
        .args(scope)
        .env("UPDATE_EXPECT", "1")
        .current_dir(root)
        .status()
        .context("cannot run cargo test")?;
    Ok(status.success())
}

/// Compares the searches on random programs; false if they disagree about one. It runs apart, so that the other tasks need
/// not be linked with the engine.
fn fuzz(root: &Path, minutes: &str, seed: &str) -> anyhow::Result<bool> {
    example(root, "fuzz", &[minutes, seed, "target/tmp/fuzz"])
}

/// Compares functions of the library with the real ones; false if there is a difference that is not allowed.
fn fuzz_libc(root: &Path, minutes: &str, seed: &str) -> anyhow::Result<bool> {
    example(root, "fuzz_libc", &[minutes, seed, "tests/libc", "target/tmp/libc"])
}

/// Compares random programs with native runs; false if there is a mismatch.
fn fuzz_native(root: &Path, what: &str, minutes: &str, seed: &str) -> anyhow::Result<bool> {
    example(root, "fuzz_native", &[what, minutes, seed, "target/tmp/fuzz-native"])
}

fn example(root: &Path, name: &str, args: &[&str]) -> anyhow::Result<bool> {
    let status = Command::new(tidy::cargo())
        .args(["run", "--quiet", "--release", "--package", "selvedge-testkit", "--example", name, "--"])
        .args(args)
        .current_dir(root)
        .status()
        .context("cannot run cargo")?;
    Ok(status.success())
}
