//! The command `selvedge`: flags in, verdict out.
//!
//! Guarantees: the exit code says the verdict (see [`exit`]); a panic anywhere is reported as a bug of the tool and
//! gives `unknown`; a closed standard output ends the program quietly.

mod args;
mod base;
mod bench;
mod check;
mod config;
mod diff;
mod exit;
mod failure;
mod git;
mod graph;
mod incremental;
mod log;
mod manual;
mod native;
mod output;
mod progress;
mod prove;
mod reduction;
mod replay;
mod run;
mod store;
mod svcomp;
mod tool;
mod unit;
mod watch;
mod world;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use exit::Exit;
use output::Console;

/// States are many small pieces that are copied and dropped all the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are also "errors" of clap; printing them fails only if nobody listens.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Safe }.into();
        }
    };
    let console = Console::new(cli.color, cli.quiet, cli.verbose);
    run::install_panic_hook();
    if let Err(failure) = log::start() {
        console.diagnostic(&failure.into_diagnostic());
        return Exit::Usage.into();
    }
    // The analysis has its own catch; this one is for everything around it.
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| dispatch(cli.command, &console)));
    match result {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(failure)) => {
            console.diagnostic(&failure.into_diagnostic());
            Exit::Usage.into()
        }
        Err(_) => {
            console.diagnostic(&run::bug_of_the_tool(&run::last_panic()));
            Exit::Unknown.into()
        }
    }
}

fn dispatch(command: Command, console: &Console) -> Result<Exit, failure::Failure> {
    match command {
        Command::Check(args) => check::run(&args, console),
        Command::Watch(args) => watch::run(*args, console),
        Command::Unit(args) => unit::run(&args, console),
        Command::Replay(args) => replay::run(&args, console),
        Command::Store(args) => store::run(&args),
        Command::Graph(args) => graph::run(&args, console),
        Command::Diff(args) => diff::run(&args, console),
        Command::Prove(args) => prove::run(&args, console),
        Command::CheckProof(args) => prove::check(&args, console),
        Command::RunGcl(args) => prove::gcl::run(&args, console),
        Command::FmtGcl(args) => prove::gcl::format(&args),
        Command::Bench(args) => bench::run(&args, console),
        Command::BenchDiff(args) => bench::diff(&args),
        Command::Completions(args) => manual::completions(&args, console),
        Command::Man(args) => manual::man(&args, console),
    }
}
