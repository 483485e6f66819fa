//! The comparison for a person.

use std::fmt::Write as _;

use selvedge_engine::{ComparedCheck, ComparedFunction, ComparedLine, Comparison, PartChange};

use super::{quoted, word};
use crate::Sources;
use crate::paint::{Paint, Role, counted, printable, shortened};
use crate::snippet::place_name;
use crate::text::{Detail, TextOptions};

/// The report.
pub fn render(comparison: &Comparison, options: &TextOptions, sources: &mut Sources) -> String {
    let paint = Paint::new(options.color);
    let mut out = String::new();
    if options.detail > Detail::Quiet && !comparison.is_same {
        globals(&mut out, comparison, paint);
        for function in &comparison.functions {
            lines(&mut out, function, options, sources, paint);
        }
        influenced(&mut out, comparison, options, sources, paint);
    }
    if comparison.addresses_differ {
        let note = paint.apply(Role::Heading, "note");
        let _ = writeln!(out, "{note}: variables or functions lie in another order; only addresses tell");
    }
    if let Some(why) = &comparison.everything {
        let note = paint.apply(Role::Heading, "note");
        let _ = writeln!(out, "{note}: everything counts as impacted: {}", printable(why));
    }
    out.push_str(&verdict(comparison, paint));
    out
}

fn globals(out: &mut String, comparison: &Comparison, paint: Paint) {
    for global in &comparison.globals {
        let place = place_name(&global.place);
        let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
        let name = paint.apply(Role::Heading, &printable(&global.name));
        let _ = writeln!(out, "variable {name}{at}: {}", word(global.change));
    }
}

fn lines(
    out: &mut String,
    function: &ComparedFunction,
    options: &TextOptions,
    sources: &mut Sources,
    paint: Paint,
) {
    let name = paint.apply(Role::Heading, &printable(&function.name));
    let threads = match &function.threads[..] {
        [] => String::new(),
        threads => format!(" (threads: {})", printable(&threads.join(", "))),
    };
    let change = if function.change == PartChange::Same { "impacted" } else { word(function.change) };
    let _ = writeln!(out, "function {name}{threads}: {change}");
    let width = function.lines.iter().map(|l| place_name(&l.place).chars().count()).max().unwrap_or(0);
    for line in &function.lines {
        let text = quoted(sources, &line.place).unwrap_or_default();
        let old = line.old.as_ref().map(|place| (place, quoted(sources, place).unwrap_or_default()));
        if let Some((place, old_text)) = old.filter(|(_, old)| *old != text) {
            one(out, '-', line, &place_name(place), &old_text, width, options, paint);
            one(out, '+', line, &place_name(&line.place), &text, width, options, paint);
        } else {
            let sign = match line.change {
                PartChange::Same => ' ',
                PartChange::Modified => '~',
                PartChange::Added => '+',
                PartChange::Deleted => '-',
            };
            one(out, sign, line, &place_name(&line.place), &text, width, options, paint);
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "one line of a table")]
fn one(
    out: &mut String,
    sign: char,
    line: &ComparedLine,
    place: &str,
    text: &str,
    width: usize,
    options: &TextOptions,
    paint: Paint,
) {
    let impact = match (line.backward, line.forward) {
        (true, true) => "<>",
        (true, false) => "< ",
        (false, true) => " >",
        (false, false) => "  ",
    };
    let text = shortened(&printable(text), options.width.saturating_sub(width + 8).max(20));
    let shown = format!("{sign} {impact} {place:width$}  {text}");
    let shown = match sign {
        '+' => paint.apply(Role::Good, &shown),
        '-' => paint.apply(Role::Error, &shown),
        '~' => paint.apply(Role::Warning, &shown),
        _ => shown,
    };
    let _ = writeln!(out, "  {}", shown.trim_end());
}

/// What can fail differently.
fn influenced(
    out: &mut String,
    comparison: &Comparison,
    options: &TextOptions,
    sources: &mut Sources,
    paint: Paint,
) {
    for (kind, name) in [
        ("assertion", "assertion"),
        ("access", "access to memory"),
        ("arithmetic", "arithmetic operation"),
        ("call", "call"),
        ("other", "other step"),
    ] {
        let all: Vec<&ComparedCheck> = comparison.checks.iter().filter(|c| c.kind == kind).collect();
        let hit: Vec<&&ComparedCheck> = all.iter().filter(|c| c.influenced).collect();
        if all.is_empty() {
            continue;
        }
        let _ = writeln!(
            out,
            "{} of {} places where an {name} can fail: can be influenced",
            hit.len(),
            all.len()
        );
        if kind == "assertion" || options.detail == Detail::Verbose {
            for check in hit {
                let text = quoted(sources, &check.place).unwrap_or_default();
                let text = shortened(&printable(text.trim()), options.width.saturating_sub(30).max(20));
                let _ = writeln!(out, "  {}  {text}", place_name(&check.place));
            }
        }
    }
    if !comparison.properties.is_empty() {
        let names = paint.apply(Role::Heading, &comparison.properties.join(", "));
        let _ = writeln!(out, "properties of the whole program that can be influenced: {names}");
    }
}

fn verdict(comparison: &Comparison, paint: Paint) -> String {
    if comparison.is_same {
        return format!("{}  nothing that is executed differs\n", paint.apply(Role::Good, "SAME"));
    }
    let all = || comparison.functions.iter().flat_map(|f| &f.lines);
    let count = |change| all().filter(|line| line.change == change).count() as u64;
    let modified = counted(count(PartChange::Modified), "line");
    let [added, deleted] = [PartChange::Added, PartChange::Deleted].map(count);
    let percent = (100 * comparison.impacted).div_ceil(comparison.instructions.max(1));
    format!(
        "{}  {modified} modified, {added} added, {deleted} deleted; {percent} % of the code can be influenced\n",
        paint.apply(Role::Warning, "DIFFERENT")
    )
}
