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
    Bound, Driver, Finding, Machine, Noted, PathEnd, Phase, SegmentEnd, State, Stop, fix_pointer,
    forget_history, open_pointers, run_segment,
};
use selvedge_prove::{Ask, Asked, Stopped};
use selvedge_solver::Want;
use selvedge_term::{Evaluator, TermId};

use crate::every_way::EveryWay;

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
    while let Some((mut state, rests)) = open.pop() {
        ask.still_time()?;
        if done.len() + open.len() > MAX_WAYS {
            let end = End::Obstacle(format!("a step can go more than {MAX_WAYS} ways"));
            done.push(way(machine, &state, end));
            return Ok(done);
        }
        let mut driver = Stepping { machine, ask, rests };
        let end = run_segment(&mut driver, &mut state);
        let rests = driver.rests;
        match end {
            Ok(SegmentEnd::AtRest) => {
                let mut end = state.clone();
                forget_history(machine, &mut end);
                for (guards, end) in with_places(machine, ask, &state.path, end)? {
                    let mut way = way(machine, &state, End::Rest(Box::new(end)));
                    way.guards.extend(guards);
                    done.push(way);
                }
            }
            Ok(SegmentEnd::Forked(alternatives)) => {
                for (choice, cond) in alternatives.into_iter().rev() {
                    let mut next = state.clone();
                    next.take(choice, cond);
                    open.push((next, rests.clone()));
                }
            }
            Ok(SegmentEnd::Lost) => return Err(Stopped::Lost),
            Err(end) => {
                if matches!(end, End::Obstacle(_)) {
                    ask.still_time()?;
                }
                done.push(way(machine, &state, end));
            }
        }
    }
    Ok(done)
}

/// Runs a step from a template, in all ways that it can go.
struct Stepping<'a, 'p> {
    machine: &'a mut Machine<'p>,
    ask: &'a mut Ask,
    /// Threads that stand at the head of a loop, and have their own steps.
    rests: Vec<bool>,
}

impl Driver for Stepping<'_, '_> {
    type Left = End;

    fn run(&mut self, state: &mut State) -> Result<Stop, End> {
        match self.machine.run(state, &mut EveryWay { ask: self.ask }, MAX_INSTRUCTIONS) {
            Stop::Budget => {
                Err(End::Obstacle(format!("a step of more than {MAX_INSTRUCTIONS} instructions")))
            }
            stop => Ok(stop),
        }
    }

    fn stopped(&mut self, _: &State, end: &PathEnd) -> Result<Noted, End> {
        Err(match end {
            // The others may still do what they could have done before.
            PathEnd::Exit(_) | PathEnd::Infeasible => return Ok(Noted::No),
            PathEnd::Finding(finding) => End::Fails(finding.clone()),
            PathEnd::Unchecked(finding) => {
                End::Obstacle(format!("{}: nothing is known about what follows", finding.message))
            }
            PathEnd::Bound(Bound::Unwind) => End::Obstacle("the bound of --unwind".to_string()),
            PathEnd::Bound(Bound::Steps) => End::Obstacle("the bound of --max-steps".to_string()),
            PathEnd::Bound(Bound::Outside) => End::Obstacle("memory from outside".to_string()),
            PathEnd::Bound(Bound::Depth) => End::Obstacle("calls are nested too deeply".to_string()),
            PathEnd::Unsupported(what) | PathEnd::SolverUnknown(what) => End::Obstacle(what.clone()),
        })
    }

    fn paused(&mut self, state: &State) {
        if state.is_under_way() {
            self.rests.resize(state.threads.len(), false);
            self.rests[state.current] = true;
        }
    }

    fn next(&mut self, state: &State) -> Option<usize> {
        state.local_threads().find(|t| self.rests.get(*t) != Some(&true))
    }
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
