//! Where and with what a table was measured.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// The facts that stand above a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Processor and number of cores.
    pub cpu: String,
    /// Memory in GiB.
    pub memory: String,
    /// Kernel.
    pub kernel: String,
    /// Host name.
    pub host: String,
    /// Commit of the working tree, with a mark if it was changed.
    pub commit: String,
    /// Day of the measurement, `2026-01-31`.
    pub date: String,
}

impl Machine {
    /// Looks at this machine; the commit is that of the repository that holds `dir`.
    pub fn detect(dir: &Path) -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let cpuinfo = read("/proc/cpuinfo");
        let model = cpuinfo.lines().find_map(|l| l.strip_prefix("model name")?.split_once(':'));
        let model = model.map_or("unknown processor", |(_, name)| name.trim());
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let meminfo = read("/proc/meminfo");
        let kib = meminfo
            .lines()
            .find_map(|l| l.strip_prefix("MemTotal:")?.split_whitespace().next()?.parse().ok());
        Machine {
            cpu: format!("{model}, {cores} cores"),
            memory: format!("{:.1} GiB", kib.unwrap_or(0.0) / (1024.0 * 1024.0)),
            kernel: format!("Linux {}", read("/proc/sys/kernel/osrelease").trim()),
            host: read("/proc/sys/kernel/hostname").trim().to_owned(),
            commit: commit(dir).unwrap_or_else(|| "unknown".to_owned()),
            date: today(),
        }
    }
}

fn commit(dir: &Path) -> Option<String> {
    let git = |args: &[&str]| {
        let output = Command::new("git").arg("-C").arg(dir).args(args).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let hash = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_none_or(|s| !s.is_empty());
    Some(if changed { format!("{hash} with changes") } else { hash })
}

fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The date of a day counted from 1970-01-01 (proleptic Gregorian calendar).
fn civil(day: u64) -> (u64, u64, u64) {
    let is_leap = |y: u64| y.is_multiple_of(4) && (!y.is_multiple_of(100) || y.is_multiple_of(400));
    let (mut year, mut rest) = (1970, day);
    while rest >= 365 + u64::from(is_leap(year)) {
        rest -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    (year, month, rest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(59), (1970, 3, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(11_322), (2000, 12, 31));
        assert_eq!(civil(20_512), (2026, 2, 28));
    }
}
