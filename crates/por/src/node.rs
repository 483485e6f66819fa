//! A state on the stack of the search, with what was and what must still be tried from it.

use smallvec::SmallVec;

use crate::event::ThreadId;
use crate::pruned::Trail;
use crate::table::{EventId, EventTable};
use crate::wakeup_tree::{PlannedStep, WakeupTree};

/// A thread that need not be run: all executions in which its event comes next are explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sleeper {
    pub(crate) thread: ThreadId,
    pub(crate) event: EventId,
    /// Whether the plans that were made when it was explored are followed here.
    pub(crate) has_plans: bool,
}

impl Sleeper {
    pub(crate) fn as_step(self) -> PlannedStep {
        PlannedStep { thread: self.thread, event: self.event, choice: 0, position: 0 }
    }
}

/// A state of the current execution. Nodes are kept and reused, with the memory they own.
#[derive(Default)]
pub(crate) struct Node {
    pub(crate) enabled: SmallVec<[ThreadId; 8]>,
    /// The sleep set, which the threads explored from here join.
    pub(crate) sleep: Vec<Sleeper>,
    /// The backtrack set of source-DPOR, or the enabled threads without reduction: the first `n_tried` are
    /// done.
    pub(crate) todo: Vec<ThreadId>,
    pub(crate) n_tried: usize,
    /// What optimal DPOR must still explore from here.
    pub(crate) tree: WakeupTree,
    /// The thread that is being explored.
    pub(crate) running: Option<Running>,
    /// Whether some thread was run from here, or none could be.
    pub(crate) has_started: bool,
    /// Whether every enabled thread slept at the start.
    pub(crate) is_blocked: bool,
    /// The events made below, if they are recorded.
    pub(crate) trail: Trail,
    /// Nobody asks for the events made below.
    pub(crate) is_untracked: bool,
    /// Some part below was skipped.
    pub(crate) has_skips: bool,
}

/// A thread that was chosen.
pub(crate) struct Running {
    pub(crate) thread: ThreadId,
    /// The plan's idea of the event, if it was planned, and the alternative for which `rest` is.
    pub(crate) planned: Option<PlannedStep>,
    /// What is planned after it.
    pub(crate) rest: WakeupTree,
    /// What was executed.
    pub(crate) event: Option<EventId>,
    /// Some part below it was skipped: the sequences planned on its account may lack steps.
    pub(crate) has_skips: bool,
}

impl Running {
    pub(crate) fn freely(thread: ThreadId) -> Running {
        Running { thread, planned: None, rest: WakeupTree::default(), event: None, has_skips: false }
    }
}

impl Node {
    /// Makes the node that of a new state.
    pub(crate) fn reset(&mut self, enabled: &[ThreadId]) {
        self.enabled.clear();
        self.enabled.extend_from_slice(enabled);
        self.sleep.clear();
        self.todo.clear();
        self.n_tried = 0;
        self.tree = WakeupTree::default();
        self.running = None;
        self.has_started = false;
        self.is_blocked = false;
        self.trail.clear();
        self.is_untracked = false;
        self.has_skips = false;
    }

    /// Takes over the sleepers of its predecessor that the step in between does not wake.
    pub(crate) fn inherit_sleepers(&mut self, from: &Node, table: &EventTable, event: EventId) {
        self.sleep.extend(from.sleep.iter().filter(|sleeper| !table.dependent(sleeper.event, event)));
    }

    /// Takes over the plan of its predecessor if it is for the alternative taken.
    pub(crate) fn inherit_plan(&mut self, from: &mut Node, choice: u32) {
        if let Some(Running { planned: Some(planned), rest, .. }) = &mut from.running
            && planned.choice == choice
        {
            self.tree = std::mem::take(rest);
        }
    }

    /// Notes that no plan is followed from here on.
    pub(crate) fn leave_plans(&mut self) {
        for sleeper in &mut self.sleep {
            sleeper.has_plans = false;
        }
    }

    pub(crate) fn is_asleep(&self, thread: ThreadId) -> bool {
        self.sleep.iter().any(|sleeper| sleeper.thread == thread)
    }

    /// Whether a thread was run from here, is to be, or need not be.
    pub(crate) fn is_tried(&self, thread: ThreadId) -> bool {
        self.is_asleep(thread) || self.todo.contains(&thread) || self.tree.starts_with(thread)
    }

    /// The threads besides `running` that are not in the backtrack set.
    pub(crate) fn unexplored(&self, running: ThreadId) -> impl Iterator<Item = ThreadId> {
        let others = self.enabled.iter().copied();
        others.filter(move |thread| *thread != running && !self.todo.contains(thread))
    }

    /// The first enabled thread that does not sleep.
    pub(crate) fn first_awake(&self) -> Option<ThreadId> {
        self.enabled.iter().copied().find(|&thread| !self.is_asleep(thread))
    }
}
