//! Names of places in the code that survive an edit elsewhere.
//!
//! Numbers of functions, globals and registers are kept by whoever loads the changed program. A block or an instruction
//! that comes before another shifts its number, though; here the numbers of before are kept for them.

use rustc_hash::FxHashMap;
use selvedge_program::{BlockId, FuncId};

use crate::code::Place;

/// Numbers that differ from those in the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CodeNames {
    blocks: FxHashMap<(FuncId, BlockId), BlockNames>,
}

/// The numbers of a block and of its instructions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockNames {
    /// The block's.
    pub number: u32,
    /// Of each instruction. Invariant: no two are equal.
    pub insts: Vec<u32>,
}

impl CodeNames {
    /// Gives a block other numbers. No other block of the function may have the same.
    pub fn rename(&mut self, func: FuncId, block: BlockId, names: BlockNames) {
        self.blocks.insert((func, block), names);
    }

    /// The number of a block.
    #[inline]
    pub fn block(&self, func: FuncId, block: BlockId) -> u32 {
        self.blocks.get(&(func, block)).map_or(block.0, |names| names.number)
    }

    /// The numbers of a block and of an instruction in it.
    #[inline]
    pub fn place(&self, place: Place) -> (u32, u32) {
        match self.blocks.get(&(place.func, place.block)) {
            None => (place.block.0, place.inst),
            Some(names) => (names.number, names.insts.get(place.inst as usize).copied().unwrap_or(u32::MAX)),
        }
    }
}
