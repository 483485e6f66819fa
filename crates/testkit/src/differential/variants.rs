//! The same programs under several configurations: which native paths do the test cases of each take?
//!
//! Two searches may give different inputs for one path, so their test cases cannot be compared as such; the native
//! trace of a test case tells which path it is.

use std::collections::BTreeSet;

use selvedge_engine::{Config, Executions, Verdict};

use super::io;
use super::predict::{explore_loaded, load, predict};
use crate::generator::Generated;
use crate::native::{self, Build, Unit};

/// What one exploration of one program gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paths {
    /// The verdict.
    pub verdict: Verdict,
    /// Leaves by kind.
    pub executions: Executions,
    /// Traces of its test cases.
    pub traces: BTreeSet<u64>,
}

/// The results for one program, in the order of the configurations; an `Err` is a failure of the tool.
pub type Variants = Vec<Result<Paths, String>>;

/// Explores every program under every configuration.
///
/// # Errors
/// When native programs cannot be built or run.
pub fn paths_of_variants(programs: &[Generated], configs: &[Config]) -> Result<Vec<Variants>, native::Error> {
    let dir = tempfile::tempdir().map_err(io("there is no temporary folder"))?;
    let sources: Vec<String> = programs.iter().map(Generated::source).collect();
    let units: Vec<Unit<'_>> =
        programs.iter().zip(&sources).map(|(p, source)| Unit { seed: p.seed, source }).collect();
    let batch = native::build(dir.path(), "variants", &units, Build::Traced)?;
    let mut results = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        let file = dir.path().join(format!("p{}.c", unit.seed));
        std::fs::write(&file, unit.source).map_err(io("a program cannot be written"))?;
        // Compiling takes longer than most explorations, so it is done once.
        let program = load(&file);
        let mut variants = Vec::new();
        for config in configs {
            let config = config.clone().with(|c| c.search.tests = true);
            let outcome =
                match program.as_ref().map_err(Clone::clone).and_then(|p| explore_loaded(p, &config)) {
                    Ok(outcome) => outcome,
                    Err(problem) => {
                        variants.push(Err(problem));
                        continue;
                    }
                };
            let jobs: Vec<_> = predict(index, &outcome).into_iter().map(|(job, _)| job).collect();
            let traces = batch.run(&jobs)?.iter().map(|run| run.trace).collect();
            variants.push(Ok(Paths { verdict: outcome.verdict, executions: outcome.executions, traces }));
        }
        results.push(variants);
    }
    Ok(results)
}
