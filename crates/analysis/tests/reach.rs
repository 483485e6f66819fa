//! Where failures can still be reached, on programs in the text form of the IR.

use selvedge_analysis::{FramePoint, Point, Properties, Slice};
use selvedge_program::{BlockId, Program, parse, validate};

fn program(text: &str) -> Program {
    let program = parse(text).unwrap_or_else(|e| panic!("{e}"));
    validate(&program).unwrap_or_else(|problems| panic!("{problems:?}"));
    program
}

fn at(program: &Program, func: &str, block: u32, inst: usize) -> Point {
    Point { func: program.func_named(func).expect("a function of the test"), block: BlockId(block), inst }
}

/// Whether a failure can be reached from before each instruction of a function, block by block.
fn reaches(program: &Program, slice: &Slice, func: &str) -> String {
    let id = program.func_named(func).expect("a function of the test");
    let mut text = Vec::new();
    for (block, body) in program.funcs[id].blocks.enumerate() {
        let inst = |inst| if slice.reaches_property(Point { func: id, block, inst }) { '!' } else { '.' };
        text.push((0..body.insts.len()).map(inst).collect::<String>());
    }
    text.join(" ")
}

#[test]
fn after_the_last_assertion_nothing_can_fail() {
    let program = program(
        r#"entry @main
        global @x size 4 align 4 = {}
        declare @abort()
        func @main() {
        bb0: %0: i32 = load i32 @x
             %1: i1 = cmp.eq i32 %0, 1i32
             branch %1, bb1, bb2
        bb1: store i32 2i32 to @x
             return
        bb2: call @abort()
             unreachable }"#,
    );
    let slice = Slice::new(&program, Properties::default());
    assert_eq!(reaches(&program, &slice, "main"), "!!! .. !.");
    let none = Properties { assertions: false, ..Properties::default() };
    assert_eq!(reaches(&program, &Slice::new(&program, none), "main"), "... .. ..");
}

#[test]
fn accesses_fail_unless_their_place_is_certain() {
    let program = program(
        r#"entry @main
        global @x size 8 align 4 = {}
        global @fixed size 4 align 4 const = {}
        declare @malloc(%0: i64) -> ptr
        func @main() {
        bb0: %0: ptr = alloca 4 x 1i64 align 4
             %5: ptr = call @malloc(i64 4i64)
             store i32 1i32 to %0
             %1: i32 = load i32 @x+4
             %2: i32 = load i32 @fixed
             %3: i32 = and i32 %1, 1i32
             %4: ptr = ptradd @x, 0, i32 %3 * 4
             store i32 1i32 to %4
             jump bb1
        bb1: store i32 1i32 to @x+5
             jump bb2
        bb2: store i32 1i32 to @fixed
             jump bb3
        bb3: store i32 1i32 to %5
             jump bb4
        bb4: %6: ptr = ptradd @x, 0, i32 %1 * 4
             store i32 1i32 to %6
             jump bb5
        bb5: %7: i32 = sdiv i32 %1, 2i32
             return }"#,
    );
    let slice = Slice::new(&program, Properties::default());
    let fails = |block, inst| slice.can_fail(at(&program, "main", block, inst));
    assert!((0..9).all(|i| !fails(0, i)));
    assert!(fails(1, 0) && fails(2, 0) && fails(3, 0) && fails(4, 1) && !fails(5, 0));
}

#[test]
fn a_counter_below_a_constant_stays_inside_its_array() {
    let text = |bound: &str| {
        format!(
            r#"entry @main
            global @a size 16 align 4 = {{}}
            func @main() {{
            bb0: jump bb1(0i32)
            bb1(%0: i32): %1: i1 = cmp.slt i32 %0, {bound}i32
                 branch %1, bb2, bb3
            bb2: %2: i64 = sext i32 %0 to i64
                 %3: ptr = ptradd @a, 0, i64 %2 * 4
                 store i32 %0 to %3
                 %4: i32 = add.nsw i32 %0, 1i32
                 jump bb1(%4)
            bb3: return }}"#
        )
    };
    for (bound, fails) in [("4", false), ("5", true)] {
        let program = program(&text(bound));
        let slice = Slice::new(&program, Properties::default());
        assert_eq!(slice.can_fail(at(&program, "main", 2, 2)), fails, "{bound}");
    }
}

#[test]
fn a_local_is_certain_only_in_its_scope() {
    let program = program(
        r#"entry @main
        func @use(%0: ptr) {
        bb0: store i32 1i32 to %0
             return }
        func @main() {
        bb0: %0: ptr = alloca 4 x 1i64 align 4
             %1: ptr = alloca 4 x 1i64 align 4
             lifetime.start %0
             store i32 1i32 to %0
             call @use(ptr %0)
             call @use(ptr %1)
             lifetime.end %0
             store i32 1i32 to %0
             return }"#,
    );
    let slice = Slice::new(&program, Properties::default());
    assert!(!slice.can_fail(at(&program, "use", 0, 0)));
    assert!(!slice.can_fail(at(&program, "main", 0, 3)));
    assert!(slice.can_fail(at(&program, "main", 0, 7)));
}

const THREADS: &str = r#"entry @main
    global @x size 4 align 4 = {}
    declare @pthread_create(%0: ptr, %1: ptr, %2: ptr, %3: ptr) -> i32
    declare @pthread_exit(%0: ptr)
    declare @abort()
    func @quiet(%0: ptr) -> ptr {
    bb0: store i32 1i32 to @x
         return null }
    func @loud(%0: ptr) -> ptr {
    bb0: %1: i32 = load i32 @x
         %2: i1 = cmp.eq i32 %1, 0i32
         branch %2, bb1, bb2
    bb1: return null
    bb2: call @abort()
         unreachable }
    func @start(%0: ptr) {
    bb0: %1: ptr = alloca 8 x 1i64 align 8
         %2: i32 = call @pthread_create(ptr %1, ptr null, ptr %0, ptr null)
         return }
    func @main() {
    bb0: call @start(ptr @loud)
         jump bb1
    bb1: %0: ptr = alloca 8 x 1i64 align 8
         %1: i32 = call @pthread_create(ptr %0, ptr null, ptr @quiet, ptr null)
         call @pthread_exit(ptr null)
         unreachable }"#;

#[test]
fn a_failure_of_a_thread_can_be_reached_until_it_is_started() {
    let program = program(THREADS);
    let slice = Slice::new(&program, Properties::default());
    // The local of `bb1` may be made again, so that creation is not certain to succeed.
    assert_eq!(reaches(&program, &slice, "main"), "!! !!..");
    assert_eq!(reaches(&program, &slice, "quiet"), "..");
    assert_eq!(reaches(&program, &slice, "start"), "!!.");
    assert_eq!(reaches(&program, &slice, "loud"), "!!! . !.");
}

#[test]
fn frames_below_count_from_after_their_calls() {
    let program = program(
        r#"entry @main
        declare @abort()
        func @check(%0: i1) {
        bb0: branch %0, bb1, bb2
        bb1: return
        bb2: call @abort()
             unreachable }
        func @main() {
        bb0: call @check(i1 true)
             jump bb1
        bb1: return }"#,
    );
    let slice = Slice::new(&program, Properties::default());
    let frame = |point, runs_again| FramePoint { point, runs_again };
    let main = at(&program, "main", 0, 0);
    let [before, after] = [0, 1].map(|block| frame(at(&program, "check", block, 0), false));
    assert!(slice.thread_may_fail([frame(main, false), before]));
    assert!(!slice.thread_may_fail([frame(main, false), after]));
    assert!(slice.thread_may_fail([frame(main, true), after]), "a call that runs again");
    assert!(slice.thread_may_fail([frame(main, false)]));
}

#[test]
fn a_destructor_of_a_key_can_fail_when_a_thread_ends() {
    let text = |destructor: &str| {
        format!(
            r#"entry @main
            global @key size 4 align 4 = {{}}
            declare @pthread_key_create(%0: ptr, %1: ptr) -> i32
            declare @abort()
            func @fails(%0: ptr) {{
            bb0: call @abort()
                 return }}
            func @fine(%0: ptr) {{
            bb0: return }}
            func @main() {{
            bb0: %0: i32 = call @pthread_key_create(ptr @key, ptr @{destructor})
                 return }}"#
        )
    };
    for (destructor, fails) in [("fails", true), ("fine", false)] {
        let program = program(&text(destructor));
        let slice = Slice::new(&program, Properties::default());
        let end = FramePoint { point: at(&program, "main", 0, 1), runs_again: false };
        assert_eq!(slice.thread_may_fail([end]), fails, "{destructor}");
    }
}

#[test]
fn jumps_between_functions_are_not_followed() {
    let program = program(
        r#"entry @main
        global @buffer size 200 align 16 = {}
        declare @longjmp(%0: ptr, %1: i32)
        func @main() {
        bb0: call @longjmp(ptr @buffer, i32 1i32)
             jump bb1
        bb1: return }"#,
    );
    let slice = Slice::new(&program, Properties::default());
    assert!(slice.gave_up().is_some() && slice.reaches_property(at(&program, "main", 1, 0)));
}
