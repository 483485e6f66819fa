//! A proof from beginning to end: graph, search, check.

use std::time::Instant;

use selvedge_base::Loc;
use selvedge_exec::{
    Arguments, Bounds, Ledger, Machine, Options, Piece, Sources, State, ThreadNames, start,
    template_variables,
};
use selvedge_program::Program;
use selvedge_prove::{
    Answer, Ask, Check, CheckError, CheckResult, Claimed, Domain, Limits, ProofError, Reason, Stats, Stopped,
    Unanswered, Verdict, check, search, spoken_of,
};

use crate::explored::Explored;
use crate::graph::{Graph, NoGraph};
use crate::proof::read::heading;
use crate::proof::write::PlaceNames;
use crate::proof::{Claim, Invariant, Proof, StateName, places, system};
use crate::run::{Run, concretise};
use crate::walk::Walk;

/// Control states, if nobody says how many.
const MAX_STATES: usize = 20_000;

/// The result of a search for a proof.
#[derive(Debug)]
pub struct Outcome {
    /// The verdict; the caller has to execute a run.
    pub verdict: Verdict<Run>,
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
        let mut ask = Ask::new(Domain::Bits, deadline, limits.interrupt.clone());
        let mut ledger = Ledger::default();
        let mut attempt =
            Attempt { program, options, arguments, limits, stats: &mut stats, ledger: &mut ledger };
        let result = attempt.run(&mut ask, on_level);
        stats.queries = ask.queries;
        stats.solver_time = ask.time;
        stats.time = begun.elapsed();
        let verdict = match result {
            Ok(verdict) => verdict,
            Err(Stopped::Lost) if !all_shared => {
                all_shared = true;
                continue;
            }
            Err(stopped) => Verdict::unknown(stopped.to_string()),
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

    fn run(
        &mut self,
        ask: &mut Ask,
        on_level: &mut dyn FnMut(usize, usize),
    ) -> Result<Verdict<Run>, Stopped> {
        let mut machine = self.machine();
        let first = match start(&mut machine, self.arguments) {
            Ok(first) => first,
            Err(what) => return Ok(Verdict::unknown(what)),
        };
        let max_states = self.limits.max_states.unwrap_or(MAX_STATES);
        let graph = match whole_graph(&mut machine, ask, &first, max_states) {
            Ok(graph) => graph,
            Err(NoGraph::Stopped(stopped)) => return Err(stopped),
            Err(NoGraph::TooMany { at }) => {
                let what = format!(
                    "the program has more than {} control states (threads, calls or objects without end?)",
                    max_states
                );
                return Ok(Verdict::unknown(reason(&machine, at, what)));
            }
        };
        self.stats.control_states = graph.nodes.len();
        self.stats.steps = graph.nodes.iter().map(|n| n.out.len()).sum();
        let mut system = Explored { machine: &mut machine, graph: &graph };
        let result = search(&mut system, ask, &mut |level, blocked| {
            self.stats.levels = level;
            on_level(level, blocked);
        });
        ask.pause_at = u64::MAX;
        let verdict = match result? {
            Answer::Invariant(how, claims) => self.checked(&graph, &mut machine, (how, &claims), ask)?,
            Answer::Unknown(reasons) => Verdict::Unknown { reasons },
            Answer::Run(steps, bad) => match concretise(&mut machine, ask, &graph, &steps, bad)? {
                Some(run) => Verdict::Unsafe(run),
                None => {
                    let what = "a failure was found only for an undefined value that differs when read again";
                    let at = graph.nodes[bad.0].bad[bad.1].at;
                    Verdict::unknown(reason(&machine, at, what.to_string()))
                }
            },
        };
        self.stats.instructions = machine.n_instructions;
        self.ledger.merge(machine.ledger);
        Ok(verdict)
    }

    /// Safe, if the invariant is still one when it was written and read back, in a machine that knows nothing.
    fn checked(
        &mut self,
        graph: &Graph,
        machine: &mut Machine<'_>,
        (how, claims): (Check, &[Claimed]),
        ask: &mut Ask,
    ) -> Result<Verdict<Run>, Stopped> {
        let (proof, names) = to_proof(machine, graph, claims, how, self.options.share_everything);
        self.stats.predicates = spoken_of(&mut machine.pool, claims).len();
        self.stats.clauses = claims.iter().map(|c| c.cubes.len()).sum();
        let unknown = |what: String| Ok(Verdict::unknown(what));
        let system = system(self.program, &self.options, self.arguments);
        let text = match proof.write(machine, &names, &system) {
            Ok(text) => text,
            Err(why) => return unknown(format!("the proof cannot be written: {why}")),
        };
        let mut fresh = ask.fresh();
        let mut ledger = Ledger::default();
        let about = (self.program, &self.options, self.arguments);
        let checked = check_text(about, &system, &text, &mut fresh, &mut ledger);
        self.ledger.merge(ledger);
        (ask.queries, ask.time) = (ask.queries + fresh.queries, ask.time + fresh.time);
        match checked {
            Ok(CheckResult::Accepted) => Ok(Verdict::Safe { check: Some(how), proof: Some(text) }),
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
    how: Check,
    all_shared: bool,
) -> (Proof, PlaceNames) {
    let mut names = PlaceNames::default();
    let mut invariant = Invariant::new();
    let mut keys: Vec<(&Vec<u64>, usize)> = graph.keys.iter().map(|(key, node)| (key, *node)).collect();
    keys.sort_unstable_by_key(|(_, node)| *node);
    for (key, node) in keys {
        let cases = claims[node].cases(&mut machine.pool);
        // Some were left behind when constants became variables.
        if cases.is_empty() || !graph.is_reached[node] {
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
    (Proof { method: how.name().to_owned(), all_shared, threads, invariant }, names)
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
    let result = check(&mut Walk::new(&mut machine, &proof.invariant, first), ask);
    ledger.merge(machine.ledger);
    // Control states go by the numbers of threads.
    if machine.thread_names.names().len() != proof.threads.len() {
        return Ok(CheckResult::Rejected("a thread is missing".to_owned()));
    }
    match result {
        Ok(result) => Ok(result),
        Err(Stopped::Lost) => Ok(CheckResult::Rejected(Stopped::Lost.to_string())),
        Err(stopped) => Err(Unchecked::Stopped(stopped)),
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
    let mut ask = Ask::new(Domain::Bits, deadline, limits.interrupt.clone());
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

fn reason(machine: &Machine<'_>, at: Loc, what: String) -> Reason {
    Reason { at: at.is_known().then(|| machine.place(at)), what }
}
