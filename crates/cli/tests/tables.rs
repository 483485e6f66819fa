//! The tables of measurements: all can be read, and the small programs of the evaluation have the right verdicts.
//!
//! Counts and verdicts do not flake and are checked here; times are not.

use std::path::{Path, PathBuf};

use selvedge_bench::{Options, Status, Table, run};

fn tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/tables")
}

fn load(name: &str) -> Table {
    Table::load(&tables().join(format!("{name}.toml"))).unwrap_or_else(|e| panic!("{e}"))
}

/// Runs the columns `dpor` and `ag` once: all verdicts must be right, and summaries must not add executions.
#[track_caller]
fn check(mut table: Table) {
    table.columns.retain(|c| c.name == "dpor" || c.name == "ag");
    let selvedge = env!("CARGO_BIN_EXE_selvedge").into();
    let options = Options { selvedge, repeat: Some(1), filter: None, done: Vec::new() };
    let results = run(&table, &options, &mut |_| {}).expect("the table runs");
    assert_eq!(results.cells.len(), 2 * table.programs.len());
    let wrong: Vec<String> = results
        .cells
        .iter()
        .filter(|c| c.status() != Status::Ok)
        .map(|c| format!("{}, {}: {}", c.program, c.column, c.status().name()))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let mut more = Vec::new();
    for program in &table.programs {
        let executions = |column: &str| {
            results.cell(&program.name, column).and_then(|c| c.median(|r| r.metrics[0])).expect("a count")
        };
        let (dpor, ag) = (executions("dpor"), executions("ag"));
        if ag > dpor {
            more.push(format!("{}: {ag} executions with summaries, {dpor} without", program.name));
        }
    }
    assert!(more.is_empty(), "{more:#?}");
}

#[test]
fn every_table_can_be_read() {
    let mut n_tables = 0;
    for entry in std::fs::read_dir(tables()).expect("the folder of tables") {
        let path = entry.expect("an entry").path();
        Table::load(&path).unwrap_or_else(|e| panic!("{e}"));
        n_tables += 1;
    }
    assert!(n_tables > 0);
}

#[test]
fn the_small_programs_have_the_right_verdicts() {
    let table = load("fse15-table2");
    assert_eq!(table.programs.len(), 34, "one for each row of the paper");
    check(table);
}

#[test]
fn seeded_bugs_are_found() {
    check(load("seeded-bugs"));
}

#[test]
fn the_programs_of_the_thesis_are_proved_within_its_numbers() {
    for (name, iterations, predicates, rows) in
        [("ase-table5.1", "iter_ase", "preds_ase", 25), ("ase-table5.2", "iter", "preds", 7)]
    {
        let mut table = load(name);
        assert_eq!(table.programs.len(), rows, "one for each row of the thesis");
        table.columns.retain(|c| c.name == "ase");
        let selvedge = env!("CARGO_BIN_EXE_selvedge").into();
        let options = Options { selvedge, repeat: Some(1), filter: None, done: Vec::new() };
        let results = run(&table, &options, &mut |_| {}).expect("the table runs");
        for program in &table.programs {
            let cell = results.cell(&program.name, "ase").expect("it was run");
            assert_eq!(cell.status(), Status::Ok, "{}", program.name);
            for (metric, field) in [(0, iterations), (1, predicates)] {
                let ours = cell.median(|r| r.metrics[metric]).expect("a number");
                let theirs = table.figure(program, field).and_then(|f| f.parse().ok()).expect("a number");
                assert!(ours <= theirs, "{}: {ours} instead of {theirs} ({field})", program.name);
            }
        }
    }
}
