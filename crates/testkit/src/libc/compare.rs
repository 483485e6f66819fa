//! Runs programs natively and in the engine, and compares their lines.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use selvedge_engine::{Config, OtherFiles, Stdin, Verdict, World};
use selvedge_frontend::Options as Load;

use super::program::{Program, generate};
use super::table::Table;
use crate::confine::Confined;
use crate::{differential, native, process};

/// What to compare.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seeds of the programs.
    pub seeds: std::ops::Range<u64>,
    /// Calls in each program.
    pub length: usize,
    /// Programs at the same time.
    pub workers: usize,
    /// What rows use: C text before the calls.
    pub prelude: String,
    /// Where programs with a difference are written.
    pub keep: PathBuf,
}

/// A call whose outputs are not the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The program.
    pub seed: u64,
    /// The function.
    pub name: String,
    /// The C code of the call.
    pub call: String,
    /// What the real library gave.
    pub native: String,
    /// What the engine gave.
    pub engine: String,
}

/// The result of a comparison.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comparison {
    /// Programs compared.
    pub programs: usize,
    /// Calls compared.
    pub calls: usize,
    /// Functions that were called.
    pub functions: BTreeSet<String>,
    /// How often each exception of the table was needed.
    pub excused: Vec<usize>,
    /// What must not be, by seed.
    pub differences: Vec<Difference>,
}

impl std::fmt::Display for Comparison {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for d in self.differences.iter().take(60) {
            writeln!(
                f,
                "seed {} {}: {}\n  native {}\n  engine {}",
                d.seed, d.name, d.call, d.native, d.engine
            )?;
        }
        write!(
            f,
            "{} programs with {} calls of {} functions compared, {} excused, {} differences",
            self.programs,
            self.calls,
            self.functions.len(),
            self.excused.iter().sum::<usize>(),
            self.differences.len()
        )
    }
}

impl Comparison {
    /// Adds another comparison by the same table.
    pub fn add(&mut self, other: Comparison) {
        self.programs += other.programs;
        self.calls += other.calls;
        self.functions.extend(other.functions);
        self.excused.resize(self.excused.len().max(other.excused.len()), 0);
        for (sum, more) in self.excused.iter_mut().zip(other.excused) {
            *sum += more;
        }
        self.differences.extend(other.differences);
    }
}

/// Compares all programs of the plan.
///
/// # Errors
/// When a program cannot be made, compiled or run at all.
pub fn compare(table: &Table, plan: &Plan) -> Result<Comparison, String> {
    let next = AtomicUsize::new(0);
    let seeds: Vec<u64> = plan.seeds.clone().collect();
    let total = Mutex::new(Ok(Comparison::default()));
    std::thread::scope(|scope| {
        for _ in 0..plan.workers.max(1) {
            scope.spawn(|| {
                while let Some(seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let one = generate(table, *seed, plan.length).and_then(|p| compare_one(table, &p, plan));
                    let mut total = total.lock().expect("no thread panics with the lock");
                    match (&mut *total, one) {
                        (Ok(total), Ok(one)) => total.add(one),
                        (total @ Ok(_), Err(error)) => *total = Err(format!("seed {seed}: {error}")),
                        (Err(_), _) => return,
                    }
                }
            });
        }
    });
    let mut total = total.into_inner().expect("all threads have ended")?;
    total.differences.sort_by_key(|difference| difference.seed);
    Ok(total)
}

fn compare_one(table: &Table, program: &Program, plan: &Plan) -> Result<Comparison, String> {
    let dir = tempfile::tempdir().map_err(|error| format!("there is no temporary folder: {error}"))?;
    let file = dir.path().join(format!("libc{}.c", program.seed));
    let source = program.source(&plan.prelude);
    std::fs::write(&file, &source).map_err(|error| format!("a program cannot be written: {error}"))?;
    let native = run_native(&file)?;
    let (engine, why_not) = run_engine(&file);
    let mut report =
        Comparison { programs: 1, excused: vec![0; table.exceptions.len()], ..Comparison::default() };
    for (number, call) in program.calls.iter().enumerate() {
        let found =
            line(&native, number).ok_or_else(|| format!("native run: no line {number} ({})", call.code))?;
        let given = line(&engine, number);
        report.calls += 1;
        report.functions.extend(call.names.iter().cloned());
        if given == Some(found) {
            continue;
        }
        if let Some(exception) = table.exception(&call.names, &call.code, found) {
            report.excused[exception] += 1;
            continue;
        }
        let engine = given.map_or_else(|| why_not.clone(), str::to_owned);
        let (name, call, native) = (call.names[0].clone(), call.code.clone(), found.to_owned());
        report.differences.push(Difference { seed: program.seed, name, call, native, engine });
        if given.is_none() {
            // What comes after the end of a run is no news.
            break;
        }
    }
    if !report.differences.is_empty() {
        let kept = std::fs::create_dir_all(&plan.keep)
            .and_then(|()| std::fs::write(plan.keep.join(format!("libc{}.c", program.seed)), &source));
        kept.map_err(|error| format!("{}: {error}", plan.keep.display()))?;
    }
    Ok(report)
}

/// The output of call `number`.
fn line(output: &[u8], number: usize) -> Option<&str> {
    let text = std::str::from_utf8(output).ok()?;
    let start = format!("{number}:");
    text.lines().find(|line| line.starts_with(&start))
}

/// Builds and runs a program; the compiler must not compute calls itself.
fn run_native(file: &Path) -> Result<Vec<u8>, String> {
    let executable = file.with_extension("exe");
    native::compile(file, &executable, |command| {
        command.args(["-O0", "-fno-builtin", "-frounding-math", "-D_GNU_SOURCE", "-lm"]);
    })
    .map_err(|error| error.to_string())?;
    let confined = Confined::new(&executable).map_err(|error| format!("there is no folder: {error}"))?;
    let mut command = confined.command("sh");
    command.args(["-c", "umask 022; exec \"$0\""]).arg(confined.program()).env("TZ", "UTC");
    let ended = process::run(&mut command, b"", Duration::from_secs(60))
        .map_err(|error| format!("a native program cannot be run: {error}"))?;
    match ended.code {
        Some(0) => Ok(ended.stdout),
        code => {
            Err(format!("the native program ends with {code:?}: {}", String::from_utf8_lossy(&ended.stderr)))
        }
    }
}

/// What the engine says the program prints, and why it says no more.
fn run_engine(file: &Path) -> (Vec<u8>, String) {
    let clang_args = ["-w", "-fno-builtin", "-D_GNU_SOURCE"].map(str::to_owned).to_vec();
    let load = Load { files: vec![file.to_owned()], clang_args, ..Load::default() };
    let nothing = World { stdin: Stdin::Bytes([].into()), others: OtherFiles::None, ..World::default() };
    let config = Config::default().with(|c| {
        c.search.tests = true;
        c.limits.timeout = Some(Duration::from_secs(120));
        c.surroundings.world = nothing;
        c.surroundings.sym_env = Some(0);
    });
    let explored =
        differential::load_with(&load).and_then(|program| differential::explore_loaded(&program, &config));
    let outcome = match explored {
        Ok(outcome) => outcome,
        Err(problem) => return (Vec::new(), problem),
    };
    let stdout = outcome.tests.first().map(|test| test.stdout.clone()).unwrap_or_default();
    match outcome.tests.len() {
        1 if outcome.verdict == Verdict::Safe => (stdout, "nothing".to_owned()),
        1 => {
            let (kind, detail) = differential::verdict_fault(&outcome);
            (stdout, format!("{kind}: {detail}"))
        }
        // What is known has one path: a second one comes of a value that was not determined.
        paths => (Vec::new(), format!("{paths} paths")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_by_their_number() {
        let output = b"0: a\n1: b\n11: c\n";
        assert_eq!((line(output, 1), line(output, 11), line(output, 2)), (Some("1: b"), Some("11: c"), None));
    }
}
