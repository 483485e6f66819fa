//! What all parts of a proof attempt share: terms, solver, control states, predicates, limits.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use selvedge_term::{TermId, TermPool};

use crate::control::{Case, ControlId, Controls};
use crate::linear::atoms;
use crate::model::{Model, Update};
use crate::oracle::{Oracle, Unanswered};
use crate::outcome::Limits;
use crate::predicates::{Bits, Predicates};
use crate::state::{Data, Symbols, binding, restricted};

/// Symbolic states of one round, if nobody says how many.
const MAX_STATES: usize = 5_000_000;

/// The state of a proof attempt.
pub(crate) struct Engine {
    pub(crate) pool: TermPool,
    pub(crate) model: Model,
    pub(crate) oracle: Oracle,
    pub(crate) controls: Controls,
    pub(crate) symbols: Symbols,
    pub(crate) predicates: Predicates,
    /// States of one exploration.
    pub(crate) max_states: usize,
    /// States expanded for one abstract state; 0 is no limit.
    pub(crate) max_matches: u32,
    /// Control states all of whose guards are over Φ; Φ only grows.
    complete: FxHashSet<ControlId>,
}

impl Engine {
    pub(crate) fn new(mut pool: TermPool, model: Model, oracle: Oracle, limits: &Limits) -> Engine {
        let controls = Controls::new(&model);
        let symbols = Symbols::new(&mut pool, &controls.data_terms);
        let max_matches = limits.max_matches;
        let max_states = limits.max_states.unwrap_or(MAX_STATES);
        let predicates = Predicates::default();
        let complete = FxHashSet::default();
        Engine { pool, model, oracle, controls, symbols, predicates, max_states, max_matches, complete }
    }

    /// Adds the atoms of `condition` to Φ; says whether there was a new one.
    pub(crate) fn add_predicates(&mut self, condition: TermId) -> bool {
        self.predicates.add(&mut self.pool, &self.symbols.data, condition)
    }

    /// Φ at the start: the atoms of guards, and of conditions that decide control.
    pub(crate) fn add_guards(&mut self) {
        for t in 0..self.model.transitions.len() {
            self.add_predicates(self.model.transitions[t].guard);
            for (_, update) in self.model.transitions[t].updates.clone() {
                if let Update::Term(term) = update
                    && self.pool.sort(term) == selvedge_term::Sort::BOOL
                {
                    self.add_predicates(term);
                }
            }
        }
    }

    pub(crate) fn cases(&mut self, control: ControlId) -> Rc<Vec<Case>> {
        self.controls.cases(&mut self.pool, &self.model, control)
    }

    /// Whether the guard of a case holds in an abstract state. Guards are decided by Φ.
    pub(crate) fn enabled(&mut self, bits: &Bits, guard: TermId) -> bool {
        if let Some(holds) = self.predicates.holds(&self.pool, bits, guard) {
            return holds;
        }
        unreachable!("Φ has the atoms of every guard at every control state, see `complete_guards`")
    }

    /// Adds atoms of guards that only appear once control is known; says whether there were any.
    pub(crate) fn complete_guards(&mut self, control: ControlId) -> bool {
        if !self.complete.insert(control) {
            return false;
        }
        let mut added = false;
        for case in self.cases(control).iter() {
            if atoms(&self.pool, case.guard).iter().any(|a| !self.predicates.contains(*a)) {
                added |= self.add_predicates(case.guard);
            }
        }
        added
    }

    /// Whether a state can be bad.
    pub(crate) fn is_bad(
        &mut self,
        control: ControlId,
        data: &Data,
        bits: &Bits,
    ) -> Result<bool, Unanswered> {
        let bad = self.controls.bad(&mut self.pool, &self.model, control);
        if let Some(holds) = self.predicates.holds(&self.pool, bits, bad) {
            return Ok(holds);
        }
        let symbolic = data.symbolic(&mut self.pool);
        let bad = binding(&self.pool, &self.symbols.data, &symbolic.values).apply(&mut self.pool, bad);
        match self.pool.as_bool(bad) {
            Some(known) => Ok(known),
            None => self.oracle.is_possible(&mut self.pool, &symbolic.condition, &[bad]),
        }
    }

    /// [ASE] Figure 4.4, SPLITSTATE: parts of `data` in which every predicate is decided.
    pub(crate) fn split(&mut self, data: &Data) -> Result<Vec<(Data, Bits)>, Unanswered> {
        let n = self.predicates.len();
        let mut bits = Bits::new(n);
        let mut undecided: Vec<(usize, TermId)> = Vec::new();
        let mut to_values = None;
        for i in 0..n {
            if let Data::Concrete(values) = data
                && let Some(holds) = self.predicates.fast(i).and_then(|atom| atom.holds(values))
            {
                bits.set(i, holds);
                continue;
            }
            let pool = &mut self.pool;
            let to_values = to_values.get_or_insert_with(|| {
                let values = data.symbolic(pool).values.clone();
                binding(pool, &self.symbols.data, &values)
            });
            let instance = to_values.apply(pool, self.predicates.atoms()[i]);
            match pool.as_bool(instance) {
                Some(holds) => bits.set(i, holds),
                None => undecided.push((i, instance)),
            }
        }
        if undecided.is_empty() {
            return Ok(vec![(data.clone(), bits)]);
        }
        let symbolic = data.symbolic(&mut self.pool);
        let conditions: Vec<TermId> = undecided.iter().map(|(_, c)| *c).collect();
        let mut found: Vec<Vec<bool>> = Vec::new();
        let mut keep = |values: &[bool]| {
            found.push(values.to_vec());
            true
        };
        self.oracle.valuations(&mut self.pool, &symbolic.condition, &conditions, &mut keep)?;
        // Models come in no order that a reader could expect.
        found.sort_unstable();
        found.reverse();
        let mut parts = Vec::with_capacity(found.len());
        for values in found {
            let mut bits = bits.clone();
            let mut literals = Vec::with_capacity(values.len());
            for ((i, condition), value) in undecided.iter().zip(values) {
                bits.set(*i, value);
                literals.push(if value { *condition } else { self.pool.not(*condition) });
            }
            let data =
                restricted(&mut self.pool, &mut self.oracle, &self.symbols.data, &symbolic, &literals)?;
            if let Some(data) = data {
                parts.push((data, bits));
            }
        }
        Ok(parts)
    }
}
