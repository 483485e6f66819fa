//! Flags about the program's world. What they mean is in [`world`](crate::world) and [`config`](crate::config).

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Args, Debug)]
#[command(next_help_heading = "Program and its environment")]
pub(crate) struct EnvironmentArgs {
    /// Function to start from
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    pub(crate) entry: String,

    /// One more argument of the program (repeatable)
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) arg: Vec<String>,

    /// Arguments of the program, up to the next flag (give them after the files; for one that begins with `-`, --arg); without any, it
    /// gets none
    #[arg(long, value_name = "TEXT", num_args = 0..)]
    pub(crate) args: Option<Vec<String>>,

    /// Lengths of symbolic arguments that follow: 3,3 gives two of at most 3 bytes
    #[arg(long, value_name = "LENGTHS", value_delimiter = ',')]
    pub(crate) sym_args: Vec<u64>,

    /// A variable of the environment (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) env: Vec<String>,

    /// Bytes that every other variable of the environment can have; 0: there is no other
    #[arg(long, value_name = "N")]
    pub(crate) sym_env: Option<u64>,

    /// What a function without a body does: make the verdict unknown, or return any value and write nothing
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = UndefinedArg::Unknown)]
    pub(crate) undefined: UndefinedArg,

    /// Standard input from a file; without it, any input of up to 16 bytes
    #[arg(long, value_name = "FILE", conflicts_with = "sym_stdin")]
    pub(crate) stdin: Option<PathBuf>,

    /// Symbolic standard input of exactly N bytes, then end of file
    #[arg(long, value_name = "N")]
    pub(crate) sym_stdin: Option<u64>,

    /// A file of the program's world with the content of a file of yours (repeatable)
    #[arg(long, value_name = "NAME[=HOST]")]
    pub(crate) file: Vec<String>,

    /// A file that exists and has any content of at most N bytes (repeatable)
    #[arg(long, value_name = "NAME=N")]
    pub(crate) sym_file: Vec<String>,

    /// No files but those given; without it, any file may exist, with any content of up to 16 bytes
    #[arg(long)]
    pub(crate) no_files: bool,

    /// A peer on the network that sends the content of a file of yours (repeatable); without it, at most one peer sends
    /// any bytes, up to 16
    #[arg(long, value_name = "FILE")]
    pub(crate) peer: Vec<PathBuf>,

    /// Peers that send any bytes, after those of --peer: 4,4 gives two that send at most 4 each
    #[arg(long, value_name = "LENGTHS", value_delimiter = ',')]
    pub(crate) sym_peers: Vec<u64>,

    /// Assume nothing about the program's world: what would be assumed makes the verdict unknown
    #[arg(long)]
    pub(crate) strict: bool,

    /// Calls that may also fail
    #[arg(long, value_name = "CALLS", value_enum, value_delimiter = ',')]
    pub(crate) fail: Vec<FailArg>,

    /// Calls that fail in one execution, at most
    #[arg(long, value_name = "N", requires = "fail")]
    pub(crate) fail_at_most: Option<u32>,

    /// The same as --fail memory
    #[arg(long)]
    pub(crate) malloc_may_fail: bool,

    /// Let clocks go on as they like, or only by sleeping and waiting
    #[arg(long, value_name = "HOW", value_enum, default_value_t = ClockArg::Any)]
    pub(crate) clock: ClockArg,

    /// Let waits on a condition end, and weak compare-exchanges fail, without a reason
    #[arg(long)]
    pub(crate) spurious: bool,

    /// Signals with a handler that may arrive from outside in one execution [default: 1, as an assumption]
    #[arg(long, value_name = "N")]
    pub(crate) signals: Option<u32>,
}

/// What a function without a body does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum UndefinedArg {
    /// The verdict is unknown.
    Unknown,
    /// It returns any value.
    Any,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FailArg {
    // Files and streams
    Io,
    // Allocation
    Memory,
    // Starting threads, making locks and the like
    Threads,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ClockArg {
    // From any time on, by any amount
    Any,
    // From the year 2000 on, by sleeping and waiting only
    Fixed,
}
