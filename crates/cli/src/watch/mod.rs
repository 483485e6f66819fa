//! `selvedge watch`: programs are checked again whenever a file that they are made of is saved.
//!
//! Each file of the command line is a program of its own and has a line for each check. A save during a check stops it and
//! begins anew; a program that does not compile is told with clang's first error, and watched all the same.

mod once;
mod seen;

use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use crate::args::WatchArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Console, Stream, print, write_to};
use crate::{config, run};
use once::{Checked, Running};
use seen::Seen;

/// Between two looks at the files.
const POLL: Duration = Duration::from_millis(50);

/// How long nothing must change before a check begins: a save is often more than one write, and several files are saved
/// together.
const QUIET: Duration = Duration::from_millis(120);

/// A program that is watched.
struct Program {
    /// As the user named it.
    name: String,
    seen: Seen,
    /// When it is to be checked, unless something changes before that.
    due: Option<Instant>,
}

/// Runs the command.
pub(crate) fn run(mut args: WatchArgs, console: &Console) -> Result<Exit, Failure> {
    if let Some(number) = args.only {
        return once::run(args, number, console);
    }
    run::catch_interrupts_and_say(b"\n");
    for file in args.files.iter().chain(&args.with) {
        std::fs::metadata(file).map_err(|error| Failure::io("read", file, &error))?;
    }
    let (files, with) = (args.files.clone(), args.with.clone());
    args.files.clear();
    let check = args.check_of(PathBuf::new());
    // What is wrong with the flags will be wrong with them for ever.
    config::engine(&check)?;
    let others: Vec<PathBuf> = with.into_iter().chain(once::files_of_the_world(&check)).collect();
    let now = (Instant::now(), SystemTime::now());
    let mut programs = Vec::new();
    for file in files {
        let mut seen = Seen::default();
        let name = file.display().to_string();
        seen.set([file].into_iter().chain(others.clone()).collect(), false, now.1);
        programs.push(Program { name, seen, due: Some(now.0) });
    }
    let what =
        if programs.len() == 1 { "1 program".to_owned() } else { format!("{} programs", programs.len()) };
    let _ = write_to(Stream::Stderr, format!("watching {what}, until Ctrl-C\n").as_bytes());
    watch(&mut programs, console)?;
    Ok(Exit::Safe)
}

fn watch(programs: &mut [Program], console: &Console) -> Result<(), Failure> {
    let width = programs.iter().map(|program| program.name.chars().count()).max().unwrap_or(0);
    let mut running: Option<(usize, Running)> = None;
    while !run::is_interrupted() {
        for program in programs.iter_mut() {
            if program.seen.look() {
                program.due = Some(Instant::now() + QUIET);
            }
        }
        running = match running.take() {
            // What it would say is about files that are no more.
            Some((number, check)) if programs[number].due.is_some() => {
                check.stop();
                None
            }
            Some((number, mut check)) => match check.ended(console) {
                Some(checked) => {
                    tell(&mut programs[number], width, &check, checked)?;
                    None
                }
                None => Some((number, check)),
            },
            None => None,
        };
        if running.is_none() {
            let is_due = |program: &Program| program.due.is_some_and(|due| due <= Instant::now());
            if let Some(number) = programs.iter().position(is_due) {
                programs[number].due = None;
                running = Some((number, Running::start(number, console)?));
            }
        }
        std::thread::sleep(POLL);
    }
    if let Some((_, check)) = running {
        check.stop();
    }
    Ok(())
}

/// Shows what a check has come to, and looks at the files that it names from now on.
fn tell(program: &mut Program, width: usize, check: &Running, checked: Checked) -> Result<(), Failure> {
    let Checked { compiles, line, files } = checked;
    if program.seen.set(files, !compiles, check.started) {
        // A file that nobody knew to look at was saved meanwhile.
        program.due = Some(Instant::now() + QUIET);
    }
    if run::is_interrupted() {
        return Ok(());
    }
    print(format!("{:width$}  {line}\n", program.name).as_bytes())
}
