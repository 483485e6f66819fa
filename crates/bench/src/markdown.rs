//! Results as a Markdown table and as raw CSV.
//!
//! Guarantees: a cell that hit a limit shows `>limit` or its failure instead of numbers; ratios are relative to the baseline
//! of the same results; every run of every cell is in the CSV.

use std::fmt::Write as _;

use crate::{Cell, Column, Results, Status, Table};

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
        heading.push(format!("{}: time", column.name));
        heading.push("MiB".to_owned());
        heading.extend(column.metrics.iter().map(|m| m.name.clone()));
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
            if has_ratio(table, column, results) {
                row.push(ratio(table, results, &program.name, column));
            }
        }
        if has_reference {
            row.push(program.reference.clone().unwrap_or_default());
        }
        rows.push(row);
    }
    out.push('\n');
    out.push_str(&aligned(&rows));
    out
}

fn has_ratio(table: &Table, column: &Column, results: &Results) -> bool {
    table.baseline.as_ref().is_some_and(|b| *b != column.name && results.ran(b))
}

fn cell_texts(table: &Table, column: &Column, cell: Option<&Cell>) -> Vec<String> {
    let width = 2 + column.metrics.len();
    let Some(cell) = cell else { return vec![String::new(); width] };
    let mut texts = match cell.status() {
        Status::Ok => {
            let time = cell.median(|r| Some(r.wall_s)).map(seconds);
            let memory = cell.median(|r| Some(r.peak_rss_mib)).map(|m| format!("{m:.0}"));
            let mut texts = vec![time.unwrap_or_default(), memory.unwrap_or_default()];
            for i in 0..column.metrics.len() {
                texts.push(cell.median(|r| r.metrics[i]).map(number).unwrap_or_default());
            }
            texts
        }
        Status::TimeLimit => vec![format!(">{} s", table.limits.time_s)],
        Status::MemoryLimit => vec![String::new(), format!(">{}", table.limits.memory_mib)],
        Status::Failed(how) => vec![how],
    };
    texts.resize(width, String::new());
    texts
}

/// Time relative to the baseline: above 1 is slower. A limit gives a lower bound.
fn ratio(table: &Table, results: &Results, program: &str, column: &Column) -> String {
    let time = |column: &str| results.cell(program, column).and_then(|c| c.median(|r| Some(r.wall_s)));
    let Some(base) = table.baseline.as_ref().and_then(|b| time(b)).filter(|t| *t > 0.0) else {
        return String::new();
    };
    match (time(&column.name), results.cell(program, &column.name).map(Cell::status)) {
        (Some(own), _) => format!("{:.2}x", own / base),
        (None, Some(Status::TimeLimit)) => format!(">{:.1}x", table.limits.time_s / base),
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

/// Every run, one a line.
pub fn csv(table: &Table, results: &Results) -> String {
    let mut names: Vec<&str> = Vec::new();
    for metric in table.columns.iter().flat_map(|c| &c.metrics) {
        if !names.contains(&metric.name.as_str()) {
            names.push(&metric.name);
        }
    }
    let mut out = String::from("table,program,column,run,status,wall_s,cpu_s,peak_rss_mib");
    for name in &names {
        let _ = write!(out, ",{}", field(name));
    }
    out.push('\n');
    for cell in &results.cells {
        let column = table.columns.iter().find(|c| c.name == cell.column);
        for (i, run) in cell.runs.iter().enumerate() {
            let _ = write!(
                out,
                "{},{},{},{},{},{:.6},{:.6},{:.3}",
                field(&table.name),
                field(&cell.program),
                field(&cell.column),
                i + 1,
                field(&run.status.name()),
                run.wall_s,
                run.cpu_s,
                run.peak_rss_mib
            );
            for name in &names {
                let at = column.and_then(|c| c.metrics.iter().position(|m| m.name == *name));
                let value = at.and_then(|at| run.metrics.get(at).copied().flatten());
                let _ = write!(out, ",{}", value.map(|v| v.to_string()).unwrap_or_default());
            }
            out.push('\n');
        }
    }
    out
}

/// A CSV field, quoted if it must be.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Machine, Measured, Metric, Program};
    use expect_test::expect;

    fn sample() -> (Table, Results) {
        let program = |name: &str, reference: Option<&str>| Program {
            name: name.into(),
            files: vec![],
            clang_args: vec![],
            args: vec![],
            expect: None,
            reference: reference.map(str::to_owned),
        };
        let column = |name: &str| Column {
            name: name.into(),
            command: vec![],
            prepare: vec![],
            needs: None,
            ok_exits: vec![0],
            metrics: vec![Metric { name: "runs".into(), json: Some("/n".into()), per: None, after: None }],
        };
        let table = Table {
            name: "sample".into(),
            title: "A sample".into(),
            description: "What it shows.".into(),
            repeat: 3,
            baseline: Some("all on".into()),
            limits: Limits { time_s: 60.0, memory_mib: 1024 },
            programs: vec![program("sort, 6", Some("720")), program("a|b", None), program("left out", None)],
            columns: vec![column("all on"), column("all off"), column("klee")],
        };
        let cell = |program: &str, column: &str, status: Status, times: &[f64]| Cell {
            program: program.into(),
            column: column.into(),
            runs: times
                .iter()
                .map(|t| Measured {
                    status: status.clone(),
                    wall_s: *t,
                    cpu_s: *t,
                    peak_rss_mib: 30.4,
                    metrics: vec![Some(12_345_678.0)],
                })
                .collect(),
        };
        let results = Results {
            machine: Machine {
                cpu: "CPU, 2 cores".into(),
                memory: "8.0 GiB".into(),
                kernel: "Linux 6".into(),
                host: "host".into(),
                commit: "abc".into(),
                date: "2026-01-31".into(),
            },
            repeat: 3,
            cells: vec![
                cell("sort, 6", "all on", Status::Ok, &[0.5, 0.4, 0.6]),
                cell("sort, 6", "all off", Status::Ok, &[12.25, 12.0, 13.0]),
                cell("a|b", "all on", Status::Ok, &[2.0]),
                cell("a|b", "all off", Status::TimeLimit, &[60.0]),
            ],
            notes: vec!["klee: skipped, `klee` is not on the PATH".into()],
        };
        (table, results)
    }

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
    fn failures_and_memory_limits_are_named() {
        let (table, mut results) = sample();
        results.cells[1].runs[0].status = Status::MemoryLimit;
        results.cells[3].runs[0].status = Status::Failed("signal 11".into());
        let text = markdown(&table, &results);
        assert!(text.contains(">1024") && text.contains("signal 11"), "{text}");
    }

    #[test]
    fn the_csv_keeps_every_run() {
        let (table, results) = sample();
        expect![[r#"
            table,program,column,run,status,wall_s,cpu_s,peak_rss_mib,runs
            sample,"sort, 6",all on,1,ok,0.500000,0.500000,30.400,12345678
            sample,"sort, 6",all on,2,ok,0.400000,0.400000,30.400,12345678
            sample,"sort, 6",all on,3,ok,0.600000,0.600000,30.400,12345678
            sample,"sort, 6",all off,1,ok,12.250000,12.250000,30.400,12345678
            sample,"sort, 6",all off,2,ok,12.000000,12.000000,30.400,12345678
            sample,"sort, 6",all off,3,ok,13.000000,13.000000,30.400,12345678
            sample,a|b,all on,1,ok,2.000000,2.000000,30.400,12345678
            sample,a|b,all off,1,time limit,60.000000,60.000000,30.400,12345678
        "#]]
        .assert_eq(&csv(&table, &results));
    }
}
