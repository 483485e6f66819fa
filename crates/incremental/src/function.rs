//! Numbers within one function: what it has in common with its last version keeps them.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use selvedge_exec::BlockNames;
use selvedge_program::{BlockId, FuncId, Program, Reg};

use crate::registry::{BlockEntry, FuncEntry, InstEntry};
use crate::sequence::pairs;
use crate::shape::{hash_of, shape};

/// New numbers for a function.
pub(crate) struct Numbers {
    /// For each register, and how many there are then; `None` if they stay.
    pub(crate) regs: Option<(Vec<Reg>, usize)>,
    /// For each block whose numbers are not those of the program.
    pub(crate) blocks: Vec<(BlockId, BlockNames)>,
}

/// Finds the numbers of a function that has a body, and makes it the last version.
pub(crate) fn number(program: &Program, func: FuncId, entry: &mut FuncEntry) -> Numbers {
    let function = &program.funcs[func];
    let fresh: Vec<BlockEntry> = function.blocks.ids().map(|block| describe(program, func, block)).collect();
    let old = std::mem::take(&mut entry.blocks);
    let mut matcher = Matcher::new(program, func, entry);
    matcher.params();
    let mut blocks: Vec<Option<BlockEntry>> = vec![None; fresh.len()];
    for (i, j) in pair_blocks(&old, &fresh) {
        blocks[j] = Some(matcher.block(&old[i], &fresh[j]));
    }
    let blocks: Vec<BlockEntry> = blocks
        .into_iter()
        .zip(&fresh)
        .map(|(matched, fresh)| matched.unwrap_or_else(|| matcher.new_block(fresh)))
        .collect();
    let regs = matcher.finish();
    entry.blocks = blocks;
    entry.params = function.params.iter().map(|reg| regs[reg.index()].0).collect();
    let is_same = regs.len() == entry.regs.len() && regs.iter().enumerate().all(|(i, reg)| reg.index() == i);
    let numbers = |entry: &BlockEntry| BlockNames {
        number: entry.number,
        insts: entry.insts.iter().map(|inst| inst.number).collect(),
    };
    let is_moved = |(i, entry): &(usize, &BlockEntry)| {
        entry.number as usize != *i
            || entry.insts.iter().enumerate().any(|(at, inst)| inst.number as usize != at)
    };
    Numbers {
        regs: (!is_same).then_some((regs, entry.regs.len())),
        blocks: entry
            .blocks
            .iter()
            .enumerate()
            .filter(is_moved)
            .map(|(i, entry)| (BlockId::new(i), numbers(entry)))
            .collect(),
    }
}

/// A block with the numbers of the program.
fn describe(program: &Program, func: FuncId, block: BlockId) -> BlockEntry {
    let body = &program.funcs[func].blocks[block];
    let inst = |(at, inst): (usize, &selvedge_program::Inst)| {
        let (shape, kind) = shape(program, inst);
        let mut dsts = Vec::new();
        inst.for_each_dst(|dst| dsts.push(dst.0));
        InstEntry { number: at as u32, shape, kind, dsts }
    };
    BlockEntry {
        number: block.0,
        params: body.params.iter().map(|reg| reg.0).collect(),
        next_inst: body.insts.len() as u32,
        insts: body.insts.iter().enumerate().map(inst).collect(),
    }
}

/// Pairs of blocks: equal ones first, then those in between that have something in common.
fn pair_blocks(old: &[BlockEntry], new: &[BlockEntry]) -> Vec<(usize, usize)> {
    let shapes = |blocks: &[BlockEntry]| -> Vec<u64> {
        blocks.iter().map(|b| hash_of(b.insts.iter().map(|inst| inst.shape).collect::<Vec<_>>())).collect()
    };
    let kinds = |block: &BlockEntry| block.insts.iter().map(|inst| inst.shape).collect::<BTreeSet<u64>>();
    let is_alike = |i: usize, j: usize| {
        let (a, b) = (kinds(&old[i]), kinds(&new[j]));
        // The end of a block alone says little.
        3 * a.intersection(&b).count() >= a.len().min(b.len())
    };
    let (old_shapes, new_shapes) = (shapes(old), shapes(new));
    let mut all = pairs(&old_shapes, &new_shapes, is_alike);
    // Blocks may also have changed places.
    let (mut is_old_paired, mut is_new_paired) = (vec![false; old.len()], vec![false; new.len()]);
    for (i, j) in &all {
        (is_old_paired[*i], is_new_paired[*j]) = (true, true);
    }
    let mut left: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for i in (0..old.len()).rev().filter(|i| !is_old_paired[*i]) {
        left.entry(old_shapes[i]).or_default().push(i);
    }
    for j in (0..new.len()).filter(|j| !is_new_paired[*j]) {
        all.extend(left.get_mut(&new_shapes[j]).and_then(Vec::pop).map(|i| (i, j)));
    }
    all
}

struct Matcher<'a> {
    program: &'a Program,
    func: FuncId,
    entry: &'a mut FuncEntry,
    /// The number of each register, once it is known.
    regs: Vec<Option<u32>>,
    taken: BTreeSet<u32>,
}

impl<'a> Matcher<'a> {
    fn new(program: &'a Program, func: FuncId, entry: &'a mut FuncEntry) -> Self {
        let regs = vec![None; program.funcs[func].regs.len()];
        Matcher { program, func, entry, regs, taken: BTreeSet::new() }
    }

    fn ty(&self, reg: u32) -> u64 {
        hash_of(self.program.funcs[self.func].regs[Reg(reg)].ty).max(1)
    }

    /// A register gets an old number, if that was one of its type and nobody else has it.
    fn take(&mut self, reg: u32, number: u32) {
        let fits = self.entry.regs.get(number as usize) == Some(&self.ty(reg));
        if fits && self.regs[reg as usize].is_none() && self.taken.insert(number) {
            self.regs[reg as usize] = Some(number);
        }
    }

    fn params(&mut self) {
        let params: Vec<u32> = self.program.funcs[self.func].params.iter().map(|reg| reg.0).collect();
        for (reg, number) in params.into_iter().zip(self.entry.params.clone()) {
            self.take(reg, number);
        }
    }

    /// A block has become another.
    fn block(&mut self, old: &BlockEntry, new: &BlockEntry) -> BlockEntry {
        for (reg, number) in new.params.iter().zip(&old.params) {
            self.take(*reg, *number);
        }
        let shapes = |block: &BlockEntry| block.insts.iter().map(|inst| inst.shape).collect::<Vec<u64>>();
        let is_alike = |i: usize, j: usize| old.insts[i].kind == new.insts[j].kind;
        let mut numbers: Vec<Option<u32>> = vec![None; new.insts.len()];
        for (i, j) in pairs(&shapes(old), &shapes(new), is_alike) {
            numbers[j] = Some(old.insts[i].number);
            for (reg, number) in new.insts[j].dsts.iter().zip(&old.insts[i].dsts) {
                self.take(*reg, *number);
            }
        }
        let mut next_inst = old.next_inst;
        let inst = |(inst, number): (&InstEntry, Option<u32>)| InstEntry {
            number: number.unwrap_or_else(|| {
                next_inst += 1;
                next_inst - 1
            }),
            ..inst.clone()
        };
        let insts = new.insts.iter().zip(numbers).map(inst).collect();
        BlockEntry { number: old.number, params: new.params.clone(), next_inst, insts }
    }

    /// A block that was not there.
    fn new_block(&mut self, new: &BlockEntry) -> BlockEntry {
        let number = self.entry.next_block;
        self.entry.next_block += 1;
        BlockEntry { number, ..new.clone() }
    }

    /// Gives numbers to the registers that have none, and says what registers the blocks mean now.
    fn finish(mut self) -> Vec<Reg> {
        for reg in 0..self.regs.len() as u32 {
            if self.regs[reg as usize].is_none() {
                let ty = self.ty(reg);
                self.entry.regs.push(ty);
                self.regs[reg as usize] = Some(self.entry.regs.len() as u32 - 1);
            }
        }
        self.regs.iter().map(|number| Reg(number.expect("every register has one now"))).collect()
    }
}
