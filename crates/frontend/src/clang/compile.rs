//! Runs clang: one source file to bitcode.
//!
//! Guarantees: no optimisation, so that one access in the source is one load or store. Sources are
//! compiled as `-O1` with all passes disabled: unlike `-O0` this marks where locals begin and end
//! to live (for use-after-scope) and does not forbid `mem2reg`. `__OPTIMIZE__` is undefined, or
//! the C library's headers would bring inline versions of its functions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

use tempfile::TempDir;

use super::{depends, find, headers, implicit};
use crate::{Error, Options};

/// How clang is to read a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Language {
    C,
    PreprocessedC,
    Cxx,
}

impl Language {
    fn clang_name(self) -> &'static str {
        match self {
            // Not `cpp-output`: a file named `.i` often still has directives.
            Language::C | Language::PreprocessedC => "c",
            Language::Cxx => "c++",
        }
    }
}

/// What cannot be seen in LLVM IR and clang is to mark by a call. Default is nothing but built-in functions whose result is
/// undefined, such as the leading zeros of 0; those are always marked.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Marks {
    /// Shifts by too much or that lose bits, conversions of floating-point numbers that do not fit.
    pub overflow: bool,
    /// Indices past an array that the source names, variable-length arrays of no positive length, and what libstdc++ can
    /// check of calls of its containers.
    pub bounds: bool,
    /// Accesses whose address does not suit their type.
    pub align: bool,
    /// Unsigned arithmetic that wraps around, which is defined.
    pub unsigned: bool,
}

impl Marks {
    /// They come after the user's flags, because sanitizers the user asks for mean nothing without their run-time.
    fn flags(self) -> Vec<String> {
        let marked = [
            (true, "builtin"),
            (self.overflow, "shift,float-cast-overflow"),
            (self.bounds, "array-bounds,vla-bound"),
            (self.align, "alignment"),
            (self.unsigned, "unsigned-integer-overflow"),
        ];
        let names: Vec<&str> = marked.iter().filter(|(is_on, _)| *is_on).map(|(_, name)| *name).collect();
        vec![
            "-fno-sanitize=all".to_owned(),
            format!("-fsanitize={}", names.join(",")),
            "-fno-sanitize-recover=all".to_owned(),
            "-fsanitize-minimal-runtime".to_owned(),
        ]
    }

    /// What the user may say otherwise: an array of one or no element at the end of a struct stands for any number;
    /// containers of C++ look at their indices.
    fn defaults(self) -> &'static [&'static str] {
        if self.bounds { &["-fstrict-flex-arrays=1", "-D_GLIBCXX_ASSERTIONS"] } else { &[] }
    }
}

/// clang with a folder for its files.
pub(super) struct Compiler<'a> {
    clang: PathBuf,
    options: &'a Options,
    temp: TempDir,
    n_compiled: usize,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(options: &'a Options) -> Result<Self, Error> {
        let clang = find::find_clang()?;
        let temp = TempDir::with_prefix("selvedge-").map_err(|source| Error::Temporary { source })?;
        headers::write(temp.path())?;
        Ok(Compiler { clang, options, temp, n_compiled: 0 })
    }

    /// Compiles one source; gives the bitcode and clang's warnings.
    pub(super) fn compile(&mut self, path: &Path, language: Language) -> Result<(Vec<u8>, String), Error> {
        let temporary = |source| Error::Temporary { source };
        let out = self.temp.path().join(format!("{}.bc", self.n_compiled));
        self.n_compiled += 1;
        let (mut status, mut stderr) = self.run(path, language, &out, None)?;
        // Harnesses often use `__VERIFIER_nondet_int` and the like without declaring them.
        let mut undeclared = implicit::undeclared(&stderr);
        let mut n_known = 0;
        // What is reported first, or too often, hides other names.
        while undeclared.len() > n_known {
            n_known = undeclared.len();
            let header = self.temp.path().join("selvedge-implicit.h");
            fs::write(&header, implicit::header(&undeclared)).map_err(temporary)?;
            let again = self.run(path, language, &out, Some(&header))?;
            for name in implicit::undeclared(&again.1) {
                if !undeclared.contains(&name) {
                    undeclared.push(name);
                }
            }
            if again.0.success() || !status.success() {
                (status, stderr) = again;
            }
        }
        if !status.success() {
            return Err(Error::Compile { path: path.to_owned(), stderr });
        }
        match fs::read(&out) {
            Ok(bitcode) => Ok((bitcode, stderr)),
            Err(_) => Err(Error::NoOutput { path: path.to_owned() }),
        }
    }

    fn run(
        &self,
        path: &Path,
        language: Language,
        out: &Path,
        include: Option<&Path>,
    ) -> Result<(ExitStatus, String), Error> {
        let mut command = Command::new(&self.clang);
        command
            .args(["-O1", "-Xclang", "-disable-llvm-passes", "-U__OPTIMIZE__", "-g", "-emit-llvm", "-c"])
            // As a call it is computed by the library's model; the intrinsic returns two numbers at once.
            .args(["-fno-builtin-modf", "-fno-builtin-modff"])
            // By its name a compound literal is told from a temporary.
            .arg("-fno-discard-value-names")
            .arg("-I")
            .arg(self.temp.path())
            .args(self.options.marks.defaults())
            .args(&self.options.clang_args)
            .args(self.options.marks.flags());
        if let Some(dir) = &self.options.dir {
            command.current_dir(dir);
        }
        if language != Language::Cxx {
            // With an old standard the use of an undeclared function is silently allowed, and its
            // result then has the wrong type.
            command.arg("-Wimplicit-function-declaration");
        }
        let rule = self.temp.path().join("read");
        if self.options.read.is_some() {
            command.args(["-MD", "-MT", "program", "-MF"]).arg(&rule);
        }
        if let Some(header) = include {
            command.arg("-include").arg(header);
        }
        command.args(["-x", language.clang_name()]);
        // A name that begins with a dash would be an option.
        if path.to_string_lossy().starts_with('-') {
            command.arg(Path::new(".").join(path));
        } else {
            command.arg(path);
        }
        command.arg("-o").arg(out);
        let failed = |source| Error::ClangNotRun { clang: self.clang.display().to_string(), source };
        // A file instead of a pipe: clang never waits for us, so we may wait for it in small steps.
        let temporary = |source| Error::Temporary { source };
        let messages = self.temp.path().join("messages");
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(fs::File::create(&messages).map_err(temporary)?);
        let mut child = command.spawn().map_err(failed)?;
        let status = loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                break status;
            }
            if self.options.stop.load(Ordering::Relaxed) {
                // It may have ended by itself meanwhile.
                let _ = child.kill();
                let _ = child.wait();
                return Err(Error::Stopped);
            }
            std::thread::sleep(POLL);
        };
        if let Ok(rule) = fs::read_to_string(&rule) {
            depends::note(self.options, depends::files(&rule, self.temp.path()));
        }
        let stderr = fs::read(&messages).map_err(temporary)?;
        Ok((status, String::from_utf8_lossy(&stderr).into_owned()))
    }
}

/// Between two looks at a running clang.
const POLL: Duration = Duration::from_millis(1);
