//! What the caller chooses and what he gets, as plain data.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::model::Run;

/// How a proof is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// Abstract analysis of symbolic executions. Default.
    #[default]
    Ase,
    /// Under-approximation refinement: matching against all explored states, everything exact.
    Ur,
    /// Property-directed reachability and predicate abstraction, by turns, as for C programs.
    Pdr,
    /// Z3's Spacer on the same system, for comparison; its answer has no proof object.
    Spacer,
}

/// Where to stop.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Rounds of refinement. Default is 10,000.
    pub max_iterations: u32,
    /// Predicates. Default is 2,000.
    pub max_predicates: usize,
    /// Symbolic states of one round, or control states. Default is 5,000,000 of the former, or 20,000 of the latter.
    pub max_states: Option<usize>,
    /// Symbolic states expanded for one abstract state in one round; 0 is no limit. Default is 20.
    pub max_matches: u32,
    /// Time. Default is none.
    pub timeout: Option<Duration>,
    /// Raised by another thread to stop. Default is a flag nobody raises.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_iterations: 10_000,
            max_predicates: 2_000,
            max_states: None,
            max_matches: 20,
            timeout: None,
            interrupt: Arc::new(AtomicBool::new(false)),
        }
    }
}

/// What the caller chooses.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The method. Default is [`Method::Ase`].
    pub method: Method,
    /// Where to stop.
    pub limits: Limits,
    /// Whether to draw the last abstract system. Default is false.
    pub graph: bool,
}

/// Which check showed safety.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// All executions are trapped in a fragment whose transitions are exact.
    SafeFragment,
    /// The explored abstract states are closed under all transitions.
    InductiveInvariant,
    /// All explored transitions are exact (`ur`).
    Exact,
    /// Levels of property-directed reachability have become equal.
    Pdr,
    /// What predicate abstraction reaches has nothing bad.
    PredicateAbstraction,
}

impl Check {
    /// As in the proof object.
    pub fn name(self) -> &'static str {
        match self {
            Check::SafeFragment => "safe-fragment",
            Check::InductiveInvariant => "inductive-invariant",
            Check::Exact => "exact",
            Check::Pdr => "pdr",
            Check::PredicateAbstraction => "predicate-abstraction",
        }
    }

    /// The check of this name.
    pub fn from_name(name: &str) -> Option<Check> {
        let all = [
            Check::SafeFragment,
            Check::InductiveInvariant,
            Check::Exact,
            Check::Pdr,
            Check::PredicateAbstraction,
        ];
        all.into_iter().find(|check| check.name() == name)
    }
}

/// Why nothing is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// Where, if it is about a place.
    pub at: Option<String>,
    /// What.
    pub what: String,
}

impl From<String> for Reason {
    fn from(what: String) -> Reason {
        Reason { at: None, what }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.at {
            Some(at) => write!(f, "{at}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// What is known in the end, with runs as the program's language has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict<R = Run> {
    /// No bad state can be reached.
    Safe {
        /// What showed it; none for Spacer.
        check: Option<Check>,
        /// The proof object as text; none for Spacer.
        proof: Option<String>,
    },
    /// A bad state can be reached, and this run does.
    Unsafe(R),
    /// Nothing is known.
    Unknown {
        /// Why not.
        reasons: Vec<Reason>,
    },
}

impl<R> Verdict<R> {
    /// Nothing is known, for this reason.
    pub fn unknown(why: impl Into<Reason>) -> Verdict<R> {
        Verdict::Unknown { reasons: vec![why.into()] }
    }
}

/// Numbers about an attempt.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stats {
    /// Rounds of refinement.
    pub iterations: u32,
    /// Predicates of the last round, or of the invariant.
    pub predicates: usize,
    /// Queries that reached the solver.
    pub queries: u64,
    /// Implications that were answered from memory.
    pub query_hits: u64,
    /// Symbolic states of the last round.
    pub symbolic_states: usize,
    /// Of these, states in which every variable is known.
    pub concrete_states: usize,
    /// Abstract states of the last round.
    pub abstract_states: usize,
    /// Abstract transitions of the last round.
    pub abstract_transitions: usize,
    /// Control states, if all were explored.
    pub control_states: usize,
    /// Steps between them.
    pub steps: usize,
    /// Levels of the search: executions of so many steps were excluded.
    pub levels: usize,
    /// Combinations of predicates in the invariant.
    pub clauses: usize,
    /// Instructions executed.
    pub instructions: u64,
    /// Time in the solver.
    pub solver_time: Duration,
    /// Time for checking the proof object.
    pub check_time: Duration,
    /// Time altogether.
    pub time: Duration,
}

/// The result of an attempt.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// What is known.
    pub verdict: Verdict,
    /// Numbers.
    pub stats: Stats,
    /// The predicates of the last round, as text.
    pub predicates: Vec<String>,
    /// The last abstract system in DOT, if it was asked for.
    pub graph: Option<String>,
    /// What does not change the verdict but should be known: a program without initial states, transitions that can
    /// never be taken.
    pub warnings: Vec<String>,
}

impl Outcome {
    /// Nothing is known, for this reason.
    pub fn unknown(reason: String) -> Outcome {
        Outcome {
            verdict: Verdict::unknown(reason),
            stats: Stats::default(),
            predicates: Vec::new(),
            graph: None,
            warnings: Vec::new(),
        }
    }
}
