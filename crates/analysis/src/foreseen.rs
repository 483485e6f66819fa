//! What the slice was computed from, kept for those who can compare it with an execution.
//!
//! The points-to analysis follows values: it knows all addresses that are derived from pointers, and none that come into
//! being otherwise (see `points_to`). An executor can tell the two apart, and asks here about the latter.

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use selvedge_program::{FuncId, GlobalId};

use crate::call_graph::CallGraph;
use crate::constraints::Builder;
use crate::effects::{Effects, Touched};
use crate::layout::InstId;
use crate::object::{ANY, ObjectId, Origin};

/// What an execution accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A global variable, or a thread's copy of it.
    Global(GlobalId),
    /// What this instruction has made: a local, a heap block, a copy of an argument.
    Made(InstId),
}

/// The part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// These bytes.
    Bytes {
        /// The first.
        offset: u64,
        /// How many.
        len: u64,
    },
    /// Any, or its life.
    Any,
}

/// Accesses and calls that were counted with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Foreseen {
    effects: Effects,
    graph: Option<CallGraph>,
    globals: FxHashMap<GlobalId, ObjectId>,
    made: FxHashMap<InstId, Vec<ObjectId>>,
}

impl Foreseen {
    pub(crate) fn new(built: &Builder<'_>, effects: Effects) -> Foreseen {
        let mut foreseen = Foreseen { effects, graph: Some(built.graph.clone()), ..Foreseen::default() };
        for i in 0..built.solver.n_objects() {
            let object = ObjectId::new(i);
            match built.solver.origin(object) {
                Origin::Global(global) => {
                    foreseen.globals.insert(global, object);
                }
                Origin::Local(site) | Origin::Heap(site) | Origin::Copied(site, _) => {
                    foreseen.made.entry(site).or_default().push(object);
                }
                _ => {}
            }
        }
        foreseen
    }

    pub(crate) fn access(&self, id: InstId, target: Target, part: Part) -> bool {
        let Some(effect) = self.effects.of(id) else { return false };
        let objects = match &target {
            Target::Global(global) => self.globals.get(global).map_or(&[][..], std::slice::from_ref),
            Target::Made(site) => self.made.get(site).map_or(&[][..], Vec::as_slice),
        };
        let covers = |t: &Touched, object: ObjectId| t.object == object && covers(t, part);
        let is_known = |object: &ObjectId| {
            effect.reads.iter().chain(&*effect.writes).any(|t| covers(t, *object))
                || (part == Part::Any && effect.ends.contains(object))
        };
        // Where one instruction makes several objects, which of them it is is not known.
        !objects.is_empty() && objects.iter().all(is_known)
    }

    pub(crate) fn call(&self, id: InstId, func: FuncId) -> bool {
        self.graph.as_ref().is_some_and(|graph| graph.callees(id).iter().any(|(f, _)| *f == func))
    }
}

fn covers(touched: &Touched, part: Part) -> bool {
    let range = touched.range;
    match part {
        _ if range.offset == ANY => true,
        Part::Any => false,
        Part::Bytes { offset, len } => {
            let (start, end) = (i128::from(range.offset), i128::from(range.offset) + i128::from(range.len));
            start <= i128::from(offset) && i128::from(offset) + i128::from(len) <= end
        }
    }
}
