//! Propagation and the search itself.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::clauses::{ClauseRef, Watch};
use super::{Level, Limits, Lit, Reason, Sat, Stop};

/// Conflicts before the first restart; later ones follow Luby's sequence.
const RESTART_UNIT: u64 = 100;
/// Decisions or conflicts between two looks at the clock.
const STEPS_PER_LOOK: u32 = 256;

/// What the search has to do next.
enum Need {
    Decision(Lit),
    Propagation,
    /// A model is found.
    Nothing,
}

impl Sat {
    /// Is there a model of the circuit in which all `assumptions` hold?
    pub(in super::super) fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Result<bool, Stop> {
        self.ordered = false;
        self.order.clear();
        let common = self.assumptions.iter().zip(assumptions).take_while(|(a, b)| a == b).count();
        self.cancel(common);
        self.assumptions.truncate(common);
        if let Some(&mark) = self.cone_marks.get(common) {
            self.deactivate(mark as usize);
            self.cone_marks.truncate(common);
        }
        let nodes = &self.nodes;
        self.pending.retain(|&gate| nodes[gate as usize].active);
        for &assumption in &assumptions[common..] {
            self.cone_marks.push(self.cone.len() as u32);
            self.assumptions.push(assumption);
            self.activate(assumption);
        }
        // Gates on the kept trail may have become active just now, and want justification.
        self.justified = 0;
        for level in &mut self.levels {
            level.justified = 0;
        }
        self.failed.clear();
        self.search(limits)
    }

    fn search(&mut self, limits: &Limits) -> Result<bool, Stop> {
        let mut conflicts = 0u64;
        let mut restarts = 0;
        let mut until_restart = RESTART_UNIT * luby(restarts);
        let mut steps = 0u32;
        loop {
            if !self.consistent {
                return Ok(false);
            }
            if let Some(conflict) = self.propagate() {
                self.learn(conflict);
                conflicts += 1;
                if conflicts > limits.conflicts {
                    return Err(Stop::Conflicts);
                }
                if !self.ordered {
                    self.start_order();
                }
                if conflicts >= until_restart {
                    restarts += 1;
                    until_restart = conflicts + RESTART_UNIT * luby(restarts);
                    self.cancel(self.assumptions.len());
                }
                if self.learnts.len() > self.max_learnts {
                    self.forget();
                    self.max_learnts += self.max_learnts / 10;
                }
            } else if self.level() < self.assumptions.len() {
                let assumption = self.assumptions[self.level()];
                match self.values[assumption.index()] {
                    0 => self.decide(assumption),
                    // A level of its own all the same, so that levels match assumptions.
                    1 => self.open_level(),
                    _ => {
                        self.blame(assumption);
                        return Ok(false);
                    }
                }
            } else {
                match self.pick_active().map_or_else(|| self.next_need(), Need::Decision) {
                    Need::Decision(lit) => self.decide(lit),
                    Need::Propagation => {}
                    Need::Nothing => return Ok(true),
                }
            }
            steps += 1;
            if steps.is_multiple_of(STEPS_PER_LOOK) {
                if limits.interrupt.load(Ordering::Relaxed) {
                    return Err(Stop::Interrupted);
                }
                if limits.deadline.is_some_and(|at| Instant::now() >= at) {
                    return Err(Stop::Timeout);
                }
            }
        }
    }

    fn open_level(&mut self) {
        self.levels.push(Level { trail: self.trail.len() as u32, justified: self.justified as u32 });
    }

    fn decide(&mut self, lit: Lit) {
        self.open_level();
        self.enqueue(lit, Reason::None);
    }

    /// The unassigned candidate that took part in most of the recent conflicts, with the value it
    /// last had.
    fn pick_active(&mut self) -> Option<Lit> {
        while let Some(var) = self.order.pop() {
            if self.values[Lit::of(var).index()] == 0 {
                return Some(Lit::of(var).negate_if(!self.phases[var as usize]));
            }
        }
        None
    }

    /// What the first assigned gate needs whose value does not follow from its inputs' values.
    fn next_need(&mut self) -> Need {
        while let Some(&lit) = self.trail.get(self.justified) {
            let gate = lit.var();
            if let Some(missing) = self.missing(gate) {
                // A gate that was not active when its pins got their values may imply more, or
                // show a conflict, which propagation will report.
                let before = self.trail.len();
                if self.visit(gate).is_err() || self.trail.len() > before {
                    self.pending.push(gate);
                    return Need::Propagation;
                }
                return Need::Decision(missing);
            }
            self.justified += 1;
        }
        Need::Nothing
    }

    /// From the first conflict on, conflicts decide the order.
    fn start_order(&mut self) {
        self.ordered = true;
        for i in 0..self.cone.len() {
            let var = self.cone[i];
            if self.values[Lit::of(var).index()] == 0 && self.is_candidate(var) {
                self.order.insert(var);
            }
        }
    }

    /// Draws all consequences. Returns a conflict, if there is one.
    fn propagate(&mut self) -> Option<Reason> {
        while let Some(gate) = self.pending.pop() {
            if let Err(conflict) = self.visit(gate) {
                return Some(conflict);
            }
        }
        while self.head < self.trail.len() {
            let lit = self.trail[self.head];
            self.head += 1;
            if let Err(conflict) = self.propagate_gates(lit.var()) {
                return Some(conflict);
            }
            if let Some(conflict) = self.propagate_clauses(!lit) {
                return Some(Reason::Clause(conflict));
            }
        }
        None
    }

    /// Draws the consequences of `false_lit` being false in learnt clauses.
    fn propagate_clauses(&mut self, false_lit: Lit) -> Option<ClauseRef> {
        if self.watches[false_lit.index()].is_empty() {
            return None;
        }
        let mut list = std::mem::take(&mut self.watches[false_lit.index()]);
        let mut kept = 0;
        let mut conflict = None;
        let mut i = 0;
        while i < list.len() {
            let watch = list[i];
            i += 1;
            if self.values[watch.blocker.index()] > 0 {
                list[kept] = watch;
                kept += 1;
                continue;
            }
            let lits = self.clauses.lits_mut(watch.clause());
            if lits[0] == false_lit {
                lits.swap(0, 1);
            }
            let first = lits[0];
            let values = &self.values;
            if values[first.index()] <= 0
                && let Some(other) = (2..lits.len()).find(|&k| values[lits[k].index()] >= 0)
            {
                lits.swap(1, other);
                let moved = lits[1];
                self.watches[moved.index()].push(Watch::new(watch.clause(), first));
                continue;
            }
            list[kept] = Watch::new(watch.clause(), first);
            kept += 1;
            match self.values[first.index()] {
                1 => {}
                0 => self.enqueue(first, Reason::Clause(watch.clause())),
                _ => {
                    conflict = Some(watch.clause());
                    break;
                }
            }
        }
        list.copy_within(i.., kept);
        list.truncate(kept + list.len() - i);
        self.watches[false_lit.index()] = list;
        conflict
    }

    pub(super) fn watch(&mut self, clause: ClauseRef) {
        let lits = self.clauses.lits(clause);
        let (first, second) = (lits[0], lits[1]);
        self.watches[first.index()].push(Watch::new(clause, second));
        self.watches[second.index()].push(Watch::new(clause, first));
    }
}

/// The sequence 1, 1, 2, 1, 1, 2, 4, ... (Luby, Sinclair, Zuckerman, 1993).
fn luby(mut index: u64) -> u64 {
    let mut size = 1u64;
    while size < index + 1 {
        size = 2 * size + 1;
    }
    while size - 1 != index {
        size /= 2;
        index %= size;
    }
    size.div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn restarts_follow_lubys_sequence() {
        let first: Vec<u64> = (0..15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
