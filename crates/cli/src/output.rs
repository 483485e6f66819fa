//! Where text goes: terminal, files, standard output.
//!
//! Guarantees: a closed pipe is not an error (the reader has seen enough); whether a file can be written is known
//! before the search starts; an input file is never overwritten by a report.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use selvedge_base::Diagnostic;
use selvedge_report::Sources;
use selvedge_report::text::{Detail, diagnostic};

use crate::failure::Failure;

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ColorChoice {
    // On a terminal, unless NO_COLOR is set
    Auto,
    // Always
    Always,
    // Never
    Never,
}

/// A stream of the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stream {
    Stdout,
    Stderr,
}

/// What the user chose about text on the terminal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Console {
    color: ColorChoice,
    /// How much to show.
    pub(crate) detail: Detail,
}

impl Console {
    pub(crate) fn new(color: ColorChoice, quiet: bool, verbose: bool) -> Self {
        let detail = match (quiet, verbose) {
            (true, _) => Detail::Quiet,
            (_, true) => Detail::Verbose,
            _ => Detail::Normal,
        };
        Console { color, detail }
    }

    /// Whether text on `stream` is coloured.
    pub(crate) fn color_on(&self, stream: Stream) -> bool {
        let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
        match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let terminal = match stream {
                    Stream::Stdout => io::stdout().is_terminal(),
                    Stream::Stderr => io::stderr().is_terminal(),
                };
                terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
            }
        }
    }

    /// Columns of the terminal, or a width that is readable in a log.
    pub(crate) fn width(&self) -> usize {
        terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0).max(40))
    }

    /// Shows a message on standard error.
    pub(crate) fn diagnostic(&self, message: &Diagnostic) {
        let text = diagnostic(message, &mut Sources::from_disk(), self.color_on(Stream::Stderr));
        // There is nowhere left to report a failure of standard error.
        let _ = write_to(Stream::Stderr, text.as_bytes());
    }
}

/// Writes to a stream of the process. A reader that has gone away is not an error.
pub(crate) fn write_to(stream: Stream, bytes: &[u8]) -> io::Result<()> {
    let result = match stream {
        Stream::Stdout => {
            let mut out = io::stdout().lock();
            out.write_all(bytes).and_then(|()| out.flush())
        }
        Stream::Stderr => io::stderr().lock().write_all(bytes),
    };
    match result {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Writes the result of a command to standard output.
pub(crate) fn print(bytes: &[u8]) -> Result<(), Failure> {
    write_to(Stream::Stdout, bytes).map_err(|e| Failure::new(format!("cannot write to standard output: {e}")))
}

/// A file that a report goes to, or standard output (`-`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Stdout,
    File(PathBuf),
}

impl Target {
    pub(crate) fn new(path: &Path) -> Self {
        if path == Path::new("-") { Target::Stdout } else { Target::File(path.to_owned()) }
    }

    /// Proves that the target can be written to, before time is spent on what will be written.
    pub(crate) fn probe(&self, inputs: &[PathBuf]) -> Result<(), Failure> {
        let Target::File(path) = self else { return Ok(()) };
        let canonical = |p: &Path| fs::canonicalize(p).ok();
        if let Some(own) = canonical(path)
            && inputs.iter().any(|input| canonical(input).as_ref() == Some(&own))
        {
            return Err(Failure::new(format!("the output {} is one of the input files", path.display())));
        }
        let existed = path.symlink_metadata().is_ok();
        let opened = fs::OpenOptions::new().append(true).create(true).open(path);
        opened.map_err(|e| Failure::io("write", path, &e))?;
        if !existed {
            // Only the attempt counts: a run that fails later must not leave an empty report behind.
            let _ = fs::remove_file(path);
        }
        Ok(())
    }

    /// Writes the whole content.
    pub(crate) fn write(&self, content: &[u8]) -> Result<(), Failure> {
        match self {
            Target::Stdout => print(content),
            Target::File(path) => fs::write(path, content).map_err(|e| Failure::io("write", path, &e)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probing_leaves_nothing_behind_and_keeps_what_was_there() {
        let dir = tempfile::tempdir().expect("temporary directory");
        let (new, old) = (dir.path().join("new.json"), dir.path().join("old.json"));
        fs::write(&old, "kept").expect("write");
        assert!(Target::new(&new).probe(&[]).is_ok() && Target::new(&old).probe(&[]).is_ok());
        assert!(!new.exists());
        assert_eq!(fs::read_to_string(&old).expect("read"), "kept");
    }

    #[test]
    fn unwritable_targets_and_inputs_are_refused() {
        let dir = tempfile::tempdir().expect("temporary directory");
        let message = |path: &Path, inputs: &[PathBuf]| {
            Target::new(path).probe(inputs).expect_err("must be refused").into_diagnostic().message
        };
        assert!(message(dir.path(), &[]).contains("cannot write"));
        assert!(message(&dir.path().join("none/a.json"), &[]).contains("cannot write"));
        let input = dir.path().join("a.c");
        fs::write(&input, "int x;").expect("write");
        assert!(message(&dir.path().join("./a.c"), &[input]).contains("one of the input files"));
    }

    #[test]
    fn a_dash_is_standard_output() {
        assert_eq!(Target::new(Path::new("-")), Target::Stdout);
        assert_eq!(Target::new(Path::new("./-")), Target::File("./-".into()));
    }
}
