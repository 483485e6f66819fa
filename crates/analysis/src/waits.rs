//! Which loops can be waits, as far as their code tells.
//!
//! A loop waits if it comes back to its head with the same local state. Where a parameter of the head grows by a constant
//! on every way back, that never happens, unless it is only a [count of attempts](crate::faint); such a loop need not be
//! watched. A loop that stores something to what is no global variable does more than wait, most of the time, and so does
//! one that follows pointers: it is watched after a few rounds. A loop that changes a global variable does not wait in that
//! iteration, but may in another. What a watch has seen belongs to the control state of a thread, so with fewer of them
//! more states are the same.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_base::{Dense, Id};
use selvedge_program::{BinOp, Callee, ConstId, Edge, FuncId, Function, Inst, Loop, Operand, Program, Reg};

use crate::dead::{DeadLocals, is_about_time};
use crate::library::Library;

/// Whether a loop can be a wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waits {
    /// No iteration ends as it began.
    Never,
    /// It does other things as well.
    Perhaps,
    /// It looks like one.
    Likely,
}

/// What is known about the loops of a program.
pub struct WaitFinder {
    /// By function: whether it, or one that it calls, stores something to what may be its own.
    stores: Dense<FuncId, bool>,
}

impl WaitFinder {
    /// Looks at a program.
    pub fn new(program: &Program, library: &Library) -> WaitFinder {
        let stores = program.funcs.enumerate().map(|(id, f)| {
            let globals = addresses_of_globals(f);
            !is_about_time(program, library, id)
                && f.blocks.iter().flat_map(|b| &b.insts).any(|inst| is_store(inst, &globals))
        });
        let mut finder = WaitFinder { stores: stores.collect() };
        loop {
            let calls_one = |f: &FuncId| {
                let mut insts = program.funcs[*f].blocks.iter().flat_map(|b| &b.insts);
                !finder.stores[*f]
                    && !is_about_time(program, library, *f)
                    && insts.any(|inst| finder.calls_store(inst))
            };
            let more: Vec<FuncId> = program.funcs.ids().filter(calls_one).collect();
            if more.is_empty() {
                return finder;
            }
            more.into_iter().for_each(|f| finder.stores[f] = true);
        }
    }

    fn calls_store(&self, inst: &Inst) -> bool {
        match inst {
            Inst::Call { callee: Callee::Direct(callee), .. } => self.stores[*callee],
            Inst::Call { callee: Callee::Indirect(_), .. } => true,
            _ => false,
        }
    }

    /// Whether a loop of the function can be a wait, where only some registers are `needed`, and some `locals`
    /// may be dead. `is_zero` says so of constants.
    pub fn waits(
        &self,
        (function, needed): (&Function, &[bool]),
        locals: Option<&DeadLocals>,
        l: &Loop,
        is_zero: impl Fn(ConstId) -> bool,
    ) -> Waits {
        if counts((function, needed), l, is_zero) {
            return Waits::Never;
        }
        let globals = addresses_of_globals(function);
        let dead = locals.map(|locals| locals.dead_at(l.head)).unwrap_or_default();
        let is_to_dead = |inst: &Inst| match inst {
            Inst::Store { ptr: Operand::Reg(ptr), .. } => locals.is_some_and(|l| l.is_in(*ptr, &dead)),
            _ => false,
        };
        let stores = |inst: &Inst| is_store(inst, &globals) && !is_to_dead(inst) || self.calls_store(inst);
        let mut insts = l.blocks().iter().flat_map(|block| &function.blocks[*block].insts);
        match insts.any(stores) || follows_pointers(function, l) {
            true => Waits::Perhaps,
            false => Waits::Likely,
        }
    }
}

/// Registers that hold the address of a global variable, or of a part of one.
fn addresses_of_globals(function: &Function) -> FxHashSet<Reg> {
    let insts = function.blocks.iter().flat_map(|block| &block.insts);
    let address = |inst: &Inst| match inst {
        Inst::PtrAdd { dst, base: Operand::Const(_), .. } => Some(*dst),
        _ => None,
    };
    insts.filter_map(address).collect()
}

/// Whether the instruction stores to what may be the thread's own.
fn is_store(inst: &Inst, globals: &FxHashSet<Reg>) -> bool {
    match inst {
        Inst::Store { ptr: Operand::Reg(ptr), .. } => !globals.contains(ptr),
        Inst::MemCopy { .. } | Inst::MemSet { .. } => true,
        _ => false,
    }
}

/// Whether each edge back to the head makes the same parameter of it that is needed larger, or smaller.
fn counts((function, needed): (&Function, &[bool]), l: &Loop, is_zero: impl Fn(ConstId) -> bool) -> bool {
    let sums = sums(function, &is_zero);
    becomes(function, l, |arg, param| needed[param.index()] && sums.get(&arg) == Some(&param))
}

/// Whether each edge back to the head goes on with what a pointer leads to.
fn follows_pointers(function: &Function, l: &Loop) -> bool {
    let mut bases: FxHashMap<Reg, Reg> = FxHashMap::default();
    let mut loads: FxHashMap<Reg, Reg> = FxHashMap::default();
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        match inst {
            Inst::PtrAdd { dst, base: Operand::Reg(base), .. } => bases.insert(*dst, *base),
            Inst::Load { dst, ptr: Operand::Reg(ptr), .. } => loads.insert(*dst, *ptr),
            _ => continue,
        };
    }
    becomes(function, l, |arg, param| {
        loads.get(&arg).is_some_and(|ptr| *ptr == param || bases.get(ptr) == Some(&param))
    })
}

/// Whether each edge back to the head has such an argument for the same parameter.
fn becomes(function: &Function, l: &Loop, is_wanted: impl Fn(Reg, Reg) -> bool) -> bool {
    let params = &function.blocks[l.head].params;
    let edges = l.latches.iter().flat_map(|latch| function.blocks[*latch].edges());
    let back: Vec<&Edge> = edges.filter(|e| e.target == l.head).collect();
    let is_it = |i: usize| {
        let fits =
            |edge: &&Edge| matches!(edge.args.get(i), Some(Operand::Reg(arg)) if is_wanted(*arg, params[i]));
        !back.is_empty() && back.iter().all(fits)
    };
    (0..params.len()).any(is_it)
}

/// Registers that are another one plus or minus a constant that is not zero. Each is assigned in one place only.
fn sums(function: &Function, is_zero: &impl Fn(ConstId) -> bool) -> FxHashMap<Reg, Reg> {
    let mut sums = FxHashMap::default();
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        let (dst, of) = match inst {
            Inst::Bin {
                dst, op: BinOp::Add | BinOp::Sub, a: Operand::Reg(a), b: Operand::Const(b), ..
            } if !is_zero(*b) => (*dst, *a),
            Inst::PtrAdd { dst, base: Operand::Reg(base), offset, scaled }
                if *offset as u32 != 0 && scaled.is_empty() =>
            {
                (*dst, *base)
            }
            _ => continue,
        };
        sums.insert(dst, of);
    }
    sums
}
