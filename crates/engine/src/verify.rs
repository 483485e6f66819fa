//! Runs a search and collects its outcome.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use selvedge_exec::{Arguments, Bound, FindingKind, Machine, Options, PathEnd, Sources, Stream};
use selvedge_explore::{Control, Ended, Explorer, Leaf, Limits, Order, SearchConfig, resident_mib};
use selvedge_program::Program;
use selvedge_solver::{Backend, SolverConfig};
use selvedge_term::Evaluator;

use crate::bugs::{bug, execute, kind_of};
use crate::config::{Config, Property, Search};
use crate::inputs;
use crate::outcome::{
    Bug, Executions, Input, Outcome, PathEndKind, Phases, Progress, SolverUse, TestCase, Verdict,
};
use crate::places::{short, user_place};

/// How a caller watches and stops a run.
pub struct Hooks<'a> {
    /// Called a few times a second with the state of the search.
    pub progress: &'a mut dyn FnMut(&Progress),
    /// Set by the caller (Ctrl-C): the run ends soon with a partial outcome.
    pub interrupted: &'a AtomicBool,
}

/// What the leaves of a search add up to.
#[derive(Default)]
struct Collected {
    executions: Executions,
    bounded: bool,
    bounds: Vec<String>,
    unknown: Vec<String>,
    bugs: Vec<Bug>,
    tests: Vec<TestCase>,
}

impl Collected {
    fn unknown(&mut self, reason: String) {
        if !self.unknown.contains(&reason) {
            self.unknown.push(reason);
        }
    }

    fn bound(&mut self, reason: String, by_user: bool) {
        if !by_user {
            return self.unknown(reason);
        }
        self.bounded = true;
        if !self.bounds.contains(&reason) {
            self.bounds.push(reason);
        }
    }
}

/// Explores all paths of `program` and says what was found.
pub fn verify(program: &Program, config: &Config, hooks: Hooks<'_>) -> Outcome {
    let started = Instant::now();
    let deadline = config.timeout.map(|t| started + t);
    let solver_stop = Arc::new(AtomicBool::new(false));
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // A query may take long: the solver is told to stop when the search must.
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let late = deadline.is_some_and(|d| Instant::now() >= d);
                if late || hooks.interrupted.load(Ordering::Relaxed) {
                    solver_stop.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let outcome =
            search(program, config, hooks.progress, hooks.interrupted, deadline, &solver_stop, started);
        done.store(true, Ordering::Relaxed);
        outcome
    })
}

fn search(
    program: &Program,
    config: &Config,
    progress: &mut dyn FnMut(&Progress),
    interrupted: &AtomicBool,
    deadline: Option<Instant>,
    solver_stop: &Arc<AtomicBool>,
    started: Instant,
) -> Outcome {
    let options = exec_options(config);
    let arguments = Arguments { concrete: config.args.clone(), symbolic: config.sym_args.clone() };
    let machine = Machine::new(program, options.clone(), Sources::default());
    let solver = selvedge_solver::build(&solver_config(config, solver_stop.clone()));
    let mut explorer = Explorer::new(machine, solver);
    let limits = Limits {
        deadline,
        memory_mib: config.memory_mib.or_else(default_memory_limit),
        max_runs: config.max_runs,
        interrupted,
    };
    let search_config = SearchConfig {
        order: match config.search {
            Search::Dfs => Order::Dfs,
            Search::Bfs => Order::Bfs,
            Search::RandomPath => Order::RandomPath,
            Search::Coverage => Order::Coverage,
        },
        seed: config.seed,
        arguments: arguments.clone(),
    };
    let collected = std::cell::RefCell::new(Collected::default());
    let ended = explorer.run(
        &search_config,
        &limits,
        |machine, leaf| {
            let mut collected = collected.borrow_mut();
            on_leaf(&mut collected, program, config, &options, &arguments, &limits, machine, &leaf)
        },
        |snapshot| {
            let time_s = started.elapsed().as_secs_f64();
            let collected = collected.borrow();
            progress(&Progress {
                executions: collected.executions,
                pending: snapshot.pending,
                instructions: snapshot.instructions,
                depth: snapshot.depth,
                solver_share: snapshot.solver_time.as_secs_f64() / time_s.max(1e-9),
                time_s,
                bugs: collected.bugs.len() as u64,
            });
        },
    );
    let mut collected = collected.into_inner();
    match ended {
        // A query that the limit interrupted is no reason of its own.
        Ended::Limit(reason) => collected.unknown(reason),
        Ended::Complete | Ended::Stopped => {
            for (loc, why) in &explorer.undecided {
                let at = explorer.machine.place(*loc);
                collected.unknown(format!("{at}: {why}"));
            }
        }
    }
    if program.entry.is_none() {
        collected.unknown("the program has no entry function".to_string());
    }
    let stats = explorer.solver_stats();
    let time_s = started.elapsed().as_secs_f64();
    finish(
        collected,
        &explorer.machine,
        explorer.n_states,
        SolverUse { queries: stats.queries, cache_hits: stats.hits(), time_s: stats.time.as_secs_f64() },
        time_s,
    )
}

fn finish(
    collected: Collected,
    machine: &Machine<'_>,
    states: u64,
    solver: SolverUse,
    time_s: f64,
) -> Outcome {
    let verdict = if !collected.bugs.is_empty() {
        Verdict::Unsafe
    } else if !collected.unknown.is_empty() {
        Verdict::Unknown
    } else {
        Verdict::Safe
    };
    let mut warnings = Vec::new();
    for loc in &machine.uninitialised {
        warnings.push(format!(
            "{}: memory is read before it is written; any value is assumed",
            machine.place(*loc)
        ));
    }
    if verdict == Verdict::Safe && collected.executions.full == 0 && collected.executions.cut == 0 {
        warnings.push(
            "no execution reaches the end of the program: the assumptions may contradict each other"
                .to_string(),
        );
    }
    let mut reasons = collected.unknown;
    reasons.extend(collected.bounds);
    Outcome {
        verdict,
        bounded: collected.bounded,
        reasons,
        warnings,
        executions: collected.executions,
        states,
        instructions: machine.n_instructions,
        time_s,
        peak_rss_mib: peak_rss_mib(),
        solver,
        phases: Phases { frontend_s: 0.0, slice_s: 0.0, explore_s: time_s },
        bugs: collected.bugs,
        tests: collected.tests,
        coverage: crate::coverage::collect(machine),
    }
}

#[expect(clippy::too_many_arguments, reason = "the context of a leaf; a struct would only rename it")]
fn on_leaf(
    collected: &mut Collected,
    program: &Program,
    config: &Config,
    options: &Options,
    arguments: &Arguments,
    limits: &Limits<'_>,
    machine: &mut Machine<'_>,
    leaf: &Leaf<'_>,
) -> Control {
    let at = short(&user_place(program, leaf.state));
    collected.executions.total += 1;
    let mut bug_index = None;
    match leaf.end {
        PathEnd::Exit(_) => collected.executions.full += 1,
        PathEnd::Finding(finding) => {
            collected.executions.failed += 1;
            let kind = kind_of(finding.kind);
            let place = user_place(program, leaf.state);
            let known = collected.bugs.iter().position(|b| b.kind == kind && b.location == place);
            bug_index = known;
            if known.is_none() {
                let fixed = machine.sources.bytes_of_model(&machine.pool, leaf.model);
                let replayed = execute(program, options, arguments, fixed, limits);
                match replayed {
                    Some(execution)
                        if matches!(&execution.end, Some(PathEnd::Finding(f)) if f.kind == finding.kind)
                            && execution.place == place =>
                    {
                        let Some(PathEnd::Finding(confirmed)) = execution.end.clone() else {
                            unreachable!("matched")
                        };
                        bug_index = Some(collected.bugs.len());
                        collected.bugs.push(bug(execution, &confirmed));
                    }
                    other => {
                        let end = other.and_then(|e| e.end);
                        collected.unknown(format!(
                            "{at}: internal error: \"{}\" did not happen when re-executed with the found inputs (it ended with {end:?})",
                            finding.message
                        ));
                    }
                }
            }
        }
        PathEnd::Unchecked(finding) => {
            collected.executions.cut += 1;
            let property = kind_of(finding.kind).name();
            collected.unknown(format!(
                "{at}: {}; nothing is known about what follows, and the property {property} is not checked",
                finding.message
            ));
        }
        PathEnd::Bound(bound) => {
            collected.executions.cut += 1;
            let (text, by_user) = match bound {
                Bound::Unwind => (format!("{at}: the loop bound is reached (--unwind)"), true),
                Bound::Steps => (format!("{at}: the step bound is reached (--max-steps)"), true),
                Bound::Depth => {
                    (format!("{at}: calls nest too deeply (--max-depth)"), config.max_depth.is_some())
                }
            };
            collected.bound(text, by_user);
        }
        PathEnd::Unsupported(what) => {
            collected.executions.cut += 1;
            collected.unknown(format!("{at}: not supported: {what}"));
        }
        PathEnd::SolverUnknown(why) => {
            collected.executions.cut += 1;
            collected.unknown(format!("{at}: {why}"));
        }
        PathEnd::Infeasible => unreachable!("the search drops infeasible paths"),
    }
    if config.tests {
        let test = test_case(program, machine, leaf, bug_index);
        collected.tests.push(test);
    }
    machine.exit_code = None;
    if bug_index.is_some() && !config.all_bugs { Control::Stop } else { Control::Continue }
}

fn test_case(
    program: &Program,
    machine: &Machine<'_>,
    leaf: &Leaf<'_>,
    bug_index: Option<usize>,
) -> TestCase {
    let fixed = machine.sources.bytes_of_model(&machine.pool, leaf.model);
    let end = match (leaf.end, bug_index) {
        (_, Some(index)) => PathEndKind::Bug(index),
        (PathEnd::Exit(code), None) => PathEndKind::Exit(match machine.exit_code {
            Some(term) => Evaluator::new(&**leaf.model).eval_u64(&machine.pool, term) as u32 as i32,
            None => *code,
        }),
        _ => PathEndKind::Cut,
    };
    TestCase {
        inputs: inputs::describe(program, leaf.state, &fixed),
        end,
        stdout: leaf.state.output.render(Stream::Stdout, &machine.pool, leaf.model),
    }
}

/// Runs `program` once with all inputs fixed to `inputs`.
pub fn replay(program: &Program, config: &Config, inputs: &[Input], hooks: Hooks<'_>) -> Outcome {
    let started = Instant::now();
    let options = exec_options(config);
    let arguments = Arguments { concrete: config.args.clone(), symbolic: config.sym_args.clone() };
    let limits = Limits {
        deadline: config.timeout.map(|t| started + t),
        memory_mib: config.memory_mib.or_else(default_memory_limit),
        max_runs: None,
        interrupted: hooks.interrupted,
    };
    let fixed = inputs::fix(inputs);
    let mut collected = Collected::default();
    let machine = Machine::new(program, options.clone(), Sources::default());
    collected.executions.total = 1;
    let mut instructions = 0;
    match execute(program, &options, &arguments, fixed, &limits) {
        None => collected.unknown("the program has no entry function".to_string()),
        Some(execution) => {
            instructions = execution.instructions;
            let at = short(&execution.place);
            match execution.end.clone() {
                Some(PathEnd::Exit(_)) => collected.executions.full = 1,
                Some(PathEnd::Finding(finding)) => {
                    collected.executions.failed = 1;
                    collected.bugs.push(bug(execution, &finding));
                }
                Some(PathEnd::Infeasible) => {
                    collected.unknown(format!("{at}: the inputs contradict an assumption of the program"));
                }
                Some(end) => collected.unknown(format!("{at}: the execution ended with {end:?}")),
                None => collected.unknown("interrupted by a limit".to_string()),
            }
        }
    }
    let time_s = started.elapsed().as_secs_f64();
    let mut outcome = finish(collected, &machine, 1, SolverUse::default(), time_s);
    outcome.instructions = instructions;
    outcome
}

fn exec_options(config: &Config) -> Options {
    let mut checks = Vec::new();
    for property in &config.properties {
        match property {
            Property::Assert => checks.push(FindingKind::Assert),
            Property::Memory => checks.push(FindingKind::Memory),
            Property::Div => checks.push(FindingKind::Div),
            Property::Overflow => checks.push(FindingKind::Overflow),
            Property::Leak => checks.push(FindingKind::Leak),
            // A sequential program has neither.
            Property::Deadlock | Property::Race => {}
        }
    }
    Options {
        checks,
        unwind: config.unwind,
        max_steps: config.max_steps,
        max_depth: config.max_depth,
        malloc_may_fail: config.malloc_may_fail,
        sym_stdin: config.sym_stdin,
    }
}

fn solver_config(config: &Config, interrupt: Arc<AtomicBool>) -> SolverConfig {
    SolverConfig {
        backend: if config.bit_blaster { Backend::Auto } else { Backend::Z3 },
        simplify: config.simplify,
        independence: config.independence,
        cache: config.solver_cache,
        incremental: config.incremental_solver,
        validate: config.validate_solver,
        log_queries: config.log_queries.clone(),
        timeout: config.solver_timeout,
        interrupt,
        ..SolverConfig::default()
    }
}

/// Most of what the machine has free, so that a huge search ends with a report and not with the kernel's help.
fn default_memory_limit() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find(|l| l.starts_with("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024 * 8 / 10)
}

fn peak_rss_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = status
        .lines()
        .find(|l| l.starts_with("VmHWM:"))
        .and_then(|l| l.split_whitespace().nth(1))
        .and_then(|n| n.parse::<f64>().ok());
    kib.map_or_else(|| resident_mib().unwrap_or(0.0), |k| k / 1024.0)
}
