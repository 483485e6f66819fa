//! The symbolic state: threads, memory, path condition, inputs, output.
//!
//! Forking is `clone`: frames, chunks of the object table, inputs and output are shared until written.

use std::ops::Range;
use std::rc::Rc;

use selvedge_base::{Id, Loc};
use selvedge_program::{BlockId, FuncId, Program, Reg, Ty, TypeId};
use selvedge_term::{RoundingMode, TermId};

use selvedge_por::{Event, Location};
use smallvec::SmallVec;

use crate::memory::Memory;
use crate::output::Output;
use crate::outside::Outside;
use crate::signals::{Signals, ThreadSignals};
use crate::source::Source;
use crate::step::CopyProgress;
use crate::sync::SyncTable;
use crate::threads::{Idle, Phase, Probe, Races, Rounds};
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
    /// The whole activation is one step to other threads.
    pub atomic: bool,
}

impl Frame {
    /// Sets a register.
    #[inline]
    pub fn set(&mut self, reg: Reg, value: Value) {
        self.regs[reg.index()] = value;
    }
}

/// What a thread knows between the steps of a wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sleep {
    /// How often it held the mutex of a condition, or the round of a barrier.
    pub count: u32,
    /// It has woken up without a reason before and found nothing new.
    pub is_fruitless: bool,
    /// It has left the queue, and wants its mutex back.
    pub left: Option<Left>,
}

/// A thread as it was when it woke up without a reason.
#[derive(Clone, Debug)]
pub(crate) struct WokeAlone {
    pub(crate) frames: Vec<Rc<Frame>>,
    pub(crate) n_inputs: u32,
    pub(crate) n_undefs: u32,
}

/// Why a thread has left the queue of a condition before it has its mutex again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Left {
    /// It was woken.
    Woken,
    /// It is cancelled.
    Cancelled,
}

/// A thread of the analysed program.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Call stack, innermost last.
    pub frames: Vec<Rc<Frame>>,
    /// Inputs consumed so far.
    pub n_inputs: u32,
    /// Those that other threads may know about: consumed before its last visible step.
    pub(crate) n_inputs_seen: u32,
    /// Those among them that are choices of the environment between things that may always happen.
    pub n_natural: u32,
    /// Those that are readings of clocks.
    pub(crate) n_readings: u32,
    /// The loop in which it waits also ends when a clock has gone far enough.
    pub(crate) time_ends_wait: bool,
    /// Somebody outside of the program could end the wait that it is in or comes to next.
    pub(crate) waits_for_outside: bool,
    /// Undefined values met so far.
    pub n_undefs: u32,
    /// Points of a native build passed so far; 0 in a program without them.
    pub n_points: u64,
    /// The number of the last one in the program.
    pub last_point: u32,
    /// Instructions executed so far; 0 if nobody has set a bound.
    pub n_steps: u64,
    /// Frames made so far (names frames for `longjmp`).
    pub n_frames: u64,
    /// Where it stands in its life.
    pub phase: Phase,
    /// The number of its last visible step, or of that before it was started.
    pub(crate) last_turn: u32,
    /// Threads it has started so far.
    pub n_children: u32,
    /// Nested atomic sections it is in.
    pub atomic_depth: u32,
    /// Locks it holds, with repetitions.
    pub n_held: u32,
    /// Nobody may join it.
    pub is_detached: bool,
    /// Somebody has joined it.
    pub is_joined: bool,
    /// What it returned.
    pub result: Value,
    /// Values of its keys (`pthread_setspecific`).
    pub specific: Vec<(u32, Value)>,
    /// Destructors of thread-specific values that have run.
    pub n_destructors: u32,
    /// Between the two steps of a wait.
    pub sleep: Option<Sleep>,
    /// In the middle of an instruction that copies: how far it has come.
    pub(crate) copying: Option<Rc<CopyProgress>>,
    /// Where it was spinning until just now: its next step could not happen before one of these changed.
    pub(crate) spun: Vec<Location>,
    /// The loops it is in that may turn out to be waits, outermost first.
    pub(crate) probes: Vec<Rc<Probe>>,
    /// The loops it is in that are not watched yet, outermost first.
    pub(crate) rounds: SmallVec<[Rounds; 2]>,
    /// It has woken up without a reason and changed nothing since.
    pub(crate) woke_alone: Option<Rc<WokeAlone>>,
    /// Requests to cancel it wait.
    pub ignores_cancel: bool,
    /// How its floating-point arithmetic rounds (`fesetround`).
    pub(crate) rounding: RoundingMode,
    /// Buffers of its cleanup handlers, innermost last.
    pub cleanup: Vec<Value>,
    /// It is ending, in the call that stands at this depth.
    pub ends_at: Option<usize>,
    /// It leaves its functions, to end with its result.
    pub is_leaving: bool,
    /// It goes round in circles and is to stop where it takes a lock again.
    pub(crate) idle: Option<Rc<Idle>>,
    /// What it has to do with signals, if there are any.
    pub signals: Option<Box<ThreadSignals>>,
    /// Answers received by its current instruction, in the order it asks.
    ///
    /// An instruction that must ask aborts without having changed the state; once the search has
    /// answered it runs again from its start and finds the earlier answers here.
    pub(crate) decisions: Vec<Decision>,
}

impl Thread {
    /// A register of the frame at `depth`.
    pub(crate) fn register(&self, depth: u32, reg: u32) -> Option<Value> {
        self.frames.get(depth as usize)?.regs.get(reg as usize).copied()
    }

    /// A register as it was at the head of a loop that is watched, or what was read since.
    pub(crate) fn watched(&self, probe: u32, number: u32) -> Option<Value> {
        self.probes.get(probe as usize)?.kept(number as usize)
    }

    /// A thread that has not begun.
    pub(crate) fn new() -> Thread {
        Thread {
            frames: Vec::new(),
            n_inputs: 0,
            n_inputs_seen: 0,
            n_natural: 0,
            n_readings: 0,
            time_ends_wait: false,
            waits_for_outside: false,
            n_undefs: 0,
            n_points: 0,
            last_point: 0,
            n_steps: 0,
            n_frames: 0,
            phase: Phase::Unborn,
            last_turn: 0,
            n_children: 0,
            atomic_depth: 0,
            n_held: 0,
            is_detached: false,
            is_joined: false,
            result: Value::Int(0),
            specific: Vec::new(),
            n_destructors: 0,
            sleep: None,
            copying: None,
            spun: Vec::new(),
            probes: Vec::new(),
            rounds: SmallVec::new(),
            woke_alone: None,
            ignores_cancel: false,
            rounding: RoundingMode::NearestEven,
            cleanup: Vec::new(),
            ends_at: None,
            is_leaving: false,
            idle: None,
            signals: None,
            decisions: Vec::new(),
        }
    }
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
    /// The signals that were blocked, to be blocked again.
    pub mask: Option<u64>,
}

/// What kind of input a record is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// Asked for by an intrinsic.
    Program,
    /// Standard input.
    Stdin,
    /// A variable of the environment: a byte that says whether it is there, then its text.
    Variable,
    /// A program argument.
    Arg,
    /// All program arguments, which nobody named: how many, then each.
    Args,
    /// Environment: time, failing allocation, ...
    Environment,
    /// About a file.
    File {
        /// Its path, from where the program starts or from the root.
        name: Rc<str>,
        /// What of it.
        role: FileRole,
    },
}

/// What an input says about a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum FileRole {
    /// Whether there is one.
    Exists,
    /// How many bytes it has.
    Length,
    /// Its bytes; those behind its length mean nothing.
    Content,
    /// How many bytes the first reads give before one stops short: of standard input.
    Part,
    /// When it was changed last.
    Time,
    /// Whether it is a terminal: of a standard stream.
    Terminal,
    /// Whether it comes later than the program first looks: of a peer and what it sends.
    Late,
}

impl FileRole {
    /// All roles with their names in files.
    pub const ALL: [(FileRole, &'static str); 7] = [
        (FileRole::Exists, "exists"),
        (FileRole::Length, "length"),
        (FileRole::Content, "content"),
        (FileRole::Part, "part"),
        (FileRole::Time, "time"),
        (FileRole::Terminal, "terminal"),
        (FileRole::Late, "late"),
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        FileRole::ALL.iter().find(|(role, _)| *role == self).map_or("", |(_, name)| name)
    }
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
    /// What the input pointer with this number is.
    Decision(u32),
    /// Raw bytes, of this source type if known.
    Bytes(Option<TypeId>),
}

/// One answer that the instruction being executed has already received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// The alternative taken, and its condition.
    Choice(u32, TermId),
    /// The value of a witness for this term.
    Witness(u64, TermId),
}

/// A key of thread-specific values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// It is no more.
    Deleted,
    /// Its values need no care.
    Plain,
    /// This function is called with the value of a thread that ends.
    Destroying(FuncId),
}

/// A symbolic state.
#[derive(Clone, Debug)]
pub struct State {
    /// Threads; `main` is 0. A thread has the same number in every schedule.
    pub threads: Vec<Rc<Thread>>,
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
    /// The variables of the environment that were given, as a list.
    pub(crate) environment: Value,
    /// Places that `setjmp` has marked, by the number it left in the buffer (minus one).
    pub jumps: Rc<Vec<JumpPoint>>,
    /// Choices made on this path (depth in the tree of paths).
    pub depth: u64,
    /// Answers that the current instruction has already used.
    pub(crate) cursor: usize,
    /// Synchronisation objects.
    pub sync: Rc<SyncTable>,
    /// Keys of thread-specific values, by number.
    pub keys: Rc<Vec<Key>>,
    /// Signals, if the program has to do with any.
    pub signals: Option<Rc<Signals>>,
    /// Whether another thread may be running, or has run without having been joined.
    pub is_concurrent: bool,
    /// Whether the search has taken part in this execution: from then on starting a thread is an event.
    pub is_scheduled: bool,
    /// Visible steps that the search has let happen.
    pub n_turns: u32,
    /// Until then threads take turns, because one has waited for long.
    pub fair_until: u32,
    /// Loops that the running thread has gone round since it was let go on, if they are counted.
    pub(crate) rounds: u32,
    /// Whether the running thread may make its next visible step.
    pub granted: bool,
    /// The visible step of the running thread: what it has touched so far.
    pub event: Event,
    /// This state before the visible step under way, if that is an atomic section.
    pub(crate) before_section: Option<Rc<State>>,
    /// Clocks of the property `race`, if it is checked.
    pub races: Option<Rc<Races>>,
    /// `exit` was called, with this code.
    pub exited: Option<i32>,
    /// A thread was stopped in the middle, by anything but the end of the program.
    pub is_cut: bool,
    /// Failures among what has stopped threads that are noted, and need not be found again.
    pub n_noted: u32,
    /// Something else has stopped a thread: a failure, a bound, or something that is not modelled, and not just an
    /// assumption.
    pub has_failed: bool,
    /// Memory that came from outside, if there is any.
    pub outside: Option<Rc<Outside>>,
}

impl State {
    /// Ends the life of the stack objects that `thread` made since `mark`, and of the locks in them.
    pub(crate) fn release_stack(&mut self, thread: u32, mark: usize) {
        let places = self.mem.stack_since(thread, mark);
        self.forget_locks(places);
        self.mem.release_stack(thread, mark);
    }

    /// Synchronisation objects at these addresses are no more: others may come to lie there.
    pub(crate) fn forget_locks(&mut self, places: Range<u64>) {
        if places.is_empty() {
            return;
        }
        let gone: Vec<u64> = self.sync.keys_in(places).collect();
        for key in gone {
            Rc::make_mut(&mut self.sync).forget(key);
        }
    }

    /// Continues with alternative `choice`, under which `cond` holds.
    pub fn take(&mut self, choice: u32, cond: TermId) {
        self.thread_mut().decisions.push(Decision::Choice(choice, cond));
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
        Rc::make_mut(&mut self.threads[self.current])
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
        self.user_frames(program, self.current).next().map_or(Loc::UNKNOWN, |(_, loc)| loc)
    }

    /// Where a thread stands in the user's own code: function and place of each frame, innermost first.
    pub fn user_frames<'a>(
        &'a self,
        program: &'a Program,
        thread: usize,
    ) -> impl Iterator<Item = (FuncId, Loc)> + 'a {
        let frames = self.threads[thread].frames.iter().rev();
        let users = frames.filter(|f| !program.funcs[f.func].is_runtime);
        users.map(|f| (f.func, frame_loc(program, f)))
    }

    /// The innermost frame of the running thread in the user's code.
    pub(crate) fn user_frame(&self, program: &Program) -> Option<&Frame> {
        let mut frames = self.thread().frames.iter().rev();
        frames.find(|f| !program.funcs[f.func].is_runtime).map(|frame| &**frame)
    }
}

/// Where a frame stands.
pub fn frame_loc(program: &Program, frame: &Frame) -> Loc {
    let block = &program.funcs[frame.func].blocks[frame.block];
    block.locs.get(frame.idx).copied().unwrap_or(Loc::UNKNOWN)
}
