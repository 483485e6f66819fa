//! Runs a search and collects its outcome.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use selvedge_exec::{Machine, PathEnd, Sources, State};
use selvedge_explore::{
    Control, Ended, Explorer, Graph, Limits, SearchConfig, default_memory_limit, peak_rss_mib,
};
use selvedge_program::Program;

use crate::again;
use crate::bugs::{bug, execute};
use crate::collect::{Collected, Run};
use crate::config::Config;
use crate::impacted::{Impacted, View, view};
use crate::inputs;
use crate::knowledge::Knowledge;
use crate::lower::{exec_options, search_config, slice, solver_config};
use crate::outcome::{Bug, Input, Outcome, Phases, Progress, SliceSize, SolverUse, Turns, Verdict};
use crate::parallel::{Pool, note_undecided, solver_use};
use crate::places::short;
use crate::reuse::{KnownBugs, Reuse};

/// How a caller watches and stops a run.
pub struct Hooks<'a> {
    /// Called a few times a second with the state of the search.
    pub progress: &'a mut dyn FnMut(&Progress),
    /// Called with each bug when it is found, so that it is known even if the run is given up.
    pub bug: &'a mut dyn FnMut(&Bug),
    /// Set by the caller (Ctrl-C): the run ends soon with a partial outcome.
    pub interrupted: &'a AtomicBool,
}

/// Explores all paths of `program` and says what was found.
pub fn verify(program: &Program, config: &Config, hooks: Hooks<'_>) -> Outcome {
    verify_again(program, config, hooks, None)
}

/// As [`verify`], with what is known of other versions of the program; what is found out is added to it.
pub fn verify_again(
    program: &Program,
    config: &Config,
    hooks: Hooks<'_>,
    knowledge: Option<&mut Knowledge>,
) -> Outcome {
    let started = Instant::now();
    let deadline = config.limits.timeout.map(|t| started + t);
    let solver_stop = Arc::new(AtomicBool::new(false));
    let done = AtomicBool::new(false);
    let interrupted = hooks.interrupted;
    std::thread::scope(|scope| {
        // A query may take long: the solver is told to stop when the search must.
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let late = deadline.is_some_and(|d| Instant::now() >= d);
                if late || interrupted.load(Ordering::Relaxed) {
                    solver_stop.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        // Also when the search panics: the scope waits for the thread above.
        let _done = SetOnDrop(&done);
        search(program, config, hooks, knowledge, deadline, &solver_stop, started)
    })
}

/// The graph of the search over schedules, with at most `max_states` states, and why it is not complete, if it is not.
/// One worker makes it, whatever `config` says.
pub fn interleavings(
    program: &Program,
    config: &Config,
    max_states: usize,
    interrupted: &AtomicBool,
) -> (Graph, Option<String>) {
    let deadline = config.limits.timeout.map(|t| Instant::now() + t);
    let mut run = prepare(program, config, interrupted, deadline, config.limits.max_runs);
    loop {
        let machine = Machine::new(program, run.options.clone(), Sources::default());
        let solver = selvedge_solver::build(&solver_config(config, Arc::default()));
        let mut explorer = Explorer::new(machine, solver);
        explorer.graph = Some(Box::new(Graph::new(max_states)));
        let ended = explorer.run(&search_config(config), &run.limits, |_, _| Control::Continue, |_| {});
        let why = match ended {
            Ended::Lost => {
                run.options.share_everything = true;
                continue;
            }
            Ended::Limit(why) => Some(why),
            Ended::Complete | Ended::Stopped => explorer.undecided.first().map(|(_, why)| why.clone()),
        };
        return (*explorer.graph.take().expect("it was put there"), why);
    }
}

/// Raises a flag when it goes out of scope, by return or by unwinding.
pub(crate) struct SetOnDrop<'a>(pub(crate) &'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn search(
    program: &Program,
    config: &Config,
    hooks: Hooks<'_>,
    knowledge: Option<&mut Knowledge>,
    deadline: Option<Instant>,
    solver_stop: &Arc<AtomicBool>,
    started: Instant,
) -> Outcome {
    let mut knowledge = knowledge.filter(|_| again::can_outlive(config));
    let mut hooks = hooks;
    let mut run = prepare(program, config, hooks.interrupted, deadline, config.limits.max_runs);
    run.slice = tracing::info_span!(target: "analysis", "analysis").in_scope(|| slice(program, config));
    let mut may_focus = true;
    loop {
        let _span = tracing::info_span!(
            target: "explore",
            "search",
            sliced = run.slice.is_some(),
            all_shared = run.options.share_everything
        )
        .entered();
        let asked = Asked { run: &run, may_focus, started };
        match search_once(&asked, &mut hooks, knowledge.as_deref_mut(), solver_stop) {
            Searched::Done(outcome) => return *outcome,
            Searched::Blurred => {}
            // An address came into being as a number. Without a slice that may be all right; if not, it has reached
            // another thread, and nothing is private.
            Searched::Lost if run.slice.is_some() => run.slice = None,
            Searched::Lost => run.options.share_everything = true,
        }
        may_focus = false;
    }
}

/// What a search is to do.
struct Asked<'a, 'r> {
    run: &'a Run<'r>,
    /// It may look at less than everything, if the rest is known.
    may_focus: bool,
    started: Instant,
}

/// How a search ended.
enum Searched {
    Done(Box<Outcome>),
    /// It must be done again without what it took for granted about addresses.
    Lost,
    /// It looked at less than everything, and came to no answer.
    Blurred,
}

/// One search.
fn search_once(
    asked: &Asked<'_, '_>,
    hooks: &mut Hooks<'_>,
    mut knowledge: Option<&mut Knowledge>,
    solver_stop: &Arc<AtomicBool>,
) -> Searched {
    let &Asked { run, started, .. } = asked;
    let config = run.config;
    if config.search.jobs > 1 {
        return search_with_workers(asked, hooks, solver_stop);
    }
    let mut machine = Machine::new(run.program, run.options.clone(), Sources::default());
    machine.slice = run.slice.clone();
    let (mut known_bugs, mut impacted) = (KnownBugs::default(), None);
    if let Some(knowledge) = knowledge.as_deref_mut() {
        match before(asked, &mut machine, knowledge) {
            Ok(known) => (known_bugs, impacted) = known,
            Err(outcome) => {
                outcome.bugs.iter().for_each(&mut *hooks.bug);
                return Searched::Done(outcome);
            }
        }
    }
    let recalled = knowledge.as_deref().map(|knowledge| knowledge.recall(&mut machine));
    let View { run: focused, machine, recalled } =
        view(run, machine, recalled, impacted.as_ref(), knowledge.as_deref());
    let run = focused.as_ref().unwrap_or(run);
    let base = impacted.as_ref().filter(|_| focused.is_some());
    let mut search_config = search_config(config);
    search_config.archive = recalled.as_ref().map(|recalled| recalled.archive.clone());
    if knowledge.as_deref().is_some_and(Knowledge::is_by_impact) {
        search_config.summaries = None;
    }
    let mut explorer =
        Explorer::new(machine, selvedge_solver::build(&solver_config(config, solver_stop.clone())));
    let (mut collected, ended) = explore(run, &search_config, &mut explorer, hooks, started);
    collected.count(&explorer);
    let is_of_all = ended == Ended::Complete;
    let is_cut = matches!(ended, Ended::Limit(_));
    match ended {
        Ended::Lost if base.is_some() => return Searched::Blurred,
        Ended::Lost => return Searched::Lost,
        // A query that the limit interrupted is no reason of its own.
        Ended::Limit(reason) => collected.unknown(reason),
        Ended::Complete | Ended::Stopped => note_undecided(&explorer, &mut collected),
    }
    if run.program.entry.is_none() {
        collected.unknown("the program has no entry function".to_string());
    }
    if let Some(base) = base {
        let is_answer =
            collected.unknown.is_empty() || (!config.search.all_bugs && !collected.bugs.is_empty());
        if !is_answer && !is_cut {
            return Searched::Blurred;
        }
        collected.has_others |= base.told.has_executions;
        base.note(&mut explorer.machine);
    }
    let reuse = knowledge.zip(recalled).map(|(knowledge, recalled)| {
        let has_answer = !collected.bugs.is_empty() || (is_of_all && collected.unknown.is_empty());
        let told = has_answer.then(|| again::told(&collected, knowledge.now(), is_of_all));
        if let Some(told) = &told {
            let machine = &explorer.machine;
            knowledge.keep_safe_version(machine, run.program, config, told);
        }
        let told = told.map(|told| (told, is_of_all && base.is_none()));
        let reuse = knowledge.add(&mut explorer, &recalled, told);
        Reuse { known_bugs, checks: base.map(|base| base.checks), is_focused: base.is_some(), ..reuse }
    });
    let time_s = started.elapsed().as_secs_f64();
    let outcome = finish(collected, &explorer.machine, explorer.n_states, solver_use(&explorer), time_s);
    Searched::Done(Box::new(Outcome { reuse, ..outcome }))
}

/// What is known before the search: what has become of known failures, and what the change can influence. Or else the answer.
fn before(
    asked: &Asked<'_, '_>,
    machine: &mut Machine<'_>,
    knowledge: &mut Knowledge,
) -> Result<(KnownBugs, Option<Impacted>), Box<Outcome>> {
    let &Asked { run, may_focus, started } = asked;
    let tried = again::try_known(run, knowledge);
    knowledge.introduce(machine);
    if let Some(outcome) = again::without_search(run, machine, knowledge, &tried, started) {
        return Err(Box::new(outcome));
    }
    let impacted = if may_focus { Impacted::new(run, knowledge) } else { None };
    let known = impacted
        .as_ref()
        .and_then(|impacted| impacted.without_search(run, machine, knowledge, tried.known, started));
    match known {
        Some(outcome) => Err(Box::new(outcome)),
        None => Ok((tried.known, impacted)),
    }
}

/// Several workers know nothing of other versions.
fn search_with_workers(
    asked: &Asked<'_, '_>,
    hooks: &mut Hooks<'_>,
    solver_stop: &Arc<AtomicBool>,
) -> Searched {
    let &Asked { run, started, .. } = asked;
    let config = run.config;
    let search_config = search_config(config);
    let new_solver = || selvedge_solver::build(&solver_config(config, solver_stop.clone()));
    let pool = Pool { run, config: &search_config, solver: &new_solver, jobs: config.search.jobs, started };
    let Some(mut sum) = pool.search(&mut *hooks.progress, &mut *hooks.bug) else { return Searched::Lost };
    if let Ended::Limit(reason) = sum.ended {
        sum.collected.unknown(reason);
    }
    if run.program.entry.is_none() {
        sum.collected.unknown("the program has no entry function".to_string());
    }
    let time_s = started.elapsed().as_secs_f64();
    Searched::Done(Box::new(finish(sum.collected, &sum.machine, sum.states, sum.solver, time_s)))
}

/// Explores, and collects what is found.
fn explore<'r>(
    run: &'r Run<'r>,
    search_config: &SearchConfig,
    explorer: &mut Explorer<'_>,
    hooks: &mut Hooks<'_>,
    started: Instant,
) -> (Collected<'r>, Ended) {
    let Hooks { progress, bug: on_bug, .. } = hooks;
    let collected = RefCell::new(Collected::new(run));
    let ended = explorer.run(
        search_config,
        &run.limits,
        |machine, leaf| {
            let mut collected = collected.borrow_mut();
            let known = collected.bugs.len();
            let control = collected.leaf(machine, &leaf);
            collected.bugs[known..].iter().for_each(&mut **on_bug);
            control
        },
        |snapshot| {
            let time_s = started.elapsed().as_secs_f64();
            let collected = collected.borrow();
            let mut executions = collected.executions;
            executions.pruned = snapshot.pruned;
            executions.total += snapshot.pruned;
            progress(&Progress {
                executions,
                pending: snapshot.pending,
                instructions: snapshot.instructions,
                depth: snapshot.depth,
                solver_share: snapshot.solver_time.as_secs_f64() / time_s.max(1e-9),
                time_s,
                bugs: collected.bugs.len() as u64,
            });
        },
    );
    (collected.into_inner(), ended)
}

pub(crate) fn finish(
    collected: Collected<'_>,
    machine: &Machine<'_>,
    states: u64,
    solver: SolverUse,
    time_s: f64,
) -> Outcome {
    let assumptions = crate::assumptions::collect(machine);
    let mut collected = collected;
    if collected.run.config.strict && collected.bugs.is_empty() {
        for assumption in &assumptions {
            collected.unknown(format!("--strict does not assume that {}", assumption.text));
        }
    }
    let verdict = if !collected.bugs.is_empty() {
        Verdict::Unsafe
    } else if !collected.unknown.is_empty() {
        Verdict::Unknown
    } else {
        Verdict::Safe
    };
    let sizes = machine.slice.as_ref().map(|slice| slice.stats()).unwrap_or_default();
    let slice = SliceSize { instructions: sizes.instructions as u64, in_slice: sizes.relevant as u64 };
    let slice_s = sizes.time.as_secs_f64();
    let mut warnings = Vec::new();
    for loc in &machine.uninitialised {
        warnings.push(format!(
            "{}: memory is read before it is written; any value is assumed",
            machine.place(*loc)
        ));
    }
    if verdict == Verdict::Safe && !collected.has_executions() {
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
        assumptions,
        executions: collected.executions,
        states,
        instructions: machine.n_instructions,
        time_s,
        peak_rss_mib: peak_rss_mib(),
        solver,
        slice,
        phases: Phases { frontend_s: 0.0, slice_s, explore_s: (time_s - slice_s).max(0.0) },
        summaries: collected.summaries,
        bugs: collected.bugs,
        tests: collected.tests,
        coverage: crate::coverage::collect(machine),
        proof: None,
        proof_object: None,
        reuse: None,
    }
}

/// Runs `program` once with all inputs fixed to `inputs`, in the order of `turns`.
pub fn replay(
    program: &Program,
    config: &Config,
    inputs: &[Input],
    turns: &Turns,
    hooks: Hooks<'_>,
) -> Outcome {
    let started = Instant::now();
    let deadline = config.limits.timeout.map(|t| started + t);
    let mut run = prepare(program, config, hooks.interrupted, deadline, None);
    run.options.share_everything = turns.all_shared;
    let mut collected = Collected::new(&run);
    let machine = Machine::new(program, run.options.clone(), Sources::default());
    collected.executions.total = 1;
    let mut instructions = 0;
    let is_finding = |_: &State, end: &PathEnd| matches!(end, PathEnd::Finding(_));
    match execute(&run, inputs::fix(inputs), turns, &is_finding) {
        None => collected.unknown("the program has no entry function".to_string()),
        Some(execution) => {
            instructions = execution.instructions;
            let at = short(&execution.place);
            match execution.end.clone() {
                Some(PathEnd::Exit(_)) => collected.executions.full = 1,
                Some(PathEnd::Finding(finding)) => {
                    collected.executions.failed = 1;
                    collected.bugs.push(bug(program, execution, &finding));
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

pub(crate) fn prepare<'a>(
    program: &'a Program,
    config: &'a Config,
    interrupted: &'a AtomicBool,
    deadline: Option<Instant>,
    max_runs: Option<u64>,
) -> Run<'a> {
    Run {
        program,
        config,
        options: exec_options(program, config),
        limits: Limits {
            deadline,
            memory_mib: config.limits.memory_mib.or_else(default_memory_limit),
            max_runs,
            interrupted,
            stopped: None,
            runs: None,
        },
        slice: None,
    }
}
