//! A proof from beginning to end: graph, search, check.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;
use selvedge_base::Loc;
use selvedge_exec::{Arguments, Bounds, Ledger, Machine, Options, Sources, State, start, template_variables};
use selvedge_program::Program;

use crate::abstraction::Abstraction;
use crate::ask::{Ask, Stopped};
use crate::check::{Claim, Invariant, Rejected, check};
use crate::graph::{Graph, NoGraph, Why};
use crate::run::{Run, concretise};
use crate::search::Search;
use crate::work::{BadId, Claimed, Found, Work};

/// Questions of the first turn of each way to look for an invariant.
const FIRST_BUDGET: u64 = 20_000;

/// Bounds of a search for a proof.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Control states. Default is 20 000.
    pub max_states: usize,
    /// Time. Default is none.
    pub timeout: Option<Duration>,
    /// Raised to stop the search.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_states: 20_000, timeout: None, interrupt: Arc::default() }
    }
}

/// Why nothing is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// Where, if it is about a place.
    pub at: Option<String>,
    /// What.
    pub what: String,
}

/// What is known about the program.
#[derive(Debug)]
pub enum Verdict {
    /// No execution of any length goes wrong.
    Safe,
    /// This one may; the caller has to execute it.
    Unsafe(Run),
    /// Nothing is known.
    Unknown(Vec<Reason>),
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    /// Control states.
    pub states: usize,
    /// Steps between them.
    pub steps: usize,
    /// What found the invariant: `pdr` or `predicate-abstraction`.
    pub method: &'static str,
    /// Levels of the search: executions of so many steps were excluded.
    pub levels: usize,
    /// Blocked combinations of predicates in the invariant.
    pub clauses: usize,
    /// Instructions executed.
    pub instructions: u64,
    /// Different predicates among them.
    pub predicates: usize,
    /// Questions to the solver.
    pub queries: u64,
    /// Seconds in the solver.
    pub solver_s: f64,
    /// Seconds.
    pub time_s: f64,
}

/// The result of a search for a proof.
#[derive(Debug)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// What was counted.
    pub stats: Stats,
    /// Every object was taken for shared.
    pub all_shared: bool,
    /// What was taken for granted.
    pub ledger: Ledger,
}

/// Looks for a proof of `program`; `on_level` is told about each level and the number of blocked cubes.
pub fn prove(
    program: &Program,
    options: &Options,
    arguments: &Arguments,
    limits: &Limits,
    on_level: &mut dyn FnMut(usize, usize),
) -> Outcome {
    let begun = Instant::now();
    let deadline = limits.timeout.map(|t| begun + t);
    let mut all_shared = options.share_everything;
    loop {
        let options = Options {
            loop_points: true,
            share_everything: all_shared,
            bounds: Bounds { unwind: None, max_steps: None, ..options.bounds },
            ..options.clone()
        };
        let mut stats = Stats::default();
        let mut ask = Ask::new(deadline, limits.interrupt.clone());
        let mut ledger = Ledger::default();
        let mut attempt =
            Attempt { program, options, arguments, limits, stats: &mut stats, ledger: &mut ledger };
        let result = attempt.run(&mut ask, on_level);
        stats.queries = ask.queries;
        stats.solver_s = ask.time.as_secs_f64();
        stats.time_s = begun.elapsed().as_secs_f64();
        let verdict = match result {
            Ok(verdict) => verdict,
            Err(Stopped::Lost) if !all_shared => {
                all_shared = true;
                continue;
            }
            Err(stopped) => Verdict::Unknown(vec![Reason { at: None, what: stopped.to_string() }]),
        };
        return Outcome { verdict, stats, all_shared, ledger };
    }
}

/// One attempt, with what is shared decided.
struct Attempt<'a> {
    program: &'a Program,
    options: Options,
    arguments: &'a Arguments,
    limits: &'a Limits,
    stats: &'a mut Stats,
    ledger: &'a mut Ledger,
}

impl<'a> Attempt<'a> {
    fn machine(&self) -> Machine<'a> {
        Machine::new(self.program, self.options.clone(), Sources::default())
    }

    fn run(&mut self, ask: &mut Ask, on_level: &mut dyn FnMut(usize, usize)) -> Result<Verdict, Stopped> {
        let mut machine = self.machine();
        let first = match start(&mut machine, self.arguments) {
            Ok(first) => first,
            Err(what) => return Ok(Verdict::Unknown(vec![Reason { at: None, what }])),
        };
        let graph = match whole_graph(&mut machine, ask, &first, self.limits.max_states) {
            Ok(graph) => graph,
            Err(NoGraph::Stopped(stopped)) => return Err(stopped),
            Err(NoGraph::TooMany { at }) => {
                let what = format!(
                    "the program has more than {} control states (threads, calls or objects without end?)",
                    self.limits.max_states
                );
                return Ok(Verdict::Unknown(vec![reason(&machine, at, what)]));
            }
        };
        self.stats.states = graph.nodes.len();
        self.stats.steps = graph.nodes.iter().map(|n| n.out.len()).sum();
        let result = self.search(&mut machine, ask, &graph, on_level);
        ask.pause_at = u64::MAX;
        let verdict = match result? {
            Answer::Invariant(holds) => self.checked(&graph, &mut machine, &holds, ask)?,
            Answer::Unknown(reasons) => Verdict::Unknown(reasons),
            Answer::Run(steps, bad) => {
                let bad = &graph.nodes[bad.0].bad[bad.1];
                match concretise(&mut machine, ask, &graph, &steps, bad)? {
                    Some(run) => Verdict::Unsafe(run),
                    None => {
                        let what =
                            "a failure was found only for an undefined value that differs when read again";
                        let what = what.to_string();
                        Verdict::Unknown(vec![reason(&machine, bad.at, what)])
                    }
                }
            }
        };
        self.stats.instructions = machine.n_instructions;
        self.ledger.merge(machine.ledger);
        Ok(verdict)
    }

    /// The two ways to look for an invariant, in turns, each time with more questions.
    fn search(
        &mut self,
        machine: &mut Machine<'_>,
        ask: &mut Ask,
        graph: &Graph,
        on_level: &mut dyn FnMut(usize, usize),
    ) -> Result<Answer, Stopped> {
        let mut reasons: Vec<Reason> = Vec::new();
        let mut given_up: Vec<BadId> = Vec::new();
        let mut backward = Search::new(graph);
        let mut forward = Abstraction::new();
        let mut budget = FIRST_BUDGET;
        let mut is_stuck = false;
        loop {
            for goes_back in [true, false] {
                ask.pause_at = ask.queries + budget;
                loop {
                    let found = if goes_back {
                        let mut work = Work { machine, ask, graph, given_up: &given_up };
                        backward.run(&mut work, on_level)
                    } else if is_stuck {
                        break;
                    } else {
                        let mut work = Work { machine, ask, graph, given_up: &given_up };
                        forward.round(&mut work)
                    };
                    self.stats.levels = backward.level;
                    match found {
                        Ok(Found::Invariant(holds)) if reasons.is_empty() => {
                            self.stats.method = if goes_back { "pdr" } else { "predicate-abstraction" };
                            return Ok(Answer::Invariant(holds));
                        }
                        Ok(Found::Invariant(_)) => return Ok(Answer::Unknown(reasons)),
                        Ok(Found::Refined) => {}
                        Ok(Found::Stuck) => is_stuck = true,
                        Ok(Found::Run(steps, bad)) => {
                            let why = &graph.nodes[bad.0].bad[bad.1];
                            // What follows an obstacle is not known, but elsewhere the program may still be wrong.
                            let Why::Unknown(what) = &why.why else { return Ok(Answer::Run(steps, bad)) };
                            let reason = reason(machine, why.at, what.clone());
                            if !reasons.contains(&reason) {
                                reasons.push(reason);
                            }
                            given_up.push(bad);
                        }
                        Err(Stopped::Paused) => break,
                        Err(Stopped::Limit(what)) if !reasons.is_empty() => {
                            reasons.push(Reason { at: None, what });
                            return Ok(Answer::Unknown(reasons));
                        }
                        Err(stopped) => return Err(stopped),
                    }
                }
            }
            budget *= 2;
        }
    }

    /// Safe, if the checker agrees.
    fn checked(
        &mut self,
        graph: &Graph,
        machine: &mut Machine<'_>,
        claims: &[Claimed],
        ask: &mut Ask,
    ) -> Result<Verdict, Stopped> {
        let mut predicates = FxHashSet::default();
        for atom in claims.iter().flat_map(|c| &c.cubes).flatten() {
            // A condition and its negation are one predicate.
            let negated = machine.pool.not(*atom);
            predicates.insert((*atom).min(negated));
        }
        self.stats.predicates = predicates.len();
        self.stats.clauses = claims.iter().map(|c| c.cubes.len()).sum();
        let invariant = to_invariant(machine, graph, claims);
        let first = match start(machine, self.arguments) {
            Ok(first) => first,
            Err(what) => return Ok(Verdict::Unknown(vec![Reason { at: None, what }])),
        };
        match check(machine, ask, first, &invariant) {
            Ok(()) => Ok(Verdict::Safe),
            Err(Rejected::Stopped(stopped)) => Err(stopped),
            Err(Rejected::Because(why)) => {
                let what = format!("the checker does not accept the invariant: {why}");
                Ok(Verdict::Unknown(vec![Reason { at: None, what }]))
            }
        }
    }
}

/// What is claimed of each node, by its control state.
fn to_invariant(machine: &mut Machine<'_>, graph: &Graph, claims: &[Claimed]) -> Invariant {
    let mut invariant = Invariant::default();
    #[expect(clippy::iter_over_hash_type, reason = "from one map into another")]
    for (key, node) in &graph.keys {
        let variables = template_variables(machine, &graph.nodes[*node].template);
        let holds = Some(claims[*node].formula(machine));
        invariant.insert(key.clone(), Claim { variables, holds });
    }
    invariant
}

/// The invariant of a program that can be proved.
#[cfg(test)]
pub(crate) fn invariant_of(machine: &mut Machine<'_>, limits: &Limits) -> Option<Invariant> {
    let mut ask = Ask::new(None, limits.interrupt.clone());
    let arguments = Arguments::default();
    let first = start(machine, &arguments).ok()?;
    let graph = whole_graph(machine, &mut ask, &first, limits.max_states).ok()?;
    let mut stats = Stats::default();
    let (program, options) = (machine.image.program, machine.options.clone());
    let mut ledger = Ledger::default();
    let mut attempt =
        Attempt { program, options, arguments: &arguments, limits, stats: &mut stats, ledger: &mut ledger };
    match attempt.search(machine, &mut ask, &graph, &mut |_, _| {}) {
        Ok(Answer::Invariant(claims)) => Some(to_invariant(machine, &graph, &claims)),
        _ => None,
    }
}

/// The control graph. Control states depend on which threads are known by number, so that it is made again if some were
/// met only on the way.
fn whole_graph(
    machine: &mut Machine<'_>,
    ask: &mut Ask,
    first: &State,
    max_states: usize,
) -> Result<Graph, NoGraph> {
    loop {
        let known = machine.thread_names.names().len();
        let graph = Graph::build(machine, ask, first.clone(), max_states)?;
        if machine.thread_names.names().len() == known {
            return Ok(graph);
        }
    }
}

/// What a search has come to.
enum Answer {
    Invariant(Vec<Claimed>),
    Run(Vec<(usize, usize)>, BadId),
    Unknown(Vec<Reason>),
}

fn reason(machine: &Machine<'_>, at: Loc, what: String) -> Reason {
    Reason { at: at.is_known().then(|| machine.place(at)), what }
}
