//! Exit codes: the contract that scripts rely on.

use std::process::ExitCode;

use selvedge_engine::Verdict;

/// How the process ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Everything was explored (within bounds that the user set himself); also plain success of other commands.
    Safe,
    /// A bug was found.
    Bug,
    /// The command line or the input is wrong, or an output could not be written.
    Usage,
    /// A limit was hit, something unsupported was reached, or the tool failed.
    Unknown,
    /// The user has pressed Ctrl-C twice: as a shell reports it.
    Interrupted,
}

impl Exit {
    const fn code(self) -> u8 {
        match self {
            Exit::Safe => 0,
            Exit::Bug => 1,
            Exit::Usage => 2,
            Exit::Unknown => 3,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Exit {
        match verdict {
            Verdict::Safe => Exit::Safe,
            Verdict::Unsafe => Exit::Bug,
            Verdict::Unknown => Exit::Unknown,
        }
    }
}

/// Ends the process at once, for the second Ctrl-C and for a search that ignores its time limit.
#[expect(clippy::exit, reason = "the search thread may be stuck in a foreign library and cannot be joined")]
pub(crate) fn now(exit: Exit) -> ! {
    std::process::exit(exit.code().into())
}
