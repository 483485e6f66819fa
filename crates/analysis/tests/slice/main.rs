//! What matters, dependence by dependence, on programs in the text form of the IR.
//!
//! The expected texts list the accesses and branches of the slice; a star marks relevant accesses: it matters when they
//! happen among the steps of other threads.

mod foreseen;
mod memory;
mod threads;

use expect_test::Expect;
use selvedge_analysis::{Point, PointsTo, Properties, Slice};
use selvedge_program::{Inst, Program, parse, print_func, validate};

/// Declarations that the programs share.
const LIBRARY: &str = r#"entry @main
    global @x size 4 align 4 = {}
    global @y size 4 align 4 = {}
    global @z size 4 align 4 = {}
    global @m size 40 align 8 = {}
    global @t size 8 align 8 = {}
    declare @abort()
    declare @input() -> i32
    declare @malloc(%0: i64) -> ptr
    declare @free(%0: ptr)
    declare @pthread_create(%0: ptr, %1: ptr, %2: ptr, %3: ptr) -> i32
    declare @pthread_join(%0: i64, %1: ptr) -> i32
    declare @pthread_mutex_lock(%0: ptr) -> i32
    declare @pthread_mutex_unlock(%0: ptr) -> i32
    declare @pthread_key_create(%0: ptr, %1: ptr) -> i32
    declare @pthread_setspecific(%0: i32, %1: ptr) -> i32
    func @check(%0: i1) {
    bb0: branch %0, bb1, bb2
    bb1: return
    bb2: call @abort()
         unreachable }
"#;

fn program(text: &str) -> Program {
    let text = format!("{LIBRARY}{text}").replace("@input", "@__VERIFIER_nondet_int");
    let program = parse(&text).unwrap_or_else(|e| panic!("{e}"));
    validate(&program).unwrap_or_else(|problems| panic!("{problems:?}"));
    program
}

fn is_access(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::AtomicRmw { .. }
            | Inst::CmpXchg { .. }
            | Inst::MemCopy { .. }
            | Inst::MemSet { .. }
    )
}

#[track_caller]
fn check(text: &str, expected: &Expect) {
    let program = program(text);
    let slice = Slice::new(&program, Properties::default());
    assert_eq!(slice.gave_up(), None);
    let reachable = PointsTo::new(&program);
    let mut found = String::new();
    for (func, function) in program.funcs.enumerate() {
        // What cannot be reached is not looked at.
        if !function.is_defined() || function.name == "check" || !reachable.is_reachable(func) {
            continue;
        }
        let printed = print_func(&program, func);
        let mut lines = printed.lines().skip(1);
        for (block, body) in function.blocks.enumerate() {
            lines.next();
            for (inst, content) in body.insts.iter().enumerate() {
                let line = lines.next().unwrap_or_default();
                let point = Point { func, block, inst };
                let is_branch = matches!(content, Inst::Branch { .. } | Inst::Switch { .. });
                let is_relevant = is_access(content) && slice.is_relevant(point);
                if is_relevant || ((is_access(content) || is_branch) && slice.is_in_slice(point)) {
                    let mark = if is_relevant { '*' } else { '-' };
                    found += &format!("{mark} {}: {}\n", function.name, line.trim());
                }
            }
        }
    }
    expected.assert_eq(&found);
}

#[test]
fn with_races_or_leaks_checked_everything_matters() {
    let program = program("func @main() { bb0: store i32 1i32 to @x return }");
    let point = Point { func: program.entry.unwrap(), block: selvedge_program::BlockId(0), inst: 0 };
    let slice = |properties| Slice::new(&program, properties);
    assert!(!slice(Properties::default()).is_relevant(point));
    assert!(slice(Properties { races: true, ..Properties::default() }).is_relevant(point));
    assert!(slice(Properties { leaks: true, ..Properties::default() }).thread_may_fail([]));
}
