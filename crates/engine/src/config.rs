//! What the user can choose. Every field says its default.

use std::path::PathBuf;
use std::time::Duration;

use selvedge_exec::World;
use selvedge_explore::{Rules, SummaryLimits, ThreadOrder};

/// How interleavings are reduced (the three columns of FSE 2015).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reduce {
    /// Plain enumeration.
    None,
    /// Dynamic partial-order reduction.
    Dpor,
    /// DPOR, predicate summaries and slicing. Default.
    #[default]
    Ag,
}

impl Reduce {
    /// The name on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Reduce::None => "none",
            Reduce::Dpor => "dpor",
            Reduce::Ag => "ag",
        }
    }
}

/// The order in which pending states are taken up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Search {
    /// Depth first. Default: the solver stack follows it.
    #[default]
    Dfs,
    /// Breadth first.
    Bfs,
    /// A random walk from the root of the tree of pending states (KLEE's random-path).
    RandomPath,
    /// States that will reach uncovered code first.
    Coverage,
}

/// A checked property.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Property {
    /// `assert`, `reach_error`, `abort`, traps.
    Assert,
    /// Null, wild, out-of-bounds, use after free/scope, double and invalid free.
    Memory,
    /// Division by zero, `INT_MIN / -1`.
    Div,
    /// Signed overflow, bad shifts.
    Overflow,
    /// Memory never freed and unreachable at exit.
    Leak,
    /// No thread can move. Needs threads.
    Deadlock,
    /// Unordered conflicting accesses. Needs threads.
    Race,
    /// `reach_error` and `__VERIFIER_error` only: assertions and `abort` just end the program.
    Reach,
    /// Memory never freed, reachable at exit or not.
    Cleanup,
    /// A branch, address or output that depends on a value that was never written.
    Uninit,
    /// An index past an array inside a larger object, a variable-length array of no positive length.
    Bounds,
    /// An access whose address does not suit its type.
    Align,
    /// Unsigned arithmetic that wraps around.
    Unsigned,
}

impl Property {
    /// All properties with their command-line names.
    pub const ALL: [(Property, &'static str); 13] = [
        (Property::Assert, "assert"),
        (Property::Memory, "memory"),
        (Property::Div, "div"),
        (Property::Overflow, "overflow"),
        (Property::Leak, "leak"),
        (Property::Deadlock, "deadlock"),
        (Property::Race, "race"),
        (Property::Reach, "reach"),
        (Property::Cleanup, "cleanup"),
        (Property::Uninit, "uninit"),
        (Property::Bounds, "bounds"),
        (Property::Align, "align"),
        (Property::Unsigned, "unsigned"),
    ];

    /// The properties checked when the user names none.
    pub const DEFAULT: [Property; 4] =
        [Property::Assert, Property::Memory, Property::Deadlock, Property::Div];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        Property::ALL.iter().find(|(p, _)| *p == self).expect("every property is listed").1
    }
}

/// Everything that decides what a run does. Same program, same `Config`: same result.
#[derive(Clone, Debug)]
pub struct Config {
    /// Interleaving reduction. Default is `Ag`.
    pub reduce: Reduce,
    /// Reduce by source sets instead of wakeup trees; some executions are then started in vain. Default is false.
    pub source_sets: bool,
    /// Leave out equivalent interleavings, unless `reduce` is `None`. Default is true.
    pub dpor: bool,
    /// Let threads sleep that were explored before, unless `reduce` is `None`. Default is true.
    pub sleep: bool,
    /// Which threads are tried first. Default is the order that serves summaries best; tests try others.
    pub thread_order: ThreadOrder,
    /// Leave out what a summary says is safe, if `reduce` is `Ag`. Default is true.
    pub summaries: bool,
    /// Look only at interleavings of what matters, if `reduce` is `Ag`. Default is true.
    pub slice: bool,
    /// Bounds of the table of summaries.
    pub summary_limits: SummaryLimits,
    /// How the rules of summaries are read. Default is as they should be; tests read some wrongly.
    pub rules: Rules,
    /// Take every object for shared between threads from the start. Default is false.
    pub share_everything: bool,
    /// Let loops that wait go round and round. For tests, with a bound on loops.
    pub ignore_waits: bool,
    /// Checked properties. Default is [`Property::DEFAULT`].
    pub properties: Vec<Property>,
    /// Search order. Default is depth first.
    pub search: Search,
    /// Go on after the first bug. Default is false.
    pub all_bugs: bool,
    /// Iterations of a loop in one activation of a function before a path is cut. Default is none.
    pub unwind: Option<u64>,
    /// Instructions of each thread on one path before it is cut. Default is none.
    pub max_steps: Option<u64>,
    /// Leaves of the search before it stops. Default is none.
    pub max_runs: Option<u64>,
    /// Call depth at which a path is cut. Default is 20,000 (and then the verdict is `unknown`).
    pub max_depth: Option<u32>,
    /// Wall-clock limit. Default is none.
    pub timeout: Option<Duration>,
    /// Memory limit in MiB. Default is none.
    pub memory_mib: Option<u64>,
    /// Limit for one solver query. Default is none.
    pub solver_timeout: Option<Duration>,
    /// Workers. Default is 1.
    pub jobs: usize,
    /// Seed of random choices. Default is 0.
    pub seed: u64,
    /// Produce a test case for every path. Default is false.
    pub tests: bool,
    /// Let a wait on a condition end, and a weak compare-exchange fail, without a reason. Default is false.
    pub spurious_wakeups: bool,
    /// How many signals may arrive from outside. Default is none given: one, which is then an assumption.
    pub signals: Option<u32>,
    /// Let `malloc` and friends also return null. Default is false.
    pub malloc_may_fail: bool,
    /// Let starting threads, and making locks and the like, fail. Default is not.
    pub threads_may_fail: bool,
    /// Let calls about files and streams fail. Default is not.
    pub io_may_fail: bool,
    /// How many of these calls may fail in one execution. Default is all.
    pub fail_at_most: Option<u32>,
    /// Clocks start with the year 2000 and go on by sleeping and by waits that time ends, and not otherwise.
    /// Default is not.
    pub clock_is_fixed: bool,
    /// Take nothing for granted about the program's world: what would be assumed makes the verdict `unknown`. Default
    /// is false.
    pub strict: bool,
    /// Standard input and files. By default any, within bounds.
    pub world: World,
    /// `argv[1..]` given to the program. Default is empty.
    pub args: Vec<String>,
    /// Length of each symbolic argument appended to `args`. Default is empty.
    pub sym_args: Vec<u64>,
    /// Without `args` and `sym_args`: let the program have any arguments within a bound. Default is true.
    pub open_args: bool,
    /// Variables of the environment: `NAME=value`. Default is none.
    pub env: Vec<String>,
    /// Bytes that every other variable of the environment can have, if it is there; 0: no other is there. Default is none:
    /// a small length, which is noted as an assumption.
    pub sym_env: Option<u64>,
    /// Let a function without a body return any value, instead of giving the path up. Default is false.
    pub undefined_any: bool,
    /// Term simplification before queries. Default is true.
    pub simplify: bool,
    /// Drop constraints that share no variable with the query. Default is true.
    pub independence: bool,
    /// Cache of models and cores. Default is true.
    pub solver_cache: bool,
    /// Keep one solver stack along the search. Default is true.
    pub incremental_solver: bool,
    /// Use the in-process bit-blaster before Z3. Default is true.
    pub bit_blaster: bool,
    /// Compare every answer with a second backend. Default is false.
    pub validate_solver: bool,
    /// Write every query as SMT-LIB into this directory. Default is none.
    pub log_queries: Option<PathBuf>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            reduce: Reduce::Ag,
            source_sets: false,
            dpor: true,
            sleep: true,
            thread_order: ThreadOrder::default(),
            summaries: true,
            slice: true,
            summary_limits: SummaryLimits::default(),
            rules: Rules::default(),
            share_everything: false,
            ignore_waits: false,
            properties: Property::DEFAULT.to_vec(),
            search: Search::Dfs,
            all_bugs: false,
            unwind: None,
            max_steps: None,
            max_runs: None,
            max_depth: None,
            timeout: None,
            memory_mib: None,
            solver_timeout: None,
            jobs: 1,
            seed: 0,
            tests: false,
            spurious_wakeups: false,
            signals: None,
            malloc_may_fail: false,
            threads_may_fail: false,
            io_may_fail: false,
            fail_at_most: None,
            clock_is_fixed: false,
            strict: false,
            world: World::default(),
            args: Vec::new(),
            sym_args: Vec::new(),
            open_args: true,
            env: Vec::new(),
            sym_env: None,
            undefined_any: false,
            simplify: true,
            independence: true,
            solver_cache: true,
            incremental_solver: true,
            bit_blaster: true,
            validate_solver: false,
            log_queries: None,
        }
    }
}
