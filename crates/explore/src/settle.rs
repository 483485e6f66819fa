//! From a granted step to the next state in which every thread waits for its turn.

use selvedge_exec::{PathEnd, Phase, State, Stop};
use selvedge_term::TermId;

use crate::explorer::{Ended, Explorer, Watch};

/// What became of a step.
pub(crate) enum Settled {
    /// Every thread waits, has ended, or is stopped for good.
    AtRest,
    /// It can go several ways: the number and the condition of each.
    Forked(Vec<(u32, TermId)>),
}

/// Gets what stops a thread in the middle, and says whether it is noted.
pub(crate) type Report<'r, 'p> =
    dyn FnMut(&mut Explorer<'p>, &mut Watch<'_, 'p>, &State, &PathEnd) -> Result<bool, Ended> + 'r;

/// Runs the threads of `state` that have local work to do. `report` gets what stops a thread in the middle, except for
/// the end of the program and failed assumptions; the thread then stays where it is, and the others go on.
pub(crate) fn settle<'p>(
    explorer: &mut Explorer<'p>,
    watch: &mut Watch<'_, 'p>,
    state: &mut State,
    report: &mut Report<'_, 'p>,
) -> Result<Settled, Ended> {
    loop {
        if !matches!(state.thread().phase, Phase::Local) {
            // The thread waits: another may have been started or woken.
            let next = state.local_threads().next();
            match next {
                Some(thread) => state.resume(thread),
                None => return Ok(Settled::AtRest),
            }
        }
        match explorer.step(state, watch)? {
            Stop::Budget | Stop::Pause => {}
            Stop::Lost => return Err(Ended::Lost),
            Stop::Fork(alternatives) => {
                explorer.n_states += alternatives.len() as u64 - 1;
                return Ok(Settled::Forked(alternatives));
            }
            Stop::End(end) => {
                let is_failure = !matches!(end, PathEnd::Exit(_) | PathEnd::Infeasible);
                let is_noted = is_failure && report(explorer, watch, state, &end)?;
                stop(state, &end, is_noted);
            }
        }
    }
}

/// The current thread goes no further, because of what has happened; the others may.
pub(crate) fn stop(state: &mut State, end: &PathEnd, is_noted: bool) {
    match end {
        PathEnd::Exit(code) => {
            state.exited.get_or_insert(*code);
        }
        PathEnd::Infeasible => state.is_cut = true,
        PathEnd::Finding(_) if is_noted => {
            state.is_cut = true;
            state.n_noted += 1;
        }
        _ => {
            state.is_cut = true;
            state.has_failed = true;
        }
    }
    state.halt();
}
