//! Loops that wait.
//!
//! An iteration that comes back to its loop's head with the same local state, having changed nothing, will do
//! the same again until something it read changes. The thread is then blocked on those places, which is
//! sound for safety (a repeated iteration adds no state) and makes busy waiting finite.
//!
//! An iteration *changes nothing* if it wrote no other value to memory, gave and took no synchronisation
//! object except locks it has released again, and used up no input. What it read must not have changed
//! since it was read, else the next iteration may differ.
//!
//! The first step after waking up could not have happened earlier; the reduction must know this, so that step also has
//! an access of mode [`Mode::Spin`] to each place that was waited for.

use std::rc::Rc;

use selvedge_base::Id;
use selvedge_por::{Access, Location, Mode};
use selvedge_program::BlockId;

use super::Phase;
use crate::finding::{Res, Stop};
use crate::state::Frame;
use crate::step::Step;

/// Places that one iteration may read and still be taken for a wait.
const MAX_PLACES: usize = 32;
/// Nested loops that are watched.
const MAX_PROBES: usize = 8;

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
    /// The running thread has come to the head of a loop: again, or from outside.
    pub(crate) fn at_loop_head(&mut self, header: BlockId, again: bool) -> Res<()> {
        if self.st.granted || self.st.thread().atomic_depth > 0 {
            return Ok(());
        }
        let live = self.m.live_at_head(self.st.frame().func, header);
        let thread = self.st.thread();
        let depth = thread.frames.len();
        let frame = thread.frames.last().expect("a running thread has a frame");
        let is_here = |p: &Rc<Probe>| p.depth == depth && p.frame.token == frame.token && p.header == header;
        let known = thread.probes.iter().rposition(is_here);
        if again
            && let Some(probe) = known.map(|i| &thread.probes[i])
            && !probe.reads.is_empty()
            && !probe.is_stale
            && live.iter().all(|reg| probe.frame.regs[reg.index()] == frame.regs[reg.index()])
            && (probe.n_inputs, probe.n_undefs, probe.n_held)
                == (thread.n_inputs, thread.n_undefs, thread.n_held)
        {
            let places = probe.reads.clone();
            let thread = self.st.thread_mut();
            thread.probes.clear();
            thread.decisions.clear();
            thread.phase = Phase::Spinning(places);
            return Err(Box::new(Stop::Pause));
        }
        let probe = Rc::new(Probe {
            depth,
            header,
            frame: frame.clone(),
            n_inputs: thread.n_inputs,
            n_undefs: thread.n_undefs,
            n_held: thread.n_held,
            reads: Vec::new(),
            is_stale: false,
        });
        let token = frame.token;
        let probes = &mut self.st.thread_mut().probes;
        match known {
            // Inner loops have been left.
            Some(i) => probes.truncate(i),
            // So have those of functions that have returned.
            None => probes.retain(|p| p.depth < depth || (p.depth == depth && p.frame.token == token)),
        }
        if probes.len() < MAX_PROBES {
            probes.push(probe);
        }
        Ok(())
    }

    /// The running thread has changed something.
    #[inline]
    pub(crate) fn has_effect(&mut self) {
        if self.st.is_concurrent && !self.st.thread().probes.is_empty() {
            self.st.thread_mut().probes.clear();
        }
        if self.st.thread().woke_alone.is_some() {
            self.st.thread_mut().woke_alone = None;
        }
    }

    /// Keeps the probes of all threads up to date with an access of the running one, and wakes those that
    /// waited for it.
    pub(super) fn watch(&mut self, access: Access) {
        let location = access.location;
        if !access.mode.changes() {
            if !self.st.thread().probes.is_empty() {
                let probes = &mut self.st.thread_mut().probes;
                probes.retain(|probe| probe.reads.len() < MAX_PLACES);
                for probe in probes.iter_mut().filter(|p| !p.reads.contains(&location)) {
                    Rc::make_mut(probe).reads.push(location);
                }
            }
            return;
        }
        if !is_lock(access.mode) {
            self.has_effect();
        }
        let current = self.st.current;
        for i in 0..self.st.threads.len() {
            let other = &self.st.threads[i];
            if i == current {
                continue;
            }
            if let Phase::Spinning(places) = &other.phase {
                if places.iter().any(|p| p.overlaps(location)) {
                    let other = Rc::make_mut(&mut self.st.threads[i]);
                    if let Phase::Spinning(places) = std::mem::replace(&mut other.phase, Phase::Local) {
                        other.spun = places;
                    }
                }
            } else if other.probes.iter().any(|probe| probe.has_read(location)) {
                let other = Rc::make_mut(&mut self.st.threads[i]);
                for probe in other.probes.iter_mut().filter(|probe| probe.has_read(location)) {
                    Rc::make_mut(probe).is_stale = true;
                }
            }
        }
    }
}

/// Locks that an iteration takes and gives back leave nothing behind.
fn is_lock(mode: Mode) -> bool {
    matches!(mode, Mode::Take { .. } | Mode::Give { .. } | Mode::TakeShared { .. } | Mode::GiveShared { .. })
}

impl Probe {
    fn has_read(&self, location: Location) -> bool {
        !self.is_stale && self.reads.iter().any(|p| p.overlaps(location))
    }
}
