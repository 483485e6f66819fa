//! The abstract transition system M_a of an exploration, and the part of it in which executions end up.
//!
//! Paper: [ASE] Chapter 2 and Figure 4.3. A transition is in *inf* if it lies on a cycle of M_a.
//! Differs: DIVERGENCE: the thesis collects *inf* from the lassos of its depth-first search; every loop of
//! a lasso is a cycle here, so that what must be exact there must be exact here.

use std::collections::BTreeSet;

use selvedge_base::Id;

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
        let component = components(&successors);
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

/// Tarjan's algorithm with an explicit stack.
fn components(successors: &[Vec<usize>]) -> Vec<u32> {
    const OPEN: u32 = u32::MAX;
    let n = successors.len();
    let (mut number, mut low) = (vec![OPEN; n], vec![0u32; n]);
    let mut component = vec![OPEN; n];
    let mut stack = Vec::new();
    let (mut next_number, mut next_component) = (0, 0);
    for root in 0..n {
        if number[root] != OPEN {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((v, at)) = calls.last_mut() {
            let v = *v;
            if *at == 0 && number[v] == OPEN {
                number[v] = next_number;
                low[v] = next_number;
                next_number += 1;
                stack.push(v);
            }
            if let Some(&w) = successors[v].get(*at) {
                *at += 1;
                if number[w] == OPEN {
                    calls.push((w, 0));
                } else if component[w] == OPEN {
                    low[v] = low[v].min(number[w]);
                }
                continue;
            }
            calls.pop();
            if let Some((parent, _)) = calls.last() {
                low[*parent] = low[*parent].min(low[v]);
            }
            if low[v] == number[v] {
                while let Some(w) = stack.pop() {
                    component[w] = next_component;
                    if w == v {
                        break;
                    }
                }
                next_component += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_the_maximal_sets_of_mutually_reachable_states() {
        let successors = vec![vec![1], vec![2], vec![1, 3], vec![4], vec![5], vec![3], vec![]];
        let c = components(&successors);
        assert!(c[1] == c[2] && c[3] == c[4] && c[4] == c[5]);
        assert!(c[0] != c[1] && c[1] != c[3] && c[6] != c[0]);
    }
}
