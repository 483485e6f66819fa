//! The parser: every construct once, and errors with their places.

use crate::*;

/// Every item, constant and instruction there is. Printing it gives it back letter by letter.
const EVERYTHING: &str = r#"target 32
entry @main
ctors @init, @main
file file0 "a.c" in "/src"
file file1 "odd \"name\"\x0a" in ""
type ty0 = basic "int" 4 signed
type ty1 = pointer ty2
type ty2 = record "struct list" 8 { "value" ty0 at 0 bits 32, "next" ty1 at 32 bits 32 }
type ty3 = array ty0 x 10
type ty4 = enum "enum colour" 4 { "RED" = 0, "NONE" = -1 }
type ty5 = alias "handle" void
type ty6 = other "void (int)"
type ty7 = pointer void
global @zero size 40 align 4 ty3 = { } !file0:1:5
global @text size 6 align 1 const runtime = { 0: bytes "hi\x00\xff\"\\" }
global @mixed size 24 align 8 tls = { 0: ptr @main, 4: ptr @text+2, 8: i32 (ptrtoint ptr @zero to i32), 12: undef 4, 16: ptr @far+-4 }
global @far size 8 align 8 extern

func @main(%0: i32 "argc" ty0, %1: ptr byval 16, ...) -> i32, f64 runtime display "main()" !file0:3:1 {
  reg %26: f32 "unused" ty0
bb0:
  %2: i32 = add.nsw.nuw i32 %0, 5i32 !file0:4:2
  %3: i1 = cmp.ule i32 %2, -5i32 !file1:0:0
  %4: f64 = fmul f64 1.5f64, -0.0f64
  %5: f64 = fneg f64 f64:0x7ff8000000000001
  %6: i1 = fcmp.lt.uno f64 %4, 1e-7f64
  %7: i64 = sext i32 %2 to i64
  %8: i32 = select i32 %3, %2, undef:i32
  %9: i32 = copy %8
  %10: i32 = freeze i32 %9
  %11: i32, %12: i1 = intrinsic.sadd_overflow i32 (%10, 2147483647i32)
  %13: ptr = ptradd @zero, -4, i32 %0 * 4, i64 %7 * -1
  %14: ptr = alloca 4 x 1i32 align 4 "x" ty0
  %15: i32 = load.volatile.seqcst i32 %14
  %16: i8 = load i8 @text+2
  store.release i32 7i32 to %14
  memcpy %14, %1, 4i32
  memmove %14, %1, 4i32
  memset %14, 0i8, 4i32
  %17: i32 = rmw.umax.acqrel i32 %14, 3i32
  %18: i32, %19: i1 = cmpxchg.weak.acqrel.relaxed i32 %14, 3i32, 4i32
  fence.acquire.signal
  lifetime.start %14
  lifetime.end %14
  %20: ptr = stacksave
  stackrestore %20
  va_start %14
  va_copy %14, %1
  va_end %14
  %21: i32 = va_arg i32 %14
  %22: i32, %23: f64 = call @main(i32 1i32, ptr byval 16 %1, f64 2.0f64)
  call *(ptradd @init, 4)(ptr null)
  call @init()
  unsupported "inline assembly \"nop\""
  %24: i1 = fcmp f64 %4, %5
  branch true, bb1(0i32), bb2
bb1(%25: i32 "i"):
  switch i32 %25 [1: bb1(1i32), 4294967295: bb2] default bb3
bb2:
  goto label(@main, bb3) [bb2, bb3]
bb3:
  jump bb4
bb4:
  return (xor i32 1i32, (trunc i64 -9223372036854775808i64 to i32)), 2.5f64
bb5:
  unreachable
bb6:
  trap
}

func @init() {
  reg %0: i128
  reg %1: bf16
bb0:
  %2: i128 = copy 0xffffffffffffffffffffffffffffffffi128
  %3: i70 = copy 0x0i70
  %4: f80 = copy f80:0x3fff8000000000000000
  %5: f32 = copy 3.4028235e38f32
  %6: i1 = copy false
  return
}

declare @"odd name"(%0: ptr) -> ptr

declare @nothing(...)
"#;

#[test]
fn every_construct_is_read_and_printed_back() {
    let program = parse(EVERYTHING).unwrap();
    assert_eq!(program.to_string(), EVERYTHING);
    assert_eq!(program, program.with_canonical_consts());
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    assert_eq!(parse(text).unwrap_err().to_string(), expected);
}

#[test]
fn errors_say_where_and_what() {
    check_error("target 64\n  entry @main", "2:9: unknown name `@main`");
    check_error(
        "func @f() {\nbb0:\n  %0: i32 = frobnicate %1\n}",
        "3:13: expected an instruction, found `frobnicate`",
    );
    check_error(
        "func @f() {\nbb0:\n  %0: i32 = add.exact i32 1i32, 2i32\n}",
        "3:13: expected an instruction, found `add.exact`",
    );
    check_error(
        "func @f() {\nbb0:\n  add i32 1i32, 2i32\n}",
        "3:3: the number of registers before `=` must be 1",
    );
    check_error(
        "func @f() {\nbb0:\n  %0: i32, %1: i32 = copy 1i32\n}",
        "3:22: the number of registers before `=` must be 1",
    );
    check_error("func @f() {\nbb1:\n  return\n}", "2:1: expected bb0 here: numbers follow each other");
    check_error(
        "func @f() {\nbb0:\n  %2: i8 = copy 1i8\n return\n}",
        "5:2: register %0 is never assigned or declared",
    );
    check_error(
        "func @f() {\nreg %0: i8\nbb0:\n  %0: i9 = copy 1i9\n return\n}",
        "4:10: register %0 was described differently before",
    );
    check_error("func @f() {\nbb0:\n return 256i8 }", "3:9: number with a type suffix out of range");
    check_error("func @f() {\nbb0:\n return -129i8 }", "3:9: number with a type suffix out of range");
    check_error(
        "func @f() {\nbb0:\n return 0x1ffffffffffffffffi64 }",
        "3:9: number with a type suffix out of range",
    );
    check_error("func @f() {\nbb0:\n return f32:0x100000000 }", "3:13: bit pattern out of range");
    check_error("declare @f()\nglobal @f size 1 align 1 extern", "2:8: the name `@f` is defined twice");
    check_error("global @g size 1 align 1 = { 0: bytes \"a", "1:39: string without closing quote");
    check_error("global @g size 1 align 1 = { 0: bytes \"\\n\" }", "1:39: unknown escape in a string");
    check_error("global", "1:7: expected a name, found the end of the text");
    check_error("func @f() {", "1:12: expected bb0 here: numbers follow each other");
    check_error("entry \u{e9}", "1:7: unexpected character 'é'");
    check_error("file file0 \"\\xff\" in \"\"", "1:12: this name is not valid UTF-8");
    let deep = format!("global @g size 4 align 4 = {{ 0: ptr {}", "(ptradd ".repeat(100_000));
    check_error(&deep, "1:2085: expression nested too deeply");
}

#[test]
fn integers_are_signed_or_unsigned_as_the_writer_likes() {
    let text = "func @f() { bb0: %0: i8 = copy 255i8 %1: i8 = copy -1i8 %2: i8 = copy 0xffi8 return }";
    let program = parse(text).unwrap();
    assert_eq!(program.consts.iter().collect::<Vec<_>>(), [&Const::Int { width: 8, value: 255 }]);
}
