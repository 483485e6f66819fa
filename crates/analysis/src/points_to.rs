//! Points-to analysis: which objects, and where in them, can a value point to?
//!
//! Papers: Andersen's inclusion-based analysis (1994), field-sensitive by byte offsets (Pearce, Kelly, Hankin, "Efficient
//! field-sensitive pointer analysis for C", PASTE 2004), objects named after the place that makes them, and the call
//! graph found on the way. Nodes hand on only what is new (difference propagation, Pearce, Kelly, Hankin, SQJ 2004), and
//! nodes that hand everything to each other in a circle become one (Hardekopf and Lin, "The Ant and the Grasshopper",
//! PLDI 2007). Both happen in waves along the edges (Pereira and Berlin, "Wave Propagation and Deep Propagation", CGO
//! 2009): see `waves`. What memory does is in `memory`.
//!
//! Guarantees: each access is to an object and range of bytes in the set of its address, and each call reaches a function
//! in the set of its callee, if all accesses and calls before it were and its address is *derived*: computed from a pointer
//! by whatever arithmetic, and moved as a whole or in parts. Relies on: `constraints` describes every instruction.
//! Not covered: addresses that come into being otherwise, from inputs, from uninitialised memory, by a branch on the bits
//! of another. The executor knows them, because they carry no object, and compares them with `foreseen`.
//!
//! `reference` is a plain solver of the same constraints, and `differential` compares the two; both are tests.

#[cfg(test)]
mod differential;
mod memory;
#[cfg(test)]
mod reference;
mod sets;
mod waves;

use rustc_hash::FxHashMap;
use selvedge_base::{Dense, Id, define_id};
use selvedge_program::FuncId;

use crate::object::{ANY, ObjectId, Origin, Range};
use crate::sparse_set::{Bits, SparseSet, Word};
use memory::{Object, Transfer};
pub(crate) use sets::SetId;
use sets::Sets;
use waves::Marks;

define_id!(
    /// Something that can hold a pointer: a register, a cell of an object, a result.
    pub(crate) struct Node, "n"
);
define_id!(
    /// An object and an offset in it: the number of the object, times 64, and the *slot* of the offset in it. Slot 0 is
    /// anywhere in the object, so a word of a set is what it has of one object.
    pub(crate) struct Place, "p"
);

/// Offsets of one object that are told apart; with slot 0 they fit into a word.
const MAX_OFFSETS: usize = 32;
/// Steps before the analysis gives up: a few seconds.
pub(crate) const MAX_WORK: u64 = 100_000_000;

/// What becomes of the places a node can hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Flow {
    /// They are copied.
    To(Node),
    /// They are copied, so many bytes further.
    Shifted(Node, i64),
    /// They are copied, with any offset.
    Smeared(Node),
    /// So many bytes are read there.
    Load(Node, u64),
    /// So many bytes are written there.
    Store(Node, u64),
    /// Bytes are copied there.
    CopyTo(u32),
    /// Bytes are copied from there.
    CopyFrom(u32),
    /// The functions there are called.
    Callee(u32),
}

struct NodeData {
    set: SetId,
    /// The part of the set that has not been handed on.
    news: SetId,
    /// The nodes that get copies.
    succs: SparseSet,
    /// The nodes that get copies so many bytes further.
    shifts: Vec<(Node, i64)>,
    /// All other flows.
    uses: Vec<Flow>,
    /// How many merges there had been when the edges were last brought up to date.
    n_merges: u32,
}

impl NodeData {
    const EMPTY: NodeData = NodeData {
        set: SetId::EMPTY,
        news: SetId::EMPTY,
        succs: SparseSet::EMPTY,
        shifts: Vec::new(),
        uses: Vec::new(),
        n_merges: 0,
    };
}

/// The solver's state; after [`solve`](Solver::solve) the result.
pub(crate) struct Solver {
    nodes: Dense<Node, NodeData>,
    sets: Sets,
    /// What a set is so many bytes further.
    shifted: FxHashMap<(SetId, i64), SetId>,
    /// What is read and written, so many bytes, at the places of a set.
    hubs: FxHashMap<(SetId, u64, bool), Node>,
    /// By node: itself, or what it was merged into.
    merged: Dense<Node, Node>,
    n_merges: u32,
    /// Nodes with news.
    active: Vec<Node>,
    /// Edges along which nothing has gone yet.
    edges: Vec<(Node, Node)>,
    marks: Marks,
    max_work: u64,
    n_steps: u64,
    n_edges: usize,
    objects: Dense<ObjectId, Object>,
    by_origin: FxHashMap<Origin, ObjectId>,
    transfers: Vec<Transfer>,
    /// Functions found in the set of a callee and not yet connected.
    pub(crate) calls: Vec<(u32, FuncId)>,
    #[cfg(test)]
    script: Vec<differential::Given>,
}

impl Solver {
    /// A solver with `n_regs` nodes for registers.
    pub(crate) fn new(n_regs: usize) -> Self {
        let mut solver = Solver {
            nodes: Dense::new(),
            sets: Sets::new(),
            shifted: FxHashMap::default(),
            hubs: FxHashMap::default(),
            merged: Dense::new(),
            n_merges: 0,
            active: Vec::new(),
            edges: Vec::new(),
            marks: Marks::default(),
            max_work: MAX_WORK,
            n_steps: 0,
            n_edges: 0,
            objects: Dense::new(),
            by_origin: FxHashMap::default(),
            transfers: Vec::new(),
            calls: Vec::new(),
            #[cfg(test)]
            script: Vec::new(),
        };
        for _ in 0..n_regs {
            solver.fresh();
        }
        solver
    }

    /// A new node.
    pub(crate) fn node(&mut self) -> Node {
        let node = self.fresh();
        #[cfg(test)]
        self.script.push(differential::Given::Node(node));
        node
    }

    fn fresh(&mut self) -> Node {
        let node = self.nodes.push(NodeData::EMPTY);
        self.merged.push(node)
    }

    /// Gives up after so many steps.
    pub(crate) fn limit(&mut self, max_work: u64) {
        self.max_work = max_work;
    }

    /// The object of this origin.
    pub(crate) fn object(&mut self, origin: Origin, size: Option<u64>) -> ObjectId {
        let objects = &mut self.objects;
        *self.by_origin.entry(origin).or_insert_with(|| objects.push(Object::new(origin, size)))
    }

    /// The place at `offset` of an object. Offsets outside of it, and more than a few, become "anywhere in it".
    pub(crate) fn place(&mut self, object: ObjectId, offset: i64) -> Place {
        Place(object.0 * Word::BITS + self.objects[object].slot(offset))
    }

    /// The place so many bytes further; `ANY` is anywhere in the object.
    pub(crate) fn shift(&mut self, place: Place, by: i64) -> Place {
        let (object, offset) = self.at(place);
        let known = (offset != ANY && by != ANY).then(|| offset.checked_add(by)).flatten();
        self.place(object, known.unwrap_or(ANY))
    }

    /// The object and the offset of a place.
    fn at(&self, place: Place) -> (ObjectId, i64) {
        let object = ObjectId(place.0 / Word::BITS);
        (object, self.objects[object].offset(place.0 % Word::BITS))
    }

    /// `node` can hold `place`.
    pub(crate) fn add(&mut self, node: Node, place: Place) {
        #[cfg(test)]
        self.script.push(differential::Given::Add(node, place));
        let set = self.sets.of(place);
        self.give(node, set);
    }

    /// What a node was merged into.
    fn find(&self, mut node: Node) -> Node {
        while self.merged[node] != node {
            node = self.merged[node];
        }
        node
    }

    /// What `node` holds flows on.
    pub(crate) fn flow(&mut self, node: Node, flow: Flow) {
        #[cfg(test)]
        self.script.push(differential::Given::Flow(node, flow));
        self.connect(node, flow);
    }

    fn connect(&mut self, node: Node, flow: Flow) {
        let node = self.find(node);
        match flow {
            Flow::To(to) => return self.edge(node, to),
            Flow::Shifted(to, by) => self.shifted(node, to, by),
            Flow::Smeared(to) => self.shifted(node, to, ANY),
            other => self.nodes[node].uses.push(other),
        }
        self.n_edges += 1;
        let set = self.nodes[node].set;
        match flow {
            Flow::Shifted(to, by) => self.give_shifted(to, by, set),
            Flow::Smeared(to) => self.give_shifted(to, ANY, set),
            used => self.apply(used, set),
        }
    }

    /// What one node holds is copied to another, so many bytes further.
    fn shifted(&mut self, from: Node, to: Node, by: i64) {
        let to = self.find(to);
        self.nodes[from].shifts.push((to, by));
    }

    /// What one node holds is copied to another: from the next wave on, which may merge the two first.
    fn edge(&mut self, from: Node, to: Node) {
        let (from, to) = (self.find(from), self.find(to));
        if from != to && self.nodes[from].succs.insert(to.0) {
            self.n_edges += 1;
            self.edges.push((from, to));
        }
    }

    /// A node gets places.
    fn give(&mut self, to: Node, places: SetId) {
        self.n_steps += 1;
        let to = self.find(to);
        let node = &mut self.nodes[to];
        let fresh;
        (node.set, fresh) = self.sets.join(node.set, places);
        if fresh.is_empty() {
            return;
        }
        if node.news.is_empty() {
            self.active.push(to);
        }
        node.news = self.sets.join(node.news, fresh).0;
    }

    /// A node gets places that lie `by` bytes further.
    fn give_shifted(&mut self, to: Node, by: i64, places: SetId) {
        if places.is_empty() {
            return;
        }
        // Once an offset of an object has a slot, or has none, that stays so.
        let shifted = match self.shifted.get(&(places, by)) {
            Some(&known) => known,
            None => {
                let shifted = self.shifted_set(places, by);
                self.shifted.insert((places, by), shifted);
                shifted
            }
        };
        self.give(to, shifted);
    }

    fn shifted_set(&mut self, places: SetId, by: i64) -> SetId {
        let mut shifted = Vec::new();
        for &Word { at, bits } in &*self.sets.words(places).clone() {
            let object = &mut self.objects[ObjectId(at)];
            let further = |bits: u64, slot: u32| {
                let offset = object.offset(slot).checked_add(by);
                bits | 1 << object.slot(offset.unwrap_or(ANY))
            };
            let is_anywhere = by == ANY || bits & 1 != 0;
            let bits = if is_anywhere { 1 } else { Bits(bits).fold(0, further) };
            shifted.push(Word { at, bits });
        }
        self.sets.keep(&shifted)
    }

    /// A copy of bytes from and to where these nodes point.
    pub(crate) fn transfer(&mut self, to: Node, from: Node, len: Option<u64>) {
        #[cfg(test)]
        self.script.push(differential::Given::Transfer(to, from, len));
        let id = self.transfers.len() as u32;
        self.transfers.push(Transfer::new(len));
        self.connect(to, Flow::CopyTo(id));
        self.connect(from, Flow::CopyFrom(id));
    }

    /// Whether the program is too much for this analysis: what was found is not complete.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.n_work() > self.max_work
    }

    /// The node for what is written to a range of an object.
    pub(crate) fn cell(&mut self, object: ObjectId, range: Range) -> Node {
        let cell = self.written(object, range);
        #[cfg(test)]
        self.script.push(differential::Given::Cell(object, range, cell));
        cell
    }

    /// The set of what `node` can hold. Two nodes with the same point to the same places.
    pub(crate) fn set_of(&self, node: Node) -> SetId {
        self.nodes[self.find(node)].set
    }

    /// Where `node` can point to: objects and offsets, in order; `ANY` for an unknown one.
    pub(crate) fn places_of(&self, node: Node) -> Vec<(ObjectId, i64)> {
        let mut places = Vec::new();
        for word in &**self.sets.words(self.set_of(node)) {
            let object = ObjectId(word.at);
            if word.bits & 1 != 0 {
                // It includes every other.
                places.push((object, ANY));
                continue;
            }
            let first = places.len();
            places.extend(Bits(word.bits).map(|slot| (object, self.objects[object].offset(slot))));
            places[first..].sort_unstable();
        }
        places
    }

    pub(crate) fn origin(&self, object: ObjectId) -> Origin {
        self.objects[object].origin
    }

    pub(crate) fn object_of(&self, origin: Origin) -> Option<ObjectId> {
        self.by_origin.get(&origin).copied()
    }

    pub(crate) fn n_objects(&self) -> usize {
        self.objects.len()
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn n_edges(&self) -> usize {
        self.n_edges
    }

    /// Sets that were handed along edges, and words of sets that were looked at for that.
    pub(crate) fn n_work(&self) -> u64 {
        self.n_steps + self.sets.n_work
    }
}

/// The node of a register by its program-wide number.
pub(crate) fn reg_node(reg: usize) -> Node {
    Node::new(reg)
}
