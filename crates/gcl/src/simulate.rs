//! Running a system on concrete values: single steps, random runs, and following a recorded trace.

use num_bigint::BigInt;

use crate::eval::{eval, holds};
use crate::system::{Expr, Rhs, Sort, State, System, Value, VarIdx};

/// One step of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The transition, an index of [`System::transitions`].
    pub transition: usize,
    /// What `nondet` gave, in the order of the assignments.
    pub inputs: Vec<Value>,
    /// The state afterwards.
    pub state: State,
}

/// A run: where it started and what happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The first state.
    pub start: State,
    /// The steps.
    pub steps: Vec<Step>,
}

impl Trace {
    /// The last state.
    pub fn end(&self) -> &State {
        self.steps.last().map_or(&self.start, |step| &step.state)
    }
}

/// Why a trace is none of the system.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The first state is not initial.
    #[error("the first state is not an initial state")]
    NotInitial,
    /// A guard does not hold.
    #[error("step {step}: the guard of {transition} does not hold")]
    NotEnabled {
        /// Position from 1.
        step: usize,
        /// Its name.
        transition: String,
    },
    /// A step leads elsewhere.
    #[error("step {step}: {transition} leads to another state")]
    OtherState {
        /// Position from 1.
        step: usize,
        /// Its name.
        transition: String,
    },
    /// The last state is not bad.
    #[error("the last state is not bad")]
    NotBad,
}

/// Whether `expr` holds in `state`.
pub fn is_true(expr: &Expr, state: &State) -> bool {
    holds(expr, state)
}

/// Transitions that can be taken in `state`.
pub fn enabled(system: &System, state: &State) -> Vec<usize> {
    (0..system.transitions.len()).filter(|&t| holds(&system.transitions[t].guard, state)).collect()
}

/// How many values `nondet` gives in a transition.
pub fn input_vars(system: &System, transition: usize) -> Vec<VarIdx> {
    let assigns = &system.transitions[transition].assigns;
    assigns.iter().filter(|a| a.rhs == Rhs::Nondet).map(|a| a.var).collect()
}

/// The state after `transition`, whose guard is not looked at; `inputs` are the values of `nondet`.
pub fn apply(system: &System, state: &State, transition: usize, inputs: &[Value]) -> State {
    let mut inputs = inputs.iter();
    let mut next = state.clone();
    for assign in &system.transitions[transition].assigns {
        next[assign.var.0] = match &assign.rhs {
            Rhs::Expr(expr) => eval(expr, state),
            Rhs::Nondet => inputs.next().cloned().unwrap_or_else(|| state[assign.var.0].clone()),
        };
    }
    next
}

/// Follows `trace` and says whether every step of it is one of the system and its end is bad.
pub fn replay(system: &System, trace: &Trace) -> Result<(), ReplayError> {
    if trace.start.len() != system.vars.len() || !holds(&system.init(), &trace.start) {
        return Err(ReplayError::NotInitial);
    }
    let mut state = &trace.start;
    for (i, step) in trace.steps.iter().enumerate() {
        let transition = &system.transitions[step.transition];
        let name = || transition.name.clone();
        if !holds(&transition.guard, state) {
            return Err(ReplayError::NotEnabled { step: i + 1, transition: name() });
        }
        if apply(system, state, step.transition, &step.inputs) != step.state {
            return Err(ReplayError::OtherState { step: i + 1, transition: name() });
        }
        state = &step.state;
    }
    if holds(&system.bad(), state) { Ok(()) } else { Err(ReplayError::NotBad) }
}

/// A small generator of random numbers (SplitMix64), so that a seed names a run for good.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator for `seed`.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.number() % n as u64) as usize
    }

    fn value(&mut self, sort: &Sort) -> Value {
        match sort {
            Sort::Int => Value::Int(BigInt::from(self.below(21)) - 10),
            Sort::Bool => Value::Bool(self.below(2) == 1),
            Sort::Enum(members) => Value::Member(self.below(members.len().max(1))),
        }
    }
}

/// Guesses of an initial state before giving up.
const GUESSES: usize = 100_000;

/// An initial state; values that `init` leaves open are guessed, integers between -10 and 10.
/// `None` if no guess fits.
pub fn random_start(system: &System, random: &mut Random) -> Option<State> {
    let init = system.init();
    let parts = match &init {
        Expr::And(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    // `x == constant` needs no guessing.
    let mut fixed: Vec<Option<Value>> = vec![None; system.vars.len()];
    for part in parts {
        match part {
            Expr::Cmp(crate::CmpOp::Eq, a, b) => {
                if let (Expr::Var(v), Expr::Const(value)) = (a.as_ref(), b.as_ref()) {
                    fixed[v.0] = Some(value.clone());
                }
            }
            Expr::Var(v) => fixed[v.0] = Some(Value::Bool(true)),
            Expr::Not(inner) => {
                if let Expr::Var(v) = inner.as_ref() {
                    fixed[v.0] = Some(Value::Bool(false));
                }
            }
            _ => {}
        }
    }
    (0..GUESSES).find_map(|_| {
        let guess = |(var, fixed): (&crate::Var, &Option<Value>), random: &mut Random| match fixed {
            Some(value) => value.clone(),
            None => random.value(&var.sort),
        };
        let state: State = system.vars.iter().zip(&fixed).map(|pair| guess(pair, random)).collect();
        holds(&init, &state).then_some(state)
    })
}

/// A random run of at most `steps` steps that ends early in a bad state or where nothing can be done.
pub fn random_run(system: &System, start: State, steps: usize, random: &mut Random) -> Trace {
    let bad = system.bad();
    let mut trace = Trace { start, steps: Vec::new() };
    while trace.steps.len() < steps && !holds(&bad, trace.end()) {
        let possible = enabled(system, trace.end());
        if possible.is_empty() {
            break;
        }
        let transition = possible[random.below(possible.len())];
        let inputs: Vec<Value> =
            input_vars(system, transition).iter().map(|var| random.value(&system.vars[var.0].sort)).collect();
        let state = apply(system, trace.end(), transition, &inputs);
        trace.steps.push(Step { transition, inputs, state });
    }
    trace
}
