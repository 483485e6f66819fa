//! Questions and answers: what every link of the chain takes and gives.
//!
//! A [`Query`] asks whether the conjunction `path ∧ goal` has a model. `path` is
//! what the search has already taken for granted, `goal` is the new question.
//!
//! The search keeps the precondition of [`Query`], as it only follows feasible branches.

use std::rc::Rc;

use selvedge_term::{Assignment, TermId, TermPool};

use crate::stats::Stats;

/// Is `∃X. ⋀path ∧ ⋀goal` true? All conjuncts are terms of width 1.
///
/// Precondition: **`path` alone is satisfiable.** Slicing and simplification rest on it. A caller
/// that cannot promise it puts everything into `goal`.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Conjuncts in assertion order. Along a depth-first search successive queries
    /// share long prefixes, and backends keep what they know about the prefix.
    pub path: &'a [TermId],
    /// Further conjuncts, usually one.
    pub goal: &'a [TermId],
    /// What the caller will use of the answer.
    pub want: Want,
}

impl<'a> Query<'a> {
    /// All conjuncts: first the path, then the goal.
    pub fn conjuncts(&self) -> impl Iterator<Item = TermId> + use<'a> {
        self.path.iter().chain(self.goal).copied()
    }

    /// The answer that blames every conjunct. Always a right core of an unsatisfiable query.
    pub(crate) fn unsat_by_all(&self) -> Answer {
        Answer::Unsat(self.conjuncts().collect())
    }
}

/// How much of an answer is needed. Less is cheaper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// Satisfiable or not. A model may still be given where it comes for free.
    Verdict,
    /// A model if satisfiable.
    Model,
    /// A small unsatisfiable subset if unsatisfiable.
    Core,
}

/// The answer to a [`Query`].
#[derive(Clone, Debug)]
pub enum Answer {
    /// Satisfiable. The model is there if it was wanted, and may be there otherwise.
    ///
    /// With independence slicing the model gives values only to variables connected with
    /// the goal; together with any model of the rest of `path` (for example an older model
    /// of the same path, see [`Assignment::merge`]) it is a model of the whole query.
    Sat(Option<Rc<Assignment>>),
    /// Unsatisfiable, and so is this subset of `path ∪ goal`. Unless [`Want::Core`] was
    /// asked for, the subset may be everything.
    Unsat(Vec<TermId>),
    /// No answer.
    Unknown(Why),
}

impl Answer {
    /// Whether the query was shown satisfiable.
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    /// Whether the query was shown unsatisfiable.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }

    /// The model of a satisfiable query, if there is one.
    pub fn model(&self) -> Option<&Rc<Assignment>> {
        match self {
            Answer::Sat(model) => model.as_ref(),
            _ => None,
        }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Why {
    /// The time limit of one query passed.
    #[error("the solver reached its time limit")]
    Timeout,
    /// The interrupt flag was raised.
    #[error("the solver was interrupted")]
    Interrupted,
    /// A term or sort that the backend cannot express.
    #[error("the solver does not support {0}")]
    Unsupported(String),
    /// A conflict, resource or size limit was reached.
    #[error("the solver reached a resource limit")]
    Limit,
    /// Two backends, or an answer and its check, disagree: a bug in a solver.
    #[error("solver answers disagree: {0}")]
    Mismatch(String),
}

/// One link of the chain: a backend or a decorator around another link.
pub trait Solver {
    /// Decides `query`; see [`Query`] for its precondition.
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer;

    /// What happened so far, in this link and in all links behind it.
    fn stats(&self) -> Stats;
}
