//! Wakeup trees: the sequences of steps that are still to be explored from a state, in order.
//!
//! A sequence in the tree leads to an execution that is not yet explored and that no sleeping thread could
//! lead to. A new sequence goes into the first branch that can be extended to an equivalent of it, and is
//! dropped if a branch that ends already stands for it; otherwise it becomes a branch of its own, after all
//! others.
//!
//! Paper: ODPOR, wakeup trees and the operation `insert`.
//! Guarantees: no sequence is inserted that starts (up to equivalence) with a branch before it, so
//! exploring the branches in order never repeats a trace.
//! Differs: DIVERGENCE (a) the last step of an inserted sequence was executed elsewhere, and may do
//! something else where it is now put; the tree holds an over-approximation of it. If it does less, a
//! branch after it may be explored in vain.
//! DIVERGENCE (b) a step may be followed by a data fork; what comes after it in the tree belongs to one
//! alternative, and the others are explored without a plan (see `reversal` for why nothing is lost).
//! DIVERGENCE (c) a step of which it is not known whether it can happen stands only for sequences that
//! contain it.
//!
//! Steps without branching between them are one vector.

use crate::event::ThreadId;
use crate::table::{EventId, EventTable};

/// A step that is to be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlannedStep {
    pub(crate) thread: ThreadId,
    /// What the step does, or more.
    pub(crate) event: EventId,
    /// The alternative after it for which the plan goes on.
    pub(crate) choice: u32,
    /// Where it was made in the execution it was found in.
    pub(crate) position: u32,
}

/// The result of an insertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Inserted {
    /// Whether the tree has a new sequence.
    pub(crate) is_new: bool,
    /// How much of the execution decided about it: as long as its first steps up to here stay the same, the
    /// tree stands for what the sequence becomes when the execution goes on in another way.
    pub(crate) until: u32,
}

/// All of the execution.
pub(crate) const ALL: u32 = u32::MAX;

/// The sequences to be explored from a state; empty if nothing is planned.
#[derive(Clone, Default, Debug)]
pub(crate) struct WakeupTree {
    branches: Vec<Branch>,
}

#[derive(Clone, Debug)]
struct Branch {
    /// Invariant: `at < run.len()`.
    run: Vec<PlannedStep>,
    /// The steps before this one are made already.
    at: usize,
    /// What comes after the run; nothing if a sequence ends there.
    children: Vec<Branch>,
}

impl Branch {
    fn first(&self) -> PlannedStep {
        self.run[self.at]
    }
}

impl WakeupTree {
    pub(crate) fn is_empty(&self) -> bool {
        self.branches.is_empty()
    }

    /// Whether a branch starts with a step of `thread`.
    pub(crate) fn starts_with(&self, thread: ThreadId) -> bool {
        self.branches.iter().any(|branch| branch.first().thread == thread)
    }

    /// Adds a sequence after all others, whether or not something stands for it.
    pub(crate) fn add_branch(&mut self, sequence: &[PlannedStep]) {
        self.branches.push(Branch { run: sequence.to_vec(), at: 0, children: Vec::new() });
    }

    /// Adds a branch of one step after all others, unless its thread has one.
    pub(crate) fn add_thread(&mut self, step: PlannedStep) {
        if !self.starts_with(step.thread) {
            self.add_branch(&[step]);
        }
    }

    /// Takes the first step out of the tree, with what is planned after it.
    pub(crate) fn take_first(&mut self) -> Option<(PlannedStep, WakeupTree)> {
        if self.branches.is_empty() {
            return None;
        }
        let mut branch = self.branches.remove(0);
        let step = branch.first();
        branch.at += 1;
        if branch.at == branch.run.len() {
            return Some((step, WakeupTree { branches: branch.children }));
        }
        // The vector moves along with a lonely branch: following a plan allocates nothing.
        let mut branches = match self.branches.is_empty() {
            true => std::mem::take(&mut self.branches),
            false => Vec::with_capacity(1),
        };
        branches.push(branch);
        Some((step, WakeupTree { branches }))
    }

    /// Inserts `sequence` if nothing in the tree stands for it. Uses up `sequence`.
    pub(crate) fn insert(&mut self, table: &EventTable, sequence: &mut Vec<PlannedStep>) -> Inserted {
        let whole = sequence.iter().map(|step| step.position + 1).max().unwrap_or(0);
        let mut until = 0;
        let new_branch =
            |sequence: &[PlannedStep]| Branch { run: sequence.to_vec(), at: 0, children: Vec::new() };
        let inserted = |until: u32| Inserted { is_new: true, until: until.max(whole) };
        let covered = |until: u32| Inserted { is_new: false, until };
        let mut branches = &mut self.branches;
        loop {
            let fits = |branch: &Branch| can_follow(table, branch.first(), sequence);
            let Some(found) = branches.iter().position(fits) else {
                branches.push(new_branch(sequence));
                return inserted(until);
            };
            let branch = &mut branches[found];
            let mut at = branch.at;
            loop {
                let step = branch.run[at];
                match sequence.iter().position(|other| other.thread == step.thread) {
                    Some(same) => {
                        let same = sequence.remove(same);
                        until = until.max(same.position + 1);
                        if same.choice != step.choice || sequence.is_empty() {
                            return covered(until);
                        }
                    }
                    // It fits only because nothing of the sequence depends on it.
                    None => until = ALL,
                }
                at += 1;
                if at == branch.run.len() {
                    break;
                }
                if !can_follow(table, branch.run[at], sequence) {
                    let run = branch.run.split_off(at);
                    let children = std::mem::take(&mut branch.children);
                    branch.children = vec![Branch { run, at: 0, children }, new_branch(sequence)];
                    return inserted(until);
                }
            }
            if branch.children.is_empty() {
                return covered(until);
            }
            branches = &mut branch.children;
        }
    }
}

/// Whether `sequence` can go below a branch that starts with `step`. A step that may turn out to be
/// impossible has to be in the sequence.
fn can_follow(table: &EventTable, step: PlannedStep, sequence: &[PlannedStep]) -> bool {
    is_weak_initial(table, step, sequence)
        && (table.get(step.event).is_certain || sequence.iter().any(|other| other.thread == step.thread))
}

/// Whether `step` can come first in an execution that is equivalent to one starting with `sequence` (the
/// paper's weak initials, `WI`): it is in the sequence and nothing before it there depends on it, or
/// nothing of the sequence does.
pub(crate) fn is_weak_initial(table: &EventTable, step: PlannedStep, sequence: &[PlannedStep]) -> bool {
    for other in sequence {
        if other.thread == step.thread {
            return true;
        }
        if table.dependent(other.event, step.event) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Access, Event, Location};

    /// Builds steps from text: `2x` is a write to x by thread 2, `2?x` a read.
    fn parse(table: &mut EventTable, text: &str) -> Vec<PlannedStep> {
        let steps = text.split_whitespace().map(|word| {
            let (thread, place) = word.split_at(1);
            let thread = ThreadId(thread.parse().expect("a digit"));
            let cell = |name: &str| Location::bytes(u64::from(name.as_bytes()[0]), 0, 4);
            let access = match place.strip_prefix('?') {
                Some(name) => Access::read(cell(name)),
                None => Access::write(cell(place)),
            };
            PlannedStep { thread, event: table.intern(&Event::new(thread, [access])), choice: 0, position: 0 }
        });
        steps.collect()
    }

    fn insert(table: &mut EventTable, tree: &mut WakeupTree, text: &str) -> bool {
        let mut sequence = parse(table, text);
        tree.insert(table, &mut sequence).is_new
    }

    /// The sequences of the tree by their threads, in order.
    fn sequences(tree: &WakeupTree) -> Vec<String> {
        fn walk(branches: &[Branch], prefix: &str, found: &mut Vec<String>) {
            for branch in branches {
                let run = &branch.run[branch.at..];
                let text =
                    run.iter().fold(prefix.to_owned(), |text, step| format!("{text}{}", step.thread.0));
                match branch.children.as_slice() {
                    [] => found.push(text),
                    children => walk(children, &text, found),
                }
            }
        }
        let mut found = Vec::new();
        walk(&tree.branches, "", &mut found);
        found
    }

    #[test]
    fn equivalent_sequences_share_a_branch() {
        let (mut table, mut tree) = (EventTable::default(), WakeupTree::default());
        assert!(insert(&mut table, &mut tree, "1x 2x"));
        assert!(insert(&mut table, &mut tree, "2x 1x"));
        assert!(!insert(&mut table, &mut tree, "3y 1x 2x"), "3y commutes with the first branch");
        assert!(!insert(&mut table, &mut tree, "1x"), "a prefix of the first branch");
        assert_eq!(sequences(&tree), ["12", "21"]);
    }

    #[test]
    fn a_run_is_split_where_the_sequences_part() {
        let (mut table, mut tree) = (EventTable::default(), WakeupTree::default());
        assert!(insert(&mut table, &mut tree, "1x 2?y 3y"));
        assert!(insert(&mut table, &mut tree, "1x 3y 2?y"));
        assert!(insert(&mut table, &mut tree, "4x 1x"));
        assert_eq!(sequences(&tree), ["123", "132", "41"]);
        let (step, rest) = tree.take_first().expect("three sequences");
        assert_eq!(step.thread, ThreadId(1));
        assert_eq!(sequences(&rest), ["23", "32"]);
        assert_eq!(sequences(&tree), ["41"]);
    }

    #[test]
    fn a_branch_that_ends_stands_for_all_that_extends_it() {
        let (mut table, mut tree) = (EventTable::default(), WakeupTree::default());
        assert!(insert(&mut table, &mut tree, "1x"));
        assert!(!insert(&mut table, &mut tree, "1x 2x"));
        assert!(!insert(&mut table, &mut tree, "2y 1x"));
        assert!(insert(&mut table, &mut tree, "2x 1x"));
        assert_eq!(sequences(&tree), ["1", "21"]);
        let (_, rest) = tree.take_first().expect("two sequences");
        assert!(rest.is_empty());
    }

    #[test]
    fn an_insertion_says_what_decided_about_it() {
        let (mut table, mut tree) = (EventTable::default(), WakeupTree::default());
        let mut insert = |text: &str| {
            let mut sequence = parse(&mut table, text);
            for (position, step) in sequence.iter_mut().enumerate() {
                step.position = crate::table::index(position);
            }
            tree.insert(&table, &mut sequence)
        };
        assert_eq!(insert("1x 2?y"), Inserted { is_new: true, until: 2 });
        assert_eq!(insert("1x 2?y 3?x"), Inserted { is_new: false, until: 2 });
        assert_eq!(insert("3?z 2?y 1x 4?z"), Inserted { is_new: false, until: 3 });
        assert_eq!(insert("1x"), Inserted { is_new: false, until: 1 }, "a prefix of the branch");
        assert_eq!(insert("4y 1x"), Inserted { is_new: true, until: 2 }, "the read comes after the write");
        assert_eq!(insert("5z 6z"), Inserted { is_new: false, until: ALL }, "only because all commute");
    }

    #[test]
    fn other_alternatives_of_a_fork_are_left_to_free_exploration() {
        let (mut table, mut tree) = (EventTable::default(), WakeupTree::default());
        assert!(insert(&mut table, &mut tree, "1x 2y"));
        let mut sequence = parse(&mut table, "1x 3x");
        sequence[0].choice = 1;
        assert!(!tree.insert(&table, &mut sequence).is_new);
        assert_eq!(sequences(&tree), ["12"]);
    }
}
