//! The SAT solver under the bit-blaster: literals, clauses, and solving under assumptions
//! within limits.

use std::cell::Cell;
use std::ops::Not;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use batsat::{Callbacks, ClauseKind, SolverInterface, lbool};

/// A literal: a Boolean variable or its negation. Variable 0 is the constant true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Lit(u32);

impl Lit {
    pub(super) const TRUE: Lit = Lit(0);
    pub(super) const FALSE: Lit = Lit(1);

    pub(super) fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    pub(super) fn is_const(self) -> bool {
        self.0 < 2
    }

    /// Whether this is a negated variable.
    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Negates if `negate`.
    #[must_use]
    pub(super) fn negate_if(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }

    fn raw(self) -> batsat::Lit {
        batsat::Lit::new(batsat::Var::unsafe_from_idx(self.0 >> 1), self.0 & 1 == 0)
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// Limits of one call of [`Sat::solve`].
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub(super) conflicts: u64,
    pub(super) deadline: Option<Instant>,
    pub(super) interrupt: Arc<AtomicBool>,
}

/// Why a call ended without a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    Conflicts,
    Timeout,
    Interrupted,
}

/// Counts conflicts and looks at clock and flag now and then.
struct Guard {
    limits: Limits,
    conflicts: Cell<u64>,
    polls: Cell<u32>,
    stopped: Rc<Cell<Option<Stop>>>,
}

/// Polls between two looks at the clock; a poll is at least one propagation.
const POLLS_PER_LOOK: u32 = 64;

impl Callbacks for Guard {
    fn on_start(&mut self) {
        self.conflicts.set(0);
        self.polls.set(0);
    }

    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.conflicts.set(self.conflicts.get() + 1);
        }
    }

    fn stop(&self) -> bool {
        if self.stopped.get().is_some() {
            return true;
        }
        if self.conflicts.get() > self.limits.conflicts {
            self.stopped.set(Some(Stop::Conflicts));
            return true;
        }
        let polls = self.polls.get() + 1;
        self.polls.set(polls);
        if polls.is_multiple_of(POLLS_PER_LOOK) {
            if self.limits.interrupt.load(Ordering::Relaxed) {
                self.stopped.set(Some(Stop::Interrupted));
            } else if self.limits.deadline.is_some_and(|at| Instant::now() >= at) {
                self.stopped.set(Some(Stop::Timeout));
            }
        }
        self.stopped.get().is_some()
    }
}

/// An incremental SAT solver. Clauses are never taken back.
pub(super) struct Sat {
    solver: batsat::Solver<Guard>,
    stopped: Rc<Cell<Option<Stop>>>,
    scratch: Vec<batsat::Lit>,
}

impl Sat {
    pub(super) fn new(limits: Limits) -> Sat {
        let stopped = Rc::new(Cell::new(None));
        let guard =
            Guard { limits, conflicts: Cell::new(0), polls: Cell::new(0), stopped: Rc::clone(&stopped) };
        let mut sat = Sat {
            solver: batsat::Solver::new(batsat::SolverOpts::default(), guard),
            stopped,
            scratch: Vec::new(),
        };
        let truth = sat.new_lit();
        debug_assert_eq!(truth, Lit::TRUE);
        sat.add_clause(&[truth]);
        sat
    }

    /// A fresh variable, as a literal.
    pub(super) fn new_lit(&mut self) -> Lit {
        Lit(self.solver.new_var_default().idx() << 1)
    }

    pub(super) fn vars(&self) -> u32 {
        self.solver.num_vars()
    }

    pub(super) fn add_clause(&mut self, lits: &[Lit]) {
        self.scratch.clear();
        self.scratch.extend(lits.iter().map(|lit| lit.raw()));
        self.solver.add_clause_reuse(&mut self.scratch);
    }

    /// Is there a model of all clauses in which all `assumptions` hold?
    pub(super) fn solve(&mut self, assumptions: &[Lit], limits: Limits) -> Result<bool, Stop> {
        self.stopped.set(None);
        self.solver.cb_mut().limits = limits;
        let raw: Vec<batsat::Lit> = assumptions.iter().map(|lit| lit.raw()).collect();
        let verdict = self.solver.solve_limited(&raw);
        if verdict == lbool::TRUE {
            Ok(true)
        } else if verdict == lbool::FALSE {
            Ok(false)
        } else {
            Err(self.stopped.get().unwrap_or(Stop::Conflicts))
        }
    }

    /// The value of `lit` in the model just found.
    pub(super) fn value(&self, lit: Lit) -> bool {
        self.solver.value_lit(lit.raw()) == lbool::TRUE
    }

    /// Whether the assumption `lit` was needed for the refutation just found.
    pub(super) fn blamed(&self, lit: Lit) -> bool {
        self.solver.unsat_core_contains_lit((!lit).raw())
    }
}
