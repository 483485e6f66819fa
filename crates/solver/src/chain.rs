//! Builds the chain.

use crate::backend::bitblast::BitBlast;
use crate::backend::z3::Z3;
use crate::config::{Backend, SolverConfig};
use crate::query::Solver;

/// The chain that `config` describes.
pub fn build(config: &SolverConfig) -> Box<dyn Solver> {
    match config.backend {
        Backend::BitBlast => Box::new(BitBlast::new(config, true)),
        Backend::Z3 | Backend::Auto => Box::new(Z3::new(config)),
    }
}
