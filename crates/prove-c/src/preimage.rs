//! Conditions before a step: what must hold so that the step is taken and a condition holds after it.
//!
//! A condition on several places is a *cube*: a list of conjuncts (predicates over memory cells and registers). The preimage
//! of a cube is exact but for the inputs of the step: one that an equation defines is replaced, any other gets the value
//! that a model gives it. So a preimage may leave out states, which are then met one by one; it never has too many.

use selvedge_exec::{Machine, instantiate, is_new};
use selvedge_term::{Assignment, Constant, Node, Substitution, TermId, VarId, eval};

use crate::graph::Edge;

/// A conjunction.
pub(crate) type Cube = Vec<TermId>;

/// What `atom`, over the variables of the state after `edge`, is before it. `None`: the state after it has no such place,
/// which cannot be for the cubes of its node.
pub(crate) fn before(machine: &mut Machine<'_>, edge: &Edge, atom: TermId) -> Option<TermId> {
    instantiate(machine, &edge.end, atom)
}

/// The conjuncts as a cube without inputs, of which the model is part.
pub(crate) fn without_inputs(machine: &mut Machine<'_>, mut atoms: Vec<TermId>, model: &Assignment) -> Cube {
    loop {
        let inputs = inputs_of(machine, &atoms);
        let Some(first) = inputs.first() else { break };
        let definition = inputs.iter().find_map(|var| definition(machine, &atoms, *var));
        let mut subst = Substitution::new();
        match definition {
            Some((var, term)) => subst.insert(var, term),
            None => {
                let var = machine.pool.var_term(*first);
                let value = constant(machine, &eval(&machine.pool, var, model));
                subst.insert(*first, value);
            }
        }
        for atom in &mut atoms {
            *atom = subst.apply(&mut machine.pool, *atom);
        }
    }
    conjuncts(machine, &atoms)
}

/// The inputs of the step that the conditions speak of.
pub(crate) fn inputs_of(machine: &mut Machine<'_>, atoms: &[TermId]) -> Vec<VarId> {
    let mut inputs: Vec<VarId> = Vec::new();
    for atom in atoms {
        for var in machine.pool.vars(*atom).iter() {
            if is_new(machine, *var) && !inputs.contains(var) {
                inputs.push(*var);
            }
        }
    }
    inputs
}

/// An equation that says what an input is.
fn definition(machine: &mut Machine<'_>, atoms: &[TermId], var: VarId) -> Option<(VarId, TermId)> {
    let this = machine.pool.var_term(var);
    for atom in atoms {
        if let Node::Eq(a, b) = *machine.pool.node(*atom) {
            for (x, y) in [(a, b), (b, a)] {
                if x == this && !machine.pool.vars(y).contains(&var) {
                    return Some((var, y));
                }
            }
        }
    }
    None
}

pub(crate) fn constant(machine: &mut Machine<'_>, value: &Constant) -> TermId {
    let width = match value.sort() {
        selvedge_term::Sort::Bv(width) => width,
        _ => 64,
    };
    machine.pool.bv_wide(width, value.as_big().unwrap_or_default())
}

/// All conjuncts, each once, in a fixed order.
pub(crate) fn conjuncts(machine: &Machine<'_>, atoms: &[TermId]) -> Cube {
    let mut cube = Cube::new();
    for atom in atoms {
        cube.extend(machine.pool.conjuncts(*atom));
    }
    cube.retain(|t| *t != machine.pool.tt());
    cube.sort_unstable();
    cube.dedup();
    cube
}
