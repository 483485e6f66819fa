//! Programs with faults: the engine and the sanitizers must agree about which inputs fail.
//!
//! - An input for which the engine reports a bug fails natively under the sanitizers.
//! - An input for which it predicts a normal end ends so natively, with the predicted output.
//! - The place where a random input fails natively is where some reported input fails: the trace up to there is that
//!   of a test case.
//!
//! Relies on: faults of the kinds in `generator/faults.rs`, each of which stops the sanitized program at once.

use std::path::Path;
use std::time::Instant;

use selvedge_engine::{Config, PathEndKind, Property, Verdict};

use super::predict::{Prediction, explore, predict_all, show_inputs, verdict_fault};
use super::{Comparison, Mismatch, Plan, io};
use crate::generator::{Generated, Rng};
use crate::native::{self, Batch, Build, Job, NativeEnd, Unit};

fn failed(end: NativeEnd) -> bool {
    matches!(end, NativeEnd::Sanitizer | NativeEnd::Signal(_))
}

/// One predicted execution: what to run, what it should do, and the bug that it shows.
type Case = (Job, Prediction, Option<String>);

/// Compares the bugs of some programs with what sanitizers say.
pub(super) fn judge_batch(programs: &[Generated], plan: &Plan) -> Result<Comparison, native::Error> {
    let dir = tempfile::tempdir().map_err(io("there is no temporary folder"))?;
    let mut report = Comparison { programs: programs.len(), ..Comparison::default() };
    let sources: Vec<String> = programs.iter().map(Generated::source).collect();
    let units: Vec<Unit<'_>> =
        programs.iter().zip(&sources).map(|(p, source)| Unit { seed: p.seed, source }).collect();
    let started = Instant::now();
    let batch = native::build(dir.path(), "batch", &units, Build::Judged)?;
    report.native_time.0 += started.elapsed();
    let mut properties = Property::defaults();
    properties.push(Property::Overflow);
    let config = plan.config.clone().with(|c| {
        c.search.tests = true;
        c.search.all_bugs = true;
        c.properties = properties;
    });
    let mut cases = Vec::new();
    let mut explored = vec![false; programs.len()];
    for (index, unit) in units.iter().enumerate() {
        let file = dir.path().join(format!("p{}.c", unit.seed));
        std::fs::write(&file, unit.source).map_err(io("a program cannot be written"))?;
        let predicted = predict(index, unit.seed, &file, &config, &mut report);
        explored[index] = predicted.is_some();
        cases.extend(predicted.unwrap_or_default());
    }
    let started = Instant::now();
    let traces = compare_cases(programs, &cases, &batch, &mut report)?;
    let programs: Vec<(usize, &Generated)> =
        programs.iter().enumerate().filter(|(index, _)| explored[*index]).collect();
    compare_samples(&programs, plan.samples, &traces, &batch, &mut report)?;
    report.native_time.1 += started.elapsed();
    Ok(report)
}

/// What the engine foresees for the program of `file`; `None`, and a mismatch, if it comes to no verdict.
fn predict(
    index: usize,
    seed: u64,
    file: &Path,
    config: &Config,
    report: &mut Comparison,
) -> Option<Vec<Case>> {
    let started = Instant::now();
    let mut fault = |kind, detail| report.mismatches.push(Mismatch { seed, kind, detail });
    let (outcome, loaded) = match explore(file, config) {
        Err(problem) => {
            fault("failure of the tool", problem);
            return None;
        }
        Ok((outcome, _)) if outcome.verdict == Verdict::Unknown => {
            let (kind, detail) = verdict_fault(&outcome);
            fault(kind, detail);
            return None;
        }
        Ok(explored) => explored,
    };
    report.engine_time.0 += loaded;
    let time = started.elapsed().saturating_sub(loaded);
    report.engine_time.1 += time;
    report.slowest = report.slowest.max((time, seed));
    report.paths += outcome.executions.total;
    report.most_paths = report.most_paths.max((outcome.executions.total, seed));
    report.failing += outcome.executions.failed;
    let place = |end: PathEndKind| match end {
        PathEndKind::Bug(bug) => {
            outcome.bugs.get(bug).map(|b| format!("{} (line {})", b.message, b.location.line))
        }
        _ => None,
    };
    let with_bug = |(job, prediction): (Job, Prediction)| {
        let bug = place(prediction.end);
        (job, prediction, bug)
    };
    Some(predict_all(index, &outcome).into_iter().map(with_bug).collect())
}

/// Runs what was predicted; the native paths of each program, sorted.
fn compare_cases(
    programs: &[Generated],
    cases: &[Case],
    batch: &Batch,
    report: &mut Comparison,
) -> Result<Vec<Vec<u64>>, native::Error> {
    let jobs: Vec<Job> = cases.iter().map(|(job, ..)| job.clone()).collect();
    let mut traces: Vec<Vec<u64>> = vec![Vec::new(); programs.len()];
    for ((job, prediction, bug), run) in cases.iter().zip(batch.run(&jobs)?) {
        report.cases += 1;
        traces[job.program].push(run.trace);
        let difference = match bug {
            Some(_) if failed(run.end) => None,
            Some(bug) => Some(("false alarm", format!("{bug}, but natively {:?}", run.end))),
            None => prediction.differs(&run),
        };
        if let Some((kind, detail)) = difference {
            let detail = format!("inputs {}: {detail}", show_inputs(&job.inputs));
            report.mismatches.push(Mismatch { seed: programs[job.program].seed, kind, detail });
        }
    }
    for seen in &mut traces {
        seen.sort_unstable();
        seen.dedup();
        report.native_paths += seen.len();
    }
    Ok(traces)
}

/// Runs the programs with random inputs: each run must take a path of `traces`.
fn compare_samples(
    programs: &[(usize, &Generated)],
    samples: usize,
    traces: &[Vec<u64>],
    batch: &Batch,
    report: &mut Comparison,
) -> Result<(), native::Error> {
    let mut jobs = Vec::new();
    let mut seeds = Vec::new();
    for (index, program) in programs {
        let mut rng = Rng::new(program.seed ^ 0x7a11);
        for _ in 0..samples {
            let inputs = program.inputs.iter().map(|i| i.sample(&mut rng)).collect();
            jobs.push(Job { program: *index, inputs });
            seeds.push(program.seed);
        }
    }
    for ((job, seed), run) in jobs.iter().zip(seeds).zip(batch.run(&jobs)?) {
        report.samples += 1;
        if run.end == NativeEnd::Assumption || traces[job.program].contains(&run.trace) {
            continue;
        }
        let kind = if failed(run.end) { "missed bug" } else { "missed path" };
        let detail = format!("no test case goes where inputs {} go: {:?}", show_inputs(&job.inputs), run.end);
        report.mismatches.push(Mismatch { seed, kind, detail });
    }
    Ok(())
}
