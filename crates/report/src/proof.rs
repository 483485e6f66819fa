//! The result of `selvedge prove`: text for a person, JSON for scripts.
//!
//! Guarantees: the last line of the text begins with `SAFE`, `UNSAFE` or `UNKNOWN`; JSON has the fields of every
//! report of the tool (see [`crate::json`]) that mean something here, and those of proofs under `prove`.

use std::fmt::Write as _;

use selvedge_engine::gcl::{Gcl, Outcome, Stats, Verdict};
use selvedge_gcl::simulate::Trace;
use selvedge_gcl::{Error as GclError, NamedState, System, VarIdx};
use serde_json::{Value, json};

use crate::json::SCHEMA;
use crate::paint::{Paint, Role, counted, printable};
use crate::text::Detail;

/// What the report says besides the outcome.
#[derive(Clone, Debug)]
pub struct ProofOptions {
    /// Version of the tool.
    pub version: String,
    /// `ase`, `ur` or `spacer`.
    pub method: &'static str,
    /// Memory the process needed at most.
    pub peak_rss_mib: f64,
    /// The file the proof object was written to, if it was.
    pub proof_file: Option<String>,
}

fn verdict_name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Safe { .. } => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown { .. } => "unknown",
    }
}

/// The place of a transition: line and column from 1.
fn position(system: &System, source: &str, transition: usize) -> (usize, usize) {
    let span = system.transitions[transition].span;
    GclError { message: String::new(), help: None, span }.position(source)
}

fn reasons(outcome: &Outcome) -> Vec<String> {
    match &outcome.verdict {
        Verdict::Unknown { reasons } => reasons.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}

/// The report for scripts.
pub fn json(program: &Gcl, file: &str, source: &str, outcome: &Outcome, options: &ProofOptions) -> String {
    let stats = &outcome.stats;
    let reasons = reasons(outcome);
    let check = match &outcome.verdict {
        Verdict::Safe { check: Some(check), .. } => Some(check.name()),
        _ => None,
    };
    let bugs: Vec<Value> = match &outcome.verdict {
        Verdict::Unsafe(run) => vec![bug(program.system(), file, source, &program.trace(run))],
        _ => Vec::new(),
    };
    let report = json!({
        "schema": SCHEMA,
        "tool": "selvedge",
        "version": options.version,
        "command": "prove",
        "verdict": verdict_name(&outcome.verdict),
        "bounded": false,
        "reasons": reasons,
        "warnings": outcome.warnings,
        "time_s": stats.time.as_secs_f64(),
        "peak_rss_mib": options.peak_rss_mib,
        "states": stats.symbolic_states,
        "solver": {
            "queries": stats.queries,
            "cache_hits": stats.query_hits,
            "time_s": stats.solver_time.as_secs_f64(),
        },
        "prove": {
            "method": options.method,
            "check": check,
            "iterations": stats.iterations,
            "predicates": stats.predicates,
            "predicate_list": outcome.predicates,
            "symbolic_states": stats.symbolic_states,
            "concrete_states": stats.concrete_states,
            "abstract_states": stats.abstract_states,
            "abstract_transitions": stats.abstract_transitions,
            "control_states": stats.control_states,
            "steps": stats.steps,
            "levels": stats.levels,
            "clauses": stats.clauses,
            "check_s": stats.check_time.as_secs_f64(),
            "proof": options.proof_file,
        },
        "bugs": bugs,
    });
    let mut text = serde_json::to_string_pretty(&report).unwrap_or_default();
    text.push('\n');
    text
}

/// Values of variables by name.
fn values(system: &System, state: &selvedge_gcl::State) -> Value {
    let pairs = system.vars.iter().zip(state).enumerate();
    pairs.map(|(i, (var, value))| (var.name.clone(), json!(system.show_value(VarIdx(i), value)))).collect()
}

fn bug(system: &System, file: &str, source: &str, trace: &Trace) -> Value {
    let mut inputs = Vec::new();
    let mut schedule = Vec::new();
    for (k, step) in trace.steps.iter().enumerate() {
        let transition = &system.transitions[step.transition];
        let given = selvedge_gcl::simulate::input_vars(system, step.transition);
        let given: Vec<Value> = given
            .iter()
            .zip(&step.inputs)
            .map(|(var, value)| {
                json!({
                    "name": format!("step {}: {}", k + 1, system.vars[var.0].name),
                    "type": "nondet",
                    "value": system.show_value(*var, value),
                })
            })
            .collect();
        inputs.extend(given);
        schedule.push(json!({
            "thread": transition.process,
            "process": system.processes[transition.process],
            "file": file,
            "line": position(system, source, step.transition).0,
            "text": transition.name,
            "state": values(system, &step.state),
        }));
    }
    json!({
        "kind": "assert",
        "message": "a bad state is reached",
        "location": trace.steps.last().map(|step| {
            let (line, column) = position(system, source, step.transition);
            json!({ "file": file, "line": line, "column": column, "function": system.transitions[step.transition].name })
        }),
        "thread": trace.steps.last().map(|step| system.transitions[step.transition].process),
        "start": values(system, &trace.start),
        "inputs": inputs,
        "schedule": schedule,
    })
}

/// A run as numbered lines, with what each step changes.
pub fn trace(system: &System, run: &Trace, detail: Detail) -> String {
    let mut text = format!("  start   {}\n", NamedState(system, &run.start));
    let width = run.steps.iter().map(|s| system.transitions[s.transition].name.chars().count()).max();
    let mut before = &run.start;
    for (k, step) in run.steps.iter().enumerate() {
        let name = &system.transitions[step.transition].name;
        let mut changes = Vec::new();
        for (i, (old, new)) in before.iter().zip(&step.state).enumerate() {
            let is_input = selvedge_gcl::simulate::input_vars(system, step.transition).contains(&VarIdx(i));
            if old != new || is_input {
                let var = &system.vars[i];
                let value = system.show_value(VarIdx(i), new);
                let note = if is_input { " (input)" } else { "" };
                changes.push(match var.is_location {
                    true => format!("{}@{value}", var.name),
                    false => format!("{} = {value}{note}", var.name),
                });
            }
        }
        let pad = width.unwrap_or_default();
        let _ = writeln!(text, "  {:>5}   {name:<pad$}   {}", k + 1, changes.join(", "));
        if detail == Detail::Verbose {
            let _ = writeln!(text, "          {}", NamedState(system, &step.state));
        }
        before = &step.state;
    }
    text
}

/// How large the search was.
fn size(stats: &Stats) -> String {
    let predicates = counted(stats.predicates as u64, "predicate");
    if stats.control_states > 0 {
        let levels = counted(stats.levels as u64, "level");
        let (states, steps) = (stats.control_states as u64, stats.steps as u64);
        return format!(
            "{levels}, {predicates}, {}, {}",
            counted(states, "control state"),
            counted(steps, "step")
        );
    }
    format!(
        "{}, {predicates}, {} in {}",
        counted(stats.iterations.into(), "iteration"),
        counted(stats.symbolic_states as u64, "symbolic state"),
        counted(stats.abstract_states as u64, "abstract state")
    )
}

/// The report for a person.
pub fn text(program: &Gcl, outcome: &Outcome, options: &ProofOptions, detail: Detail, color: bool) -> String {
    let paint = Paint::new(color);
    let stats = &outcome.stats;
    let mut out = String::new();
    if detail > Detail::Quiet {
        if let Verdict::Unsafe(run) = &outcome.verdict {
            let _ = writeln!(out, "a bad state is reached:");
            out.push_str(&trace(program.system(), &program.trace(run), detail));
            out.push('\n');
        }
        let shown = if detail == Detail::Verbose { usize::MAX } else { 12 };
        if !outcome.predicates.is_empty() {
            let _ = writeln!(out, "predicates");
            for predicate in outcome.predicates.iter().take(shown) {
                let _ = writeln!(out, "  {}", printable(predicate));
            }
            if outcome.predicates.len() > shown {
                let _ = writeln!(out, "  and {} more", outcome.predicates.len() - shown);
            }
        }
        let _ = writeln!(
            out,
            "{}, {} to the solver, {:.2} s",
            size(stats),
            match stats.queries {
                1 => "1 query".to_owned(),
                n => format!("{n} queries"),
            },
            stats.time.as_secs_f64()
        );
        if let Some(file) = &options.proof_file {
            let _ = writeln!(out, "the proof object is in {}", printable(file));
        }
    }
    for warning in &outcome.warnings {
        let _ = writeln!(out, "{}: {}", paint.apply(Role::Warning, "warning"), printable(warning));
    }
    let _ = match &outcome.verdict {
        Verdict::Safe { check: Some(check), .. } => writeln!(
            out,
            "{}  no bad state can be reached ({}); the proof object was checked",
            paint.apply(Role::Good, "SAFE"),
            check.name()
        ),
        Verdict::Safe { check: None, .. } => writeln!(
            out,
            "{}  no bad state can be reached, says {}; there is no proof object",
            paint.apply(Role::Good, "SAFE"),
            options.method
        ),
        Verdict::Unsafe(run) => writeln!(
            out,
            "{}  a bad state is reached in {}; the run was replayed",
            paint.apply(Role::Error, "UNSAFE"),
            counted(run.steps.len() as u64, "step")
        ),
        Verdict::Unknown { .. } => {
            let reasons = reasons(outcome);
            writeln!(out, "{}  {}", paint.apply(Role::Warning, "UNKNOWN"), printable(&reasons.join("; ")))
        }
    };
    out
}
