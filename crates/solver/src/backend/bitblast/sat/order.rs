//! Which variable to decide next: a heap by activity.
//!
//! Equal activities are ordered by age, which makes the order the same in every run.

use super::Var;

const ABSENT: u32 = u32::MAX;
const DECAY: f64 = 0.95;
const RESCALE: f64 = 1e100;
/// The part of a fresh bump that is left of one 450 conflicts ago.
const FORGOTTEN: f64 = 1e-10;

/// The heap and the activities.
pub(super) struct Order {
    heap: Vec<Var>,
    /// By variable: its place in the heap.
    places: Vec<u32>,
    activities: Vec<f64>,
    step: f64,
}

impl Default for Order {
    fn default() -> Self {
        Order { heap: Vec::new(), places: Vec::new(), activities: Vec::new(), step: 1.0 }
    }
}

impl Order {
    pub(super) fn add_var(&mut self) {
        self.places.push(ABSENT);
        self.activities.push(0.0);
    }

    fn before(&self, a: Var, b: Var) -> bool {
        let (x, y) = (self.activities[a as usize], self.activities[b as usize]);
        x > y || (x == y && a < b)
    }

    fn put(&mut self, at: usize, var: Var) {
        self.heap[at] = var;
        self.places[var as usize] = at as u32;
    }

    fn up(&mut self, mut at: usize) {
        let var = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.before(var, self.heap[parent]) {
                break;
            }
            self.put(at, self.heap[parent]);
            at = parent;
        }
        self.put(at, var);
    }

    fn down(&mut self, mut at: usize) {
        let var = self.heap[at];
        loop {
            let left = 2 * at + 1;
            if left >= self.heap.len() {
                break;
            }
            let right = left + 1;
            let child = if right < self.heap.len() && self.before(self.heap[right], self.heap[left]) {
                right
            } else {
                left
            };
            if !self.before(self.heap[child], var) {
                break;
            }
            self.put(at, self.heap[child]);
            at = child;
        }
        self.put(at, var);
    }

    /// Makes `var` a candidate.
    pub(super) fn insert(&mut self, var: Var) {
        if self.places[var as usize] == ABSENT {
            self.heap.push(var);
            self.places[var as usize] = self.heap.len() as u32 - 1;
            self.up(self.heap.len() - 1);
        }
    }

    /// Takes the best candidate.
    pub(super) fn pop(&mut self) -> Option<Var> {
        let best = *self.heap.first()?;
        self.places[best as usize] = ABSENT;
        let last = self.heap.pop()?;
        if last != best {
            self.put(0, last);
            self.down(0);
        }
        Some(best)
    }

    /// Whether `var` took part in a conflict not too long ago.
    pub(super) fn is_bumped(&self, var: Var) -> bool {
        self.activities[var as usize] > self.step * FORGOTTEN
    }

    /// Takes all candidates out.
    pub(super) fn clear(&mut self) {
        for var in self.heap.drain(..) {
            self.places[var as usize] = ABSENT;
        }
    }

    /// Notes that `var` took part in a conflict.
    pub(super) fn bump(&mut self, var: Var) {
        self.activities[var as usize] += self.step;
        if self.activities[var as usize] > RESCALE {
            for activity in &mut self.activities {
                *activity /= RESCALE;
            }
            self.step /= RESCALE;
        }
        let at = self.places[var as usize];
        if at != ABSENT {
            self.up(at as usize);
        }
    }

    /// Lets older conflicts count for less.
    pub(super) fn decay(&mut self) {
        self.step /= DECAY;
    }
}
