//! The symbolic state: threads, memory, path condition, inputs, output.
//!
//! Forking is `clone`: frames, chunks of the object table, inputs and output are shared until written.

use std::rc::Rc;

use selvedge_base::{Id, Loc};
use selvedge_program::{BlockId, FuncId, Program, Reg, Ty, TypeId};
use selvedge_term::TermId;

use crate::memory::Memory;
use crate::output::Output;
use crate::source::Source;
use crate::value::Value;

/// An activation of a function.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function.
    pub func: FuncId,
    /// The current block.
    pub block: BlockId,
    /// The instruction to execute next; in a caller, the call it waits for.
    pub idx: usize,
    /// Registers.
    pub regs: Vec<Value>,
    /// Stack objects made since belong to this frame.
    pub stack_mark: usize,
    /// Arguments beyond the declared parameters.
    pub varargs: Rc<[(Value, Ty, Option<u64>)]>,
    /// How often loops were re-entered, for `--unwind`: (header, iterations).
    pub loops: Vec<(BlockId, u64)>,
    /// Names this activation within its thread, for `longjmp`.
    pub token: u64,
    /// Entered by the engine and not by a call: its caller goes on where it stands.
    pub resumes: bool,
}

impl Frame {
    /// Sets a register.
    #[inline]
    pub fn set(&mut self, reg: Reg, value: Value) {
        self.regs[reg.index()] = value;
    }
}

/// A thread of the analysed program.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Call stack, innermost last.
    pub frames: Vec<Rc<Frame>>,
    /// Inputs consumed so far.
    pub n_inputs: u32,
    /// Undefined values met so far.
    pub n_undefs: u32,
    /// Frames made so far (names frames for `longjmp`).
    pub n_frames: u64,
}

/// A place marked by `setjmp`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JumpPoint {
    /// Thread.
    pub thread: usize,
    /// Index of the frame.
    pub depth: usize,
    /// Its token: the frame must still be that activation.
    pub token: u64,
    /// The block of the call.
    pub block: BlockId,
    /// The index of the call.
    pub idx: usize,
}

/// What kind of input a record is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// Asked for by an intrinsic.
    Program,
    /// Standard input.
    Stdin,
    /// A program argument.
    Arg,
    /// Environment: time, failing allocation, ...
    Environment,
}

/// An input that was consumed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputRecord {
    /// Where its bytes come from.
    pub source: Source,
    /// Name for a person.
    pub name: Rc<str>,
    /// C type, or `bytes`.
    pub ty: InputType,
    /// Size in bytes.
    pub size: u64,
    /// What kind.
    pub kind: InputKind,
    /// Where it was consumed.
    pub loc: Loc,
}

/// How an input reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputType {
    /// A signed integer with this C name.
    Signed(&'static str),
    /// An unsigned integer with this C name.
    Unsigned(&'static str),
    /// A floating-point number with this C name.
    Float(&'static str),
    /// A pointer.
    Pointer,
    /// Raw bytes, of this source type if known.
    Bytes(Option<TypeId>),
}

/// One answer that the instruction being executed has already received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// The alternative taken.
    Choice(u32),
    /// The value of a witness.
    Witness(u64),
}

/// A symbolic state.
#[derive(Clone, Debug)]
pub struct State {
    /// Threads; `main` is 0.
    pub threads: Vec<Thread>,
    /// The running thread.
    pub current: usize,
    /// Memory.
    pub mem: Memory,
    /// The path condition, in the order its conjuncts were assumed.
    pub path: Vec<TermId>,
    /// Inputs consumed, in order.
    pub inputs: Rc<Vec<InputRecord>>,
    /// Output so far.
    pub output: Output,
    /// Instructions executed on this path.
    pub steps: u64,
    /// Bytes of standard input consumed.
    pub stdin_pos: u64,
    /// Places that `setjmp` has marked, by the number it left in the buffer (minus one).
    pub jumps: Rc<Vec<JumpPoint>>,
    /// Choices made on this path (depth in the tree of paths).
    pub depth: u64,
    /// Answers received by the current instruction, in the order it asks.
    ///
    /// An instruction that must ask aborts without having changed the state; once the search has
    /// answered it runs again from its start and finds the earlier answers here.
    pub(crate) decisions: Vec<Decision>,
    pub(crate) cursor: usize,
}

impl State {
    /// Continues with alternative `choice`, under which `cond` holds.
    pub fn take(&mut self, choice: u32, cond: TermId) {
        self.decisions.push(Decision::Choice(choice));
        self.path.push(cond);
        self.depth += 1;
    }

    /// The running thread.
    #[inline]
    pub fn thread(&self) -> &Thread {
        &self.threads[self.current]
    }

    /// The running thread, to change it.
    #[inline]
    pub fn thread_mut(&mut self) -> &mut Thread {
        &mut self.threads[self.current]
    }

    /// The innermost frame.
    #[inline]
    pub fn frame(&self) -> &Frame {
        self.thread().frames.last().expect("a running thread has a frame")
    }

    /// The innermost frame, made unique.
    #[inline]
    pub fn frame_mut(&mut self) -> &mut Frame {
        Rc::make_mut(self.thread_mut().frames.last_mut().expect("a running thread has a frame"))
    }

    /// Where the innermost frame stands.
    pub fn loc(&self, program: &Program) -> Loc {
        self.thread().frames.last().map_or(Loc::UNKNOWN, |f| frame_loc(program, f))
    }

    /// Where the innermost frame of the user's own code stands.
    pub fn user_loc(&self, program: &Program) -> Loc {
        self.thread()
            .frames
            .iter()
            .rev()
            .find(|f| !program.funcs[f.func].is_runtime)
            .map_or(Loc::UNKNOWN, |f| frame_loc(program, f))
    }
}

/// Where a frame stands.
pub fn frame_loc(program: &Program, frame: &Frame) -> Loc {
    let block = &program.funcs[frame.func].blocks[frame.block];
    block.locs.get(frame.idx).copied().unwrap_or(Loc::UNKNOWN)
}
