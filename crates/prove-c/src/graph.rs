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
use selvedge_exec::{Machine, State, frame_loc, join_template, new_template, template_key};
use selvedge_explore::{note_served_later, stuck};
use selvedge_program::Program;
use selvedge_prove::{Ask, StepId, Stopped};
use selvedge_term::TermId;

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
    /// Explores from `start`.
    pub(crate) fn build(
        machine: &mut Machine<'_>,
        ask: &mut Ask,
        start: State,
        max_nodes: usize,
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
                match stuck(machine, &template) {
                    Some((thread, finding)) => {
                        let at = thread_loc(machine, &template, thread);
                        bad.push(Bad {
                            step: None,
                            guards: Vec::new(),
                            why: Why::Wrong(finding.message),
                            at,
                        });
                    }
                    None => note_served_later(machine, &template),
                }
            }
            for step in steps {
                for way in ways(machine, ask, &template, step)? {
                    let (guards, at) = (way.guards, way.at);
                    let mut obstacle = |guards, why| {
                        bad.push(Bad { step: Some(step), guards, why, at });
                    };
                    let end = match way.end {
                        End::Fails(finding) => {
                            obstacle(guards, Why::Wrong(finding.message.clone()));
                            continue;
                        }
                        End::Obstacle(what) => {
                            obstacle(guards, Why::Unknown(what));
                            continue;
                        }
                        End::Rest(end) => *end,
                    };
                    if let Some((at, why)) = grows(machine.image.program, &end) {
                        bad.push(Bad { step: Some(step), guards, why: Why::Unknown(why), at });
                        continue;
                    }
                    let mut obstacle = |guards, why| {
                        bad.push(Bad { step: Some(step), guards, why, at });
                    };
                    let key = match template_key(machine, &end) {
                        Ok(key) => key,
                        Err(why) => {
                            obstacle(guards, Why::Unknown(why));
                            continue;
                        }
                    };
                    let is_dirty;
                    let to = match graph.keys.get(&key) {
                        Some(&to) => {
                            is_dirty = join_template(machine, &mut graph.nodes[to].template, &end);
                            to
                        }
                        None => {
                            let to = graph.nodes.len();
                            if to >= max_nodes {
                                return Err(NoGraph::TooMany { at });
                            }
                            let template = new_template(machine, &end);
                            graph.nodes.push(Node { template, out: Vec::new(), bad: Vec::new() });
                            graph.keys.insert(key, to);
                            is_queued.push(false);
                            is_dirty = true;
                            to
                        }
                    };
                    if is_dirty && !std::mem::replace(&mut is_queued[to], true) {
                        queue.push_back(to);
                    }
                    out.push(Edge { step, to, guards, end, used: way.used });
                }
            }
            (graph.nodes[node].out, graph.nodes[node].bad) = (out, bad);
        }
        graph.drop_unreached();
        Ok(graph)
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

    pub(crate) fn edge(&self, (node, i): StepId) -> &Edge {
        &self.nodes[node].out[i]
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
