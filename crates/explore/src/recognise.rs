//! What the search does with what summaries know: `summary` decides, and here `por` is told.
//!
//! Guarantee: whatever is skipped is handed to `por` with its footprint, so that its races are not lost (rule R9), and
//! where a summary does not cover all threads the others are tried (rule R8).

use selvedge_base::Id;
use selvedge_exec::State;
use selvedge_por::{Dpor, Footprint, Pruned, ThreadId};
use selvedge_summary::{Checker, Cover, Decision, Open, Place, Rules, Summaries};
use selvedge_term::Assignment;

use crate::explorer::Explorer;
use crate::interleave::Interleaving;
use crate::limits::Shortage;

impl Interleaving {
    /// What summaries know about a place that the search has come to.
    fn ask_summaries(
        &mut self,
        explorer: &mut Explorer<'_>,
        (state, model): (&State, &Assignment),
        place: Place,
    ) -> Decision {
        let has_steps = self.base().is_some();
        let Some(summaries) = &mut self.summaries else { return Decision::Unknown };
        match explorer.shortage {
            Shortage::None => {}
            Shortage::Some => summaries.economise(),
            Shortage::Great => summaries.give_up(),
        }
        let asleep = match place {
            Place::Rest | Place::End => self.dpor.sleeping().map(|e| e.thread).collect(),
            // `por` does not see branches, and there is nothing in it before the first step.
            Place::Branch if !has_steps => Default::default(),
            Place::Branch => self.dpor.sleeping_next().collect(),
        };
        let Explorer { machine, oracle, .. } = explorer;
        let mut checker = Checker { machine, solver: &mut *oracle.solver, state, model };
        let from = self.nodes.last().and_then(|node| Some((&node.state, node.open.as_ref()?)));
        summaries.decide(&mut checker, self.dpor.events_mut(), place, asleep, from)
    }

    /// Compares a state with the summaries of its control state. Gives what a summary of it needs, if one is made, and
    /// whether the state is left at once.
    pub(crate) fn recognise(
        &mut self,
        explorer: &mut Explorer<'_>,
        state: &State,
        model: &Assignment,
    ) -> (Option<Open>, bool) {
        let place = if self.enabled.is_empty() { Place::End } else { Place::Rest };
        let decision = self.ask_summaries(explorer, (state, model), place);
        let Some(summaries) = &mut self.summaries else { return (None, false) };
        match decision {
            Decision::Unknown => {
                self.dpor.untrack();
                (None, false)
            }
            Decision::Explore(open) => (Some(open), false),
            Decision::Covered(mut open, cover) => {
                let pruned = Pruned::explored_before(&cover.footprint);
                if !self.dpor.prune(if cover.is_single() { pruned.only_if_free() } else { pruned }) {
                    return (Some(open), false);
                }
                summaries.skip(&mut explorer.machine, &mut open, &cover);
                if !cover.except.is_empty() {
                    explore_rest(&mut self.dpor, state, &self.enabled, &cover, summaries.rules());
                }
                (Some(open), cover.except.is_empty())
            }
        }
    }

    /// How many claims about tails hold again.
    pub(crate) fn n_tails_again(&self) -> u64 {
        self.summaries.as_ref().map_or(0, Summaries::n_tails_again)
    }

    /// Whether the last state or branch, of which a part is explored, is recognised by what holds again since it was entered.
    /// What is explored already is in its footprint all the same.
    #[inline]
    pub(crate) fn is_recognised_now(&mut self, explorer: &mut Explorer<'_>) -> bool {
        let n_tails_again = self.n_tails_again();
        n_tails_again > 0 && self.is_recognised_by_tails(explorer, n_tails_again)
    }

    fn is_recognised_by_tails(&mut self, explorer: &mut Explorer<'_>, n_tails_again: u64) -> bool {
        let has_steps = self.base().is_some();
        let Interleaving { nodes, summaries: Some(summaries), dpor, .. } = self else { return false };
        let Some(node) = nodes.last_mut().filter(|node| node.n_tails_again < n_tails_again) else {
            return false;
        };
        node.n_tails_again = n_tails_again;
        let Some(open) = &mut node.open else { return false };
        let Explorer { machine, oracle, .. } = explorer;
        let (state, model) = (&node.state, &*node.model);
        let mut checker = Checker { machine, solver: &mut *oracle.solver, state, model };
        let Some(cover) = summaries.look_again(&mut checker, dpor.events_mut(), open) else { return false };
        match &mut node.branch {
            None => {
                let is_skipped = dpor.prune(Pruned::explored_before(&cover.footprint));
                debug_assert!(is_skipped, "a part that need not be free");
            }
            Some(branch) => {
                if has_steps {
                    dpor.alternative(node.choice);
                }
                branch.footprint.merge(&skip_branch(dpor, has_steps, &cover));
                self.n_waiting -= node.forks.len();
                node.forks.clear();
            }
        }
        summaries.skip(&mut explorer.machine, open, &cover);
        node.is_pruned = true;
        true
    }

    /// The same at a branch in the middle of a step. Gives the footprint of what is skipped, if it is.
    pub(crate) fn recognise_branch(
        &mut self,
        explorer: &mut Explorer<'_>,
        state: &State,
        model: &Assignment,
    ) -> (Option<Open>, Option<Footprint>) {
        let decision = self.ask_summaries(explorer, (state, model), Place::Branch);
        let has_steps = self.base().is_some();
        let Some(summaries) = &mut self.summaries else { return (None, None) };
        let (mut open, cover) = match decision {
            Decision::Unknown => return (None, None),
            Decision::Explore(open) => return (Some(open), None),
            Decision::Covered(open, cover) => (open, cover),
        };
        if has_steps && cover.is_single() && !self.dpor.is_free(&cover.footprint) {
            return (Some(open), None);
        }
        let footprint = skip_branch(&mut self.dpor, has_steps, &cover);
        summaries.skip(&mut explorer.machine, &mut open, &cover);
        (Some(open), Some(footprint))
    }
}

/// Tells `por` what is skipped below a branch. Gives its footprint.
fn skip_branch(dpor: &mut Dpor, has_steps: bool, cover: &Cover) -> Footprint {
    if !has_steps {
        // Nothing has happened that it could be in a race with.
        return cover.footprint.clone();
    }
    dpor.enter(&[]);
    let is_skipped = dpor.prune(Pruned::explored_before(&cover.footprint));
    debug_assert!(is_skipped, "a part that need not be free");
    dpor.leave().unwrap_or_default()
}

/// A summary covers the state but for some threads: those are explored, and the others are not.
fn explore_rest(dpor: &mut Dpor, state: &State, enabled: &[ThreadId], cover: &Cover, rules: Rules) {
    for thread in enabled.iter().filter(|t| !cover.except.contains(t)) {
        match state.blocked_event(thread.index()) {
            Some(event) if !rules.covered_wakes_below => dpor.assume_covered(&event),
            _ => dpor.assume_covered_here(*thread),
        }
    }
    if rules.missing_are_tried {
        dpor.must_try(&cover.except);
    }
}
