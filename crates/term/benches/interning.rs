//! How long the pool takes per operation, on loops that resemble symbolic execution.
//!
//! Prints nanoseconds per operation: `cargo bench -p selvedge-term`. The best of several
//! rounds is shown, which other work on the machine disturbs least.

#![expect(clippy::print_stdout, reason = "a benchmark reports on standard output")]

use std::hint::black_box;
use std::time::Instant;

use selvedge_term::{Assignment, Evaluator, Sort, Substitution, TermId, TermPool};

const ROUNDS: u32 = 40;

/// Times `run`, which performs `operations` operations on what `prepare` returns.
fn measure<T>(name: &str, operations: u32, mut prepare: impl FnMut() -> T, mut run: impl FnMut(&mut T)) {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let mut subject = prepare();
        let start = Instant::now();
        run(&mut subject);
        best = best.min(start.elapsed().as_secs_f64());
        black_box(&mut subject);
    }
    println!("{name:<42} {:>8.1} ns", best * 1e9 / f64::from(operations));
}

fn pool_with_vars(n: u32) -> (TermPool, Vec<TermId>) {
    let mut pool = TermPool::new();
    let vars = (0..n).map(|i| pool.var(&format!("x{i}"), Sort::Bv(32))).collect();
    (pool, vars)
}

const N: u32 = 20_000;

fn with_vars() -> (TermPool, Vec<TermId>) {
    pool_with_vars(512)
}

fn main() {
    sums();
    comparisons();
    pieces();
    passes();
}

/// Constants and arithmetic.
fn sums() {
    measure("constant, present", N, with_vars, |(pool, _)| {
        for i in 0..N {
            black_box(pool.bv(32, u64::from(i & 255)));
        }
    });
    measure("constant, new", N, with_vars, |(pool, _)| {
        for i in 0..N {
            black_box(pool.bv(32, u64::from(i)));
        }
    });
    measure("add of variables, new", N, with_vars, |(pool, vars)| {
        for i in 0..N as usize {
            black_box(pool.add(vars[i % 512], vars[(i / 512 + i) % 512]));
        }
    });
    measure("add of variables, present", N, with_vars, |(pool, vars)| {
        for i in 0..N as usize {
            black_box(pool.add(vars[i % 64], vars[(i / 64) % 64]));
        }
    });
    measure("x + constant, both new", 2 * N, with_vars, |(pool, vars)| {
        for i in 0..N {
            let c = pool.bv(32, u64::from(i) + 7);
            black_box(pool.add(vars[i as usize % 512], c));
        }
    });
    measure("deep chain of xor and mul", 2 * N, with_vars, |(pool, vars)| {
        let mut sum = vars[0];
        for i in 0..N as usize {
            sum = pool.bvxor(sum, vars[i % 512]);
            sum = pool.mul(sum, vars[(i * 7) % 512]);
        }
        black_box(sum);
    });
}

fn comparisons() {
    measure("x < y, new", N, with_vars, |(pool, vars)| {
        for i in 0..N as usize {
            black_box(pool.ult(vars[i % 512], vars[(i / 512 + i) % 512]));
        }
    });
    measure("x = constant, both new", 2 * N, with_vars, |(pool, vars)| {
        for i in 0..N {
            let c = pool.bv(32, u64::from(i));
            black_box(pool.eq(vars[i as usize % 512], c));
        }
    });
    measure("comparison and conjunction, new", 2 * N, with_vars, |(pool, vars)| {
        let mut last = pool.tt();
        for i in 0..N as usize {
            let next = pool.ult(vars[i % 512], vars[(i / 512 + i + 1) % 512]);
            black_box(pool.and(last, next));
            last = next;
        }
    });
}

/// Terms that are taken apart and put together again.
fn pieces() {
    measure("four bytes cut and joined, per byte", N / 2, with_vars, |(pool, vars)| {
        for i in 0..N as usize / 8 {
            let x = vars[i % 512];
            let mut word = pool.extract(x, 7, 0);
            for byte in 1..4 {
                let piece = pool.extract(x, byte * 8 + 7, byte * 8);
                word = pool.concat(piece, word);
            }
            assert_eq!(word, x);
        }
    });
    measure("xorshift step on a deep term", N, with_vars, |(pool, vars)| {
        let mut t = vars[0];
        let (a, b) = (pool.bv(32, 13), pool.bv(32, 17));
        for _ in 0..N as usize / 4 {
            let shifted = pool.shl(t, a);
            t = pool.bvxor(t, shifted);
            let shifted = pool.lshr(t, b);
            t = pool.bvxor(t, shifted);
        }
        black_box(t);
    });
}

/// Passes over a deep term.
fn passes() {
    let deep = || {
        let (mut pool, vars) = pool_with_vars(512);
        let mut t = vars[0];
        for i in 0..N as usize / 2 {
            t = pool.bvxor(t, vars[i % 512]);
            t = pool.mul(t, vars[(i * 7) % 512]);
        }
        (pool, vars, t)
    };
    measure("evaluation per node", N, deep, |(pool, _, t)| {
        black_box(Evaluator::new(&Assignment::new()).eval_u64(pool, *t));
    });
    measure("substitution per node", N, deep, |(pool, vars, t)| {
        let mut substitution = Substitution::new();
        let v = pool.var_id(vars[0]).expect("a variable");
        substitution.insert(v, vars[1]);
        black_box(substitution.apply(pool, *t));
    });
    measure("support per node", N, deep, |(pool, _, t)| {
        black_box(pool.vars(*t));
    });
}
