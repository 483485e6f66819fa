//! `selvedge prove` for C programs: the report, its files and exit codes are those of `selvedge check`.

use std::path::Path;

use selvedge_engine::{Config, Limits};
use selvedge_frontend::Options;
use selvedge_report::testcase::OutputDir;
use selvedge_report::text::Detail;

use crate::args::{MethodArg, ProveArgs};
use crate::check::{Outputs, Shown, write_results};
use crate::config;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Console, Target};
use crate::progress::{Display, ProgressMode};
use crate::run::{self, Work};

/// Whether clang reads such a file, or wrote it.
pub(super) fn is_c(path: &Path) -> bool {
    let known = ["c", "i", "cc", "cpp", "cxx", "bc", "ll"];
    path.extension().and_then(|e| e.to_str()).is_some_and(|e| known.contains(&e))
}

pub(super) fn run(args: &ProveArgs, console: &Console) -> Result<Exit, Failure> {
    let refused = [
        ("-D", !args.define.is_empty()),
        ("--method", args.method != MethodArg::Ase),
        ("--max-iterations", args.max_iterations.is_some()),
        ("--max-predicates", args.max_predicates.is_some()),
        ("--max-matches", args.max_matches.is_some()),
        ("--proof", args.proof.is_some()),
        ("--graph", args.graph.is_some()),
    ];
    if let Some((flag, _)) = refused.iter().find(|(_, is_given)| *is_given) {
        let failure = Failure::new(format!("{flag} is for programs in the guarded-command language"));
        return Err(failure.help("arguments for clang come last: -- -DN=4"));
    }
    let config = Config {
        properties: config::properties(&args.check),
        limits: Limits { timeout: args.timeout, ..Limits::default() },
        ..Config::default()
    };
    let options = Options {
        files: vec![args.file.clone()],
        clang_args: args.clang_args.clone(),
        marks: config::marks(&config.properties),
        ..Options::default()
    };
    let program = config::program_record(&options);
    let mut outputs = Outputs::default();
    if let Some(path) = &args.json {
        let target = Target::new(path);
        target.probe(std::slice::from_ref(&args.file))?;
        outputs.json = Some(target);
    }
    outputs.out = args.out.as_deref().map(OutputDir::prepare).transpose()?;
    let quiet = console.detail == Detail::Quiet;
    let display = Display::new(ProgressMode::Auto, quiet, console.width());
    let outcome = run::analyse(options, config.clone(), Work::Prove(args.max_states), &display, !quiet)?;
    write_results(&outcome, &outputs, &program, &config, Shown::default(), console)?;
    Ok(Exit::from(outcome.verdict))
}
