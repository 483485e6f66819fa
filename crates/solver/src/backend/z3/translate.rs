//! Terms to Z3 terms, each once.
//!
//! Terms of width 1 become Z3 Booleans, all other bit-vectors become bit-vectors; where an
//! operator needs a bit-vector of width 1, the Boolean goes through `ite`, and back through
//! `(= _ #b1)`. The walk keeps its own stack, so that depth costs memory only.

use selvedge_base::Id;
use selvedge_term::{Node, Sort, TermId, TermPool};

use super::ffi::{Ast, Context, Op1, Op2, Op3, OpN, Z3Error, ZSort};
use super::float;

/// What a term needs beyond bit-vectors. Joined over a query, it chooses the Z3 solver.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Needs(u8);

impl Needs {
    pub(super) const ARRAYS: Needs = Needs(1);
    pub(super) const INTS: Needs = Needs(2);
    pub(super) const FLOATS: Needs = Needs(4);
    /// Bit-vectors of more than one bit.
    pub(super) const BITS: Needs = Needs(8);
    /// Products of two unknown integers.
    pub(super) const NONLINEAR: Needs = Needs(16);

    pub(super) fn has(self, other: Needs) -> bool {
        self.0 & other.0 != 0
    }

    #[must_use]
    pub(super) fn join(self, other: Needs) -> Needs {
        Needs(self.0 | other.0)
    }

    /// Whether it is linear integer arithmetic and nothing else.
    pub(super) fn is_linear(self) -> bool {
        self == Needs::INTS
    }

    fn of_sort(sort: Sort) -> Needs {
        match sort {
            Sort::Bv(1) => Needs(0),
            Sort::Bv(_) => Needs::BITS,
            Sort::Array { .. } => Needs::ARRAYS,
            Sort::Int => Needs::INTS,
        }
    }
}

/// A translation failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// Z3 reported an error.
    Z3(Z3Error),
    /// We do not translate this.
    Unsupported(String),
}

impl From<Z3Error> for Failure {
    fn from(error: Z3Error) -> Self {
        Failure::Z3(error)
    }
}

/// The memo of one context.
#[derive(Default)]
pub(super) struct Translation {
    /// By term: its Z3 term and what that needs.
    memo: Vec<Option<(Ast, Needs)>>,
    stack: Vec<TermId>,
    depth: Vec<u32>,
}

/// Terms nested deeper than this are not handed to Z3: its rewriting gets slower than linearly
/// and does not look at the interrupt flag. Measured with chains of products and `ite`s: of
/// 10,000 levels a check stops when its 5 s are up; of 20,000 it runs on for more than a minute.
const MAX_DEPTH: u32 = 10_000;

impl Translation {
    /// The Z3 term for `term`, and what the whole of it needs.
    pub(super) fn term(
        &mut self,
        ctx: &mut Context,
        pool: &TermPool,
        term: TermId,
    ) -> Result<(Ast, Needs), Failure> {
        if let Some(&Some(known)) = self.memo.get(term.index()) {
            return Ok(known);
        }
        if self.memo.len() < pool.len() {
            self.memo.resize(pool.len(), None);
            self.depth.resize(pool.len(), 0);
        }
        self.stack.clear();
        self.stack.push(term);
        while let Some(&next) = self.stack.last() {
            if self.memo[next.index()].is_some() {
                self.stack.pop();
                continue;
            }
            let mut needs = Needs::of_sort(pool.sort(next));
            let mut ready = true;
            let mut depth = 0;
            for operand in pool.operands(next) {
                match self.memo[operand.index()] {
                    Some((_, of_operand)) => {
                        needs = needs.join(of_operand);
                        depth = depth.max(self.depth[operand.index()]);
                    }
                    None => {
                        ready = false;
                        self.stack.push(operand);
                    }
                }
            }
            if !ready {
                continue;
            }
            if depth >= MAX_DEPTH {
                return Err(Failure::Unsupported(format!("terms nested deeper than {MAX_DEPTH} levels")));
            }
            let (ast, more) = self.node(ctx, pool, next)?;
            self.memo[next.index()] = Some((ast, needs.join(more)));
            self.depth[next.index()] = depth + 1;
            self.stack.pop();
        }
        Ok(self.memo[term.index()].expect("the walk ends with its root translated"))
    }

    fn done(&self, term: TermId) -> Ast {
        self.memo[term.index()].expect("operands come first").0
    }

    /// The operand as a bit-vector, also at width 1.
    fn bits(&self, ctx: &mut Context, pool: &TermPool, term: TermId) -> Result<Ast, Z3Error> {
        let ast = self.done(term);
        if pool.sort(term) != Sort::BOOL {
            return Ok(ast);
        }
        let one = ctx.small(1, ZSort::Bv(1))?;
        let zero = ctx.small(0, ZSort::Bv(1))?;
        ctx.op3(Op3::Ite, ast, one, zero)
    }

    /// The form in which terms of `width` are kept: at width 1, a Boolean.
    fn kept(ctx: &mut Context, bits: Ast, width: u32) -> Result<Ast, Z3Error> {
        if width != 1 {
            return Ok(bits);
        }
        let one = ctx.small(1, ZSort::Bv(1))?;
        ctx.op2(Op2::Eq, bits, one)
    }

    fn bv2(
        &self,
        ctx: &mut Context,
        pool: &TermPool,
        term: TermId,
        op: Op2,
        (a, b): (TermId, TermId),
    ) -> Result<Ast, Z3Error> {
        let a = self.bits(ctx, pool, a)?;
        let b = self.bits(ctx, pool, b)?;
        let made = ctx.op2(op, a, b)?;
        Self::kept(ctx, made, pool.width(term))
    }

    fn compare(
        &self,
        ctx: &mut Context,
        pool: &TermPool,
        op: Op2,
        a: TermId,
        b: TermId,
    ) -> Result<Ast, Z3Error> {
        let a = self.bits(ctx, pool, a)?;
        let b = self.bits(ctx, pool, b)?;
        ctx.op2(op, a, b)
    }

    fn node(&self, ctx: &mut Context, pool: &TermPool, term: TermId) -> Result<(Ast, Needs), Failure> {
        let plain = match *pool.node(term) {
            Node::Var(var) => ctx.symbol(var.0, sort_of(pool.sort(term)))?,
            Node::Const { width: 1, value } => ctx.bool(value != 0)?,
            Node::Const { width, value } => ctx.small(value, ZSort::Bv(width))?,
            Node::Wide { width, value } => ctx.decimal(&pool.wide(value).to_string(), ZSort::Bv(width))?,
            Node::IntConst(id) => ctx.decimal(&pool.int_value(id).to_string(), ZSort::Int)?,

            Node::Not(a) if pool.width(term) == 1 => ctx.op1(Op1::Not, self.done(a))?,
            Node::Not(a) => ctx.op1(Op1::BvNot, self.done(a))?,
            Node::And(list) => {
                let args: Vec<Ast> = pool.list(list).iter().map(|&a| self.done(a)).collect();
                ctx.op_n(OpN::And, &args)?
            }
            Node::BvAnd(a, b) => self.bv2(ctx, pool, term, Op2::BvAnd, (a, b))?,
            Node::BvOr(a, b) => self.bv2(ctx, pool, term, Op2::BvOr, (a, b))?,
            Node::BvXor(a, b) => self.bv2(ctx, pool, term, Op2::BvXor, (a, b))?,

            Node::Neg(a) => {
                let a = self.bits(ctx, pool, a)?;
                let made = ctx.op1(Op1::BvNeg, a)?;
                Self::kept(ctx, made, pool.width(term))?
            }
            Node::Add(a, b) => self.bv2(ctx, pool, term, Op2::BvAdd, (a, b))?,
            Node::Mul(a, b) => self.bv2(ctx, pool, term, Op2::BvMul, (a, b))?,
            Node::Udiv(a, b) => self.bv2(ctx, pool, term, Op2::BvUdiv, (a, b))?,
            Node::Urem(a, b) => self.bv2(ctx, pool, term, Op2::BvUrem, (a, b))?,
            Node::Sdiv(a, b) => self.bv2(ctx, pool, term, Op2::BvSdiv, (a, b))?,
            Node::Srem(a, b) => self.bv2(ctx, pool, term, Op2::BvSrem, (a, b))?,
            Node::Shl(a, b) => self.bv2(ctx, pool, term, Op2::BvShl, (a, b))?,
            Node::Lshr(a, b) => self.bv2(ctx, pool, term, Op2::BvLshr, (a, b))?,
            Node::Ashr(a, b) => self.bv2(ctx, pool, term, Op2::BvAshr, (a, b))?,

            Node::Concat(a, b) => self.bv2(ctx, pool, term, Op2::Concat, (a, b))?,
            Node::Extract { term: of, high, low } => {
                let of = self.bits(ctx, pool, of)?;
                let made = ctx.extract(high, low, of)?;
                Self::kept(ctx, made, pool.width(term))?
            }
            Node::Zext(a) => {
                let more = pool.width(term) - pool.width(a);
                let a = self.bits(ctx, pool, a)?;
                ctx.extend(false, more, a)?
            }
            Node::Sext(a) => {
                let more = pool.width(term) - pool.width(a);
                let a = self.bits(ctx, pool, a)?;
                ctx.extend(true, more, a)?
            }

            Node::Eq(a, b) => ctx.op2(Op2::Eq, self.done(a), self.done(b))?,
            Node::Ult(a, b) => self.compare(ctx, pool, Op2::BvUlt, a, b)?,
            Node::Slt(a, b) => self.compare(ctx, pool, Op2::BvSlt, a, b)?,
            Node::Ite(c, a, b) => ctx.op3(Op3::Ite, self.done(c), self.done(a), self.done(b))?,

            Node::ConstArray(elem) => {
                let Sort::Array { index, .. } = pool.sort(term) else {
                    return Err(Failure::Unsupported("a constant array that is no array".to_owned()));
                };
                let elem = self.bits(ctx, pool, elem)?;
                ctx.const_array(index, elem)?
            }
            Node::Select(array, index) => {
                let index = self.bits(ctx, pool, index)?;
                let made = ctx.op2(Op2::Select, self.done(array), index)?;
                Self::kept(ctx, made, pool.width(term))?
            }
            Node::Store(array, index, elem) => {
                let index = self.bits(ctx, pool, index)?;
                let elem = self.bits(ctx, pool, elem)?;
                ctx.op3(Op3::Store, self.done(array), index, elem)?
            }

            Node::IAdd(a, b) => ctx.op_n(OpN::IntAdd, &[self.done(a), self.done(b)])?,
            Node::IMul(a, b) => {
                let product = ctx.op_n(OpN::IntMul, &[self.done(a), self.done(b)])?;
                let linear = pool.is_const(a) || pool.is_const(b);
                return Ok((product, if linear { Needs::default() } else { Needs::NONLINEAR }));
            }
            Node::IDiv(a, b) | Node::IMod(a, b) => {
                let is_quotient = matches!(*pool.node(term), Node::IDiv(..));
                let op = if is_quotient { Op2::IntDiv } else { Op2::IntMod };
                let made = self.int_division(ctx, op, a, b)?;
                return Ok((made, if pool.is_const(b) { Needs::default() } else { Needs::NONLINEAR }));
            }
            Node::ILe(a, b) => ctx.op2(Op2::IntLe, self.done(a), self.done(b))?,

            Node::Fp(op, list) => {
                let mut args = Vec::with_capacity(3);
                for &arg in pool.list(list) {
                    args.push((self.bits(ctx, pool, arg)?, pool.width(arg)));
                }
                return Ok((float::operation(ctx, op, &args)?, Needs::FLOATS));
            }
        };
        Ok((plain, Needs::default()))
    }

    /// Z3 leaves division by 0 open; ours is 0, and the remainder is the dividend.
    fn int_division(&self, ctx: &mut Context, op: Op2, a: TermId, b: TermId) -> Result<Ast, Z3Error> {
        let (a, b) = (self.done(a), self.done(b));
        let zero = ctx.small(0, ZSort::Int)?;
        let by_zero = ctx.op2(Op2::Eq, b, zero)?;
        let divided = ctx.op2(op, a, b)?;
        ctx.op3(Op3::Ite, by_zero, if op == Op2::IntDiv { zero } else { a }, divided)
    }
}

fn sort_of(sort: Sort) -> ZSort {
    match sort {
        Sort::Bv(1) => ZSort::Bool,
        Sort::Bv(width) => ZSort::Bv(width),
        Sort::Array { index, elem } => ZSort::Array(index, elem),
        Sort::Int => ZSort::Int,
    }
}
