//! The numbers that a lineage has given: to functions and globals, and within functions to blocks, instructions and
//! registers.
//!
//! A number is never given to something else of the same kind while anybody may still mean the old owner by it. That is for
//! the sake of finding summaries again; whether one holds is decided by what it rests on.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The numbers of the last version, and of what has been in versions before it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Registry {
    pub(crate) globals: Vec<GlobalEntry>,
    pub(crate) funcs: Vec<FuncEntry>,
}

/// A global variable by its number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct GlobalEntry {
    /// What another version must have to be given the number.
    pub(crate) identity: u64,
    pub(crate) size: u64,
    pub(crate) align: u64,
}

/// A function by its number.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct FuncEntry {
    pub(crate) name: String,
    pub(crate) params: Vec<u32>,
    /// Hashes of the types of its registers, by number; 0: not in use.
    pub(crate) regs: Vec<u64>,
    /// The first number that no block has had.
    pub(crate) next_block: u32,
    /// In the order of the last version that had the function.
    pub(crate) blocks: Vec<BlockEntry>,
}

/// A block.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct BlockEntry {
    pub(crate) number: u32,
    /// Numbers of the registers that an edge assigns.
    pub(crate) params: Vec<u32>,
    /// The first number that no instruction has had.
    pub(crate) next_inst: u32,
    pub(crate) insts: Vec<InstEntry>,
}

/// An instruction.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct InstEntry {
    pub(crate) number: u32,
    /// What it does, apart from registers and targets.
    pub(crate) shape: u64,
    /// Which kind of instruction it is.
    pub(crate) kind: u64,
    /// Numbers of the registers that it assigns.
    pub(crate) dsts: Vec<u32>,
}

impl Registry {
    /// The functions by their names.
    pub(crate) fn func_numbers(&self) -> FxHashMap<&str, usize> {
        self.funcs.iter().enumerate().map(|(number, func)| (func.name.as_str(), number)).collect()
    }
}
