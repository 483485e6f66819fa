//! One analysis in its own thread: large stack, Ctrl-C, time limit, panics.
//!
//! Guarantees: whatever happens to the thread, the caller gets an outcome or an input error; a panic, an
//! interruption or a search that ignores its time limit becomes `unknown` with the reason, never `safe`. A time limit
//! and an interruption are obeyed within a second, also by a search that is stuck in a single step.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use selvedge_base::Diagnostic;
use selvedge_engine::{
    Bug, Config, Coverage, Executions, Hooks, Input, Knowledge, Outcome, Phases, Progress, Reuse, SolverUse,
    Turns, Unused, Verdict,
};
use selvedge_frontend::{Error, Options};
use selvedge_program::Program;

use crate::exit::{self, Exit};
use crate::failure::Failure;
use crate::incremental::{self, Lineage, Plan};
use crate::output::{Stream, write_to};
use crate::progress::Display;
use crate::prove::again::prove_again;

/// Deep recursion of the analysed program is data, but LLVM and drops of deep structures recurse natively.
const STACK_BYTES: usize = 256 << 20;

/// How long after its time limit or an interruption a search may take to notice it.
const GRACE: Duration = Duration::from_millis(800);

/// Between two looks at the clock and at the flag of an interruption.
const POLL: Duration = Duration::from_millis(20);

const PLEASE_REPORT: &str =
    "the tool failed: please report it with the program and the command line; RUST_BACKTRACE=1 tells more";

/// What to do with the loaded program.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// Explore all paths.
    Verify,
    /// Explore what is not known from earlier runs.
    VerifyAgain(Plan),
    /// One run with these inputs and this schedule.
    Replay(Vec<Input>, Turns),
    /// Look for a proof, in so many control states.
    Prove(Option<usize>),
    /// The same, beginning with what is known from earlier runs.
    ProveAgain(Plan, Option<usize>),
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
    let limit = config.limits.timeout;
    let stop_loading = Arc::clone(&options.stop);
    let known = Arc::new(Mutex::new(Known::default()));
    let (flag, shown, seen) = (Arc::clone(&interrupted), display.clone(), Arc::clone(&known));
    let search = move || {
        shown.phase("compiling");
        let loaded = selvedge_frontend::load_with_warnings(&options)?;
        if show_warnings && !loaded.warnings.is_empty() {
            shown.phase("");
            let _ = write_to(Stream::Stderr, loaded.warnings.as_bytes());
        }
        let frontend_s = start.elapsed().as_secs_f64();
        lock(&seen).frontend_s = Some(frontend_s);
        // The limit is for everything, and compiling has used some of it.
        config.limits.timeout = config.limits.timeout.map(|t| t.saturating_sub(start.elapsed()));
        shown.phase("searching");
        let mut progress = |p: &Progress| {
            lock(&seen).progress = *p;
            shown.update(p);
        };
        let mut bug = |b: &Bug| lock(&seen).bugs.push(b.clone());
        let hooks = Hooks { progress: &mut progress, bug: &mut bug, interrupted: &flag };
        let mut outcome = match work {
            Work::Verify => selvedge_engine::verify(&loaded.program, &config, hooks),
            Work::VerifyAgain(plan) => verify_again(loaded.program, &config, &plan, hooks),
            Work::Prove(max_states) => selvedge_engine::prove(&loaded.program, &config, max_states, hooks),
            Work::ProveAgain(plan, max_states) => {
                prove_again(loaded.program, &config, &plan, max_states, hooks)
            }
            Work::Replay(inputs, turns) => {
                selvedge_engine::replay(&loaded.program, &config, &inputs, &turns, hooks)
            }
        };
        outcome.phases.frontend_s = frontend_s;
        Ok::<Outcome, Error>(outcome)
    };
    let ended = watched(limit, &interrupted, &mut || stop_loading.store(true, Ordering::SeqCst), search)?;
    display.finish();
    let mut outcome = match ended {
        Ended::Done(Ok(outcome)) => outcome,
        // Ctrl-C reaches clang too, whose death then looks like an error of the input.
        Ended::Done(Err(error)) if is_set(&interrupted) || matches!(error, Error::Stopped) => {
            unknown(format!("{} while compiling", why(limit, &interrupted)))
        }
        Ended::Done(Err(error)) => return Err(error.into()),
        // What the search has told so far must do.
        Ended::GivenUp => lock(&known).outcome(&why(limit, &interrupted)),
        Ended::Panicked => {
            let mut outcome = unknown(format!("this is a bug in selvedge: {}", last_panic()));
            outcome.warnings.push(PLEASE_REPORT.to_owned());
            outcome
        }
    };
    outcome.time_s = start.elapsed().as_secs_f64();
    Ok(outcome)
}

/// Verifies with what is known from earlier runs.
fn verify_again(program: Program, config: &Config, plan: &Plan, hooks: Hooks<'_>) -> Outcome {
    let started = Instant::now();
    let mut lineage = Lineage::open(plan);
    let Hooks { progress, bug, interrupted } = hooks;
    let fresh = plan.compares.then(|| {
        let hooks = Hooks { progress: &mut *progress, bug: &mut |_| {}, interrupted };
        selvedge_engine::verify(&program, config, hooks)
    });
    let memory = lineage.load();
    let is_first = memory.is_new();
    // Where both ways are compared, one must not learn from the other.
    let again = plan.compares.then(|| Knowledge::of(program.clone(), memory.clone(), incremental::now()));
    let (numbered, mut knowledge) = Knowledge::of(program.clone(), memory, incremental::now());
    if plan.by_impact {
        knowledge = knowledge.by_impact_alone();
    }
    let hooks = Hooks { progress: &mut *progress, bug: &mut *bug, interrupted };
    let mut outcome = selvedge_engine::verify_again(&numbered, config, hooks, Some(&mut knowledge));
    if let Some((numbered, knowledge)) = again {
        let hooks = Hooks { progress: &mut *progress, bug: &mut |_| {}, interrupted };
        let mut knowledge = knowledge.by_impact_alone();
        let by_impact = selvedge_engine::verify_again(&numbered, config, hooks, Some(&mut knowledge));
        // What is wrong with either way is wrong with the answer.
        let differs = |fresh: &Outcome| incremental::difference(fresh, &by_impact, plan.all_bugs).is_some();
        if fresh.as_ref().is_some_and(differs) {
            outcome = by_impact;
        }
    }
    let memory = knowledge.into_memory();
    // What is new has the addresses after those of all that there ever was.
    if !is_first && outcome.depends_on_addresses() {
        let mut left = config.clone();
        left.limits.timeout = left.limits.timeout.map(|limit| limit.saturating_sub(started.elapsed()));
        let hooks = Hooks { progress, bug, interrupted };
        outcome = fresh.unwrap_or_else(|| selvedge_engine::verify(&program, &left, hooks));
        outcome.reuse = Some(Reuse { unused: Some(Unused::Addresses), ..Reuse::default() });
        lineage.save(&memory);
    } else {
        match fresh {
            Some(fresh) => lineage.compare(plan, fresh, &mut outcome, memory),
            None => lineage.save(&memory),
        }
    }
    if config.search.jobs > 1 {
        outcome.reuse = Some(Reuse { unused: Some(Unused::Jobs), ..Reuse::default() });
    }
    outcome.warnings.extend(lineage.problems());
    outcome
}

/// How work in a thread of its own ended.
pub(crate) enum Ended<T> {
    /// With this.
    Done(T),
    /// Not at all: it was stuck in one step when time was up or somebody wanted to stop.
    GivenUp,
    /// With a bug of ours, see [`last_panic`].
    Panicked,
}

/// Does `work` in a thread of its own, which is left alone if it does not notice `limit` or an interruption in time.
/// `on_stop` is called once, when it should have noticed.
pub(crate) fn watched<T: Send + 'static>(
    limit: Option<Duration>,
    interrupted: &AtomicBool,
    on_stop: &mut dyn FnMut(),
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Ended<T>, Failure> {
    let start = Instant::now();
    let (sender, receiver) = mpsc::channel();
    std::thread::Builder::new()
        .name("search".into())
        .stack_size(STACK_BYTES)
        .spawn(move || drop(sender.send(work())))
        .map_err(|error| Failure::new(format!("cannot start the search thread: {error}")))?;
    let mut stopping = None;
    loop {
        match receiver.recv_timeout(POLL) {
            Ok(done) => return Ok(Ended::Done(done)),
            Err(RecvTimeoutError::Disconnected) => return Ok(Ended::Panicked),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if stopping.is_none() && (is_set(interrupted) || limit.is_some_and(|l| start.elapsed() >= l)) {
            on_stop();
            stopping = Some(Instant::now());
        }
        if stopping.is_some_and(|since| since.elapsed() >= GRACE) {
            return Ok(Ended::GivenUp);
        }
    }
}

/// Why work was stopped.
pub(crate) fn why(limit: Option<Duration>, interrupted: &AtomicBool) -> String {
    match limit {
        _ if is_set(interrupted) => "interrupted".to_owned(),
        Some(limit) => format!("the time limit of {} s is reached (--timeout)", limit.as_secs_f64()),
        None => String::new(),
    }
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

fn is_set(flag: &AtomicBool) -> bool {
    flag.load(Ordering::SeqCst)
}

fn lock(known: &Mutex<Known>) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a search has told while it ran.
#[derive(Debug, Default)]
struct Known {
    /// Set when the program was loaded.
    frontend_s: Option<f64>,
    progress: Progress,
    bugs: Vec<Bug>,
}

impl Known {
    /// The outcome of a search that is given up because of `why`.
    fn outcome(&self, why: &str) -> Outcome {
        let Some(frontend_s) = self.frontend_s else { return unknown(format!("{why} while compiling")) };
        let mut outcome = unknown(why.to_owned());
        if !self.bugs.is_empty() {
            outcome.verdict = Verdict::Unsafe;
            outcome.bugs.clone_from(&self.bugs);
        }
        outcome.executions = self.progress.executions;
        // A bug may be newer than the numbers.
        let missing = (self.bugs.len() as u64).saturating_sub(outcome.executions.failed);
        outcome.executions.failed += missing;
        outcome.executions.total += missing;
        outcome.peak_rss_mib = selvedge_engine::peak_rss_mib();
        outcome.instructions = self.progress.instructions;
        outcome.phases = Phases { frontend_s, explore_s: self.progress.time_s, ..Phases::default() };
        outcome.warnings.push(
            "the search was given up in the middle of a step: coverage and test cases are missing, and counters may be \
             too small"
                .to_owned(),
        );
        outcome
    }
}

/// An outcome of which only the reason is known.
fn unknown(reason: String) -> Outcome {
    Outcome {
        verdict: Verdict::Unknown,
        bounded: false,
        reasons: vec![reason],
        warnings: Vec::new(),
        assumptions: Vec::new(),
        executions: Executions::default(),
        states: 0,
        instructions: 0,
        time_s: 0.0,
        peak_rss_mib: 0.0,
        solver: SolverUse::default(),
        phases: Phases::default(),
        slice: selvedge_engine::SliceSize::default(),
        summaries: selvedge_engine::SummaryStats::default(),
        bugs: Vec::new(),
        tests: Vec::new(),
        coverage: Coverage::default(),
        proof: None,
        proof_object: None,
        reuse: None,
    }
}

static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// A flag that the first Ctrl-C (or SIGTERM, SIGHUP) sets; the second one ends the process. All work of a process has the same
/// one: who wants the first of several to stop does not want the others.
pub(crate) fn catch_interrupts() -> Arc<AtomicBool> {
    catch_interrupts_and_say(b"\ninterrupted: finishing the report, once more to stop at once\n")
}

/// As [`catch_interrupts`]; `text` is what the user sees then.
pub(crate) fn catch_interrupts_and_say(text: &'static [u8]) -> Arc<AtomicBool> {
    // It fails where a handler is installed already. If none can be, Ctrl-C kills the process as it does any other.
    let _ = ctrlc::set_handler(move || {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            exit::now(Exit::Interrupted);
        }
        let _ = write_to(Stream::Stderr, text);
    });
    INTERRUPTED.clone()
}

/// Whether the user wants an end.
pub(crate) fn is_interrupted() -> bool {
    is_set(&INTERRUPTED)
}

/// Does what the first Ctrl-C does.
pub(crate) fn interrupt() {
    INTERRUPTED.store(true, Ordering::SeqCst);
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
    fn a_search_that_is_given_up_reports_what_it_told() {
        let mut known = Known::default();
        assert_eq!(known.outcome("late").reasons, ["late while compiling"]);
        known.frontend_s = Some(1.0);
        known.progress.executions.total = 7;
        let outcome = known.outcome("late");
        assert_eq!((outcome.verdict, outcome.executions.total), (Verdict::Unknown, 7));
        assert_eq!(outcome.reasons, ["late"]);
    }

    #[test]
    fn an_outcome_without_a_search_is_never_safe() {
        let outcome = unknown("why".to_owned());
        assert_eq!(
            (outcome.verdict, outcome.reasons.as_slice()),
            (Verdict::Unknown, ["why".to_owned()].as_slice())
        );
    }
}
