//! The replay file (`bug-1.json`): everything needed to run one counterexample again.
//!
//! Guarantees: what [`ReplayFile::to_json`] writes, [`ReplayFile::from_json`] reads back equal; a file of another
//! version, of another kind, truncated or damaged is refused with an error that says which of these it is.
//! Fields that a later release adds are ignored on reading, so the version only changes when a
//! field changes its meaning.

use serde::{Deserialize, Serialize};

/// The format version that this crate reads and writes.
pub const VERSION: u32 = 1;

/// What `format` holds in every replay file.
const FORMAT: &str = "selvedge-replay";

/// Why a replay file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text ends in the middle of a value.
    #[error("the replay file is truncated: it ends in the middle of line {line}")]
    Truncated {
        /// 1-based line at which it ends.
        line: usize,
    },
    /// Not JSON at all.
    #[error("the replay file is not JSON (line {line}, column {column})")]
    NotJson {
        /// 1-based line of the first offence.
        line: usize,
        /// 1-based column of the first offence.
        column: usize,
        /// The parser's message.
        #[source]
        source: serde_json::Error,
    },
    /// JSON of another kind, such as a report.
    #[error("this is not a replay file: `format` is not \"{FORMAT}\"")]
    NotReplay,
    /// Written by a release with another format.
    #[error("the replay file has format version {found}, this release reads version {VERSION}")]
    WrongVersion {
        /// The version in the file.
        found: u64,
    },
    /// The right kind and version, but a field is missing or has the wrong type.
    #[error("the replay file is damaged")]
    Damaged {
        /// Which field, in the parser's words.
        #[source]
        source: serde_json::Error,
    },
}

/// One counterexample: program, inputs, schedule, and what must happen.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReplayFile {
    /// Always `selvedge-replay`.
    format: String,
    /// Format version; [`VERSION`] when written by this crate.
    version: u32,
    /// Version of the tool that wrote it.
    pub tool_version: String,
    /// The program it belongs to.
    pub program: ProgramRecord,
    /// How it was run.
    pub run: RunRecord,
    /// What must happen.
    pub bug: BugRecord,
    /// Input values in the order the program consumed them.
    pub inputs: Vec<InputRecord>,
    /// The steps of the execution.
    pub schedule: Vec<StepRecord>,
    /// Threads other than main: parent, and position among its children.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<(u32, u32)>,
    /// The thread that makes each visible step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<u32>,
    /// Every access to memory counts as a visible step.
    #[serde(default, skip_serializing_if = "is_false")]
    pub all_shared: bool,
}

/// How the program is built.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ProgramRecord {
    /// Directory in which the tool ran; `files` and paths in `clang_args` are relative to it.
    pub dir: String,
    /// Source or bitcode files as the user named them.
    pub files: Vec<String>,
    /// Arguments for clang.
    pub clang_args: Vec<String>,
    /// The function that was run.
    pub entry: String,
}

/// The part of the configuration that decides what one execution does.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RunRecord {
    /// Checked properties by name.
    pub properties: Vec<String>,
    /// Concrete program arguments.
    pub args: Vec<String>,
    /// Lengths of the symbolic program arguments after them.
    pub sym_args: Vec<u64>,
    /// Whether the arguments are any within a bound.
    #[serde(default, skip_serializing_if = "is_false")]
    pub open_args: bool,
    /// Variables of the environment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// Bytes of every other variable of the environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sym_env: Option<u64>,
    /// Whether functions without a body return any value.
    #[serde(default, skip_serializing_if = "is_false")]
    pub undefined_any: bool,
    /// Bytes of symbolic standard input, if there are exactly so many.
    pub sym_stdin: Option<u64>,
    /// What else the user said about standard input and files.
    #[serde(default, skip_serializing_if = "WorldRecord::is_default")]
    pub world: WorldRecord,
    /// Whether allocation may fail.
    pub malloc_may_fail: bool,
    /// Whether starting threads and making locks may fail.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub threads_may_fail: bool,
    /// Whether calls about files and streams may fail.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub io_may_fail: bool,
    /// How many of these calls may fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fail_at_most: Option<u32>,
    /// Clocks stand still.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub clock_is_fixed: bool,
    /// Whether a wait on a condition may end without a reason.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spurious_wakeups: bool,
    /// How many signals may arrive from outside, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signals: Option<u32>,
}

/// Standard input and files, as far as the user said something about them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct WorldRecord {
    /// Standard input, if it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdin: Option<Bytes>,
    /// Files that exist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileRecord>,
    /// There are no other files.
    #[serde(skip_serializing_if = "is_false")]
    pub no_files: bool,
    /// What peers on the network send, if that was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub peers: Vec<PeerRecord>,
    /// Standard input is empty and there are no other files, as in a task of SV-COMP.
    #[serde(skip_serializing_if = "is_false")]
    pub task: bool,
}

impl WorldRecord {
    /// Whether nothing was said.
    pub fn is_default(&self) -> bool {
        *self == WorldRecord::default()
    }
}

/// What a peer sends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PeerRecord {
    /// These bytes.
    Sends(Bytes),
    /// Bytes that are among the inputs.
    UpTo {
        /// At most so many.
        up_to: u64,
    },
}

/// Bytes, written as hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bytes(#[serde(with = "hex")] pub Vec<u8>);

/// A file that exists when the program starts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileRecord {
    /// Its name.
    pub name: String,
    /// Its content; without it, any content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Bytes>,
    /// How many bytes it has at most, if the content is any.
    #[serde(default)]
    pub up_to: u64,
}

/// Which file an input is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileInputRecord {
    /// Its path.
    pub name: String,
    /// What of it: `exists`, `length`, `content`, `part`, `time`, `terminal`.
    pub role: String,
}

/// What the execution ends in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BugRecord {
    /// The violated property by name.
    pub kind: String,
    /// The message shown to the user.
    pub message: String,
    /// Where.
    pub location: PlaceRecord,
    /// The failing thread; main is 0.
    pub thread: u32,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PlaceRecord {
    /// File name as the compiler recorded it; empty if unknown.
    pub file: String,
    /// 1-based line, 0 if unknown.
    pub line: u32,
    /// 1-based column, 0 if unknown.
    pub column: u32,
    /// Function.
    pub function: String,
}

/// One input value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InputRecord {
    /// Name shown to the user.
    pub name: String,
    /// C type if known, else `bytes`.
    #[serde(rename = "type")]
    pub ty: String,
    /// Value for a person; not read by replay.
    pub value: String,
    /// Value in memory order, as hexadecimal digits.
    #[serde(with = "hex")]
    pub bytes: Vec<u8>,
    /// Where it comes from: `program`, `stdin`, `arg`, `environment`, `file`, `uninitialised`.
    pub source: String,
    /// The file that it is about, if the source is `file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<FileInputRecord>,
    /// The thread that consumes it; main is 0.
    #[serde(default, skip_serializing_if = "is_main")]
    pub thread: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_main(thread: &u32) -> bool {
    *thread == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

/// One step of the execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StepRecord {
    /// The thread that moved; main is 0.
    pub thread: u32,
    /// File name.
    pub file: String,
    /// 1-based line, 0 if unknown.
    pub line: u32,
    /// What happened.
    pub text: String,
}

impl ReplayFile {
    /// A record of the current format version without inputs and steps.
    pub fn new(
        tool_version: impl Into<String>,
        program: ProgramRecord,
        run: RunRecord,
        bug: BugRecord,
    ) -> Self {
        ReplayFile {
            format: FORMAT.to_owned(),
            version: VERSION,
            tool_version: tool_version.into(),
            program,
            run,
            bug,
            inputs: Vec::new(),
            schedule: Vec::new(),
            threads: Vec::new(),
            turns: Vec::new(),
            all_shared: false,
        }
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("strings and numbers always serialise");
        text.push('\n');
        text
    }

    /// Reads the text of a file.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(|source| {
            if source.is_eof() {
                Error::Truncated { line: source.line() }
            } else {
                Error::NotJson { line: source.line(), column: source.column(), source }
            }
        })?;
        if value.get("format").and_then(|f| f.as_str()) != Some(FORMAT) {
            return Err(Error::NotReplay);
        }
        // The version is looked at before the fields: a later format may differ in any of them.
        match value.get("version").and_then(serde_json::Value::as_u64) {
            Some(found) if found == u64::from(VERSION) => {}
            found => return Err(Error::WrongVersion { found: found.unwrap_or(0) }),
        }
        serde_json::from_value(value).map_err(|source| Error::Damaged { source })
    }
}

/// Bytes as a string of hexadecimal digits.
mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let digits: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
        serializer.serialize_str(&digits)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let digits = String::deserialize(deserializer)?;
        let bad = || D::Error::custom("bytes must be pairs of hexadecimal digits");
        let nibbles: Vec<u32> =
            digits.chars().map(|c| c.to_digit(16)).collect::<Option<_>>().ok_or_else(bad)?;
        if !nibbles.len().is_multiple_of(2) {
            return Err(bad());
        }
        Ok(nibbles.chunks_exact(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn sample() -> ReplayFile {
        let program = ProgramRecord {
            dir: "/src".into(),
            files: vec!["a.c".into()],
            clang_args: vec!["-DN=3".into()],
            entry: "main".into(),
        };
        let run = RunRecord { properties: vec!["assert".into()], sym_stdin: Some(4), ..RunRecord::default() };
        let bug = BugRecord {
            kind: "assert".into(),
            message: "assertion failed: x < 5".into(),
            location: PlaceRecord { file: "a.c".into(), line: 7, column: 3, function: "main".into() },
            thread: 0,
        };
        let mut file = ReplayFile::new("0.1.0", program, run, bug);
        file.inputs.push(InputRecord {
            name: "x".into(),
            ty: "int".into(),
            value: "-1".into(),
            bytes: vec![0xff, 0xff, 0xff, 0x0f],
            file: None,
            source: "program".into(),
            thread: 0,
        });
        file.schedule.push(StepRecord { thread: 0, file: "a.c".into(), line: 6, text: "x = -1".into() });
        file
    }

    #[track_caller]
    fn check_refused(text: &str, message: Expect) {
        use std::error::Error as _;
        let error = ReplayFile::from_json(text).expect_err("the file must be refused");
        let source = error.source().map(|s| format!(" / {s}")).unwrap_or_default();
        message.assert_eq(&format!("{error}{source}"));
    }

    #[test]
    fn a_written_file_is_read_back_equal() {
        let file = sample();
        assert_eq!(ReplayFile::from_json(&file.to_json()).expect("own file"), file);
    }

    #[test]
    fn the_layout_of_the_file_is_stable() {
        expect![[r#"
            {
              "format": "selvedge-replay",
              "version": 1,
              "tool_version": "0.1.0",
              "program": {
                "dir": "/src",
                "files": [
                  "a.c"
                ],
                "clang_args": [
                  "-DN=3"
                ],
                "entry": "main"
              },
              "run": {
                "properties": [
                  "assert"
                ],
                "args": [],
                "sym_args": [],
                "sym_stdin": 4,
                "malloc_may_fail": false
              },
              "bug": {
                "kind": "assert",
                "message": "assertion failed: x < 5",
                "location": {
                  "file": "a.c",
                  "line": 7,
                  "column": 3,
                  "function": "main"
                },
                "thread": 0
              },
              "inputs": [
                {
                  "name": "x",
                  "type": "int",
                  "value": "-1",
                  "bytes": "ffffff0f",
                  "source": "program"
                }
              ],
              "schedule": [
                {
                  "thread": 0,
                  "file": "a.c",
                  "line": 6,
                  "text": "x = -1"
                }
              ]
            }
        "#]]
        .assert_eq(&sample().to_json());
    }

    #[test]
    fn fields_of_later_releases_are_ignored() {
        let text = sample().to_json().replacen("\"format\"", "\"later\": [1, 2], \"format\"", 1);
        assert_eq!(ReplayFile::from_json(&text).expect("extra field"), sample());
    }

    #[test]
    fn every_prefix_of_a_file_is_refused() {
        let text = sample().to_json();
        for end in 0..text.trim_end().len() {
            assert!(ReplayFile::from_json(&text[..end]).is_err(), "prefix of {end} bytes was accepted");
        }
    }

    #[test]
    fn a_refused_file_says_why() {
        let text = sample().to_json();
        check_refused("", expect!["the replay file is truncated: it ends in the middle of line 1"]);
        check_refused(
            &text[..text.len() / 2],
            expect!["the replay file is truncated: it ends in the middle of line 26"],
        );
        check_refused(
            "int main() {}",
            expect!["the replay file is not JSON (line 1, column 1) / expected value at line 1 column 1"],
        );
        check_refused(
            "{\"schema\": 1}",
            expect![[r#"this is not a replay file: `format` is not "selvedge-replay""#]],
        );
        check_refused(
            &text.replacen("\"version\": 1", "\"version\": 9", 1),
            expect!["the replay file has format version 9, this release reads version 1"],
        );
        check_refused(
            &text.replacen("\"ffffff0f\"", "\"fff\"", 1),
            expect!["the replay file is damaged / bytes must be pairs of hexadecimal digits"],
        );
        check_refused(
            &text.replacen("\"kind\"", "\"sort\"", 1),
            expect!["the replay file is damaged / missing field `kind`"],
        );
    }
}
