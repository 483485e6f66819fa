//! The abstract transition system M_a of an exploration, and the part of it in which executions end up.
//!
//! Paper: [ASE] Chapter 2 and Figure 4.3. A transition is in *inf* if it lies on a cycle of M_a.
//! Differs: DIVERGENCE: the thesis collects *inf* from the lassos of its depth-first search; every loop of
//! a lasso is a cycle here, so that what must be exact there must be exact here.

use std::collections::BTreeSet;

use selvedge_base::{Id, components};

use crate::control::ControlId;
use crate::explore::{AbstractId, Exploration};

/// `from → to` by a case of the control state of `from`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct AbstractTransition {
    pub(crate) from: AbstractId,
    pub(crate) case: u32,
    pub(crate) to: AbstractId,
}

/// M_a.
pub(crate) struct AbstractSystem {
    /// In order, each once.
    pub(crate) transitions: Vec<AbstractTransition>,
    /// By abstract state: whether it is on a cycle, or reachable from one.
    pub(crate) in_fragment: Vec<bool>,
}

impl AbstractSystem {
    /// The system that `exploration` has seen.
    pub(crate) fn new(exploration: &Exploration) -> AbstractSystem {
        let mut set = BTreeSet::new();
        for node in exploration.nodes.iter() {
            for (case, next) in &node.out {
                let to = exploration.nodes[*next].abs;
                set.insert(AbstractTransition { from: node.abs, case: *case, to });
            }
        }
        let n = exploration.states.len();
        let transitions: Vec<AbstractTransition> = set.into_iter().collect();
        let successors = successors(n, &transitions);
        let (component, _) = components(&successors);
        let mut in_fragment = vec![false; n];
        let mut pending = Vec::new();
        for t in &transitions {
            if component[t.from.index()] == component[t.to.index()] {
                pending.push(t.from.index());
            }
        }
        // States that were not expanded say nothing about what follows: that must be exact, too. Without a
        // limit on them they are stopped on cycles, and this adds nothing.
        for node in exploration.nodes.iter() {
            if node.path.is_none() {
                pending.push(node.abs.index());
            }
        }
        while let Some(state) = pending.pop() {
            if !std::mem::replace(&mut in_fragment[state], true) {
                pending.extend(&successors[state]);
            }
        }
        AbstractSystem { transitions, in_fragment }
    }

    /// Transitions grouped by source and case.
    pub(crate) fn grouped(&self) -> Vec<&[AbstractTransition]> {
        self.transitions.chunk_by(|a, b| (a.from, a.case) == (b.from, b.case)).collect()
    }
}

/// The control state of an abstract state.
pub(crate) fn control(exploration: &Exploration, state: AbstractId) -> ControlId {
    exploration.states[state].0
}

fn successors(n: usize, transitions: &[AbstractTransition]) -> Vec<Vec<usize>> {
    let mut successors = vec![Vec::new(); n];
    for t in transitions {
        successors[t.from.index()].push(t.to.index());
    }
    successors
}
