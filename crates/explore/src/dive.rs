//! Straight to where a tail begins.
//!
//! If the end of a program has changed, what is known of the states before it holds again as soon as the claims about that end
//! do (`selvedge_summary`). Each claim knows a way to its state. So before a search, these ways are gone, and what comes after
//! them is explored; the search then finds most of its states covered.
//!
//! Guarantee: what is explored is part of the program, as every step is made and every branch is asked for. A way that does
//! not exist any more leads nowhere, and nothing is learnt from it.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_exec::{Noted, PathEnd, State};
use selvedge_summary::{Summaries, Turn};
use selvedge_term::Assignment;

use crate::explorer::{Ended, Explorer, Leaf, Watch};
use crate::interleave::{Fork, Interleaving};
use crate::settle::settle;

/// Numbers of sequences of branches; 0 is the empty one.
#[derive(Default)]
pub(crate) struct Choices {
    numbers: FxHashMap<(u32, u32), u32>,
    /// By number, from 1 on: the sequence before, and the last branch.
    made: Vec<(u32, u32)>,
}

impl Choices {
    /// The number of a sequence, and one branch more.
    pub(crate) fn number(&mut self, before: u32, branch: u32) -> u32 {
        let next = self.made.len() as u32 + 1;
        let number = *self.numbers.entry((before, branch)).or_insert(next);
        if number == next {
            self.made.push((before, branch));
        }
        number
    }

    fn branches(&self, mut number: u32) -> Vec<u32> {
        let mut branches = Vec::new();
        while let Some(&(before, branch)) = (number as usize).checked_sub(1).and_then(|i| self.made.get(i)) {
            branches.push(branch);
            number = before;
        }
        branches.reverse();
        branches
    }
}

impl Interleaving {
    /// Notes how the search has come to a state that has been left, by a step with these branches.
    pub(crate) fn note_way(&mut self, claim: u32, choice: u32) {
        let mut way = Vec::new();
        let mut thread = None;
        for node in self.nodes.iter().filter(|node| node.branch.is_none()) {
            way.push(Turn { thread, branches: self.choices.branches(node.choice) });
            thread = Some(node.running);
        }
        way.push(Turn { thread, branches: self.choices.branches(choice) });
        // What no step led to was come to by a way that is known.
        if let Some(summaries) = self.summaries.as_mut().filter(|_| thread.is_some()) {
            summaries.note_way(claim, way);
        }
    }

    /// Compares what earlier versions claim of tails with what this search has found out about theirs.
    pub(crate) fn compare_tails(&mut self, explorer: &mut Explorer<'_>) {
        if let Some(summaries) = &mut self.summaries {
            let Explorer { machine, oracle, .. } = explorer;
            summaries.compare_tails(machine, self.dpor.events_mut(), &mut *oracle.solver);
        }
    }

    /// Explores the tails of which claims from before are to be tried again. The search begins in `state`.
    pub(crate) fn dive<'p>(
        &mut self,
        explorer: &mut Explorer<'p>,
        watch: &mut Watch<'_, 'p>,
        (state, model): (&State, &Rc<Assignment>),
    ) -> Result<(), Ended> {
        while let Some(way) = self.summaries.as_mut().and_then(Summaries::way_to_tail) {
            watch.take_up()?;
            let before: Vec<u32> = way.iter().filter_map(|turn| turn.thread).collect();
            let former = std::mem::replace(&mut self.before, before);
            let start = Fork { state: state.clone(), model: model.clone(), choice: 0 };
            let reached = self.follow(explorer, watch, start, &way)?;
            // The tail does not rest on the way to it.
            if let Some(code) = &mut explorer.machine.code {
                code.take(None);
            }
            if let Some(reached) = reached.filter(|reached| reached.state.has_one_thread()) {
                self.enter_root(explorer, watch, reached)?;
                self.below(explorer, watch)?;
            }
            self.before = former;
        }
        Ok(())
    }

    /// The state to which a way leads, if it exists.
    fn follow<'p>(
        &mut self,
        explorer: &mut Explorer<'p>,
        watch: &mut Watch<'_, 'p>,
        Fork { mut state, mut model, choice }: Fork,
        way: &[Turn],
    ) -> Result<Option<Fork>, Ended> {
        for (i, turn) in way.iter().enumerate() {
            if let Some(thread) = turn.thread.map(|thread| thread as usize) {
                if thread >= state.threads.len() || !state.is_enabled(thread) {
                    return Ok(None);
                }
                state.grant(thread);
                explorer.n_states += 1;
            }
            let mut branches = turn.branches.iter();
            loop {
                explorer.oracle.focus(&model);
                let schedule: Vec<u32> = way[..=i].iter().filter_map(|turn| turn.thread).collect();
                let mut report =
                    |explorer: &mut Explorer<'p>, watch: &mut Watch<'_, 'p>, state: &State, end: &PathEnd| {
                        let leaf = Leaf { state, model: &model, end, schedule: &schedule };
                        watch.leaf(&mut explorer.machine, leaf).map(|_| Noted::No)
                    };
                let Some(alternatives) = settle(explorer, watch, &mut state, &mut report)? else { break };
                let wanted = branches.next();
                let Some((branch, cond)) = alternatives.into_iter().find(|(b, _)| Some(b) == wanted) else {
                    return Ok(None);
                };
                state.take(branch, cond);
                model = explorer.oracle.model_for(cond);
            }
            if branches.next().is_some() || state.has_failed {
                return Ok(None);
            }
        }
        Ok(Some(Fork { state, model, choice }))
    }
}
