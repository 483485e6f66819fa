//! Decides what needs no solver, and drops what the path already says.
//!
//! A goal conjunct that the facts of the path (see `facts`) make false refutes the
//! query. One that they make true can be left out; if nothing is left, the query is
//! satisfiable, because the path is.
//!
//! Relies on: `path` alone is satisfiable.

use selvedge_term::{Node, TermId, TermPool};

use crate::facts::PathFacts;
use crate::query::{Answer, Query, Solver, Want};
use crate::stats::Stats;

/// The simplifying link.
pub(crate) struct Simplify {
    inner: Box<dyn Solver>,
    facts: PathFacts,
    goal: Vec<TermId>,
    stats: Stats,
}

impl Simplify {
    /// Puts the link before `inner`.
    pub(crate) fn new(inner: Box<dyn Solver>) -> Simplify {
        Simplify { inner, facts: PathFacts::default(), goal: Vec::new(), stats: Stats::default() }
    }

    /// Adds `goal` to the open goals unless the path decides it. `Err` is a refutation.
    fn reduce(&mut self, pool: &mut TermPool, conjunct: TermId, part: TermId) -> Result<(), Vec<TermId>> {
        match self.facts.decide(pool, part) {
            Some(decided) if decided.truth => Ok(()),
            Some(mut decided) => {
                decided.reasons.push(conjunct);
                Err(decided.reasons)
            }
            None => {
                if self.goal.last() != Some(&conjunct) {
                    self.goal.push(conjunct);
                }
                Ok(())
            }
        }
    }
}

impl Solver for Simplify {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        self.facts.follow(pool, query.path);
        self.goal.clear();
        for &conjunct in query.goal {
            let refuted = match *pool.node(conjunct) {
                // The parts are looked at apart, but cores speak of whole conjuncts.
                Node::And(list) => {
                    let parts = pool.list(list).to_vec();
                    parts.into_iter().try_for_each(|part| self.reduce(pool, conjunct, part))
                }
                _ => self.reduce(pool, conjunct, conjunct),
            };
            if let Err(core) = refuted {
                self.stats.simplified += 1;
                return Answer::Unsat(core);
            }
        }
        if self.goal.is_empty() && query.want != Want::Model {
            self.stats.simplified += 1;
            return Answer::Sat(None);
        }
        // A wanted model has to cover the variables of every goal, so that none is left out.
        let goal = if query.want == Want::Model { query.goal } else { &self.goal };
        self.inner.check(pool, &Query { goal, ..*query })
    }

    fn stats(&self) -> Stats {
        let mut stats = self.inner.stats();
        stats += &self.stats;
        stats
    }
}
