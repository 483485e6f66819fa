//! Control states: the explicit part of every state, and what transitions become once it is known.
//!
//! A transition at a control state is a list of [`Case`]s: `nondet` and conditions that are assigned to
//! control variables are split, so that each case leads to one control state.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use selvedge_base::{Dense, define_id};
use selvedge_term::{Substitution, TermId, TermPool};

use crate::fast::FastUpdate;
use crate::model::{Kind, Model, Update};
use crate::oracle::Unanswered;

/// Control states that one transition may lead to.
const MAX_CASES: u64 = 1 << 16;
/// Initial control states.
const MAX_STARTS: usize = 1 << 17;

define_id!(
    /// Values of all control variables.
    pub(crate) struct ControlId, "c"
);
define_id!(
    /// What a case does to data.
    pub(crate) struct EffectId, "e"
);

/// A transition at a control state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Case {
    pub(crate) transition: usize,
    /// The values that `nondet` gave to control variables, in the order of the updates.
    pub(crate) choices: Vec<u32>,
    /// A condition on data.
    pub(crate) guard: TermId,
    pub(crate) to: ControlId,
    pub(crate) effect: EffectId,
}

/// A concurrent assignment to data, by position among the data variables.
#[derive(Debug)]
pub(crate) struct Effect {
    pub(crate) updates: Vec<(usize, Update)>,
    /// Whether something is assigned any value.
    pub(crate) has_any: bool,
    /// The same for machine integers, if it can be said so.
    pub(crate) fast: Option<FastUpdate>,
}

/// All control states met so far.
pub(crate) struct Controls {
    /// Positions of control and of data variables among all.
    pub(crate) control_vars: Vec<usize>,
    pub(crate) data_vars: Vec<usize>,
    /// Data variables as terms.
    pub(crate) data_terms: Vec<TermId>,
    states: Dense<ControlId, Box<[u32]>>,
    ids: FxHashMap<Box<[u32]>, ControlId>,
    cases: FxHashMap<ControlId, Rc<Vec<Case>>>,
    bad: FxHashMap<ControlId, TermId>,
    effects: Dense<EffectId, Effect>,
    effect_ids: FxHashMap<Vec<(usize, Update)>, EffectId>,
}

impl Controls {
    pub(crate) fn new(model: &Model) -> Controls {
        let is_data = |i: &usize| model.vars[*i].kind == Kind::Data;
        let (data_vars, control_vars): (Vec<usize>, Vec<usize>) = (0..model.vars.len()).partition(is_data);
        let data_terms = data_vars.iter().map(|i| model.vars[*i].term).collect();
        Controls {
            control_vars,
            data_vars,
            data_terms,
            states: Dense::new(),
            ids: FxHashMap::default(),
            cases: FxHashMap::default(),
            bad: FxHashMap::default(),
            effects: Dense::new(),
            effect_ids: FxHashMap::default(),
        }
    }

    pub(crate) fn intern(&mut self, values: Box<[u32]>) -> ControlId {
        if let Some(id) = self.ids.get(&values) {
            return *id;
        }
        let id = self.states.push(values.clone());
        self.ids.insert(values, id);
        id
    }

    pub(crate) fn values(&self, id: ControlId) -> &[u32] {
        &self.states[id]
    }

    pub(crate) fn effect(&self, id: EffectId) -> &Effect {
        &self.effects[id]
    }

    /// The replacement of data variables by their values after an effect, which gives `inputs` where it gives any value.
    pub(crate) fn before(&self, pool: &TermPool, id: EffectId, inputs: &[TermId]) -> Substitution {
        let mut after = Substitution::new();
        for (at, update) in &self.effects[id].updates {
            let var = pool.var_id(self.data_terms[*at]).expect("a variable's term");
            let value = match update {
                Update::Term(term) => *term,
                Update::Any => inputs[*at],
            };
            after.insert(var, value);
        }
        after
    }

    /// The replacement of control variables by their values.
    pub(crate) fn substitution(&self, pool: &mut TermPool, model: &Model, id: ControlId) -> Substitution {
        let mut substitution = Substitution::new();
        for (var, value) in self.control_vars.iter().zip(self.states[id].iter()) {
            let term = model.vars[*var].term;
            let value = pool.bv(pool.width(term), u64::from(*value));
            substitution.insert(pool.var_id(term).expect("a variable's term"), value);
        }
        substitution
    }

    /// What is bad at a control state, as a condition on data.
    pub(crate) fn bad(&mut self, pool: &mut TermPool, model: &Model, id: ControlId) -> TermId {
        if let Some(bad) = self.bad.get(&id) {
            return *bad;
        }
        let bad = self.substitution(pool, model, id).apply(pool, model.bad);
        self.bad.insert(id, bad);
        bad
    }

    /// Fails if a transition has too many cases, because it assigns input to many control variables at once.
    pub(crate) fn check_size(pool: &TermPool, model: &Model) -> Result<(), Unanswered> {
        for transition in &model.transitions {
            let mut cases: u64 = 1;
            for (var, update) in &transition.updates {
                let is_constant = matches!(update, Update::Term(term) if pool.is_const(*term));
                if let (Kind::Control(size), false) = (model.vars[*var].kind, is_constant) {
                    cases = cases.saturating_mul(u64::from(size));
                }
            }
            if cases > MAX_CASES {
                let name = &transition.name;
                return Err(Unanswered(format!(
                    "{name} can lead to more than {MAX_CASES} combinations of truth values and locations"
                )));
            }
        }
        Ok(())
    }

    /// The initial control states, each with its condition on data.
    pub(crate) fn initial(
        &mut self,
        pool: &mut TermPool,
        model: &Model,
    ) -> Result<Vec<(ControlId, TermId)>, Unanswered> {
        let mut partial: Vec<(Vec<u32>, TermId)> = vec![(Vec::new(), model.init)];
        for var in self.control_vars.clone() {
            let Kind::Control(size) = model.vars[var].kind else { continue };
            let term = model.vars[var].term;
            let id = pool.var_id(term).expect("a variable's term");
            let mut next = Vec::new();
            for (values, condition) in partial {
                for value in 0..size {
                    let constant = pool.bv(pool.width(term), u64::from(value));
                    let mut substitution = Substitution::new();
                    substitution.insert(id, constant);
                    let condition = substitution.apply(pool, condition);
                    if condition != pool.ff() {
                        let mut values = values.clone();
                        values.push(value);
                        next.push((values, condition));
                    }
                }
            }
            if next.len() > MAX_STARTS {
                return Err(Unanswered(format!(
                    "initially there are more than {MAX_STARTS} combinations of truth values and locations"
                )));
            }
            partial = next;
        }
        Ok(partial.into_iter().map(|(values, condition)| (self.intern(values.into()), condition)).collect())
    }

    /// The cases at a control state.
    pub(crate) fn cases(&mut self, pool: &mut TermPool, model: &Model, id: ControlId) -> Rc<Vec<Case>> {
        if let Some(cases) = self.cases.get(&id) {
            return Rc::clone(cases);
        }
        let mut substitution = self.substitution(pool, model, id);
        let mut cases = Vec::new();
        for (transition, declared) in model.transitions.iter().enumerate() {
            let guard = substitution.apply(pool, declared.guard);
            if guard == pool.ff() {
                continue;
            }
            let mut partial = vec![(guard, Vec::new(), self.states[id].to_vec())];
            let mut data = Vec::new();
            for (var, update) in &declared.updates {
                let Kind::Control(size) = model.vars[*var].kind else {
                    let at = self.data_vars.binary_search(var).expect("data variables are listed in order");
                    let update = match update {
                        Update::Term(term) => Update::Term(substitution.apply(pool, *term)),
                        Update::Any => Update::Any,
                    };
                    data.push((at, update));
                    continue;
                };
                let at = self.control_vars.binary_search(var).expect("control variables are listed in order");
                let mut next = Vec::new();
                for (guard, choices, values) in partial {
                    for value in 0..size {
                        let (mut values, mut choices) = (values.clone(), choices.clone());
                        values[at] = value;
                        let condition = match update {
                            Update::Any => {
                                choices.push(value);
                                guard
                            }
                            Update::Term(term) => {
                                let term = substitution.apply(pool, *term);
                                let constant = pool.bv(pool.width(term), u64::from(value));
                                let is_value = pool.eq(term, constant);
                                pool.and(guard, is_value)
                            }
                        };
                        if condition != pool.ff() {
                            next.push((condition, choices, values));
                        }
                    }
                }
                partial = next;
            }
            data.sort_unstable_by_key(|(at, _)| *at);
            let effect = self.intern_effect(pool, data);
            for (guard, choices, values) in partial {
                let to = self.intern(values.into());
                cases.push(Case { transition, choices, guard, to, effect });
            }
        }
        let cases = Rc::new(cases);
        self.cases.insert(id, Rc::clone(&cases));
        cases
    }

    fn intern_effect(&mut self, pool: &TermPool, updates: Vec<(usize, Update)>) -> EffectId {
        if let Some(id) = self.effect_ids.get(&updates) {
            return *id;
        }
        let has_any = updates.iter().any(|(_, update)| *update == Update::Any);
        let fast = FastUpdate::new(pool, &self.data_terms, &updates);
        let id = self.effects.push(Effect { updates: updates.clone(), has_any, fast });
        self.effect_ids.insert(updates, id);
        id
    }
}

/// A machine integer, if it is one.
pub(crate) fn small(value: &BigInt) -> Option<i64> {
    value.to_i64()
}
