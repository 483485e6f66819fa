//! Terms: hash-consed bit-vectors, arrays, integers and floating-point operations, with
//! a builder that rewrites to a normal form, substitution, evaluation and an SMT-LIB
//! printer.
//!
//! Architecture invariant: nothing here knows of programs, searches or solvers.

mod assignment;
pub mod build;
mod eval;
mod facts;
mod float;
mod host_float;
mod model;
mod node;
mod op;
mod pool;
mod portable;
mod ranges;
pub mod smtlib;
mod soft_float;
mod sort;
mod subst;
mod support;
mod table;
mod value;

pub use assignment::Assignment;
pub use eval::{Evaluator, eval};
pub use facts::KnownBits;
pub use float::{FpFormat, FpOp, RoundingMode};
pub use host_float::host_float;
pub use model::{ArrayValue, Constant};
pub use node::{IntId, ListId, Node, TermId, VarId, WideId};
pub use pool::{Operands, TermPool, VarInfo};
pub use portable::{Exporter, Imported, Plan, Portable, TakenTerms};
pub use ranges::{Range, Ranges};
pub use sort::Sort;
pub use subst::Substitution;
pub use value::BvValue;
