//! From the steps of a run to its schedule and inputs.
//!
//! The conditions of all steps are taken back to the start of the program, with other names for the inputs of each step;
//! what is left there is a condition on inputs alone. A model of it gives every input, numbered by thread as the
//! executor does, so that the run can be executed like any other failing execution.

use rustc_hash::FxHashMap;
use selvedge_exec::{FixedInputs, Machine, Piece, Source};
use selvedge_prove::{Ask, Asked, BadId, StepId, Stopped, TransitionSystem, conjuncts, rename};
use selvedge_solver::Want;
use selvedge_term::VarId;

use crate::explored::Explored;
use crate::graph::{Graph, Why};

/// An execution that goes wrong: who makes each visible step, and with which inputs.
#[derive(Clone, Debug)]
pub struct Run {
    /// What goes wrong, and where.
    pub what: String,
    /// The thread of each visible step.
    pub turns: Vec<u32>,
    /// The values of all inputs; others do not matter.
    pub inputs: FixedInputs,
    /// Numbers of threads: which child of which parent each is.
    pub threads: Vec<(u32, u32)>,
}

/// An input of one step under its own name.
struct Renamed {
    step: usize,
    var: VarId,
    as_var: VarId,
}

impl Renamed {
    fn of(step: usize) -> impl FnMut((VarId, VarId)) -> Renamed {
        move |(var, as_var)| Renamed { step, var, as_var }
    }
}

/// The run that takes `steps` and then the bad step; `None` if no inputs make it happen.
pub(crate) fn concretise(
    machine: &mut Machine<'_>,
    ask: &mut Ask,
    graph: &Graph,
    steps: &[StepId],
    bad: BadId,
) -> Result<Option<Run>, Stopped> {
    let bad = &graph.nodes[bad.0].bad[bad.1];
    let mut system = Explored { machine, graph };
    let mut renamed: Vec<Renamed> = Vec::new();
    let mut conditions = bad.guards.clone();
    renamed
        .extend(rename(&mut system, steps.len(), &mut conditions).into_iter().map(Renamed::of(steps.len())));
    for (i, step) in steps.iter().enumerate().rev() {
        let mut earlier = system.guards(*step).to_vec();
        for condition in conditions {
            let Some(condition) = system.before(*step, condition) else { return Ok(None) };
            earlier.push(condition);
        }
        renamed.extend(rename(&mut system, i, &mut earlier).into_iter().map(Renamed::of(i)));
        conditions = conjuncts(system.pool(), &earlier);
    }
    let machine = system.machine;
    // Inputs and undefined values that each thread has used up before each step.
    let mut used: Vec<Vec<(u32, u32)>> = vec![Vec::new()];
    for step in steps {
        let last = used.last().expect("begins with one");
        let here = &graph.edge(*step).used;
        let add = |t: usize| {
            let (before, now) = (last.get(t).unwrap_or(&(0, 0)), here.get(t).unwrap_or(&(0, 0)));
            (before.0 + now.0, before.1 + now.1)
        };
        let sum = (0..here.len().max(last.len())).map(add).collect();
        used.push(sum);
    }
    let sources: Vec<Option<Piece>> = renamed.iter().map(|r| absolute(machine, r, &used)).collect();
    // An instruction that stops before its visible part is executed again in the next step, and reads the same.
    let mut first: FxHashMap<Piece, VarId> = FxHashMap::default();
    for (input, piece) in renamed.iter().zip(&sources) {
        let Some(piece) = piece else { continue };
        let known = *first.entry(*piece).or_insert(input.as_var);
        let (one, other) = (machine.pool.var_term(known), machine.pool.var_term(input.as_var));
        conditions.push(machine.pool.eq(one, other));
    }
    let Asked::Model(model) = ask.ask(&mut machine.pool, &conditions, Want::Model)? else { return Ok(None) };
    let mut inputs = FixedInputs::default();
    for (input, piece) in renamed.iter().zip(&sources) {
        let (Some(piece), Some(value)) = (piece, model.get(input.as_var)) else { continue };
        let mut raw = value.as_big().unwrap_or_default().to_bytes_le();
        raw.resize(piece.len as usize, 0);
        let bytes = inputs.bytes.entry(piece.source).or_default();
        let end = (piece.at + piece.len) as usize;
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        bytes[piece.at as usize..end].copy_from_slice(&raw);
    }
    let moves = steps.iter().map(|s| graph.edge(*s).step).chain(bad.step);
    let turns = moves.filter(|m| m.is_visible).map(|m| m.thread as u32).collect();
    let (Why::Wrong(what) | Why::Unknown(what)) = &bad.why;
    let what = format!("{}: {what}", machine.place(bad.at));
    Ok(Some(Run { what, turns, inputs, threads: machine.thread_names.names().to_vec() }))
}

/// What an input is in an execution from the start: numbered by thread, after those that were used up before its step.
fn absolute(machine: &Machine<'_>, input: &Renamed, used: &[Vec<(u32, u32)>]) -> Option<Piece> {
    let piece = machine.sources.piece(input.var)?;
    let before = |thread: u32| used[input.step].get(thread as usize).copied().unwrap_or_default();
    let source = match piece.source {
        Source::Input { thread, n } => Source::Input { thread, n: before(thread).0 + n },
        Source::Undef { thread, n, other } => Source::Undef { thread, n: before(thread).1 + n, other },
        other => other,
    };
    Some(Piece { source, ..piece })
}
