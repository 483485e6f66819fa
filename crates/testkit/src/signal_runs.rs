//! What the engine says of random programs with signals, compared with what they do natively.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use selvedge_engine::{Config, PathEndKind};

use crate::differential::explore;
use crate::native::compile;
use crate::process::run;
use crate::signals::{source, waits};

/// Cases of a program.
const CASES: u32 = 20;
const PATIENCE: Duration = Duration::from_secs(60);

/// How an execution ended: its exit code, a shell's if a signal ended it, and what it printed.
type End = (i32, String);

/// What programs have done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Cases that a signal ended.
    pub killed: usize,
    /// Cases in which a handler ran.
    pub handled: usize,
    /// Cases in which a call was interrupted.
    pub interrupted: usize,
}

/// What each case does natively.
fn native(file: &Path, executable: &Path) -> BTreeMap<u32, End> {
    compile(file, executable, |command| {
        command.args(["-w", "-DNATIVE"]);
    })
    .expect("the program is valid");
    let run_case = |case: u32| {
        let mut shell = Command::new("sh");
        shell.args(["-c", "\"$0\" \"$1\"; exit $?"]).arg(executable).arg(case.to_string());
        let ended = run(&mut shell, b"", PATIENCE).expect("it runs");
        (case, (ended.code.expect("it ends"), String::from_utf8_lossy(&ended.stdout).into_owned()))
    };
    (0..CASES).map(run_case).collect()
}

/// What the engine says that each case may do.
fn predicted(file: &Path) -> Result<BTreeMap<u32, BTreeSet<End>>, String> {
    let config = Config::default().with(|c| {
        c.search.tests = true;
        c.search.all_bugs = true;
        c.surroundings.signals = Some(0);
        c.limits.timeout = Some(PATIENCE);
    });
    let (outcome, _) = explore(file, &config)?;
    if !outcome.reasons.is_empty() {
        return Err(format!("{:?}", outcome.reasons));
    }
    let mut found: BTreeMap<u32, BTreeSet<End>> = BTreeMap::new();
    for test in &outcome.tests {
        let input = &test.inputs.first().expect("the case").bytes;
        let case = u32::from_le_bytes(input[..].try_into().expect("an int"));
        let PathEndKind::Exit(code) = test.end else { return Err(format!("case {case} fails")) };
        let ended = (code, String::from_utf8_lossy(&test.stdout).into_owned());
        found.entry(case).or_default().insert(ended);
    }
    Ok(found)
}

/// Makes the program of a seed in `keep` and compares the two; what differs is the error, and the program stays there.
pub fn compare(seed: u64, keep: &Path) -> Result<Seen, String> {
    let file = keep.join(format!("signals{seed}.c"));
    std::fs::write(&file, source(seed, CASES)).map_err(|e| e.to_string())?;
    let executable = keep.join(format!("signals{seed}"));
    let native = native(&file, &executable);
    let at = |what: String| format!("{}: {what}", file.display());
    let predicted = predicted(&file).map_err(at)?;
    for (case, ended) in &native {
        let none = BTreeSet::new();
        let possible = predicted.get(case).unwrap_or(&none);
        if !possible.contains(ended) {
            return Err(at(format!("case {case} gives {ended:?}, which is none of {possible:?}")));
        }
        if possible.len() > 1 && !waits(*case) {
            return Err(at(format!("case {case} has several outcomes: {possible:?}")));
        }
    }
    for file in [&file, &executable] {
        std::fs::remove_file(file).map_err(|e| e.to_string())?;
    }
    let count = |is_one: &dyn Fn(&End) -> bool| native.values().filter(|ended| is_one(ended)).count();
    Ok(Seen {
        killed: count(&|(code, _)| *code > 128),
        handled: count(&|(_, text)| text.contains("-20") || text.contains("-30")),
        interrupted: count(&|(_, text)| text.contains("5014 -1 1004") || text.contains("5014 4 ")),
    })
}
