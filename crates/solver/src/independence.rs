//! Sends only the conjuncts of the path that can matter for the goal.
//!
//! Two conjuncts are connected if they share a variable, directly or through others. The
//! path is satisfiable, and what is not connected with the goal shares no variable with what
//! is; so the query is satisfiable if and only if its connected part is.
//!
//! Relies on: `path` alone is satisfiable.
//! Consequence: a model gives values to the connected part only. Values for the rest come
//! from any model of the path.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_term::{TermId, TermPool, VarId};

use crate::query::{Answer, Query, Solver};
use crate::stats::Stats;

/// The slicing link.
pub(crate) struct Independence {
    inner: Box<dyn Solver>,
    /// The path of the last query, which the index below describes.
    path: Vec<TermId>,
    /// By variable: the positions in `path` where it occurs, rising.
    occurrences: FxHashMap<VarId, Vec<u32>>,
    /// Positions known to be in the slice, as a set over `path`.
    taken: Vec<bool>,
    positions: Vec<u32>,
    seen: FxHashSet<VarId>,
    pending: Vec<VarId>,
    slice: Vec<TermId>,
    stats: Stats,
}

impl Independence {
    /// Puts the link before `inner`.
    pub(crate) fn new(inner: Box<dyn Solver>) -> Independence {
        Independence {
            inner,
            path: Vec::new(),
            occurrences: FxHashMap::default(),
            taken: Vec::new(),
            positions: Vec::new(),
            seen: FxHashSet::default(),
            pending: Vec::new(),
            slice: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// Brings the index in step with `path`, touching only what differs.
    fn follow(&mut self, pool: &mut TermPool, path: &[TermId]) {
        let common = self.path.iter().zip(path).take_while(|(a, b)| a == b).count();
        for conjunct in self.path.drain(common..).rev() {
            for var in pool.vars(conjunct).iter() {
                if let Some(positions) = self.occurrences.get_mut(var) {
                    positions.pop();
                }
            }
        }
        for &conjunct in &path[common..] {
            let position = self.path.len() as u32;
            for &var in pool.vars(conjunct).iter() {
                self.occurrences.entry(var).or_default().push(position);
            }
            self.path.push(conjunct);
        }
        self.taken.resize(self.path.len(), false);
    }

    fn visit(&mut self, pool: &mut TermPool, conjunct: TermId) {
        for &var in pool.vars(conjunct).iter() {
            if self.seen.insert(var) {
                self.pending.push(var);
            }
        }
    }

    /// Fills `slice` with the conjuncts connected with `goal`, in the order of the path.
    fn cut(&mut self, pool: &mut TermPool, goal: &[TermId]) {
        self.seen.clear();
        self.positions.clear();
        for &conjunct in goal {
            self.visit(pool, conjunct);
        }
        while let Some(var) = self.pending.pop() {
            // Taken out for the loop, because `visit` borrows the whole link.
            let Some(positions) = self.occurrences.get_mut(&var).map(std::mem::take) else { continue };
            for &position in &positions {
                if !std::mem::replace(&mut self.taken[position as usize], true) {
                    self.positions.push(position);
                    self.visit(pool, self.path[position as usize]);
                }
            }
            self.occurrences.insert(var, positions);
        }
        self.positions.sort_unstable();
        self.slice.clear();
        for &position in &self.positions {
            self.slice.push(self.path[position as usize]);
            self.taken[position as usize] = false;
        }
    }
}

impl Solver for Independence {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        self.follow(pool, query.path);
        self.cut(pool, query.goal);
        self.stats.sliced_conjuncts += (query.path.len() - self.slice.len()) as u64;
        self.inner.check(pool, &Query { path: &self.slice, ..*query })
    }

    fn stats(&self) -> Stats {
        let mut stats = self.inner.stats();
        stats += &self.stats;
        stats
    }
}
