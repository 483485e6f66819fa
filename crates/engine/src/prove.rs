//! Proofs without bounds: `prove` instead of [`verify`](crate::verify), with the same kind of outcome.
//!
//! Guarantee: `safe` comes with a proof object that was written, read back and checked, or rests on an earlier proof that the
//! checker has accepted for this program; `unsafe` is reported only for a run that was executed once more with its inputs and
//! schedule, as after a search; a run that does not fail then makes the verdict `unknown`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use selvedge_analysis::Library;
use selvedge_base::Loc;
use selvedge_exec::{FixedInputs, Ledger, Machine, PathEnd, Reliance, Sources, State};
use selvedge_library::{Life, Written};
use selvedge_program::Program;
use selvedge_prove::{CheckError, CheckResult, Limits, Stats, Verdict};
use selvedge_prove_c::{Earlier, Subject};

use crate::again::execute_again;
use crate::assumptions::{note, note_weak_orders};
use crate::bugs::{Execution, bug, execute};
use crate::collect::{Collected, Run};
use crate::config::Config;
use crate::outcome::{Assumption, BugKind, Outcome, ProofSize, SolverUse, Turns};
use crate::proofs::Proved;
use crate::property::{About, Property};
use crate::reuse::{EarlierProof, Reuse};
use crate::shorten::shorten;
use crate::told::KnownBug;
use crate::verify::{Hooks, SetOnDrop, finish, prepare};

/// Looks for a proof that no execution of `program`, of any length, violates the properties.
pub fn prove(program: &Program, config: &Config, max_states: Option<usize>, hooks: Hooks<'_>) -> Outcome {
    prove_again(program, config, max_states, hooks, None)
}

/// The same with what is known of other versions, which is told what comes out; the program must have their numbers.
pub fn prove_again(
    program: &Program,
    config: &Config,
    max_states: Option<usize>,
    hooks: Hooks<'_>,
    mut known: Option<&mut Proved>,
) -> Outcome {
    let started = Instant::now();
    let Hooks { interrupted, bug: on_bug, .. } = hooks;
    let deadline = config.limits.timeout.map(|t| started + t);
    let run = prepare(program, config, interrupted, deadline, None);
    let mut reuse = known.is_some().then(|| Reuse { proof: Some(EarlierProof::None), ..Reuse::default() });
    if let (Some(known), Some(reuse)) = (known.as_deref_mut(), &mut reuse)
        && let Some(outcome) = still_fails(&run, known, reuse, started)
    {
        outcome.bugs.iter().for_each(on_bug);
        return outcome;
    }
    let mut collected = Collected::new(&run);
    let limits = Limits {
        timeout: config.limits.timeout.map(|t| t.saturating_sub(started.elapsed())),
        max_states,
        ..Limits::default()
    };
    let subject = Subject {
        program,
        options: &run.options,
        arguments: &run.config.arguments,
        names: known.as_deref().map(Proved::names),
    };
    let earlier = known.as_deref().and_then(|known| known.proof(config));
    let proved = stopped_by(interrupted, deadline, &limits, || {
        selvedge_prove_c::prove_again(&subject, &limits, earlier.map(|(kept, _)| kept), &mut |_, _| {})
    });
    let since = earlier.filter(|_| proved.earlier == Some(Earlier::Holds)).map(|(_, since)| since);
    let (mut method, mut proof_object) = ("", None);
    match proved.verdict {
        Verdict::Safe { check, proof } => {
            method = check.map_or("", |check| check.name());
            proof_object = proof;
        }
        Verdict::Unknown { reasons } => {
            for reason in reasons {
                collected.unknown(reason.to_string());
            }
        }
        Verdict::Unsafe(found) => {
            let turns = Turns {
                threads: found.threads,
                steps: found.turns,
                all_shared: proved.all_shared,
                points: None,
            };
            let mut run = prepare(program, config, interrupted, deadline, None);
            run.options.share_everything = proved.all_shared;
            confirm(&mut run, &mut collected, &found.what, &found.inputs, turns);
            collected.bugs.iter().for_each(on_bug);
        }
    }
    note_beyond(&mut collected, config);
    if let Some(known) = known {
        match (proved.kept, collected.bugs.first()) {
            (_, Some(bug)) => known.keep_bug(config, KnownBug::of(bug)),
            (Some(kept), None) => known.keep_proof(config, kept, since),
            (None, None) => {}
        }
    }
    if let (Some(reuse), Some(earlier)) = (&mut reuse, proved.earlier) {
        reuse.proof = Some(what_became_of(earlier, since));
    }
    let mut outcome = told(collected, proved.ledger, &proved.stats, started);
    if let Some(proof) = &mut outcome.proof {
        proof.method = method;
    }
    outcome.proof_object = proof_object.filter(|_| outcome.verdict == crate::Verdict::Safe);
    Outcome { reuse, ..outcome }
}

/// What a proof says nothing about makes `safe` unknown.
fn note_beyond(collected: &mut Collected<'_>, config: &Config) {
    if collected.bugs.is_empty() {
        for property in beyond(config) {
            collected.unknown(format!("the property {} cannot be proved", property.name()));
        }
    }
}

/// What has become of the last proof, which was found at this time.
fn what_became_of(earlier: Earlier, since: Option<u64>) -> EarlierProof {
    match earlier {
        Earlier::Holds => EarlierProof::Holds(since.unwrap_or_default()),
        Earlier::Left(left) => EarlierProof::Left { of: left.of as u64, holds: left.holds as u64 },
        Earlier::Useless => EarlierProof::Useless,
    }
}

/// The outcome of a proof.
fn told(collected: Collected<'_>, ledger: Ledger, stats: &Stats, started: Instant) -> Outcome {
    let (program, config) = (collected.run.program, collected.run.config);
    let solver =
        SolverUse { queries: stats.queries, time_s: stats.solver_time.as_secs_f64(), ..SolverUse::default() };
    let mut machine = Machine::new(program, collected.run.options.clone(), Sources::default());
    machine.ledger = ledger;
    note_assumptions(&mut machine.ledger, (program, &machine.image.library), config);
    let time_s = started.elapsed().as_secs_f64();
    let mut outcome = finish(collected, &machine, stats.control_states as u64, solver, time_s);
    // Executions are not counted, so that none is missing.
    outcome.warnings.clear();
    outcome.instructions = stats.instructions;
    outcome.proof = Some(ProofSize {
        method: "",
        states: stats.control_states as u64,
        steps: stats.steps as u64,
        levels: stats.levels as u64,
        predicates: stats.predicates as u64,
        clauses: stats.clauses as u64,
    });
    outcome
}

/// The outcome where the failure of the last version is executed again, and something fails.
fn still_fails(run: &Run<'_>, known: &mut Proved, reuse: &mut Reuse, started: Instant) -> Option<Outcome> {
    let last = known.bug(run.config)?;
    // That nothing happens for ever is not what a proof is about.
    let failure = execute_again(run, last, Some(MAX_STEPS_AGAIN)).filter(|bug| bug.kind != BugKind::Livelock);
    let Some(bug) = failure else {
        reuse.known_bugs.fixed = 1;
        return None;
    };
    match last.is(&bug) {
        true => reuse.known_bugs.same = 1,
        false => reuse.known_bugs.other = 1,
    }
    known.keep_bug(run.config, KnownBug::of(&bug));
    let mut collected = Collected::new(run);
    collected.executions.failed = 1;
    collected.executions.total = 1;
    collected.bugs.push(bug);
    let outcome = told(collected, Ledger::default(), &Stats::default(), started);
    Some(Outcome { reuse: Some(*reuse), ..outcome })
}

/// Checked properties that are decided by what is no part of a control state: by history, or by all that is in memory.
fn beyond(config: &Config) -> impl Iterator<Item = Property> {
    let is_beyond = |property: &Property| match property.facts().about {
        About::Steps | About::Waits => false,
        About::Blocks | About::Pointers | About::Order | About::Written => true,
    };
    Property::ALL.iter().copied().filter(|property| config.properties.contains(property)).filter(is_beyond)
}

/// Why a proof object was not checked.
#[derive(Debug, thiserror::Error)]
pub enum ProofRefused {
    /// It is none of this program, or the solver gave no answer.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// Nothing can be a proof of this.
    #[error("the property {0} cannot be proved")]
    Property(&'static str),
}

/// Checks a proof object of `program` and the properties of `config`, with nothing but the executor and the solver; and
/// says what that takes for granted.
pub fn check_proof(
    program: &Program,
    config: &Config,
    text: &str,
    interrupted: &AtomicBool,
) -> Result<(CheckResult, Vec<Assumption>), ProofRefused> {
    if let Some(property) = beyond(config).next() {
        return Err(ProofRefused::Property(property.name()));
    }
    let deadline = config.limits.timeout.map(|t| Instant::now() + t);
    let run = prepare(program, config, interrupted, deadline, None);
    let limits = Limits { timeout: config.limits.timeout, ..Limits::default() };
    let mut machine = Machine::new(program, run.options.clone(), Sources::default());
    let result = stopped_by(interrupted, deadline, &limits, || {
        let (options, arguments) = (&run.options, &run.config.arguments);
        selvedge_prove_c::check_proof(program, options, arguments, text, &limits, &mut machine.ledger)
    });
    note_assumptions(&mut machine.ledger, (program, &machine.image.library), config);
    Ok((result?, crate::assumptions::collect(&machine)))
}

/// Does `work`, which is told to stop by `limits` when time is up or somebody wants to stop.
fn stopped_by<T>(
    interrupted: &AtomicBool,
    deadline: Option<Instant>,
    limits: &Limits,
    work: impl FnOnce() -> T,
) -> T {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let late = deadline.is_some_and(|d| Instant::now() >= d);
                if late || interrupted.load(Ordering::Relaxed) {
                    limits.interrupt.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let _done = SetOnDrop(&done);
        work()
    })
}

/// What a proof takes for granted of any program with threads.
fn note_assumptions(ledger: &mut Ledger, (program, library): (&Program, &Library), config: &Config) {
    if !library.has(Life::Create) && !library.has(Written::ThreadCreate) {
        return;
    }
    note_weak_orders(ledger, program);
    if config.properties.iter().any(|property| property.facts().about == About::Waits) {
        note(ledger, "prove.waits-end", Reliance { loc: Loc::UNKNOWN, block: None });
    }
}

/// Instructions of a run that is said to fail, before it counts as one that does not: its program may have no end.
const MAX_STEPS: u64 = 10_000_000;
/// Instructions of a known failure that is executed again, before it counts as one that does not happen any more.
const MAX_STEPS_AGAIN: u64 = 300_000;
/// Instructions that a shorter schedule may need beyond those of the run.
const MORE_STEPS: u64 = 1_000;

/// Executes a run that is said to fail.
fn confirm(run: &mut Run<'_>, collected: &mut Collected<'_>, what: &str, fixed: &FixedInputs, turns: Turns) {
    let is_finding = |_: &State, end: &PathEnd| matches!(end, PathEnd::Finding(_));
    run.options.bounds.max_steps = Some(MAX_STEPS);
    let first = execute(run, fixed.clone(), &turns, &is_finding);
    if !matches!(&first, Some(Execution { end: Some(PathEnd::Finding(_)), .. })) {
        let end = first.and_then(|e| e.end);
        return collected.unknown(format!(
            "a run that fails was found ({what}), but executed it does not fail (it ended with {end:?})"
        ));
    }
    run.options.bounds.max_steps = first.map(|e| 2 * e.instructions + MORE_STEPS);
    let turns = shorten(run, fixed, turns, &is_finding);
    if let Some(execution) = execute(run, fixed.clone(), &turns, &is_finding)
        && let Some(PathEnd::Finding(finding)) = execution.end.clone()
    {
        collected.executions.failed = 1;
        collected.executions.total = 1;
        collected.bugs.push(bug(run.program, execution, &finding));
    } else {
        collected.unknown("a run that failed once does not fail again".to_string());
    }
}
