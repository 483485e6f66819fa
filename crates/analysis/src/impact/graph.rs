//! The dependence graph of one program.
//!
//! An instruction has two nodes: whether it is executed, or ends its thread (*execution*), and what it computes, writes or
//! decides (*value*). Others stand for registers, blocks, calls of functions and their results. An edge leads from what
//! influences to what is influenced.

use selvedge_base::{Id, define_id};
use selvedge_program::{BlockId, FuncId, Program};

use crate::layout::{InstId, Layout};

define_id!(
    /// Something that can be influenced.
    pub(crate) struct Node, "d"
);

/// Where the nodes of each kind begin.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    n_insts: usize,
    regs: usize,
    /// By function: its first block, in the numbering of all blocks.
    first_block: Vec<usize>,
    blocks: usize,
    n_blocks: usize,
    funcs: usize,
    /// By function: its first result.
    first_result: Vec<usize>,
    results: usize,
    singles: usize,
    n: usize,
}

/// Kinds of nodes of which there is one.
#[derive(Clone, Copy)]
pub(crate) enum Single {
    /// What threads hand to those that join them.
    ThreadResults,
    /// The values of keys.
    Keys,
    /// Which addresses objects have.
    Addresses,
}

impl Nodes {
    pub(crate) fn new(program: &Program, layout: &Layout) -> Nodes {
        let mut first_block = Vec::new();
        let mut first_result = Vec::new();
        let (mut n_blocks, mut n_results) = (0, 0);
        for func in program.funcs.iter() {
            first_block.push(n_blocks);
            first_result.push(n_results);
            n_blocks += func.blocks.len();
            n_results += func.ret.len().max(1);
        }
        let n_insts = layout.n_insts();
        let regs = 3 * n_insts;
        let blocks = regs + layout.n_regs();
        let funcs = blocks + 2 * n_blocks;
        let results = funcs + 2 * program.funcs.len();
        let singles = results + n_results;
        Nodes {
            n_insts,
            regs,
            first_block,
            blocks,
            n_blocks,
            funcs,
            first_result,
            results,
            singles,
            n: singles + 3,
        }
    }

    /// Whether the instruction is executed, and whether its thread gets on.
    pub(crate) fn execution(&self, id: InstId) -> Node {
        Node::new(3 * id.index())
    }

    /// What it computes, reads, writes or decides.
    pub(crate) fn value(&self, id: InstId) -> Node {
        Node::new(3 * id.index() + 1)
    }

    /// Whether control gets to what comes after it.
    pub(crate) fn after(&self, id: InstId) -> Node {
        Node::new(3 * id.index() + 2)
    }

    /// A register by its program-wide number.
    pub(crate) fn reg(&self, reg: usize) -> Node {
        Node::new(self.regs + reg)
    }

    /// Whether a block is executed.
    pub(crate) fn block(&self, func: FuncId, block: BlockId) -> Node {
        Node::new(self.blocks + self.first_block[func.index()] + block.index())
    }

    /// Whether control gets to what comes after a block.
    pub(crate) fn after_block(&self, func: FuncId, block: BlockId) -> Node {
        Node::new(self.blocks + self.n_blocks + self.first_block[func.index()] + block.index())
    }

    /// Whether a function is called.
    pub(crate) fn entry(&self, func: FuncId) -> Node {
        Node::new(self.funcs + 2 * func.index())
    }

    /// Whether it returns.
    pub(crate) fn exit(&self, func: FuncId) -> Node {
        Node::new(self.funcs + 2 * func.index() + 1)
    }

    /// A result of a function.
    pub(crate) fn result(&self, func: FuncId, position: usize) -> Node {
        Node::new(self.results + self.first_result[func.index()] + position)
    }

    pub(crate) fn single(&self, kind: Single) -> Node {
        Node::new(self.singles + kind as usize)
    }

    pub(crate) fn n_insts(&self) -> usize {
        self.n_insts
    }
}

/// Nodes and edges.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) nodes: Nodes,
    n: usize,
    edges: Vec<(Node, Node)>,
    /// By node, once all edges are there: those that it influences, and those that influence it.
    forward: Lists,
    backward: Lists,
}

#[derive(Clone, Debug, Default)]
struct Lists {
    start: Vec<u32>,
    items: Vec<Node>,
}

impl Lists {
    fn new(n: usize, edges: &[(Node, Node)], from: impl Fn(&(Node, Node)) -> (Node, Node)) -> Lists {
        let mut start = vec![0u32; n + 1];
        for edge in edges {
            start[from(edge).0.index() + 1] += 1;
        }
        for i in 0..n {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut items = vec![Node(0); edges.len()];
        for edge in edges {
            let (from, to) = from(edge);
            items[next[from.index()] as usize] = to;
            next[from.index()] += 1;
        }
        Lists { start, items }
    }

    fn of(&self, node: Node) -> &[Node] {
        let i = node.index();
        &self.items[self.start[i] as usize..self.start[i + 1] as usize]
    }
}

impl Graph {
    pub(crate) fn new(nodes: Nodes) -> Graph {
        Graph { n: nodes.n, nodes, edges: Vec::new(), forward: Lists::default(), backward: Lists::default() }
    }

    /// A node of no kind.
    pub(crate) fn fresh(&mut self) -> Node {
        self.n += 1;
        Node::new(self.n - 1)
    }

    /// `from` influences `to`.
    pub(crate) fn edge(&mut self, from: Node, to: Node) {
        self.edges.push((from, to));
    }

    /// Sorts the edges; afterwards there are no new ones.
    pub(crate) fn finish(&mut self) {
        let edges = std::mem::take(&mut self.edges);
        self.forward = Lists::new(self.n, &edges, |(from, to)| (*from, *to));
        self.backward = Lists::new(self.n, &edges, |(from, to)| (*to, *from));
    }

    /// Whether anything is influenced directly.
    pub(crate) fn has_influence(&self, node: Node) -> bool {
        !self.forward.of(node).is_empty()
    }

    /// A set with no node.
    pub(crate) fn nothing(&self) -> Vec<bool> {
        vec![false; self.n]
    }

    /// Adds to `reached` what `seeds` influence.
    pub(crate) fn spread(&self, seeds: Vec<Node>, reached: &mut [bool]) {
        close(&self.forward, seeds, reached);
    }

    /// Adds to `reached` what influences `seeds`.
    pub(crate) fn trace(&self, seeds: Vec<Node>, reached: &mut [bool]) {
        close(&self.backward, seeds, reached);
    }
}

fn close(lists: &Lists, seeds: Vec<Node>, reached: &mut [bool]) {
    let mut work = seeds;
    work.retain(|node| !std::mem::replace(&mut reached[node.index()], true));
    while let Some(node) = work.pop() {
        for &next in lists.of(node) {
            if !std::mem::replace(&mut reached[next.index()], true) {
                work.push(next);
            }
        }
    }
}
