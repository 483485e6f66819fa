//! One analysis in its own thread: large stack, Ctrl-C, time limit, panics.
//!
//! Guarantees: whatever happens to the thread, the caller gets an outcome or an input error; a panic, an
//! interruption or a search that ignores its time limit becomes `unknown` with the reason, never `safe`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use selvedge_base::Diagnostic;
use selvedge_engine::{Config, Coverage, Executions, Hooks, Input, Outcome, Phases, SolverUse, Verdict};
use selvedge_frontend::Options;

use crate::exit;
use crate::failure::Failure;
use crate::output::{Stream, write_to};
use crate::progress::Display;

/// Deep recursion of the analysed program is data, but LLVM and drops of deep structures recurse natively.
const STACK_BYTES: usize = 256 << 20;

/// How long after its time limit a search may take to notice it.
const GRACE: Duration = Duration::from_secs(10);

const PLEASE_REPORT: &str =
    "the tool failed: please report it with the program and the command line; RUST_BACKTRACE=1 tells more";

/// What to do with the loaded program.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// Explore all paths.
    Verify,
    /// One run with these inputs.
    Replay(Vec<Input>),
}

/// Loads a program and works on it. `Err` is an error of the input; clang's warnings go to standard error.
pub(crate) fn analyse(
    options: Options,
    mut config: Config,
    work: Work,
    display: &Display,
    show_warnings: bool,
) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let interrupted = catch_interrupts();
    let limit = config.timeout;
    let (sender, receiver) = mpsc::channel();
    let (flag, shown) = (Arc::clone(&interrupted), display.clone());
    let spawned =
        std::thread::Builder::new().name("search".into()).stack_size(STACK_BYTES).spawn(move || {
            shown.phase("compiling");
            let loaded = match selvedge_frontend::load_with_warnings(&options) {
                Ok(loaded) => loaded,
                Err(error) => return drop(sender.send(Err(Failure::from(error)))),
            };
            if show_warnings && !loaded.warnings.is_empty() {
                shown.phase("");
                let _ = write_to(Stream::Stderr, loaded.warnings.as_bytes());
            }
            let frontend_s = start.elapsed().as_secs_f64();
            // The limit is for everything, and compiling has used some of it.
            config.timeout = config.timeout.map(|t| t.saturating_sub(start.elapsed()));
            shown.phase("searching");
            let mut progress = |p: &selvedge_engine::Progress| shown.update(p);
            let hooks = Hooks { progress: &mut progress, interrupted: &flag };
            let mut outcome = match work {
                Work::Verify => selvedge_engine::verify(&loaded.program, &config, hooks),
                Work::Replay(inputs) => selvedge_engine::replay(&loaded.program, &config, &inputs, hooks),
            };
            outcome.phases.frontend_s = frontend_s;
            let _ = sender.send(Ok(outcome));
        });
    if let Err(error) = spawned {
        return Err(Failure::new(format!("cannot start the search thread: {error}")));
    }
    let received = match limit {
        Some(limit) => receiver.recv_timeout(limit.saturating_add(GRACE)),
        None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
    };
    display.finish();
    let mut outcome = match received {
        Ok(Ok(outcome)) => outcome,
        // Ctrl-C reaches clang too, whose death then looks like an error of the input.
        Ok(Err(_)) if interrupted.load(Ordering::SeqCst) => unknown("interrupted while compiling".to_owned()),
        Ok(Err(failure)) => return Err(failure),
        Err(RecvTimeoutError::Timeout) => {
            unknown(format!("the time limit of {} s was reached", limit.unwrap_or_default().as_secs_f64()))
        }
        Err(RecvTimeoutError::Disconnected) => {
            let mut outcome = unknown(format!("this is a bug in selvedge: {}", last_panic()));
            outcome.warnings.push(PLEASE_REPORT.to_owned());
            outcome
        }
    };
    outcome.time_s = start.elapsed().as_secs_f64();
    Ok(outcome)
}

/// Runs `work` on a stack that is large enough for LLVM on any input.
pub(crate) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let thread = thread.map_err(|e| Failure::new(format!("cannot start a thread: {e}")))?;
        // A panic goes on to the catch in `main`, which reports it.
        thread.join().map_err(|panic| std::panic::resume_unwind(panic))
    })
}

impl From<selvedge_frontend::Error> for Failure {
    fn from(error: selvedge_frontend::Error) -> Self {
        Failure::from_diagnostic(error.to_diagnostic())
    }
}

/// An outcome of which only the reason is known.
fn unknown(reason: String) -> Outcome {
    Outcome {
        verdict: Verdict::Unknown,
        bounded: false,
        reasons: vec![reason],
        warnings: Vec::new(),
        executions: Executions::default(),
        states: 0,
        instructions: 0,
        time_s: 0.0,
        peak_rss_mib: 0.0,
        solver: SolverUse::default(),
        phases: Phases::default(),
        bugs: Vec::new(),
        tests: Vec::new(),
        coverage: Coverage::default(),
    }
}

/// A flag that the first Ctrl-C sets; the second one ends the process.
fn catch_interrupts() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    // If no handler can be installed, Ctrl-C kills the process as it does any other.
    let _ = ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::SeqCst) {
            exit::now(130);
        }
        let _ = write_to(Stream::Stderr, b"\ninterrupted: finishing the report, once more to stop at once\n");
    });
    flag
}

static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Replaces Rust's message on a panic by one that is kept for the report.
pub(crate) fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let text = info.payload_as_str().unwrap_or("a panic without a message");
        let place = info.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
        let message = format!("{text}{place}");
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|v| v != "0") {
            let trace = format!("\npanic: {message}\n{}", std::backtrace::Backtrace::force_capture());
            let _ = write_to(Stream::Stderr, trace.as_bytes());
        }
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(message);
    }));
}

/// The message of the last panic of any thread.
pub(crate) fn last_panic() -> String {
    let message = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone();
    message.unwrap_or_else(|| "the search thread ended without a result".to_owned())
}

/// What the user is told about a panic.
pub(crate) fn bug_of_the_tool(message: &str) -> Diagnostic {
    Diagnostic::error(format!("this is a bug in selvedge: {message}")).help(PLEASE_REPORT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_without_a_search_is_never_safe() {
        let outcome = unknown("why".to_owned());
        assert_eq!(
            (outcome.verdict, outcome.reasons.as_slice()),
            (Verdict::Unknown, ["why".to_owned()].as_slice())
        );
    }
}
