//! What a search has found, as a test looks at it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use selvedge_exec::{FindingKind, FixedInputs, Label};
use selvedge_explore::{Ended, SummaryStats};

/// What may be said of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Everything was explored, and nothing fails.
    Safe,
    /// Nothing fails within bounds that were asked for.
    Bounded,
    /// Something fails.
    Unsafe,
    /// Something was not explored.
    Unknown,
}

/// A failing execution.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The class of what is wrong.
    pub kind: FindingKind,
    /// What is wrong.
    pub message: String,
    /// Other places that belong to it.
    pub labels: Vec<Label>,
    /// Function and block where.
    pub at: String,
    /// The thread that made each visible step.
    pub schedule: Vec<u32>,
    /// Inputs.
    pub inputs: FixedInputs,
    /// Numbers of threads.
    pub threads: Vec<(u32, u32)>,
}

/// The outcome of a search.
#[derive(Clone, Debug)]
pub struct Found {
    /// How the search ended.
    pub ended: Ended,
    /// Executions to the end of the program.
    pub full: u64,
    /// Failures, those of one place counted each time.
    pub failed: u64,
    /// Paths that were cut.
    pub cut: u64,
    /// Executions that were not continued because a summary covers the rest.
    pub pruned: u64,
    /// Executions given up because all that could go on sleeps.
    pub blocked: u64,
    /// The first failure of each place.
    pub failures: BTreeMap<String, Failure>,
    /// Why paths were cut; `true` for bounds that were asked for.
    pub cuts: BTreeSet<(String, bool)>,
    /// Questions that the solver left open.
    pub undecided: Vec<String>,
    /// States made.
    pub states: u64,
    /// What was counted about summaries.
    pub summaries: SummaryStats,
    /// What was printed and returned, by execution: exit codes.
    pub codes: Vec<i32>,
}

impl Default for Found {
    fn default() -> Found {
        Found {
            ended: Ended::Complete,
            full: 0,
            failed: 0,
            cut: 0,
            pruned: 0,
            blocked: 0,
            failures: BTreeMap::new(),
            cuts: BTreeSet::new(),
            undecided: Vec::new(),
            states: 0,
            summaries: SummaryStats::default(),
            codes: Vec::new(),
        }
    }
}

impl Found {
    /// What may be said of the program.
    pub fn verdict(&self) -> Verdict {
        if !self.failures.is_empty() {
            return Verdict::Unsafe;
        }
        let is_complete = self.ended == Ended::Complete && self.undecided.is_empty();
        if !is_complete || self.cuts.iter().any(|(_, is_asked_for)| !is_asked_for) {
            return Verdict::Unknown;
        }
        if self.cuts.is_empty() { Verdict::Safe } else { Verdict::Bounded }
    }

    /// The places that fail.
    pub fn places(&self) -> Vec<&str> {
        self.failures.keys().map(String::as_str).collect()
    }

    /// The only failure.
    #[track_caller]
    pub fn failure(&self) -> &Failure {
        assert_eq!(self.failures.len(), 1, "{self}: {:?}", self.failures);
        self.failures.values().next().expect("there is one")
    }

    /// All executions, those that were not continued included.
    pub fn executions(&self) -> u64 {
        self.full + self.failed + self.cut + self.pruned
    }

    /// Adds what another part of the search has found.
    pub(crate) fn add(&mut self, other: Found) {
        if self.ended == Ended::Complete {
            self.ended = other.ended;
        }
        self.full += other.full;
        self.failed += other.failed;
        self.cut += other.cut;
        self.pruned += other.pruned;
        self.blocked += other.blocked;
        for (at, failure) in other.failures {
            self.failures.entry(at).or_insert(failure);
        }
        self.cuts.extend(other.cuts);
        self.undecided.extend(other.undecided);
        self.states += other.states;
        self.summaries += other.summaries;
        self.codes.extend(other.codes);
    }
}

/// As in `unsafe: 3 full, 1 failed`; what is zero is left out.
impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict() {
            Verdict::Safe => "safe",
            Verdict::Bounded => "bounded",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
        };
        let counts = [
            (self.full, "full"),
            (self.failed, "failed"),
            (self.cut, "cut"),
            (self.pruned, "pruned"),
            (self.blocked, "blocked"),
        ];
        let counts = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
        write!(f, "{verdict}: {}", counts.collect::<Vec<_>>().join(", "))
    }
}
