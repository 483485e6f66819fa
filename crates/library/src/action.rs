//! What a function reads, writes, calls and ends, as far as an analysis of the program must know.
//!
//! Numbers are positions of arguments; `*0` is what argument 0 points to.
//! Guarantee: an action names everything that the function does to memory and to control.

/// What a function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// What its body does; without one it is `Opaque`.
    Body,
    /// No effect, and the result is a number that depends on the arguments only.
    Pure,
    /// As `Pure`, but it may fail.
    PureFallible,
    /// As `PureFallible`, and it depends on what the arguments point to as well, directly or not.
    LookUp,
    /// As `PureFallible`, and another number is written to `*1`.
    PureTo,
    /// A new input; the arguments, if any, name it or bound it.
    Input,
    /// Fills `*0` with inputs, `1` bytes.
    MakeSymbolic,
    /// The path goes on only if `0` holds.
    Assume,
    /// Fails unless `0` holds.
    Assert,
    /// The call is the failure of an assertion.
    Fail,
    /// The call is the error, even if the program has a body for the function.
    Error,
    /// The call is a finding that no switch turns into a normal end.
    Finding,
    /// The process ends.
    Exit,
    /// `malloc` and relatives: a new object of so many bytes (the product of these arguments).
    Alloc {
        /// Which arguments.
        size: [Option<u8>; 2],
    },
    /// `realloc` of `0`.
    Realloc,
    /// `posix_memalign`: a new object is written to `*0`.
    AllocTo,
    /// Releases `0`.
    Free,
    /// Copies bytes; the result is the target, or its end.
    Copy {
        /// The target.
        to: u8,
        /// The source.
        from: u8,
        /// How many.
        len: u8,
        /// Whether the result is the end of the target.
        is_end: bool,
        /// Whether source and target may overlap.
        overlap: bool,
    },
    /// Fills so many bytes at `0`.
    Set {
        /// Which argument says how many.
        len: u8,
    },
    /// Formatted output; the arguments that are printed follow the format.
    Print {
        /// The format.
        format: u8,
        /// Whether it goes to the console, whatever the arguments are.
        to_console: bool,
    },
    /// As `Print`, with a list of arguments.
    PrintList,
    /// Output of a number.
    PutNumber {
        /// Whether it goes to the console, whatever the arguments are.
        to_console: bool,
    },
    /// Output of a string.
    PutString {
        /// The string.
        text: u8,
        /// Whether it goes to the console, whatever the arguments are.
        to_console: bool,
    },
    /// Output of bytes.
    PutBytes {
        /// Where they are.
        from: u8,
    },
    /// Writes text to `*0`, reads the text at `2`.
    FormatNumber,
    /// Reads text at `0`; writes a pointer into it to `*1` and a number to `*2`.
    ParseNumber,
    /// `setjmp`: a number is written to `*0`.
    SetJump,
    /// Control goes to where no edge leads: `longjmp`, cancellation, cleanup handlers.
    Jump,
    /// Starts `2` with `3` in a thread; its number is written to `*0`.
    Create,
    /// Waits for a thread; its result is written to `*1`.
    Join,
    /// The thread ends with result `0`.
    ThreadExit,
    /// The thread will end with result `0` once it has left its functions.
    ThreadLeaves,
    /// A step that other threads can notice or wait for, on the object at `0` (and more).
    Sync,
    /// As `Sync`, and a number is written to `*1`.
    SyncRead,
    /// Writes a key to `*0`; threads call `1` when they end.
    KeyCreate,
    /// Sets the thread's value of key `0` to `1`.
    SetSpecific,
    /// The thread's value of key `0`.
    GetSpecific,
    /// Calls `1` if nobody has.
    Once,
    /// An atomic section begins.
    SectionBegins,
    /// An atomic section ends.
    SectionEnds,
    /// The list of the environment, which lies with the arguments of the program.
    Environment,
    /// Not described, or not known at all: it may do anything, and matters wherever it is called.
    Opaque,
}

impl Action {
    /// Whether the call itself, not what it calls, can be a failed assertion.
    pub fn can_abort(self) -> bool {
        matches!(self, Action::Assert | Action::Fail | Action::Error)
    }

    /// Whether nothing after the call is executed, whatever its arguments are.
    pub fn never_returns(self) -> bool {
        matches!(self, Action::Fail | Action::Exit | Action::ThreadExit)
    }
}
