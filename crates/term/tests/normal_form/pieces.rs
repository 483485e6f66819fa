//! What cutting and joining bit-vectors gives, shown as SMT-LIB text.

use crate::{Given, check};
use selvedge_term::{TermId, smtlib};

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
