//! The generalized interleaving graph of a search: its states, the steps between them, and which state's summary made
//! another superfluous.
//!
//! Recorded only if the caller asks for it, and only up to a number of states. The graph is that of FSE 2015.

use rustc_hash::FxHashMap;
use selvedge_base::{Id, Loc};
use selvedge_exec::{Machine, PathEnd, Phase, State, frame_loc, sync};
use selvedge_por::{Access, Location, Mode};
use selvedge_summary::Open;
use selvedge_term::TermId;

use crate::explorer::Ended;
use crate::formula;

/// What became of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// Explored.
    Inner,
    /// The end of an execution, a good one.
    Full,
    /// A failure has happened, here or in the step before.
    Failing,
    /// Not explored to its end: a bound, something unsupported.
    Cut,
    /// Covered by the summary of another state.
    Pruned,
    /// All that could go on from it is explored elsewhere.
    Asleep,
}

/// Where a thread stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The thread.
    pub thread: u32,
    /// The place in the user's code.
    pub at: Loc,
    /// Whether it has ended or was stopped for good.
    pub is_over: bool,
}

/// A state of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphState {
    /// Its threads.
    pub threads: Vec<Standing>,
    /// What became of it.
    pub fate: Fate,
    /// Under which values everything from here is safe, if that is known and not `false`.
    pub summary: Option<String>,
    /// The state whose summary covers it, entirely or (if it is not pruned) but for some threads.
    pub covered_by: Option<usize>,
}

/// A step of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphStep {
    /// The state before it.
    pub from: usize,
    /// The state after it.
    pub to: usize,
    /// Whose step it is.
    pub thread: u32,
    /// Where.
    pub at: Loc,
    /// What it does to what others see; nothing after a branch.
    pub what: String,
}

/// The graph.
#[derive(Debug)]
pub struct Graph {
    /// All states, in the order of the search.
    pub states: Vec<GraphState>,
    /// All steps.
    pub steps: Vec<GraphStep>,
    limit: usize,
    /// The states of the current execution.
    stack: Vec<usize>,
    /// By the numbers that summaries use.
    by_id: FxHashMap<u64, usize>,
    /// What stopped a thread in the current step.
    stopped: Option<Fate>,
}

impl Graph {
    /// An empty graph with room for so many states.
    pub fn new(limit: usize) -> Graph {
        Graph {
            states: Vec::new(),
            steps: Vec::new(),
            limit,
            stack: Vec::new(),
            by_id: FxHashMap::default(),
            stopped: None,
        }
    }

    /// A thread was stopped for good in the current step.
    pub(crate) fn stopped(&mut self, end: &PathEnd) {
        let fate = if matches!(end, PathEnd::Finding(_)) { Fate::Failing } else { Fate::Cut };
        if self.stopped != Some(Fate::Failing) {
            self.stopped = Some(fate);
        }
    }

    /// The search enters a state by a step from `from`.
    pub(crate) fn enter(
        &mut self,
        machine: &Machine<'_>,
        from: Option<&State>,
        state: &State,
        open: Option<&Open>,
        is_pruned: bool,
    ) -> Result<(), Ended> {
        if self.states.len() == self.limit {
            let limit = self.limit;
            return Err(Ended::Limit(format!("only the first {limit} states are drawn (--states)")));
        }
        let index = self.states.len();
        if let (Some(&before), Some(from)) = (self.stack.last(), from) {
            // After a branch, the step goes on without being noticed.
            let (thread, accesses) = match from.is_under_way() {
                true => (from.current, &[][..]),
                false => (state.event.thread.index(), &state.event.accesses[..]),
            };
            let shown = accesses.iter().filter(|a| is_shown(a.location));
            let what: Vec<String> = shown.map(|a| access(machine, state, *a)).collect();
            let (thread, at) = (thread as u32, place(machine, from, thread));
            self.steps.push(GraphStep { from: before, to: index, thread, at, what: what.join(", ") });
        }
        let stopped = self.stopped.take();
        let fate = match self.stack.last().map(|s| self.states[*s].fate) {
            _ if is_pruned => Fate::Pruned,
            _ if stopped.is_some() => stopped.unwrap_or(Fate::Cut),
            Some(fate @ (Fate::Failing | Fate::Cut)) if state.has_failed => fate,
            _ => Fate::Inner,
        };
        if let Some(open) = open {
            self.by_id.insert(open.id(), index);
        }
        let covered_by = open.and_then(Open::covered_by).and_then(|id| self.by_id.get(&id)).copied();
        self.states.push(GraphState { threads: standings(machine, state), fate, summary: None, covered_by });
        self.stack.push(index);
        Ok(())
    }

    fn current(&mut self) -> Option<&mut GraphState> {
        let index = *self.stack.last()?;
        self.states.get_mut(index)
    }

    /// No thread can go on in the current state.
    pub(crate) fn ended(&mut self, is_good: bool) {
        if let Some(state) = self.current().filter(|s| s.fate == Fate::Inner) {
            state.fate = if is_good { Fate::Full } else { Fate::Failing };
        }
    }

    /// All threads that can go on in the current state sleep.
    pub(crate) fn asleep(&mut self) {
        if let Some(state) = self.current().filter(|s| s.fate == Fate::Inner) {
            state.fate = Fate::Asleep;
        }
    }

    /// The search leaves the current state.
    pub(crate) fn leave(&mut self, machine: &Machine<'_>, state: &State, summary: Option<TermId>) {
        let Some(index) = self.stack.pop() else { return };
        let summary = summary.filter(|f| *f != machine.pool.ff());
        self.states[index].summary = summary.map(|f| formula::text(machine, state, f));
    }
}

fn standings(machine: &Machine<'_>, state: &State) -> Vec<Standing> {
    let born = |t: &usize| state.threads[*t].phase != Phase::Unborn;
    (0..state.threads.len())
        .filter(born)
        .map(|t| Standing { thread: t as u32, at: place(machine, state, t), is_over: !state.is_live(t) })
        .collect()
}

/// Where a thread stands in the user's code.
fn place(machine: &Machine<'_>, state: &State, thread: usize) -> Loc {
    let program = machine.image.program;
    let frames = state.threads.get(thread).map_or(&[][..], |t| &t.frames);
    let user = frames.iter().rev().find(|f| !program.funcs[f.func].is_runtime);
    user.map_or(Loc::UNKNOWN, |f| frame_loc(program, f))
}

fn is_shown(location: Location) -> bool {
    match location {
        Location::Memory { .. } => true,
        Location::Sync(key) => sync::facts(key).is_none_or(|facts| facts.is_told),
    }
}

/// What an access does, for a person.
fn access(machine: &Machine<'_>, state: &State, access: Access) -> String {
    match access.location {
        Location::Memory { object, offset, len } => {
            let name = machine.bytes_name(state, object, offset, len);
            let verb = match access.mode {
                Mode::Read | Mode::Await { .. } | Mode::Spin => "read",
                Mode::ReadWrite => "update",
                _ => "write",
            };
            format!("{verb} {name}")
        }
        Location::Sync(key) => {
            let address = sync::address(key);
            match (sync::family(key), access.mode) {
                (Some(sync::Family::Ending), Mode::Give { .. }) => "end".to_owned(),
                (Some(sync::Family::Ending), _) => format!("join thread {address}"),
                (_, Mode::Take { .. } | Mode::TakeShared { .. }) => {
                    format!("take {}", machine.sync_name(state, key))
                }
                (_, Mode::Give { .. } | Mode::GiveShared { .. }) => {
                    format!("give {}", machine.sync_name(state, key))
                }
                _ => format!("look at {}", machine.sync_name(state, key)),
            }
        }
    }
}
