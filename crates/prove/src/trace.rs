//! From a way through symbolic states to a concrete run.

use num_bigint::BigInt;
use num_traits::Zero;
use selvedge_term::{Constant, Evaluator, Sort, TermId};

use crate::engine::Engine;
use crate::explore::{Exploration, NodeId};
use crate::model::{Kind, Run, RunStep, Update};
use crate::oracle::Unanswered;
use crate::state::binding;

/// The run that starts in `first` and takes `cases`, to a bad state.
pub(crate) fn run(
    engine: &mut Engine,
    exploration: &Exploration,
    first: NodeId,
    cases: &[u32],
) -> Result<Run, Unanswered> {
    let data = engine.symbols.data.clone();
    let mut control = exploration.nodes[first].control;
    let mut path = Vec::new();
    for (start, condition) in engine.controls.initial(&mut engine.pool, &engine.model)? {
        if start == control {
            path.push(condition);
        }
    }
    // At the start, what is known is known, and each other variable is its own symbol.
    let mut values = exploration.nodes[first].data.symbolic(&mut engine.pool).values.clone();
    let initial = values.clone();
    let mut at_start = binding(&engine.pool, &data, &values);
    for condition in &mut path {
        *condition = at_start.apply(&mut engine.pool, *condition);
    }
    let mut steps = Vec::with_capacity(cases.len());
    for (k, index) in cases.iter().enumerate() {
        let case = engine.cases(control)[*index as usize].clone();
        let mut now = binding(&engine.pool, &data, &values);
        path.push(now.apply(&mut engine.pool, case.guard));
        let mut next = values.clone();
        for (at, update) in &engine.controls.effect(case.effect).updates {
            next[*at] = match update {
                Update::Term(term) => now.apply(&mut engine.pool, *term),
                Update::Any => engine.pool.var(&format!("input!{k}!{at}"), Sort::Int),
            };
        }
        values = next;
        control = case.to;
        steps.push((case, control, values.clone()));
    }
    let bad = engine.controls.bad(&mut engine.pool, &engine.model, control);
    path.push(binding(&engine.pool, &data, &values).apply(&mut engine.pool, bad));
    let Some(model) = engine.oracle.model(&mut engine.pool, &path, &[])? else {
        return Err(Unanswered("a path that was explored has no run".to_owned()));
    };
    let mut evaluator = Evaluator::new(&*model);
    let mut concrete = |engine: &Engine, values: &[TermId]| -> Vec<BigInt> {
        let int = |t: &TermId| match evaluator.eval(&engine.pool, *t) {
            Constant::Int(n) => n,
            _ => BigInt::zero(),
        };
        values.iter().map(int).collect()
    };
    let whole = |engine: &Engine, control: &[u32], data: &[BigInt]| -> Vec<BigInt> {
        let mut all = vec![BigInt::zero(); engine.model.vars.len()];
        for (var, value) in engine.controls.control_vars.iter().zip(control) {
            all[*var] = BigInt::from(*value);
        }
        for (var, value) in engine.controls.data_vars.iter().zip(data) {
            all[*var] = value.clone();
        }
        all
    };
    let start_data = concrete(engine, &initial);
    let start = whole(engine, engine.controls.values(exploration.nodes[first].control), &start_data);
    let mut run = Run { start, steps: Vec::new() };
    for (case, control, values) in steps {
        let data = concrete(engine, &values);
        let state = whole(engine, engine.controls.values(control), &data);
        let mut choices = case.choices.iter();
        let inputs = engine.model.transitions[case.transition]
            .updates
            .iter()
            .filter(|(_, update)| *update == Update::Any)
            .map(|(var, _)| match engine.model.vars[*var].kind {
                Kind::Control(_) => BigInt::from(choices.next().copied().unwrap_or_default()),
                Kind::Data => state[*var].clone(),
            })
            .collect();
        run.steps.push(RunStep { transition: case.transition, inputs, state });
    }
    Ok(run)
}
