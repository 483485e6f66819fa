//! Whether a state is covered by a summary, cheapest question first.
//!
//! 1. The items of the formula are evaluated in the state, under the model that its path condition has anyway. If one is
//!    false, the state is not covered. Those that are true and speak of concrete values only are done with.
//! 2. Pointers must lead to the objects that they led to when the summary was made.
//! 3. For the others, if there are any, the solver looks for values of the path on which one is false.

use std::rc::Rc;

use selvedge_exec::{Images, Machine, State, StateValues, instantiate_all, leads};
use selvedge_por::ThreadId;
use selvedge_solver::{Answer, Query, Solver, Want};
use selvedge_term::{Assignment, TermId};

use crate::table::{Summary, SummaryTable};

/// A summary that covers a state, at least where these threads do not come first.
pub(crate) struct Covered {
    pub(crate) summary: Rc<Summary>,
    /// Threads that slept when it was made and are awake now.
    pub(crate) missing: Vec<ThreadId>,
}

/// Compares one state with summaries.
pub struct Checker<'a, 'p> {
    /// The executor.
    pub machine: &'a mut Machine<'p>,
    /// Answers what cannot be evaluated.
    pub solver: &'a mut dyn Solver,
    /// The state.
    pub state: &'a State,
    /// A model of its path condition.
    pub model: &'a Assignment,
}

/// What is known about the terms of formulas in the state.
struct Known {
    values: StateValues,
    images: Images,
}

impl Checker<'_, '_> {
    /// The summary of `key` that covers the state best.
    pub(crate) fn find(
        &mut self,
        table: &mut SummaryTable,
        key: &[u32],
        asleep: &[ThreadId],
        sleep_counts: bool,
    ) -> Option<Covered> {
        let candidates = table.get(key).to_vec();
        if candidates.is_empty() {
            return None;
        }
        table.stats.checks += 1;
        let mut known = Known { values: StateValues::new(self.model), images: Images::default() };
        let mut best: Option<Covered> = None;
        for summary in candidates.into_iter().rev() {
            let missing: Vec<ThreadId> = match sleep_counts {
                true => summary.asleep.iter().copied().filter(|t| !asleep.contains(t)).collect(),
                false => Vec::new(),
            };
            if best.as_ref().is_some_and(|b| b.missing.len() <= missing.len()) {
                continue;
            }
            if self.is_covered(table, key, &summary, &mut known) {
                let is_whole = missing.is_empty();
                best = Some(Covered { summary, missing });
                if is_whole {
                    break;
                }
            }
        }
        best
    }

    fn is_covered(
        &mut self,
        table: &mut SummaryTable,
        key: &[u32],
        summary: &Summary,
        known: &mut Known,
    ) -> bool {
        // Most of a conjunction is about concrete values, and nothing more has to be asked about it.
        let mut open: Vec<TermId> = Vec::new();
        for item in self.machine.pool.conjuncts(summary.formula) {
            match known.values.value(self.machine, self.state, item) {
                None => return false,
                Some(valued) if valued.value == 0 => return false,
                Some(valued) if valued.is_certain => {}
                Some(_) => open.push(item),
            }
        }
        let (machine, state) = (&mut *self.machine, self.state);
        if summary.leads.iter().any(|(var, there)| leads(machine, state, *var) != Some(*there)) {
            return false;
        }
        if open.is_empty() {
            return true;
        }
        let here = instantiate_all(self.machine, self.state, &mut known.images, &open);
        let Some(here) = here else { return false };
        let wrong = self.machine.pool.not(here);
        if let Some(is_wrong) = self.machine.pool.as_bool(wrong) {
            return !is_wrong;
        }
        if !table.is_worth_asking(key) {
            return false;
        }
        table.stats.solver_checks += 1;
        let query = Query { path: &self.state.path, goal: &[wrong], want: Want::Verdict };
        let answer = self.solver.check(&mut self.machine.pool, &query);
        let is_covered = matches!(answer, Answer::Unsat(_));
        if is_covered {
            table.has_helped(key);
        }
        is_covered
    }
}
