//! What comparisons become, shown as SMT-LIB text.

use crate::{Given, check};
use selvedge_term::{Sort, TermPool, smtlib};

#[test]
fn equations_with_constants_are_solved() {
    check(
        |g| {
            let (c, d) = (g.c(5), g.c(3));
            let sum = g.pool.add(g.x, c);
            g.pool.eq(sum, d)
        },
        "(= x #xfffffffe)",
    );
    check(
        |g| {
            let (c, d) = (g.c(3), g.c(9));
            let product = g.pool.mul(g.x, c);
            g.pool.eq(product, d)
        },
        "(= x #x00000003)",
    );
    check(
        |g| {
            let (c, d) = (g.c(6), g.c(9));
            let product = g.pool.mul(g.x, c);
            g.pool.eq(product, d)
        },
        "false",
    );
    check(
        |g| {
            let wide = g.pool.zext(g.a, 32);
            let c = g.c(300);
            g.pool.eq(wide, c)
        },
        "false",
    );
    check(
        |g| {
            let joined = g.pool.concat(g.a, g.b);
            let c = g.pool.bv(16, 0x1234);
            g.pool.eq(joined, c)
        },
        "(and (= a #x12) (= b #x34))",
    );
    check(
        |g| {
            let left = g.pool.add(g.x, g.y);
            let right = g.pool.add(g.x, g.z);
            g.pool.eq(left, right)
        },
        "(= y z)",
    );
}

#[test]
fn comparing_a_truth_value_made_number_gives_it_back() {
    check(
        |g| {
            let (one, zero) = (g.c(1), g.c(0));
            let number = g.pool.ite(g.p, one, zero);
            g.pool.eq(number, one)
        },
        "p",
    );
    check(
        |g| {
            let number = g.pool.zext(g.p, 32);
            let zero = g.c(0);
            g.pool.eq(number, zero)
        },
        "(not p)",
    );
    check(
        |g| {
            let less = g.pool.slt(g.x, g.y);
            let number = g.pool.zext(less, 32);
            let zero = g.c(0);
            g.pool.ne(number, zero)
        },
        "(bvslt x y)",
    );
    check(
        |g| {
            let (three, seven, five) = (g.c(3), g.c(7), g.c(5));
            let number = g.pool.ite(g.p, three, seven);
            g.pool.ult(number, five)
        },
        "p",
    );
}

#[test]
fn comparisons_have_their_constant_on_the_right() {
    check(
        |g| {
            let c = g.c(5);
            g.pool.ule(g.x, c)
        },
        "(bvult x #x00000006)",
    );
    check(
        |g| {
            let c = g.c(5);
            g.pool.ugt(g.x, c)
        },
        "(bvule #x00000006 x)",
    );
    check(
        |g| {
            let c = g.c(1);
            g.pool.ult(g.x, c)
        },
        "(= x #x00000000)",
    );
    check(
        |g| {
            let c = g.c(-1);
            g.pool.sgt(g.x, c)
        },
        "(bvsle #x00000000 x)",
    );
}

#[test]
fn comparisons_of_extensions_are_narrow() {
    check(
        |g| {
            let wide = g.pool.zext(g.a, 32);
            let c = g.c(10);
            g.pool.slt(wide, c)
        },
        "(bvult a #x0a)",
    );
    check(
        |g| {
            let wide = g.pool.sext(g.a, 32);
            let c = g.c(-10);
            g.pool.slt(wide, c)
        },
        "(bvslt a #xf6)",
    );
    check(
        |g| {
            let wide = g.pool.zext(g.a, 32);
            let c = g.c(256);
            g.pool.ult(wide, c)
        },
        "true",
    );
    check(
        |g| {
            let (a, b) = (g.pool.sext(g.a, 32), g.pool.sext(g.b, 32));
            g.pool.sle(a, b)
        },
        "(bvsle a b)",
    );
}

#[test]
fn ranges_decide_comparisons() {
    check(
        |g| {
            let (ten, twelve) = (g.c(10), g.c(12));
            let rest = g.pool.urem(g.x, ten);
            g.pool.ult(rest, twelve)
        },
        "true",
    );
    check(
        |g| {
            let (a, b) = (g.pool.zext(g.a, 32), g.pool.zext(g.b, 32));
            let sum = g.pool.add(a, b);
            let c = g.c(511);
            g.pool.ult(sum, c)
        },
        "true",
    );
    check(
        |g| {
            let one = g.c(1);
            let odd = g.pool.bvor(g.x, one);
            let two = g.c(2);
            let even = g.pool.mul(g.y, two);
            g.pool.eq(odd, even)
        },
        "false",
    );
}

#[test]
fn quotients_by_constants_are_divided_and_compared_without_nesting() {
    let quotient = |g: &mut Given, by: &[i64]| {
        by.iter().fold(g.x, |t, d| {
            let d = g.c(*d);
            g.pool.udiv(t, d)
        })
    };
    check(|g| quotient(g, &[10, 10, 10]), "(bvudiv x #x000003e8)");
    check(|g| quotient(g, &[100_000, 100_000]), "#x00000000");
    check(
        |g| {
            let (t, zero) = (quotient(g, &[10]), g.c(0));
            g.pool.eq(t, zero)
        },
        "(bvult x #x0000000a)",
    );
    check(
        |g| {
            let (t, c) = (quotient(g, &[10]), g.c(7));
            g.pool.ult(t, c)
        },
        "(bvult x #x00000046)",
    );
    check(
        |g| {
            let (t, c) = (quotient(g, &[10]), g.c(7));
            g.pool.ult(c, t)
        },
        "(bvule #x00000050 x)",
    );
    check(
        |g| {
            let (t, c) = (quotient(g, &[10]), g.c(0x1999_9999));
            g.pool.ule(t, c)
        },
        "true",
    );
}

#[test]
fn integer_comparisons_are_tight() {
    let mut pool = TermPool::new();
    let (i, j) = (pool.var("i", Sort::Int), pool.var("j", Sort::Int));
    let (two, three, five) = (pool.int(2.into()), pool.int(3.into()), pool.int(5.into()));
    let double = pool.imul(i, two);
    let at_most = pool.ile(double, five);
    assert_eq!(smtlib::print_term(&pool, at_most), "(<= i 2)");
    let never = pool.eq(double, five);
    assert_eq!(never, pool.ff());
    let (up, down) = (pool.iadd(i, three), pool.isub(j, two));
    let less = pool.ilt(up, down);
    assert_eq!(smtlib::print_term(&pool, less), "(<= (+ i (* j (- 1))) (- 6))");
    let greater = pool.ilt(down, up);
    assert_eq!(smtlib::print_term(&pool, greater), "(< (- 5) (+ i (* j (- 1))))");
    let back = pool.isub(up, three);
    assert_eq!(back, i);
}
