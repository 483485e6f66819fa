//! What a change can have broken, if the last version is known to be safe.
//!
//! Conc-iSE (ASE 2016) calls it change impact analysis (CIA). The new version is compared with the last one of which a complete
//! search has said that nothing fails. What the change cannot influence does not fail in the new version either; the search
//! looks for the rest only (`selvedge_analysis::Focus`), and if there is no rest, there is no search.
//!
//! Guarantee: without a bound that the user has set, and for the properties that single instructions can violate or that
//! are about waiting, the answer is that of a search for everything. Whenever something is in the way, that search is made:
//! another question, a bound, an answer that was not complete, signals, assumptions that the change can influence, addresses
//! that no pointer carried, an end that is no answer.

use std::sync::Arc;
use std::time::Instant;

use selvedge_analysis::{Change, Diff, Focus, Impact, Point};
use selvedge_exec::{Fact, FactSet, Machine, Place, Sources};
use selvedge_program::Program;

use crate::collect::{Collected, Run};
use crate::config::Config;
use crate::knowledge::{Knowledge, Recall};
use crate::lower;
use crate::outcome::{Outcome, SolverUse};
use crate::reuse::{Checks, KnownBugs, Reuse, Stands, StandsBecause};
use crate::told::{Told, question};
use crate::verify::{finish, prepare};

/// A version beside the last one that is safe.
pub(crate) struct Impacted {
    /// The answer about the last one.
    pub(crate) told: Told,
    /// Nothing that can end an execution is influenced.
    is_harmless: bool,
    /// What to look at, if that is less than everything.
    pub(crate) focus: Option<Focus>,
    pub(crate) checks: Checks,
    /// What that answer relies on, as far as this version has it.
    noted: Vec<Fact>,
}

impl Impacted {
    /// Compares the program with the last one that is safe; `None` if there is none, or if it says nothing.
    pub(crate) fn new(run: &Run<'_>, knowledge: &Knowledge) -> Option<Impacted> {
        if !can_compare(run.program, run.config) {
            return None;
        }
        let (told, old, noted) = knowledge.safe_version()?;
        if !is_base(&told, run.config) || !lower::is_followed(&old, run.config) {
            return None;
        }
        let _span = tracing::info_span!(target: "analysis", "impact").entered();
        let properties = lower::analysed(&run.config.properties);
        let diff = Diff::new(&old, run.program);
        let impact = Impact::new(&old, run.program, &diff, properties);
        let (of, impacted) = impact.checks();
        let is_harmless = impact.is_harmless();
        let focus = match is_harmless {
            true => None,
            false => Focus::new(run.program, &diff, &impact, properties),
        };
        let checks = Checks { of: of as u64, impacted: impacted as u64 };
        let noted = noted.into_iter().filter_map(|fact| in_new(&diff, fact)).collect();
        Some(Impacted { told, is_harmless, focus, checks, noted })
    }

    /// What the last answer relied on, this one relies on as well.
    pub(crate) fn note(&self, machine: &mut Machine<'_>) {
        let Some(code) = machine.code.as_mut() else { return };
        let mut set = FactSet::default();
        self.noted.iter().for_each(|fact| set.insert(code.number(fact)));
        machine.note_again(&set);
    }

    /// The outcome, if the change cannot have broken anything.
    pub(crate) fn without_search(
        &self,
        run: &Run<'_>,
        machine: &mut Machine<'_>,
        knowledge: &mut Knowledge,
        known_bugs: KnownBugs,
        started: Instant,
    ) -> Option<Outcome> {
        if !self.is_harmless {
            return None;
        }
        machine.trace_code();
        self.note(machine);
        let mut collected = Collected::new(run);
        collected.has_others = self.told.has_executions;
        knowledge.answer_again(&self.told, None);
        knowledge.keep_safe_version(machine, run.program, run.config, &self.told);
        let stands = Some(Stands { since: self.told.when, because: StandsBecause::Harmless });
        let reuse = Reuse { stands, known_bugs, checks: Some(self.checks), ..Reuse::default() };
        let time_s = started.elapsed().as_secs_f64();
        let outcome = finish(collected, machine, 0, SolverUse::default(), time_s);
        Some(Outcome { reuse: Some(reuse), ..outcome })
    }
}

/// What a search works with.
pub(crate) struct View<'a, 'm> {
    /// If it looks at less than everything: the run with the slice that says at what.
    pub(crate) run: Option<Run<'a>>,
    pub(crate) machine: Machine<'m>,
    pub(crate) recalled: Option<Recall>,
}

/// Decides whether the search looks at everything, with `machine` and `recalled`, or at what the change can influence. Where
/// summaries are used that is a choice: those of a search for everything are about steps that a focus may not have.
pub(crate) fn view<'a, 'm>(
    run: &Run<'a>,
    machine: Machine<'m>,
    recalled: Option<Recall>,
    impacted: Option<&'m Impacted>,
    knowledge: Option<&Knowledge>,
) -> View<'a, 'm>
where
    'a: 'm,
{
    let everything = |machine, recalled| View { run: None, machine, recalled };
    let focus = impacted.and_then(|impacted| impacted.focus.as_ref());
    let (Some(focus), Some(knowledge), Some(whole)) = (focus, knowledge, &recalled) else {
        return everything(machine, recalled);
    };
    let limits = &run.limits;
    let focused = prepare(run.program, run.config, limits.interrupted, limits.deadline, limits.max_runs);
    let focused = Run { slice: Some(Arc::new(focus.slice.clone())), ..focused };
    let mut narrow = Machine::new(&focus.program, run.options.clone(), Sources::default());
    narrow.slice.clone_from(&focused.slice);
    let again = knowledge.recall(&mut narrow);
    let n_steps = |machine: &Machine<'_>| machine.slice.as_ref().map(|s| s.stats().relevant_accesses);
    let (all, some) = (n_steps(&machine), n_steps(&narrow).unwrap_or(0));
    let n_known = |recall: &Recall| recall.report.kept + recall.report.waiting;
    let has_half = all.is_none_or(|all| all > 0 && 2 * some <= all);
    if knowledge.is_by_impact() || has_half || 10 * n_known(&again) >= 9 * n_known(whole) {
        let recalled = Some(again.instead_of(whole));
        return View { run: Some(focused), machine: narrow, recalled };
    }
    everything(machine, recalled)
}

/// What was noted of the old program, in the new one; `None` if its place is gone.
fn in_new(diff: &Diff, fact: Fact) -> Option<Fact> {
    let place = |at: Place| {
        let old = Point { func: at.func, block: at.block, inst: at.inst as usize };
        match diff.old_change(old) {
            Change::Same(new) | Change::Modified(new) => {
                Some(Place { func: new.func, block: new.block, inst: new.inst as u32 })
            }
            Change::Alone => None,
        }
    };
    Some(match fact {
        Fact::Relied(assumption, Some(at)) => Fact::Relied(assumption, Some(place(at)?)),
        Fact::Unwritten(at) => Fact::Unwritten(place(at)?),
        other => other,
    })
}

/// Whether an answer says that nothing fails, whatever the bounds.
pub(crate) fn is_base(told: &Told, config: &Config) -> bool {
    told.is_safe && told.bounds.is_empty() && told.bugs.is_empty() && told.question == question(config)
}

/// Whether what the analysis says of a program is what is asked. Bounds cut executions in ways that it does not see.
pub(crate) fn can_compare(program: &Program, config: &Config) -> bool {
    let has_bounds = config.bounds.unwind.is_some() || config.bounds.max_steps.is_some();
    let properties = lower::analysed(&config.properties);
    !has_bounds && !properties.races && !properties.leaks && lower::is_followed(program, config)
}
