//! The comparison for scripts and pages.

use selvedge_engine::{ComparedLine, Comparison, Place};
use serde::Serialize;

use super::{SCHEMA, quoted, word};
use crate::Sources;

#[derive(Serialize)]
struct Report<'a> {
    schema: u32,
    tool: &'static str,
    version: &'a str,
    same: bool,
    everything: Option<&'a str>,
    addresses_differ: bool,
    instructions: usize,
    impacted: usize,
    globals: Vec<Global<'a>>,
    functions: Vec<Function<'a>>,
    checks: Vec<Check<'a>>,
    properties: &'a [&'static str],
}

#[derive(Serialize)]
struct Global<'a> {
    name: &'a str,
    class: &'static str,
    file: &'a str,
    line: u32,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    class: &'static str,
    threads: &'a [String],
    lines: Vec<Line<'a>>,
}

#[derive(Serialize)]
struct Line<'a> {
    class: &'static str,
    file: &'a str,
    line: u32,
    text: Option<String>,
    old: Option<Old<'a>>,
    forward: bool,
    backward: bool,
}

#[derive(Serialize)]
struct Old<'a> {
    file: &'a str,
    line: u32,
    text: Option<String>,
}

#[derive(Serialize)]
struct Check<'a> {
    kind: &'static str,
    file: &'a str,
    line: u32,
    function: &'a str,
    influenced: bool,
}

/// The report; `version` is that of the tool.
pub fn render(comparison: &Comparison, version: &str, sources: &mut Sources) -> String {
    let line = |sources: &mut Sources, line: &ComparedLine| {
        let text = quoted(sources, &line.place);
        (text, line.old.as_ref().and_then(|place: &Place| quoted(sources, place)))
    };
    let mut functions = Vec::new();
    for function in &comparison.functions {
        let mut lines = Vec::new();
        for compared in &function.lines {
            let (text, old_text) = line(sources, compared);
            lines.push(Line {
                class: word(compared.change),
                file: &compared.place.file,
                line: compared.place.line,
                text,
                old: compared.old.as_ref().map(|place| Old {
                    file: &place.file,
                    line: place.line,
                    text: old_text,
                }),
                forward: compared.forward,
                backward: compared.backward,
            });
        }
        functions.push(Function {
            name: &function.name,
            class: word(function.change),
            threads: &function.threads,
            lines,
        });
    }
    let globals = comparison.globals.iter().map(|global| Global {
        name: &global.name,
        class: word(global.change),
        file: &global.place.file,
        line: global.place.line,
    });
    let checks = comparison.checks.iter().map(|check| Check {
        kind: check.kind,
        file: &check.place.file,
        line: check.place.line,
        function: &check.place.function,
        influenced: check.influenced,
    });
    let report = Report {
        schema: SCHEMA,
        tool: "selvedge",
        version,
        same: comparison.is_same,
        everything: comparison.everything.as_deref(),
        addresses_differ: comparison.addresses_differ,
        instructions: comparison.instructions,
        impacted: comparison.impacted,
        globals: globals.collect(),
        functions,
        checks: checks.collect(),
        properties: &comparison.properties,
    };
    let mut text = serde_json::to_string_pretty(&report).expect("plain data");
    text.push('\n');
    text
}
