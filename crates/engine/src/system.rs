//! What the operating system says about memory.

use selvedge_explore::resident_mib;

/// Most of what the machine has free, so that a huge search ends with a report and not with the kernel's help.
pub(crate) fn default_memory_limit() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find(|l| l.starts_with("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024 * 8 / 10)
}

/// The most memory the process has occupied so far.
pub fn peak_rss_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = status
        .lines()
        .find(|l| l.starts_with("VmHWM:"))
        .and_then(|l| l.split_whitespace().nth(1))
        .and_then(|n| n.parse::<f64>().ok());
    kib.map_or_else(|| resident_mib().unwrap_or(0.0), |k| k / 1024.0)
}
