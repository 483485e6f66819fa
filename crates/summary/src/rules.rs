//! The rules that keep summaries sound, each with a switch to its wrong reading.
//!
//! Only tests read a rule wrongly: to show that a program exists for which it matters.

use selvedge_exec::Omit;

/// Which rules are read as they should be. All of them, except in tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// R1: a side of a branch that was not explored contributes `false`.
    pub unexplored_is_unknown: bool,
    /// R2: each side of a branch counts only where its condition holds.
    pub sides_are_guarded: bool,
    /// R3: all explored threads must be safe, not one of them.
    pub all_threads_count: bool,
    /// R4: what is below a pruned state is what its summary says.
    pub pruned_is_summary: bool,
    /// R5: an address that was resolved is a guard.
    pub addresses_are_guards: bool,
    /// R5: a pointer leads to the object that it led to, alive or not, besides to the same address.
    pub pointers_lead_alike: bool,
    /// R6: a branch that was decided by concrete values is a guard.
    pub concrete_branches_are_guards: bool,
    /// R7: only what is completely explored is summarised.
    pub finished_only: bool,
    /// R8: what slept when the summary was made must sleep again.
    pub sleep_counts: bool,
    /// R8, second half: what a summary covers sleeps in its state, and not below the threads that are explored there.
    pub covered_wakes_below: bool,
    /// R8: All threads that slept when a summary was made and are awake now are tried.
    pub missing_are_tried: bool,
    /// R12: a claim about a tail that has changed holds again only if it follows from what was found out about the new one.
    pub claims_follow: bool,
    /// R9: what is not explored a second time is still in races with what led there.
    pub footprints_count: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            unexplored_is_unknown: true,
            sides_are_guarded: true,
            all_threads_count: true,
            pruned_is_summary: true,
            addresses_are_guards: true,
            pointers_lead_alike: true,
            concrete_branches_are_guards: true,
            finished_only: true,
            sleep_counts: true,
            covered_wakes_below: true,
            missing_are_tried: true,
            claims_follow: true,
            footprints_count: true,
        }
    }
}

impl Rules {
    pub(crate) fn omit(&self) -> Omit {
        Omit {
            addresses: !self.addresses_are_guards,
            concrete_branches: !self.concrete_branches_are_guards,
            branches: !self.sides_are_guarded,
        }
    }
}
