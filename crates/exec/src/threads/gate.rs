//! The gate before visible steps, and the record of what such a step touches.

use selvedge_por::{Access, Accesses, IfMoved, Location, Mode};
use selvedge_program::{Inst, Order};
use selvedge_term::TermId;

use super::Phase;
use crate::finding::{Res, Stop, unsupported};
use crate::state::State;
use crate::step::{Offset, Step};
use crate::value::{ObjId, Region, Value};

impl Step<'_, '_> {
    /// Stops before a visible step unless the search has let it happen. Must come before the instruction
    /// changes anything.
    pub(crate) fn gate(&mut self, planned: impl IntoIterator<Item = Access>) -> Res<()> {
        if self.st.granted {
            return Ok(());
        }
        let planned: Accesses = planned.into_iter().collect();
        self.st.thread_mut().phase = Phase::Waiting(planned);
        Err(Box::new(Stop::Pause))
    }

    /// Waits until the guards of `wants` are open; `object` is where the synchronisation object lies.
    pub(crate) fn wait_for(&mut self, object: ObjId, wants: &[Access]) -> Res<()> {
        let is_open = wants.iter().all(|w| self.st.is_open(*w));
        if self.st.granted {
            if !is_open {
                return unsupported("a thread waits inside an atomic section");
            }
            return Ok(());
        }
        if is_open && !self.is_visible(object) {
            return Ok(());
        }
        self.gate(wants.iter().copied())
    }

    /// Whether others can notice what happens to `object`.
    pub(crate) fn is_visible(&self, object: ObjId) -> bool {
        self.st.is_concurrent && self.st.mem.get(object).is_none_or(|o| o.is_shared)
    }

    /// Notes an access of the visible step under way.
    pub(crate) fn note(&mut self, access: Access) {
        if !self.st.granted {
            return;
        }
        if self.st.thread().atomic_depth > 0 && !self.is_section_of_clocks(access) {
            // Which way a section takes may depend on what others have done.
            self.st.event.if_moved = IfMoved::Anything;
        }
        note_in(self.st, access);
        self.order_sync(access);
        self.watch(access);
    }

    /// Whether this is an access of the run-time's own sections about clocks, which take one way only. Others touch clocks
    /// atomically.
    fn is_section_of_clocks(&self, access: Access) -> bool {
        let frame = self.st.frame();
        let inst = &self.m.image.program.funcs[frame.func].blocks[frame.block].insts[frame.idx];
        self.st.thread().atomic_depth == 1
            && self.is_clock(access.location)
            && matches!(inst, Inst::Load { .. } | Inst::Store { .. })
    }

    /// Whether a place is in the state of the clocks.
    pub(super) fn is_clock(&self, place: Location) -> bool {
        matches!(place, Location::Memory { object, .. } if self.m.image.clocks.is_some_and(|c| c.key() == object))
    }

    /// Notes that the step under way would make `access` at another time.
    pub(crate) fn note_if_moved(&mut self, access: Access) {
        if !self.st.granted {
            return;
        }
        let event = &mut self.st.event;
        match &mut event.if_moved {
            IfMoved::Same => {
                event.if_moved = IfMoved::AtMost(event.accesses.iter().copied().chain([access]).collect());
            }
            IfMoved::AtMost(accesses) => accesses.push(access),
            IfMoved::Anything => {}
        }
    }

    /// What the step under way has read it would also write at another time.
    pub(crate) fn note_writes_if_moved(&mut self) {
        if self.st.granted {
            for access in self.st.event.accesses.clone() {
                self.note_if_moved(Access::read_write(access.location));
            }
        }
    }

    /// An access to memory: stops at the gate if others can notice it.
    #[inline]
    pub(crate) fn touch(&mut self, obj: ObjId, off: Offset, size: u64, mode: Mode) -> Res<()> {
        if !self.m.names.is_empty() && mode == Mode::Read {
            self.looks_at_name(obj, off);
        }
        if self.st.is_concurrent { self.touch_shared(obj, off, size, mode) } else { Ok(()) }
    }

    /// Whether an access to an object is one that others can notice.
    fn is_noticed(&self, obj: ObjId) -> Res<bool> {
        let Some(object) = self.st.mem.get(obj) else { return Ok(false) };
        if !object.is_shared {
            // Its own thread's, or reached by an address that no pointer carried.
            return match obj.thread() as usize == self.st.current {
                true => Ok(false),
                false => Err(Box::new(Stop::Lost)),
            };
        }
        // In a section, too: what comes before its first access that matters need not be one step with the rest.
        Ok(object.writable && self.m.is_relevant(self.st.frame()))
    }

    /// An access that depends on the life of an object and not on what is in it.
    pub(crate) fn touch_life(&mut self, obj: ObjId, off: Offset) -> Res<()> {
        if !self.st.is_concurrent || !self.is_noticed(obj)? {
            return Ok(());
        }
        let access = Access::read(self.location(obj, off, 1)?);
        self.gate([access])?;
        self.note(access);
        Ok(())
    }

    fn touch_shared(&mut self, obj: ObjId, off: Offset, size: u64, mode: Mode) -> Res<()> {
        if !self.is_noticed(obj)? {
            return Ok(());
        }
        let location = self.location(obj, off, size)?;
        let access = Access::new(location, mode);
        self.gate([access])?;
        self.note(access);
        self.check_race(obj, location, exact(off, size), mode)
    }

    fn location(&mut self, obj: ObjId, off: Offset, size: u64) -> Res<Location> {
        let term = match off {
            Offset::At(off) => return Ok(Location::bytes(obj.key(), off, size)),
            Offset::Sym(term) => term,
        };
        let (low, high, _) = match self.oracle.actual(&mut self.m.symbols(), term) {
            None => self.places(obj, term, size),
            Some(actual) => {
                // What follows is right only for the places that the actual access was taken to reach.
                let (low, high, step) = self.places(obj, actual, size);
                let inside = self.in_range(term, low, high.saturating_sub(low));
                let outside = self.m.pool.not(inside);
                self.choose(&[inside, outside])?;
                (low, high, step)
            }
        };
        Ok(match high.checked_sub(low) {
            Some(more) => Location::bytes(obj.key(), low, more + size),
            None => Location::whole(obj.key()),
        })
    }

    /// An atomic write, under way, of the value that is there already: nobody can notice it, but it orders.
    pub(crate) fn touch_silently(&mut self, obj: ObjId, off: Offset, size: u64) -> Res<()> {
        self.note_writes_if_moved();
        if !self.is_visible(obj) {
            return Ok(());
        }
        let location = self.location(obj, off, size)?;
        self.check_race(obj, location, exact(off, size), Mode::Write)
    }

    /// A compare-exchange, under way, that does not exchange: a read of this order.
    pub(crate) fn touch_in_vain(&mut self, obj: ObjId, off: Offset, size: u64, order: Order) -> Res<()> {
        if self.st.races.is_none() || !self.is_visible(obj) {
            return Ok(());
        }
        let location = self.location(obj, off, size)?;
        self.check_race_as(obj, location, exact(off, size), Mode::Read, Some(order))
    }

    /// An access to all of an object: its release, the end of its scope.
    pub(crate) fn touch_whole(&mut self, obj: ObjId) -> Res<()> {
        if !self.is_visible(obj) || !self.m.is_relevant(self.st.frame()) {
            return Ok(());
        }
        let access = Access::write(Location::whole(obj.key()));
        self.gate([access])?;
        self.note(access);
        // What threads synchronise with there goes, too.
        let range = self.st.mem.get(obj).map(|o| o.base..o.base + o.size);
        let keys: Vec<u64> = range.map_or_else(Vec::new, |range| self.st.sync.keys_in(range).collect());
        for key in keys {
            self.note(Access::queue(key));
        }
        self.check_race(obj, access.location, None, Mode::Write)
    }

    /// An access to an object that is gone.
    pub(crate) fn touch_dead(&mut self, obj: ObjId, write: bool) -> Res<()> {
        if obj.region() == Region::Function || !self.is_visible(obj) {
            return Ok(());
        }
        let mode = if write { Mode::Write } else { Mode::Read };
        let access = Access::new(Location::whole(obj.key()), mode);
        self.gate([access])?;
        self.note(access);
        Ok(())
    }

    /// As [`touch`](Self::touch), through a pointer that is already resolved.
    pub(crate) fn touch_at(&mut self, ptr: Value, size: u64, mode: Mode) -> Res<()> {
        let Value::Ptr { obj, addr } = ptr else { return Ok(()) };
        let Some(object) = self.st.mem.get(obj) else { return Ok(()) };
        let off = addr.wrapping_sub(object.base);
        self.touch(obj, Offset::At(off), size, mode)
    }

    /// The locals of the running thread made since `mark` are about to go.
    pub(crate) fn touch_stack(&mut self, mark: usize) -> Res<()> {
        if !self.st.is_concurrent {
            return Ok(());
        }
        let thread = self.st.current as u32;
        let shared: Vec<ObjId> = self.st.mem.shared_stack(thread, mark).collect();
        for obj in shared {
            self.touch_whole(obj)?;
        }
        Ok(())
    }
}

/// Where an access begins and its size, if that depends on inputs.
fn exact(off: Offset, size: u64) -> Option<(TermId, u64)> {
    match off {
        Offset::At(_) => None,
        Offset::Sym(term) => Some((term, size)),
    }
}

/// Adds an access; a read and a write of one place are a read-write.
fn note_in(state: &mut State, access: Access) {
    let accesses = &mut state.event.accesses;
    if let Some(earlier) = accesses.iter_mut().find(|a| a.location == access.location) {
        match (earlier.mode, access.mode) {
            (Mode::Read, Mode::Write) => earlier.mode = Mode::ReadWrite,
            // A thread that reads what it has waited for, or has written itself, does nothing more.
            (Mode::Spin | Mode::Write, Mode::Read) | (Mode::ReadWrite, Mode::Read | Mode::Write) => {}
            (a, b) if a == b => {}
            _ => accesses.push(access),
        }
        return;
    }
    accesses.push(access);
}
