//! Branches in the middle of a step, as nodes of the search over schedules.
//!
//! Where a step can go several ways after what others can notice of it, what comes next depends on values only, so that a
//! branch can be recognised like a state. `por` knows the event of the step and does not see the branch: what lies below
//! is gathered here, and what is skipped is told to it as if it came after the step.

use selvedge_por::Footprint;

use crate::explorer::{Ended, Explorer, Watch};
use crate::interleave::{Fork, Interleaving, Node};

/// A branch in the middle of a step.
pub(crate) struct Branch {
    /// The node that the step began at; none before the first step.
    pub(crate) base: Option<usize>,
    /// What was done below it.
    pub(crate) footprint: Footprint,
}

impl Interleaving {
    /// Comes to a branch in the middle of a step, and goes no further if it is covered.
    pub(crate) fn enter_branch<'p>(
        &mut self,
        explorer: &mut Explorer<'p>,
        watch: &mut Watch<'_, 'p>,
        at: Fork,
        ways: Vec<Fork>,
    ) -> Result<(), Ended> {
        let base = self.base();
        let Fork { state, model, choice } = at;
        let (open, skipped) = self.recognise_branch(explorer, &state, &model);
        let running = state.current as u32;
        let is_pruned = skipped.is_some();
        let branch = Some(Branch { base, footprint: skipped.unwrap_or_default() });
        let forks = if is_pruned { Vec::new() } else { ways };
        self.count_and_draw(explorer, watch, &state, (open.as_ref(), is_pruned))?;
        self.n_waiting += forks.len();
        let n_tails_again = self.n_tails_again();
        let event = None;
        self.nodes.push(Node {
            state,
            model,
            choice,
            running,
            event,
            forks,
            open,
            is_pruned,
            n_tails_again,
            branch,
        });
        Ok(())
    }

    /// All ways from a branch are explored, or covered.
    pub(crate) fn leave_branch(&mut self, explorer: &mut Explorer<'_>) {
        let Some(mut node) = self.nodes.pop() else { return };
        let footprint = node.branch.as_mut().map(|branch| std::mem::take(&mut branch.footprint));
        self.tell(explorer, node, footprint);
    }
}
