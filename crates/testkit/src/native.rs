//! Native builds of generated programs, many in one executable, and runs of their test cases.
//!
//! Guarantees: each run starts from a fresh process image (a fork), so static objects have their first values.
//! Relies on: clang-22; the programs' file-level names differ (the generator puts the seed into them).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process;

const DRIVER: &str = include_str!("../native/driver.c");
const CLANG: &str = "clang-22";

/// How programs are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    /// `-O0`, with a trace of the edges taken.
    Traced,
    /// `-O2`.
    Optimised,
    /// Address and undefined-behaviour sanitizers.
    Sanitized,
    /// The sanitizer for reads of uninitialised memory.
    MemorySanitized,
    /// `-O0`, a trace, and the sanitizers for the faults that the engine knows.
    Judged,
}

impl Build {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Build::Traced => &["-O0", "-fsanitize-coverage=trace-pc-guard,no-prune"],
            Build::Optimised => &["-O2"],
            Build::Sanitized => &["-O1", "-g1", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"],
            Build::Judged => &[
                "-O0",
                "-g1",
                "-fsanitize=address,bounds,null,integer-divide-by-zero,signed-integer-overflow,shift-exponent",
                "-fno-sanitize-recover=all",
                "-fsanitize-coverage=trace-pc-guard,no-prune",
                // Checks in line would add branches of their own to the trace.
                "-fsanitize-address-outline-instrumentation",
            ],
            Build::MemorySanitized => &["-O1", "-g1", "-fsanitize=memory", "-fno-sanitize-recover=all"],
        }
    }

    /// The driver has to be linked with the sanitizers' run-time, but must not trace itself.
    fn driver_flags(self) -> &'static [&'static str] {
        match self {
            Build::Traced => &["-O1"],
            Build::Judged => &["-O1", "-fsanitize=address,bounds"],
            other => other.flags(),
        }
    }
}

/// Exit codes by which sanitizers report; generated programs use 0 to 127.
const SANITIZER_CODES: [i32; 2] = [201, 202];

/// How a native run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NativeEnd {
    /// With this exit code.
    Exit(i32),
    /// By a signal.
    Signal(i32),
    /// An assumption did not hold.
    Assumption,
    /// The program reads more inputs than it was given.
    NoInput,
    /// An input has another size than the program reads.
    InputSize,
    /// A sanitizer stopped it.
    Sanitizer,
}

/// What a native run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeRun {
    /// How it ended.
    pub end: NativeEnd,
    /// Hash of the edges taken; 0 in builds without tracing.
    pub trace: u64,
    /// Standard output.
    pub stdout: Vec<u8>,
}

/// Why programs cannot be built or run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Files or processes.
    #[error("{what}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// Why it failed.
        #[source]
        source: std::io::Error,
    },
    /// The compiler said no.
    #[error("clang rejects {}: {messages}", file.display())]
    Rejected {
        /// The source.
        file: PathBuf,
        /// What it said.
        messages: String,
    },
    /// The driver did not answer each job.
    #[error("the native driver gave {got} answers for {jobs} jobs: {messages}")]
    Answers {
        /// Jobs given.
        jobs: usize,
        /// Answers understood.
        got: usize,
        /// Its standard error.
        messages: String,
    },
}

/// One run to do: the program's index in its batch, and its inputs in memory order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Index into the programs of the batch.
    pub program: usize,
    /// Bytes of each input.
    pub inputs: Vec<Vec<u8>>,
}

/// An executable that holds several programs.
#[derive(Debug)]
pub struct Batch {
    executable: PathBuf,
}

/// A program's text and the name that replaces `main` in it.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    /// Distinguishes it from the others of the batch.
    pub seed: u64,
    /// C text with a `main`.
    pub source: &'a str,
}

/// Compiles `units` into one executable in `dir`; `name` tells its files from others there.
///
/// # Errors
/// When clang does not accept the programs.
pub fn build(dir: &Path, name: &str, units: &[Unit<'_>], build: Build) -> Result<Batch, Error> {
    let io = |what| move |source| Error::Io { what, source };
    let mut text = String::new();
    for unit in units {
        let _ = write!(text, "#define main main_{0}\n{1}#undef main\n", unit.seed, unit.source);
    }
    text.push_str("int (*const selvedge_programs[])(void) = {\n");
    for unit in units {
        let _ = writeln!(text, "  main_{},", unit.seed);
    }
    text.push_str("};\n");
    let label = format!("{name}-{build:?}").to_lowercase();
    let source = dir.join(format!("{label}.c"));
    let object = dir.join(format!("{label}.o"));
    let executable = dir.join(label);
    std::fs::write(&source, text).map_err(io("a source file cannot be written"))?;
    let driver = dir.join("driver.c");
    if !driver.exists() {
        // Batches are built side by side: the driver appears whole or not at all.
        let part = dir.join(format!("driver-{name}.part"));
        std::fs::write(&part, DRIVER).map_err(io("the driver cannot be written"))?;
        std::fs::rename(&part, &driver).map_err(io("the driver cannot be written"))?;
    }
    compile(&source, &object, |c| {
        c.args(build.flags()).arg("-c");
    })?;
    compile(&driver, &executable, |c| {
        c.args(build.driver_flags()).arg(&object).arg("-lm");
    })?;
    let _ = std::fs::remove_file(&object);
    Ok(Batch { executable })
}

/// Runs clang on `file` with further arguments.
///
/// # Errors
/// When clang cannot be run or does not accept the file.
pub fn compile(file: &Path, out: &Path, arguments: impl FnOnce(&mut Command)) -> Result<(), Error> {
    let mut command = Command::new(CLANG);
    command.arg("-w").arg(file).arg("-o").arg(out);
    arguments(&mut command);
    let ended = process::run(&mut command, b"", Duration::from_secs(300))
        .map_err(|source| Error::Io { what: "clang cannot be run", source })?;
    if ended.code == Some(0) {
        return Ok(());
    }
    let messages = String::from_utf8_lossy(&ended.stderr).into_owned();
    Err(Error::Rejected { file: file.to_owned(), messages })
}

impl Batch {
    /// Runs all jobs, in order.
    ///
    /// # Errors
    /// When the driver cannot be run or does not answer every job.
    pub fn run(&self, jobs: &[Job]) -> Result<Vec<NativeRun>, Error> {
        let mut stdin = Vec::new();
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes();
        for job in jobs {
            stdin.extend(number(job.program));
            stdin.extend(number(job.inputs.len()));
            for input in &job.inputs {
                stdin.extend(number(input.len()));
                stdin.extend(input);
            }
        }
        let mut command = Command::new(&self.executable);
        command
            .env("ASAN_OPTIONS", "exitcode=201:detect_leaks=0:detect_stack_use_after_return=1:symbolize=0")
            .env("UBSAN_OPTIONS", "exitcode=202:halt_on_error=1:symbolize=0")
            .env("MSAN_OPTIONS", "exitcode=202:symbolize=0");
        let ended = process::run(&mut command, &stdin, Duration::from_secs(600))
            .map_err(|source| Error::Io { what: "a native program cannot be run", source })?;
        let runs = answers(&ended.stdout);
        if runs.len() != jobs.len() {
            let messages = String::from_utf8_lossy(&ended.stderr).into_owned();
            return Err(Error::Answers { jobs: jobs.len(), got: runs.len(), messages });
        }
        Ok(runs)
    }

    /// The executable, for a person who wants to run it again.
    pub fn executable(&self) -> &Path {
        &self.executable
    }
}

/// Reads the driver's answers; stops at the first incomplete one.
fn answers(mut bytes: &[u8]) -> Vec<NativeRun> {
    let mut runs = Vec::new();
    while let Some((head, rest)) = bytes.split_first_chunk::<20>() {
        let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let trace = u64::from(word(8)) | (u64::from(word(12)) << 32);
        let length = word(16) as usize;
        if rest.len() < length {
            break;
        }
        let (stdout, next) = rest.split_at(length);
        let code = word(4).cast_signed();
        let end = match word(0) {
            0 if SANITIZER_CODES.contains(&code) => NativeEnd::Sanitizer,
            0 => NativeEnd::Exit(code),
            1 => NativeEnd::Signal(code),
            2 => NativeEnd::Assumption,
            3 => NativeEnd::NoInput,
            _ => NativeEnd::InputSize,
        };
        runs.push(NativeRun { end, trace, stdout: stdout.to_owned() });
        bytes = next;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "#include <stdio.h>\n#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
        extern void __VERIFIER_assume(int);\nstatic int a_1;\nint main(void) { int x = __VERIFIER_nondet_int();\n\
        __VERIFIER_assume(x < 10); assert(x != 5); a_1++; if (x > 3) printf(\"big %d\\n\", a_1); return x & 7; }\n";
    const SECOND: &str = "int main(void) { static int a_2[2]; volatile int i = 2; return a_2[i]; }\n";

    fn job(program: usize, value: i32) -> Job {
        Job { program, inputs: vec![value.to_le_bytes().to_vec()] }
    }

    #[test]
    fn programs_of_one_batch_run_apart_from_each_other() {
        let dir = tempfile::tempdir().expect("a folder");
        let units = [Unit { seed: 1, source: FIRST }, Unit { seed: 2, source: SECOND }];
        let batch = build(dir.path(), "b", &units, Build::Traced).expect("compiles");
        let short = Job { program: 0, inputs: vec![] };
        let odd = Job { program: 0, inputs: vec![vec![1]] };
        let jobs = [job(0, 4), job(0, 4), job(0, 1), job(0, 2), job(0, 10), job(0, 5), short, odd];
        let runs = batch.run(&jobs).expect("all answered");
        let ends: Vec<NativeEnd> = runs.iter().map(|r| r.end).collect();
        use NativeEnd::{Assumption, Exit, InputSize, NoInput, Signal};
        assert_eq!(ends, [Exit(4), Exit(4), Exit(1), Exit(2), Assumption, Signal(6), NoInput, InputSize]);
        assert_eq!(runs[1].stdout, b"big 1\n", "static objects start fresh in each run");
        assert_eq!(runs[0].trace, runs[1].trace);
        assert_eq!(runs[2].trace, runs[3].trace, "the same path has the same trace");
        assert_ne!(runs[0].trace, runs[2].trace, "another path has another trace");
    }

    #[test]
    fn a_sanitizer_report_is_seen() {
        let dir = tempfile::tempdir().expect("a folder");
        let units = [Unit { seed: 2, source: SECOND }];
        let batch = build(dir.path(), "b", &units, Build::Sanitized).expect("compiles");
        let runs = batch.run(&[Job { program: 0, inputs: vec![] }]).expect("answered");
        assert_eq!(runs[0].end, NativeEnd::Sanitizer);
    }

    #[test]
    fn what_clang_rejects_is_an_error_with_its_words() {
        let dir = tempfile::tempdir().expect("a folder");
        let units = [Unit { seed: 1, source: "int main(void) { return nowhere; }\n" }];
        let error = build(dir.path(), "b", &units, Build::Traced).expect_err("does not compile");
        assert!(error.to_string().contains("nowhere"), "{error}");
    }
}
