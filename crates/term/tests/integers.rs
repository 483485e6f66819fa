//! Integer terms against a naive evaluation of the expressions they were built from.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use proptest::prelude::*;
use selvedge_term::{Assignment, Constant, Sort, Substitution, TermId, TermPool, eval, smtlib};

#[derive(Clone, Debug)]
enum Int {
    Var(u8),
    Const(i64),
    Add(Box<Int>, Box<Int>),
    Sub(Box<Int>, Box<Int>),
    Neg(Box<Int>),
    Mul(Box<Int>, Box<Int>),
    Div(Box<Int>, Box<Int>),
    Mod(Box<Int>, Box<Int>),
    Ite(Box<Relation>, Box<Int>, Box<Int>),
}

/// A comparison by its number: `=`, `≠`, `≤`, `<`, `≥`, `>`.
#[derive(Clone, Debug)]
struct Relation(u8, Int, Int);

fn int() -> impl Strategy<Value = Int> {
    let leaf = prop_oneof![
        (0..3u8).prop_map(Int::Var),
        (-6i64..7).prop_map(Int::Const),
        any::<i64>().prop_map(Int::Const)
    ];
    leaf.prop_recursive(5, 24, 2, |sub| {
        let pair = (sub.clone(), sub.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        prop_oneof![
            3 => pair.clone().prop_map(|(a, b)| Int::Add(a, b)),
            3 => pair.clone().prop_map(|(a, b)| Int::Sub(a, b)),
            1 => sub.clone().prop_map(|a| Int::Neg(Box::new(a))),
            2 => pair.clone().prop_map(|(a, b)| Int::Mul(a, b)),
            1 => pair.clone().prop_map(|(a, b)| Int::Div(a, b)),
            1 => pair.clone().prop_map(|(a, b)| Int::Mod(a, b)),
            1 => ((0..6u8, sub.clone(), sub).prop_map(|(n, a, b)| Box::new(Relation(n, a, b))), pair)
                .prop_map(|(c, (a, b))| Int::Ite(c, a, b)),
        ]
    })
}

impl Int {
    fn build(&self, pool: &mut TermPool) -> TermId {
        let mut both = |a: &Int, b: &Int| (a.build(pool), b.build(pool));
        match self {
            Int::Var(n) => pool.var(&format!("n{n}"), Sort::Int),
            Int::Const(value) => pool.int(BigInt::from(*value)),
            Int::Neg(a) => {
                let a = a.build(pool);
                pool.ineg(a)
            }
            Int::Add(a, b) => {
                let (a, b) = both(a, b);
                pool.iadd(a, b)
            }
            Int::Sub(a, b) => {
                let (a, b) = both(a, b);
                pool.isub(a, b)
            }
            Int::Mul(a, b) => {
                let (a, b) = both(a, b);
                pool.imul(a, b)
            }
            Int::Div(a, b) => {
                let (a, b) = both(a, b);
                pool.idiv(a, b)
            }
            Int::Mod(a, b) => {
                let (a, b) = both(a, b);
                pool.imod(a, b)
            }
            Int::Ite(c, a, b) => {
                let (a, b) = both(a, b);
                let c = c.build(pool);
                pool.ite(c, a, b)
            }
        }
    }

    fn value(&self, values: &[i64; 3]) -> BigInt {
        match self {
            Int::Var(n) => BigInt::from(values[usize::from(*n)]),
            Int::Const(value) => BigInt::from(*value),
            Int::Neg(a) => -a.value(values),
            Int::Add(a, b) => a.value(values) + b.value(values),
            Int::Sub(a, b) => a.value(values) - b.value(values),
            Int::Mul(a, b) => a.value(values) * b.value(values),
            Int::Div(a, b) => division(a.value(values), b.value(values)).0,
            Int::Mod(a, b) => division(a.value(values), b.value(values)).1,
            Int::Ite(c, a, b) => {
                if c.holds(values) {
                    a.value(values)
                } else {
                    b.value(values)
                }
            }
        }
    }
}

impl Relation {
    fn build(&self, pool: &mut TermPool) -> TermId {
        let (a, b) = (self.1.build(pool), self.2.build(pool));
        match self.0 {
            0 => pool.eq(a, b),
            1 => pool.ne(a, b),
            2 => pool.ile(a, b),
            3 => pool.ilt(a, b),
            4 => pool.ige(a, b),
            _ => pool.igt(a, b),
        }
    }

    fn holds(&self, values: &[i64; 3]) -> bool {
        let (a, b) = (self.1.value(values), self.2.value(values));
        match self.0 {
            0 => a == b,
            1 => a != b,
            2 => a <= b,
            3 => a < b,
            4 => a >= b,
            _ => a > b,
        }
    }
}

/// The quotient and rest by search of the defining equation: `a = b*q + r`, `0 <= r < |b|`.
fn division(a: BigInt, b: BigInt) -> (BigInt, BigInt) {
    if b.is_zero() {
        return (BigInt::zero(), a);
    }
    let (mut q, mut r) = (&a / &b, &a % &b);
    if r.is_negative() {
        r += b.abs();
        q -= b.signum();
    }
    assert_eq!(a, b * &q + &r);
    (q, r)
}

fn model(pool: &mut TermPool, values: &[i64; 3]) -> Assignment {
    let mut model = Assignment::new();
    for (n, value) in values.iter().enumerate() {
        let t = pool.var(&format!("n{n}"), Sort::Int);
        model.set(pool.var_id(t).expect("a variable"), Constant::Int(BigInt::from(*value)));
    }
    model
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn an_integer_term_has_the_value_of_its_expression(
        expr in int(), values in prop::array::uniform3(-20i64..20)
    ) {
        let mut pool = TermPool::new();
        let term = expr.build(&mut pool);
        let model = model(&mut pool, &values);
        prop_assert_eq!(
            eval(&pool, term, &model), Constant::Int(expr.value(&values)), "{}", smtlib::print_term(&pool, term)
        );
    }

    #[test]
    fn an_integer_comparison_holds_when_its_expression_does(
        n in 0..6u8, a in int(), b in int(), values in prop::array::uniform3(-20i64..20)
    ) {
        let mut pool = TermPool::new();
        let relation = Relation(n, a, b);
        let term = relation.build(&mut pool);
        let model = model(&mut pool, &values);
        prop_assert_eq!(
            eval(&pool, term, &model), Constant::bool(relation.holds(&values)), "{}", smtlib::print_term(&pool, term)
        );
    }

    #[test]
    fn substitution_into_integers_is_composition(
        n in 0..6u8, a in int(), b in int(), image in int(), values in prop::array::uniform3(-20i64..20)
    ) {
        let mut pool = TermPool::new();
        let term = Relation(n, a, b).build(&mut pool);
        let model = model(&mut pool, &values);
        let x = pool.var("n0", Sort::Int);
        let x = pool.var_id(x).expect("a variable");
        let image = image.build(&mut pool);
        let mut substitution = Substitution::new();
        substitution.insert(x, image);
        let replaced = substitution.apply(&mut pool, term);
        let mut composed = model.clone();
        composed.set(x, eval(&pool, image, &model));
        prop_assert_eq!(eval(&pool, replaced, &model), eval(&pool, term, &composed));
    }
}
