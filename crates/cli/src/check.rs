//! `selvedge check`: all inputs of a program.
//!
//! Order matters: everything that can be wrong with the command line is found before the program is compiled, everything
//! that can be wrong with the program before the search, so that no search is lost to a typing error.

use std::path::{Path, PathBuf};

use selvedge_base::Diagnostic;
use selvedge_engine::{Config, Outcome, World};
use selvedge_report::testcase::{OutputDir, RunInfo, TestFiles, bug_file};
use selvedge_report::text::TextOptions;
use selvedge_report::{Sources, coverage, json, text};
use selvedge_trace::ProgramRecord;

use crate::args::CheckArgs;
use crate::base::{self, Base};
use crate::config;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::incremental;
use crate::output::{Console, Stream, Target, print, write_to};
use crate::progress::Display;
use crate::run::{self, Work};
use crate::svcomp::{self, Answer, Job};
use crate::world;

/// The version in reports and files.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Checked places for everything that will be written.
#[derive(Default)]
pub(crate) struct Outputs {
    pub(crate) out: Option<OutputDir>,
    ktest: Option<OutputDir>,
    pub(crate) json: Option<Target>,
    pub(crate) proof: Option<Target>,
    lcov: Option<Target>,
    witness: Option<Target>,
}

impl Outputs {
    fn prepare(check: &CheckArgs, inputs: &[PathBuf]) -> Result<Self, Failure> {
        let args = &check.output;
        let target = |path: &Option<PathBuf>| path.as_deref().map(Target::new);
        let mut outputs = Outputs {
            json: target(&args.json),
            lcov: target(&args.lcov),
            witness: target(&check.svcomp.witness),
            ..Outputs::default()
        };
        outputs.probe(inputs, check.svcomp.svcomp.then_some("--svcomp"))?;
        let dir = |path: &Option<PathBuf>| path.as_deref().map(OutputDir::prepare).transpose();
        (outputs.out, outputs.ktest) = (dir(&args.out)?, dir(&args.ktest)?);
        Ok(outputs)
    }

    /// The places that can be standard output, with their flags.
    fn targets(&self) -> impl Iterator<Item = (&'static str, &Target)> {
        let Outputs { out: _, ktest: _, json, proof, lcov, witness } = self;
        [("--json", json), ("--proof", proof), ("--lcov", lcov), ("--witness", witness)]
            .into_iter()
            .filter_map(|(flag, target)| Some((flag, target.as_ref()?)))
    }

    /// Fails if a file cannot be written, or two outputs would be one, `printed` being the flag of another that goes to
    /// standard output.
    pub(crate) fn probe(&self, inputs: &[PathBuf], printed: Option<&'static str>) -> Result<(), Failure> {
        let to_stdout = self.targets().filter(|(_, target)| **target == Target::Stdout).map(|(flag, _)| flag);
        if let [first, second, ..] = to_stdout.chain(printed).collect::<Vec<_>>()[..] {
            return Err(Failure::new(format!("{first} and {second} cannot both go to standard output"))
                .help("name a file for one of them"));
        }
        self.targets().try_for_each(|(_, target)| target.probe(inputs))
    }

    /// Where the text report goes: out of the way of data.
    fn report_stream(&self) -> Stream {
        match self.targets().any(|(_, target)| *target == Target::Stdout) {
            true => Stream::Stderr,
            false => Stream::Stdout,
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &CheckArgs, console: &Console) -> Result<Exit, Failure> {
    let result = run_all(args, console);
    if args.svcomp.svcomp && result.is_err() {
        print(format!("{}\n", Answer::Unknown).as_bytes())?;
    }
    result
}

fn run_all(args: &CheckArgs, console: &Console) -> Result<Exit, Failure> {
    let (jobs, refused) = svcomp::jobs(args)?;
    for reason in refused {
        console.diagnostic(&Diagnostic::warning(format!("a property is left out: {reason}")));
    }
    let mut exits = Vec::new();
    for job in &jobs {
        exits.push(run_one(args, job, console)?);
    }
    let worst = [Exit::Usage, Exit::Bug, Exit::Unknown].into_iter().find(|exit| exits.contains(exit));
    Ok(worst.unwrap_or(Exit::Safe))
}

fn run_one(args: &CheckArgs, job: &Job, console: &Console) -> Result<Exit, Failure> {
    let mut config = config::engine(args)?;
    if let Some(specification) = &job.specification {
        config.properties = specification.properties();
        config.surroundings.spurious_wakeups |= specification.wakes_alone();
        // Tasks say nothing of a world around the program; a flag does.
        if !world::is_described(&args.environment) {
            config.surroundings.world = World::task();
        }
        // By the rules of the competition `main` is called without arguments.
        config.arguments.open = false;
    }
    let options = config::frontend(args, job, &config);
    let program = config::program_record(&options);
    let inputs: Vec<PathBuf> = args.files.iter().chain(&job.files).cloned().collect();
    let outputs = Outputs::prepare(args, &inputs)?;
    if let Some(dir) = &config.solver.log_queries {
        std::fs::create_dir_all(dir).map_err(|e| Failure::io("create", dir, &e))?;
    }

    let quiet = console.detail == text::Detail::Quiet;
    let display = Display::new(args.output.progress, quiet, console.width());
    let work = match incremental::plan(&args.incremental, &options, &config)? {
        Some(plan) => {
            if let Some(name) = &args.incremental.git {
                let base = Base { name, options: &options, config: &config, plan: &plan };
                let display = Display::new(args.output.progress, quiet, console.width());
                let line = base.check(&display, console)?;
                if let Some(line) = line.filter(|_| !quiet) {
                    base::show(&line, outputs.report_stream())?;
                }
            }
            Work::VerifyAgain(plan)
        }
        None => Work::Verify,
    };
    let mut outcome = run::analyse(options, config.clone(), work, &display, !quiet)?;
    if let Some(specification) = &job.specification {
        svcomp::keep_violations(&mut outcome, specification);
    }

    let shown = Shown { stats: args.output.stats, coverage: args.output.coverage };
    write_results(&outcome, &outputs, &program, &config, shown, console)?;
    if let Some(target) = &outputs.witness {
        svcomp::witness::write(&outcome, job, &program.entry, target)?;
    }
    if let Some(specification) = &job.specification {
        let answer = svcomp::answer(&outcome);
        let line =
            if args.svcomp.svcomp { answer.to_string() } else { svcomp::summary(job, specification, answer) };
        show(outputs.report_stream(), format!("{line}\n").as_bytes())?;
    }
    Ok(Exit::from(outcome.verdict))
}

/// Optional parts of the text report.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shown {
    stats: bool,
    coverage: bool,
}

/// Writes the report, and all files that were asked for.
pub(crate) fn write_results(
    outcome: &Outcome,
    outputs: &Outputs,
    program: &ProgramRecord,
    config: &Config,
    shown: Shown,
    console: &Console,
) -> Result<(), Failure> {
    let _span = tracing::info_span!(target: "report", "report").entered();
    let info = RunInfo { version: VERSION, program, config };
    let mut sources = Sources::from_disk();
    let mut bug_paths = Vec::new();
    if let Some(dir) = &outputs.out {
        dir.clear()?;
        bug_paths = dir.write_bugs(outcome, info, &mut sources)?;
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
        all_bugs: config.search.all_bugs,
    };
    let report = text::render(outcome, &mut sources, &options);
    let json_options = json::JsonOptions {
        version: VERSION.to_owned(),
        reduce: config.reduction.name(),
        replay_files: (0..bug_paths.len()).map(bug_file).collect(),
    };
    let json = json::render(outcome, &mut sources, &json_options);

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
    if let (Some(target), Some(proof)) = (&outputs.proof, &outcome.proof_object) {
        target.write(proof.as_bytes())?;
    }
    if let Some(target) = &outputs.lcov {
        target.write(coverage::lcov(&outcome.coverage).as_bytes())?;
    }
    show(stream, report.as_bytes())
}

/// Writes the text report.
pub(crate) fn show(stream: Stream, text: &[u8]) -> Result<(), Failure> {
    match stream {
        Stream::Stdout => print(text),
        Stream::Stderr => {
            // There is nowhere left to report a failure of standard error.
            let _ = write_to(Stream::Stderr, text);
            Ok(())
        }
    }
}

fn same_dir(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
