//! The relative effect of a segment: the same instructions over *state variables*.
//!
//! Executing a segment changes the actual state. Its relative effect says what the segment does to *any*
//! state at the same place: `guards` over the values at its start under which exactly this path is taken
//! (branch outcomes, concrete ones too; resolved addresses; bounds), and a parallel assignment
//! `cell or register := term over values at the start`. Weakest preconditions, memoized functions and
//! transition systems are algebra on these (architecture: segments over state variables).
//!
//! Law (tested): from any state at the same control location that satisfies the guards, running the segment
//! gives the state the assignment says.
//!
//! It is computed on demand by running the segment a second time from a state in which every cell and register
//! is replaced by its variable, with an oracle that answers by the actual state. Rules R5 and R6 of the
//! reduction (addresses and concrete branches are guards) hold by construction: whatever the run asks, it asks
//! this oracle, and every answer is noted as a guard.

mod abstraction;
mod actual;
mod change;
mod step;
mod template;
mod values;

pub(crate) use abstraction::Abstract;
pub use abstraction::{cell_variable, register_variable};
pub use actual::Omit;
pub use step::{Extent, NoEffect, RelativeStep, is_new, relative_step};
pub use template::{
    fix_pointer, forget_history, join_template, new_template, open_pointers, template_key,
    template_variables, with_variables,
};
pub use values::{Images, Leads, StateValues, Valued, instantiate, instantiate_all, leads};
pub(crate) use values::{read, read_state};
