//! A proof from beginning to end: graph, search, check.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;
use selvedge_base::Loc;
use selvedge_exec::{
    Arguments, Bounds, Ledger, Machine, Options, Piece, Sources, State, ThreadNames, start,
    template_variables,
};
use selvedge_program::Program;
use selvedge_prove::{CheckError, CheckResult, ProofError, Unanswered};

use crate::abstraction::Abstraction;
use crate::ask::{Ask, Stopped};
use crate::check::{Rejected, check};
use crate::graph::{Graph, NoGraph, Why};
use crate::proof::read::heading;
use crate::proof::write::PlaceNames;
use crate::proof::{Claim, Invariant, Proof, StateName, places, system};
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
    /// No execution of any length goes wrong: the proof object as text.
    Safe(String),
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
        let options = of_proofs(options, all_shared);
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

    /// Safe, if the invariant is still one when it was written and read back, in a machine that knows nothing.
    fn checked(
        &mut self,
        graph: &Graph,
        machine: &mut Machine<'_>,
        claims: &[Claimed],
        ask: &mut Ask,
    ) -> Result<Verdict, Stopped> {
        let (proof, names) =
            to_proof(machine, graph, claims, self.stats.method, self.options.share_everything);
        let mut predicates = FxHashSet::default();
        for atom in claims.iter().flat_map(|c| &c.cubes).flatten() {
            // A condition and its negation are one predicate.
            let negated = machine.pool.not(*atom);
            predicates.insert((*atom).min(negated));
        }
        self.stats.predicates = predicates.len();
        self.stats.clauses = claims.iter().map(|c| c.cubes.len()).sum();
        let unknown = |what: String| Ok(Verdict::Unknown(vec![Reason { at: None, what }]));
        let system = system(self.program, &self.options, self.arguments);
        let text = match proof.write(machine, &names, &system) {
            Ok(text) => text,
            Err(why) => return unknown(format!("the proof cannot be written: {why}")),
        };
        // A solver remembers terms by their numbers, which are others there.
        let mut fresh = ask.fresh();
        let mut ledger = Ledger::default();
        let about = (self.program, &self.options, self.arguments);
        let checked = check_text(about, &system, &text, &mut fresh, &mut ledger);
        self.ledger.merge(ledger);
        (ask.queries, ask.time) = (ask.queries + fresh.queries, ask.time + fresh.time);
        match checked {
            Ok(CheckResult::Accepted) => Ok(Verdict::Safe(text)),
            Ok(CheckResult::Rejected(why)) => {
                unknown(format!("the checker does not accept the invariant: {why}"))
            }
            Err(Unchecked::Stopped(stopped)) => Err(stopped),
            Err(Unchecked::Proof(why)) => unknown(format!("the proof was not checked: {why}")),
        }
    }
}

/// What is claimed of each node, as a proof, and what its places are called.
fn to_proof(
    machine: &mut Machine<'_>,
    graph: &Graph,
    claims: &[Claimed],
    method: &str,
    all_shared: bool,
) -> (Proof, PlaceNames) {
    let mut names = PlaceNames::default();
    let mut invariant = Invariant::new();
    let mut keys: Vec<(&Vec<u64>, usize)> = graph.keys.iter().map(|(key, node)| (key, *node)).collect();
    keys.sort_unstable_by_key(|(_, node)| *node);
    for (key, node) in keys {
        let cases = claims[node].cases(machine);
        // One that no step leads to was left behind.
        if cases.is_empty() || graph.into[node].is_empty() {
            continue;
        }
        let template = &graph.nodes[node].template;
        let variables = template_variables(machine, template);
        let mut spoken_of: Vec<Piece> = variables.clone();
        for condition in cases.iter().flatten() {
            let vars = machine.pool.vars(*condition);
            spoken_of.extend(vars.iter().filter_map(|var| machine.sources.piece(*var)));
        }
        spoken_of.into_iter().for_each(|place| names.note(machine, template, place));
        let places = places(machine, template);
        invariant.insert(StateName::of(key), Claim { places, variables, cases });
    }
    let threads = machine.thread_names.names().to_vec();
    (Proof { method: method.to_owned(), all_shared, threads, invariant }, names)
}

/// Why a proof was not checked to its end.
enum Unchecked {
    Proof(ProofError),
    Stopped(Stopped),
}

/// Checks a proof about `system` in a machine of its own.
fn check_text(
    (program, options, arguments): (&Program, &Options, &Arguments),
    system: &str,
    text: &str,
    ask: &mut Ask,
    ledger: &mut Ledger,
) -> Result<CheckResult, Unchecked> {
    let unread = heading(text, system).map_err(Unchecked::Proof)?;
    let options = Options { share_everything: unread.heading.all_shared, ..options.clone() };
    let mut machine = Machine::new(program, options, Sources::default());
    machine.thread_names = ThreadNames::from_names(unread.heading.threads.clone());
    let proof = unread.read(&mut machine).map_err(Unchecked::Proof)?;
    let first = match start(&mut machine, arguments) {
        Ok(first) => first,
        Err(why) => return Ok(CheckResult::Rejected(why)),
    };
    let result = check(&mut machine, ask, first, &proof.invariant);
    ledger.merge(machine.ledger);
    // Control states go by the numbers of threads.
    if machine.thread_names.names().len() != proof.threads.len() {
        return Ok(CheckResult::Rejected("a thread is missing".to_owned()));
    }
    match result {
        Ok(()) => Ok(CheckResult::Accepted),
        Err(Rejected::Because(why)) => Ok(CheckResult::Rejected(why)),
        Err(Rejected::Stopped(Stopped::Lost)) => Ok(CheckResult::Rejected(Stopped::Lost.to_string())),
        Err(Rejected::Stopped(stopped)) => Err(Unchecked::Stopped(stopped)),
    }
}

/// Checks a proof object of `program` with nothing but the executor and the solver; `ledger` is told what that takes for
/// granted.
pub fn check_proof(
    program: &Program,
    options: &Options,
    arguments: &Arguments,
    text: &str,
    limits: &Limits,
    ledger: &mut Ledger,
) -> Result<CheckResult, CheckError> {
    let options = of_proofs(options, options.share_everything);
    let system = system(program, &options, arguments);
    let deadline = limits.timeout.map(|t| Instant::now() + t);
    let mut ask = Ask::new(deadline, limits.interrupt.clone());
    check_text((program, &options, arguments), &system, text, &mut ask, ledger).map_err(|why| match why {
        Unchecked::Proof(error) => CheckError::Proof(error),
        Unchecked::Stopped(stopped) => CheckError::Unanswered(Unanswered(stopped.to_string())),
    })
}

/// What the executor does in a proof: no bounds, and loops stop at their heads.
fn of_proofs(options: &Options, share_everything: bool) -> Options {
    Options {
        loop_points: true,
        share_everything,
        bounds: Bounds { unwind: None, max_steps: None, ..options.bounds },
        ..options.clone()
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
