//! Results for the tests of this crate.

use std::collections::BTreeMap;

use crate::{Cell, Clock, Column, Limits, Machine, Measured, Metric, Program, Results, Status, Table};

pub(crate) fn program(name: &str) -> Program {
    Program {
        name: name.into(),
        files: vec![],
        clang_args: vec![],
        args: vec![],
        expect: None,
        traits: vec![],
        reference: None,
        paper: None,
        edits: Vec::new(),
        x: None,
    }
}

pub(crate) fn column(name: &str) -> Column {
    Column {
        name: name.into(),
        command: vec![],
        prepare: vec![],
        needs: None,
        ok_exits: vec![0],
        metrics: vec![Metric { name: "runs".into(), json: Some("/n".into()), per: None, after: None }],
        paper: vec![],
        says: None,
        when: BTreeMap::new(),
        within: BTreeMap::new(),
        time_s: None,
    }
}

pub(crate) fn cell(program: &str, column: &str, status: Status, times: &[f64]) -> Cell {
    let run = |t: &f64| Measured {
        status: status.clone(),
        wall_s: *t,
        cpu_s: *t,
        peak_rss_mib: 30.4,
        metrics: vec![Some(12_345_678.0)],
    };
    Cell { program: program.into(), column: column.into(), runs: times.iter().map(run).collect() }
}

pub(crate) fn table(programs: Vec<Program>, columns: Vec<Column>) -> Table {
    Table {
        name: "sample".into(),
        title: "A sample".into(),
        description: "What it shows.".into(),
        repeat: 3,
        baseline: None,
        clock: Clock::Wall,
        total: false,
        solved: false,
        paper: None,
        limits: Limits { time_s: 60.0, memory_mib: 1024 },
        rows_of: None,
        programs,
        columns,
        plots: vec![],
    }
}

pub(crate) fn results(cells: Vec<Cell>) -> Results {
    Results {
        machine: Machine {
            cpu: "CPU, 2 cores".into(),
            memory: "8.0 GiB".into(),
            kernel: "Linux 6".into(),
            host: "host".into(),
            commit: "abc".into(),
            date: "2026-01-31".into(),
        },
        build: "b1".into(),
        repeat: 3,
        cells,
        notes: vec![],
    }
}

/// Two programs in two columns, one of which hits a limit; a third column was skipped.
pub(crate) fn sample() -> (Table, Results) {
    let mut table = table(
        vec![program("sort, 6"), program("a|b"), program("left out")],
        vec![column("all on"), column("all off"), column("klee")],
    );
    table.baseline = Some("all on".into());
    table.programs[0].reference = Some("720".into());
    let mut results = results(vec![
        cell("sort, 6", "all on", Status::Ok, &[0.5, 0.4, 0.6]),
        cell("sort, 6", "all off", Status::Ok, &[12.25, 12.0, 13.0]),
        cell("a|b", "all on", Status::Ok, &[2.0]),
        cell("a|b", "all off", Status::TimeLimit, &[60.0]),
    ]);
    results.notes = vec!["klee: skipped, `klee` is not on the PATH".into()];
    (table, results)
}
