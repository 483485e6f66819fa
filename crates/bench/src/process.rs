//! One measured process: time and memory limits, wall and processor time, peak memory.
//!
//! Guarantees: the process and everything it started in its process group are gone when [`run`] returns; it also dies if
//! the measuring process dies. Peak memory is what the kernel accounts to the process and the children it waited for.
//! The kernel's figure is never below the size of the measuring process at the time of the fork, a few MiB.

#![expect(unsafe_code, reason = "limits, signals and resource usage of a child are only in libc")]

use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often memory is looked at.
const WATCH: Duration = Duration::from_millis(10);

/// What a process may use.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Limit {
    pub(crate) time: Duration,
    pub(crate) memory_mib: u64,
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Exit(i32),
    Signal(i32),
    TimeLimit,
    MemoryLimit,
}

/// What a process used.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Usage {
    pub(crate) end: End,
    pub(crate) wall_s: f64,
    pub(crate) cpu_s: f64,
    pub(crate) peak_rss_mib: f64,
}

/// Runs `command` (not empty) to its end or its limit; both output streams go to `output`.
pub(crate) fn run(command: &[String], output: &File, limit: Limit) -> io::Result<Usage> {
    let mut process = Command::new(&command[0]);
    process.args(&command[1..]).stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output.try_clone()?);
    process.process_group(0);
    // SAFETY: the closure runs in the child between fork and exec and only makes system calls, which are
    // async-signal-safe; it touches no memory of the parent.
    unsafe {
        process.pre_exec(|| {
            let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            Ok(())
        });
    }
    let start = Instant::now();
    let child = process.spawn()?;
    let pid = i32::try_from(child.id()).expect("a process id fits in 31 bits");

    let (over_time, over_memory) = (AtomicBool::new(false), AtomicBool::new(false));
    let (stop, stopped) = mpsc::channel::<()>();
    let wall = std::thread::scope(|scope| {
        scope.spawn(|| {
            let stopped = stopped;
            while stopped.recv_timeout(WATCH) == Err(RecvTimeoutError::Timeout) {
                let late = start.elapsed() >= limit.time;
                let large = rss_mib(pid).is_some_and(|mib| mib > limit.memory_mib);
                if late || large {
                    (if late { &over_time } else { &over_memory }).store(true, Ordering::SeqCst);
                    kill_group(pid);
                    return;
                }
            }
        });
        // The process is not reaped yet, so its id cannot be reused while the watcher may still signal it.
        let result = wait_until_ended(pid);
        let wall = start.elapsed();
        drop(stop);
        result.map(|()| wall)
    })?;
    kill_group(pid);
    let (status, usage) = reap(pid)?;
    let end = if over_time.into_inner() {
        End::TimeLimit
    } else if over_memory.into_inner() {
        End::MemoryLimit
    } else if libc::WIFEXITED(status) {
        End::Exit(libc::WEXITSTATUS(status))
    } else {
        End::Signal(libc::WTERMSIG(status))
    };
    let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 / 1e6;
    Ok(Usage {
        end,
        wall_s: wall.as_secs_f64(),
        cpu_s: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        peak_rss_mib: usage.ru_maxrss as f64 / 1024.0,
    })
}

/// Resident memory of a process, if it still runs.
fn rss_mib(pid: i32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib / 1024)
}

fn kill_group(pid: i32) {
    // SAFETY: a plain system call. The group is the child's own (`process_group(0)`), and the child is not reaped, so
    // the number cannot have passed to someone else. Failure means that nobody is left.
    unsafe {
        libc::kill(-pid, libc::SIGKILL);
    }
}

fn wait_until_ended(pid: i32) -> io::Result<()> {
    let id = libc::id_t::try_from(pid).expect("a process id is positive");
    loop {
        let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
        // SAFETY: `info` is valid for writes; `WNOWAIT` leaves the child to be reaped.
        let result =
            unsafe { libc::waitid(libc::P_PID, id, info.as_mut_ptr(), libc::WEXITED | libc::WNOWAIT) };
        if result == 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

fn reap(pid: i32) -> io::Result<(i32, libc::rusage)> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both pointers are valid for writes, and `rusage` is plain data for which zero is a value.
        let result = unsafe { libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()) };
        if result == pid {
            // SAFETY: it was zeroed, and filled by the call.
            return Ok((status, unsafe { usage.assume_init() }));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Seek};

    fn shell(script: &str, time: f64, memory_mib: u64) -> (Usage, String) {
        let mut output = tempfile::tempfile().expect("temporary file");
        let command = ["sh", "-c", script].map(str::to_owned);
        let limit = Limit { time: Duration::from_secs_f64(time), memory_mib };
        let usage = run(&command, &output, limit).expect("sh starts");
        let mut text = String::new();
        output.rewind().expect("seek");
        output.read_to_string(&mut text).expect("read");
        (usage, text)
    }

    #[test]
    fn exit_codes_signals_and_output_are_seen() {
        let (usage, text) = shell("echo out; echo err >&2; exit 3", 10.0, 1000);
        assert_eq!((usage.end, text.as_str()), (End::Exit(3), "out\nerr\n"));
        assert!(usage.wall_s > 0.0 && usage.peak_rss_mib > 0.1, "{usage:?}");
        assert_eq!(shell("kill -9 $$", 10.0, 1000).0.end, End::Signal(9));
    }

    #[test]
    fn a_run_ends_at_its_time_limit_with_its_children() {
        let start = Instant::now();
        let (usage, _) = shell("sleep 100 & sleep 100", 0.2, 1000);
        assert_eq!(usage.end, End::TimeLimit);
        assert!(start.elapsed() < Duration::from_secs(20), "the limit holds");
    }

    #[test]
    fn a_run_ends_at_its_memory_limit() {
        // The shell holds the output of `yes` in a variable that only grows.
        let (usage, _) = shell("x=$(yes | head -c 200000000)", 60.0, 50);
        assert_eq!(usage.end, End::MemoryLimit, "{usage:?}");
    }

    #[test]
    fn a_command_that_does_not_exist_is_an_error() {
        let output = tempfile::tempfile().expect("temporary file");
        let limit = Limit { time: Duration::from_secs(1), memory_mib: 100 };
        assert!(run(&["/no/such/command".to_owned()], &output, limit).is_err());
    }
}
