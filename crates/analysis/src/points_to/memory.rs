//! What memory holds: objects with their offsets, cells that are written and read, and copies between them.
//!
//! Where many write and many read, each goes through a node in the middle, so that edges add up and do not multiply: all
//! loads of the same bytes of an object share one node, and so do the same bytes of all sources of a copy.

use rustc_hash::FxHashMap;

use super::{Flow, MAX_OFFSETS, Node, Place, SetId, Solver};
use crate::object::{ANY, ObjectId, Origin, Range};
use crate::sparse_set::{Bits, SparseSet, Word};

/// An abstract object.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) origin: Origin,
    size: Option<u64>,
    /// By slot, without slot 0.
    pub(super) offsets: Vec<i64>,
    /// What is written to these bytes.
    cells: Vec<(Range, Node)>,
    by_range: FxHashMap<Range, Node>,
    /// What is read from these bytes.
    readers: Vec<(Range, Node)>,
    reader_of: FxHashMap<Range, Node>,
    /// The bytes that a copy takes.
    taken: Vec<(Range, u32)>,
}

impl Object {
    pub(super) fn new(origin: Origin, size: Option<u64>) -> Object {
        Object {
            origin,
            size,
            offsets: Vec::new(),
            cells: Vec::new(),
            by_range: FxHashMap::default(),
            readers: Vec::new(),
            reader_of: FxHashMap::default(),
            taken: Vec::new(),
        }
    }

    /// The slot of an offset: 0 if it is outside, or one too many.
    pub(super) fn slot(&mut self, offset: i64) -> u32 {
        if offset < 0 || self.size.is_some_and(|size| offset as u64 > size) {
            return 0;
        }
        if let Some(known) = self.offsets.iter().position(|o| *o == offset) {
            return known as u32 + 1;
        }
        if self.offsets.len() >= MAX_OFFSETS {
            return 0;
        }
        self.offsets.push(offset);
        self.offsets.len() as u32
    }

    #[cfg(test)]
    pub(super) fn size(&self) -> Option<u64> {
        self.size
    }

    pub(super) fn offset(&self, slot: u32) -> i64 {
        if slot == 0 { ANY } else { self.offsets[slot as usize - 1] }
    }
}

/// A copy of bytes between memory.
#[derive(Debug)]
pub(super) struct Transfer {
    to: SparseSet,
    from: SparseSet,
    /// Bytes, if known.
    len: Option<u64>,
    /// What lies so many bytes behind the beginning of the copy, and how long it is.
    parts: Vec<(Range, Node)>,
    by_range: FxHashMap<Range, Node>,
}

impl Transfer {
    pub(super) fn new(len: Option<u64>) -> Transfer {
        Transfer {
            to: SparseSet::default(),
            from: SparseSet::default(),
            len,
            parts: Vec::new(),
            by_range: FxHashMap::default(),
        }
    }
}

impl Solver {
    /// New places have come to a node that is used in this way.
    pub(super) fn apply(&mut self, flow: Flow, news: SetId) {
        if news.is_empty() {
            return;
        }
        match flow {
            Flow::Load(into, len) => {
                let hub = self.hub(news, len, true);
                self.edge(hub, into);
            }
            Flow::Store(from, len) => {
                let hub = self.hub(news, len, false);
                self.edge(from, hub);
            }
            Flow::CopyTo(id) => self.each_place(news, |this, place| this.copy_to(id, place)),
            Flow::CopyFrom(id) => self.each_place(news, |this, place| this.copy_from(id, place)),
            Flow::Callee(call) => {
                for word in &**self.sets.words(news) {
                    if let Origin::Function(func) = self.objects[ObjectId(word.at)].origin {
                        self.calls.push((call, func));
                    }
                }
            }
            Flow::To(_) | Flow::Shifted(..) | Flow::Smeared(_) => {}
        }
    }

    /// The places of a set, of which "anywhere in an object" includes every other in it.
    fn each_place(&mut self, set: SetId, mut action: impl FnMut(&mut Self, Place)) {
        for &Word { at, bits } in &*self.sets.words(set).clone() {
            for slot in Bits(if bits & 1 != 0 { 1 } else { bits }) {
                self.n_steps += 1;
                action(self, Place(at * Word::BITS + slot));
            }
        }
    }

    /// The node for what is read from all these places, or written to them.
    fn hub(&mut self, places: SetId, len: u64, is_read: bool) -> Node {
        if let Some(&known) = self.hubs.get(&(places, len, is_read)) {
            return known;
        }
        let mut hub = None;
        let is_single = matches!(**self.sets.words(places), [Word { bits, .. }] if bits & 1 != 0 || bits.count_ones() == 1);
        self.each_place(places, |this, place| {
            let (object, offset) = this.at(place);
            let range = Range { offset, len };
            let node = if is_read { this.read(object, range) } else { this.written(object, range) };
            if is_single {
                hub = Some(node);
                return;
            }
            let hub = *hub.get_or_insert_with(|| this.fresh());
            if is_read { this.edge(node, hub) } else { this.edge(hub, node) }
        });
        let hub = hub.expect("the set has places");
        self.hubs.insert((places, len, is_read), hub);
        hub
    }

    /// The node for what is read from a range of an object.
    fn read(&mut self, object: ObjectId, range: Range) -> Node {
        let range = normal(range);
        if let Some(&known) = self.objects[object].reader_of.get(&range) {
            return known;
        }
        let read = self.fresh();
        self.objects[object].reader_of.insert(range, read);
        self.objects[object].readers.push((range, read));
        for i in 0..self.objects[object].cells.len() {
            let (written, cell) = self.objects[object].cells[i];
            if written.overlaps(range) {
                self.edge(cell, read);
            }
        }
        read
    }

    /// The node for what is written to a range of an object.
    pub(super) fn written(&mut self, object: ObjectId, range: Range) -> Node {
        let range = normal(range);
        if let Some(&known) = self.objects[object].by_range.get(&range) {
            return known;
        }
        let cell = self.fresh();
        self.objects[object].by_range.insert(range, cell);
        self.objects[object].cells.push((range, cell));
        for i in 0..self.objects[object].readers.len() {
            let (read, into) = self.objects[object].readers[i];
            if read.overlaps(range) {
                self.edge(cell, into);
            }
        }
        for i in 0..self.objects[object].taken.len() {
            let (taken, id) = self.objects[object].taken[i];
            self.take(id, taken, range, cell);
        }
        cell
    }

    fn copy_from(&mut self, id: u32, from: Place) {
        let transfer = &mut self.transfers[id as usize];
        if !transfer.from.insert(from.0) {
            return;
        }
        let len = transfer.len;
        let (object, offset) = self.at(from);
        let taken = normal(Range { offset, len: len.unwrap_or(u64::MAX) });
        self.objects[object].taken.push((taken, id));
        for i in 0..self.objects[object].cells.len() {
            let (written, cell) = self.objects[object].cells[i];
            self.take(id, taken, written, cell);
        }
    }

    /// A cell of a source of a copy becomes a part of the copy.
    fn take(&mut self, id: u32, taken: Range, written: Range, cell: Node) {
        if !written.overlaps(taken) {
            return;
        }
        let is_whole = written.offset != ANY && taken.offset != ANY && written.offset >= taken.offset;
        let offset = if is_whole { written.offset - taken.offset } else { ANY };
        let range = normal(Range { offset, len: written.len });
        let part = match self.transfers[id as usize].by_range.get(&range) {
            Some(&known) => known,
            None => {
                let part = self.fresh();
                self.transfers[id as usize].by_range.insert(range, part);
                self.transfers[id as usize].parts.push((range, part));
                for to in self.transfers[id as usize].to.iter().collect::<Vec<_>>() {
                    self.put(range, part, Place(to));
                }
                part
            }
        };
        self.edge(cell, part);
    }

    fn copy_to(&mut self, id: u32, to: Place) {
        if !self.transfers[id as usize].to.insert(to.0) {
            return;
        }
        for i in 0..self.transfers[id as usize].parts.len() {
            let (range, part) = self.transfers[id as usize].parts[i];
            self.put(range, part, to);
        }
    }

    /// A part of a copy shows up in a target.
    fn put(&mut self, part: Range, node: Node, to: Place) {
        let (object, start) = self.at(to);
        let offset = (part.offset != ANY && start != ANY).then(|| start.checked_add(part.offset)).flatten();
        // A copy within one object may shift for ever: a place beyond the few that are told apart is anywhere.
        let slot = self.objects[object].slot(offset.unwrap_or(ANY));
        let offset = self.objects[object].offset(slot);
        let cell = self.written(object, Range { offset, len: part.len });
        self.edge(node, cell);
    }

    /// The objects that can be reached from what an object holds.
    pub(crate) fn content(&self, object: ObjectId) -> Vec<ObjectId> {
        let mut held: Vec<ObjectId> = Vec::new();
        for (_, cell) in &self.objects[object].cells {
            held.extend(self.sets.words(self.set_of(*cell)).iter().map(|word| ObjectId(word.at)));
        }
        held.sort_unstable();
        held.dedup();
        held
    }
}

/// Bytes at an unknown offset are any bytes.
fn normal(range: Range) -> Range {
    if range.offset == ANY { Range::ALL } else { range }
}
