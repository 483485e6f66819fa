//! Bounds of the table: to forget a summary, to refuse one or to make it smaller costs time and nothing else (R11).

use selvedge_explore::{SummaryLimits, ThreadOrder};
use selvedge_irkit::{Flags, Found, Text, Verdict, search};
use selvedge_program::Program;

/// So many threads that add numbers of their own to `x` in two steps, and what `main` asks of it.
fn adding(threads: u32, below: u32) -> Program {
    let names: Vec<String> = (0..threads).map(|i| format!("t{i}")).collect();
    let body =
        |i: u32| format!("%v: i32 = load i32 @x\n%w: i32 = add i32 %v, {}i32\nstore i32 %w to @x", i + 1);
    let text = Text::new().int("x", 0);
    let text = (0..threads).fold(text, |text, i| text.thread(&names[i as usize], &body(i)));
    text.main(&format!(
        "run {}\n%v: i32 = load i32 @x\n%c: i1 = cmp.ult i32 %v, {below}i32\nassert %c",
        names.join(" ")
    ))
}

fn with(program: &Program, summary_limits: SummaryLimits) -> Found {
    search(program, &Flags { summary_limits, ..Flags::ag() })
}

fn size(size: usize) -> SummaryLimits {
    SummaryLimits { size, ..SummaryLimits::default() }
}

fn entries(entries: u64) -> SummaryLimits {
    SummaryLimits { entries, ..SummaryLimits::default() }
}

#[test]
fn a_bound_on_the_size_of_formulas_changes_no_verdict() {
    for (below, verdict) in [(7, Verdict::Safe), (6, Verdict::Unsafe)] {
        for bound in [0, 1, 2, 4, 8, 16, 64, 1000] {
            let found = with(&adding(3, below), size(bound));
            assert_eq!(found.verdict(), verdict, "size {bound}: {found}");
        }
    }
}

#[test]
fn a_bound_on_entries_changes_no_verdict() {
    for (below, verdict) in [(7, Verdict::Safe), (6, Verdict::Unsafe)] {
        for bound in [0, 1, 2, 5, 20, 100] {
            let found = with(&adding(3, below), entries(bound));
            assert_eq!(found.verdict(), verdict, "{bound} entries: {found}");
        }
    }
}

#[test]
fn fewer_entries_forget_more_and_recognise_less() {
    let program = adding(3, 7);
    let (one, many) = (with(&program, entries(1)), with(&program, SummaryLimits::default()));
    assert!(one.summaries.dropped > many.summaries.dropped, "{:?} {:?}", one.summaries, many.summaries);
    assert!(one.summaries.hits < many.summaries.hits, "{:?} {:?}", one.summaries, many.summaries);
    assert_eq!(many.summaries.dropped, 0);
}

#[test]
fn no_formula_is_larger_than_its_bound() {
    let program = adding(3, 7);
    for bound in [1, 3, 10, 50] {
        let stats = with(&program, size(bound)).summaries;
        assert!(stats.nodes <= stats.stored * bound as u64, "{bound}: {stats:?}");
    }
}

#[test]
fn a_formula_that_is_too_large_is_made_an_interval_that_still_recognises() {
    // What is asked of `x` is a sum of four numbers that differ by schedule.
    let program = adding(3, 1000);
    let small = with(&program, size(12));
    assert_eq!(small.verdict(), Verdict::Safe, "{small}");
    assert!(small.pruned > 0, "{small}: {:?}", small.summaries);
}

#[test]
fn every_bound_and_order_finds_the_failure() {
    let program = adding(3, 6);
    for thread_order in (0..6).map(ThreadOrder::Shuffled) {
        for summary_limits in [size(3), size(9), entries(1), entries(7)] {
            let found = search(&program, &Flags { thread_order, summary_limits, ..Flags::ag() });
            assert_eq!(found.verdict(), Verdict::Unsafe, "{thread_order:?} {summary_limits:?}: {found}");
        }
    }
}

#[test]
fn summaries_that_save_nothing_are_not_made_for_long() {
    // Each order of the steps leaves another number, and the last look needs them all.
    let body = |k: u32| {
        let step = |i: u32| {
            format!(
                "atomic\n%v{i}: i32 = load i32 @x\n%m{i}: i32 = mul i32 %v{i}, 7i32
                %w{i}: i32 = add i32 %m{i}, {}i32\nstore i32 %w{i} to @x\nend\n",
                3 * k + i + 1
            )
        };
        (0..3).map(step).collect::<String>()
    };
    // Bit by bit: no two numbers of some length go the same way.
    let look = |i: u32| {
        let [set, clear] = [2 * i + 1, 2 * i + 2];
        format!(
            "%b{i}: i32 = lshr i32 %h, {}i32\n%t{i}: i1 = trunc i32 %b{i} to i1
            branch %t{i}, bb{set}, bb{clear}\nbb{set}: jump bb{clear}\nbb{clear}:\n",
            31 - i
        )
    };
    let looks: String = (0..16).map(look).collect();
    let program = Text::new()
        .int("x", 1)
        .thread("a", &body(0))
        .thread("b", &body(1))
        .thread("c", &body(2))
        .main(&format!("run a b c\n%v: i32 = load i32 @x\n%h: i32 = mul i32 %v, 2654435761i32\n{looks}"));
    let dpor = search(&program, &Flags::dpor());
    assert_eq!(dpor.to_string(), "safe: 1680 full");
    let both = search(&program, &Flags::ag());
    assert_eq!(both.verdict(), Verdict::Safe);
    assert!(4 * both.summaries.formulas < both.states, "{:?} of {} states", both.summaries, both.states);
}
