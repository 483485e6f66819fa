//! Where local variables are certain to be alive.
//!
//! A variable with scope markers lives from `lifetime.start` to `lifetime.end`; the analysis follows both forward
//! through the function and keeps what holds on every way. One without markers lives as long as its function.
//! Guarantee: in every execution, when control is before the instruction, the variable of the current call is alive.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_base::Id;
use selvedge_program::{BlockId, FuncId, Function, Inst, Operand, Program, Reg};

use crate::defs::constant;
use crate::layout::{InstId, Layout};

/// Facts about the locals of all functions.
#[derive(Default)]
pub(crate) struct Lifetimes {
    /// Size of each local that is made once, at the start of its function.
    sizes: FxHashMap<InstId, u64>,
    /// Where each local with markers is alive: sorted instruction numbers.
    alive: FxHashMap<InstId, Vec<InstId>>,
    /// Locals whose life can begin more than once in one call.
    repeated: FxHashSet<InstId>,
}

impl Lifetimes {
    pub(crate) fn new(program: &Program, layout: &Layout, wanted: impl Fn(FuncId) -> bool) -> Lifetimes {
        let mut all = Lifetimes::default();
        for (id, function) in program.funcs.enumerate() {
            if function.is_defined() && wanted(id) {
                all.function(program, layout, id, function);
            }
        }
        all
    }

    /// Whether the local is made once, with a known size, and not released before its function returns.
    pub(crate) fn is_plain(&self, local: InstId) -> bool {
        self.sizes.contains_key(&local)
    }

    /// The size of a plain local.
    pub(crate) fn size(&self, local: InstId) -> Option<u64> {
        self.sizes.get(&local).copied()
    }

    /// Whether the local of the current call is alive before `at`.
    pub(crate) fn is_live(&self, local: InstId, at: InstId) -> bool {
        match self.alive.get(&local) {
            Some(places) => places.binary_search(&at).is_ok(),
            None => self.is_plain(local),
        }
    }

    /// Whether a loop may have begun another life of the local since its address was taken.
    pub(crate) fn is_repeated(&self, local: InstId) -> bool {
        self.repeated.contains(&local)
    }

    fn function(&mut self, program: &Program, layout: &Layout, id: FuncId, function: &Function) {
        let entry = &function.blocks[BlockId(0)];
        let first = layout.first(id, BlockId(0));
        let mut locals: Vec<(Reg, InstId)> = Vec::new();
        for (i, inst) in entry.insts.iter().enumerate() {
            match inst {
                Inst::StackSave { .. } => break,
                Inst::Alloca { dst, size, count, .. } => {
                    let count = constant(program, *count).and_then(|n| u64::try_from(n).ok());
                    if let Some(size) = count.and_then(|n| size.checked_mul(n)) {
                        let local = InstId(first.0 + i as u32);
                        locals.push((*dst, local));
                        self.sizes.insert(local, size);
                    }
                }
                _ => {}
            }
        }
        // Markers that name no local directly could be about any.
        let mut marked: Vec<(Reg, InstId)> = Vec::new();
        for inst in function.blocks.iter().flat_map(|b| &b.insts) {
            let Inst::Lifetime { ptr, .. } = inst else { continue };
            let named = match ptr {
                selvedge_program::Operand::Reg(reg) => locals.iter().find(|(dst, _)| dst == reg),
                selvedge_program::Operand::Const(_) => None,
            };
            match named {
                Some(local) if !marked.contains(local) => marked.push(*local),
                Some(_) => {}
                None => {
                    for (_, local) in &locals {
                        self.sizes.remove(local);
                    }
                    return;
                }
            }
        }
        if !marked.is_empty() {
            self.flow(layout, id, function, &marked);
        }
    }

    fn flow(&mut self, layout: &Layout, id: FuncId, function: &Function, marked: &[(Reg, InstId)]) {
        let bit = |inst: &Inst| match inst {
            Inst::Lifetime { ptr: selvedge_program::Operand::Reg(reg), start } => {
                marked.iter().position(|(dst, _)| dst == reg).map(|i| (i, *start))
            }
            _ => None,
        };
        let n = function.blocks.len();
        let words = marked.len().div_ceil(64);
        let mut at_entry: Vec<Option<Vec<u64>>> = vec![None; n];
        at_entry[0] = Some(vec![0; words]);
        let mut work = vec![0];
        let apply = |alive: &mut [u64], (i, start): (usize, bool)| match start {
            true => alive[i / 64] |= 1 << (i % 64),
            false => alive[i / 64] &= !(1 << (i % 64)),
        };
        while let Some(block) = work.pop() {
            let body = &function.blocks[BlockId::new(block)];
            let mut alive = at_entry[block].clone().expect("only known blocks are in the list");
            body.insts.iter().filter_map(bit).for_each(|mark| apply(&mut alive, mark));
            body.edges().for_each(|edge| {
                let to = edge.target.index();
                let changed = match &mut at_entry[to] {
                    None => {
                        at_entry[to] = Some(alive.clone());
                        true
                    }
                    Some(known) => {
                        let mut changed = false;
                        for (k, a) in known.iter_mut().zip(&alive) {
                            changed |= *k & !a != 0;
                            *k &= a;
                        }
                        changed
                    }
                };
                if changed {
                    work.push(to);
                }
            });
        }
        let mut places: Vec<Vec<InstId>> = vec![Vec::new(); marked.len()];
        for (block, body) in function.blocks.enumerate() {
            let Some(mut alive) = at_entry[block.index()].clone() else { continue };
            let first = layout.first(id, block);
            for (i, inst) in body.insts.iter().enumerate() {
                let at = InstId(first.0 + i as u32);
                for (local, places) in places.iter_mut().enumerate() {
                    if alive[local / 64] >> (local % 64) & 1 == 1 {
                        places.push(at);
                    }
                }
                if let Some(mark) = bit(inst) {
                    apply(&mut alive, mark);
                }
            }
        }
        for ((_, local), places) in marked.iter().zip(places) {
            self.alive.insert(*local, places);
        }
        let is_start = |inst: &&Inst| matches!(inst, Inst::Lifetime { start: true, .. });
        for (block, body) in function.blocks.enumerate() {
            let starts: Vec<usize> =
                body.insts.iter().filter(is_start).filter_map(bit).map(|(i, _)| i).collect();
            if !starts.is_empty() && is_on_cycle(function, block) {
                self.repeated.extend(starts.iter().map(|i| marked[*i].1));
            }
        }
    }
}

/// Whether control can come to the block from itself.
fn is_on_cycle(function: &Function, block: BlockId) -> bool {
    let mut is_reached = vec![false; function.blocks.len()];
    let mut work = vec![block];
    while let Some(from) = work.pop() {
        function.blocks[from].edges().for_each(|edge| {
            if !std::mem::replace(&mut is_reached[edge.target.index()], true) {
                work.push(edge.target);
            }
        });
    }
    is_reached[block.index()]
}

/// The registers that hold the address of `local`, or one computed from it, whenever they are read: they are to follow when
/// its life begins anew.
pub fn holders(function: &Function, local: Reg) -> Vec<Reg> {
    let mut known = vec![local];
    let mut n = 0;
    while n < known.len() {
        let holds = |operand: &Operand| *operand == Operand::Reg(known[n]);
        let insts = function.blocks.iter().flat_map(|block| &block.insts);
        let found: Vec<Reg> = insts
            .filter_map(|inst| match inst {
                Inst::PtrAdd { dst, base, .. } if holds(base) => Some(*dst),
                Inst::Copy { dst, a } | Inst::Freeze { dst, a, .. } if holds(a) => Some(*dst),
                Inst::Select { dst, a, b, .. } if holds(a) || holds(b) => Some(*dst),
                _ => None,
            })
            .collect();
        known.extend(found.into_iter().filter(|reg| !known.contains(reg)).collect::<Vec<_>>());
        n += 1;
    }
    known
}
