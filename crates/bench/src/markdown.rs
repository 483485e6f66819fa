//! Results as a Markdown table.
//!
//! Guarantees: a cell that hit a limit shows `>limit` or its failure instead of numbers; ratios are relative to the baseline
//! of the same results; published figures stand beside the column they are compared with; a sum over runs that hit a
//! limit is marked as a lower bound.

use std::fmt::Write as _;

use crate::paper::{self, Figure};
use crate::{Cell, Column, Measured, Results, Status, Table};

/// The table with a heading, the machine and notes.
pub fn markdown(table: &Table, results: &Results) -> String {
    let machine = &results.machine;
    let mut out = format!("# {}\n\n", table.title);
    if !table.description.is_empty() {
        let _ = writeln!(out, "{}\n", table.description.trim());
    }
    let _ = writeln!(out, "- commit {}, {}", machine.commit, machine.date);
    let _ = writeln!(out, "- {}, {}, {}", machine.cpu, machine.memory, machine.kernel);
    let limits = &table.limits;
    let _ = writeln!(
        out,
        "- limits: {} s, {} MiB; {}",
        limits.time_s,
        limits.memory_mib,
        if results.repeat == 1 { "one run".to_owned() } else { format!("median of {} runs", results.repeat) }
    );
    for note in &results.notes {
        let _ = writeln!(out, "- {note}");
    }
    let columns: Vec<&Column> = table.columns.iter().filter(|c| results.ran(&c.name)).collect();
    let has_reference = table.programs.iter().any(|p| p.reference.is_some());

    let mut heading = vec!["program".to_owned()];
    for column in &columns {
        heading.push(format!("{}: {}", column.name, table.clock.name()));
        heading.push("MiB".to_owned());
        heading.extend(column.metrics.iter().map(|m| m.name.clone()));
        heading.extend(column.paper.iter().map(|f| f.name.clone()));
        if has_ratio(table, column, results) {
            heading.push("ratio".to_owned());
        }
    }
    if has_reference {
        heading.push("reference".to_owned());
    }
    let mut rows = vec![heading];
    for program in &table.programs {
        let cells: Vec<Option<&Cell>> =
            columns.iter().map(|c| results.cell(&program.name, &c.name)).collect();
        if cells.iter().all(Option::is_none) {
            continue;
        }
        let mut row = vec![program.name.clone()];
        for (column, cell) in columns.iter().zip(cells) {
            row.extend(cell_texts(table, column, cell));
            let figure = |f: &Figure| table.figure(program, &f.field).unwrap_or_default().to_owned();
            row.extend(column.paper.iter().map(figure));
            if has_ratio(table, column, results) {
                row.push(ratio(table, results, &program.name, column));
            }
        }
        if has_reference {
            row.push(program.reference.clone().unwrap_or_default());
        }
        rows.push(row);
    }
    if table.total {
        rows.push(total(table, results, &columns, rows[0].len()));
    }
    if table.solved {
        rows.push(solved(table, results, &columns, rows[0].len()));
    }
    out.push('\n');
    out.push_str(&aligned(&rows));
    for plot in &table.plots {
        let _ = write!(out, "\n![{}]({})\n", plot.title, plot.file_name(table));
    }
    out
}

/// Sums of times and of published figures over the rows that were run.
fn total(table: &Table, results: &Results, columns: &[&Column], width: usize) -> Vec<String> {
    let programs: Vec<_> =
        table.programs.iter().filter(|p| results.cells.iter().any(|c| c.program == p.name)).collect();
    let mut row = vec!["total".to_owned()];
    for column in columns {
        let (mut sum, mut is_bound) = (0.0, false);
        for program in &programs {
            let Some(cell) = results.cell(&program.name, &column.name) else { continue };
            is_bound |= cell.status() != Status::Ok;
            let time = |run: &Measured| table.clock.of(run);
            sum += cell.median(|r| Some(time(r))).or(cell.runs.last().map(time)).unwrap_or(0.0);
        }
        row.push(bounded(seconds(sum), is_bound));
        row.resize(row.len() + 1 + column.metrics.len(), String::new());
        for figure in &column.paper {
            let figures: Vec<&str> = programs.iter().filter_map(|p| table.figure(p, &figure.field)).collect();
            let values: Vec<(f64, bool)> = figures.into_iter().filter_map(paper::value).collect();
            if values.is_empty() {
                row.push(String::new());
                continue;
            }
            // A row without a figure has none because it did not finish.
            let is_bound = values.len() < programs.len() || values.iter().any(|(_, is_bound)| *is_bound);
            row.push(bounded(number(values.iter().map(|(v, _)| v).sum::<f64>()), is_bound));
        }
        if has_ratio(table, column, results) {
            row.push(String::new());
        }
    }
    row.resize(width, String::new());
    row
}

/// How many of the rows that were run each column solves.
fn solved(table: &Table, results: &Results, columns: &[&Column], width: usize) -> Vec<String> {
    let mut row = vec!["solved".to_owned()];
    for column in columns {
        let cells: Vec<&Cell> = results.cells.iter().filter(|c| c.column == column.name).collect();
        let n_solved = cells.iter().filter(|c| c.status() == Status::Ok).count();
        row.push(format!("{n_solved} of {}", cells.len()));
        let rest = 1 + column.metrics.len() + column.paper.len();
        row.resize(row.len() + rest + usize::from(has_ratio(table, column, results)), String::new());
    }
    row.resize(width, String::new());
    row
}

fn bounded(text: String, is_bound: bool) -> String {
    if is_bound { format!(">{text}") } else { text }
}

fn has_ratio(table: &Table, column: &Column, results: &Results) -> bool {
    table.baseline.as_ref().is_some_and(|b| *b != column.name && results.ran(b))
}

fn cell_texts(table: &Table, column: &Column, cell: Option<&Cell>) -> Vec<String> {
    let width = 2 + column.metrics.len();
    let Some(cell) = cell else { return vec![String::new(); width] };
    let mut texts = match cell.status() {
        Status::Ok => {
            let time = cell.median(|r| Some(table.clock.of(r))).map(seconds);
            let memory = cell.median(|r| Some(r.peak_rss_mib)).map(|m| format!("{m:.0}"));
            let mut texts = vec![time.unwrap_or_default(), memory.unwrap_or_default()];
            for i in 0..column.metrics.len() {
                texts.push(cell.median(|r| r.metrics[i]).map(number).unwrap_or_default());
            }
            texts
        }
        Status::TimeLimit => vec![format!(">{} s", table.time_limit(column))],
        Status::MemoryLimit => vec![String::new(), format!(">{}", table.limits.memory_mib)],
        Status::Failed(how) => vec![how],
    };
    texts.resize(width, String::new());
    texts
}

/// Time relative to the baseline: above 1 is slower. A limit gives a lower bound.
fn ratio(table: &Table, results: &Results, program: &str, column: &Column) -> String {
    let time =
        |column: &str| results.cell(program, column).and_then(|c| c.median(|r| Some(table.clock.of(r))));
    let Some(base) = table.baseline.as_ref().and_then(|b| time(b)).filter(|t| *t > 0.0) else {
        return String::new();
    };
    match (time(&column.name), results.cell(program, &column.name).map(Cell::status)) {
        (Some(own), _) => format!("{:.2}x", own / base),
        (None, Some(Status::TimeLimit)) => format!(">{:.1}x", table.time_limit(column) / base),
        _ => String::new(),
    }
}

fn seconds(t: f64) -> String {
    if t < 10.0 { format!("{t:.3} s") } else { format!("{t:.1} s") }
}

fn number(n: f64) -> String {
    if n.fract() == 0.0 && n.abs() < 1e6 {
        return format!("{n:.0}");
    }
    match n.abs() {
        a if a >= 1e9 => format!("{:.2}G", n / 1e9),
        a if a >= 1e6 => format!("{:.2}M", n / 1e6),
        a if a >= 1e4 => format!("{:.1}k", n / 1e3),
        _ => format!("{n:.2}"),
    }
}

/// A Markdown table whose columns also line up as text.
fn aligned(rows: &[Vec<String>]) -> String {
    let escaped: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| cell.replace('|', "\\|")).collect()).collect();
    let columns = escaped.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|i| escaped.iter().map(|row| row[i].chars().count()).max().unwrap_or(0).max(3))
        .collect();
    let mut out = String::new();
    for (number, row) in escaped.iter().enumerate() {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(
                |(i, (cell, width))| {
                    if i == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                },
            )
            .collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
        if number == 0 {
            let rule: Vec<String> = widths
                .iter()
                .enumerate()
                .map(|(i, w)| if i == 0 { "-".repeat(*w) } else { format!("{}:", "-".repeat(w - 1)) })
                .collect();
            let _ = writeln!(out, "| {} |", rule.join(" | "));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::sample;
    use expect_test::expect;

    #[test]
    fn limits_never_show_a_number() {
        let (table, results) = sample();
        expect![[r#"
            # A sample

            What it shows.

            - commit abc, 2026-01-31
            - CPU, 2 cores, 8.0 GiB, Linux 6
            - limits: 60 s, 1024 MiB; median of 3 runs
            - klee: skipped, `klee` is not on the PATH

            | program | all on: time | MiB |   runs | all off: time | MiB |   runs |  ratio | reference |
            | ------- | -----------: | --: | -----: | ------------: | --: | -----: | -----: | --------: |
            | sort, 6 |      0.500 s |  30 | 12.35M |        12.2 s |  30 | 12.35M | 24.50x |       720 |
            | a\|b    |      2.000 s |  30 | 12.35M |         >60 s |     |        | >30.0x |           |
        "#]]
        .assert_eq(&markdown(&table, &results));
    }

    #[test]
    fn what_each_column_solves_is_counted() {
        let (mut table, results) = sample();
        table.solved = true;
        let text = markdown(&table, &results);
        let last: Vec<&str> = text.lines().last().expect("a row").split('|').map(str::trim).collect();
        assert_eq!(last, ["", "solved", "2 of 2", "", "", "1 of 2", "", "", "", "", ""]);
    }

    #[test]
    fn failures_and_memory_limits_are_named() {
        let (table, mut results) = sample();
        results.cells[1].runs[0].status = Status::MemoryLimit;
        results.cells[3].runs[0].status = Status::Failed("signal 11".into());
        let text = markdown(&table, &results);
        assert!(text.contains(">1024") && text.contains("signal 11"), "{text}");
    }

    #[test]
    fn published_figures_stand_beside_ours_and_sums_below() {
        let (mut table, results) = sample();
        let dir = tempfile::tempdir().expect("temporary directory");
        let file = dir.path().join("paper.csv");
        std::fs::write(&file, "name,runs,s\n\"sort, 6\",10,1.5\nother,,>1800\n").expect("write");
        let mut paper = crate::Paper { file, sheet: crate::raw::Sheet::default() };
        paper.load(dir.path()).expect("figures");
        table.paper = Some(paper);
        table.programs[1].paper = Some("other".into());
        table.baseline = None;
        table.total = true;
        let figure = |name: &str, field: &str| Figure { name: name.into(), field: field.into() };
        table.columns[0].paper = vec![figure("paper runs", "runs"), figure("paper s", "s")];
        let text = markdown(&table, &results);
        let lines: Vec<&str> = text.lines().filter(|l| l.starts_with('|')).collect();
        expect![[r#"
            | program | all on: time | MiB |   runs | paper runs |  paper s | all off: time | MiB |   runs | reference |
            | ------- | -----------: | --: | -----: | ---------: | -------: | ------------: | --: | -----: | --------: |
            | sort, 6 |      0.500 s |  30 | 12.35M |         10 |      1.5 |        12.2 s |  30 | 12.35M |       720 |
            | a\|b    |      2.000 s |  30 | 12.35M |            |    >1800 |         >60 s |     |        |           |
            | total   |      2.500 s |     |        |        >10 | >1801.50 |       >72.2 s |     |        |           |
        "#]]
        .assert_eq(&(lines.join("\n") + "\n"));
        assert!(table.validate_figures().is_ok());
        table.columns[0].paper[0].field = "none".into();
        assert!(table.validate_figures().is_err_and(|e| e.contains("no field `none`")));
    }
}
