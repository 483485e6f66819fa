//! Predicate abstraction: what can be reached, seen through a set of predicates.
//!
//! A state is a control state with a truth value for each predicate that speaks of the node's variables. All
//! that can be reached is explored breadth first; each step leads to every valuation that is possible after it. A way to
//! a bad step is either an execution, or its conditions contradict each other: then the conditions that take part in the
//! contradiction, taken back step by step to where it shows, become predicates, and the next round sees the difference.
//!
//! This is the counterpart of [`crate::pdr`], which goes backwards from what is bad: here relations that hold from the
//! start, such as that a ticket is at most so many ahead of another, are found without their being asked for.
//!
//! Guarantee: if a round ends without a bad step, the disjunction of the states reached is an inductive invariant.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_solver::Want;
use selvedge_term::{Evaluator, TermId};

use crate::ask::{Asked, Stopped};
use crate::preimage::{Cube, conjuncts, rename};
use crate::search::{Claimed, Found, Work};
use crate::seeds::Seeds;
use crate::transitions::{BadId, StepId};

/// Abstract states of one round.
const MAX_STATES: usize = 20_000;

/// An abstract state.
struct Reached {
    node: usize,
    /// One literal for each predicate of the node.
    cube: Cube,
    /// The state and the step it was first reached by.
    from: Option<(usize, StepId)>,
}

/// Predicate abstraction with refinement.
pub(crate) struct Forward {
    predicates: Vec<TermId>,
    known: FxHashSet<TermId>,
    /// Preimages of single conditions.
    preimages: FxHashMap<(StepId, TermId), TermId>,
    is_seeded: bool,
}

impl Forward {
    pub(crate) fn new() -> Forward {
        Forward {
            predicates: Vec::new(),
            known: FxHashSet::default(),
            preimages: FxHashMap::default(),
            is_seeded: false,
        }
    }

    /// Begins with the predicates of an earlier proof.
    pub(crate) fn know(&mut self, work: &mut Work<'_>, seeds: &Seeds) {
        self.is_seeded = true;
        for predicate in seeds.predicates(work.system.pool()) {
            self.add(work, predicate);
        }
    }

    /// Whether it has predicates that it did not find, which may be too many.
    pub(crate) fn is_seeded(&self) -> bool {
        self.is_seeded
    }

    /// One round: explores with the present predicates, and refines them if need be.
    pub(crate) fn round(&mut self, work: &mut Work<'_>) -> Result<Found, Stopped> {
        let local = self.local(work);
        let mut states: Vec<Reached> = Vec::new();
        let mut seen: FxHashSet<(usize, Cube)> = FxHashSet::default();
        let mut queue = VecDeque::from([0]);
        states.push(Reached { node: 0, cube: Cube::new(), from: None });
        seen.insert((0, Cube::new()));
        while let Some(at) = queue.pop_front() {
            let (node, cube) = (states[at].node, states[at].cube.clone());
            for i in 0..work.system.n_bad(node) {
                if work.given_up.contains(&(node, i)) {
                    continue;
                }
                let mut goal = cube.clone();
                goal.extend_from_slice(work.system.bad_guards((node, i)));
                if work.ask.is_possible(work.system.pool(), &goal)? {
                    let steps = way(&states, at);
                    return self.refine(work, steps, (node, i));
                }
            }
            for i in 0..work.system.n_steps(node) {
                let edge = (node, i);
                let to = work.system.target(edge);
                for next in self.successors(work, &cube, edge, &local[to])? {
                    if seen.insert((to, next.clone())) {
                        if states.len() >= MAX_STATES {
                            return Ok(Found::Stuck);
                        }
                        queue.push_back(states.len());
                        states.push(Reached { node: to, cube: next, from: Some((at, edge)) });
                    }
                }
            }
        }
        let nothing = Claimed { cubes: Vec::new(), is_union: true };
        let mut claims = vec![nothing; work.system.n_controls()];
        for state in states {
            claims[state.node].cubes.push(state.cube);
        }
        Ok(Found::Invariant(claims))
    }

    /// The predicates of each control state, with what is known there put in.
    fn local(&self, work: &mut Work<'_>) -> Vec<Vec<TermId>> {
        let mut local = Vec::with_capacity(work.system.n_controls());
        for control in 0..work.system.n_controls() {
            let mut own: Vec<TermId> = Vec::new();
            for &predicate in &self.predicates {
                let Some(here) = work.system.here(control, predicate) else { continue };
                let pool = work.system.pool();
                let negated = pool.not(here);
                let here = here.min(negated);
                if !pool.is_const(here) && !own.contains(&here) {
                    own.push(here);
                }
            }
            local.push(own);
        }
        local
    }

    /// All valuations of `predicates` that are possible after a step from `cube`.
    fn successors(
        &mut self,
        work: &mut Work<'_>,
        cube: &Cube,
        edge: StepId,
        predicates: &[TermId],
    ) -> Result<Vec<Cube>, Stopped> {
        let mut goal = cube.clone();
        goal.extend(work.system.guards(edge).iter().filter(|g| !cube.contains(g)));
        // Most predicates are not touched by a step, or decided by what is known before it.
        let mut literals = Vec::with_capacity(predicates.len());
        let mut open = Vec::new();
        for (i, &predicate) in predicates.iter().enumerate() {
            let term = self.preimage(work, edge, predicate)?;
            let pool = work.system.pool();
            let (not_term, not_predicate) = (pool.not(term), pool.not(predicate));
            if term == pool.tt() || goal.contains(&term) {
                literals.push(predicate);
            } else if not_term == pool.tt() || goal.contains(&not_term) {
                literals.push(not_predicate);
            } else {
                open.push((i, term));
                literals.push(predicate);
            }
        }
        if open.is_empty() {
            // What was reached has a model.
            let is_possible = goal.len() == cube.len() || work.ask.is_possible(work.system.pool(), &goal)?;
            return Ok(if is_possible { vec![literals] } else { Vec::new() });
        }
        let mut found = Vec::new();
        while let Asked::Model(model) = work.ask.ask(work.system.pool(), &goal, Want::Model)? {
            let mut evaluator = Evaluator::new(&*model);
            let pool = work.system.pool();
            let mut differs = Vec::with_capacity(open.len());
            for &(i, term) in &open {
                let value = evaluator.eval_bool(pool, term);
                literals[i] = if value { predicates[i] } else { pool.not(predicates[i]) };
                differs.push(if value { pool.not(term) } else { term });
            }
            found.push(literals.clone());
            goal.push(pool.or_all(&differs));
        }
        Ok(found)
    }

    fn preimage(&mut self, work: &mut Work<'_>, edge: StepId, term: TermId) -> Result<TermId, Stopped> {
        if let Some(known) = self.preimages.get(&(edge, term)) {
            return Ok(*known);
        }
        let new = work.system.before(edge, term).ok_or_else(|| {
            Stopped::Limit("a step leads to a state without a place of its node".to_string())
        })?;
        self.preimages.insert((edge, term), new);
        Ok(new)
    }

    /// A way to a bad step is a run, or gives new predicates.
    fn refine(&mut self, work: &mut Work<'_>, steps: Vec<StepId>, bad: BadId) -> Result<Found, Stopped> {
        // Conditions at each node of the way, last first, and which condition of the node after it each comes from.
        let mut layers: Vec<Vec<(TermId, Option<usize>)>> = Vec::new();
        let guards = work.system.bad_guards(bad).to_vec();
        let mut guards = conjuncts(work.system.pool(), &guards);
        rename(work.system, steps.len(), &mut guards);
        layers.push(guards.into_iter().map(|g| (g, None)).collect());
        let mut core = None;
        for (i, &edge) in steps.iter().enumerate().rev() {
            if let Some(found) = contradiction(work, layers.last().expect("never empty"))? {
                core = Some(found);
                break;
            }
            let after = layers.last().expect("never empty").clone();
            let mut layer: Vec<(TermId, Option<usize>)> = Vec::new();
            for (j, (term, _)) in after.iter().enumerate() {
                layer.push((self.preimage(work, edge, *term)?, Some(j)));
            }
            layer.extend(work.system.guards(edge).iter().map(|g| (*g, None)));
            // Inputs of this step are told from those of other steps.
            let mut terms: Vec<TermId> = layer.iter().map(|(t, _)| *t).collect();
            rename(work.system, i, &mut terms);
            layers.push(terms.into_iter().zip(layer).map(|(t, (_, from))| (t, from)).collect());
        }
        if core.is_none() {
            core = contradiction(work, layers.last().expect("never empty"))?;
        }
        let Some(core) = core else { return Ok(Found::Run(steps, bad)) };
        let mut needed = core;
        let mut is_new = false;
        for layer in layers.iter().rev() {
            let mut before_it = Vec::new();
            for &j in &needed {
                let (term, from) = layer[j];
                is_new |= self.add(work, term);
                before_it.extend(from);
            }
            needed = before_it;
        }
        match is_new {
            true => Ok(Found::Refined),
            // The contradiction is one between inputs of several steps.
            false => Ok(Found::Stuck),
        }
    }

    /// Adds the conditions of a term as predicates; whether there is a new one.
    fn add(&mut self, work: &mut Work<'_>, term: TermId) -> bool {
        let mut is_new = false;
        for condition in conjuncts(work.system.pool(), &[term]) {
            let pool = work.system.pool();
            let negated = pool.not(condition);
            let predicate = condition.min(negated);
            let (vars, is_const) = (pool.vars(predicate), pool.is_const(predicate));
            let is_about_states = vars.iter().all(|var| work.system.is_state(*var));
            if is_about_states && !is_const && self.known.insert(predicate) {
                self.predicates.push(predicate);
                is_new = true;
            }
        }
        is_new
    }
}

/// Which of these conditions contradict each other, if they do.
fn contradiction(
    work: &mut Work<'_>,
    layer: &[(TermId, Option<usize>)],
) -> Result<Option<Vec<usize>>, Stopped> {
    let goal: Vec<TermId> = layer.iter().map(|(t, _)| *t).collect();
    match work.ask.ask(work.system.pool(), &goal, Want::Core)? {
        Asked::Model(_) => Ok(None),
        Asked::Core(core) => {
            let mut blamed: Vec<usize> = Vec::new();
            let mut rest: Vec<TermId> = core;
            for (j, term) in goal.iter().enumerate() {
                if let Some(k) = rest.iter().position(|t| t == term) {
                    rest.swap_remove(k);
                    blamed.push(j);
                }
            }
            Ok(Some(shortest(work, &goal, blamed)?))
        }
    }
}

/// Drops conditions that are not needed for the contradiction.
fn shortest(work: &mut Work<'_>, goal: &[TermId], mut blamed: Vec<usize>) -> Result<Vec<usize>, Stopped> {
    let mut i = 0;
    while i < blamed.len() && blamed.len() > 1 {
        let rest: Vec<TermId> =
            blamed.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, j)| goal[*j]).collect();
        match work.ask.is_possible(work.system.pool(), &rest)? {
            true => i += 1,
            false => {
                blamed.remove(i);
            }
        }
    }
    Ok(blamed)
}

/// The steps by which a state was reached.
fn way(states: &[Reached], at: usize) -> Vec<StepId> {
    let mut steps = Vec::new();
    let mut at = at;
    while let Some((from, edge)) = states[at].from {
        steps.push(edge);
        at = from;
    }
    steps.reverse();
    steps
}
