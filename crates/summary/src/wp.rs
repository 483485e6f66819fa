//! Weakest preconditions of steps.
//!
//! `wp(step, φ)` is what must hold before a step so that it goes the way it went and `φ` holds after it: the guards of
//! the step, and `φ` with every state variable replaced by its value after the step (substitution on the hash-consed
//! terms). Inputs that the step consumes become variables of their own; a formula is meant for all their values, and
//! the check for a counterexample leaves them free.
//!
//! Paper: FSE 2015, §4.1, Algorithm 2.

use rustc_hash::FxHashMap;
use selvedge_exec::{Control, Machine, Omit, State, is_new, relative_step};
use selvedge_term::{Assignment, Sort, Substitution, TermId, VarId};

/// The variables that stand for the inputs of one step of one visit; all ways that the step can go share them.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    bound: FxHashMap<VarId, TermId>,
}

/// Where a step led.
pub(crate) struct After<'a> {
    /// A model of the path condition there.
    pub(crate) model: &'a Assignment,
    /// The control state there.
    pub(crate) control: &'a Control,
    /// Instructions of the step, at least.
    pub(crate) n_instructions: u64,
}

/// What a step needs.
pub(crate) struct Precondition {
    /// So that it goes this way and the formula holds after it, or it is no step.
    pub(crate) formula: TermId,
    /// So that it goes this way.
    pub(crate) way: TermId,
}

/// The weakest precondition of the step of `thread` from `before`; `None` if it is not known.
pub(crate) fn weakest_precondition(
    machine: &mut Machine<'_>,
    before: &State,
    thread: usize,
    after: &After<'_>,
    formula: TermId,
    inputs: &mut Inputs,
    omit: Omit,
) -> Option<Precondition> {
    // Instructions that had to ask are counted more than once, in either run.
    let n = 2 * after.n_instructions + 1000;
    let n_inputs = machine.sources.n_inputs();
    let step = relative_step(machine, before, thread, after.model, after.control, n, omit).ok()?;
    let (mut items, changed) = step.before(machine, formula)?;
    let (mut guards, mut voids, mut changed) = (step.guards, step.voids, changed);
    // What has not changed has no inputs of this step, and most steps have none.
    if machine.sources.n_inputs() != n_inputs {
        for item in guards.iter_mut().chain(&mut voids).chain(&mut changed) {
            *item = inputs.bind(machine, *item);
        }
    }
    items.extend(changed);
    items.extend_from_slice(&guards);
    let pool = &mut machine.pool;
    let (safe, way, void) = (pool.and_all(&items), pool.and_all(&guards), pool.or_all(&voids));
    Some(Precondition { formula: pool.or(safe, void), way: pool.or(way, void) })
}

impl Inputs {
    /// The formula with the inputs of the step as variables of their own.
    fn bind(&mut self, machine: &mut Machine<'_>, formula: TermId) -> TermId {
        let vars = machine.pool.vars(formula);
        if !vars.iter().any(|v| is_new(machine, *v)) {
            return formula;
        }
        let mut subst = Substitution::new();
        for &var in vars.iter() {
            if !is_new(machine, var) {
                continue;
            }
            let pool = &mut machine.pool;
            let bound = *self.bound.entry(var).or_insert_with(|| {
                let width = pool.width(pool.var_term(var));
                // The name is never used twice: a formula may not confuse inputs of different steps.
                let name = format!("future{}", pool.var_count());
                pool.var(&name, Sort::Bv(width))
            });
            subst.insert(var, bound);
        }
        subst.apply(&mut machine.pool, formula)
    }

    /// A new step begins.
    pub(crate) fn clear(&mut self) {
        self.bound.clear();
    }
}
