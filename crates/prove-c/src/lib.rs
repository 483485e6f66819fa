//! Proofs of C programs without bounds.
//!
//! The program's control states and the steps between them are a finite graph ([`graph`]) as long as it does not make
//! ever new threads, objects or calls. What the steps do to memory and registers is known exactly, as guards and
//! assignments over bit-vectors ([`ways`]), so that machine integers wrap as they do. The searches of `selvedge-prove` look
//! for an inductive invariant over predicates of memory cells and registers, the checker there ([`walk`]) verifies it with nothing but the solver, and
//! [`run`] makes an execution of a path to a bad step.
//!
//! Guarantees: *safe* means that every execution of any length was covered by an invariant that was checked; *unsafe*
//! comes with a schedule and inputs, which the caller executes before it believes them; everything else is *unknown*
//! with a place and a reason. Not covered: loops that wait for ever without blocking (livelock), data races.

mod every_way;
mod explored;
mod graph;
mod kept;
mod proof;
mod prove;
mod run;
mod subject;
mod walk;
mod ways;

pub use kept::Kept;
pub use prove::{Earlier, Outcome, prove, prove_again};
pub use run::Run;
pub use subject::{Subject, check_proof};
