//! Tasks of this repository, run as `cargo xtask <task>`.
//!
//! - `tidy`: the rules that the compiler does not check; part of `make test`.
//! - `bless [CARGO-TEST-ARGS]`: accepts what the tests produce now as what their snapshots expect; look at the diff afterwards.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool talks to its user")]

mod tidy;

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Context;

const USAGE: &str = "usage: cargo xtask tidy\n       cargo xtask bless [CARGO-TEST-ARGS]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the repository");
    let result = match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["tidy"] => tidy::run(root),
        ["bless", rest @ ..] => bless(root, rest),
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
