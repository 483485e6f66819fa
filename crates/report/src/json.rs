//! The report for scripts: JSON, schema version 1.
//!
//! Guarantees: every field of the schema is present also when empty or zero; fields are added freely and never
//! renamed; no value depends on hash order.

use selvedge_engine::{Bug, Coverage, Outcome, Place, Reduce, Verdict};
use serde::Serialize;

/// The schema version that is written.
pub const SCHEMA: u32 = 1;

/// What the report says besides the outcome.
#[derive(Clone, Debug)]
pub struct JsonOptions {
    /// Version of the tool.
    pub version: String,
    /// The reduction the run was asked for.
    pub reduce: Reduce,
    /// The replay files that were written, one for each bug in order.
    pub replay_files: Vec<String>,
}

#[derive(Serialize)]
struct Report<'a> {
    schema: u32,
    tool: &'static str,
    version: &'a str,
    verdict: &'static str,
    bounded: bool,
    reasons: &'a [String],
    warnings: &'a [String],
    reduce: &'static str,
    executions: Executions,
    states: u64,
    instructions: u64,
    time_s: f64,
    peak_rss_mib: f64,
    solver: Solver,
    summaries: Summaries,
    slice: Slice,
    phases: Phases,
    coverage: CoverageReport<'a>,
    tests: usize,
    bugs: Vec<BugReport<'a>>,
    incremental: Incremental,
}

#[derive(Serialize)]
struct Executions {
    total: u64,
    full: u64,
    pruned: u64,
    blocked: u64,
    failed: u64,
    cut: u64,
}

#[derive(Serialize)]
struct Solver {
    queries: u64,
    cache_hits: u64,
    time_s: f64,
}

#[derive(Serialize, Default)]
struct Summaries {
    stored: u64,
    checks: u64,
    hits: u64,
    dropped: u64,
}

#[derive(Serialize, Default)]
struct Slice {
    instructions: u64,
    in_slice: u64,
}

#[derive(Serialize)]
struct Phases {
    frontend_s: f64,
    slice_s: f64,
    explore_s: f64,
}

#[derive(Serialize, Default)]
struct Incremental {
    changed: u64,
    impacted: u64,
    summaries_reused: u64,
    summaries_dropped: u64,
}

#[derive(Serialize)]
struct CoverageReport<'a> {
    lines: u64,
    lines_covered: u64,
    branches: u64,
    branches_taken: u64,
    files: Vec<FileCoverage<'a>>,
}

#[derive(Serialize)]
struct FileCoverage<'a> {
    file: &'a str,
    covered: &'a [u32],
    missed: &'a [u32],
}

#[derive(Serialize)]
struct BugReport<'a> {
    kind: &'static str,
    class: &'static str,
    message: &'a str,
    location: Location<'a>,
    thread: u32,
    notes: &'a [String],
    stack: Vec<Frame<'a>>,
    inputs: Vec<InputReport<'a>>,
    schedule: Vec<StepReport<'a>>,
    stdout: String,
    test: Option<&'a str>,
}

#[derive(Serialize)]
struct Location<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
}

#[derive(Serialize)]
struct Frame<'a> {
    #[serde(flatten)]
    place: Location<'a>,
    values: Vec<Value<'a>>,
}

#[derive(Serialize)]
struct Value<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
pub(crate) struct InputReport<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: &'a str,
    value: &'a str,
    source: &'static str,
    /// Memory order, as hexadecimal digits.
    bytes: String,
}

#[derive(Serialize)]
struct StepReport<'a> {
    thread: u32,
    file: &'a str,
    line: u32,
    function: &'a str,
    text: &'a str,
    reads: &'a [String],
    writes: &'a [String],
}

/// The report as indented JSON with a newline at the end.
pub fn render(outcome: &Outcome, options: &JsonOptions) -> String {
    let report = Report {
        schema: SCHEMA,
        tool: "selvedge",
        version: &options.version,
        verdict: verdict_name(outcome.verdict),
        bounded: outcome.bounded,
        reasons: &outcome.reasons,
        warnings: &outcome.warnings,
        reduce: options.reduce.name(),
        executions: Executions {
            total: outcome.executions.total,
            full: outcome.executions.full,
            pruned: outcome.executions.pruned,
            blocked: outcome.executions.blocked,
            failed: outcome.executions.failed,
            cut: outcome.executions.cut,
        },
        states: outcome.states,
        instructions: outcome.instructions,
        time_s: outcome.time_s,
        peak_rss_mib: outcome.peak_rss_mib,
        solver: Solver {
            queries: outcome.solver.queries,
            cache_hits: outcome.solver.cache_hits,
            time_s: outcome.solver.time_s,
        },
        summaries: Summaries::default(),
        slice: Slice::default(),
        phases: Phases {
            frontend_s: outcome.phases.frontend_s,
            slice_s: outcome.phases.slice_s,
            explore_s: outcome.phases.explore_s,
        },
        coverage: coverage(&outcome.coverage),
        tests: outcome.tests.len(),
        bugs: outcome
            .bugs
            .iter()
            .enumerate()
            .map(|(i, bug)| bug_report(bug, options.replay_files.get(i).map(String::as_str)))
            .collect(),
        incremental: Incremental::default(),
    };
    pretty(&report)
}

/// Indented JSON with a newline at the end.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("strings and numbers always serialise");
    text.push('\n');
    text
}

/// The verdict's name in the schema.
pub fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Safe => "safe",
        Verdict::Unsafe => "unsafe",
        Verdict::Unknown => "unknown",
    }
}

fn coverage(coverage: &Coverage) -> CoverageReport<'_> {
    CoverageReport {
        lines: coverage.files.iter().map(|f| (f.covered.len() + f.missed.len()) as u64).sum(),
        lines_covered: coverage.files.iter().map(|f| f.covered.len() as u64).sum(),
        branches: coverage.branches,
        branches_taken: coverage.branches_taken,
        files: coverage
            .files
            .iter()
            .map(|f| FileCoverage { file: &f.file, covered: &f.covered, missed: &f.missed })
            .collect(),
    }
}

fn location(place: &Place) -> Location<'_> {
    Location { file: &place.file, line: place.line, column: place.column, function: &place.function }
}

/// Inputs as the schema shows them.
pub(crate) fn inputs(inputs: &[selvedge_engine::Input]) -> Vec<InputReport<'_>> {
    inputs
        .iter()
        .map(|i| InputReport {
            name: &i.name,
            ty: &i.ty,
            value: &i.value,
            source: crate::record::input_source(&i.kind),
            bytes: i.bytes.iter().map(|b| format!("{b:02x}")).collect(),
        })
        .collect()
}

fn bug_report<'a>(bug: &'a Bug, test: Option<&'a str>) -> BugReport<'a> {
    BugReport {
        kind: bug.kind.name(),
        class: bug.kind.class(),
        message: &bug.message,
        location: location(&bug.location),
        thread: bug.thread,
        notes: &bug.notes,
        stack: bug
            .stack
            .iter()
            .map(|frame| Frame {
                place: location(&frame.place),
                values: frame.values.iter().map(|(name, value)| Value { name, value }).collect(),
            })
            .collect(),
        inputs: inputs(&bug.inputs),
        schedule: bug
            .schedule
            .iter()
            .map(|step| StepReport {
                thread: step.thread,
                file: &step.place.file,
                line: step.place.line,
                function: &step.place.function,
                text: &step.text,
                reads: &step.reads,
                writes: &step.writes,
            })
            .collect(),
        stdout: String::from_utf8_lossy(&bug.stdout).into_owned(),
        test,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use expect_test::expect;

    fn options() -> JsonOptions {
        JsonOptions { version: "0.1.0".into(), reduce: Reduce::Ag, replay_files: vec!["bug-1.json".into()] }
    }

    #[test]
    fn a_bug_is_reported_with_all_fields() {
        expect![[r#"
            {
              "schema": 1,
              "tool": "selvedge",
              "version": "0.1.0",
              "verdict": "unsafe",
              "bounded": false,
              "reasons": [],
              "warnings": [],
              "reduce": "ag",
              "executions": {
                "total": 12,
                "full": 11,
                "pruned": 0,
                "blocked": 0,
                "failed": 1,
                "cut": 0
              },
              "states": 1439,
              "instructions": 98765,
              "time_s": 0.02,
              "peak_rss_mib": 31.25,
              "solver": {
                "queries": 1438,
                "cache_hits": 1200,
                "time_s": 0.21
              },
              "summaries": {
                "stored": 0,
                "checks": 0,
                "hits": 0,
                "dropped": 0
              },
              "slice": {
                "instructions": 0,
                "in_slice": 0
              },
              "phases": {
                "frontend_s": 0.05,
                "slice_s": 0.0,
                "explore_s": 0.35
              },
              "coverage": {
                "lines": 7,
                "lines_covered": 6,
                "branches": 6,
                "branches_taken": 5,
                "files": [
                  {
                    "file": "sum.c",
                    "covered": [
                      4,
                      5,
                      6,
                      7,
                      10,
                      11
                    ],
                    "missed": [
                      12
                    ]
                  }
                ]
              },
              "tests": 3,
              "bugs": [
                {
                  "kind": "memory",
                  "class": "invalid-access",
                  "message": "out-of-bounds read of 4 bytes at offset 40 of \"buf\" (40 bytes)",
                  "location": {
                    "file": "sum.c",
                    "line": 6,
                    "column": 14,
                    "function": "sum"
                  },
                  "thread": 0,
                  "notes": [
                    "\"buf\" is the global variable of sum.c:2"
                  ],
                  "stack": [
                    {
                      "file": "sum.c",
                      "line": 6,
                      "column": 14,
                      "function": "sum",
                      "values": [
                        {
                          "name": "n",
                          "value": "10"
                        },
                        {
                          "name": "i",
                          "value": "10"
                        },
                        {
                          "name": "s",
                          "value": "0"
                        }
                      ]
                    },
                    {
                      "file": "sum.c",
                      "line": 12,
                      "column": 12,
                      "function": "main",
                      "values": []
                    }
                  ],
                  "inputs": [
                    {
                      "name": "n",
                      "type": "int",
                      "value": "10",
                      "source": "program",
                      "bytes": "0a000000"
                    },
                    {
                      "name": "stdin",
                      "type": "bytes",
                      "value": "\"a\\n\"",
                      "source": "stdin",
                      "bytes": "610a"
                    }
                  ],
                  "schedule": [
                    {
                      "thread": 0,
                      "file": "sum.c",
                      "line": 10,
                      "function": "main",
                      "text": "n = 10",
                      "reads": [],
                      "writes": []
                    },
                    {
                      "thread": 0,
                      "file": "sum.c",
                      "line": 11,
                      "function": "main",
                      "text": "branch not taken: n < 0",
                      "reads": [],
                      "writes": []
                    },
                    {
                      "thread": 0,
                      "file": "sum.c",
                      "line": 12,
                      "function": "main",
                      "text": "call sum",
                      "reads": [],
                      "writes": []
                    },
                    {
                      "thread": 0,
                      "file": "sum.c",
                      "line": 6,
                      "function": "sum",
                      "text": "read buf[10]",
                      "reads": [
                        "i = 10"
                      ],
                      "writes": []
                    }
                  ],
                  "stdout": "start\nn is \u001b10\n",
                  "test": "bug-1.json"
                }
              ],
              "incremental": {
                "changed": 0,
                "impacted": 0,
                "summaries_reused": 0,
                "summaries_dropped": 0
              }
            }
        "#]]
        .assert_eq(&render(&sample::unsafe_(), &options()));
    }

    #[test]
    fn every_field_of_the_contract_is_there_also_when_empty() {
        let text = render(&sample::safe(), &options());
        let value: serde_json::Value = serde_json::from_str(&text).expect("valid JSON");
        for path in [
            "/schema",
            "/tool",
            "/version",
            "/verdict",
            "/bounded",
            "/reasons",
            "/warnings",
            "/reduce",
            "/executions/total",
            "/executions/full",
            "/executions/pruned",
            "/executions/blocked",
            "/executions/failed",
            "/executions/cut",
            "/states",
            "/instructions",
            "/time_s",
            "/peak_rss_mib",
            "/solver/queries",
            "/solver/cache_hits",
            "/solver/time_s",
            "/summaries/stored",
            "/summaries/checks",
            "/summaries/hits",
            "/summaries/dropped",
            "/slice/instructions",
            "/slice/in_slice",
            "/phases/frontend_s",
            "/phases/slice_s",
            "/phases/explore_s",
            "/coverage/lines",
            "/tests",
            "/bugs",
            "/incremental/changed",
            "/incremental/impacted",
            "/incremental/summaries_reused",
            "/incremental/summaries_dropped",
        ] {
            assert!(value.pointer(path).is_some(), "{path} is missing");
        }
        assert_eq!(value["verdict"], "safe");
        assert_eq!(value["executions"]["total"], 720);
    }

    #[test]
    fn without_replay_files_the_test_is_null() {
        let options = JsonOptions { replay_files: vec![], ..options() };
        let value: serde_json::Value =
            serde_json::from_str(&render(&sample::unsafe_(), &options)).expect("valid JSON");
        assert!(value["bugs"][0]["test"].is_null());
    }

    #[test]
    fn infinite_times_do_not_break_the_syntax() {
        let outcome = Outcome { time_s: f64::INFINITY, ..sample::safe() };
        assert!(serde_json::from_str::<serde_json::Value>(&render(&outcome, &options())).is_ok());
    }
}
