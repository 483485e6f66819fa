//! What decides how a step behaves.
//!
//! Callers hand [`Bounds`] and [`Surroundings`] on as they were given to them.

use std::sync::Arc;

use selvedge_analysis::Point;

use crate::finding::FindingKind;
use crate::models::Failing;
use crate::outside::OutsideBounds;
use crate::world::World;

/// What decides how a step behaves.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Checked classes of findings. Default is none.
    pub checks: Vec<FindingKind>,
    /// Where a path is cut.
    pub bounds: Bounds,
    /// What the program does not decide.
    pub surroundings: Surroundings,
    /// Take every object for shared between threads. Default is false.
    pub share_everything: bool,
    /// Let loops that wait go round and round. Default is false.
    pub ignore_waits: bool,
    /// For proofs: a loop that goes round without a visible step stops at its head, so that every step ends, and loops
    /// that wait are not told from others. Default is false.
    pub loop_points: bool,
    /// Calls whose order within their expression can be told, though the language leaves it open; sorted. Default is
    /// none.
    pub telling_calls: Arc<[Point]>,
}

/// Where a path is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// Iterations of a loop in one activation of a function. Default is any number.
    pub unwind: Option<u64>,
    /// Instructions of each thread. Default is any number.
    pub max_steps: Option<u64>,
    /// Call depth. Default is 20,000, and then a cut makes the verdict `unknown`.
    pub max_depth: Option<u32>,
}

/// How what the program does not decide behaves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Surroundings {
    /// Standard input, files and peers. Default is any, within small lengths that are assumptions.
    pub world: World,
    /// Which calls may fail. Default is none.
    pub failing: Failing,
    /// Clocks start with the year 2000 and go on by sleeping and by waits that time ends, and not otherwise. Default is
    /// false.
    pub clock_is_fixed: bool,
    /// How many signals may arrive from outside. Default is none given: one, which is then an assumption.
    pub signals: Option<u32>,
    /// Let a wait on a condition end, and a weak compare-exchange fail, without a reason. Default is false.
    pub spurious_wakeups: bool,
    /// Bytes that a variable of the environment that nobody gave can have, if it is there; 0: no other is there. Default
    /// is none given: a small length, which is then an assumption.
    pub sym_env: Option<u64>,
    /// Let a function without a body return any value, instead of giving the path up. Default is false.
    pub undefined_any: bool,
    /// How much memory there is behind pointers from outside.
    pub outside: OutsideBounds,
}

/// The bytes that a variable of the environment can have if nobody said how many.
const OPEN_VARIABLE: u64 = 8;

impl Surroundings {
    /// The length that variables of the environment can have; 0 if there are none but those given.
    pub(crate) fn variable_length(&self) -> u64 {
        self.sym_env.unwrap_or(OPEN_VARIABLE)
    }
}

impl Options {
    /// Whether this class is checked.
    pub fn checks(&self, kind: FindingKind) -> bool {
        self.checks.contains(&kind)
    }
}
