//! The report on functions for a person, with the verdict in the last line.

use std::fmt::Write as _;

use selvedge_engine::Verdict;

use super::{Unit, condition, end};
use crate::paint::{Paint, Role, counted, printable};
use crate::text::Detail;

/// Paths that are listed unless all is asked for.
const PATHS: usize = 40;
/// Longest condition that stands in front of its end, in one line.
const WIDTH: usize = 60;
/// Reasons that are listed.
const REASONS: usize = 8;

/// The report on one function.
pub fn text(unit: &Unit<'_>, detail: Detail, color: bool) -> String {
    let paint = Paint::new(color);
    let mut out = String::new();
    if detail > Detail::Quiet {
        let title = format!("{}({})", unit.function, unit.params.join(", "));
        let _ = writeln!(out, "{} in {}", paint.apply(Role::Heading, &title), printable(unit.file));
        paths(unit, detail, &mut out);
    }
    errors(unit, paint, &mut out);
    if detail > Detail::Quiet {
        let (taken, all) = unit.branches();
        if all > 0 {
            let _ = writeln!(out, "branches: {taken} of {all} taken ({} %)", percent((taken, all)));
        }
        assumptions(unit, detail, paint, &mut out);
        reasons(unit, detail, paint, &mut out);
    }
    let _ = writeln!(out, "{}", verdict(unit, paint));
    out
}

fn paths(unit: &Unit<'_>, detail: Detail, out: &mut String) {
    let tests = &unit.outcome.tests;
    let shown = if detail == Detail::Verbose { tests.len() } else { PATHS.min(tests.len()) };
    let width = tests[..shown].iter().map(|t| condition(t).chars().count()).filter(|n| *n <= WIDTH).max();
    let width = width.unwrap_or(0);
    for (i, test) in tests[..shown].iter().enumerate() {
        let (condition, end) = (printable(&condition(test)), printable(&end(unit, test)));
        if condition.chars().count() <= width {
            let _ = writeln!(out, "{:>4}  {condition:width$}  {end}", i + 1);
        } else {
            let _ = writeln!(out, "{:>4}  {condition}\n      {:width$}  {end}", i + 1, "");
        }
    }
    if shown < tests.len() {
        let _ = writeln!(
            out,
            "      ... and {} (-v lists them)",
            counted((tests.len() - shown) as u64, "more path")
        );
    }
    let _ = writeln!(out);
}

fn errors(unit: &Unit<'_>, paint: Paint, out: &mut String) {
    for (i, bug) in unit.outcome.bugs.iter().enumerate() {
        let is_certain = unit.is_certain(i);
        let kind = if is_certain { String::new() } else { ", under-constrained".to_owned() };
        let headline = format!("error[{}{kind}]: ", bug.kind.name());
        let _ = writeln!(out, "{}{}", paint.apply(Role::Error, &headline), printable(&bug.message));
        let _ = writeln!(out, "  --> {}:{}", printable(&bug.location.file), bug.location.line);
        if let Some(test) = unit.failing(i).next().filter(|_| !is_certain) {
            let _ = writeln!(out, "  if {}", printable(&condition(test)));
        }
        if is_certain {
            let _ = writeln!(out, "  whatever the arguments are");
        }
        let excluding = unit.excluding(i);
        if !excluding.is_empty() && !is_certain {
            let _ =
                writeln!(out, "  not if the caller sees to it that {}", printable(&excluding.join(" && ")));
        }
        let _ = writeln!(out);
    }
}

fn assumptions(unit: &Unit<'_>, detail: Detail, paint: Paint, out: &mut String) {
    let assumptions = &unit.outcome.assumptions;
    if assumptions.is_empty() {
        return;
    }
    if detail < Detail::Verbose {
        let ids: Vec<&str> = assumptions.iter().map(|assumption| assumption.id).collect();
        let _ = writeln!(out, "assumed: {} (-v says what)", ids.join(", "));
        return;
    }
    let _ = writeln!(out, "{}", paint.apply(Role::Heading, "assumed:"));
    for assumption in assumptions {
        let _ = writeln!(out, "  - {} [{}]", assumption.text, assumption.id);
    }
}

fn reasons(unit: &Unit<'_>, detail: Detail, paint: Paint, out: &mut String) {
    let reasons = &unit.outcome.reasons;
    if reasons.is_empty() {
        return;
    }
    let shown = if detail == Detail::Verbose { reasons.len() } else { REASONS.min(reasons.len()) };
    let _ = writeln!(out, "{}", paint.apply(Role::Heading, "not explored:"));
    for reason in &reasons[..shown] {
        let _ = writeln!(out, "  - {}", printable(reason));
    }
    if shown < reasons.len() {
        let _ = writeln!(out, "  - and {}", counted((reasons.len() - shown) as u64, "more reason"));
    }
}

fn verdict(unit: &Unit<'_>, paint: Paint) -> String {
    let outcome = unit.outcome;
    let paths = counted(outcome.tests.len() as u64, "path");
    let time = format!("{:.2} s", outcome.time_s);
    match outcome.verdict {
        Verdict::Safe => {
            let bounds = if outcome.bounded { "within the given bounds: " } else { "" };
            let assuming = assuming(unit);
            format!("{}  {bounds}{paths} in {time}{assuming}", paint.apply(Role::Good, "SAFE"))
        }
        Verdict::Unsafe => {
            let certain = (0..outcome.bugs.len()).filter(|bug| unit.is_certain(*bug)).count();
            let errors = counted(outcome.bugs.len() as u64, "error");
            let how = match certain {
                0 => " under-constrained: callers may never pass such arguments".to_owned(),
                n if n == outcome.bugs.len() => " whatever the arguments are".to_owned(),
                n => format!(", {n} of them whatever the arguments are"),
            };
            format!("{}  {errors}{how}; {paths} in {time}", paint.apply(Role::Error, "UNSAFE"))
        }
        Verdict::Unknown => {
            let why = outcome.reasons.first().map_or("nothing is known", String::as_str);
            let unknown = paint.apply(Role::Warning, "UNKNOWN");
            format!("{unknown}  because {}; {paths} in {time}", printable(why))
        }
    }
}

/// All that the verdict relies on, in words.
fn assuming(unit: &Unit<'_>) -> String {
    let texts: Vec<&str> = unit.outcome.assumptions.iter().map(|assumption| &*assumption.text).collect();
    if texts.is_empty() { String::new() } else { format!(", assuming: {}", texts.join("; ")) }
}

/// A function in a table.
#[derive(Clone, Debug)]
pub struct Row {
    function: String,
    paths: usize,
    errors: usize,
    branches: (u64, u64),
    time_s: f64,
    verdict: Verdict,
    why: String,
}

/// The row of a function.
pub fn row(unit: &Unit<'_>) -> Row {
    let outcome = unit.outcome;
    let why = match outcome.verdict {
        Verdict::Unknown => outcome.reasons.first().map_or(String::new(), |why| format!(": {why}")),
        Verdict::Safe if outcome.bounded => " within the given bounds".to_owned(),
        _ => String::new(),
    };
    Row {
        function: unit.function.to_owned(),
        paths: outcome.tests.len(),
        errors: outcome.bugs.len(),
        branches: unit.branches(),
        time_s: outcome.time_s,
        verdict: outcome.verdict,
        why,
    }
}

fn percent((taken, all): (u64, u64)) -> u64 {
    (100 * taken).checked_div(all).unwrap_or(100)
}

/// The table of several functions, and of those that could not be called, with the worst verdict in the last line.
pub fn table(rows: &[Row], failed: &[(String, String)], color: bool) -> String {
    let paint = Paint::new(color);
    let mut out = String::new();
    let names = rows.iter().map(|row| row.function.len()).chain(failed.iter().map(|(name, _)| name.len()));
    let width = names.max().unwrap_or(0).max(8);
    let _ = writeln!(
        out,
        "{:width$}  {:>6}  {:>6}  {:>12}  {:>8}  verdict",
        "function", "paths", "errors", "branches", "time"
    );
    for row in rows {
        let branches = match row.branches {
            (_, 0) => "none".to_owned(),
            (taken, all) => format!("{taken}/{all} {:>3} %", percent((taken, all))),
        };
        let verdict = match row.verdict {
            Verdict::Safe => paint.apply(Role::Good, "safe"),
            Verdict::Unsafe => paint.apply(Role::Error, "unsafe"),
            Verdict::Unknown => paint.apply(Role::Warning, "unknown"),
        };
        let Row { function, paths, errors, time_s, .. } = row;
        let why = printable(&row.why);
        let _ = writeln!(
            out,
            "{function:width$}  {paths:>6}  {errors:>6}  {branches:>12}  {time_s:>6.2} s  {verdict}{why}"
        );
    }
    for (name, why) in failed {
        let verdict = paint.apply(Role::Warning, "unknown");
        let (no, why) = ("-", printable(why));
        let _ = writeln!(out, "{name:width$}  {no:>6}  {no:>6}  {no:>12}  {no:>8}  {verdict}: {why}");
    }
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let (bad, unknown) = (count(Verdict::Unsafe), count(Verdict::Unknown) + failed.len());
    let (taken, all) = rows.iter().fold((0, 0), |sum, row| (sum.0 + row.branches.0, sum.1 + row.branches.1));
    let functions = counted((rows.len() + failed.len()) as u64, "function");
    let verdict = match (bad, unknown) {
        (0, 0) => paint.apply(Role::Good, "SAFE"),
        (0, _) => paint.apply(Role::Warning, "UNKNOWN"),
        _ => paint.apply(Role::Error, "UNSAFE"),
    };
    let covered = percent((taken, all));
    let _ = writeln!(
        out,
        "\n{verdict}  {functions}: {bad} with errors, {unknown} unknown; {taken} of {all} branches taken ({covered} %)"
    );
    out
}
