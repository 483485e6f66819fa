//! How a path stops: a finding about the program, an end, or a question to the search.

use std::rc::Rc;

use selvedge_base::Loc;
use selvedge_program::FuncId;
use selvedge_term::TermId;

/// The class of a finding. A checked property is a set of classes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FindingKind {
    /// A failed assertion, `abort`, a trap.
    Assert,
    /// A call of `reach_error` or `__VERIFIER_error`.
    Error,
    /// An invalid access.
    Memory,
    /// A release of something that is not a live block.
    Free,
    /// A call that breaks the callee's contract: other types, overlapping places.
    Misuse,
    /// A division by zero.
    Div,
    /// A quotient that is not representable.
    DivOverflow,
    /// Signed overflow.
    Overflow,
    /// A bad shift amount, a conversion that does not fit, the leading zeros of 0.
    Operand,
    /// Something that an execution shows depends on a value that was never written.
    Uninit,
    /// An index past an array inside a larger object, a variable-length array of no positive length.
    Bounds,
    /// An address that does not suit the type of the access.
    Align,
    /// Unsigned arithmetic that wraps around.
    Unsigned,
    /// Memory that nothing points to.
    Leak,
    /// Memory that is not released at the end, whether something points to it or not.
    Cleanup,
    /// Threads that wait for each other, or misuse what they wait with.
    Deadlock,
    /// Threads that spin and wait for what nobody will do.
    Livelock,
    /// Conflicting accesses without order.
    Race,
}

impl FindingKind {
    /// Whether it, or what is said of it, depends on the types that variables were declared with.
    pub(crate) fn looks_at_types(self) -> bool {
        match self {
            FindingKind::Bounds | FindingKind::Align | FindingKind::Uninit => true,
            FindingKind::Assert
            | FindingKind::Error
            | FindingKind::Memory
            | FindingKind::Free
            | FindingKind::Misuse
            | FindingKind::Div
            | FindingKind::DivOverflow
            | FindingKind::Overflow
            | FindingKind::Operand
            | FindingKind::Unsigned
            | FindingKind::Leak
            | FindingKind::Cleanup
            | FindingKind::Deadlock
            | FindingKind::Livelock
            | FindingKind::Race => false,
        }
    }
}

/// Something wrong with the analysed program on this path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The class.
    pub kind: FindingKind,
    /// One sentence for a person.
    pub message: String,
    /// Other places that belong to it, in the order in which they are told.
    pub labels: Vec<Label>,
}

/// A place in the program and what happened there: where a block was freed, the other access of a race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// What happened there, as the rest of a sentence whose subject is the thread, if there is one.
    pub text: String,
    /// The thread that did it, where it matters which.
    pub thread: Option<u32>,
    /// The function, if it is known.
    pub func: Option<FuncId>,
    /// Where.
    pub loc: Loc,
    /// Where that function was called, and where its caller was, innermost first.
    pub callers: Vec<(FuncId, Loc)>,
}

impl Label {
    /// What happened at a place, whoever did it.
    pub(crate) fn at(text: &str, loc: Loc) -> Label {
        Label { text: text.to_string(), thread: None, func: None, loc, callers: Vec::new() }
    }

    /// What a thread did that stands in `stack`, innermost first.
    pub fn of_thread(thread: usize, text: String, mut stack: Vec<(FuncId, Loc)>) -> Label {
        let inner = if stack.is_empty() { None } else { Some(stack.remove(0)) };
        let (func, loc) = inner.map_or((None, Loc::UNKNOWN), |(func, loc)| (Some(func), loc));
        Label { text, thread: Some(thread as u32), func, loc, callers: stack }
    }
}

/// A bound that cut a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bound {
    /// `--unwind`.
    Unwind,
    /// `--max-steps`.
    Steps,
    /// `--max-depth`: calls nested too deeply.
    Depth,
    /// `--elements` and `--structs`: more memory behind a pointer from outside than was chosen.
    Outside,
}

/// How a path ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathEnd {
    /// The program ended with this code.
    Exit(i32),
    /// An assumption cannot hold.
    Infeasible,
    /// Something is wrong with the program.
    Finding(Rc<Finding>),
    /// Undefined behaviour that the user chose not to check: nothing can be said about what follows.
    Unchecked(Rc<Finding>),
    /// A bound cut it.
    Bound(Bound),
    /// Something the engine does not model.
    Unsupported(String),
    /// The solver gave up.
    SolverUnknown(String),
}

/// Why [`run`](crate::Machine::run) returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// More than one alternative is feasible. The state stands before the instruction; a successor is
    /// made by [`State::take`](crate::State::take) with one of these.
    Fork(Vec<(u32, TermId)>),
    /// The path is over.
    End(PathEnd),
    /// The instruction budget of this call is used up.
    Budget,
    /// The running thread stands before a visible step, spins, or has ended: its phase says which.
    Pause,
    /// An access by an address that no pointer carried: to another thread's private object, or to what the slice did not
    /// foresee.
    Lost,
}

/// The result of a part of a step.
pub(crate) type Res<T> = Result<T, Box<Stop>>;

/// Ends the path as unsupported.
pub(crate) fn unsupported<T>(what: impl Into<String>) -> Res<T> {
    end(PathEnd::Unsupported(what.into()))
}

/// Ends the path.
pub(crate) fn end<T>(end: PathEnd) -> Res<T> {
    Err(Box::new(Stop::End(end)))
}
