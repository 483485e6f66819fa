//! Native runs under random schedules: everything that happens must have been predicted.
//!
//! Cells are sequentially consistent atomics in the native build, so that the hardware and the compiler do no more
//! than the model. A program that was found safe must end normally; one that ends normally must end in a predicted
//! state. Noise between statements and at the edges of blocks makes rare schedules likelier.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use selvedge_engine::{Property, Verdict};

use super::{Mismatch, Program, Seen, batch_text};
use crate::native;
use crate::process;

/// Runs programs in child processes; see there.
const DRIVER: &str = include_str!("driver.c");

/// The result of native runs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stress {
    /// Native runs.
    pub runs: u64,
    /// What was not predicted.
    pub mismatches: Vec<Mismatch>,
}

/// Runs each program `runs` times without and with optimisation, and compares with what was `seen`.
///
/// # Errors
/// When programs cannot be built or run.
pub fn stress(programs: &[(&Program, Seen)], dir: &Path, runs: u32) -> Result<Stress, String> {
    let mut report = Stress::default();
    if programs.is_empty() {
        return Ok(report);
    }
    let all: Vec<Program> = programs.iter().map(|(p, _)| (*p).clone()).collect();
    let (source, driver) = (dir.join("native.c"), dir.join("driver.c"));
    std::fs::write(&source, batch_text(&all)).map_err(|e| e.to_string())?;
    std::fs::write(&driver, DRIVER).map_err(|e| e.to_string())?;
    for level in ["-O0", "-O1"] {
        let executable = dir.join(format!("native{level}"));
        native::compile(&source, &executable, |c| {
            // A thread may wait for what never comes, and a compiler may take it that no loop does.
            c.arg("-fno-finite-loops");
            c.arg(level).arg("-DNATIVE").arg("-fsanitize-coverage=trace-pc").arg(&driver).arg("-lpthread");
        })
        .map_err(|e| e.to_string())?;
        for (index, (program, seen)) in programs.iter().enumerate() {
            let is_undefined = has(seen, Property::Memory);
            if is_undefined || seen.verdict == Verdict::Unknown {
                continue;
            }
            let mut command = Command::new(&executable);
            command.arg(index.to_string()).arg(runs.to_string()).arg((program.seed % 100_000).to_string());
            // On a busy machine a run may take seconds.
            command.arg(if has(seen, Property::Deadlock) { "6" } else { "60" });
            let ended =
                process::run(&mut command, b"", Duration::from_secs(300)).map_err(|e| e.to_string())?;
            report.runs += u64::from(runs);
            let mut seen_before: Vec<String> = Vec::new();
            for line in String::from_utf8_lossy(&ended.stdout).lines() {
                if seen_before.iter().any(|l| l == line) {
                    continue;
                }
                seen_before.push(line.to_owned());
                if let Some(detail) = unexpected(program, seen, line) {
                    let kind = format!("native {level}");
                    report.mismatches.push(Mismatch { seed: program.seed, kind, detail });
                }
            }
            if seen_before.is_empty() {
                return Err(format!("the driver gave no answer for seed {}", program.seed));
            }
        }
    }
    Ok(report)
}

/// Whether a bug against `property` was found.
fn has(seen: &Seen, property: Property) -> bool {
    seen.bugs.iter().any(|b| b.0.property() == property)
}

/// What is wrong with a native run: the driver's line is how it ended and what it printed.
fn unexpected(program: &Program, seen: &Seen, line: &str) -> Option<String> {
    let (end, printed) = line.split_once(' ').unwrap_or((line, ""));
    let is_expected = match end {
        // Where some thread fails, what the others print later is not among the final states.
        "exit" if !seen.bugs.is_empty() => true,
        // Only a search that leaves executions out has come to its end.
        "exit" if seen.finals.is_none() => true,
        // Another thread may end the program while the final state is being shown.
        "exit" if program.may_end_early() => seen.finals.iter().flatten().any(|f| f.starts_with(printed)),
        "exit" => seen.finals.iter().flatten().any(|f| f == printed),
        "assert" => has(seen, Property::Assert),
        // Misuse of locks is undefined and found as a deadlock; a native run may go any way then.
        "stuck" => has(seen, Property::Deadlock),
        _ => false,
    };
    (!is_expected && !has(seen, Property::Deadlock)).then(|| {
        format!(
            "a native run gave \"{line}\", predicted were {:?}",
            seen.finals.iter().flatten().take(12).collect::<Vec<_>>()
        )
    })
}
