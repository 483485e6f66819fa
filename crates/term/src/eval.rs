//! The value of a term under an assignment.
//!
//! Iterative, so depth is no concern, and lazy: only the branch of an `ite` that is
//! taken and only the stores a `select` meets are evaluated. Values of at most 64 bits
//! never leave `u64`.

use std::borrow::Borrow;
use std::rc::Rc;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::assignment::Assignment;
use crate::float::FpOp;
use crate::model::{ArrayValue, Constant};
use crate::node::{Node, TermId, VarId};
use crate::pool::TermPool;
use crate::sort::Sort;
use crate::value::{self, BinOp, BvValue};
use crate::{host_float, soft_float};

/// The value of `t`; variables the model does not mention are 0.
pub fn eval(pool: &TermPool, t: TermId, model: &Assignment) -> Constant {
    Evaluator::new(model).eval(pool, t)
}

/// The value of a floating-point operation on patterns of `arg_width` bits.
pub(crate) fn eval_fp(op: FpOp, args: &[BvValue], arg_width: u32) -> BvValue {
    let small: Option<SmallVec<[u64; 3]>> = args.iter().map(BvValue::to_u64).collect();
    if let Some(small) = small
        && arg_width <= 64
        && let Some(result) = host_float::apply(op, &small, arg_width)
    {
        return result.into();
    }
    soft_float::apply(op, args, arg_width)
}

/// A computed value; bit-vectors below 2^64 without a box.
#[derive(Clone, Debug)]
enum Value {
    Small(u64),
    Other(Rc<Constant>),
}

impl Value {
    fn bv(width: u32, value: BvValue) -> Value {
        match value {
            BvValue::Small(small) => Value::Small(small),
            BvValue::Big(_) => Value::Other(Rc::new(Constant::Bv { width, value })),
        }
    }

    fn of(constant: &Constant) -> Value {
        match constant.as_u64() {
            Some(small) => Value::Small(small),
            None => Value::Other(Rc::new(constant.clone())),
        }
    }

    fn to_bv(&self) -> BvValue {
        match self {
            Value::Small(small) => BvValue::Small(*small),
            Value::Other(constant) => match &**constant {
                Constant::Bv { value, .. } => value.clone(),
                other => unreachable!("a bit-vector was expected, not {other:?}"),
            },
        }
    }

    fn int(&self) -> &BigInt {
        match self {
            Value::Other(constant) => match &**constant {
                Constant::Int(value) => value,
                other => unreachable!("an integer was expected, not {other:?}"),
            },
            Value::Small(_) => unreachable!("an integer was expected"),
        }
    }

    fn array(&self) -> &ArrayValue {
        match self {
            Value::Other(constant) => match &**constant {
                Constant::Array(value) => value,
                other => unreachable!("an array was expected, not {other:?}"),
            },
            Value::Small(_) => unreachable!("an array was expected"),
        }
    }
}

/// Evaluates many terms under one assignment and remembers all subterms' values.
///
/// `M` is how the assignment is held: by reference, by value or by `Rc`.
#[derive(Debug)]
pub struct Evaluator<M> {
    model: M,
    memo: FxHashMap<TermId, Value>,
    stack: Vec<TermId>,
}

/// Operands still without a value; the node is tried again once they have one.
struct Missing;

type Step = Result<Value, Missing>;

impl Evaluator<Assignment> {
    /// Gives a value to a variable that no term evaluated so far has.
    pub fn assign(&mut self, var: VarId, value: Constant) {
        self.model.set(var, value);
    }
}

impl<M: Borrow<Assignment>> Evaluator<M> {
    /// An evaluator for this assignment.
    pub fn new(model: M) -> Self {
        Evaluator { model, memo: FxHashMap::default(), stack: Vec::new() }
    }

    /// The value of a bit-vector of at most 64 bits.
    ///
    /// # Panics
    /// If the term is of another sort or wider.
    pub fn eval_u64(&mut self, pool: &TermPool, t: TermId) -> u64 {
        match self.run(pool, t) {
            Value::Small(value) => value,
            Value::Other(other) => panic!("{t} does not fit 64 bits: {other:?}"),
        }
    }

    /// The value of a term of width 1.
    pub fn eval_bool(&mut self, pool: &TermPool, t: TermId) -> bool {
        debug_assert_eq!(pool.width(t), 1);
        self.eval_u64(pool, t) == 1
    }

    /// The value of any term.
    pub fn eval(&mut self, pool: &TermPool, t: TermId) -> Constant {
        match self.run(pool, t) {
            Value::Small(value) => Constant::Bv { width: pool.width(t), value: value.into() },
            Value::Other(constant) => (*constant).clone(),
        }
    }

    fn run(&mut self, pool: &TermPool, root: TermId) -> Value {
        self.stack.clear();
        self.stack.push(root);
        while let Some(&t) = self.stack.last() {
            if self.memo.contains_key(&t) {
                self.stack.pop();
                continue;
            }
            if let Ok(value) = self.step(pool, t) {
                self.memo.insert(t, value);
                self.stack.pop();
            }
        }
        self.memo[&root].clone()
    }

    /// The value of an operand, or a request to compute it first.
    fn want(&mut self, pool: &TermPool, t: TermId) -> Step {
        match *pool.node(t) {
            Node::Const { value, .. } => return Ok(Value::Small(value)),
            Node::Var(_) => return self.step(pool, t),
            _ => {}
        }
        match self.memo.get(&t) {
            Some(value) => Ok(value.clone()),
            None => {
                self.stack.push(t);
                Err(Missing)
            }
        }
    }

    /// Both operands; requests both at once if neither is there.
    fn both(&mut self, pool: &TermPool, a: TermId, b: TermId) -> Result<(Value, Value), Missing> {
        let (a, b) = (self.want(pool, a), self.want(pool, b));
        Ok((a?, b?))
    }

    fn bin(&mut self, pool: &TermPool, op: BinOp, a: TermId, b: TermId) -> Step {
        let width = pool.width(a);
        match self.both(pool, a, b)? {
            (Value::Small(x), Value::Small(y)) if width <= 64 => {
                Ok(Value::Small(value::bin64(op, width, x, y)))
            }
            (x, y) => Ok(Value::bv(op.result_width(width), value::bin(op, width, &x.to_bv(), &y.to_bv()))),
        }
    }

    fn int_op(
        &mut self,
        pool: &TermPool,
        a: TermId,
        b: TermId,
        op: impl FnOnce(&BigInt, &BigInt) -> BigInt,
    ) -> Step {
        let (a, b) = self.both(pool, a, b)?;
        Ok(Value::Other(Rc::new(Constant::Int(op(a.int(), b.int())))))
    }

    fn step(&mut self, pool: &TermPool, t: TermId) -> Step {
        match *pool.node(t) {
            Node::Var(v) => Ok(match self.model.borrow().get(v) {
                Some(constant) => {
                    debug_assert_eq!(constant.sort(), pool.sort(t), "value of {:?}", pool.var_info(v));
                    Value::of(constant)
                }
                None => match pool.sort(t) {
                    Sort::Bv(_) => Value::Small(0),
                    sort => Value::Other(Rc::new(Constant::zero(sort))),
                },
            }),
            Node::Const { value, .. } => Ok(Value::Small(value)),
            Node::Wide { width, value } => Ok(Value::bv(width, pool.wide(value).clone().into())),
            Node::IntConst(id) => Ok(Value::Other(Rc::new(Constant::Int(pool.int_value(id).clone())))),
            Node::Not(a) => {
                let (width, a) = (pool.width(t), self.want(pool, a)?);
                Ok(Value::bv(width, value::not(width, &a.to_bv())))
            }
            Node::And(list) => {
                for &item in pool.list(list) {
                    if matches!(self.want(pool, item)?, Value::Small(0)) {
                        return Ok(Value::Small(0));
                    }
                }
                Ok(Value::Small(1))
            }
            Node::BvAnd(a, b) => self.bin(pool, BinOp::And, a, b),
            Node::BvOr(a, b) => self.bin(pool, BinOp::Or, a, b),
            Node::BvXor(a, b) => self.bin(pool, BinOp::Xor, a, b),
            Node::Neg(a) => {
                let (width, a) = (pool.width(t), self.want(pool, a)?);
                Ok(Value::bv(width, value::neg(width, &a.to_bv())))
            }
            Node::Add(a, b) => self.bin(pool, BinOp::Add, a, b),
            Node::Mul(a, b) => self.bin(pool, BinOp::Mul, a, b),
            Node::Udiv(a, b) => self.bin(pool, BinOp::Udiv, a, b),
            Node::Urem(a, b) => self.bin(pool, BinOp::Urem, a, b),
            Node::Sdiv(a, b) => self.bin(pool, BinOp::Sdiv, a, b),
            Node::Srem(a, b) => self.bin(pool, BinOp::Srem, a, b),
            Node::Shl(a, b) => self.bin(pool, BinOp::Shl, a, b),
            Node::Lshr(a, b) => self.bin(pool, BinOp::Lshr, a, b),
            Node::Ashr(a, b) => self.bin(pool, BinOp::Ashr, a, b),
            Node::Concat(a, b) => {
                let (width, low_width) = (pool.width(t), pool.width(b));
                let (a, b) = self.both(pool, a, b)?;
                Ok(Value::bv(width, value::concat(&a.to_bv(), low_width, &b.to_bv(), width)))
            }
            Node::Extract { term, high, low } => {
                let a = self.want(pool, term)?;
                Ok(Value::bv(high - low + 1, value::extract(&a.to_bv(), high, low)))
            }
            Node::Zext(a) => Ok(match self.want(pool, a)? {
                Value::Small(small) => Value::Small(small),
                wide => Value::bv(pool.width(t), wide.to_bv()),
            }),
            Node::Sext(a) => {
                let (from, to) = (pool.width(a), pool.width(t));
                let a = self.want(pool, a)?;
                Ok(Value::bv(to, value::sext(from, &a.to_bv(), to)))
            }
            Node::Eq(a, b) => match pool.sort(a) {
                Sort::Bv(_) => self.bin(pool, BinOp::Eq, a, b),
                Sort::Int => {
                    let (a, b) = self.both(pool, a, b)?;
                    Ok(Value::Small(u64::from(a.int() == b.int())))
                }
                Sort::Array { index, .. } => {
                    let (a, b) = self.both(pool, a, b)?;
                    Ok(Value::Small(u64::from(arrays_equal(index, a.array(), b.array()))))
                }
            },
            Node::Ult(a, b) => self.bin(pool, BinOp::Ult, a, b),
            Node::Slt(a, b) => self.bin(pool, BinOp::Slt, a, b),
            Node::Ite(c, a, b) => match self.want(pool, c)? {
                Value::Small(1) => self.want(pool, a),
                _ => self.want(pool, b),
            },
            Node::ConstArray(elem) => {
                let Sort::Array { index, elem: elem_width } = pool.sort(t) else {
                    unreachable!("a constant array has an array sort")
                };
                let default = self.want(pool, elem)?.to_bv();
                Ok(Value::Other(Rc::new(Constant::Array(ArrayValue::new(index, elem_width, default)))))
            }
            Node::Select(array, index) => self.select(pool, array, index),
            Node::Store(..) => self.store(pool, t),
            Node::IAdd(a, b) => self.int_op(pool, a, b, |a, b| a + b),
            Node::IMul(a, b) => self.int_op(pool, a, b, |a, b| a * b),
            Node::IDiv(a, b) => self.int_op(pool, a, b, int_div),
            Node::IMod(a, b) => self.int_op(pool, a, b, int_mod),
            Node::ILe(a, b) => {
                let (a, b) = self.both(pool, a, b)?;
                Ok(Value::Small(u64::from(a.int() <= b.int())))
            }
            Node::Fp(op, list) => {
                let args = pool.list(list);
                let mut values: SmallVec<[BvValue; 3]> = SmallVec::new();
                for &arg in args {
                    values.push(self.want(pool, arg)?.to_bv());
                }
                Ok(Value::bv(op.result_width(), eval_fp(op, &values, pool.width(args[0]))))
            }
        }
    }

    /// Builds the array of a chain of stores with one copy of what is below it.
    fn store(&mut self, pool: &TermPool, t: TermId) -> Step {
        let mut writes = Vec::new();
        let mut all_there = true;
        let mut current = t;
        while let Node::Store(below, index, elem) = *pool.node(current)
            && (current == t || !self.memo.contains_key(&current))
        {
            match self.both(pool, index, elem) {
                Ok((index, elem)) => writes.push((index.to_bv(), elem.to_bv())),
                Err(Missing) => all_there = false,
            }
            current = below;
        }
        let base = self.want(pool, current)?;
        if !all_there {
            return Err(Missing);
        }
        let mut array = base.array().clone();
        for (index, elem) in writes.into_iter().rev() {
            array.store(index, elem);
        }
        Ok(Value::Other(Rc::new(Constant::Array(array))))
    }

    /// Reads through stores and `ite`s without building the arrays they stand for.
    fn select(&mut self, pool: &TermPool, array: TermId, index: TermId) -> Step {
        let index = self.want(pool, index)?.to_bv();
        let mut current = array;
        let mut all_there = true;
        loop {
            match *pool.node(current) {
                // All missing indices of the chain are requested in one walk; asking
                // for one at a time would walk a long chain once per store.
                Node::Store(below, at, elem) => {
                    match self.want(pool, at) {
                        Ok(at) if all_there && at.to_bv() == index => return self.want(pool, elem),
                        Ok(_) => {}
                        Err(Missing) => all_there = false,
                    }
                    current = below;
                }
                _ if !all_there => return Err(Missing),
                Node::Ite(c, a, b) => {
                    current = if matches!(self.want(pool, c)?, Value::Small(1)) { a } else { b };
                }
                Node::ConstArray(elem) => return self.want(pool, elem),
                _ => {
                    let Sort::Array { elem, .. } = pool.sort(current) else {
                        unreachable!("select reads an array")
                    };
                    let value = self.want(pool, current)?.array().select(&index).clone();
                    return Ok(Value::bv(elem, value));
                }
            }
        }
    }
}

/// Whether two arrays agree everywhere: an array whose every index has an entry does
/// not depend on its default.
fn arrays_equal(index_width: u32, a: &ArrayValue, b: &ArrayValue) -> bool {
    if a.default == b.default {
        return a.entries == b.entries;
    }
    if a.entries.keys().any(|i| a.select(i) != b.select(i))
        || b.entries.keys().any(|i| a.select(i) != b.select(i))
    {
        return false;
    }
    // Where neither has an entry they differ, so all indices need one.
    let mut indices: Vec<&BvValue> = a.entries.keys().chain(b.entries.keys()).collect();
    indices.sort_unstable();
    indices.dedup();
    index_width < 64 && indices.len() as u64 == 1 << index_width
}

/// SMT-LIB's `div`: the remainder is never negative; 0 for a zero divisor.
pub(crate) fn int_div(a: &BigInt, b: &BigInt) -> BigInt {
    if b.is_zero() {
        return BigInt::zero();
    }
    (a - int_mod(a, b)) / b
}

/// SMT-LIB's `mod`, in `0..|b|`; the dividend for a zero divisor.
pub(crate) fn int_mod(a: &BigInt, b: &BigInt) -> BigInt {
    if b.is_zero() {
        return a.clone();
    }
    a.mod_floor(&BigInt::from(b.magnitude().clone()))
}
