//! Builds the chain: the one place that knows the order of the links.

use crate::backend::bitblast::BitBlast;
use crate::backend::z3::Z3;
use crate::cache::Cache;
use crate::config::{Backend, SolverConfig};
use crate::fallback::Fallback;
use crate::independence::Independence;
use crate::log::Log;
use crate::query::Solver;
use crate::simplify::Simplify;
use crate::stats::Counted;
use crate::validate::Validate;

/// The chain that `config` describes. From the backend outward:
///
/// 1. the backend, or two of them with the fast one first;
/// 2. the cache, which sees slices and so hits more often than it would on whole paths;
/// 3. slicing by independence;
/// 4. simplification, which needs the whole path;
/// 5. validation and the log, which see what the caller asked;
/// 6. the counters.
///
/// A chain belongs to one [`TermPool`](selvedge_term::TermPool): it remembers term ids.
pub fn build(config: &SolverConfig) -> Box<dyn Solver> {
    let mut solver: Box<dyn Solver> = match config.backend {
        Backend::Z3 => Box::new(Z3::new(config)),
        Backend::BitBlast => Box::new(BitBlast::new(config, true)),
        Backend::Auto => {
            let fast = Box::new(BitBlast::new(config, false));
            Box::new(Fallback::new(fast, Box::new(Z3::new(config))))
        }
    };
    if config.cache {
        solver = Box::new(Cache::new(solver));
    }
    if config.independence {
        solver = Box::new(Independence::new(solver));
    }
    if config.simplify {
        solver = Box::new(Simplify::new(solver));
    }
    if config.validate {
        let oracle: Box<dyn Solver> = match config.backend {
            Backend::Z3 => Box::new(BitBlast::new(config, false)),
            Backend::BitBlast | Backend::Auto => Box::new(Z3::new(config)),
        };
        solver = Box::new(Validate::new(solver, oracle));
    }
    if let Some(dir) = &config.log_queries {
        solver = Box::new(Log::new(solver, dir.clone()));
    }
    Box::new(Counted::new(solver))
}
