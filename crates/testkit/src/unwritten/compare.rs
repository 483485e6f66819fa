//! Runs a program with its locals filled in several ways, and compares how it ends with what the engine foresees.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use selvedge_engine::{Config, Outcome, Property, Verdict};
use selvedge_frontend::Options as Load;

use super::{is_written, source};
use crate::{differential, native, process};

const PATIENCE: Duration = Duration::from_secs(60);
const FILLINGS: [&[&str]; 3] = [&[], &["-ftrivial-auto-var-init=zero"], &["-ftrivial-auto-var-init=pattern"]];

/// What a comparison found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The exit statuses that came out natively.
    pub statuses: BTreeSet<i32>,
    /// What must not be.
    pub mismatches: Vec<String>,
}

/// The exit statuses of the program with each filling.
fn natively(file: &Path, executable: &Path) -> Result<BTreeSet<i32>, String> {
    let status = |filling: &&[&str]| {
        native::compile(file, executable, |command| {
            command.args(["-w", "-O0", "-pthread"]).args(*filling);
        })
        .map_err(|error| error.to_string())?;
        let ended = process::run(&mut Command::new(executable), b"", PATIENCE)
            .map_err(|error| format!("a native program cannot be run: {error}"))?;
        ended.code.ok_or_else(|| format!("{} does not end by itself", file.display()))
    };
    FILLINGS.iter().map(status).collect()
}

fn check(file: &Path, flags: &[String], properties: Vec<Property>) -> Result<Outcome, String> {
    let mut clang_args = vec!["-w".to_owned()];
    clang_args.extend_from_slice(flags);
    let load = Load { files: vec![file.to_owned()], clang_args, ..Load::default() };
    let program = differential::load_with(&load)?;
    let config = Config::default().with(|c| {
        c.properties = properties;
        c.limits.timeout = Some(PATIENCE);
    });
    differential::explore_loaded(&program, &config)
}

/// Compares the program of a seed; one with a mismatch stays in `keep`.
///
/// # Errors
/// When the program cannot be written, compiled or run.
pub fn compare(seed: u64, keep: &Path) -> Result<Comparison, String> {
    let (file, executable) = (keep.join(format!("u{seed}.c")), keep.join(format!("u{seed}")));
    let io = |error: std::io::Error| format!("{}: {error}", file.display());
    std::fs::write(&file, source(seed)).map_err(io)?;
    let statuses = natively(&file, &executable)?;
    let mut mismatches = Vec::new();
    let mut mismatch = |detail: String| mismatches.push(format!("seed {seed}: {detail}"));
    for status in &statuses {
        let outcome = check(&file, &[format!("-DWANTED={status}")], Property::defaults())?;
        match outcome.bugs.first() {
            None => mismatch(format!("status {status} is not foreseen: {:?}", outcome.verdict)),
            Some(bug) if !bug.message.contains("WANTED") => mismatch(bug.message.clone()),
            Some(_) => {}
        }
    }
    let outcome = check(&file, &[], vec![Property::Uninit])?;
    if outcome.verdict == Verdict::Safe && statuses.len() > 1 {
        mismatch(format!("depends on nothing unwritten, but ends with {statuses:?}"));
    }
    if is_written(seed) && outcome.verdict != Verdict::Safe {
        mismatch(format!("writes everything, but is {:?}", outcome.verdict));
    }
    if mismatches.is_empty() {
        std::fs::remove_file(&file).map_err(io)?;
        std::fs::remove_file(&executable).map_err(io)?;
    }
    Ok(Comparison { statuses, mismatches })
}
