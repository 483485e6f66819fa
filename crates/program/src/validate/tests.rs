//! One program that is right, and for each invariant one change that breaks it.

use selvedge_base::{FileId, Loc};

use crate::*;

/// Accepted as it stands; the tests replace one line of it.
const GOOD: &str = r#"
target 64
entry @main
ctors @init
file file0 "a.c" in "/"
type ty0 = basic "int" 4 signed
global @g size 16 align 8 ty0 = { 0: bytes "ab", 8: ptr @g+4 }
declare @puts(%0: ptr) -> i32
declare @printf(%0: ptr, ...) -> i32
declare @take(%0: ptr byval 8)
func @init() {
bb0:
  return
}
func @main(%0: i32 "argc" ty0) -> i32 !file0:1:1 {
bb0:
  %1: i32 = add i32 %0, 1i32
  %2: i1 = cmp.eq i32 %1, 0i32
  %3: ptr = alloca 4 x 1i64 align 4
  %4: i64 = zext i32 %1 to i64
  %5: f64 = fadd f64 1.0f64, 2.0f64
  %6: i32, %7: i1 = intrinsic.uadd_overflow i32 (%0, %1)
  %8: i32 = call @puts(ptr @g)
  %9: i32 = call @printf(ptr @g, f64 %5)
  call @take(ptr byval 8 %3)
  memset %3, 0i8, 4i64
  branch %2, bb1(%1), bb2
bb1(%10: i32):
  switch i32 %10 [1: bb2, 2: bb2] default bb2
bb2:
  %11: i32 = copy %1
  return %11
bb3:
  %12: i32 = copy %10
  jump bb2
}
"#;

#[track_caller]
fn messages(program: &Program) -> Vec<String> {
    validate(program).err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

/// The program with `old` replaced by `new` has exactly this problem.
#[track_caller]
fn replacing(old: &str, new: &str, expected: &str) {
    assert_eq!(GOOD.matches(old).count(), 1, "`{old}` is there once");
    let program = parse(&GOOD.replace(old, new)).unwrap();
    assert_eq!(messages(&program), [expected]);
}

/// The program changed by `change` has exactly this problem.
#[track_caller]
fn changing(change: impl FnOnce(&mut Program), expected: &str) {
    let mut program = parse(GOOD).unwrap();
    change(&mut program);
    assert_eq!(messages(&program), [expected]);
}

fn main_of(program: &mut Program) -> &mut Function {
    let id = program.entry.unwrap();
    &mut program.funcs[id]
}

#[test]
fn the_good_program_is_accepted() {
    assert_eq!(messages(&parse(GOOD).unwrap()), Vec::<String>::new());
}

#[test]
fn the_program_as_a_whole_is_checked() {
    let mut odd = parse(GOOD).unwrap();
    odd.target.ptr_bits = 16;
    assert_eq!(messages(&odd)[0], "program: pointers have 16 bits, not 32 or 64");
    replacing("entry @main\n", "", "program: there is no entry function");
    replacing("entry @main", "entry @puts", "program: f0 has no body");
    changing(|p| p.entry = Some(FuncId(9)), "program: f9 does not exist");
    replacing("ctors @init", "ctors @main", "program: constructor f4 takes parameters");
    changing(|p| p.globals[GlobalId(0)].name.clear(), "program: a function or global without a name");
    changing(|p| p.globals[GlobalId(0)].name = "puts".into(), "program: the name `puts` is used twice");
    replacing("type ty0 = basic \"int\" 4 signed", "type ty0 = array ty1 x 3", "program: ty1 does not exist");
}

#[test]
fn globals_are_checked() {
    replacing("size 16 align 8", "size 16 align 3", "@g: alignment 3 is not a power of two");
    replacing("size 16 align 8", "size 15 align 8", "@g: the initialiser at offset 8 exceeds the object");
    replacing("8: ptr @g+4", "1: ptr @g+4", "@g: the initialiser at offset 1 overlaps the one before it");
    replacing("8: ptr @g+4", "8: i64 @g+4", "@g: expected i64, found ptr");
    replacing("align 8 ty0", "align 8 ty3", "@g: ty3 does not exist");
}

#[test]
fn constants_are_checked() {
    let add = |value: Const, expected: &str| {
        changing(
            |p| {
                p.add_const(value);
            },
            expected,
        );
    };
    let next = ConstId(u32::try_from(parse(GOOD).unwrap().consts.len()).unwrap());
    let at = |text: &str| format!("{next}: {text}");
    let bits = at("bits above the width are set, or the number of limbs is wrong");
    add(Const::Int { width: 8, value: 256 }, &bits);
    add(Const::Int { width: 65, value: 0 }, &at("65 is not a possible integer width"));
    add(Const::Int { width: 0, value: 0 }, &at("0 is not a possible integer width"));
    add(Const::Wide { width: 70, limbs: [0].into() }, &bits);
    add(Const::Wide { width: 70, limbs: [0, 64].into() }, &bits);
    add(Const::Float { kind: FloatKind::Single, bits: 1 << 32 }, &bits);
    add(Const::Func(FuncId(50)), &at("f50 does not exist"));
    add(Const::Global { global: GlobalId(50), offset: 0 }, &at("g50 does not exist"));
    add(Const::Block(FuncId(0), BlockId(0)), &at("bb0 does not exist"));
    add(Const::Undef(Ty::Int(0)), &at("0 is not a possible integer width"));
    let order = at(&format!("a constant expression uses {next}, which does not come before it"));
    add(Const::Expr(ConstExpr::PtrAdd { base: next, offset: 0 }), &order);
    changing(
        |p| {
            let base = p.add_const(Const::Int { width: 64, value: 77 });
            p.add_const(Const::Expr(ConstExpr::PtrAdd { base, offset: 0 }));
        },
        &format!("c{}: expected ptr, found i64", next.0 + 1),
    );
    changing(
        |p| {
            let mut base = p.add_const(Const::Null);
            for _ in 0..256 {
                base = p.add_const(Const::Expr(ConstExpr::PtrAdd { base, offset: 1 }));
            }
        },
        &format!("c{}: constant expression nested too deeply", next.0 + 256),
    );
}

#[test]
fn the_shape_of_functions_and_blocks_is_checked() {
    changing(|p| main_of(p).byval.clear(), "@main: 1 parameters but 0 by-value entries");
    replacing(
        "declare @take(%0: ptr byval 8)",
        "declare @take(%0: ptr byval 8)\ndeclare @other(%0: i32 byval 4)",
        "@other: expected ptr, found i32",
    );
    replacing("bb0:\n  %1", "bb0(%13: i8):\n  %1", "@main, bb0: the entry block has parameters");
    changing(
        |p| {
            main_of(p).blocks[BlockId(2)].locs.pop();
        },
        "@main, bb2: 2 instructions but 1 places",
    );
    changing(
        |p| main_of(p).blocks[BlockId(2)].locs[0] = Loc { file: FileId(4), line: 1, column: 1 },
        "@main, bb2: file4 does not exist",
    );
    replacing("  return %11\n", "", "@main, bb2: the block does not end in a terminator");
    replacing(
        "  return %11\n",
        "  unreachable\n  return %11\n",
        "@main, bb2: a terminator before the end of the block",
    );
}

#[test]
fn registers_are_assigned_once() {
    replacing(
        "%12: i32 = copy %10",
        "%12: i32 = copy %10\n  %11: i32 = copy %12",
        "@main, bb3, instruction 1: %11 is assigned twice",
    );
    replacing(
        "bb1(%10: i32):",
        "bb1(%10: i32):\n  %0: i32 \"argc\" ty0 = copy %10",
        "@main, bb1, instruction 0: %0 is assigned twice",
    );
}

#[test]
fn a_use_must_be_dominated_by_the_assignment() {
    replacing(
        "return %11",
        "return %10",
        "@main, bb2, instruction 1: %10 is used where it may not be assigned yet",
    );
    replacing(
        "%1: i32 = add i32 %0, 1i32",
        "%1: i32 = add i32 %1, 1i32",
        "@main, bb0, instruction 0: %1 is used where it may not be assigned yet",
    );
    changing(
        |p| {
            let func = main_of(p);
            let fresh = func.regs.push(RegInfo { ty: Ty::Int(32), name: None, var_ty: None });
            func.blocks[BlockId(2)].insts[1] = Inst::Return { values: [Operand::Reg(fresh)].into() };
        },
        "@main, bb2, instruction 1: %13 is used but never assigned",
    );
    changing(
        |p| main_of(p).blocks[BlockId(2)].insts[1] = Inst::Return { values: [Operand::Reg(Reg(99))].into() },
        "@main, bb2, instruction 1: %99 does not exist",
    );
    changing(
        |p| {
            main_of(p).blocks[BlockId(2)].insts[1] =
                Inst::Return { values: [Operand::Const(ConstId(99))].into() };
        },
        "@main, bb2, instruction 1: c99 does not exist",
    );
}

#[test]
fn edges_are_checked() {
    replacing("bb1(%1), bb2", "bb1, bb2", "@main, bb0, instruction 10: 1 values expected by bb1, 0 given");
    replacing("bb1(%1), bb2", "bb1(%4), bb2", "@main, bb0, instruction 10: expected i32, found i64");
    replacing("bb1(%1), bb2", "bb1(%1), bb7", "@main, bb0, instruction 10: bb7 does not exist");
}

#[test]
fn types_of_operands_and_results_are_checked() {
    let wrong = |old: &str, new: &str, index: u32, message: &str| {
        replacing(old, new, &format!("@main, bb0, instruction {index}: {message}"));
    };
    wrong("add i32 %0, 1i32", "add i32 %0, 1i64", 0, "expected i32, found i64");
    wrong("%2: i1 = cmp.eq i32 %1, 0i32", "%2: i1 = cmp.eq i64 null, 0i64", 1, "expected ptr, found i64");
    wrong("zext i32 %1 to i64", "trunc i32 %1 to i64", 3, "no conversion from i32 to i64 by this cast");
    wrong("zext i32 %1 to i64", "bitcast i32 %1 to i64", 3, "no conversion from i32 to i64 by this cast");
    wrong("fadd f64 1.0f64, 2.0f64", "fadd f64 1.0f64, 2.0f32", 4, "expected f64, found f32");
    wrong("align 4\n", "align 6\n", 2, "alignment 6 is not a power of two");
    wrong("alloca 4 x 1i64", "alloca 4 x null", 2, "expected an integer, found ptr");
    wrong("i32 (%0, %1)", "i32 (%0)", 5, "2 arguments expected, 1 given");
    wrong("%6: i32, %7: i1 =", "%6: i32, %7: i8 =", 5, "expected i1, found i8");
    wrong("memset %3, 0i8, 4i64", "memset %3, 0i8, 4i32", 9, "expected i64, found i32");
    wrong("branch %2,", "branch %1,", 10, "expected i1, found i32");
    changing(
        |p| {
            let five = p.add_const(Const::Float { kind: FloatKind::Single, bits: 0 });
            main_of(p).blocks[BlockId(2)].insts[0] = Inst::Intrinsic {
                dsts: [Reg(11)].into(),
                op: IntrinsicOp::Ctlz,
                ty: Ty::Float(FloatKind::Single),
                args: [Operand::Const(five)].into(),
            };
            main_of(p).regs[Reg(11)].ty = Ty::Float(FloatKind::Single);
            main_of(p).ret = vec![Ty::Float(FloatKind::Single)];
        },
        "@main, bb2, instruction 0: this operation is not defined on f32",
    );
}

#[test]
fn calls_fit_the_callee() {
    let wrong = |old: &str, new: &str, index: u32, message: &str| {
        replacing(old, new, &format!("@main, bb0, instruction {index}: {message}"));
    };
    wrong("@puts(ptr @g)", "@puts()", 6, "1 arguments expected, 0 given");
    wrong("@puts(ptr @g)", "@puts(ptr @g, i32 1i32)", 6, "1 arguments expected, 2 given");
    wrong("@puts(ptr @g)", "@puts(i32 1i32)", 6, "expected ptr, found i32");
    wrong("@puts(ptr @g)", "@init()", 6, "0 results expected, 1 registers given");
    wrong("@printf(ptr @g, f64 %5)", "@printf()", 7, "1 arguments expected, 0 given");
    wrong("f64 %5)", "f64 %4)", 7, "expected f64, found i64");
    wrong(
        "byval 8 %3",
        "byval 4 %3",
        8,
        "argument 0 and its parameter are not both passed by value with the same size",
    );
    wrong("call @puts(ptr @g)", "call *1i32(ptr @g)", 6, "expected ptr, found i32");
}

#[test]
fn switches_and_returns_are_checked() {
    let switch = "switch i32 %10 [1: bb2, 2: bb2]";
    let place = "@main, bb1, instruction 0";
    replacing(switch, "switch i32 %10 [2: bb2, 2: bb2]", &format!("{place}: case 2 appears twice"));
    replacing(
        switch,
        "switch i32 %10 [4294967296: bb2]",
        &format!("{place}: case 4294967296 does not fit the width"),
    );
    replacing(switch, "switch i16 %10 [1: bb2]", &format!("{place}: expected i16, found i32"));
    replacing("  return %11", "  return", "@main, bb2, instruction 1: 1 results expected, 0 registers given");
    replacing("  return %11", "  return %4", "@main, bb2, instruction 1: expected i32, found i64");
}
