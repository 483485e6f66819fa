//! Writes every query as `NNNNNN.smt2`, with the answer and the time as comments.
//!
//! The files can be given to any SMT solver, and are what benchmarks are made of. A file
//! that cannot be written does not disturb the search; it is counted in the statistics.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use selvedge_term::{TermId, TermPool, smtlib};

use crate::query::{Answer, Query, Solver};
use crate::stats::Stats;

/// The logging link. It stands before all others.
pub(crate) struct Log {
    inner: Box<dyn Solver>,
    dir: PathBuf,
    next: u64,
    stats: Stats,
}

impl Log {
    /// Logs into `dir`, which is made if need be.
    pub(crate) fn new(inner: Box<dyn Solver>, dir: PathBuf) -> Log {
        // If this fails, so does each write, and that is counted.
        let _ = fs::create_dir_all(&dir);
        Log { inner, dir, next: 0, stats: Stats::default() }
    }
}

fn text(pool: &TermPool, query: &Query<'_>, answer: &Answer, micros: u128) -> String {
    let mut text = String::new();
    let verdict = match answer {
        Answer::Sat(_) => "sat".to_owned(),
        Answer::Unsat(core) => format!("unsat, core of {}", core.len()),
        // The message of a mismatch has many lines.
        Answer::Unknown(why) => format!("unknown, {}", why.to_string().lines().next().unwrap_or_default()),
    };
    let (path, goal) = (query.path.len(), query.goal.len());
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "; {verdict}; {micros} us; {path} conjuncts of path, {goal} of goal, {:?}",
        query.want
    );
    let conjuncts: Vec<TermId> = query.conjuncts().collect();
    text.push_str(&smtlib::script(pool, &conjuncts));
    text
}

impl Solver for Log {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = Instant::now();
        let answer = self.inner.check(pool, query);
        let micros = start.elapsed().as_micros();
        let file = self.dir.join(format!("{:06}.smt2", self.next));
        self.next += 1;
        if fs::write(file, text(pool, query, &answer, micros)).is_err() {
            self.stats.log_failures += 1;
        }
        answer
    }

    fn stats(&self) -> Stats {
        let mut stats = self.inner.stats();
        stats += &self.stats;
        stats
    }
}
