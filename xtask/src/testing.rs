//! `cargo xtask test`: all tests, and at the end how many there were and which were the slowest.
//!
//! Cargo starts each test program through `cargo xtask timed`, which lets the usual runner print times and notes them in a
//! file. Programs with a runner of their own write to that file themselves (`testkit/src/wishes.rs`). Examples and doc
//! tests are left out: clippy compiles the former, and there are none of the latter (`tidy` checks that).

use std::fs::{self, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::tidy;

/// Names the file that times are appended to: program, test, seconds.
const TIMES: &str = "SELVEDGE_TEST_TIMES";
/// How many tests are named.
const SHOWN: usize = 10;

/// Time of one test, or of a whole program if `test` is empty.
#[derive(Clone, PartialEq, Debug)]
struct Time {
    program: String,
    test: String,
    seconds: f64,
}

/// Runs all tests; false if one fails.
pub(crate) fn run(root: &Path, args: &[&str]) -> Result<bool> {
    let times = root.join("target/tmp/test-times.tsv");
    fs::create_dir_all(root.join("target/tmp")).context("cannot make target/tmp")?;
    fs::write(&times, "").with_context(|| format!("cannot write {}", times.display()))?;
    let runner = std::env::current_exe().context("the path of xtask is unknown")?;
    let variable = format!("CARGO_TARGET_{}_RUNNER", host()?.to_uppercase().replace('-', "_"));
    let started = Instant::now();
    let scope: &[&str] = if args.is_empty() { &["--workspace"] } else { args };
    let test = ["test", "--locked", "--lib", "--bins", "--tests"];
    let built = Command::new(tidy::cargo()).args(test).arg("--no-run").args(scope).current_dir(root).status();
    if !built.context("cannot run cargo test")?.success() {
        return Ok(false);
    }
    let build_seconds = started.elapsed().as_secs_f64();
    let status = Command::new(tidy::cargo())
        .args(test)
        .args(scope)
        .current_dir(root)
        .env(variable, format!("{} timed", runner.display()))
        .env(TIMES, &times)
        .status()
        .context("cannot run cargo test")?;
    let text = fs::read_to_string(&times).with_context(|| format!("cannot read {}", times.display()))?;
    print!("{}", summary(&parse(&text), build_seconds, status.success()));
    Ok(status.success())
}

/// Runs one test program and notes its times; its exit code.
pub(crate) fn timed(program: &str, args: &[&str]) -> Result<u8> {
    let name = short_name(program);
    let mut command = Command::new(program);
    command.args(args);
    // The usual runner times tests only if unstable options are allowed.
    if is_usual_runner(program)? {
        command.args(["-Zunstable-options", "--report-time"]).env("RUSTC_BOOTSTRAP", "1");
    }
    let started = Instant::now();
    let mut child =
        command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot run {program}"))?;
    let mut times = Vec::new();
    let output = child.stdout.take().context("the output is not piped")?;
    for line in BufReader::new(output).split(b'\n') {
        let line = String::from_utf8_lossy(&line.context("the output cannot be read")?).into_owned();
        println!("{line}");
        if let Some((test, seconds)) = reported(&line) {
            times.push(Time { program: name.clone(), test: test.to_owned(), seconds });
        }
    }
    let status = child.wait().context("the test program was lost")?;
    times.push(Time { program: name, test: String::new(), seconds: started.elapsed().as_secs_f64() });
    if let Some(path) = std::env::var_os(TIMES) {
        let mut file =
            OpenOptions::new().append(true).create(true).open(path).context("cannot note times")?;
        let lines: String =
            times.iter().map(|t| format!("{}\t{}\t{:.3}\n", t.program, t.test, t.seconds)).collect();
        file.write_all(lines.as_bytes()).context("cannot note times")?;
    }
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(101))
}

/// The triple of this machine, as in the names of cargo's variables.
fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("cannot run rustc")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.context("rustc names no host")?.to_owned())
}

fn is_usual_runner(program: &str) -> Result<bool> {
    let help =
        Command::new(program).arg("--help").output().with_context(|| format!("cannot run {program}"))?;
    Ok(String::from_utf8_lossy(&help.stdout).contains("--report-time"))
}

/// `target/debug/deps/fixtures-0123abcd` as `fixtures`.
fn short_name(program: &str) -> String {
    let file = program.rsplit('/').next().unwrap_or_default();
    file.rsplit_once('-').map_or(file, |(name, _)| name).to_owned()
}

/// Test and seconds of a line such as `test a::b ... ok <0.123s>`.
fn reported(line: &str) -> Option<(&str, f64)> {
    let (before, time) = line.strip_suffix("s>")?.rsplit_once('<')?;
    let (test, _) = before.strip_prefix("test ")?.split_once(" ... ")?;
    Some((test.trim_end_matches(" - should panic"), time.parse().ok()?))
}

fn parse(text: &str) -> Vec<Time> {
    let row = |line: &str| {
        let mut fields = line.split('\t');
        let (program, test) = (fields.next()?.to_owned(), fields.next()?.to_owned());
        Some(Time { program, test, seconds: fields.next()?.parse().ok()? })
    };
    text.lines().filter_map(row).collect()
}

/// What is printed at the end; the last line is of the form that the usual runner ends with.
fn summary(times: &[Time], build_seconds: f64, is_ok: bool) -> String {
    let (mut programs, mut tests): (Vec<&Time>, Vec<&Time>) =
        times.iter().partition(|time| time.test.is_empty());
    let total: f64 = programs.iter().map(|time| time.seconds).sum();
    let mut out = format!(
        "\n{} tests in {} programs: {build_seconds:.0} s to build, {total:.0} s to run\n",
        tests.len(),
        programs.len()
    );
    for (title, rows) in [("slowest programs", &mut programs), ("slowest tests", &mut tests)] {
        rows.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        out += &format!("\n{title}\n");
        for Time { program, test, seconds } in rows.iter().take(SHOWN) {
            out += format!("{seconds:>9.2} s  {program} {test}").trim_end();
            out.push('\n');
        }
    }
    let word = if is_ok { "ok" } else { "FAILED" };
    // A failed test has its time, too, so what passed is known only if all did.
    out + &match is_ok {
        true => format!("\ntest result: {word}. {} passed; 0 failed\n", tests.len()),
        false => format!("\ntest result: {word}. {} executed\n", tests.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(program: &str, test: &str, seconds: f64) -> Time {
        Time { program: program.to_owned(), test: test.to_owned(), seconds }
    }

    #[test]
    fn times_are_read_from_what_the_usual_runner_prints() {
        assert_eq!(reported("test a::b ... ok <0.123s>"), Some(("a::b", 0.123)));
        assert_eq!(reported("test c - should panic ... FAILED <12.000s>"), Some(("c", 12.0)));
        assert_eq!(reported("test a::b ... ok"), None);
        assert_eq!(reported("test result: ok. 3 passed; finished in 0.01s"), None);
        assert_eq!(reported("running <1s>"), None);
    }

    #[test]
    fn lines_of_the_file_are_times_and_others_are_left_out() {
        let text = "fixtures\ttopic/a[rev]\t1.5\nfixtures\t\t9.25\nbroken line\n";
        assert_eq!(parse(text), [time("fixtures", "topic/a[rev]", 1.5), time("fixtures", "", 9.25)]);
    }

    #[test]
    fn the_slowest_come_first_and_the_last_line_counts_the_tests() {
        let mut times: Vec<Time> = (0..15).map(|i| time("unit", &format!("t{i}"), f64::from(i))).collect();
        times.push(time("unit", "", 105.0));
        let text = summary(&times, 60.0, true);
        assert!(text.starts_with("\n15 tests in 1 programs: 60 s to build, 105 s to run\n"), "{text}");
        let tests = text.split_once("slowest tests\n").expect("a list").1;
        let rows: Vec<&str> = tests.lines().take_while(|line| !line.is_empty()).collect();
        assert_eq!((rows.len(), rows[0], rows[9]), (10, "    14.00 s  unit t14", "     5.00 s  unit t5"));
        assert!(text.ends_with("\ntest result: ok. 15 passed; 0 failed\n"), "{text}");
    }

    #[test]
    fn after_a_failure_nothing_is_said_to_have_passed() {
        let text = summary(&[time("unit", "t", 1.0)], 0.0, false);
        assert!(text.ends_with("test result: FAILED. 1 executed\n") && !text.contains("passed"), "{text}");
    }

    #[test]
    fn a_program_is_named_without_its_hash() {
        assert_eq!(short_name("target/debug/deps/random_programs-0f1e2d"), "random_programs");
    }
}
