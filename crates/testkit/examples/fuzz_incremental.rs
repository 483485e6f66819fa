//! Compares versions of random programs, checked with what is known, with searches from scratch, until its time is over; run
//! by `cargo xtask fuzz --incremental`.
//!
//! Arguments: minutes and the first seed. Ends with code 1 if there was a mismatch.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool talks to its user")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use selvedge_testkit::edit_chains::{self, Seen};

/// Programs that are compiled together, and comparisons at the same time.
const BATCH: u64 = 20;
const WORKERS: u64 = 3;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [minutes, seed] = args.as_slice() else {
        eprintln!("usage: fuzz_incremental MINUTES SEED");
        return ExitCode::from(2);
    };
    let (Ok(minutes), Ok(first)) = (minutes.parse::<f64>(), seed.parse::<u64>()) else {
        eprintln!("error: minutes and seed are numbers");
        return ExitCode::from(2);
    };
    match run(minutes, first) {
        Ok(seen) => {
            println!("{seen:#?}");
            if seen.mismatches.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(minutes: f64, first: u64) -> Result<Seen, String> {
    let time = Duration::try_from_secs_f64(minutes * 60.0).map_err(|error| error.to_string())?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let started = Instant::now();
    let work = |worker: u64| {
        let mut seen = Seen::default();
        let mut batch = worker;
        while started.elapsed() < time {
            let seeds: Vec<u64> = (0..BATCH).map(|i| first + batch * BATCH + i).collect();
            let mut found = edit_chains::compare(&seeds, folder.path())?;
            found.add(edit_chains::compare_large(&seeds[..BATCH as usize / 4], folder.path())?);
            found.mismatches.iter().for_each(|mismatch| println!("{mismatch}"));
            seen.add(found);
            batch += WORKERS;
        }
        Ok::<Seen, String>(seen)
    };
    let mut seen = Seen::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|worker| scope.spawn(move || work(worker))).collect();
        for worker in workers {
            seen.add(worker.join().map_err(|_| "a comparison panicked".to_owned())??);
        }
        Ok::<(), String>(())
    })?;
    Ok(seen)
}
