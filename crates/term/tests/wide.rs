//! Terms wider than 64 bits, where ranges and known bits say nothing and a rewrite that leans on them is wrong.
//!
//! Rewrites go wrong at values that have to do with the constants of the term, which random values of so many bits do
//! not hit: variables therefore take the constants that the term and its rewriting mention.

mod reference;

use proptest::prelude::*;
use reference::{Choices, Expr};
use selvedge_term::{Assignment, Constant, Evaluator, Sort, TermId, TermPool, VarId, eval, smtlib};

/// Some seconds; a wrong rewrite of one operator under one comparison takes a few thousand cases to be found.
const CASES: u32 = 400_000;

fn bytes(max: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..max)
}

/// A variable under one to three operations with constants: what most rewrites look for.
fn chain(choices: &mut Choices<'_>, width: u32) -> Expr {
    let mut expr = Expr::Var(width, choices.below(2) as u8);
    for _ in 0..1 + choices.below(3) {
        let (op, constant) = (choices.op(), Expr::Const(width, choices.value(width)));
        expr = match choices.below(8) {
            0 => Expr::Not(expr.into()),
            1 => Expr::Neg(expr.into()),
            2 => Expr::Bin(op, constant.into(), expr.into()),
            _ => Expr::Bin(op, expr.into(), constant.into()),
        };
    }
    expr
}

/// Values for all variables: constants of the pool of the same width, or any.
fn assignment(pool: &mut TermPool, choices: &mut Choices<'_>) -> Assignment {
    let mut model = choices.assignment(pool);
    let empty = Assignment::new();
    let constants: Vec<(u32, Constant)> = (0..pool.len() as u32)
        .map(TermId)
        .filter(|&t| pool.is_const(t))
        .filter_map(|t| match pool.sort(t) {
            Sort::Bv(width) => Some((width, eval(pool, t, &empty))),
            _ => None,
        })
        .collect();
    for v in (0..pool.var_count()).map(|v| VarId(v as u32)) {
        let Sort::Bv(width) = pool.var_info(v).sort else { continue };
        let fitting: Vec<&Constant> = constants.iter().filter(|(w, _)| *w == width).map(|(_, c)| c).collect();
        if !fitting.is_empty() && choices.below(4) != 0 {
            model.set(v, fitting[choices.below(fitting.len() as u32) as usize].clone());
        }
    }
    model
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(CASES), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn wide_comparisons_have_the_value_of_their_expression(
        width in prop::sample::select(vec![65u32, 66, 96, 127, 128, 129]),
        shape in bytes(48),
        values in prop::collection::vec(bytes(12), 4),
    ) {
        let mut pool = TermPool::new();
        let mut choices = Choices::new(&shape);
        let is_chain = choices.below(4) != 0;
        let mut expr = choices.comparison(width, if is_chain { 0 } else { 3 });
        if let (true, Expr::Cmp(_, a, b)) = (is_chain, &mut expr) {
            **a = chain(&mut choices, width);
            if choices.below(3) == 0 {
                **b = chain(&mut choices, width);
            }
        }
        let term = expr.build(&mut pool);
        for value in values {
            let model = assignment(&mut pool, &mut Choices::new(&value));
            let expected = expr.value(&mut pool, &model);
            let actual = Evaluator::new(&model).eval_u64(&pool, term);
            prop_assert_eq!(
                expected, actual.into(), "{:?}\nbuilt {}\nunder {:?}", expr, smtlib::print_term(&pool, term), model
            );
        }
    }
}
