//! What the two ways to look for an invariant have in common: what they work on, and what they find.

use selvedge_exec::Machine;

use crate::ask::Ask;
use crate::graph::Graph;
use crate::preimage::Cube;

/// A bad step by its node and its place in the node's list.
pub(crate) type BadId = (usize, usize);

/// What a search works on.
pub(crate) struct Work<'a, 'p> {
    pub(crate) machine: &'a mut Machine<'p>,
    pub(crate) ask: &'a mut Ask,
    pub(crate) graph: &'a Graph,
    /// Bad steps that are known to be possible and no longer looked at.
    pub(crate) given_up: &'a [BadId],
}

/// What a search has found.
pub(crate) enum Found {
    /// An inductive invariant: a claim for each node.
    Invariant(Vec<Claimed>),
    /// Steps from the start to a bad step.
    Run(Vec<(usize, usize)>, BadId),
    /// Nothing yet, but more is known than before.
    Refined,
    /// Nothing, and nothing more will be.
    Stuck,
}

/// What is claimed of the states of a node.
#[derive(Clone, Debug)]
pub(crate) struct Claimed {
    pub(crate) cubes: Vec<Cube>,
    /// Whether they are in one of the cubes; else they are in none.
    pub(crate) is_union: bool,
}

impl Claimed {
    /// The claim as conjunctions of which one holds; none if there are no such states.
    pub(crate) fn cases(&self, machine: &mut Machine<'_>) -> Vec<Cube> {
        if self.is_union {
            return self.cubes.clone();
        }
        if self.cubes.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        let pool = &mut machine.pool;
        let not_in = |cube: &Cube| {
            let all = pool.and_all(cube);
            pool.not(all)
        };
        vec![self.cubes.iter().map(not_in).collect()]
    }
}
