//! The search for an invariant of a transition system, in two ways by turns: backwards from what is bad ([`crate::pdr`])
//! and forwards from the start ([`crate::forward`]), each time with more questions to the solver.
//!
//! Guarantee: a run that is returned takes steps of the system, whose conditions have a model. That an invariant is one is
//! for the checker to say.

use selvedge_term::{TermId, TermPool};

use crate::ask::{Ask, Stopped};
use crate::forward::Forward;
use crate::outcome::{Check, Reason};
use crate::pdr::Backward;
use crate::preimage::Cube;
use crate::transitions::{BadId, Searchable, StepId};

/// Questions of the first turn of each way to look for an invariant.
const FIRST_BUDGET: u64 = 20_000;

/// What the two ways work on.
pub(crate) struct Work<'a> {
    pub(crate) system: &'a mut dyn Searchable,
    pub(crate) ask: &'a mut Ask,
    /// Bad steps that are known to be possible and no longer looked at.
    pub(crate) given_up: &'a [BadId],
}

/// What one way has found.
pub(crate) enum Found {
    /// An inductive invariant: a claim for each control state.
    Invariant(Vec<Claimed>),
    /// Steps from the start to a bad step.
    Run(Vec<StepId>, BadId),
    /// Nothing yet, but more is known than before.
    Refined,
    /// Nothing, and nothing more will be.
    Stuck,
}

/// What is claimed of a control state.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// Conjunctions of predicates.
    pub cubes: Vec<Cube>,
    /// Whether its states are in one of the cubes; else they are in none.
    pub is_union: bool,
}

impl Claimed {
    /// The claim as conjunctions of which one holds; none if there are no such states.
    pub fn cases(&self, pool: &mut TermPool) -> Vec<Cube> {
        if self.is_union {
            return self.cubes.clone();
        }
        if self.cubes.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        let not_in = |cube: &Cube| {
            let all = pool.and_all(cube);
            pool.not(all)
        };
        vec![self.cubes.iter().map(not_in).collect()]
    }
}

/// The predicates that claims are made of.
pub fn spoken_of(pool: &mut TermPool, claims: &[Claimed]) -> Vec<TermId> {
    let mut predicates: Vec<TermId> = Vec::new();
    for atom in claims.iter().flat_map(|c| &c.cubes).flatten() {
        // A condition and its negation are one predicate.
        let negated = pool.not(*atom);
        predicates.push((*atom).min(negated));
    }
    predicates.sort_unstable();
    predicates.dedup();
    predicates
}

/// What a search has come to.
pub enum Answer {
    /// An invariant, and what found it.
    Invariant(Check, Vec<Claimed>),
    /// A way to a bad step.
    Run(Vec<StepId>, BadId),
    /// Nothing is known.
    Unknown(Vec<Reason>),
}

/// Looks for an invariant of `system`; `on_level` is told about each level of the search backwards and the number of
/// blocked cubes.
pub fn search(
    system: &mut dyn Searchable,
    ask: &mut Ask,
    on_level: &mut dyn FnMut(usize, usize),
) -> Result<Answer, Stopped> {
    let mut reasons: Vec<Reason> = Vec::new();
    let mut given_up: Vec<BadId> = Vec::new();
    let mut backward = Backward::new(system);
    let mut forward = Forward::new();
    let mut budget = FIRST_BUDGET;
    let mut is_stuck = false;
    loop {
        for check in [Check::Pdr, Check::PredicateAbstraction] {
            ask.pause_at = ask.queries + budget;
            loop {
                let mut work = Work { system: &mut *system, ask: &mut *ask, given_up: &given_up };
                let found = match check {
                    Check::Pdr => backward.run(&mut work, on_level),
                    _ if is_stuck => break,
                    _ => forward.round(&mut work),
                };
                match found {
                    Ok(Found::Invariant(holds)) if reasons.is_empty() => {
                        return Ok(Answer::Invariant(check, holds));
                    }
                    Ok(Found::Invariant(_)) => return Ok(Answer::Unknown(reasons)),
                    Ok(Found::Refined) => {}
                    Ok(Found::Stuck) => is_stuck = true,
                    Ok(Found::Run(steps, bad)) => {
                        // What follows an obstacle is not known, but elsewhere the program may still be wrong.
                        let Some(reason) = system.obstacle(bad) else { return Ok(Answer::Run(steps, bad)) };
                        if !reasons.contains(&reason) {
                            reasons.push(reason);
                        }
                        given_up.push(bad);
                    }
                    Err(Stopped::Paused) => break,
                    Err(Stopped::Limit(what)) if !reasons.is_empty() => {
                        reasons.push(Reason { at: None, what });
                        return Ok(Answer::Unknown(reasons));
                    }
                    Err(stopped) => return Err(stopped),
                }
            }
        }
        budget *= 2;
    }
}
