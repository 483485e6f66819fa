//! The checker: is this an inductive invariant without bad states?
//!
//! Guarantees: `Accepted` means that no bad step can be taken in any run, as far as the solver is right. It knows no
//! search: of a system it takes the steps from each control state that the proof speaks of or that it comes to, and of
//! `selvedge-prove` the value of a condition under a valuation; no exploration, no exactness, no quantifier elimination.
//! The three conditions, for `Inv` what is claimed: every step from the start leads into `Inv`; `Inv ∧ t ⇒ Inv'` for every
//! step `t`; `Inv` excludes bad steps.
//! Most of this needs no solver where a case is a valuation of the proof's predicates, and each predicate after the step
//! is a predicate before it: then the case that the step leads to is looked up.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_solver::Want;
use selvedge_term::{Evaluator, TermId, TermPool};

use crate::ask::{Ask, Asked, Stopped};
use crate::linear::{conjuncts, map_atoms};
use crate::predicates::{Bits, Predicates};
use crate::preimage::Cube;
use crate::transitions::{BadId, StepId, TransitionSystem};

/// What the checker says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckResult {
    /// The proof is right.
    Accepted,
    /// It is not: which condition fails, and where.
    Rejected(String),
}

/// What a proof claims of a control state: its states are in one of the cases.
#[derive(Clone, Debug, Default)]
pub struct Claim {
    /// Cases that are valuations of the proof's predicates.
    pub(crate) valuations: Vec<Bits>,
    /// The same, to look them up.
    pub(crate) known: FxHashSet<Bits>,
    /// Cases that are conjunctions.
    pub(crate) cubes: Vec<Cube>,
}

impl Claim {
    /// The states of these conjunctions.
    pub fn of(cubes: Vec<Cube>) -> Claim {
        Claim { cubes, ..Claim::default() }
    }
}

/// A transition system with what a proof claims of it. Control states are met on the way, in a way that depends on the
/// proof and the program only; what the proof does not foresee is a bad step.
pub trait Checkable: TransitionSystem {
    /// Predicates that valuations are about.
    fn predicates(&self) -> &[TermId];

    /// What is claimed of a control state; of the start, nothing.
    fn claim(&self, control: usize) -> Rc<Claim>;

    /// Finds the steps from a control state, and the control states that they lead to.
    fn leave(&mut self, ask: &mut Ask, control: usize) -> Result<(), Stopped>;

    /// A number that steps share which do the same to variables.
    fn effect(&self, step: StepId) -> usize;

    /// That a step leads from a case to states that are in none.
    fn leads_out(&self, step: StepId, case: usize) -> String;

    /// That a bad step is possible in a case.
    fn is_bad(&self, bad: BadId, case: usize) -> String;
}

/// A predicate after a step, as a condition before it.
#[derive(Clone, Copy)]
enum Before {
    Const(bool),
    /// The value of a predicate, or the opposite.
    Predicate(usize, bool),
    Other,
}

/// A case of the control state that is looked at.
struct Case<'a> {
    number: usize,
    bits: Option<&'a Bits>,
    /// Of a case that is no valuation.
    cube: &'a [TermId],
    /// Its conditions and what they decide, once they are needed.
    described: Option<Described>,
}

struct Described {
    literals: Vec<TermId>,
    known: FxHashMap<TermId, bool>,
}

struct Checker<'a> {
    system: &'a mut dyn Checkable,
    ask: &'a mut Ask,
    predicates: Predicates,
    /// By effect: the predicates after it.
    after: FxHashMap<usize, Rc<[Before]>>,
}

/// Whether a proof is right, or which condition fails.
type Verdict = Result<Option<String>, Stopped>;

/// Checks what is claimed of `system`.
pub fn check(system: &mut dyn Checkable, ask: &mut Ask) -> Result<CheckResult, Stopped> {
    let predicates = Predicates::of(system.predicates());
    let mut checker = Checker { system, ask, predicates, after: FxHashMap::default() };
    let mut control = 0;
    while control < checker.system.n_controls() {
        if let Some(why) = checker.control(control)? {
            return Ok(CheckResult::Rejected(why));
        }
        control += 1;
    }
    Ok(CheckResult::Accepted)
}

impl Checker<'_> {
    fn control(&mut self, control: usize) -> Verdict {
        self.ask.still_time()?;
        let claim = self.system.claim(control);
        let n_cases = claim.valuations.len() + claim.cubes.len();
        if n_cases == 0 && control != 0 {
            return Ok(None);
        }
        self.system.leave(self.ask, control)?;
        if control == 0 {
            return self.case(control, Case { number: 0, bits: None, cube: &[], described: None });
        }
        for number in 0..n_cases {
            let bits = claim.valuations.get(number);
            let cube = number.checked_sub(claim.valuations.len()).map_or(&[][..], |i| &claim.cubes[i]);
            let case = Case { number, bits, cube, described: None };
            if let Some(why) = self.case(control, case)? {
                return Ok(Some(why));
            }
        }
        Ok(None)
    }

    /// The conditions of a case. Most are never asked for.
    fn described<'c>(&mut self, case: &'c mut Case<'_>) -> &'c Described {
        case.described.get_or_insert_with(|| {
            let pool = self.system.pool();
            let literals = match case.bits {
                Some(bits) => self.predicates.literals(pool, bits),
                None => flat(pool, case.cube),
            };
            let mut known = FxHashMap::default();
            for literal in &literals {
                known.insert(*literal, true);
                known.insert(pool.not(*literal), false);
            }
            Described { literals, known }
        })
    }

    /// What the valuation decides; a case may turn out to be empty, which only the solver knows.
    fn is_excluded(&mut self, case: &Case<'_>, guards: &[TermId]) -> bool {
        let Some(bits) = case.bits else { return false };
        guards.iter().any(|guard| self.predicates.holds(self.system.pool(), bits, *guard) == Some(false))
    }

    fn case(&mut self, control: usize, mut case: Case<'_>) -> Verdict {
        for i in 0..self.system.n_bad(control) {
            let guards = self.system.bad_guards((control, i)).to_vec();
            if self.is_excluded(&case, &guards) {
                continue;
            }
            if let Some(goal) = self.given(&mut case, &guards)
                && self.ask.is_possible(self.system.pool(), &goal)?
            {
                return Ok(Some(self.system.is_bad((control, i), case.number)));
            }
        }
        for i in 0..self.system.n_steps(control) {
            let step = (control, i);
            let guards = self.system.guards(step).to_vec();
            if self.is_excluded(&case, &guards) {
                continue;
            }
            let claim = self.system.claim(self.system.target(step));
            // The guards need not hold for all states: they only leave some of them out.
            if let Some(bits) = case.bits
                && self.is_mapped(step, bits, &claim)
            {
                continue;
            }
            let Some(given) = self.given(&mut case, &guards) else { continue };
            let known = &self.described(&mut case).known;
            if self.escapes(&given, known, step, &claim)? {
                return Ok(Some(self.system.leads_out(step, case.number)));
            }
        }
        Ok(None)
    }

    /// The case with these guards, if they do not contradict each other at once.
    fn given(&mut self, case: &mut Case<'_>, guards: &[TermId]) -> Option<Vec<TermId>> {
        let Described { literals, known } = self.described(case);
        let pool = self.system.pool();
        let mut given = literals.clone();
        for guard in guards {
            let guard = map_atoms(pool, *guard, &mut |pool, atom| match known.get(&atom) {
                Some(value) => pool.bool(*value),
                None => atom,
            });
            given.extend(conjuncts(pool, guard));
        }
        (!given.contains(&pool.ff())).then_some(given)
    }

    /// Whether all states of a valuation are, after a step, in one valuation that is claimed there.
    fn is_mapped(&mut self, step: StepId, bits: &Bits, claim: &Claim) -> bool {
        let effect = self.system.effect(step);
        if !self.after.contains_key(&effect) {
            let after = self.predicates_after(step);
            self.after.insert(effect, after);
        }
        let mut next = Bits::new(self.predicates.len());
        for (i, before) in self.after[&effect].iter().enumerate() {
            match *before {
                Before::Const(value) => next.set(i, value),
                Before::Predicate(j, same) => next.set(i, bits.get(j) == same),
                Before::Other => return false,
            }
        }
        claim.known.contains(&next)
    }

    fn predicates_after(&mut self, step: StepId) -> Rc<[Before]> {
        let mut predicates = Vec::with_capacity(self.predicates.len());
        for i in 0..self.predicates.len() {
            let before = self.system.before(step, self.predicates.atoms()[i]);
            let Some(before) = before else {
                predicates.push(Before::Other);
                continue;
            };
            let pool = self.system.pool();
            let opposite = pool.not(before);
            predicates.push(match (pool.as_bool(before), self.predicates.position(before)) {
                (Some(constant), _) => Before::Const(constant),
                (None, Some(j)) => Before::Predicate(j, true),
                (None, None) => match self.predicates.position(opposite) {
                    Some(j) => Before::Predicate(j, false),
                    None => Before::Other,
                },
            });
        }
        predicates.into()
    }

    /// Whether a state of `given` leads out of all cases of `claim`. `known` are conditions that `given` decides.
    fn escapes(
        &mut self,
        given: &[TermId],
        known: &FxHashMap<TermId, bool>,
        step: StepId,
        claim: &Claim,
    ) -> Result<bool, Stopped> {
        // Conditions after the step, as conditions before it; without such a place they do not hold.
        let mut images: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut before = |checker: &mut Self, condition: TermId| {
            *images.entry(condition).or_insert_with(|| {
                checker.system.before(step, condition).unwrap_or_else(|| checker.system.pool().ff())
            })
        };
        // Where what is given decides all, there is nothing to ask.
        let mut decided = |checker: &mut Self, condition: TermId| {
            let before = before(checker, condition);
            checker.system.pool().as_bool(before).or_else(|| known.get(&before).copied())
        };
        if self.home(claim, &mut decided).is_some() {
            return Ok(false);
        }
        let mut goal = given.to_vec();
        if let ([], [only]) = (&claim.valuations[..], &claim.cubes[..]) {
            let mut inside = Vec::new();
            for condition in flat(self.system.pool(), only) {
                let before = before(self, condition);
                // What is given need not be shown.
                if known.get(&before) != Some(&true) && !given.contains(&before) {
                    let pool = self.system.pool();
                    inside.push(map_atoms(pool, before, &mut |pool, atom| match known.get(&atom) {
                        Some(value) => pool.bool(*value),
                        None => atom,
                    }));
                }
            }
            let pool = self.system.pool();
            let inside = pool.and_all(&inside);
            goal.push(pool.not(inside));
            return self.ask.is_possible(pool, &goal);
        }
        while let Asked::Model(model) =
            self.ask.under(self.system.pool(), &goal[..given.len()], &goal[given.len()..], Want::Model)?
        {
            let mut evaluator = Evaluator::new(&*model);
            let mut evaluated = |checker: &mut Self, condition: TermId| {
                let before = before(checker, condition);
                Some(evaluator.eval_bool(checker.system.pool(), before))
            };
            let Some(home) = self.home(claim, &mut evaluated) else { return Ok(true) };
            let mut inside = Vec::new();
            for literal in home {
                let before = before(self, literal);
                // What is given need not be shown.
                if known.get(&before) != Some(&true) {
                    inside.push(before);
                }
            }
            let pool = self.system.pool();
            let inside = pool.and_all(&inside);
            if inside == pool.tt() {
                return Ok(false);
            }
            goal.push(pool.not(inside));
        }
        Ok(false)
    }

    /// The conditions of the case that a state is in, where `value` gives the values of conditions after a step.
    fn home(
        &mut self,
        claim: &Claim,
        value: &mut dyn FnMut(&mut Self, TermId) -> Option<bool>,
    ) -> Option<Vec<TermId>> {
        let n = self.predicates.len();
        if !claim.known.is_empty() {
            let mut bits = Bits::new(n);
            let is_decided = (0..n).all(|i| match value(self, self.predicates.atoms()[i]) {
                Some(holds) => {
                    bits.set(i, holds);
                    true
                }
                None => false,
            });
            if is_decided && claim.known.contains(&bits) {
                return Some(self.predicates.literals(self.system.pool(), &bits));
            }
        }
        for cube in &claim.cubes {
            let literals = flat(self.system.pool(), cube);
            if literals.iter().all(|literal| value(self, *literal) == Some(true)) {
                return Some(literals);
            }
        }
        None
    }
}

/// The conditions of a conjunction, each by itself.
fn flat(pool: &TermPool, cube: &[TermId]) -> Vec<TermId> {
    cube.iter().flat_map(|condition| conjuncts(pool, *condition)).collect()
}
