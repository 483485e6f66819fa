//! When a search must stop: time, memory, interruption.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// The share of the memory limit from which on nothing is kept that is not needed.
const SHORT_OF_MEMORY: f64 = 0.6;

/// Limits of a whole search. They decide when it ends, never what it finds before.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Stop at this time.
    pub deadline: Option<Instant>,
    /// Stop when the process uses more memory than this.
    pub memory_mib: Option<u64>,
    /// Stop after this many leaves.
    pub max_runs: Option<u64>,
    /// Stop when this is set.
    pub interrupted: &'a AtomicBool,
    /// Stop when another worker sets this.
    pub stopped: Option<&'a AtomicBool>,
    /// Leaves of all workers, if there are several.
    pub runs: Option<&'a AtomicU64>,
}

impl Limits<'_> {
    /// Whether so much of the memory is used that what can be done without should go.
    pub(crate) fn is_short_of_memory(&self) -> bool {
        let limit = self.memory_mib.map(|limit| limit as f64 * SHORT_OF_MEMORY);
        limit.is_some_and(|limit| resident_mib().is_some_and(|used| used > limit))
    }

    /// The limit that is reached, as a reason for an unknown verdict.
    pub(crate) fn reached(&self, check_memory: bool) -> Option<String> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some("interrupted".to_string());
        }
        if self.stopped.is_some_and(|s| s.load(Ordering::Relaxed)) {
            return Some("another worker has ended the search".to_string());
        }
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Some("the time limit is reached (--timeout)".to_string());
        }
        if check_memory
            && let Some(limit) = self.memory_mib
            && resident_mib().is_some_and(|used| used > limit as f64)
        {
            return Some(format!("the memory limit of {limit} MiB is reached (--memory)"));
        }
        None
    }
}

/// Memory the process occupies now, in MiB, where the system tells.
pub fn resident_mib() -> Option<f64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: f64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096.0 / (1024.0 * 1024.0))
}
