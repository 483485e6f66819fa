//! Each rule is needed: R1 to R9 with their wrong readings switched on, one by one.

use selvedge_irkit::{Flags, Text};
use selvedge_program::Program;

use crate::{matters, matters_in, two_values, x_is};

/// Fails where the bit `%c` is 1.
const FAIL_IF: &str = "%good: i1 = xor i1 %c, true\nassert %good";

/// When `low` is the last to write, no input leads into the branch; when `high` is, some do.
#[test]
fn r1_a_side_that_was_not_explored_is_not_safe() {
    let write =
        |mask: u32| format!("%n: i32 = load i32 @n\n%v: i32 = and i32 %n, {mask}i32\nstore i32 %v to @x");
    let program =
        Text::new().int("x", 0).int("n", 0).thread("high", &write(15)).thread("low", &write(7)).main(
            &format!(
                "%n: i32 = call @__VERIFIER_nondet_int()
            store i32 %n to @n
            run high low
            {}
            branch %c, bb1, bb2
            bb1: return 0i32
            bb2: call @abort()
            unreachable",
                x_is("ule", 7)
            ),
        );
    matters(&program, |rules| rules.unexplored_is_unknown = false);
}

/// One side of a branch on an input is always safe, the other only when `good` is the last to write.
#[test]
fn r2_each_side_of_a_branch_counts_where_its_condition_holds() {
    let program = two_values().main(&format!(
        "%looks: i32 = call @__VERIFIER_nondet_int()
        run write_one write_zero
        %l: i1 = cmp.slt i32 5i32, %looks
        branch %l, bb1, bb2
        bb1: {}
        assert %c
        jump bb2
        bb2:",
        x_is("eq", 0)
    ));
    matters(&program, |rules| rules.sides_are_guarded = false);
}

/// From x = 0 both orders of the last two threads are safe; from x = 1, only the one that doubles first is.
#[test]
fn r3_all_schedules_must_be_safe() {
    let program = two_values()
        .thread("twice", "atomic\n%v: i32 = load i32 @x\n%w: i32 = mul i32 %v, 2i32\nstore i32 %w to @x\nend")
        .thread(
            "one_more",
            "atomic\n%v: i32 = load i32 @x\n%w: i32 = add i32 %v, 1i32\nstore i32 %w to @x\nend",
        )
        .main(&format!("run write_one write_zero\nrun twice one_more\n{}\nassert %c", x_is("slt", 4)));
    matters(&program, |rules| rules.all_threads_count = false);
}

/// From x = 0, the state after the order that leaves z = 1 is pruned by the summary that the other order made.
#[test]
fn r4_a_pruned_state_is_as_safe_as_its_summary() {
    let program = two_values()
        .thread("z_is_one", "store i32 1i32 to @z")
        .thread("z_is_five", "store i32 5i32 to @z")
        .main(
            "run write_one write_zero
            run z_is_one z_is_five
            %x: i32 = load i32 @x
            %z: i32 = load i32 @z
            %s: i32 = add i32 %x, %z
            %c: i1 = cmp.ne i32 %s, 2i32
            assert %c",
        );
    matters(&program, |rules| rules.pruned_is_summary = false);
}

/// The summary made while `p` points to `good` speaks of `good`, and is of no use where `p` points to `bad`.
#[test]
fn r5_an_address_is_a_guard() {
    let program = Text::new()
        .int("good", 0)
        .int("bad", 1)
        .pointer("p", "good")
        .thread("to_bad", "store ptr @bad to @p")
        .thread("to_good", "store ptr @good to @p")
        .main(
            "run to_bad to_good
            %p: ptr = load ptr @p
            %v: i32 = load i32 %p
            %c: i1 = cmp.eq i32 %v, 0i32
            assert %c",
        );
    matters(&program, |rules| rules.addresses_are_guards = false);
}

/// Two pointers have the same address. One leads to a local that is gone, the other to a local that lies where it lay.
fn another_object() -> Program {
    Text::new()
        .pointer("old", "old")
        .pointer("selected", "selected")
        .thread("select_old", "%p: ptr = load ptr @old\nstore ptr %p to @selected")
        .thread("select_new", "%p: ptr = load ptr @new\nstore ptr %p to @selected")
        .pointer("new", "new")
        .function("first", "()", "%gone: ptr = alloca 4 x 1i64 align 8\nstore ptr %gone to @old\nreturn")
        .function(
            "second",
            "()",
            "%here: ptr = alloca 4 x 1i64 align 8
            store i32 0i32 to %here
            store ptr %here to @new
            run select_old select_new
            %p: ptr = load ptr @selected
            store i32 1i32 to %p
            return",
        )
        .main("call @first()\ncall @second()")
}

#[test]
fn r5_a_pointer_leads_to_the_object_that_it_led_to() {
    matters(&another_object(), |rules| rules.pointers_lead_alike = false);
}

/// Two pointers have the same address. One leads to the array that lies there, the other has left the array before it.
#[test]
fn r5_a_pointer_that_has_left_its_object_does_not_lead_to_the_next() {
    let select = |base: &str, index: &str| {
        format!("atomic\nstore ptr @{base} to @base\n{index}\nstore i64 %i to @index\nend")
    };
    let away = "%a: i64 = ptrtoint ptr @after to i64
        %b: i64 = ptrtoint ptr @before to i64
        %d: i64 = sub i64 %a, %b
        %i: i64 = sdiv i64 %d, 4i64";
    let program = Text::new()
        .zeros("before", 16)
        .zeros("after", 16)
        .pointer("base", "before")
        .zeros("index", 8)
        .thread("leave_one", &select("before", away))
        .thread("take_the_other", &select("after", "%i: i64 = add i64 0i64, 0i64"))
        .main(
            "run leave_one take_the_other
            %b: ptr = load ptr @base
            %i: i64 = load i64 @index
            %p: ptr = ptradd %b, 0, i64 %i * 4
            store i32 1i32 to %p",
        );
    let flags = Flags { slice: true, ..Flags::ag() };
    matters_in(&program, &flags, |rules| rules.pointers_lead_alike = false);
}

/// With x = 0 the branch is not taken; with x = 1 it is. No input has a part in it.
#[test]
fn r6_a_concrete_branch_is_a_guard() {
    let program = two_values().main(&format!(
        "run write_one write_zero
        {}
        branch %c, bb1, bb2
        bb1: call @abort()
        unreachable
        bb2:",
        x_is("eq", 1)
    ));
    matters(&program, |rules| rules.concrete_branches_are_guards = false);
}

/// From x = 0 all is safe; from x = 1, the schedule that is tried first is safe and another is not.
#[test]
fn r7_only_finished_states_are_summarised() {
    let program = two_values()
        .thread("take", "%v: i32 = load i32 @x\nstore i32 %v to @y")
        .thread("make_two", "%v: i32 = load i32 @x\n%w: i32 = add i32 %v, %v\nstore i32 %w to @x")
        .main(
            "run write_one write_zero
            run take make_two
            %y: i32 = load i32 @y
            %c: i1 = cmp.ne i32 %y, 2i32
            assert %c",
        );
    matters(&program, |rules| rules.finished_only = false);
}

/// `set` and `add` race, and a thread that does nothing makes for the states in which that matters.
fn covered_but_awake() -> Program {
    Text::new()
        .int("x", 2)
        .thread("set", "store i32 1i32 to @x")
        .thread("add", "%v: i32 = load i32 @x\n%w: i32 = add i32 %v, 1i32\nstore i32 %w to @x")
        .thread("nothing", "")
        .main(&format!("start set\nstart add\nstart nothing\njoin set\n{}\n{FAIL_IF}", x_is("eq", 3)))
}

#[test]
fn r8_what_slept_when_a_summary_was_made_is_not_covered() {
    matters(&covered_but_awake(), |rules| rules.sleep_counts = false);
}

#[test]
fn r8_what_a_summary_covers_does_not_sleep_below() {
    matters(&covered_but_awake(), |rules| rules.covered_wakes_below = false);
}

/// A state is covered but for two threads that slept when its summary was made; `adder` must come between the last two steps
/// of `main`.
#[test]
fn r8_all_that_slept_when_a_summary_was_made_are_tried() {
    let program = Text::new()
        .int("y", 1)
        .mutexes(&["first", "second", "own"])
        .thread(
            "adder",
            "%v: i32 = load i32 @y
            %w: i32 = add i32 %v, 2i32
            store i32 %w to @y
            store i32 1i32 to @y",
        )
        .thread("setter", "store i32 0i32 to @y\ncall @pthread_mutex_lock(ptr @own)\nstore i32 1i32 to @y")
        .main(
            "start adder
            start setter
            call @pthread_mutex_lock(ptr @first)
            call @pthread_mutex_lock(ptr @second)
            call @pthread_mutex_unlock(ptr @first)
            join setter
            store i32 2i32 to @y
            %v: i32 = load i32 @y
            %c: i1 = cmp.ne i32 %v, 4i32
            assert %c",
        );
    let flags = Flags { source_sets: true, slice: true, ..Flags::ag() };
    matters_in(&program, &flags, |rules| rules.missing_are_tried = false);
}

/// The write of `add` is often in a part that is skipped, and that `set` could come between what `add` reads and what it
/// writes shows only there.
#[test]
fn r9_what_is_skipped_takes_part_in_races() {
    let program = Text::new()
        .int("x", 1)
        .thread("set", "store i32 2i32 to @x")
        .thread("add", "%v: i32 = load i32 @x\n%w: i32 = add i32 %v, 2i32\nstore i32 %w to @x")
        .main(&format!(
            "start set
            start add
            %before: i32 = load i32 @x
            join set
            {}
            %early: i1 = cmp.sle i32 %before, 2i32
            %bad: i1 = and i1 %early, %c
            %good: i1 = xor i1 %bad, true
            assert %good",
            x_is("eq", 3)
        ));
    matters(&program, |rules| rules.footprints_count = false);
}
