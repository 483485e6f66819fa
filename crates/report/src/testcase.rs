//! The output directory: test cases, replay files and reports of one run.
//!
//! Layout: `test000001.ktest` and `test000001.json` for each explored path, `bug-1.json` for each bug (a replay file),
//! `bug-1.world` with the files and the standard input that it needs, `report.json`, `report.txt`, and the marker
//! `.selvedge`.
//! Guarantees: only directories that are new, empty or marked are written to; in a marked one, only files of the names
//! above are removed before new ones are written, so that results of two runs never mix and foreign files stay untouched.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use selvedge_engine::{Config, Outcome, PathEndKind, TestCase};
use selvedge_trace::ProgramRecord;
use serde::Serialize;

use crate::Sources;
use crate::json;
use crate::ktest::KTest;
use crate::record;
use crate::world::{self, Found, FoundWorld};

/// The file by which a directory is known to be ours.
const MARKER: &str = ".selvedge";

/// Why an output directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It holds files of someone else.
    #[error("the output directory {} is not empty and was not made by selvedge", .0.display())]
    Foreign(PathBuf),
    /// The path is taken by something that is not a directory.
    #[error("the output directory {} is a file", .0.display())]
    NotADirectory(PathBuf),
    /// The system refused.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was tried: `write`, `create`, ...
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
}

/// A directory that was checked and is ready for the results of one run.
#[derive(Debug)]
pub struct OutputDir {
    path: PathBuf,
}

/// What was run, for the files that name it.
#[derive(Clone, Copy, Debug)]
pub struct RunInfo<'a> {
    /// Version of the tool.
    pub version: &'a str,
    /// How the program is built.
    pub program: &'a ProgramRecord,
    /// How it was run.
    pub config: &'a Config,
}

/// Which of a run's test cases to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestFiles {
    /// `.ktest` and `.json` for each.
    All,
    /// `.ktest` only.
    KTestOnly,
}

impl OutputDir {
    /// Makes `path` ready: creates it, refuses a foreign one, and proves that it can be written to. The results of an
    /// earlier run stay until [`clear`](Self::clear), so that a run that fails early does not lose them.
    pub fn prepare(path: impl Into<PathBuf>) -> Result<Self, Error> {
        let path = path.into();
        match fs::metadata(&path) {
            Ok(meta) if !meta.is_dir() => return Err(Error::NotADirectory(path)),
            Ok(_) => refuse_foreign(&path)?,
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(&path).map_err(failed("create", &path))?;
            }
            Err(e) => return Err(failed("read", &path)(e)),
        }
        let marker = path.join(MARKER);
        fs::write(
            &marker,
            "This directory was made by selvedge; its next run may replace the results in it.\n",
        )
        .map_err(failed("write", &marker))?;
        Ok(OutputDir { path })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the results of an earlier run.
    pub fn clear(&self) -> Result<(), Error> {
        for name in names(&self.path)?.iter().filter(|name| name.to_str().is_some_and(is_result)) {
            let file = self.path.join(name);
            let removed = if file.is_dir() { fs::remove_dir_all(&file) } else { fs::remove_file(&file) };
            removed.map_err(failed("replace", &file))?;
        }
        Ok(())
    }

    /// Writes the replay file of every bug and returns their paths in order.
    pub fn write_bugs(
        &self,
        outcome: &Outcome,
        info: RunInfo<'_>,
        sources: &mut Sources,
    ) -> Result<Vec<PathBuf>, Error> {
        let mut paths = Vec::new();
        for (i, bug) in outcome.bugs.iter().enumerate() {
            let file = record::replay_file(info.version, info.program, info.config, bug, sources);
            paths.push(self.write(&bug_file(i), file.to_json().as_bytes())?);
            self.write_world(
                &format!("bug-{}.world", i + 1),
                &world::found(&info.config.surroundings.world, &bug.inputs),
            )?;
        }
        Ok(paths)
    }

    /// Writes the files of an execution: `here` is where the program starts, `root` is `/`. Nothing if it needs none.
    fn write_world(&self, folder: &str, world: &FoundWorld) -> Result<(), Error> {
        let base = self.path.join(folder);
        let is_plain = |name: &str| name.split('/').all(|part| part != "..") && !name.contains('\0');
        for (name, found) in world.names.iter().filter(|(name, _)| is_plain(name)) {
            let place = base.join(if name.starts_with('/') { "root" } else { "here" });
            let path = place.join(name.trim_start_matches('/'));
            let (parent, content) = match found {
                Found::Absent => continue,
                Found::Directory => (Some(path.as_path()), None),
                Found::File(bytes) => (path.parent(), Some(bytes)),
            };
            if let Some(parent) = parent {
                fs::create_dir_all(parent).map_err(failed("create", parent))?;
            }
            if let Some(bytes) = content {
                fs::write(&path, bytes).map_err(failed("write", &path))?;
            }
        }
        if !world.stdin.is_empty() {
            fs::create_dir_all(&base).map_err(failed("create", &base))?;
            self.write(&format!("{folder}/stdin"), &world.stdin)?;
        }
        Ok(())
    }

    /// Writes the test case of every explored path.
    pub fn write_tests(&self, outcome: &Outcome, info: RunInfo<'_>, files: TestFiles) -> Result<(), Error> {
        let program = info.program.files.first().map_or("program", String::as_str);
        for (i, test) in outcome.tests.iter().enumerate() {
            let name = format!("test{:06}", i + 1);
            let ktest = KTest::new(program, &info.config.arguments.concrete, &test.inputs);
            self.write(&format!("{name}.ktest"), &ktest.encode())?;
            if files == TestFiles::All {
                self.write(&format!("{name}.json"), test_json(test).as_bytes())?;
            }
        }
        Ok(())
    }

    /// Writes the test of a path of a function, as a C program and as a KTest file; gives the name of the program.
    pub fn write_unit_test(
        &self,
        function: &str,
        index: usize,
        text: &str,
        program: &str,
        test: &TestCase,
    ) -> Result<String, Error> {
        let name = format!("unit-{function}-{}", index + 1);
        self.write(&format!("{name}.c"), text.as_bytes())?;
        self.write(&format!("{name}.ktest"), &KTest::new(program, &[], &test.inputs).encode())?;
        Ok(format!("{name}.c"))
    }

    /// Writes both reports.
    pub fn write_reports(&self, text: &str, json: &str) -> Result<(), Error> {
        self.write("report.txt", text.as_bytes())?;
        self.write("report.json", json.as_bytes())?;
        Ok(())
    }

    fn write(&self, name: &str, content: &[u8]) -> Result<PathBuf, Error> {
        let path = self.path.join(name);
        fs::write(&path, content).map_err(failed("write", &path))?;
        Ok(path)
    }
}

/// The name of the replay file of the bug with this index.
pub fn bug_file(index: usize) -> String {
    format!("bug-{}.json", index + 1)
}

#[derive(Serialize)]
struct TestReport<'a> {
    inputs: Vec<json::InputReport<'a>>,
    end: &'static str,
    exit_code: Option<i32>,
    bug: Option<String>,
    stdout: String,
}

fn test_json(test: &TestCase) -> String {
    let (end, exit_code, bug) = match test.end {
        PathEndKind::Exit(code) => ("exit", Some(code), None),
        PathEndKind::Bug(index) => ("bug", None, Some(bug_file(index))),
        PathEndKind::Cut => ("cut", None, None),
    };
    let stdout = String::from_utf8_lossy(&test.stdout).into_owned();
    json::pretty(&TestReport { inputs: json::inputs(&test.inputs), end, exit_code, bug, stdout })
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error + use<> {
    let path = path.to_owned();
    move |source| Error::Io { action, path, source }
}

fn names(path: &Path) -> Result<Vec<OsString>, Error> {
    let entries = fs::read_dir(path).map_err(failed("read", path))?;
    entries.map(|entry| Ok(entry.map_err(failed("read", path))?.file_name())).collect()
}

fn refuse_foreign(path: &Path) -> Result<(), Error> {
    let names = names(path)?;
    if names.is_empty() || names.iter().any(|name| name == MARKER) {
        Ok(())
    } else {
        Err(Error::Foreign(path.to_owned()))
    }
}

/// Whether a file of this name is one that a run writes.
fn is_result(name: &str) -> bool {
    let numbered = |prefix: &str, suffix: &str| {
        let digits = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(suffix));
        digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
    };
    let is_unit_test = name.strip_prefix("unit-").is_some_and(|rest| {
        let digits = rest.strip_suffix(".c").or_else(|| rest.strip_suffix(".ktest"));
        let digits = digits.and_then(|rest| rest.rsplit_once('-')).map_or("", |(_, digits)| digits);
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    });
    matches!(name, "report.json" | "report.txt")
        || is_unit_test
        || numbered("test", ".ktest")
        || numbered("test", ".json")
        || numbered("bug-", ".json")
        || numbered("bug-", ".world")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use expect_test::expect;

    fn listing(path: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(path)
            .expect("read")
            .map(|e| e.expect("entry").file_name().into_string().expect("UTF-8"))
            .collect();
        names.sort();
        names
    }

    fn write_all(dir: &OutputDir, outcome: &Outcome) -> Vec<PathBuf> {
        let program = ProgramRecord { files: vec!["sum.c".into()], ..ProgramRecord::default() };
        let config = Config::default();
        let info = RunInfo { version: "0.1.0", program: &program, config: &config };
        let bugs = dir.write_bugs(outcome, info, &mut sample::sources()).expect("bugs");
        dir.write_tests(outcome, info, TestFiles::All).expect("tests");
        dir.write_reports("text", "{}").expect("reports");
        bugs
    }

    #[test]
    fn a_run_writes_the_documented_files() {
        let temp = tempfile::tempdir().expect("temporary directory");
        let dir = OutputDir::prepare(temp.path().join("a/b")).expect("new directory");
        let bugs = write_all(&dir, &sample::unsafe_());
        assert_eq!(bugs, [dir.path().join("bug-1.json")]);
        assert_eq!(fs::read(dir.path().join("bug-1.world/stdin")).expect("standard input"), b"a\n");
        expect![[r#"
            [
                ".selvedge",
                "bug-1.json",
                "bug-1.world",
                "report.json",
                "report.txt",
                "test000001.json",
                "test000001.ktest",
                "test000002.json",
                "test000002.ktest",
                "test000003.json",
                "test000003.ktest",
            ]
        "#]]
        .assert_debug_eq(&listing(dir.path()));
        let read = |name: &str| fs::read_to_string(dir.path().join(name)).expect("read");
        expect![[r#"
            {
              "inputs": [
                {
                  "name": "n",
                  "type": "int",
                  "value": "-1",
                  "source": "program",
                  "bytes": "ffffffff"
                }
              ],
              "end": "exit",
              "exit_code": 0,
              "bug": null,
              "stdout": "start\n"
            }
        "#]]
        .assert_eq(&read("test000001.json"));
        let ends: Vec<bool> =
            ["bug-1.json\"", "\"end\": \"bug\""].map(|t| read("test000002.json").contains(t)).into();
        assert_eq!(ends, [true, true]);
        let replay = selvedge_trace::ReplayFile::from_json(&read("bug-1.json")).expect("replay file");
        assert!(record::same_bug(&replay, &sample::bug()));
        let ktest =
            KTest::decode(&fs::read(dir.path().join("test000001.ktest")).expect("read")).expect("ktest");
        assert_eq!(ktest.args, ["sum.c"]);
    }

    #[test]
    fn a_second_run_replaces_the_first_and_keeps_foreign_files() {
        let temp = tempfile::tempdir().expect("temporary directory");
        let dir = OutputDir::prepare(temp.path()).expect("empty directory");
        write_all(&dir, &sample::unsafe_());
        fs::write(temp.path().join("notes.txt"), "mine").expect("write");
        fs::write(temp.path().join("test.json"), "mine").expect("write");
        let dir = OutputDir::prepare(temp.path()).expect("own directory");
        assert!(
            temp.path().join("bug-1.json").exists(),
            "only the results of a finished run replace older ones"
        );
        dir.clear().expect("own files");
        write_all(&dir, &sample::safe());
        assert_eq!(
            listing(temp.path()),
            [".selvedge", "notes.txt", "report.json", "report.txt", "test.json"]
        );
    }

    #[test]
    fn foreign_directories_and_files_are_refused() {
        let temp = tempfile::tempdir().expect("temporary directory");
        fs::write(temp.path().join("thesis.tex"), "x").expect("write");
        let error = OutputDir::prepare(temp.path()).expect_err("foreign directory");
        assert!(matches!(error, Error::Foreign(_)), "{error}");
        assert_eq!(listing(temp.path()), ["thesis.tex"]);
        let error = OutputDir::prepare(temp.path().join("thesis.tex")).expect_err("a file");
        assert!(matches!(error, Error::NotADirectory(_)), "{error}");
        let error = OutputDir::prepare(temp.path().join("thesis.tex/out")).expect_err("below a file");
        assert!(matches!(error, Error::Io { .. }), "{error}");
    }

    #[test]
    fn only_own_names_count_as_results() {
        for name in ["test000001.ktest", "test1000000.json", "bug-12.json", "report.txt"] {
            assert!(is_result(name), "{name}");
        }
        for name in ["test.ktest", "testx1.json", "bug-.json", "bug-1.json.bak", ".selvedge", "report.html"] {
            assert!(!is_result(name), "{name}");
        }
    }
}
