//! A program without the failures that are known not to happen.
//!
//! Paper: [Conc-iSE] Guo, Kusano, Wang, "Conc-iSE: Incremental Symbolic Execution of Concurrent Software", ASE 2016, §4.
//! If nothing fails in the old version, what the [impact](crate::Impact) of a change does not reach does not fail in the new
//! one. So a search for what fails now may be made on a program that does not check it: branches never lead to a failure
//! that does not happen, and what could fail, but does not and matters for nothing else, does nothing. The slice of that
//! program has only what failures that the change can influence depend on.
//! DIVERGENCE: the paper leaves a branch at which the change does nothing after one of its ways. It may choose the value that
//! the changed statement meets; here a branch is left that way only if it is outside of the slice.
//!
//! Guarantee: instructions are at the same places in both programs. If the new version has an execution that fails and the
//! old one has none, then one fails in the new version at an instruction that is looked at, and the same steps fail in
//! [`Focus::program`]. Relies on: the old version was searched completely with the same properties, options and bounds.

use selvedge_base::{Dense, Id};
use selvedge_library::Action;
use selvedge_program::{Block, BlockId, Const, Edge, FuncId, Inst, Operand, Program, RegInfo, Ty};

use crate::constraints::Builder;
use crate::diff::Diff;
use crate::impact::{Impact, may_stop};
use crate::layout::{InstId, Layout, Point};
use crate::library::Library;
use crate::properties::Properties;
use crate::slice::{Slice, gives_up};

/// The new version of a program for a search for what the change can have broken.
#[derive(Clone, Debug)]
pub struct Focus {
    /// The new version without failures that are known not to happen.
    pub program: Program,
    /// What matters in it.
    pub slice: Slice,
}

impl Focus {
    /// Looks only at what the change can influence; `None` if that is everything. `new` is the new program of `diff`.
    pub fn new(new: &Program, diff: &Diff, impact: &Impact, properties: Properties) -> Option<Focus> {
        let mut spared = impact.spared()?;
        if !spared.contains(&true) {
            return None;
        }
        let layout = &diff.new.layout;
        let mut program = new.clone();
        let mut edit = Edit { program: &mut program, layout, spared: &mut spared };
        edit.drop_dead_ends(new)?;
        let built = Builder::run(&program, layout);
        if gives_up(&program, &built).is_some() {
            return None;
        }
        let slice = Slice::without(&program, layout, &built, properties, &spared);
        for (i, _) in spared.iter().enumerate().filter(|(_, is_spared)| **is_spared) {
            let at = layout.point(InstId::new(i));
            if !slice.is_in_slice(at) {
                skip(&mut program, at);
            }
        }
        Some(Focus { program, slice })
    }
}

/// The first changes: what is known of checks that do not fail.
struct Edit<'a> {
    program: &'a mut Program,
    layout: &'a Layout,
    spared: &'a mut [bool],
}

impl Edit<'_> {
    /// Makes control go round blocks in which something would certainly fail that does not. `None` if that is the whole
    /// program: then what is said of it contradicts itself.
    fn drop_dead_ends(&mut self, new: &Program) -> Option<()> {
        let library = Library::new(new);
        let dead = self.dead_blocks(new, &library);
        for (func, blocks) in dead.enumerate() {
            let is_dead = |edge: &Edge| blocks[edge.target];
            for block in new.funcs[func].blocks.ids().filter(|block| !blocks[*block]) {
                let body = &mut self.program.funcs[func].blocks[block];
                if let Some(end) = body.insts.last_mut() {
                    go_round(end, is_dead);
                }
            }
            for (block, body) in new.funcs[func].blocks.enumerate().filter(|(block, _)| blocks[*block]) {
                for inst in 0..body.insts.len() {
                    let at = Point { func, block, inst };
                    if let Some(id) = self.layout.id(at) {
                        self.spared[id.index()] = true;
                    }
                    skip(self.program, at);
                }
            }
        }
        // A check that is a call comes back.
        for (i, _) in self.spared.iter().enumerate().filter(|(_, is_spared)| **is_spared) {
            let at = self.layout.point(InstId::new(i));
            let inst = self.layout.inst(self.program, InstId::new(i));
            if callee(inst).is_some_and(|func| library.action(func) == Action::Assert) {
                skip(self.program, at);
            }
        }
        let entry = new.entry.filter(|entry| new.funcs[*entry].is_defined())?;
        (!dead[entry].get(BlockId(0)).copied().unwrap_or(false)).then_some(())
    }

    /// By function and block: entering it is a failure that does not happen.
    fn dead_blocks(&self, program: &Program, library: &Library) -> Dense<FuncId, Dense<BlockId, bool>> {
        let mut dead: Dense<FuncId, Dense<BlockId, bool>> =
            program.funcs.iter().map(|f| f.blocks.iter().map(|_| false).collect()).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (func, function) in program.funcs.enumerate() {
                for (block, body) in function.blocks.enumerate() {
                    if !dead[func][block] && self.is_dead(library, &dead, (func, block), body) {
                        dead[func][block] = true;
                        changed = true;
                    }
                }
            }
        }
        dead
    }

    fn is_dead(
        &self,
        library: &Library,
        dead: &Dense<FuncId, Dense<BlockId, bool>>,
        (func, block): (FuncId, BlockId),
        body: &Block,
    ) -> bool {
        for (inst, what) in body.insts.iter().enumerate() {
            let is_spared =
                self.layout.id(Point { func, block, inst }).is_some_and(|id| self.spared[id.index()]);
            match what {
                Inst::Call { .. } => {
                    let Some(callee) = callee(what) else { return false };
                    if dead[callee].get(BlockId(0)).copied().unwrap_or(false) {
                        return true;
                    }
                    match library.action(callee) {
                        Action::Fail | Action::Finding | Action::Error if is_spared => return true,
                        // Before the failure the thread may end, wait or be stopped.
                        action if !comes_back(action) => return false,
                        _ => {}
                    }
                }
                Inst::Unreachable | Inst::Trap => return is_spared,
                _ => {}
            }
        }
        let mut edges = body.insts.last().into_iter().flat_map(Inst::edges).peekable();
        edges.peek().is_some() && edges.all(|edge| dead[func][edge.target])
    }
}

/// Whether whoever calls such a function gets on, whatever other threads do.
fn comes_back(action: Action) -> bool {
    action != Action::Body && !may_stop(action)
}

/// The function that an instruction calls, if that is certain.
fn callee(inst: &Inst) -> Option<FuncId> {
    match inst {
        Inst::Call { callee: selvedge_program::Callee::Direct(func), .. } => Some(*func),
        _ => None,
    }
}

/// Leaves out the ways that nobody takes.
fn go_round(end: &mut Inst, is_dead: impl Fn(&Edge) -> bool) {
    let edge = match end {
        Inst::Branch { then, otherwise, .. } => match (is_dead(then), is_dead(otherwise)) {
            (true, false) => otherwise.clone(),
            (false, true) => then.clone(),
            _ => return,
        },
        Inst::Switch { cases, default, .. } => {
            let live: Vec<(u64, Edge)> = cases.iter().filter(|(_, edge)| !is_dead(edge)).cloned().collect();
            if is_dead(default)
                && let Some((_, edge)) = live.last()
            {
                *default = edge.clone();
            }
            *cases = live.into();
            return;
        }
        _ => return,
    };
    *end = Inst::Jump { edge };
}

/// Makes an instruction do nothing, if it can be done without: its result, if it has one, is zero.
fn skip(program: &mut Program, at: Point) {
    let inst = &program.funcs[at.func].blocks[at.block].insts[at.inst];
    // What is allocated has to be there, even for who does not look at it.
    if inst.is_terminator() || matches!(inst, Inst::Alloca { .. } | Inst::StackSave { .. }) {
        return;
    }
    let mut dsts = Vec::new();
    inst.for_each_dst(|dst| dsts.push(dst));
    let (dst, ty) = match dsts[..] {
        [] => {
            let ty = Ty::Int(1);
            (program.funcs[at.func].regs.push(RegInfo { ty, name: None, var_ty: None }), ty)
        }
        [dst] => (dst, program.funcs[at.func].regs[dst].ty),
        _ => return,
    };
    let zero = match ty {
        Ty::Int(width) if width <= 64 => Const::Int { width, value: 0 },
        Ty::Int(_) => return,
        Ty::Ptr => Const::Null,
        Ty::Float(kind) => Const::Float { kind, bits: 0 },
    };
    let zero = program.add_const(zero);
    program.funcs[at.func].blocks[at.block].insts[at.inst] = Inst::Copy { dst, a: Operand::Const(zero) };
}
