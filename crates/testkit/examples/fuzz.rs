//! Compares the searches over random programs with threads until its time is over; run by `cargo xtask fuzz`.
//!
//! Arguments: minutes, first seed, and the folder for programs with a mismatch. Ends with code 1 if there was one.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool talks to its user")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use selvedge_testkit::threads::{Agreement, Plan, compare};

/// Programs in each round: a round lasts seconds, so the time is kept well enough.
const ROUND: u64 = 200;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [minutes, seed, keep] = args.as_slice() else {
        eprintln!("usage: fuzz MINUTES SEED FOLDER");
        return ExitCode::from(2);
    };
    let (Ok(minutes), Ok(first)) = (minutes.parse::<f64>(), seed.parse::<u64>()) else {
        eprintln!("error: minutes and seed are numbers");
        return ExitCode::from(2);
    };
    let Ok(time) = Duration::try_from_secs_f64(minutes * 60.0) else {
        eprintln!("error: the number of minutes is out of range");
        return ExitCode::from(2);
    };
    let keep = PathBuf::from(keep);
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    let started = Instant::now();
    let (mut total, mut seed) = (Agreement::default(), first);
    while started.elapsed() < time {
        let Some(end) = seed.checked_add(ROUND) else { break };
        let plan = Plan {
            seeds: seed..end,
            batch: 25,
            workers,
            max_runs: 1_000,
            stress_every: 16,
            native_runs: 8,
            keep: keep.clone(),
        };
        let round = compare(&plan);
        for m in &round.mismatches {
            println!("MISMATCH seed {}: {}: {}", m.seed, m.kind, m.detail);
        }
        total.add(round);
        seed = end;
        println!(
            "{:.1} min: {} programs compared (seeds {first} to {}), {} mismatches",
            started.elapsed().as_secs_f64() / 60.0,
            total.programs + total.partly,
            seed - 1,
            total.mismatches.len(),
        );
    }
    println!("{total}");
    if total.mismatches.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("see {}", keep.display());
    ExitCode::FAILURE
}
