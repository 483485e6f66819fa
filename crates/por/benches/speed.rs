//! Executions per second on programs from the literature: `cargo bench -p selvedge-por`.
//!
//! The machine that executes the programs is that of the tests and takes its share of the time.
#![expect(clippy::print_stdout, reason = "a benchmark reports on its standard output")]

#[path = "../tests/machine/mod.rs"]
mod machine;

use std::time::Instant;

use machine::Program;
use machine::programs::{fib, indexer, lastzero, readers};
use machine::search::count;
use selvedge_por::{Config, Reduction};

fn main() {
    let programs: [(&str, Program); 5] = [
        ("fib(6)", fib(6)),
        ("lastzero(12)", lastzero(12)),
        ("lastzero(15)", lastzero(15)),
        ("readers(15)", readers(15)),
        ("indexer(15)", indexer(15)),
    ];
    println!(
        "{:<14} {:<8} {:>10} {:>8} {:>10} {:>8} {:>12} {:>12}",
        "program", "mode", "executions", "blocked", "steps", "seconds", "executions/s", "steps/s"
    );
    for (name, program) in &programs {
        for reduction in [Reduction::Source, Reduction::Optimal] {
            let start = Instant::now();
            let stats = count(program, Config::new(reduction));
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{name:<14} {:<8} {:>10} {:>8} {:>10} {seconds:>8.3} {:>12.0} {:>12.0}",
                format!("{reduction:?}").to_lowercase(),
                stats.n_executions,
                stats.n_blocked,
                stats.n_steps,
                stats.n_executions as f64 / seconds,
                stats.n_steps as f64 / seconds,
            );
        }
    }
}
