//! Faulty programs: written down for a person, the first ones in a smaller version.

use std::time::{Duration, Instant};

use super::{Comparison, Mismatch, Plan, compare_batch, judge};
use crate::generator::{Generated, Node, Rng, generate, render};
use crate::native::{self, Build, Job, NativeEnd, NativeRun, Unit};
use crate::shrink::shrink;

/// Writes the faulty programs, the first ones also in a small version.
pub(super) fn keep(mismatches: &[Mismatch], plan: &Plan) {
    let mut done: Vec<u64> = Vec::new();
    for mismatch in mismatches {
        if done.contains(&mismatch.seed) || done.len() >= 50 {
            continue;
        }
        done.push(mismatch.seed);
        let folder = plan.keep.join(format!("seed-{}", mismatch.seed));
        let program = generate(mismatch.seed, &plan.options);
        let all: Vec<String> = mismatches
            .iter()
            .filter(|m| m.seed == mismatch.seed)
            .map(|m| format!("{}: {}\n", m.kind, m.detail))
            .collect();
        // The report names the seed, so a folder that cannot be written loses nothing.
        let _ = std::fs::create_dir_all(&folder);
        let _ = std::fs::write(folder.join("program.c"), program.source());
        let _ = std::fs::write(folder.join("mismatch.txt"), all.concat());
        if done.len() <= plan.shrink {
            let small = smaller(&program, mismatch.kind, plan, Duration::from_secs(60));
            let _ = std::fs::write(folder.join("small.c"), render(&small));
        }
    }
}

/// A smaller program that shows a fault of the same kind, without undefined behaviour if the program is to have none.
pub fn smaller(program: &Generated, kind: &str, plan: &Plan, limit: Duration) -> Vec<Node> {
    let end = Instant::now() + limit;
    let mut config = plan.config.clone();
    config.limits.timeout =
        Some(config.limits.timeout.map_or(Duration::from_secs(10), |t| t.min(Duration::from_secs(10))));
    let plan = Plan { config, ..plan.clone() };
    let mut still_fails = |nodes: &[Node]| {
        let candidate = Generated { nodes: nodes.to_vec(), ..program.clone() };
        let same = |c: Comparison| c.mismatches.iter().any(|m| m.kind == kind);
        let one = std::slice::from_ref(&candidate);
        if plan.options.faults {
            return judge::judge_batch(one, &plan).is_ok_and(same);
        }
        compare_batch(one, &plan, false).is_ok_and(same) && is_defined(&candidate)
    };
    shrink(program.nodes.clone(), &mut still_fails, &mut || Instant::now() < end)
}

/// Whether the sanitizers find nothing in a few runs.
fn is_defined(program: &Generated) -> bool {
    let Ok(dir) = tempfile::tempdir() else { return false };
    let source = program.source();
    let mut rng = Rng::new(program.seed);
    let jobs: Vec<Job> = (0..20)
        .map(|_| Job { program: 0, inputs: program.inputs.iter().map(|i| i.sample(&mut rng)).collect() })
        .collect();
    let clean = |build| {
        let units = [Unit { seed: program.seed, source: &source }];
        let runs = native::build(dir.path(), "one", &units, build).and_then(|batch| batch.run(&jobs));
        let fine = |r: &NativeRun| matches!(r.end, NativeEnd::Exit(_) | NativeEnd::Assumption);
        runs.is_ok_and(|runs| runs.iter().all(fine))
    };
    clean(Build::Sanitized) && clean(Build::MemorySanitized)
}
