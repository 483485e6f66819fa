//! The relative effect of one visible step of a program with threads.
//!
//! As for a segment of one thread, but from scheduling point to scheduling point, the threads that the step starts or
//! wakes included; where a step can go several ways, it is taken in parts. The result is the state after the step over the variables of the state before it.
//!
//! Guarantee: every state with the control state of `start` that satisfies the guards has a step of the same thread
//! that leads to the control state of `end`, with the contents that [`RelativeStep::before`] goes by. Inputs that the step
//! consumes are free variables. Where one of the `voids` holds, the step contradicts an assumption about its own inputs.

use selvedge_term::{Assignment, TermId};

use super::abstraction::{abstract_memory, abstract_thread};
use super::actual::{ActualOracle, Omit};
use super::change::Change;
use super::values::{Images, Instance, StateValues};
use crate::control::Control;
use crate::finding::{PathEnd, Stop};
use crate::machine::Machine;
use crate::segment::{Driver, Noted, SegmentEnd, run_segment};
use crate::state::State;
use crate::threads::Phase;

/// Why there is no relative effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoEffect(pub String);

/// A step over state variables.
pub struct RelativeStep {
    /// What must hold before it.
    pub guards: Vec<TermId>,
    /// Conditions under which it is no step at all, each complete in itself.
    pub voids: Vec<TermId>,
    /// What it has changed.
    change: Change,
    /// What has been asked about it.
    images: Images,
    /// It consumes inputs, or leaves some behind that have not been looked at before: their variables are those of this
    /// very step.
    has_inputs: bool,
}

impl RelativeStep {
    /// Whether what was said about it so far has inputs of this very step.
    pub fn has_inputs(&self) -> bool {
        self.has_inputs
    }

    /// Whether the step goes this way from another state with the control state of its start, under this model.
    pub fn is_taken_from(&self, machine: &mut Machine<'_>, start: &State, values: &mut StateValues) -> bool {
        let mut holds = |guard: &TermId| values.value(machine, start, *guard).is_some_and(|v| v.value == 1);
        self.guards.iter().all(&mut holds)
    }

    /// What must hold before the step so that `term`, over the variables of the state after it, holds then: the items of a
    /// conjunction that stay as they are, and those that do not.
    pub fn before(&mut self, machine: &mut Machine<'_>, term: TermId) -> Option<(Vec<TermId>, Vec<TermId>)> {
        let n_inputs = machine.sources.n_inputs();
        let Instance { same, changed } = self.images.instances(&mut machine.symbols(), &self.change, term)?;
        // An input that was only put into memory becomes a variable when somebody asks.
        self.has_inputs |= machine.sources.n_inputs() != n_inputs;
        Some((same, changed))
    }
}

/// How far a step goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// To the next scheduling point, which comes after at most so many instructions.
    Whole(u64),
    /// To a branch, after exactly so many instructions.
    Part(u64),
}

/// The relative effect of the step of `thread`, or of what is left of it if it is under way, that led from `start` to a
/// state with control state `end` and path condition with model `model`.
pub fn relative_step(
    machine: &mut Machine<'_>,
    start: &State,
    thread: usize,
    model: &Assignment,
    end: &Control,
    extent: Extent,
    omit: Omit,
) -> Result<RelativeStep, NoEffect> {
    let (instructions, n_inputs) = (machine.n_instructions, machine.sources.n_inputs());
    let mut oracle = ActualOracle::new(start, StateValues::new(model), omit);
    machine.ledger.is_closed = true;
    let result = run(machine, &mut oracle, thread, extent);
    machine.ledger.is_closed = false;
    machine.n_instructions = instructions;
    let (state, change) = result?;
    let ActualOracle { mut guards, voids, .. } = oracle;
    let none = |why: &str| NoEffect(why.to_string());
    let reached = machine.control(&state, None).ok_or_else(|| none("its end cannot be described"))?;
    guards.extend(reached.pinned_to(machine, end).ok_or_else(|| none("it ends elsewhere"))?);
    let has_inputs = machine.sources.n_inputs() != n_inputs;
    Ok(RelativeStep { guards, voids, change, images: Images::default(), has_inputs })
}

/// Runs a step over state variables, the way that the actual one went.
struct Rerunning<'a, 'p, 's> {
    machine: &'a mut Machine<'p>,
    oracle: &'a mut ActualOracle<'s>,
    /// Instructions that are left.
    left: u64,
    is_part: bool,
    /// Threads that have not taken part so far.
    idle: Vec<bool>,
}

/// Why a step over state variables is not run on.
enum Left {
    /// As many instructions were executed as there should be.
    Here,
    Never(NoEffect),
}

impl Rerunning<'_, '_, '_> {
    fn never<T>(why: impl std::fmt::Debug) -> Result<T, Left> {
        Err(Left::Never(NoEffect(format!("the step stopped early: {why:?}"))))
    }
}

impl Driver for Rerunning<'_, '_, '_> {
    type Left = Left;

    fn run(&mut self, state: &mut State) -> Result<Stop, Left> {
        if self.is_part && self.left == 0 {
            return Err(Left::Here);
        }
        let (begun, done) = (self.machine.n_instructions, state.steps);
        let stop = self.machine.run(state, self.oracle, self.left);
        let n = if self.is_part { state.steps - done } else { self.machine.n_instructions - begun };
        self.left = self.left.saturating_sub(n);
        match stop {
            Stop::Budget if !self.is_part => Rerunning::never(Stop::Budget),
            stop => Ok(stop),
        }
    }

    fn stopped(&mut self, _: &State, end: &PathEnd) -> Result<Noted, Left> {
        match end {
            // A failure that has been noted, or nobody would ask.
            PathEnd::Exit(_) | PathEnd::Infeasible | PathEnd::Finding(_) => Ok(Noted::Yes),
            other => Rerunning::never(other),
        }
    }

    /// Threads that wake up come in ascending order or not at all: each is abstracted once, before it runs.
    fn resumed(&mut self, state: &mut State, thread: usize) {
        if self.idle.get_mut(thread).is_some_and(std::mem::take) {
            abstract_thread(self.machine, state, thread);
        }
    }
}

fn run(
    machine: &mut Machine<'_>,
    oracle: &mut ActualOracle<'_>,
    thread: usize,
    extent: Extent,
) -> Result<(State, Change), NoEffect> {
    let start = oracle.start;
    let mut state = start.clone();
    state.path.clear();
    abstract_memory(machine, &mut state);
    let before = state.mem.clone();
    if !start.is_under_way() {
        state.grant(thread);
    }
    abstract_thread(machine, &mut state, thread);
    let (left, is_part) = match extent {
        Extent::Whole(n) => (n, false),
        Extent::Part(n) => (n, true),
    };
    let is_unborn = |t: usize| start.threads[t].phase == Phase::Unborn;
    let idle = (0..start.threads.len()).map(|t| t != thread && !is_unborn(t)).collect();
    let mut driver = Rerunning { machine, oracle, left, is_part, idle };
    match run_segment(&mut driver, &mut state) {
        Ok(SegmentEnd::AtRest) | Err(Left::Here) => {}
        Err(Left::Never(why)) => return Err(why),
        Ok(other) => return Err(NoEffect(format!("the step stopped early: {other:?}"))),
    }
    // What is kept of loops is numbered: if others have lost some, the numbers mean something else.
    let idle = driver.idle;
    let keeps_loops = |t: usize| start.threads[t].probes.len() == state.threads[t].probes.len();
    if (0..idle.len()).any(|t| idle[t] && !keeps_loops(t)) {
        return Err(NoEffect("what another thread knows of a loop has changed".to_string()));
    }
    let change = Change::between(&before, &state, &idle);
    Ok((state, change))
}

/// Whether a variable of a relative effect stands for something that the step itself brought into the world.
pub fn is_new(machine: &Machine<'_>, var: selvedge_term::VarId) -> bool {
    machine.sources.piece(var).is_some_and(|piece| piece.source.is_input())
}
