//! The command line as types: one file for each command. What the flags mean is in [`config`](crate::config).

mod bench;
mod bench_diff;
mod check;
mod check_proof;
mod completions;
mod diff;
mod environment;
mod fmt_gcl;
mod graph;
mod incremental;
mod man;
mod prove;
mod replay;
mod run_gcl;
mod store;
mod unit;
mod values;
mod watch;

use clap::{Parser, Subcommand};

pub(crate) use bench::BenchArgs;
pub(crate) use bench_diff::BenchDiffArgs;
pub(crate) use check::{CheckArgs, SearchArg, SearchArgs, SolverArgs};
pub(crate) use check_proof::CheckProofArgs;
pub(crate) use completions::CompletionsArgs;
pub(crate) use diff::DiffArgs;
pub(crate) use environment::{ClockArg, EnvironmentArgs, FailArg, UndefinedArg};
pub(crate) use fmt_gcl::FmtGclArgs;
pub(crate) use graph::{GraphArgs, GraphFormat, GraphKind};
pub(crate) use incremental::{IncrementalArgs, KnownArg};
pub(crate) use man::ManArgs;
pub(crate) use prove::{MethodArg, ProveArgs};
pub(crate) use replay::ReplayArgs;
pub(crate) use run_gcl::RunGclArgs;
pub(crate) use store::{StoreArgs, StoreCommand};
pub(crate) use unit::{GlobalsArg, UnitArgs};
pub(crate) use values::PropertyArg;
pub(crate) use watch::WatchArgs;

use crate::output::ColorChoice;

const EXAMPLES: &str = "\
Examples:
  selvedge check queue.c                        all inputs of one program
  selvedge check a.c b.c -- -Iinclude -DN=4     several files, arguments for clang
  selvedge check --check default,overflow x.c   also signed overflow
  selvedge check --out result x.c               keep test cases and replay files
  selvedge unit list.c --function list_remove   one function of a larger program
  selvedge replay result/bug-1.json             run one counterexample again

Exit codes: 0 safe, 1 bug found, 2 usage or input error, 3 unknown.";

/// Finds the input that breaks a C program, or shows that there is none.
#[derive(Parser, Debug)]
#[command(name = "selvedge", version, about, after_help = EXAMPLES, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours; NO_COLOR is obeyed
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto, help_heading = "Output")]
    pub(crate) color: ColorChoice,

    /// Only headlines and the verdict, besides what other flags ask for
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Everything, unabridged
    #[arg(short, long, global = true, help_heading = "Output")]
    pub(crate) verbose: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Check a program for all inputs
    Check(Box<CheckArgs>),
    /// Check programs again whenever a file of theirs is saved
    Watch(Box<WatchArgs>),
    /// Call one function of a larger program, or each of a file, with all arguments
    Unit(UnitArgs),
    /// Run one counterexample again
    Replay(ReplayArgs),
    /// Look after what earlier runs have found out
    Store(StoreArgs),
    /// Draw control flow or calls as DOT or SVG
    Graph(GraphArgs),
    /// Show what differs between two versions, and what that can influence
    Diff(DiffArgs),
    /// Prove a C or guarded-command program without bounds, or refute it
    Prove(ProveArgs),
    /// Verify a proof object
    CheckProof(CheckProofArgs),
    /// Run a guarded-command program at random
    RunGcl(RunGclArgs),
    /// Print a guarded-command program in the standard layout
    FmtGcl(FmtGclArgs),
    /// Run a table of measurements
    Bench(BenchArgs),
    /// Compare two results of one table
    BenchDiff(BenchDiffArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_flag_has_a_help_text() {
        for command in Cli::command().get_subcommands() {
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{} {} has no help", command.get_name(), arg.get_id());
            }
        }
    }

    #[test]
    fn every_command_has_examples() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let example = format!("  selvedge {} ", command.get_name());
            let is_shown = help.lines().any(|line| format!("{line} ").starts_with(&example));
            assert!(is_shown, "{} has no example: {help}", command.get_name());
        }
    }

    #[test]
    fn the_examples_are_valid() {
        let commands = Cli::command();
        let all = commands.get_subcommands().chain([&commands]);
        for help in all.filter_map(|command| command.get_after_help()).map(ToString::to_string) {
            for line in help.lines().filter_map(|line| line.strip_prefix("  selvedge ")) {
                // A column of explanations, redirections and pipes are for people and the shell.
                let words =
                    line.split("   ").next().unwrap_or_default().split(" | ").next().unwrap_or_default();
                let words = words.split(" > ").next().unwrap_or_default();
                // What stands in quotes is one word.
                let words = words.split('\'').enumerate().flat_map(|(i, part)| match i % 2 {
                    0 => part.split_whitespace().collect(),
                    _ => vec![part],
                });
                if let Err(error) = Cli::try_parse_from(["selvedge"].into_iter().chain(words)) {
                    panic!("{line}: {error}");
                }
            }
        }
    }

    #[test]
    fn the_help_names_every_property() {
        let command = Cli::command();
        let check = command.find_subcommand("check").expect("a command");
        let flag = check.get_arguments().find(|arg| arg.get_id() == "check").expect("a flag");
        let help = flag.get_help().expect("it has a help").to_string();
        for name in selvedge_engine::Property::ALL.iter().map(|property| property.name()) {
            let is_named = help.split(|c: char| !c.is_alphabetic()).any(|word| word == name);
            assert!(is_named, "--check has no word about `{name}`: {help}");
        }
    }

    #[test]
    fn bad_values_are_refused_with_the_reason() {
        let message = |args: &[&str]| Cli::try_parse_from(args).expect_err("must be refused").to_string();
        assert!(
            message(&["selvedge", "check", "--check", "asert", "a.c"]).contains("unknown property `asert`")
        );
        assert!(message(&["selvedge", "check", "--timeout", "0", "a.c"]).contains("more than 0 seconds"));
        assert!(
            message(&["selvedge", "check", "--timeout", "soon", "a.c"]).contains("not a number of seconds")
        );
        assert!(message(&["selvedge", "check", "--timeout", "1e300", "a.c"]).contains("too many seconds"));
        assert!(message(&["selvedge", "check", "--max-runs", "0", "a.c"]).contains("0 is not in 1.."));
        assert!(message(&["selvedge", "check", "-q", "-v", "a.c"]).contains("cannot be used with"));
        assert!(message(&["selvedge", "check"]).contains("<FILE>"));
    }
}
