//! Orders of the search: each finds the same.

use selvedge_explore::{Order, ThreadOrder};
use selvedge_irkit::{Flags, Text, Verdict, main_only, search};

use crate::{ADD_ONE, team, x_is};

const ORDERS: [Order; 4] = [Order::Dfs, Order::Bfs, Order::RandomPath, Order::Coverage];

/// Three branches on an input of its own each.
fn branches() -> String {
    let branch = |i: usize| {
        let (yes, next) = (2 * i + 1, 2 * i + 2);
        format!(
            "%i{i}: i32 = call @__VERIFIER_nondet_int()
            %c{i}: i1 = cmp.eq i32 %i{i}, 1i32
            branch %c{i}, bb{yes}, bb{next}
            bb{yes}: jump bb{next}
            bb{next}:"
        )
    };
    (0..3).map(branch).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_order_of_pending_states_visits_the_same_leaves() {
    let program = main_only(&branches());
    for order in ORDERS {
        for seed in 0..3 {
            let found = search(&program, &Flags { order, seed, ..Flags::none() });
            assert_eq!(found.to_string(), "safe: 8 full", "{order:?}");
        }
    }
}

#[test]
fn every_order_finds_the_failure() {
    let program = main_only(&format!(
        "{}\n%bad: i1 = and i1 %c0, %c2\n%good: i1 = xor i1 %bad, true\nassert %good",
        branches()
    ));
    for order in ORDERS {
        let found = search(&program, &Flags { order, ..Flags::ag() });
        assert_eq!(found.verdict(), Verdict::Unsafe, "{order:?}");
        assert_eq!(found.failed, 2, "{order:?}");
    }
}

#[test]
fn a_loop_without_an_end_does_not_hide_the_other_paths() {
    // The first side goes round for ever, with a new input each time.
    let program = main_only(
        "%i: i32 = call @__VERIFIER_nondet_int()
        %c: i1 = cmp.eq i32 %i, 1i32
        branch %c, bb1, bb3
        bb1: %j: i32 = call @__VERIFIER_nondet_int()
        %d: i1 = cmp.eq i32 %j, 0i32
        branch %d, bb1, bb2
        bb2: jump bb1
        bb3: call @abort()
        unreachable",
    );
    for order in ORDERS {
        let flags = Flags { order, all_bugs: false, max_runs: Some(1), ..Flags::none() };
        assert_eq!(search(&program, &flags).verdict(), Verdict::Unsafe, "{order:?}");
    }
}

#[test]
fn a_seed_gives_the_same_search_again() {
    let program = main_only(&branches());
    let codes = |seed| {
        let found = search(&program, &Flags { order: Order::RandomPath, seed, ..Flags::none() });
        (found.to_string(), found.states, found.codes)
    };
    assert_eq!(codes(5), codes(5));
}

#[test]
fn paths_and_schedules_are_explored_in_every_order() {
    let program = Text::new()
        .int("x", 0)
        .thread("a", ADD_ONE)
        .thread("b", ADD_ONE)
        .main(&format!("{}\nrun a b", branches()));
    for order in ORDERS {
        let found = search(&program, &Flags { order, ..Flags::dpor() });
        assert_eq!(found.to_string(), "safe: 32 full", "{order:?}: four traces for each of eight paths");
    }
}

#[test]
fn every_order_of_threads_finds_the_failure_with_summaries() {
    let program = team(3, ADD_ONE, &x_is(3));
    let all = [ThreadOrder::Meeting, ThreadOrder::Keeping].into_iter();
    for thread_order in all.chain((0..10).map(ThreadOrder::Shuffled)) {
        for flags in [Flags::ag(), Flags::summaries()] {
            let found = search(&program, &Flags { thread_order, ..flags });
            assert_eq!(found.verdict(), Verdict::Unsafe, "{thread_order:?}: {found}");
        }
    }
}

#[test]
fn a_thread_that_spins_lets_the_others_go_on() {
    // Without turns for all, the one that ran last would go round for ever.
    let program = Text::new()
        .int("x", 0)
        .int("y", 0)
        .thread(
            "spinner",
            "jump bb1
            bb1: %old: i32 = rmw.add.seqcst i32 @y, 1i32
            %v: i32 = load.seqcst i32 @x
            %c: i1 = cmp.eq i32 %v, 1i32
            branch %c, bb2, bb1
            bb2:",
        )
        .thread("writer", "store.seqcst i32 1i32 to @x")
        .main("run spinner writer");
    for thread_order in [ThreadOrder::Meeting, ThreadOrder::Keeping] {
        let flags = Flags { thread_order, max_runs: Some(1), ..Flags::dpor() };
        assert_eq!(search(&program, &flags).executions(), 1, "{thread_order:?}");
    }
}
