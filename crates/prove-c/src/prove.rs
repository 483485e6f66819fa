//! A proof from beginning to end: graph, search, check. Where there is a proof of another version, it is tried first, and
//! if it does not hold, the search begins with what it says.

use std::time::Instant;

use selvedge_base::Loc;
use selvedge_exec::{Arguments, Ledger, Machine, Options, Piece, State, start, template_variables};
use selvedge_program::Program;
use selvedge_prove::{
    Answer, Ask, Check, CheckResult, Claimed, Domain, Left, Limits, Reason, Seeds, Stats, Stopped, Verdict,
    open, search, search_from, spoken_of,
};

use crate::explored::Explored;
use crate::graph::{Graph, NoGraph};
use crate::kept::Kept;
use crate::proof::write::PlaceNames;
use crate::proof::{Claim, Invariant, Proof, Shown, Stands, StateName, stand, system};
use crate::run::{Run, concretise};
use crate::subject::{Checked, Subject, Unchecked, check_text, check_unread};

/// Control states, if nobody says how many.
const MAX_STATES: usize = 20_000;

/// The result of a search for a proof.
#[derive(Debug)]
pub struct Outcome {
    /// The verdict; the caller has to execute a run. An earlier proof that holds is not written as a proof object.
    pub verdict: Verdict<Run>,
    /// What was counted.
    pub stats: Stats,
    /// Every object was taken for shared.
    pub all_shared: bool,
    /// What was taken for granted.
    pub ledger: Ledger,
    /// The proof of a safe program, for later versions.
    pub kept: Option<Kept>,
    /// What became of the proof of an earlier version, if there was one.
    pub earlier: Option<Earlier>,
}

/// What became of the proof of an earlier version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Earlier {
    /// The checker has accepted it for this version.
    Holds,
    /// The search began with what is left of it.
    Left(Left),
    /// It was of no use.
    Useless,
}

/// Looks for a proof of `program`; `on_level` is told about each level and the number of blocked cubes.
pub fn prove(
    program: &Program,
    options: &Options,
    arguments: &Arguments,
    limits: &Limits,
    on_level: &mut dyn FnMut(usize, usize),
) -> Outcome {
    prove_again(&Subject { program, options, arguments, names: None }, limits, None, on_level)
}

/// The same, with a proof of an earlier version.
pub fn prove_again(
    subject: &Subject<'_>,
    limits: &Limits,
    known: Option<&Kept>,
    on_level: &mut dyn FnMut(usize, usize),
) -> Outcome {
    let begun = Instant::now();
    let deadline = limits.timeout.map(|t| begun + t);
    let options = subject.options_of_proofs(subject.options.share_everything);
    let names = subject.names.map(|names| &**names);
    let known = known.and_then(|kept| kept.moved(subject.program, names));
    let mut ask = Ask::new(Domain::Bits, deadline, limits.interrupt.clone());
    if let Some(kept) = &known
        && let Some(mut outcome) = still_holds(subject, kept, &mut ask)
    {
        outcome.stats.time = begun.elapsed();
        return outcome;
    }
    let system = system(subject.program, &options, subject.arguments);
    let mut work = Attempt {
        subject,
        system: &system,
        max_states: limits.max_states.unwrap_or(MAX_STATES),
        all_shared: options.share_everything,
        known: known.as_ref(),
        stats: Stats::default(),
        ledger: Ledger::default(),
        kept: None,
        left: None,
    };
    loop {
        let mut ask = ask.fresh();
        let result = work.run(&mut ask, on_level);
        work.stats.queries += ask.queries;
        work.stats.solver_time += ask.time;
        let verdict = match result {
            Ok(verdict) => verdict,
            Err(Stopped::Lost) if !work.all_shared => {
                work.all_shared = true;
                continue;
            }
            Err(stopped) => Verdict::unknown(stopped.to_string()),
        };
        let is_unknown = matches!(verdict, Verdict::Unknown { .. });
        if is_unknown && work.known.is_some() && ask.still_time().is_ok() {
            // What is left of an earlier proof must not be in the way.
            work.known = None;
            work.all_shared = options.share_everything;
            continue;
        }
        let earlier = match (known.is_some(), work.left.filter(|_| work.known.is_some())) {
            (false, _) => None,
            (true, None) => Some(Earlier::Useless),
            (true, Some(left)) => Some(Earlier::Left(left)),
        };
        let Attempt { mut stats, all_shared, ledger, kept, .. } = work;
        stats.time = begun.elapsed();
        return Outcome { verdict, stats, all_shared, ledger, kept, earlier };
    }
}

/// The outcome, if the proof of an earlier version is one of this version, too.
fn still_holds(subject: &Subject<'_>, kept: &Kept, ask: &mut Ask) -> Option<Outcome> {
    let mut ledger = Ledger::default();
    let checked = check_unread(subject, kept.unread().ok()?, ask, &mut ledger).ok()?;
    let Checked { result: CheckResult::Accepted, how, mut stats } = checked else { return None };
    (stats.queries, stats.solver_time) = (ask.queries, ask.time);
    Some(Outcome {
        verdict: Verdict::Safe { check: how, proof: None },
        stats,
        all_shared: false,
        ledger,
        kept: Some(kept.clone()),
        earlier: Some(Earlier::Holds),
    })
}

/// Attempts to find a proof.
struct Attempt<'a> {
    subject: &'a Subject<'a>,
    system: &'a str,
    max_states: usize,
    /// Every object is taken for shared.
    all_shared: bool,
    /// The proof of an earlier version, as one of this.
    known: Option<&'a Kept>,
    stats: Stats,
    ledger: Ledger,
    kept: Option<Kept>,
    /// What is left of the earlier proof.
    left: Option<Left>,
}

impl<'a> Attempt<'a> {
    fn run(
        &mut self,
        ask: &mut Ask,
        on_level: &mut dyn FnMut(usize, usize),
    ) -> Result<Verdict<Run>, Stopped> {
        let (mut machine, earlier) = self.machine();
        let first = match start(&mut machine, self.subject.arguments) {
            Ok(first) => first,
            Err(what) => return Ok(Verdict::unknown(what)),
        };
        let known = earlier.as_ref().map(|(_, invariant)| invariant);
        let graph = match whole_graph(&mut machine, ask, &first, self.max_states, known) {
            Ok(graph) => graph,
            Err(NoGraph::Stopped(stopped)) => return Err(stopped),
            Err(NoGraph::TooMany { at }) => {
                let what = format!(
                    "the program has more than {} control states (threads, calls or objects without end?)",
                    self.max_states
                );
                return Ok(Verdict::unknown(reason(&machine, at, what)));
            }
        };
        self.stats.control_states = graph.nodes.len();
        self.stats.steps = graph.nodes.iter().map(|n| n.out.len()).sum();
        let result = self.search(&mut machine, &graph, earlier.as_ref(), ask, on_level);
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
        self.stats.instructions += machine.n_instructions;
        self.ledger.merge(machine.ledger);
        Ok(verdict)
    }

    /// A machine, and what an earlier proof says in its terms.
    fn machine(&self) -> (Machine<'a>, Option<(Check, Invariant)>) {
        let machine =
            |threads| self.subject.machine(self.subject.options_of_proofs(self.all_shared), threads);
        let unread = self.known.and_then(|kept| kept.unread().ok());
        let Some(unread) = unread.filter(|unread| unread.heading.all_shared == self.all_shared) else {
            return (machine(Vec::new()), None);
        };
        let how = Check::from_name(&unread.heading.method);
        let mut with_its_terms = machine(unread.heading.threads.clone());
        match (unread.read(&mut with_its_terms), how) {
            (Ok(proof), Some(how)) => (with_its_terms, Some((how, proof.invariant))),
            _ => (machine(Vec::new()), None),
        }
    }

    fn search(
        &mut self,
        machine: &mut Machine<'_>,
        graph: &Graph,
        earlier: Option<&(Check, Invariant)>,
        ask: &mut Ask,
        on_level: &mut dyn FnMut(usize, usize),
    ) -> Result<Answer, Stopped> {
        let mut system = Explored { machine, graph };
        let mut on_level = |level: usize, blocked: usize| {
            self.stats.levels = level;
            on_level(level, blocked);
        };
        let Some((how, invariant)) = earlier else { return search(&mut system, ask, &mut on_level) };
        let mut seeds = Seeds { how: *how, cases: vec![None; graph.nodes.len()] };
        for (key, node) in graph.named() {
            seeds.cases[node] = invariant.get(&StateName::of(key)).map(|claim| claim.cases.clone());
        }
        let left = self.left.insert(Left::default());
        search_from(&mut system, ask, &seeds, left, &mut on_level)
    }

    /// Safe, if the invariant is still one when it was written and read back, in a machine that knows nothing.
    fn checked(
        &mut self,
        graph: &Graph,
        machine: &mut Machine<'_>,
        (how, claims): (Check, &[Claimed]),
        ask: &mut Ask,
    ) -> Result<Verdict<Run>, Stopped> {
        let Written { proof, names, stands } = to_proof(machine, graph, claims, how, self.all_shared);
        self.stats.predicates = spoken_of(&mut machine.pool, claims).len();
        self.stats.clauses = claims.iter().map(|c| c.cubes.len()).sum();
        let unknown = |what: String| Ok(Verdict::unknown(what));
        let text = match proof.write(machine, &names, self.system) {
            Ok(text) => text,
            Err(why) => return unknown(format!("the proof cannot be written: {why}")),
        };
        let mut fresh = ask.fresh();
        let mut ledger = Ledger::default();
        let checked = check_text(self.subject, self.system, &text, &mut fresh, &mut ledger);
        self.ledger.merge(ledger);
        (ask.queries, ask.time) = (ask.queries + fresh.queries, ask.time + fresh.time);
        match checked.map(|checked| checked.result) {
            Ok(CheckResult::Accepted) => {
                let opened = open(&text, self.system).ok();
                let names = machine.code_names.as_deref();
                self.kept = opened.map(|opened| Kept::new(opened, &stands, names));
                Ok(Verdict::Safe { check: Some(how), proof: Some(text) })
            }
            Ok(CheckResult::Rejected(why)) => {
                unknown(format!("the checker does not accept the invariant: {why}"))
            }
            Err(Unchecked::Stopped(stopped)) => Err(stopped),
            Err(Unchecked::Proof(why)) => unknown(format!("the proof was not checked: {why}")),
        }
    }
}

/// A proof, and what it takes to write it.
struct Written {
    proof: Proof,
    names: PlaceNames,
    /// Where threads stand.
    stands: Stands,
}

/// What is claimed of each node, as a proof, and what its places are called.
fn to_proof(
    machine: &mut Machine<'_>,
    graph: &Graph,
    claims: &[Claimed],
    how: Check,
    all_shared: bool,
) -> Written {
    let mut shown = Shown::new(machine.image.program);
    let mut stands = Stands::new();
    let mut names = PlaceNames::default();
    let mut invariant = Invariant::new();
    for (key, node) in graph.named() {
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
        let stand = stand(machine.image.program, template);
        let places = shown.stand(&stand);
        invariant.insert(StateName::of(key), Claim { places, variables, cases });
        stands.insert(StateName::of(key), stand);
    }
    let threads = machine.thread_names.names().to_vec();
    let proof = Proof { method: how.name().to_owned(), all_shared, threads, invariant };
    Written { proof, names, stands }
}

/// The control graph. Control states depend on which threads are known by number, so that it is made again if some were
/// met only on the way.
fn whole_graph(
    machine: &mut Machine<'_>,
    ask: &mut Ask,
    first: &State,
    max_states: usize,
    earlier: Option<&Invariant>,
) -> Result<Graph, NoGraph> {
    loop {
        let known = machine.thread_names.names().len();
        let graph = Graph::build(machine, ask, first.clone(), max_states, earlier)?;
        if machine.thread_names.names().len() == known {
            return Ok(graph);
        }
    }
}

fn reason(machine: &Machine<'_>, at: Loc, what: String) -> Reason {
    Reason { at: at.is_known().then(|| machine.place(at)), what }
}
