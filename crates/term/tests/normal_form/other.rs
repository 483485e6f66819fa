//! What sums, truth values, choices and arrays become, shown as SMT-LIB text.

use crate::{Given, check};
use selvedge_term::{Sort, smtlib};

#[test]
fn sums_cancel() {
    check(
        |g| {
            let one = g.c(1);
            let up = g.pool.add(g.x, one);
            g.pool.sub(up, one)
        },
        "x",
    );
    check(
        |g| {
            let d = g.pool.sub(g.x, g.y);
            g.pool.add(d, g.y)
        },
        "x",
    );
    check(
        |g| {
            let s = g.pool.add(g.x, g.y);
            let s = g.pool.add(s, g.z);
            let t = g.pool.add(g.z, g.x);
            g.pool.sub(s, t)
        },
        "y",
    );
    check(
        |g| {
            let not = g.pool.bvnot(g.x);
            g.pool.add(g.x, not)
        },
        "#xffffffff",
    );
}

#[test]
fn sums_gather_coefficients_and_constants() {
    check(|g| g.pool.add(g.x, g.x), "(bvmul x #x00000002)");
    check(
        |g| {
            let four = g.c(4);
            let three = g.c(3);
            let shifted = g.pool.add(g.x, three);
            g.pool.mul(shifted, four)
        },
        "(bvadd (bvmul x #x00000004) #x0000000c)",
    );
    check(
        |g| {
            let c = g.c(-4);
            let m = g.pool.mul(g.x, c);
            g.pool.add(g.y, m)
        },
        "(bvadd (bvneg (bvmul x #x00000004)) y)",
    );
    check(
        |g| {
            let five = g.c(5);
            let left = g.pool.add(g.y, five);
            let right = g.pool.add(five, g.x);
            g.pool.add(left, right)
        },
        "(bvadd (bvadd x y) #x0000000a)",
    );
}

#[test]
fn a_constant_minus_a_small_number_has_a_small_range() {
    check(
        |g| {
            let small = g.pool.zext(g.a, 32);
            let c = g.c(1000);
            let difference = g.pool.sub(c, small);
            let c = g.c(744);
            g.pool.ugt(difference, c)
        },
        "true",
    );
    check(
        |g| {
            let (small, c) = (g.pool.sext(g.a, 32), g.c(0x7fff_ff00));
            let sum = g.pool.add(small, c);
            let million = g.c(1_000_000);
            g.pool.udiv(sum, million)
        },
        "#x00000863",
    );
}

#[test]
fn conjunctions_are_flat_sorted_and_consistent() {
    check(
        |g| {
            let qp = g.pool.and(g.q, g.p);
            let rp = g.pool.and(g.r, g.p);
            g.pool.and(rp, qp)
        },
        "(and p q r)",
    );
    check(
        |g| {
            let qp = g.pool.and(g.q, g.p);
            let not_q = g.pool.not(g.q);
            g.pool.and(qp, not_q)
        },
        "false",
    );
    // a ∧ ¬(a ∧ b), a ∧ (a ∨ b), a ∨ (a ∧ b).
    check(
        |g| {
            let pq = g.pool.and(g.p, g.q);
            let clause = g.pool.not(pq);
            g.pool.and(clause, g.p)
        },
        "(and p (not q))",
    );
    check(
        |g| {
            let either = g.pool.or(g.p, g.q);
            g.pool.and(either, g.p)
        },
        "p",
    );
    check(
        |g| {
            let both = g.pool.and(g.p, g.q);
            g.pool.or(both, g.p)
        },
        "p",
    );
    check(|g| g.pool.or_all(&[g.p, g.q, g.r]), "(or p q r)");
    check(|g| g.pool.implies(g.p, g.q), "(or (not p) q)");
}

#[test]
fn exclusive_or_is_a_negated_equality() {
    check(|g| g.pool.xor(g.p, g.q), "(distinct p q)");
    check(
        |g| {
            let not_p = g.pool.not(g.p);
            g.pool.xor(not_p, g.q)
        },
        "(= p q)",
    );
    check(|g| g.pool.add(g.p, g.q), "(distinct p q)");
    check(|g| g.pool.mul(g.p, g.q), "(and p q)");
}

#[test]
fn choices_fold() {
    check(|g| g.pool.ite(g.p, g.x, g.x), "x");
    check(
        |g| {
            let inner = g.pool.ite(g.p, g.x, g.y);
            g.pool.ite(g.p, inner, g.z)
        },
        "(ite p x z)",
    );
    check(
        |g| {
            let inner = g.pool.ite(g.q, g.x, g.y);
            g.pool.ite(g.p, inner, g.y)
        },
        "(ite (and p q) x y)",
    );
    check(
        |g| {
            let same = g.pool.eq(g.x, g.y);
            g.pool.ite(same, g.x, g.y)
        },
        "y",
    );
    check(
        |g| {
            let (tt, ff) = (g.pool.tt(), g.pool.ff());
            let chosen = g.pool.ite(g.p, tt, g.q);
            g.pool.ite(g.r, chosen, ff)
        },
        "(and r (or p q))",
    );
    check(
        |g| {
            let (zero, one) = (g.c8(0), g.c8(1));
            g.pool.ite(g.p, zero, one)
        },
        "((_ zero_extend 7) (ite (not p) #b1 #b0))",
    );
}

#[test]
fn reads_see_through_writes_elsewhere() {
    let mut g = Given::new();
    let memory = g.pool.var("m", Sort::Array { index: 32, elem: 8 });
    let four = g.c(4);
    let next = g.pool.add(g.x, four);
    let written = g.pool.store(memory, g.x, g.a);
    let written = g.pool.store(written, next, g.b);
    assert_eq!(g.pool.select(written, next), g.b);
    assert_eq!(g.pool.select(written, g.x), g.a);
    let elsewhere = g.pool.select(written, g.y);
    assert_eq!(
        smtlib::print_term(&g.pool, elsewhere),
        "(select (store (store m x a) (bvadd x #x00000004) b) y)"
    );
    // Writing back what is there changes nothing.
    let there = g.pool.select(written, g.y);
    assert_eq!(g.pool.store(written, g.y, there), written);
    let zeros = g.c8(0);
    let zeros = g.pool.const_array(32, zeros);
    let blank = g.pool.select(zeros, g.x);
    assert_eq!(g.pool.as_u64(blank), Some(0));
}
