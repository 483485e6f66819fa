//! Predicate abstraction: what can be reached, seen through a set of predicates.
//!
//! A state is a node of the control graph with a truth value for each predicate that speaks of the node's variables. All
//! that can be reached is explored breadth first; each step leads to every valuation that is possible after it. A way to
//! a bad step is either an execution, or its conditions contradict each other: then the conditions that take part in the
//! contradiction, taken back step by step to where it shows, become predicates, and the next round sees the difference.
//!
//! This is the counterpart of [`crate::search`], which goes backwards from what is bad: here relations that hold from the
//! start, such as that a ticket is at most so many ahead of another, are found without their being asked for.
//!
//! Guarantee: if a round ends without a bad step, the disjunction of the states reached is an inductive invariant.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_exec::{Machine, Source, State, Value, instantiate};
use selvedge_solver::Want;
use selvedge_term::{Evaluator, TermId, VarId};

use crate::ask::{Asked, Stopped};
use crate::preimage::{Cube, before, conjuncts, inputs_of};
use crate::run::rename;
use crate::work::{BadId, Claimed, Found, Work};

/// Abstract states of one round.
const MAX_STATES: usize = 20_000;

/// An abstract state.
struct Reached {
    node: usize,
    /// One literal for each predicate of the node.
    cube: Cube,
    /// The state and the step it was first reached by.
    from: Option<(usize, (usize, usize))>,
}

/// Predicate abstraction with refinement.
pub(crate) struct Abstraction {
    predicates: Vec<TermId>,
    known: FxHashSet<TermId>,
    /// Preimages of single conditions.
    preimages: FxHashMap<((usize, usize), TermId), TermId>,
}

impl Abstraction {
    pub(crate) fn new() -> Abstraction {
        Abstraction { predicates: Vec::new(), known: FxHashSet::default(), preimages: FxHashMap::default() }
    }

    /// One round: explores with the present predicates, and refines them if need be.
    pub(crate) fn round(&mut self, work: &mut Work<'_, '_>) -> Result<Found, Stopped> {
        let local = self.local(work);
        let mut states: Vec<Reached> = Vec::new();
        let mut seen: FxHashSet<(usize, Cube)> = FxHashSet::default();
        let mut queue = VecDeque::from([0]);
        states.push(Reached { node: 0, cube: Cube::new(), from: None });
        seen.insert((0, Cube::new()));
        while let Some(at) = queue.pop_front() {
            let (node, cube) = (states[at].node, states[at].cube.clone());
            for (i, bad) in work.graph.nodes[node].bad.iter().enumerate() {
                if work.given_up.contains(&(node, i)) {
                    continue;
                }
                let mut goal = cube.clone();
                goal.extend_from_slice(&bad.guards);
                if work.ask.is_possible(&mut work.machine.pool, &goal)? {
                    let steps = way(&states, at);
                    return self.refine(work, steps, (node, i));
                }
            }
            for i in 0..work.graph.nodes[node].out.len() {
                let edge = (node, i);
                let to = work.graph.edge(edge).to;
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
        let mut claims = vec![nothing; work.graph.nodes.len()];
        for state in states {
            claims[state.node].cubes.push(state.cube);
        }
        Ok(Found::Invariant(claims))
    }

    /// The predicates of each node, with the constants of its template put in.
    fn local(&self, work: &mut Work<'_, '_>) -> Vec<Vec<TermId>> {
        let graph = work.graph;
        let mut local = Vec::with_capacity(graph.nodes.len());
        for node in &graph.nodes {
            let mut own: Vec<TermId> = Vec::new();
            for &predicate in &self.predicates {
                let vars = work.machine.pool.vars(predicate);
                if !vars.iter().all(|v| is_there(work.machine, &node.template, *v)) {
                    continue;
                }
                let Some(here) = instantiate(work.machine, &node.template, predicate) else { continue };
                let negated = work.machine.pool.not(here);
                let here = here.min(negated);
                if !work.machine.pool.is_const(here) && !own.contains(&here) {
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
        work: &mut Work<'_, '_>,
        cube: &Cube,
        edge: (usize, usize),
        predicates: &[TermId],
    ) -> Result<Vec<Cube>, Stopped> {
        let graph = work.graph;
        let guards = &graph.edge(edge).guards;
        let mut goal = cube.clone();
        goal.extend(guards.iter().filter(|g| !cube.contains(g)));
        // Most predicates are not touched by a step, or decided by what is known before it.
        let mut literals = Vec::with_capacity(predicates.len());
        let mut open = Vec::new();
        for (i, &predicate) in predicates.iter().enumerate() {
            let term = self.preimage(work, edge, predicate)?;
            let pool = &mut work.machine.pool;
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
            let is_possible =
                goal.len() == cube.len() || work.ask.is_possible(&mut work.machine.pool, &goal)?;
            return Ok(if is_possible { vec![literals] } else { Vec::new() });
        }
        let mut found = Vec::new();
        while let Asked::Model(model) = work.ask.ask(&mut work.machine.pool, &goal, Want::Model)? {
            let mut evaluator = Evaluator::new(&*model);
            let pool = &mut work.machine.pool;
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

    fn preimage(
        &mut self,
        work: &mut Work<'_, '_>,
        edge: (usize, usize),
        term: TermId,
    ) -> Result<TermId, Stopped> {
        if let Some(known) = self.preimages.get(&(edge, term)) {
            return Ok(*known);
        }
        let new = before(work.machine, work.graph.edge(edge), term).ok_or_else(|| {
            Stopped::Limit("a step leads to a state without a place of its node".to_string())
        })?;
        self.preimages.insert((edge, term), new);
        Ok(new)
    }

    /// A way to a bad step is a run, or gives new predicates.
    fn refine(
        &mut self,
        work: &mut Work<'_, '_>,
        steps: Vec<(usize, usize)>,
        bad: BadId,
    ) -> Result<Found, Stopped> {
        // Conditions at each node of the way, last first, and which condition of the node after it each comes from.
        let mut layers: Vec<Vec<(TermId, Option<usize>)>> = Vec::new();
        let guards = conjuncts(work.machine, &work.graph.nodes[bad.0].bad[bad.1].guards);
        let mut guards = guards;
        rename(work.machine, &mut Vec::new(), steps.len(), &mut guards);
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
            layer.extend(work.graph.edge(edge).guards.iter().map(|g| (*g, None)));
            // Inputs of this step are told from those of other steps.
            let mut terms: Vec<TermId> = layer.iter().map(|(t, _)| *t).collect();
            rename(work.machine, &mut Vec::new(), i, &mut terms);
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
    fn add(&mut self, work: &mut Work<'_, '_>, term: TermId) -> bool {
        let mut is_new = false;
        for condition in conjuncts(work.machine, &[term]) {
            let pool = &mut work.machine.pool;
            let negated = pool.not(condition);
            let predicate = condition.min(negated);
            let is_about_states =
                pool.vars(predicate).iter().all(|v| work.machine.sources.piece(*v).is_some())
                    && inputs_of(work.machine, &[predicate]).is_empty();
            if is_about_states && !work.machine.pool.is_const(predicate) && self.known.insert(predicate) {
                self.predicates.push(predicate);
                is_new = true;
            }
        }
        is_new
    }
}

/// Which of these conditions contradict each other, if they do.
fn contradiction(
    work: &mut Work<'_, '_>,
    layer: &[(TermId, Option<usize>)],
) -> Result<Option<Vec<usize>>, Stopped> {
    let goal: Vec<TermId> = layer.iter().map(|(t, _)| *t).collect();
    match work.ask.ask(&mut work.machine.pool, &goal, Want::Core)? {
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
fn shortest(work: &mut Work<'_, '_>, goal: &[TermId], mut blamed: Vec<usize>) -> Result<Vec<usize>, Stopped> {
    let mut i = 0;
    while i < blamed.len() && blamed.len() > 1 {
        let rest: Vec<TermId> =
            blamed.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, j)| goal[*j]).collect();
        match work.ask.is_possible(&mut work.machine.pool, &rest)? {
            true => i += 1,
            false => {
                blamed.remove(i);
            }
        }
    }
    Ok(blamed)
}

/// The steps by which a state was reached.
fn way(states: &[Reached], at: usize) -> Vec<(usize, usize)> {
    let mut steps = Vec::new();
    let mut at = at;
    while let Some((from, edge)) = states[at].from {
        steps.push(edge);
        at = from;
    }
    steps.reverse();
    steps
}

/// Whether a template has the place that a variable stands for. A register that is not read again is none: in another
/// function it has another meaning.
fn is_there(machine: &Machine<'_>, template: &State, var: VarId) -> bool {
    match machine.sources.piece(var).map(|p| p.source) {
        Some(Source::Register { thread, depth, reg }) => {
            let frame = template.threads.get(thread as usize).and_then(|t| t.frames.get(depth as usize));
            let value = frame.and_then(|f| f.regs.get(reg as usize)).copied();
            let term = machine.pool.var_term(var);
            matches!(value, Some(Value::Term(t) | Value::SymPtr { addr: t, .. }) if t == term)
        }
        Some(Source::Cell { .. }) => true,
        _ => false,
    }
}
