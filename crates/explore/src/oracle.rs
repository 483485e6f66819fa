//! Answers the executor's questions with a model of the path and the solver.
//!
//! Every pending state carries a model of its path condition. The alternative that the model takes is
//! feasible for free; the solver is asked about the others only, and the models it returns go to the
//! successors.

use std::rc::Rc;

use selvedge_exec::memory::Symbols;
use selvedge_exec::{Choice, Oracle, State};
use selvedge_solver::{Answer, Query, Solver, Want};
use selvedge_term::{Assignment, Evaluator, TermId};

/// The oracle of a search.
pub(crate) struct SolverOracle {
    pub(crate) solver: Box<dyn Solver>,
    /// A model of the current state's path condition.
    model: Rc<Assignment>,
    evaluator: Evaluator<Rc<Assignment>>,
    /// Models for the alternatives of the last question, by condition.
    alternatives: Vec<(TermId, Rc<Assignment>)>,
    /// Why an alternative of this step could not be decided; the search must not call itself complete.
    pub(crate) undecided: Option<String>,
}

impl SolverOracle {
    pub(crate) fn new(solver: Box<dyn Solver>) -> Self {
        let model = Rc::new(Assignment::new());
        SolverOracle {
            solver,
            evaluator: Evaluator::new(model.clone()),
            model,
            alternatives: Vec::new(),
            undecided: None,
        }
    }

    /// Turns to a state whose path condition `model` satisfies.
    pub(crate) fn focus(&mut self, model: &Rc<Assignment>) {
        if !Rc::ptr_eq(model, &self.model) {
            self.model = model.clone();
            self.evaluator = Evaluator::new(model.clone());
        }
        self.alternatives.clear();
    }

    /// The model of the current state.
    pub(crate) fn model(&self) -> &Rc<Assignment> {
        &self.model
    }

    /// A model for the successor that takes `cond`, a condition of the last question.
    pub(crate) fn model_for(&self, cond: TermId) -> Rc<Assignment> {
        self.alternatives
            .iter()
            .find(|(c, _)| *c == cond)
            .map_or_else(|| self.model.clone(), |(_, m)| m.clone())
    }
}

impl Oracle for SolverOracle {
    fn choose(&mut self, cx: &mut Symbols<'_>, state: &State, conds: &[TermId]) -> Choice {
        self.alternatives.clear();
        let mut feasible = Vec::new();
        let mut undecided = false;
        for (i, &cond) in conds.iter().enumerate() {
            if self.evaluator.eval_bool(cx.pool, cond) {
                feasible.push(i);
                continue;
            }
            match self.solver.check(cx.pool, &Query { path: &state.path, goal: &[cond], want: Want::Model }) {
                Answer::Sat(model) => {
                    let mut merged = (*self.model).clone();
                    if let Some(model) = model {
                        merged.merge(&model);
                    }
                    self.alternatives.push((cond, Rc::new(merged)));
                    feasible.push(i);
                }
                Answer::Unsat(_) => {}
                Answer::Unknown(why) => {
                    undecided = true;
                    self.undecided = Some(why.to_string());
                }
            }
        }
        match feasible[..] {
            [] => Choice::Unknown("no alternative is known to be feasible".to_string()),
            // An undecided alternative may be feasible: the path must say which one was taken.
            [only] if !undecided => Choice::Only(only),
            _ => Choice::Several(feasible),
        }
    }

    fn witness(&mut self, cx: &mut Symbols<'_>, _state: &State, term: TermId) -> Result<u64, String> {
        Ok(self.evaluator.eval_u64(cx.pool, term))
    }
}
