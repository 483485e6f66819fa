//! `selvedge prove` and `selvedge check-proof`.
//!
//! Guarantees: exit codes as in [`crate::exit`]; a proof object is written only for a verdict `safe` that was
//! checked; outputs that cannot be written are known before time is spent.

pub(crate) mod again;
mod c;
pub(crate) mod gcl;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use num_bigint::BigInt;
use selvedge_base::Diagnostic;
use selvedge_engine::gcl::{
    CheckError, CheckResult, Gcl, Limits, Method, Options, Outcome, Verdict, check_proof, has_initial_state,
    prove,
};
use selvedge_report::proof::{ProofOptions, json, text};
use selvedge_report::text::Detail;

use crate::args::{CheckProofArgs, MethodArg, ProveArgs};
use crate::check::VERSION;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::graph::svg;
use crate::output::{Console, Stream, Target, print, write_to};
use crate::run::{self, Ended, watched};

/// A program and its text.
struct Loaded {
    program: Gcl,
    source: String,
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|e| Failure::io("read", path, &e))
}

/// An error of the language as a message with the line it is about.
fn in_source(path: &Path, source: &str, error: &selvedge_gcl::Error) -> Failure {
    let file = path.display();
    let diagnostic = match error.is_about_everything() {
        true => Diagnostic::error(format!("{file}: {error}")),
        false => Diagnostic::error(error.to_string()).at(error.mark(file.to_string(), source)),
    };
    Failure::from_diagnostic(match &error.help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    })
}

fn is_gcl(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "gcl")
}

fn load(path: &Path, defines: &[(String, BigInt)]) -> Result<Loaded, Failure> {
    if !is_gcl(path) {
        let failure = Failure::new(format!("{} is not a .gcl file", path.display()));
        return Err(failure.help("this is for programs in the guarded-command language, see docs/gcl.md"));
    }
    let source = read(path)?;
    let elaborated = selvedge_gcl::parse(&source).and_then(|p| selvedge_gcl::elaborate(&p, defines));
    let elaborated = elaborated.map_err(|e| in_source(path, &source, &e))?;
    Ok(Loaded { program: Gcl(elaborated), source })
}

/// A program in the guarded-command language that has a property, with arguments that fit.
fn load_to_prove(args: &ProveArgs) -> Result<Loaded, Failure> {
    if !is_gcl(&args.file) {
        let failure = Failure::new(format!("{} is neither a .c nor a .gcl file", args.file.display()));
        return Err(
            failure.help("programs to prove are in C or in the guarded-command language, see docs/prove.md")
        );
    }
    if !args.clang_args.is_empty() || !args.check.is_empty() || args.out.is_some() {
        return Err(Failure::new("arguments for clang, --check and --out are for C programs"));
    }
    if args.incremental {
        let failure = Failure::new("--incremental is for C programs");
        return Err(failure.help("without it, each proof of a .gcl program is looked for from scratch"));
    }
    if args.graph.is_some() && args.method == MethodArg::Pdr {
        return Err(Failure::new("--graph draws the abstract system of the methods `ase` and `ur`"));
    }
    let loaded = load(&args.file, &args.define)?;
    if loaded.program.system().bad.is_none() {
        let failure = Failure::new(format!("{} has no property", args.file.display()));
        return Err(failure.help("say what must hold with `safe`, or what must not be reached with `bad`"));
    }
    Ok(loaded)
}

/// What the user set, the rest as usual; an interrupt ends the proof from now on.
fn limits(args: &ProveArgs) -> Limits {
    let defaults = Limits::default();
    Limits {
        max_iterations: args.max_iterations.unwrap_or(defaults.max_iterations),
        max_predicates: args.max_predicates.unwrap_or(defaults.max_predicates),
        max_states: args.max_states,
        max_matches: args.max_matches.unwrap_or(defaults.max_matches),
        timeout: args.timeout,
        interrupt: run::catch_interrupts(),
    }
}

/// Runs `selvedge prove`.
pub(crate) fn run(args: &ProveArgs, console: &Console) -> Result<Exit, Failure> {
    if c::is_c(&args.file) {
        return c::run(args, console);
    }
    let Loaded { program, source } = load_to_prove(args)?;
    let inputs = [args.file.clone()];
    let target = |path: &Option<PathBuf>| -> Result<Option<Target>, Failure> {
        let target = path.as_ref().map(|path| Target::new(path));
        target.map(|target| target.probe(&inputs).map(|()| target)).transpose()
    };
    let (json_target, proof_target, graph_target) =
        (target(&args.json)?, target(&args.proof)?, target(&args.graph)?);
    let (method, method_name) = match args.method {
        MethodArg::Ase => (Method::Ase, "ase"),
        MethodArg::Ur => (Method::Ur, "ur"),
        MethodArg::Pdr => (Method::Pdr, "pdr"),
        MethodArg::Spacer => (Method::Spacer, "spacer"),
    };
    let options = Options { method, limits: limits(args), graph: graph_target.is_some() };
    let verbose = console.detail == Detail::Verbose;
    let (what, of) = match method {
        Method::Pdr => ("level", "blocked combinations of predicates"),
        _ => ("round", "predicates"),
    };
    let mut on_round = move |round: u32, predicates: usize| {
        if verbose {
            let line = format!("{what} {round}: {predicates} {of}\n");
            let _ = write_to(Stream::Stderr, line.as_bytes());
        }
    };
    let (timeout, interrupted) = (options.limits.timeout, Arc::clone(&options.limits.interrupt));
    let program = Arc::new(program);
    let system = Arc::clone(&program);
    let work = move || prove(&*system, &options, &mut on_round);
    let outcome = match watched(timeout, &interrupted, &mut || {}, work)? {
        Ended::Done(outcome) => outcome,
        Ended::GivenUp => Outcome::unknown(run::why(timeout, &interrupted)),
        Ended::Panicked => Outcome::unknown(format!("this is a bug in selvedge: {}", run::last_panic())),
    };

    let mut proof_file = None;
    if let (Some(target), Verdict::Safe { proof: Some(text), .. }) = (&proof_target, &outcome.verdict) {
        target.write(text.as_bytes())?;
        proof_file = args.proof.as_ref().map(|path| path.display().to_string());
    }
    if let (Some(target), Some(dot)) = (&graph_target, &outcome.graph) {
        match args.graph.as_ref().is_some_and(|path| path.extension().is_some_and(|e| e == "svg")) {
            true => target.write(&svg(dot)?)?,
            false => target.write(dot.as_bytes())?,
        }
    }
    let report = ProofOptions {
        version: VERSION.to_owned(),
        method: method_name,
        peak_rss_mib: selvedge_engine::peak_rss_mib(),
        proof_file,
    };
    let taken = [&json_target, &proof_target, &graph_target].iter().any(|t| **t == Some(Target::Stdout));
    let stream = if taken { Stream::Stderr } else { Stream::Stdout };
    let shown = text(&program, &outcome, &report, console.detail, console.color_on(stream));
    write_to(stream, shown.as_bytes()).map_err(|e| Failure::new(format!("cannot write the report: {e}")))?;
    if let Some(target) = &json_target {
        let file = args.file.display().to_string();
        target.write(json(&program, &file, &source, &outcome, &report).as_bytes())?;
    }
    Ok(match outcome.verdict {
        Verdict::Safe { .. } => Exit::Safe,
        Verdict::Unsafe(_) => Exit::Bug,
        Verdict::Unknown { .. } => Exit::Unknown,
    })
}

/// What is said about a proof object.
enum Said {
    Result(CheckResult),
    Unknown(String),
}

impl Said {
    fn show(self) -> Result<Exit, Failure> {
        let (text, exit) = match self {
            Said::Result(CheckResult::Accepted) => {
                let what = "the invariant holds initially, is kept by every transition, and has no bad state";
                (format!("ACCEPTED  {what}\n"), Exit::Safe)
            }
            Said::Result(CheckResult::Rejected(why)) => (format!("REJECTED  {why}\n"), Exit::Bug),
            Said::Unknown(why) => (format!("UNKNOWN  {why}\n"), Exit::Unknown),
        };
        print(text.as_bytes())?;
        Ok(exit)
    }
}

/// Runs `selvedge check-proof`.
pub(crate) fn check(args: &CheckProofArgs, _console: &Console) -> Result<Exit, Failure> {
    if c::is_c(&args.file) {
        return c::check(args);
    }
    if !args.clang_args.is_empty() || !args.check.is_empty() {
        return Err(Failure::new("arguments for clang and --check are for C programs"));
    }
    let Loaded { program, .. } = load(&args.file, &args.define)?;
    let proof = read(&args.proof)?;
    let interrupted = run::catch_interrupts();
    let limits = Limits { timeout: args.timeout, interrupt: Arc::clone(&interrupted), ..Limits::default() };
    let work = move || {
        let checked = check_proof(&program, &proof, &limits)?;
        Ok((checked, has_initial_state(&program, &limits)?))
    };
    let said = match watched(args.timeout, &interrupted, &mut || {}, work)? {
        Ended::Done(Ok((result, has_start))) => {
            if result == CheckResult::Accepted && !has_start {
                print(b"warning: no state satisfies the initial conditions, so that any property holds\n")?;
            }
            Said::Result(result)
        }
        Ended::Done(Err(CheckError::Unanswered(why))) => Said::Unknown(why.to_string()),
        Ended::Done(Err(error)) => return Err(Failure::new(format!("{}: {error}", args.proof.display()))),
        Ended::GivenUp => Said::Unknown(run::why(args.timeout, &interrupted)),
        Ended::Panicked => Said::Unknown(format!("this is a bug in selvedge: {}", run::last_panic())),
    };
    said.show()
}
