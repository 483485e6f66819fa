//! The solvers at the end of the chain.

pub(crate) mod bitblast;
pub(crate) mod z3;
