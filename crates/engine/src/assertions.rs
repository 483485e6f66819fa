//! Assertions that have not failed yet.
//!
//! Who asks for all bugs and checks assertions only has nothing left to find once every assertion of the program is known
//! to fail: a search that is guided by assertions ends there.
//!
//! Guarantee: a failure of [`FindingKind::Assert`] or [`FindingKind::Error`] happens at one of the instructions that are
//! listed at first. They are taken from all functions, whether or not these can be called.

use rustc_hash::FxHashSet;
use selvedge_analysis::{Library, Point};
use selvedge_exec::{FindingKind, State, point};
use selvedge_program::{Callee, Const, ConstExpr, ConstId, FuncId, InitPiece, Inst, Operand, Program};

use crate::config::Config;
use crate::property::Property;

/// Where the program can still give itself up in a way that is not known.
pub(crate) struct Assertions {
    left: FxHashSet<Point>,
}

impl Assertions {
    /// The assertions of a program, if it matters which of them are left, and they can be listed.
    pub(crate) fn new(program: &Program, config: &Config) -> Option<Assertions> {
        let is_listed = |property: &Property| property.facts().kinds.iter().all(|kind| is_listed(*kind));
        let is_guided = config.reduction.parts().is_guided && config.search.all_bugs && !config.search.tests;
        if !is_guided || !config.properties.iter().all(is_listed) {
            return None;
        }
        let library = Library::new(program);
        if is_address_taken(program, &library) {
            return None;
        }
        let mut left = FxHashSet::default();
        for (func, function) in program.funcs.enumerate() {
            for (block, code) in function.blocks.enumerate() {
                let points = code.insts.iter().enumerate().filter(|(i, inst)| match inst {
                    Inst::Trap => true,
                    Inst::Call { callee: Callee::Direct(callee), .. } => aborts(&library, *callee),
                    Inst::Unreachable => !i.checked_sub(1).is_some_and(|i| ends(&library, &code.insts[i])),
                    _ => false,
                });
                left.extend(points.map(|(inst, _)| Point { func, block, inst }));
            }
        }
        Some(Assertions { left })
    }

    /// The current thread of `state` fails, and that is known. Says whether nothing is left.
    pub(crate) fn fails(&mut self, state: &State, kind: FindingKind) -> bool {
        if is_listed(kind) {
            self.left.remove(&point(state.frame()));
        }
        self.left.is_empty()
    }
}

/// Whether all places where it can happen are listed.
fn is_listed(kind: FindingKind) -> bool {
    matches!(kind, FindingKind::Assert | FindingKind::Error)
}

/// Whether a call of the function itself, not of what it calls, can be a failed assertion.
fn aborts(library: &Library, func: FuncId) -> bool {
    library.action(func).can_abort()
}

/// Whether what comes after this instruction is never reached.
fn ends(library: &Library, inst: &Inst) -> bool {
    let Inst::Call { callee: Callee::Direct(callee), .. } = inst else { return false };
    library.known(*callee).is_some_and(|known| known.action().never_returns())
}

/// Whether a function that gives the program up may be called through a pointer.
fn is_address_taken(program: &Program, library: &Library) -> bool {
    let names = |id: ConstId| matches!(program.consts[id], Const::Func(func) if aborts(library, func));
    let mut is_taken = program.consts.iter().any(|constant| match constant {
        Const::Expr(ConstExpr::Cast { arg, .. }) => names(*arg),
        Const::Expr(ConstExpr::Bin { a, b, .. }) => names(*a) || names(*b),
        Const::Expr(ConstExpr::PtrAdd { base, .. }) => names(*base),
        _ => false,
    });
    let pieces = program.globals.iter().flat_map(|global| global.init.iter().flatten());
    is_taken |=
        pieces.into_iter().any(|piece| matches!(piece, InitPiece::Scalar { value, .. } if names(*value)));
    for inst in program.funcs.iter().flat_map(|f| f.blocks.iter()).flat_map(|block| &block.insts) {
        inst.for_each_operand(|operand| is_taken |= matches!(operand, Operand::Const(id) if names(*id)));
    }
    is_taken
}
