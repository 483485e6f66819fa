//! Whether a state is covered by a summary, cheapest question first.
//!
//! 1. The formula is evaluated in the state, under the model that its path condition has anyway. If it is false, the
//!    state is not covered. If it is true and speaks of concrete values only, it is.
//! 2. Otherwise the solver looks for values of the path on which it is false.
//!
//! Design: 4-reduction, "Check order".

use std::rc::Rc;

use selvedge_exec::{Machine, State, StateValues, instantiate};
use selvedge_por::ThreadId;
use selvedge_solver::{Answer, Query, Solver, Want};
use selvedge_term::Assignment;

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
        let mut values = StateValues::new(self.model);
        let mut best: Option<Covered> = None;
        for summary in candidates.into_iter().rev() {
            let missing: Vec<ThreadId> = match sleep_counts {
                true => summary.asleep.iter().copied().filter(|t| !asleep.contains(t)).collect(),
                false => Vec::new(),
            };
            if best.as_ref().is_some_and(|b| b.missing.len() <= missing.len()) {
                continue;
            }
            if self.is_covered(table, key, &summary, &mut values) {
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
        values: &mut StateValues,
    ) -> bool {
        match values.value(self.machine, self.state, summary.formula) {
            None => false,
            Some(valued) if valued.value == 0 => false,
            Some(valued) if valued.is_certain => true,
            Some(_) => {
                let Some(here) = instantiate(self.machine, self.state, summary.formula) else { return false };
                let wrong = self.machine.pool.not(here);
                match self.machine.pool.as_bool(wrong) {
                    Some(is_wrong) => !is_wrong,
                    None => {
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
            }
        }
    }
}
