//! `selvedge replay`: one counterexample again.
//!
//! Guarantees: exit code 1 only if the recorded property is violated again in the recorded place, with `--native` by
//! the real program as well; anything else is `unknown` and says what happened instead.

use std::path::{Path, PathBuf};

use selvedge_engine::{Coverage, Outcome, Reduction, Verdict};
use selvedge_frontend::Options;
use selvedge_report::text::{Detail, TextOptions};
use selvedge_report::{Sources, json, record, text};
use selvedge_trace::ReplayFile;

use crate::args::ReplayArgs;
use crate::check::VERSION;
use crate::config;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::native::{self, Native};
use crate::output::{Console, Stream, Target};
use crate::progress::{Display, ProgressMode};
use crate::run::{self, Work};

/// Runs the command.
pub(crate) fn run(args: &ReplayArgs, console: &Console) -> Result<Exit, Failure> {
    let file = read(&args.file)?;
    let paths = Paths::new(args)?;
    let mut config = record::config(&file).map_err(|e| Failure::from_error(&e))?;
    config.limits.timeout = args.timeout;
    let world = config.surroundings.world.clone();
    let inputs = record::inputs(&file).map_err(|e| Failure::from_error(&e))?;
    enter(&file.program.dir)?;
    let options = Options {
        files: file.program.files.iter().map(Into::into).collect(),
        clang_args: file.program.clang_args.clone(),
        entry: file.program.entry.clone(),
        marks: config::marks(&config.properties),
        points: args.is_native(),
        ..Options::default()
    };

    let display = Display::new(ProgressMode::Auto, console.detail == Detail::Quiet, console.width());
    let work = Work::Replay(inputs, record::turns(&file));
    let mut outcome = run::analyse(options.clone(), config, work, &display, false)?;
    // One execution says nothing about what can be reached.
    outcome.coverage = Coverage::default();
    let native = match outcome.bugs.iter().find(|bug| record::same_bug(&file, bug)) {
        None => {
            not_reproduced(&file, &mut outcome);
            None
        }
        Some(bug) if args.is_native() => {
            Some(native::replay(&options, &file, &world, bug, args, paths.keep.as_deref())?)
        }
        Some(_) => None,
    };
    if let Some(Native::Failed(why)) = &native {
        outcome.verdict = Verdict::Unknown;
        outcome.reasons.push(why.clone());
    }
    show(&outcome, native.as_ref(), &paths, console)?;
    let is_reproduced = outcome.bugs.iter().any(|bug| record::same_bug(&file, bug));
    let is_good = is_reproduced && native.as_ref().is_none_or(Native::is_good);
    Ok(if is_good { Exit::Bug } else { Exit::Unknown })
}

/// Where files are. The run happens in the recorded directory, and the user's paths are relative to this one.
struct Paths {
    replay_file: PathBuf,
    json: Option<Target>,
    /// Where the native build stays, if it does.
    keep: Option<PathBuf>,
}

impl Paths {
    fn new(args: &ReplayArgs) -> Result<Paths, Failure> {
        let absolute = |path: &Path| std::path::absolute(path).map_err(|e| Failure::io("write", path, &e));
        let json = match args.json.as_deref() {
            Some(path) if path != Path::new("-") => Some(Target::new(&absolute(path)?)),
            other => other.map(Target::new),
        };
        if let Some(target) = &json {
            target.probe(std::slice::from_ref(&args.file))?;
        }
        let beside = || args.gdb.then(|| args.file.with_extension("native"));
        let keep = args.keep.clone().or_else(beside).map(|dir| absolute(&dir)).transpose()?;
        let replay_file = std::path::absolute(&args.file).unwrap_or_else(|_| args.file.clone());
        Ok(Paths { replay_file, json, keep })
    }
}

/// Writes the reports.
fn show(outcome: &Outcome, native: Option<&Native>, paths: &Paths, console: &Console) -> Result<(), Failure> {
    let stream = if paths.json == Some(Target::Stdout) { Stream::Stderr } else { Stream::Stdout };
    let replay_files = vec![paths.replay_file.display().to_string()];
    let options = TextOptions {
        color: console.color_on(stream),
        detail: console.detail,
        width: console.width(),
        replay_files: replay_files.clone(),
        ..TextOptions::default()
    };
    let mut sources = Sources::from_disk();
    if let Some(target) = &paths.json {
        let options =
            json::JsonOptions { version: VERSION.to_owned(), reduce: Reduction::None.name(), replay_files };
        target.write(json::render(outcome, &mut sources, &options).as_bytes())?;
    }
    let mut report = text::render(outcome, &mut sources, &options);
    report.push_str(&native.map(Native::text).unwrap_or_default());
    crate::check::show(stream, report.as_bytes())
}

fn read(path: &Path) -> Result<ReplayFile, Failure> {
    let text = std::fs::read(path).map_err(|e| Failure::io("read", path, &e))?;
    let text = String::from_utf8_lossy(&text);
    ReplayFile::from_json(&text).map_err(|error| {
        let failure = Failure::from_error(&error);
        match error {
            selvedge_trace::Error::WrongVersion { .. } => {
                failure.help("find the bug again with this release: selvedge check --out DIR")
            }
            _ => failure.help("a replay file is the bug-1.json that `selvedge check --out DIR` writes"),
        }
    })
}

/// Goes to the directory of the recorded run: names of files and clang's arguments are relative to it.
fn enter(dir: &str) -> Result<(), Failure> {
    if dir.is_empty() {
        return Ok(());
    }
    std::env::set_current_dir(dir).map_err(|e| {
        Failure::io("enter the directory of the recorded run,", Path::new(dir), &e)
            .help("the program has to be where it was when the bug was found")
    })
}

/// Turns the outcome into one that says so.
fn not_reproduced(file: &ReplayFile, outcome: &mut Outcome) {
    let place = &file.bug.location;
    let instead = match outcome.bugs.first() {
        Some(bug) => format!("it ended in another one: {}", bug.message),
        None if outcome.verdict == Verdict::Unknown && !outcome.reasons.is_empty() => {
            outcome.reasons.join("; ")
        }
        None => "it ran to its end".to_owned(),
    };
    let reason = format!(
        "the recorded failure ({} at {}:{}) did not happen again, {instead}; has the program changed?",
        file.bug.kind, place.file, place.line
    );
    outcome.verdict = Verdict::Unknown;
    outcome.reasons = vec![reason];
}
