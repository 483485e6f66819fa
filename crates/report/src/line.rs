//! An outcome in one line, for who looks at many of them.
//!
//! Guarantee: it begins with `SAFE`, `UNSAFE` or `UNKNOWN` and agrees with the outcome.

use selvedge_engine::{Bug, Outcome, Verdict};

use crate::paint::{Paint, Role, counted, printable};
use crate::snippet::place_name;

/// The outcome in one line, without its end.
pub fn line(outcome: &Outcome, color: bool) -> String {
    let paint = Paint::new(color);
    let runs = match outcome.reuse.and_then(|reuse| reuse.stands) {
        Some(_) => format!("nothing that matters has changed ({:.2} s)", outcome.time_s),
        None => format!("{} in {:.2} s", counted(outcome.executions.total, "execution"), outcome.time_s),
    };
    match outcome.verdict {
        Verdict::Safe => {
            let name = if outcome.bounded { "SAFE (bounded)" } else { "SAFE" };
            let assumed = match outcome.assumptions.len() as u64 {
                0 => String::new(),
                n => format!(", under {}", counted(n, "assumption")),
            };
            format!("{}  {runs}{assumed}", paint.apply(Role::Good, name))
        }
        Verdict::Unsafe => {
            let bugs: Vec<String> = outcome.bugs.iter().take(1).map(bug).collect();
            let more = match outcome.bugs.len() as u64 {
                0 | 1 => String::new(),
                n => format!(" (and {})", counted(n - 1, "more bug")),
            };
            format!("{}  {}{more}; {runs}", paint.apply(Role::Error, "UNSAFE"), bugs.concat())
        }
        Verdict::Unknown => {
            let why =
                outcome.reasons.first().map_or("no reason was recorded".to_owned(), |why| printable(why));
            format!("{}  {why}; {runs}", paint.apply(Role::Warning, "UNKNOWN"))
        }
    }
}

/// What could not be checked, in one line that looks like those of outcomes.
pub fn error(message: &str, color: bool) -> String {
    format!("{}  {}", Paint::new(color).apply(Role::Error, "ERROR"), printable(message))
}

fn bug(bug: &Bug) -> String {
    format!("{}: {}", place_name(&bug.location), printable(&bug.message))
}
