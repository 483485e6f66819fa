//! Figures that others have published, in columns beside ours.
//!
//! They are kept as a CSV file, one line for each row of their table, with the fields that `columns` name.
//! Guarantees: a name without a line, or a field that the file does not have, is an error of the table; a figure is
//! shown as it is printed there, `>1800` included.

use std::path::PathBuf;

use serde::Deserialize;

use crate::raw::Sheet;
use crate::{Error, Program, Table};

/// Where the figures are.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// CSV file whose first field is the name of a row; relative names start from the table's directory.
    pub file: PathBuf,
    #[serde(skip)]
    pub(crate) sheet: Sheet,
}

/// A figure to show beside a column of ours.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// Shown in the heading.
    pub name: String,
    /// Field of the CSV file.
    pub field: String,
}

impl Paper {
    pub(crate) fn load(&mut self, dir: &std::path::Path) -> Result<(), Error> {
        self.file = dir.join(&self.file);
        self.sheet = Sheet::load(&self.file)?;
        Ok(())
    }
}

impl Table {
    /// A published figure for a program, as printed.
    pub fn figure(&self, program: &Program, field: &str) -> Option<&str> {
        let row = program.paper.as_ref().unwrap_or(&program.name);
        self.paper.as_ref()?.sheet.get(row, field)
    }

    pub(crate) fn validate_figures(&self) -> Result<(), String> {
        let fields = self.columns.iter().flat_map(|c| &c.paper).map(|f| &f.field);
        let Some(paper) = &self.paper else {
            return match fields.count() {
                0 => Ok(()),
                _ => Err("there are figures of a paper, but no `[paper]` with their file".to_owned()),
            };
        };
        for field in fields {
            if !paper.sheet.has_field(field) {
                return Err(format!("{} has no field `{field}`", paper.file.display()));
            }
        }
        Ok(())
    }
}

/// The number of a figure, and whether it is only a lower bound (`>1800`).
pub(crate) fn value(figure: &str) -> Option<(f64, bool)> {
    let (digits, is_bound) = match figure.strip_prefix('>') {
        Some(rest) => (rest, true),
        None => (figure, false),
    };
    digits.trim().parse().ok().map(|number| (number, is_bound))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_numbers_with_a_mark() {
        assert_eq!(value("61.4"), Some((61.4, false)));
        assert_eq!(value(">1800"), Some((1800.0, true)));
        assert_eq!(value("-"), None);
    }
}
