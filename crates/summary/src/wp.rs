//! Weakest preconditions of steps.
//!
//! `wp(step, φ)` is what must hold before a step so that it goes the way it went and `φ` holds after it: the guards of
//! the step, and `φ` with every state variable replaced by its value after the step (substitution on the hash-consed
//! terms). Inputs that the step consumes become variables of their own; a formula is meant for all their values, and
//! the check for a counterexample leaves them free.
//!
//! Paper: FSE 2015, §4.1, Algorithm 2.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_exec::{
    Control, Extent, Machine, Omit, RelativeStep, State, StateValues, is_new, relative_step,
};
use selvedge_term::{Assignment, Sort, Substitution, TermId, TermPool, VarId};
use smallvec::SmallVec;

use crate::table::Key;

/// Parts of a control state that all threads share.
const N_SHARED: usize = Control::N_SHARED;

/// The variables that stand for the inputs of one step of one visit; all ways that the step can go share them.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    bound: FxHashMap<VarId, TermId>,
}

/// A step that was made.
pub(crate) struct Made<'a> {
    /// The state before it, and its control state.
    pub(crate) before: (&'a State, &'a Key),
    pub(crate) thread: usize,
    /// The state after it.
    pub(crate) after: (&'a State, &'a Key),
    /// Its control state.
    pub(crate) control: &'a Control,
    /// A model of the path condition there.
    pub(crate) model: &'a Assignment,
    /// Its instructions.
    pub(crate) n_instructions: u64,
}

/// What a step needs.
#[derive(Clone, Copy)]
pub(crate) struct Precondition {
    /// So that it goes this way and the formula holds after it, or it is no step.
    pub(crate) formula: TermId,
    /// So that it goes this way.
    pub(crate) way: TermId,
}

/// A step that is known, with what was asked about it.
struct Known {
    step: RelativeStep,
    /// What it needs, by what shall hold after it.
    needs: FxHashMap<TermId, Option<Precondition>>,
}

/// All that a relative effect depends on: the thread, what threads share before and after the step, and the other parts
/// of the control states for the threads that the step has touched. What others do meanwhile makes no difference.
type Place = (usize, [u32; 2 * N_SHARED], SmallVec<[(u32, u32, u32); 2]>);

fn place(made: &Made<'_>) -> Place {
    let ((before, from), (after, to)) = (made.before, made.after);
    let mut shared = [0; 2 * N_SHARED];
    shared[..N_SHARED].copy_from_slice(&from[..N_SHARED]);
    shared[N_SHARED..].copy_from_slice(&to[..N_SHARED]);
    let part = |key: &Key, t: usize| key.get(N_SHARED + t).copied().unwrap_or(u32::MAX);
    let is_touched = |t: &usize| match (before.threads.get(*t), after.threads.get(*t)) {
        (Some(before), Some(after)) => !Rc::ptr_eq(before, after),
        _ => true,
    };
    let threads = 0..before.threads.len().max(after.threads.len());
    let touched = threads.filter(is_touched).map(|t| (t as u32, part(from, t), part(to, t)));
    (made.thread, shared, touched.collect())
}

/// The relative effects of steps. Few steps differ but in values, so most of them are known after a while.
#[derive(Default)]
pub(crate) struct Steps {
    known: FxHashMap<Place, Vec<Known>>,
    /// Things that are kept.
    n_kept: usize,
}

/// Things that are kept at most; then all are forgotten.
const MAX_KEPT: usize = 1 << 18;

impl Steps {
    /// The weakest precondition of a step; `None` if it is not known.
    pub(crate) fn weakest_precondition(
        &mut self,
        machine: &mut Machine<'_>,
        made: &Made<'_>,
        formula: TermId,
        inputs: &mut Inputs,
        omit: Omit,
    ) -> Option<Precondition> {
        let place = place(made);
        // Without its guards, a step cannot be told from one that goes another way.
        if let Some(known) = self.known.get_mut(&place).filter(|_| omit == Omit::default()) {
            let mut values = StateValues::new(made.model);
            let is_it = |known: &&mut Known| known.step.is_taken_from(machine, made.before.0, &mut values);
            if let Some(known) = known.iter_mut().find(is_it) {
                if let Some(needed) = known.needs.get(&formula) {
                    return *needed;
                }
                let needed = need(machine, &mut known.step, formula, inputs);
                if !known.step.has_inputs() {
                    known.needs.insert(formula, needed);
                    self.n_kept += 1;
                }
                return needed;
            }
        }
        let extent = match made.after.0.is_under_way() {
            true => Extent::Part(made.n_instructions),
            // Instructions that had to ask are counted more than once.
            false => Extent::Whole(2 * made.n_instructions + 1000),
        };
        let (before, thread) = (made.before.0, made.thread);
        let mut step = relative_step(machine, before, thread, made.model, made.control, extent, omit).ok()?;
        let needed = need(machine, &mut step, formula, inputs);
        // Most steps have no inputs. Those of one that has are not the same the next time.
        if step.has_inputs() {
            return needed;
        }
        if self.n_kept > MAX_KEPT {
            self.clear();
        }
        self.n_kept += 8;
        let needs = std::iter::once((formula, needed)).collect();
        self.known.entry(place).or_default().push(Known { step, needs });
        needed
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        *self = Steps::default();
    }
}

/// What a step needs so that `formula` holds after it.
fn need(
    machine: &mut Machine<'_>,
    step: &mut RelativeStep,
    formula: TermId,
    inputs: &mut Inputs,
) -> Option<Precondition> {
    let (mut items, mut changed) = step.before(machine, formula)?;
    let (mut guards, mut voids) = (step.guards.clone(), step.voids.clone());
    // What has not changed has no inputs of this step.
    if step.has_inputs() {
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

/// A variable for an input that is still to come. Its name is never used twice: a formula may not confuse inputs of
/// different steps.
pub(crate) fn future(pool: &mut TermPool, width: u32) -> TermId {
    let name = format!("future{}", pool.var_count());
    pool.var(&name, Sort::Bv(width))
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
                future(pool, width)
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
