//! One check of one program, in a process of its own: it can be stopped at any moment, and what goes wrong in it does not end
//! the watch.
//!
//! The process ends its search when its standard input does: if the watch wants it to stop, or is gone itself. What it
//! has to say is on standard output: a line that says whether the program could be compiled, the line for the user, then the
//! files that the program is made of.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Read as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use selvedge_report::line;

use crate::args::{CheckArgs, WatchArgs};
use crate::base::first_line;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Console, Stream, print};
use crate::progress::{Display, ProgressMode};
use crate::run::{self, Work};
use crate::{config, incremental, svcomp};

/// How long a process that is to stop may take for that.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the check of a program has come to.
pub(super) struct Checked {
    /// Without, what is not there yet may matter as well.
    pub(super) compiles: bool,
    /// For the user.
    pub(super) line: String,
    /// The files that the program is made of.
    pub(super) files: Vec<PathBuf>,
}

/// A check that is under way.
pub(super) struct Running {
    child: Child,
    output: Receiver<Vec<u8>>,
    pub(super) started: SystemTime,
}

impl Running {
    /// Starts the check of the program of this number: this process once more, with the same flags.
    pub(super) fn start(number: usize, console: &Console) -> Result<Running, Failure> {
        let failed = |error: std::io::Error| Failure::new(format!("cannot start a check: {error}"));
        let mut args: Vec<OsString> = std::env::args_os().skip(1).collect();
        let command = args.iter().position(|arg| arg == "watch").map_or(0, |at| at + 1);
        let mut own = vec!["--only".to_owned(), number.to_string()];
        if console.color_on(Stream::Stdout) && !args.iter().any(|arg| arg.as_bytes().starts_with(b"--color"))
        {
            own.push("--color=always".to_owned());
        }
        args.splice(command..command, own.into_iter().map(OsString::from));
        let mut child = Command::new(std::env::current_exe().map_err(failed)?)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let (sender, output) = mpsc::channel();
        if let Some(mut stdout) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                let _ = stdout.read_to_end(&mut bytes);
                let _ = sender.send(bytes);
            });
        }
        Ok(Running { child, output, started: SystemTime::now() })
    }

    /// What it has come to, if it has ended.
    pub(super) fn ended(&mut self, console: &Console) -> Option<Checked> {
        let bytes = match self.output.try_recv() {
            Ok(bytes) => bytes,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Vec::new(),
        };
        let status = self.child.wait().ok();
        let mut lines = bytes.split(|byte| *byte == b'\n');
        let (compiles, line) = (lines.next().unwrap_or_default(), lines.next());
        let Some(line) = line.filter(|line| !line.is_empty()) else {
            let how = status.map_or("in an unknown way".to_owned(), |status| status.to_string());
            let message = format!("this is a bug in selvedge: the check ended with {how}");
            let line = line::error(&message, console.color_on(Stream::Stdout));
            return Some(Checked { compiles: false, line, files: Vec::new() });
        };
        let files = lines.filter(|name| !name.is_empty());
        Some(Checked {
            compiles: compiles == COMPILES,
            line: String::from_utf8_lossy(line).into_owned(),
            files: files.map(|name| PathBuf::from(OsString::from_vec(name.to_vec()))).collect(),
        })
    }

    /// Ends it.
    pub(super) fn stop(mut self) {
        drop(self.child.stdin.take());
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The first line of a check whose program could be compiled.
const COMPILES: &[u8] = b"compiles";

/// Checks the program of a number, for the watch that has started this process.
pub(super) fn run(args: WatchArgs, number: usize, console: &Console) -> Result<Exit, Failure> {
    let file = args.files.get(number).cloned().ok_or_else(|| Failure::new("there is no such program"))?;
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        run::interrupt();
    });
    let check = args.check_of(file);
    let read = Arc::new(Mutex::new(BTreeSet::new()));
    let color = console.color_on(Stream::Stdout);
    let (compiles, line) = match checked(&check, &read) {
        Ok(outcome) => (true, line::line(&outcome, color)),
        Err(failure) => (false, line::error(&first_line(&failure.into_diagnostic()), color)),
    };
    let mut files = std::mem::take(&mut *read.lock().unwrap_or_else(PoisonError::into_inner));
    files.extend(files_of_the_world(&check));
    if !compiles {
        let folders: Vec<PathBuf> = files.iter().filter_map(|file| folder_of(file)).collect();
        files.extend(folders);
        files.extend(included_folders(&check.clang_args));
    }
    let mut text = if compiles { COMPILES.to_vec() } else { b"fails".to_vec() };
    text.push(b'\n');
    text.extend(line.as_bytes());
    for file in files {
        text.push(b'\n');
        text.extend(file.as_os_str().as_bytes());
    }
    print(&text)?;
    Ok(Exit::Safe)
}

fn checked(
    args: &CheckArgs,
    read: &Arc<Mutex<BTreeSet<PathBuf>>>,
) -> Result<selvedge_engine::Outcome, Failure> {
    let config = config::engine(args)?;
    let (jobs, _) = svcomp::jobs(args)?;
    let job = jobs.first().ok_or_else(|| Failure::new("there is nothing to check"))?;
    let mut options = config::frontend(args, job, &config);
    options.read = Some(Arc::clone(read));
    let work = match incremental::plan(&args.incremental, &options, &config)? {
        Some(plan) => Work::VerifyAgain(plan),
        None => Work::Verify,
    };
    let display = Display::new(ProgressMode::None, true, 0);
    run::analyse(options, config, work, &display, false)
}

/// Files of the user's that the program finds in its world.
pub(super) fn files_of_the_world(args: &CheckArgs) -> Vec<PathBuf> {
    let environment = &args.environment;
    let host = |file: &String| PathBuf::from(file.split_once('=').map_or(&file[..], |(_, host)| host));
    let named = environment.file.iter().map(host);
    named.chain(environment.stdin.clone()).chain(environment.peer.iter().cloned()).collect()
}

fn folder_of(file: &Path) -> Option<PathBuf> {
    let parent = file.parent()?;
    Some(if parent == Path::new("") { PathBuf::from(".") } else { parent.to_owned() })
}

/// The folders that clang is told to look for headers in.
fn included_folders(clang_args: &[String]) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let mut args = clang_args.iter();
    while let Some(arg) = args.next() {
        for flag in ["-I", "-isystem", "-iquote"] {
            match arg.strip_prefix(flag) {
                Some("") => folders.extend(args.next().map(PathBuf::from)),
                Some(folder) => folders.push(PathBuf::from(folder)),
                None => {}
            }
        }
    }
    folders
}
