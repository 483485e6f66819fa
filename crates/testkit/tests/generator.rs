//! The generator keeps its promises: no undefined behaviour, no dependence on the optimisation level, short runs.
//!
//! `SELVEDGE_GEN_PROGRAMS` sets the number of programs, `SELVEDGE_DIFF_SEED` the first seed.

use selvedge_testkit::generator::{Generated, Options, Rng, generate};
use selvedge_testkit::native::{Batch, Build, Job, NativeEnd, NativeRun, Unit, build};
use selvedge_testkit::wishes::number;

const SAMPLES: usize = 6;

fn jobs(programs: &[Generated]) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (program, generated) in programs.iter().enumerate() {
        let mut rng = Rng::new(generated.seed ^ 0xabcd);
        for _ in 0..SAMPLES {
            let inputs = generated.inputs.iter().map(|i| i.sample(&mut rng)).collect();
            jobs.push(Job { program, inputs });
        }
    }
    jobs
}

/// Compiles and runs the programs one way.
fn run(dir: &std::path::Path, programs: &[Generated], jobs: &[Job], how: Build) -> Vec<NativeRun> {
    let sources: Vec<String> = programs.iter().map(Generated::source).collect();
    let units: Vec<Unit<'_>> =
        programs.iter().zip(&sources).map(|(p, source)| Unit { seed: p.seed, source }).collect();
    let name = format!("g{}", programs[0].seed);
    let batch: Batch = build(dir, &name, &units, how).expect("generated programs compile");
    batch.run(jobs).expect("all jobs are answered")
}

#[test]
fn generated_programs_have_no_undefined_behaviour() {
    let (count, first) = (number("SELVEDGE_GEN_PROGRAMS", 60), number("SELVEDGE_DIFF_SEED", 0));
    let dir = tempfile::tempdir().expect("a folder");
    let seeds: Vec<u64> = (first..first + count).collect();
    let mut problems = Vec::new();
    for chunk in seeds.chunks(30) {
        let programs: Vec<Generated> = chunk.iter().map(|s| generate(*s, &Options::default())).collect();
        let jobs = jobs(&programs);
        let all = [Build::Traced, Build::Sanitized, Build::MemorySanitized, Build::Optimised]
            .map(|how| (how, run(dir.path(), &programs, &jobs, how)));
        let (_, plain) = &all[0];
        for (index, job) in jobs.iter().enumerate() {
            let seed = programs[job.program].seed;
            if !matches!(plain[index].end, NativeEnd::Exit(_)) {
                problems.push(format!("seed {seed}: ends with {:?} on {:?}", plain[index].end, job.inputs));
            }
            for (how, runs) in &all[1..] {
                if (runs[index].end, &runs[index].stdout) != (plain[index].end, &plain[index].stdout) {
                    problems.push(format!(
                        "seed {seed}: {how:?} gives {:?} on {:?}",
                        runs[index].end, job.inputs
                    ));
                }
            }
        }
    }
    problems.dedup();
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn a_seed_always_gives_the_same_program() {
    for seed in 0..50 {
        let text = || generate(seed, &Options::default()).source();
        assert_eq!(text(), text());
    }
}

#[test]
fn programs_are_small() {
    let sizes: Vec<usize> =
        (0..300).map(|seed| generate(seed, &Options::default()).source().lines().count()).collect();
    let average = sizes.iter().sum::<usize>() / sizes.len();
    assert!((40..120).contains(&average), "lines on average: {average}");
}
