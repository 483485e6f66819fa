//! `selvedge bench`: a table of measurements. The work is in `selvedge-bench`.

use std::path::{Path, PathBuf};

use selvedge_bench::{Event, Options, Results, Status, Table, csv, markdown, run as run_table};

use crate::args::BenchArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Console, Stream, print, write_to};

/// Runs the command.
pub(crate) fn run(args: &BenchArgs, _console: &Console) -> Result<Exit, Failure> {
    let Some(name) = args.table.as_deref().filter(|_| !args.list) else {
        return list(&args.tables);
    };
    let table = Table::load(&find(name, &args.tables)?).map_err(|e| Failure::from_error(&e))?;
    if let Some(filter) = &args.filter
        && !table.programs.iter().any(|p| p.name.contains(filter.as_str()))
    {
        return Err(Failure::new(format!("no program of the table contains `{filter}` in its name")));
    }
    if let Some(dir) = &args.out {
        // Minutes of measuring must not be lost to a directory that cannot be made.
        std::fs::create_dir_all(dir).map_err(|e| Failure::io("create", dir, &e))?;
    }
    let selvedge =
        std::env::current_exe().map_err(|e| Failure::new(format!("cannot find this binary: {e}")))?;
    let options = Options { selvedge, repeat: args.repeat, filter: args.filter.clone() };
    let results = run_table(&table, &options, &mut show).map_err(|e| Failure::from_error(&e))?;

    let dir = args.out.clone().unwrap_or_else(|| default_dir(&args.tables, &results));
    std::fs::create_dir_all(&dir).map_err(|e| Failure::io("create", &dir, &e))?;
    let text = markdown(&table, &results);
    for (suffix, content) in [("csv", csv(&table, &results)), ("md", text.clone())] {
        let path = dir.join(format!("{}.{suffix}", table.name));
        std::fs::write(&path, content).map_err(|e| Failure::io("write", &path, &e))?;
        let _ = write_to(Stream::Stderr, format!("wrote {}\n", path.display()).as_bytes());
    }
    print(text.as_bytes())?;
    let failed = results.cells.iter().any(|c| matches!(c.status(), Status::Failed(_)));
    Ok(if failed { Exit::Unknown } else { Exit::Safe })
}

/// One line for each run; a table takes minutes, so there is no need for a live one.
fn show(event: Event<'_>) {
    let line = match event {
        Event::Skipped { column, why } => format!("{column}: skipped, {why}\n"),
        Event::Started { program, column, run, of } => format!("[{run}/{of}] {program}, {column} ... "),
        Event::Ended { measured } => {
            format!(
                "{} ({:.3} s, {:.0} MiB)\n",
                measured.status.name(),
                measured.wall_s,
                measured.peak_rss_mib
            )
        }
    };
    let _ = write_to(Stream::Stderr, line.as_bytes());
}

/// The file of a table: a path, or a name in the directory of tables.
fn find(name: &str, tables: &Path) -> Result<PathBuf, Failure> {
    let named = tables.join(format!("{name}.toml"));
    if name.ends_with(".toml") {
        return Ok(PathBuf::from(name));
    }
    if named.is_file() {
        return Ok(named);
    }
    let failure = Failure::new(format!("there is no table `{name}` in {}", tables.display()));
    let known = names(tables);
    Err(if known.is_empty() {
        failure.help("run this in the root of the repository, or name the directory with --tables")
    } else {
        failure.help(format!("known are {}", known.join(", ")))
    })
}

fn names(tables: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(tables).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    names
}

fn list(tables: &Path) -> Result<Exit, Failure> {
    let mut text = String::new();
    for name in names(tables) {
        let title =
            Table::load(&tables.join(format!("{name}.toml"))).map_or_else(|e| e.to_string(), |t| t.title);
        text.push_str(&format!("{name:<20}{title}\n"));
    }
    if text.is_empty() {
        return Err(Failure::new(format!("there are no tables in {}", tables.display())));
    }
    print(text.as_bytes())?;
    Ok(Exit::Safe)
}

/// `bench/runs/2026-01-31-host` beside `bench/tables`.
fn default_dir(tables: &Path, results: &Results) -> PathBuf {
    let name = format!("{}-{}", results.machine.date, results.machine.host);
    tables.parent().unwrap_or(Path::new("")).join("runs").join(name)
}
