//! What the caller can choose about the chain. Every field says its default.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use selvedge_base::listed_enum;

listed_enum! {
    /// Which solver stands at the end of the chain.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Backend {
        /// The bit-blaster with a conflict limit, then Z3 for what it leaves open. Default.
        #[default]
        Auto,
        /// Z3 alone.
        Z3,
        /// The bit-blaster alone: arrays, floats and integers are answered `Unsupported`.
        BitBlast,
    }
}

/// Switches and limits of the chain that [`build`](crate::build) makes.
///
/// Every switch may only save work: two chains that both answer give the same verdict.
#[derive(Clone, Debug)]
pub struct SolverConfig {
    /// The backend. Default is [`Backend::Auto`].
    pub backend: Backend,
    /// Decide and shrink queries by rewriting. Default is true.
    pub simplify: bool,
    /// Send only the conjuncts that share variables with the goal. Default is true.
    pub independence: bool,
    /// Remember answers, models and cores. Default is true.
    pub cache: bool,
    /// Keep the state of the backends from query to query. Default is true.
    pub incremental: bool,
    /// Check every answer with a second backend and every model by evaluation. Default is false.
    pub validate: bool,
    /// Write every query that reaches the chain into this directory. Default is none.
    pub log_queries: Option<PathBuf>,
    /// Time limit of one query. Default is none.
    pub timeout: Option<Duration>,
    /// Z3's deterministic resource limit of one query. Default is none.
    pub rlimit: Option<u32>,
    /// Raised by another thread to make `check` return `Unknown(Interrupted)` soon.
    /// It stays raised until its owner lowers it. Default is a flag nobody raises.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for SolverConfig {
    fn default() -> Self {
        SolverConfig {
            backend: Backend::Auto,
            simplify: true,
            independence: true,
            cache: true,
            incremental: true,
            validate: false,
            log_queries: None,
            timeout: None,
            rlimit: None,
            interrupt: Arc::new(AtomicBool::new(false)),
        }
    }
}
