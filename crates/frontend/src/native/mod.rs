//! A native executable of the same program that follows one recorded execution.
//!
//! The bitcode is prepared as for the engine, with points (see `llvm/points.rs`), but without Selvedge's C run-time:
//! the system's library does the work. `native/*.c` is linked instead; it feeds the inputs, admits threads
//! in the recorded order and notices when the real execution is another one. The record is compiled in, so
//! the executable needs nothing else and can be run under a debugger.
//!
//! Guarantees: the program's own code is what the engine executed, instruction by instruction.
//! Relies on: clang 22 and the system's C library for the program's target.

mod failing;
mod tables;
mod world;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub use failing::IoFailure;
use selvedge_library::{Input as Asked, Known, Native as Replaced, Written, classify, replaced};
pub use world::{Node, Peer, World};

use crate::llvm::{Context, Point};
use crate::{Error, Options, clang, isolate, link};

/// One execution to be followed.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The visible steps in order.
    pub steps: Vec<Step>,
    /// Where each thread stands in the end.
    pub ends: Vec<End>,
    /// Parent and position of each thread but `main`.
    pub children: Vec<(u32, u32)>,
    /// Inputs by thread, in the order of their consumption; not arguments and standard input.
    pub inputs: Vec<Input>,
    /// `argv` without the name of the program.
    pub args: Vec<Vec<u8>>,
    /// The variables of the environment: `NAME=value`.
    pub environment: Vec<Vec<u8>>,
    /// Functions without a body return inputs.
    pub undefined_any: bool,
    /// Standard input, if it is recorded.
    pub stdin: Option<Vec<u8>>,
    /// The files it finds, and what its standard streams are.
    pub world: World,
    /// The thread that fails.
    pub failing: u32,
    /// How it fails.
    pub failure: Failure,
    /// The execution ends because no thread can move.
    pub is_stuck: bool,
    /// Whether starting a thread and making a lock consumes an input.
    pub threads_may_fail: bool,
    /// Calls about files and streams that failed.
    pub io_failures: Vec<IoFailure>,
    /// How many of these calls fail at most.
    pub fail_at_most: Option<u32>,
    /// Whether clocks stand still.
    pub clock_is_fixed: bool,
    /// Where it fails, for messages.
    pub place: String,
    /// What the failure is, for messages.
    pub message: String,
}

/// What kind of failure the execution ends in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Failure {
    /// An assertion, or a call that is one.
    #[default]
    Assert,
    /// An invalid access; the executable is built with the address sanitizer.
    Memory,
    /// A division that traps.
    Div,
    /// Undefined arithmetic.
    Overflow,
    /// What clang marks by a call.
    Marked,
    /// Lost memory; the executable is built with the leak sanitizer.
    Leak,
    /// No thread can move.
    Deadlock,
    /// Threads spin for ever.
    Livelock,
    /// Two accesses at the same time.
    Race,
}

/// One visible step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The thread that makes it.
    pub thread: u32,
    /// It follows this point that the thread passes, counted from 1.
    pub point: u64,
    /// The number of that point in the program.
    pub site: u32,
    /// A waiting thread goes on inside the call that follows the point, or a copy that has begun.
    pub is_midway: bool,
    /// A thread that found nothing in a pipe or a socket was woken, inside the call that follows the point.
    pub is_rest: bool,
    /// The part of a copy that it moves.
    pub copy: Option<Copied>,
    /// The signal that comes to the thread there.
    pub signal: Option<u32>,
}

/// A part of a copy that other threads see half done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Copied {
    /// First byte, from the beginning of the copy.
    pub at: u64,
    /// Bytes, at most a word.
    pub size: u64,
    /// They are read.
    pub reads: bool,
    /// They are written, as they are read now or were by the step before.
    pub writes: bool,
}

/// Where a thread stands in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// Points it has passed.
    pub points: u64,
    /// The number of the last one in the program.
    pub site: u32,
    /// What follows the last one is a visible step that it did not come to make.
    pub is_waiting: bool,
    /// That step would end a wait for a pipe or a socket, inside the call that follows the point.
    pub is_resting: bool,
}

/// An input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The thread that consumes it.
    pub thread: u32,
    /// A choice of the environment, which the program does not ask for.
    pub is_environment: bool,
    /// Of these: whether a handler of a signal ran during a call, or before it.
    pub is_cut: bool,
    /// Its bytes in memory order.
    pub bytes: Vec<u8>,
}

/// Files of the native run-time: name and text.
const SOURCES: [(&str, &str); 24] = [
    ("replay.h", include_str!("../../native/replay.h")),
    ("schedule.c", include_str!("../../native/schedule.c")),
    ("threads.c", include_str!("../../native/threads.c")),
    ("waiting.c", include_str!("../../native/waiting.c")),
    ("misuse.c", include_str!("../../native/misuse.c")),
    ("copy.c", include_str!("../../native/copy.c")),
    ("signals.c", include_str!("../../native/signals.c")),
    ("inputs.c", include_str!("../../native/inputs.c")),
    ("world.c", include_str!("../../native/world.c")),
    ("console.c", include_str!("../../native/console.c")),
    ("peers.c", include_str!("../../native/peers.c")),
    ("failing.c", include_str!("../../native/failing.c")),
    ("failure.c", include_str!("../../native/failure.c")),
    // Functions that are inputs, or made of others that are replaced: here as there.
    ("runtime.h", include_str!("../../runtime/runtime.h")),
    ("random.c", include_str!("../../runtime/random.c")),
    ("rand48.c", include_str!("../../runtime/rand48.c")),
    ("clock.h", include_str!("../../runtime/clock.h")),
    ("clock.c", include_str!("../../runtime/clock.c")),
    ("time.c", include_str!("../../runtime/time.c")),
    ("timedwait.c", include_str!("../../runtime/timedwait.c")),
    ("c11.c", include_str!("../../runtime/threads.c")),
    ("types.h", include_str!("../../runtime/types.h")),
    ("chrono.c", include_str!("../../runtime/chrono.c")),
    ("stdthread.c", include_str!("../../runtime/stdthread.c")),
];

/// Parts that are the native run-time's own, and parts that it shares with the engine's.
const OWN: [&str; 13] = [
    "schedule", "threads", "waiting", "misuse", "copy", "signals", "inputs", "world", "console", "peers",
    "failing", "failure", "tables",
];
const SHARED: [&str; 6] = ["random", "rand48", "clock", "time", "timedwait", "c11"];

fn own_name(name: &str) -> String {
    format!("selvedge_native_{name}")
}

/// Builds `dir/program`, and leaves the files it is made of beside it.
pub fn build(options: &Options, plan: &Plan, dir: &Path) -> Result<PathBuf, Error> {
    let temporary = |source| Error::Temporary { source };
    std::fs::create_dir_all(dir).map_err(temporary)?;
    let sanitizer = match plan.failure {
        Failure::Memory | Failure::Leak => Some("address"),
        Failure::Race => Some("thread"),
        _ => None,
    };
    let native = match instrument(options, None, plan, sanitizer) {
        // As in `load`: a `static` entry that nothing calls.
        Err(Error::NoEntry { .. }) => {
            let mut complete = options.clone();
            complete.clang_args.extend(crate::EMIT_ALL.map(str::to_owned));
            instrument(&complete, Some(&options.entry), plan, sanitizer)?
        }
        other => other?,
    };
    for (name, text) in SOURCES {
        std::fs::write(dir.join(name), text).map_err(temporary)?;
    }
    let text = tables::render(plan, &native.points, native.clock_counts, native.names_files);
    std::fs::write(dir.join("tables.c"), text).map_err(temporary)?;
    std::fs::write(dir.join("program.bc"), &native.bitcode).map_err(temporary)?;

    let clang = clang::find_clang()?;
    let run = |command: &mut Command| {
        command.current_dir(dir).stdin(Stdio::null());
        let failed = |source| Error::ClangNotRun { clang: clang.display().to_string(), source };
        let output = command.output().map_err(failed)?;
        if output.status.success() {
            return Ok(());
        }
        Err(Error::Native { stderr: String::from_utf8_lossy(&output.stderr).into_owned() })
    };
    let target: &[&str] = if native.is_32_bit { &["-m32"] } else { &[] };
    // Apart from the program, because no sanitizer is to look at these.
    let own = ["-g", "-O1", "-w", "-pthread", "-std=gnu17", "-c"];
    run(Command::new(&clang).args(target).args(own).args(OWN.map(|part| format!("{part}.c"))))?;
    let names = replaced(Replaced::Everywhere).chain(["malloc"]);
    let renames: Vec<String> = names.map(|name| format!("-D{name}={}", own_name(name))).collect();
    let parts = SHARED.map(|part| format!("{part}.c"));
    run(Command::new(&clang).args(target).args(own).args(&renames).args(parts))?;
    if native.is_cxx {
        let parts = ["-fexceptions", "chrono.c", "stdthread.c"];
        run(Command::new(&clang).args(target).args(own).args(renames).args(parts))?;
    }
    let mut command = Command::new(&clang);
    command.args(target).args(["-g", "-O0", "-w", "-pthread"]);
    command.args(sanitizer.map(|name| format!("-fsanitize={name}")));
    command.args(["-x", "ir", "program.bc", "-x", "none"]);
    command.args(OWN.iter().chain(&SHARED).map(|part| format!("{part}.o")));
    command.args(["-o", "program"]);
    if native.is_cxx {
        command.args(["chrono.o", "stdthread.o", "--driver-mode=g++"]);
    }
    // Libraries that the user named when the program was compiled.
    let libraries = options.clang_args.iter().filter(|a| a.starts_with("-l") || a.starts_with("-L"));
    command.args(libraries).arg("-lm");
    run(&mut command)?;
    Ok(dir.join("program"))
}

struct Native {
    bitcode: Vec<u8>,
    points: Vec<Point>,
    is_32_bit: bool,
    is_cxx: bool,
    clock_counts: bool,
    names_files: bool,
}

/// The program's bitcode with points, its library calls sent to the native run-time.
fn instrument(
    options: &Options,
    exposed: Option<&str>,
    plan: &Plan,
    sanitizer: Option<&str>,
) -> Result<Native, Error> {
    let mut inputs = crate::trusted_inputs(options)?;
    let _guard = isolate::LlvmGuard::enter();
    let context = Context::new();
    let module = crate::link_complete(&context, options, &mut inputs, exposed)?;
    let has_entry = module.function(&options.entry).is_some_and(|f| !f.is_declaration());
    if !has_entry {
        return Err(Error::NoEntry { entry: options.entry.clone(), defined: module.defined_functions() });
    }
    let points = link::prepare_native(&module, &options.entry)?;
    let clock_counts = Written::ChronoNow.row().names().any(|name| module.function(name).is_some());
    if plan.failure == Failure::Memory {
        module.check_room();
    }
    for name in replaced(Replaced::Error) {
        module.redirect(name, &own_name(name));
    }
    let has_copies = plan.steps.iter().any(|step| step.copy.is_some());
    if has_copies {
        module.call_copies(own_name);
    }
    // The program's own function of that name stays what it is.
    let is_foreign = |name: &&str| module.function(name).is_some_and(|f| f.is_declaration());
    let names_files = replaced(Replaced::NamesFiles).any(|name| is_foreign(&name));
    if !plan.io_failures.is_empty() {
        for name in replaced(Replaced::IfCallFails).filter(is_foreign) {
            module.rename(name, &failing::own_name(name));
        }
    }
    let ways = [
        (Replaced::Everywhere, true),
        (Replaced::Program, true),
        (Replaced::NamesFiles, true),
        (Replaced::IfMemoryFails, !plan.io_failures.is_empty()),
        (Replaced::IfThreadsFail, plan.threads_may_fail),
        (Replaced::IfCopied, has_copies),
    ];
    for (how, _) in ways.into_iter().filter(|(_, happens)| *happens) {
        for name in replaced(how).filter(is_foreign) {
            module.rename(name, &own_name(name));
        }
    }
    let is_library = |name: &str| crate::runtime::library().any(|(_, offered)| offered.contains(&name));
    for name in module.undefined_functions() {
        let known = classify(&name);
        let is_modelled = known.is_some_and(Known::is_modelled);
        let is_any = plan.undefined_any && !is_library(&name) && !is_modelled;
        if is_any || known == Some(Asked::Nondet.into()) {
            module
                .return_input(&name)
                .map_err(|why| Error::NativeFunction { function: name.clone(), why })?;
        }
    }
    let unsuitable = |why: String| Error::NativeEntry { entry: options.entry.clone(), why };
    module.add_start(&options.entry).map_err(unsuitable)?;
    module.keep_reads();
    module.hide_inline_functions();
    match plan.failure {
        Failure::Overflow => module.check_overflow(),
        Failure::Div => module.keep_divisions(),
        _ => {}
    }
    if let Some(name) = sanitizer {
        module.add_attribute(&format!("sanitize_{name}"));
    }
    module.verify().map_err(|message| Error::Pass { message })?;
    let own_cxx = own_name("_Z");
    let is_cxx_name =
        |n: &String| ["_Z", "__cxa_", "__gxx_", &own_cxx].iter().any(|prefix| n.starts_with(prefix));
    let is_cxx = module.undefined_functions().iter().any(is_cxx_name);
    let is_32_bit = module.layout().pointer_bits() == 32;
    Ok(Native { bitcode: module.to_bitcode(), points, is_32_bit, is_cxx, clock_counts, names_files })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_replaced_function_is_defined_by_the_native_run_time() {
        let dir = tempfile::tempdir().expect("a folder");
        for (name, text) in SOURCES {
            std::fs::write(dir.path().join(name), text).expect("an empty folder");
        }
        // Some are made by macros.
        let files = [
            "-E",
            "-P",
            "threads.c",
            "waiting.c",
            "misuse.c",
            "copy.c",
            "signals.c",
            "inputs.c",
            "world.c",
            "console.c",
            "peers.c",
            "failing.c",
            "failure.c",
            "random.c",
            "rand48.c",
            "time.c",
            "timedwait.c",
            "c11.c",
            "chrono.c",
            "stdthread.c",
        ];
        let output = Command::new("clang-22").args(files).current_dir(dir.path()).output().expect("clang");
        let text = String::from_utf8_lossy(&output.stdout).replace(" (", "(");
        let defines = |name: &str| text.contains(&format!("{name}("));
        // What is C code in the engine, too, gets its name when it is compiled.
        for name in replaced(Replaced::Everywhere) {
            let is_shared = !classify(name).is_some_and(Known::is_modelled);
            assert!(defines(&if is_shared { name.to_owned() } else { own_name(name) }), "{name}");
        }
        let ways = [
            Replaced::Program,
            Replaced::NamesFiles,
            Replaced::Error,
            Replaced::IfMemoryFails,
            Replaced::IfThreadsFail,
            Replaced::IfCopied,
        ];
        for name in ways.into_iter().flat_map(replaced) {
            assert!(defines(&own_name(name)), "{name}");
        }
        for name in replaced(Replaced::IfCallFails) {
            assert!(defines(&failing::own_name(name)), "{name}");
        }
    }
}
