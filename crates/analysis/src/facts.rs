//! The points-to sets and the call graph by themselves, for tests and tools.

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use selvedge_program::{FuncId, Program};

use crate::call_graph::CallGraph;
use crate::constraints::Builder;
use crate::effects::{Effects, Touched};
use crate::layout::{InstId, Layout, Point};
use crate::object::{ObjectId, Origin, Range};
use crate::reach::flow_graphs;
use crate::threads::Threads;

/// What a program's instructions can access and call.
#[derive(Clone, Debug)]
pub struct PointsTo {
    layout: Layout,
    effects: Effects,
    graph: CallGraph,
    objects: FxHashMap<Origin, ObjectId>,
    origins: Vec<Origin>,
    threads: Threads,
}

/// Bytes that an instruction can access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reached {
    /// Of which objects.
    pub origin: Origin,
    /// From which offset on; `None` for any.
    pub offset: Option<i64>,
    /// How many.
    pub len: u64,
}

impl PointsTo {
    /// Analyses a program, which must be valid.
    pub fn new(program: &Program) -> PointsTo {
        let layout = Layout::new(program);
        let built = Builder::run(program, &layout);
        let effects = Effects::new(program, &layout, &built);
        let origins: Vec<Origin> =
            (0..built.solver.n_objects()).map(|i| built.solver.origin(ObjectId::new(i))).collect();
        let objects = origins.iter().enumerate().map(|(i, origin)| (*origin, ObjectId::new(i))).collect();
        let flow = flow_graphs(program, &built.graph);
        let sites: Vec<InstId> = (0..layout.n_insts())
            .map(InstId::new)
            .filter(|id| !built.graph.callees(*id).is_empty())
            .collect();
        let threads = Threads::new(program, &layout, &built.graph, &flow, &sites);
        PointsTo { effects, objects, origins, threads, graph: built.graph, layout }
    }

    /// Whether the instruction may access these bytes.
    pub fn may_access(&self, point: Point, origin: Origin, offset: i64, len: u64) -> bool {
        let Some(id) = self.layout.id(point) else { return true };
        let range = Range { offset, len };
        let object = self.objects.get(&origin).copied();
        let covers = |t: &Touched| Some(t.object) == object && t.range.overlaps(range);
        self.effects.of(id).is_some_and(|effect| effect.reads.iter().chain(&*effect.writes).any(covers))
    }

    /// Everything the instruction may access.
    pub fn accessed(&self, point: Point) -> Vec<Reached> {
        let effect = self.layout.id(point).and_then(|id| self.effects.of(id));
        let touched = effect.into_iter().flat_map(|e| e.reads.iter().chain(&*e.writes));
        let mut reached: Vec<Reached> = touched
            .map(|t| Reached {
                origin: self.origins[t.object.index()],
                offset: (t.range.offset != crate::object::ANY).then_some(t.range.offset),
                len: t.range.len,
            })
            .collect();
        reached.sort_unstable();
        reached.dedup();
        reached
    }

    /// Whether the instruction may call the function, or start it as a thread.
    pub fn may_call(&self, point: Point, func: FuncId) -> bool {
        let Some(id) = self.layout.id(point) else { return true };
        self.graph.callees(id).iter().any(|(f, _)| *f == func)
    }

    /// The functions that the instruction may call, start or register.
    pub fn callees(&self, point: Point) -> Vec<FuncId> {
        let Some(id) = self.layout.id(point) else { return Vec::new() };
        self.graph.callees(id).iter().map(|(f, _)| *f).collect()
    }

    /// Whether an execution can come to the function.
    pub fn is_reachable(&self, func: FuncId) -> bool {
        self.graph.is_reachable(func)
    }

    /// Whether two threads may be in these functions at the same time.
    pub fn may_run_in_parallel(&self, a: FuncId, b: FuncId) -> bool {
        self.threads.may_overlap(a, b)
    }

    /// The origin of what the instruction at `point` makes: a local or a heap block.
    pub fn made_at(&self, point: Point, is_heap: bool) -> Option<Origin> {
        let id = self.layout.id(point)?;
        Some(if is_heap { Origin::Heap(id) } else { Origin::Local(id) })
    }
}
