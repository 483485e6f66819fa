//! Flags of `watch`.

use std::path::PathBuf;

use clap::Args;

use super::check::{BoundArgs, CheckArgs, OutputArgs, SearchArgs, SolverArgs, SvCompArgs};
use super::environment::EnvironmentArgs;
use super::incremental::{IncrementalArgs, KnownArg};

const EXAMPLES: &str = "\
Examples:
  selvedge watch queue.c
  selvedge watch tests/push.c tests/pop.c --with queue.c -- -Iinclude      two programs
  selvedge watch --check default,overflow --unwind 4 parser.c

Each FILE is a program of its own, and has a line of its own. Ctrl-C ends it, with exit code 0.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WatchArgs {
    /// Programs (.c .i .cc .cpp .cxx .bc .ll), each in one file
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// A file that each program is linked with (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,

    /// Arguments for clang
    #[arg(last = true, value_name = "CLANG-ARGS", allow_hyphen_values = true)]
    pub(crate) clang_args: Vec<String>,

    /// Check the program of this number, once: what `watch` starts for each check
    #[arg(long, value_name = "N", hide = true)]
    pub(crate) only: Option<usize>,

    /// The folder for what runs find out [default: .selvedge]
    #[arg(long, value_name = "DIR", help_heading = "Earlier runs")]
    pub(crate) store: Option<PathBuf>,

    /// MiB that the store may take [default: 1024]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20), help_heading = "Earlier runs")]
    pub(crate) store_limit: Option<u64>,

    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) bounds: BoundArgs,
    #[command(flatten)]
    pub(crate) environment: EnvironmentArgs,
    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

impl WatchArgs {
    /// The check of the program in `file`.
    pub(crate) fn check_of(self, file: PathBuf) -> CheckArgs {
        let WatchArgs { with, clang_args, store, store_limit, search, bounds, environment, solver, .. } =
            self;
        CheckArgs {
            files: [file].into_iter().chain(with).collect(),
            clang_args,
            search,
            bounds,
            environment,
            incremental: IncrementalArgs {
                incremental: Some(KnownArg::All),
                check_incremental: false,
                git: None,
                store,
                store_limit,
            },
            output: OutputArgs::default(),
            svcomp: SvCompArgs::default(),
            solver,
        }
    }
}
