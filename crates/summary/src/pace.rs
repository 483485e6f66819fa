//! When summaries are made, and when they are not because they do not pay.
//!
//! A summary costs many times what an ordinary concrete step costs. What it saves is known when a state is recognised:
//! the states below the one that it was made at. So they are made for a while, and if less was saved than they cost,
//! the search goes on without them for a longer while before they are tried again, longer each time: where savings grow
//! with the size of what is summarised, they are found in the end, and where there are none, little is lost.
//!
//! Guarantee: none is needed, since a summary may always be left out (R11). What is decided depends on counts alone,
//! never on the clock, so that a run can be repeated.

use crate::check::Checker;

/// States in the first period.
const FIRST_PERIOD: u64 = 1024;
/// What has to be saved for a summary; a state of the search without it, and about twenty instructions, cost one. Less than
/// what it takes, because savings grow.
const SUMMARY_COST: u64 = 5;
const INSTRUCTIONS: u64 = 20;
/// What a question to the solver costs.
const QUERY_COST: u64 = 100;
/// A pause costs this many times what the summaries before it did.
const PATIENCE: u64 = 8;

/// Whether summaries are made at present.
pub(crate) struct Pace {
    /// States left in this period or pause.
    n_left: u64,
    is_pause: bool,
    period: u64,
    /// States that were skipped in this period.
    n_saved: u64,
    /// Instructions and queries when it began.
    instructions: u64,
    queries: u64,
}

impl Default for Pace {
    fn default() -> Self {
        let period = FIRST_PERIOD;
        Pace { n_left: period, is_pause: false, period, n_saved: 0, instructions: 0, queries: 0 }
    }
}

impl Pace {
    /// A part with this many states was skipped.
    pub(crate) fn saves(&mut self, n_states: u64) {
        self.n_saved = self.n_saved.saturating_add(n_states);
    }

    /// A state is entered: whether it gets a summary.
    pub(crate) fn is_active(&mut self, checker: &Checker<'_, '_>) -> bool {
        if self.n_left == 0 {
            let (instructions, queries) = (checker.machine.n_instructions, checker.solver.stats().queries);
            let work =
                (instructions - self.instructions) / INSTRUCTIONS + (queries - self.queries) * QUERY_COST;
            self.end_period(work);
            (self.instructions, self.queries, self.n_saved) = (instructions, queries, 0);
        }
        self.n_left -= 1;
        !self.is_pause
    }

    /// A period or pause is over, in which the steps themselves took `work`.
    fn end_period(&mut self, work: u64) {
        let n_states = self.period;
        if !self.is_pause {
            let step = 1 + work / n_states;
            let cost = n_states * SUMMARY_COST;
            if self.n_saved.saturating_mul(step) < cost {
                self.is_pause = true;
                self.n_left = PATIENCE * cost / step + 1;
                self.period *= 2;
                return;
            }
        }
        self.is_pause = false;
        self.n_left = self.period;
    }
}

#[cfg(test)]
mod tests {
    use super::{FIRST_PERIOD, Pace, SUMMARY_COST};

    #[test]
    fn summaries_that_save_nothing_are_made_ever_more_seldom() {
        let mut pace = Pace::default();
        let mut pauses = Vec::new();
        for _ in 0..3 {
            pace.end_period(0);
            assert!(pace.is_pause);
            pauses.push(pace.n_left);
            pace.end_period(0);
            assert!(!pace.is_pause);
        }
        assert!(pauses[0] > FIRST_PERIOD * SUMMARY_COST);
        assert!(pauses.is_sorted_by(|a, b| a < b), "{pauses:?}");
    }

    #[test]
    fn summaries_that_save_more_than_they_cost_go_on() {
        let mut pace = Pace::default();
        pace.saves(FIRST_PERIOD * SUMMARY_COST);
        pace.end_period(0);
        assert!(!pace.is_pause);
        assert_eq!(pace.n_left, FIRST_PERIOD);
    }

    #[test]
    fn a_state_that_takes_long_to_reach_is_worth_more() {
        let mut pace = Pace::default();
        pace.saves(FIRST_PERIOD);
        pace.end_period(FIRST_PERIOD * SUMMARY_COST);
        assert!(!pace.is_pause);
    }
}
