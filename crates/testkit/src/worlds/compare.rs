//! Runs the programs natively and in the engine, and compares how they end.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use selvedge_engine::{Outcome, PathEndKind};

use super::surroundings::{Ending, build};
use super::{calls, open};
use crate::differential::explore;

const PATIENCE: Duration = Duration::from_secs(60);

/// What a verdict about a program with known surroundings may rely on.
const ALLOWED: [&str; 14] = [
    "library.errno-kept",
    "library.getenv-kept",
    "threads.print-at-once",
    "world.directory-listing",
    "world.file-facts",
    "world.identity",
    "world.io-succeeds",
    "world.memory-succeeds",
    "world.signals-bound",
    "world.stdio-unbuffered",
    "world.temporary-names",
    "world.threads-succeed",
    "world.umask",
    "world.working-directory",
];

/// What must not be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The program.
    pub seed: u64,
    /// What differs.
    pub detail: String,
}

/// Compares all cases of a seed's program; one with a mismatch stays in `keep`.
///
/// # Errors
/// When the program cannot be written, compiled or run.
pub fn compare_calls(seed: u64, cases: u32, keep: &Path) -> Result<Vec<Mismatch>, String> {
    let file = keep.join(format!("calls{seed}.c"));
    write(&file, &calls::source(seed, cases))?;
    let executable = build(&file)?;
    let around = calls::surroundings(seed);
    let config = around.config().with(|c| {
        c.search.tests = true;
        c.search.all_bugs = true;
        c.surroundings.signals = Some(0);
        c.limits.timeout = Some(PATIENCE);
    });
    let (outcome, _) = explore(&file, &config)?;
    let mut details = complaints(&outcome, &ALLOWED);
    let predicted = by_case(&outcome, &mut details);
    for case in 0..cases {
        let native = around.run(&executable, Some(&case.to_string()), PATIENCE)?;
        let Some(endings) = predicted.get(&case) else {
            details.push(format!("case {case} is not explored"));
            continue;
        };
        if !endings.contains(&native) {
            let nearest =
                endings.iter().max_by_key(|ending| common_lines(ending, &native)).expect("not empty");
            details.push(format!(
                "case {case}, of {} endings: {}",
                endings.len(),
                difference(nearest, &native)
            ));
        } else if endings.len() > 1 && !calls::has_threads(case) {
            details.push(format!("case {case} has {} endings", endings.len()));
        }
    }
    finish(seed, details, &[&file, &executable])
}

/// Compares a program whose surroundings are open with runs in random surroundings, and each execution that the engine
/// found with a run in the surroundings that it names; a program with a mismatch stays in `keep`.
///
/// # Errors
/// When the program cannot be written, compiled or run.
pub fn compare_open(seed: u64, samples: u32, keep: &Path) -> Result<Vec<Mismatch>, String> {
    let file = keep.join(format!("open{seed}.c"));
    write(&file, &open::source(seed))?;
    let executable = build(&file)?;
    let config = open::config().with(|c| {
        c.search.tests = true;
        c.search.all_bugs = true;
        c.limits.timeout = Some(PATIENCE);
    });
    let (outcome, _) = explore(&file, &config)?;
    let mut details: Vec<String> = outcome.reasons.iter().map(|reason| format!("{reason:?}")).collect();
    let mut codes = BTreeSet::new();
    for test in &outcome.tests {
        let PathEndKind::Exit(code) = test.end else {
            details.push(format!("a path does not end: {:?}", test.end));
            continue;
        };
        codes.insert(code);
        let (around, is_plain) = open::surroundings_of(test);
        let native = around.run(&executable, None, PATIENCE)?.code;
        if native != code && is_plain && !open::has_threads(seed) {
            details.push(format!(
                "the engine ends with {code}, the native program with {native}, in {around:?}"
            ));
        }
    }
    for sample in 0..samples {
        let around = open::random_surroundings(seed, sample);
        let native = around.run(&executable, None, PATIENCE)?.code;
        if !codes.contains(&native) {
            details.push(format!("nothing ends with {native} in the engine ({codes:?}), as does {around:?}"));
        }
    }
    finish(seed, details, &[&file, &executable])
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

fn finish(seed: u64, mut details: Vec<String>, files: &[&Path]) -> Result<Vec<Mismatch>, String> {
    if details.is_empty() {
        for file in files {
            std::fs::remove_file(file).map_err(|error| format!("{}: {error}", file.display()))?;
        }
    }
    Ok(details.drain(..).map(|detail| Mismatch { seed, detail }).collect())
}

/// What the engine could not do, and what it took for granted beyond what it may.
fn complaints(outcome: &Outcome, allowed: &[&str]) -> Vec<String> {
    let reasons = outcome.reasons.iter().map(|reason| format!("{reason:?}"));
    let bugs = outcome.bugs.iter().map(|bug| format!("reported: {}", bug.message));
    let assumed = outcome.assumptions.iter().filter(|assumption| !allowed.contains(&assumption.id));
    reasons.chain(bugs).chain(assumed.map(|assumption| format!("assumed: {}", assumption.id))).collect()
}

/// The endings of each case that the engine knows.
fn by_case(outcome: &Outcome, details: &mut Vec<String>) -> BTreeMap<u32, BTreeSet<Ending>> {
    let mut found: BTreeMap<u32, BTreeSet<Ending>> = BTreeMap::new();
    for test in &outcome.tests {
        let case = test.inputs.iter().find_map(|input| <[u8; 4]>::try_from(&input.bytes[..]).ok());
        let Some(case) = case.map(u32::from_le_bytes) else { continue };
        match test.end {
            PathEndKind::Exit(code) => {
                let output = String::from_utf8_lossy(&test.stdout).into_owned();
                found.entry(case).or_default().insert(Ending { code, output });
            }
            end => details.push(format!("case {case} ends with {end:?}")),
        }
    }
    found
}

fn common_lines(one: &Ending, other: &Ending) -> usize {
    one.output.lines().zip(other.output.lines()).take_while(|(one, other)| one == other).count()
}

/// The first line that differs, with those before it.
fn difference(engine: &Ending, native: &Ending) -> String {
    let at = common_lines(engine, native);
    let line = |ending: &Ending| ending.output.lines().nth(at).unwrap_or("the end").to_owned();
    let before: Vec<&str> = native.output.lines().take(at).skip(at.saturating_sub(4)).collect();
    format!(
        "line {at} is `{}` natively (code {}), `{}` in the engine (code {}), after {before:?}",
        line(native),
        native.code,
        line(engine),
        engine.code
    )
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "seed {}: {}", self.seed, self.detail)
    }
}
