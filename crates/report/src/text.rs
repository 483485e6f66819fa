//! The report for a person: each bug as a story, then what the search did, and the verdict in the last line.
//!
//! Guarantees: the last line begins with `SAFE`, `UNSAFE` or `UNKNOWN` and agrees with the outcome; a bounded
//! `SAFE` names its bounds and an `UNKNOWN` its first reason in that line. Readable without colour.

use std::fmt::Write as _;

use annotate_snippets::Level;
use selvedge_base::{Diagnostic, Mark, Note, Severity};
use selvedge_engine::{Assumption, Bug, FileRole, Input, InputKind, Outcome, PEER, Place, Verdict};

use crate::paint::{Paint, Role, c_string, counted, printable, shortened};
use crate::snippet::{Message, Span};
use crate::{Sources, coverage, reuse, snippet, steps};

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Detail {
    /// Headlines and the verdict.
    Quiet,
    /// What explains a bug.
    #[default]
    Normal,
    /// Everything, unabridged.
    Verbose,
}

/// What the user chose about the report.
#[derive(Clone, Debug)]
pub struct TextOptions {
    /// Write ANSI colours. Default is false.
    pub color: bool,
    /// How much is shown. Default is normal.
    pub detail: Detail,
    /// Show the table of all counters. Default is false.
    pub stats: bool,
    /// Show line coverage by file. Default is false.
    pub coverage: bool,
    /// Columns of the terminal. Default is 100.
    pub width: usize,
    /// The replay files that were written, one for each bug in order. Default is none.
    pub replay_files: Vec<String>,
    /// The bounds that the user set, as flags: `--unwind 3`. Default is none.
    pub bounds: Vec<String>,
    /// The user wants to know all bugs. Default is false.
    pub all_bugs: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions {
            color: false,
            detail: Detail::Normal,
            stats: false,
            coverage: false,
            width: 100,
            replay_files: Vec::new(),
            bounds: Vec::new(),
            all_bugs: false,
        }
    }
}

/// Reasons of an `unknown` that are listed unless all is asked for.
const MAX_REASONS: usize = 20;
/// Lines of the program's output shown with a bug.
const OUTPUT_LINES: usize = 10;
/// Longest value or output line shown unless all is asked for.
const MAX_VALUE: usize = 160;
/// A width that no line reaches.
const VERY_WIDE: usize = u32::MAX as usize;
/// A quoted source line is not cut shorter than this, however narrow the terminal.
const MIN_LINE: usize = 100;

/// The whole report.
pub fn render(outcome: &Outcome, sources: &mut Sources, options: &TextOptions) -> String {
    let paint = Paint::new(options.color);
    let mut out = String::new();
    for (index, bug) in outcome.bugs.iter().enumerate() {
        render_bug(bug, options.replay_files.get(index), sources, options, &mut out);
        out.push('\n');
    }
    for warning in &outcome.warnings {
        let _ = writeln!(out, "{}: {}", paint.apply(Role::Warning, "warning"), printable(warning));
    }
    if options.detail > Detail::Quiet && outcome.verdict == Verdict::Safe {
        out.push_str(&assumptions_list(&outcome.assumptions, options.detail, paint));
    }
    if options.detail > Detail::Quiet && outcome.reasons.len() > 1 {
        let heading = if outcome.verdict == Verdict::Unknown { "not explored" } else { "bounds reached" };
        let _ = writeln!(out, "{}", paint.apply(Role::Heading, &format!("{heading}:")));
        let most = if options.detail > Detail::Normal { usize::MAX } else { MAX_REASONS };
        for reason in outcome.reasons.iter().take(most) {
            let _ = writeln!(out, "  - {}", printable(reason));
        }
        if outcome.reasons.len() > most {
            let rest = counted((outcome.reasons.len() - most) as u64, "more reason");
            let _ = writeln!(out, "  - {rest} (--verbose lists all)");
        }
    }
    if let Some(reuse) = outcome.reuse.filter(|_| options.detail > Detail::Quiet) {
        reuse::lines(&reuse).iter().for_each(|line| {
            let _ = writeln!(out, "from before: {line}");
        });
    }
    // What was asked for by name is shown also by a quiet report.
    if options.coverage {
        out.push_str(&coverage::text(&outcome.coverage));
    }
    if options.stats {
        out.push_str(&stats_table(outcome));
    } else if options.detail > Detail::Quiet {
        let _ = writeln!(out, "{}", stats_line(outcome));
    }
    let _ = writeln!(out, "{}", verdict_line(outcome, options, paint));
    out
}

/// Places of an assumption that are shown unless all is asked for.
const ASSUMPTION_PLACES: usize = 3;

/// What the verdict takes for granted, one line each.
fn assumptions_list(assumptions: &[Assumption], detail: Detail, paint: Paint) -> String {
    let mut out = String::new();
    if assumptions.is_empty() {
        return out;
    }
    let _ = writeln!(out, "{}", paint.apply(Role::Heading, "assumed:"));
    for assumption in assumptions {
        let _ = write!(out, "  - {} [{}]", assumption.text, assumption.id);
        let shown = if detail == Detail::Verbose { usize::MAX } else { ASSUMPTION_PLACES };
        let places: Vec<String> = assumption.locations.iter().take(shown).map(snippet::place_name).collect();
        if !places.is_empty() {
            let more = if places.len() < assumption.locations.len() { ", ..." } else { "" };
            let _ = write!(out, " at {}{more}", printable(&places.join(", ")));
        }
        if assumption.hidden_lines > 0 {
            let lines = counted(assumption.hidden_lines, "line");
            let _ = write!(out, "; {lines} that can follow were never reached");
        }
        out.push('\n');
    }
    out
}

/// The assumptions in the last line: the first ones with where they were relied on first, and how many more there are.
fn assuming(assumptions: &[Assumption], detail: Detail) -> String {
    const SHOWN: usize = 3;
    if assumptions.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = assumptions
        .iter()
        .take(SHOWN)
        .map(|a| match a.locations.first() {
            Some(place) => format!("{} ({})", a.text, steps::short_place(place)),
            None => a.text.clone(),
        })
        .collect();
    let more = match assumptions.len().saturating_sub(SHOWN) {
        0 => String::new(),
        n if detail > Detail::Quiet => format!("; and {n} more, listed above"),
        n => format!("; and {n} more"),
    };
    format!(", assuming: {}{more}", shown.join("; "))
}

/// What a bug's headline says.
fn bug_title(bug: &Bug) -> String {
    let thread = if bug.thread == 0 { String::new() } else { format!(" (thread {})", bug.thread) };
    format!("{}{thread}", printable(&bug.message))
}

/// A bug with all its places. What threads did is numbered in the order in which it is told.
fn bug_message(bug: &Bug) -> Message<'_> {
    let mut spans = Vec::new();
    let mut notes = Vec::new();
    let mut number = 0;
    for label in &bug.labels {
        let text = match label.thread {
            None => printable(&label.text),
            Some(thread) => {
                number += 1;
                format!("({number}) thread {thread} {}", printable(&label.text))
            }
        };
        if !label.callers.is_empty() {
            let name =
                |place: &Place| format!("{} at {}", printable(&place.function), snippet::place_name(place));
            let callers: Vec<String> = label.callers.iter().map(name).collect();
            let function = printable(&label.place.function);
            notes.push((
                Level::NOTE,
                format!("({number}) {function} is called by {}", callers.join(", called by ")),
            ));
        }
        let is_primary = label.thread == Some(bug.thread) && is_same_place(&label.place, &bug.location);
        spans.push(Span { place: label.place.clone(), length: 0, label: text, is_primary });
    }
    if !spans.iter().any(|span| span.is_primary) {
        let function = printable(&bug.location.function);
        let label = if function.is_empty() { String::new() } else { format!("in function {function}") };
        spans.push(Span { place: bug.location.clone(), length: 0, label, is_primary: true });
    }
    notes.extend(bug.assumptions.iter().map(|assumption| {
        let at =
            assumption.locations.first().map_or(String::new(), |at| format!(" ({})", steps::short_place(at)));
        let text = format!("{} [{}]{}", assumption.text, assumption.id, printable(&at));
        (Level::NOTE.with_name("assuming"), text)
    }));
    Message { level: Level::ERROR, id: Some(bug.kind.name()), title: bug_title(bug), spans, notes }
}

fn is_same_place(a: &Place, b: &Place) -> bool {
    (&a.dir, &a.file, a.line, a.column) == (&b.dir, &b.file, b.line, b.column)
}

/// One bug, without the blank line after it.
fn render_bug(
    bug: &Bug,
    replay_file: Option<&String>,
    sources: &mut Sources,
    options: &TextOptions,
    out: &mut String,
) {
    let paint = Paint::new(options.color);
    let max_line = if options.detail == Detail::Verbose { VERY_WIDE } else { options.width.max(MIN_LINE) };
    let renderer = snippet::renderer(options.color, max_line);
    if options.detail == Detail::Quiet {
        // The place is named and not quoted.
        out.push_str(&snippet::headline(&bug_title(bug), bug.kind.name(), &bug.location, &renderer));
        return;
    }
    out.push_str(&snippet::render(&bug_message(bug), sources, &renderer));
    let max_value = if options.detail == Detail::Verbose { usize::MAX } else { MAX_VALUE };
    let mut heading = |out: &mut String, text: &str| {
        let _ = writeln!(out, "\n  {}", paint.apply(Role::Heading, text));
    };
    if !bug.inputs.is_empty() {
        heading(out, "inputs");
        out.push_str(&inputs_table(&bug.inputs, max_value));
    }
    if !bug.stack.is_empty() {
        heading(out, "call stack");
        for (depth, frame) in bug.stack.iter().enumerate() {
            let place = snippet::place_name(&frame.place);
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            let _ = writeln!(out, "    {depth:>2}  {}{at}", printable(&frame.place.function));
            for (name, value) in &frame.values {
                let value = shortened(&printable(value), max_value);
                let _ = writeln!(out, "          {} = {value}", printable(name));
            }
        }
    }
    if !bug.schedule.is_empty() {
        heading(out, "steps");
        let all = options.detail == Detail::Verbose;
        out.push_str(&steps::render(&bug.schedule, sources, all, options.width, paint));
    }
    if !bug.stdout.is_empty() {
        output_tail(&bug.stdout, options.detail, max_value, &mut heading, out);
    }
    out.push('\n');
    match replay_file {
        Some(file) => {
            let _ = writeln!(out, "  replay: selvedge replay {}", shell_word(file));
        }
        None => {
            let _ = writeln!(
                out,
                "  replay: run again with --out DIR to keep this execution for `selvedge replay`"
            );
        }
    }
}

/// Name, type and value of each input. Bytes of standard input make one row; arguments read as strings.
fn input_rows(inputs: &[Input], max_value: usize) -> Vec<[String; 3]> {
    let mut rows: Vec<[String; 3]> = Vec::new();
    let mut rest = inputs;
    while let Some(input) = rest.first() {
        rest = &rest[1..];
        let name = printable(&input.name);
        let (name, ty, value) = match &input.kind {
            InputKind::Stdin => {
                let group = inputs.iter().filter(|i| i.kind == InputKind::Stdin);
                if group.clone().next().is_some_and(|first| !std::ptr::eq(first, input)) {
                    continue;
                }
                let bytes: Vec<u8> = group.flat_map(|i| i.bytes.iter().copied()).collect();
                ("standard input".to_owned(), counted(bytes.len() as u64, "byte"), c_string(&bytes))
            }
            InputKind::Arg => (name, "argument".to_owned(), c_string(&input.bytes)),
            InputKind::Args => {
                (name, counted(input.arguments().len() as u64, "argument"), printable(&input.value))
            }
            InputKind::Variable => (name, "environment".to_owned(), printable(&input.value)),
            InputKind::Program => (name, printable(&input.ty), printable(&input.value)),
            InputKind::Environment => {
                (format!("{name} (environment)"), printable(&input.ty), printable(&input.value))
            }
            InputKind::File { name: file, role: FileRole::Content } => {
                let length = inputs.iter().find_map(|i| match &i.kind {
                    InputKind::File { name, role: FileRole::Length } if name == file => {
                        i.value.parse::<usize>().ok()
                    }
                    _ => None,
                });
                let length = length.unwrap_or(input.bytes.len()).min(input.bytes.len());
                let what = counted(length as u64, "byte");
                (named(file), what, c_string(&input.bytes[..length]))
            }
            // Its bytes say it.
            InputKind::File { name: file, role: FileRole::Length } if has_content(inputs, file) => continue,
            InputKind::File { .. } => (name, printable(&input.ty), printable(&input.value)),
            InputKind::Uninitialised => {
                (format!("{name} (uninitialised memory)"), printable(&input.ty), printable(&input.value))
            }
        };
        rows.push([name, ty, shortened(&value, max_value)]);
    }
    rows
}

/// A file, or a peer, for a person.
fn named(file: &str) -> String {
    match file.strip_prefix(PEER) {
        Some(number) => format!("peer {}", printable(number)),
        None => format!("file {}", printable(file)),
    }
}

/// Whether the bytes of a file are among the inputs.
fn has_content(inputs: &[Input], file: &str) -> bool {
    let is_content =
        |kind: &InputKind| matches!(kind, InputKind::File { name, role: FileRole::Content } if name == file);
    inputs.iter().any(|i| is_content(&i.kind))
}

fn inputs_table(inputs: &[Input], max_value: usize) -> String {
    let rows = input_rows(inputs, max_value);
    let width = |column: usize, title: &str| {
        rows.iter().map(|r| r[column].chars().count()).max().unwrap_or(0).max(title.len())
    };
    let (name_width, type_width) = (width(0, "name"), width(1, "type"));
    let mut out = format!("    {:<name_width$}  {:<type_width$}  value\n", "name", "type");
    for [name, ty, value] in &rows {
        out.push_str(format!("    {name:<name_width$}  {ty:<type_width$}  {value}").trim_end());
        out.push('\n');
    }
    out
}

fn output_tail(
    stdout: &[u8],
    detail: Detail,
    max_value: usize,
    heading: &mut impl FnMut(&mut String, &str),
    out: &mut String,
) {
    let text = String::from_utf8_lossy(stdout);
    let lines: Vec<&str> = text.lines().collect();
    let shown = if detail == Detail::Verbose { lines.len() } else { lines.len().min(OUTPUT_LINES) };
    let title = if shown < lines.len() {
        format!("output of the program (last {shown} of {} lines)", lines.len())
    } else {
        "output of the program".to_owned()
    };
    heading(out, &title);
    for line in &lines[lines.len() - shown..] {
        out.push_str(format!("    | {}", shortened(&printable(line), max_value)).trim_end());
        out.push('\n');
    }
}

/// `name` as one word of a POSIX shell command.
fn shell_word(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@%,".contains(c);
    if !name.is_empty() && name.chars().all(plain) {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', "'\\''"))
    }
}

fn executions_text(outcome: &Outcome) -> String {
    let e = &outcome.executions;
    let parts: Vec<String> = [
        (e.full, "full"),
        (e.pruned, "pruned"),
        (e.failed, "failed"),
        (e.cut, "cut"),
        (e.blocked, "blocked"),
    ]
    .iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, word)| format!("{count} {word}"))
    .collect();
    let detail = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
    format!("{}{detail}", counted(e.total, "execution"))
}

fn stats_line(outcome: &Outcome) -> String {
    if let Some(proof) = &outcome.proof {
        let parts = [
            counted(proof.states, "control state"),
            counted(proof.steps, "step"),
            counted(proof.levels, "level"),
            counted(outcome.instructions, "instruction"),
            format!("{} solver queries ({:.2} s)", outcome.solver.queries, outcome.solver.time_s),
            format!("{:.0} MiB", outcome.peak_rss_mib),
        ];
        return format!("stats: {}", parts.join(", "));
    }
    let mut parts = vec![
        executions_text(outcome),
        counted(outcome.states, "state"),
        counted(outcome.instructions, "instruction"),
        format!("{} solver queries ({:.2} s)", outcome.solver.queries, outcome.solver.time_s),
        format!("{:.0} MiB", outcome.peak_rss_mib),
    ];
    if let Some(share) = coverage::summary(&outcome.coverage) {
        parts.push(share);
    }
    format!("stats: {}", parts.join(", "))
}

/// Every counter, one a line.
fn stats_table(outcome: &Outcome) -> String {
    let e = &outcome.executions;
    let rows: Vec<(&str, String)> = vec![
        ("executions", e.total.to_string()),
        ("  full", e.full.to_string()),
        ("  pruned", e.pruned.to_string()),
        ("  failed", e.failed.to_string()),
        ("  cut", e.cut.to_string()),
        ("blocked", e.blocked.to_string()),
        ("states", outcome.states.to_string()),
        ("instructions", outcome.instructions.to_string()),
        ("summaries", outcome.summaries.stored.to_string()),
        ("  nodes of formulas", outcome.summaries.nodes.to_string()),
        ("  dropped", outcome.summaries.dropped.to_string()),
        ("  states compared", outcome.summaries.checks.to_string()),
        ("  by the solver", outcome.summaries.solver_checks.to_string()),
        ("  recognised", outcome.summaries.hits.to_string()),
        ("solver queries", outcome.solver.queries.to_string()),
        ("  without a backend", outcome.solver.cache_hits.to_string()),
        ("solver time", format!("{:.3} s", outcome.solver.time_s)),
        ("front end", format!("{:.3} s", outcome.phases.frontend_s)),
        ("slicing", format!("{:.3} s", outcome.phases.slice_s)),
        ("search", format!("{:.3} s", outcome.phases.explore_s)),
        ("total time", format!("{:.3} s", outcome.time_s)),
        ("peak memory", format!("{:.1} MiB", outcome.peak_rss_mib)),
        ("tests", outcome.tests.len().to_string()),
        ("branches taken", format!("{} of {}", outcome.coverage.branches_taken, outcome.coverage.branches)),
    ];
    let mut out = "statistics:\n".to_owned();
    for (name, value) in rows {
        let _ = writeln!(out, "  {name:<22}{value:>14}");
    }
    out
}

/// The last line.
fn verdict_line(outcome: &Outcome, options: &TextOptions, paint: Paint) -> String {
    let bounds = &options.bounds;
    let is_listed = match options.detail {
        Detail::Quiet => false,
        Detail::Normal => outcome.reasons.len() <= MAX_REASONS,
        Detail::Verbose => true,
    };
    let listed = if is_listed { " listed above" } else { "" };
    let runs = match &outcome.proof {
        None => format!("{} in {:.2} s", counted(outcome.executions.total, "execution"), outcome.time_s),
        Some(proof) => format!("{} in {:.2} s", counted(proof.states, "control state"), outcome.time_s),
    };
    let reasons = match outcome.reasons.as_slice() {
        [] => String::new(),
        [one] => printable(one),
        [one, rest @ ..] => {
            format!("{} (and {}{listed})", printable(one), counted(rest.len() as u64, "more reason"))
        }
    };
    let assuming = assuming(&outcome.assumptions, options.detail);
    match outcome.verdict {
        Verdict::Safe if outcome.bounded => {
            let bounds = if bounds.is_empty() { "the bounds".to_owned() } else { bounds.join(", ") };
            let cut = if reasons.is_empty() { String::new() } else { format!(": {reasons}") };
            format!(
                "{}  no bug within {bounds}{cut}; {runs}{assuming}",
                paint.apply(Role::Good, "SAFE (bounded)")
            )
        }
        Verdict::Safe if let Some(proof) = &outcome.proof => format!(
            "{}  no execution of any length fails: an invariant with {} was checked; {runs}{assuming}",
            paint.apply(Role::Good, "SAFE"),
            counted(proof.predicates, "predicate"),
        ),
        Verdict::Safe => {
            format!("{}  everything was explored: {runs}{assuming}", paint.apply(Role::Good, "SAFE"))
        }
        Verdict::Unsafe => {
            let bugs = counted(outcome.bugs.len() as u64, "bug");
            let is_cut = options.all_bugs && !reasons.is_empty();
            let more = if is_cut { format!(", maybe more because {reasons}") } else { String::new() };
            format!("{}  {bugs}{more}: {runs}", paint.apply(Role::Error, "UNSAFE"))
        }
        Verdict::Unknown => {
            let why = if reasons.is_empty() { "no reason was recorded".to_owned() } else { reasons };
            format!("{}  because {why}; {runs}", paint.apply(Role::Warning, "UNKNOWN"))
        }
    }
}

/// A message about the input or the tool.
pub fn diagnostic(diagnostic: &Diagnostic, sources: &mut Sources, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let span = |(index, mark): (usize, &Mark)| Span {
        place: Place { file: mark.file.clone(), line: mark.line, column: mark.column, ..Place::default() },
        length: mark.length as usize,
        label: printable(&mark.label),
        is_primary: index == 0,
    };
    let note = |note: &Note| match note {
        Note::Info(text) => (Level::NOTE, lines_printable(text)),
        Note::Help(text) => (Level::HELP, lines_printable(text)),
    };
    let message = Message {
        level,
        id: None,
        title: lines_printable(&diagnostic.message),
        spans: diagnostic.marks.iter().enumerate().map(span).collect(),
        notes: diagnostic.notes.iter().map(note).collect(),
    };
    snippet::render(&message, sources, &snippet::renderer(color, VERY_WIDE))
}

/// Like [`printable`], but line breaks stay.
fn lines_printable(text: &str) -> String {
    text.trim_end().split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
