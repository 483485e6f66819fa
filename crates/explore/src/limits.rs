//! When a search must stop: time, memory, interruption; and what the operating system says about memory.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// How short of memory a search is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Shortage {
    None,
    /// What can be done without should not grow.
    Some,
    /// What can be done without should go.
    Great,
}

/// The parts of the memory that make the difference.
const SOME: f64 = 0.5;
const GREAT: f64 = 0.75;

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
    /// How short of memory the search is.
    pub(crate) fn shortage(&self) -> Shortage {
        let used = self.memory_mib.zip(resident_mib()).map(|(limit, used)| used / limit as f64);
        match used {
            Some(used) if used > GREAT => Shortage::Great,
            Some(used) if used > SOME => Shortage::Some,
            _ => Shortage::None,
        }
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
fn resident_mib() -> Option<f64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: f64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096.0 / (1024.0 * 1024.0))
}

/// The most memory the process has occupied so far, in MiB.
pub fn peak_rss_mib() -> f64 {
    let kib = kib_in("/proc/self/status", "VmHWM:");
    kib.map_or_else(|| resident_mib().unwrap_or(0.0), |kib| kib as f64 / 1024.0)
}

/// Most of what the machine has free, in MiB, so that a huge search ends with a report and not with the kernel's help.
pub fn default_memory_limit() -> Option<u64> {
    Some(kib_in("/proc/meminfo", "MemAvailable:")? / 1024 * 8 / 10)
}

/// The number of KiB in the line of a file that begins so.
fn kib_in(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
