//! Runs clang: from source files to bitcode in memory.
//!
//! Guarantees: no optimisation, so that one access in the source is one load or store. Sources are
//! compiled as `-O1` with all passes disabled: unlike `-O0` this marks where locals begin and end
//! to live (for use-after-scope) and does not forbid `mem2reg`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Error, Options};

/// An input as bitcode or textual IR.
pub(crate) struct IrFile {
    /// The file the user named.
    pub(crate) path: PathBuf,
    /// `bitcode` or `IR`, for messages.
    pub(crate) form: &'static str,
    /// Content.
    pub(crate) bytes: Vec<u8>,
}

/// All inputs after compilation.
pub(crate) struct Inputs {
    pub(crate) modules: Vec<IrFile>,
    pub(crate) warnings: String,
}

/// What a file name's suffix says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    C,
    Cxx,
    Bitcode,
    Ir,
}

fn kind_of(path: &Path) -> Option<Kind> {
    match path.extension().and_then(OsStr::to_str)? {
        "c" | "i" => Some(Kind::C),
        "cc" | "cpp" | "cxx" => Some(Kind::Cxx),
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
    let temp = tempfile::tempdir().map_err(|source| Error::Temporary { source })?;
    for (index, path) in options.files.iter().enumerate() {
        let unreadable = |source| Error::Unreadable { path: path.clone(), source };
        if std::fs::metadata(path).map_err(unreadable)?.is_dir() {
            return Err(Error::Directory { path: path.clone() });
        }
        let kind = kind_of(path).ok_or_else(|| Error::UnknownKind { path: path.clone() })?;
        let (form, bytes) = match kind {
            Kind::Bitcode => ("bitcode", std::fs::read(path).map_err(unreadable)?),
            Kind::Ir => ("IR", std::fs::read(path).map_err(unreadable)?),
            Kind::C | Kind::Cxx => {
                let out = temp.path().join(format!("{index}.bc"));
                inputs.warnings.push_str(&compile(path, kind, &out, &options.clang_args)?);
                ("bitcode", std::fs::read(&out).map_err(|source| Error::Temporary { source })?)
            }
        };
        inputs.modules.push(IrFile { path: path.clone(), form, bytes });
    }
    Ok(inputs)
}

/// Compiles one source; gives clang's warnings.
fn compile(path: &Path, kind: Kind, out: &Path, args: &[String]) -> Result<String, Error> {
    let clang = find_clang()?;
    let output = Command::new(&clang)
        .args(["-O1", "-Xclang", "-disable-llvm-passes", "-U__OPTIMIZE__", "-g", "-emit-llvm", "-c"])
        .args(args)
        .args(["-x", if kind == Kind::C { "c" } else { "c++" }])
        .arg(path)
        .arg("-o")
        .arg(out)
        .output()
        .map_err(|source| Error::ClangNotRun { clang: clang.display().to_string(), source })?;
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(stderr) } else { Err(Error::Compile { path: path.to_owned(), stderr }) }
}

fn find_clang() -> Result<PathBuf, Error> {
    Ok(PathBuf::from("clang-22"))
}
