//! `selvedge graph`: control flow, calls, or the search over schedules as a picture.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use selvedge_engine::{Bounds, Config, Search};
use selvedge_frontend::Options;
use selvedge_report::graph::{self, Scope};
use selvedge_report::{Sources, text::Detail};

use crate::args::{GraphArgs, GraphFormat, GraphKind};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Console, Stream, Target, write_to};
use crate::run;

/// Runs the command.
pub(crate) fn run(args: &GraphArgs, console: &Console) -> Result<Exit, Failure> {
    let target = Target::new(&args.output);
    target.probe(&args.files)?;
    let options = Options {
        files: args.files.clone(),
        clang_args: args.clang_args.clone(),
        entry: args.entry.clone(),
        ..Options::default()
    };
    let loaded = run::on_large_stack(|| selvedge_frontend::load_with_warnings(&options))??;
    if console.detail > Detail::Quiet {
        let _ = write_to(Stream::Stderr, loaded.warnings.as_bytes());
    }
    if args.gig {
        let dot = interleavings(args, &loaded.program, console)?;
        return draw(args, &target, &dot);
    }
    let scope = match &args.function {
        Some(name) => Scope::Function(name.clone()),
        None if args.all => Scope::All,
        None => Scope::User,
    };
    let dot = match args.kind {
        GraphKind::Cfg => graph::control_flow(&loaded.program, &scope, &mut Sources::from_disk()),
        GraphKind::Calls => graph::call_graph(&loaded.program, &scope),
    };
    let dot = dot.ok_or_else(|| match &args.function {
        Some(name) => Failure::new(format!("the program does not define a function `{name}`")),
        None => Failure::new("the program does not define a function"),
    })?;
    draw(args, &target, &dot)
}

fn draw(args: &GraphArgs, target: &Target, dot: &str) -> Result<Exit, Failure> {
    match args.format {
        GraphFormat::Dot => target.write(dot.as_bytes())?,
        GraphFormat::Svg => target.write(&svg(dot)?)?,
    }
    Ok(Exit::Safe)
}

/// The search over schedules, explored for the purpose.
fn interleavings(
    args: &GraphArgs,
    program: &selvedge_program::Program,
    console: &Console,
) -> Result<String, Failure> {
    let config = Config {
        reduction: args.reduce.whole(),
        search: Search { all_bugs: true, ..Search::default() },
        bounds: Bounds { unwind: args.unwind, ..Bounds::default() },
        ..Config::default()
    };
    let interrupted = AtomicBool::new(false);
    let (graph, incomplete) =
        run::on_large_stack(|| selvedge_engine::interleavings(program, &config, args.states, &interrupted))?;
    if let Some(why) = incomplete.filter(|_| console.detail > Detail::Quiet) {
        let _ = write_to(Stream::Stderr, format!("warning: the graph is not complete: {why}\n").as_bytes());
    }
    if graph.states.is_empty() {
        return Err(Failure::new("the program starts no thread: there are no interleavings to draw"));
    }
    Ok(selvedge_report::gig::draw(program, &graph))
}

/// Lets Graphviz draw `dot`.
pub(crate) fn svg(dot: &str) -> Result<Vec<u8>, Failure> {
    let child = Command::new("dot").arg("-Tsvg").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|e| {
        let failure = match e.kind() {
            std::io::ErrorKind::NotFound => Failure::new("`dot` of Graphviz is not on the PATH"),
            _ => Failure::new(format!("cannot run `dot`: {e}")),
        };
        failure.help("install Graphviz, or leave --format out and draw the DOT text elsewhere")
    })?;
    let mut stdin = child.stdin.take().expect("standard input was piped");
    let text = dot.to_owned();
    // Written from another thread: dot may start to answer before it has read everything.
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(|e| Failure::new(format!("cannot run `dot`: {e}")))?;
    let _ = writer.join();
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(Failure::new(format!("`dot` failed: {}", output.status)))
    }
}
