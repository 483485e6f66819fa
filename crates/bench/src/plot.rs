//! The pictures of a table: scatter plots of two columns, and growth curves.
//!
//! Guarantees: a run that hit a limit stands at the edge of a scatter plot and is not in a curve; a run that failed is in
//! neither. Published figures are drawn dashed.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::svg::{Axis, Line, Series, draw};
use crate::{Cell, Program, Results, Status, Table, paper};

/// A picture.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plot {
    /// Its file is called `TABLE-name.svg`.
    pub name: String,
    /// Stands above it.
    pub title: String,
    /// `time`, or the name of a metric.
    pub of: String,
    /// What is drawn against what.
    pub kind: Kind,
}

/// What is drawn.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Kind {
    /// Each program is a point; both axes are logarithmic, with the diagonal.
    Scatter {
        /// Column of the horizontal axis.
        x: String,
        /// Column of the vertical axis.
        y: String,
    },
    /// Each column is a curve over the programs' `x`; the vertical axis is logarithmic.
    Growth {
        /// Label of the horizontal axis.
        label: String,
        /// The columns.
        columns: Vec<String>,
        /// Fields of the published figures to draw dashed, by column. Default is none.
        #[serde(default)]
        paper: BTreeMap<String, String>,
    },
}

impl Plot {
    /// The name of its file.
    pub fn file_name(&self, table: &Table) -> String {
        format!("{}-{}.svg", table.name, self.name)
    }
}

/// All pictures of a table: the names of their files and their contents.
pub fn plots(table: &Table, results: &Results) -> Vec<(String, String)> {
    let draw = |plot: &Plot| (plot.file_name(table), svg(table, results, plot));
    table.plots.iter().map(draw).collect()
}

/// A value to draw.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Value {
    Known(f64),
    /// More than could be measured.
    Above,
}

fn value(table: &Table, results: &Results, of: &str, program: &Program, column: &str) -> Option<Value> {
    let cell = results.cell(&program.name, column)?;
    let metric = |cell: &Cell| {
        let column = table.columns.iter().find(|c| c.name == column)?;
        let at = column.metrics.iter().position(|m| m.name == of)?;
        cell.median(|r| r.metrics.get(at).copied().flatten())
    };
    match cell.status() {
        Status::Ok if of == "time" => cell.median(|r| Some(table.clock.of(r))).map(Value::Known),
        Status::Ok => metric(cell).map(Value::Known),
        Status::TimeLimit | Status::MemoryLimit => Some(Value::Above),
        Status::Failed(_) => None,
    }
}

fn svg(table: &Table, results: &Results, plot: &Plot) -> String {
    let time = format!("{} (s)", table.clock.name());
    let unit = if plot.of == "time" { &time } else { &plot.of };
    match &plot.kind {
        Kind::Scatter { x, y } => {
            let get = |p: &Program, c: &str| value(table, results, &plot.of, p, c);
            let pairs: Vec<(&Program, Value, Value)> =
                table.programs.iter().filter_map(|p| Some((p, get(p, x)?, get(p, y)?))).collect();
            let both = pairs.iter().flat_map(|(_, x, y)| [*x, *y]).filter_map(known);
            let axis = Axis::decades("", both);
            let at = |value| known(value).unwrap_or(axis.to);
            let points = pairs.iter().map(|(p, x, y)| (at(*x), at(*y), p.name.clone())).collect();
            let series = Series { name: String::new(), colour: 0, line: Line::None, points };
            let named = |column: &str| Axis { label: format!("{column}, {unit}"), ..axis.clone() };
            draw(&plot.title, &named(x), &named(y), true, &[series])
        }
        Kind::Growth { label, columns, paper } => {
            let series = curves(table, results, plot, columns, paper);
            let points = || series.iter().flat_map(|s| &s.points);
            let low = points().map(|p| p.0).fold(f64::INFINITY, f64::min);
            let high = points().map(|p| p.0).fold(low, f64::max);
            let (from, to) = if low < high { (low, high) } else { (0.0, 1.0) };
            let x = Axis { label: label.clone(), from, to, is_log: false };
            let y = Axis::decades(unit, points().map(|p| p.1));
            draw(&plot.title, &x, &y, false, &series)
        }
    }
}

fn known(value: Value) -> Option<f64> {
    match value {
        Value::Known(value) => Some(value),
        Value::Above => None,
    }
}

/// The curves of the columns, and those of the paper; a curve ends where a limit was hit.
fn curves(
    table: &Table,
    results: &Results,
    plot: &Plot,
    columns: &[String],
    paper: &BTreeMap<String, String>,
) -> Vec<Series> {
    let mut series = Vec::new();
    let mut add = |name: String, colour, line, values: &dyn Fn(&Program) -> Option<f64>| {
        let point = |p: &Program| Some((p.x?, values(p)?, p.name.clone()));
        let mut points: Vec<_> = table.programs.iter().filter_map(point).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        if !points.is_empty() {
            series.push(Series { name, colour, line, points });
        }
    };
    for (colour, column) in columns.iter().enumerate() {
        let ours = |p: &Program| value(table, results, &plot.of, p, column).and_then(known);
        add(column.clone(), colour, Line::Solid, &ours);
        if let Some(field) = paper.get(column) {
            let theirs = |p: &Program| {
                let (number, is_bound) = table.figure(p, field).and_then(paper::value)?;
                (!is_bound).then_some(number)
            };
            add(format!("{column}, paper"), colour, Line::Dashed, &theirs);
        }
    }
    series
}

impl Table {
    pub(crate) fn validate_plots(&self) -> Result<(), String> {
        for plot in &self.plots {
            let error = |what: String| Err(format!("in the plot `{}`, {what}", plot.name));
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            if plot.name.is_empty() || !plot.name.chars().all(is_name) {
                return error("the name must consist of letters, digits, `-` and `_`".to_owned());
            }
            let columns: Vec<&String> = match &plot.kind {
                Kind::Scatter { x, y } => vec![x, y],
                Kind::Growth { columns, paper, .. } => columns.iter().chain(paper.keys()).collect(),
            };
            for name in columns {
                let Some(column) = self.columns.iter().find(|c| c.name == *name) else {
                    return error(format!("`{name}` is not a column"));
                };
                if plot.of != "time" && !column.metrics.iter().any(|m| m.name == plot.of) {
                    return error(format!("the column `{name}` has no metric `{}`", plot.of));
                }
            }
            if matches!(plot.kind, Kind::Growth { .. }) && self.programs.iter().all(|p| p.x.is_none()) {
                return error("no program has an `x`".to_owned());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{cell, column, program, results, sample, table};

    #[test]
    fn limits_are_drawn_at_the_edge_of_a_scatter_plot() {
        let (mut table, results) = sample();
        table.plots = vec![Plot {
            name: "times".into(),
            title: "Times".into(),
            of: "time".into(),
            kind: Kind::Scatter { x: "all off".into(), y: "all on".into() },
        }];
        let drawn = plots(&table, &results);
        assert_eq!(drawn[0].0, "sample-times.svg");
        assert_eq!(drawn[0].1.matches("<circle").count(), 2, "one for each program that was run");
        assert!(drawn[0].1.contains("stroke-dasharray=\"4 3\""), "the diagonal");
        assert!(drawn[0].1.contains("<circle cx=\"540.0\""), "the time limit is at the right edge");
        assert!(drawn[0].1.contains("all off, time (s)"));
    }

    #[test]
    fn a_curve_ends_where_a_limit_was_hit() {
        let mut programs = vec![program("two"), program("three"), program("four")];
        for (i, program) in programs.iter_mut().enumerate() {
            program.x = Some(2.0 + i as f64);
        }
        let mut table = table(programs, vec![column("dpor")]);
        table.plots = vec![Plot {
            name: "growth".into(),
            title: "Growth".into(),
            of: "runs".into(),
            kind: Kind::Growth {
                label: "threads".into(),
                columns: vec!["dpor".into()],
                paper: BTreeMap::new(),
            },
        }];
        assert_eq!(table.validate_plots(), Ok(()));
        let results = results(vec![
            cell("two", "dpor", Status::Ok, &[1.0]),
            cell("three", "dpor", Status::Ok, &[2.0]),
            cell("four", "dpor", Status::TimeLimit, &[60.0]),
        ]);
        let drawn = &plots(&table, &results)[0].1;
        assert_eq!(drawn.matches("<circle").count(), 2);
        assert_eq!(drawn.matches("<polyline").count(), 1);
    }

    #[test]
    fn plots_of_unknown_things_are_refused() {
        let refused = |change: &dyn Fn(&mut Plot)| {
            let (mut table, _) = sample();
            let kind = Kind::Scatter { x: "all on".into(), y: "all off".into() };
            let mut plot = Plot { name: "a".into(), title: String::new(), of: "runs".into(), kind };
            change(&mut plot);
            table.plots = vec![plot];
            table.validate_plots()
        };
        assert_eq!(refused(&|_| {}), Ok(()));
        assert!(refused(&|p| p.name = "a/b".into()).is_err_and(|e| e.contains("letters")));
        assert!(refused(&|p| p.of = "blocked".into()).is_err_and(|e| e.contains("no metric `blocked`")));
        let scatter = |x: &str| Kind::Scatter { x: x.into(), y: "all on".into() };
        assert!(refused(&|p| p.kind = scatter("none")).is_err_and(|e| e.contains("not a column")));
        let growth = || Kind::Growth { label: String::new(), columns: vec![], paper: BTreeMap::new() };
        assert!(refused(&|p| p.kind = growth()).is_err_and(|e| e.contains("no program has an `x`")));
    }
}
