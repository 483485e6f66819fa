//! A SAT solver for circuits that only ever grow, asked under assumptions.
//!
//! Conflict-driven clause learning after MiniSat (Eén, Sörensson, SAT 2003), but the problem is
//! a circuit instead of clauses, and only the part of it in the fan-in of the assumptions, their
//! *cone*, takes part in a query:
//! - Gates outside the cone are neither decided nor propagated. Every assignment of a cone
//!   extends to them, because a gate's output is a function of its inputs. A query thus costs
//!   what its own circuit costs, not what all circuits so far cost.
//! - Only what an assigned gate needs is decided: the search is over when every assigned gate's
//!   value follows from its inputs' values, because then any values of the other inputs complete
//!   a model.
//! - Gates are propagated by looking at their pins, without watch lists, so that taking a gate
//!   in or out of the cone is a matter of linking it to its inputs. The cone is a stack over
//!   the assumptions, as a path is a stack of conjuncts.
//! - Assumptions are decided in order, one level each, and the levels that the next query
//!   shares stay as they are: a common path prefix is not propagated again.
//!
//! Measured on the feasibility queries of `benches/queries.rs` (CPU time, mean of the first 400):
//! with clauses and `batsat` 0.6, which assigns every variable there is, 1.2 ms and rising; with
//! clauses and decisions in the cone only, 0.5 ms and rising; like this, 0.1 ms and flat.

mod analyze;
mod circuit;
mod clauses;
mod order;
mod search;
#[cfg(test)]
mod tests;

use std::ops::Not;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

pub(super) use self::circuit::Gate;
use self::circuit::Node;
use self::clauses::{ClauseRef, Clauses, Watch};
use self::order::Order;

/// A variable; 0 is the constant true.
type Var = u32;

/// A literal: a variable or its negation.
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

    fn of(var: Var) -> Lit {
        Lit(var << 1)
    }

    fn var(self) -> Var {
        self.0 >> 1
    }

    fn index(self) -> usize {
        self.0 as usize
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

/// A set of pins of a gate: its three inputs and its output.
type Pins = u8;

/// Why a literal holds, or why there is a conflict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reason {
    /// It was decided, or asserted for good.
    None,
    /// The other literals of a learnt clause are false.
    Clause(ClauseRef),
    /// The values of these pins of a gate leave nothing else.
    Gate(Var, Pins),
}

/// Where a variable was assigned, and why.
#[derive(Clone, Copy)]
struct Place {
    level: u32,
    reason: Reason,
}

/// Where a level begins.
#[derive(Clone, Copy)]
struct Level {
    /// The length of the trail.
    trail: u32,
    /// `Sat::justified` at that time, which going back to before the level restores.
    justified: u32,
}

/// The solver.
pub(super) struct Sat {
    /// By literal: 1 true, -1 false, 0 unassigned.
    values: Vec<i8>,
    places: Vec<Place>,
    /// By variable: the value it last had, tried first when it is decided.
    phases: Vec<bool>,
    trail: Vec<Lit>,
    /// Where each level begins; level 0 has no entry.
    levels: Vec<Level>,
    /// Trail position up to which consequences are drawn.
    head: usize,

    /// By variable: the gate whose output it is.
    nodes: Vec<Node>,
    /// By variable: the first of the active gates that it is an input of.
    users: Vec<u32>,
    /// Further dependencies of inputs, see [`Sat::depends_on`].
    extra: Vec<Lit>,

    clauses: Clauses,
    learnts: Vec<ClauseRef>,
    /// By literal: the learnt clauses to look at when it becomes false.
    watches: Vec<Vec<Watch>>,
    max_learnts: usize,
    /// False once what is asserted contradicts itself, which circuits never do.
    consistent: bool,

    order: Order,
    /// Whether `order` has all unassigned candidates. Without conflicts it is not needed.
    ordered: bool,
    /// Trail position up to which every active gate's value follows from its inputs' values.
    justified: usize,

    /// Level `i + 1` decides `assumptions[i]`.
    assumptions: Vec<Lit>,
    /// Variables in the fan-in of the assumptions, in the order found. These are active.
    cone: Vec<Var>,
    /// Length of `cone` before the assumption of the same index.
    cone_marks: Vec<u32>,
    /// Gates just activated, to be looked at once.
    pending: Vec<Var>,

    /// The assumptions that the last refutation used.
    failed: Vec<Lit>,
    seen: Vec<bool>,
    to_clear: Vec<Var>,
    scratch: Vec<Lit>,
    cause: Vec<Lit>,
}

impl Sat {
    pub(super) fn new() -> Sat {
        let mut sat = Sat {
            values: Vec::new(),
            places: Vec::new(),
            phases: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            head: 0,
            nodes: Vec::new(),
            users: Vec::new(),
            extra: Vec::new(),
            clauses: Clauses::default(),
            learnts: Vec::new(),
            watches: Vec::new(),
            max_learnts: 2_000,
            consistent: true,
            order: Order::default(),
            ordered: false,
            justified: 0,
            assumptions: Vec::new(),
            cone: Vec::new(),
            cone_marks: Vec::new(),
            pending: Vec::new(),
            failed: Vec::new(),
            seen: Vec::new(),
            to_clear: Vec::new(),
            scratch: Vec::new(),
            cause: Vec::new(),
        };
        let truth = sat.new_input();
        debug_assert_eq!(truth, Lit::TRUE);
        sat.assert(truth);
        sat
    }

    /// Number of variables.
    pub(super) fn vars(&self) -> usize {
        self.nodes.len()
    }

    /// Number of variables the last query was about.
    pub(super) fn cone_size(&self) -> usize {
        self.cone.len()
    }

    /// Asserts `lit` for good. Every assignment of other inputs must allow it.
    pub(super) fn assert(&mut self, lit: Lit) {
        self.cancel(0);
        match self.values[lit.index()] {
            0 => self.enqueue(lit, Reason::None),
            1 => {}
            _ => self.consistent = false,
        }
    }

    /// The value of the input `lit` in the model just found. Inputs without a value can have any,
    /// so that they keep the one they had before.
    pub(super) fn value(&self, lit: Lit) -> bool {
        match self.values[lit.index()] {
            0 => self.phases[lit.var() as usize] != lit.is_negated(),
            value => value > 0,
        }
    }

    /// Whether the assumption `lit` was needed for the refutation just found.
    pub(super) fn blamed(&self, lit: Lit) -> bool {
        self.failed.contains(&lit)
    }

    fn level(&self) -> usize {
        self.levels.len()
    }

    fn enqueue(&mut self, lit: Lit, reason: Reason) {
        debug_assert_eq!(self.values[lit.index()], 0);
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.places[lit.var() as usize] = Place { level: self.level() as u32, reason };
        self.trail.push(lit);
    }

    /// Goes back to `level`, if beyond it.
    fn cancel(&mut self, level: usize) {
        let Some(&Level { trail: keep, justified }) = self.levels.get(level) else { return };
        self.justified = justified as usize;
        for i in (keep as usize..self.trail.len()).rev() {
            let lit = self.trail[i];
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            let var = lit.var();
            self.phases[var as usize] = !lit.is_negated();
            if self.ordered && self.is_candidate(var) {
                self.order.insert(var);
            }
        }
        self.trail.truncate(keep as usize);
        self.levels.truncate(level);
        self.head = self.head.min(keep as usize);
    }

    /// Whether `var` is decided for its own sake: what recent conflicts were about.
    fn is_candidate(&self, var: Var) -> bool {
        self.nodes[var as usize].active && self.order.is_bumped(var)
    }
}
