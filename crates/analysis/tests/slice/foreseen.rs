//! Which accesses and calls a slice counted with.

use selvedge_analysis::{Part, Point, Properties, Slice, Target};
use selvedge_program::{BlockId, FuncId, GlobalId, Program};

use super::program;

fn named(program: &Program, name: &str) -> Target {
    let found = program.globals.enumerate().find(|(_, g)| g.name == name);
    Target::Global(found.map_or(GlobalId(0), |(id, _)| id))
}

fn at(program: &Program, inst: usize) -> Point {
    Point { func: program.func_named("main").unwrap(), block: BlockId(0), inst }
}

const WORD: Part = Part::Bytes { offset: 0, len: 4 };

#[test]
fn a_derived_address_is_foreseen_and_one_of_unknown_origin_is_not() {
    let program = program(
        "func @main() {
        bb0: %0: i64 = ptrtoint ptr @x to i64
             %1: i64 = xor i64 %0, 1i64
             %2: ptr = inttoptr i64 %1 to ptr
             store i32 1i32 to %2
             %3: i64 = load i64 @t
             %4: ptr = inttoptr i64 %3 to ptr
             store i32 1i32 to %4
             return }",
    );
    let slice = Slice::new(&program, Properties::default());
    let (x, y) = (named(&program, "x"), named(&program, "y"));
    assert!(slice.foresees_access(at(&program, 3), x, WORD));
    assert!(slice.foresees_access(at(&program, 3), x, Part::Any));
    assert!(!slice.foresees_access(at(&program, 3), y, WORD));
    assert!(!slice.foresees_access(at(&program, 6), x, WORD));
}

#[test]
fn other_bytes_of_the_same_object_are_not_foreseen() {
    let program = program(
        "func @main() {
        bb0: store i32 1i32 to @m
             %0: ptr = call @malloc(i64 8i64)
             store i32 1i32 to %0
             call @free(ptr %0)
             return }",
    );
    let slice = Slice::new(&program, Properties::default());
    let m = named(&program, "m");
    assert!(slice.foresees_access(at(&program, 0), m, WORD));
    for part in [Part::Bytes { offset: 2, len: 4 }, Part::Bytes { offset: 4, len: 4 }, Part::Any] {
        assert!(!slice.foresees_access(at(&program, 0), m, part), "{part:?}");
    }
    let block = Target::Made(slice.number(at(&program, 1)).unwrap());
    assert!(slice.foresees_access(at(&program, 2), block, WORD));
    assert!(slice.foresees_access(at(&program, 3), block, Part::Any), "it ends the life of the block");
    assert!(!slice.foresees_access(at(&program, 3), m, Part::Any));
}

#[test]
fn calls_through_pointers_are_foreseen_as_far_as_functions_flow_there() {
    let program = program(
        "func @f() {
        bb0: return }
        func @g() {
        bb0: return }
        func @main() {
        bb0: store ptr @f to @t
             store ptr @g to @m
             %0: ptr = load ptr @t
             call *%0()
             return }",
    );
    let slice = Slice::new(&program, Properties::default());
    let func = |name: &str| -> FuncId { program.func_named(name).unwrap() };
    assert!(slice.foresees_call(at(&program, 3), func("f")));
    assert!(!slice.foresees_call(at(&program, 3), func("g")));
}
