//! From source files, bitcode or textual LLVM IR to a [`Program`].
//!
//! The way: `clang` turns each source into unoptimised bitcode, so that one access in the source
//! is one load or store; the modules are linked with Selvedge's own C run-time; `mem2reg` removes
//! the stack slots of plain locals; what is left is lowered instruction by instruction.
//!
//! Guarantees: the program passes the validator; what has no counterpart in our IR is an explicit
//! `Unsupported` instruction, never dropped. The only crate that links LLVM, and LLVM is gone once
//! [`load`] returns.
//! Relies on: clang 22 at run time (not for `.bc` and `.ll` inputs).

mod clang;
mod error;
mod isolate;
mod link;
mod llvm;
mod lower;
pub mod native;
mod runtime;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use selvedge_program::Program;

pub use clang::{Definitions, Marks, Signature, Variable, definitions};
pub use error::Error;
pub use runtime::library;

/// What to load and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// Source, bitcode and IR files; several are linked.
    pub files: Vec<PathBuf>,
    /// The folder that names of files are relative to. Default is the working directory.
    pub dir: Option<PathBuf>,
    /// Passed on to clang (`-m32`, `-D`, `-I`, `-std=`).
    pub clang_args: Vec<String>,
    /// The function to start from. Default is `main`.
    pub entry: String,
    /// What clang marks because it is lost in LLVM IR. Default is next to nothing.
    pub marks: Marks,
    /// Mark the points that a native build of the same program is scheduled by. Default is not.
    pub points: bool,
    /// Set by the caller to stop loading: clang is ended, and the result is [`Error::Stopped`]. Default is not set.
    pub stop: Arc<AtomicBool>,
    /// Filled with the files that the program is made of, as far as it came, if the caller wants to know. Default is not.
    pub read: Option<Arc<Mutex<BTreeSet<PathBuf>>>>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            files: Vec::new(),
            dir: None,
            clang_args: Vec::new(),
            entry: "main".to_owned(),
            marks: Marks::default(),
            points: false,
            stop: Arc::new(AtomicBool::new(false)),
            read: None,
        }
    }
}

/// A program, and what the compiler had to say about it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// clang's warnings, unchanged; empty if there were none.
    pub warnings: String,
}

/// Compiles, links, lowers and validates the inputs.
pub fn load(options: &Options) -> Result<Program, Error> {
    load_with_warnings(options).map(|loaded| loaded.program)
}

/// Like [`load`], and keeps the compiler's warnings.
pub fn load_with_warnings(options: &Options) -> Result<Loaded, Error> {
    let _span = tracing::info_span!(target: "load", "load").entered();
    let result = load_once(options, None);
    if !matches!(result, Err(Error::NoEntry { .. })) {
        return result;
    }
    // clang leaves out a `static` function that nothing calls, but one can start from it.
    let mut complete = options.clone();
    complete.clang_args.extend(EMIT_ALL.map(str::to_owned));
    match load_once(&complete, Some(&options.entry)) {
        Ok(loaded) => Ok(loaded),
        Err(_) => result,
    }
}

/// Makes clang compile functions and variables that nothing uses.
const EMIT_ALL: [&str; 2] = ["-Xclang", "-femit-all-decls"];

/// What is assumed where clang warns that the language does not order two accesses, one of which is a write.
const EVALUATION_ORDER: &str = "language.evaluation-order";

fn load_once(options: &Options, exposed: Option<&str>) -> Result<Loaded, Error> {
    let mut inputs = trusted_inputs(options)?;
    let _guard = isolate::LlvmGuard::enter();
    let context = llvm::Context::new();
    let module = link_complete(&context, options, &mut inputs, exposed)?;
    for (file, line) in clang::unsequenced(&inputs.warnings) {
        module.assume_at_line(file, line, EVALUATION_ORDER);
    }
    link::prepare(&context, &module, &options.entry, options.points)?;
    let has_bitcode = inputs.modules.iter().any(|file| !file.is_own);
    if options.marks != Marks::default() && has_bitcode {
        module.assume_at_start(&options.entry, "checks.bitcode");
    }
    let mut program = lower::lower(&module, &options.entry)?;
    program.has_bitcode = has_bitcode;
    check(&program)?;
    Ok(Loaded { program, warnings: inputs.warnings })
}

/// The linked inputs; compiled again if the program has its own version of a function that clang knows.
fn link_complete<'c>(
    context: &'c llvm::Context,
    options: &Options,
    inputs: &mut clang::Inputs,
    exposed: Option<&str>,
) -> Result<llvm::Module<'c>, Error> {
    let module = link::link_inputs(context, &inputs.modules, exposed)?;
    let flags = clang::without_replaced(&module);
    if flags.is_empty() || !inputs.modules.iter().any(|file| file.is_own) {
        return Ok(module);
    }
    let mut own = options.clone();
    own.clang_args.extend(flags);
    let mut again = clang::read_inputs(&own)?;
    // What is not compiled was made harmless the first time, and cannot be again: that needs LLVM at rest.
    for (new, old) in again.modules.iter_mut().zip(&inputs.modules).filter(|(new, _)| !new.is_own) {
        new.bytes.clone_from(&old.bytes);
    }
    *inputs = again;
    link::link_inputs(context, &inputs.modules, exposed)
}

/// The inputs in a form that LLVM can read without coming to harm.
fn trusted_inputs(options: &Options) -> Result<clang::Inputs, Error> {
    let mut inputs = clang::read_inputs(options)?;
    for file in inputs.modules.iter_mut().filter(|file| !file.is_own) {
        file.bytes = isolate::sanitise(file)?;
    }
    Ok(inputs)
}

/// An invalid program is a bug of ours, to be noticed here and not deep inside a search.
fn check(program: &Program) -> Result<(), Error> {
    const SHOWN: usize = 5;
    selvedge_program::validate(program).map_err(|problems| {
        let shown: Vec<String> = problems.iter().take(SHOWN).map(ToString::to_string).collect();
        Error::Invalid { message: shown.join("; ") }
    })
}
