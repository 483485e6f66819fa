//! When summaries are made, and when they are not because they do not pay.
//!
//! A summary costs many times what an ordinary concrete step costs. What it saves is known when a state is recognised:
//! the states below the one that it was made at, at most, since a search without summaries might have left out some of
//! them too. Where summaries are worth their cost, savings grow with the size of what is summarised, so that in time each
//! saves more. So they are made for a while, and for another if enough was saved, ever more for each; if not, the search
//! goes on without them for a longer while before they are tried again, longer each time.
//!
//! Guarantee: none is needed, since a summary may always be left out (R11). What is decided depends on counts alone,
//! never on the clock, so that a run can be repeated.

use crate::check::Checker;

/// States in the first period.
const FIRST_PERIOD: u64 = 1024;
/// What has to be saved for a summary in the first period after a pause, and that many times more in each that follows;
/// a state of the search without it, and about twenty instructions, cost one. At first it is less than what a summary
/// takes, because savings grow.
const SUMMARY_COST: u64 = 4;
/// Nodes of formulas that cost as much as a state.
const NODES: u64 = 96;
/// Terms that are gone through to say over one state what was said over another, and cost as much as a state.
const REPLACED: u64 = 64;
const INSTRUCTIONS: u64 = 20;
/// What a question to the solver costs.
const QUERY_COST: u64 = 100;
/// Threads that cost as much as a state, for each summary.
const THREADS: u64 = 4;
/// The first pause costs this many times what the summaries before it did, and those that follow.
const FIRST_PATIENCE: u64 = 10;
const PATIENCE: u64 = 5;

/// Whether summaries are made at present.
pub(crate) struct Pace {
    /// States left in this period or pause.
    n_left: u64,
    is_pause: bool,
    period: u64,
    /// Periods since the last pause.
    n_periods: u64,
    /// States that were skipped in them.
    n_saved: u64,
    /// What had been spent when they began.
    begin: Spent,
}

/// What a search has spent.
#[derive(Clone, Copy, Default)]
struct Spent {
    instructions: u64,
    queries: u64,
    nodes: u64,
    replaced: u64,
}

impl Default for Pace {
    fn default() -> Self {
        let period = FIRST_PERIOD;
        Pace { n_left: period, is_pause: false, period, n_periods: 0, n_saved: 0, begin: Spent::default() }
    }
}

impl Pace {
    /// A part with this many states was skipped.
    pub(crate) fn saves(&mut self, n_states: u64) {
        self.n_saved = self.n_saved.saturating_add(n_states);
    }

    /// A state is entered: whether it gets a summary. All formulas so far have this many nodes.
    pub(crate) fn is_active(&mut self, checker: &Checker<'_, '_>, nodes: u64) -> bool {
        if self.n_left == 0 {
            let (instructions, queries) = (checker.machine.n_instructions, checker.solver.stats().queries);
            let replaced = checker.machine.pool.n_replaced();
            let begin = std::mem::replace(&mut self.begin, Spent { instructions, queries, nodes, replaced });
            let work =
                (instructions - begin.instructions) / INSTRUCTIONS + (queries - begin.queries) * QUERY_COST;
            let threads = (self.n_periods + 1) * self.period * checker.state.threads.len() as u64 / THREADS;
            let formulas = (nodes - begin.nodes) / NODES + (replaced - begin.replaced) / REPLACED;
            self.end_period(work, formulas + threads);
            if self.n_periods > 0 {
                self.begin = begin;
            }
        }
        self.n_left -= 1;
        !self.is_pause
    }

    /// A period or pause is over. Since the periods began, the steps themselves took `work`, and formulas `extra`.
    fn end_period(&mut self, work: u64, extra: u64) {
        if !std::mem::take(&mut self.is_pause) {
            self.n_periods += 1;
            let n_states = self.n_periods * self.period;
            let (step, cost) = (1 + work / n_states, n_states * SUMMARY_COST + extra);
            if self.n_saved.saturating_mul(step) >= cost * self.n_periods {
                self.n_left = self.period;
                return;
            }
            self.is_pause = true;
            let patience = if self.period == FIRST_PERIOD { FIRST_PATIENCE } else { PATIENCE };
            self.n_left = patience * cost / step + 1;
            self.period *= 2;
        } else {
            self.n_left = self.period;
        }
        (self.n_periods, self.n_saved) = (0, 0);
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
            pace.end_period(0, 0);
            assert!(pace.is_pause);
            pauses.push(pace.n_left);
            pace.end_period(0, 0);
            assert!(!pace.is_pause);
        }
        assert!(pauses[0] > FIRST_PERIOD * SUMMARY_COST);
        // The second is as long as the first, since summaries are given a better chance.
        assert!(pauses.is_sorted() && pauses[2] > pauses[0], "{pauses:?}");
    }

    #[test]
    fn summaries_that_save_more_than_they_cost_go_on() {
        let mut pace = Pace::default();
        pace.saves(FIRST_PERIOD * SUMMARY_COST);
        pace.end_period(0, 0);
        assert!(!pace.is_pause);
        assert_eq!(pace.n_left, FIRST_PERIOD);
    }

    #[test]
    fn savings_have_to_grow() {
        let mut pace = Pace::default();
        for _ in 0..2 {
            assert!(!pace.is_pause);
            pace.saves(FIRST_PERIOD * SUMMARY_COST);
            pace.end_period(0, 0);
        }
        assert!(pace.is_pause, "the second period has saved no more than the first");
    }

    #[test]
    fn savings_have_to_pay_for_long_formulas() {
        let mut pace = Pace::default();
        pace.saves(FIRST_PERIOD * SUMMARY_COST);
        pace.end_period(0, 1);
        assert!(pace.is_pause);
    }

    #[test]
    fn a_state_that_takes_long_to_reach_is_worth_more() {
        let mut pace = Pace::default();
        pace.saves(FIRST_PERIOD);
        pace.end_period(FIRST_PERIOD * SUMMARY_COST, 0);
        assert!(!pace.is_pause);
    }
}
