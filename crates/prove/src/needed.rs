//! Which lemmas a proof needs.
//!
//! What is left of an earlier proof says more than it must: new control states are given all that their neighbours say. If
//! all of it were kept, proofs would grow with every edit. Needed is what excludes bad steps, and what is needed before a
//! step for that which is needed after it; the solver's unsatisfiable cores name it.
//!
//! Guarantee: what is needed is inductive and excludes what is bad, if all lemmas together do.

use selvedge_solver::Want;
use selvedge_term::TermId;

use crate::ask::{Asked, Stopped};
use crate::preimage::conjuncts;
use crate::search::Work;
use crate::seeds::Lemmas;
use crate::transitions::StepId;

/// Lemmas by control state and position.
struct Needed {
    is: Vec<Vec<bool>>,
    open: Vec<(usize, usize)>,
}

impl Needed {
    /// Notes those lemmas of a control state that one of these conditions is a part of.
    fn note(&mut self, work: &mut Work<'_>, lemmas: &Lemmas, control: usize, conditions: &[TermId]) {
        for at in 0..self.is[control].len() {
            let parts = conjuncts(work.system.pool(), &[lemmas.condition(control, at)]);
            let is_meant = parts.iter().any(|part| conditions.contains(part));
            if is_meant && !std::mem::replace(&mut self.is[control][at], true) {
                self.open.push((control, at));
            }
        }
    }
}

/// Drops what is not needed. Precondition: all together are inductive, and exclude what is bad.
pub(crate) fn keep_needed(work: &mut Work<'_>, lemmas: &mut Lemmas) -> Result<(), Stopped> {
    let n = work.system.n_controls();
    let is = (0..n).map(|control| vec![false; lemmas.count(control)]).collect();
    let mut needed = Needed { is, open: Vec::new() };
    let mut into: Vec<Vec<StepId>> = vec![Vec::new(); n];
    for control in 0..n {
        for i in 0..work.system.n_steps(control) {
            into[work.system.target((control, i))].push((control, i));
        }
        for i in 0..work.system.n_bad(control) {
            let bad = work.system.bad_guards((control, i)).to_vec();
            let blamed = blamed(work, lemmas, control, &bad)?;
            needed.note(work, lemmas, control, &blamed);
        }
    }
    while let Some((control, at)) = needed.open.pop() {
        work.ask.still_time()?;
        for step in &into[control] {
            let mut goal = work.system.guards(*step).to_vec();
            let image = lemmas.preimage(work, *step, lemmas.condition(control, at));
            let pool = work.system.pool();
            let image = image.unwrap_or(pool.ff());
            let known: Vec<TermId> = goal.iter().copied().chain(lemmas.parts(pool, step.0)).collect();
            let parts = conjuncts(pool, &[image]);
            let blamed = match parts.iter().all(|part| known.contains(part)) {
                true => parts.into_iter().filter(|part| !goal.contains(part)).collect(),
                false => {
                    goal.push(pool.not(image));
                    blamed(work, lemmas, step.0, &goal)?
                }
            };
            needed.note(work, lemmas, step.0, &blamed);
        }
    }
    lemmas.keep(&needed.is);
    Ok(())
}

/// Which parts of the lemmas of a control state contradict `goal`.
fn blamed(
    work: &mut Work<'_>,
    lemmas: &Lemmas,
    control: usize,
    goal: &[TermId],
) -> Result<Vec<TermId>, Stopped> {
    let mut all = lemmas.parts(work.system.pool(), control);
    all.extend_from_slice(goal);
    match work.ask.ask(work.system.pool(), &all, Want::Core)? {
        Asked::Core(core) => Ok(core),
        Asked::Model(_) => Err(Stopped::Limit("the solver contradicts itself".to_string())),
    }
}
