//! States that are recognised: what a summary covers is not explored again.

use selvedge_explore::{Ended, Fate, Graph, SummaryLimits};
use selvedge_irkit::{Flags, draw, search};

use crate::agree;
use crate::{ADD_ONE, ADD_ONE_LOCKED, pair, team, x_is};

#[test]
fn orders_that_lead_to_the_same_state_are_explored_once() {
    let program = pair("store i32 1i32 to @x", "store i32 1i32 to @x", &x_is(1));
    let found = search(&program, &Flags::ag());
    assert_eq!(found.to_string(), "safe: 1 full, 1 pruned");
    agree(&program, &found);
}

#[test]
fn orders_whose_difference_is_never_looked_at_are_explored_once() {
    let program = pair("store i32 1i32 to @x", "store i32 2i32 to @x", "");
    assert_eq!(search(&program, &Flags::ag()).to_string(), "safe: 1 full, 1 pruned");
}

#[test]
fn orders_whose_difference_fails_are_both_explored() {
    let program = pair("store i32 1i32 to @x", "store i32 2i32 to @x", &x_is(2));
    let found = search(&program, &Flags::ag());
    assert_eq!((found.full, found.failed), (1, 1), "{found}");
}

#[test]
fn a_value_that_satisfies_what_is_asked_is_recognised_though_it_differs() {
    let after = "%v: i32 = load i32 @x\n%c: i1 = cmp.ule i32 %v, 10i32\nassert %c";
    let program = pair("store i32 3i32 to @x", "store i32 7i32 to @x", after);
    assert_eq!(search(&program, &Flags::ag()).to_string(), "safe: 1 full, 1 pruned");
}

#[test]
fn summaries_alone_explore_less_than_everything() {
    let program = team(2, ADD_ONE_LOCKED, &x_is(2));
    let (none, alone) = (search(&program, &Flags::none()), search(&program, &Flags::summaries()));
    assert_eq!(none.verdict(), alone.verdict());
    assert!(alone.executions() * 4 < none.executions(), "{alone}; without summaries {none}");
}

#[test]
fn both_reductions_explore_less_than_partial_orders() {
    let program = team(4, ADD_ONE_LOCKED, &x_is(4));
    let (dpor, both) = (search(&program, &Flags::dpor()), search(&program, &Flags::ag()));
    assert_eq!(dpor.to_string(), "safe: 24 full");
    assert_eq!(both.verdict(), dpor.verdict());
    assert!(both.executions() < 24, "{both}");
}

#[test]
fn a_table_without_room_recognises_nothing_and_loses_nothing() {
    let program = team(3, ADD_ONE, &x_is(3));
    let summary_limits = SummaryLimits { size: 0, ..SummaryLimits::default() };
    let found = search(&program, &Flags { summary_limits, ..Flags::ag() });
    assert_eq!((found.pruned, found.summaries.stored), (0, 0));
    assert_eq!(found.places(), search(&program, &Flags::dpor()).places());
}

#[test]
fn a_branch_in_the_middle_of_a_step_is_recognised() {
    // The step of `two` reads `x` and then branches on an input: what follows does not depend on `x`.
    let two = "%v: i32 = load i32 @x
        %i: i32 = call @__VERIFIER_nondet_int()
        %c: i1 = cmp.eq i32 %i, 3i32
        branch %c, bb1, bb2
        bb1: store i32 1i32 to @y
        jump bb3
        bb2: store i32 2i32 to @y
        jump bb3
        bb3:";
    let program = pair("store i32 1i32 to @x", two, "");
    let found = search(&program, &Flags::ag());
    assert!(found.pruned > 0, "{found}");
    agree(&program, &found);
}

fn count(graph: &Graph, fate: Fate) -> usize {
    graph.states.iter().filter(|state| state.fate == fate).count()
}

#[test]
fn the_graph_shows_which_state_covers_another() {
    let program = pair("store i32 1i32 to @x", "store i32 1i32 to @x", &x_is(1));
    let (graph, _) = draw(&program, &Flags::ag(), 1000);
    assert_eq!((count(&graph, Fate::Full), count(&graph, Fate::Pruned)), (1, 1));
    let pruned = graph.states.iter().find(|state| state.fate == Fate::Pruned).expect("it was counted");
    let origin = &graph.states[pruned.covered_by.expect("a summary covers it")];
    let at =
        |state: &selvedge_explore::GraphState| state.threads.iter().map(|t| t.is_over).collect::<Vec<_>>();
    assert_eq!(at(origin), at(pruned), "both are the same control state");
    assert!(
        origin.summary.as_ref().is_some_and(|formula| formula.ends_with("x == 1")),
        "{:?}",
        origin.summary
    );
}

#[test]
fn the_graph_has_a_step_to_each_state_but_the_first() {
    let program = team(2, ADD_ONE, &x_is(2));
    let (graph, _) = draw(&program, &Flags::dpor(), 1000);
    assert_eq!(graph.steps.len(), graph.states.len() - 1);
    assert_eq!((count(&graph, Fate::Full), count(&graph, Fate::Failing)), (2, 2));
}

#[test]
fn a_graph_that_is_too_large_is_cut() {
    let (graph, ended) = draw(&team(2, ADD_ONE, ""), &Flags::none(), 10);
    assert_eq!(graph.states.len(), 10);
    assert_eq!(ended, Ended::Limit("only the first 10 states are drawn (--states)".to_owned()));
}
