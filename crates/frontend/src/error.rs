//! What can go wrong before a program is there to be checked.

use std::path::{Path, PathBuf};

use selvedge_base::{Diagnostic, Mark};

/// Why [`load`](crate::load) gave no program.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The caller did not want to wait any longer.
    #[error("loading was stopped")]
    Stopped,
    /// Nothing to load.
    #[error("no input file was given")]
    NoInput,
    /// An input does not exist or cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The input.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// An input is a directory.
    #[error("`{}` is a directory, not a program", path.display())]
    Directory {
        /// The input.
        path: PathBuf,
    },
    /// An input has a suffix that means nothing to us.
    #[error("`{}` is of no known kind", path.display())]
    UnknownKind {
        /// The input.
        path: PathBuf,
    },
    /// No usable clang.
    #[error("clang 22 was not found{}", list_of(tried))]
    NoClang {
        /// What was tried, and why it would not do.
        tried: Vec<String>,
    },
    /// clang could not be run.
    #[error("cannot run `{clang}`: {source}")]
    ClangNotRun {
        /// Its path.
        clang: String,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// clang rejected the source.
    #[error("`{}` does not compile", path.display())]
    Compile {
        /// The source file.
        path: PathBuf,
        /// clang's own messages, unchanged.
        stderr: String,
    },
    /// clang did something else than it was asked to.
    #[error("clang wrote no bitcode for `{}`", path.display())]
    NoOutput {
        /// The source file.
        path: PathBuf,
    },
    /// Bitcode or textual IR that LLVM does not accept.
    #[error("`{}` is not valid LLVM {form}: {message}", path.display())]
    BadIr {
        /// The input.
        path: PathBuf,
        /// `bitcode` or `IR`.
        form: &'static str,
        /// LLVM's message.
        message: String,
    },
    /// The inputs do not fit together.
    #[error("cannot link `{}`: {message}", path.display())]
    Link {
        /// The input that did not fit.
        path: PathBuf,
        /// LLVM's message.
        message: String,
    },
    /// Compiled for a machine that the engine does not model.
    #[error("unsupported target: {what}")]
    Target {
        /// What is wrong with it.
        what: String,
    },
    /// There is no function to start from.
    #[error("there is no function `{entry}` to start from")]
    NoEntry {
        /// The name looked for.
        entry: String,
        /// The functions there are.
        defined: Vec<String>,
    },
    /// A pass over the bitcode failed.
    #[error("LLVM could not prepare the program: {message}")]
    Pass {
        /// LLVM's message.
        message: String,
    },
    /// A native executable could not be built.
    #[error("the program cannot be built natively")]
    Native {
        /// What compiler and linker said, unchanged.
        stderr: String,
    },
    /// The entry function cannot be called natively.
    #[error("`{entry}` cannot be called natively: {why}")]
    NativeEntry {
        /// The function.
        entry: String,
        /// Why not.
        why: String,
    },
    /// A function without a body cannot be stood in for natively.
    #[error("`{function}` is defined nowhere, and nothing can stand in for it natively: {why}")]
    NativeFunction {
        /// The function.
        function: String,
        /// Why not.
        why: String,
    },
    /// A temporary file could not be written.
    #[error("cannot write a temporary file: {source}")]
    Temporary {
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The lowered program breaks an invariant of the IR: a bug of ours.
    #[error("the front end produced an invalid program (a bug in selvedge): {message}")]
    Invalid {
        /// What the validator found.
        message: String,
    },
}

fn list_of(tried: &[String]) -> String {
    if tried.is_empty() { String::new() } else { format!(" ({})", tried.join("; ")) }
}

impl Error {
    /// The error with what the user can do about it.
    pub fn to_diagnostic(&self) -> Diagnostic {
        if let Error::BadIr { path, form, message } = self
            && let Some((mark, what)) = place_in_ir(path, message)
        {
            let message = format!("`{}` is not valid LLVM {form}: {what}", path.display());
            return Diagnostic::error(message).at(mark);
        }
        let diagnostic = Diagnostic::error(self.to_string());
        match self {
            Error::NoInput => diagnostic.help("name at least one .c, .i, .cc, .bc or .ll file"),
            Error::UnknownKind { .. } => diagnostic.help("known kinds are .c .i .cc .cpp .cxx .bc and .ll"),
            Error::NoClang { .. } => diagnostic
                .help("install clang-22 (on Debian: apt-get install clang-22)")
                .help("or set SELVEDGE_CLANG to the path of a clang of version 22"),
            Error::Compile { stderr, .. } => {
                let diagnostic = diagnostic.info(stderr.trim_end());
                match missing_header_help(stderr) {
                    Some(help) => diagnostic.help(help),
                    None => diagnostic,
                }
            }
            Error::Native { stderr } => diagnostic.info(stderr.trim_end()),
            Error::NoOutput { .. } => {
                diagnostic.help("arguments that change what clang makes (-S, -E, -o) cannot be passed on")
            }
            Error::Target { .. } => {
                diagnostic.help("compile for 32- or 64-bit x86 (--target=x86_64-linux-gnu)")
            }
            Error::BadIr { message, .. } if is_of_newer_llvm(message) => {
                diagnostic.help("the bitcode was written by a newer LLVM; this version reads up to LLVM 22")
            }
            Error::BadIr { form: "bitcode", .. } => {
                diagnostic.help("make the file again with `clang-22 -emit-llvm -g -c`")
            }
            Error::Link { message, .. } if message.contains("multiply defined") => {
                diagnostic.help("leave one of the files out, or make one of the definitions `static`")
            }
            Error::NoEntry { defined, .. } if defined.is_empty() => {
                diagnostic.help("no input defines a function that could be called from outside")
            }
            Error::NoEntry { defined, .. } => {
                diagnostic.help(format!("functions defined here: {}", shortened(defined)))
            }
            _ => diagnostic,
        }
    }
}

/// The place that LLVM's message about a text names, and what it says of it: `a.ll:3:7: error: what`, and the quoted line.
fn place_in_ir(path: &Path, message: &str) -> Option<(Mark, String)> {
    let file = path.display().to_string();
    let place = message.lines().next()?.strip_prefix(&file)?.strip_prefix(':')?;
    let (place, what) = place.split_once(": error: ")?;
    let (line, column) = place.split_once(':')?;
    let (line, column) = (line.parse().ok()?, column.parse().ok()?);
    Some((Mark { file, line, column, length: 0, label: String::new() }, what.to_owned()))
}

/// LLVM names the producer of bitcode that it cannot read, also if it is damaged and not new.
fn is_of_newer_llvm(message: &str) -> bool {
    let major = |before: &str| -> Option<u32> {
        let version = message.split_once(before)?.1.trim_start_matches("LLVM").trim_start();
        version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let newer = matches!((major("Producer: '"), major("Reader: '")), (Some(made), Some(read)) if made > read);
    newer || message.contains("Incompatible epoch")
}

/// The names, cut after a screenful.
fn shortened(names: &[String]) -> String {
    const SHOWN: usize = 20;
    let mut text = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

/// Headers for `-m32` are a package of their own and their absence has an obscure message.
fn missing_header_help(stderr: &str) -> Option<&'static str> {
    let is_missing = stderr.contains("'bits/libc-header-start.h' file not found")
        || stderr.contains("'gnu/stubs-32.h' file not found")
        || stderr.contains("'bits/wordsize.h' file not found")
        || stderr.contains("'sys/cdefs.h' file not found");
    is_missing.then_some(
        "the C library's headers for this target are missing (on Debian: apt-get install libc6-dev gcc-multilib)",
    )
}
