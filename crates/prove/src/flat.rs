//! A model over unbounded integers as a transition system: its control states, explored ahead, with the cases of its
//! transitions as steps.
//!
//! From the start one step leads to each initial control state; it gives every variable any value that the initial
//! condition allows.
//!
//! Guarantee: every run of the model is a way through it. What is known of control only (locations, truth values) decides
//! which control states there are, so that some may be ones that no run comes to.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use selvedge_term::{Sort, TermId, TermPool, VarId};

use crate::ask::Ask;
use crate::control::{Case, ControlId, Controls};
use crate::linear::conjuncts;
use crate::model::{Model, Run};
use crate::oracle::Unanswered;
use crate::outcome::Reason;
use crate::proof::Cube;
use crate::search::Claimed;
use crate::state::binding;
use crate::trace::{Way, concrete};
use crate::transitions::{BadId, StepId, TransitionSystem};

/// A control state.
struct Node {
    /// None: the start.
    control: Option<ControlId>,
    steps: Vec<FlatStep>,
    /// What is bad there, if something is.
    bad: Option<Vec<TermId>>,
}

struct FlatStep {
    to: usize,
    guards: Vec<TermId>,
    /// None: from the start.
    case: Option<Case>,
}

/// A model with its control states.
pub(crate) struct Flat<'a> {
    pool: &'a mut TermPool,
    model: &'a Model,
    controls: Controls,
    nodes: Vec<Node>,
    /// What a step gives to a data variable that it assigns any value.
    inputs: Vec<TermId>,
}

impl<'a> Flat<'a> {
    /// Explores the control states, at most so many.
    pub(crate) fn new(
        pool: &'a mut TermPool,
        model: &'a Model,
        max_states: usize,
        ask: &Ask,
    ) -> Result<Flat<'a>, Unanswered> {
        let controls = Controls::new(model);
        let inputs =
            (0..controls.data_terms.len()).map(|i| pool.var(&format!("input!{i}"), Sort::Int)).collect();
        let root = Node { control: None, steps: Vec::new(), bad: None };
        let mut flat = Flat { pool, model, controls, nodes: vec![root], inputs };
        let mut known: FxHashMap<ControlId, usize> = FxHashMap::default();
        let mut queue = VecDeque::new();
        let mut node_of = |nodes: &mut Vec<Node>, queue: &mut VecDeque<usize>, control: ControlId| {
            *known.entry(control).or_insert_with(|| {
                nodes.push(Node { control: Some(control), steps: Vec::new(), bad: None });
                queue.push_back(nodes.len() - 1);
                nodes.len() - 1
            })
        };
        for (control, condition) in flat.controls.initial(flat.pool, model)? {
            let mut at_start = binding(flat.pool, &flat.controls.data_terms, &flat.inputs);
            let condition = at_start.apply(flat.pool, condition);
            let to = node_of(&mut flat.nodes, &mut queue, control);
            let guards = conjuncts(flat.pool, condition);
            flat.nodes[0].steps.push(FlatStep { to, guards, case: None });
        }
        while let Some(at) = queue.pop_front() {
            ask.still_time()?;
            if flat.nodes.len() > max_states {
                return Err(Unanswered(format!("there are more than {max_states} control states")));
            }
            let Some(control) = flat.nodes[at].control else { continue };
            let bad = flat.controls.bad(flat.pool, model, control);
            flat.nodes[at].bad = (bad != flat.pool.ff()).then(|| conjuncts(flat.pool, bad));
            for case in flat.controls.cases(flat.pool, model, control).iter() {
                let to = node_of(&mut flat.nodes, &mut queue, case.to);
                let guards = conjuncts(flat.pool, case.guard);
                flat.nodes[at].steps.push(FlatStep { to, guards, case: Some(case.clone()) });
            }
        }
        Ok(flat)
    }

    /// How many steps there are.
    pub(crate) fn count(&self) -> usize {
        self.nodes.iter().map(|node| node.steps.len()).sum()
    }

    /// What is claimed, as states of a proof.
    pub(crate) fn cubes(&mut self, claims: &[Claimed]) -> Vec<Cube> {
        let mut cubes = Vec::new();
        for (node, claim) in self.nodes.iter().zip(claims) {
            let Some(control) = node.control else { continue };
            for conditions in claim.cases(self.pool) {
                let control = self.controls.values(control).to_vec();
                cubes.push(Cube { control, bits: None, conditions });
            }
        }
        cubes
    }

    /// A run that takes these steps to a bad state, if inputs make it happen.
    pub(crate) fn run(&mut self, ask: &mut Ask, steps: &[StepId]) -> Result<Option<Run>, Unanswered> {
        let mut cases = Vec::with_capacity(steps.len());
        let mut first = None;
        for (at, i) in steps {
            let step = &self.nodes[*at].steps[*i];
            match &step.case {
                Some(case) => cases.push(case.clone()),
                None => first = self.nodes[step.to].control,
            }
        }
        let Some(first) = first else { return Ok(None) };
        let way = Way { first, initial: self.controls.data_terms.clone(), cases };
        concrete(self.pool, self.model, &mut self.controls, ask, &way)
    }
}

impl TransitionSystem for Flat<'_> {
    fn pool(&mut self) -> &mut TermPool {
        self.pool
    }

    fn n_controls(&self) -> usize {
        self.nodes.len()
    }

    fn n_steps(&self, control: usize) -> usize {
        self.nodes[control].steps.len()
    }

    fn target(&self, (at, i): StepId) -> usize {
        self.nodes[at].steps[i].to
    }

    fn guards(&self, (at, i): StepId) -> &[TermId] {
        &self.nodes[at].steps[i].guards
    }

    fn before(&mut self, (at, i): StepId, condition: TermId) -> Option<TermId> {
        let mut before = match &self.nodes[at].steps[i].case {
            Some(case) => self.controls.before(self.pool, case.effect, &self.inputs),
            None => binding(self.pool, &self.controls.data_terms, &self.inputs),
        };
        Some(before.apply(self.pool, condition))
    }

    fn n_bad(&self, control: usize) -> usize {
        usize::from(self.nodes[control].bad.is_some())
    }

    fn bad_guards(&self, (at, _): BadId) -> &[TermId] {
        self.nodes[at].bad.as_deref().unwrap_or_default()
    }

    fn obstacle(&self, _: BadId) -> Option<Reason> {
        None
    }

    fn is_input(&self, var: VarId) -> bool {
        self.inputs.contains(&self.pool.var_term(var))
    }

    fn is_state(&self, var: VarId) -> bool {
        self.controls.data_terms.contains(&self.pool.var_term(var))
    }

    fn here(&mut self, control: usize, predicate: TermId) -> Option<TermId> {
        // At the start, variables have no values yet.
        (control != 0).then_some(predicate)
    }
}
