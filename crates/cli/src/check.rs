//! `selvedge check`: all inputs of a program.
//!
//! Order matters: everything that can be wrong with the command line is found before the program is compiled, everything
//! that can be wrong with the program before the search, so that no search is lost to a typing error.

use std::path::{Path, PathBuf};

use selvedge_engine::{Config, Outcome};
use selvedge_report::testcase::{OutputDir, RunInfo, TestFiles, bug_file};
use selvedge_report::text::TextOptions;
use selvedge_report::{Sources, coverage, json, text};
use selvedge_trace::ProgramRecord;

use crate::args::{CheckArgs, OutputArgs};
use crate::config;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Console, Stream, Target, print, write_to};
use crate::progress::Display;
use crate::run::{self, Work};

/// The version in reports and files.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Checked places for everything that will be written.
struct Outputs {
    out: Option<OutputDir>,
    ktest: Option<OutputDir>,
    json: Option<Target>,
    lcov: Option<Target>,
}

impl Outputs {
    fn prepare(args: &OutputArgs, inputs: &[PathBuf]) -> Result<Self, Failure> {
        let target = |path: &Option<PathBuf>| path.as_deref().map(Target::new);
        let (json, lcov) = (target(&args.json), target(&args.lcov));
        if json == Some(Target::Stdout) && lcov == Some(Target::Stdout) {
            return Err(Failure::new("--json and --lcov cannot both go to standard output")
                .help("name a file for one of them"));
        }
        for target in [&json, &lcov].into_iter().flatten() {
            target.probe(inputs)?;
        }
        let dir = |path: &Option<PathBuf>| path.as_deref().map(OutputDir::prepare).transpose();
        Ok(Outputs { out: dir(&args.out)?, ktest: dir(&args.ktest)?, json, lcov })
    }

    /// Where the text report goes: out of the way of data.
    fn report_stream(&self) -> Stream {
        let data = [&self.json, &self.lcov].into_iter().flatten().any(|t| *t == Target::Stdout);
        if data { Stream::Stderr } else { Stream::Stdout }
    }
}

/// Runs the command.
pub(crate) fn run(args: &CheckArgs, console: &Console) -> Result<Exit, Failure> {
    let config = config::engine(args)?;
    let options = config::frontend(args);
    let program = config::program_record(&options);
    let outputs = Outputs::prepare(&args.output, &args.files)?;
    if let Some(dir) = &config.log_queries {
        std::fs::create_dir_all(dir).map_err(|e| Failure::io("create", dir, &e))?;
    }

    let quiet = console.detail == text::Detail::Quiet;
    let display = Display::new(args.output.progress, quiet, console.width());
    let outcome = run::analyse(options, config.clone(), Work::Verify, &display, !quiet)?;

    let shown = Shown { stats: args.output.stats, coverage: args.output.coverage };
    write_results(&outcome, &outputs, &program, &config, shown, console)?;
    Ok(Exit::from(outcome.verdict))
}

/// Optional parts of the text report.
#[derive(Clone, Copy)]
struct Shown {
    stats: bool,
    coverage: bool,
}

fn write_results(
    outcome: &Outcome,
    outputs: &Outputs,
    program: &ProgramRecord,
    config: &Config,
    shown: Shown,
    console: &Console,
) -> Result<(), Failure> {
    let info = RunInfo { version: VERSION, program, config };
    let mut bug_paths = Vec::new();
    if let Some(dir) = &outputs.out {
        dir.clear()?;
        bug_paths = dir.write_bugs(outcome, info)?;
        dir.write_tests(outcome, info, TestFiles::All)?;
    }
    if let Some(dir) = &outputs.ktest {
        // Both flags may name the same directory; then the files are there already.
        if outputs.out.as_ref().is_none_or(|out| !same_dir(out.path(), dir.path())) {
            dir.clear()?;
            dir.write_tests(outcome, info, TestFiles::KTestOnly)?;
        }
    }

    let stream = outputs.report_stream();
    let mut options = TextOptions {
        color: console.color_on(stream),
        detail: console.detail,
        stats: shown.stats,
        coverage: shown.coverage,
        width: console.width(),
        replay_files: bug_paths.iter().map(|p| p.display().to_string()).collect(),
        bounds: config::bounds(config),
    };
    let mut sources = Sources::from_disk();
    let report = text::render(outcome, &mut sources, &options);
    let json_options = json::JsonOptions {
        version: VERSION.to_owned(),
        reduce: config.reduce,
        replay_files: (0..bug_paths.len()).map(bug_file).collect(),
    };
    let json = json::render(outcome, &json_options);

    if let Some(dir) = &outputs.out {
        // The kept report does not depend on the terminal it was first shown on.
        options = TextOptions {
            color: false,
            detail: text::Detail::Verbose,
            width: TextOptions::default().width,
            stats: true,
            coverage: true,
            ..options
        };
        dir.write_reports(&text::render(outcome, &mut sources, &options), &json)?;
    }
    if let Some(target) = &outputs.json {
        target.write(json.as_bytes())?;
    }
    if let Some(target) = &outputs.lcov {
        target.write(coverage::lcov(&outcome.coverage).as_bytes())?;
    }
    match stream {
        Stream::Stdout => print(report.as_bytes()),
        Stream::Stderr => {
            let _ = write_to(Stream::Stderr, report.as_bytes());
            Ok(())
        }
    }
}

fn same_dir(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
