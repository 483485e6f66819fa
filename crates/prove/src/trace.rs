//! From a way through control states to a concrete run.

use num_bigint::BigInt;
use num_traits::Zero;
use selvedge_solver::Want;
use selvedge_term::{Constant, Evaluator, Sort, TermId, TermPool};

use crate::ask::{Ask, Asked};
use crate::control::{Case, ControlId, Controls};
use crate::engine::Engine;
use crate::explore::{Exploration, NodeId};
use crate::model::{Kind, Model, Run, RunStep, Update};
use crate::oracle::Unanswered;
use crate::state::binding;

/// A way to a bad state.
pub(crate) struct Way {
    pub(crate) first: ControlId,
    /// The values of data variables at the start.
    pub(crate) initial: Vec<TermId>,
    pub(crate) cases: Vec<Case>,
}

/// The run that starts in `first` and takes `cases`, to a bad state.
pub(crate) fn run(
    engine: &mut Engine,
    exploration: &Exploration,
    first: NodeId,
    cases: &[u32],
) -> Result<Run, Unanswered> {
    let mut control = exploration.nodes[first].control;
    // At the start, what is known is known, and each other variable is its own symbol.
    let initial = exploration.nodes[first].data.symbolic(&mut engine.pool).values.clone();
    let mut way = Way { first: control, initial, cases: Vec::with_capacity(cases.len()) };
    for index in cases {
        let case = engine.cases(control)[*index as usize].clone();
        control = case.to;
        way.cases.push(case);
    }
    let Engine { pool, model, controls, oracle, .. } = engine;
    let found = concrete(pool, model, controls, &mut oracle.ask, &way)?;
    found.ok_or_else(|| Unanswered("a path that was explored has no run".to_owned()))
}

/// A run that goes this way, if there is one.
pub(crate) fn concrete(
    pool: &mut TermPool,
    model: &Model,
    controls: &mut Controls,
    ask: &mut Ask,
    way: &Way,
) -> Result<Option<Run>, Unanswered> {
    let data = controls.data_terms.clone();
    let mut path = Vec::new();
    for (start, condition) in controls.initial(pool, model)? {
        if start == way.first {
            path.push(condition);
        }
    }
    let mut values = way.initial.clone();
    let mut at_start = binding(pool, &data, &values);
    for condition in &mut path {
        *condition = at_start.apply(pool, *condition);
    }
    let mut control = way.first;
    let mut steps = Vec::with_capacity(way.cases.len());
    for (k, case) in way.cases.iter().enumerate() {
        let mut now = binding(pool, &data, &values);
        path.push(now.apply(pool, case.guard));
        let mut next = values.clone();
        for (at, update) in &controls.effect(case.effect).updates {
            next[*at] = match update {
                Update::Term(term) => now.apply(pool, *term),
                Update::Any => pool.var(&format!("input!{k}!{at}"), Sort::Int),
            };
        }
        values = next;
        control = case.to;
        steps.push((case, values.clone()));
    }
    let bad = controls.bad(pool, model, control);
    path.push(binding(pool, &data, &values).apply(pool, bad));
    let Asked::Model(found) = ask.under(pool, &path, &[], Want::Model)? else { return Ok(None) };
    let mut evaluator = Evaluator::new(&*found);
    let mut evaluated = |values: &[TermId]| -> Vec<BigInt> {
        let int = |t: &TermId| match evaluator.eval(pool, *t) {
            Constant::Int(n) => n,
            _ => BigInt::zero(),
        };
        values.iter().map(int).collect()
    };
    let whole = |control: ControlId, data: &[BigInt]| -> Vec<BigInt> {
        let mut all = vec![BigInt::zero(); model.vars.len()];
        for (var, value) in controls.control_vars.iter().zip(controls.values(control)) {
            all[*var] = BigInt::from(*value);
        }
        for (var, value) in controls.data_vars.iter().zip(data) {
            all[*var] = value.clone();
        }
        all
    };
    let mut run = Run { start: whole(way.first, &evaluated(&way.initial)), steps: Vec::new() };
    for (case, values) in steps {
        let state = whole(case.to, &evaluated(&values));
        let mut choices = case.choices.iter();
        let inputs = model.transitions[case.transition]
            .updates
            .iter()
            .filter(|(_, update)| *update == Update::Any)
            .map(|(var, _)| match model.vars[*var].kind {
                Kind::Control(_) => BigInt::from(choices.next().copied().unwrap_or_default()),
                Kind::Data => state[*var].clone(),
            })
            .collect();
        run.steps.push(RunStep { transition: case.transition, inputs, state });
    }
    Ok(Some(run))
}
