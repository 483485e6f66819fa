//! Library functions that the engine itself gives meaning to, one file per family.
//!
//! Functions whose meaning is a loop over memory (`strlen`, `qsort`, ...) are C code in the run-time
//! and need nothing here. A model is used only for a function without a body, so the user's own
//! definition always wins; the exception are the functions whose *call* is the error by convention.

pub(crate) mod clock;
mod console;
mod errno;
mod failing;
mod heap;
mod input;
mod io;
mod leak;
mod mapping;
mod math;
mod math_errors;
mod memory;
mod pointers;
mod process;
mod rounding;
mod setjmp;
mod signal;
mod stream_lock;
mod thread;
mod unwind;
mod world;

pub(crate) use console::Watching;
pub(crate) use failing::{Calls, Ending};
pub use failing::{Failing, IO_FAILS, OUTPUT_FAILS};
use selvedge_library::Known;
use selvedge_program::{Arg, FuncId, Function, Inst, Operand, Ty};

use crate::finding::Res;
use crate::step::Step;
use crate::value::Value;

/// What a modelled function does. It must set the call's results and move on.
pub(crate) type Model = for<'s, 'a, 'p> fn(&'s mut Step<'a, 'p>, FuncId, &[Arg], &[Value]) -> Res<()>;

/// A model with what it takes and gives, for [`Step::fit_model`].
#[derive(Clone, Copy)]
pub(crate) struct Modelled {
    /// What a call does.
    pub(crate) run: Model,
    /// The row that says what it takes and gives.
    pub(crate) known: Option<Known>,
}

/// The model of a function, if it has one.
pub(crate) fn lookup(function: &Function) -> Option<Modelled> {
    let name = function.name.as_str();
    let run = match process::always(name) {
        Some(model) => model,
        None if function.is_defined() => return None,
        None => by_name(name)?,
    };
    Some(Modelled { run, known: selvedge_library::classify(name) })
}

/// Whether the engine gives a meaning to a function of this name that is defined nowhere.
pub fn is_modelled(name: &str) -> bool {
    process::always(name).or_else(|| by_name(name)).is_some()
}

/// Whether a call of the function itself, not of what it calls, can be a failed assertion.
pub fn can_abort(function: &Function) -> bool {
    let name = function.name.as_str();
    process::always(name).is_some() || (!function.is_defined() && process::can_abort(name))
}

fn by_name(name: &str) -> Option<Model> {
    heap::lookup(name)
        .or_else(|| clock::lookup(name))
        .or_else(|| failing::lookup(name))
        .or_else(|| mapping::lookup(name))
        .or_else(|| memory::lookup(name))
        .or_else(|| input::lookup(name))
        .or_else(|| process::lookup(name))
        .or_else(|| io::lookup(name))
        .or_else(|| console::lookup(name))
        .or_else(|| stream_lock::lookup(name))
        .or_else(|| errno::lookup(name))
        .or_else(|| setjmp::lookup(name))
        .or_else(|| math::lookup(name))
        .or_else(|| rounding::lookup(name))
        .or_else(|| thread::lookup(name))
        .or_else(|| signal::lookup(name))
        .or_else(|| unwind::lookup(name))
        .or_else(|| world::lookup(name))
        .or_else(|| pointers::lookup(name))
}

impl Step<'_, '_> {
    /// The registers that receive the results of the call being executed.
    pub(crate) fn call_dsts(&self) -> &[selvedge_program::Reg] {
        let frame = self.st.frame();
        match &self.m.image.program.funcs[frame.func].blocks[frame.block].insts[frame.idx] {
            Inst::Call { dsts, .. } => dsts,
            _ => &[],
        }
    }

    /// The type of the call's result, if it is used.
    pub(crate) fn call_type(&self) -> Option<Ty> {
        let dst = *self.call_dsts().first()?;
        Some(self.m.image.program.funcs[self.st.frame().func].regs[dst].ty)
    }

    /// The source name of the variable that receives the call's result, possibly converted first: a `_Bool` is.
    pub(crate) fn call_target_name(&self) -> Option<&str> {
        let dst = *self.call_dsts().first()?;
        let frame = self.st.frame();
        let function = &self.m.image.program.funcs[frame.func];
        let converted = match function.blocks[frame.block].insts.get(frame.idx + 1) {
            Some(Inst::Cast { dst: to, a, .. }) if *a == Operand::Reg(dst) => {
                function.regs[*to].name.as_deref()
            }
            _ => None,
        };
        function.regs[dst].name.as_deref().or(converted)
    }

    /// Ends a modelled call with this result.
    pub(crate) fn returns(&mut self, value: Value) -> Res<()> {
        match self.call_dsts().first().copied() {
            Some(dst) => self.finish(dst, value),
            None => self.next(),
        }
    }

    /// Ends a modelled call without a result.
    pub(crate) fn returns_nothing(&mut self) -> Res<()> {
        self.next()
    }

    /// The concrete string at `ptr`; forks over symbolic bytes being the terminator, and over their values.
    pub(crate) fn c_string(&mut self, ptr: Value) -> Res<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut at = ptr;
        loop {
            let byte = self.load(at, Ty::Int(8))?;
            let byte = self.concretise(byte, 8, 256, "a byte of a format or name")? as u8;
            if byte == 0 {
                return Ok(bytes);
            }
            bytes.push(byte);
            let bits = self.ptr_bits();
            at = crate::ops::bin(&mut self.m.pool, selvedge_program::BinOp::Add, bits, at, Value::Int(1));
        }
    }
}
