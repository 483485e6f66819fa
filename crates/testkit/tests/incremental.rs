//! A changed program is checked with what is known of its last version, and the answer is that of a search from scratch.

use selvedge_engine::{Config, KnownBugs, Outcome, Reuse, Stands, StandsBecause};
use selvedge_frontend::{Options, load};
use selvedge_program::Program;
use selvedge_testkit::edit_chains::{self, Seen};
use selvedge_testkit::edits;
use selvedge_testkit::generator::Rng;
use selvedge_testkit::lineage::{DAY, Lineage, Way, difference, from_scratch};
use selvedge_testkit::wishes::number;

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

/// The next version of a lineage, with and without what is known.
fn both(name: &str, text: &str, memory: &mut Lineage) -> (Outcome, Outcome) {
    let config = Config::default().with(|c| c.search.all_bugs = true);
    let (fresh, again) = versions(&program(name, text), &config, memory);
    assert_same(name, &fresh, &again);
    (fresh, again)
}

/// A version with and without what is known.
fn versions(program: &Program, config: &Config, lineage: &mut Lineage) -> (Outcome, Outcome) {
    (from_scratch(program, config), lineage.check(program, config))
}

fn reuse(outcome: &Outcome) -> Reuse {
    outcome.reuse.expect("a run with what is known")
}

#[track_caller]
fn assert_same(what: &str, fresh: &Outcome, again: &Outcome) {
    assert_eq!(difference(fresh, again), None, "{what}: {:?}", again.reuse);
}

/// `SELVEDGE_INCREMENTAL_PROGRAMS` says how many programs are edited, `SELVEDGE_DIFF_SEED` which is the first.
#[test]
fn edited_programs_are_answered_as_from_scratch() {
    let first = number("SELVEDGE_DIFF_SEED", 0) + 40_000;
    let n = number("SELVEDGE_INCREMENTAL_PROGRAMS", 720);
    let dir = tempfile::tempdir().expect("a folder");
    let seeds: Vec<u64> = (first..first + n).collect();
    let compare = |seeds: &[u64]| {
        let mut seen = Seen::default();
        for chunk in seeds.chunks(20) {
            seen.add(edit_chains::compare(chunk, dir.path()).expect("programs that compile"));
            // A few that are larger.
            seen.add(edit_chains::compare_large(&chunk[..1], dir.path()).expect("programs that compile"));
        }
        seen
    };
    // A search waits for a clock in the end, so more can go on than there are processors.
    let mut seen = Seen::default();
    std::thread::scope(|scope| {
        let parts: Vec<_> =
            seeds.chunks((n as usize).div_ceil(4)).map(|part| scope.spawn(move || compare(part))).collect();
        parts.into_iter().for_each(|part| seen.add(part.join().expect("no panic")));
    });
    assert!(seen.mismatches.is_empty(), "{:#?}", seen.mismatches);
    let [fresh, impact, all] = seen.executions;
    let is_useful = seen.stood * 20 > seen.versions && seen.focused * 20 > seen.versions && seen.recalled > 0;
    assert!(is_useful && seen.changed > 0 && impact < fresh && all < fresh, "{seen:?}");
    assert!(n < 720 || seen.edits > 3000, "{seen:?}");
}

#[test]
fn an_unchanged_program_is_not_explored_again() {
    let mut memory = Lineage::new(Way::All);
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
    let mut memory = Lineage::new(Way::All);
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
    let mut memory = Lineage::new(Way::All);
    both("undone-1.c", COUNTERS, &mut memory);
    let (fresh, _) = both("undone-2.c", &COUNTERS.replace("c = 7", "c = 8"), &mut memory);
    assert_eq!(fresh.bugs.len(), 1);
    let (_, again) = both("undone-3.c", COUNTERS, &mut memory);
    assert_eq!(again.executions.full, 0);
}

#[test]
fn an_edit_after_the_joins_costs_one_execution_for_each_end() {
    let mut memory = Lineage::new(Way::All);
    both("end-1.c", COUNTERS, &mut memory);
    let (fresh, again) = both("end-2.c", &COUNTERS.replace("c == 7", "c >= 7 && c < 9"), &mut memory);
    let reuse = reuse(&again);
    assert!(reuse.kept <= 1 && reuse.stands.is_none(), "everything rests on the end");
    assert!(reuse.again > 10 && reuse.dropped <= reuse.again / 10, "{reuse:?}");
    assert_eq!(again.executions.full, 1, "there is one end");
    assert!(2 * again.executions.total < fresh.executions.total, "{:?}", again.executions);
}

#[test]
fn a_claim_about_the_end_that_does_not_follow_any_more_is_dropped() {
    let stronger = COUNTERS.replace("c == 7", "c == 7 && a != 3");
    let mut memory = Lineage::new(Way::All);
    both("stronger-1.c", COUNTERS, &mut memory);
    let (fresh, again) = both("stronger-2.c", &stronger, &mut memory);
    assert_eq!((fresh.bugs.len(), again.bugs.len()), (1, 1));
    // Taken over as it is, it hides the failure.
    let wrong = Config::default().with(|c| {
        c.search.all_bugs = true;
        c.switches.rules.claims_follow = false;
    });
    let mut memory = Lineage::new(Way::All);
    versions(&program("stronger-3.c", COUNTERS), &wrong, &mut memory);
    let (fresh, again) = versions(&program("stronger-4.c", &stronger), &wrong, &mut memory);
    assert_eq!((fresh.bugs.len(), again.bugs.len()), (1, 0), "nobody could tell if this were wrong");
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
    let mut memory = Lineage::new(Way::All);
    let (fresh, _) = both("unrelated-1.c", text, &mut memory);
    assert!(fresh.bugs.is_empty());
    let (_, again) = both("unrelated-2.c", &text.replace("y = 2", "y = 3"), &mut memory);
    assert_eq!(again.bugs.len(), 1);
}

#[test]
fn options_and_what_surrounds_the_program_are_part_of_what_is_known() {
    let mut memory = Lineage::new(Way::All);
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
    let mut memory = Lineage::new(Way::All);
    let check = |name: &str, text: &str, memory: &mut Lineage| {
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
    let mut memory = Lineage::new(Way::All);
    let failing = COUNTERS.replace("a < 144 && b < 144", "a < 5 && b < 5");
    both("all.c", &failing, &mut memory);
    let (fresh, again) = both("all.c", &failing, &mut memory);
    assert!(!fresh.bugs.is_empty() && reuse(&again).stands.is_some());
    assert_eq!(reuse(&again).known_bugs.same, again.bugs.len() as u64);
}
