//! Raw results as CSV: written, and read again to resume a table or to compare two of them.
//!
//! Guarantees: every run of every cell is one line; what is written is read back as it was, a field that cannot be
//! read is an error with its line.

use std::path::{Path, PathBuf};

use crate::{Cell, Error, Measured, Results, Status, Table};

/// Every run, one a line.
pub fn csv(table: &Table, results: &Results) -> String {
    let mut names: Vec<&str> = Vec::new();
    for metric in table.columns.iter().flat_map(|c| &c.metrics) {
        if !names.contains(&metric.name.as_str()) {
            names.push(&metric.name);
        }
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |record: Vec<String>| {
        writer
            .write_record(record)
            .expect("all records are as long as the heading, and memory does not fail");
    };
    write(FIXED.iter().chain(&names).map(ToString::to_string).collect());
    for cell in &results.cells {
        let column = table.columns.iter().find(|c| c.name == cell.column);
        for (i, run) in cell.runs.iter().enumerate() {
            let mut record = vec![
                table.name.clone(),
                results.machine.commit.clone(),
                results.build.clone(),
                cell.program.clone(),
                cell.column.clone(),
                (i + 1).to_string(),
                run.status.name(),
                format!("{:.6}", run.wall_s),
                format!("{:.6}", run.cpu_s),
                format!("{:.3}", run.peak_rss_mib),
            ];
            record.extend(names.iter().map(|name| {
                let at = column.and_then(|c| c.metrics.iter().position(|m| m.name == *name));
                let value = at.and_then(|at| run.metrics.get(at).copied().flatten());
                value.map(|v| v.to_string()).unwrap_or_default()
            }));
            write(record);
        }
    }
    let bytes = writer.into_inner().expect("memory does not fail");
    String::from_utf8(bytes).expect("text was written")
}

/// The columns that every file of raw results begins with; the metrics follow.
const FIXED: [&str; 10] =
    ["table", "commit", "build", "program", "column", "run", "status", "wall_s", "cpu_s", "peak_rss_mib"];

/// Where the build stands; files from before it was kept lack it.
const BUILD: usize = 2;

/// Raw results that were read from a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Raw {
    /// The table they are from; empty if there are none.
    pub table: String,
    /// The commit they were measured with.
    pub commit: String,
    /// What was run, see [`Table::build`]; empty in files from before it was kept.
    pub build: String,
    /// Names of the metrics; a run's values are in this order.
    pub metrics: Vec<String>,
    /// The cells, in the order of their first runs.
    pub cells: Vec<Cell>,
}

impl Raw {
    /// Reads a file.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let text =
            std::fs::read_to_string(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        Raw::parse(&text).map_err(|what| Error::Invalid { path: path.to_owned(), what })
    }

    /// Reads the text of a file.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut lines = records(text);
        let mut heading = lines.next().transpose()?.unwrap_or_default().1;
        let is_old = heading.get(BUILD).is_none_or(|name| name != FIXED[BUILD]);
        let insert_build = |line: &mut Vec<String>, text: &str| {
            if is_old && line.len() > BUILD {
                line.insert(BUILD, text.to_owned());
            }
        };
        insert_build(&mut heading, FIXED[BUILD]);
        if heading.len() < FIXED.len() || heading[..FIXED.len()] != FIXED {
            return Err(format!("raw results begin with the line `{},...`", FIXED.join(",")));
        }
        let metrics = heading[FIXED.len()..].to_vec();
        let mut raw =
            Raw { table: String::new(), commit: String::new(), build: String::new(), metrics, cells: vec![] };
        for record in lines {
            let (number, mut line) = record?;
            insert_build(&mut line, "");
            raw.add(&line, heading.len()).map_err(|what| format!("in line {number}, {what}"))?;
        }
        Ok(raw)
    }

    fn add(&mut self, line: &[String], width: usize) -> Result<(), String> {
        if line.len() != width {
            return Err(format!("there are {} fields instead of {width}", line.len()));
        }
        let number = |at: usize| line[at].parse::<f64>().map_err(|_| format!("`{}` is no number", line[at]));
        let metrics = (FIXED.len()..width)
            .map(|at| if line[at].is_empty() { Ok(None) } else { number(at).map(Some) })
            .collect::<Result<Vec<_>, _>>()?;
        let run = Measured {
            status: Status::from_name(&line[6]),
            wall_s: number(7)?,
            cpu_s: number(8)?,
            peak_rss_mib: number(9)?,
            metrics,
        };
        if self.cells.is_empty() {
            self.table.clone_from(&line[0]);
            self.commit.clone_from(&line[1]);
            self.build.clone_from(&line[BUILD]);
        } else if self.commit != line[1] || self.build != line[BUILD] {
            return Err(format!("a run of commit {} stands among those of {}", line[1], self.commit));
        }
        let (program, column) = (&line[3], &line[4]);
        match self.cells.iter_mut().find(|c| c.program == *program && c.column == *column) {
            Some(cell) => cell.runs.push(run),
            None => {
                self.cells.push(Cell { program: program.clone(), column: column.clone(), runs: vec![run] })
            }
        }
        Ok(())
    }

    /// The cells as `table` would have them: its metrics in its order, without columns that it does not have.
    pub fn cells_of(&self, table: &Table) -> Vec<Cell> {
        let mut cells = Vec::new();
        for cell in &self.cells {
            let Some(column) = table.columns.iter().find(|c| c.name == cell.column) else { continue };
            let mut cell = cell.clone();
            for run in &mut cell.runs {
                let value = |name: &String| run.metrics[self.metrics.iter().position(|m| m == name)?];
                run.metrics = column.metrics.iter().map(|m| value(&m.name)).collect();
            }
            cells.push(cell);
        }
        cells
    }
}

/// A CSV file with a heading, read by names.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Sheet {
    heading: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    pub(crate) fn load(path: &PathBuf) -> Result<Self, Error> {
        let text =
            std::fs::read_to_string(path).map_err(|source| Error::Read { path: path.clone(), source })?;
        let rows = records(&text).map(|record| Ok(record?.1)).collect::<Result<Vec<_>, String>>();
        let mut rows = rows.map_err(|what| Error::Invalid { path: path.clone(), what })?;
        let heading = if rows.is_empty() { Vec::new() } else { rows.remove(0) };
        Ok(Sheet { heading, rows })
    }

    pub(crate) fn has_field(&self, field: &str) -> bool {
        self.heading.iter().any(|h| h == field)
    }

    /// The field of the row whose first field is `row`; empty ones are none.
    pub(crate) fn get(&self, row: &str, field: &str) -> Option<&str> {
        let at = self.heading.iter().position(|h| h == field)?;
        let row = self.rows.iter().find(|r| r.first().is_some_and(|name| name == row))?;
        row.get(at).map(String::as_str).filter(|text| !text.is_empty())
    }
}

/// The records of a CSV text with the lines on which they begin.
fn records(text: &str) -> impl Iterator<Item = Result<(u64, Vec<String>), String>> {
    let reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    reader.into_records().map(|record| {
        let record = record.map_err(|error| error.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        Ok((line, record.iter().map(str::to_owned).collect()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::sample;
    use expect_test::expect;

    #[test]
    fn the_csv_keeps_every_run() {
        let (table, results) = sample();
        expect![[r#"
            table,commit,build,program,column,run,status,wall_s,cpu_s,peak_rss_mib,runs
            sample,abc,b1,"sort, 6",all on,1,ok,0.500000,0.500000,30.400,12345678
            sample,abc,b1,"sort, 6",all on,2,ok,0.400000,0.400000,30.400,12345678
            sample,abc,b1,"sort, 6",all on,3,ok,0.600000,0.600000,30.400,12345678
            sample,abc,b1,"sort, 6",all off,1,ok,12.250000,12.250000,30.400,12345678
            sample,abc,b1,"sort, 6",all off,2,ok,12.000000,12.000000,30.400,12345678
            sample,abc,b1,"sort, 6",all off,3,ok,13.000000,13.000000,30.400,12345678
            sample,abc,b1,a|b,all on,1,ok,2.000000,2.000000,30.400,12345678
            sample,abc,b1,a|b,all off,1,time limit,60.000000,60.000000,30.400,12345678
        "#]]
        .assert_eq(&csv(&table, &results));
    }

    #[test]
    fn what_was_written_is_read_back() {
        let (table, mut results) = sample();
        results.cells[2].runs[0].status = Status::Failed("says \"no\",\nand ends".into());
        results.cells[3].runs[0].metrics[0] = None;
        let raw = Raw::parse(&csv(&table, &results)).expect("our own file");
        assert_eq!((raw.table.as_str(), raw.commit.as_str(), raw.build.as_str()), ("sample", "abc", "b1"));
        assert_eq!(raw.cells_of(&table), results.cells);
    }

    #[test]
    fn files_from_before_the_build_was_kept_can_be_read() {
        let (table, results) = sample();
        let old = csv(&table, &results).replace(",build,", ",").replace(",b1,", ",");
        let raw = Raw::parse(&old).expect("an older file");
        assert_eq!((raw.build.as_str(), raw.cells_of(&table)), ("", results.cells));
    }

    #[test]
    fn cells_follow_the_metrics_of_the_table() {
        let (mut table, results) = sample();
        let raw = Raw::parse(&csv(&table, &results)).expect("our own file");
        table.columns[0].metrics[0].name = "another".into();
        table.columns.remove(1);
        let cells = raw.cells_of(&table);
        assert_eq!(cells.len(), 2, "those of the removed column are gone");
        assert_eq!(cells[0].runs[0].metrics, [None]);
    }

    #[test]
    fn broken_files_are_refused_with_their_line() {
        assert!(Raw::parse("a,b\n1,2\n").is_err_and(|e| e.contains("begin with")));
        let line = |end: &str| format!("{}\nt,c,b,p,x,1,ok,{end}\n", FIXED.join(","));
        assert_eq!(Raw::parse(&line("1,2")), Err("in line 2, there are 9 fields instead of 10".to_owned()));
        assert_eq!(Raw::parse(&line("1,2,z")), Err("in line 2, `z` is no number".to_owned()));
        let mixed = line("1,2,3") + "t,d,b,q,x,1,ok,1,2,3\n";
        let why = "in line 3, a run of commit d stands among those of c";
        assert_eq!(Raw::parse(&mixed), Err(why.to_owned()));
    }
}
