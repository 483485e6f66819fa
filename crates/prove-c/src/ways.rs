//! One step of one thread from a template, in all the ways it can go.
//!
//! A step is what it is for a search over schedules: a visible operation and all local work up to the next scheduling
//! point, that of threads it started included. A thread that goes round in a loop without a visible operation stops at the
//! loop's head; from there it goes on with a step that others cannot notice.
//!
//! Guarantee: from every state that the template stands for, each step of the thread is one of the ways, with values that
//! satisfy the way's guards. What the executor cannot do is a way that ends in an obstacle.

use std::rc::Rc;

use selvedge_base::Loc;
use selvedge_exec::{
    Bound, Finding, Machine, PathEnd, Phase, State, Stop, fix_pointer, forget_history, open_pointers,
};
use selvedge_solver::Want;
use selvedge_term::{Evaluator, TermId};

use crate::ask::{Ask, Asked, EveryWay, Stopped};

/// Instructions of one step before it counts as endless.
const MAX_INSTRUCTIONS: u64 = 2_000_000;
/// Ways of one step before it counts as too many.
const MAX_WAYS: usize = 4096;

/// Who makes a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub(crate) thread: usize,
    /// Others can notice it: it has a turn in a schedule.
    pub(crate) is_visible: bool,
}

/// The steps that can be made from a state.
pub(crate) fn moves(state: &State) -> Vec<Move> {
    let all = (0..state.threads.len()).filter_map(|thread| {
        let is_local = state.threads[thread].phase == Phase::Local;
        (is_local || state.is_enabled(thread)).then_some(Move { thread, is_visible: !is_local })
    });
    all.collect()
}

/// One way that a step can go.
#[derive(Debug)]
pub(crate) struct Way {
    /// What must hold before it, over state variables and inputs of the step.
    pub(crate) guards: Vec<TermId>,
    pub(crate) end: End,
    /// Where the thread stood that stopped last.
    pub(crate) at: Loc,
    /// Inputs and undefined values that each thread has used up.
    pub(crate) used: Vec<(u32, u32)>,
}

/// How a way ends.
#[derive(Debug)]
pub(crate) enum End {
    /// Every thread waits for its turn. The history is forgotten.
    Rest(Box<State>),
    /// The program is wrong.
    Fails(Rc<Finding>),
    /// Nothing can be said about what follows.
    Obstacle(String),
}

/// All ways of a step from `template`.
pub(crate) fn ways(
    machine: &mut Machine<'_>,
    ask: &mut Ask,
    template: &State,
    step: Move,
) -> Result<Vec<Way>, Stopped> {
    let mut start = template.clone();
    // Threads that stand at the head of a loop have their own steps.
    let mut rests: Vec<bool> = start.threads.iter().map(|t| t.phase == Phase::Local).collect();
    rests[step.thread] = false;
    match step.is_visible {
        true => start.grant(step.thread),
        false => start.resume(step.thread),
    }
    let mut open = vec![(start, rests)];
    let mut done = Vec::new();
    while let Some((mut state, mut rests)) = open.pop() {
        ask.still_time()?;
        if done.len() + open.len() > MAX_WAYS {
            let end = End::Obstacle(format!("a step can go more than {MAX_WAYS} ways"));
            done.push(way(machine, &state, end));
            return Ok(done);
        }
        loop {
            let is_local = state.thread().phase == Phase::Local;
            if !is_local || rests.get(state.current) == Some(&true) {
                let next = state.local_threads().find(|t| rests.get(*t) != Some(&true));
                let Some(next) = next else {
                    let mut end = state.clone();
                    forget_history(machine, &mut end);
                    for (guards, end) in with_places(machine, ask, &state.path, end)? {
                        let mut way = way(machine, &state, End::Rest(Box::new(end)));
                        way.guards.extend(guards);
                        done.push(way);
                    }
                    break;
                };
                state.resume(next);
            }
            let stop = machine.run(&mut state, &mut EveryWay { ask }, MAX_INSTRUCTIONS);
            let obstacle = match stop {
                Stop::Pause => {
                    if state.thread().phase == Phase::Local {
                        rests.resize(state.threads.len(), false);
                        rests[state.current] = true;
                    }
                    continue;
                }
                Stop::Fork(alternatives) => {
                    for (choice, cond) in alternatives.into_iter().rev() {
                        let mut next = state.clone();
                        next.take(choice, cond);
                        open.push((next, rests.clone()));
                    }
                    break;
                }
                // The others may still do what they could have done before.
                Stop::End(PathEnd::Exit(code)) => {
                    state.exited.get_or_insert(code);
                    state.halt();
                    continue;
                }
                Stop::End(PathEnd::Infeasible) => {
                    state.is_cut = true;
                    state.halt();
                    continue;
                }
                Stop::End(PathEnd::Finding(finding)) => {
                    done.push(way(machine, &state, End::Fails(finding)));
                    break;
                }
                Stop::Lost => return Err(Stopped::Lost),
                Stop::Budget => format!("a step of more than {MAX_INSTRUCTIONS} instructions"),
                Stop::End(PathEnd::Unchecked(finding)) => {
                    format!("{}: nothing is known about what follows", finding.message)
                }
                Stop::End(PathEnd::Bound(Bound::Unwind)) => "the bound of --unwind".to_string(),
                Stop::End(PathEnd::Bound(Bound::Steps)) => "the bound of --max-steps".to_string(),
                Stop::End(PathEnd::Bound(Bound::Depth)) => "calls are nested too deeply".to_string(),
                Stop::End(PathEnd::Unsupported(what) | PathEnd::SolverUnknown(what)) => what,
            };
            ask.still_time()?;
            done.push(way(machine, &state, End::Obstacle(obstacle)));
            break;
        }
    }
    Ok(done)
}

fn way(machine: &Machine<'_>, state: &State, end: End) -> Way {
    let mut guards: Vec<TermId> = Vec::new();
    for guard in &state.path {
        for conjunct in machine.pool.conjuncts(*guard) {
            if !guards.contains(&conjunct) && conjunct != machine.pool.tt() {
                guards.push(conjunct);
            }
        }
    }
    Way {
        guards,
        end,
        at: state.user_loc(machine.image.program),
        used: state.threads.iter().map(|t| (t.n_inputs, t.n_undefs)).collect(),
    }
}

/// Places that one pointer can have before they are no longer told apart.
const MAX_PLACES: usize = 64;

/// The state with the addresses of its pointers into small objects known: one state, and what it adds to the guards, for
/// each place that they can have.
fn with_places(
    machine: &mut Machine<'_>,
    ask: &mut Ask,
    path: &[TermId],
    state: State,
) -> Result<Vec<(Vec<TermId>, State)>, Stopped> {
    let mut open = vec![(Vec::new(), state)];
    let mut done = Vec::new();
    'states: while let Some((guards, state)) = open.pop() {
        for (at, address) in open_pointers(&state) {
            let mut goal: Vec<TermId> = path.to_vec();
            goal.extend_from_slice(&guards);
            let mut places = Vec::new();
            while let Asked::Model(model) = ask.ask(&mut machine.pool, &goal, Want::Model)? {
                let place = Evaluator::new(&*model).eval_u64(&machine.pool, address);
                let width = machine.pool.width(address);
                let constant = machine.pool.bv(width, place);
                let here = machine.pool.eq(address, constant);
                goal.push(machine.pool.not(here));
                places.push((here, place));
                if places.len() > MAX_PLACES {
                    break;
                }
            }
            if places.len() <= MAX_PLACES {
                for (here, place) in places {
                    let mut next = (guards.clone(), state.clone());
                    if here != machine.pool.tt() {
                        next.0.push(here);
                    }
                    fix_pointer(machine, &mut next.1, at, place);
                    open.push(next);
                }
                continue 'states;
            }
        }
        done.push((guards, state));
    }
    Ok(done)
}
