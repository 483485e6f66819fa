//! From flags to the engine's configuration and the front end's options.

use selvedge_engine::{Config, Property, Reduce, Search, SummaryLimits};
use selvedge_frontend::{Marks, Options};
use selvedge_trace::ProgramRecord;

use crate::args::{CheckArgs, ClockArg, FailArg, PropertyArg, ReduceArg, SearchArg, UndefinedArg};
use crate::failure::Failure;
use crate::svcomp::Job;

/// More workers than any machine has processors would only get in each other's way.
const MAX_JOBS: u64 = 256;
/// Longest argument that Linux passes to a program.
const MAX_ARGUMENT: u64 = 131_071;
/// Bytes of all arguments that Linux passes with the usual limit of the stack.
const MAX_ARGUMENTS: u64 = 2 << 20;

/// The engine's configuration for these flags.
pub(crate) fn engine(args: &CheckArgs) -> Result<Config, Failure> {
    if !(1..=MAX_JOBS).contains(&args.search.jobs) {
        return Err(Failure::new(format!("--jobs {} is not possible", args.search.jobs))
            .help(format!("give a number of workers from 1 to {MAX_JOBS}, best that of the processors")));
    }
    if let Some(length) = args.environment.sym_args.iter().find(|length| **length > MAX_ARGUMENT) {
        return Err(Failure::new(format!("--sym-args {length} is too long"))
            .help(format!("an argument has at most {MAX_ARGUMENT} bytes, as on Linux")));
    }
    if let Some(given) = args.environment.env.iter().find(|given| given.find('=').is_none_or(|at| at == 0)) {
        return Err(Failure::new(format!("--env {given} names no variable"))
            .help("give a name and a value: --env NAME=VALUE"));
    }
    let name = |given: &str| given.split('=').next().unwrap_or_default().to_owned();
    let given = &args.environment.env;
    let mut later = given.iter().enumerate();
    if let Some((_, again)) = later.find(|(i, one)| given[..*i].iter().any(|other| name(other) == name(one)))
    {
        return Err(Failure::new(format!("--env gives {} twice", name(again)))
            .help("a variable has one value; leave the others out"));
    }
    if let Some(length) = args.environment.sym_env.filter(|length| *length > MAX_ARGUMENT) {
        return Err(Failure::new(format!("--sym-env {length} is too long"))
            .help(format!("a variable has at most {MAX_ARGUMENT} bytes, as on Linux")));
    }
    if args.environment.sym_args.iter().sum::<u64>() > MAX_ARGUMENTS {
        return Err(Failure::new("--sym-args gives too many bytes")
            .help(format!("all arguments together have at most {MAX_ARGUMENTS} bytes")));
    }
    let (search, bounds, environment, solver) = (&args.search, &args.bounds, &args.environment, &args.solver);
    Ok(Config {
        reduce: reduce(search.reduce),
        jobs: usize::try_from(search.jobs).unwrap_or(1),
        source_sets: search.source_sets,
        dpor: !search.no_dpor,
        sleep: !search.no_sleep,
        summaries: !search.no_summaries,
        slice: !search.no_slice,
        summary_limits: SummaryLimits { entries: search.summary_entries, size: search.summary_size },
        rules: selvedge_engine::Rules::default(),
        thread_order: selvedge_engine::ThreadOrder::default(),
        share_everything: search.share_everything,
        ignore_waits: false,
        properties: properties(&search.check),
        search: match search.search {
            SearchArg::Dfs => Search::Dfs,
            SearchArg::Bfs => Search::Bfs,
            SearchArg::RandomPath => Search::RandomPath,
            SearchArg::Coverage => Search::Coverage,
        },
        all_bugs: search.all_bugs,
        unwind: bounds.unwind,
        max_steps: bounds.max_steps,
        max_runs: bounds.max_runs,
        max_depth: bounds.max_depth,
        timeout: bounds.timeout,
        memory_mib: bounds.memory,
        solver_timeout: solver.solver_timeout,
        seed: search.seed,
        tests: args.output.out.is_some() || args.output.ktest.is_some(),
        malloc_may_fail: environment.malloc_may_fail || environment.fail.contains(&FailArg::Memory),
        threads_may_fail: environment.fail.contains(&FailArg::Threads),
        io_may_fail: environment.fail.contains(&FailArg::Io),
        fail_at_most: environment.fail_at_most,
        clock_is_fixed: environment.clock == ClockArg::Fixed,
        strict: environment.strict,
        spurious_wakeups: environment.spurious,
        world: crate::world::world(environment)?,
        signals: environment.signals,
        args: environment.args.iter().flatten().chain(&environment.arg).cloned().collect(),
        sym_args: environment.sym_args.clone(),
        env: environment.env.clone(),
        sym_env: environment.sym_env,
        undefined_any: environment.undefined == UndefinedArg::Any,
        open_args: environment.args.is_none()
            && environment.arg.is_empty()
            && environment.sym_args.is_empty(),
        simplify: !solver.no_simplify,
        independence: !solver.no_independence,
        solver_cache: !solver.no_solver_cache,
        incremental_solver: !solver.no_incremental_solver,
        bit_blaster: !solver.no_bit_blaster,
        validate_solver: solver.validate_solver,
        log_queries: solver.log_queries.clone(),
    })
}

/// The properties that a list of names selects, in the order of [`Property::ALL`].
pub(crate) fn properties(names: &[PropertyArg]) -> Vec<Property> {
    let selected = |property: Property| {
        let default = [PropertyArg::Default];
        let names = if names.is_empty() { &default } else { names };
        names.iter().any(|name| match name {
            PropertyArg::Default => Property::DEFAULT.contains(&property),
            // Most programs leave it to the system to take back what they still use, and unsigned numbers are meant to
            // wrap around.
            PropertyArg::All => !matches!(property, Property::Cleanup | Property::Unsigned),
            PropertyArg::One(one) => *one == property,
        })
    };
    Property::ALL.iter().map(|(p, _)| *p).filter(|p| selected(*p)).collect()
}

/// The bounds that the user set, as flags.
pub(crate) fn bounds(config: &Config) -> Vec<String> {
    let bounds = [
        ("--unwind", config.unwind),
        ("--max-steps", config.max_steps),
        ("--max-runs", config.max_runs),
        ("--max-depth", config.max_depth.map(u64::from)),
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
        marks: marks(config),
        ..Options::default()
    }
}

/// What clang has to mark for the checked properties.
pub(crate) fn marks(config: &Config) -> Marks {
    let checks = |property| config.properties.contains(&property);
    Marks {
        overflow: checks(Property::Overflow),
        bounds: checks(Property::Bounds),
        align: checks(Property::Align),
        unsigned: checks(Property::Unsigned),
    }
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

/// The reduction of interleavings that is asked for.
pub(crate) fn reduce(arg: ReduceArg) -> Reduce {
    match arg {
        ReduceArg::None => Reduce::None,
        ReduceArg::Dpor => Reduce::Dpor,
        ReduceArg::Ag => Reduce::Ag,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;

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
                     --timeout 1.5 --memory 7 --solver-timeout 2 --seed 8 --ktest d --malloc-may-fail --spurious --sym-stdin 9 \
                     --arg -x --arg y --sym-args 1,2 --no-simplify --no-independence --no-solver-cache \
                     --no-incremental-solver --no-bit-blaster --validate-solver --log-queries q";
        let c = lowered(&flags.split_whitespace().collect::<Vec<_>>()).expect("valid");
        assert_eq!((c.reduce, c.search, c.all_bugs), (Reduce::Dpor, Search::RandomPath, true));
        assert!(c.source_sets && c.share_everything);
        assert_eq!((c.unwind, c.max_steps, c.max_runs, c.max_depth), (Some(3), Some(4), Some(5), Some(6)));
        assert_eq!(c.timeout.map(|t| t.as_millis()), Some(1500));
        assert_eq!(c.solver_timeout.map(|t| t.as_millis()), Some(2000));
        assert_eq!((c.memory_mib, c.seed, c.tests), (Some(7), 8, true));
        assert_eq!((c.malloc_may_fail, c.spurious_wakeups), (true, true));
        assert_eq!(
            (c.world.stdin, c.args, c.sym_args),
            (selvedge_engine::Stdin::Exactly(9), vec!["-x".to_owned(), "y".to_owned()], vec![1, 2])
        );
        let off = [c.simplify, c.independence, c.solver_cache, c.incremental_solver, c.bit_blaster];
        assert_eq!((off, c.validate_solver), ([false; 5], true));
        assert_eq!(c.log_queries, Some("q".into()));
    }

    #[test]
    fn absurd_numbers_of_workers_are_refused() {
        for jobs in ["0", "100000"] {
            let failure = lowered(&["--jobs", jobs]).expect_err("must be refused");
            assert!(failure.into_diagnostic().message.contains("not possible"));
        }
        assert_eq!(lowered(&["--jobs", "2"]).expect("possible").jobs, 2);
    }
}
