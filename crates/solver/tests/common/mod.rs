//! Random terms and random walks that look like a depth-first search.

use selvedge_solver::{Answer, Query, Solver, Want};
use selvedge_term::{Assignment, FpFormat, FpOp, RoundingMode, Sort, TermId, TermPool, eval, smtlib};

/// A small deterministic generator (SplitMix64).
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}

/// What random terms may contain beyond bit-vectors.
#[derive(Clone, Copy, Default)]
pub(crate) struct Flavour {
    pub(crate) arrays: bool,
    pub(crate) floats: bool,
    pub(crate) ints: bool,
    /// Nothing but comparisons of a few short variables and constants.
    pub(crate) comparisons: bool,
}

const WIDTHS: [u32; 10] = [1, 2, 3, 5, 8, 8, 16, 17, 32, 64];

pub(crate) struct Gen {
    pub(crate) rng: Rng,
    pub(crate) flavour: Flavour,
    pub(crate) vars_per_width: u64,
}

impl Gen {
    pub(crate) fn new(seed: u64, flavour: Flavour) -> Gen {
        Gen { rng: Rng(seed), flavour, vars_per_width: 3 }
    }

    fn constant(&mut self, pool: &mut TermPool, width: u32) -> TermId {
        let value = match self.rng.below(5) {
            0 => 0,
            1 => 1,
            2 => u64::MAX,
            3 => 1 << (self.rng.below(u64::from(width)).min(63)),
            _ => self.rng.next() >> self.rng.below(64),
        };
        pool.bv(width, value)
    }

    /// A random bit-vector of `width` bits.
    pub(crate) fn bv(&mut self, pool: &mut TermPool, width: u32, depth: u32) -> TermId {
        if depth == 0 || self.rng.below(8) == 0 {
            if self.rng.below(4) == 0 {
                return self.constant(pool, width);
            }
            let name = format!("x{width}_{}", self.rng.below(self.vars_per_width));
            return pool.var(&name, Sort::Bv(width));
        }
        let depth = depth - 1;
        if width == 1 {
            return self.boolean(pool, depth);
        }
        // Wide nonlinear arithmetic is slow in every solver.
        let cheap = width > 8;
        match self.rng.below(20) {
            0..=2 => self.two(pool, width, depth, TermPool::add),
            3 => self.two(pool, width, depth, TermPool::sub),
            4 => self.two(pool, width, depth, TermPool::bvand),
            5 => self.two(pool, width, depth, TermPool::bvor),
            6 => self.two(pool, width, depth, TermPool::bvxor),
            7 => {
                let a = self.bv(pool, width, depth);
                if self.rng.below(2) == 0 { pool.bvnot(a) } else { pool.neg(a) }
            }
            8 => self.two(pool, width, depth, TermPool::shl),
            9 => self.two(pool, width, depth, TermPool::lshr),
            10 => self.two(pool, width, depth, TermPool::ashr),
            11 | 12 => {
                let c = self.boolean(pool, depth);
                let (a, b) = (self.bv(pool, width, depth), self.bv(pool, width, depth));
                pool.ite(c, a, b)
            }
            13 => {
                let low = 1 + self.rng.below(u64::from(width) - 1) as u32;
                let (a, b) = (self.bv(pool, width - low, depth), self.bv(pool, low, depth));
                pool.concat(a, b)
            }
            14 => {
                let from = width + self.rng.below(8) as u32;
                let low = self.rng.below(u64::from(from - width) + 1) as u32;
                let a = self.bv(pool, from, depth);
                pool.extract(a, low + width - 1, low)
            }
            15 => {
                let from = 1 + self.rng.below(u64::from(width)) as u32;
                let a = self.bv(pool, from, depth);
                if self.rng.below(2) == 0 { pool.zext(a, width) } else { pool.sext(a, width) }
            }
            16 => {
                let a = self.bv(pool, width, depth);
                let b = if cheap { self.constant(pool, width) } else { self.bv(pool, width, depth) };
                pool.mul(a, b)
            }
            17 => {
                let a = self.bv(pool, width, depth);
                let b = if cheap { self.constant(pool, width) } else { self.bv(pool, width, depth) };
                match self.rng.below(4) {
                    0 => pool.udiv(a, b),
                    1 => pool.urem(a, b),
                    2 => pool.sdiv(a, b),
                    _ => pool.srem(a, b),
                }
            }
            18 if self.flavour.arrays && width == 8 => {
                let array = self.array(pool, depth);
                let index = self.bv(pool, 16, depth);
                pool.select(array, index)
            }
            19 if self.flavour.floats && width == 16 => self.float(pool, depth),
            _ => self.two(pool, width, depth, TermPool::add),
        }
    }

    fn two(
        &mut self,
        pool: &mut TermPool,
        width: u32,
        depth: u32,
        op: fn(&mut TermPool, TermId, TermId) -> TermId,
    ) -> TermId {
        let (a, b) = (self.bv(pool, width, depth), self.bv(pool, width, depth));
        op(pool, a, b)
    }

    /// A random array from 16 to 8 bits.
    pub(crate) fn array(&mut self, pool: &mut TermPool, depth: u32) -> TermId {
        if depth == 0 || self.rng.below(5) == 0 {
            if self.rng.below(4) == 0 {
                let elem = self.bv(pool, 8, 0);
                return pool.const_array(16, elem);
            }
            let name = format!("m{}", self.rng.below(2));
            return pool.var(&name, Sort::Array { index: 16, elem: 8 });
        }
        let depth = depth - 1;
        let array = self.array(pool, depth);
        if self.rng.below(5) == 0 {
            let (c, other) = (self.boolean(pool, depth), self.array(pool, depth));
            return pool.ite(c, array, other);
        }
        let (index, elem) = (self.bv(pool, 16, depth), self.bv(pool, 8, depth));
        pool.store(array, index, elem)
    }

    /// A random half-precision float, as a pattern.
    fn float(&mut self, pool: &mut TermPool, depth: u32) -> TermId {
        let format = FpFormat::F16;
        let (a, b) = (self.bv(pool, 16, depth.min(1)), self.bv(pool, 16, depth.min(1)));
        match self.rng.below(9) {
            0 => pool.fp(FpOp::Add(format), &[a, b]),
            1 => pool.fp(FpOp::Sub(format), &[a, b]),
            2 => pool.fp(FpOp::Mul(format), &[a, b]),
            3 => pool.fp(FpOp::Div(format), &[a, b]),
            4 => pool.fp(FpOp::RoundToIntegral(format, RoundingMode::Up), &[a]),
            5 => pool.fp(FpOp::FromSInt { to: format }, &[a]),
            6 => pool.fp(FpOp::FromUInt { to: format }, &[a]),
            7 => pool.fp(FpOp::ToSInt { from: format, width: 16 }, &[a]),
            _ => pool.fp(FpOp::ToUInt { from: format, width: 16 }, &[a]),
        }
    }

    fn int(&mut self, pool: &mut TermPool, depth: u32) -> TermId {
        if depth == 0 || self.rng.below(4) == 0 {
            if self.rng.below(3) == 0 {
                let value = self.rng.below(21) as i64 - 10;
                return pool.int(value.into());
            }
            let name = format!("i{}", self.rng.below(3));
            return pool.var(&name, Sort::Int);
        }
        let depth = depth - 1;
        let a = self.int(pool, depth);
        match self.rng.below(5) {
            0 | 1 => {
                let b = self.int(pool, depth);
                pool.iadd(a, b)
            }
            2 => {
                let b = self.int(pool, depth);
                pool.isub(a, b)
            }
            3 => {
                let k = pool.int((self.rng.below(7) as i64 - 3).into());
                pool.imul(a, k)
            }
            _ => {
                let k = pool.int((self.rng.below(7) as i64 - 3).into());
                if self.rng.below(2) == 0 { pool.idiv(a, k) } else { pool.imod(a, k) }
            }
        }
    }

    fn comparison(&mut self, pool: &mut TermPool) -> TermId {
        let operand = |rng: &mut Rng, pool: &mut TermPool| match rng.below(8) {
            0 => pool.bv(4, rng.next()),
            n => pool.var(&format!("c{}", n % 5), Sort::Bv(4)),
        };
        let (a, b) = (operand(&mut self.rng, pool), operand(&mut self.rng, pool));
        match self.rng.below(8) {
            0 => pool.eq(a, b),
            1 => pool.ne(a, b),
            2 | 3 => pool.ult(a, b),
            4 => pool.ule(a, b),
            5 | 6 => pool.slt(a, b),
            _ => {
                let (below, other) = (pool.sle(a, b), self.comparison(pool));
                pool.and(below, other)
            }
        }
    }

    /// A random term of width 1.
    pub(crate) fn boolean(&mut self, pool: &mut TermPool, depth: u32) -> TermId {
        if self.flavour.comparisons {
            return self.comparison(pool);
        }
        if depth == 0 {
            let name = format!("b{}", self.rng.below(self.vars_per_width));
            return pool.var(&name, Sort::BOOL);
        }
        let depth = depth - 1;
        match self.rng.below(16) {
            0 => {
                let a = self.boolean(pool, depth);
                pool.not(a)
            }
            1 => {
                let (a, b) = (self.boolean(pool, depth), self.boolean(pool, depth));
                pool.and(a, b)
            }
            2 => {
                let (a, b) = (self.boolean(pool, depth), self.boolean(pool, depth));
                pool.or(a, b)
            }
            3 => {
                let (a, b) = (self.boolean(pool, depth), self.boolean(pool, depth));
                pool.xor(a, b)
            }
            4 if self.flavour.floats => {
                let (a, b) = (self.bv(pool, 16, depth), self.bv(pool, 16, depth));
                let op = self.rng.pick(&[
                    FpOp::Lt(FpFormat::F16),
                    FpOp::Le(FpFormat::F16),
                    FpOp::Eq(FpFormat::F16),
                ]);
                pool.fp(op, &[a, b])
            }
            4 if self.flavour.ints => {
                let (a, b) = (self.int(pool, depth.min(3)), self.int(pool, depth.min(3)));
                if self.rng.below(4) == 0 { pool.eq(a, b) } else { pool.ile(a, b) }
            }
            4 if self.flavour.arrays && self.rng.below(3) == 0 => {
                let (a, b) = (self.array(pool, depth.min(2)), self.array(pool, depth.min(2)));
                pool.eq(a, b)
            }
            n => {
                let width = self.rng.pick(&WIDTHS);
                let a = self.bv(pool, width, depth);
                // Comparisons with constants are what programs are full of.
                let b = if self.rng.below(2) == 0 {
                    self.constant(pool, width)
                } else {
                    self.bv(pool, width, depth)
                };
                match n % 6 {
                    0 => pool.eq(a, b),
                    1 => pool.ult(a, b),
                    2 => pool.ule(a, b),
                    3 => pool.slt(a, b),
                    4 => pool.sle(a, b),
                    _ => pool.ne(a, b),
                }
            }
        }
    }
}

/// Checks what `answer` claims beyond its verdict. `path_model` is a model of the path.
#[track_caller]
pub(crate) fn check_evidence(
    oracle: &mut dyn Solver,
    pool: &mut TermPool,
    query: &Query<'_>,
    answer: &Answer,
    path_model: &Assignment,
) {
    match answer {
        Answer::Sat(Some(model)) => {
            let mut whole = path_model.clone();
            whole.merge(model);
            for conjunct in query.conjuncts() {
                let text = smtlib::print_term(pool, conjunct);
                assert_eq!(eval(pool, conjunct, &whole).as_bool(), Some(true), "{text} under {whole:?}");
            }
        }
        Answer::Sat(None) => assert_ne!(query.want, Want::Model, "a wanted model is missing"),
        Answer::Unsat(core) => {
            for member in core {
                assert!(query.conjuncts().any(|c| c == *member), "{member} is not of the query");
            }
            let again = oracle.check(pool, &Query { path: &[], goal: core, want: Want::Verdict });
            assert!(!again.is_sat(), "the core {core:?} is satisfiable");
        }
        Answer::Unknown(_) => {}
    }
}

/// One query of a walk, with what is known about it.
pub(crate) struct Asked {
    pub(crate) path: Vec<TermId>,
    pub(crate) goal: [TermId; 1],
    pub(crate) want: Want,
    /// What the oracle said.
    pub(crate) expected: Answer,
    /// A model of the path.
    pub(crate) path_model: Assignment,
}

impl Asked {
    pub(crate) fn query(&self) -> Query<'_> {
        Query { path: &self.path, goal: &self.goal, want: self.want }
    }
}

/// Walks as a depth-first search would: asks `oracle` about both sides of random branches,
/// follows a feasible one, and backtracks now and then.
pub(crate) fn walk(
    pool: &mut TermPool,
    seed: u64,
    flavour: Flavour,
    depth: u32,
    steps: usize,
    oracle: &mut dyn Solver,
) -> Vec<Asked> {
    let mut generator = Gen::new(seed, flavour);
    let mut asked = Vec::new();
    let mut path: Vec<TermId> = Vec::new();
    // The model of each prefix.
    let mut models = vec![Assignment::new()];
    for _ in 0..steps {
        if generator.rng.below(6) == 0 {
            let keep = generator.rng.below(path.len() as u64 + 1) as usize;
            path.truncate(keep);
            models.truncate(keep + 1);
        }
        let condition = generator.boolean(pool, depth);
        let negated = pool.not(condition);
        let mut feasible = Vec::new();
        for side in [condition, negated] {
            let goal = [side];
            let want = generator.rng.pick(&[Want::Verdict, Want::Model, Want::Core]);
            let path_model = models.last().expect("the empty path has a model").clone();
            let query = Query { path: &path, goal: &goal, want: Want::Model };
            let expected = oracle.check(pool, &query);
            check_evidence(oracle, pool, &query, &expected, &Assignment::new());
            if let Answer::Sat(Some(model)) = &expected {
                feasible.push((side, (**model).clone()));
            }
            asked.push(Asked { path: path.clone(), goal, want, expected, path_model });
        }
        if !feasible.is_empty() {
            let (side, model) = feasible.swap_remove(generator.rng.below(feasible.len() as u64) as usize);
            path.push(side);
            models.push(model);
        }
    }
    asked
}
