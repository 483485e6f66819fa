//! Cutting a search into parts that workers can do without each other.
//!
//! The tree of schedules and inputs is unfolded from its root, all threads that can move from each state, until it has
//! enough leaves. A leaf becomes a task: the way to it, and the threads that sleep there because a leaf to its left
//! covers them (sleep sets, Godefroid 1996). Below a leaf, reduction works as ever; races with steps above need no
//! analysis, since everything was unfolded there. So each class of executions is explored by exactly one
//! worker.

use std::collections::VecDeque;
use std::rc::Rc;

use selvedge_base::Id;
use selvedge_exec::{Machine, Noted, PathEnd, State, ThreadNames, start};
use selvedge_por::{Event, dependent};
use selvedge_term::Assignment;

use crate::explorer::{Control, Ended, Explorer, Leaf, SearchConfig, Snapshot, Watch};
use crate::interleave::{Interleaving, end_of_execution};
use crate::limits::Limits;
use crate::order::enabled;
use crate::settle::settle;

/// One decision on the way to a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Move {
    /// This thread makes its next visible step.
    Turn(u32),
    /// A fork goes this way.
    Branch(u32),
}

/// A part of a search.
#[derive(Clone, Debug)]
pub struct Task {
    moves: Vec<Move>,
    /// Steps that are covered elsewhere if they come next.
    sleep: Vec<Event>,
    /// Numbers of threads, which must be the same for all workers.
    threads: Vec<(u32, u32)>,
}

/// A state on the border of what is unfolded.
struct Open {
    state: State,
    model: Rc<Assignment>,
    moves: Vec<Move>,
    /// What sleeps, before the step under way wakes some.
    sleep: Vec<Event>,
    /// A step is under way.
    is_moving: bool,
}

impl<'p> Explorer<'p> {
    /// Unfolds the search until it has `want` parts, or none is left. Ends of executions that are met are handed to
    /// `on_leaf` as in a search.
    pub fn split(
        &mut self,
        config: &SearchConfig,
        limits: &Limits<'_>,
        want: usize,
        mut on_leaf: impl FnMut(&mut Machine<'p>, Leaf<'_>) -> Control,
    ) -> Result<Vec<Task>, Ended> {
        let mut on_progress = |_: &Snapshot| {};
        let mut watch = Watch::new(limits, &mut on_leaf, &mut on_progress);
        let state = start(&mut self.machine, &config.arguments).map_err(Ended::Limit)?;
        self.n_states += 1;
        let model = Rc::new(Assignment::new());
        let mut open =
            VecDeque::from([Open { state, model, moves: Vec::new(), sleep: Vec::new(), is_moving: true }]);
        // Long sequences of single steps must not keep the others waiting.
        let mut effort = want * 50;
        while open.len() < want && effort > 0 {
            let Some(next) = open.pop_front() else { break };
            effort -= 1;
            watch.take_up()?;
            self.unfold(&mut watch, next, config, &mut open)?;
        }
        let threads = self.machine.thread_names.names().to_vec();
        let task = |o: Open| Task { moves: o.moves, sleep: o.sleep, threads: threads.clone() };
        Ok(open.into_iter().map(task).collect())
    }

    fn unfold(
        &mut self,
        watch: &mut Watch<'_, 'p>,
        next: Open,
        config: &SearchConfig,
        open: &mut VecDeque<Open>,
    ) -> Result<(), Ended> {
        if next.is_moving {
            return self.finish_step(watch, next, open).map(|_| ());
        }
        let threads: Vec<usize> = enabled(&next.state, config.thread_order).collect();
        if threads.is_empty() {
            return end_of_execution(self, watch, &next.state, &next.model, &turns(&next.moves)).map(|_| ());
        }
        let mut sleep = next.sleep;
        for thread in threads {
            if sleep.iter().any(|e| e.thread.index() == thread) {
                continue;
            }
            let mut state = next.state.clone();
            state.grant(thread);
            self.n_states += 1;
            let mut moves = next.moves.clone();
            moves.push(Move::Turn(thread as u32));
            let child =
                Open { state, model: next.model.clone(), moves, sleep: sleep.clone(), is_moving: true };
            // A step whose event depends on inputs cannot sleep.
            let event = self.finish_step(watch, child, open)?;
            sleep.extend(event.filter(|_| config.reduction.sleep));
        }
        Ok(())
    }

    /// Runs a step to its end, or to a fork; the event, if there is just one.
    fn finish_step(
        &mut self,
        watch: &mut Watch<'_, 'p>,
        mut from: Open,
        open: &mut VecDeque<Open>,
    ) -> Result<Option<Event>, Ended> {
        self.oracle.focus(&from.model);
        let schedule = turns(&from.moves);
        let model = from.model.clone();
        let mut report =
            |explorer: &mut Explorer<'p>, watch: &mut Watch<'_, 'p>, state: &State, end: &PathEnd| {
                let leaf = Leaf { state, model: &model, end, schedule: &schedule };
                watch.leaf(&mut explorer.machine, leaf)
            };
        match settle(self, watch, &mut from.state, &mut report)? {
            None => {
                from.is_moving = false;
                let event = from.state.event.clone();
                from.sleep.retain(|e| !dependent(e, &event));
                open.push_back(from);
                Ok(Some(event))
            }
            Some(alternatives) => {
                let event = (!from.state.granted).then(|| from.state.event.clone());
                for (branch, cond) in alternatives {
                    let mut state = from.state.clone();
                    state.take(branch, cond);
                    let mut moves = from.moves.clone();
                    moves.push(Move::Branch(branch));
                    let model = self.oracle.model_for(cond);
                    open.push_back(Open { state, model, moves, sleep: from.sleep.clone(), is_moving: true });
                }
                Ok(event)
            }
        }
    }

    /// Does one part of a search.
    pub fn run_task(
        &mut self,
        config: &SearchConfig,
        limits: &Limits<'_>,
        task: &Task,
        mut on_leaf: impl FnMut(&mut Machine<'p>, Leaf<'_>) -> Control,
        mut on_progress: impl FnMut(&Snapshot),
    ) -> Ended {
        let mut watch = Watch::new(limits, &mut on_leaf, &mut on_progress);
        match self.follow(config, &mut watch, task) {
            Ok(()) => Ended::Complete,
            Err(ended) => ended,
        }
    }

    fn follow(&mut self, config: &SearchConfig, watch: &mut Watch<'_, 'p>, task: &Task) -> Result<(), Ended> {
        self.machine.thread_names = ThreadNames::from_names(task.threads.clone());
        let mut state = start(&mut self.machine, &config.arguments).map_err(Ended::Limit)?;
        let mut model = Rc::new(Assignment::new());
        // What stops a thread on the way was reported when the search was cut.
        let mut ignore = |_: &mut Explorer<'p>, _: &mut Watch<'_, 'p>, _: &State, _: &PathEnd| Ok(Noted::No);
        for step in &task.moves {
            self.oracle.focus(&model);
            match (*step, settle(self, watch, &mut state, &mut ignore)?) {
                (Move::Turn(thread), None) => state.grant(thread as usize),
                (Move::Branch(branch), Some(alternatives)) => {
                    let Some((_, cond)) = alternatives.into_iter().find(|(b, _)| *b == branch) else {
                        return Err(lost_the_way());
                    };
                    state.take(branch, cond);
                    model = self.oracle.model_for(cond);
                }
                _ => return Err(lost_the_way()),
            }
        }
        let mut interleaving = Interleaving::new(config);
        interleaving.begin(turns(&task.moves), task.sleep.clone());
        let explored = interleaving.explore(self, watch, (state, model), true);
        self.summaries += interleaving.stats();
        explored
    }
}

/// A worker must come to the same place as the one that cut the search; only a solver that answers differently the
/// second time can prevent it.
fn lost_the_way() -> Ended {
    Ended::Limit("a worker could not repeat the way to its part of the search".to_string())
}

fn turns(moves: &[Move]) -> Vec<u32> {
    let turn = |m: &Move| match m {
        Move::Turn(thread) => Some(*thread),
        Move::Branch(_) => None,
    };
    moves.iter().filter_map(turn).collect()
}
