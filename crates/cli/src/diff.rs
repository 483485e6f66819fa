//! `selvedge diff`: what differs between two versions of a program, and what that can influence.

use std::path::PathBuf;

use selvedge_engine::Property;
use selvedge_frontend::Options;
use selvedge_report::text::TextOptions;
use selvedge_report::{Sources, compare, text::Detail};

use crate::args::DiffArgs;
use crate::config;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Console, Stream, Target, write_to};
use crate::run;

/// Runs the command.
pub(crate) fn run(args: &DiffArgs, console: &Console) -> Result<Exit, Failure> {
    let target = args.json.as_deref().map(Target::new);
    let inputs: Vec<PathBuf> = [&args.old, &args.new].into_iter().chain(&args.with).cloned().collect();
    if let Some(target) = &target {
        target.probe(&inputs)?;
    }
    let properties = config::properties(&args.check);
    let old = load(args, &args.old, &properties, console)?;
    let new = load(args, &args.new, &properties, console)?;
    let comparison = run::on_large_stack(|| selvedge_engine::compare(&old, &new, &properties))?;

    let to = if target == Some(Target::Stdout) { Stream::Stderr } else { Stream::Stdout };
    let options = TextOptions {
        color: console.color_on(to),
        detail: console.detail,
        width: console.width(),
        ..TextOptions::default()
    };
    let mut sources = Sources::from_disk();
    let text = compare::text(&comparison, &options, &mut sources);
    write_to(to, text.as_bytes()).map_err(|e| Failure::new(format!("cannot write the report: {e}")))?;
    if let Some(target) = target {
        let json = compare::json(&comparison, env!("CARGO_PKG_VERSION"), &mut sources);
        target.write(json.as_bytes())?;
    }
    Ok(if comparison.is_same { Exit::Safe } else { Exit::Bug })
}

fn load(
    args: &DiffArgs,
    version: &PathBuf,
    properties: &[Property],
    console: &Console,
) -> Result<selvedge_program::Program, Failure> {
    let options = Options {
        files: [version].into_iter().chain(&args.with).cloned().collect(),
        clang_args: args.clang_args.clone(),
        entry: args.entry.clone(),
        marks: config::marks(properties),
        ..Options::default()
    };
    let loaded = run::on_large_stack(|| selvedge_frontend::load_with_warnings(&options))??;
    if console.detail > Detail::Quiet {
        let _ = write_to(Stream::Stderr, loaded.warnings.as_bytes());
    }
    Ok(loaded.program)
}
