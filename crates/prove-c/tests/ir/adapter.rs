//! From a program to a verdict as text.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use selvedge_exec::{Arguments, FindingKind, Machine, Options, PathEnd, Sources, ThreadNames};
use selvedge_program::Program;
use selvedge_prove::{Limits, Stats, Verdict};
use selvedge_prove_c::Run;

/// What came out.
pub(crate) struct Proved {
    /// `safe`, `unsafe: ` and what goes wrong, `unknown: ` and why.
    pub(crate) verdict: String,
    pub(crate) run: Option<Run>,
    /// The proof object of a safe program.
    pub(crate) proof: Option<String>,
    pub(crate) stats: Stats,
}

/// Bounds that no test comes to, unless something is wrong.
pub(crate) fn limits() -> Limits {
    Limits { timeout: Some(Duration::from_secs(20)), ..Limits::default() }
}

pub(crate) fn options() -> Options {
    let checks = vec![
        FindingKind::Assert,
        FindingKind::Error,
        FindingKind::Memory,
        FindingKind::Free,
        FindingKind::Div,
        FindingKind::Deadlock,
    ];
    Options { checks, ..Options::default() }
}

#[track_caller]
pub(crate) fn prove(program: &Program) -> Proved {
    prove_with(program, &options(), &limits())
}

#[track_caller]
pub(crate) fn prove_with(program: &Program, options: &Options, limits: &Limits) -> Proved {
    let outcome = selvedge_prove_c::prove(program, options, &Arguments::default(), limits, &mut |_, _| {});
    let mut proof = None;
    let (verdict, run) = match outcome.verdict {
        Verdict::Safe { proof: text, .. } => {
            proof = text;
            ("safe".to_owned(), None)
        }
        Verdict::Unsafe(run) => {
            let options = Options { share_everything: outcome.all_shared, ..options.clone() };
            goes_wrong(program, options, &run);
            (format!("unsafe: {}", what(&run)), Some(run))
        }
        Verdict::Unknown { reasons } => {
            let reasons: Vec<String> = reasons.into_iter().map(|reason| reason.what).collect();
            (format!("unknown: {}", reasons.join("; ")), None)
        }
    };
    Proved { verdict, run, proof, stats: outcome.stats }
}

/// What goes wrong. Texts in the IR have no places.
fn what(run: &Run) -> &str {
    run.what.strip_prefix("an unknown place: ").unwrap_or(&run.what)
}

/// The run ends in a failure when it is executed: the same, of which more may be known there.
#[track_caller]
fn goes_wrong(program: &Program, options: Options, run: &Run) {
    let mut machine = Machine::new(program, options, Sources::fixed(run.inputs.clone()));
    machine.thread_names = ThreadNames::from_names(run.threads.clone());
    let interrupted = AtomicBool::new(false);
    let limits = selvedge_explore::Limits {
        deadline: None,
        memory_mib: None,
        max_runs: None,
        interrupted: &interrupted,
        stopped: None,
        runs: None,
    };
    let is_wanted = |_: &_, end: &PathEnd| matches!(end, PathEnd::Finding(_));
    let replayed = selvedge_explore::replay(
        &mut machine,
        &Arguments::default(),
        &run.turns,
        (&limits, usize::MAX),
        None,
        &is_wanted,
    );
    let end = replayed.and_then(|replayed| replayed.end);
    let begin = |text: &str| text.split_whitespace().take(2).map(str::to_owned).collect::<Vec<_>>();
    let is_same =
        matches!(&end, Some(PathEnd::Finding(finding)) if begin(&finding.message) == begin(what(run)));
    assert!(is_same, "{run:?} ends with {end:?}");
}

/// Limits under which the search has been told to stop.
pub(crate) fn interrupted() -> Limits {
    Limits { interrupt: Arc::new(AtomicBool::new(true)), ..limits() }
}
