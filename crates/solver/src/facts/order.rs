//! Which terms a path puts below which others: a graph of `<` and `≤` between terms.
//!
//! A chain of edges is a proof: `a < b ≤ c` gives `a < c`. Bit-blasting such chains is what sorting
//! programs make solvers do, over and over.

use rustc_hash::FxHashMap;
use selvedge_term::TermId;

use super::Reading;

/// `from ≤ to`, or `from < to` if strict, by the conjunct `by`.
#[derive(Clone, Copy, Debug)]
struct Edge {
    to: TermId,
    strict: bool,
    by: TermId,
}

/// Terms looked at in one search, to bound its time.
const MAX_VISITED: usize = 64;

/// The graph. Edges are added and taken back in the order of a stack.
#[derive(Default)]
pub(super) struct Order {
    edges: FxHashMap<(TermId, Reading), Vec<Edge>>,
    added: Vec<(TermId, Reading)>,
    visited: Vec<Visit>,
}

/// A term reached in a search, and how.
#[derive(Clone, Copy)]
struct Visit {
    term: TermId,
    strict: bool,
    /// The visit before this one and the conjunct between them; none for the first.
    from: Option<(usize, TermId)>,
}

/// A chain from one term to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Chain {
    /// Whether an edge of it is strict.
    pub(super) strict: bool,
    pub(super) reasons: Vec<TermId>,
}

impl Order {
    /// Number of edges, for [`undo_to`](Self::undo_to).
    pub(super) fn len(&self) -> usize {
        self.added.len()
    }

    /// Adds `from ≤ to`, or `from < to`.
    pub(super) fn add(&mut self, reading: Reading, from: TermId, to: TermId, strict: bool, by: TermId) {
        self.edges.entry((from, reading)).or_default().push(Edge { to, strict, by });
        self.added.push((from, reading));
    }

    /// Takes back all but the first `len` edges.
    pub(super) fn undo_to(&mut self, len: usize) {
        while self.added.len() > len {
            if let Some(key) = self.added.pop()
                && let Some(edges) = self.edges.get_mut(&key)
            {
                edges.pop();
            }
        }
    }

    /// A chain from `from` to `to`, strict if one was found in time. Breadth first, so that it is
    /// short; a term is entered once without and once with a strict edge before it.
    pub(super) fn chain(&mut self, reading: Reading, from: TermId, to: TermId) -> Option<Chain> {
        if self.added.is_empty() || !self.edges.contains_key(&(from, reading)) {
            return None;
        }
        self.visited.clear();
        self.visited.push(Visit { term: from, strict: false, from: None });
        let mut found = None;
        let mut next = 0;
        while let Some(&visit) = self.visited.get(next) {
            let Some(edges) = self.edges.get(&(visit.term, reading)) else {
                next += 1;
                continue;
            };
            for edge in edges {
                let strict = visit.strict || edge.strict;
                // A strict arrival says all that one without would.
                if self.visited.iter().any(|v| v.term == edge.to && (v.strict || !strict)) {
                    continue;
                }
                self.visited.push(Visit { term: edge.to, strict, from: Some((next, edge.by)) });
                if edge.to == to {
                    found = Some(self.visited.len() - 1);
                    if strict {
                        return Some(self.chain_to(self.visited.len() - 1));
                    }
                }
            }
            if self.visited.len() > MAX_VISITED {
                break;
            }
            next += 1;
        }
        found.map(|visit| self.chain_to(visit))
    }

    fn chain_to(&self, visit: usize) -> Chain {
        let mut reasons = Vec::new();
        let mut at = visit;
        while let Some((before, by)) = self.visited[at].from {
            if !reasons.contains(&by) {
                reasons.push(by);
            }
            at = before;
        }
        Chain { strict: self.visited[visit].strict, reasons }
    }
}
