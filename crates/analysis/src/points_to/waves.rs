//! Waves: what is new goes from node to node along the edges, each node once, before memory is looked at again.
//!
//! Each wave begins with the nodes that have news. In the part of the graph that these reach, nodes that copy to each
//! other in a circle hold the same and become one; circles are strongly connected components (Nuutila and
//! Soisalon-Soininen, "On finding the strongly connected components in a directed graph", IPL 1994). Then each node hands
//! on what is new to it when all before it have done so, as far as shifts in a circle allow. Loads, stores, copies and
//! calls come last, because they make edges.
//!
//! A circle where nothing is new is not found, and does no harm: nothing goes round in it.

use selvedge_base::Dense;

use super::{Node, NodeData, SetId, Solver};

/// When nodes were visited: numbers grow from wave to wave, so that nothing has to be cleared.
#[derive(Default)]
pub(super) struct Marks {
    clock: u64,
    /// By node: when it was visited.
    visited: Dense<Node, u64>,
    /// By node: the earliest visit in its component that is known, or `CLOSED`.
    root: Dense<Node, u64>,
}

const CLOSED: u64 = u64::MAX;

/// A node whose edges are being followed: those that are left.
struct Open {
    node: Node,
    word: usize,
    bits: u64,
}

impl Solver {
    /// Runs until nothing changes, or calls are to be connected.
    pub(crate) fn solve(&mut self) {
        while self.calls.is_empty() && !self.is_exhausted() {
            if self.active.is_empty() && self.edges.is_empty() {
                return;
            }
            self.wave();
        }
    }

    fn wave(&mut self) {
        while self.marks.visited.len() < self.nodes.len() {
            self.marks.visited.push(0);
            self.marks.root.push(0);
        }
        let edges = std::mem::take(&mut self.edges);
        let started = self.active.iter().chain(edges.iter().map(|(from, _)| from));
        let started: Vec<Node> = started.map(|node| self.find(*node)).collect();
        self.merge_circles(&started);
        for (from, to) in edges {
            self.give(to, self.set_of(from));
        }
        let started = std::mem::take(&mut self.active);
        let mut used = Vec::new();
        for node in self.order(&started) {
            let news = std::mem::replace(&mut self.nodes[node].news, SetId::EMPTY);
            if news.is_empty() {
                continue;
            }
            let succs = std::mem::take(&mut self.nodes[node].succs);
            succs.iter().for_each(|to| self.give(Node(to), news));
            self.nodes[node].succs = succs;
            for i in 0..self.nodes[node].shifts.len() {
                let (to, by) = self.nodes[node].shifts[i];
                self.give_shifted(to, by, news);
            }
            if !self.nodes[node].uses.is_empty() {
                used.push((node, news));
            }
        }
        for (node, news) in used {
            for i in 0..self.nodes[node].uses.len() {
                self.apply(self.nodes[node].uses[i], news);
            }
        }
    }

    /// Merges nodes that copy to each other in a circle, among those that can be reached.
    fn merge_circles(&mut self, started: &[Node]) {
        let mut circles: Vec<(Node, Node)> = Vec::new();
        let since = self.marks.clock;
        // Nodes of components that are not complete, but for their first ones.
        let mut pending: Vec<Node> = Vec::new();
        let mut path: Vec<Open> = Vec::new();
        for &start in started {
            if self.marks.visited[start] > since {
                continue;
            }
            path.push(self.open(start));
            while let Some(open) = path.last_mut() {
                if open.bits == 0 {
                    let succs = self.nodes[open.node].succs.words();
                    if let Some(word) = succs.get(open.word) {
                        (open.word, open.bits) = (open.word + 1, word.bits);
                        continue;
                    }
                    let node = open.node;
                    path.pop();
                    let (visited, root) = (self.marks.visited[node], self.marks.root[node]);
                    if root < visited {
                        pending.push(node);
                    } else {
                        self.marks.root[node] = CLOSED;
                        while let Some(&member) = pending.last()
                            && self.marks.visited[member] > visited
                        {
                            self.marks.root[member] = CLOSED;
                            circles.push((member, node));
                            pending.pop();
                        }
                    }
                    if let Some(parent) = path.last() {
                        let of_parent = &mut self.marks.root[parent.node];
                        *of_parent = root.min(*of_parent);
                    }
                    continue;
                }
                let at = self.nodes[open.node].succs.words()[open.word - 1].at;
                let to = Node(at * u64::BITS + open.bits.trailing_zeros());
                open.bits &= open.bits - 1;
                if self.marks.visited[to] <= since {
                    let next = self.open(to);
                    path.push(next);
                } else if self.marks.root[to] != CLOSED {
                    let (node, root) = (open.node, self.marks.root[to]);
                    self.marks.root[node] = self.marks.root[node].min(root);
                }
            }
        }
        self.n_merges += u32::from(!circles.is_empty());
        for (node, into) in circles {
            self.merge(node, into);
        }
    }

    fn open(&mut self, node: Node) -> Open {
        self.update(node);
        self.visit(node);
        Open { node, word: 0, bits: 0 }
    }

    fn visit(&mut self, node: Node) {
        self.marks.clock += 1;
        self.marks.visited[node] = self.marks.clock;
        self.marks.root[node] = self.marks.clock;
    }

    /// Lets the edges of a node lead to nodes that are not merged into others.
    fn update(&mut self, node: Node) {
        if self.nodes[node].n_merges == self.n_merges {
            return;
        }
        self.nodes[node].n_merges = self.n_merges;
        let is_merged = |to: u32| self.merged[Node(to)] != Node(to);
        if self.nodes[node].succs.iter().any(is_merged) {
            let targets = self.nodes[node].succs.iter().map(|to| self.find(Node(to)));
            self.nodes[node].succs = targets.filter(|to| *to != node).map(|to| to.0).collect();
        }
        let mut shifts = std::mem::take(&mut self.nodes[node].shifts);
        if shifts.iter().any(|(to, _)| is_merged(to.0)) {
            shifts.iter_mut().for_each(|(to, _)| *to = self.find(*to));
            shifts.sort_unstable();
            shifts.dedup();
        }
        self.nodes[node].shifts = shifts;
    }

    /// Two nodes become one. What either has not handed on, or the other does not know, is news.
    fn merge(&mut self, node: Node, into: Node) {
        self.merged[node] = into;
        let from = std::mem::replace(&mut self.nodes[node], NodeData::EMPTY);
        let to = &mut self.nodes[into];
        let had_news = !to.news.is_empty();
        (to.set, to.news) = self.sets.merge((from.set, from.news), (to.set, to.news));
        if !had_news && !to.news.is_empty() {
            self.active.push(into);
        }
        to.succs.union(&from.succs);
        to.shifts.extend(from.shifts);
        to.uses.extend(from.uses);
        to.uses.sort_unstable();
        to.uses.dedup();
        to.n_merges = 0;
    }

    /// The nodes that can be reached, each after those before it; nodes in circles of shifts in any order.
    fn order(&mut self, started: &[Node]) -> Vec<Node> {
        let since = self.marks.clock;
        let mut order = Vec::new();
        // A node comes back when everything behind it has been visited.
        let mut path: Vec<(Node, bool)> = Vec::new();
        for &start in started {
            path.push((self.find(start), false));
            while let Some((node, is_left)) = path.pop() {
                if is_left {
                    order.push(node);
                    continue;
                }
                if self.marks.visited[node] > since {
                    continue;
                }
                self.update(node);
                self.visit(node);
                path.push((node, true));
                let NodeData { succs, shifts, .. } = &self.nodes[node];
                let targets = succs.iter().map(Node).chain(shifts.iter().map(|(to, _)| *to));
                path.extend(targets.filter(|to| self.marks.visited[*to] <= since).map(|to| (to, false)));
            }
        }
        order.reverse();
        order
    }
}
