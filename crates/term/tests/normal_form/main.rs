//! What single rewrites give, shown as SMT-LIB text.

mod comparisons;
mod other;
mod pieces;

use selvedge_term::{Sort, TermId, TermPool, smtlib};

/// Variables `x`, `y`, `z` of 32 bits, `a`, `b` of 8 and `p`, `q`, `r` of 1.
pub(crate) struct Given {
    pub(crate) pool: TermPool,
    pub(crate) x: TermId,
    pub(crate) y: TermId,
    pub(crate) z: TermId,
    pub(crate) a: TermId,
    pub(crate) b: TermId,
    pub(crate) p: TermId,
    pub(crate) q: TermId,
    pub(crate) r: TermId,
}

impl Given {
    pub(crate) fn new() -> Given {
        let mut pool = TermPool::new();
        let mut var = |name, width| pool.var(name, Sort::Bv(width));
        let (x, y, z) = (var("x", 32), var("y", 32), var("z", 32));
        let (a, b) = (var("a", 8), var("b", 8));
        let (p, q, r) = (var("p", 1), var("q", 1), var("r", 1));
        Given { pool, x, y, z, a, b, p, q, r }
    }

    pub(crate) fn c(&mut self, value: i64) -> TermId {
        self.pool.bv(32, value as u64)
    }

    pub(crate) fn c8(&mut self, value: i64) -> TermId {
        self.pool.bv(8, value as u64)
    }
}

#[track_caller]
pub(crate) fn check(build: impl FnOnce(&mut Given) -> TermId, expected: &str) {
    let mut given = Given::new();
    let t = build(&mut given);
    assert_eq!(smtlib::print_term(&given.pool, t), expected);
}
