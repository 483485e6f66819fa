//! Questions to the solver, with a limit on time.
//!
//! Guarantee: an answer that the solver does not give is a [`Stopped`], never a guess.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use selvedge_exec::memory::Symbols;
use selvedge_exec::{Choice, Oracle, State};
use selvedge_solver::{Answer, Query, Solver, SolverConfig, Want, build};
use selvedge_term::{Assignment, Evaluator, TermId, TermPool};

/// Why a search stopped before its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Stopped {
    /// A limit, the solver, or the user.
    #[error("{0}")]
    Limit(String),
    /// An address reached another thread as a number: everything must be taken for shared.
    #[error("an address reached another thread as a number")]
    Lost,
    /// The number of questions at which somebody wanted to pause is reached.
    #[error("too many questions")]
    Paused,
}

/// Satisfiable with a model, or not, with the conjuncts that are to blame.
pub(crate) enum Asked {
    Model(Rc<Assignment>),
    Core(Vec<TermId>),
}

/// The solver.
pub(crate) struct Ask {
    solver: Box<dyn Solver>,
    deadline: Option<Instant>,
    interrupt: Arc<AtomicBool>,
    pub(crate) queries: u64,
    /// The number of questions at which to pause.
    pub(crate) pause_at: u64,
    pub(crate) time: Duration,
}

impl Ask {
    pub(crate) fn new(deadline: Option<Instant>, interrupt: Arc<AtomicBool>) -> Ask {
        let timeout = deadline.map(|at| at.saturating_duration_since(Instant::now()));
        let config = SolverConfig { timeout, interrupt: interrupt.clone(), ..SolverConfig::default() };
        Ask {
            solver: build(&config),
            deadline,
            interrupt,
            queries: 0,
            pause_at: u64::MAX,
            time: Duration::ZERO,
        }
    }

    /// Another one with the same limits, for other terms.
    pub(crate) fn fresh(&self) -> Ask {
        Ask::new(self.deadline, self.interrupt.clone())
    }

    /// Fails if time is up or somebody wants to stop.
    pub(crate) fn still_time(&self) -> Result<(), Stopped> {
        if self.deadline.is_some_and(|at| Instant::now() >= at) {
            return Err(Stopped::Limit("the time limit was reached".to_string()));
        }
        match self.interrupt.load(Ordering::Relaxed) {
            true => Err(Stopped::Limit("interrupted".to_string())),
            false => Ok(()),
        }
    }

    /// Whether all of `goal` can hold together.
    pub(crate) fn ask(&mut self, pool: &mut TermPool, goal: &[TermId], want: Want) -> Result<Asked, Stopped> {
        if let Some(wrong) = goal.iter().find(|t| **t == pool.ff()) {
            return Ok(Asked::Core(vec![*wrong]));
        }
        if goal.iter().all(|t| *t == pool.tt()) {
            return Ok(Asked::Model(Rc::default()));
        }
        self.still_time()?;
        if self.queries >= self.pause_at {
            return Err(Stopped::Paused);
        }
        self.queries += 1;
        let start = Instant::now();
        let answer = self.solver.check(pool, &Query { path: &[], goal, want });
        self.time += start.elapsed();
        match answer {
            Answer::Sat(model) => Ok(Asked::Model(model.unwrap_or_default())),
            Answer::Unsat(core) => Ok(Asked::Core(core)),
            Answer::Unknown(why) => {
                self.still_time()?;
                Err(Stopped::Limit(why.to_string()))
            }
        }
    }

    /// Whether all of `goal` can hold together.
    pub(crate) fn is_possible(&mut self, pool: &mut TermPool, goal: &[TermId]) -> Result<bool, Stopped> {
        Ok(matches!(self.ask(pool, goal, Want::Verdict)?, Asked::Model(_)))
    }
}

/// Answers the executor: every alternative that is possible under the guards of the step so far.
pub(crate) struct EveryWay<'a> {
    pub(crate) ask: &'a mut Ask,
}

impl Oracle for EveryWay<'_> {
    fn choose(&mut self, cx: &mut Symbols<'_>, state: &State, conds: &[TermId]) -> Choice {
        let mut possible = Vec::new();
        for (i, cond) in conds.iter().enumerate() {
            let mut goal = state.path.clone();
            goal.push(*cond);
            match self.ask.is_possible(cx.pool, &goal) {
                Ok(true) => possible.push(i),
                Ok(false) => {}
                Err(why) => return Choice::Unknown(why.to_string()),
            }
        }
        match possible[..] {
            [] => Choice::Unknown("no alternative is possible".to_string()),
            // The condition need not be noted: the guards imply it.
            [only] => Choice::Only(only),
            _ => Choice::Several(possible),
        }
    }

    fn witness(&mut self, cx: &mut Symbols<'_>, state: &State, term: TermId) -> Result<u64, String> {
        match self.ask.ask(cx.pool, &state.path, Want::Model) {
            Ok(Asked::Model(model)) => Ok(Evaluator::new(&*model).eval_u64(cx.pool, term)),
            Ok(Asked::Core(_)) => Err("the guards of a step contradict each other".to_string()),
            Err(why) => Err(why.to_string()),
        }
    }
}
