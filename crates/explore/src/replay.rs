//! One execution with all inputs and the schedule fixed.

use std::rc::Rc;
use std::sync::Arc;

use selvedge_analysis::Slice;
use selvedge_exec::memory::Symbols;
use selvedge_exec::{
    Arguments, Choice, CopyStep, Driver, Frame, Machine, Noted, Oracle, PathEnd, Phase, SegmentEnd, State,
    Stop, Thread, point, run_segment, start,
};
use selvedge_por::Location;
use selvedge_program::Inst;
use selvedge_term::TermId;

use crate::deadlock::stuck;
use crate::limits::Limits;

/// Instructions of a section that are tried.
const MAX_SECTION: u32 = 1_000_000;
/// Visible steps between two looks at the limits.
const TURNS_PER_LOOK: usize = 256;

/// One visible step: who made it, and where in a program with points (see `Thread::n_points`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VisibleStep {
    /// The thread.
    pub thread: usize,
    /// Points it had passed.
    pub n_points: u64,
    /// The last one.
    pub site: u32,
    /// Not the first step of its instruction: a thread that waited on a condition goes on, or a copy.
    pub is_midway: bool,
    /// It ends a wait for a semaphore (see `State::is_resting`).
    pub is_rest: bool,
    /// The part of a copy that it moves, if that takes several steps.
    pub copy: Option<CopyStep>,
    /// It brings a signal to a thread, which has passed those points.
    pub brings: Option<Brings>,
}

/// That a signal comes to a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Brings {
    /// The thread.
    pub thread: usize,
    /// The signal; `None` if the program itself has sent it.
    pub signal: Option<u32>,
}

/// A finished concrete execution.
pub struct Replayed {
    /// The state at its end.
    pub state: State,
    /// How it ended; `None` if a limit stopped it.
    pub end: Option<PathEnd>,
    /// The visible steps.
    pub turns: Vec<VisibleStep>,
}

/// With fixed inputs nothing is open: a question is about what was never written, if that is kept as a variable.
struct NoChoice;

const SYMBOLIC: &str = "a concrete execution met a symbolic value";

impl Oracle for NoChoice {
    fn choose(&mut self, cx: &mut Symbols<'_>, _: &State, conds: &[TermId]) -> Choice {
        let mut holds = |c: &TermId| {
            let settled = cx.sources.settled(cx.pool, *c);
            cx.pool.as_bool(settled) == Some(true)
        };
        conds.iter().position(&mut holds).map_or_else(|| Choice::Unknown(SYMBOLIC.to_string()), Choice::Only)
    }

    fn witness(&mut self, cx: &mut Symbols<'_>, _: &State, term: TermId) -> Result<u64, String> {
        let settled = cx.sources.settled(cx.pool, term);
        cx.pool.as_u64(settled).ok_or_else(|| SYMBOLIC.to_string())
    }
}

/// Runs the thread whose turn it is. The local work of the others waits for their turns: that reads best.
struct Replaying<'a, 'p> {
    machine: &'a mut Machine<'p>,
    limits: &'a Limits<'a>,
    is_wanted: &'a dyn Fn(&State, &PathEnd) -> bool,
    /// What stopped a thread first, but for the end of the program.
    first: Option<(State, PathEnd)>,
    turns: Vec<VisibleStep>,
}

impl Driver for Replaying<'_, '_> {
    /// The end that is looked for; none if a limit is reached.
    type Left = Option<PathEnd>;

    fn run(&mut self, state: &mut State) -> Result<Stop, Self::Left> {
        let stop = self.machine.run(state, &mut NoChoice, 100_000);
        if let Some(VisibleStep { thread, brings: Some(brings), .. }) = self.turns.last_mut() {
            brings.signal = brings.signal.or_else(|| state.brought(*thread));
        }
        match stop {
            Stop::Budget if self.limits.reached(true).is_some() => Err(None),
            stop => Ok(stop),
        }
    }

    fn stopped(&mut self, state: &State, end: &PathEnd) -> Result<Noted, Self::Left> {
        if (self.is_wanted)(state, end) || !state.is_concurrent {
            return Err(Some(end.clone()));
        }
        if !matches!(end, PathEnd::Exit(_)) {
            self.first.get_or_insert_with(|| (state.clone(), end.clone()));
        }
        Ok(Noted::No)
    }

    fn next(&mut self, _: &State) -> Option<usize> {
        None
    }
}

/// Runs the program once, each visible step by the thread that `schedule` names, and further steps by the
/// thread that ran last as long as it can. The machine's sources must be fixed.
///
/// With `slice`, the schedule has only the steps that matter; the others are made as soon as possible.
///
/// `is_wanted` says whether an end is the one looked for; a thread that ends otherwise before the program does
/// is stopped, as in a search. What a schedule leads to need not come to an end: after `max_turns` visible steps, or when a
/// limit is reached, there is none.
pub fn replay(
    machine: &mut Machine<'_>,
    arguments: &Arguments,
    schedule: &[u32],
    (limits, max_turns): (&Limits<'_>, usize),
    slice: Option<&Arc<Slice>>,
    is_wanted: &dyn Fn(&State, &PathEnd) -> bool,
) -> Option<Replayed> {
    let mut state = start(machine, arguments).ok()?;
    let mut schedule = schedule.iter().copied();
    let mut driver = Replaying { machine, limits, is_wanted, first: None, turns: Vec::new() };
    let mut turn = None;
    loop {
        let unsupported = match run_segment(&mut driver, &mut state) {
            Ok(SegmentEnd::AtRest) => None,
            Ok(SegmentEnd::Forked(_)) => Some(SYMBOLIC),
            Ok(SegmentEnd::Lost) => Some("an address reached another thread as a number"),
            Err(end) => return Some(Replayed { state, end, turns: driver.turns }),
        };
        if let Some(what) = unsupported {
            let end = Some(PathEnd::Unsupported(what.to_string()));
            return Some(Replayed { state, end, turns: driver.turns });
        }
        let Replaying { machine, first, turns, .. } = &mut driver;
        let is_time_to_look = turns.len() % TURNS_PER_LOOK == TURNS_PER_LOOK - 1;
        if turns.len() >= max_turns || is_time_to_look && limits.reached(true).is_some() {
            return Some(Replayed { state, end: None, turns: std::mem::take(turns) });
        }
        let irrelevant = slice.and_then(|slice| irrelevant_step(machine, &state, slice));
        let next = irrelevant.or_else(|| next_thread(&state, turn.take(), &mut schedule));
        let Some(thread) = next else {
            // What stopped a thread before says more than that the others came to their ends.
            let turns = std::mem::take(turns);
            if let Some((state, end)) = first.take() {
                return Some(Replayed { state, end: Some(end), turns });
            }
            if let Some((thread, finding)) = stuck(machine, &state) {
                state.current = thread;
                return Some(Replayed { state, end: Some(PathEnd::Finding(Rc::new(finding))), turns });
            }
            let end = PathEnd::Exit(state.exited.unwrap_or(0));
            return Some(Replayed { state, end: Some(end), turns });
        };
        if state.threads[thread].phase == Phase::Local {
            turn = Some(thread);
            state.resume(thread);
            continue;
        }
        if let Some(target) = state.brings_to(thread).filter(|t| state.threads[*t].phase == Phase::Local) {
            // A signal finds its thread before a visible step.
            turn = Some(thread);
            state.resume(target);
            continue;
        }
        if !state.is_enabled(thread) {
            let what = format!("the schedule runs thread {thread}, which cannot go on there");
            let turns = std::mem::take(turns);
            return Some(Replayed { state, end: Some(PathEnd::Unsupported(what)), turns });
        }
        let target = state.brings_to(thread);
        let at = target.unwrap_or(thread);
        let (n_points, site) = (state.threads[at].n_points, state.threads[at].last_point);
        let copy = state.copy_step(machine.image.program, thread);
        let is_midway = state.is_midway(thread);
        let is_rest = state.is_resting(thread);
        let brings = target.map(|thread| Brings { thread, signal: None });
        turns.push(VisibleStep { thread, n_points, site, is_midway, is_rest, copy, brings });
        state.grant(thread);
    }
}

/// A thread that waits to make a step that does not matter, and can.
fn irrelevant_step(machine: &mut Machine<'_>, state: &State, slice: &Arc<Slice>) -> Option<usize> {
    (0..state.threads.len()).find(|&t| {
        let thread = &state.threads[t];
        let is_access = matches!(&thread.phase, Phase::Waiting(accesses)
            if accesses.iter().all(|a| matches!(a.location, Location::Memory { .. })));
        // The end of a thread's first function and of the thread are one step, which matters.
        let is_last = thread.frames.len() == 1 && is_at_return(machine, thread);
        is_access
            && !is_last
            && state.is_enabled(t)
            && thread.frames.last().is_some_and(|frame| !slice.is_relevant(point(frame)))
            && (thread.atomic_depth == 0 || !section_matters(machine, state, t, slice))
    })
}

fn is_at_return(machine: &Machine<'_>, thread: &Thread) -> bool {
    let program = machine.image.program;
    let inst = |frame: &Frame| program.funcs[frame.func].blocks[frame.block].insts.get(frame.idx);
    thread.frames.last().is_some_and(|frame| matches!(inst(frame), Some(Inst::Return { .. })))
}

/// Whether something that matters comes in the section in which a thread stands. A search stops there only, and makes the
/// rest of the section together with it; here the section is one step.
fn section_matters(machine: &mut Machine<'_>, state: &State, thread: usize, slice: &Arc<Slice>) -> bool {
    let mut probe = state.clone();
    probe.grant(thread);
    probe.end_turn();
    let recorder = machine.recorder.take();
    machine.slice = Some(slice.clone());
    let is_inside = |probe: &State| probe.threads[thread].atomic_depth > 0;
    for _ in 0..MAX_SECTION {
        if !is_inside(&probe) || machine.run(&mut probe, &mut NoChoice, 1) != Stop::Budget {
            break;
        }
    }
    machine.slice = None;
    machine.recorder = recorder;
    is_inside(&probe)
}

/// The thread that runs next; `None` if none can.
fn next_thread(
    state: &State,
    turn: Option<usize>,
    schedule: &mut impl Iterator<Item = u32>,
) -> Option<usize> {
    let is_local = |t: &usize| state.threads[*t].phase == Phase::Local;
    let finds_local = |t: &usize| state.brings_to(*t).is_some_and(|target| is_local(&target));
    let can_go_on = |t: &usize| is_local(t) || state.is_enabled(*t) || finds_local(t);
    let mut all = 0..state.threads.len();
    if !all.clone().any(|t| can_go_on(&t)) {
        return None;
    }
    // A thread that was stopped before it came to its visible step has no turn.
    let turn = turn.filter(|t| state.is_live(*t));
    if let Some(thread) = turn.filter(|t| can_go_on(t)) {
        return Some(thread);
    }
    match schedule.next() {
        // One that cannot make its step has a turn only if the schedule says so: local work came last.
        Some(thread) => Some(turn.unwrap_or((thread as usize).min(state.threads.len() - 1))),
        // What the schedule led up to may be local work.
        None => all
            .clone()
            .find(is_local)
            .or_else(|| Some(state.current).filter(can_go_on).filter(|t| !state.is_bringer(*t)))
            .or_else(|| all.clone().find(|t| can_go_on(t) && !state.is_bringer(*t)))
            .or_else(|| all.find(can_go_on)),
    }
}
