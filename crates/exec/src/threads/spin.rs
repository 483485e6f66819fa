//! Loops that wait.
//!
//! An iteration that comes back to its loop's head with the same local state, having changed nothing, will do
//! the same again until something it read changes. The thread is then blocked on those places, which is
//! sound for safety (a repeated iteration adds no state) and makes busy waiting finite.
//!
//! An iteration *changes nothing* if it wrote no other value to memory, gave and took no synchronisation
//! object except locks it has released again, and used up no input. What it read must not have changed
//! since it was read, else the next iteration may differ.

use std::rc::Rc;

use selvedge_por::{Access, Location, Mode};
use selvedge_program::BlockId;

use super::Phase;
use crate::finding::{Res, Stop};
use crate::state::Frame;
use crate::step::Step;

/// Places that one iteration may read and still be taken for a wait.
const MAX_PLACES: usize = 32;

/// A loop head with the local state there, and what was read since.
#[derive(Clone, Debug)]
pub(crate) struct Probe {
    depth: usize,
    header: BlockId,
    frame: Rc<Frame>,
    n_inputs: u32,
    n_undefs: u32,
    n_held: u32,
    reads: Vec<Location>,
    /// Something read was changed by another thread.
    is_stale: bool,
}

impl Step<'_, '_> {
    /// The running thread has gone back to the head of a loop.
    pub(crate) fn at_loop_head(&mut self, header: BlockId) -> Res<()> {
        if self.st.granted || self.st.thread().atomic_depth > 0 {
            return Ok(());
        }
        let thread = self.st.thread();
        let depth = thread.frames.len();
        let frame = thread.frames.last().expect("a running thread has a frame");
        if let Some(probe) = &thread.probe {
            if probe.depth > depth || (probe.depth == depth && probe.frame.token != frame.token) {
                // The loop was left.
            } else if probe.depth < depth || probe.header != header {
                return Ok(()); // An inner loop of the one being watched.
            } else if !probe.reads.is_empty()
                && !probe.is_stale
                && probe.frame.regs == frame.regs
                && (probe.n_inputs, probe.n_undefs, probe.n_held)
                    == (thread.n_inputs, thread.n_undefs, thread.n_held)
            {
                let places = probe.reads.clone();
                let thread = self.st.thread_mut();
                thread.probe = None;
                thread.decisions.clear();
                thread.phase = Phase::Spinning(places);
                return Err(Box::new(Stop::Pause));
            }
        }
        let probe = Probe {
            depth,
            header,
            frame: frame.clone(),
            n_inputs: thread.n_inputs,
            n_undefs: thread.n_undefs,
            n_held: thread.n_held,
            reads: Vec::new(),
            is_stale: false,
        };
        self.st.thread_mut().probe = Some(Rc::new(probe));
        Ok(())
    }

    /// The running thread has changed something.
    #[inline]
    pub(crate) fn has_effect(&mut self) {
        if self.st.is_concurrent && self.st.thread().probe.is_some() {
            self.st.thread_mut().probe = None;
        }
    }

    /// Keeps the probes of all threads up to date with an access of the running one, and wakes those that
    /// waited for it.
    pub(super) fn watch(&mut self, access: Access) {
        let changes = access.mode.changes();
        let location = access.location;
        if !changes {
            if self.st.thread().probe.is_some() {
                let thread = self.st.thread_mut();
                let probe = Rc::make_mut(thread.probe.as_mut().expect("seen above"));
                if probe.reads.len() >= MAX_PLACES {
                    thread.probe = None;
                } else if !probe.reads.contains(&location) {
                    probe.reads.push(location);
                }
            }
            return;
        }
        let is_lock = matches!(
            access.mode,
            Mode::Take { .. } | Mode::Give { .. } | Mode::TakeShared { .. } | Mode::GiveShared { .. }
        );
        if !is_lock {
            self.has_effect();
        }
        let current = self.st.current;
        for i in 0..self.st.threads.len() {
            if i == current {
                continue;
            }
            let other = &self.st.threads[i];
            match &other.phase {
                Phase::Spinning(places) if places.iter().any(|p| p.overlaps(location)) => {
                    Rc::make_mut(&mut self.st.threads[i]).phase = Phase::Local;
                }
                _ => {
                    let is_read = |probe: &Rc<Probe>| {
                        !probe.is_stale && probe.reads.iter().any(|p| p.overlaps(location))
                    };
                    if other.probe.as_ref().is_some_and(is_read) {
                        let other = Rc::make_mut(&mut self.st.threads[i]);
                        Rc::make_mut(other.probe.as_mut().expect("seen above")).is_stale = true;
                    }
                }
            }
        }
    }
}
