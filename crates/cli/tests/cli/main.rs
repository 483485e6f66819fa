//! The built command as a user meets it: exit codes, messages, files.

mod bad_input;
mod basics;
mod bench;
mod dependence;
mod diff;
mod docs;
mod gig;
mod git;
mod incremental;
mod native;
mod native_failures;
mod native_surroundings;
mod native_waiting;
mod native_worlds;
mod results;
mod store;
mod svcomp;
mod unit;
mod watch;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A directory with programs, removed when dropped.
struct Sandbox {
    dir: tempfile::TempDir,
}

impl Sandbox {
    fn new() -> Self {
        Sandbox { dir: tempfile::tempdir().expect("temporary directory") }
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, content).expect("write into a temporary directory");
        path
    }

    /// The command in this directory, without the environment's wishes about colours.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
        command.args(args).current_dir(self.path());
        command.env_remove("NO_COLOR").env_remove("RUST_BACKTRACE").stdin(std::process::Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Run {
        Run::from(self.command(args).output().expect("the command starts"))
    }
}

/// What a run left.
#[derive(Debug)]
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Run {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
