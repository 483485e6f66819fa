//! What the user can choose. Every field says its default.
//!
//! Groups that a layer below reads are that layer's own types, handed on as they are. What makes no sense together
//! cannot be said: the switches of a reduction stand in its variant of [`Reduction`].

use std::time::Duration;

use selvedge_exec::{Arguments, Bounds, Surroundings};
use selvedge_explore::{Order, Rules, ThreadOrder};
use selvedge_solver::SolverConfig;

use crate::property::Property;
use crate::reduction::Reduction;

/// Everything that decides what a run does. Same program, same `Config`: same result.
#[derive(Clone, Debug)]
pub struct Config {
    /// Checked properties. Default is [`Property::defaults`].
    pub properties: Vec<Property>,
    /// How interleavings are reduced. Default is [`Reduction::Ag`] with everything on.
    pub reduction: Reduction,
    /// How the search goes, and what it looks for.
    pub search: Search,
    /// Where paths are cut. Default is nowhere but at a call depth of 20,000.
    pub bounds: Bounds,
    /// Which of these bounds nobody has asked for: what they cut is not known. Default is none.
    pub presumed: Presumed,
    /// When the search stops. Default is never.
    pub limits: Limits,
    /// Arguments and environment of the program. Default is any arguments within a bound, and no variables given.
    pub arguments: Arguments,
    /// How what the program does not decide behaves. Default is any input and files within a bound, and no failures.
    pub surroundings: Surroundings,
    /// Take nothing for granted about the program's surroundings: what would be assumed makes the verdict `unknown`.
    /// Default is false.
    pub strict: bool,
    /// The chain of solvers. Default is everything that saves work. The engine puts its own flag into `interrupt`.
    pub solver: SolverConfig,
    /// What tests change and users do not. Default is nothing.
    pub switches: TestSwitches,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            properties: Property::defaults(),
            reduction: Reduction::default(),
            search: Search::default(),
            bounds: Bounds::default(),
            presumed: Presumed::default(),
            limits: Limits::default(),
            arguments: Arguments::any(),
            surroundings: Surroundings::default(),
            strict: false,
            solver: SolverConfig::default(),
            switches: TestSwitches::default(),
        }
    }
}

impl Config {
    /// The same with a change.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Config)) -> Config {
        change(&mut self);
        self
    }
}

/// How the search goes, and what it looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// The order in which pending states are taken up. Default is depth first: the solver's stack follows it.
    pub order: Order,
    /// Seed of random choices. Default is 0.
    pub seed: u64,
    /// Workers. Default is 1.
    pub jobs: usize,
    /// Take every object for shared between threads from the start. Default is false.
    pub share_everything: bool,
    /// Go on after the first bug. Default is false.
    pub all_bugs: bool,
    /// Produce a test case for every path. Default is false.
    pub tests: bool,
}

impl Default for Search {
    fn default() -> Self {
        Search {
            order: Order::default(),
            seed: 0,
            jobs: 1,
            share_everything: false,
            all_bugs: false,
            tests: false,
        }
    }
}

/// Bounds that nobody has asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Presumed {
    /// That of loops.
    pub unwind: bool,
    /// That of calls.
    pub max_depth: bool,
}

/// When the search stops. Default is never.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Leaves of the search. Default is any number.
    pub max_runs: Option<u64>,
    /// Wall-clock time. Default is any.
    pub timeout: Option<Duration>,
    /// Memory in MiB. Default is what the machine can spare.
    pub memory_mib: Option<u64>,
}

/// What tests change and users do not. Without the feature `test-switches` there is nothing to change, and the lower
/// layers get the defaults.
#[derive(Clone, Copy, Debug, Default)]
pub struct TestSwitches {
    /// How the rules of summaries are read. Default is as they should be; tests read some wrongly.
    #[cfg(feature = "test-switches")]
    pub rules: Rules,
    /// Which threads are tried first. Default is the order that serves summaries best; tests try others.
    #[cfg(feature = "test-switches")]
    pub thread_order: ThreadOrder,
    /// Let loops that wait go round and round; with a bound on loops. Default is false.
    #[cfg(feature = "test-switches")]
    pub ignore_waits: bool,
}

#[cfg(feature = "test-switches")]
impl TestSwitches {
    pub(crate) const fn rules(self) -> Rules {
        self.rules
    }

    pub(crate) const fn thread_order(self) -> ThreadOrder {
        self.thread_order
    }

    pub(crate) const fn ignores_waits(self) -> bool {
        self.ignore_waits
    }
}

#[cfg(not(feature = "test-switches"))]
impl TestSwitches {
    pub(crate) fn rules(self) -> Rules {
        Rules::default()
    }

    pub(crate) fn thread_order(self) -> ThreadOrder {
        ThreadOrder::default()
    }

    pub(crate) const fn ignores_waits(self) -> bool {
        false
    }
}
