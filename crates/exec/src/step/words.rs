//! Copies that other threads can see half done.
//!
//! Neither a C library nor the assignment of a structure moves more than a word at once. A range that more than one
//! thread can reach is therefore moved word by word, and every read and every write of a shared word is a visible step
//! of its own. Between them the instruction stays where it is, with [`Thread::copying`] saying how far it has come;
//! all its questions are asked before the first of them.
//!
//! Guarantees: the pieces are aligned words, or the largest aligned parts of words at the ends and where the two sides
//! are not aligned alike; they come in ascending order, or in descending order where `memmove` needs it. A word that
//! has been read and not yet written lies in an object of its own on the thread's stack, with the provenance of a
//! pointer in it, so that a state in the middle of a copy is described by its memory and the [`CopyProgress`].
//! What nobody else can reach, and what an atomic section copies, is still moved at once.
//!
//! [`Thread::copying`]: crate::state::Thread

use std::rc::Rc;

use selvedge_por::Mode;
use selvedge_program::Program;

use super::Step;
use super::resolve::Offset;
use crate::control::leads;
use crate::finding::Res;
use crate::memory::{Content, Memory, Origin};
use crate::state::State;
use crate::value::{ObjId, Value};

/// How far the instruction at which a thread stands has come with what it copies.
///
/// Together with the call stack it says where the thread stands: two states agree on a thread's control location only
/// if they agree on this, too (see [`State::copy_progress`]).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CopyProgress {
    /// What is still to be moved; the last one is under way.
    ranges: Vec<Range>,
    /// Bytes of it that have been moved.
    done: u64,
    /// Something has been moved, or is on its way.
    pub(crate) is_under_way: bool,
    /// Where the next word waits that has been read and not yet written.
    held: Option<ObjId>,
    /// The copies of arguments passed by value, in their order.
    pub(super) made: Vec<ObjId>,
}

/// A range of bytes to be moved or filled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Range {
    pub(super) to: Place,
    /// Where from; `None` if it is filled.
    pub(super) from: Option<Place>,
    pub(super) len: u64,
    /// From the end to the beginning.
    pub(super) is_backward: bool,
}

/// An address in an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Place {
    pub(super) obj: ObjId,
    pub(super) addr: u64,
}

impl Place {
    pub(super) fn value(self) -> Value {
        Value::Ptr { obj: self.obj, addr: self.addr }
    }

    fn at(self, at: u64) -> Value {
        Value::Ptr { obj: self.obj, addr: self.addr + at }
    }
}

/// The next visible step of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CopyStep {
    /// First byte, from the beginning of the range.
    pub at: u64,
    /// Bytes.
    pub size: u64,
    /// They are read.
    pub reads: bool,
    /// They are written, as they are read or after an earlier step has read them.
    pub writes: bool,
    /// The program does not ask for it: an argument is passed by value, or a library function copies.
    pub is_implicit: bool,
}

impl CopyProgress {
    /// What a control state has of it.
    pub(crate) fn shape(&self, mem: &Memory, out: &mut Vec<u64>) {
        let CopyProgress { ranges, done, is_under_way, held, made } = self;
        let slot = |obj: ObjId| (obj.index() as u64) << 32 | u64::from(obj.thread());
        out.extend([ranges.len() as u64, *done, u64::from(*is_under_way)]);
        for Range { to, from, len, is_backward } in ranges {
            // Another object may lie there by now.
            let place = |place: &Place| {
                let [obj, is_live] = leads(mem, place.value());
                [place.addr, obj, is_live]
            };
            out.extend(place(to));
            out.extend(from.as_ref().map_or([0; 3], place));
            out.extend([*len, u64::from(*is_backward)]);
        }
        out.push(held.map_or(0, |obj| slot(obj) + 1));
        out.push(made.len() as u64);
        out.extend(made.iter().map(|obj| slot(*obj)));
    }

    /// Bytes of the range under way.
    pub(super) fn range_len(&self) -> u64 {
        self.ranges.last().map_or(0, |range| range.len)
    }
}

impl State {
    /// How far `thread` has come with a copy in whose middle it stands.
    ///
    /// Part of its control location: instructions, call stack and this determine what the thread does next.
    pub fn copy_progress(&self, thread: usize) -> Option<&CopyProgress> {
        self.threads[thread].copying.as_deref()
    }

    /// The next visible step of `thread` if it stands before a word of a copy that has begun.
    pub fn copy_step(&self, program: &Program, thread: usize) -> Option<CopyStep> {
        let progress = self.copy_progress(thread)?;
        let range = progress.ranges.last()?;
        let (at, size) = self.piece(range, progress.done, program.ptr_bytes());
        let in_library = self.threads[thread].frames.last().is_some_and(|f| program.funcs[f.func].is_runtime);
        let reads = range.from.is_some() && progress.held.is_none();
        let is_held = reads && self.is_exposed_from(range) && self.is_exposed(range.to.obj);
        Some(CopyStep {
            at,
            size,
            reads,
            writes: !is_held,
            is_implicit: in_library || !progress.made.is_empty(),
        })
    }

    /// Whether other threads can notice accesses to `obj`.
    pub(crate) fn is_exposed(&self, obj: ObjId) -> bool {
        self.is_concurrent && self.mem.get(obj).is_none_or(|o| o.is_shared && o.writable)
    }

    fn is_exposed_from(&self, range: &Range) -> bool {
        range.from.is_some_and(|from| self.is_exposed(from.obj))
    }

    /// The position and size of the piece of `range` that comes after `done` bytes.
    fn piece(&self, range: &Range, done: u64, word: u64) -> (u64, u64) {
        if !self.is_exposed(range.to.obj) && !self.is_exposed_from(range) {
            return (if range.is_backward { 0 } else { done }, range.len - done);
        }
        let edge = if range.is_backward { range.len - done } else { done };
        let mut size = word;
        let mut fit = |place: Place| {
            if self.is_exposed(place.obj) {
                while !(place.addr.wrapping_add(edge)).is_multiple_of(size) {
                    size /= 2;
                }
            }
        };
        fit(range.to);
        range.from.into_iter().for_each(&mut fit);
        while size > range.len - done {
            size /= 2;
        }
        (if range.is_backward { edge - size } else { edge }, size)
    }

    /// Whether moving `range` is more than one visible step.
    fn is_torn(&self, range: &Range, word: u64) -> bool {
        if !self.is_concurrent || self.thread().atomic_depth > 0 {
            return false;
        }
        match (self.is_exposed_from(range), self.is_exposed(range.to.obj)) {
            (false, false) => false,
            (true, true) => true,
            _ => self.piece(range, 0, word).1 < range.len,
        }
    }
}

impl Step<'_, '_> {
    fn word(&self) -> u64 {
        u64::from(self.ptr_bits() / 8)
    }

    /// Whether moving `range` is more than one visible step.
    pub(super) fn is_torn(&self, range: &Range) -> bool {
        self.st.is_torn(range, self.word())
    }

    /// Begins to move `ranges` in steps. Says whether everything has been moved by now.
    pub(super) fn begin_copy(
        &mut self,
        mut ranges: Vec<Range>,
        made: Vec<ObjId>,
        byte: Option<Value>,
    ) -> Res<bool> {
        ranges.retain(|range| range.len > 0);
        ranges.reverse();
        let progress = CopyProgress { ranges, done: 0, is_under_way: false, held: None, made };
        self.st.thread_mut().copying = Some(Rc::new(progress));
        // What this run of the instruction has found out is kept now; it must not stop any more.
        if self.st.granted { self.go_on_copying(byte) } else { Ok(false) }
    }

    /// The copy that the instruction has begun.
    pub(super) fn copying(&self) -> Option<Rc<CopyProgress>> {
        self.st.thread().copying.clone()
    }

    /// Goes on with the copy that the instruction has begun, by one visible step at most. `byte` is what is filled in
    /// where nothing is copied. If this is not the end, the instruction must leave it at that, and runs again.
    pub(super) fn go_on_copying(&mut self, byte: Option<Value>) -> Res<bool> {
        let progress = self.copying().expect("a copy has begun");
        let mut progress = CopyProgress::clone(&progress);
        let mut has_moved = false;
        while let Some(range) = progress.ranges.last().copied() {
            let (at, size) = self.st.piece(&range, progress.done, self.word());
            let part = match (progress.held, range.from) {
                (Some(held), _) => Some(self.st.mem.get(held).expect("on the stack").content.clone()),
                (None, None) => None,
                (None, Some(from)) => {
                    let is_exposed = self.st.is_exposed(from.obj);
                    if is_exposed && has_moved {
                        break;
                    }
                    let part = self.read_piece(from.at(at), size)?;
                    if is_exposed && self.st.is_exposed(range.to.obj) {
                        progress.held = Some(self.hold(part)?);
                        has_moved = true;
                        continue;
                    }
                    Some(part)
                }
            };
            if has_moved && self.st.is_exposed(range.to.obj) {
                break;
            }
            self.write_piece(range.to.at(at), size, part, byte)?;
            if progress.held.take().is_some() {
                self.st.mem.forget_newest(self.st.current as u32);
            }
            has_moved = true;
            progress.done += size;
            if progress.done == range.len {
                progress.ranges.pop();
                progress.done = 0;
            }
        }
        progress.is_under_way = true;
        let is_over = progress.ranges.is_empty();
        self.st.thread_mut().copying = if is_over { None } else { Some(Rc::new(progress)) };
        Ok(is_over)
    }

    fn read_piece(&mut self, from: Value, size: u64) -> Res<Content> {
        let (obj, off) = self.resolve_known(from, size, false)?;
        self.touch(obj, Offset::At(off), size, Mode::Read)?;
        self.reads_beside_locks(obj, off, size)?;
        let mut cx = self.m.symbols();
        Ok(self.st.mem.get(obj).expect("resolved").content.slice(&mut cx, off, size))
    }

    fn write_piece(&mut self, to: Value, size: u64, part: Option<Content>, byte: Option<Value>) -> Res<()> {
        let (obj, off) = self.resolve_known(to, size, true)?;
        self.touch(obj, Offset::At(off), size, Mode::Write)?;
        let is_over = self.writes_over(obj, off, size)?;
        match part {
            Some(part) => self.put_content(obj, off, &part),
            None => self.put_bytes(obj, off, size, byte.expect("what is not copied is filled")),
        }
        if is_over {
            self.wrote_over(obj, off, size);
        }
        Ok(())
    }

    /// Keeps a word that has been read in an object that nobody knows.
    fn hold(&mut self, part: Content) -> Res<ObjId> {
        let (obj, _) =
            self.new_stack_object(part.len(), 1, Origin::Engine("a word on its way".into()), false)?;
        self.st.mem.get_mut(obj).expect("just made").content = part;
        Ok(obj)
    }

    fn resolve_known(&mut self, place: Value, size: u64, write: bool) -> Res<(ObjId, u64)> {
        let bits = self.ptr_bits();
        let (obj, off) = self.resolve(place, size, write)?;
        Ok((obj, self.concrete_offset(off, bits)?))
    }
}
