//! Which thread is tried first.
//!
//! Any order is sound, and none changes how many executions a reduction by partial orders needs. Summaries need states to
//! meet again: that two threads have run in either order should not be seen in where the threads stand soon after.
//! So a step comes first that nobody can be in a race with but one who waits for it (the end of a thread, an unlock); then
//! the other half of a race whose first half was the last step. In Figure 3 of the FSE 2015 paper a reader and its writers
//! alternate then, and the executions grow linearly. Else the thread that ran last goes on, which makes for few switches.
//!
//! Guarantee: a thread that can move does so at some time, in every execution. When a thread has waited for long, they
//! take turns for a while: a loop that waits for it may not end before.

use std::cmp::Reverse;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;
use selvedge_base::Id;
use selvedge_exec::State;
use selvedge_por::Mode;

/// Who comes first among the threads that can make a step and have not waited for long.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ThreadOrder {
    /// The order in which states meet again soon. The default.
    #[default]
    Meeting,
    /// The thread that ran last, then by number.
    Keeping,
    /// No order that anything could rely on, for tests.
    Shuffled(u64),
}

/// Ranks of threads, those that come first above.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// It has waited for so many steps.
    Starving(Reverse<u32>),
    /// Its step only gives.
    Giving,
    /// Its step is in a race with the last one.
    Racing,
    /// It has made the last step.
    Last,
    Other,
    Shuffled(u64),
    /// It brings a signal.
    Bringing,
}

/// The threads that can make a step; the one to be tried first comes first.
pub(crate) fn enabled(state: &State, order: ThreadOrder) -> impl Iterator<Item = usize> + use<> {
    let threads = (0..state.threads.len()).filter(|&t| state.is_enabled(t));
    let mut ranked: Vec<(Rank, usize)> = threads.map(|thread| (rank(state, order, thread), thread)).collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, thread)| thread)
}

fn rank(state: &State, order: ThreadOrder, thread: usize) -> Rank {
    if state.is_starving(thread) {
        return Rank::Starving(Reverse(state.waited(thread)));
    }
    if state.is_bringer(thread) {
        // Without a signal first.
        return Rank::Bringing;
    }
    let (next, last) = (state.next_accesses(thread), &state.event.accesses);
    let runner = state.event.thread.index();
    match order {
        // One who was starving may need many steps.
        _ if state.is_fair() => {}
        ThreadOrder::Keeping => {}
        ThreadOrder::Shuffled(seed) => {
            return Rank::Shuffled(FxBuildHasher.hash_one((seed, state.n_turns, thread)));
        }
        ThreadOrder::Meeting => {
            if next.iter().all(|access| matches!(access.mode, Mode::Give { .. })) {
                return Rank::Giving;
            }
            if thread != runner && next.iter().any(|a| last.iter().any(|b| a.conflicts(*b))) {
                return Rank::Racing;
            }
        }
    }
    if thread == runner { Rank::Last } else { Rank::Other }
}
