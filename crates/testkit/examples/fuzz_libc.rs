//! Compares functions of the library with the real ones until its time is over; run by `cargo xtask fuzz --libc`.
//!
//! Arguments: minutes, first seed, the folder with the table, and the folder for programs with a difference. Ends with
//! code 1 if there was one.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool talks to its user")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use selvedge_testkit::libc::{Comparison, Plan, Table, compare};

/// Programs in each round: a round lasts seconds, so the time is kept well enough.
const ROUND: u64 = 20;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [minutes, seed, folder, keep] = args.as_slice() else {
        eprintln!("usage: fuzz_libc MINUTES SEED TABLE FOLDER");
        return ExitCode::from(2);
    };
    let (Ok(minutes), Ok(first)) = (minutes.parse::<f64>(), seed.parse::<u64>()) else {
        eprintln!("error: minutes and seed are numbers");
        return ExitCode::from(2);
    };
    match run(minutes, first, &PathBuf::from(folder), PathBuf::from(keep)) {
        Ok(total) => {
            println!("{total}");
            if total.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(minutes: f64, first: u64, folder: &std::path::Path, keep: PathBuf) -> Result<Comparison, String> {
    let time = Duration::try_from_secs_f64(minutes * 60.0).map_err(|error| error.to_string())?;
    let table = Table::read(folder)?;
    let prelude = std::fs::read_to_string(folder.join("prelude.h")).map_err(|error| error.to_string())?;
    let mut plan = Plan {
        seeds: first..first,
        length: 120,
        workers: std::thread::available_parallelism().map_or(2, usize::from),
        prelude,
        keep,
    };
    let started = Instant::now();
    let mut total = Comparison::default();
    while started.elapsed() < time {
        let Some(end) = plan.seeds.end.checked_add(ROUND) else { break };
        plan.seeds = plan.seeds.end..end;
        total.add(compare(&table, &plan)?);
        let minutes = started.elapsed().as_secs_f64() / 60.0;
        println!("{minutes:.1} min: {} calls compared, {} differences", total.calls, total.differences.len());
    }
    Ok(total)
}
