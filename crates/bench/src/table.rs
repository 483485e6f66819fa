//! The declaration of a table: `bench/tables/NAME.toml`.
//!
//! Guarantees: a table that [`Table::load`] returns has unique names, at least one program and column, files that exist,
//! and no unknown fields or placeholders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{Edit, Figure, Measured, Paper, Plot, edit};

/// Why a table cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("cannot read the table {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
    /// Not TOML, or not the fields of a table.
    #[error("the table {} is wrong: {source}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Where and why.
        #[source]
        source: Box<toml::de::Error>,
    },
    /// The fields contradict each other.
    #[error("the table {} is wrong: {what}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A process could not be run or its output not be kept.
    #[error("cannot {action}: {source}")]
    System {
        /// What was tried.
        action: String,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
}

/// A table: each program by each column.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Name: the file's name without its suffix.
    #[serde(skip)]
    pub name: String,
    /// One line.
    pub title: String,
    /// What it shows and how to read it. Default is empty.
    #[serde(default)]
    pub description: String,
    /// Runs of each cell; the table shows the median. Default is 3.
    #[serde(default = "three")]
    pub repeat: u32,
    /// The column that ratios are relative to. Default is none.
    pub baseline: Option<String>,
    /// Which time is shown and compared. Default is that of the clock on the wall.
    #[serde(default)]
    pub clock: Clock,
    /// Whether the last row shows sums. Default is no.
    #[serde(default)]
    pub total: bool,
    /// Whether the last row shows how many rows each column solves. Default is no.
    #[serde(default)]
    pub solved: bool,
    /// Published figures. Default is none.
    pub paper: Option<Paper>,
    /// Limits of each run.
    pub limits: Limits,
    /// Another table whose rows come first; relative names start from this table's directory. Default is none.
    pub rows_of: Option<PathBuf>,
    /// Rows. Default is none but those of another table.
    #[serde(default)]
    pub programs: Vec<Program>,
    /// Commands.
    pub columns: Vec<Column>,
    /// Pictures. Default is none.
    #[serde(default)]
    pub plots: Vec<Plot>,
}

fn three() -> u32 {
    3
}

/// What time is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// What passes until a run is over.
    #[default]
    Wall,
    /// What the processors spend on it, children included: for machines that do other things as well.
    Cpu,
}

impl Clock {
    /// What a run took.
    pub(crate) fn of(self, run: &Measured) -> f64 {
        match self {
            Clock::Wall => run.wall_s,
            Clock::Cpu => run.cpu_s,
        }
    }

    /// A word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Clock::Wall => "time",
            Clock::Cpu => "CPU",
        }
    }
}

/// Limits of one run.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Wall-clock seconds.
    pub time_s: f64,
    /// Resident memory in MiB.
    pub memory_mib: u64,
}

/// A row.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Shown in the first column.
    pub name: String,
    /// Source files; relative names start from the table's directory, and are absolute once loaded.
    pub files: Vec<PathBuf>,
    /// Arguments for clang. Default is empty.
    #[serde(default)]
    pub clang_args: Vec<String>,
    /// Further arguments of the checker. Default is empty.
    #[serde(default)]
    pub args: Vec<String>,
    /// The verdict that a run must give: `safe`, `unsafe` or `unknown`. Default is any.
    pub expect: Option<String>,
    /// What columns may have to know about it, such as `inputs`. Default is nothing.
    #[serde(default)]
    pub traits: Vec<String>,
    /// A figure from elsewhere, shown in its own column. Default is none.
    pub reference: Option<String>,
    /// Its row among the published figures. Default is its name.
    pub paper: Option<String>,
    /// What the measured command sees changed, and those that prepare it do not. Default is nothing.
    #[serde(default)]
    pub edits: Vec<Edit>,
    /// Where it stands in a growth curve, such as its number of threads. Default is nowhere.
    pub x: Option<f64>,
}

/// A command.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Shown in the heading.
    pub name: String,
    /// Command and arguments. Placeholders: `{selvedge}`, `{tmp}`, `{json}`, `{file}` anywhere in an argument;
    /// `{files}`, `{args}`, `{clang_args}`, `{when}` as a whole argument.
    pub command: Vec<String>,
    /// Commands to run before, untimed, with the same placeholders. Default is none.
    #[serde(default)]
    pub prepare: Vec<Vec<String>>,
    /// A program that must be on the PATH; without it the column is skipped. Default is none.
    pub needs: Option<String>,
    /// Exit codes that mean the run did its work. Default is 0.
    #[serde(default = "zero")]
    pub ok_exits: Vec<i32>,
    /// Numbers to show besides time and memory. Default is none.
    #[serde(default)]
    pub metrics: Vec<Metric>,
    /// Published figures to show beside. Default is none.
    #[serde(default)]
    pub paper: Vec<Figure>,
    /// How to know the verdict of a tool without a JSON report. Default is not to look.
    pub says: Option<Says>,
    /// What `{when}` stands for, by trait of the program. Default is nothing.
    #[serde(default)]
    pub when: BTreeMap<String, Vec<String>>,
    /// Within what a program of a trait is safe when this tool says so: its `safe` is not a proof. Default is none.
    #[serde(default)]
    pub within: BTreeMap<String, String>,
    /// Seconds, if less than the table's limit. Default is the table's.
    pub time_s: Option<f64>,
}

/// What a tool prints.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Says {
    /// Text in its output when it found the program safe.
    pub safe: String,
    /// Text in its output when it found a bug.
    #[serde(rename = "unsafe")]
    pub bug: String,
    /// Texts in its output when it does not take the program, and what it does not support. Default is none.
    #[serde(default)]
    pub unsupported: BTreeMap<String, String>,
}

fn zero() -> Vec<i32> {
    vec![0]
}

/// A number that a run reports about itself.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metric {
    /// Shown in the heading.
    pub name: String,
    /// Pointer into the JSON report, such as `/executions/total`.
    pub json: Option<String>,
    /// Pointer to what the number is divided by.
    pub per: Option<String>,
    /// Text in the run's output that stands before the number (for tools without JSON).
    pub after: Option<String>,
}

/// Thirty days; beyond, a limit is a typing error.
const MAX_TIME_S: f64 = 30.0 * 86_400.0;

const ANYWHERE: [&str; 4] = ["{selvedge}", "{tmp}", "{json}", "{file}"];
const WHOLE: [&str; 4] = ["{files}", "{args}", "{clang_args}", "{when}"];

impl Table {
    /// Reads and checks a table.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let (mut table, dir) = Table::read(path)?;
        if let Some(other) = &table.rows_of {
            let rows = Table::load_rows(&dir.join(other))?;
            table.programs.splice(0..0, rows);
        }
        if let Some(paper) = &mut table.paper {
            paper.load(&dir)?;
        }
        table.validate().map_err(|what| Error::Invalid { path: path.to_owned(), what })?;
        Ok(table)
    }

    /// Reads a table as it stands there, and says in which directory.
    fn read(path: &Path) -> Result<(Self, PathBuf), Error> {
        let text =
            std::fs::read_to_string(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let mut table: Table = toml::from_str(&text)
            .map_err(|source| Error::Syntax { path: path.to_owned(), source: Box::new(source) })?;
        table.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let file =
            std::path::absolute(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let dir = file.parent().unwrap_or(&file).to_owned();
        for program in &mut table.programs {
            for file in &mut program.files {
                *file = dir.join(&file);
            }
        }
        Ok((table, dir))
    }

    /// The rows of a table that has its own: a table that names itself would have no end.
    fn load_rows(path: &Path) -> Result<Vec<Program>, Error> {
        let (table, _) = Table::read(path)?;
        match table.rows_of {
            None => Ok(table.programs),
            Some(_) => {
                let what = "its rows are taken by another table, so it cannot take rows itself".to_owned();
                Err(Error::Invalid { path: path.to_owned(), what })
            }
        }
    }

    fn validate(&self) -> Result<(), String> {
        if self.programs.is_empty() || self.columns.is_empty() {
            return Err("there must be at least one program and one column".to_owned());
        }
        let time_is_sensible = self.limits.time_s > 0.0 && self.limits.time_s <= MAX_TIME_S;
        if self.repeat == 0 || !time_is_sensible || self.limits.memory_mib == 0 {
            return Err(
                "`repeat` and the limits must be more than 0, and the time at most 30 days".to_owned()
            );
        }
        unique(self.programs.iter().map(|p| &p.name), "program")?;
        unique(self.columns.iter().map(|c| &c.name), "column")?;
        if let Some(baseline) = &self.baseline
            && !self.columns.iter().any(|c| c.name == *baseline)
        {
            return Err(format!("the baseline `{baseline}` is not a column"));
        }
        for program in &self.programs {
            if program.files.is_empty() {
                return Err(format!("the program `{}` has no files", program.name));
            }
            if let Some(missing) = program.files.iter().find(|f| !f.is_file()) {
                return Err(format!("the program `{}` has no file {}", program.name, missing.display()));
            }
        }
        if let Some(problem) = self.programs.iter().find_map(edit::problem) {
            return Err(problem);
        }
        self.columns.iter().try_for_each(|column| column.validate(&self.programs))?;
        self.validate_figures()?;
        self.validate_plots()
    }

    /// Seconds that a run in `column` may take.
    pub fn time_limit(&self, column: &Column) -> f64 {
        column.time_s.map_or(self.limits.time_s, |own| own.min(self.limits.time_s))
    }
}

impl Column {
    fn validate(&self, programs: &[Program]) -> Result<(), String> {
        let error = |what: String| Err(format!("in column `{}`, {what}", self.name));
        let is_known = |name: &&String| programs.iter().any(|p| p.traits.contains(name));
        if let Some(name) = self.when.keys().chain(self.within.keys()).find(|name| !is_known(name)) {
            return error(format!("no program has the trait `{name}`"));
        }
        for command in std::iter::once(&self.command).chain(&self.prepare) {
            if command.is_empty() {
                return error("a command is empty".to_owned());
            }
            for arg in command {
                if let Some(name) = placeholders(arg).find(|p| !known(p, arg)) {
                    return error(format!("`{name}` in `{arg}` is no placeholder that can stand there"));
                }
            }
        }
        if self.time_s.is_some_and(|own| own.is_nan() || own <= 0.0) {
            return error("the time limit must be more than 0".to_owned());
        }
        for metric in &self.metrics {
            if metric.json.is_some() == metric.after.is_some() {
                return error(format!("the metric `{}` needs either `json` or `after`", metric.name));
            }
            if metric.per.is_some() && metric.json.is_none() {
                return error(format!("the metric `{}` has `per` without `json`", metric.name));
            }
        }
        Ok(())
    }
}

/// Whether `name` may stand in `arg`.
fn known(name: &str, arg: &str) -> bool {
    ANYWHERE.contains(&name) || (WHOLE.contains(&name) && arg == name)
}

/// The `{word}`s of an argument.
fn placeholders(arg: &str) -> impl Iterator<Item = &str> {
    let starts = arg.match_indices('{').map(|(at, _)| at);
    starts.filter_map(move |start| {
        let end = arg[start..].find('}')? + start;
        let word = &arg[start + 1..end];
        let is_word = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        is_word.then(|| &arg[start..=end])
    })
}

fn unique<'a>(names: impl Iterator<Item = &'a String>, what: &str) -> Result<(), String> {
    let mut names: Vec<&String> = names.collect();
    names.sort();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("there are two {what}s named `{}`", pair[0])),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    const GOOD: &str = r#"
title = "Test"
baseline = "a"
[limits]
time_s = 1.5
memory_mib = 100
[[programs]]
name = "p"
files = ["p.c"]
[[columns]]
name = "a"
command = ["{selvedge}", "check", "{files}", "--json={json}", "--", "{clang_args}"]
metrics = [{ name = "runs", json = "/executions/total" }, { name = "paths", after = "paths = " }]
"#;

    fn load(text: &str) -> Result<Table, String> {
        let dir = tempfile::tempdir().expect("temporary directory");
        std::fs::write(dir.path().join("p.c"), "").expect("write");
        let path = dir.path().join("small.toml");
        std::fs::write(&path, text).expect("write");
        Table::load(&path).map_err(|e| e.to_string().replace(&dir.path().display().to_string(), "DIR"))
    }

    #[track_caller]
    fn check_refused(change: (&str, &str), expected: Expect) {
        assert!(GOOD.contains(change.0), "the change applies");
        expected.assert_eq(&load(&GOOD.replacen(change.0, change.1, 1)).expect_err("must be refused"));
    }

    #[test]
    fn defaults_are_filled_in() {
        let table = load(GOOD).expect("a good table");
        assert_eq!((table.name.as_str(), table.repeat), ("small", 3));
        assert_eq!(table.columns[0].ok_exits, [0]);
        assert!(table.programs[0].files[0].is_absolute());
    }

    #[test]
    fn rows_may_be_those_of_another_table() {
        let dir = tempfile::tempdir().expect("temporary directory");
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).expect("write");
        write("p.c", "");
        write("one.toml", GOOD);
        write(
            "two.toml",
            &GOOD.replace("baseline", "rows_of = \"one.toml\"\nbaseline").replace("\"p\"", "\"q\""),
        );
        write("three.toml", &GOOD.replace("baseline", "rows_of = \"two.toml\"\nbaseline"));
        let table = Table::load(&dir.path().join("two.toml")).expect("a good table");
        assert_eq!(table.programs.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["p", "q"]);
        let error = Table::load(&dir.path().join("three.toml")).expect_err("rows of rows");
        assert!(error.to_string().contains("cannot take rows itself"), "{error}");
    }

    #[test]
    fn mistakes_are_named() {
        check_refused(
            ("title", "titel"),
            expect![[r#"
            the table DIR/small.toml is wrong: TOML parse error at line 2, column 1
              |
            2 | titel = "Test"
              | ^^^^^
            unknown field `titel`, expected one of `title`, `description`, `repeat`, `baseline`, `clock`, `total`, `solved`, `paper`, `limits`, `rows_of`, `programs`, `columns`, `plots`
        "#]],
        );
        check_refused(
            ("p.c", "q.c"),
            expect!["the table DIR/small.toml is wrong: the program `p` has no file DIR/q.c"],
        );
        check_refused(
            ("baseline = \"a\"", "baseline = \"b\""),
            expect!["the table DIR/small.toml is wrong: the baseline `b` is not a column"],
        );
        check_refused(
            ("--json={json}", "--json={out}"),
            expect![
                "the table DIR/small.toml is wrong: in column `a`, `{out}` in `--json={out}` is no placeholder that can stand there"
            ],
        );
        check_refused(
            ("\"{files}\"", "\"-f{files}\""),
            expect![
                "the table DIR/small.toml is wrong: in column `a`, `{files}` in `-f{files}` is no placeholder that can stand there"
            ],
        );
        check_refused(
            ("time_s = 1.5", "time_s = 0"),
            expect![
                "the table DIR/small.toml is wrong: `repeat` and the limits must be more than 0, and the time at most 30 days"
            ],
        );
        check_refused(
            ("after = \"paths = \"", "per = \"/x\""),
            expect![
                "the table DIR/small.toml is wrong: in column `a`, the metric `paths` needs either `json` or `after`"
            ],
        );
        check_refused(
            ("metrics", "within = { inputs = \"one input\" }\nmetrics"),
            expect!["the table DIR/small.toml is wrong: in column `a`, no program has the trait `inputs`"],
        );
    }
}
