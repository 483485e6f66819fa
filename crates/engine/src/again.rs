//! What can be said of a changed program without a search.
//!
//! First, known failures are executed again, with the inputs and the schedule that made them: one that still fails is a
//! failure of the new program, whatever else has changed. Then, an earlier answer stands if all executions that it is about
//! are executions of the new program, and there are no others.
//!
//! Guarantee: a reported bug was executed on this program; `safe` is said only of a program all of whose executions a
//! search has looked at.

use std::rc::Rc;
use std::time::Instant;

use selvedge_exec::{FactSet, Finding, Machine, PathEnd, State};

use crate::bugs::{Execution, bug, execute};
use crate::collect::{Collected, Run};
use crate::config::Config;
use crate::inputs;
use crate::knowledge::Knowledge;
use crate::outcome::{Bug, Outcome, SolverUse, Turns};
use crate::reuse::{KnownBugs, Reuse, Stands, StandsBecause};
use crate::told::{KnownBug, Told, lines, question};
use crate::verify::{finish, prepare};

/// What came of executing the failures of the last version again.
#[derive(Default)]
pub(crate) struct Tried {
    pub(crate) known: KnownBugs,
    bugs: Vec<Bug>,
}

/// Executes the failures of the last version again.
pub(crate) fn try_known(run: &Run<'_>, knowledge: &Knowledge) -> Tried {
    let mut tried = Tried::default();
    let Some(last) = knowledge.last_answer().filter(|told| told.question == question(run.config)) else {
        return tried;
    };
    for known in &last.bugs {
        match execute_again(run, known, None) {
            None => tried.known.fixed += 1,
            Some(bug) => {
                match known.is(&bug) {
                    true => tried.known.same += 1,
                    false => tried.known.other += 1,
                }
                if !tried.bugs.iter().any(|b| b.kind == bug.kind && b.location == bug.location) {
                    tried.bugs.push(bug);
                }
            }
        }
    }
    tried
}

/// What fails where a known failure is executed again, in so many instructions if the program may have no end.
pub(crate) fn execute_again(run: &Run<'_>, known: &KnownBug, max_steps: Option<u64>) -> Option<Bug> {
    let deadline = run.limits.deadline;
    let mut run = prepare(run.program, run.config, run.limits.interrupted, deadline, None);
    run.options.bounds.max_steps = max_steps.or(run.options.bounds.max_steps);
    run.options.share_everything |= known.all_shared;
    let turns = Turns {
        threads: known.threads.clone(),
        steps: known.steps.clone(),
        all_shared: run.options.share_everything,
        points: None,
    };
    let is_finding = |_: &State, end: &PathEnd| matches!(end, PathEnd::Finding(_));
    let execution = execute(&run, inputs::fix(&known.inputs), &turns, &is_finding)?;
    let finding = finding(&execution)?;
    Some(bug(run.program, execution, &finding))
}

fn finding(execution: &Execution) -> Option<Rc<Finding>> {
    match &execution.end {
        Some(PathEnd::Finding(finding)) => Some(finding.clone()),
        _ => None,
    }
}

/// The outcome, if known failures or an earlier answer say it.
pub(crate) fn without_search(
    run: &Run<'_>,
    machine: &mut Machine<'_>,
    knowledge: &mut Knowledge,
    tried: &Tried,
    started: Instant,
) -> Option<Outcome> {
    let config = run.config;
    let all_bugs = config.search.all_bugs;
    if !all_bugs && !tried.bugs.is_empty() {
        return Some(failing(run, machine, knowledge, tried, started));
    }
    let asked = question(config);
    let here = lines(run.program);
    let is_wanted = |told: &Told| {
        let is_answer = told.is_safe || (all_bugs && told.knows_all);
        told.question == asked && is_answer && told.lines.is_none_or(|lines| lines == here)
    };
    let (told, standing) = knowledge.standing(machine, is_wanted)?;
    let mut bugs = Vec::new();
    for known in &told.bugs {
        // The same execution fails in the same way, or something is wrong with what is known.
        bugs.push(execute_again(run, known, None).filter(|bug| known.is(bug))?);
    }
    machine.trace_code();
    let mut facts = FactSet::default();
    let code = machine.code.as_mut()?;
    standing.facts.iter().for_each(|fact| facts.insert(code.number(fact)));
    machine.note_again(&facts);
    let mut collected = Collected::new(run);
    collected.bounded = !told.bounds.is_empty();
    collected.bounds.clone_from(&told.bounds);
    collected.executions.total = bugs.len() as u64;
    collected.executions.failed = bugs.len() as u64;
    collected.bugs = bugs;
    collected.has_others = told.has_executions;
    knowledge.answer_again(&told, Some(&standing));
    knowledge.keep_safe_version(machine, run.program, config, &told);
    let stands = Some(Stands { since: told.when, because: StandsBecause::Unchanged });
    Some(outcome(collected, machine, Reuse { stands, known_bugs: tried.known, ..Reuse::default() }, started))
}

/// The outcome where known failures still fail.
fn failing(
    run: &Run<'_>,
    machine: &mut Machine<'_>,
    knowledge: &mut Knowledge,
    tried: &Tried,
    started: Instant,
) -> Outcome {
    let mut collected = Collected::new(run);
    collected.bugs.clone_from(&tried.bugs);
    collected.bugs.truncate(1);
    collected.executions.total = 1;
    collected.executions.failed = 1;
    knowledge.answer_again(&told(&collected, knowledge.now(), false), None);
    outcome(collected, machine, Reuse { known_bugs: tried.known, ..Reuse::default() }, started)
}

fn outcome(collected: Collected<'_>, machine: &Machine<'_>, reuse: Reuse, started: Instant) -> Outcome {
    let time_s = started.elapsed().as_secs_f64();
    let outcome = finish(collected, machine, 0, SolverUse::default(), time_s);
    Outcome { reuse: Some(reuse), ..outcome }
}

/// What a search has answered, as it is kept.
pub(crate) fn told(collected: &Collected<'_>, now: u64, knows_all: bool) -> Told {
    let bounds = collected.bounds.clone();
    Told {
        when: now,
        question: question(collected.run.config),
        is_safe: collected.bugs.is_empty() && collected.unknown.is_empty() && knows_all,
        knows_all: knows_all && collected.unknown.is_empty(),
        lines: (!bounds.is_empty()).then(|| lines(collected.run.program)),
        bounds,
        has_executions: collected.has_executions(),
        bugs: collected.bugs.iter().map(KnownBug::of).collect(),
    }
}

/// Whether something that outlives the run can be told of it. Workers number threads each for itself, and test cases are
/// wanted of all paths.
pub(crate) fn can_outlive(config: &Config) -> bool {
    config.search.jobs <= 1 && !config.search.tests
}
