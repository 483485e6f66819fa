//! The figures of the paper (FSE 2015), whose numbers of executions are fixed points of comparison.
//!
//! A thread's last access and its end are one step, and so is the start of all threads, as the figures draw them: an atomic
//! section that is not ended lasts as long as the thread.

use selvedge_irkit::{Flags, Text, Verdict, search};
use selvedge_program::Program;

/// One thread writes twice what the other reads twice.
fn figure_2(limit: u32) -> Program {
    Text::new()
        .int("x", 0)
        .thread("write_twice", "store i32 10i32 to @x\natomic\nstore i32 20i32 to @x")
        .main(&format!(
            "%i: i32 = call @__VERIFIER_nondet_int()
            store i32 %i to @x
            %small: i1 = cmp.sle i32 %i, {limit}i32
            %w: i32 = zext i1 %small to i32
            call @__VERIFIER_assume(i32 %w)
            start write_twice
            %a: i32 = load i32 @x
            %b: i32 = load i32 @x
            join write_twice
            %c: i1 = cmp.sle i32 %a, %b
            assert %c"
        ))
}

/// Independent pairs of one read and one write, all reads in one thread. `section` begins what is one step.
fn figure_3(pairs: usize, section: &str) -> Program {
    let mut text = Text::new();
    let mut main = String::new();
    for i in 0..pairs {
        text = text
            .int(&format!("x{i}"), 1)
            .thread(&format!("w{i}"), &format!("{section}\nstore i32 10i32 to @x{i}"));
    }
    main += &format!("{section}\n");
    for i in 0..pairs {
        main += &format!("start w{i}\n");
    }
    if !section.is_empty() {
        main += "end\n";
    }
    for i in 0..pairs {
        if i + 1 == pairs {
            main += &format!("{section}\n");
        }
        main += &format!("%a{i}: i32 = load i32 @x{i}\n%c{i}: i1 = cmp.slt i32 0i32, %a{i}\nassert %c{i}\n");
    }
    text.main(&format!("{main}call @pthread_exit(ptr null)"))
}

/// Two threads count twice and branch on what they found.
fn figure_4() -> Program {
    let count = |cell: &str, n: u32| {
        let [one, two, next] = [n, n + 1, n + 2];
        format!(
            "%{cell}: i32 = rmw.add.seqcst i32 @{cell}, 1i32
            %is_{cell}: i1 = cmp.eq i32 %{cell}, 0i32
            branch %is_{cell}, bb{one}, bb{two}
            bb{one}: jump bb{next}
            bb{two}: jump bb{next}
            bb{next}:"
        )
    };
    let body = format!("{}\natomic\n{}\ncall @pthread_exit(ptr null)", count("x", 1), count("y", 4));
    Text::new().int("x", 0).int("y", 0).thread("count", &body).main(&format!(
        "%i: i32 = call @__VERIFIER_nondet_int()
        store i32 %i to @x
        %j: i32 = call @__VERIFIER_nondet_int()
        store i32 %j to @y
        start count
        {body}"
    ))
}

#[track_caller]
fn check(program: &Program, flags: Flags, expected: &str) {
    let found = search(program, &flags);
    assert_eq!(found.to_string(), expected, "{:?}", flags.reduce);
}

/// Both reductions and slices, as the engine does by default.
fn all() -> Flags {
    Flags { slice: true, ..Flags::ag() }
}

#[test]
fn figure_2_has_six_executions_of_which_one_is_explored_to_its_end() {
    check(&figure_2(10), Flags::none(), "safe: 6 full");
    check(&figure_2(10), Flags::dpor(), "safe: 6 full");
    check(&figure_2(10), Flags::ag(), "safe: 1 full, 4 pruned");
    check(&figure_2(10), Flags::summaries(), "safe: 1 full, 4 pruned");
    check(&figure_2(10), all(), "safe: 1 full, 4 pruned");
}

#[test]
fn figure_2_with_a_larger_limit_fails_in_one_execution() {
    check(&figure_2(11), Flags::none(), "unsafe: 6 full, 1 failed");
    check(&figure_2(11), Flags::dpor(), "unsafe: 6 full, 1 failed");
    assert_eq!(search(&figure_2(11), &Flags::ag()).verdict(), Verdict::Unsafe);
    assert_eq!(search(&figure_2(11), &Flags::summaries()).verdict(), Verdict::Unsafe);
}

#[test]
fn figure_3_has_all_orders_without_reduction_and_doubles_with_each_pair_by_partial_orders() {
    for (pairs, orders) in [(1, 2), (2, 12), (3, 120)] {
        check(&figure_3(pairs, "atomic"), Flags::none(), &format!("safe: {orders} full"));
        assert_eq!(search(&figure_3(pairs, "atomic"), &Flags::dpor()).full, 1 << pairs);
    }
}

#[test]
fn figure_3_grows_by_one_execution_with_each_pair_by_both() {
    for pairs in [2, 3, 4, 5, 6, 12] {
        check(&figure_3(pairs, ""), all(), &format!("safe: 2 full, {} pruned", pairs - 1));
    }
}

#[test]
fn figure_4_has_four_traces_of_nine_paths() {
    check(&figure_4(), Flags::none(), "safe: 54 full");
    check(&figure_4(), Flags::dpor(), "safe: 36 full");
    check(&figure_4(), Flags::ag(), "safe: 6 full, 5 pruned");
    check(&figure_4(), Flags::summaries(), "safe: 6 full, 15 pruned");
}

#[test]
fn figure_4_has_one_execution_with_a_slice_because_nothing_in_it_can_fail() {
    check(&figure_4(), all(), "safe: 1 full");
}
