//! What was measured for one program in one column.

/// How one run went.
#[derive(Clone, PartialEq, Debug)]
pub enum Status {
    /// It did its work.
    Ok,
    /// It was stopped at the time limit.
    TimeLimit,
    /// It was stopped at the memory limit.
    MemoryLimit,
    /// It ended, but not as it should: the text says how.
    Failed(String),
}

impl Status {
    /// For the raw values.
    pub fn name(&self) -> String {
        match self {
            Status::Ok => "ok".to_owned(),
            Status::TimeLimit => "time limit".to_owned(),
            Status::MemoryLimit => "memory limit".to_owned(),
            Status::Failed(how) => how.clone(),
        }
    }

    /// The status with this name.
    pub(crate) fn from_name(name: &str) -> Self {
        match name {
            "ok" => Status::Ok,
            "time limit" => Status::TimeLimit,
            "memory limit" => Status::MemoryLimit,
            how => Status::Failed(how.to_owned()),
        }
    }
}

/// One run.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// How it went.
    pub status: Status,
    /// Wall-clock seconds.
    pub wall_s: f64,
    /// Processor seconds, children included.
    pub cpu_s: f64,
    /// Peak resident memory.
    pub peak_rss_mib: f64,
    /// Values of the column's metrics, in their order.
    pub metrics: Vec<Option<f64>>,
}

/// All runs of one program in one column.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// Name of the program.
    pub program: String,
    /// Name of the column.
    pub column: String,
    /// Runs in order.
    pub runs: Vec<Measured>,
}

impl Cell {
    /// `Ok` if all runs were, else how the first other one went.
    pub fn status(&self) -> Status {
        let bad = self.runs.iter().map(|r| &r.status).find(|s| **s != Status::Ok);
        bad.cloned().unwrap_or(Status::Ok)
    }

    /// The median of `value` over the runs that have one, if the cell is `Ok`.
    pub fn median(&self, value: impl Fn(&Measured) -> Option<f64>) -> Option<f64> {
        if self.runs.is_empty() || self.status() != Status::Ok {
            return None;
        }
        let mut values: Vec<f64> = self.runs.iter().filter_map(value).collect();
        values.sort_by(f64::total_cmp);
        let middle = values.len() / 2;
        match values.len() {
            0 => None,
            n if n % 2 == 1 => Some(values[middle]),
            _ => Some((values[middle - 1] + values[middle]) / 2.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(times: &[f64], status: Status) -> Cell {
        let run = |wall_s: &f64| Measured {
            status: Status::Ok,
            wall_s: *wall_s,
            cpu_s: 0.0,
            peak_rss_mib: 0.0,
            metrics: vec![],
        };
        let mut runs: Vec<Measured> = times.iter().map(run).collect();
        if let Some(last) = runs.last_mut() {
            last.status = status;
        }
        Cell { program: "p".into(), column: "c".into(), runs }
    }

    #[test]
    fn the_median_is_of_all_runs_or_of_none() {
        let median = |times: &[f64], status| cell(times, status).median(|r| Some(r.wall_s));
        assert_eq!(median(&[3.0, 1.0, 2.0], Status::Ok), Some(2.0));
        assert_eq!(median(&[1.0, 2.0], Status::Ok), Some(1.5));
        assert_eq!(median(&[], Status::Ok), None);
        assert_eq!(median(&[1.0, 2.0], Status::TimeLimit), None, "one limit spoils the cell");
    }
}
