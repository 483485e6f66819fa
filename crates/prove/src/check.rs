//! The checker: is this an inductive invariant without bad states?
//!
//! Guarantees: `Ok` means that no bad state of the model can be reached, as far as the solver is right. It
//! shares with the search the specialisation of transitions to control states, the value of a condition
//! under a valuation, and the solver, and nothing else: no exploration, no exactness, no quantifier
//! elimination.
//! The three conditions, for `Inv` the union of the cubes: `init ⇒ Inv`; `Inv ∧ t ⇒ Inv'` for every
//! transition `t`; `Inv ⇒ ¬bad`.
//! Most of this needs no solver: where a cube is a valuation of the predicates, and each predicate after
//! the step is a predicate before it, the successor is looked up.

use rustc_hash::FxHashMap;
use selvedge_term::{Evaluator, Substitution, TermId, TermPool};

use crate::control::{Case, ControlId, Controls, EffectId};
use crate::linear::{conjuncts, map_atoms};
use crate::model::Model;
use crate::oracle::{Oracle, Unanswered};
use crate::predicates::{Bits, Predicates};
use crate::proof::{Cube, Proof};

/// What the checker says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckResult {
    /// The proof is right.
    Accepted,
    /// It is not: which condition fails, and where.
    Rejected(String),
}

/// A predicate after a step, as a condition before it.
#[derive(Clone, Copy)]
enum Before {
    Const(bool),
    /// The value of a predicate, or the opposite.
    Predicate(usize, bool),
    Other,
}

/// What a case does, prepared for questions about states after it.
struct After {
    substitution: Substitution,
    /// By predicate.
    predicates: Vec<Before>,
}

struct Checker<'a> {
    pool: &'a mut TermPool,
    model: &'a Model,
    oracle: &'a mut Oracle,
    controls: Controls,
    inputs: Vec<TermId>,
    predicates: Predicates,
    cubes: &'a [Cube],
    control_of: Vec<ControlId>,
    /// Cubes that are valuations of the predicates.
    by_bits: FxHashMap<(ControlId, Bits), usize>,
    /// The others.
    by_condition: FxHashMap<ControlId, Vec<usize>>,
    after: FxHashMap<EffectId, After>,
}

/// Checks `proof` against `model`.
pub(crate) fn check(
    pool: &mut TermPool,
    model: &Model,
    oracle: &mut Oracle,
    proof: &Proof,
) -> Result<CheckResult, Unanswered> {
    Controls::check_size(pool, model)?;
    let mut controls = Controls::new(model);
    let mut control_of = Vec::with_capacity(proof.cubes.len());
    let mut by_bits = FxHashMap::default();
    let mut by_condition: FxHashMap<ControlId, Vec<usize>> = FxHashMap::default();
    for (i, cube) in proof.cubes.iter().enumerate() {
        let control = controls.intern(cube.control.clone().into());
        match &cube.bits {
            Some(bits) if cube.conditions.is_empty() => {
                by_bits.insert((control, bits.clone()), i);
            }
            _ => by_condition.entry(control).or_default().push(i),
        }
        control_of.push(control);
    }
    let inputs = (0..controls.data_terms.len())
        .map(|i| pool.var(&format!("input!{i}"), selvedge_term::Sort::Int))
        .collect();
    let mut checker = Checker {
        pool,
        model,
        oracle,
        controls,
        inputs,
        predicates: Predicates::of(&proof.predicates),
        cubes: &proof.cubes,
        control_of,
        by_bits,
        by_condition,
        after: FxHashMap::default(),
    };
    if let Some(why) = checker.initial()? {
        return Ok(CheckResult::Rejected(why));
    }
    for cube in 0..checker.cubes.len() {
        if let Some(why) = checker.cube(cube)? {
            return Ok(CheckResult::Rejected(why));
        }
    }
    Ok(CheckResult::Accepted)
}

impl Checker<'_> {
    /// The conditions that describe a cube.
    fn literals(&mut self, cube: usize) -> Vec<TermId> {
        let cube = &self.cubes[cube];
        let mut literals = match &cube.bits {
            Some(bits) => self.predicates.literals(self.pool, bits),
            None => Vec::new(),
        };
        for condition in &cube.conditions {
            literals.extend(conjuncts(self.pool, *condition));
        }
        literals
    }

    /// The cube of `control` that a state is in, where `value` gives the values of conditions after a step.
    fn home(
        &mut self,
        control: ControlId,
        value: &mut dyn FnMut(&mut Self, TermId) -> Option<bool>,
    ) -> Option<usize> {
        let n = self.predicates.len();
        let mut bits = Bits::new(n);
        let decided = (0..n).all(|i| match value(self, self.predicates.atoms()[i]) {
            Some(holds) => {
                bits.set(i, holds);
                true
            }
            None => false,
        });
        if decided && let Some(found) = self.by_bits.get(&(control, bits)) {
            return Some(*found);
        }
        let others = self.by_condition.get(&control).cloned().unwrap_or_default();
        others.into_iter().find(|cube| self.literals(*cube).into_iter().all(|l| value(self, l) == Some(true)))
    }

    /// A condition after a step, as one before it; without a step, itself.
    fn before(&mut self, effect: Option<EffectId>, condition: TermId) -> TermId {
        match effect.and_then(|effect| self.after.get_mut(&effect)) {
            Some(after) => after.substitution.apply(self.pool, condition),
            None => condition,
        }
    }

    /// Whether all states of a valuation are, after a step, in one valuation that is a cube of `control`.
    fn is_mapped(&mut self, bits: &Bits, control: ControlId, effect: EffectId) -> bool {
        let mut next = Bits::new(self.predicates.len());
        for (i, before) in self.after[&effect].predicates.iter().enumerate() {
            match *before {
                Before::Const(value) => next.set(i, value),
                Before::Predicate(j, same) => next.set(i, bits.get(j) == same),
                Before::Other => return false,
            }
        }
        self.by_bits.contains_key(&(control, next))
    }

    /// Whether a state of `given` leads out of all cubes of `control`. `known` are conditions that `given`
    /// decides.
    fn escapes(
        &mut self,
        given: &[TermId],
        known: &FxHashMap<TermId, bool>,
        control: ControlId,
        effect: Option<EffectId>,
    ) -> Result<bool, Unanswered> {
        // Where what is given decides all, there is nothing to ask.
        let mut decided = |checker: &mut Self, condition: TermId| {
            let before = checker.before(effect, condition);
            checker.pool.as_bool(before).or_else(|| known.get(&before).copied())
        };
        if self.home(control, &mut decided).is_some() {
            return Ok(false);
        }
        let mut blocked: Vec<TermId> = Vec::new();
        while let Some(model) = self.oracle.model(self.pool, given, &blocked)? {
            let mut evaluator = Evaluator::new(&*model);
            let mut evaluated = |checker: &mut Self, condition: TermId| {
                let before = checker.before(effect, condition);
                Some(evaluator.eval_bool(checker.pool, before))
            };
            let Some(home) = self.home(control, &mut evaluated) else { return Ok(true) };
            let mut inside = Vec::new();
            for literal in self.literals(home) {
                let before = self.before(effect, literal);
                // What is given need not be shown.
                if known.get(&before) != Some(&true) {
                    inside.push(before);
                }
            }
            let inside = self.pool.and_all(&inside);
            if inside == self.pool.tt() {
                return Ok(false);
            }
            blocked.push(self.pool.not(inside));
        }
        Ok(false)
    }

    fn initial(&mut self) -> Result<Option<String>, Unanswered> {
        for (control, condition) in self.controls.initial(self.pool, self.model)? {
            let given = conjuncts(self.pool, condition);
            if self.escapes(&given, &FxHashMap::default(), control, None)? {
                return Ok(Some("an initial state is not in the invariant".to_owned()));
            }
        }
        Ok(None)
    }

    fn cube(&mut self, cube: usize) -> Result<Option<String>, Unanswered> {
        if cube.is_multiple_of(1024) {
            self.oracle.still_time()?;
        }
        let control = self.control_of[cube];
        let bits = self.cubes[cube].bits.as_ref();
        // What the valuation decides; a cube may turn out to be empty, which only the solver knows.
        let value = |checker: &mut Self, condition: TermId| {
            bits.and_then(|bits| checker.predicates.holds(checker.pool, bits, condition))
        };
        let bad = self.controls.bad(self.pool, self.model, control);
        if value(self, bad) != Some(false) {
            let literals = self.literals(cube);
            let known = known(self.pool, &literals);
            let bad = under(self.pool, &known, bad);
            if bad != self.pool.ff() && self.oracle.is_possible(self.pool, &literals, &[bad])? {
                return Ok(Some(format!("state {} has bad states", cube + 1)));
            }
        }
        for case in self.controls.cases(self.pool, self.model, control).iter() {
            if value(self, case.guard) == Some(false) {
                continue;
            }
            if !self.after.contains_key(&case.effect) {
                let after = self.prepare(case);
                self.after.insert(case.effect, after);
            }
            // The guard need not hold for all states: it only leaves some of them out.
            if bits.is_some_and(|bits| self.is_mapped(bits, case.to, case.effect)) {
                continue;
            }
            let literals = self.literals(cube);
            let known = known(self.pool, &literals);
            let guard = under(self.pool, &known, case.guard);
            if guard == self.pool.ff() {
                continue;
            }
            let mut given = literals;
            given.extend(conjuncts(self.pool, guard));
            if self.escapes(&given, &known, case.to, Some(case.effect))? {
                let name = &self.model.transitions[case.transition].name;
                return Ok(Some(format!("{name} leads from state {} out of the invariant", cube + 1)));
            }
        }
        Ok(None)
    }

    /// What a case does to variables and predicates.
    fn prepare(&mut self, case: &Case) -> After {
        let mut substitution = self.controls.before(self.pool, case.effect, &self.inputs);
        let mut predicates = Vec::with_capacity(self.predicates.len());
        for i in 0..self.predicates.len() {
            let before = substitution.apply(self.pool, self.predicates.atoms()[i]);
            let opposite = self.pool.not(before);
            predicates.push(match (self.pool.as_bool(before), self.predicates.position(before)) {
                (Some(constant), _) => Before::Const(constant),
                (None, Some(j)) => Before::Predicate(j, true),
                (None, None) => match self.predicates.position(opposite) {
                    Some(j) => Before::Predicate(j, false),
                    None => Before::Other,
                },
            });
        }
        After { substitution, predicates }
    }
}

/// `condition` where some conditions are known.
fn under(pool: &mut TermPool, known: &FxHashMap<TermId, bool>, condition: TermId) -> TermId {
    map_atoms(pool, condition, &mut |pool, atom| match known.get(&atom) {
        Some(value) => pool.bool(*value),
        None => atom,
    })
}

/// The conditions that literals decide.
fn known(pool: &mut TermPool, literals: &[TermId]) -> FxHashMap<TermId, bool> {
    let mut known = FxHashMap::default();
    for literal in literals {
        known.insert(*literal, true);
        known.insert(pool.not(*literal), false);
    }
    known
}
