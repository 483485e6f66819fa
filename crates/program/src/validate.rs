//! The invariants of the IR, checked.
//!
//! A program accepted by [`validate`] satisfies, and may be executed without re-checking:
//!
//! Program
//! - `target.ptr_bits` is 32 or 64; `entry` is there and defined; constructors are defined and take no parameters.
//! - Every id (function, global, constant, block, register, type, file) is in range.
//! - Names of functions and globals are not empty and differ from each other, in one name space.
//!
//! Constants
//! - Integers have 1 to 2^23 bits; `Int` up to 64, `Wide` above, with `width.div_ceil(64)` limbs; bits above the width are zero; floats likewise.
//! - An expression uses only constants with smaller ids (so there are no cycles), nests at most 256 deep, and its operands have the types it names.
//! - A label names a block of a defined function.
//!
//! Globals
//! - Alignments are powers of two; initialisers are ascending, do not overlap, lie within the object, and scalars have the type they name.
//!
//! Functions
//! - `byval` is as long as `params`; a by-value parameter is a pointer. The entry block has no parameters.
//! - Every block ends in its only terminator; `locs` is as long as `insts`.
//! - Every register is assigned at most once (as function parameter, block parameter or result), and in reachable code every
//!   use is dominated by the assignment. Edge arguments match the target's parameters in number and type.
//!
//! Instructions
//! - Operands and results have the types the instruction names; casts convert between fitting types.
//! - A direct call gives the callee's parameters in number, type and `byval`, more only if it is variadic; it takes all results
//!   or none. (A call through a cast function pointer is an indirect call; the engine checks it when it happens.)
//! - `return` gives the function's results. Switch cases are distinct and fit the width, which is at most 64.
//!
//! Not covered: debug types may be recursive and are only checked for range.

mod consts;
mod function;
mod inst;
mod problem;

use rustc_hash::FxHashSet;
use selvedge_base::Loc;

use crate::{DebugType, FuncId, Global, InitPiece, Program, Ty, TypeId};
pub use problem::{Problem, Where, Wrong};

/// Checks all invariants; the problems come in program order.
pub fn validate(program: &Program) -> Result<(), Vec<Problem>> {
    let mut ctx = Ctx { program, problems: Vec::new(), place: Where::Program };
    ctx.program_wide();
    // The rest indexes constants freely, which is only safe once they are known to be in order.
    if ctx.constants() {
        for (id, global) in program.globals.enumerate() {
            ctx.place = Where::Global(id);
            ctx.global(global);
        }
        for (id, func) in program.funcs.enumerate() {
            ctx.place = Where::Func(id);
            ctx.function(id, func);
        }
    }
    if ctx.problems.is_empty() { Ok(()) } else { Err(ctx.problems) }
}

struct Ctx<'a> {
    program: &'a Program,
    problems: Vec<Problem>,
    place: Where,
}

impl Ctx<'_> {
    fn report(&mut self, wrong: Wrong) {
        let place_name = self.place.describe(self.program);
        self.problems.push(Problem { place: self.place, place_name, wrong });
    }

    /// Reports `wrong` unless `holds`; returns `holds`.
    fn ensure(&mut self, holds: bool, wrong: impl FnOnce() -> Wrong) -> bool {
        if !holds {
            self.report(wrong());
        }
        holds
    }

    fn in_range(&mut self, id: impl std::fmt::Display, index: u32, len: usize) -> bool {
        self.ensure((index as usize) < len, || Wrong::OutOfRange(id.to_string()))
    }

    fn func_in_range(&mut self, func: FuncId) -> bool {
        self.in_range(func, func.0, self.program.funcs.len())
    }

    fn debug_type_in_range(&mut self, ty: Option<TypeId>) {
        if let Some(ty) = ty {
            self.in_range(ty, ty.0, self.program.types.len());
        }
    }

    fn loc(&mut self, loc: Loc) {
        if loc.file != Loc::UNKNOWN.file {
            self.in_range(loc.file, loc.file.0, self.program.files.len());
        }
    }

    fn width(&mut self, width: u32) -> bool {
        self.ensure((1..=consts::MAX_WIDTH).contains(&width), || Wrong::Width(width))
    }

    fn ty(&mut self, ty: Ty) {
        if let Ty::Int(width) = ty {
            self.width(width);
        }
    }

    fn program_wide(&mut self) {
        let program = self.program;
        self.ensure(matches!(program.target.ptr_bits, 32 | 64), || {
            Wrong::PointerWidth(program.target.ptr_bits)
        });
        match program.entry {
            None => self.report(Wrong::NoEntry),
            Some(entry) => {
                if self.func_in_range(entry) {
                    self.ensure(program.funcs[entry].is_defined(), || Wrong::NotDefined(entry));
                }
            }
        }
        for &ctor in &program.ctors {
            if self.func_in_range(ctor) {
                self.ensure(program.funcs[ctor].is_defined(), || Wrong::NotDefined(ctor));
                self.ensure(program.funcs[ctor].params.is_empty(), || Wrong::CtorParams(ctor));
            }
        }
        let mut names = FxHashSet::default();
        let globals = program.globals.iter().map(|g| &g.name);
        for name in globals.chain(program.funcs.iter().map(|f| &f.name)) {
            self.ensure(!name.is_empty(), || Wrong::EmptyName);
            self.ensure(names.insert(name), || Wrong::DuplicateName(name.clone()));
        }
        for ty in program.types.iter() {
            match ty {
                DebugType::Pointer { to } | DebugType::Alias { to, .. } => self.debug_type_in_range(*to),
                DebugType::Array { elem, .. } => self.debug_type_in_range(Some(*elem)),
                DebugType::Record { fields, .. } => {
                    fields.iter().for_each(|field| self.debug_type_in_range(Some(field.ty)));
                }
                DebugType::Basic { .. } | DebugType::Enum { .. } | DebugType::Other { .. } => {}
            }
        }
    }

    fn global(&mut self, global: &Global) {
        self.ensure(global.align.is_power_of_two(), || Wrong::Alignment(global.align));
        self.loc(global.loc);
        self.debug_type_in_range(global.var_ty);
        let mut end = 0_u64;
        for piece in global.init.iter().flatten() {
            let (offset, len) = match piece {
                InitPiece::Bytes { offset, bytes } => (*offset, bytes.len() as u64),
                InitPiece::Undef { offset, len } => (*offset, *len),
                InitPiece::Scalar { offset, ty, value } => {
                    self.ty(*ty);
                    if self.in_range(*value, value.0, self.program.consts.len()) {
                        let found = self.const_ty(*value);
                        self.ensure(found == *ty, || Wrong::Type { expected: ty.to_string(), found });
                    }
                    (*offset, ty.store_size(self.program.target.ptr_bits))
                }
            };
            self.ensure(offset >= end, || Wrong::InitOrder(offset));
            match offset.checked_add(len).filter(|piece_end| *piece_end <= global.size) {
                Some(piece_end) => end = piece_end,
                None => self.report(Wrong::InitRange(offset)),
            }
        }
    }
}

#[cfg(test)]
mod tests;
