//! What summaries say: the formulas of states, as a person reads them.

use selvedge_explore::Fate;
use selvedge_irkit::{Flags, Text, draw};
use selvedge_program::Program;

/// What a summary says of globals. That joined threads must have the numbers that they had is left out.
fn about_globals(formula: &str) -> Vec<String> {
    let is_local = |item: &&str| item.starts_with("main%") || item.starts_with("a_temporary");
    formula.split(" && ").filter(|item| !is_local(item)).map(str::to_owned).collect()
}

/// Under which values the last state that is explored is safe: that before the last step of `main`.
#[track_caller]
fn last(program: &Program) -> Vec<String> {
    let (graph, _) = draw(program, &Flags::ag(), 1000);
    let end = graph.states.iter().position(|state| state.fate == Fate::Full).expect("an execution ends");
    let before = graph.steps.iter().find(|step| step.to == end).expect("a step leads there").from;
    about_globals(graph.states[before].summary.as_ref().expect("it is explored"))
}

/// The same of the first state, in which all threads have been started and nothing has been done.
#[track_caller]
fn first(program: &Program) -> Vec<String> {
    let (graph, _) = draw(program, &Flags::ag(), 1000);
    about_globals(graph.states[0].summary.as_ref().expect("it is explored"))
}

/// A thread that writes `x`, and `main` that does something after its end.
fn after_write(value: u32, after: &str) -> Program {
    Text::new()
        .int("x", 0)
        .int("y", 0)
        .thread("t", &format!("store i32 {value}i32 to @x"))
        .main(&format!("run t\n{after}"))
}

#[test]
fn an_assertion_is_what_is_asked_for() {
    let program = after_write(3, "%v: i32 = load i32 @x\n%c: i1 = cmp.ule i32 %v, 10i32\nassert %c");
    assert_eq!(last(&program), ["x <u 11"]);
}

#[test]
fn arithmetic_is_undone() {
    let program = after_write(
        3,
        "%v: i32 = load i32 @x\n%w: i32 = add i32 %v, 5i32\n%c: i1 = cmp.eq i32 %w, 8i32\nassert %c",
    );
    assert_eq!(last(&program), ["x == 3"]);
}

#[test]
fn a_branch_is_guarded_on_the_side_that_was_taken() {
    let program = after_write(
        3,
        "%v: i32 = load i32 @x
        %c: i1 = cmp.eq i32 %v, 0i32
        branch %c, bb1, bb2
        bb1: call @abort()
        unreachable
        bb2:",
    );
    assert_eq!(last(&program), ["x != 0"]);
}

#[test]
fn what_nobody_looks_at_is_not_asked_for() {
    let program = after_write(3, "%v: i32 = load i32 @y");
    assert!(last(&program).is_empty());
}

#[test]
fn a_pointer_that_was_followed_is_asked_to_lead_there() {
    let program =
        Text::new().int("a", 5).int("b", 0).pointer("p", "b").thread("t", "store ptr @a to @p").main(
            "run t\n%p: ptr = load ptr @p\n%v: i32 = load i32 %p\n%c: i1 = cmp.eq i32 %v, 5i32\nassert %c",
        );
    assert_eq!(last(&program), ["p == &a", "a == 5"]);
}

#[test]
fn a_write_takes_away_what_was_asked_of_the_old_value() {
    let program = after_write(3, "%v: i32 = load i32 @x\n%c: i1 = cmp.ule i32 %v, 10i32\nassert %c");
    assert!(first(&program).is_empty(), "the thread writes it before");
}

#[test]
fn what_is_below_a_failure_that_is_not_noted_says_nothing() {
    let program = after_write(3, "%v: i32 = load i32 @x\n%c: i1 = cmp.ne i32 %v, 3i32\nassert %c");
    let (graph, _) = draw(&program, &Flags::ag(), 1000);
    assert!(graph.states.iter().all(|state| state.summary.is_none()), "{:?}", graph.states);
}

#[test]
fn both_orders_of_two_threads_are_asked_for() {
    // Doubling and adding one: whichever comes first, the sum must stay below 10.
    let program = Text::new()
        .int("x", 1)
        .thread("t", "atomic\n%v: i32 = load i32 @x\n%w: i32 = mul i32 %v, 2i32\nstore i32 %w to @x\nend")
        .thread("u", "atomic\n%v: i32 = load i32 @x\n%w: i32 = add i32 %v, 1i32\nstore i32 %w to @x\nend")
        .main("run t u\n%v: i32 = load i32 @x\n%c: i1 = cmp.ult i32 %v, 10i32\nassert %c");
    assert_eq!(first(&program), ["(x * 2) <u 9", "((x * 2) + 2) <u 10"]);
}

#[test]
fn an_input_that_comes_later_may_have_any_value() {
    let program = after_write(
        3,
        "%v: i32 = load i32 @x
        %i: i32 = call @__VERIFIER_nondet_int()
        %j: i32 = and i32 %i, 1i32
        %w: i32 = add i32 %v, %j
        %c: i1 = cmp.ult i32 %w, 10i32
        assert %c",
    );
    assert_eq!(last(&program), ["(x + input[0:0]) <u 10"], "of the input, only the last bit counts");
}
