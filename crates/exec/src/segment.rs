//! A segment: what happens from one scheduling point to the next.
//!
//! The thread that was let go on runs until it rests, and so do all threads that it starts or wakes. Searches, replays,
//! summaries and proofs mean the same by a step because all of them run this one, with a [`Driver`] of their own: it
//! answers the program's questions by its [`Oracle`](crate::Oracle), and says what to make of whatever stops a thread.
//!
//! What a segment did is in the state: the guards of the way that it went are the conditions that it has added to
//! [`State::path`], its event is [`State::event`], and [`relative_step`](crate::relative_step) gives guards and change
//! over the values before it.
//!
//! Guarantee: a segment that is [at rest](SegmentEnd::AtRest) has left no thread with local work, except for those that
//! its driver holds back. A thread that is stopped for good never runs again, and what it did in an atomic section that
//! it cannot finish never happened.

use selvedge_term::TermId;

use crate::finding::{PathEnd, Stop};
use crate::state::State;

/// How a segment ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SegmentEnd {
    /// Every thread waits for its turn, has ended, or is stopped for good.
    AtRest,
    /// It can go several ways: the number and the condition of each, for [`State::take`]. What is left of it is a segment
    /// as well.
    Forked(Vec<(u32, TermId)>),
    /// An access by an address that no pointer carried ([`Stop::Lost`]): nothing that follows can be relied on.
    Lost,
}

/// Whether a failure is known to the user, and need not be found again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Noted {
    /// It is.
    Yes,
    /// Nobody knows of it yet.
    No,
}

/// Who runs a segment.
pub trait Driver {
    /// Why it leaves a segment before the end.
    type Left;

    /// Runs the current thread of `state` for a while.
    fn run(&mut self, state: &mut State) -> Result<Stop, Self::Left>;

    /// The running thread cannot go on, for this reason; the others may.
    fn stopped(&mut self, state: &State, end: &PathEnd) -> Result<Noted, Self::Left>;

    /// The running thread pauses: before a visible step, at its end, or (for proofs) at the head of a loop.
    fn paused(&mut self, _state: &State) {}

    /// Which of the threads with local work goes on; with `None` the segment is over.
    fn next(&mut self, state: &State) -> Option<usize> {
        state.local_threads().next()
    }

    /// A thread that has rested is about to go on.
    fn resumed(&mut self, _state: &mut State, _thread: usize) {}
}

/// Runs the segment that is under way in `state`, or what local work there is.
pub fn run_segment<D: Driver>(driver: &mut D, state: &mut State) -> Result<SegmentEnd, D::Left> {
    let mut is_running = state.is_under_way();
    loop {
        if !is_running {
            let Some(thread) = driver.next(state) else { return Ok(SegmentEnd::AtRest) };
            state.resume(thread);
            driver.resumed(state, thread);
            is_running = true;
        }
        match driver.run(state)? {
            Stop::Budget => {}
            Stop::Pause => {
                driver.paused(state);
                is_running = false;
            }
            Stop::Fork(ways) => return Ok(SegmentEnd::Forked(ways)),
            Stop::Lost => return Ok(SegmentEnd::Lost),
            Stop::End(end) => {
                let noted = driver.stopped(state, &end)?;
                state.stop(&end, noted);
                is_running = false;
            }
        }
    }
}

impl State {
    /// The running thread goes no further, because of what has happened; the others may.
    pub fn stop(&mut self, end: &PathEnd, noted: Noted) {
        match end {
            PathEnd::Exit(code) => {
                self.exited.get_or_insert(*code);
            }
            PathEnd::Infeasible => self.is_cut = true,
            PathEnd::Finding(_) if noted == Noted::Yes => {
                self.is_cut = true;
                self.n_noted += 1;
            }
            PathEnd::Finding(_)
            | PathEnd::Unchecked(_)
            | PathEnd::Bound(_)
            | PathEnd::Unsupported(_)
            | PathEnd::SolverUnknown(_) => {
                self.is_cut = true;
                self.has_failed = true;
            }
        }
        self.halt();
    }
}
