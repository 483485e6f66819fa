//! From the files the user names to bitcode or textual IR in memory.

mod builtins;
mod compile;
mod depends;
mod find;
mod headers;
mod implicit;
mod signatures;
mod unsequenced;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::{Error, Options};
pub(crate) use builtins::without_replaced;
pub use compile::Marks;
use compile::{Compiler, Language};
pub(crate) use find::find_clang;
pub use signatures::{Definitions, Signature, Variable, definitions};
pub(crate) use unsequenced::unsequenced;

/// An input as bitcode or textual IR.
pub(crate) struct IrFile {
    /// The file the user named.
    pub(crate) path: PathBuf,
    /// `bitcode` or `IR`, for messages.
    pub(crate) form: &'static str,
    /// Content.
    pub(crate) bytes: Vec<u8>,
    /// Made by clang just now, so to be trusted.
    pub(crate) is_own: bool,
    /// Made by clang just now, of C.
    pub(crate) is_c: bool,
}

/// All inputs after compilation.
pub(crate) struct Inputs {
    pub(crate) modules: Vec<IrFile>,
    pub(crate) warnings: String,
}

/// What a file name's suffix says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Source(Language),
    Bitcode,
    Ir,
}

fn kind_of(path: &Path) -> Option<Kind> {
    match path.extension().and_then(OsStr::to_str)? {
        "c" => Some(Kind::Source(Language::C)),
        "i" => Some(Kind::Source(Language::PreprocessedC)),
        "cc" | "cpp" | "cxx" | "C" => Some(Kind::Source(Language::Cxx)),
        "bc" => Some(Kind::Bitcode),
        "ll" => Some(Kind::Ir),
        _ => None,
    }
}

/// Compiles sources and reads bitcode.
pub(crate) fn read_inputs(options: &Options) -> Result<Inputs, Error> {
    if options.files.is_empty() {
        return Err(Error::NoInput);
    }
    let mut inputs = Inputs { modules: Vec::new(), warnings: String::new() };
    let mut compiler = None;
    for path in &options.files {
        let unreadable = |source| Error::Unreadable { path: path.clone(), source };
        let file = options.dir.as_ref().map_or(path.clone(), |dir| dir.join(path));
        depends::note(options, [file.clone()]);
        let metadata = std::fs::metadata(&file).map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(Error::Directory { path: path.clone() });
        }
        let kind = kind_of(path).ok_or_else(|| Error::UnknownKind { path: path.clone() })?;
        let (form, bytes) = match kind {
            Kind::Bitcode => ("bitcode", std::fs::read(&file).map_err(unreadable)?),
            Kind::Ir => ("IR", std::fs::read(&file).map_err(unreadable)?),
            Kind::Source(language) => {
                // Opened here so that a file without permission is our message, not clang's. A pipe can be opened
                // only once, and that may take for ever.
                if metadata.is_file() {
                    std::fs::File::open(&file).map_err(unreadable)?;
                }
                let compiler = match &mut compiler {
                    Some(compiler) => compiler,
                    none => none.insert(Compiler::new(options)?),
                };
                let (bytes, warnings) = compiler.compile(path, language)?;
                inputs.warnings.push_str(&warnings);
                ("bitcode", bytes)
            }
        };
        let is_own = matches!(kind, Kind::Source(_));
        let is_c = is_own && kind != Kind::Source(Language::Cxx);
        inputs.modules.push(IrFile { path: path.clone(), form, bytes, is_own, is_c });
    }
    Ok(inputs)
}
