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
pub use failing::{Failing, IO_FAILS, MEMORY_FAILS, OUTPUT_FAILS};
use selvedge_analysis::Library;
use selvedge_library::Known;
use selvedge_program::{Arg, FuncId, Inst, Operand, Ty};

use crate::finding::Res;
use crate::step::Step;
use crate::value::Value;

/// What a modelled function does. It must set the call's results and move on.
pub(crate) type Model = for<'s, 'a, 'p> fn(&'s mut Step<'a, 'p>, FuncId, &[Arg], &[Value]) -> Res<()>;

/// A model and the function that it is of, for [`Step::fit_model`].
#[derive(Clone, Copy)]
pub(crate) struct Modelled {
    /// What a call does.
    pub(crate) run: Model,
    /// Whose it is.
    pub(crate) known: Known,
}

/// The model of a function, if its meaning is the engine's.
pub(crate) fn lookup(library: &Library, func: FuncId) -> Option<Modelled> {
    let known = library.modelled(func)?;
    Some(Modelled { run: model(known)?, known })
}

/// The meaning of each function that is not C code.
fn model(known: Known) -> Option<Model> {
    Some(match known {
        Known::Heap(function) => heap::model(function),
        Known::Mapping(function) => mapping::model(function),
        Known::Copying(function) => memory::model(function),
        Known::Pointers(function) => pointers::model(function),
        Known::Input(function) => input::model(function),
        Known::Process(function) => process::model(function),
        Known::Jumps(function) => setjmp::model(function),
        Known::Unwind(function) => unwind::model(function),
        Known::Io(function) => io::model(function),
        Known::StreamLock(function) => stream_lock::model(function),
        Known::Console(function) => console::model(function),
        Known::Errno(function) => errno::model(function),
        Known::World(function) => world::model(function),
        Known::Failures(function) => failing::model(function),
        Known::Clock(function) => clock::model(function),
        Known::Signal(function) => signal::model(function),
        Known::Life(function) => thread::life::model(function),
        Known::Cancel(function) => thread::cancel::model(function),
        Known::Keys(function) => thread::keys::model(function),
        Known::Once(function) => thread::once::model(function),
        Known::Section(function) => thread::section::model(function),
        Known::Point(function) => thread::point::model(function),
        Known::Mutex(function) => thread::mutex::model(function),
        Known::Cond(function) => thread::cond::model(function),
        Known::RwLock(function) => thread::rwlock::model(function),
        Known::Semaphore(function) => thread::semaphore::model(function),
        Known::Barrier(function) => thread::barrier::model(function),
        Known::Futex(function) => thread::futex::model(function),
        Known::Rounding(function) => rounding::model(function),
        Known::Math(function, _) => math::model(function),
        Known::Written(_) => return None,
    })
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
