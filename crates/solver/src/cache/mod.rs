//! Remembers answers, models and cores.
//!
//! A query is answered without a backend if
//! - the same set of conjuncts was asked before ([`Exact`]),
//! - a recent model satisfies it, found by evaluation (`models`), or
//! - it contains a known unsatisfiable core (`cores`).
//!
//! Guarantee: each of these is a proof; the cache never guesses. Hits and misses depend on
//! the sequence of queries only, not on time or memory addresses.

mod cores;
mod models;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_term::{Assignment, Constant, TermId, TermPool};

use self::cores::Cores;
use self::models::Models;
use crate::query::{Answer, Query, Solver, Want};
use crate::stats::Stats;

/// The remembering link.
pub(crate) struct Cache {
    inner: Box<dyn Solver>,
    exact: Exact,
    models: Models,
    cores: Cores,
    stats: Stats,
}

impl Cache {
    /// Puts the link before `inner`.
    pub(crate) fn new(inner: Box<dyn Solver>) -> Cache {
        Cache {
            inner,
            exact: Exact::default(),
            models: Models::default(),
            cores: Cores::default(),
            stats: Stats::default(),
        }
    }
}

/// The values that `model` gives to the variables of `query`. It may have values for others, too,
/// from other paths, and these must not get out: the caller joins the answer with what it knows
/// of the rest of its path.
fn restrict(pool: &mut TermPool, query: &Query<'_>, model: &Assignment) -> Assignment {
    let mut restricted = Assignment::new();
    for conjunct in query.conjuncts() {
        for &var in pool.vars(conjunct).iter() {
            if restricted.get(var).is_none() {
                let zero = || Constant::zero(pool.var_info(var).sort);
                restricted.set(var, model.get(var).cloned().unwrap_or_else(zero));
            }
        }
    }
    restricted
}

impl Solver for Cache {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        // Cheapest first; the goal is what most models fail on.
        if let Some(model) = self.models.find(pool, query) {
            self.stats.model_hits += 1;
            return Answer::Sat((query.want == Want::Model).then(|| Rc::new(restrict(pool, query, &model))));
        }
        if let Some(core) = self.cores.find(query) {
            self.stats.core_hits += 1;
            return Answer::Unsat(core);
        }
        let key = Exact::key(query);
        match self.exact.get(&key) {
            Some(Known::Sat(model)) => {
                self.stats.exact_hits += 1;
                return Answer::Sat(Some(model));
            }
            // A core that is wanted must be a small one.
            Some(Known::Unsat) if query.want != Want::Core => {
                self.stats.exact_hits += 1;
                return query.unsat_by_all();
            }
            _ => {}
        }
        // A verdict alone would leave nothing to remember.
        let want = if query.want == Want::Verdict { Want::Model } else { query.want };
        let answer = self.inner.check(pool, &Query { want, ..*query });
        match &answer {
            Answer::Sat(Some(model)) => {
                self.models.insert(model);
                self.exact.insert(key, Known::Sat(Rc::clone(model)));
            }
            Answer::Unsat(core) => {
                // Everything is a core of itself, and then the exact table says as much.
                if core.len() < key.len() || query.want == Want::Core {
                    self.cores.insert(core);
                }
                self.exact.insert(key, Known::Unsat);
            }
            Answer::Sat(None) | Answer::Unknown(_) => {}
        }
        answer
    }

    fn stats(&self) -> Stats {
        let mut stats = self.inner.stats();
        stats += &self.stats;
        stats
    }
}

/// A remembered verdict.
#[derive(Clone, Debug)]
enum Known {
    Sat(Rc<Assignment>),
    Unsat,
}

/// Entries after which the table is emptied, to bound memory.
const MAX_ENTRIES: usize = 1 << 14;

/// Answers by the set of conjuncts.
#[derive(Default)]
struct Exact {
    known: FxHashMap<Box<[TermId]>, Known>,
}

impl Exact {
    /// The conjuncts of `query` as a set.
    fn key(query: &Query<'_>) -> Box<[TermId]> {
        let mut key: Vec<TermId> = query.conjuncts().collect();
        key.sort_unstable();
        key.dedup();
        key.into()
    }

    fn get(&self, key: &[TermId]) -> Option<Known> {
        self.known.get(key).cloned()
    }

    fn insert(&mut self, key: Box<[TermId]>, known: Known) {
        if self.known.len() >= MAX_ENTRIES {
            self.known.clear();
        }
        self.known.insert(key, known);
    }
}
