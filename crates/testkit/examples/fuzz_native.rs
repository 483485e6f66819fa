//! Compares random programs with native runs until its time is over; run by `cargo xtask fuzz --world`,
//! `--unwritten` and `--signals`.
//!
//! Arguments: what to compare (`world`, `unwritten`, `signals`), minutes, first seed, and the folder for programs with a mismatch.
//! Ends with code 1 if there was one.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool talks to its user")]

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use selvedge_testkit::{signal_runs, unwritten, worlds};

/// Cases of a program whose surroundings are known, and runs of one whose are not.
const CASES: u32 = 40;
const SAMPLES: u32 = 20;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [what, minutes, seed, keep] = args.as_slice() else {
        eprintln!("usage: fuzz_native world|unwritten|signals MINUTES SEED FOLDER");
        return ExitCode::from(2);
    };
    let (Ok(minutes), Ok(first)) = (minutes.parse::<f64>(), seed.parse::<u64>()) else {
        eprintln!("error: minutes and seed are numbers");
        return ExitCode::from(2);
    };
    match run(what, minutes, first, Path::new(keep)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => {
            println!("see {keep}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The number of mismatches.
fn run(what: &str, minutes: f64, first: u64, keep: &Path) -> Result<usize, String> {
    let time = Duration::try_from_secs_f64(minutes * 60.0).map_err(|error| error.to_string())?;
    std::fs::create_dir_all(keep).map_err(|error| format!("{}: {error}", keep.display()))?;
    let started = Instant::now();
    let (mut found, mut seed) = (0, first);
    while started.elapsed() < time {
        let mismatches = match what {
            "world" => {
                let mut all = worlds::compare_calls(seed, CASES, keep)?;
                all.extend(worlds::compare_open(seed, SAMPLES, keep)?);
                all.iter().map(ToString::to_string).collect()
            }
            "unwritten" => unwritten::compare(seed, keep)?.mismatches,
            "signals" => signal_runs::compare(seed, keep)
                .err()
                .into_iter()
                .map(|e| format!("seed {seed}: {e}"))
                .collect(),
            other => return Err(format!("nothing is called {other}")),
        };
        for mismatch in &mismatches {
            println!("MISMATCH {mismatch}");
        }
        found += mismatches.len();
        seed += 1;
        if seed % 10 == 0 {
            let minutes = started.elapsed().as_secs_f64() / 60.0;
            println!("{minutes:.1} min: seeds {first} to {}, {found} mismatches", seed - 1);
        }
    }
    println!("{} programs compared, {found} mismatches", seed - first);
    Ok(found)
}
