//! Questions to the solver: implications between literals, models, and all valuations of some conditions.
//!
//! Guarantees: answers are the solver's; an answer it does not give is an [`Unanswered`], never a guess.
//! Implications are asked about the literals that share variables with the goal only, and remembered.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use rustc_hash::FxHashMap;
use selvedge_solver::Want;
use selvedge_term::{Assignment, Evaluator, TermId, TermPool, VarId};

use crate::ask::{Ask, Asked, Domain, Stopped};

/// The solver gave no answer, or time is up.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unanswered(pub String);

type Result<T> = std::result::Result<T, Unanswered>;

impl From<Stopped> for Unanswered {
    fn from(stopped: Stopped) -> Unanswered {
        Unanswered(stopped.to_string())
    }
}

/// A solver with memory.
pub(crate) struct Oracle {
    pub(crate) ask: Ask,
    implied: FxHashMap<(Vec<TermId>, TermId), bool>,
    /// Implications that did not reach the solver, because they were asked before.
    pub(crate) hits: u64,
}

impl Oracle {
    pub(crate) fn new(deadline: Option<Instant>, interrupt: Arc<AtomicBool>) -> Oracle {
        let ask = Ask::new(Domain::Integers, deadline, interrupt);
        Oracle { ask, implied: FxHashMap::default(), hits: 0 }
    }

    /// Fails if time is up or somebody wants to stop.
    pub(crate) fn still_time(&self) -> Result<()> {
        Ok(self.ask.still_time()?)
    }

    /// A model of `⋀path ∧ ⋀goal`.
    pub(crate) fn model(
        &mut self,
        pool: &mut TermPool,
        path: &[TermId],
        goal: &[TermId],
    ) -> Result<Option<Rc<Assignment>>> {
        self.ask(pool, path, goal, Want::Model)
    }

    fn ask(
        &mut self,
        pool: &mut TermPool,
        path: &[TermId],
        goal: &[TermId],
        want: Want,
    ) -> Result<Option<Rc<Assignment>>> {
        match self.ask.under(pool, path, goal, want)? {
            Asked::Model(model) => Ok(Some(model)),
            Asked::Core(_) => Ok(None),
        }
    }

    /// Whether `⋀path` has a model.
    pub(crate) fn is_possible(
        &mut self,
        pool: &mut TermPool,
        path: &[TermId],
        goal: &[TermId],
    ) -> Result<bool> {
        Ok(self.ask(pool, path, goal, Want::Verdict)?.is_some())
    }

    /// Whether `⋀given ⇒ goal`. Precondition: `⋀given` has a model.
    pub(crate) fn implies(&mut self, pool: &mut TermPool, given: &[TermId], goal: TermId) -> Result<bool> {
        if goal == pool.tt() || given.contains(&goal) {
            return Ok(true);
        }
        let relevant = relevant(pool, given, goal);
        if relevant.is_empty() && goal == pool.ff() {
            return Ok(false);
        }
        let key = (relevant, goal);
        if let Some(known) = self.implied.get(&key) {
            self.hits += 1;
            return Ok(*known);
        }
        let not_goal = pool.not(goal);
        let answer = !self.is_possible(pool, &key.0, &[not_goal])?;
        self.implied.insert(key, answer);
        Ok(answer)
    }

    /// All valuations of `conditions` that are possible under `path`, as long as `go_on` says so.
    /// Precondition: `⋀path` has a model.
    pub(crate) fn valuations(
        &mut self,
        pool: &mut TermPool,
        path: &[TermId],
        conditions: &[TermId],
        go_on: &mut dyn FnMut(&[bool]) -> bool,
    ) -> Result<()> {
        if conditions.is_empty() {
            go_on(&[]);
            return Ok(());
        }
        let mut blocked: Vec<TermId> = Vec::new();
        while let Some(model) = self.model(pool, path, &blocked)? {
            let mut evaluator = Evaluator::new(&*model);
            let values: Vec<bool> = conditions.iter().map(|c| evaluator.eval_bool(pool, *c)).collect();
            if !go_on(&values) {
                return Ok(());
            }
            let differs: Vec<TermId> = conditions
                .iter()
                .zip(&values)
                .map(|(c, value)| if *value { pool.not(*c) } else { *c })
                .collect();
            blocked.push(pool.or_all(&differs));
        }
        Ok(())
    }
}

/// Those of `given` that are connected with `goal` by shared variables, sorted.
fn relevant(pool: &mut TermPool, given: &[TermId], goal: TermId) -> Vec<TermId> {
    let mut vars: Vec<VarId> = pool.vars(goal).to_vec();
    let mut open: Vec<TermId> = given.to_vec();
    let mut taken = Vec::new();
    loop {
        let before = taken.len();
        open.retain(|t| {
            let own = pool.vars(*t);
            let touches = own.iter().any(|v| vars.contains(v));
            if touches {
                taken.push(*t);
                vars.extend(own.iter().filter(|v| !vars.contains(v)).copied().collect::<Vec<_>>());
            }
            !touches
        });
        if taken.len() == before {
            break;
        }
    }
    taken.sort_unstable();
    taken
}
