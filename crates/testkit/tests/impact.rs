//! Differences and their impact against executions: random programs with threads and one random edit.
//!
//! An assertion that the impact says cannot be influenced fails in both versions or in neither. An edit that changes the
//! text of what is executed is a difference, one of layout or of names of locals is none.
//!
//! `SELVEDGE_RANDOM_FACTOR` multiplies the number of pairs, `SELVEDGE_DIFF_SEED` is the first seed.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use selvedge_analysis::Diff;
use selvedge_engine::{BugKind, Config, Hooks, Property, Verdict};
use selvedge_program::Program;
use selvedge_testkit::generator::{self, Rng};
use selvedge_testkit::statements::{self, PREAMBLE, batch, edit, program};
use selvedge_testkit::wishes::number;

const PAIRS: u64 = 120;
const SEQUENTIAL: u64 = 25;

fn load(text: &str, entry: &str) -> Program {
    try_load(text, entry).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn try_load(text: &str, entry: &str) -> Result<Program, selvedge_frontend::Error> {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("batch.c");
    std::fs::write(&file, text).expect("written");
    let options = selvedge_frontend::Options {
        files: vec![file],
        clang_args: vec!["-w".to_owned()],
        entry: entry.to_owned(),
        ..Default::default()
    };
    selvedge_frontend::load(&options)
}

fn enter(program: &mut Program, name: &str) {
    program.entry = program.func_named(name);
    assert!(program.entry.is_some(), "{name}");
}

/// Lines of assertions that fail; `None` if the search was not complete.
fn failing(program: &Program) -> Option<BTreeSet<u32>> {
    let config = Config::default().with(|c| {
        c.search.all_bugs = true;
        c.limits.timeout = Some(Duration::from_secs(3));
    });
    let interrupted = AtomicBool::new(false);
    let hooks = Hooks { progress: &mut |_| {}, bug: &mut |_| {}, interrupted: &interrupted };
    let outcome = selvedge_engine::verify(program, &config, hooks);
    let is_whole = outcome.verdict != Verdict::Unknown && outcome.reasons.is_empty();
    let asserts = outcome.bugs.iter().filter(|bug| bug.kind == BugKind::Assert);
    is_whole.then(|| asserts.map(|bug| bug.location.line).collect())
}

#[test]
fn assertions_that_cannot_be_influenced_fail_alike() {
    let first = number("SELVEDGE_DIFF_SEED", 0);
    let n = PAIRS * number("SELVEDGE_RANDOM_FACTOR", 1);
    let mut pairs = Vec::new();
    for seed in first..first + n {
        let mut rng = Rng::new(seed ^ 0x1d1f_f000);
        let (old, editable) = program(&mut rng);
        let new = edit(&old, &editable, &mut rng);
        pairs.push((seed, old, new));
    }
    let before: Vec<Vec<String>> = pairs.iter().map(|(_, old, _)| old.clone()).collect();
    let after: Vec<Vec<String>> = pairs.iter().map(|(_, _, new)| new.clone()).collect();
    let (mut old, mut new) = (load(&batch(&before), "every_program"), load(&batch(&after), "every_program"));
    let (mut compared, mut alike, mut changed, mut line) = (0, 0, 0, PREAMBLE.lines().count() as u32);
    for (i, (seed, before, after)) in pairs.iter().enumerate() {
        enter(&mut old, &format!("{}main", statements::name(i)));
        enter(&mut new, &format!("{}main", statements::name(i)));
        let start = line;
        line += before.len() as u32;
        let (Some(was), Some(is)) = (failing(&old), failing(&new)) else { continue };
        let comparison = selvedge_engine::compare(&old, &new, &Property::defaults());
        for (at, text) in before.iter().enumerate() {
            if !text.starts_with("assert") || after[at] != *text {
                continue;
            }
            let here = start + at as u32 + 1;
            let influenced = comparison.checks.iter().any(|c| c.place.line == here && c.influenced);
            let is_alike = was.contains(&here) == is.contains(&here);
            compared += 1;
            alike += u32::from(!influenced);
            changed += u32::from(!is_alike);
            assert!(
                influenced || is_alike,
                "seed {seed}, line {}: {text}\n{}\n--- becomes\n{}",
                at + 1,
                before.join("\n"),
                after.join("\n")
            );
        }
    }
    // Few edits change whether an assertion fails: a longer run has to see some.
    let sees_changes = changed > 0 || n <= PAIRS;
    assert!(compared > n / 4 && alike > 0 && sees_changes, "{compared} compared, {alike}, {changed} changed");
}

/// The text with another layout: every line is pushed down, and everything is indented.
fn laid_out(text: &str) -> String {
    let lines = text.lines().map(|line| match line.starts_with('#') {
        true => format!("{line}\n"),
        false => format!("   {line} // moved\n\n"),
    });
    format!("/* a comment\n of two lines */\n{}", lines.collect::<String>())
}

#[test]
fn layout_is_no_difference_and_changed_numbers_are() {
    let first = number("SELVEDGE_DIFF_SEED", 0) + 810_000;
    let mut seen = 0;
    for seed in first..first + SEQUENTIAL * number("SELVEDGE_RANDOM_FACTOR", 1) {
        let text = generator::generate(seed, &generator::Options::default()).source();
        let old = load(&text, "main");
        assert!(Diff::new(&old, &load(&laid_out(&text), "main")).is_empty(), "seed {seed}");
        let printed = |program: &Program| without_places(program);
        let mut rng = Rng::new(seed);
        let changed = selvedge_testkit::mutate::number(&text, &mut rng);
        // Some numbers are needed as they are.
        let Ok(new) = try_load(&changed, "main") else { continue };
        let is_same = Diff::new(&old, &new).is_empty();
        if is_same {
            assert_eq!(printed(&old), printed(&new), "seed {seed}");
        }
        seen += u32::from(!is_same);
    }
    assert!(seen > 0, "no change was seen");
}

/// The text form without places.
fn without_places(program: &Program) -> String {
    let mut program = program.clone();
    for block in program.funcs.iter_mut().flat_map(|f| f.blocks.iter_mut()) {
        block.locs.iter_mut().for_each(|loc| *loc = selvedge_base::Loc::UNKNOWN);
    }
    let funcs = program.funcs.enumerate().filter(|(_, f)| !f.is_runtime && f.is_defined());
    funcs.map(|(id, _)| selvedge_program::print_func(&program, id)).collect()
}
