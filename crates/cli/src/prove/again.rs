//! `selvedge prove --incremental`: the last proof from the store, and what is found out back into it.
//!
//! Guarantee: as for `check --incremental`, whatever is wrong with the store, the program is proved or refuted; a proof from the
//! store is believed only if the checker accepts it for the program as it is now.

use std::time::Instant;

use selvedge_engine::{Config, Hooks, Outcome, Proved, Reuse, Unused};
use selvedge_frontend::Options;
use selvedge_program::Program;

use crate::args::ProveArgs;
use crate::incremental::{FOLDER, LIMIT, Lineage, Plan, lineage, now};

/// What the flags ask for.
pub(super) fn plan(args: &ProveArgs, options: &Options, config: &Config) -> Plan {
    Plan {
        folder: args.store.clone().unwrap_or_else(|| FOLDER.into()),
        limit: args.store_limit.map_or(LIMIT, |mib| mib << 20),
        key: lineage(options, config),
        compares: false,
        all_bugs: false,
        by_impact: false,
    }
}

/// Proves with what is known from earlier runs.
pub(crate) fn prove_again(
    program: Program,
    config: &Config,
    plan: &Plan,
    max_states: Option<usize>,
    hooks: Hooks<'_>,
) -> Outcome {
    let started = Instant::now();
    let mut lineage = Lineage::open(plan);
    let proofs = lineage.load_proofs();
    let is_first = proofs.is_new();
    let original = (!is_first).then(|| program.clone());
    let (numbered, mut known) = Proved::of(program, proofs, now());
    let Hooks { progress, bug, interrupted } = hooks;
    let mut bugs = Vec::new();
    let mut note = |found: &_| bugs.push(Clone::clone(found));
    let hooks = Hooks { progress: &mut *progress, bug: &mut note, interrupted };
    let mut outcome = selvedge_engine::prove_again(&numbered, config, max_states, hooks, Some(&mut known));
    lineage.save_proofs(&known.into_proofs());
    match original.filter(|_| outcome.depends_on_addresses()) {
        // What is new has the addresses after those of all that there ever was.
        Some(program) => {
            let mut left = config.clone();
            left.limits.timeout = left.limits.timeout.map(|limit| limit.saturating_sub(started.elapsed()));
            let hooks = Hooks { progress, bug, interrupted };
            outcome = selvedge_engine::prove(&program, &left, max_states, hooks);
            outcome.reuse = Some(Reuse { unused: Some(Unused::Addresses), ..Reuse::default() });
        }
        None => bugs.iter().for_each(bug),
    }
    outcome.warnings.extend(lineage.problems());
    outcome
}
