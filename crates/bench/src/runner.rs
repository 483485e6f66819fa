//! Runs a table: one process after the other.
//!
//! Guarantees: cells of one program run close in time, column by column within each repetition, so that a slow phase
//! of the machine hits all columns alike; a cell that hit a limit is not repeated.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::process::{self, End, Limit};
use crate::{Cell, Column, Error, Machine, Measured, Program, Status, Table, edit, metric};

/// What the caller chooses.
#[derive(Clone, Debug)]
pub struct Options {
    /// The binary that `{selvedge}` stands for.
    pub selvedge: PathBuf,
    /// Runs of each cell; `None` is the table's number.
    pub repeat: Option<u32>,
    /// Only programs whose name contains this.
    pub filter: Option<String>,
    /// Runs that need not be made again.
    pub done: Vec<Cell>,
}

/// What happens while a table runs.
#[derive(Clone, PartialEq, Debug)]
pub enum Event<'a> {
    /// A column is left out, and why.
    Skipped {
        /// The column.
        column: &'a str,
        /// Why.
        why: &'a str,
    },
    /// A run starts.
    Started {
        /// The program.
        program: &'a str,
        /// The column.
        column: &'a str,
        /// 1-based number of the run among `of`.
        run: usize,
        /// Number of all runs.
        of: usize,
    },
    /// It ended.
    Ended {
        /// What was measured.
        measured: &'a Measured,
        /// All that was measured so far.
        so_far: &'a Results,
    },
}

/// All that was measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// Where.
    pub machine: Machine,
    /// What was run, see [`Table::build`].
    pub build: String,
    /// Runs of each cell.
    pub repeat: u32,
    /// Cells, in the order of programs and columns.
    pub cells: Vec<Cell>,
    /// What the reader has to know: skipped columns.
    pub notes: Vec<String>,
}

impl Results {
    /// The cell of a program and a column.
    pub fn cell(&self, program: &str, column: &str) -> Option<&Cell> {
        self.cells.iter().find(|c| c.program == program && c.column == column)
    }

    /// Whether a column was run at all.
    pub fn ran(&self, column: &str) -> bool {
        self.cells.iter().any(|c| c.column == column)
    }
}

/// Runs every cell of `table`.
pub fn run(table: &Table, options: &Options, on_event: &mut dyn FnMut(Event<'_>)) -> Result<Results, Error> {
    let repeat = options.repeat.unwrap_or(table.repeat);
    let mut notes = Vec::new();
    let mut columns = Vec::new();
    for column in &table.columns {
        match column.needs.as_deref().filter(|tool| !on_path(tool)) {
            None => columns.push(column),
            Some(tool) => {
                let why = format!("`{tool}` is not on the PATH");
                on_event(Event::Skipped { column: &column.name, why: &why });
                notes.push(format!("{}: skipped, {why}", column.name));
            }
        }
    }
    let wanted = |p: &&Program| options.filter.as_ref().is_none_or(|f| p.name.contains(f.as_str()));
    let programs: Vec<&Program> = table.programs.iter().filter(wanted).collect();
    let of = programs.len() * columns.len() * repeat as usize;
    let mut number = 0;
    let build = table.build(&options.selvedge)?;
    let mut results = Results { machine: table.machine(), build, repeat, cells: Vec::new(), notes };
    for program in programs {
        let first = results.cells.len();
        results.cells.extend(columns.iter().map(|column| begun(program, column, options, repeat as usize)));
        for turn in 0..repeat as usize {
            for (i, column) in columns.iter().enumerate() {
                number += 1;
                let cell = &results.cells[first + i];
                if cell.status() != Status::Ok || cell.runs.len() > turn {
                    continue;
                }
                on_event(Event::Started { program: &program.name, column: &column.name, run: number, of });
                let measured = run_once(table, program, column, &options.selvedge)?;
                results.cells[first + i].runs.push(measured.clone());
                on_event(Event::Ended { measured: &measured, so_far: &results });
            }
        }
    }
    Ok(results)
}

/// A cell with the runs that need not be made again; what failed is tried again.
fn begun(program: &Program, column: &Column, options: &Options, repeat: usize) -> Cell {
    let mut cell = Cell { program: program.name.clone(), column: column.name.clone(), runs: Vec::new() };
    if let Some(done) = options.done.iter().find(|c| c.program == cell.program && c.column == cell.column)
        && !matches!(done.status(), Status::Failed(_))
    {
        cell.runs = done.runs.iter().take(repeat).cloned().collect();
    }
    cell
}

impl Program {
    /// The values for its traits.
    fn of_traits<'a, T>(&'a self, map: &'a BTreeMap<String, T>) -> impl Iterator<Item = &'a T> {
        self.traits.iter().filter_map(|name| map.get(name))
    }
}

impl Table {
    /// This machine, with the commit of the repository that holds the table's programs.
    pub fn machine(&self) -> Machine {
        let dir = self.programs.first().and_then(|p| p.files.first()).and_then(|f| f.parent());
        Machine::detect(dir.unwrap_or(Path::new(".")))
    }
}

fn on_path(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(tool).is_file())
}

fn failed(action: impl Into<String>) -> impl FnOnce(std::io::Error) -> Error {
    let action = action.into();
    move |source| Error::System { action, source }
}

fn run_once(table: &Table, program: &Program, column: &Column, selvedge: &Path) -> Result<Measured, Error> {
    let temp = tempfile::tempdir().map_err(failed("make a temporary directory"))?;
    let limit = Limit {
        time: Duration::from_secs_f64(table.time_limit(column)),
        memory_mib: table.limits.memory_mib,
    };
    let copy = temp.path().join("program");
    let copied = match program.edits.is_empty() {
        true => None,
        false => Some(edit::copied(program, &copy).map_err(failed("copy a program"))?),
    };
    let program = copied.as_ref().unwrap_or(program);
    let expand = |command: &[String]| expanded(command, program, column, selvedge, temp.path());
    let mut output = tempfile::tempfile().map_err(failed("make a temporary file"))?;
    let start = |command: &[String], output: &File| {
        process::run(command, output, limit).map_err(failed(format!("run `{}`", command.join(" "))))
    };
    let none = Measured {
        status: Status::Ok,
        wall_s: 0.0,
        cpu_s: 0.0,
        peak_rss_mib: 0.0,
        metrics: vec![None; column.metrics.len()],
    };
    for command in &column.prepare {
        let usage = start(&expand(command), &output)?;
        if usage.end != End::Exit(0) {
            return Ok(Measured { status: Status::Failed(format!("{} failed", command[0])), ..none });
        }
    }
    edit::apply(program, &copy).map_err(failed("change a program"))?;
    let usage = start(&expand(&column.command), &output)?;

    let json: Option<Value> =
        std::fs::read(json_path(temp.path())).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let mut text = Vec::new();
    output.rewind().and_then(|()| output.read_to_end(&mut text)).map_err(failed("read a temporary file"))?;
    let text = String::from_utf8_lossy(&text);
    Ok(Measured {
        status: status(usage.end, column, program, json.as_ref(), &text),
        wall_s: usage.wall_s,
        cpu_s: usage.cpu_s,
        peak_rss_mib: usage.peak_rss_mib,
        metrics: column.metrics.iter().map(|m| metric::value(m, json.as_ref(), &text)).collect(),
    })
}

fn status(end: End, column: &Column, program: &Program, json: Option<&Value>, output: &str) -> Status {
    let says = column.says.as_ref();
    let unsupported = || says?.unsupported.iter().find(|(text, _)| output.contains(text.as_str()));
    match end {
        End::TimeLimit => return Status::TimeLimit,
        End::MemoryLimit => return Status::MemoryLimit,
        End::Signal(_) | End::Exit(_) if let Some((_, what)) = unsupported() => {
            return Status::Failed(format!("unsupported: {what}"));
        }
        End::Signal(signal) => return Status::Failed(format!("signal {signal}")),
        End::Exit(code) if !column.ok_exits.contains(&code) => return Status::Failed(format!("exit {code}")),
        End::Exit(_) => {}
    }
    let reported = json.and_then(|j| j.pointer("/verdict")).and_then(Value::as_str);
    let said = says.map(|says| match output {
        output if output.contains(&says.bug) => "unsafe",
        output if output.contains(&says.safe) => "safe",
        _ => "no verdict",
    });
    match (reported.or(said), &program.expect) {
        (Some(verdict), Some(expected)) if verdict != expected => {
            Status::Failed(format!("{verdict} instead of {expected}"))
        }
        (Some("safe"), _) => match program.of_traits(&column.within).next() {
            Some(what) => Status::Failed(format!("safe within {what}")),
            None => Status::Ok,
        },
        _ => Status::Ok,
    }
}

fn json_path(temp: &Path) -> PathBuf {
    temp.join("report.json")
}

/// The command with its placeholders filled in.
fn expanded(
    command: &[String],
    program: &Program,
    column: &Column,
    selvedge: &Path,
    temp: &Path,
) -> Vec<String> {
    let text = |path: &Path| path.display().to_string();
    let mut out = Vec::new();
    for arg in command {
        match arg.as_str() {
            "{files}" => out.extend(program.files.iter().map(|f| text(f))),
            "{clang_args}" => out.extend(program.clang_args.iter().cloned()),
            "{args}" => out.extend(program.args.iter().cloned()),
            "{when}" => out.extend(program.of_traits(&column.when).flatten().cloned()),
            arg => out.push(
                arg.replace("{selvedge}", &text(selvedge))
                    .replace("{json}", &text(&json_path(temp)))
                    .replace("{tmp}", &text(temp))
                    .replace("{file}", &program.files.first().map(|f| text(f)).unwrap_or_default()),
            ),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Says, sample};

    fn table(command: &[&str], needs: Option<&str>) -> Table {
        let text = |s: &str| s.to_owned();
        let mut program = sample::program("p");
        program.clang_args = vec!["-DN=3".into(), "-O0".into()];
        program.expect = Some("safe".into());
        let mut column = sample::column("c");
        column.command = command.iter().map(|s| text(s)).collect();
        column.needs = needs.map(text);
        column.ok_exits = vec![0, 1];
        let mut table = sample::table(vec![program], vec![column]);
        (table.repeat, table.limits) = (2, Limits { time_s: 1.0, memory_mib: 500 });
        table
    }

    fn options() -> Options {
        Options { selvedge: "/bin/sh".into(), repeat: None, filter: None, done: Vec::new() }
    }

    fn results(table: &Table) -> Results {
        run(table, &options(), &mut |_| {}).expect("the table runs")
    }

    #[test]
    fn placeholders_are_filled_in() {
        let t = table(&["true"], None);
        let expand = |program: &Program, column: &Column| {
            let command =
                ["{selvedge}", "-o{tmp}/x", "{files}", "{when}", "--", "{clang_args}", "{args}", "{file}"];
            expanded(&command.map(str::to_owned), program, column, Path::new("/s"), Path::new("/t")).join(" ")
        };
        let (mut program, mut column) = (t.programs[0].clone(), t.columns[0].clone());
        program.files = vec!["/x/a.c".into(), "/x/b.c".into()];
        column.when.insert("waits".into(), vec!["--unwind".into(), "5".into()]);
        assert_eq!(expand(&program, &column), "/s -o/t/x /x/a.c /x/b.c -- -DN=3 -O0 /x/a.c");
        program.traits = vec!["waits".into(), "inputs".into()];
        assert_eq!(expand(&program, &column), "/s -o/t/x /x/a.c /x/b.c --unwind 5 -- -DN=3 -O0 /x/a.c");
    }

    #[test]
    fn a_run_is_prepared_with_the_program_before_its_edits() {
        let dir = tempfile::tempdir().expect("temporary directory");
        std::fs::write(dir.path().join("p.c"), "#include \"part.h\"").expect("write");
        std::fs::write(dir.path().join("part.h"), "int x = 1;").expect("write");
        let mut t = table(&["sh", "-c", "cat {tmp}/old; cat $(dirname {file})/part.h"], None);
        t.programs[0].files = vec![dir.path().join("p.c")];
        t.programs[0].edits =
            vec![crate::Edit { file: "part.h".into(), from: "x = 1".into(), to: "x = 22".into() }];
        t.columns[0].prepare =
            vec![["sh", "-c", "cp $(dirname {file})/part.h {tmp}/old"].map(str::to_owned).into()];
        let number = |after: &str| crate::Metric {
            name: after.into(),
            json: None,
            per: None,
            after: Some(after.into()),
        };
        t.columns[0].metrics = vec![number("int x = ")];
        assert_eq!(results(&t).cells[0].median(|r| r.metrics[0]), Some(22.0));
        t.columns[0].command = ["cat", "{tmp}/old"].map(str::to_owned).into();
        assert_eq!(results(&t).cells[0].median(|r| r.metrics[0]), Some(1.0));
        assert_eq!(crate::edit::problem(&t.programs[0]), None);
        t.programs[0].edits[0].from = "y".into();
        assert!(crate::edit::problem(&t.programs[0]).is_some_and(|text| text.contains("0 times in part.h")));
    }

    #[test]
    fn every_run_is_measured_and_its_report_read() {
        let t = table(&["sh", "-c", "echo '{\"n\": 7, \"verdict\": \"safe\"}' > {json}; exit 1"], None);
        let results = results(&t);
        assert_eq!(results.cells.len(), 1);
        assert_eq!(results.cells[0].runs.len(), 2);
        assert_eq!(results.cells[0].status(), Status::Ok);
        assert_eq!(results.cells[0].median(|r| r.metrics[0]), Some(7.0));
    }

    #[test]
    fn wrong_verdicts_exit_codes_and_limits_are_not_results() {
        let status = |script: &str| results(&table(&["sh", "-c", script], None)).cells[0].status();
        assert_eq!(
            status("echo '{\"verdict\": \"unsafe\"}' > {json}"),
            Status::Failed("unsafe instead of safe".into())
        );
        assert_eq!(status("exit 4"), Status::Failed("exit 4".into()));
        assert_eq!(status("kill -11 $$"), Status::Failed("signal 11".into()));
        let slow = results(&table(&["sleep", "30"], None));
        assert_eq!((slow.cells[0].status(), slow.cells[0].runs.len()), (Status::TimeLimit, 1));
    }

    #[test]
    fn columns_without_their_tool_are_skipped_with_a_note() {
        let results = results(&table(&["true"], Some("no-such-tool-anywhere")));
        assert!(results.cells.is_empty());
        assert_eq!(results.notes, ["c: skipped, `no-such-tool-anywhere` is not on the PATH"]);
    }

    #[test]
    fn runs_that_are_done_are_not_made_again_and_failed_ones_are() {
        let mut table = table(&["sh", "-c", "exit 0"], None);
        table.programs.push(sample::program("q"));
        let mut options = options();
        options.done = vec![
            sample::cell("p", "c", Status::Ok, &[7.0]),
            sample::cell("q", "c", Status::Failed("exit 9".into()), &[8.0]),
        ];
        let mut n_started = 0;
        let results = run(&table, &options, &mut |event| {
            n_started += u32::from(matches!(event, Event::Started { .. }));
        })
        .expect("the table runs");
        assert_eq!(n_started, 3, "one more of p, both of q");
        assert_eq!(results.cells[0].runs.len(), 2);
        assert!(results.cells[0].runs[0].wall_s == 7.0 && results.cells[1].runs[0].wall_s < 8.0);
    }

    #[test]
    fn verdicts_of_tools_without_a_report_are_compared() {
        let status = |script: &str| {
            let mut table = table(&["sh", "-c", script], None);
            table.columns[0].says = Some(says());
            results(&table).cells[0].status()
        };
        assert_eq!(status("echo No errors"), Status::Ok);
        assert_eq!(status("echo Error found"), Status::Failed("unsafe instead of safe".into()));
        assert_eq!(status("true"), Status::Failed("no verdict instead of safe".into()));
        assert_eq!(status("echo cannot do pointers; exit 6"), Status::Failed("unsupported: pointers".into()));
        assert_eq!(
            status("echo cannot do pointers; kill -6 $$"),
            Status::Failed("unsupported: pointers".into())
        );
    }

    fn says() -> Says {
        let unsupported = [("cannot do pointers".to_owned(), "pointers".to_owned())].into();
        Says { safe: "No errors".into(), bug: "Error found".into(), unsupported }
    }

    #[test]
    fn a_tool_that_sees_part_of_a_program_does_not_prove_it() {
        let status = |script: &str, expected: &str| {
            let mut table = table(&["sh", "-c", script], None);
            table.columns[0].says = Some(says());
            table.columns[0].within.insert("inputs".into(), "one input".into());
            table.programs[0].traits.push("inputs".into());
            table.programs[0].expect = Some(expected.into());
            results(&table).cells[0].status()
        };
        assert_eq!(status("echo No errors", "safe"), Status::Failed("safe within one input".into()));
        assert_eq!(status("echo Error found", "unsafe"), Status::Ok, "a bug is one with every input");
    }

    #[test]
    fn a_column_may_have_less_time() {
        let mut table = table(&["sleep", "30"], None);
        table.limits.time_s = 100.0;
        table.columns[0].time_s = Some(0.2);
        assert_eq!(results(&table).cells[0].status(), Status::TimeLimit);
    }
}
