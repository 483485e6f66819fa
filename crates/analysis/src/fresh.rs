//! Registers that point to what an activation of their function has made itself: its locals, and memory that it, or a
//! function it called, has allocated since it began.
//!
//! Guarantee: a fresh register holds null or the address of something that did not exist when the activation began.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_base::Id;
use selvedge_library::Action;
use selvedge_program::{Callee, Const, FuncId, Function, Inst, Operand, Program, Reg};

use crate::library::Library;

/// The fresh registers of all functions.
pub(crate) struct Fresh {
    regs: Vec<FxHashSet<Reg>>,
}

impl Fresh {
    pub(crate) fn new(program: &Program, library: &Library) -> Fresh {
        let mut gives: Vec<bool> =
            program.funcs.ids().map(|func| matches!(library.action(func), Action::Alloc { .. })).collect();
        loop {
            let regs: Vec<_> = program.funcs.iter().map(|f| fresh_regs(program, f, &gives)).collect();
            let mut is_stable = true;
            for (id, function) in program.funcs.enumerate().filter(|(_, f)| f.is_defined()) {
                if !gives[id.index()] && gives_fresh(program, function, &regs[id.index()]) {
                    gives[id.index()] = true;
                    is_stable = false;
                }
            }
            if is_stable {
                return Fresh { regs };
            }
        }
    }

    /// Whether an operand of the function is fresh.
    pub(crate) fn is_fresh(&self, func: FuncId, operand: Operand) -> bool {
        matches!(operand, Operand::Reg(reg) if self.regs[func.index()].contains(&reg))
    }
}

/// Whether the function returns nothing but null and what is fresh.
fn gives_fresh(program: &Program, function: &Function, fresh: &FxHashSet<Reg>) -> bool {
    let mut n_returns = 0;
    let returns = function.blocks.iter().filter_map(|block| block.insts.last());
    let are_fresh = returns.filter_map(|inst| match inst {
        Inst::Return { values } => Some(values),
        _ => None,
    });
    for values in are_fresh {
        match **values {
            [Operand::Reg(reg)] if fresh.contains(&reg) => n_returns += 1,
            [value] if is_null(program, value) => {}
            _ => return false,
        }
    }
    n_returns > 0
}

fn fresh_regs(program: &Program, function: &Function, gives: &[bool]) -> FxHashSet<Reg> {
    let mut made: FxHashSet<Reg> = FxHashSet::default();
    let mut derived: FxHashMap<Reg, Vec<Operand>> = FxHashMap::default();
    for block in function.blocks.iter() {
        for inst in &block.insts {
            match inst {
                Inst::Alloca { dst, .. } => {
                    made.insert(*dst);
                }
                Inst::Call { dsts, callee: Callee::Direct(func), .. } if gives[func.index()] => {
                    made.extend(dsts.iter());
                }
                Inst::PtrAdd { dst, base, .. } => derived.entry(*dst).or_default().push(*base),
                Inst::Copy { dst, a } => derived.entry(*dst).or_default().push(*a),
                Inst::Select { dst, a, b, .. } => derived.entry(*dst).or_default().extend([*a, *b]),
                _ => {}
            }
        }
        for edge in block.edges() {
            for (param, arg) in function.blocks[edge.target].params.iter().zip(&*edge.args) {
                derived.entry(*param).or_default().push(*arg);
            }
        }
    }
    // What is derived from something else is taken out until nothing changes.
    let mut fresh: FxHashSet<Reg> = made.iter().chain(derived.keys()).copied().collect();
    loop {
        let is_ok = |operand: &Operand| match operand {
            Operand::Reg(reg) => fresh.contains(reg),
            Operand::Const(_) => is_null(program, *operand),
        };
        let is_stale = |reg: &&Reg| derived.get(*reg).is_some_and(|sources| !sources.iter().all(is_ok));
        let stale: Vec<Reg> = fresh.iter().filter(is_stale).copied().collect();
        if stale.is_empty() {
            return fresh;
        }
        for reg in stale {
            fresh.remove(&reg);
        }
    }
}

fn is_null(program: &Program, operand: Operand) -> bool {
    matches!(operand, Operand::Const(id) if matches!(program.consts[id], Const::Null))
}
