//! What is left of an earlier proof, of a system that was a bit different.
//!
//! What the proof says of a control state that is still there is a candidate for a lemma; a control state that is new gets
//! those of its neighbours, as far as it has what they speak of, and that it is never reached. A candidate that a step
//! contradicts, from states that fulfil what is left at its source, is dropped, until no step contradicts what is left:
//! then all of it holds together, whatever was wrong with the earlier proof. Often it excludes what is bad, and there is
//! nothing to search for; if not, the searches begin with it.
//!
//! Paper: Flanagan and Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001.
//! Guarantee: every lemma that is left holds in all executions. Relies on: exact steps.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use selvedge_solver::Want;
use selvedge_term::{Evaluator, TermId, TermPool};

use crate::ask::{Asked, Stopped};
use crate::outcome::Check;
use crate::preimage::{Cube, conjuncts};
use crate::search::{Claimed, Work};
use crate::transitions::StepId;

/// The most candidates that a new control state gets from others.
const MAX_BORROWED: usize = 200;

/// What an earlier proof says.
#[derive(Clone, Debug)]
pub struct Seeds {
    /// How that proof was found.
    pub how: Check,
    /// For each control state the cases that it may be in, or `None` where the proof says nothing.
    pub cases: Vec<Option<Vec<Cube>>>,
}

/// A condition that holds whenever a control state is reached.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Lemma {
    holds: TermId,
    /// The cases of which one holds, if there are several.
    cases: Option<Vec<Cube>>,
}

/// Lemmas by control state.
pub(crate) struct Lemmas {
    of: Vec<Vec<Lemma>>,
    preimages: FxHashMap<(StepId, TermId), Option<TermId>>,
    /// Candidates for control states that the earlier proof speaks of, and how many of these are left.
    pub(crate) left: Left,
}

/// What has become of what an earlier proof says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Left {
    /// Conditions that an earlier proof had for control states that are still there.
    pub of: usize,
    /// Those that still hold.
    pub holds: usize,
}

impl Seeds {
    /// The predicates that it is made of.
    pub(crate) fn predicates(&self, pool: &mut TermPool) -> Vec<TermId> {
        let mut predicates = Vec::new();
        for condition in self.cases.iter().flatten().flatten().flatten() {
            let negated = pool.not(*condition);
            predicates.extend(conjuncts(pool, &[negated]));
        }
        predicates.sort_unstable();
        predicates.dedup();
        predicates
    }
}

impl Lemmas {
    /// The lemmas that are left of `seeds`.
    pub(crate) fn of(work: &mut Work<'_>, seeds: &Seeds) -> Result<Lemmas, Stopped> {
        let n = work.system.n_controls();
        let mut lemmas =
            Lemmas { of: vec![Vec::new(); n], preimages: FxHashMap::default(), left: Left::default() };
        let known = |control: usize| seeds.cases.get(control).and_then(Option::as_ref);
        for control in 1..n {
            if let Some(cases) = known(control) {
                lemmas.of[control] = candidates(work, control, cases);
            }
        }
        // The start has no variables.
        let is_new: Vec<bool> = (0..n).map(|control| control > 0 && known(control).is_none()).collect();
        lemmas.left.of = lemmas.of.iter().map(Vec::len).sum();
        lemmas.borrow(work, &is_new);
        lemmas.settle(work)?;
        let known = lemmas.of.iter().zip(&is_new).filter(|(_, is_new)| !**is_new);
        lemmas.left.holds = known.map(|(of, _)| of.len()).sum();
        Ok(lemmas)
    }

    /// Gives new control states candidates: what is said of the known ones that lead to them, and what must hold before a
    /// step for that which is said after it. Both go on from new ones to new ones, by the shortest ways.
    fn borrow(&mut self, work: &mut Work<'_>, is_new: &[bool]) {
        let n = is_new.len();
        let steps: Vec<(StepId, usize)> = (0..n)
            .flat_map(|control| (0..work.system.n_steps(control)).map(move |i| (control, i)))
            .map(|step| (step, work.system.target(step)))
            .collect();
        let said = self.of.clone();
        for is_forward in [true, false] {
            let mut from = vec![Vec::new(); n];
            for (step, to) in &steps {
                let (near, far) = if is_forward { (step.0, *to) } else { (*to, step.0) };
                from[near].push((*step, far));
            }
            let mut said = said.clone();
            let mut far: Vec<Option<usize>> = is_new.iter().map(|is_new| (!is_new).then_some(0)).collect();
            let mut open: VecDeque<usize> = (0..n).filter(|control| !is_new[*control]).collect();
            while let Some(control) = open.pop_front() {
                let next = far[control].map(|distance| distance + 1);
                for &(step, other) in &from[control] {
                    if far[other].is_none() {
                        far[other] = next;
                        open.push_back(other);
                    }
                    if far[other] != next {
                        continue;
                    }
                    for lemma in said[control].clone() {
                        let lemma = match is_forward {
                            true => lemma.at(work, other),
                            false => self.before(work, step, &lemma),
                        };
                        let room = said[other].len() < MAX_BORROWED;
                        if let Some(lemma) = lemma.filter(|lemma| room && !said[other].contains(lemma)) {
                            said[other].push(lemma);
                        }
                    }
                }
            }
            for control in (1..n).filter(|control| is_new[*control]) {
                for lemma in std::mem::take(&mut said[control]) {
                    if !self.of[control].contains(&lemma) {
                        self.of[control].push(lemma);
                    }
                }
            }
        }
        for control in (1..n).filter(|control| is_new[*control]) {
            let never = Lemma { holds: work.system.pool().ff(), cases: None };
            self.of[control].push(never);
        }
    }

    /// What must hold before a step so that a lemma holds after it, unless that is about inputs.
    fn before(&mut self, work: &mut Work<'_>, step: StepId, lemma: &Lemma) -> Option<Lemma> {
        let image = self.preimage(work, step, lemma.holds)?;
        let mut parts = vec![image];
        for guard in work.system.guards(step).to_vec() {
            parts.push(work.system.pool().not(guard));
        }
        let holds = work.system.pool().or_all(&parts);
        let vars = work.system.pool().vars(holds);
        let is_about_states = vars.iter().all(|var| work.system.is_state(*var));
        (is_about_states && holds != work.system.pool().tt()).then_some(Lemma { holds, cases: None })
    }

    /// Drops candidates until no step contradicts what is left.
    fn settle(&mut self, work: &mut Work<'_>) -> Result<(), Stopped> {
        let n = work.system.n_controls();
        let mut open: VecDeque<usize> = (0..n).collect();
        let mut is_open = vec![true; n];
        while let Some(control) = open.pop_front() {
            is_open[control] = false;
            work.ask.still_time()?;
            let Some(given) = self.given(work, control) else { continue };
            for i in 0..work.system.n_steps(control) {
                let to = work.system.target((control, i));
                let is_less = self.drop_contradicted(work, &given, (control, i))?;
                if is_less && !std::mem::replace(&mut is_open[to], true) {
                    open.push_back(to);
                }
            }
        }
        Ok(())
    }

    /// What is left at a control state; `None` if it is never reached.
    fn given(&self, work: &mut Work<'_>, control: usize) -> Option<Vec<TermId>> {
        let given = self.parts(work.system.pool(), control);
        (!given.contains(&work.system.pool().ff())).then_some(given)
    }

    /// Drops what need not hold after a step; whether there was something.
    fn drop_contradicted(
        &mut self,
        work: &mut Work<'_>,
        given: &[TermId],
        step: StepId,
    ) -> Result<bool, Stopped> {
        let to = work.system.target(step);
        let mut goal = given.to_vec();
        goal.extend_from_slice(work.system.guards(step));
        let mut is_less = false;
        loop {
            // By the position of a lemma: what it is before the step, if that does not follow at once.
            let mut before = Vec::new();
            for at in 0..self.of[to].len() {
                let image = self.preimage(work, step, self.of[to][at].holds);
                let pool = work.system.pool();
                let image = image.unwrap_or(pool.ff());
                if !conjuncts(pool, &[image]).iter().all(|part| goal.contains(part)) {
                    before.push((at, image));
                }
            }
            if before.is_empty() {
                return Ok(is_less);
            }
            let pool = work.system.pool();
            let wrong: Vec<TermId> = before.iter().map(|(_, image)| pool.not(*image)).collect();
            goal.push(pool.or_all(&wrong));
            let asked = work.ask.ask(work.system.pool(), &goal, Want::Model)?;
            goal.pop();
            let Asked::Model(model) = asked else { return Ok(is_less) };
            let mut evaluator = Evaluator::new(&*model);
            let pool = work.system.pool();
            let mut contradicted: Vec<usize> = before
                .iter()
                .filter(|(_, image)| !evaluator.eval_bool(pool, *image))
                .map(|(at, _)| *at)
                .collect();
            if contradicted.is_empty() {
                contradicted = before.iter().map(|(at, _)| *at).collect();
            }
            for at in contradicted.into_iter().rev() {
                self.of[to].remove(at);
            }
            is_less = true;
        }
    }

    pub(crate) fn preimage(
        &mut self,
        work: &mut Work<'_>,
        step: StepId,
        condition: TermId,
    ) -> Option<TermId> {
        *self.preimages.entry((step, condition)).or_insert_with(|| work.system.before(step, condition))
    }

    /// Whether what is left excludes every bad step.
    pub(crate) fn suffice(&self, work: &mut Work<'_>) -> Result<bool, Stopped> {
        for control in 0..work.system.n_controls() {
            let n_bad = work.system.n_bad(control);
            let Some(given) = (if n_bad > 0 { self.given(work, control) } else { None }) else { continue };
            for i in 0..n_bad {
                let mut goal = given.clone();
                goal.extend_from_slice(work.system.bad_guards((control, i)));
                if work.ask.is_possible(work.system.pool(), &goal)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// How many there are of a control state.
    pub(crate) fn count(&self, control: usize) -> usize {
        self.of[control].len()
    }

    /// One of a control state.
    pub(crate) fn condition(&self, control: usize, at: usize) -> TermId {
        self.of[control][at].holds
    }

    /// All of a control state, in parts.
    pub(crate) fn parts(&self, pool: &TermPool, control: usize) -> Vec<TermId> {
        let all: Vec<TermId> = self.of[control].iter().map(|lemma| lemma.holds).collect();
        conjuncts(pool, &all)
    }

    /// Drops those that are not to be kept.
    pub(crate) fn keep(&mut self, is_kept: &[Vec<bool>]) {
        for (of, is_kept) in self.of.iter_mut().zip(is_kept) {
            let mut is_kept = is_kept.iter();
            of.retain(|_| is_kept.next() == Some(&true));
        }
    }

    /// What is left as claims.
    pub(crate) fn claims(&self, work: &mut Work<'_>) -> Vec<Claimed> {
        let pool = work.system.pool();
        let claim = |of: &Vec<Lemma>| match &of[..] {
            [Lemma { cases: Some(cases), .. }] => Claimed { cubes: cases.clone(), is_union: true },
            of => {
                let excluded = of.iter().map(|lemma| excluded(pool, lemma));
                Claimed { cubes: excluded.collect(), is_union: false }
            }
        };
        self.of.iter().map(claim).collect()
    }

    /// The cubes that are never reached, by control state.
    pub(crate) fn excluded(&self, pool: &mut TermPool) -> Vec<Vec<Cube>> {
        let cubes = |of: &Vec<Lemma>| of.iter().map(|lemma| excluded(pool, lemma)).collect();
        self.of.iter().map(cubes).collect()
    }
}

fn excluded(pool: &mut TermPool, lemma: &Lemma) -> Cube {
    let never = pool.not(lemma.holds);
    conjuncts(pool, &[never])
}

/// What an earlier proof says of a control state, as far as it has the places.
fn candidates(work: &mut Work<'_>, control: usize, cases: &[Cube]) -> Vec<Lemma> {
    let mut lemmas: Vec<Lemma> = Vec::new();
    let mut add = |work: &mut Work<'_>, lemma: Lemma| {
        let Some(lemma) = lemma.at(work, control) else { return };
        if lemma.holds != work.system.pool().tt() && !lemmas.contains(&lemma) {
            lemmas.push(lemma);
        }
    };
    match cases {
        [single] => single.iter().for_each(|holds| add(work, Lemma { holds: *holds, cases: None })),
        several => {
            let pool = work.system.pool();
            let each: Vec<TermId> = several.iter().map(|case| pool.and_all(case)).collect();
            let holds = pool.or_all(&each);
            add(work, Lemma { holds, cases: Some(several.to_vec()) });
        }
    }
    lemmas
}

impl Lemma {
    /// The same at another control state, if that has what it speaks of.
    fn at(&self, work: &mut Work<'_>, control: usize) -> Option<Lemma> {
        let holds = work.system.here(control, self.holds)?;
        // Where something is known, the cases are others.
        let cases = self.cases.clone().filter(|_| holds == self.holds);
        Some(Lemma { holds, cases })
    }
}
