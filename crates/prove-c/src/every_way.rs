//! Answers to the executor: every alternative that is possible.

use selvedge_exec::memory::Symbols;
use selvedge_exec::{Choice, Oracle, State};
use selvedge_prove::{Ask, Asked};
use selvedge_solver::Want;
use selvedge_term::{Evaluator, TermId};

/// Every alternative that is possible under the guards of the step so far.
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
