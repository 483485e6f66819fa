//! Recent models, tried by evaluation.
//!
//! A model of a slice says nothing of other variables; it is completed from the newest
//! model before it, which makes it a model of both slices where they are independent, and
//! at worst a guess that evaluation refutes.

use std::collections::VecDeque;
use std::rc::Rc;

use selvedge_term::{Assignment, Evaluator, TermPool};

use crate::query::Query;

/// Models that are kept. More give more hits, and each miss costs more.
const MAX_MODELS: usize = 8;
/// Queries after which a model forgets the values of terms, to bound memory.
const MAX_EVALUATIONS: usize = 1 << 11;

/// The kept models, newest use first.
#[derive(Default)]
pub(super) struct Models {
    models: VecDeque<Candidate>,
}

struct Candidate {
    model: Rc<Assignment>,
    /// Remembers the value of every term it met.
    evaluator: Evaluator<Rc<Assignment>>,
    evaluations: usize,
}

impl Candidate {
    fn new(model: Rc<Assignment>) -> Candidate {
        let evaluator = Evaluator::new(Rc::clone(&model));
        Candidate { model, evaluator, evaluations: 0 }
    }

    fn satisfies(&mut self, pool: &TermPool, query: &Query<'_>) -> bool {
        self.evaluations += 1;
        if self.evaluations > MAX_EVALUATIONS {
            *self = Candidate::new(Rc::clone(&self.model));
        }
        // From the end: the newest conjuncts are those the model has not seen.
        let newest_first = query.goal.iter().rev().chain(query.path.iter().rev());
        newest_first.copied().all(|conjunct| self.evaluator.eval_bool(pool, conjunct))
    }
}

impl Models {
    /// A kept model of `query`.
    pub(super) fn find(&mut self, pool: &TermPool, query: &Query<'_>) -> Option<Rc<Assignment>> {
        let found = self.models.iter_mut().position(|candidate| candidate.satisfies(pool, query))?;
        if found > 0
            && let Some(candidate) = self.models.remove(found)
        {
            self.models.push_front(candidate);
        }
        self.models.front().map(|candidate| Rc::clone(&candidate.model))
    }

    /// Keeps `model`, completed by what is known of other variables.
    pub(super) fn insert(&mut self, model: &Rc<Assignment>) {
        let model = match self.models.front() {
            Some(newest) => {
                let mut completed = (*newest.model).clone();
                completed.merge(model);
                Rc::new(completed)
            }
            None => Rc::clone(model),
        };
        self.models.truncate(MAX_MODELS - 1);
        self.models.push_front(Candidate::new(model));
    }
}
