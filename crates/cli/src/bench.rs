//! `selvedge bench`: a table of measurements. The work is in `selvedge-bench`.

use std::path::{Path, PathBuf};

use selvedge_bench::{Cell, Event, Options, Raw, Status, Table, csv, markdown, plots, run as run_table};

use crate::args::{BenchArgs, BenchDiffArgs};
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
    let machine = table.machine();
    let default_dir = || runs_dir(&args.tables).join(format!("{}-{}", machine.date, machine.host));
    let dir = args.out.clone().unwrap_or_else(default_dir);
    // Minutes of measuring must not be lost to a directory that cannot be made.
    std::fs::create_dir_all(&dir).map_err(|e| Failure::io("create", &dir, &e))?;
    let raw = dir.join(format!("{}.csv", table.name));
    let selvedge =
        std::env::current_exe().map_err(|e| Failure::new(format!("cannot find this binary: {e}")))?;
    let done = if args.resume { done(&table, &raw, &machine.commit, &selvedge)? } else { Vec::new() };
    let options = Options { selvedge, repeat: args.repeat, filter: args.filter.clone(), done };
    let mut on_event = |event: Event<'_>| {
        if let Event::Ended { so_far, .. } = &event {
            // Kept as it comes, for `--resume`; that it cannot be written is told at the end.
            let _ = std::fs::write(&raw, csv(&table, so_far));
        }
        show(event);
    };
    let results = run_table(&table, &options, &mut on_event).map_err(|e| Failure::from_error(&e))?;

    let text = markdown(&table, &results);
    let name = |suffix: &str| format!("{}.{suffix}", table.name);
    let mut files = vec![(name("csv"), csv(&table, &results)), (name("md"), text.clone())];
    files.extend(plots(&table, &results));
    for (name, content) in files {
        let path = dir.join(name);
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
        Event::Ended { measured, .. } => {
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

/// What was measured before; refused unless it is of this commit, this binary and this table.
fn done(table: &Table, path: &Path, commit: &str, selvedge: &Path) -> Result<Vec<Cell>, Failure> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let raw = Raw::load(path).map_err(|e| Failure::from_error(&e))?;
    let build = table.build(selvedge).map_err(|e| Failure::from_error(&e))?;
    let differs = if raw.cells.is_empty() {
        return Ok(Vec::new());
    } else if raw.commit != commit {
        format!("with commit {}, and this is {commit}", raw.commit)
    } else if raw.build != build {
        format!("with another binary, table or program at commit {commit}")
    } else {
        return Ok(raw.cells_of(table));
    };
    let failure = Failure::new(format!("cannot resume: {} was measured {differs}", path.display()));
    Err(failure.help("leave out --resume to measure everything anew, or keep the file with another --out"))
}

/// `bench/runs` beside `bench/tables`.
fn runs_dir(tables: &Path) -> PathBuf {
    tables.parent().unwrap_or(Path::new("")).join("runs")
}

/// `selvedge bench-diff`: exit code 1 if something became worse.
pub(crate) fn diff(args: &BenchDiffArgs) -> Result<Exit, Failure> {
    let old = only_csv(&args.old)?;
    let new = match (args.new.is_dir(), old.file_name()) {
        (true, Some(name)) => args.new.join(name),
        _ => args.new.clone(),
    };
    let load = |path: &Path| Raw::load(path).map_err(|e| Failure::from_error(&e));
    let found = selvedge_bench::diff(&load(&old)?, &load(&new)?, &args.metrics, args.noise.max(1.0));
    print(found.text.as_bytes())?;
    Ok(if found.n_worse > 0 { Exit::Bug } else { Exit::Safe })
}

/// The file itself, or the only one in a directory.
fn only_csv(path: &Path) -> Result<PathBuf, Failure> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let entries = std::fs::read_dir(path).map_err(|e| Failure::io("read", path, &e))?;
    let files: Vec<PathBuf> =
        entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "csv")).collect();
    match files.as_slice() {
        [one] => Ok(one.clone()),
        files => Err(Failure::new(format!("{} has {} CSV files; name one", path.display(), files.len()))),
    }
}
