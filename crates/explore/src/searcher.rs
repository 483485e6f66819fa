//! The order in which pending states are taken up.
//!
//! Every order visits the same leaves; they differ in which come first and in how much memory the
//! pending states need. Depth first keeps few and lets the solver's stack follow the search; but where a loop does
//! not end, it would never look at anything else, so now and then it takes up the oldest state instead.

use std::collections::VecDeque;
use std::rc::Rc;

use selvedge_exec::{CoverageMap, Image, State};
use selvedge_term::Assignment;

/// A search order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Depth first; seldom, and ever more seldom, the oldest state, so that one endless loop does not hide the rest.
    #[default]
    Dfs,
    /// Breadth first.
    Bfs,
    /// A random walk down the tree of pending states.
    RandomPath,
    /// Nearest to uncovered code first.
    Coverage,
}

/// The number of states taken up before depth-first search turns to the oldest one for the first time.
const OLDEST_FROM: u64 = 64;

/// A state waiting to be run, with a model of its path condition.
pub(crate) struct Pending {
    pub(crate) state: State,
    pub(crate) model: Rc<Assignment>,
    /// How the state was reached: the index of the alternative at each fork.
    pub(crate) branch: Vec<u32>,
}

/// The set of pending states.
pub(crate) enum Frontier {
    Dfs { pending: VecDeque<Pending>, n_taken: u64 },
    Bfs(VecDeque<Pending>),
    RandomPath { pending: Vec<Pending>, random: SplitMix },
    Coverage { pending: Vec<Pending> },
}

impl Frontier {
    pub(crate) fn new(order: Order, seed: u64) -> Self {
        match order {
            Order::Dfs => Frontier::Dfs { pending: VecDeque::new(), n_taken: 0 },
            Order::Bfs => Frontier::Bfs(VecDeque::new()),
            Order::RandomPath => Frontier::RandomPath { pending: Vec::new(), random: SplitMix(seed) },
            Order::Coverage => Frontier::Coverage { pending: Vec::new() },
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Frontier::RandomPath { pending: p, .. } | Frontier::Coverage { pending: p } => p.len(),
            Frontier::Dfs { pending: p, .. } | Frontier::Bfs(p) => p.len(),
        }
    }

    /// Whether paths need to remember their alternatives.
    pub(crate) fn tracks_branches(&self) -> bool {
        matches!(self, Frontier::RandomPath { .. })
    }

    /// Adds the successors of one state, in the order of their alternatives.
    pub(crate) fn extend(&mut self, successors: Vec<Pending>) {
        match self {
            // The first alternative is to be taken up first.
            Frontier::Dfs { pending, .. } => pending.extend(successors.into_iter().rev()),
            Frontier::Bfs(p) => p.extend(successors),
            Frontier::RandomPath { pending, .. } | Frontier::Coverage { pending } => {
                pending.extend(successors)
            }
        }
    }

    /// Takes the next state.
    pub(crate) fn pop(&mut self, image: &Image<'_>, coverage: &CoverageMap) -> Option<Pending> {
        match self {
            Frontier::Dfs { pending, n_taken } => {
                *n_taken += 1;
                // Powers of two: a long search keeps a few abandoned branches more, not thousands.
                if *n_taken >= OLDEST_FROM && n_taken.is_power_of_two() {
                    pending.pop_front()
                } else {
                    pending.pop_back()
                }
            }
            Frontier::Bfs(p) => p.pop_front(),
            Frontier::RandomPath { pending, random } => {
                let i = random_leaf(pending, random)?;
                Some(pending.swap_remove(i))
            }
            Frontier::Coverage { pending } => {
                let i =
                    (0..pending.len()).min_by_key(|&i| (distance(&pending[i].state, image, coverage), i))?;
                Some(pending.remove(i))
            }
        }
    }
}

/// Walks from the root of the tree of pending states, at each fork taking one of the
/// alternatives below which states are pending, each with the same chance.
fn random_leaf(pending: &[Pending], random: &mut SplitMix) -> Option<usize> {
    let mut candidates: Vec<usize> = (0..pending.len()).collect();
    let mut depth = 0;
    while candidates.len() > 1 {
        let mut alternatives: Vec<u32> =
            candidates.iter().filter_map(|&i| pending[i].branch.get(depth).copied()).collect();
        alternatives.sort_unstable();
        alternatives.dedup();
        if alternatives.is_empty() {
            break;
        }
        let chosen = alternatives[random.below(alternatives.len())];
        candidates.retain(|&i| pending[i].branch.get(depth) == Some(&chosen));
        depth += 1;
    }
    candidates.first().copied()
}

/// Blocks between a state and the nearest unreached block of its function or a caller's.
fn distance(state: &State, image: &Image<'_>, coverage: &CoverageMap) -> u32 {
    const FAR: u32 = 1 << 20;
    const CALLER: u32 = 64;
    let mut best = FAR;
    for (up, frame) in state.thread().frames.iter().rev().enumerate() {
        let function = &image.program.funcs[frame.func];
        let mut seen = vec![false; function.blocks.len()];
        let mut queue = VecDeque::from([(frame.block, 0u32)]);
        while let Some((block, d)) = queue.pop_front() {
            if std::mem::replace(&mut seen[selvedge_base::Id::index(block)], true) {
                continue;
            }
            if !coverage.has_block(image.block_number(frame.func, block)) {
                best = best.min(d + CALLER * up as u32);
                break;
            }
            queue.extend(function.blocks[block].successors().map(|b| (b, d + 1)));
        }
    }
    best
}

/// A small deterministic generator (Steele, Lea, Flood 2014), so that a seed means the same run everywhere.
pub(crate) struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}
