//! What was counted during a search.

use std::ops::AddAssign;

/// Counters of a search; those of several searches can be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Executions that were ended by the driver.
    pub n_executions: u64,
    /// Executions given up because every enabled thread slept: their trace is explored elsewhere.
    pub n_blocked: u64,
    /// Parts skipped by [`Dpor::prune`](crate::Dpor::prune).
    pub n_pruned: u64,
    /// Steps made.
    pub n_steps: u64,
    /// Reversible races analysed.
    pub n_races: u64,
    /// Races whose reversal was not covered and was planned.
    pub n_reversals: u64,
    /// Planned steps whose thread could not move, which happens only after a data fork or an unknown guard.
    pub n_infeasible: u64,
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.n_executions += other.n_executions;
        self.n_blocked += other.n_blocked;
        self.n_pruned += other.n_pruned;
        self.n_steps += other.n_steps;
        self.n_races += other.n_races;
        self.n_reversals += other.n_reversals;
        self.n_infeasible += other.n_infeasible;
    }
}
