//! Searches with what a test sets.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use selvedge_analysis::{Properties, Slice};
use selvedge_base::Id;
use selvedge_exec::{
    Arguments, Bound, Bounds, FindingKind, FixedInputs, Machine, Options, PathEnd, Sources, State,
    Surroundings, ThreadNames,
};
use selvedge_explore::{
    Control, Ended, Explorer, Graph, Leaf, Limits, Order, Replayed, Rules, SearchConfig, SummaryLimits,
    ThreadOrder,
};
use selvedge_por::{Config, Reduction};
use selvedge_program::Program;

use crate::found::{Failure, Found};
use crate::solvers::{Ask, answering};

/// How interleavings are reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduce {
    /// Not at all.
    None,
    /// By partial orders.
    Dpor,
    /// By partial orders and summaries.
    Ag,
    /// By summaries alone.
    Summaries,
}

/// What a search is told.
#[derive(Clone)]
pub struct Flags {
    /// How interleavings are reduced.
    pub reduce: Reduce,
    /// Source sets in place of wakeup trees.
    pub source_sets: bool,
    /// Threads sleep where they were tried.
    pub sleep: bool,
    /// Go on after a failure, which is noted then.
    pub all_bugs: bool,
    /// What fails stays unknown to the search.
    pub note_nothing: bool,
    /// Leave out steps that cannot matter.
    pub slice: bool,
    /// How pending states are ordered.
    pub order: Order,
    /// Seed of random choices.
    pub seed: u64,
    /// Which threads come first.
    pub thread_order: ThreadOrder,
    /// Bounds of summaries.
    pub summary_limits: SummaryLimits,
    /// Rules of summaries.
    pub rules: Rules,
    /// Iterations of a loop.
    pub unwind: Option<u64>,
    /// Depth of calls.
    pub max_depth: Option<u32>,
    /// Executions.
    pub max_runs: Option<u64>,
    /// The search ends at once.
    pub is_late: bool,
    /// Waits may end without a reason.
    pub spurious_wakeups: bool,
    /// Every object is shared.
    pub share_everything: bool,
    /// Answers of the solver.
    pub ask: Option<Ask>,
    /// What is checked.
    pub checks: Vec<FindingKind>,
}

impl Flags {
    /// All failures, reduced like this.
    pub fn new(reduce: Reduce) -> Flags {
        let checks = vec![
            FindingKind::Assert,
            FindingKind::Error,
            FindingKind::Memory,
            FindingKind::Free,
            FindingKind::Div,
            FindingKind::Deadlock,
            FindingKind::Livelock,
        ];
        Flags {
            reduce,
            source_sets: false,
            sleep: true,
            all_bugs: true,
            note_nothing: false,
            slice: false,
            order: Order::default(),
            seed: 0,
            thread_order: ThreadOrder::default(),
            summary_limits: SummaryLimits::default(),
            rules: Rules::default(),
            unwind: None,
            max_depth: None,
            max_runs: None,
            is_late: false,
            spurious_wakeups: false,
            share_everything: false,
            ask: None,
            checks,
        }
    }

    /// Plain enumeration.
    pub fn none() -> Flags {
        Flags::new(Reduce::None)
    }

    /// Reduction by partial orders.
    pub fn dpor() -> Flags {
        Flags::new(Reduce::Dpor)
    }

    /// Partial orders and summaries.
    pub fn ag() -> Flags {
        Flags::new(Reduce::Ag)
    }

    /// Summaries without partial orders.
    pub fn summaries() -> Flags {
        Flags::new(Reduce::Summaries)
    }

    fn options(&self) -> Options {
        Options {
            checks: self.checks.clone(),
            bounds: Bounds { unwind: self.unwind, max_depth: self.max_depth, ..Bounds::default() },
            surroundings: Surroundings { spurious_wakeups: self.spurious_wakeups, ..Surroundings::default() },
            share_everything: self.share_everything,
            ..Options::default()
        }
    }

    fn config(&self) -> SearchConfig {
        let reduction = match self.reduce {
            Reduce::Dpor | Reduce::Ag if self.source_sets => Reduction::Source,
            Reduce::Dpor | Reduce::Ag => Reduction::Optimal,
            Reduce::None | Reduce::Summaries => Reduction::None,
        };
        let sleep = self.sleep && reduction != Reduction::None;
        let has_summaries = matches!(self.reduce, Reduce::Ag | Reduce::Summaries);
        SearchConfig {
            order: self.order,
            seed: self.seed,
            arguments: Arguments::default(),
            reduction: Config { sleep, ..Config::new(reduction) },
            thread_order: self.thread_order,
            summaries: has_summaries.then_some((self.summary_limits, self.rules)),
            archive: None,
        }
    }

    fn explorer<'p>(&self, program: &'p Program) -> Explorer<'p> {
        let mut machine = Machine::new(program, self.options(), Sources::default());
        if self.slice {
            machine.slice = Some(Arc::new(Slice::new(program, Properties::default())));
        }
        Explorer::new(machine, answering(self.ask.clone()))
    }

    fn limits<'a>(&self, interrupted: &'a AtomicBool) -> Limits<'a> {
        Limits {
            deadline: self.is_late.then(Instant::now),
            memory_mib: None,
            max_runs: self.max_runs,
            interrupted,
            stopped: None,
            runs: None,
        }
    }
}

/// Explores the program.
#[track_caller]
pub fn search(program: &Program, flags: &Flags) -> Found {
    let interrupted = AtomicBool::new(false);
    let mut explorer = flags.explorer(program);
    let mut found = Found::default();
    let on_leaf = |machine: &mut Machine<'_>, leaf: Leaf<'_>| note(flags, &mut found, machine, &leaf);
    let ended = explorer.run(&flags.config(), &flags.limits(&interrupted), on_leaf, |_| {});
    finish(program, flags, &explorer, found, ended)
}

/// Explores the program in so many parts, if there are as many, each with an executor and a solver of its own; the
/// number of parts.
#[track_caller]
pub fn search_in_parts(program: &Program, flags: &Flags, want: usize) -> (Found, usize) {
    let interrupted = AtomicBool::new(false);
    let (config, limits) = (flags.config(), flags.limits(&interrupted));
    let mut first = flags.explorer(program);
    let mut found = Found::default();
    let on_leaf = |machine: &mut Machine<'_>, leaf: Leaf<'_>| note(flags, &mut found, machine, &leaf);
    let tasks = first.split(&config, &limits, want, on_leaf);
    let (tasks, ended) = match tasks {
        Ok(tasks) => (tasks, Ended::Complete),
        Err(ended) => (Vec::new(), ended),
    };
    let mut sum = finish(program, flags, &first, found, ended);
    for task in &tasks {
        let mut worker = flags.explorer(program);
        let mut found = Found::default();
        let on_leaf = |machine: &mut Machine<'_>, leaf: Leaf<'_>| note(flags, &mut found, machine, &leaf);
        let ended = worker.run_task(&config, &limits, task, on_leaf, |_| {});
        sum.add(finish(program, flags, &worker, found, ended));
    }
    (sum, tasks.len())
}

/// Draws the search, with so many states at most; and how it ended.
pub fn draw(program: &Program, flags: &Flags, max_states: usize) -> (Graph, Ended) {
    let interrupted = AtomicBool::new(false);
    let mut explorer = flags.explorer(program);
    explorer.graph = Some(Box::new(Graph::new(max_states)));
    let limits = flags.limits(&interrupted);
    let ended = explorer.run(&flags.config(), &limits, |_, _| Control::Continue, |_| {});
    (*explorer.graph.take().expect("it was put there"), ended)
}

/// Takes over what the search has counted itself, and replays what fails.
#[track_caller]
fn finish(program: &Program, flags: &Flags, explorer: &Explorer<'_>, found: Found, ended: Ended) -> Found {
    for failure in found.failures.values() {
        let again = replayed(program, flags, failure, &failure.schedule);
        let end = again.as_ref().and_then(|replayed| replayed.end.as_ref());
        let is_same = matches!(end, Some(PathEnd::Finding(f)) if f.kind == failure.kind);
        assert!(is_same, "a failure does not happen again: {failure:?} but {end:?}");
    }
    Found {
        ended,
        pruned: explorer.n_pruned,
        blocked: explorer.n_blocked,
        undecided: explorer.undecided.iter().map(|(_, why)| why.clone()).collect(),
        states: explorer.n_states,
        summaries: explorer.summaries,
        ..found
    }
}

/// Runs the program once more with the inputs of a failure, by this schedule.
pub fn replayed(program: &Program, flags: &Flags, failure: &Failure, schedule: &[u32]) -> Option<Replayed> {
    let interrupted = AtomicBool::new(false);
    let sources = Sources::fixed(FixedInputs { keeps_unwritten: false, ..failure.inputs.clone() });
    let mut machine = Machine::new(program, flags.options(), sources);
    machine.thread_names = ThreadNames::from_names(failure.threads.clone());
    // A search that leaves out steps has fewer in its schedule.
    let slice = flags.slice.then(|| Arc::new(Slice::new(program, Properties::default())));
    let is_wanted = |state: &State, end: &PathEnd| {
        matches!(end, PathEnd::Finding(f) if f.kind == failure.kind) && place(program, state) == failure.at
    };
    let limits = flags.limits(&interrupted);
    let limits = Limits { deadline: None, ..limits };
    selvedge_explore::replay(
        &mut machine,
        &Arguments::default(),
        schedule,
        (&limits, usize::MAX),
        slice.as_ref(),
        &is_wanted,
    )
}

/// Function and block where the running thread stands, the checking of assertions left out.
fn place(program: &Program, state: &State) -> String {
    let frames = &state.threads[state.current].frames;
    let here = frames.iter().rev().find(|frame| program.funcs[frame.func].name != "check");
    here.map_or_else(
        || "nowhere".to_owned(),
        |frame| format!("{} bb{} {}", program.funcs[frame.func].name, frame.block.index(), frame.idx),
    )
}

fn note(flags: &Flags, found: &mut Found, machine: &mut Machine<'_>, leaf: &Leaf<'_>) -> Control {
    let mut cut = |why: String, is_asked_for: bool| {
        found.cut += 1;
        found.cuts.insert((why, is_asked_for));
        Control::Continue
    };
    match leaf.end {
        PathEnd::Exit(code) => {
            found.full += 1;
            found.codes.push(*code);
            Control::Continue
        }
        PathEnd::Finding(finding) => {
            found.failed += 1;
            let at = place(machine.image.program, leaf.state);
            found.failures.entry(at.clone()).or_insert_with(|| Failure {
                kind: finding.kind,
                message: finding.message.clone(),
                labels: finding.labels.clone(),
                at,
                schedule: leaf.schedule.to_vec(),
                inputs: machine.sources.bytes_of_model(&machine.pool, leaf.model),
                threads: machine.thread_names.names().to_vec(),
            });
            match (flags.all_bugs, flags.note_nothing) {
                (false, _) => Control::Stop,
                (true, true) => Control::Continue,
                (true, false) => Control::Noted,
            }
        }
        PathEnd::Bound(bound) => {
            let is_asked_for = match bound {
                Bound::Unwind | Bound::Steps => true,
                Bound::Depth => flags.max_depth.is_some(),
                Bound::Outside => false,
            };
            cut(format!("{bound:?}"), is_asked_for)
        }
        PathEnd::Unsupported(what) => cut(format!("unsupported: {what}"), false),
        PathEnd::Unchecked(finding) => cut(format!("unchecked: {}", finding.message), false),
        PathEnd::SolverUnknown(why) => cut(format!("solver: {why}"), false),
        PathEnd::Infeasible => panic!("a path that is none was handed over"),
    }
}
