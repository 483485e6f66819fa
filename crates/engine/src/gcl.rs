//! Proofs of programs in the guarded-command language, by the prover that C programs are proved by as well. They have no
//! schedules, inputs or source lines as executions of C programs do, hence outcomes and runs of their own.

pub use selvedge_prove::{
    CheckError, CheckResult, Gcl, Limits, Method, Options, Outcome, Reason, Run, Stats, Verdict, check_proof,
    has_initial_state, prove,
};
