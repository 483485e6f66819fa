//! What a program finds when it starts, for the engine and for the real machine.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use selvedge_engine::{Config, FileContent, OtherFiles, Stdin, World};

use crate::confine::Confined;
use crate::{native, process};

/// Arguments, environment, standard input and files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Surroundings {
    /// `argv[1..]`.
    pub args: Vec<Vec<u8>>,
    /// Variables, `NAME=value`.
    pub env: Vec<Vec<u8>>,
    /// Standard input.
    pub stdin: Vec<u8>,
    /// Files by name, below the folder where the program starts; with a slash at its end, an empty folder.
    pub files: Vec<(String, Vec<u8>)>,
}

/// How a program ended and what it printed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ending {
    /// The exit code; a shell's, if a signal ended it.
    pub code: i32,
    /// Standard output.
    pub output: String,
}

impl Surroundings {
    /// The same for the engine, with nothing left open; all texts must be ASCII.
    pub fn config(&self) -> Config {
        let files =
            self.files.iter().map(|(name, bytes)| (name.clone(), FileContent::Bytes(bytes[..].into())));
        let world = World {
            stdin: Stdin::Bytes(self.stdin[..].into()),
            files: files.collect(),
            others: OtherFiles::None,
            ..World::default()
        };
        let texts =
            |all: &[Vec<u8>]| all.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect();
        Config::default().with(|c| {
            c.surroundings.world = world;
            c.arguments.concrete = texts(&self.args);
            c.arguments.open = false;
            c.arguments.environment = texts(&self.env);
            c.surroundings.sym_env = Some(0);
        })
    }

    /// Runs an executable in these surroundings, with `first` as one more argument before the others.
    ///
    /// # Errors
    /// When the folder cannot be made or the program does not end in time.
    pub fn run(&self, executable: &Path, first: Option<&str>, patience: Duration) -> Result<Ending, String> {
        let text = |error: std::io::Error| format!("a native program cannot be run: {error}");
        let confined = Confined::new(executable).map_err(text)?;
        for (name, bytes) in &self.files {
            confined.put(name, bytes).map_err(text)?;
        }
        // A pipe, as in the engine, and the shell's exit code for an end by a signal.
        let script = "umask 022; cat | env -i \"$@\"; exit $?";
        let mut shell = confined.command("sh");
        shell.env("PATH", "/usr/bin:/bin").args(["-c", script, "sh"]);
        shell.args(self.env.iter().map(|text| OsStr::from_bytes(text))).arg(confined.program());
        shell.args(first).args(self.args.iter().map(|text| OsStr::from_bytes(text)));
        let ended = process::run(&mut shell, &self.stdin, patience).map_err(text)?;
        let code = ended.code.ok_or_else(|| format!("{} does not end", executable.display()))?;
        Ok(Ending { code, output: String::from_utf8_lossy(&ended.stdout).into_owned() })
    }
}

/// Compiles a program that asks its first argument for its case.
///
/// # Errors
/// When clang does not accept it.
pub(super) fn build(file: &Path) -> Result<PathBuf, String> {
    let executable = file.with_extension("exe");
    native::compile(file, &executable, |command| {
        command.args(["-O0", "-pthread", "-DNATIVE"]);
    })
    .map_err(|error| error.to_string())?;
    Ok(executable)
}
