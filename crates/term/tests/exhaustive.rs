//! Every expression of two operators over two variables and all constants of three bits,
//! under every assignment. Random tests rarely meet the one constant that breaks a rule.

use selvedge_term::{Assignment, Evaluator, Sort, TermId, TermPool, VarId, smtlib};

const WIDTH: u32 = 3;
const ALL: u64 = (1 << WIDTH) - 1;

type Build = fn(&mut TermPool, TermId, TermId) -> TermId;
type Meaning = fn(u64, u64) -> u64;

fn signed(v: u64) -> i64 {
    if v > ALL / 2 { v as i64 - (ALL as i64 + 1) } else { v as i64 }
}

fn unsigned(v: i64) -> u64 {
    v.rem_euclid(ALL as i64 + 1) as u64
}

/// Operators whose result has three bits.
const WORDS: &[(&str, Build, Meaning)] = &[
    ("add", TermPool::add, |a, b| (a + b) & ALL),
    ("sub", TermPool::sub, |a, b| a.wrapping_sub(b) & ALL),
    ("mul", TermPool::mul, |a, b| (a * b) & ALL),
    ("udiv", TermPool::udiv, |a, b| a.checked_div(b).unwrap_or(ALL)),
    ("urem", TermPool::urem, |a, b| a.checked_rem(b).unwrap_or(a)),
    ("sdiv", TermPool::sdiv, |a, b| {
        let otherwise = if signed(a) < 0 { 1 } else { -1 };
        unsigned(signed(a).checked_div(signed(b)).unwrap_or(otherwise))
    }),
    ("srem", TermPool::srem, |a, b| unsigned(signed(a).checked_rem(signed(b)).unwrap_or(signed(a)))),
    ("and", TermPool::bvand, |a, b| a & b),
    ("or", TermPool::bvor, |a, b| a | b),
    ("xor", TermPool::bvxor, |a, b| a ^ b),
    ("shl", TermPool::shl, |a, b| (a << b) & ALL),
    ("lshr", TermPool::lshr, |a, b| a >> b),
    ("ashr", TermPool::ashr, |a, b| unsigned(signed(a) >> b)),
    ("not", |p, a, _| p.bvnot(a), |a, _| !a & ALL),
    ("neg", |p, a, _| p.neg(a), |a, _| a.wrapping_neg() & ALL),
    (
        "low bit",
        |p, a, _| {
            let t = p.extract(a, 0, 0);
            p.zext(t, WIDTH)
        },
        |a, _| a & 1,
    ),
    (
        "high bits",
        |p, a, _| {
            let t = p.extract(a, 2, 1);
            p.sext(t, WIDTH)
        },
        |a, _| unsigned(signed(a) >> 1),
    ),
    (
        "rotate",
        |p, a, _| {
            let (high, low) = (p.extract(a, 2, 2), p.extract(a, 1, 0));
            p.concat(low, high)
        },
        |a, _| (a << 1 | a >> 2) & ALL,
    ),
    (
        "min",
        |p, a, b| {
            let less = p.ult(a, b);
            p.ite(less, a, b)
        },
        |a, b| a.min(b),
    ),
    (
        "clear if odd",
        |p, a, b| {
            let odd = p.extract(b, 0, 0);
            let zero = p.bv(WIDTH, 0);
            p.ite(odd, zero, a)
        },
        |a, b| if b & 1 == 1 { 0 } else { a },
    ),
    (
        "five or two",
        |p, a, b| {
            let less = p.slt(a, b);
            let (five, two) = (p.bv(WIDTH, 5), p.bv(WIDTH, 2));
            p.ite(less, five, two)
        },
        |a, b| if signed(a) < signed(b) { 5 } else { 2 },
    ),
];

/// Operators whose result has one bit.
const TRUTHS: &[(&str, Build, Meaning)] = &[
    ("eq", TermPool::eq, |a, b| u64::from(a == b)),
    ("ult", TermPool::ult, |a, b| u64::from(a < b)),
    ("ule", TermPool::ule, |a, b| u64::from(a <= b)),
    ("slt", TermPool::slt, |a, b| u64::from(signed(a) < signed(b))),
    ("sle", TermPool::sle, |a, b| u64::from(signed(a) <= signed(b))),
    (
        "wide ult",
        |p, a, b| {
            let (a, b) = (p.zext(a, 8), p.sext(b, 8));
            p.ult(a, b)
        },
        |a, b| u64::from((a as i64 as u64) < signed(b) as u64),
    ),
    (
        "wide sum",
        |p, a, b| {
            let (a, b) = (p.sext(a, 8), p.sext(b, 8));
            let sum = p.add(a, b);
            let c = p.bv(8, 3);
            p.slt(sum, c)
        },
        |a, b| u64::from(signed(a) + signed(b) < 3),
    ),
];

#[test]
fn all_pairs_of_operators_on_three_bits_mean_what_they_say() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.var("x", Sort::Bv(WIDTH)), pool.var("y", Sort::Bv(WIDTH)));
    // Leaves as terms and as functions of the assignment `x + 8*y`.
    let mut leaves: Vec<(TermId, [u64; 64])> =
        vec![(x, std::array::from_fn(|n| n as u64 & ALL)), (y, std::array::from_fn(|n| n as u64 >> WIDTH))];
    for c in 0..=ALL {
        leaves.push((pool.bv(WIDTH, c), [c; 64]));
    }
    let models: Vec<Assignment> = (0..64u64)
        .map(|n| {
            let mut model = Assignment::new();
            model.set_u64(VarId(0), WIDTH, n & ALL);
            model.set_u64(VarId(1), WIDTH, n >> WIDTH);
            model
        })
        .collect();
    let mut built: Vec<(TermId, [u8; 64], [&str; 2])> = Vec::new();
    for &(first, build, meaning) in WORDS {
        for (a, values) in &leaves {
            for (b, others) in &leaves {
                let inner = build(&mut pool, *a, *b);
                let inner_values: [u64; 64] = std::array::from_fn(|n| meaning(values[n], others[n]));
                for &(second, build, meaning) in WORDS.iter().chain(TRUTHS) {
                    for (c, last) in &leaves {
                        let left = build(&mut pool, inner, *c);
                        let left_values = std::array::from_fn(|n| meaning(inner_values[n], last[n]) as u8);
                        let right = build(&mut pool, *c, inner);
                        let right_values = std::array::from_fn(|n| meaning(last[n], inner_values[n]) as u8);
                        built.push((left, left_values, [second, first]));
                        built.push((right, right_values, [second, first]));
                    }
                }
            }
        }
    }
    assert!(built.len() > 1_000_000);
    for (n, model) in models.iter().enumerate() {
        let mut evaluator = Evaluator::new(model);
        for (t, values, operators) in &built {
            let value = evaluator.eval_u64(&pool, *t);
            let expected = u64::from(values[n]);
            assert_eq!(value, expected, "{operators:?}: {} under {n:o}", smtlib::print_term(&pool, *t));
        }
    }
}
