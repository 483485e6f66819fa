//! From flags to the engine's configuration and the front end's options.

use std::collections::BTreeSet;

use selvedge_engine::{
    Arguments, Backend, Bounds, Chosen, Config, Failing, Limits, Order, Presumed, Property, Search,
    SolverConfig, SourceMark, Surroundings, TestSwitches,
};
use selvedge_frontend::{Marks, Options};
use selvedge_trace::ProgramRecord;

use crate::args::{
    CheckArgs, ClockArg, EnvironmentArgs, FailArg, PropertyArg, SearchArg, SolverArgs, UndefinedArg,
};
use crate::failure::Failure;
use crate::reduction::reduction;
use crate::svcomp::Job;

/// More workers than any machine has processors would only get in each other's way.
const MAX_JOBS: u64 = 256;
/// Longest argument that Linux passes to a program.
const MAX_ARGUMENT: u64 = 131_071;
/// Bytes of all arguments that Linux passes with the usual limit of the stack.
const MAX_ARGUMENTS: u64 = 2 << 20;

/// The engine's configuration for these flags.
pub(crate) fn engine(args: &CheckArgs) -> Result<Config, Failure> {
    let (flags, bounds, environment) = (&args.search, &args.bounds, &args.environment);
    Ok(Config {
        properties: properties(&flags.check),
        reduction: reduction(flags)?,
        search: search(args)?,
        bounds: Bounds { unwind: bounds.unwind, max_steps: bounds.max_steps, max_depth: bounds.max_depth },
        presumed: Presumed::default(),
        limits: Limits { max_runs: bounds.max_runs, timeout: bounds.timeout, memory_mib: bounds.memory },
        arguments: arguments(environment)?,
        surroundings: surroundings(environment)?,
        strict: environment.strict,
        solver: solver(&args.solver),
        switches: TestSwitches::default(),
    })
}

fn search(args: &CheckArgs) -> Result<Search, Failure> {
    let flags = &args.search;
    if !(1..=MAX_JOBS).contains(&flags.jobs) {
        return Err(Failure::new(format!("--jobs {} is not possible", flags.jobs))
            .help(format!("give a number of workers from 1 to {MAX_JOBS}, best that of the processors")));
    }
    Ok(Search {
        order: match flags.search {
            SearchArg::Dfs => Order::Dfs,
            SearchArg::Bfs => Order::Bfs,
            SearchArg::RandomPath => Order::RandomPath,
            SearchArg::Coverage => Order::Coverage,
        },
        seed: flags.seed,
        jobs: usize::try_from(flags.jobs).unwrap_or(1),
        share_everything: flags.share_everything,
        all_bugs: flags.all_bugs,
        tests: args.output.out.is_some() || args.output.ktest.is_some(),
    })
}

fn arguments(args: &EnvironmentArgs) -> Result<Arguments, Failure> {
    if let Some(length) = args.sym_args.iter().find(|length| **length > MAX_ARGUMENT) {
        return Err(Failure::new(format!("--sym-args {length} is too long"))
            .help(format!("an argument has at most {MAX_ARGUMENT} bytes, as on Linux")));
    }
    if args.sym_args.iter().sum::<u64>() > MAX_ARGUMENTS {
        return Err(Failure::new("--sym-args gives too many bytes")
            .help(format!("all arguments together have at most {MAX_ARGUMENTS} bytes")));
    }
    let mut names = BTreeSet::new();
    for given in &args.env {
        let Some((name, _)) = given.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            return Err(Failure::new(format!("--env {given} names no variable"))
                .help("give a name and a value: --env NAME=VALUE"));
        };
        if !names.insert(name) {
            return Err(Failure::new(format!("--env gives {name} twice"))
                .help("a variable has one value; leave the others out"));
        }
    }
    Ok(Arguments {
        concrete: args.args.iter().flatten().chain(&args.arg).cloned().collect(),
        symbolic: args.sym_args.clone(),
        open: args.args.is_none() && args.arg.is_empty() && args.sym_args.is_empty(),
        environment: args.env.clone(),
    })
}

fn surroundings(args: &EnvironmentArgs) -> Result<Surroundings, Failure> {
    if let Some(length) = args.sym_env.filter(|length| *length > MAX_ARGUMENT) {
        return Err(Failure::new(format!("--sym-env {length} is too long"))
            .help(format!("a variable has at most {MAX_ARGUMENT} bytes, as on Linux")));
    }
    let fails = |calls| args.fail.contains(&calls);
    Ok(Surroundings {
        world: crate::world::world(args)?,
        failing: Failing {
            memory: args.malloc_may_fail || fails(FailArg::Memory),
            threads: fails(FailArg::Threads),
            io: fails(FailArg::Io),
            at_most: args.fail_at_most,
        },
        clock_is_fixed: args.clock == ClockArg::Fixed,
        signals: args.signals,
        spurious_wakeups: args.spurious,
        sym_env: args.sym_env,
        undefined_any: args.undefined == UndefinedArg::Any,
        outside: selvedge_engine::OutsideBounds::default(),
    })
}

fn solver(args: &SolverArgs) -> SolverConfig {
    SolverConfig {
        backend: if args.no_bit_blaster { Backend::Z3 } else { Backend::Auto },
        simplify: !args.no_simplify,
        independence: !args.no_independence,
        cache: !args.no_solver_cache,
        incremental: !args.no_incremental_solver,
        validate: args.validate_solver,
        log_queries: args.log_queries.clone(),
        timeout: args.solver_timeout,
        ..SolverConfig::default()
    }
}

/// The properties that a list of names selects, in the order of [`Property::ALL`].
pub(crate) fn properties(names: &[PropertyArg]) -> Vec<Property> {
    let selected = |property: Property| {
        let default = [PropertyArg::Default];
        let names = if names.is_empty() { &default } else { names };
        names.iter().any(|name| match name {
            PropertyArg::Default => property.facts().chosen == Chosen::ByDefault,
            PropertyArg::All => property.facts().chosen != Chosen::ByName,
            PropertyArg::One(one) => *one == property,
        })
    };
    Property::ALL.iter().copied().filter(|p| selected(*p)).collect()
}

/// The bounds that the user set, as flags.
pub(crate) fn bounds(config: &Config) -> Vec<String> {
    let bounds = [
        ("--unwind", config.bounds.unwind),
        ("--max-steps", config.bounds.max_steps),
        ("--max-runs", config.limits.max_runs),
        ("--max-depth", config.bounds.max_depth.map(u64::from)),
    ];
    bounds.iter().filter_map(|(flag, value)| Some(format!("{flag} {}", (*value)?))).collect()
}

/// The front end's options for a job under a configuration.
pub(crate) fn frontend(args: &CheckArgs, job: &Job, config: &Config) -> Options {
    let entry = match &job.specification {
        Some(specification) => &specification.entry,
        None => &args.environment.entry,
    };
    Options {
        files: job.files.clone(),
        clang_args: job.clang_args.clone(),
        entry: entry.clone(),
        marks: marks(&config.properties),
        ..Options::default()
    }
}

/// What clang has to mark for the checked properties.
pub(crate) fn marks(properties: &[Property]) -> Marks {
    let mut marks = Marks::default();
    for mark in properties.iter().filter_map(|property| property.facts().mark) {
        match mark {
            SourceMark::Overflow => marks.overflow = true,
            SourceMark::Bounds => marks.bounds = true,
            SourceMark::Align => marks.align = true,
            SourceMark::Unsigned => marks.unsigned = true,
        }
    }
    marks
}

/// What a replay file has to know about the program.
pub(crate) fn program_record(options: &Options) -> ProgramRecord {
    let dir = std::env::current_dir().map(|d| d.display().to_string()).unwrap_or_default();
    ProgramRecord {
        dir,
        files: options.files.iter().map(|f| f.display().to_string()).collect(),
        clang_args: options.clang_args.clone(),
        entry: options.entry.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;
    use selvedge_engine::{Backtrack, Dpor, OtherFiles, OutsideBounds, Reduction, Stdin, World};
    use std::time::Duration;

    fn lowered(flags: &[&str]) -> Result<Config, Failure> {
        let args = ["selvedge", "check"].iter().chain(flags).chain(&["a.c"]);
        match Cli::try_parse_from(args).expect("valid flags").command {
            Command::Check(args) => engine(&args),
            other => panic!("not a check: {other:?}"),
        }
    }

    #[test]
    fn without_flags_the_configuration_is_the_default() {
        let config = lowered(&[]).expect("valid");
        let mut default = Config::default();
        default.properties.sort();
        let mut properties = config.properties.clone();
        properties.sort();
        assert_eq!(properties, default.properties);
        let rest = |c: &Config| format!("{:?}", Config { properties: vec![], ..c.clone() });
        assert_eq!(rest(&config), rest(&default));
    }

    #[test]
    fn lists_of_properties_add_up() {
        let names = |list: &str| -> Vec<&str> {
            lowered(&["--check", list]).expect("valid").properties.iter().map(|p| p.name()).collect()
        };
        assert_eq!(names("overflow,assert"), ["assert", "overflow"]);
        assert_eq!(names("default,leak"), ["assert", "memory", "div", "leak", "deadlock"]);
        // Without `cleanup`, which contains `leak`, and `unsigned`, which is no error.
        assert_eq!(names("all").len(), Property::ALL.len() - 2);
    }

    #[test]
    fn every_switch_reaches_the_engine() {
        let flags = "--reduce dpor --source-sets --share-everything --search random-path --all-bugs --unwind 3 --max-steps 4 --max-runs 5 --max-depth 6 \
                     --timeout 1.5 --memory 7 --solver-timeout 2 --seed 8 --jobs 2 --ktest d --malloc-may-fail --fail threads,io \
                     --fail-at-most 2 --clock fixed --signals 3 --spurious --sym-stdin 9 --no-files --strict --undefined any \
                     --arg -x --arg y --sym-args 1,2 --env A=b --sym-env 4 --no-simplify --no-independence --no-solver-cache \
                     --no-incremental-solver --no-bit-blaster --validate-solver --log-queries q";
        let c = lowered(&flags.split_whitespace().collect::<Vec<_>>()).expect("valid");
        let sets = Dpor { backtrack: Backtrack::SourceSets, ..Dpor::default() };
        assert_eq!(c.reduction, Reduction::Dpor(sets));
        let search = Search {
            order: Order::RandomPath,
            seed: 8,
            jobs: 2,
            share_everything: true,
            all_bugs: true,
            tests: true,
        };
        assert_eq!(c.search, search);
        let bounds = Bounds { unwind: Some(3), max_steps: Some(4), max_depth: Some(6) };
        let timeout = Some(Duration::from_millis(1500));
        let limits = Limits { max_runs: Some(5), timeout, memory_mib: Some(7) };
        assert_eq!((c.bounds, c.limits), (bounds, limits));
        assert_eq!(
            c.arguments,
            Arguments {
                concrete: vec!["-x".into(), "y".into()],
                symbolic: vec![1, 2],
                open: false,
                environment: vec!["A=b".into()],
            }
        );
        assert_eq!(
            c.surroundings,
            Surroundings {
                world: World { stdin: Stdin::Exactly(9), others: OtherFiles::None, ..World::default() },
                failing: Failing { memory: true, threads: true, io: true, at_most: Some(2) },
                clock_is_fixed: true,
                signals: Some(3),
                spurious_wakeups: true,
                sym_env: Some(4),
                undefined_any: true,
                outside: OutsideBounds::default(),
            }
        );
        assert!(c.strict);
        let off = [c.solver.simplify, c.solver.independence, c.solver.cache, c.solver.incremental];
        assert_eq!((off, c.solver.backend, c.solver.validate), ([false; 4], Backend::Z3, true));
        assert_eq!(c.solver.timeout, Some(Duration::from_secs(2)));
        assert_eq!(c.solver.log_queries, Some("q".into()));
    }

    #[test]
    fn absurd_numbers_of_workers_are_refused() {
        for jobs in ["0", "100000"] {
            let failure = lowered(&["--jobs", jobs]).expect_err("must be refused");
            assert!(failure.into_diagnostic().message.contains("not possible"));
        }
        assert_eq!(lowered(&["--jobs", "2"]).expect("possible").search.jobs, 2);
    }
}
