//! Asks a fast backend first and a strong one for what the fast one leaves open.
//!
//! What the fast backend gave up on once is not tried there again: a search asks about the
//! same conjunct many times along a path, and would pay the conflict limit each time.

use rustc_hash::FxHashSet;
use selvedge_term::{TermId, TermPool};

use crate::query::{Answer, Query, Solver, Why};
use crate::stats::Stats;

/// The portfolio of two.
pub(crate) struct Fallback {
    fast: Box<dyn Solver>,
    strong: Box<dyn Solver>,
    /// Conjuncts that the fast backend is not asked about.
    avoid: FxHashSet<TermId>,
}

impl Fallback {
    /// Asks `fast`, then `strong`.
    pub(crate) fn new(fast: Box<dyn Solver>, strong: Box<dyn Solver>) -> Fallback {
        Fallback { fast, strong, avoid: FxHashSet::default() }
    }
}

impl Solver for Fallback {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let avoided =
            !self.avoid.is_empty() && query.conjuncts().any(|conjunct| self.avoid.contains(&conjunct));
        if !avoided {
            match self.fast.check(pool, query) {
                // The conjuncts of the path were decided before; the goal is what was too hard.
                Answer::Unknown(Why::Limit | Why::Unsupported(_)) => self.avoid.extend(query.goal),
                answer => return answer,
            }
        }
        self.strong.check(pool, query)
    }

    fn stats(&self) -> Stats {
        let mut stats = self.fast.stats();
        stats += &self.strong.stats();
        stats
    }
}
