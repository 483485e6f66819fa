//! The control graph of a program: every control state that may be reached, and the steps between them.
//!
//! A node is a template: a control state with a constant for each place that has the same value on every known way to it,
//! and a state variable for every other place. Nodes are explored until no step leads to a new one or makes a constant a
//! variable. So the graph covers every execution of the program, of any length: if each node's variables may have any
//! values, it is an over-approximation of what can happen, and its steps are exact.
//!
//! Guarantee: a graph without [`Why::Unknown`] bad steps on the way contains every execution. Relies on: [`crate::ways`].

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use selvedge_base::Loc;
use selvedge_exec::{Machine, State, frame_loc, join_template, new_template, template_key, with_variables};
use selvedge_explore::{note_served_later, stuck};
use selvedge_program::Program;
use selvedge_prove::{Ask, StepId, Stopped};
use selvedge_term::TermId;

use crate::proof::{Invariant, StateName};
use crate::ways::{End, Move, moves, ways};

/// A control state.
pub(crate) struct Node {
    pub(crate) template: State,
    /// Steps from here.
    pub(crate) out: Vec<Edge>,
    /// What can go wrong from here.
    pub(crate) bad: Vec<Bad>,
}

/// A step that leads to another control state.
pub(crate) struct Edge {
    pub(crate) step: Move,
    pub(crate) to: usize,
    /// What must hold before it.
    pub(crate) guards: Vec<TermId>,
    /// The state after it, over the variables of the state before it.
    pub(crate) end: State,
    pub(crate) used: Vec<(u32, u32)>,
}

/// A step that must not happen.
#[derive(Clone)]
pub(crate) struct Bad {
    /// `None`: no thread can move.
    pub(crate) step: Option<Move>,
    pub(crate) guards: Vec<TermId>,
    pub(crate) why: Why,
    pub(crate) at: Loc,
}

/// Why a step must not happen.
#[derive(Clone, Debug)]
pub(crate) enum Why {
    /// The program is wrong in this way.
    Wrong(String),
    /// Nothing is known about what follows.
    Unknown(String),
}

/// A control graph. Node 0 is the start of the program; no step leads there.
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    /// Whether steps lead to each node from the start.
    pub(crate) is_reached: Vec<bool>,
    /// The key of each node but the first.
    pub(crate) keys: FxHashMap<Vec<u64>, usize>,
}

/// Why there is no graph.
pub(crate) enum NoGraph {
    Stopped(Stopped),
    /// Too many control states; one of the last stands there.
    TooMany {
        at: Loc,
    },
}

impl From<Stopped> for NoGraph {
    fn from(stopped: Stopped) -> NoGraph {
        NoGraph::Stopped(stopped)
    }
}

impl Graph {
    /// Explores from `start`. What an earlier proof takes for a variable is one from the beginning, as it is likely to become
    /// one; `earlier` is what it says.
    pub(crate) fn build(
        machine: &mut Machine<'_>,
        ask: &mut Ask,
        start: State,
        max_nodes: usize,
        earlier: Option<&Invariant>,
    ) -> Result<Graph, NoGraph> {
        let root = Node { template: start, out: Vec::new(), bad: Vec::new() };
        let mut graph = Graph { nodes: vec![root], is_reached: Vec::new(), keys: FxHashMap::default() };
        let mut queue = VecDeque::from([0]);
        let mut is_queued = vec![true];
        while let Some(node) = queue.pop_front() {
            is_queued[node] = false;
            let template = graph.nodes[node].template.clone();
            let (mut out, mut bad) = (Vec::new(), Vec::new());
            let steps = moves(&template);
            if steps.is_empty() && !template.is_cut {
                bad.extend(standstill(machine, &template));
            }
            for step in steps {
                for way in ways(machine, ask, &template, step)? {
                    let (end, key) = match rest(machine, way.end, way.at) {
                        Ok(rest) => rest,
                        Err((why, at)) => {
                            bad.push(Bad { step: Some(step), guards: way.guards, why, at });
                            continue;
                        }
                    };
                    let (to, is_dirty) = graph.join(machine, key, &end, earlier);
                    if graph.nodes.len() > max_nodes {
                        return Err(NoGraph::TooMany { at: way.at });
                    }
                    is_queued.resize(graph.nodes.len(), false);
                    if is_dirty && !std::mem::replace(&mut is_queued[to], true) {
                        queue.push_back(to);
                    }
                    out.push(Edge { step, to, guards: way.guards, end, used: way.used });
                }
            }
            (graph.nodes[node].out, graph.nodes[node].bad) = (out, bad);
        }
        graph.drop_unreached();
        Ok(graph)
    }

    /// The node of a state, which covers the state from now on, and whether it covered less before.
    fn join(
        &mut self,
        machine: &mut Machine<'_>,
        key: Vec<u64>,
        end: &State,
        earlier: Option<&Invariant>,
    ) -> (usize, bool) {
        if let Some(&to) = self.keys.get(&key) {
            return (to, join_template(machine, &mut self.nodes[to].template, end));
        }
        let to = self.nodes.len();
        let claim = earlier.and_then(|earlier| earlier.get(&StateName::of(&key)));
        let known = claim.and_then(|claim| with_variables(machine, end, &claim.variables));
        let template = known.unwrap_or_else(|| new_template(machine, end));
        self.nodes.push(Node { template, out: Vec::new(), bad: Vec::new() });
        self.keys.insert(key, to);
        (to, true)
    }

    /// Drops nodes' steps that were left behind when constants became variables.
    fn drop_unreached(&mut self) {
        let mut reached = vec![false; self.nodes.len()];
        reached[0] = true;
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            for edge in &self.nodes[node].out {
                if !std::mem::replace(&mut reached[edge.to], true) {
                    open.push(edge.to);
                }
            }
        }
        for (node, _) in self.nodes.iter_mut().zip(&reached).filter(|(_, is_reached)| !**is_reached) {
            node.out.clear();
            node.bad.clear();
        }
        self.is_reached = reached;
    }

    /// The keys of nodes, in the order of nodes.
    pub(crate) fn named(&self) -> Vec<(&[u64], usize)> {
        let mut named: Vec<(&[u64], usize)> = self.keys.iter().map(|(key, node)| (&key[..], *node)).collect();
        named.sort_unstable_by_key(|(_, node)| *node);
        named
    }

    pub(crate) fn edge(&self, (node, i): StepId) -> &Edge {
        &self.nodes[node].out[i]
    }
}

/// What is wrong where no thread can move; if nothing is, that is noted as an assumption.
fn standstill(machine: &mut Machine<'_>, template: &State) -> Option<Bad> {
    let Some((thread, finding)) = stuck(machine, template) else {
        note_served_later(machine, template);
        return None;
    };
    let at = thread_loc(machine, template, thread);
    Some(Bad { step: None, guards: Vec::new(), why: Why::Wrong(finding.message), at })
}

/// The state at the end of a way that begins at `at`, and its key; or why the way must not be taken, and where.
fn rest(machine: &mut Machine<'_>, end: End, at: Loc) -> Result<(State, Vec<u64>), (Why, Loc)> {
    let end = match end {
        End::Fails(finding) => return Err((Why::Wrong(finding.message.clone()), at)),
        End::Obstacle(what) => return Err((Why::Unknown(what), at)),
        End::Rest(end) => *end,
    };
    if let Some((at, why)) = grows(machine.image.program, &end) {
        return Err((Why::Unknown(why), at));
    }
    match template_key(machine, &end) {
        Ok(key) => Ok((end, key)),
        Err(why) => Err((Why::Unknown(why), at)),
    }
}

/// Heap objects, or calls in one thread, that make a state look like one of ever larger ones.
const MANY: usize = 100;

/// Where and why control states would have no end if states like this were followed.
fn grows(program: &Program, state: &State) -> Option<(Loc, String)> {
    let mut objects = state.mem.heap_objects();
    if let Some(last) = objects.nth(MANY) {
        return Some((last.site, format!("more than {MANY} objects are allocated, which may have no end")));
    }
    let deep = state.threads.iter().find_map(|t| t.frames.get(MANY))?;
    let at = frame_loc(program, deep);
    Some((at, format!("more than {MANY} calls are nested, which may have no end")))
}

/// Where a thread stands in the user's code.
pub(crate) fn thread_loc(machine: &Machine<'_>, state: &State, thread: usize) -> Loc {
    let mut state = state.clone();
    state.current = thread;
    state.user_loc(machine.image.program)
}
