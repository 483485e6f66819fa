//! The entry points: prove a system, check a proof object.

use std::time::Instant;

use num_bigint::BigInt;
use selvedge_term::{TermId, TermPool};

use crate::check::{self, CheckResult};
use crate::control::Controls;
use crate::engine::Engine;
use crate::envelope::Error;
use crate::explore::{Matching, Stop, explore};
use crate::flat::Flat;
use crate::graph::dot;
use crate::model::{Language, Model};
use crate::oracle::{Oracle, Unanswered};
use crate::outcome::{Check, Limits, Method, Options, Outcome, Stats, Verdict};
use crate::proof::Proof;
use crate::refine::{Ended, Found, Round, proof};
use crate::search::{Answer, search, spoken_of};
use crate::state::Data;
use crate::transitions::TransitionSystem;
use crate::{refine, spacer, trace};

/// Control states that are explored ahead, if nobody says how many.
const MAX_CONTROLS: usize = 20_000;

fn unknown(reason: impl Into<String>) -> Verdict {
    Verdict::unknown(reason.into())
}

/// Proves that `language`'s system is safe, or finds a run that shows that it is not.
/// `on_round` is told the number of each round and of its predicates.
pub fn prove(language: &dyn Language, options: &Options, on_round: &mut dyn FnMut(u32, usize)) -> Outcome {
    let start = Instant::now();
    let limits = &options.limits;
    let deadline = limits.timeout.map(|limit| start + limit);
    let mut pool = TermPool::new();
    let model = language.model(&mut pool);
    if options.method == Method::Spacer {
        return by_spacer(pool, &model, limits, start, deadline);
    }
    if let Err(Unanswered(why)) = Controls::check_size(&pool, &model) {
        return Outcome::unknown(why);
    }
    let oracle = Oracle::new(deadline, limits.interrupt.clone());
    if options.method == Method::Pdr {
        return by_search((pool, model), language, oracle, limits, start, on_round);
    }
    let mut engine = Engine::new(pool, model, oracle, limits);
    let ended = refine::refine(&mut engine, options.method, limits, on_round);
    let mut stats = numbers(&engine, &ended);
    let verdict = verdict(&mut engine, language, &ended, &mut stats);
    let graph = match (&ended.round, options.graph) {
        (Some(round), true) => Some(dot(&mut engine, language, round)),
        _ => None,
    };
    let warnings = match &verdict {
        Verdict::Safe { .. } => {
            let mut warnings = empty_start(&mut engine.pool, &engine.model, &mut engine.oracle);
            if warnings.is_empty() {
                warnings.extend(ended.round.as_ref().and_then(|round| never_taken(&mut engine, round)));
            }
            warnings
        }
        _ => Vec::new(),
    };
    let predicates =
        engine.predicates.atoms().iter().map(|p| language.show(&engine.pool, &engine.model, *p)).collect();
    stats.queries = engine.oracle.ask.queries;
    stats.query_hits = engine.oracle.hits;
    stats.solver_time = engine.oracle.ask.time;
    stats.time = start.elapsed();
    Outcome { verdict, stats, predicates, graph, warnings }
}

/// A warning if there is no initial state: then every property holds.
fn empty_start(pool: &mut TermPool, model: &Model, oracle: &mut Oracle) -> Vec<String> {
    match has_start(pool, model, oracle) {
        Ok(false) => vec![NO_START.to_owned()],
        // Without an answer nothing is said.
        Ok(true) | Err(_) => Vec::new(),
    }
}

const NO_START: &str =
    "no state satisfies the initial conditions: the program has no runs, and any property holds";

fn has_start(pool: &mut TermPool, model: &Model, oracle: &mut Oracle) -> Result<bool, Unanswered> {
    for (_, condition) in Controls::new(model).initial(pool, model)? {
        if oracle.is_possible(pool, &[condition], &[])? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A warning about transitions that can be taken nowhere. What is explored of a safe system has every abstract state
/// that can be reached, and guards are decided in each.
fn never_taken(engine: &mut Engine, round: &Round) -> Option<String> {
    const SHOWN: usize = 5;
    let mut taken = vec![false; engine.model.transitions.len()];
    for t in &round.system.transitions {
        let control = round.exploration.states[t.from].0;
        taken[engine.cases(control)[t.case as usize].transition] = true;
    }
    let names: Vec<&str> = engine
        .model
        .transitions
        .iter()
        .zip(&taken)
        .filter(|(_, taken)| !**taken)
        .map(|(t, _)| t.name.as_str())
        .collect();
    let more = names.len().saturating_sub(SHOWN);
    let list = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    match (names.len(), more) {
        (0, _) => None,
        (1, _) => Some(format!("{list} can never be taken")),
        (_, 0) => Some(format!("these transitions can never be taken: {list}")),
        _ => Some(format!("these transitions can never be taken: {list} and {more} more")),
    }
}

fn numbers(engine: &Engine, ended: &Ended) -> Stats {
    let mut stats =
        Stats { iterations: ended.iterations, predicates: engine.predicates.len(), ..Stats::default() };
    if let Some(Round { exploration, system, .. }) = &ended.round {
        stats.symbolic_states = exploration.nodes.len();
        stats.concrete_states =
            exploration.nodes.iter().filter(|n| matches!(n.data, Data::Concrete(_))).count();
        stats.abstract_states = exploration.states.len();
        stats.abstract_transitions = system.transitions.len();
    }
    stats
}

fn verdict(engine: &mut Engine, language: &dyn Language, ended: &Ended, stats: &mut Stats) -> Verdict {
    match (&ended.found, &ended.round) {
        (Ok(Found::Error), Some(round)) => {
            let Some((first, cases)) = &round.exploration.error else {
                return unknown("there is no error path");
            };
            match trace::run(engine, &round.exploration, *first, cases) {
                Err(Unanswered(why)) => unknown(why),
                Ok(run) => match language.replay(&run) {
                    Ok(()) => Verdict::Unsafe(run),
                    Err(why) => unknown(format!("the run that was found cannot be replayed: {why}")),
                },
            }
        }
        (Ok(Found::Invariant(how, cubes)), _) => {
            let proof = proof(engine, *how, cubes.clone());
            safe(&mut engine.pool, &engine.model, &mut engine.oracle, language, &proof, stats)
        }
        (Ok(Found::Error), None) => unknown("there is no error path"),
        (Err(why), _) => unknown(why.clone()),
    }
}

/// Safe, if the text of the proof says so.
fn safe(
    pool: &mut TermPool,
    model: &Model,
    oracle: &mut Oracle,
    language: &dyn Language,
    proof: &Proof,
    stats: &mut Stats,
) -> Verdict {
    let text = proof.write(pool, model, language);
    let start = Instant::now();
    // What is read back is checked, so that the text itself is known to be right.
    let read = Proof::read(pool, model, language, &text).map_err(|e| e.to_string());
    let result = read.and_then(|read| checked(pool, model, oracle, &read).map_err(|e| e.to_string()));
    stats.check_time = start.elapsed();
    match result {
        Ok(CheckResult::Accepted) => Verdict::Safe { check: Some(proof.check), proof: Some(text) },
        Ok(CheckResult::Rejected(why)) => unknown(format!("the proof does not hold: {why}")),
        Err(why) => unknown(format!("the proof was not checked: {why}")),
    }
}

fn checked(
    pool: &mut TermPool,
    model: &Model,
    oracle: &mut Oracle,
    proof: &Proof,
) -> Result<CheckResult, Unanswered> {
    Ok(check::check(&mut Flat::claimed(pool, model, proof)?, &mut oracle.ask)?)
}

/// By the searches that C programs are proved by. `on_level` is told each level and how many cubes are blocked.
fn by_search(
    (mut pool, model): (TermPool, Model),
    language: &dyn Language,
    mut oracle: Oracle,
    limits: &Limits,
    start: Instant,
    on_level: &mut dyn FnMut(u32, usize),
) -> Outcome {
    let mut stats = Stats::default();
    let mut predicates = Vec::new();
    let verdict =
        searched((&mut pool, &model), language, &mut oracle, limits, &mut stats, &mut predicates, on_level);
    let verdict = verdict.unwrap_or_else(|Unanswered(why)| unknown(why));
    let warnings = match &verdict {
        Verdict::Safe { .. } => empty_start(&mut pool, &model, &mut oracle),
        _ => Vec::new(),
    };
    let predicates: Vec<String> = predicates.iter().map(|p| language.show(&pool, &model, *p)).collect();
    (stats.queries, stats.solver_time) = (oracle.ask.queries, oracle.ask.time);
    stats.time = start.elapsed();
    Outcome { verdict, stats, predicates, graph: None, warnings }
}

fn searched(
    (pool, model): (&mut TermPool, &Model),
    language: &dyn Language,
    oracle: &mut Oracle,
    limits: &Limits,
    stats: &mut Stats,
    predicates: &mut Vec<TermId>,
    on_level: &mut dyn FnMut(u32, usize),
) -> Result<Verdict, Unanswered> {
    let max_states = limits.max_states.unwrap_or(MAX_CONTROLS);
    let mut flat = Flat::explored(pool, model, max_states, &oracle.ask)?;
    (stats.control_states, stats.steps) = (flat.n_controls(), flat.count());
    let answer = search(&mut flat, &mut oracle.ask, &mut |level, blocked| {
        stats.levels = level;
        on_level(level as u32, blocked);
    });
    oracle.ask.pause_at = u64::MAX;
    Ok(match answer? {
        Answer::Invariant(how, claims) => {
            *predicates = spoken_of(flat.pool(), &claims);
            stats.predicates = predicates.len();
            stats.clauses = claims.iter().map(|claim| claim.cubes.len()).sum();
            let proof = Proof { check: how, predicates: Vec::new(), cubes: flat.cubes(&claims) };
            safe(pool, model, oracle, language, &proof, stats)
        }
        Answer::Run(steps, _) => match flat.run(&mut oracle.ask, &steps)? {
            None => unknown("a path that was found has no run"),
            Some(run) => match language.replay(&run) {
                Ok(()) => Verdict::Unsafe(run),
                Err(why) => unknown(format!("the run that was found cannot be replayed: {why}")),
            },
        },
        Answer::Unknown(reasons) => Verdict::Unknown { reasons },
    })
}

fn by_spacer(
    mut pool: TermPool,
    model: &Model,
    limits: &Limits,
    start: Instant,
    deadline: Option<Instant>,
) -> Outcome {
    let verdict = match spacer::solve(&mut pool, model, limits) {
        Ok(true) => Verdict::Safe { check: None, proof: None },
        Ok(false) => unknown("spacer finds that a bad state can be reached; it gives no run"),
        Err(why) => unknown(why),
    };
    let warnings = match &verdict {
        Verdict::Safe { .. } => {
            empty_start(&mut pool, model, &mut Oracle::new(deadline, limits.interrupt.clone()))
        }
        _ => Vec::new(),
    };
    let stats = Stats { time: start.elapsed(), ..Stats::default() };
    Outcome { verdict, stats, predicates: Vec::new(), graph: None, warnings }
}

/// Why a proof object was not even looked at, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// Not a proof object of this system.
    #[error(transparent)]
    Proof(#[from] Error),
    /// The solver gave no answer.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

/// Verifies a proof object of `language`'s system with the solver.
pub fn check_proof(language: &dyn Language, text: &str, limits: &Limits) -> Result<CheckResult, CheckError> {
    let mut pool = TermPool::new();
    let model = language.model(&mut pool);
    let deadline = limits.timeout.map(|limit| Instant::now() + limit);
    let mut oracle = Oracle::new(deadline, limits.interrupt.clone());
    let proof = Proof::read(&mut pool, &model, language, text)?;
    Ok(checked(&mut pool, &model, &mut oracle, &proof)?)
}

/// Whether `check` alone shows that `language`'s system is safe, without any refinement; for tests of what each check
/// can do.
pub fn shows_at_once(language: &dyn Language, check: Check, limits: &Limits) -> Result<bool, Unanswered> {
    let mut pool = TermPool::new();
    let model = language.model(&mut pool);
    let oracle = Oracle::new(None, limits.interrupt.clone());
    refine::shows_at_once(&mut Engine::new(pool, model, oracle, limits), check)
}

/// Whether `language`'s system has an initial state. Without one every property holds, and a proof says nothing.
pub fn has_initial_state(language: &dyn Language, limits: &Limits) -> Result<bool, Unanswered> {
    let mut pool = TermPool::new();
    let model = language.model(&mut pool);
    let deadline = limits.timeout.map(|limit| Instant::now() + limit);
    has_start(&mut pool, &model, &mut Oracle::new(deadline, limits.interrupt.clone()))
}

/// The concrete states that one exploration under the program's guards and `predicates` expands or reaches,
/// in the order of the variables; for programs without nondeterminism, and for tests of monotonicity.
pub fn explored(
    language: &dyn Language,
    predicates: &[String],
    limits: &Limits,
) -> Result<Vec<Vec<BigInt>>, String> {
    let mut pool = TermPool::new();
    let model = language.model(&mut pool);
    let terms: Vec<TermId> =
        predicates.iter().map(|p| language.read(&mut pool, &model, p)).collect::<Result<_, _>>()?;
    let oracle = Oracle::new(None, limits.interrupt.clone());
    let mut engine = Engine::new(pool, model, oracle, limits);
    engine.add_guards();
    for term in terms {
        engine.add_predicates(term);
    }
    let exploration = loop {
        match explore(&mut engine, Matching::Path) {
            Ok(exploration) => break exploration,
            Err(Stop::NewPredicates) => {}
            Err(Stop::Unanswered(Unanswered(why))) => return Err(why),
        }
    };
    let mut states = Vec::new();
    for node in exploration.nodes.iter() {
        let Data::Concrete(data) = &node.data else { return Err("a state is not concrete".to_owned()) };
        let control = engine.controls.values(node.control).iter().map(|v| BigInt::from(*v));
        states.push(control.chain(data.iter().map(|v| BigInt::from(*v))).collect());
    }
    states.sort();
    Ok(states)
}
