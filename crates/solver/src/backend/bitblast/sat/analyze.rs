//! What a conflict teaches: a clause that would have prevented it, or the assumptions at fault.

use super::{Lit, Reason, Sat};

impl Sat {
    /// Learns from `conflict` by resolving back to the first point where a single literal of the
    /// current level is left (first unique implication point). Goes back to where the learnt
    /// clause has an effect, and lets it have it.
    ///
    /// A conflict may lie below the current level, where a gate was not active when its pins got
    /// their values; then that level counts. Nothing is learnt from one on level 0.
    pub(super) fn learn(&mut self, conflict: Reason) {
        let mut learnt = std::mem::take(&mut self.scratch);
        let mut cause = std::mem::take(&mut self.cause);
        learnt.clear();
        // Place of the asserting literal, found last.
        learnt.push(Lit::TRUE);
        let mut open = 0u32;
        self.false_lits(conflict, None, &mut cause);
        let level_of = |lit: &Lit| self.places[lit.var() as usize].level;
        let current = cause.iter().map(level_of).max().unwrap_or(0);
        if current == 0 {
            self.consistent = false;
            return;
        }
        self.cancel(current as usize);
        let mut at = self.trail.len();
        loop {
            for &lit in &cause {
                let var = lit.var() as usize;
                if self.seen[var] || self.places[var].level == 0 {
                    continue;
                }
                self.seen[var] = true;
                self.to_clear.push(lit.var());
                self.order.bump(lit.var());
                if self.places[var].level >= current {
                    open += 1;
                } else {
                    learnt.push(lit);
                }
            }
            let pivot = loop {
                at -= 1;
                if self.seen[self.trail[at].var() as usize] {
                    break self.trail[at];
                }
            };
            open -= 1;
            if open == 0 {
                learnt[0] = !pivot;
                break;
            }
            self.false_lits(self.places[pivot.var() as usize].reason, Some(pivot), &mut cause);
        }
        self.shorten(&mut learnt, &mut cause);
        for var in self.to_clear.drain(..) {
            self.seen[var as usize] = false;
        }
        self.order.decay();
        self.backjump(&mut learnt);
        self.scratch = learnt;
        self.cause = cause;
    }

    /// Leaves out literals that the others imply by one step.
    fn shorten(&self, learnt: &mut Vec<Lit>, cause: &mut Vec<Lit>) {
        let mut kept = 1;
        for i in 1..learnt.len() {
            let lit = learnt[i];
            let reason = self.places[lit.var() as usize].reason;
            self.false_lits(reason, Some(!lit), cause);
            let implied = reason != Reason::None
                && cause.iter().all(|other| {
                    let var = other.var() as usize;
                    self.seen[var] || self.places[var].level == 0
                });
            if !implied {
                learnt[kept] = lit;
                kept += 1;
            }
        }
        learnt.truncate(kept);
    }

    fn backjump(&mut self, learnt: &mut [Lit]) {
        if learnt.len() == 1 {
            self.cancel(0);
            self.enqueue(learnt[0], Reason::None);
            return;
        }
        // The literal assigned last of the rest is watched beside the asserting one.
        let level_of = |lit: Lit| self.places[lit.var() as usize].level;
        let second = (1..learnt.len()).max_by_key(|&i| level_of(learnt[i])).unwrap_or(1);
        learnt.swap(1, second);
        let level = level_of(learnt[1]) as usize;
        let mut levels: Vec<u32> = learnt.iter().map(|&lit| level_of(lit)).collect();
        levels.sort_unstable();
        levels.dedup();
        self.cancel(level);
        let clause = self.clauses.add(learnt, levels.len() as u32);
        self.learnts.push(clause);
        self.watch(clause);
        self.enqueue(learnt[0], Reason::Clause(clause));
    }

    /// Blames the assumptions from which `!assumption` follows; it was to be decided next.
    pub(super) fn blame(&mut self, assumption: Lit) {
        let mut cause = std::mem::take(&mut self.cause);
        self.failed.clear();
        self.failed.push(assumption);
        let bottom = self.levels.first().map_or(self.trail.len(), |level| level.trail as usize);
        self.seen[assumption.var() as usize] = true;
        self.to_clear.push(assumption.var());
        for at in (bottom..self.trail.len()).rev() {
            let lit = self.trail[at];
            if !self.seen[lit.var() as usize] {
                continue;
            }
            let reason = self.places[lit.var() as usize].reason;
            if reason == Reason::None {
                // Below the last assumption every decision is one.
                self.failed.push(lit);
                continue;
            }
            self.false_lits(reason, Some(lit), &mut cause);
            for other in &cause {
                let var = other.var();
                if !self.seen[var as usize] && self.places[var as usize].level > 0 {
                    self.seen[var as usize] = true;
                    self.to_clear.push(var);
                }
            }
        }
        for var in self.to_clear.drain(..) {
            self.seen[var as usize] = false;
        }
        self.cause = cause;
    }

    /// Drops half of the learnt clauses, those that spanned most levels first.
    pub(super) fn forget(&mut self) {
        let clauses = &self.clauses;
        let mut learnts = std::mem::take(&mut self.learnts);
        learnts.sort_by_key(|&clause| clauses.spread(clause));
        let half = learnts.len() / 2;
        let mut kept = Vec::with_capacity(half + 1);
        for (i, clause) in learnts.into_iter().enumerate() {
            let lits = self.clauses.lits(clause);
            let first = lits[0];
            let in_use = self.values[first.index()] > 0
                && self.places[first.var() as usize].reason == Reason::Clause(clause);
            if i < half || in_use || lits.len() == 2 || self.clauses.spread(clause) <= 2 {
                kept.push(clause);
            } else {
                self.clauses.drop_clause(clause);
            }
        }
        self.learnts = kept;
        for list in &mut self.watches {
            list.retain(|watch| !self.clauses.is_dropped(watch.clause()));
        }
    }
}
