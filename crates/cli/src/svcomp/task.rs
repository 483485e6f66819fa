//! Task definitions of SV-COMP and BenchExec, format 2.0 (1.0 is read as well).
//!
//! Guarantee: paths are those of the file, made relative to where it lies; unknown fields are of no consequence, as
//! the format demands, but a value that would change the meaning and is not understood is an error.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Task {
    /// The program.
    pub(crate) files: Vec<PathBuf>,
    /// Sizes of types.
    pub(crate) data_model: Option<DataModel>,
    /// What can be asked about it.
    pub(crate) properties: Vec<TaskProperty>,
}

/// Sizes of C's types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DataModel {
    Ilp32,
    Lp64,
}

impl DataModel {
    /// The argument of clang.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        }
    }
}

/// A property of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TaskProperty {
    /// The property file.
    pub(crate) file: PathBuf,
    /// The right answer, if it is known.
    pub(crate) expected: Option<Expected>,
}

/// The right answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Expected {
    pub(crate) verdict: bool,
    /// Which clause is violated.
    pub(crate) subproperty: Option<String>,
}

/// Why a task definition cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("not a task definition: {0}")]
    Yaml(#[from] serde_norway::Error),
    #[error("format version {0} is not supported; known are 1.0 and 2.0")]
    Version(String),
    #[error("the task has no input files")]
    NoFiles,
    #[error("data model `{0}` is not supported; known are ILP32 and LP64")]
    DataModel(String),
    #[error("language `{0}` is not supported; known are C and C++")]
    Language(String),
}

#[derive(Deserialize)]
struct Raw {
    format_version: Version,
    input_files: Files,
    #[serde(default)]
    properties: Vec<RawProperty>,
    #[serde(default)]
    options: RawOptions,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Version {
    Text(String),
    Number(f64),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "input_files must be a file name or a list of file names")]
enum Files {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct RawProperty {
    property_file: String,
    expected_verdict: Option<bool>,
    subproperty: Option<String>,
}

#[derive(Deserialize, Default)]
struct RawOptions {
    language: Option<String>,
    data_model: Option<String>,
}

impl Task {
    /// Whether a file name looks like a task definition.
    pub(crate) fn is_task(path: &Path) -> bool {
        path.extension().is_some_and(|e| e == "yml" || e == "yaml")
    }

    /// Reads a task definition that lies in `dir`.
    pub(crate) fn parse(text: &str, dir: &Path) -> Result<Self, Error> {
        let raw: Raw = serde_norway::from_str(text)?;
        let version = match raw.format_version {
            Version::Text(text) => text,
            Version::Number(number) => format!("{number:.1}"),
        };
        if !["1.0", "2.0"].contains(&version.as_str()) {
            return Err(Error::Version(version));
        }
        let files = match raw.input_files {
            Files::One(file) => vec![file],
            Files::Many(files) => files,
        };
        if files.is_empty() {
            return Err(Error::NoFiles);
        }
        let data_model = match raw.options.data_model.as_deref() {
            None => None,
            Some("ILP32") => Some(DataModel::Ilp32),
            Some("LP64") => Some(DataModel::Lp64),
            Some(other) => return Err(Error::DataModel(other.to_owned())),
        };
        if let Some(language) = raw.options.language.filter(|l| l != "C" && l != "C++") {
            return Err(Error::Language(language));
        }
        let property = |p: RawProperty| TaskProperty {
            file: dir.join(p.property_file),
            expected: p.expected_verdict.map(|verdict| Expected { verdict, subproperty: p.subproperty }),
        };
        Ok(Task {
            files: files.iter().map(|f| dir.join(f)).collect(),
            data_model,
            properties: raw.properties.into_iter().map(property).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Task, Error> {
        Task::parse(text, Path::new("dir"))
    }

    fn message(text: &str) -> String {
        parse(text).expect_err("must be refused").to_string()
    }

    #[test]
    fn a_task_of_format_2_is_read() {
        let text = "format_version: '2.0'\n\n# a comment\ninput_files: 'a.i'\n\nproperties:\n\
                    \x20 - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n\
                    \x20 - property_file: ../properties/valid-memsafety.prp\n    expected_verdict: false\n\
                    \x20   subproperty: valid-deref\n  - property_file: ../properties/coverage-branches.prp\n\n\
                    options:\n  language: C\n  data_model: ILP32\n";
        let task = parse(text).expect("a task");
        assert_eq!((task.files, task.data_model), (vec!["dir/a.i".into()], Some(DataModel::Ilp32)));
        assert_eq!(task.properties.len(), 3);
        let expected = task.properties[1].expected.clone().expect("known");
        assert_eq!((expected.verdict, expected.subproperty.as_deref()), (false, Some("valid-deref")));
        assert_eq!(task.properties[2].expected, None);
    }

    #[test]
    fn several_files_and_an_unquoted_version_are_fine() {
        let task = parse("format_version: 2.0\ninput_files: [a.c, sub/b.c]\n").expect("a task");
        assert_eq!(task.files, [PathBuf::from("dir/a.c"), PathBuf::from("dir/sub/b.c")]);
        assert!(task.properties.is_empty() && task.data_model.is_none());
    }

    #[test]
    fn errors_name_the_line_or_the_value() {
        assert!(message("format_version: '2.0'\ninput_files: [a.c\nproperties:\n").contains("line 3"));
        assert!(message("format_version: '2.0'\n").contains("input_files"));
        assert!(message("format_version: '3.0'\ninput_files: a.c\n").contains("version 3.0"));
        assert!(message("format_version: '2.0'\ninput_files: []\n").contains("no input files"));
        assert!(message("format_version: '2.0'\ninput_files: {a: 1}\n").contains("input_files must be"));
        let options =
            |o: &str| message(&format!("format_version: '2.0'\ninput_files: a.c\noptions:\n  {o}\n"));
        assert!(options("data_model: LLP64").contains("LLP64"));
        assert!(options("language: Java").contains("Java"));
        let verdict = "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: a.prp\n    \
                       expected_verdict: maybe\n";
        assert!(message(verdict).contains("line 5"), "{}", message(verdict));
    }
}
