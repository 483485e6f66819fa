//! Flags of `unit`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use super::environment::UndefinedArg;
use super::values::{PropertyArg, property, seconds};

const EXAMPLES: &str = "\
Examples:
  selvedge unit list.c --function list_remove
  selvedge unit list.c --function list_insert --assume 'list != NULL && n >= 1'
  selvedge unit list.c --function list_remove --out tests   a C program and a KTest file for each path
  selvedge unit parser.c --all -- -Iinclude                 a table of all functions of the file
  selvedge unit parser.c --function parse --elements 8 --unwind 10

Exit codes: 0 no error within the bounds given here, 1 error found, 2 usage or input error, 3 unknown.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("which").required(true).args(["function", "all"]))]
pub(crate) struct UnitArgs {
    /// The C file that defines the function
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Arguments for clang
    #[arg(last = true, value_name = "CLANG-ARGS", allow_hyphen_values = true)]
    pub(crate) clang_args: Vec<String>,

    /// The function to call with all arguments
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Option<String>,

    /// All functions that the file defines, as a table
    #[arg(long, conflicts_with = "assume")]
    pub(crate) all: bool,

    /// What callers see to, as a C expression over the parameters; may be given several times
    #[arg(long, value_name = "CONDITION")]
    pub(crate) assume: Vec<String>,

    /// Properties to check, as for `check`
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = property)]
    pub(crate) check: Vec<PropertyArg>,

    /// Elements behind a pointer to a number, a character or a pointer [default: 4, and what needs more is unknown]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=65536), help_heading = "Memory from outside")]
    pub(crate) elements: Option<u64>,

    /// Structures behind a pointer to one [default: 1, and what needs more is unknown]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=65536), help_heading = "Memory from outside")]
    pub(crate) structs: Option<u64>,

    /// New objects on the way from a parameter along pointers [default: 3]
    #[arg(long, value_name = "N", help_heading = "Memory from outside")]
    pub(crate) depth: Option<u32>,

    /// Do not assume that texts end: the last character behind a pointer to `char` is any
    #[arg(long, help_heading = "Memory from outside")]
    pub(crate) open_texts: bool,

    /// Global variables of the file when the function is called: as the program starts, or any
    #[arg(long, value_name = "HOW", value_enum, default_value_t = GlobalsArg::Initial, help_heading = "Memory from outside")]
    pub(crate) globals: GlobalsArg,

    /// What functions do that have no body or come from outside: the verdict is unknown, or they return any value
    #[arg(long, value_name = "HOW", value_enum, default_value_t = UndefinedArg::Unknown, help_heading = "Memory from outside")]
    pub(crate) undefined: UndefinedArg,

    /// Iterations of a loop before a path is cut [default: 8, and what needs more is unknown]
    #[arg(long, value_name = "N", help_heading = "Bounds")]
    pub(crate) unwind: Option<u64>,

    /// Nested calls before a path is cut [default: 16, and what needs more is unknown]
    #[arg(long, value_name = "N", help_heading = "Bounds")]
    pub(crate) max_depth: Option<u32>,

    /// Paths of one function before the search stops
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), default_value_t = 1000, help_heading = "Bounds")]
    pub(crate) max_runs: u64,

    /// Seconds for one function before the search stops
    #[arg(long, value_name = "SECS", value_parser = seconds, default_value = "30", help_heading = "Bounds")]
    pub(crate) timeout: std::time::Duration,

    /// Directory for a test of each path, as a C program and as a KTest file
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,

    /// JSON report; `-` is standard output (the text then goes to standard error)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) json: Option<PathBuf>,
}

/// What global variables hold.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GlobalsArg {
    // As the program starts
    Initial,
    // Anything
    Any,
}
