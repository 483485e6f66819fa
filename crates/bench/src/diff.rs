//! Two results of one table side by side: what became better or worse.
//!
//! Guarantees: counts are compared exactly, times only as ratios; a cell that is in one of the files only is named.
//! Relies on times having been measured on one machine; the files do not say.

use std::fmt::Write as _;

use crate::{Cell, Raw, Status};

/// The comparison.
#[derive(Clone, PartialEq, Debug)]
pub struct Diff {
    /// A Markdown table of all cells that differ, with a summary.
    pub text: String,
    /// Cells that got worse: solved before and not now, or with a higher count of a metric that should be low.
    pub n_worse: usize,
}

/// Compares `new` with `old`. Times are shown where they differ by more than the factor `noise`; a count in
/// `metrics` that grew is worse.
pub fn diff(old: &Raw, new: &Raw, metrics: &[String], noise: f64) -> Diff {
    let mut rows = Vec::new();
    let (mut n_worse, mut n_same, mut logs) = (0, 0, Vec::new());
    for before in &old.cells {
        let name = format!("{}, {}", before.program, before.column);
        let Some(after) = find(new, before) else {
            rows.push([name, "measured".into(), String::new(), "missing".into()]);
            continue;
        };
        let mut notes = Vec::new();
        let (status, new_status) = (before.status(), after.status());
        if status != new_status {
            let is_worse = status == Status::Ok;
            n_worse += usize::from(is_worse);
            notes.push([status.name(), new_status.name(), mark(is_worse).into()]);
        }
        let time = |cell: &Cell| cell.median(|r| Some(r.wall_s)).filter(|t| *t > 0.0);
        if let (Some(before), Some(after)) = (time(before), time(after)) {
            let ratio = after / before;
            logs.push(ratio.ln());
            if ratio > noise || ratio < 1.0 / noise {
                notes.push([format!("{before:.3} s"), format!("{after:.3} s"), format!("{ratio:.2}x")]);
            }
        }
        for (i, metric) in old.metrics.iter().enumerate() {
            let Some(j) = new.metrics.iter().position(|m| m == metric) else { continue };
            let was = before.median(|r| r.metrics[i]);
            let is = after.median(|r| r.metrics[j]);
            if let (Some(was), Some(is)) = (was, is)
                && was != is
                && metrics.contains(metric)
            {
                let is_worse = is > was;
                n_worse += usize::from(is_worse);
                notes.push([format!("{was} {metric}"), format!("{is} {metric}"), mark(is_worse).into()]);
            }
        }
        n_same += usize::from(notes.is_empty());
        rows.extend(notes.into_iter().map(|[was, is, change]| [name.clone(), was, is, change]));
    }
    for cell in new.cells.iter().filter(|cell| find(old, cell).is_none()) {
        let name = format!("{}, {}", cell.program, cell.column);
        rows.push([name, String::new(), "measured".into(), "new".into()]);
    }
    let mut text = format!("# {}: {} and {}\n\n", old.table, old.commit, new.commit);
    if !rows.is_empty() {
        text.push_str("| cell | old | new | change |\n| --- | ---: | ---: | --- |\n");
        for row in &rows {
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        text.push('\n');
    }
    let mean = match logs.len() {
        0 => String::new(),
        n => format!(
            "; times changed by a factor of {:.2} (geometric mean)",
            (logs.iter().sum::<f64>() / n as f64).exp()
        ),
    };
    let _ = writeln!(text, "{n_same} cells the same, {n_worse} worse{mean}");
    Diff { text, n_worse }
}

fn find<'a>(raw: &'a Raw, cell: &Cell) -> Option<&'a Cell> {
    raw.cells.iter().find(|c| c.program == cell.program && c.column == cell.column)
}

fn mark(is_worse: bool) -> &'static str {
    if is_worse { "worse" } else { "better" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw::csv;
    use crate::sample::{cell, column, program, results, table};
    use expect_test::expect;

    fn raw(commit: &str, cells: Vec<Cell>) -> Raw {
        let table = table(vec![program("p"), program("q"), program("r")], vec![column("ag")]);
        let mut results = results(cells);
        results.machine.commit = commit.into();
        Raw::parse(&csv(&table, &results)).expect("our own file")
    }

    #[test]
    fn counts_are_compared_exactly_and_times_with_some_noise() {
        let mut more = cell("p", "ag", Status::Ok, &[1.05]);
        more.runs[0].metrics[0] = Some(12_345_679.0);
        let old = raw(
            "abc",
            vec![
                cell("p", "ag", Status::Ok, &[1.0]),
                cell("q", "ag", Status::Ok, &[1.0]),
                cell("r", "ag", Status::Ok, &[1.0]),
            ],
        );
        let new = raw(
            "def",
            vec![
                more,
                cell("q", "ag", Status::TimeLimit, &[60.0]),
                cell("r", "ag", Status::Ok, &[0.25]),
                cell("s", "ag", Status::Ok, &[1.0]),
            ],
        );
        let found = diff(&old, &new, &["runs".to_owned()], 1.2);
        assert_eq!(found.n_worse, 2);
        expect![[r#"
            # sample: abc and def

            | cell | old | new | change |
            | --- | ---: | ---: | --- |
            | p, ag | 12345678 runs | 12345679 runs | worse |
            | q, ag | ok | time limit | worse |
            | r, ag | 1.000 s | 0.250 s | 0.25x |
            | s, ag |  | measured | new |

            0 cells the same, 2 worse; times changed by a factor of 0.51 (geometric mean)
        "#]]
        .assert_eq(&found.text);
    }

    #[test]
    fn a_file_is_the_same_as_itself() {
        let one = raw(
            "abc",
            vec![cell("p", "ag", Status::Ok, &[1.0]), cell("q", "ag", Status::TimeLimit, &[60.0])],
        );
        let found = diff(&one, &one, &["runs".to_owned()], 1.1);
        assert_eq!(found.n_worse, 0);
        assert!(found.text.contains("2 cells the same, 0 worse"), "{}", found.text);
        let gone = diff(&one, &raw("abc", vec![]), &[], 1.1);
        assert!(gone.text.contains("missing"), "{}", gone.text);
    }
}
