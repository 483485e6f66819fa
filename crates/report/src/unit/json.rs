//! The report on functions for scripts: see docs/json.md.

use selvedge_engine::{PathEndKind, Verdict};
use serde::Serialize;

use super::{Unit, conjuncts, is_comparable, returned};

/// The schema version that is written.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Report<'a> {
    schema: u32,
    tool: &'static str,
    version: &'a str,
    functions: &'a [Function],
    failed: Vec<Failed<'a>>,
}

#[derive(Serialize)]
struct Failed<'a> {
    function: &'a str,
    reason: &'a str,
}

/// What is told of a function.
#[derive(Serialize, Debug)]
pub struct Function {
    function: String,
    file: String,
    verdict: &'static str,
    bounded: bool,
    reasons: Vec<String>,
    assumptions: Vec<&'static str>,
    branches_taken: u64,
    branches: u64,
    time_s: f64,
    paths: Vec<Path>,
    errors: Vec<Error>,
}

#[derive(Serialize, Debug)]
struct Path {
    condition: Vec<String>,
    end: &'static str,
    comparable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    returns: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<String>,
}

#[derive(Serialize, Debug)]
struct Error {
    kind: &'static str,
    class: &'static str,
    message: String,
    file: String,
    line: u32,
    under_constrained: bool,
    excluded_by: Vec<String>,
}

/// The report on several functions, and on those that could not be called.
pub fn json(functions: &[Function], failed: &[(String, String)], version: &str) -> String {
    let failed = failed.iter().map(|(function, reason)| Failed { function, reason }).collect();
    let report = Report { schema: SCHEMA, tool: "selvedge", version, functions, failed };
    let mut text = serde_json::to_string_pretty(&report).expect("plain data");
    text.push('\n');
    text
}

/// What is told of one function.
pub fn function(unit: &Unit<'_>) -> Function {
    let outcome = unit.outcome;
    let (branches_taken, branches) = unit.branches();
    Function {
        function: unit.function.to_owned(),
        file: unit.file.to_owned(),
        verdict: match outcome.verdict {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
        },
        bounded: outcome.bounded,
        reasons: outcome.reasons.clone(),
        assumptions: outcome.assumptions.iter().map(|assumption| assumption.id).collect(),
        branches_taken,
        branches,
        time_s: outcome.time_s,
        paths: (0..outcome.tests.len()).map(|i| path(unit, i)).collect(),
        errors: (0..outcome.bugs.len()).map(|i| error(unit, i)).collect(),
    }
}

fn path(unit: &Unit<'_>, index: usize) -> Path {
    let test = &unit.outcome.tests[index];
    let returns = test.outside.as_ref().and_then(returned);
    let (end, exit_code, error) = match test.end {
        PathEndKind::Bug(bug) => ("error", None, Some(bug)),
        PathEndKind::Cut => ("cut", None, None),
        PathEndKind::Exit(_) if returns.is_some() => ("returns", None, None),
        PathEndKind::Exit(code) => ("exits", Some(code), None),
    };
    Path {
        condition: conjuncts(test).to_vec(),
        end,
        comparable: is_comparable(test) && matches!(test.end, PathEndKind::Exit(_)),
        returns: returns.filter(|_| end == "returns"),
        exit_code,
        error,
        test: unit.tests.get(index).cloned(),
    }
}

fn error(unit: &Unit<'_>, index: usize) -> Error {
    let bug = &unit.outcome.bugs[index];
    Error {
        kind: bug.kind.name(),
        class: bug.kind.class(),
        message: bug.message.clone(),
        file: bug.location.file.clone(),
        line: bug.location.line,
        under_constrained: !unit.is_certain(index),
        excluded_by: unit.excluding(index).into_iter().map(str::to_owned).collect(),
    }
}
