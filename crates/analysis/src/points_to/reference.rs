//! The solver of before: hash sets of places, one at a time along each edge.
//!
//! It solves the same constraints as [`Solver`](super::Solver), more slowly, and shares no code with it but the words of
//! the constraints. A reference for `differential` only.

use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_base::{Dense, Id, components, define_id};

use super::{Flow, MAX_OFFSETS, Node};
use crate::object::{ANY, ObjectId, Origin, Range};

define_id!(
    /// An object and an offset in it.
    pub(super) struct Place, "p"
);

/// A copy of bytes between memory.
#[derive(Clone, Debug, Default)]
struct Transfer {
    to: Vec<Place>,
    from: Vec<Place>,
    /// Bytes, if known.
    len: Option<u64>,
}

/// Bytes of an object that are copied elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Region {
    range: Range,
    to: ObjectId,
    to_offset: i64,
}

#[derive(Clone, Debug)]
struct Object {
    size: Option<u64>,
    n_offsets: usize,
    /// The place with any offset.
    any: Option<Place>,
    cells: Vec<(Range, Node)>,
    readers: Vec<(Range, Node)>,
    known_readers: FxHashSet<(Range, Node)>,
    regions: Vec<Region>,
    known_regions: FxHashSet<Region>,
}

/// The solver's state; after [`solve`](Reference::solve) the result.
pub(super) struct Reference {
    sets: Dense<Node, FxHashSet<Place>>,
    news: Dense<Node, Vec<Place>>,
    flows: Dense<Node, Vec<Flow>>,
    known_flows: FxHashSet<(Node, Flow)>,
    work: BinaryHeap<(u32, Node)>,
    /// By node: itself, or what it was merged into.
    merged: Vec<Node>,
    /// By node: edges lead to lower ranks, as far as they were known when circles were last looked for.
    rank: Vec<u32>,
    n_pops: usize,
    next_merge: usize,
    objects: Dense<ObjectId, Object>,
    by_origin: FxHashMap<Origin, ObjectId>,
    places: Dense<Place, (ObjectId, i64)>,
    by_place: FxHashMap<(ObjectId, i64), Place>,
    cells: FxHashMap<(ObjectId, Range), Node>,
    transfers: Vec<Transfer>,
}

impl Reference {
    /// A solver with `n_regs` nodes for registers.
    pub(super) fn new(n_regs: usize) -> Self {
        let mut solver = Reference {
            sets: Dense::new(),
            news: Dense::new(),
            flows: Dense::new(),
            known_flows: FxHashSet::default(),
            work: BinaryHeap::new(),
            merged: Vec::new(),
            rank: Vec::new(),
            n_pops: 0,
            next_merge: 0,
            objects: Dense::new(),
            by_origin: FxHashMap::default(),
            places: Dense::new(),
            by_place: FxHashMap::default(),
            cells: FxHashMap::default(),
            transfers: Vec::new(),
        };
        for _ in 0..n_regs {
            solver.node();
        }
        solver
    }

    /// A new node.
    pub(super) fn node(&mut self) -> Node {
        let node = self.sets.push(FxHashSet::default());
        self.news.push(Vec::new());
        self.merged.push(node);
        self.rank.push(0);
        self.flows.push(Vec::new())
    }

    /// The object of this origin.
    pub(super) fn object(&mut self, origin: Origin, size: Option<u64>) -> ObjectId {
        if let Some(&known) = self.by_origin.get(&origin) {
            return known;
        }
        let object = Object {
            size,
            n_offsets: 0,
            any: None,
            cells: Vec::new(),
            readers: Vec::new(),
            known_readers: FxHashSet::default(),
            regions: Vec::new(),
            known_regions: FxHashSet::default(),
        };
        let id = self.objects.push(object);
        self.by_origin.insert(origin, id);
        id
    }

    /// The place at `offset` of an object. Offsets outside of it, and more than a few, become "anywhere in it".
    pub(super) fn place(&mut self, object: ObjectId, offset: i64) -> Place {
        let offset = self.normal(object, offset);
        if let Some(&known) = self.by_place.get(&(object, offset)) {
            return known;
        }
        let data = &mut self.objects[object];
        if offset != ANY {
            if data.n_offsets >= MAX_OFFSETS {
                return self.place(object, ANY);
            }
            data.n_offsets += 1;
        }
        let id = self.places.push((object, offset));
        if offset == ANY {
            self.objects[object].any = Some(id);
        }
        self.by_place.insert((object, offset), id);
        id
    }

    /// The place so many bytes further; `ANY` is anywhere in the object.
    pub(super) fn shift(&mut self, place: Place, by: i64) -> Place {
        let (object, offset) = self.places[place];
        let known = (offset != ANY && by != ANY).then(|| offset.checked_add(by)).flatten();
        self.place(object, known.unwrap_or(ANY))
    }

    fn normal(&self, object: ObjectId, offset: i64) -> i64 {
        let data = &self.objects[object];
        let is_inside = offset >= 0 && data.size.is_none_or(|size| offset as u64 <= size);
        if is_inside { offset } else { ANY }
    }

    /// `node` can hold `place`.
    pub(super) fn add(&mut self, node: Node, place: Place) {
        let node = self.find(node);
        let (object, offset) = self.places[place];
        // Anywhere in an object includes every place in it.
        if offset != ANY && self.objects[object].any.is_some_and(|any| self.sets[node].contains(&any)) {
            return;
        }
        if self.sets[node].insert(place) {
            if self.news[node].is_empty() {
                self.work.push((self.rank[node.index()], node));
            }
            self.news[node].push(place);
        }
    }

    /// What a node was merged into.
    fn find(&self, mut node: Node) -> Node {
        while self.merged[node.index()] != node {
            node = self.merged[node.index()];
        }
        node
    }

    /// What `node` holds flows on.
    pub(super) fn flow(&mut self, node: Node, flow: Flow) {
        let node = self.find(node);
        let flow = match flow {
            Flow::To(to) => Flow::To(self.find(to)),
            other => other,
        };
        if flow == Flow::To(node) || !self.known_flows.insert((node, flow)) {
            return;
        }
        self.flows[node].push(flow);
        // What is waiting goes along the new edge with the rest.
        let waiting: FxHashSet<Place> = self.news[node].iter().copied().collect();
        let mut old: Vec<Place> = self.sets[node].iter().copied().filter(|p| !waiting.contains(p)).collect();
        old.sort_unstable();
        for place in old {
            self.along(flow, place);
        }
    }

    /// A copy of bytes from and to where these nodes point.
    pub(super) fn transfer(&mut self, to: Node, from: Node, len: Option<u64>) {
        let id = self.transfers.len() as u32;
        self.transfers.push(Transfer { len, ..Transfer::default() });
        self.flow(to, Flow::CopyTo(id));
        self.flow(from, Flow::CopyFrom(id));
    }

    /// Runs until nothing changes.
    pub(super) fn solve(&mut self) {
        while let Some((_, node)) = self.work.pop() {
            self.n_pops += 1;
            if self.n_pops > self.next_merge {
                self.merge_circles();
                self.next_merge = self.n_pops + self.sets.len() / 2 + 1000;
            }
            let node = self.find(node);
            let news = std::mem::take(&mut self.news[node]);
            for at in 0..self.flows[node].len() {
                let flow = self.flows[node][at];
                for &place in &news {
                    self.along(flow, place);
                }
            }
        }
    }

    /// Merges nodes that copy to each other in a circle, and ranks the others along their edges.
    fn merge_circles(&mut self) {
        let n = self.sets.len();
        let mut succs: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (node, flows) in self.flows.enumerate() {
            for flow in flows {
                if let Flow::To(to) = flow {
                    let (from, to) = (self.find(node).index(), self.find(*to).index());
                    succs[from].extend((from != to).then_some(to));
                }
            }
        }
        let (component, n_components) = components(&succs);
        let mut first: Vec<Option<Node>> = vec![None; n_components];
        for i in 0..n {
            let node = Node::new(i);
            if self.merged[i] != node {
                continue;
            }
            self.rank[i] = component[i] as u32;
            match first[component[i]] {
                None => first[component[i]] = Some(node),
                Some(into) => self.merge(node, into),
            }
        }
        for i in 0..n {
            self.merged[i] = self.find(Node::new(i));
        }
        let waiting = self.news.enumerate().filter(|(_, news)| !news.is_empty());
        self.work = waiting.map(|(node, _)| (self.rank[node.index()], node)).collect();
    }

    fn merge(&mut self, node: Node, into: Node) {
        self.merged[node.index()] = into;
        let set = std::mem::take(&mut self.sets[node]);
        let news = std::mem::take(&mut self.news[node]);
        let is_same = set == self.sets[into] && news.is_empty() && self.news[into].is_empty();
        self.sets[into].extend(set);
        for flow in std::mem::take(&mut self.flows[node]) {
            if flow != Flow::To(into) && self.known_flows.insert((into, flow)) {
                self.flows[into].push(flow);
            }
        }
        if !is_same {
            // Everything goes along every edge again: most of it is known there.
            let mut all: Vec<Place> = self.sets[into].iter().copied().collect();
            all.sort_unstable();
            self.news[into] = all;
        }
    }

    fn along(&mut self, flow: Flow, place: Place) {
        let (object, offset) = self.places[place];
        match flow {
            Flow::To(to) => self.add(to, place),
            Flow::Shifted(to, by) => {
                let place = self.shift(place, by);
                self.add(to, place);
            }
            Flow::Smeared(to) => {
                let place = self.shift(place, ANY);
                self.add(to, place);
            }
            Flow::Load(into, size) => self.reader(object, Range { offset, len: size }, into),
            Flow::Store(from, size) => {
                let cell = self.cell(object, Range { offset, len: size });
                self.flow(from, Flow::To(cell));
            }
            Flow::CopyTo(id) => {
                self.transfers[id as usize].to.push(place);
                for from in self.transfers[id as usize].from.clone() {
                    self.copy(id, place, from);
                }
            }
            Flow::CopyFrom(id) => {
                self.transfers[id as usize].from.push(place);
                for to in self.transfers[id as usize].to.clone() {
                    self.copy(id, to, place);
                }
            }
            // Whoever finds a function called adds constraints; here they are all given.
            Flow::Callee(_) => {}
        }
    }

    fn reader(&mut self, object: ObjectId, range: Range, into: Node) {
        if !self.objects[object].known_readers.insert((range, into)) {
            return;
        }
        self.objects[object].readers.push((range, into));
        for i in 0..self.objects[object].cells.len() {
            let (written, cell) = self.objects[object].cells[i];
            if written.overlaps(range) {
                self.flow(cell, Flow::To(into));
            }
        }
    }

    /// The node for what is written to a range of an object.
    pub(super) fn cell(&mut self, object: ObjectId, range: Range) -> Node {
        let range = if range.offset == ANY { Range::ALL } else { range };
        if let Some(&known) = self.cells.get(&(object, range)) {
            return known;
        }
        let cell = self.node();
        self.cells.insert((object, range), cell);
        self.objects[object].cells.push((range, cell));
        for i in 0..self.objects[object].readers.len() {
            let (read, into) = self.objects[object].readers[i];
            if read.overlaps(range) {
                self.flow(cell, Flow::To(into));
            }
        }
        for i in 0..self.objects[object].regions.len() {
            let region = self.objects[object].regions[i];
            self.through(region, range, cell);
        }
        cell
    }

    fn copy(&mut self, id: u32, to: Place, from: Place) {
        let len = self.transfers[id as usize].len;
        let ((to_object, to_offset), (from_object, from_offset)) = (self.places[to], self.places[from]);
        let (range, to_offset) = match len {
            Some(len) if from_offset != ANY => (Range { offset: from_offset, len }, to_offset),
            _ if from_offset != ANY => (Range { offset: from_offset, len: u64::MAX }, to_offset),
            _ => (Range::ALL, ANY),
        };
        let region = Region { range, to: to_object, to_offset };
        if !self.objects[from_object].known_regions.insert(region) {
            return;
        }
        self.objects[from_object].regions.push(region);
        for i in 0..self.objects[from_object].cells.len() {
            let (written, cell) = self.objects[from_object].cells[i];
            self.through(region, written, cell);
        }
    }

    /// A cell of the source of a copy shows up in its target.
    fn through(&mut self, region: Region, written: Range, cell: Node) {
        if !written.overlaps(region.range) {
            return;
        }
        let whole =
            written.offset != ANY && region.range.offset != ANY && written.offset >= region.range.offset;
        let offset = match whole && region.to_offset != ANY {
            true => (written.offset - region.range.offset).checked_add(region.to_offset).unwrap_or(ANY),
            false => ANY,
        };
        // A copy within one object may shift for ever: a place beyond the few that are told apart is anywhere.
        let place = self.place(region.to, offset);
        let offset = self.places[place].1;
        let target = self.cell(region.to, Range { offset, len: written.len });
        if target != cell {
            self.flow(cell, Flow::To(target));
        }
    }

    /// Where `node` can point to: objects and offsets, in order; `ANY` for an unknown one.
    pub(super) fn places_of(&self, node: Node) -> Vec<(ObjectId, i64)> {
        let node = self.find(node);
        let mut places: Vec<_> = self.sets[node].iter().map(|p| self.places[*p]).collect();
        places.sort_unstable();
        places
    }

    /// The objects that can be reached from what a range of an object holds.
    pub(super) fn content(&self, object: ObjectId) -> Vec<ObjectId> {
        let mut held: Vec<ObjectId> = Vec::new();
        for (_, cell) in &self.objects[object].cells {
            held.extend(self.sets[self.find(*cell)].iter().map(|p| self.places[*p].0));
        }
        held.sort_unstable();
        held.dedup();
        held
    }
}
