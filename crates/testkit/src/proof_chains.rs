//! Chains of versions, each proved with what is known of those before it, and from scratch.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use selvedge_engine::{Config, EarlierProof, Hooks, Outcome, Proofs, Proved, Verdict, prove, prove_again};
use selvedge_frontend::{Options, load};
use selvedge_program::Program;

use crate::edits;
use crate::generator::Rng;
use crate::lineage::DAY;

/// What a comparison has seen.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Seen {
    /// Versions that were compared.
    pub versions: u64,
    /// Versions whose verdict is not that of the version before.
    pub changed: u64,
    /// Versions for which the last proof held.
    pub held: u64,
    /// Searches that began with a part of the last proof.
    pub begun: u64,
    /// Known failures that were still there.
    pub failed: u64,
    /// Questions to the solver from scratch, and with what is known.
    pub queries: [u64; 2],
    /// What did not agree.
    pub mismatches: Vec<String>,
}

/// What is known of the versions of a program from proofs.
#[derive(Clone, Debug, Default)]
pub struct ProofLineage(Proofs);

impl ProofLineage {
    /// The next version.
    pub fn prove(&mut self, program: &Program, config: &Config) -> Outcome {
        // What is kept has to survive the way to the disk and back.
        let bytes = std::mem::take(&mut self.0).to_bytes();
        let known = Proofs::from_bytes(&bytes).expect("what was written can be read");
        let (program, mut known) = Proved::of(program.clone(), known, DAY);
        let outcome = hooked(|hooks| prove_again(&program, config, None, hooks, Some(&mut known)));
        self.0 = known.into_proofs();
        outcome
    }
}

/// The answer of a search that knows nothing.
pub fn proved(program: &Program, config: &Config) -> Outcome {
    hooked(|hooks| prove(program, config, None, hooks))
}

fn hooked<T>(run: impl FnOnce(Hooks<'_>) -> T) -> T {
    let interrupted = AtomicBool::new(false);
    run(Hooks { progress: &mut |_| {}, bug: &mut |_| {}, interrupted: &interrupted })
}

/// The C programs in a folder, compiled.
pub fn programs(folder: &Path) -> Result<Vec<(String, Program)>, String> {
    let read = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut files: Vec<PathBuf> = read.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    let compile = |file: PathBuf| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let options = Options { files: vec![file], ..Options::default() };
        load(&options).map(|program| (name, program)).map_err(|error| error.to_string())
    };
    files.into_iter().map(compile).collect()
}

/// Compares `n` random versions of a program. A version that takes longer than `limit` is left out.
pub fn chain((name, base): &(String, Program), n: usize, seed: u64, limit: Duration) -> Seen {
    let mut rng = Rng::new(seed ^ 0x9f00_f5ed);
    let config = Config::default().with(|c| c.limits.timeout = Some(limit));
    let mut seen = Seen::default();
    let mut lineage = ProofLineage::default();
    let mut known = vec![base.clone()];
    let mut last = None;
    for step in 0..n {
        // Often the first one: most edits of a program that was proved make it wrong.
        let mut version = if rng.chance(50) { base.clone() } else { rng.pick(&known).clone() };
        let mut what = Vec::new();
        if step > 0 {
            what.extend(edits::edit(&mut version, &mut rng, |_| true));
            if rng.chance(20) {
                edits::add_elsewhere(&mut version, &mut rng);
            }
            if rng.chance(30) {
                version = edits::shuffle(&version, &mut rng);
            }
        }
        let (fresh, again) = (proved(&version, &config), lineage.prove(&version, &config));
        if is_late(&fresh) || is_late(&again) {
            continue;
        }
        seen.versions += 1;
        seen.changed += u64::from(last.is_some_and(|last| last != fresh.verdict));
        last = Some(fresh.verdict);
        let reuse = again.reuse.unwrap_or_default();
        seen.held += u64::from(matches!(reuse.proof, Some(EarlierProof::Holds(_))));
        seen.begun += u64::from(matches!(reuse.proof, Some(EarlierProof::Left { holds: 1.., .. })));
        seen.failed += reuse.known_bugs.same + reuse.known_bugs.other;
        seen.queries[0] += fresh.solver.queries;
        seen.queries[1] += again.solver.queries;
        if fresh.verdict != again.verdict && !again.depends_on_addresses() {
            seen.mismatches.push(format!(
                "{name}, seed {seed}, version {step} with {what:?}: {:?} {:?} from scratch, {:?} {:?} with what is known, \
                 {reuse:?}",
                fresh.verdict, fresh.reasons, again.verdict, again.reasons
            ));
        }
        if fresh.verdict != Verdict::Unknown {
            known.push(version);
        }
    }
    seen
}

fn is_late(outcome: &Outcome) -> bool {
    outcome.reasons.iter().any(|reason| reason.contains("limit") || reason.contains("interrupted"))
}

impl Seen {
    /// Adds what another comparison has seen.
    pub fn add(&mut self, other: Seen) {
        self.versions += other.versions;
        self.changed += other.changed;
        self.held += other.held;
        self.begun += other.begun;
        self.failed += other.failed;
        self.queries.iter_mut().zip(other.queries).for_each(|(sum, n)| *sum += n);
        self.mismatches.extend(other.mismatches);
    }
}
