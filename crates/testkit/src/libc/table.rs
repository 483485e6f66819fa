//! The lists of functions and of exceptions, as people write them.
//!
//! A row is `NAME[, NAME...] | STATEMENT`: the functions that it exercises, and C code with holes in braces, such as
//! `I(strtol(s = {number}, &e, {base})); P(e, s)`. Empty lines and lines that begin with `#` are left out.
//! An exception is `NAME | TEXT | WHY`: the outputs of a call of the function may differ if its C code or its native
//! output contains the text.

use std::path::Path;

/// What a line of the table says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The functions that are exercised.
    pub names: Vec<String>,
    /// C statements with holes.
    pub code: String,
}

/// A difference that is known and allowed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exception {
    /// The function.
    pub name: String,
    /// What the call or its native output contains.
    pub text: String,
    /// Why the difference is right.
    pub why: String,
}

/// All rows and exceptions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// The functions and how they are called.
    pub rows: Vec<Row>,
    /// Differences that are allowed.
    pub exceptions: Vec<Exception>,
}

impl Table {
    /// Reads all `*.rows` of a folder, in order of their names, and `exceptions.txt`.
    ///
    /// # Errors
    /// When a file cannot be read or a line is not understood; the text names it.
    pub fn read(folder: &Path) -> Result<Table, String> {
        let read = |path: &Path| {
            std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut files: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "rows"));
        files.sort();
        let mut table = Table::default();
        for file in files {
            for (number, line) in lines(&read(&file)?) {
                let row = row(line).ok_or_else(|| format!("{}:{number}: {line}", file.display()))?;
                table.rows.push(row);
            }
        }
        let file = folder.join("exceptions.txt");
        for (number, line) in lines(&read(&file)?) {
            let row = exception(line).ok_or_else(|| format!("{}:{number}: {line}", file.display()))?;
            table.exceptions.push(row);
        }
        Ok(table)
    }

    /// The names of all functions, each once, sorted.
    pub fn functions(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.rows.iter().flat_map(|row| row.names.iter().map(String::as_str)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The exception that allows a difference, if there is one.
    pub fn exception(&self, names: &[String], call: &str, native: &str) -> Option<usize> {
        let applies = |exception: &Exception| {
            names.contains(&exception.name)
                && (call.contains(&exception.text) || native.contains(&exception.text))
        };
        self.exceptions.iter().position(applies)
    }
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

fn row(line: &str) -> Option<Row> {
    let (names, code) = line.split_once(" | ")?;
    let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
    let is_name = |name: &String| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    (names.iter().all(is_name) && !code.is_empty()).then(|| Row { names, code: code.trim().to_owned() })
}

fn exception(line: &str) -> Option<Exception> {
    let mut parts = line.splitn(3, " | ").map(|part| part.trim().to_owned());
    Some(Exception { name: parts.next()?, text: parts.next()?, why: parts.next()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_names_and_code() {
        let expected =
            Row { names: vec!["a".to_owned(), "b2".to_owned()], code: "I(a({int} | 1))".to_owned() };
        assert_eq!(row("a, b2 | I(a({int} | 1))"), Some(expected));
        assert_eq!(row("a b | I(a())"), None);
        assert_eq!(row("a"), None);
    }

    #[test]
    fn an_exception_is_found_by_call_or_output() {
        let table =
            Table { rows: Vec::new(), exceptions: vec![exception("f | -1 | why").expect("well formed")] };
        let names = ["f".to_owned()];
        assert_eq!(table.exception(&names, "f(-1)", "0"), Some(0));
        assert_eq!(table.exception(&names, "f(0)", "-1"), Some(0));
        assert_eq!(table.exception(&names, "f(0)", "0"), None);
        assert_eq!(table.exception(&["g".to_owned()], "g(-1)", "0"), None);
    }
}
