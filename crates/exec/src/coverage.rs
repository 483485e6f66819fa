//! Which blocks and edges were reached.

use rustc_hash::FxHashSet;

/// Reached blocks (by program-wide number) and edges.
#[derive(Clone, Debug)]
pub struct CoverageMap {
    blocks: Vec<bool>,
    edges: FxHashSet<(u32, u32)>,
    last_edge: (u32, u32),
    /// Reached blocks.
    pub n_blocks: usize,
}

impl CoverageMap {
    /// Nothing reached of `n` blocks.
    pub fn new(n: usize) -> Self {
        CoverageMap {
            blocks: vec![false; n],
            edges: FxHashSet::default(),
            last_edge: (u32::MAX, u32::MAX),
            n_blocks: 0,
        }
    }

    /// Notes that a block was reached.
    #[inline]
    pub fn block(&mut self, block: usize) {
        if !self.blocks[block] {
            self.blocks[block] = true;
            self.n_blocks += 1;
        }
    }

    /// Notes that an edge was taken.
    #[inline]
    pub fn edge(&mut self, from: usize, to: usize) {
        let edge = (from as u32, to as u32);
        // Tight loops take the same few edges again and again.
        if edge == self.last_edge {
            return;
        }
        self.last_edge = edge;
        self.block(to);
        self.edges.insert(edge);
    }

    /// Adds what another search of the same program reached.
    pub fn merge(&mut self, other: &CoverageMap) {
        for (block, _) in other.blocks.iter().enumerate().filter(|(_, reached)| **reached) {
            self.block(block);
        }
        self.edges.extend(&other.edges);
    }

    /// Whether a block was reached.
    pub fn has_block(&self, block: usize) -> bool {
        self.blocks[block]
    }

    /// Whether an edge was taken.
    pub fn has_edge(&self, from: usize, to: usize) -> bool {
        self.edges.contains(&(from as u32, to as u32))
    }
}
