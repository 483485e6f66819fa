//! `selvedge unit`: one function of a larger program, or all of a file, without a harness.
//!
//! The search is that of `check`, on a program that calls the function with arguments from outside (`harness.rs`). Bounds
//! that nobody has given make the verdict `unknown` where they cut a path.

mod harness;

use std::path::Path;

use selvedge_engine::{
    Bounds, Config, Limits, Outcome, OutsideBounds, Presumed, Reduction, Search, Surroundings, Verdict,
};
use selvedge_frontend::{Definitions, Options, Signature};
use selvedge_report::testcase::OutputDir;
use selvedge_report::text::Detail;
use selvedge_report::unit::{self, Function, Native, Row, Unit};

use crate::args::{UndefinedArg, UnitArgs};
use crate::check::{VERSION, show};
use crate::config;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Console, Stream, Target};
use crate::progress::{Display, ProgressMode};
use crate::run::{self, Work};

/// Iterations of a loop if nobody has said how many.
const UNWIND: u64 = 8;

/// Nested calls if nobody has said how many.
const DEPTH: u32 = 16;

/// What is told of the functions so far. Their paths are many, and are not kept.
#[derive(Default)]
struct Told {
    text: String,
    rows: Vec<Row>,
    functions: Vec<Function>,
    failed: Vec<(String, String)>,
    verdicts: Vec<Verdict>,
    n_tests: usize,
}

/// Runs the command.
pub(crate) fn run(args: &UnitArgs, console: &Console) -> Result<Exit, Failure> {
    let path = args.file.canonicalize().map_err(|e| Failure::io("open", &args.file, &e))?;
    if path.extension().and_then(|e| e.to_str()) != Some("c") {
        return Err(Failure::new(format!("{} is no C file", args.file.display()))
            .help("`unit` reads C sources (.c); `check --entry` starts from a function of any program"));
    }
    let json = args.json.as_deref().map(Target::new);
    if let Some(target) = &json {
        target.probe(std::slice::from_ref(&args.file))?;
    }
    let out = args.out.as_deref().map(OutputDir::prepare).transpose()?;
    let options = Options { clang_args: args.clang_args.clone(), ..Options::default() };
    let definitions = selvedge_frontend::definitions(&path, &options)?;
    let functions = chosen(args, &definitions)?;
    if let Some(dir) = &out {
        dir.clear()?;
    }
    let stream = if json == Some(Target::Stdout) { Stream::Stderr } else { Stream::Stdout };
    let subject = Subject { args, path: &path, definitions: &definitions, out: out.as_ref(), stream };
    let mut told = Told::default();
    for function in functions {
        match subject.one(function, console) {
            Ok(outcome) => subject.tell(function, &outcome, console, &mut told)?,
            Err(failure) if args.all => {
                told.failed.push((function.name.clone(), failure.into_diagnostic().message));
            }
            Err(failure) => return Err(failure),
        }
        if run::is_interrupted() {
            break;
        }
    }
    if let Some(target) = &json {
        target.write(unit::json(&told.functions, &told.failed, VERSION).as_bytes())?;
    }
    if args.all {
        told.text.push_str(&unit::table(&told.rows, &told.failed, console.color_on(stream)));
    }
    if let (Some(dir), true) = (&args.out, console.detail > Detail::Quiet) {
        show(Stream::Stderr, format!("{} tests in {}\n", told.n_tests, dir.display()).as_bytes())?;
    }
    show(stream, told.text.as_bytes())?;
    Ok(match () {
        () if told.verdicts.contains(&Verdict::Unsafe) => Exit::Bug,
        () if told.verdicts.contains(&Verdict::Unknown) || !told.failed.is_empty() => Exit::Unknown,
        () => Exit::Safe,
    })
}

/// The functions that were asked for.
fn chosen<'a>(args: &UnitArgs, definitions: &'a Definitions) -> Result<Vec<&'a Signature>, Failure> {
    let Some(name) = &args.function else {
        if definitions.functions.is_empty() {
            return Err(Failure::new(format!("{} defines no function", args.file.display())));
        }
        return Ok(definitions.functions.iter().collect());
    };
    let found = definitions.functions.iter().find(|function| function.name == *name);
    found.map(|function| vec![function]).ok_or_else(|| {
        let known: Vec<&str> = definitions.functions.iter().map(|f| f.name.as_str()).collect();
        let failure = Failure::new(format!("{} defines no function `{name}`", args.file.display()));
        if known.is_empty() { failure } else { failure.help(format!("it defines {}", known.join(", "))) }
    })
}

/// The file whose functions are called.
struct Subject<'a> {
    args: &'a UnitArgs,
    path: &'a Path,
    definitions: &'a Definitions,
    out: Option<&'a OutputDir>,
    stream: Stream,
}

impl Subject<'_> {
    /// Looks at all paths of one function.
    fn one(&self, function: &Signature, console: &Console) -> Result<Outcome, Failure> {
        let Subject { args, path, .. } = self;
        let failed = |e: std::io::Error| Failure::new(format!("cannot write a temporary file: {e}"));
        let dir = tempfile::TempDir::with_prefix("selvedge-unit-").map_err(failed)?;
        let harness = dir.path().join("unit.c");
        let text = harness::program(path, self.definitions, function, &args.assume, args.globals);
        std::fs::write(&harness, text).map_err(failed)?;
        let config = configuration(args);
        let mut clang_args = args.clang_args.clone();
        clang_args.extend(["-w".to_owned(), "-Wno-error".to_owned()]);
        // Places are told with the name that the user gave.
        let known = path.to_string_lossy();
        let folder = known.strip_suffix(&*args.file.to_string_lossy()).filter(|f| f.ends_with('/'));
        clang_args.extend(folder.map(|folder| format!("-fdebug-prefix-map={folder}=")));
        let options = Options {
            files: vec![harness],
            clang_args,
            entry: harness::ENTRY.to_owned(),
            marks: config::marks(&config.properties),
            ..Options::default()
        };
        let quiet = console.detail == Detail::Quiet;
        let display = Display::new(ProgressMode::Auto, quiet, console.width());
        let mut outcome = run::analyse(options, config, Work::Verify, &display, false)?;
        // Nothing that was called, nothing that is known.
        if outcome.verdict == Verdict::Safe && outcome.tests.is_empty() {
            outcome.verdict = Verdict::Unknown;
            outcome.reasons.push(
                match args.assume.as_slice() {
                    [] => "no path comes to an end",
                    _ => "no arguments satisfy --assume",
                }
                .to_owned(),
            );
        }
        Ok(outcome)
    }

    /// Writes tests of the paths of a function, and notes what else is told of it.
    fn tell(
        &self,
        function: &Signature,
        outcome: &Outcome,
        console: &Console,
        told: &mut Told,
    ) -> Result<(), Failure> {
        let params = harness::params(function);
        let names: Vec<String> = params.iter().map(|(name, _)| name.clone()).collect();
        let (shown, file) = (self.args.file.display().to_string(), self.path.display().to_string());
        let unit = |tests| Unit { function: &function.name, params: &names, file: &shown, outcome, tests };
        let mut tests = Vec::new();
        if let Some(dir) = self.out {
            let native = Native { file: &file, params: &params, clang_args: &self.args.clang_args };
            for (i, test) in outcome.tests.iter().enumerate() {
                let text = unit::test(&unit(&[]), native, i);
                tests.push(dir.write_unit_test(&function.name, i, &text, &shown, test)?);
            }
        }
        let unit = unit(&tests);
        if !self.args.all || console.detail == Detail::Verbose {
            told.text.push_str(&unit::text(&unit, console.detail, console.color_on(self.stream)));
            told.text.push_str(if self.args.all { "\n" } else { "" });
        }
        told.rows.push(unit::row(&unit));
        if self.args.json.is_some() {
            told.functions.push(unit::function(&unit));
        }
        told.verdicts.push(outcome.verdict);
        told.n_tests += tests.len();
        Ok(())
    }
}

fn configuration(args: &UnitArgs) -> Config {
    Config {
        properties: config::properties(&args.check),
        reduction: Reduction::None,
        search: Search { all_bugs: true, tests: true, ..Search::default() },
        bounds: Bounds {
            unwind: Some(args.unwind.unwrap_or(UNWIND)),
            max_depth: Some(args.max_depth.unwrap_or(DEPTH)),
            ..Bounds::default()
        },
        presumed: Presumed { unwind: args.unwind.is_none(), max_depth: args.max_depth.is_none() },
        limits: Limits { timeout: Some(args.timeout), max_runs: Some(args.max_runs), ..Limits::default() },
        surroundings: Surroundings {
            undefined_any: args.undefined == UndefinedArg::Any,
            outside: OutsideBounds {
                elements: args.elements,
                structs: args.structs,
                depth: args.depth,
                open_texts: args.open_texts,
            },
            ..Surroundings::default()
        },
        ..Config::default()
    }
}
