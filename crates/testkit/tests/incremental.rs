//! A changed program is checked with what is known of its last version, and the answer is that of a search from scratch.

use std::sync::atomic::AtomicBool;

use selvedge_engine::{
    Config, Hooks, Knowledge, KnownBugs, Memory, Outcome, Reduction, Reuse, Stands, StandsBecause, verify,
    verify_again,
};
use selvedge_frontend::{Options, load};
use selvedge_program::Program;
use selvedge_testkit::generator::Rng;
use selvedge_testkit::{edits, threads};

const COUNTERS: &str = "
#include <assert.h>
#include <pthread.h>
static int a = 1, b = 1, c;
static void *first(void *p) { for (int i = 0; i < 2; i++) a += b; return p; }
static void *second(void *p) { for (int i = 0; i < 2; i++) b += a; return p; }
static void *third(void *p) { c = 7; return p; }
int main(void)
{
    pthread_t t, u, v;
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, second, 0);
    pthread_create(&v, 0, third, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_join(v, 0);
    assert(a < 144 && b < 144);
    assert(c == 7);
    return 0;
}
";

fn program(name: &str, text: &str) -> Program {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, text).expect("a writable directory for tests");
    load(&Options { files: vec![file], ..Options::default() }).expect("a valid program")
}

fn hooks<'a>(
    interrupted: &'a AtomicBool,
    progress: &'a mut dyn FnMut(&selvedge_engine::Progress),
    bug: &'a mut dyn FnMut(&selvedge_engine::Bug),
) -> Hooks<'a> {
    Hooks { progress, bug, interrupted }
}

/// The next version of a lineage, with and without what is known.
fn both(name: &str, text: &str, memory: &mut Memory) -> (Outcome, Outcome) {
    let config = Config::default().with(|c| c.search.all_bugs = true);
    let (fresh, again) = versions(&program(name, text), &config, memory);
    assert_same(name, &fresh, &again);
    (fresh, again)
}

/// A version with and without what is known.
fn versions(program: &Program, config: &Config, memory: &mut Memory) -> (Outcome, Outcome) {
    let interrupted = AtomicBool::new(false);
    let fresh = verify(program, config, hooks(&interrupted, &mut |_| {}, &mut |_| {}));
    // What is kept has to survive the way to the disk and back.
    let bytes = std::mem::take(memory).to_bytes();
    let known = Memory::from_bytes(&bytes).expect("what was written can be read");
    let (program, mut knowledge) = Knowledge::of(program.clone(), known, DAY);
    let again =
        verify_again(&program, config, hooks(&interrupted, &mut |_| {}, &mut |_| {}), Some(&mut knowledge));
    *memory = knowledge.into_memory();
    (fresh, again)
}

/// When all searches of these tests happen.
const DAY: u64 = 1_000_000_000;

fn reuse(outcome: &Outcome) -> Reuse {
    outcome.reuse.expect("a run with what is known")
}

fn gave_up(outcome: &Outcome) -> bool {
    outcome.reasons.iter().any(|reason| reason.contains("limit") || reason.contains("--max-runs"))
}

#[track_caller]
fn assert_same(what: &str, fresh: &Outcome, again: &Outcome) {
    let summary = |outcome: &Outcome| {
        let mut bugs: Vec<_> =
            outcome.bugs.iter().map(|b| (b.kind, b.location.line, b.location.column)).collect();
        bugs.sort();
        let mut reasons = outcome.reasons.clone();
        reasons.sort();
        let assumed: Vec<_> = outcome.assumptions.iter().map(|a| (a.id, a.locations.clone())).collect();
        (outcome.verdict, bugs, reasons, assumed, outcome.warnings.clone())
    };
    assert_eq!(summary(fresh), summary(again), "{what}: {:?}", again.reuse);
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// The programs of these seeds in one file, with assertions about what they show.
fn batch(seeds: &[u64], dir: &std::path::Path) -> Program {
    let programs: Vec<_> = seeds.iter().map(|seed| threads::generate(*seed)).collect();
    let text = threads::batch_text(&programs);
    let mut n = 0;
    let asserted: Vec<String> = text
        .lines()
        .map(|line| match line.trim().strip_prefix("show(").and_then(|rest| rest.strip_suffix(");")) {
            Some(shown) => {
                n += 1;
                format!("assert(({shown}) != {});", n % 4 + 1)
            }
            None => line.to_owned(),
        })
        .collect();
    let file = dir.join("batch.c");
    std::fs::write(&file, asserted.join("\n")).expect("a folder for tests");
    let options = Options { files: vec![file], entry: "every_program".to_owned(), ..Options::default() };
    load(&options).expect("a valid program")
}

/// `SELVEDGE_INCREMENTAL_PROGRAMS` says how many programs are edited, `SELVEDGE_DIFF_SEED` which is the first.
#[test]
fn edited_programs_are_answered_as_from_scratch() {
    let first = number("SELVEDGE_DIFF_SEED", 0) + 40_000;
    let last = first + number("SELVEDGE_INCREMENTAL_PROGRAMS", 60);
    let dir = tempfile::tempdir().expect("a folder");
    let (mut n_versions, mut n_reused, mut n_changed, mut executions) = (0, 0, 0, (0, 0));
    let seeds: Vec<u64> = (first..last).collect();
    for chunk in seeds.chunks(10) {
        let batch = batch(chunk, dir.path());
        for &seed in chunk {
            let name = threads::entry_name(seed);
            let prefix = name.trim_end_matches("main").to_owned();
            if threads::generate(seed).makes_addresses() {
                continue;
            }
            let mut base = batch.clone();
            base.entry = base.func_named(&name);
            base.unordered.clear();
            let mut rng = Rng::new(seed ^ 0x1ace);
            let (mut known, mut memory) = (vec![base], Memory::default());
            let mut verdicts = Vec::new();
            let mut config = Config::default().with(|c| {
                c.search.all_bugs = true;
                c.limits.max_runs = Some(2000);
                c.limits.timeout = Some(std::time::Duration::from_secs(10));
            });
            if let (true, Reduction::Ag(ag)) = (rng.chance(25), &mut config.reduction) {
                ag.slice = false;
            }
            for step in 0..6 {
                let mut version = rng.pick(&known).clone();
                let mut what = Vec::new();
                if step > 0 {
                    for _ in 0..rng.below(3) {
                        what.extend(edits::edit(&mut version, &mut rng, |name| name.starts_with(&prefix)));
                    }
                    if rng.chance(30) {
                        edits::add_elsewhere(&mut version, &mut rng);
                    }
                    if rng.chance(50) {
                        version = edits::shuffle(&version, &mut rng);
                    }
                }
                let (fresh, again) = versions(&version, &config, &mut memory);
                known.push(version);
                if gave_up(&fresh) || gave_up(&again) {
                    continue;
                }
                assert_same(&format!("program {seed}, version {step} with {what:?}"), &fresh, &again);
                n_versions += 1;
                n_reused += u64::from(again.reuse.is_some_and(|reuse| reuse.used > 0));
                n_changed += u64::from(verdicts.last().is_some_and(|last| *last != fresh.verdict));
                verdicts.push(fresh.verdict);
                executions.0 += fresh.executions.total;
                executions.1 += again.executions.total;
            }
        }
    }
    assert!(
        n_reused * 20 > n_versions && n_changed > 0 && executions.1 < executions.0,
        "{n_reused} of {n_versions} versions use summaries, {n_changed} have another verdict; {} executions for {}",
        executions.1,
        executions.0
    );
}

#[test]
fn an_unchanged_program_is_not_explored_again() {
    let mut memory = Memory::default();
    let (first, _) = both("same-1.c", COUNTERS, &mut memory);
    let (_, again) = both("same-2.c", COUNTERS, &mut memory);
    assert!(first.executions.full > 0);
    assert_eq!((again.executions.full, again.executions.total), (0, 0), "the answer stands");
    assert_eq!(reuse(&again).stands, Some(Stands { since: DAY, because: StandsBecause::Unchanged }));
    let moved = format!("/* a comment */\n\nstatic int unused;\n{}", COUNTERS.replace("a += b", "a  +=  b"));
    let (_, again) = both("same-3.c", &moved, &mut memory);
    assert_eq!(again.executions.full, 0, "lines, blanks and what is elsewhere make no difference");
}

#[test]
fn what_is_elsewhere_makes_no_difference() {
    let config = Config::default().with(|c| c.search.all_bugs = true);
    let mut program = program("numbers.c", COUNTERS);
    let mut memory = Memory::default();
    versions(&program, &config, &mut memory);
    let mut rng = Rng::new(1);
    for _ in 0..5 {
        edits::add_elsewhere(&mut program, &mut rng);
        let (fresh, again) = versions(&program, &config, &mut memory);
        assert_same("another global", &fresh, &again);
        assert_eq!(again.executions.full, 0);
        assert!(reuse(&again).stands.is_some());
    }
}

#[test]
fn an_edit_that_is_undone_is_known() {
    let mut memory = Memory::default();
    both("undone-1.c", COUNTERS, &mut memory);
    let (fresh, _) = both("undone-2.c", &COUNTERS.replace("c = 7", "c = 8"), &mut memory);
    assert_eq!(fresh.bugs.len(), 1);
    let (_, again) = both("undone-3.c", COUNTERS, &mut memory);
    assert_eq!(again.executions.full, 0);
}

/// The counterexample to the paper's rule: nothing influences `a = 1`, and still what was known there is wrong.
#[test]
fn a_change_after_an_unrelated_statement_is_noticed() {
    let text = "
#include <assert.h>
#include <pthread.h>
static int a, y;
static void *worker(void *p) { a = 1; y = 2; return p; }
static void *other(void *p) { a = 2; return p; }
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, other, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(y < 3);
    return 0;
}
";
    let mut memory = Memory::default();
    let (fresh, _) = both("unrelated-1.c", text, &mut memory);
    assert!(fresh.bugs.is_empty());
    let (_, again) = both("unrelated-2.c", &text.replace("y = 2", "y = 3"), &mut memory);
    assert_eq!(again.bugs.len(), 1);
}

#[test]
fn options_and_what_surrounds_the_program_are_part_of_what_is_known() {
    let mut memory = Memory::default();
    let program = program("options.c", COUNTERS);
    let plain = Config::default().with(|c| c.search.all_bugs = true);
    versions(&program, &plain, &mut memory);
    let bounded = plain.clone().with(|c| c.bounds.unwind = Some(1));
    let (fresh, again) = versions(&program, &bounded, &mut memory);
    assert_same("another bound", &fresh, &again);
    assert_eq!(again.reuse.map(|reuse| reuse.kept), Some(0));
    let (_, again) = versions(&program, &plain, &mut memory);
    assert_eq!(again.reuse.map(|reuse| reuse.kept), Some(0), "what held for other options is gone");
}

#[test]
fn a_known_failure_is_executed_again_before_any_search() {
    let first_one = Config::default();
    let mut memory = Memory::default();
    let check = |name: &str, text: &str, memory: &mut Memory| {
        let (fresh, again) = versions(&program(name, text), &first_one, memory);
        assert_eq!(fresh.verdict, again.verdict, "{name}");
        (fresh, again)
    };
    let failing = COUNTERS.replace("a < 144", "a < 5");
    let (_, first) = check("failing-1.c", &failing, &mut memory);
    assert_eq!((first.bugs.len(), reuse(&first).known_bugs), (1, KnownBugs::default()));
    let (fresh, same) = check("failing-2.c", &format!("/* moved */\n{failing}"), &mut memory);
    assert_eq!(reuse(&same).known_bugs, KnownBugs { same: 1, ..KnownBugs::default() });
    assert_eq!((same.executions.total, same.bugs.len()), (1, 1));
    assert_eq!(same.bugs[0].location, fresh.bugs[0].location);
    // What comes later fails as before, what comes earlier is another failure.
    let sooner = failing.replace(
        "for (int i = 0; i < 2; i++) a += b;",
        "for (int i = 0; i < 2; i++) { assert(a < 2); a += b; }",
    );
    let (_, other) = check("failing-3.c", &sooner, &mut memory);
    assert_eq!(reuse(&other).known_bugs, KnownBugs { other: 1, ..KnownBugs::default() });
    let (_, fixed) = check("failing-4.c", COUNTERS, &mut memory);
    assert_eq!(reuse(&fixed).known_bugs, KnownBugs { fixed: 1, ..KnownBugs::default() });
    assert!(fixed.bugs.is_empty());
}

#[test]
fn an_answer_with_all_failures_stands_with_them() {
    let mut memory = Memory::default();
    let failing = COUNTERS.replace("a < 144 && b < 144", "a < 5 && b < 5");
    both("all.c", &failing, &mut memory);
    let (fresh, again) = both("all.c", &failing, &mut memory);
    assert!(!fresh.bugs.is_empty() && reuse(&again).stands.is_some());
    assert_eq!(reuse(&again).known_bugs.same, again.bugs.len() as u64);
}

#[test]
fn what_rests_on_bits_of_addresses_is_searched_again() {
    let text = "
#include <assert.h>
#include <stdint.h>
static char here[3];
int main(void)
{
    here[0] = 1;
    return ((uintptr_t)here >> 2) % 3 == 0 ? 0 : 1;
}
";
    let mut memory = Memory::default();
    both("bits.c", text, &mut memory);
    let (_, again) = both("bits.c", text, &mut memory);
    assert!(reuse(&again).stands.is_none(), "another object would move this one");
    let compared = text.replace("((uintptr_t)here >> 2) % 3", "here[1]");
    both("bits.c", &compared, &mut memory);
    assert!(reuse(&both("bits.c", &compared, &mut memory).1).stands.is_some());
}
