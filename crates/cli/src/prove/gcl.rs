//! `selvedge run-gcl` and `selvedge fmt-gcl`: programs in the guarded-command language as such.

use selvedge_gcl::simulate::{Random, is_true, random_run, random_start};
use selvedge_report::proof::trace;

use super::{Loaded, in_source, load, read};
use crate::args::{FmtGclArgs, RunGclArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Console, Target, print};

/// Runs `selvedge run-gcl`.
pub(crate) fn run(args: &RunGclArgs, console: &Console) -> Result<Exit, Failure> {
    let Loaded { program, .. } = load(&args.file, &args.define)?;
    let system = program.system();
    let mut random = Random::new(args.seed);
    let start = random_start(system, &mut random).ok_or_else(|| {
        Failure::new("no initial state was found by guessing values between -10 and 10")
            .help("give more variables an initial value")
    })?;
    let run = random_run(system, start, args.steps, &mut random);
    let mut text = trace(system, &run, console.detail);
    let is_bad = is_true(&system.bad(), run.end());
    let ended = match (is_bad, run.steps.len() < args.steps) {
        (true, _) => "the last state is bad",
        (false, true) => "no transition can be taken",
        (false, false) => "the number of steps is reached",
    };
    text.push_str(&format!("{ended}\n"));
    print(text.as_bytes())?;
    Ok(if is_bad { Exit::Bug } else { Exit::Safe })
}

/// Runs `selvedge fmt-gcl`.
pub(crate) fn format(args: &FmtGclArgs) -> Result<Exit, Failure> {
    let source = read(&args.file)?;
    let program = selvedge_gcl::parse(&source).map_err(|e| in_source(&args.file, &source, &e))?;
    let neat = selvedge_gcl::format(&program);
    if !args.write {
        print(neat.as_bytes())?;
    } else if neat != source {
        Target::new(&args.file).write(neat.as_bytes())?;
    }
    Ok(Exit::Safe)
}
