//! A model over unbounded integers as a transition system: its control states, with the cases of its transitions as steps.
//!
//! From the start one step leads to each initial control state; it gives every variable any value that the initial
//! condition allows.
//!
//! Guarantee: every run of the model is a way through it. What is known of control only (locations, truth values) decides
//! which control states there are, so that some may be ones that no run comes to.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use selvedge_term::{Sort, Substitution, TermId, TermPool, VarId};

use crate::ask::{Ask, Stopped};
use crate::check::{Checkable, Claim};
use crate::control::{Case, ControlId, Controls, EffectId};
use crate::linear::conjuncts;
use crate::model::{Model, Run};
use crate::oracle::Unanswered;
use crate::outcome::Reason;
use crate::proof::{Cube, Proof};
use crate::search::Claimed;
use crate::state::binding;
use crate::trace::{Way, concrete};
use crate::transitions::{BadId, Searchable, StepId, TransitionSystem};

/// A control state.
#[derive(Default)]
struct Node {
    /// None: the start.
    control: Option<ControlId>,
    /// What a proof claims of it, and which of the proof's states that is.
    claim: Rc<Claim>,
    numbers: Vec<usize>,
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
    known: FxHashMap<ControlId, usize>,
    /// Predicates of the proof, if there is one.
    predicates: Vec<TermId>,
    /// Conditions after an effect as conditions before it.
    before: FxHashMap<Option<EffectId>, Substitution>,
    /// What a step gives to a data variable that it assigns any value.
    inputs: Vec<TermId>,
}

impl<'a> Flat<'a> {
    /// The start, and the control states after it.
    fn start(pool: &'a mut TermPool, model: &'a Model) -> Result<Flat<'a>, Unanswered> {
        Controls::check_size(pool, model)?;
        let controls = Controls::new(model);
        let inputs = (0..controls.data_terms.len()).map(|i| pool.var(&format!("input!{i}"), Sort::Int));
        let inputs = inputs.collect();
        let mut flat = Flat {
            pool,
            model,
            controls,
            nodes: vec![Node::default()],
            known: FxHashMap::default(),
            predicates: Vec::new(),
            before: FxHashMap::default(),
            inputs,
        };
        for (control, condition) in flat.controls.initial(flat.pool, model)? {
            let mut at_start = binding(flat.pool, &flat.controls.data_terms, &flat.inputs);
            let condition = at_start.apply(flat.pool, condition);
            let to = flat.node(control);
            let guards = conjuncts(flat.pool, condition);
            flat.nodes[0].steps.push(FlatStep { to, guards, case: None });
        }
        Ok(flat)
    }

    /// All control states, at most so many.
    pub(crate) fn explored(
        pool: &'a mut TermPool,
        model: &'a Model,
        max_states: usize,
        ask: &Ask,
    ) -> Result<Flat<'a>, Unanswered> {
        let mut flat = Flat::start(pool, model)?;
        let mut at = 1;
        while at < flat.nodes.len() {
            ask.still_time()?;
            if flat.nodes.len() > max_states {
                return Err(Unanswered(format!("there are more than {max_states} control states")));
            }
            flat.expand(at);
            at += 1;
        }
        Ok(flat)
    }

    /// The control states of a proof, and what it claims of them.
    pub(crate) fn claimed(
        pool: &'a mut TermPool,
        model: &'a Model,
        proof: &Proof,
    ) -> Result<Flat<'a>, Unanswered> {
        let mut flat = Flat::start(pool, model)?;
        flat.predicates.clone_from(&proof.predicates);
        let mut claims: BTreeMap<usize, (Claim, Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for (number, Cube { control, bits, conditions }) in proof.cubes.iter().enumerate() {
            let control = flat.controls.intern(control.clone().into());
            let node = flat.node(control);
            let (claim, valuations, cubes) = claims.entry(node).or_default();
            match bits {
                Some(bits) => {
                    claim.known.insert(bits.clone());
                    claim.valuations.push(bits.clone());
                    valuations.push(number);
                }
                None => {
                    claim.cubes.push(conditions.clone());
                    cubes.push(number);
                }
            }
        }
        for (node, (claim, mut numbers, cubes)) in claims {
            numbers.extend(cubes);
            (flat.nodes[node].claim, flat.nodes[node].numbers) = (Rc::new(claim), numbers);
        }
        Ok(flat)
    }

    fn node(&mut self, control: ControlId) -> usize {
        *self.known.entry(control).or_insert_with(|| {
            self.nodes.push(Node { control: Some(control), ..Node::default() });
            self.nodes.len() - 1
        })
    }

    /// Finds the steps from a control state.
    fn expand(&mut self, at: usize) {
        let Some(control) = self.nodes[at].control else { return };
        let bad = self.controls.bad(self.pool, self.model, control);
        self.nodes[at].bad = (bad != self.pool.ff()).then(|| conjuncts(self.pool, bad));
        for case in self.controls.cases(self.pool, self.model, control).iter() {
            let to = self.node(case.to);
            let guards = conjuncts(self.pool, case.guard);
            self.nodes[at].steps.push(FlatStep { to, guards, case: Some(case.clone()) });
        }
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
        let effect = self.nodes[at].steps[i].case.as_ref().map(|case| case.effect);
        let before = self.before.entry(effect).or_insert_with(|| match effect {
            Some(effect) => self.controls.before(self.pool, effect, &self.inputs),
            None => binding(self.pool, &self.controls.data_terms, &self.inputs),
        });
        Some(before.apply(self.pool, condition))
    }

    fn n_bad(&self, control: usize) -> usize {
        usize::from(self.nodes[control].bad.is_some())
    }

    fn bad_guards(&self, (at, _): BadId) -> &[TermId] {
        self.nodes[at].bad.as_deref().unwrap_or_default()
    }
}

impl Searchable for Flat<'_> {
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

impl Checkable for Flat<'_> {
    fn predicates(&self) -> &[TermId] {
        &self.predicates
    }

    fn claim(&self, control: usize) -> Rc<Claim> {
        self.nodes[control].claim.clone()
    }

    fn leave(&mut self, _: &mut Ask, control: usize) -> Result<(), Stopped> {
        self.expand(control);
        Ok(())
    }

    fn effect(&self, (at, i): StepId) -> usize {
        self.nodes[at].steps[i].case.as_ref().map_or(usize::MAX, |case| case.effect.index())
    }

    fn leads_out(&self, (at, i): StepId, case: usize) -> String {
        match &self.nodes[at].steps[i].case {
            None => "an initial state is not in the invariant".to_owned(),
            Some(taken) => format!(
                "{} leads from state {} out of the invariant",
                self.model.transitions[taken.transition].name,
                self.nodes[at].numbers[case] + 1
            ),
        }
    }

    fn is_bad(&self, (at, _): BadId, case: usize) -> String {
        format!("state {} has bad states", self.nodes[at].numbers[case] + 1)
    }
}
