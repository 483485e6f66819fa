//! [ASE] Figure 4.2, SYMBOLICEXEC: symbolic execution with abstract matching.
//!
//! Paper: [ASE] Albarghouthi, "Abstract Analysis via Symbolic Executions", 2010, §4.1; [UR] Pasareanu,
//! Pelánek, Visser, CAV 2005.
//! Guarantees: with [`Matching::Path`], a state is expanded if and only if some path of expanded states
//! leads to it on which no abstract state occurs twice (Lemma 4.2.1), unless the search for such a path
//! gave up (see `paths`), when it is expanded too: more is explored, never less. The set of explored
//! states hence grows with Φ (Theorem 4.2.3), whatever the order of exploration. A limit on the states
//! expanded for one abstract state (`max_matches`) keeps systems with many interleavings tractable; where
//! it is reached, the theorem no longer holds, but verdicts do.
//! Differs: DIVERGENCE (a) states that were met before are not explored once more on each path that leads
//! to them, as the thesis's depth-first search would; (b) exploration is breadth first, so that runs to
//! errors are short; (c) loops are found afterwards as components of the abstract system, see `system`.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_base::{Dense, Id, define_id};

use crate::control::ControlId;
use crate::engine::Engine;
use crate::oracle::Unanswered;
use crate::paths;
use crate::predicates::Bits;
use crate::state::{Data, post, satisfying};

define_id!(
    /// A symbolic state.
    pub(crate) struct NodeId, "s"
);
define_id!(
    /// An abstract state: control and a valuation of Φ.
    pub(crate) struct AbstractId, "a"
);
define_id!(
    /// A path from an initial state, without repetition of abstract states.
    pub(crate) struct PathId, "path"
);

/// When exploration of a path stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Matching {
    /// At an abstract state that occurred before on the path.
    Path,
    /// At an abstract state that occurred before anywhere.
    Global,
}

pub(crate) struct Node {
    pub(crate) control: ControlId,
    pub(crate) data: Data,
    pub(crate) abs: AbstractId,
    /// The path on which it is expanded; none if it is not.
    pub(crate) path: Option<PathId>,
    /// Successors, with the case that leads there; filled when expanded.
    pub(crate) out: Vec<(u32, NodeId)>,
    /// Expanded predecessors, with the case.
    pub(crate) preds: Vec<(NodeId, u32)>,
    pub(crate) is_initial: bool,
}

pub(crate) struct Path {
    pub(crate) node: NodeId,
    /// The path before, and the case that leads from its last state here.
    pub(crate) before: Option<(PathId, u32)>,
    pub(crate) length: u32,
}

/// What was explored.
pub(crate) struct Exploration {
    pub(crate) nodes: Dense<NodeId, Node>,
    ids: FxHashMap<(ControlId, Data), NodeId>,
    pub(crate) states: Dense<AbstractId, (ControlId, Bits)>,
    abstract_ids: FxHashMap<(ControlId, Bits), AbstractId>,
    /// Abstract states that an expanded node has.
    pub(crate) expanded: FxHashSet<AbstractId>,
    pub(crate) paths: Dense<PathId, Path>,
    /// A way to a bad state: first state, then cases.
    pub(crate) error: Option<(NodeId, Vec<u32>)>,
    /// Expansions for which no path without repetition was shown.
    pub(crate) forced: usize,
    /// What the search for such paths may still cost.
    pub(crate) work: usize,
    /// By abstract state: how many of its states are expanded.
    counts: Vec<u32>,
    /// How many may be.
    max_matches: u32,
}

/// Why exploration ended early.
pub(crate) enum Stop {
    Unanswered(Unanswered),
    /// Guards have atoms that Φ did not have; they were added.
    NewPredicates,
}

impl From<Unanswered> for Stop {
    fn from(why: Unanswered) -> Stop {
        Stop::Unanswered(why)
    }
}

/// Explores under the predicates of `engine`.
pub(crate) fn explore(engine: &mut Engine, matching: Matching) -> Result<Exploration, Stop> {
    let mut exploration = Exploration {
        nodes: Dense::new(),
        ids: FxHashMap::default(),
        states: Dense::new(),
        abstract_ids: FxHashMap::default(),
        expanded: FxHashSet::default(),
        paths: Dense::new(),
        error: None,
        forced: 0,
        work: paths::WORK,
        counts: Vec::new(),
        max_matches: engine.max_matches,
    };
    let mut queue = VecDeque::new();
    for (control, condition) in engine.controls.initial(&mut engine.pool, &engine.model)? {
        let data = satisfying(&mut engine.pool, &mut engine.oracle, &engine.symbols.data, condition)?;
        let Some(data) = data else { continue };
        for (data, bits) in engine.split(&data)? {
            let (node, _) = exploration.node(control, data, bits);
            exploration.nodes[node].is_initial = true;
            let abs = exploration.nodes[node].abs;
            if exploration.is_bad(engine, node)? {
                exploration.error = Some((node, Vec::new()));
                return Ok(exploration);
            }
            let is_first = !exploration.expanded.contains(&abs);
            if is_first || matching == Matching::Path && exploration.has_room(abs) {
                exploration.start(node, None, &mut queue);
            }
        }
    }
    loop {
        while let Some(node) = queue.pop_front() {
            exploration.expand(engine, node, matching, &mut queue)?;
            if exploration.error.is_some() {
                return Ok(exploration);
            }
        }
        if matching == Matching::Global {
            return Ok(exploration);
        }
        for (node, way) in paths::unblocked(&mut exploration, engine)? {
            exploration.start_on(node, &way, &mut queue);
        }
        if queue.is_empty() {
            return Ok(exploration);
        }
    }
}

impl Exploration {
    /// The node of a state, and whether it is new.
    fn node(&mut self, control: ControlId, data: Data, bits: Bits) -> (NodeId, bool) {
        let key = (control, data);
        if let Some(node) = self.ids.get(&key) {
            return (*node, false);
        }
        let state = (control, bits);
        let abs = match self.abstract_ids.get(&state) {
            Some(abs) => *abs,
            None => {
                let abs = self.states.push(state.clone());
                self.abstract_ids.insert(state, abs);
                abs
            }
        };
        let node = self.nodes.push(Node {
            control,
            data: key.1.clone(),
            abs,
            path: None,
            out: Vec::new(),
            preds: Vec::new(),
            is_initial: false,
        });
        self.ids.insert(key, node);
        (node, true)
    }

    fn is_bad(&self, engine: &mut Engine, node: NodeId) -> Result<bool, Unanswered> {
        let node = &self.nodes[node];
        engine.is_bad(node.control, &node.data, &self.states[node.abs].1)
    }

    /// The abstract state with this valuation, if it was reached.
    pub(crate) fn find(&self, control: ControlId, bits: &Bits) -> Option<AbstractId> {
        self.abstract_ids.get(&(control, bits.clone())).copied()
    }

    /// Whether one more state of an abstract state may be expanded.
    pub(crate) fn has_room(&self, abs: AbstractId) -> bool {
        self.max_matches == 0 || self.counts.get(abs.index()).is_none_or(|n| *n < self.max_matches)
    }

    /// Lets `node` be expanded on the path that ends before it.
    fn start(&mut self, node: NodeId, before: Option<(PathId, u32)>, queue: &mut VecDeque<NodeId>) {
        let length = before.map_or(0, |(path, _)| self.paths[path].length + 1);
        let path = self.paths.push(Path { node, before, length });
        self.nodes[node].path = Some(path);
        let abs = self.nodes[node].abs;
        self.expanded.insert(abs);
        if self.counts.len() <= abs.index() {
            self.counts.resize(abs.index() + 1, 0);
        }
        self.counts[abs.index()] += 1;
        queue.push_back(node);
    }

    /// Lets `node` be expanded on a way given as first state and cases.
    fn start_on(&mut self, node: NodeId, way: &(NodeId, Vec<(u32, NodeId)>), queue: &mut VecDeque<NodeId>) {
        if self.nodes[node].path.is_some() || !self.has_room(self.nodes[node].abs) {
            return;
        }
        let (first, steps) = way;
        let mut path = self.paths.push(Path { node: *first, before: None, length: 0 });
        let Some(((case, last), between)) = steps.split_last() else { return };
        for (case, next) in between {
            let length = self.paths[path].length + 1;
            path = self.paths.push(Path { node: *next, before: Some((path, *case)), length });
        }
        debug_assert_eq!(*last, node);
        self.start(node, Some((path, *case)), queue);
    }

    /// Whether the abstract state `abs` is on a path.
    pub(crate) fn is_on(&self, abs: AbstractId, path: PathId) -> bool {
        let mut at = Some(path);
        while let Some(path) = at {
            let path = &self.paths[path];
            if self.nodes[path.node].abs == abs {
                return true;
            }
            at = path.before.map(|(before, _)| before);
        }
        false
    }

    fn expand(
        &mut self,
        engine: &mut Engine,
        node: NodeId,
        matching: Matching,
        queue: &mut VecDeque<NodeId>,
    ) -> Result<(), Stop> {
        let control = self.nodes[node].control;
        let path = self.nodes[node].path.expect("what is queued has a path");
        let data = self.nodes[node].data.clone();
        let abs = self.nodes[node].abs;
        if engine.complete_guards(control) {
            return Err(Stop::NewPredicates);
        }
        for (index, case) in engine.cases(control).iter().enumerate() {
            let index = index as u32;
            if !engine.enabled(&self.states[abs].1, case.guard) {
                continue;
            }
            let next = post(
                &mut engine.pool,
                &mut engine.oracle,
                &engine.controls,
                &mut engine.symbols,
                &data,
                case.effect,
            )?;
            for (data, bits) in engine.split(&next)? {
                let (next, is_new) = self.node(case.to, data, bits);
                self.nodes[node].out.push((index, next));
                self.nodes[next].preds.push((node, index));
                if is_new && self.is_bad(engine, next)? {
                    let (first, mut cases) = self.cases_of(path);
                    cases.push(index);
                    self.error = Some((first, cases));
                    return Ok(());
                }
                if self.nodes[next].path.is_some() {
                    continue;
                }
                let abs = self.nodes[next].abs;
                let matched = match matching {
                    Matching::Path => self.expanded.contains(&abs) && self.is_on(abs, path),
                    Matching::Global => self.expanded.contains(&abs),
                };
                if !matched && self.has_room(abs) {
                    self.start(next, Some((path, index)), queue);
                }
            }
        }
        if self.nodes.len() > engine.max_states {
            let limit = engine.max_states;
            return Err(Unanswered(format!("the limit of {limit} symbolic states was reached")).into());
        }
        engine.oracle.still_time()?;
        Ok(())
    }

    /// The first state of a path and the cases along it.
    pub(crate) fn cases_of(&self, path: PathId) -> (NodeId, Vec<u32>) {
        let mut cases = Vec::new();
        let mut at = path;
        while let Some((before, case)) = self.paths[at].before {
            cases.push(case);
            at = before;
        }
        cases.reverse();
        (self.paths[at].node, cases)
    }
}
