//! Compares random programs with signals natively and in the engine until its time is over; run by
//! `cargo xtask fuzz --signals`.
//!
//! Arguments: minutes, first seed, and the folder for programs with a mismatch. Ends with code 1 at the first one.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool talks to its user")]

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use selvedge_testkit::signal_runs::compare;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [minutes, seed, keep] = args.as_slice() else {
        eprintln!("usage: fuzz_signals MINUTES SEED FOLDER");
        return ExitCode::from(2);
    };
    let time = minutes.parse().ok().and_then(|m: f64| Duration::try_from_secs_f64(m * 60.0).ok());
    let (Some(time), Ok(first)) = (time, seed.parse::<u64>()) else {
        eprintln!("error: minutes and seed are numbers");
        return ExitCode::from(2);
    };
    if let Err(error) = std::fs::create_dir_all(keep) {
        eprintln!("error: {keep}: {error}");
        return ExitCode::from(2);
    }
    let started = Instant::now();
    let (mut seed, mut n_interrupted) = (first, 0);
    while started.elapsed() < time {
        match compare(seed, Path::new(keep)) {
            Ok(seen) => n_interrupted += seen.interrupted,
            Err(difference) => {
                println!("MISMATCH seed {seed}: {difference}");
                return ExitCode::FAILURE;
            }
        }
        seed += 1;
    }
    println!(
        "{} programs agree (from seed {first} on); {n_interrupted} calls were interrupted",
        seed - first
    );
    ExitCode::SUCCESS
}
