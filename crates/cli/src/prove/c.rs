//! `selvedge prove` for C programs: the report, its files and exit codes are those of `selvedge check`; and
//! `selvedge check-proof` for their proof objects.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use selvedge_engine::{Assumption, CheckError, CheckResult, Config, Limits, ProofRefused};
use selvedge_frontend::{Error, Options};
use selvedge_report::testcase::OutputDir;
use selvedge_report::text::Detail;

use super::{Said, again};
use crate::args::{CheckProofArgs, MethodArg, PropertyArg, ProveArgs};
use crate::check::{Outputs, Shown, write_results};
use crate::config;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Console, Target, print};
use crate::progress::{Display, ProgressMode};
use crate::run::{self, Ended, Work};

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
        ("--graph", args.graph.is_some()),
    ];
    if let Some((flag, _)) = refused.iter().find(|(_, is_given)| *is_given) {
        let failure = Failure::new(format!("{flag} is for programs in the guarded-command language"));
        return Err(failure.help("arguments for clang come last: -- -DN=4"));
    }
    let (config, options) = settings(&args.file, &args.check, &args.clang_args, args.timeout);
    let program = config::program_record(&options);
    let target = |path: &Option<PathBuf>| path.as_deref().map(Target::new);
    let mut outputs = Outputs::default();
    (outputs.json, outputs.proof) = (target(&args.json), target(&args.proof));
    outputs.probe(std::slice::from_ref(&args.file), None)?;
    outputs.out = args.out.as_deref().map(OutputDir::prepare).transpose()?;
    let quiet = console.detail == Detail::Quiet;
    let display = Display::new(ProgressMode::Auto, quiet, console.width());
    let work = match args.incremental {
        true => Work::ProveAgain(again::plan(args, &options, &config), args.max_states),
        false => Work::Prove(args.max_states),
    };
    let outcome = run::analyse(options, config.clone(), work, &display, !quiet)?;
    write_results(&outcome, &outputs, &program, &config, Shown::default(), console)?;
    Ok(Exit::from(outcome.verdict))
}

/// What is proved, the same for the proof and for its check.
fn settings(
    file: &Path,
    check: &[PropertyArg],
    clang_args: &[String],
    timeout: Option<Duration>,
) -> (Config, Options) {
    let config = Config {
        properties: config::properties(check),
        limits: Limits { timeout, ..Limits::default() },
        ..Config::default()
    };
    let options = Options {
        files: vec![file.to_owned()],
        clang_args: clang_args.to_vec(),
        marks: config::marks(&config.properties),
        ..Options::default()
    };
    (config, options)
}

/// Checks a proof object.
pub(super) fn check(args: &CheckProofArgs) -> Result<Exit, Failure> {
    if !args.define.is_empty() {
        let failure = Failure::new("-D is for programs in the guarded-command language");
        return Err(failure.help("arguments for clang come last: -- -DN=4"));
    }
    let (mut config, options) = settings(&args.file, &args.check, &args.clang_args, args.timeout);
    let proof = super::read(&args.proof)?;
    let begun = Instant::now();
    let interrupted = run::catch_interrupts();
    let (flag, stop_loading) = (Arc::clone(&interrupted), Arc::clone(&options.stop));
    let work = move || {
        let loaded = selvedge_frontend::load_with_warnings(&options)?;
        config.limits.timeout = config.limits.timeout.map(|t| t.saturating_sub(begun.elapsed()));
        Ok(selvedge_engine::check_proof(&loaded.program, &config, &proof, &flag))
    };
    let mut on_stop = || stop_loading.store(true, Ordering::SeqCst);
    let ended = run::watched(args.timeout, &interrupted, &mut on_stop, work)?;
    let said = match ended {
        Ended::Done(Ok(Ok((result, assumptions)))) => {
            if result == CheckResult::Accepted {
                for Assumption { text, id, .. } in assumptions {
                    print(format!("assuming that {text} [{id}]\n").as_bytes())?;
                }
            }
            Said::Result(result)
        }
        Ended::Done(Ok(Err(ProofRefused::Check(CheckError::Unanswered(why))))) => {
            Said::Unknown(why.to_string())
        }
        Ended::Done(Ok(Err(refused))) => {
            return Err(Failure::new(format!("{}: {refused}", args.proof.display())));
        }
        // Ctrl-C reaches clang too, whose death then looks like an error of the input.
        Ended::Done(Err(_)) if interrupted.load(Ordering::SeqCst) => {
            Said::Unknown(run::why(args.timeout, &interrupted))
        }
        Ended::Done(Err(Error::Stopped)) => Said::Unknown(run::why(args.timeout, &interrupted)),
        Ended::Done(Err(error)) => return Err(error.into()),
        Ended::GivenUp => Said::Unknown(run::why(args.timeout, &interrupted)),
        Ended::Panicked => Said::Unknown(format!("this is a bug in selvedge: {}", run::last_panic())),
    };
    said.show()
}
