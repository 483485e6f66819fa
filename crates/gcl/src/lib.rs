//! The guarded-command language: concurrent programs over unbounded integers with nondeterministic input.
//!
//! A text becomes a syntax tree ([`parse`]), the tree becomes a flat transition system ([`elaborate`]):
//! constants are folded, families of processes and transitions unrolled, arrays spread out, types and
//! linearity checked. [`format`] prints a tree in the one layout, [`simulate`] runs a system.
//! The language is described in `docs/gcl.md`.
//!
//! Architecture invariant: this crate knows no terms, solvers or proofs; whatever text it is given, it
//! answers with a system or an [`Error`] that names a place.

pub mod ast;
mod elaborate;
mod error;
mod eval;
mod fold;
mod format;
mod parse;
pub mod simulate;
mod symbols;
mod system;
mod token;
mod typing;

pub use elaborate::{Elaborated, elaborate};
pub use error::{Error, Span};
pub use format::format;
pub use parse::{parse, parse_expr};
pub use system::{
    Assign, CmpOp, Expr, NamedState, Rhs, Show, Sort, State, System, Transition, Value, Var, VarIdx,
};

/// The system that `source` describes; `defines` replaces values of constants.
pub fn load(source: &str, defines: &[(String, num_bigint::BigInt)]) -> Result<System, Error> {
    elaborate(&parse(source)?, defines).map(|elaborated| elaborated.system)
}
