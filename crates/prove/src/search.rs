//! The search for an invariant of a transition system, in two ways by turns: backwards from what is bad ([`crate::pdr`])
//! and forwards from the start ([`crate::forward`]), each time with more questions to the solver.
//!
//! Both begin with what is left of an earlier proof ([`crate::seeds`]), if there is one; the way that found that one goes
//! first.
//!
//! Guarantee: a run that is returned takes steps of the system, whose conditions have a model. That an invariant is one is
//! for the checker to say.

use selvedge_term::{TermId, TermPool};

use crate::ask::{Ask, Stopped};
use crate::forward::Forward;
use crate::needed::keep_needed;
use crate::outcome::{Check, Reason};
use crate::pdr::Backward;
use crate::preimage::Cube;
use crate::seeds::{Left, Lemmas, Seeds};
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
    spoken_of_all(pool, claims.iter().flat_map(|c| &c.cubes).flatten().copied())
}

/// The predicates among conditions: a condition and its negation are one.
pub fn spoken_of_all(pool: &mut TermPool, conditions: impl Iterator<Item = TermId>) -> Vec<TermId> {
    let mut predicates: Vec<TermId> = conditions.map(|atom| atom.min(pool.not(atom))).collect();
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
    let (backward, forward) = (Backward::new(system), Forward::new());
    by_turns(system, ask, (backward, forward), [Check::Pdr, Check::PredicateAbstraction], on_level)
}

/// The same with what is left of an earlier proof, of which `left` says how much that is.
pub fn search_from(
    system: &mut dyn Searchable,
    ask: &mut Ask,
    seeds: &Seeds,
    left: &mut Left,
    on_level: &mut dyn FnMut(usize, usize),
) -> Result<Answer, Stopped> {
    let mut work = Work { system: &mut *system, ask: &mut *ask, given_up: &[] };
    let mut lemmas = Lemmas::of(&mut work, seeds)?;
    *left = lemmas.left;
    if lemmas.suffice(&mut work)? {
        keep_needed(&mut work, &mut lemmas)?;
        return Ok(Answer::Invariant(seeds.how, lemmas.claims(&mut work)));
    }
    let (mut backward, mut forward) = (Backward::new(work.system), Forward::new());
    backward.know(lemmas.excluded(work.system.pool()));
    forward.know(&mut work, seeds);
    let ways = match seeds.how {
        Check::PredicateAbstraction => [Check::PredicateAbstraction, Check::Pdr],
        _ => [Check::Pdr, Check::PredicateAbstraction],
    };
    by_turns(system, ask, (backward, forward), ways, on_level)
}

fn by_turns(
    system: &mut dyn Searchable,
    ask: &mut Ask,
    (mut backward, mut forward): (Backward, Forward),
    ways: [Check; 2],
    on_level: &mut dyn FnMut(usize, usize),
) -> Result<Answer, Stopped> {
    let mut reasons: Vec<Reason> = Vec::new();
    let mut given_up: Vec<BadId> = Vec::new();
    let mut budget = FIRST_BUDGET;
    let mut is_stuck = false;
    loop {
        for check in ways {
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
                    Ok(Found::Stuck) if forward.is_seeded() => forward = Forward::new(),
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
