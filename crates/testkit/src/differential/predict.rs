//! What the engine predicts for each path of a program, and how a native run may differ from it.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use selvedge_engine::{Config, Hooks, InputKind, Outcome, PathEndKind};
use selvedge_frontend::Options as Load;
use selvedge_program::Program;

use crate::native::{Job, NativeEnd, NativeRun};

/// Loads and explores a C file; an error or a panic of the tool is a text.
pub fn explore(file: &Path, config: &Config) -> Result<(Outcome, Duration), String> {
    let started = Instant::now();
    let program = load(file)?;
    let loaded = started.elapsed();
    Ok((explore_loaded(&program, config)?, loaded))
}

/// Compiles a program.
pub(super) fn load(file: &Path) -> Result<Program, String> {
    let load = Load { files: vec![file.to_owned()], clang_args: vec!["-w".to_owned()], ..Load::default() };
    load_with(&load)
}

/// Compiles a program with these options.
pub(crate) fn load_with(options: &Load) -> Result<Program, String> {
    catch_unwind(|| selvedge_frontend::load(options))
        .map_err(|panic| format!("loading panics: {}", panic_text(&*panic)))?
        .map_err(|e| format!("loading fails: {e}"))
}

/// Explores a compiled program.
pub(crate) fn explore_loaded(program: &Program, config: &Config) -> Result<Outcome, String> {
    let interrupted = AtomicBool::new(false);
    catch_unwind(AssertUnwindSafe(|| {
        let hooks = Hooks { progress: &mut |_| {}, bug: &mut |_| {}, interrupted: &interrupted };
        selvedge_engine::verify(program, config, hooks)
    }))
    .map_err(|panic| format!("the engine panics: {}", panic_text(&*panic)))
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// What the engine says about one path.
pub(super) struct Prediction {
    pub(super) end: PathEndKind,
    stdout: Vec<u8>,
}

impl Prediction {
    pub(super) fn differs(&self, run: &NativeRun) -> Option<(&'static str, String)> {
        let PathEndKind::Exit(code) = self.end else { return None };
        // A process only hands on eight bits of its code.
        let expected = NativeEnd::Exit(code & 0xff);
        if run.end != expected {
            return Some(("exit code", format!("predicted {expected:?}, found {:?}", run.end)));
        }
        (run.stdout != self.stdout).then(|| ("output", first_difference(&self.stdout, &run.stdout)))
    }
}

/// What the engine says about the paths that end normally.
pub(super) fn predict(program: usize, outcome: &Outcome) -> Vec<(Job, Prediction)> {
    let mut all = predict_all(program, outcome);
    all.retain(|(_, p)| matches!(p.end, PathEndKind::Exit(_)));
    all
}

/// What the engine says about all paths.
pub(super) fn predict_all(program: usize, outcome: &Outcome) -> Vec<(Job, Prediction)> {
    let given = |inputs: &[selvedge_engine::Input]| -> Vec<Vec<u8>> {
        inputs.iter().filter(|i| i.kind == InputKind::Program).map(|i| i.bytes.clone()).collect()
    };
    let cases = outcome.tests.iter().map(|t| {
        let job = Job { program, inputs: given(&t.inputs) };
        (job, Prediction { end: t.end, stdout: t.stdout.clone() })
    });
    cases.collect()
}

pub(crate) fn verdict_fault(outcome: &Outcome) -> (&'static str, String) {
    match outcome.bugs.first() {
        Some(bug) => {
            let at = &bug.location;
            ("false alarm", format!("{} at line {} in {}", bug.message, at.line, at.function))
        }
        None => ("unknown", outcome.reasons.join("; ")),
    }
}

fn first_difference(predicted: &[u8], found: &[u8]) -> String {
    let (a, b) = (String::from_utf8_lossy(predicted), String::from_utf8_lossy(found));
    let (mut left, mut right) = (a.split('\n'), b.split('\n'));
    let mut line = 1;
    loop {
        match (left.next(), right.next()) {
            (Some(x), Some(y)) if x == y => line += 1,
            (x, y) => return format!("line {line}: predicted {x:?}, found {y:?}"),
        }
    }
}

pub(super) fn show_inputs(inputs: &[Vec<u8>]) -> String {
    let mut text = String::new();
    for input in inputs {
        let hex: String = input.iter().rev().map(|b| format!("{b:02x}")).collect();
        let _ = write!(text, "{}0x{hex}", if text.is_empty() { "" } else { " " });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(end: PathEndKind, stdout: &[u8], found: NativeEnd) -> Option<&'static str> {
        let run = NativeRun { end: found, trace: 0, stdout: b"1\n2\n".to_vec() };
        Prediction { end, stdout: stdout.to_vec() }.differs(&run).map(|(kind, _)| kind)
    }

    #[test]
    fn predictions_are_compared_by_exit_code_and_output() {
        let exit = PathEndKind::Exit;
        assert_eq!(kind(exit(3), b"1\n2\n", NativeEnd::Exit(3)), None);
        assert_eq!(kind(exit(259), b"1\n2\n", NativeEnd::Exit(3)), None, "a process has eight bits");
        assert_eq!(kind(exit(-1), b"1\n2\n", NativeEnd::Exit(255)), None);
        assert_eq!(kind(exit(4), b"1\n2\n", NativeEnd::Exit(3)), Some("exit code"));
        assert_eq!(kind(exit(3), b"1\n3\n", NativeEnd::Exit(3)), Some("output"));
        assert_eq!(kind(exit(3), b"1\n2\n", NativeEnd::Signal(6)), Some("exit code"));
        assert_eq!(kind(exit(3), b"1\n2\n", NativeEnd::NoInput), Some("exit code"));
    }

    #[test]
    fn the_first_differing_line_is_shown() {
        assert_eq!(
            first_difference(b"1\n2\n", b"1\n3\n"),
            "line 2: predicted Some(\"2\"), found Some(\"3\")"
        );
        assert_eq!(first_difference(b"1", b"1\n3"), "line 2: predicted None, found Some(\"3\")");
    }

    #[test]
    fn inputs_are_shown_as_numbers() {
        assert_eq!(show_inputs(&[vec![1, 2], vec![255]]), "0x0201 0xff");
    }
}
