//! Floating-point terms: building with variables and evaluating must agree with folding
//! the same operations on constants.

use proptest::prelude::*;
use selvedge_term::{Assignment, FpFormat, FpOp, RoundingMode, Sort, TermId, TermPool, eval, smtlib};

/// A floating-point or integer expression over one variable of each kind.
#[derive(Clone, Debug)]
enum Expr {
    /// A variable or constant of the format.
    Input(FpFormat, u8),
    Const(FpFormat, u64),
    /// An integer variable of this width, converted.
    Integer(FpFormat, u32, bool),
    Op(FpOp, Vec<Expr>),
}

const FORMATS: [FpFormat; 2] = [FpFormat::F32, FpFormat::F64];

fn constant() -> impl Strategy<Value = f64> {
    prop_oneof![
        prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.0,
            3.5,
            0.1,
            -0.1,
            127.0,
            127.5,
            -128.0,
            -128.5,
            255.0,
            256.0,
            1e30,
            1e300,
            -1e300,
            5e-324,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            2147483647.0,
            2147483648.0,
            -2147483648.0,
            2147483647.5,
        ]),
        (-300i32..300).prop_map(|n| f64::from(n) / 4.0),
        any::<f64>(),
    ]
}

fn leaf(format: FpFormat) -> impl Strategy<Value = Expr> {
    prop_oneof![
        (0..2u8).prop_map(move |n| Expr::Input(format, n)),
        constant().prop_map(move |c| Expr::Const(
            format,
            if format == FpFormat::F32 { u64::from((c as f32).to_bits()) } else { c.to_bits() }
        )),
        (prop::sample::select(vec![1u32, 8, 16, 32, 64]), any::<bool>())
            .prop_map(move |(width, signed)| Expr::Integer(format, width, signed)),
    ]
}

fn float(format: FpFormat, depth: u32) -> BoxedStrategy<Expr> {
    if depth == 0 {
        return leaf(format).boxed();
    }
    let other = if format == FpFormat::F32 { FpFormat::F64 } else { FpFormat::F32 };
    let sub = move || float(format, depth - 1);
    let mode = prop::sample::select(vec![
        RoundingMode::NearestEven,
        RoundingMode::NearestAway,
        RoundingMode::Up,
        RoundingMode::Down,
        RoundingMode::TowardZero,
    ]);
    let binary = prop::sample::select(vec![
        FpOp::Add(format),
        FpOp::Sub(format),
        FpOp::Mul(format),
        FpOp::Div(format),
        FpOp::Rem(format),
        FpOp::IeeeRem(format),
    ]);
    prop_oneof![
        3 => leaf(format),
        2 => (binary, sub(), sub()).prop_map(|(op, a, b)| Expr::Op(op, vec![a, b])),
        1 => (mode, sub()).prop_map(move |(mode, a)| Expr::Op(FpOp::RoundToIntegral(format, mode), vec![a])),
        1 => sub().prop_map(move |a| Expr::Op(FpOp::Sqrt(format), vec![a])),
        2 => float(other, depth - 1).prop_map(move |a| Expr::Op(FpOp::ToFp { from: other, to: format }, vec![a])),
    ]
    .boxed()
}

fn query() -> impl Strategy<Value = Expr> {
    prop::sample::select(FORMATS.to_vec()).prop_flat_map(|f| {
        let ops = prop::sample::select(vec![
            FpOp::Lt(f),
            FpOp::Le(f),
            FpOp::Eq(f),
            FpOp::IsNan(f),
            FpOp::IsInf(f),
            FpOp::Add(f),
            FpOp::ToSInt { from: f, width: 8 },
            FpOp::ToSInt { from: f, width: 32 },
            FpOp::ToSInt { from: f, width: 64 },
            FpOp::ToUInt { from: f, width: 16 },
            FpOp::ToUInt { from: f, width: 64 },
        ]);
        (ops, float(f, 2), float(f, 2)).prop_map(|(op, a, b)| {
            let mut args = vec![a, b];
            args.truncate(op.arity());
            Expr::Op(op, args)
        })
    })
}

impl Expr {
    /// The term; with `model`, its variables are replaced by their values before building.
    fn build(&self, pool: &mut TermPool, model: Option<&Assignment>) -> TermId {
        let var = |pool: &mut TermPool, name: String, width: u32| {
            let t = pool.var(&name, Sort::Bv(width));
            match model {
                None => t,
                Some(model) => {
                    let v = pool.var_id(t).expect("a variable");
                    let value = model.get_u64(v).unwrap_or(0);
                    pool.bv(width, value)
                }
            }
        };
        match self {
            Expr::Input(format, n) => var(pool, format!("f{n}"), format.width()),
            Expr::Const(format, bits) => pool.bv(format.width(), *bits),
            Expr::Integer(format, width, signed) => {
                let i = var(pool, "i".to_owned(), *width);
                let op =
                    if *signed { FpOp::FromSInt { to: *format } } else { FpOp::FromUInt { to: *format } };
                pool.fp(op, &[i])
            }
            Expr::Op(op, args) => {
                let args: Vec<TermId> = args.iter().map(|arg| arg.build(pool, model)).collect();
                pool.fp(*op, &args)
            }
        }
    }
}

fn input_value(width: u32) -> impl Strategy<Value = u64> {
    (constant(), any::<u64>(), 0..3u8).prop_map(move |(c, random, kind)| match (kind, width) {
        (0, 32) => u64::from((c as f32).to_bits()),
        (0, 64) => c.to_bits(),
        (1, _) => c as i64 as u64,
        _ => random,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_floating_point_term_has_the_value_that_folding_gives(
        expr in query(), small in prop::collection::vec(input_value(32), 4), large in prop::collection::vec(input_value(64), 4)
    ) {
        let mut pool = TermPool::new();
        let term = expr.build(&mut pool, None);
        let mut model = Assignment::new();
        for i in 0..pool.var_count() {
            let v = selvedge_term::VarId(i as u32);
            if let Sort::Bv(width) = pool.var_info(v).sort {
                model.set_u64(v, width, if width <= 32 { small[i % 4] } else { large[i % 4] });
            }
        }
        let folded = expr.build(&mut pool, Some(&model));
        prop_assert!(pool.is_const(folded));
        prop_assert_eq!(
            eval(&pool, term, &model).as_big(), pool.as_big(folded), "{}", smtlib::print_term(&pool, term)
        );
    }
}

#[track_caller]
fn check(build: impl FnOnce(&mut TermPool) -> TermId, expected: &str) {
    let mut pool = TermPool::new();
    let t = build(&mut pool);
    assert_eq!(smtlib::print_term(&pool, t), expected);
}

fn double(pool: &mut TermPool, value: f64) -> TermId {
    pool.bv(64, value.to_bits())
}

#[test]
fn comparing_a_converted_integer_compares_integers() {
    check(
        |pool| {
            let i = pool.var("i", Sort::Bv(32));
            let number = pool.fp(FpOp::FromSInt { to: FpFormat::F64 }, &[i]);
            let c = double(pool, 2.5);
            pool.fp(FpOp::Lt(FpFormat::F64), &[number, c])
        },
        "(bvslt i #x00000003)",
    );
    check(
        |pool| {
            let i = pool.var("i", Sort::Bv(32));
            let number = pool.fp(FpOp::FromSInt { to: FpFormat::F64 }, &[i]);
            pool.fp(FpOp::ToSInt { from: FpFormat::F64, width: 32 }, &[number])
        },
        "i",
    );
}

#[test]
fn comparing_an_input_needs_no_floating_point_theory() {
    check(
        |pool| {
            let x = pool.var("x", Sort::Bv(32));
            let wide = pool.fp(FpOp::ToFp { from: FpFormat::F32, to: FpFormat::F64 }, &[x]);
            let c = double(pool, 0.1);
            pool.fp(FpOp::Eq(FpFormat::F64), &[wide, c])
        },
        "false",
    );
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(32));
    let wide = pool.fp(FpOp::ToFp { from: FpFormat::F32, to: FpFormat::F64 }, &[x]);
    let c = double(&mut pool, 0.1);
    let less = pool.fp(FpOp::Lt(FpFormat::F64), &[wide, c]);
    assert!(!smtlib::script(&pool, &[less]).contains("fp."));
}
