//! A program made ready to run: constants as values, the initial memory, library models, loops.

mod blocks;

use selvedge_analysis::faint::Context;
use selvedge_analysis::{Library, Waits};
use selvedge_base::{Dense, Id};
use selvedge_library::{Cancel, Copying, Jumps, Life, Written};
use selvedge_program::{BlockId, CastOp, Const, ConstExpr, ConstId, FuncId, GlobalId, InitPiece, Program};
use selvedge_term::TermPool;

use self::blocks::Blocks;
use crate::memory::{AddressSpace, Content, MAX_OBJECT, Memory, NewObject, Origin, Status, Symbols};
use crate::models::{self, Modelled, Watching, clock};
use crate::ops;
use crate::source::{Source, Sources};
use crate::value::{ObjId, Value};

/// A loaded program.
pub struct Image<'p> {
    /// The program.
    pub program: &'p Program,
    /// The address space.
    pub space: AddressSpace,
    /// Memory before `main`.
    pub memory: Memory,
    /// Models of functions without a body (and of those that a model replaces).
    pub(crate) models: Vec<Option<Modelled>>,
    /// What the names of functions mean.
    pub library: Library,
    /// `None`: undefined, a fresh value at each use.
    consts: Vec<Option<Value>>,
    /// Blocks and loops.
    blocks: Blocks,
    /// Thread-local variables, in order; a thread other than `main` has its copies as its first heap objects.
    thread_locals: Vec<usize>,
    /// The run-time's thread-local `errno`, if the program has it.
    pub(crate) errno: Option<usize>,
    /// Whether threads may be cancelled: the program calls `pthread_cancel`.
    pub(crate) can_cancel: bool,
    /// Whether the program can start threads.
    pub(crate) can_have_threads: bool,
    /// The program brings its own `memcpy`, `memmove` or `memset`.
    pub(crate) has_own_copies: bool,
    /// Whether `longjmp` may lead out of a signal handler: the program has both.
    pub(crate) can_jump: bool,
    /// The clocks, if the program has code that reads one or sleeps.
    pub(crate) clocks: Option<ObjId>,
    /// Whether it has code that reads one.
    pub(crate) reads_clocks: bool,
    /// Whether it uses `std::chrono`.
    pub(crate) counts_time: bool,
    /// How the program can see that output on the console has failed.
    pub(crate) watching: Watching,
    /// Whether anything may be registered to run when the program ends.
    pub(crate) has_exit_handlers: bool,
    /// The function that is called after each call that may end with an exception.
    pub(crate) landing: Option<FuncId>,
}

impl<'p> Image<'p> {
    /// Loads `program`.
    pub fn new(program: &'p Program, pool: &mut TermPool, sources: &mut Sources) -> Self {
        let library = Library::new(program);
        let space = AddressSpace::new(program.target.ptr_bits);
        let mut memory = declare_globals(program, space);
        let consts = evaluate_constants((program, &library), space, &memory, pool);
        initialise_globals(program, &consts, &mut memory, &mut Symbols { pool, sources });
        let is_zero = |id: ConstId| !matches!(consts[id.index()], Some(Value::Int(n)) if n != 0);
        let can_cancel = library.has(Cancel::Request);
        // With overflow checked a counter may be needed that is not here: such a loop is watched in vain.
        let context = Context { program, library: &library, overflow: false, can_cancel };
        let blocks = Blocks::new(context, is_zero);
        let is_own = |copy: &Copying| {
            let mut all = library.all(*copy).iter().map(|func| &program.funcs[*func]);
            all.any(|func| func.is_defined() && !func.is_runtime)
        };
        let has_own_copies = [Copying::Memcpy, Copying::Memmove, Copying::Memset].iter().any(is_own);
        let thread_locals: Vec<usize> =
            program.globals.enumerate().filter(|(_, g)| g.thread_local).map(|(i, _)| i.index()).collect();
        for &global in &thread_locals {
            memory.get_mut(ObjId::global(global, 0)).expect("added above").is_shared = false;
        }
        let errno = thread_locals.iter().copied().find(|global| {
            let variable = &program.globals[selvedge_program::GlobalId::new(*global)];
            variable.is_runtime && variable.name == selvedge_library::ERRNO
        });
        Image {
            program,
            errno,
            thread_locals,
            watching: Watching::of(program, &library),
            has_exit_handlers: library.has(Written::AtExit),
            landing: library.find(Written::Landing),
            can_cancel,
            can_have_threads: library.has(Life::Create),
            has_own_copies,
            can_jump: library.has(Jumps::Long),
            clocks: program
                .globals
                .enumerate()
                .find(|(_, global)| global.name == clock::CLOCKS)
                .map(|(global, _)| ObjId::global(global.index(), 0)),
            reads_clocks: library.has(Written::ClockNow),
            counts_time: library.has(Written::ChronoNow),
            blocks,
            space,
            memory,
            models: program.funcs.ids().map(|func| models::lookup(&library, func)).collect(),
            library,
            consts,
        }
    }

    /// The value of a constant; `None` if undefined.
    #[inline]
    pub fn constant(&self, id: ConstId) -> Option<Value> {
        self.consts[id.index()]
    }

    /// The copy of a thread-local variable that belongs to `thread`.
    pub(crate) fn thread_local(&self, global: usize, thread: usize) -> ObjId {
        match self.thread_locals.iter().position(|g| *g == global) {
            Some(position) if thread > 0 => ObjId::heap(thread as u32, position as u64),
            _ => ObjId::global(global, 0),
        }
    }

    /// The thread-local variables.
    pub(crate) fn thread_locals(&self) -> &[usize] {
        &self.thread_locals
    }

    /// The address of a function.
    pub fn function_pointer(&self, func: FuncId) -> Value {
        function_pointer(self.space, func)
    }

    /// The program-wide number of a block.
    #[inline]
    pub fn block_number(&self, func: FuncId, block: BlockId) -> usize {
        self.blocks.number(func, block)
    }

    /// Whether a loop begins with the block.
    #[inline]
    pub(crate) fn is_loop_head(&self, func: FuncId, block: BlockId) -> bool {
        self.blocks.is_loop_head(func, block)
    }

    /// Whether the loop that begins with the block can be a wait.
    #[inline]
    pub(crate) fn waits(&self, func: FuncId, head: BlockId) -> Waits {
        self.blocks.waits(func, head)
    }

    /// Whether the edge closes a loop.
    pub(crate) fn is_back_edge(&self, func: FuncId, from: BlockId, to: BlockId) -> bool {
        self.blocks.is_back_edge(func, from, to)
    }

    /// What holds for the whole program, and decides what its instructions do.
    pub(crate) fn facts(&self) -> impl std::fmt::Debug {
        let Image {
            program,
            space,
            errno,
            thread_locals,
            can_cancel,
            can_have_threads,
            has_own_copies,
            can_jump,
            clocks,
            reads_clocks,
            counts_time,
            watching,
            has_exit_handlers,
            landing,
            // What is in memory at the beginning, each state knows.
            memory: _,
            // By the names of functions, which calls know.
            models: _,
            library: _,
            // Instructions know the constants that they use, and what comes after them.
            consts: _,
            blocks: _,
        } = self;
        let locals: Vec<(usize, u64, u64)> = thread_locals
            .iter()
            .map(|global| (*global, &program.globals[GlobalId::new(*global)]))
            .map(|(number, global)| (number, global.size, global.align))
            .collect();
        let can = (*can_cancel, *can_have_threads, *has_own_copies, *can_jump);
        let time = (*clocks, *reads_clocks, *counts_time);
        (program.target, *space, *errno, locals, can, time, *watching, *has_exit_handlers, *landing)
    }

    /// How many blocks the program has.
    pub fn n_blocks(&self) -> usize {
        self.blocks.len()
    }
}

/// Memory with all globals, filled with zeros.
fn declare_globals(program: &Program, space: AddressSpace) -> Memory {
    let mut memory = Memory::new(space);
    for global in program.globals.iter() {
        let new = NewObject {
            size: global.size,
            align: global.align,
            site: global.loc,
            origin: Origin::Variable { name: global.name.as_str().into(), ty: global.var_ty },
        };
        let too_large = global.size > MAX_OBJECT;
        let size = if too_large { 0 } else { global.size };
        let id = memory.add_global(new, !global.is_const, Content::zeroed(size));
        if too_large {
            memory.get_mut(id).expect("just added").status = Status::TooLarge;
        } else if global.init.is_none() {
            memory.get_mut(id).expect("just added").status = Status::External;
        }
    }
    memory
}

/// Writes what the globals begin with.
fn initialise_globals(
    program: &Program,
    consts: &[Option<Value>],
    memory: &mut Memory,
    cx: &mut Symbols<'_>,
) {
    for (g, global) in program.globals.enumerate() {
        let id = ObjId::global(g.index(), 0);
        let content = &mut memory.get_mut(id).expect("added above").content;
        for piece in global.init.iter().flatten().filter(|_| global.size <= MAX_OBJECT) {
            match piece {
                InitPiece::Bytes { offset, bytes } => content.put(cx, *offset, bytes),
                InitPiece::Undef { offset, len } => {
                    content.put_lazy(cx, *offset, *len, Source::Uninit { obj: id, other: false }, *offset);
                }
                InitPiece::Scalar { offset, ty, value } => {
                    let size = ty.store_size(program.target.ptr_bits);
                    let value = consts[value.index()].unwrap_or(Value::Int(0));
                    content.write(cx, *offset, size, value);
                }
            }
        }
    }
}

/// A weak reference to a function that neither the program nor the engine has.
pub(crate) fn is_absent(program: &Program, library: &Library, func: FuncId) -> bool {
    let function = &program.funcs[func];
    function.is_weak && !function.is_defined() && library.modelled(func).is_none()
}

fn function_pointer(space: AddressSpace, func: FuncId) -> Value {
    Value::Ptr { obj: ObjId::function(func.index()), addr: space.function(func.index()) }
}

fn evaluate_constants(
    (program, library): (&Program, &Library),
    space: AddressSpace,
    memory: &Memory,
    pool: &mut TermPool,
) -> Vec<Option<Value>> {
    let mut values: Dense<ConstId, Option<Value>> = Dense::new();
    let bits = program.target.ptr_bits;
    // Operands of a constant expression are interned before it.
    for value in program.consts.iter() {
        let evaluated = match value {
            Const::Int { value, .. } => Some(Value::Int(*value)),
            Const::Wide { width, limbs } => Some(Value::Term(wide(pool, *width, limbs))),
            Const::Float { kind, bits } if kind.bits() <= 64 => Some(Value::Int(*bits as u64)),
            Const::Float { kind, bits } => {
                Some(Value::Term(wide(pool, kind.bits(), &[*bits as u64, (*bits >> 64) as u64])))
            }
            Const::Null => Some(Value::Int(0)),
            Const::Global { global, .. } if program.globals[*global].thread_local => None,
            Const::Global { global, offset } => {
                let obj = ObjId::global(global.index(), 0);
                let base = memory.get(obj).expect("all globals are there").base;
                Some(Value::Ptr {
                    obj,
                    addr: crate::value::truncate(base.wrapping_add_signed(*offset), bits),
                })
            }
            Const::Func(f) if is_absent(program, library, *f) => Some(Value::Int(0)),
            Const::Func(f) => Some(function_pointer(space, *f)),
            // A label is a number that only an indirect jump understands: block + 1 within its function.
            Const::Block(_, block) => Some(Value::Int(block.index() as u64 + 1)),
            Const::Undef(_) => None,
            Const::Expr(ConstExpr::Cast { op, from, to, arg }) => {
                values[*arg].map(|arg| ops::cast(pool, *op, *from, *to, bits, arg))
            }
            Const::Expr(ConstExpr::Bin { op, width, a, b }) => match (values[*a], values[*b]) {
                (Some(a), Some(b)) => Some(ops::bin(pool, *op, *width, a, b)),
                _ => None,
            },
            Const::Expr(ConstExpr::PtrAdd { base, offset }) => values[*base].map(|base| {
                let offset = Value::Int(crate::value::truncate(*offset as u64, bits));
                ops::bin(pool, selvedge_program::BinOp::Add, bits, base, offset)
            }),
        };
        values.push(evaluated);
    }
    values.iter().copied().collect()
}

fn wide(pool: &mut TermPool, width: u32, limbs: &[u64]) -> selvedge_term::TermId {
    let digits = limbs.iter().flat_map(|l| [*l as u32, (*l >> 32) as u32]).collect();
    pool.bv_wide(width, num_bigint::BigUint::new(digits))
}

/// Whether a conversion is between integers, pointers and bit patterns.
pub(crate) fn is_bit_cast(op: CastOp) -> bool {
    matches!(
        op,
        CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast
    )
}
