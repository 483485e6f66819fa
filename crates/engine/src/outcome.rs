//! What a run found, as plain data. Rendering is `report`'s business.

use selvedge_base::listed_enum;
use selvedge_exec::FileRole;
use selvedge_explore::SummaryStats;
use serde::{Deserialize, Serialize};

use crate::Property;
use crate::outside::OutsideCase;
use crate::reuse::Reuse;

/// The answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Everything was explored (within user-set bounds if [`Outcome::bounded`]).
    Safe,
    /// A bug was found and re-executed.
    Unsafe,
    /// Part of the search was cut; [`Outcome::reasons`] say why.
    Unknown,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// A user-set bound cut at least one path.
    pub bounded: bool,
    /// Why the verdict is unknown, or which bounds were hit; empty for an unbounded `safe`.
    pub reasons: Vec<String>,
    /// Things the user should know that do not change the verdict.
    pub warnings: Vec<String>,
    /// What the verdict takes for granted about the program's world, by id.
    pub assumptions: Vec<Assumption>,
    /// Leaves of the search.
    pub executions: Executions,
    /// States created.
    pub states: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Wall-clock time in seconds, everything included.
    pub time_s: f64,
    /// Peak resident memory of the process.
    pub peak_rss_mib: f64,
    /// Solver use.
    pub solver: SolverUse,
    /// Time by phase.
    pub phases: Phases,
    /// How much of the program matters.
    pub slice: SliceSize,
    /// How much summaries were used.
    pub summaries: SummaryStats,
    /// Found bugs, in the order found.
    pub bugs: Vec<Bug>,
    /// One test for each path, if asked for.
    pub tests: Vec<TestCase>,
    /// Lines and branches reached.
    pub coverage: Coverage,
    /// How large the search for a proof was, if a proof was looked for.
    pub proof: Option<ProofSize>,
    /// The proof object, if a search found one and it was checked.
    pub proof_object: Option<String>,
    /// What came from other versions of the program, if that was asked for.
    pub reuse: Option<Reuse>,
}

/// One of several possible behaviours of the program's world that was taken without being asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// What scripts know it by: `world.stdin-bound`.
    pub id: &'static str,
    /// What is assumed, as the rest of a sentence that begins with "assuming that".
    pub text: String,
    /// How often a path relied on it.
    pub count: u64,
    /// Where, the first places.
    pub locations: Vec<Place>,
    /// Lines that can follow these places and that no path reached.
    pub hidden_lines: u64,
}

/// How large a search for a proof was.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ProofSize {
    /// What found the invariant; empty if there is none.
    pub method: &'static str,
    /// Control states.
    pub states: u64,
    /// Steps between them.
    pub steps: u64,
    /// Levels: executions of so many steps were looked at.
    pub levels: u64,
    /// Different predicates in the invariant.
    pub predicates: u64,
    /// Combinations of predicates that the invariant excludes.
    pub clauses: u64,
}

/// Leaves of the search by how they ended. `total = full + pruned + failed + cut`; blocked ones count apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Executions {
    /// Every leaf: full, pruned, failed or cut.
    pub total: u64,
    /// Ran to the end of the program.
    pub full: u64,
    /// Cut because a summary covers the rest.
    pub pruned: u64,
    /// Sleep-set blocked.
    pub blocked: u64,
    /// Ended in a bug.
    pub failed: u64,
    /// Cut by a bound, an unsupported construct or a limit.
    pub cut: u64,
}

/// How much the solver was used.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SolverUse {
    /// Questions asked by the search.
    pub queries: u64,
    /// Of these, answered without a backend.
    pub cache_hits: u64,
    /// Time in the solver chain, seconds.
    pub time_s: f64,
}

/// Seconds by phase.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Phases {
    /// clang, reading and lowering.
    pub frontend_s: f64,
    /// Static slicing.
    pub slice_s: f64,
    /// The search.
    pub explore_s: f64,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// File name as the compiler recorded it; empty if unknown.
    pub file: String,
    /// Directory that a relative `file` starts from.
    pub dir: String,
    /// 1-based line, 0 if unknown.
    pub line: u32,
    /// 1-based column, 0 if unknown.
    pub column: u32,
    /// Function.
    pub function: String,
}

listed_enum! {
    /// What went wrong. Several kinds violate the same property, whose name is the `kind` in JSON.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum BugKind {
        /// A failed assertion, `abort`, a trap.
        Assert,
        /// A call of `reach_error` or `__VERIFIER_error`.
        Error,
        /// An invalid memory access.
        Memory,
        /// A release of something that is not a live block.
        Free,
        /// A call that breaks the callee's contract.
        Misuse,
        /// A division by zero.
        Div,
        /// `INT_MIN / -1`: a quotient that is not representable.
        DivOverflow,
        /// Signed overflow.
        Overflow,
        /// A bad shift amount, a conversion that does not fit.
        Operand,
        /// Something depends on a value that was never written.
        Uninit,
        /// An index past its array.
        Bounds,
        /// A misaligned access.
        Align,
        /// Unsigned arithmetic that wraps around.
        Unsigned,
        /// Memory that nothing points to.
        Leak,
        /// Memory that is not released at the end.
        Cleanup,
        /// Nothing can move.
        Deadlock,
        /// Threads spin for ever.
        Livelock,
        /// A data race.
        Race,
    }
}

impl BugKind {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            BugKind::Livelock => "livelock",
            other => other.property().name(),
        }
    }

    /// The name of the kind itself, finer than [`name`](Self::name).
    pub fn class(self) -> &'static str {
        match self {
            BugKind::Assert => "assertion",
            BugKind::Error => "reach-error",
            BugKind::Memory => "invalid-access",
            BugKind::Free => "invalid-free",
            BugKind::Misuse => "bad-call",
            BugKind::Div => "division-by-zero",
            BugKind::DivOverflow => "division-overflow",
            BugKind::Overflow => "signed-overflow",
            BugKind::Operand => "bad-operand",
            BugKind::Uninit => "uninitialised-value",
            BugKind::Bounds => "array-index",
            BugKind::Align => "misaligned-access",
            BugKind::Unsigned => "unsigned-wrap",
            BugKind::Leak => "lost-memory",
            BugKind::Cleanup => "unreleased-memory",
            BugKind::Deadlock => "deadlock",
            BugKind::Livelock => "livelock",
            BugKind::Race => "data-race",
        }
    }

    /// The property this violates.
    pub fn property(self) -> Property {
        match self {
            BugKind::Assert | BugKind::Error => Property::Assert,
            BugKind::Memory | BugKind::Free | BugKind::Misuse => Property::Memory,
            BugKind::Div | BugKind::DivOverflow => Property::Div,
            BugKind::Overflow | BugKind::Operand => Property::Overflow,
            BugKind::Uninit => Property::Uninit,
            BugKind::Bounds => Property::Bounds,
            BugKind::Align => Property::Align,
            BugKind::Unsigned => Property::Unsigned,
            BugKind::Leak => Property::Leak,
            BugKind::Cleanup => Property::Cleanup,
            BugKind::Deadlock | BugKind::Livelock => Property::Deadlock,
            BugKind::Race => Property::Race,
        }
    }
}

/// A found, concretely re-executed bug.
#[derive(Clone, PartialEq, Debug)]
pub struct Bug {
    /// What kind.
    pub kind: BugKind,
    /// One sentence for a person: `out-of-bounds write of 4 bytes at offset 40 of "buf" (40 bytes)`.
    pub message: String,
    /// The innermost place in the user's code.
    pub location: Place,
    /// Call stack, innermost first.
    pub stack: Vec<StackFrame>,
    /// Other places that belong to it, in the order in which they are told: where the block was allocated and freed, both
    /// accesses of a race, the locks of a deadlock.
    pub labels: Vec<Label>,
    /// What the failing execution took for granted and might not fail without.
    pub assumptions: Vec<Assumption>,
    /// Failing thread; main is 0.
    pub thread: u32,
    /// Input values, in the order the program consumed them.
    pub inputs: Vec<Input>,
    /// What ran, in order: the steps of the failing execution worth showing.
    pub schedule: Vec<Step>,
    /// Which thread made each visible step; what replay follows.
    pub turns: Turns,
    /// What the program printed until then.
    pub stdout: Vec<u8>,
}

/// A place that belongs to a bug.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// What happened there; of the thread, if there is one.
    pub text: String,
    /// The thread that did it, where it matters which.
    pub thread: Option<u32>,
    /// Where.
    pub place: Place,
    /// Where the function was called, and its caller, innermost first.
    pub callers: Vec<Place>,
}

/// A schedule: threads by number, and which of them made each visible step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Turns {
    /// Thread `i + 1` is the `n`-th child of its parent: `(parent, n)`. Main is 0.
    pub threads: Vec<(u32, u32)>,
    /// The thread of each step. Further steps are made by the thread that ran last, as long as it can.
    pub steps: Vec<u32>,
    /// Every access is a visible step, because addresses reach other threads as numbers.
    pub all_shared: bool,
    /// The execution by the points of a native build; `None` if the program has none.
    pub points: Option<Points>,
}

/// An execution by the points that its threads pass, for a native build with the same points.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Points {
    /// All visible steps, in order.
    pub steps: Vec<PointStep>,
    /// Where each thread stands in the end, by number.
    pub ends: Vec<PointEnd>,
    /// Calls about files and streams that failed although nothing spoke against it, in order.
    pub failures: Vec<PointFailure>,
    /// The execution ends because no thread can move.
    pub is_stuck: bool,
}

/// One visible step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointStep {
    /// The thread that makes it.
    pub thread: u32,
    /// It follows this point that its thread passes, counted from 1.
    pub point: u64,
    /// Which point of the program that is.
    pub site: u32,
    /// The instruction after that point has made a visible step before: a waiting thread goes on, or a copy.
    pub is_midway: bool,
    /// It ends a wait for a semaphore: a program's own, or that of a call which waits for a pipe or a socket.
    pub is_rest: bool,
    /// The part of a copy that it moves, if the copy takes several steps.
    pub copy: Option<PointCopy>,
    /// The signal that comes to the thread there, and is no step of its own.
    pub signal: Option<u32>,
}

/// A part of a copy that other threads can see half done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointCopy {
    /// First byte, from the beginning of the copy.
    pub at: u64,
    /// Bytes, at most a word.
    pub size: u64,
    /// They are read.
    pub reads: bool,
    /// They are written, as they are read now or were by the step before.
    pub writes: bool,
}

/// A call that failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointFailure {
    /// The thread that made it.
    pub thread: u32,
    /// It follows this point that its thread passes, counted from 1.
    pub point: u64,
    /// Which point of the program that is.
    pub site: u32,
    /// How often the same call could have failed before: a stream may do so at each byte that it reads.
    pub after: u32,
    /// The number of the error, or one that is none for output that was cut short.
    pub error: i32,
}

/// Where a thread stands in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointEnd {
    /// Points it has passed.
    pub points: u64,
    /// Which point of the program the last one is.
    pub site: u32,
    /// What follows the last one was a visible step that it did not come to make.
    pub is_waiting: bool,
    /// That step ends a wait for a semaphore.
    pub is_resting: bool,
}

/// One activation on a call stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackFrame {
    /// Where it stands.
    pub place: Place,
    /// Named variables and their values: `i = 5`.
    pub values: Vec<(String, String)>,
}

/// One step of a failing execution.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Step {
    /// Thread; main is 0.
    pub thread: u32,
    /// Where.
    pub place: Place,
    /// What happened apart from the source line: a signal arrives, steps are left out. Mostly empty.
    pub event: String,
    /// Cells read.
    pub reads: Vec<Read>,
    /// Cells written, shown with values.
    pub writes: Vec<String>,
    /// Activations on the thread's call stack, 0 if unknown.
    pub depth: u32,
    /// Threads it started.
    pub creates: Vec<u32>,
    /// Inputs it consumed: index into [`Bug::inputs`], and the function that was called for it, or nothing.
    pub inputs: Vec<(usize, String)>,
}

/// What a step has read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// Name of the cell.
    pub name: String,
    /// Its value, as text for a person.
    pub value: String,
    /// Who wrote it last; `None` if it is as it was in the beginning.
    pub writer: Option<Writer>,
}

/// Who wrote what a step has read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Writer {
    /// Thread; main is 0.
    pub thread: u32,
    /// Its step: an index into [`Bug::schedule`], if that holds it.
    pub step: Option<usize>,
}

/// Where an input comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum InputKind {
    /// `__VERIFIER_nondet_*`, `klee_make_symbolic`, ...
    Program,
    /// Standard input.
    Stdin,
    /// A variable of the environment: see [`Input::variable`].
    Variable,
    /// A program argument.
    Arg,
    /// All program arguments, which nobody named: see [`Input::arguments`].
    Args,
    /// The environment: time, failing allocation, ...
    Environment,
    /// About a file.
    File {
        /// Its path, from where the program starts or from the root; `/dev/stdin` is standard input.
        name: String,
        /// What of it.
        role: FileRole,
    },
    /// Memory read before it was written.
    Uninitialised,
}

/// One input of one execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Input {
    /// Name shown to the user; unique within the execution.
    pub name: String,
    /// C type if known, else `bytes`.
    pub ty: String,
    /// Value as text for a person.
    pub value: String,
    /// Value as bytes in memory order; what replay feeds.
    pub bytes: Vec<u8>,
    /// Where it comes from.
    pub kind: InputKind,
    /// The thread that consumes it.
    pub thread: u32,
}

impl Input {
    /// Whether it has this name, apart from the number that makes names unique.
    pub fn is_named(&self, name: &str) -> bool {
        crate::inputs::base_name(&self.name) == name
    }

    /// The arguments that an input of the kind [`InputKind::Args`] stands for: a byte that says how many there are, then
    /// the place of each, filled up with zeros.
    pub fn arguments(&self) -> Vec<Vec<u8>> {
        let Some((count, places)) = self.bytes.split_first() else { return Vec::new() };
        let text = |place: &[u8]| place.iter().copied().take_while(|byte| *byte != 0).collect();
        places.chunks(selvedge_exec::OPEN_LENGTH as usize).take((*count).into()).map(text).collect()
    }
}

impl Input {
    /// The text of a variable of the environment (kind [`InputKind::Variable`]), `None` if it is not there: a byte that
    /// says so, then the text, filled up with zeros.
    pub fn variable(&self) -> Option<Vec<u8>> {
        let (is_there, text) = self.bytes.split_first()?;
        (*is_there != 0).then(|| text.iter().copied().take_while(|byte| *byte != 0).collect())
    }
}

/// How the path of a test case ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathEndKind {
    /// Normal end with this exit code.
    Exit(i32),
    /// A bug: index into [`Outcome::bugs`].
    Bug(usize),
    /// Cut.
    Cut,
}

/// Inputs that drive the program down one path, and what it then does.
#[derive(Clone, PartialEq, Debug)]
pub struct TestCase {
    /// Input values.
    pub inputs: Vec<Input>,
    /// How the path ends.
    pub end: PathEndKind,
    /// What the program prints.
    pub stdout: Vec<u8>,
    /// What the path says about memory that came from outside, if there is any.
    pub outside: Option<OutsideCase>,
}

/// Reached lines and branches of the user's code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// By file, in name order.
    pub files: Vec<LineCoverage>,
    /// Branch directions taken.
    pub branches_taken: u64,
    /// Branch directions there are.
    pub branches: u64,
    /// The same by function, in the order of the program.
    pub functions: Vec<FunctionCoverage>,
}

/// Branch coverage of one function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FunctionCoverage {
    /// Its name.
    pub name: String,
    /// Branch directions taken.
    pub branches_taken: u64,
    /// Branch directions there are.
    pub branches: u64,
}

/// Line coverage of one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineCoverage {
    /// File name.
    pub file: String,
    /// Lines with code that were reached, ascending.
    pub covered: Vec<u32>,
    /// Lines with code that were not, ascending.
    pub missed: Vec<u32>,
}

/// A snapshot of a running search, for the progress line.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Progress {
    /// Leaves so far.
    pub executions: Executions,
    /// States waiting.
    pub pending: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Depth of the current path in choices.
    pub depth: u64,
    /// Share of the time spent in the solver, 0 to 1.
    pub solver_share: f64,
    /// Seconds since the start.
    pub time_s: f64,
    /// Bugs so far.
    pub bugs: u64,
}

/// How much of a program matters for the checked properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SliceSize {
    /// Instructions that can be reached; 0 if nobody looked.
    pub instructions: u64,
    /// Those that matter.
    pub in_slice: u64,
}
