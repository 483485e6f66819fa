//! The generalized interleaving graph of a search in Graphviz's DOT language.
//!
//! A box is a state, with the line at which each thread stands; its tooltip is the summary of the state. An arrow is a
//! step. A dashed arrow leads to the state whose summary made another superfluous.
//! Guarantees: states and steps come in the order of the search, so equal searches give equal text.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use selvedge_base::Loc;
use selvedge_engine::{Fate, Graph, GraphState};
use selvedge_program::Program;

use crate::graph::{escaped, quoted, start};

/// The graph as DOT text.
pub fn draw(program: &Program, graph: &Graph) -> String {
    let shared: BTreeSet<usize> = graph.states.iter().filter_map(|s| s.covered_by).collect();
    // Lines are enough unless there are several files.
    let files: BTreeSet<_> =
        graph.states.iter().flat_map(|s| &s.threads).filter(|t| t.at.is_known()).map(|t| t.at.file).collect();
    let place = |at: Loc| match program.files.get(at.file) {
        _ if !at.is_known() => "?".to_owned(),
        Some(file) if files.len() > 1 => {
            format!("{}:{}", file.name.rsplit('/').next().unwrap_or_default(), at.line)
        }
        _ => at.line.to_string(),
    };
    let mut out = start("interleavings");
    for (i, state) in graph.states.iter().enumerate() {
        let mut label = String::new();
        for thread in &state.threads {
            let at = if thread.is_over { "over".to_owned() } else { place(thread.at) };
            let _ = write!(label, "{}: {}\\l", thread_name(thread.thread), escaped(&at));
        }
        let style = style(state, shared.contains(&i));
        let _ = writeln!(out, "  \"{i}\" [label=\"{label}\"{style}, tooltip={}];", quoted(&tooltip(state)));
    }
    for step in &graph.steps {
        let label = format!("{} {}: {}", thread_name(step.thread), place(step.at), step.what);
        let label = label.trim_end_matches(": ");
        let _ = writeln!(out, "  \"{}\" -> \"{}\" [label={}];", step.from, step.to, quoted(label));
    }
    for (i, state) in graph.states.iter().enumerate() {
        if let Some(by) = state.covered_by {
            let label = if state.fate == Fate::Pruned { "covered by" } else { "partly covered by" };
            let _ = writeln!(
                out,
                "  \"{i}\" -> \"{by}\" [label={}, style=dashed, color=gray, constraint=false];",
                quoted(label)
            );
        }
    }
    out.push_str("}\n");
    out
}

fn thread_name(thread: u32) -> String {
    match thread {
        0 => "main".to_owned(),
        n => format!("thread {n}"),
    }
}

fn tooltip(state: &GraphState) -> String {
    let what = match state.fate {
        Fate::Inner => "explored",
        Fate::Full => "the end of an execution",
        Fate::Failing => "a failure",
        Fate::Cut => "cut",
        Fate::Pruned => "pruned",
        Fate::Asleep => "explored in another order",
    };
    match &state.summary {
        Some(summary) => format!("{what}; safe if {summary}"),
        None => format!("{what}; no summary"),
    }
}

fn style(state: &GraphState, is_shared: bool) -> &'static str {
    match state.fate {
        Fate::Failing => ", style=filled, fillcolor=\"#f6b8b8\"",
        Fate::Cut => ", style=filled, fillcolor=\"#fbe3b4\"",
        Fate::Pruned => ", style=\"filled,dashed\", fillcolor=\"#e6e6e6\"",
        Fate::Asleep => ", style=dotted",
        _ if is_shared => ", style=filled, fillcolor=\"#c9defa\"",
        Fate::Full => ", style=filled, fillcolor=\"#cdeccd\"",
        Fate::Inner => "",
    }
}
