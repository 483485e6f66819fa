//! Executions per second on programs from the literature: `cargo bench -p selvedge-por [-- 'fib(6)
//! optimal']`.
//!
//! Seconds are those of the processor where the system tells them, so that other work disturbs little. The
//! machine that executes the programs is that of the tests and takes its share of the time.
#![expect(clippy::print_stdout, reason = "a benchmark reports on its standard output")]

#[path = "../tests/machine/mod.rs"]
mod machine;

use std::time::Instant;

use machine::programs::{fib, indexer, lastzero, readers, rounds};
use machine::search::{Made, Visitor, explore};
use machine::{Program, State};
use selvedge_por::{Config, Dpor, Reduction, Stats};

/// Executions after which a search ends.
const LIMIT: u64 = 150_000;

struct Limited {
    n_left: u64,
    stats: Stats,
}

impl Visitor for Limited {
    const RECORDS: bool = false;

    fn complete(&mut self, _: &[Made], _: &State, dpor: &Dpor) -> bool {
        self.n_left -= 1;
        self.stats = *dpor.stats();
        self.n_left > 0
    }
}

/// Seconds that this process has run, or that have passed.
fn seconds(since: Instant) -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    match stat.split_whitespace().next().and_then(|text| text.parse::<f64>().ok()) {
        Some(nanoseconds) => nanoseconds * 1e-9,
        None => since.elapsed().as_secs_f64(),
    }
}

fn main() {
    let begin = Instant::now();
    let programs: [(&str, Program); 7] = [
        ("fib(6)", fib(6)),
        ("lastzero(12)", lastzero(12)),
        ("lastzero(15)", lastzero(15)),
        ("readers(15)", readers(15)),
        ("indexer(15)", indexer(15)),
        ("fib(40)", fib(40)),
        ("rounds(8,100)", rounds(8, 100)),
    ];
    let wanted = std::env::args().nth(1).filter(|arg| !arg.starts_with("--")).unwrap_or_default();
    println!(
        "{:<14} {:<8} {:>10} {:>8} {:>10} {:>8} {:>12} {:>12}",
        "program", "mode", "executions", "blocked", "steps", "seconds", "executions/s", "steps/s"
    );
    for (name, program) in &programs {
        for reduction in [Reduction::Source, Reduction::Optimal] {
            let mode = format!("{reduction:?}").to_lowercase();
            if !format!("{name} {mode}").contains(&wanted) {
                continue;
            }
            let start = seconds(begin);
            let mut limited = Limited { n_left: LIMIT, stats: Stats::default() };
            let all = explore(program, Config::new(reduction), &mut limited);
            let stats = all.unwrap_or(limited.stats);
            let seconds = seconds(begin) - start;
            println!(
                "{name:<14} {mode:<8} {:>10} {:>8} {:>10} {seconds:>8.3} {:>12.0} {:>12.0}",
                stats.n_executions,
                stats.n_blocked,
                stats.n_steps,
                stats.n_executions as f64 / seconds,
                stats.n_steps as f64 / seconds,
            );
        }
    }
}
