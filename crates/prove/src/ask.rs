//! Questions to the solver, with a limit on time.
//!
//! Guarantee: an answer that the solver does not give is a [`Stopped`], never a guess.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use selvedge_solver::{Answer, Backend, Query, Solver, SolverConfig, Want, build};
use selvedge_term::{Assignment, TermId, TermPool};

/// Why a search stopped before its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Stopped {
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
pub enum Asked {
    /// A model.
    Model(Rc<Assignment>),
    /// Conjuncts that contradict each other.
    Core(Vec<TermId>),
}

/// What questions are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// Bit-vectors and arrays: the whole chain of solvers helps.
    Bits,
    /// Unbounded integers.
    Integers,
}

/// The solver, for the terms of one pool.
pub struct Ask {
    solver: Box<dyn Solver>,
    domain: Domain,
    deadline: Option<Instant>,
    interrupt: Arc<AtomicBool>,
    /// Questions that reached the solver.
    pub queries: u64,
    /// The number of questions at which to pause.
    pub pause_at: u64,
    /// Time in the solver.
    pub time: Duration,
}

impl Ask {
    /// Answers until the deadline, or until somebody interrupts.
    pub fn new(domain: Domain, deadline: Option<Instant>, interrupt: Arc<AtomicBool>) -> Ask {
        let timeout = deadline.map(|at| at.saturating_duration_since(Instant::now()));
        let whole = SolverConfig { timeout, interrupt: interrupt.clone(), ..SolverConfig::default() };
        let config = match domain {
            Domain::Bits => whole,
            Domain::Integers => {
                SolverConfig { backend: Backend::Z3, simplify: false, independence: false, ..whole }
            }
        };
        let (queries, pause_at, time) = (0, u64::MAX, Duration::ZERO);
        Ask { solver: build(&config), domain, deadline, interrupt, queries, pause_at, time }
    }

    /// Another one with the same limits, for the terms of another pool: a solver remembers terms by their numbers.
    pub fn fresh(&self) -> Ask {
        Ask::new(self.domain, self.deadline, self.interrupt.clone())
    }

    /// Fails if time is up or somebody wants to stop.
    pub fn still_time(&self) -> Result<(), Stopped> {
        if self.deadline.is_some_and(|at| Instant::now() >= at) {
            return Err(Stopped::Limit("the time limit was reached".to_string()));
        }
        match self.interrupt.load(Ordering::Relaxed) {
            true => Err(Stopped::Limit("interrupted".to_string())),
            false => Ok(()),
        }
    }

    /// Whether all of `goal` can hold together.
    pub fn ask(&mut self, pool: &mut TermPool, goal: &[TermId], want: Want) -> Result<Asked, Stopped> {
        self.under(pool, &[], goal, want)
    }

    /// Whether all of `goal` can hold together with all of `path`, about which more will be asked.
    pub fn under(
        &mut self,
        pool: &mut TermPool,
        path: &[TermId],
        goal: &[TermId],
        want: Want,
    ) -> Result<Asked, Stopped> {
        let all = || path.iter().chain(goal);
        if let Some(wrong) = all().find(|t| **t == pool.ff()) {
            return Ok(Asked::Core(vec![*wrong]));
        }
        if all().all(|t| *t == pool.tt()) {
            return Ok(Asked::Model(Rc::default()));
        }
        self.still_time()?;
        if self.queries >= self.pause_at {
            return Err(Stopped::Paused);
        }
        self.queries += 1;
        let start = Instant::now();
        let answer = self.solver.check(pool, &Query { path, goal, want });
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
    pub fn is_possible(&mut self, pool: &mut TermPool, goal: &[TermId]) -> Result<bool, Stopped> {
        Ok(matches!(self.ask(pool, goal, Want::Verdict)?, Asked::Model(_)))
    }
}
