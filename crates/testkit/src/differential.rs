//! The engine against the machine, on generated programs.
//!
//! For each program the engine explores all paths and predicts, for one input of each path, what is printed and with
//! which code the program ends. The program then really runs with these inputs, and with random ones besides:
//! - every prediction must come true (the engine is right about the paths it takes);
//! - every path that a random input takes natively must be the path of some test case (the engine misses none);
//! - the verdict must be `safe`: generated programs have no bugs and use nothing unsupported.
//!
//! Programs with deliberate faults (`judge`) are run under sanitizers instead, which must agree with the engine about
//! which inputs fail.

mod faulty;
mod judge;
mod predict;
mod variants;

pub use faulty::smaller;
pub use predict::explore;
pub use variants::{Paths, Variants, paths_of_variants};

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use selvedge_engine::{Config, Verdict};

use crate::generator::{self, Generated, Rng, generate};
use crate::native::{self, Build, Job, NativeEnd, Unit};
use predict::{Prediction, predict, show_inputs};
pub(crate) use predict::{explore_loaded, load_with, verdict_fault};

/// What to compare.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seeds of the programs.
    pub seeds: std::ops::Range<u64>,
    /// Programs for each native executable.
    pub batch: usize,
    /// Batches at the same time.
    pub threads: usize,
    /// Random inputs for each program besides the engine's.
    pub samples: usize,
    /// One batch in so many is also built with optimisation; 0 for none.
    pub optimised_every: usize,
    /// Faulty programs that are made smaller.
    pub shrink: usize,
    /// Where faulty programs are written.
    pub keep: PathBuf,
    /// What the programs contain.
    pub options: generator::Options,
    /// Flags with which clang makes the bitcode that the engine gets, such as `-O2`; without, it gets the source.
    pub bitcode: Option<Vec<String>>,
    /// How the engine runs; `tests` is always on.
    pub config: Config,
}

/// Something that must not be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The program.
    pub seed: u64,
    /// What kind, in a word or two: faults of one kind have one reason more often than not.
    pub kind: &'static str,
    /// What was expected and found.
    pub detail: String,
}

/// The result of a comparison.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comparison {
    /// Programs compared.
    pub programs: usize,
    /// Paths that the engine explored to the end.
    pub paths: u64,
    /// Paths that end in a bug.
    pub failing: u64,
    /// Most paths of one program, and which.
    pub most_paths: (u64, u64),
    /// Longest exploration of one program, and which.
    pub slowest: (Duration, u64),
    /// Predictions checked by native runs, those of optimised builds included.
    pub cases: usize,
    /// Random native runs whose path was looked up.
    pub samples: usize,
    /// Different native paths seen.
    pub native_paths: usize,
    /// Everything that went wrong, by seed.
    pub mismatches: Vec<Mismatch>,
    /// Time spent in loading and in exploring, summed over threads.
    pub engine_time: (Duration, Duration),
    /// Time spent in native builds and runs, summed over threads.
    pub native_time: (Duration, Duration),
}

impl std::fmt::Display for Comparison {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for m in self.mismatches.iter().take(40) {
            writeln!(f, "seed {}: {}: {}", m.seed, m.kind, m.detail)?;
        }
        write!(
            f,
            "{} programs, {} paths ({} fail; {} at most, seed {}), {} test cases and {} random runs on {} native paths compared, {} mismatches \
             (load {:.1?}, explore {:.1?} with seed {} at {:.1?}, build {:.1?}, run {:.1?})",
            self.programs,
            self.paths,
            self.failing,
            self.most_paths.0,
            self.most_paths.1,
            self.cases,
            self.samples,
            self.native_paths,
            self.mismatches.len(),
            self.engine_time.0,
            self.engine_time.1,
            self.slowest.1,
            self.slowest.0,
            self.native_time.0,
            self.native_time.1
        )
    }
}

impl Comparison {
    fn add(&mut self, other: Comparison) {
        self.programs += other.programs;
        self.paths += other.paths;
        self.failing += other.failing;
        self.most_paths = self.most_paths.max(other.most_paths);
        self.slowest = self.slowest.max(other.slowest);
        self.cases += other.cases;
        self.samples += other.samples;
        self.native_paths += other.native_paths;
        self.mismatches.extend(other.mismatches);
        self.engine_time.0 += other.engine_time.0;
        self.engine_time.1 += other.engine_time.1;
        self.native_time.0 += other.native_time.0;
        self.native_time.1 += other.native_time.1;
    }
}

/// Compares all programs of the plan.
///
/// # Errors
/// When native programs cannot be built or run at all.
pub fn compare(plan: &Plan) -> Result<Comparison, native::Error> {
    let seeds: Vec<u64> = plan.seeds.clone().collect();
    let batches: Vec<&[u64]> = seeds.chunks(plan.batch.max(1)).collect();
    let next = AtomicUsize::new(0);
    let total = Mutex::new(Ok(Comparison::default()));
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(batch) = batches.get(index) else { return };
                    let optimised = plan.optimised_every > 0 && index.is_multiple_of(plan.optimised_every);
                    let programs: Vec<Generated> =
                        batch.iter().map(|s| generate(*s, &plan.options)).collect();
                    let one = if plan.options.faults {
                        judge::judge_batch(&programs, plan)
                    } else {
                        compare_batch(&programs, plan, optimised)
                    };
                    let mut total = total.lock().expect("no thread panics with the lock");
                    match (&mut *total, one) {
                        (Ok(total), Ok(one)) => total.add(one),
                        (total, Err(error)) => *total = Err(error),
                        (Err(_), Ok(_)) => return,
                    }
                }
            });
        }
    });
    let mut total = total.into_inner().expect("all threads have ended")?;
    total.mismatches.sort_by_key(|m| m.seed);
    faulty::keep(&total.mismatches, plan);
    Ok(total)
}

fn io(what: &'static str) -> impl FnOnce(std::io::Error) -> native::Error {
    move |source| native::Error::Io { what, source }
}

fn compare_batch(programs: &[Generated], plan: &Plan, optimised: bool) -> Result<Comparison, native::Error> {
    let dir = tempfile::tempdir().map_err(io("there is no temporary folder"))?;
    let mut report = Comparison { programs: programs.len(), ..Comparison::default() };
    let sources: Vec<String> = programs.iter().map(Generated::source).collect();
    let mut config = plan.config.clone();
    config.search.tests = true;
    let mut predictions: Vec<(Job, Prediction)> = Vec::new();
    for (index, (program, source)) in programs.iter().zip(&sources).enumerate() {
        let file = dir.path().join(format!("p{}.c", program.seed));
        std::fs::write(&file, source).map_err(io("a program cannot be written"))?;
        let mut started = Instant::now();
        let mut fault = |kind, detail| report.mismatches.push(Mismatch { seed: program.seed, kind, detail });
        let explored = compiled(&file, plan).and_then(|file| {
            started = Instant::now();
            explore(&file, &config)
        });
        match explored {
            Err(problem) => fault("failure of the tool", problem),
            Ok((outcome, loaded)) => {
                report.engine_time.0 += loaded;
                let time = started.elapsed().saturating_sub(loaded);
                report.engine_time.1 += time;
                report.slowest = report.slowest.max((time, program.seed));
                if outcome.verdict != Verdict::Safe || outcome.bounded {
                    let (kind, detail) = verdict_fault(&outcome);
                    fault(kind, detail);
                }
                report.paths += outcome.executions.full;
                report.most_paths = report.most_paths.max((outcome.executions.full, program.seed));
                predictions.extend(predict(index, &outcome));
            }
        }
    }
    let units: Vec<Unit<'_>> =
        programs.iter().zip(&sources).map(|(p, source)| Unit { seed: p.seed, source }).collect();
    let started = Instant::now();
    let traced = native::build(dir.path(), "batch", &units, Build::Traced)?;
    let fast =
        if optimised { Some(native::build(dir.path(), "batch", &units, Build::Optimised)?) } else { None };
    report.native_time.0 += started.elapsed();
    let started = Instant::now();
    let jobs: Vec<Job> = predictions.iter().map(|(job, _)| job.clone()).collect();
    let mut traces: Vec<Vec<u64>> = vec![Vec::new(); programs.len()];
    for (build, batch) in [("-O0", Some(&traced)), ("-O2", fast.as_ref())] {
        let Some(batch) = batch else { continue };
        for ((job, prediction), run) in predictions.iter().zip(batch.run(&jobs)?) {
            report.cases += 1;
            if let Some((kind, detail)) = prediction.differs(&run) {
                let detail = format!("{build}, inputs {}: {detail}", show_inputs(&job.inputs));
                report.mismatches.push(Mismatch { seed: programs[job.program].seed, kind, detail });
            }
            if build == "-O0" {
                traces[job.program].push(run.trace);
            }
        }
    }
    sample(programs, plan, &traced, &mut traces, &mut report)?;
    report.native_time.1 += started.elapsed();
    Ok(report)
}

/// The file that the engine gets.
fn compiled(file: &Path, plan: &Plan) -> Result<PathBuf, String> {
    let Some(flags) = &plan.bitcode else { return Ok(file.to_owned()) };
    let bitcode = file.with_extension("bc");
    let made = native::compile(file, &bitcode, |command| {
        command.args(flags).args(["-g", "-emit-llvm", "-c"]);
    });
    made.map(|()| bitcode).map_err(|e| e.to_string())
}

/// Runs random inputs and looks for paths that no test case takes.
fn sample(
    programs: &[Generated],
    plan: &Plan,
    batch: &native::Batch,
    traces: &mut [Vec<u64>],
    report: &mut Comparison,
) -> Result<(), native::Error> {
    let mut jobs = Vec::new();
    for (index, program) in programs.iter().enumerate() {
        let mut rng = Rng::new(program.seed ^ 0x5a3e);
        // A program whose exploration failed is reported already.
        for _ in 0..if traces[index].is_empty() { 0 } else { plan.samples } {
            let inputs = program.inputs.iter().map(|i| i.sample(&mut rng)).collect();
            jobs.push(Job { program: index, inputs });
        }
    }
    for seen in traces.iter_mut() {
        seen.sort_unstable();
        seen.dedup();
        report.native_paths += seen.len();
    }
    for (job, run) in jobs.iter().zip(batch.run(&jobs)?) {
        report.samples += 1;
        if run.end != NativeEnd::Assumption && !traces[job.program].contains(&run.trace) {
            let seed = programs[job.program].seed;
            let already = report.mismatches.iter().any(|m| m.seed == seed);
            if !already {
                let detail = format!("no test case takes the path of inputs {}", show_inputs(&job.inputs));
                report.mismatches.push(Mismatch { seed, kind: "missed path", detail });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::{InputSpec, Int, Node};

    fn program() -> Generated {
        let lines = [
            "#include <stdio.h>",
            "extern int __VERIFIER_nondet_int(void);",
            "int main(void) { int x = __VERIFIER_nondet_int(); if (x < 10) printf(\"%d\\n\", x & 3); if (x >= 50) return 1; return 0; }",
        ];
        let nodes = lines.iter().map(|l| Node::Line((*l).to_owned())).collect();
        let inputs = vec![InputSpec { ty: Int::Int, lo: -100, hi: 100, count: 1 }];
        Generated { seed: 1, nodes, inputs }
    }

    fn plan(config: Config) -> Plan {
        Plan {
            seeds: 0..0,
            batch: 1,
            threads: 1,
            samples: 40,
            optimised_every: 0,
            shrink: 0,
            keep: PathBuf::new(),
            options: generator::Options::default(),
            bitcode: None,
            config,
        }
    }

    #[test]
    fn a_full_exploration_has_no_mismatch() {
        let report = compare_batch(&[program()], &plan(Config::default()), true).expect("runs");
        assert_eq!(
            (report.mismatches.as_slice(), report.paths, report.native_paths),
            (&[][..], 3, 3),
            "{report}"
        );
        assert_eq!(report.cases, 6, "each of three paths at two optimisation levels");
    }

    #[test]
    fn a_path_that_was_not_explored_is_noticed() {
        let config = Config::default().with(|c| c.limits.max_runs = Some(1));
        let report = compare_batch(&[program()], &plan(config), false).expect("runs");
        assert!(report.mismatches.iter().any(|m| m.kind == "unknown"), "{report}");
        let missed = sample_only(&program());
        assert_eq!(missed.mismatches[0].kind, "missed path");
    }

    /// Samples of a program of which one path is known.
    fn sample_only(program: &Generated) -> Comparison {
        let dir = tempfile::tempdir().expect("a folder");
        let source = program.source();
        let units = [Unit { seed: program.seed, source: &source }];
        let batch = native::build(dir.path(), "b", &units, Build::Traced).expect("compiles");
        let one = [Job { program: 0, inputs: vec![Int::Int.encode(60)] }];
        let mut traces = vec![vec![batch.run(&one).expect("runs")[0].trace]];
        let mut report = Comparison::default();
        let programs = std::slice::from_ref(program);
        sample(programs, &plan(Config::default()), &batch, &mut traces, &mut report).expect("runs");
        report
    }
}
