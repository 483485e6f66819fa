//! Checks every answer of the chain.
//!
//! A second, bare backend answers the whole query again; every model is evaluated on every
//! conjunct; every core is a subset of the query and is refuted again. A disagreement becomes
//! `Unknown(Mismatch)` with the query in SMT-LIB, so that it cannot turn into a wrong verdict
//! and can be looked into.

use selvedge_term::{Assignment, TermId, TermPool, eval, smtlib};

use crate::query::{Answer, Query, Solver, Want, Why};
use crate::stats::Stats;

/// The validating link. It stands before all others.
pub(crate) struct Validate {
    inner: Box<dyn Solver>,
    oracle: Box<dyn Solver>,
    stats: Stats,
}

impl Validate {
    /// Checks the answers of `inner` with `oracle`, whose own statistics do not count.
    pub(crate) fn new(inner: Box<dyn Solver>, oracle: Box<dyn Solver>) -> Validate {
        Validate { inner, oracle, stats: Stats::default() }
    }

    /// What is wrong with `answer`, if anything.
    fn fault(&mut self, pool: &mut TermPool, query: &Query<'_>, answer: &Answer) -> Option<String> {
        let expected = self.oracle.check(pool, &Query { want: Want::Model, ..*query });
        match (answer, &expected) {
            (Answer::Unknown(_), _) => None,
            (Answer::Sat(_), Answer::Unsat(_)) => Some("the chain says sat, the oracle unsat".to_owned()),
            (Answer::Unsat(_), Answer::Sat(_)) => Some("the chain says unsat, the oracle sat".to_owned()),
            (Answer::Sat(None), _) if query.want == Want::Model => Some("no model was given".to_owned()),
            (Answer::Sat(None), _) => None,
            (Answer::Sat(Some(model)), _) => {
                // The chain's model may cover the connected part of the query only.
                let mut whole = expected.model().map_or_else(Assignment::new, |model| (**model).clone());
                whole.merge(model);
                // Without the oracle's model the rest of the path is not known to have a value.
                let conjuncts: Vec<TermId> = match expected {
                    Answer::Sat(_) => query.conjuncts().collect(),
                    _ => query.goal.to_vec(),
                };
                let failed =
                    conjuncts.into_iter().find(|&t| eval(pool, t, &whole).as_bool() != Some(true))?;
                Some(format!("the model does not satisfy {failed}"))
            }
            (Answer::Unsat(core), _) => self.core_fault(pool, query, core),
        }
    }

    fn core_fault(&mut self, pool: &mut TermPool, query: &Query<'_>, core: &[TermId]) -> Option<String> {
        if let Some(stranger) = core.iter().find(|t| !query.conjuncts().any(|c| c == **t)) {
            return Some(format!("the core has {stranger}, which the query does not"));
        }
        let whole = Query { path: &[], goal: core, want: Want::Verdict };
        self.oracle.check(pool, &whole).is_sat().then(|| "the core is satisfiable".to_owned())
    }
}

impl Solver for Validate {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let answer = self.inner.check(pool, query);
        self.stats.validated += 1;
        match self.fault(pool, query, &answer) {
            None => answer,
            Some(fault) => {
                self.stats.mismatches += 1;
                let conjuncts: Vec<TermId> = query.conjuncts().collect();
                Answer::Unknown(Why::Mismatch(format!("{fault}\n{}", smtlib::script(pool, &conjuncts))))
            }
        }
    }

    fn stats(&self) -> Stats {
        let mut stats = self.inner.stats();
        stats += &self.stats;
        stats
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use selvedge_term::Sort;

    use super::*;
    use crate::config::{Backend, SolverConfig};

    /// Gives the same answer to everything.
    struct Says(Answer);

    impl Solver for Says {
        fn check(&mut self, _: &mut TermPool, _: &Query<'_>) -> Answer {
            self.0.clone()
        }

        fn stats(&self) -> Stats {
            Stats::default()
        }
    }

    /// Asks a chain that gives `answer` whether `x < 3 ∧ x > 5` (or only the first) has a model.
    #[track_caller]
    fn check(
        answer: impl FnOnce(&mut TermPool, TermId, &[TermId; 2]) -> Answer,
        contradictory: bool,
        fault: &str,
    ) {
        let mut pool = TermPool::new();
        let x = pool.var("x", Sort::Bv(8));
        let (three, five) = (pool.bv(8, 3), pool.bv(8, 5));
        let conjuncts = [pool.ult(x, three), pool.ult(five, x)];
        let answer = answer(&mut pool, x, &conjuncts);
        let oracle = crate::build(&SolverConfig { backend: Backend::Z3, ..SolverConfig::default() });
        let mut solver = Validate::new(Box::new(Says(answer)), oracle);
        let goal = if contradictory { &conjuncts[..] } else { &conjuncts[..1] };
        let answer = solver.check(&mut pool, &Query { path: &[], goal, want: Want::Model });
        let Answer::Unknown(Why::Mismatch(text)) = &answer else { panic!("{answer:?}") };
        assert!(text.starts_with(fault) && text.contains("(check-sat)"), "{text}");
        assert_eq!(solver.stats().mismatches, 1);
    }

    #[test]
    fn a_wrong_verdict_is_found() {
        check(|_, _, _| Answer::Sat(None), true, "the chain says sat");
        check(|_, _, conjuncts| Answer::Unsat(conjuncts.to_vec()), false, "the chain says unsat");
    }

    #[test]
    fn a_wrong_model_is_found() {
        let four = |pool: &mut TermPool, x, _: &[TermId; 2]| {
            let mut model = Assignment::new();
            model.set_u64(pool.var_id(x).expect("a variable"), 8, 4);
            Answer::Sat(Some(Rc::new(model)))
        };
        check(four, false, "the model does not satisfy");
        check(|_, _, _| Answer::Sat(None), false, "no model was given");
    }

    #[test]
    fn a_core_that_is_none_is_found() {
        check(|_, _, conjuncts| Answer::Unsat(conjuncts[..1].to_vec()), true, "the core is satisfiable");
        check(|pool, _, _| Answer::Unsat(vec![pool.ff()]), true, "the core has");
    }
}
