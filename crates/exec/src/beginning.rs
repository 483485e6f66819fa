//! What an execution finds in memory when it begins, as far as the code that was run can come to it, as a hash: if it is the
//! same in another program, and so is that code, all executions are the same there.
//!
//! A summary holds from wherever its formula holds; the answer of a whole search holds for its beginning only.
//!
//! Relies on: an address comes from a constant of an instruction that was run, or from the content of a global that can be
//! come to; one that a program makes of numbers is a [`Fact::Fleeting`](crate::Fact::Fleeting).

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use selvedge_base::Id;
use selvedge_program::{Const, ConstExpr, ConstId, GlobalId, InitPiece, Operand, Program};
use siphasher::sip::SipHasher13;

use crate::code::Place;
use crate::machine::Machine;

impl Machine<'_> {
    /// How executions begin that run no other code than this.
    pub fn beginning(&self, ran: impl Iterator<Item = Place>) -> u64 {
        let program = self.image.program;
        let mut globals = BTreeSet::new();
        for at in ran {
            let Some(inst) =
                program.funcs.get(at.func).and_then(|f| f.blocks.get(at.block)?.insts.get(at.inst as usize))
            else {
                continue;
            };
            inst.for_each_operand(|operand| {
                if let Operand::Const(id) = operand {
                    name(program, *id, &mut globals);
                }
            });
        }
        let mut hasher = SipHasher13::new();
        (program.entry, &program.ctors).hash(&mut hasher);
        for global in with_content(program, globals) {
            let variable = &program.globals[global];
            (global.index(), variable.size, variable.init.is_some()).hash(&mut hasher);
            for piece in variable.init.iter().flatten() {
                match piece {
                    InitPiece::Scalar { offset, ty, value } => {
                        (0u8, offset, ty).hash(&mut hasher);
                        self.hash_const(*value, &mut hasher);
                    }
                    InitPiece::Bytes { offset, bytes } => (1u8, offset, bytes).hash(&mut hasher),
                    InitPiece::Undef { offset, len } => (2u8, offset, len).hash(&mut hasher),
                }
            }
        }
        hasher.finish()
    }
}

/// The globals of a constant.
fn name(program: &Program, id: ConstId, globals: &mut BTreeSet<GlobalId>) {
    match &program.consts[id] {
        Const::Global { global, .. } => {
            globals.insert(*global);
        }
        Const::Expr(ConstExpr::Cast { arg, .. }) => name(program, *arg, globals),
        Const::Expr(ConstExpr::Bin { a, b, .. }) => {
            name(program, *a, globals);
            name(program, *b, globals);
        }
        Const::Expr(ConstExpr::PtrAdd { base, .. }) => name(program, *base, globals),
        _ => {}
    }
}

/// These globals, and all that they lead to in the beginning.
fn with_content(program: &Program, globals: BTreeSet<GlobalId>) -> BTreeSet<GlobalId> {
    let mut work: Vec<GlobalId> = globals.iter().copied().collect();
    let mut all = globals;
    while let Some(global) = work.pop() {
        for piece in program.globals[global].init.iter().flatten() {
            if let InitPiece::Scalar { value, .. } = piece {
                let mut found = BTreeSet::new();
                name(program, *value, &mut found);
                work.extend(found.into_iter().filter(|global| all.insert(*global)));
            }
        }
    }
    all
}
