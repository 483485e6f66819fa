//! Child processes with a time limit, their output kept in files so that a chatty child cannot block.
//!
//! Guarantees: the child is gone when [`run`] returns, whether it ended, timed out or could not be awaited.

use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a child ended and what it wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Exit code; `None` after a signal or a time-out.
    pub code: Option<i32>,
    /// The time limit was reached and the child was killed.
    pub timed_out: bool,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

/// Runs `command` with `stdin` as its standard input, for at most `limit`.
///
/// # Errors
/// When the child cannot be started or its output cannot be kept.
pub fn run(command: &mut Command, stdin: &[u8], limit: Duration) -> std::io::Result<Ended> {
    let mut input = tempfile::tempfile()?;
    input.write_all(stdin)?;
    input.seek(SeekFrom::Start(0))?;
    let (mut out, mut err) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let mut child =
        command.stdin(input).stdout(out.try_clone()?).stderr(Stdio::from(err.try_clone()?)).spawn()?;
    let end = Instant::now() + limit;
    // Most children end within milliseconds: ask often at first, then rarely.
    let mut pause = Duration::from_micros(500);
    let mut timed_out = false;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() >= end {
            timed_out = true;
            child.kill()?;
            break child.wait()?;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    let read = |file: &mut std::fs::File| -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let code = if timed_out { None } else { status.code() };
    Ok(Ended { code, timed_out, stdout: read(&mut out)?, stderr: read(&mut err)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_and_exit_code_are_kept() {
        let mut command = Command::new("sh");
        command.args(["-c", "cat; echo err >&2; exit 3"]);
        let ended = run(&mut command, b"in", Duration::from_secs(20)).expect("sh runs");
        assert_eq!(
            ended,
            Ended { code: Some(3), timed_out: false, stdout: b"in".into(), stderr: b"err\n".into() }
        );
    }

    #[test]
    fn a_child_past_its_limit_is_killed() {
        let started = Instant::now();
        let ended = run(Command::new("sleep").arg("60"), b"", Duration::from_millis(50)).expect("sleep runs");
        assert!(ended.timed_out && ended.code.is_none());
        assert!(started.elapsed() < Duration::from_secs(30));
    }
}
