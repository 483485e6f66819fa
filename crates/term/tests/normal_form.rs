//! What single rewrites give, shown as SMT-LIB text.

use selvedge_term::{Sort, TermId, TermPool, smtlib};

/// Variables `x`, `y`, `z` of 32 bits, `a`, `b` of 8 and `p`, `q`, `r` of 1.
struct Given {
    pool: TermPool,
    x: TermId,
    y: TermId,
    z: TermId,
    a: TermId,
    b: TermId,
    p: TermId,
    q: TermId,
    r: TermId,
}

impl Given {
    fn new() -> Given {
        let mut pool = TermPool::new();
        let mut var = |name, width| pool.var(name, Sort::Bv(width));
        let (x, y, z) = (var("x", 32), var("y", 32), var("z", 32));
        let (a, b) = (var("a", 8), var("b", 8));
        let (p, q, r) = (var("p", 1), var("q", 1), var("r", 1));
        Given { pool, x, y, z, a, b, p, q, r }
    }

    fn c(&mut self, value: i64) -> TermId {
        self.pool.bv(32, value as u64)
    }

    fn c8(&mut self, value: i64) -> TermId {
        self.pool.bv(8, value as u64)
    }
}

#[track_caller]
fn check(build: impl FnOnce(&mut Given) -> TermId, expected: &str) {
    let mut given = Given::new();
    let t = build(&mut given);
    assert_eq!(smtlib::print_term(&given.pool, t), expected);
}

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
fn shifts_by_constants_are_products_and_pieces() {
    check(
        |g| {
            let c = g.c(3);
            g.pool.shl(g.x, c)
        },
        "(bvmul x #x00000008)",
    );
    check(
        |g| {
            let c = g.c(24);
            g.pool.lshr(g.x, c)
        },
        "((_ zero_extend 24) ((_ extract 31 24) x))",
    );
    check(
        |g| {
            let c = g.c(24);
            let up = g.pool.shl(g.x, c);
            g.pool.ashr(up, c)
        },
        "((_ sign_extend 24) ((_ extract 7 0) x))",
    );
    check(
        |g| {
            let c = g.c(40);
            g.pool.shl(g.x, c)
        },
        "#x00000000",
    );
}

#[test]
fn bytes_of_a_word_join_to_the_word() {
    check(
        |g| {
            let mut word = g.pool.extract(g.x, 7, 0);
            for byte in 1..4 {
                let piece = g.pool.extract(g.x, byte * 8 + 7, byte * 8);
                word = g.pool.concat(piece, word);
            }
            word
        },
        "x",
    );
    // Also if the word was an extension.
    for signed in [false, true] {
        let mut g = Given::new();
        let word = if signed { g.pool.sext(g.a, 32) } else { g.pool.zext(g.a, 32) };
        let mut joined = g.pool.extract(word, 7, 0);
        for byte in 1..4 {
            let piece = g.pool.extract(word, byte * 8 + 7, byte * 8);
            joined = g.pool.concat(piece, joined);
        }
        assert_eq!(joined, word);
    }
}

#[test]
fn bytes_of_an_operation_join_to_the_operation() {
    type Build = fn(&mut Given) -> TermId;
    let builds: [Build; 6] = [
        |g| {
            let one = g.c(1);
            g.pool.add(g.x, one)
        },
        |g| {
            let (a, b) = (g.pool.zext(g.a, 32), g.pool.sext(g.b, 32));
            g.pool.add(a, b)
        },
        |g| {
            let (c, d) = (g.c(0x0102_0304), g.c(0x0502_0607));
            g.pool.ite(g.p, c, d)
        },
        |g| {
            let c = g.c(0x5a5a_0101);
            g.pool.bvxor(g.x, c)
        },
        |g| g.pool.mul(g.x, g.y),
        |g| {
            let c = g.c(31);
            let product = g.pool.mul(g.x, c);
            g.pool.add(product, g.y)
        },
    ];
    for (i, build) in builds.iter().enumerate() {
        let mut g = Given::new();
        let word = build(&mut g);
        let bytes: Vec<TermId> = (0..4).map(|byte| g.pool.extract(word, byte * 8 + 7, byte * 8)).collect();
        let up = bytes[1..].iter().fold(bytes[0], |low, &high| g.pool.concat(high, low));
        let down = bytes[..3].iter().rev().fold(bytes[3], |high, &low| g.pool.concat(high, low));
        assert_eq!((up, down), (word, word), "operation {i}: {}", smtlib::print_term(&g.pool, up));
    }
}

#[test]
fn low_bits_of_arithmetic_are_arithmetic_on_low_bits() {
    check(
        |g| {
            let c = g.c(261);
            let sum = g.pool.add(g.x, c);
            let low = g.pool.extract(sum, 7, 0);
            let d = g.c8(7);
            g.pool.eq(low, d)
        },
        "(= ((_ extract 7 0) x) #x02)",
    );
}

#[test]
fn bytes_shifted_and_joined_are_a_concatenation() {
    check(
        |g| {
            let eight = g.c(8);
            let high = g.pool.zext(g.a, 32);
            let high = g.pool.shl(high, eight);
            let low = g.pool.zext(g.b, 32);
            g.pool.bvor(high, low)
        },
        "((_ zero_extend 16) (concat a b))",
    );
}

#[test]
fn masks_are_pieces() {
    check(
        |g| {
            let c = g.c(0xff);
            g.pool.bvand(g.x, c)
        },
        "((_ zero_extend 24) ((_ extract 7 0) x))",
    );
    check(
        |g| {
            let c = g.c(4);
            let bit = g.pool.bvand(g.x, c);
            let zero = g.c(0);
            g.pool.ne(bit, zero)
        },
        "(= ((_ extract 2 2) x) #b1)",
    );
}

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
fn arithmetic_on_promoted_bytes_is_narrowed_where_only_bytes_are_kept() {
    check(
        |g| {
            let (a, b) = (g.pool.sext(g.a, 32), g.pool.sext(g.b, 32));
            let sum = g.pool.add(a, b);
            g.pool.extract(sum, 7, 0)
        },
        "(bvadd a b)",
    );
    check(
        |g| {
            let wide = g.pool.zext(g.a, 32);
            let ten = g.c(10);
            g.pool.udiv(wide, ten)
        },
        "((_ zero_extend 24) (bvudiv a #x0a))",
    );
    check(
        |g| {
            let (a, b) = (g.pool.zext(g.a, 32), g.pool.zext(g.b, 32));
            let rest = g.pool.srem(a, b);
            g.pool.extract(rest, 7, 0)
        },
        "(bvurem a b)",
    );
    check(
        |g| {
            let (a, b) = (g.pool.sext(g.a, 32), g.pool.sext(g.b, 32));
            g.pool.mul(a, b)
        },
        "((_ sign_extend 16) (bvmul ((_ sign_extend 8) a) ((_ sign_extend 8) b)))",
    );
    check(
        |g| {
            let wide = g.pool.sext(g.a, 32);
            let ten = g.c(-10);
            g.pool.srem(wide, ten)
        },
        "((_ sign_extend 24) (bvsrem a #x0a))",
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
