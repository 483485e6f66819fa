//! Conditions before a step: what must hold so that the step is taken and a condition holds after it.
//!
//! A condition on several places is a *cube*: a list of conjuncts (predicates over memory cells and registers). The preimage
//! of a cube is exact but for the inputs of the step: one that an equation defines is replaced, any other gets the value
//! that a model gives it. So a preimage may leave out states, which are then met one by one; it never has too many.

use selvedge_term::{Assignment, Constant, Node, Sort, Substitution, TermId, TermPool, VarId, eval};

use crate::transitions::Searchable;

/// A conjunction.
pub type Cube = Vec<TermId>;

/// The conjuncts as a cube without inputs, of which the model is part.
pub(crate) fn without_inputs(
    system: &mut dyn Searchable,
    mut atoms: Vec<TermId>,
    model: &Assignment,
) -> Cube {
    loop {
        let inputs = inputs_of(system, &atoms);
        let Some(first) = inputs.first() else { break };
        let definition = inputs.iter().find_map(|var| definition(system.pool(), &atoms, *var));
        let mut subst = Substitution::new();
        match definition {
            Some((var, term)) => subst.insert(var, term),
            None => {
                let pool = system.pool();
                let value = eval(pool, pool.var_term(*first), model);
                let value = constant(pool, value);
                subst.insert(*first, value);
            }
        }
        for atom in &mut atoms {
            *atom = subst.apply(system.pool(), *atom);
        }
    }
    conjuncts(system.pool(), &atoms)
}

/// The inputs of the step that the conditions speak of.
pub fn inputs_of(system: &mut dyn Searchable, atoms: &[TermId]) -> Vec<VarId> {
    let mut inputs: Vec<VarId> = Vec::new();
    for atom in atoms {
        for var in system.pool().vars(*atom).iter() {
            if system.is_input(*var) && !inputs.contains(var) {
                inputs.push(*var);
            }
        }
    }
    inputs
}

/// Gives the inputs of a step names that no other step uses; returns each with its new name.
pub fn rename(system: &mut dyn Searchable, step: usize, conditions: &mut [TermId]) -> Vec<(VarId, VarId)> {
    let mut subst = Substitution::new();
    let mut renamed = Vec::new();
    for var in inputs_of(system, conditions) {
        let pool = system.pool();
        let sort = pool.sort(pool.var_term(var));
        let name = format!("step{step}.{}", pool.var_info(var).name);
        let new = pool.var(&name, sort);
        subst.insert(var, new);
        renamed.push((var, pool.var_id(new).expect("a variable")));
    }
    if !subst.is_empty() {
        for condition in conditions {
            *condition = subst.apply(system.pool(), *condition);
        }
    }
    renamed
}

/// An equation that says what an input is.
fn definition(pool: &mut TermPool, atoms: &[TermId], var: VarId) -> Option<(VarId, TermId)> {
    let this = pool.var_term(var);
    for atom in atoms {
        if let Node::Eq(a, b) = *pool.node(*atom) {
            for (x, y) in [(a, b), (b, a)] {
                if x == this && !pool.vars(y).contains(&var) {
                    return Some((var, y));
                }
            }
        }
    }
    None
}

fn constant(pool: &mut TermPool, value: Constant) -> TermId {
    match value.sort() {
        Sort::Bv(width) => pool.bv_wide(width, value.as_big().unwrap_or_default()),
        _ => match value {
            Constant::Int(value) => pool.int(value),
            _ => pool.bv(64, 0),
        },
    }
}

/// All conjuncts, each once, in a fixed order.
pub fn conjuncts(pool: &TermPool, atoms: &[TermId]) -> Cube {
    let mut cube = Cube::new();
    for atom in atoms {
        cube.extend(pool.conjuncts(*atom));
    }
    cube.retain(|t| *t != pool.tt());
    cube.sort_unstable();
    cube.dedup();
    cube
}
