//! Counters of the chain. Plain numbers that add up over links and over workers.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

use selvedge_term::TermPool;

use crate::query::{Answer, Query, Solver};

/// What happened in a chain. Each link fills its own fields; [`Stats`] of two links,
/// or of two workers, are joined by `+=`.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Stats {
    /// Queries asked of the whole chain.
    pub queries: u64,
    /// Of these, answered satisfiable.
    pub sat: u64,
    /// Of these, answered unsatisfiable.
    pub unsat: u64,
    /// Of these, left open.
    pub unknown: u64,
    /// Decided by rewriting alone.
    pub simplified: u64,
    /// Conjuncts that independence slicing kept back.
    pub sliced_conjuncts: u64,
    /// Answered by an equal earlier query.
    pub exact_hits: u64,
    /// Answered by an earlier model.
    pub model_hits: u64,
    /// Answered by an earlier core.
    pub core_hits: u64,
    /// Queries the bit-blaster worked on.
    pub bitblast_calls: u64,
    /// Of these, left to the next backend.
    pub bitblast_gave_up: u64,
    /// Times the bit-blaster started afresh because its clauses had grown too many.
    pub bitblast_rebuilds: u64,
    /// Queries Z3 worked on.
    pub z3_calls: u64,
    /// Queries whose answer was checked by a second backend.
    pub validated: u64,
    /// Disagreements found by that.
    pub mismatches: u64,
    /// Queries that could not be logged.
    pub log_failures: u64,
    /// Time inside the whole chain.
    pub time: Duration,
    /// Time inside the bit-blaster.
    pub bitblast_time: Duration,
    /// Time inside Z3.
    pub z3_time: Duration,
}

impl Stats {
    /// Queries answered without a backend.
    pub fn hits(&self) -> u64 {
        self.simplified + self.exact_hits + self.model_hits + self.core_hits
    }
}

impl AddAssign<&Stats> for Stats {
    fn add_assign(&mut self, other: &Stats) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.simplified += other.simplified;
        self.sliced_conjuncts += other.sliced_conjuncts;
        self.exact_hits += other.exact_hits;
        self.model_hits += other.model_hits;
        self.core_hits += other.core_hits;
        self.bitblast_calls += other.bitblast_calls;
        self.bitblast_gave_up += other.bitblast_gave_up;
        self.bitblast_rebuilds += other.bitblast_rebuilds;
        self.z3_calls += other.z3_calls;
        self.validated += other.validated;
        self.mismatches += other.mismatches;
        self.log_failures += other.log_failures;
        self.time += other.time;
        self.bitblast_time += other.bitblast_time;
        self.z3_time += other.z3_time;
    }
}

/// The outermost link: counts queries, verdicts and time of the whole chain.
pub(crate) struct Counted {
    inner: Box<dyn Solver>,
    stats: Stats,
}

impl Counted {
    /// Counts what `inner` answers.
    pub(crate) fn new(inner: Box<dyn Solver>) -> Counted {
        Counted { inner, stats: Stats::default() }
    }
}

impl Solver for Counted {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = Instant::now();
        let answer = self.inner.check(pool, query);
        self.stats.queries += 1;
        let (count, what) = match answer {
            Answer::Sat(_) => (&mut self.stats.sat, "satisfiable"),
            Answer::Unsat(_) => (&mut self.stats.unsat, "unsatisfiable"),
            Answer::Unknown(_) => (&mut self.stats.unknown, "unknown"),
        };
        *count += 1;
        let time = start.elapsed();
        self.stats.time += time;
        tracing::debug!(target: "solver", conjuncts = query.conjuncts().count(), ?time, "{what}");
        answer
    }

    fn stats(&self) -> Stats {
        let mut stats = self.inner.stats();
        stats += &self.stats;
        stats
    }
}
