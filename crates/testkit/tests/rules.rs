//! Each rule of docs/soundness.md is needed: for every one of R1 to R9 there is a program that is judged wrongly when the
//! rule is switched to its wrong reading, and rightly by plain enumeration, by partial-order reduction and by summaries
//! that keep to all rules.
//!
//! Besides, what was not explored to its end never feeds a summary: after a bound, something unsupported or a limit of
//! time, `safe` is not said.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use selvedge_engine::{
    Ag, Backtrack, Config, Dpor, Outcome, Reduction, ReductionKind, Rules, ThreadOrder, Verdict,
};
use selvedge_testkit::differential::explore;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/threads").join(name)
}

fn judge(name: &str, config: &Config) -> Outcome {
    let (outcome, _) = explore(&file(name), config).unwrap_or_else(|e| panic!("{name}: {e}"));
    outcome
}

fn lines(outcome: &Outcome) -> BTreeSet<u32> {
    outcome.bugs.iter().map(|b| b.location.line).collect()
}

/// The program is judged rightly with the rule and wrongly without it.
#[track_caller]
fn check(name: &str, break_rule: impl Fn(&mut Rules)) {
    check_in(name, Dpor::default(), break_rule);
}

const SOURCE_SETS: Dpor = Dpor { backtrack: Backtrack::SourceSets, sleep: true };
/// Summaries and slicing, and nothing beside them.
const ALONE: Option<Dpor> = None;

/// All bugs, found with this reduction.
fn all_bugs(reduction: Reduction) -> Config {
    Config::default().with(|c| {
        c.search.all_bugs = true;
        c.reduction = reduction;
    })
}

/// All bugs, found with summaries and slicing beside this.
fn guided(dpor: Option<Dpor>) -> Config {
    all_bugs(Reduction::Ag(Ag { dpor, ..Ag::default() }))
}

/// As [`check`], with this beside summaries.
#[track_caller]
fn check_in(name: &str, dpor: Dpor, break_rule: impl Fn(&mut Rules)) {
    let with_summaries = guided(Some(dpor));
    let plain = all_bugs(Reduction::None);
    let expected = judge(name, &plain);
    assert_eq!(expected.verdict, Verdict::Unsafe, "plain enumeration");
    let right = [
        ("partial-order reduction", all_bugs(Reduction::Dpor(dpor))),
        ("summaries", with_summaries.clone()),
        ("summaries with source sets", guided(Some(SOURCE_SETS))),
        ("summaries with wakeup trees", guided(Some(Dpor::default()))),
        (
            "summaries with threads in another order",
            with_summaries.clone().with(|c| c.switches.thread_order = ThreadOrder::Keeping),
        ),
        ("summaries alone", guided(ALONE)),
    ];
    for (what, config) in right {
        let outcome = judge(name, &config);
        assert_eq!((outcome.verdict, lines(&outcome)), (Verdict::Unsafe, lines(&expected)), "{what}");
    }
    // Which order of threads shows the harm depends on the program. All are judged rightly with the rule.
    let orders = [ThreadOrder::Keeping].into_iter().chain((0..ORDERS).map(ThreadOrder::Shuffled));
    let mut does_harm = false;
    for thread_order in orders {
        let right = with_summaries.clone().with(|c| c.switches.thread_order = thread_order);
        let outcome = judge(name, &right);
        assert_eq!(
            (outcome.verdict, lines(&outcome)),
            (Verdict::Unsafe, lines(&expected)),
            "{thread_order:?}"
        );
        let mut wrong = right;
        break_rule(&mut wrong.switches.rules);
        does_harm |= judge(name, &wrong).verdict == Verdict::Safe;
        if does_harm {
            break;
        }
    }
    assert!(does_harm, "the wrong reading does no harm");
}

/// Orders of threads that are tried.
const ORDERS: u64 = 200;

#[test]
fn r1_a_side_that_was_not_explored_is_not_safe() {
    check("rules/r1_unexplored_side.c", |rules| rules.unexplored_is_unknown = false);
}

#[test]
fn r2_each_side_of_a_branch_counts_where_its_condition_holds() {
    check("rules/r2_other_side.c", |rules| rules.sides_are_guarded = false);
}

#[test]
fn r3_all_schedules_must_be_safe() {
    check("rules/r3_one_good_schedule.c", |rules| rules.all_threads_count = false);
}

#[test]
fn r4_a_pruned_state_is_as_safe_as_its_summary() {
    check("rules/r4_below_a_pruned_state.c", |rules| rules.pruned_is_summary = false);
}

#[test]
fn r5_an_address_is_a_guard() {
    check("rules/r5_another_cell.c", |rules| rules.addresses_are_guards = false);
}

#[test]
fn r5_a_pointer_leads_to_the_object_that_it_led_to() {
    check("rules/r5_another_object.c", |rules| rules.pointers_lead_alike = false);
    check("rules/r5_beside_the_object.c", |rules| rules.pointers_lead_alike = false);
}

#[test]
fn r6_a_concrete_branch_is_a_guard() {
    check("rules/r6_concrete_branch.c", |rules| rules.concrete_branches_are_guards = false);
}

#[test]
fn r7_only_finished_states_are_summarised() {
    check("rules/r7_unfinished.c", |rules| rules.finished_only = false);
}

#[test]
fn r8_what_slept_when_a_summary_was_made_is_not_covered() {
    check("rules/r8_covered_but_awake.c", |rules| rules.sleep_counts = false);
}

#[test]
fn r8_what_a_summary_covers_does_not_sleep_below() {
    check("rules/r8_covered_but_awake.c", |rules| rules.covered_wakes_below = false);
}

#[test]
fn r8_all_that_slept_when_a_summary_was_made_are_tried() {
    check_in("rules/r8_all_that_slept.c", SOURCE_SETS, |rules| rules.missing_are_tried = false);
}

#[test]
fn r9_what_is_skipped_takes_part_in_races() {
    check("rules/r9_skipped_accesses.c", |rules| rules.footprints_count = false);
}

fn every_reduction() -> Vec<(&'static str, Config)> {
    let wholes = ReductionKind::ALL.iter().map(|kind| (kind.name(), all_bugs(kind.whole())));
    wholes.chain([("summaries alone", guided(ALONE))]).collect()
}

#[test]
fn what_a_bound_cuts_feeds_no_summary() {
    for (what, config) in every_reduction() {
        let config = config.with(|c| c.bounds.unwind = Some(3));
        for name in ["rules/cut_first.c", "rules/cut_writer.c"] {
            assert_eq!(judge(name, &config).verdict, Verdict::Unsafe, "{name}, {what}");
        }
        let between = judge("rules/cut_in_between.c", &config.clone().with(|c| c.bounds.unwind = Some(4)));
        assert_eq!(between.verdict, Verdict::Unsafe, "{what}");
        let later = judge("rules/cut_later.c", &config);
        assert_eq!((later.verdict, later.bounded), (Verdict::Safe, true), "{what}");
    }
}

#[test]
fn what_is_not_supported_feeds_no_summary() {
    for (what, config) in every_reduction() {
        assert_eq!(judge("rules/unsupported_first.c", &config).verdict, Verdict::Unsafe, "{what}");
        assert_eq!(judge("rules/unsupported_later.c", &config).verdict, Verdict::Unknown, "{what}");
    }
}

#[test]
fn a_search_that_runs_out_of_time_or_runs_never_says_safe() {
    let (_, guided) = every_reduction().pop().expect("summaries are the last");
    for micros in [0, 100, 300, 1000, 3000, 10_000, 30_000] {
        let config = guided.clone().with(|c| c.limits.timeout = Some(Duration::from_micros(micros)));
        for name in ["rules/r4_below_a_pruned_state.c", "rules/r9_skipped_accesses.c"] {
            assert_ne!(judge(name, &config).verdict, Verdict::Safe, "{name} within {micros} microseconds");
        }
    }
    for runs in 0..8 {
        let config = guided.clone().with(|c| c.limits.max_runs = Some(runs));
        for name in ["rules/r4_below_a_pruned_state.c", "rules/r9_skipped_accesses.c"] {
            assert_ne!(judge(name, &config).verdict, Verdict::Safe, "{name} within {runs} runs");
        }
    }
}

#[test]
fn what_the_solver_cannot_decide_in_time_is_not_safe() {
    for (what, config) in every_reduction() {
        for millis in [1, 5] {
            let config = config.clone().with(|c| c.solver.timeout = Some(Duration::from_millis(millis)));
            let verdict = judge("rules/undecided.c", &config).verdict;
            assert_ne!(verdict, Verdict::Safe, "{what} within {millis} ms");
        }
    }
}
