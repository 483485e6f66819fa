//! Small C programs and the instructions they become.

#[path = "../common/mod.rs"]
mod common;
mod edges;

use common::check;
use expect_test::expect;

#[test]
fn one_access_in_the_source_is_one_load_or_store() {
    check(
        "int x; int f(void) { x++; return x; }",
        expect![[r#"
        func @f() -> i32 {
        bb0:
          %0: i32 = load i32 @x
          %1: i32 = add.nsw i32 %0, 1i32
          store i32 %1 to @x
          %2: i32 = load i32 @x
          return %2
        }
    "#]],
    );
}

#[test]
fn loops_use_block_parameters() {
    check(
        "int f(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }",
        expect![[r#"
            func @f(%0: i32 "n" ty2) -> i32 {
            bb0:
              jump bb1(0i32, 0i32)
            bb1(%1: i32 "i" ty2, %2: i32 "sum" ty2):
              %3: i1 = cmp.slt i32 %1, %0
              branch %3, bb2, bb3
            bb2:
              %4: i32 "sum" ty2 = add.nsw i32 %2, %1
              %5: i32 "i" ty2 = add.nsw i32 %1, 1i32
              jump bb1(%5, %4)
            bb3:
              return %2
            }
        "#]],
    );
}

#[test]
fn volatile_and_atomic_accesses_keep_their_kind() {
    check(
        "#include <stdatomic.h>
        volatile int v; _Atomic int a;
        int f(void) {
            v = 1;
            atomic_store_explicit(&a, 2, memory_order_release);
            return atomic_load_explicit(&a, memory_order_acquire) + atomic_load(&a);
        }",
        expect![[r#"
            func @f() -> i32 {
            bb0:
              store.volatile i32 1i32 to @v
              store.release i32 2i32 to @a
              %0: i32 = load.acquire i32 @a
              %1: i32 = load.seqcst i32 @a
              %2: i32 = add.nsw i32 %0, %1
              return %2
            }
        "#]],
    );
}

#[test]
fn read_modify_write_and_compare_exchange_are_single_instructions() {
    check(
        "#include <stdatomic.h>
        _Atomic long a; int x;
        int f(long e) {
            atomic_fetch_sub(&a, 2);
            atomic_thread_fence(memory_order_acq_rel);
            atomic_signal_fence(memory_order_seq_cst);
            __sync_lock_test_and_set(&x, 1);
            return atomic_compare_exchange_weak(&a, &e, 7);
        }",
        expect![[r#"
            func @f(%0: i64 "e" ty0) -> i32 {
            bb0:
              %1: i64 = rmw.sub.seqcst i64 @a, 2i64
              fence.acqrel
              fence.seqcst.signal
              %2: i32 = rmw.xchg.seqcst i32 @x, 1i32
              %3: i64, %4: i1 = cmpxchg.weak.seqcst.seqcst i64 @a, %0, 7i64
              branch %4, bb2, bb1
            bb1:
              jump bb2
            bb2:
              %5: i8 = zext i1 %4 to i8
              %6: i1 = trunc i8 %5 to i1
              %7: i32 = zext i1 %6 to i32
              return %7
            }
        "#]],
    );
}

#[test]
fn structs_returned_in_registers_are_split() {
    check(
        "struct p { long x; int y; };
        struct p g(long);
        int f(void) { struct p p = g(3); return p.y; }",
        expect![[r#"
            func @f() -> i32 {
            bb0:
              %0: ptr = alloca 16 x 1i64 align 8 "p" ty3
              lifetime.start %0
              %1: i64, %2: i32 = call @g(i64 3i64)
              store i64 %1 to %0
              %3: ptr = ptradd %0, 8
              store i32 %2 to %3
              %4: ptr = ptradd %0, 8
              %5: i32 = load i32 %4
              lifetime.end %0
              return %5
            }
        "#]],
    );
}

#[test]
fn structs_passed_in_memory_say_how_large_they_are() {
    check(
        "struct big { int a[20]; }; void g(struct big); void f(struct big b) { g(b); }",
        expect![[r#"
            func @f(%0: ptr "b" ty3 byval 80) {
            bb0:
              call @g(ptr byval 80 %0)
              return
            }
        "#]],
    );
}

#[test]
fn vectors_are_computed_element_by_element() {
    check(
        "typedef int v2 __attribute__((vector_size(8)));
        v2 f(v2 *a, v2 *b, int i) { v2 c = *a + *b; c[i] = 5; return __builtin_shufflevector(c, *a, 1, 2); }",
        expect![[r#"
            func @f(%0: ptr "a" ty3, %1: ptr "b" ty3, %2: i32 "i" ty2) -> f64 {
            bb0:
              %3: ptr = alloca 8 x 1i64 align 8
              %4: i32 = load i32 %0
              %5: ptr = ptradd %0, 4
              %6: i32 = load i32 %5
              %7: i32 = load i32 %1
              %8: ptr = ptradd %1, 4
              %9: i32 = load i32 %8
              %10: i32 = add i32 %4, %7
              %11: i32 = add i32 %6, %9
              %12: i1 = cmp.eq i32 %2, 0i32
              %13: i32 = select i32 %12, 5i32, %10
              %14: i1 = cmp.eq i32 %2, 1i32
              %15: i32 = select i32 %14, 5i32, %11
              %16: i32 = load i32 %0
              %17: ptr = ptradd %0, 4
              %18: i32 = load i32 %17
              store i32 %15 to %3
              %19: ptr = ptradd %3, 4
              store i32 %16 to %19
              %20: f64 = load f64 %3
              return %20
            }
        "#]],
    );
}

#[test]
fn addresses_are_bytes() {
    check(
        "struct s { char c; int a[10]; struct s *next; };
        int *f(struct s *s, long i, unsigned char j) { return &s[2].next[i].a[j]; }",
        expect![[r#"
            func @f(%0: ptr "s" ty3, %1: i64 "i" ty4, %2: i8 "j" ty5) -> ptr {
            bb0:
              %3: ptr = ptradd %0, 112
              %4: ptr = ptradd %3, 48
              %5: ptr = load ptr %4
              %6: ptr = ptradd %5, 0, i64 %1 * 56
              %7: ptr = ptradd %6, 4
              %8: i64 = zext i8 %2 to i64
              %9: ptr = ptradd %7, 0, i64 %8 * 4
              return %9
            }
        "#]],
    );
}

#[test]
fn switch_and_computed_goto() {
    check(
        "int f(int x) {
            static void *table[] = { &&one, &&two };
            switch (x) { case 3: return 1; case -1: goto *table[0]; case 'a' ... 'c': goto *table[1]; }
            one: return 10;
            two: return 20;
        }",
        expect![[r#"
            func @f(%0: i32 "x" ty3) -> i32 {
            bb0:
              switch i32 %0 [3: bb2, 4294967295: bb3, 97: bb4, 98: bb4, 99: bb4] default bb1
            bb1:
              jump bb6
            bb2:
              jump bb8(1i32)
            bb3:
              %1: ptr = load ptr @f.table
              jump bb5(%1)
            bb4:
              %2: ptr = load ptr @f.table+8
              jump bb5(%2)
            bb5(%3: ptr):
              goto %3 [bb6, bb7]
            bb6:
              jump bb8(10i32)
            bb7:
              jump bb8(20i32)
            bb8(%4: i32):
              return %4
            }
        "#]],
    );
}

#[test]
fn variadic_functions() {
    check(
        "#include <stdarg.h>
        void g(va_list);
        void f(int n, ...) { va_list a, b; va_start(a, n); va_copy(b, a); g(b); va_end(b); va_end(a); }",
        expect![[r#"
            func @f(%0: i32 "n" ty2, ...) {
            bb0:
              %1: ptr = alloca 24 x 1i64 align 16 "a" ty3
              %2: ptr = alloca 24 x 1i64 align 16 "b" ty3
              lifetime.start %1
              lifetime.start %2
              va_start %1
              va_copy %2, %1
              call @g(ptr %2)
              va_end %2
              va_end %1
              lifetime.end %2
              lifetime.end %1
              return
            }
        "#]],
    );
}

#[test]
fn builtins_become_pure_operations() {
    check(
        "int f(int a, unsigned b, double d, long *out) {
            int r;
            if (__builtin_mul_overflow(a, 3, &r)) return -1;
            r += __builtin_clz(b) + __builtin_popcount(b) + (int)__builtin_bswap32(b);
            *out = (long)__builtin_floor(__builtin_fabs(d));
            if (__builtin_isinf_sign(d) || __builtin_expect(d != d, 0)) return 5;
            return r + __builtin_constant_p(a) + (int)__builtin_object_size(out, 0);
        }",
        expect![[r#"
            func @f(%0: i32 "a" ty2, %1: i32 "b" ty3, %2: f64 "d" ty4, %3: ptr "out" ty5) -> i32 {
            bb0:
              %4: i32, %5: i1 = intrinsic.smul_overflow i32 (%0, 3i32)
              branch %5, bb1, bb2
            bb1:
              jump bb7(-1i32)
            bb2:
              %6: i1 = cmp.ne i32 %1, 0i32
              branch %6, bb3, bb8
            bb3:
              %7: i32 = intrinsic.ctlz i32 (%1)
              %8: i32 = intrinsic.ctpop i32 (%1)
              %9: i32 = add.nsw i32 %7, %8
              %10: i32 = intrinsic.bswap i32 (%1)
              %11: i32 = add.nsw i32 %9, %10
              %12: i32 "r" ty2 = add.nsw i32 %4, %11
              %13: f64 = intrinsic.fabs f64 (%2)
              %14: f64 = intrinsic.floor f64 (%13)
              %15: i64 = fptosi f64 %14 to i64
              store i64 %15 to %3
              %16: f64 = intrinsic.fabs f64 (%2)
              %17: i1 = fcmp.eq f64 %16, f64:0x7ff0000000000000
              %18: i64 = bitcast f64 %2 to i64
              %19: i1 = cmp.slt i64 %18, 0i64
              %20: i32 = select i32 %19, -1i32, 1i32
              %21: i32 = select i32 %17, %20, 0i32
              %22: i1 = cmp.ne i32 %21, 0i32
              branch %22, bb5, bb4
            bb4:
              %23: i1 = fcmp.lt.gt.uno f64 %2, %2
              %24: i32 = zext i1 %23 to i32
              %25: i64 = sext i32 %24 to i64
              %26: i1 = cmp.ne i64 %25, 0i64
              branch %26, bb5, bb6
            bb5:
              jump bb7(5i32)
            bb6:
              %27: i32 = zext i1 false to i32
              %28: i32 = add.nsw i32 %12, %27
              %29: i32 = trunc i64 -1i64 to i32
              %30: i32 = add.nsw i32 %28, %29
              jump bb7(%30)
            bb7(%31: i32):
              return %31
            bb8:
              call @__ubsan_handle_invalid_builtin_minimal_abort()
              unreachable
            }
        "#]],
    );
}

#[test]
fn floating_point_comparisons_tell_ordered_from_unordered() {
    check(
        "int f(float a, float b) { return (a < b) + 2 * !(a >= b) + 4 * (a != b); }",
        expect![[r#"
            func @f(%0: f32 "a" ty3, %1: f32 "b" ty3) -> i32 {
            bb0:
              %2: i1 = fcmp.lt f32 %0, %1
              %3: i32 = zext i1 %2 to i32
              %4: i1 = fcmp.eq.gt f32 %0, %1
              %5: i1 = xor i1 %4, true
              %6: i32 = zext i1 %5 to i32
              %7: i32 = mul.nsw i32 2i32, %6
              %8: i32 = add.nsw i32 %3, %7
              %9: i1 = fcmp.lt.gt.uno f32 %0, %1
              %10: i32 = zext i1 %9 to i32
              %11: i32 = mul.nsw i32 4i32, %10
              %12: i32 = add.nsw i32 %8, %11
              return %12
            }
        "#]],
    );
}

#[test]
fn wide_and_odd_integers() {
    check(
        "unsigned __int128 f(unsigned __int128 a, _BitInt(37) *b, long double *d) {
            *b += 1; *d += 1.5L;
            return a * (((unsigned __int128)1 << 100) + 5);
        }",
        expect![[r#"
            func @f(%0: i128 "a" ty3, %1: ptr "b" ty4, %2: ptr "d" ty5) -> i128 {
            bb0:
              %3: i64 = load i64 %1
              %4: i37 = trunc i64 %3 to i37
              %5: i37 = add.nsw i37 %4, 1i37
              %6: i64 = sext i37 %5 to i64
              store i64 %6 to %1
              %7: f80 = load f80 %2
              %8: f80 = fadd f80 %7, f80:0x3fffc000000000000000
              store f80 %8 to %2
              %9: i128 = mul i128 %0, 0x10000000000000000000000005i128
              return %9
            }
        "#]],
    );
}
