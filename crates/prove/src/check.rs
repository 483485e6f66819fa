//! The checker: is this an inductive invariant without bad states?
//!
//! Guarantees: `Ok` means that no bad state of the model can be reached, as far as the solver is right. It
//! shares with the search the specialisation of transitions to control states and the solver, and nothing
//! else: no exploration, no exactness, no quantifier elimination.
//! The three conditions, for `Inv` the union of the cubes: `init ⇒ Inv`; `Inv ∧ t ⇒ Inv'` for every
//! transition `t`; `Inv ⇒ ¬bad`.

use rustc_hash::FxHashMap;
use selvedge_term::{Evaluator, Substitution, TermId, TermPool};

use crate::control::{Case, ControlId, Controls, EffectId};
use crate::linear::{conjuncts, map_atoms};
use crate::model::{Model, Update};
use crate::oracle::{Oracle, Unanswered};
use crate::proof::Proof;

/// What the checker says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckResult {
    /// The proof is right.
    Accepted,
    /// It is not: which condition fails, and where.
    Rejected(String),
}

struct Checker<'a> {
    pool: &'a mut TermPool,
    model: &'a Model,
    oracle: &'a mut Oracle,
    controls: Controls,
    inputs: Vec<TermId>,
    predicates: &'a [TermId],
    cubes: Vec<(ControlId, Vec<TermId>)>,
    /// Cubes that are valuations of the predicates.
    by_bits: FxHashMap<(ControlId, Vec<bool>), usize>,
    /// The others.
    by_condition: FxHashMap<ControlId, Vec<usize>>,
    /// By effect: the replacement of variables by their values afterwards.
    after: FxHashMap<EffectId, Substitution>,
}

/// Checks `proof` against `model`.
pub(crate) fn check(
    pool: &mut TermPool,
    model: &Model,
    oracle: &mut Oracle,
    proof: &Proof,
) -> Result<CheckResult, Unanswered> {
    let mut controls = Controls::new(model);
    let mut cubes = Vec::with_capacity(proof.cubes.len());
    let mut by_bits = FxHashMap::default();
    let mut by_condition: FxHashMap<ControlId, Vec<usize>> = FxHashMap::default();
    for (i, cube) in proof.cubes.iter().enumerate() {
        let control = controls.intern(cube.control.clone().into());
        let mut literals = Vec::new();
        for (bit, predicate) in cube.bits.iter().flatten().zip(&proof.predicates) {
            literals.push(if *bit { *predicate } else { pool.not(*predicate) });
        }
        for condition in &cube.conditions {
            literals.extend(conjuncts(pool, *condition));
        }
        match &cube.bits {
            Some(bits) if cube.conditions.is_empty() => {
                by_bits.insert((control, bits.clone()), i);
            }
            _ => by_condition.entry(control).or_default().push(i),
        }
        cubes.push((control, literals));
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
        predicates: &proof.predicates,
        cubes,
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
    /// The cube of `control` that a state is in, where `value` gives the values of conditions after a step.
    fn home(
        &mut self,
        control: ControlId,
        value: &mut dyn FnMut(&mut Self, TermId) -> Option<bool>,
    ) -> Option<usize> {
        let predicates = self.predicates;
        let bits: Option<Vec<bool>> = predicates.iter().map(|p| value(self, *p)).collect();
        if let Some(found) = bits.and_then(|bits| self.by_bits.get(&(control, bits)).copied()) {
            return Some(found);
        }
        let others = self.by_condition.get(&control).cloned().unwrap_or_default();
        others.into_iter().find(|cube| {
            let literals = self.cubes[*cube].1.clone();
            literals.into_iter().all(|l| value(self, l) == Some(true))
        })
    }

    /// A condition after a step, as one before it; without a step, itself.
    fn before(&mut self, effect: Option<EffectId>, condition: TermId) -> TermId {
        match effect.and_then(|effect| self.after.get_mut(&effect)) {
            Some(after) => after.apply(self.pool, condition),
            None => condition,
        }
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
            for literal in self.cubes[home].1.clone() {
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
        for (control, condition) in self.controls.initial(self.pool, self.model) {
            let given = conjuncts(self.pool, condition);
            if self.escapes(&given, &FxHashMap::default(), control, None)? {
                return Ok(Some("an initial state is not in the invariant".to_owned()));
            }
        }
        Ok(None)
    }

    fn cube(&mut self, cube: usize) -> Result<Option<String>, Unanswered> {
        let (control, literals) = self.cubes[cube].clone();
        let mut known: FxHashMap<TermId, bool> = FxHashMap::default();
        for literal in &literals {
            let not = self.pool.not(*literal);
            known.insert(*literal, true);
            known.insert(not, false);
        }
        let bad = self.controls.bad(self.pool, self.model, control);
        let bad = under(self.pool, &known, bad);
        if bad != self.pool.ff() && self.oracle.is_possible(self.pool, &literals, &[bad])? {
            return Ok(Some(format!("state {} has bad states", cube + 1)));
        }
        for case in self.controls.cases(self.pool, self.model, control).iter() {
            let guard = under(self.pool, &known, case.guard);
            if guard == self.pool.ff() {
                continue;
            }
            let mut given = literals.clone();
            given.extend(conjuncts(self.pool, guard));
            if !self.after.contains_key(&case.effect) {
                let after = self.substitution(case);
                self.after.insert(case.effect, after);
            }
            if self.escapes(&given, &known, case.to, Some(case.effect))? {
                let name = &self.model.transitions[case.transition].name;
                return Ok(Some(format!("{name} leads from state {} out of the invariant", cube + 1)));
            }
        }
        Ok(None)
    }

    /// The replacement of variables by their values after a case.
    fn substitution(&mut self, case: &Case) -> Substitution {
        let mut after = Substitution::new();
        for (at, update) in &self.controls.effect(case.effect).updates {
            let var = self.pool.var_id(self.controls.data_terms[*at]).expect("a variable's term");
            let value = match update {
                Update::Term(term) => *term,
                Update::Any => self.inputs[*at],
            };
            after.insert(var, value);
        }
        after
    }
}

/// `condition` where some conditions are known.
fn under(pool: &mut TermPool, known: &FxHashMap<TermId, bool>, condition: TermId) -> TermId {
    map_atoms(pool, condition, &mut |pool, atom| match known.get(&atom) {
        Some(value) => pool.bool(*value),
        None => atom,
    })
}
