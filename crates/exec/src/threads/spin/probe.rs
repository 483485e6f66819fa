//! What is kept of a loop that may turn out to be a wait.

use std::rc::Rc;

use selvedge_base::Id;
use selvedge_por::Location;
use selvedge_program::{BlockId, Reg};

use crate::control::{leads, location_shape};
use crate::memory::Memory;
use crate::state::{Frame, Thread};
use crate::value::{ObjId, Region, Value};

/// A loop head with the local state there, and what was read since.
#[derive(Clone, Debug)]
pub(crate) struct Probe {
    pub(super) depth: usize,
    pub(super) header: BlockId,
    pub(super) frame: Rc<Frame>,
    pub(super) n_inputs: u32,
    pub(super) n_natural: u32,
    pub(super) n_readings: u32,
    /// Length of the path condition.
    pub(super) n_conditions: usize,
    pub(super) n_undefs: u32,
    pub(super) n_held: u32,
    /// Locals whose content makes no difference at the head.
    pub(super) dead: Rc<[ObjId]>,
    /// Those among them that were out of scope.
    pub(super) n_out_of_scope: usize,
    /// The locks among these, each with how often and how many shares.
    pub(super) held: Vec<(u64, u32, u32)>,
    /// What the thread owned.
    pub(super) own: Own,
    pub(super) reads: Vec<Read>,
    /// A lock that the thread holds at the head was given back in between.
    pub(super) gave: bool,
}

/// Something that was read since the head of a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    pub(crate) place: Location,
    /// What was there; `None` where that is not the content of a few bytes.
    pub(crate) value: Option<Value>,
}

/// How many objects a thread had made: on its stack, which shrinks again, and in the heap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    pub(super) n_locals: usize,
    pub(super) n_blocks: usize,
}

impl Own {
    /// Whether an object of that thread was made later.
    pub(super) fn is_older_than(self, obj: ObjId) -> bool {
        match obj.region() {
            Region::Stack => obj.index() >= self.n_locals,
            Region::Heap => obj.index() >= self.n_blocks,
            Region::Global | Region::Function => false,
        }
    }
}

impl Probe {
    /// The frame as it was at the head.
    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Replaces that frame.
    pub(crate) fn set_frame(&mut self, frame: Frame) {
        self.frame = Rc::new(frame);
    }

    /// The head of the loop.
    pub(crate) fn header(&self) -> BlockId {
        self.header
    }

    /// What was read since.
    pub(crate) fn reads(&self) -> &[Read] {
        &self.reads
    }

    /// Replaces the value of one of these.
    pub(crate) fn set_read(&mut self, i: usize, value: Value) {
        self.reads[i].value = Some(value);
    }

    /// What is kept of the head, by number: its registers, then what was read.
    pub(crate) fn kept(&self, number: usize) -> Option<Value> {
        match number.checked_sub(self.frame.regs.len()) {
            None => self.frame.regs.get(number).copied(),
            Some(i) => self.reads.get(i)?.value,
        }
    }

    /// What a control state has of it; counters as differences.
    pub(crate) fn shape(
        &self,
        (thread, mem): (&Thread, &Memory),
        header_number: u32,
        live: &[Reg],
        out: &mut Vec<u64>,
    ) {
        let Probe {
            depth,
            header: _, // is numbered by the caller
            frame,
            n_inputs,
            n_natural,
            n_undefs,
            n_held,
            held,
            own: Own { n_locals, n_blocks },
            reads,
            gave,
            dead,
            n_out_of_scope,
            // There is no control state after a reading (see `has_read_clock`).
            n_readings: _,
            // Looked at together with readings, which are still to come: what was assumed before about other inputs
            // decides nothing, because these end the watch or the path.
            n_conditions: _,
        } = self;
        out.extend([
            (*depth as u64) << 32 | u64::from(header_number),
            u64::from(thread.n_inputs - n_inputs) << 32 | u64::from(thread.n_natural - n_natural),
            u64::from(thread.n_undefs - n_undefs) << 32 | u64::from(*n_held),
            (*n_locals as u64) << 32 | *n_blocks as u64,
            u64::from(*gave) << 32 | held.len() as u64,
        ]);
        out.extend(held.iter().flat_map(|&(key, count, shares)| [key, u64::from(count), u64::from(shares)]));
        out.push((*n_out_of_scope as u64) << 32 | dead.len() as u64);
        out.extend(dead.iter().map(|obj| obj.denotation().key()));
        out.push(reads.len() as u64);
        for Read { place, value } in reads {
            location_shape(*place, out);
            out.push(u64::from(value.is_some()));
            // What was there is a state variable.
            out.extend(value.iter().flat_map(|value| leads(mem, *value)));
        }
        // So is what the registers held. The frame is that of the loop, which stands on the stack below.
        out.extend(live.iter().flat_map(|reg| leads(mem, frame.regs[reg.index()])));
    }

    /// Whether the iteration under way has read a clock.
    pub(crate) fn has_read_clock(&self, thread: &Thread) -> bool {
        self.n_readings != thread.n_readings
    }

    /// Whether a change of `location` makes it unknown whether the same would be read again.
    pub(super) fn is_lost(&self, location: Location) -> bool {
        self.reads.iter().any(|read| read.value.is_none() && read.place.overlaps(location))
    }
}
