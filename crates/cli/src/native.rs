//! `selvedge replay --native`: the counterexample in the real program.
//!
//! Guarantees: success is claimed only if the real process came to the recorded place of the recorded execution and
//! was ended there by a signal that fits the failure (or is stuck there, for a deadlock). A run that leaves the
//! record says so itself (see `native/failure.c` of the front end).

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use selvedge_engine::{Bug, BugKind, IO_FAILS, Input, InputKind, MEMORY_FAILS, OUTPUT_FAILS, World};
use selvedge_frontend::Options;
use selvedge_frontend::native::{self, Plan};
use selvedge_report::world::{Found, FoundPeer, FoundWorld, found};
use selvedge_trace::ReplayFile;

use crate::args::ReplayArgs;
use crate::failure::Failure;
use crate::run;

/// A native run without `--timeout` ends after this time.
const MAX_RUN: Duration = Duration::from_secs(120);
const POLL: Duration = Duration::from_millis(5);
/// Where a program starts, in the engine and natively.
const HOME: &str = "/home/user";
/// Of each stream of the program so much is shown.
const MAX_SHOWN: usize = 4096;

/// What became of it.
#[derive(Debug)]
pub(crate) enum Native {
    /// The real program fails in the same way.
    Reproduced { how: String, output: String, program: Option<PathBuf> },
    /// It does not, for this reason.
    Failed(String),
    /// It was only built.
    Built(PathBuf),
}

impl Native {
    /// Whether what was asked for has happened.
    pub(crate) fn is_good(&self) -> bool {
        !matches!(self, Native::Failed(_))
    }

    /// For the user.
    pub(crate) fn text(&self) -> String {
        match self {
            Native::Reproduced { how, output, program } => {
                let kept = program.as_ref().map(|p| format!("  executable: {}\n", p.display()));
                format!("\nnative: {how}\n{output}{}", kept.unwrap_or_default())
            }
            // The report has it as its reason.
            Native::Failed(_) => String::new(),
            Native::Built(program) => {
                let (program, dir) =
                    (program.display(), program.parent().unwrap_or(Path::new(".")).display());
                format!(
                    "\nnative: built, not run\n  executable: {program}\n  run it:     {program}\n  debug it:   gdb {program}\n\
                     \x20             (gdb) run                      it stops at the failure, threads in the recorded order\n\
                     \x20             (gdb) thread apply all bt      where the others are\n\
                     \x20 its parts are in {dir}\n"
                )
            }
        }
    }
}

/// Builds and runs the program of `bug`, which the engine has just reproduced.
pub(crate) fn replay(
    options: &Options,
    file: &ReplayFile,
    world: &World,
    bug: &Bug,
    args: &ReplayArgs,
    keep: Option<&Path>,
) -> Result<Native, Failure> {
    if bug.kind == BugKind::Uninit {
        let failure = Failure::new("a native program does not notice that a value was never written");
        return Err(
            failure.help("valgrind, or clang's -fsanitize=memory, can watch the program with these inputs")
        );
    }
    let Some(plan) = plan(file, world, bug) else {
        return Err(Failure::new("the execution passes no point that a native build could be scheduled by"));
    };
    let scratch;
    let dir = match keep {
        Some(dir) => dir,
        None => {
            scratch = Scratch::new()?;
            scratch.0.as_path()
        }
    };
    let program = run::on_large_stack(|| native::build(options, &plan, dir))??;
    if args.gdb {
        return Ok(Native::Built(program));
    }
    let limit = args.timeout.unwrap_or(MAX_RUN);
    let ended = execute(&program, limit).map_err(|e| Failure::io("run", &program, &e))?;
    Ok(judge(bug, &ended, keep.map(|_| program)))
}

/// The record of the execution; `None` if the program has no points.
fn plan(file: &ReplayFile, world: &World, bug: &Bug) -> Option<Plan> {
    let points = bug.turns.points.as_ref()?;
    let by_kind = |wanted: InputKind| bug.inputs.iter().filter(move |i| i.kind == wanted);
    let symbolic = by_kind(InputKind::Arg).map(|i| i.bytes.clone());
    let open = by_kind(InputKind::Args).flat_map(Input::arguments);
    let asked = by_kind(InputKind::Variable).filter_map(|i| Some((i.name.as_str(), i.variable()?)));
    let asked = asked.map(|(name, text)| [name.as_bytes(), b"=", &text].concat());
    let environment = file.run.env.iter().map(|given| given.clone().into_bytes()).chain(asked).collect();
    let concrete = file.run.args.iter().map(|a| a.clone().into_bytes());
    let found = found(world, &bug.inputs);
    let input = |input: &Input| native::Input {
        thread: input.thread,
        is_environment: input.kind == InputKind::Environment,
        is_cut: input.kind == InputKind::Environment && input.is_named(selvedge_engine::CUT_SHORT),
        bytes: input.bytes.clone(),
    };
    // Which of the calls failed that these decide about is recorded by their points.
    let is_recorded = |i: &Input| {
        let names = [IO_FAILS, OUTPUT_FAILS, MEMORY_FAILS];
        i.kind == InputKind::Environment && names.iter().any(|name| i.is_named(name))
    };
    let is_asked =
        |i: &&Input| matches!(i.kind, InputKind::Program | InputKind::Environment) && !is_recorded(i);
    let step = |s: &selvedge_engine::PointStep| native::Step {
        thread: s.thread,
        point: s.point,
        site: s.site,
        is_midway: s.is_midway,
        is_rest: s.is_rest,
        copy: s.copy.map(|c| native::Copied { at: c.at, size: c.size, reads: c.reads, writes: c.writes }),
        signal: s.signal,
    };
    let io_failure = |f: &selvedge_engine::PointFailure| native::IoFailure {
        thread: f.thread,
        point: f.point,
        site: f.site,
        after: f.after,
        error: f.error,
    };
    let end = |e: &selvedge_engine::PointEnd| native::End {
        points: e.points,
        site: e.site,
        is_waiting: e.is_waiting,
        is_resting: e.is_resting,
    };
    Some(Plan {
        steps: points.steps.iter().map(step).collect(),
        ends: points.ends.iter().map(end).collect(),
        children: bug.turns.threads.clone(),
        inputs: bug.inputs.iter().filter(is_asked).map(input).collect(),
        args: concrete.chain(symbolic).chain(open).collect(),
        environment,
        undefined_any: file.run.undefined_any,
        world: native_world(&found),
        stdin: Some(found.stdin),
        failing: bug.thread,
        failure: failure(bug.kind),
        is_stuck: points.is_stuck,
        threads_may_fail: file.run.threads_may_fail,
        io_failures: points.failures.iter().map(io_failure).collect(),
        fail_at_most: file.run.fail_at_most,
        clock_is_fixed: file.run.clock_is_fixed,
        place: format!("{}:{}", bug.location.file, bug.location.line),
        message: bug.message.clone(),
    })
}

/// The files that the execution met, where the program looks for them.
fn native_world(found: &FoundWorld) -> native::World {
    let mut files = Vec::new();
    for (name, found) in &found.names {
        let path = if name.starts_with('/') { name.clone() } else { format!("{HOME}/{name}") };
        match found {
            Found::Absent => {}
            Found::Directory => files.push((path, native::Node::Directory)),
            Found::File(bytes) => files.push((path, native::Node::File(bytes.clone()))),
        }
    }
    for device in ["/dev/random", "/dev/urandom"] {
        files.push((device.to_owned(), native::Node::File(found.random.clone())));
    }
    let peer = |peer: &FoundPeer| native::Peer { bytes: peer.bytes.clone(), part: peer.part };
    let peers = found.peers.iter().map(peer).collect();
    native::World { files, part: found.part, terminals: found.terminals, peers }
}

fn failure(kind: BugKind) -> native::Failure {
    match kind {
        // Not built: see above.
        BugKind::Uninit => native::Failure::default(),
        BugKind::Assert | BugKind::Error => native::Failure::Assert,
        BugKind::Memory | BugKind::Free | BugKind::Misuse => native::Failure::Memory,
        BugKind::Div | BugKind::DivOverflow => native::Failure::Div,
        BugKind::Overflow | BugKind::Operand => native::Failure::Overflow,
        BugKind::Bounds | BugKind::Align | BugKind::Unsigned => native::Failure::Marked,
        BugKind::Leak | BugKind::Cleanup => native::Failure::Leak,
        BugKind::Deadlock => native::Failure::Deadlock,
        BugKind::Livelock => native::Failure::Livelock,
        BugKind::Race => native::Failure::Race,
    }
}

/// A finished native run.
#[derive(Debug)]
struct Ended {
    /// `None` if it was stopped.
    status: Option<ExitStatus>,
    /// What its run-time has told, line by line.
    told: Vec<String>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

fn execute(program: &Path, limit: Duration) -> std::io::Result<Ended> {
    let dir = program.parent().unwrap_or(Path::new("."));
    let (status, out, err) = (dir.join("status"), dir.join("stdout"), dir.join("stderr"));
    if status.exists() {
        std::fs::remove_file(&status)?;
    }
    // Files instead of pipes: the program never waits for us.
    let mut child = Command::new(program)
        .env("SELVEDGE_STATUS", &status)
        .stdin(Stdio::null())
        .stdout(File::create(&out)?)
        .stderr(File::create(&err)?)
        .spawn()?;
    let started = Instant::now();
    let ended = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if started.elapsed() >= limit {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(POLL);
    };
    let told = std::fs::read_to_string(&status).unwrap_or_default();
    Ok(Ended {
        status: ended,
        told: told.lines().map(str::to_owned).collect(),
        stdout: std::fs::read(&out)?,
        stderr: std::fs::read(&err)?,
    })
}

const SIGILL: i32 = 4;
const SIGTRAP: i32 = 5;
const SIGABRT: i32 = 6;
const SIGBUS: i32 = 7;
const SIGFPE: i32 = 8;
const SIGSEGV: i32 = 11;

/// Signals by which a failure of this kind ends a process.
fn signals(kind: BugKind) -> &'static [i32] {
    match kind {
        BugKind::Assert | BugKind::Error => &[SIGABRT, SIGILL, SIGTRAP],
        BugKind::Deadlock | BugKind::Livelock | BugKind::Race | BugKind::Leak | BugKind::Cleanup => {
            &[SIGABRT]
        }
        BugKind::Div | BugKind::DivOverflow => &[SIGFPE],
        BugKind::Overflow
        | BugKind::Operand
        | BugKind::Bounds
        | BugKind::Align
        | BugKind::Unsigned
        | BugKind::Uninit => &[SIGABRT, SIGILL, SIGTRAP, SIGFPE],
        BugKind::Memory | BugKind::Free | BugKind::Misuse => {
            &[SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE]
        }
    }
}

fn judge(bug: &Bug, ended: &Ended, program: Option<PathBuf>) -> Native {
    let told = |word: &str| {
        let of = |line: &String| line.strip_prefix(word).map(|rest| rest.trim_start_matches(": ").to_owned());
        ended.told.iter().find_map(of)
    };
    let hint = match bug.inputs.iter().any(|i| i.kind == InputKind::Uninitialised) {
        true => "; the failure depends on uninitialised memory, whose content cannot be chosen natively",
        false => "",
    };
    if let Some(why) = told("diverged") {
        return Native::Failed(format!("native replay diverged: {why}{hint}"));
    }
    if let Some(why) = told("past") {
        return Native::Failed(format!(
            "native replay: the real program follows the recorded execution to its end, but does not fail there: \
             {why}{hint}"
        ));
    }
    let Some(status) = ended.status else {
        return Native::Failed("native replay diverged: the time limit is reached".to_owned());
    };
    let is_there = ["arrived", "deadlock", "livelock"].iter().any(|word| told(word).is_some());
    match status.signal() {
        Some(signal) if is_there && signals(bug.kind).contains(&signal) => {
            let how = format!("the real program fails in the same way, ended by {}", signal_name(signal));
            Native::Reproduced { how, output: output(ended), program }
        }
        Some(signal) => Native::Failed(format!(
            "native replay diverged: the real program was ended by {}{}",
            signal_name(signal),
            if is_there { "" } else { " before it came to the recorded failure" }
        )),
        None => Native::Failed(format!(
            "native replay diverged: the real program ended with exit code {}",
            status.code().unwrap_or_default()
        )),
    }
}

fn signal_name(signal: i32) -> String {
    match signal {
        SIGILL => "SIGILL".to_owned(),
        SIGTRAP => "SIGTRAP".to_owned(),
        SIGABRT => "SIGABRT".to_owned(),
        SIGBUS => "SIGBUS".to_owned(),
        SIGFPE => "SIGFPE".to_owned(),
        SIGSEGV => "SIGSEGV".to_owned(),
        other => format!("signal {other}"),
    }
}

/// What the program wrote, quoted.
fn output(ended: &Ended) -> String {
    let mut text = String::new();
    for bytes in [&ended.stdout, &ended.stderr] {
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_SHOWN)]).into_owned();
        for line in shown.lines() {
            text.push_str("  | ");
            text.push_str(line);
            text.push('\n');
        }
        if bytes.len() > MAX_SHOWN {
            text.push_str("  | ...\n");
        }
    }
    text
}

/// A directory of our own that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, Failure> {
        let base = std::env::temp_dir();
        for n in 0..1000 {
            let path = base.join(format!("selvedge-native-{}-{n}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Scratch(path)),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(Failure::io("make", &path, &e)),
            }
        }
        Err(Failure::new(format!("cannot make a directory in {}", base.display())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A directory that is left behind in the end is no reason to fail.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
