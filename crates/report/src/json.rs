//! The report for scripts: JSON, schema version 2.
//!
//! Guarantees: a field of the schema is present also when empty or zero, except for those of which docs/json.md says when
//! they are left out; fields are added freely and never renamed; no value depends on hash order.

use selvedge_base::iso8601;
use selvedge_engine::{
    Assumption, Bug, Coverage, EarlierProof, Label, Outcome, Place, Read, Reuse, StandsBecause, Unused,
    Verdict,
};
use serde::Serialize;

use crate::snippet::told;
use crate::{Sources, steps};

/// The schema version that is written.
pub const SCHEMA: u32 = 2;

/// What the report says besides the outcome.
#[derive(Clone, Debug)]
pub struct JsonOptions {
    /// Version of the tool.
    pub version: String,
    /// The reduction the run was asked for.
    pub reduce: &'static str,
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
    assumptions: Vec<AssumptionReport<'a>>,
    reduce: &'static str,
    executions: Executions,
    states: u64,
    instructions: u64,
    time_s: f64,
    peak_rss_mib: f64,
    solver: Solver,
    summaries: Summaries,
    #[serde(skip_serializing_if = "Option::is_none")]
    incremental: Option<Incremental>,
    slice: Slice,
    phases: Phases,
    coverage: CoverageReport<'a>,
    tests: usize,
    bugs: Vec<BugReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prove: Option<Prove>,
}

/// What the verdict takes for granted.
#[derive(Serialize)]
struct AssumptionReport<'a> {
    id: &'a str,
    text: &'a str,
    count: u64,
    locations: Vec<Location<'a>>,
    hidden_lines: u64,
}

/// The search for a proof of a C program.
#[derive(Serialize)]
struct Prove {
    method: &'static str,
    control_states: u64,
    steps: u64,
    levels: u64,
    predicates: u64,
    clauses: u64,
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

#[derive(Serialize)]
struct Summaries {
    stored: u64,
    checks: u64,
    solver_checks: u64,
    hits: u64,
    dropped: u64,
    formulas: u64,
    nodes: u64,
}

/// What came from earlier runs.
#[derive(Serialize)]
struct Incremental {
    summaries_kept: u64,
    summaries_again: u64,
    summaries_dropped: u64,
    states_recognised: u64,
    answer_of: Option<String>,
    answer_stands: Option<&'static str>,
    checks: Option<u64>,
    checks_impacted: Option<u64>,
    focused: bool,
    bugs_same: u64,
    bugs_other: u64,
    bugs_fixed: u64,
    unused: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<LastProof>,
}

/// What became of the last proof.
#[derive(Serialize)]
struct LastProof {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conditions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conditions_kept: Option<u64>,
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

/// What an execution took for granted.
#[derive(Serialize)]
struct RelianceReport<'a> {
    id: &'static str,
    text: &'a str,
    locations: Vec<Location<'a>>,
}

/// Another place of a bug.
#[derive(Serialize)]
struct PlaceReport<'a> {
    text: &'a str,
    thread: Option<u32>,
    location: Location<'a>,
    callers: Vec<Location<'a>>,
}

#[derive(Serialize)]
struct BugReport<'a> {
    kind: &'static str,
    class: &'static str,
    message: &'a str,
    location: Location<'a>,
    thread: u32,
    notes: Vec<String>,
    places: Vec<PlaceReport<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assumptions: Vec<RelianceReport<'a>>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<FileInput<'a>>,
    /// Memory order, as hexadecimal digits.
    bytes: String,
}

/// Which file an input is about, and what of it.
#[derive(Serialize)]
struct FileInput<'a> {
    name: &'a str,
    role: &'static str,
}

#[derive(Serialize)]
struct StepReport<'a> {
    thread: u32,
    file: &'a str,
    line: u32,
    function: &'a str,
    text: String,
    reads: Vec<ReadReport<'a>>,
    writes: &'a [String],
}

#[derive(Serialize)]
struct ReadReport<'a> {
    name: &'a str,
    value: &'a str,
    writer: Option<WriterReport>,
}

#[derive(Serialize)]
struct WriterReport {
    thread: u32,
    step: Option<usize>,
}

/// The report as indented JSON with a newline at the end.
pub fn render(outcome: &Outcome, sources: &mut Sources, options: &JsonOptions) -> String {
    let report = Report {
        schema: SCHEMA,
        tool: "selvedge",
        version: &options.version,
        verdict: verdict_name(outcome.verdict),
        bounded: outcome.bounded,
        reasons: &outcome.reasons,
        warnings: &outcome.warnings,
        assumptions: outcome.assumptions.iter().map(assumption).collect(),
        reduce: options.reduce,
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
        summaries: Summaries {
            stored: outcome.summaries.stored,
            checks: outcome.summaries.checks,
            solver_checks: outcome.summaries.solver_checks,
            hits: outcome.summaries.hits,
            dropped: outcome.summaries.dropped,
            formulas: outcome.summaries.formulas,
            nodes: outcome.summaries.nodes,
        },
        incremental: outcome.reuse.map(|reuse| incremental(&reuse)),
        slice: Slice { instructions: outcome.slice.instructions, in_slice: outcome.slice.in_slice },
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
            .map(|(i, bug)| bug_report(bug, sources, options.replay_files.get(i).map(String::as_str)))
            .collect(),
        prove: outcome.proof.map(|proof| Prove {
            method: proof.method,
            control_states: proof.states,
            steps: proof.steps,
            levels: proof.levels,
            predicates: proof.predicates,
            clauses: proof.clauses,
        }),
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

/// What came from earlier runs.
fn incremental(reuse: &Reuse) -> Incremental {
    Incremental {
        summaries_kept: reuse.kept,
        summaries_again: reuse.again,
        summaries_dropped: reuse.dropped,
        states_recognised: reuse.used,
        answer_of: reuse.stands.map(|stands| iso8601(stands.since)),
        answer_stands: reuse.stands.map(|stands| match stands.because {
            StandsBecause::Unchanged => "unchanged",
            StandsBecause::Harmless => "harmless",
        }),
        checks: reuse.checks.map(|checks| checks.of),
        checks_impacted: reuse.checks.map(|checks| checks.impacted),
        focused: reuse.is_focused,
        bugs_same: reuse.known_bugs.same,
        bugs_other: reuse.known_bugs.other,
        bugs_fixed: reuse.known_bugs.fixed,
        unused: reuse.unused.map(|why| match why {
            Unused::Jobs => "jobs",
            Unused::Addresses => "addresses",
        }),
        proof: reuse.proof.map(last_proof),
    }
}

fn last_proof(earlier: EarlierProof) -> LastProof {
    let plain = |status| LastProof { status, found: None, conditions: None, conditions_kept: None };
    match earlier {
        EarlierProof::None => plain("none"),
        EarlierProof::Useless => plain("useless"),
        EarlierProof::Holds(since) => LastProof { found: Some(iso8601(since)), ..plain("holds") },
        EarlierProof::Left { of, holds } => {
            LastProof { conditions: Some(of), conditions_kept: Some(holds), ..plain("begun-with") }
        }
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

fn assumption(assumption: &Assumption) -> AssumptionReport<'_> {
    AssumptionReport {
        id: assumption.id,
        text: &assumption.text,
        count: assumption.count,
        locations: assumption.locations.iter().map(location).collect(),
        hidden_lines: assumption.hidden_lines,
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
            file: match &i.kind {
                selvedge_engine::InputKind::File { name, role } => {
                    Some(FileInput { name, role: role.name() })
                }
                _ => None,
            },
            bytes: i.bytes.iter().map(|b| format!("{b:02x}")).collect(),
        })
        .collect()
}

/// A place as one sentence, for those who show texts only.
fn note(label: &Label) -> String {
    let thread = label.thread.map_or(String::new(), |thread| format!("thread {thread} "));
    told(&format!("{thread}{}", label.text), &label.place)
}

fn place_report(label: &Label) -> PlaceReport<'_> {
    PlaceReport {
        text: &label.text,
        thread: label.thread,
        location: location(&label.place),
        callers: label.callers.iter().map(location).collect(),
    }
}

fn bug_report<'a>(bug: &'a Bug, sources: &mut Sources, test: Option<&'a str>) -> BugReport<'a> {
    BugReport {
        kind: bug.kind.name(),
        class: bug.kind.class(),
        message: &bug.message,
        location: location(&bug.location),
        thread: bug.thread,
        notes: bug.labels.iter().map(note).collect(),
        places: bug.labels.iter().map(place_report).collect(),
        assumptions: bug
            .assumptions
            .iter()
            .map(|a| RelianceReport {
                id: a.id,
                text: &a.text,
                locations: a.locations.iter().map(location).collect(),
            })
            .collect(),
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
                text: steps::summary(step, sources),
                reads: step.reads.iter().map(read).collect(),
                writes: &step.writes,
            })
            .collect(),
        stdout: String::from_utf8_lossy(&bug.stdout).into_owned(),
        test,
    }
}

fn read(read: &Read) -> ReadReport<'_> {
    let writer = read.writer.map(|writer| WriterReport { thread: writer.thread, step: writer.step });
    ReadReport { name: &read.name, value: &read.value, writer }
}

#[cfg(test)]
mod tests;
