//! Points-to sets and the call graph, on programs in the text form of the IR.

use selvedge_analysis::{Origin, Point, PointsTo};
use selvedge_program::{BlockId, Program, parse, validate};

fn program(text: &str) -> Program {
    let library = "entry @main
        global @x size 4 align 4 = {}
        global @y size 4 align 4 = {}
        declare @malloc(%0: i64) -> ptr
        declare @pthread_create(%0: ptr, %1: ptr, %2: ptr, %3: ptr) -> i32
        declare @pthread_once(%0: ptr, %1: ptr) -> i32\n";
    let program = parse(&format!("{library}{text}")).unwrap_or_else(|e| panic!("{e}"));
    validate(&program).unwrap_or_else(|problems| panic!("{problems:?}"));
    program
}

/// What the instruction at a position of a function's first block accesses: names, offsets, sizes.
#[track_caller]
fn check(text: &str, func: &str, inst: usize, expected: &[&str]) {
    let program = program(text);
    let points_to = PointsTo::new(&program);
    let point = Point { func: program.func_named(func).expect("in the test"), block: BlockId(0), inst };
    let mut found: Vec<String> = points_to
        .accessed(point)
        .iter()
        .map(|r| {
            let name = match r.origin {
                Origin::Global(g) => program.globals[g].name.clone(),
                Origin::Heap(_) => "heap".to_owned(),
                Origin::Local(_) => "local".to_owned(),
                other => format!("{other:?}"),
            };
            match r.offset {
                Some(offset) => format!("{name}+{offset}"),
                None => name,
            }
        })
        .collect();
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn fields_hold_their_own_pointers() {
    let text = "global @s size 16 align 8 = { 0: ptr @x, 8: ptr @y }
        func @main() {
        bb0: %0: ptr = load ptr @s
             store i32 1i32 to %0
             %1: ptr = load ptr @s+8
             store i32 1i32 to %1
             return }";
    check(text, "main", 1, &["x+0"]);
    check(text, "main", 3, &["y+0"]);
}

#[test]
fn copies_keep_fields_and_elements_do_not() {
    let text = "global @s size 16 align 8 = { 0: ptr @x, 8: ptr @y }
        global @c size 24 align 8 = {}
        func @main(%9: i32, %8: ptr) {
        bb0: memcpy @c+8, @s, 16i64
             %0: ptr = load ptr @c+16
             store i32 1i32 to %0
             %1: ptr = ptradd @s, 0, i32 %9 * 8
             %2: ptr = load ptr %1
             store i32 1i32 to %2
             %3: ptr = load ptr @c
             store i32 1i32 to %3
             return
             }";
    let text = &text.replace("%9", "%4").replace("%8", "%5");
    check(text, "main", 2, &["y+0"]);
    check(text, "main", 5, &["x+0", "y+0"]);
    check(text, "main", 7, &[]);
}

#[test]
fn heap_blocks_are_told_apart_by_where_they_are_made() {
    let text = "func @make() -> ptr {
        bb0: %0: ptr = call @malloc(i64 16i64)
             return %0 }
        func @main() {
        bb0: %0: ptr = call @make()
             %1: ptr = call @malloc(i64 16i64)
             store ptr @x to %0
             store ptr @y to %1
             %2: ptr = load ptr %0
             store i32 1i32 to %2
             %3: ptr = load ptr %1
             store i32 1i32 to %3
             return }";
    check(text, "main", 5, &["x+0"]);
    check(text, "main", 7, &["y+0"]);
}

#[test]
fn a_pointer_that_walks_through_a_structure_points_anywhere_in_it() {
    let text = "global @s size 16 align 8 = {}
        func @walk(%0: ptr) {
        bb0: store i32 1i32 to %0
             %1: ptr = ptradd %0, 4
             call @walk(ptr %1)
             return }
        func @main() {
        bb0: call @walk(ptr @s)
             return }";
    check(text, "walk", 0, &["s"]);
}

#[test]
fn numbers_carry_pointers_and_other_numbers_have_no_targets() {
    let text = "func @main() {
        bb0: %0: i64 = ptrtoint ptr @x to i64
             %1: i64 = xor i64 %0, 1i64
             %2: ptr = bitcast ptr null to ptr
             store i64 %1 to @p
             %3: ptr = load ptr @p
             store i8 1i8 to %3
             %4: ptr = inttoptr i64 4096i64 to ptr
             store i8 1i8 to %4
             return }
        global @p size 8 align 8 = {}";
    check(text, "main", 5, &["x"]);
    check(text, "main", 7, &[]);
}

#[test]
fn arguments_of_threads_and_callbacks_reach_their_functions() {
    let text = "global @once size 4 align 4 = {}
        global @t size 8 align 8 = {}
        global @f size 8 align 8 = { 0: ptr @thread }
        func @thread(%0: ptr) -> ptr {
        bb0: store i32 1i32 to %0
             return null }
        func @first() {
        bb0: store i32 1i32 to @y
             return }
        func @never() {
        bb0: store i32 1i32 to @y
             return }
        func @main() {
        bb0: %0: ptr = load ptr @f
             %1: i32 = call @pthread_create(ptr @t, ptr null, ptr %0, ptr @x)
             %2: i32 = call @pthread_once(ptr @once, ptr @first)
             return }";
    check(text, "thread", 0, &["x+0"]);
    let program = program(text);
    let points_to = PointsTo::new(&program);
    let reached = |name: &str| points_to.is_reachable(program.func_named(name).unwrap());
    assert!(reached("thread") && reached("first") && !reached("never"));
    let create = Point { func: program.entry.unwrap(), block: BlockId(0), inst: 1 };
    assert!(points_to.may_call(create, program.func_named("thread").unwrap()));
    assert_eq!(points_to.callees(create).len(), 2, "the library function and the thread");
}

#[test]
fn roles_run_beside_each_other_and_beside_themselves_if_they_are_started_twice() {
    let program = program(
        "global @t size 8 align 8 = {}
        func @helper() {
        bb0: return }
        func @single(%0: ptr) -> ptr {
        bb0: return null }
        func @many(%0: ptr) -> ptr {
        bb0: call @helper()
             return null }
        func @before() {
        bb0: return }
        func @start(%0: ptr) {
        bb0: %1: i32 = call @pthread_create(ptr @t, ptr null, ptr %0, ptr null)
             return }
        func @main() {
        bb0: call @before()
             %0: i32 = call @pthread_create(ptr @t, ptr null, ptr @single, ptr null)
             call @start(ptr @many)
             call @start(ptr @many)
             return }",
    );
    let points_to = PointsTo::new(&program);
    let parallel = |a: &str, b: &str| {
        let [a, b] = [a, b].map(|name| program.func_named(name).unwrap());
        points_to.may_run_in_parallel(a, b)
    };
    assert!(!parallel("single", "single") && !parallel("main", "main") && !parallel("main", "before"));
    assert!(parallel("many", "many") && parallel("helper", "many"));
    assert!(parallel("single", "many") && parallel("main", "helper") && parallel("before", "single"));
}

#[test]
fn variable_arguments_are_found_through_their_list() {
    let text = "func @sum(%0: i32, ...) {
        bb0: %1: ptr = alloca 24 x 1i64 align 16
             va_start %1
             %2: ptr = va_arg ptr %1
             store i32 1i32 to %2
             return }
        func @main() {
        bb0: call @sum(i32 1i32, ptr @x)
             return }";
    check(text, "sum", 3, &["x+0"]);
}
