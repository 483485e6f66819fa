//! Every bit-vector operator means the same to the evaluator and to each backend, for all small
//! operands: division by zero, shifts past the width and signs included.

use selvedge_solver::{Backend, Query, SolverConfig, Want, build};
use selvedge_term::{Assignment, Sort, TermId, TermPool, eval};

type Binary = fn(&mut TermPool, TermId, TermId) -> TermId;

const OPERATORS: [(&str, Binary); 20] = [
    ("add", TermPool::add),
    ("sub", TermPool::sub),
    ("mul", TermPool::mul),
    ("udiv", TermPool::udiv),
    ("urem", TermPool::urem),
    ("sdiv", TermPool::sdiv),
    ("srem", TermPool::srem),
    ("and", TermPool::bvand),
    ("or", TermPool::bvor),
    ("xor", TermPool::bvxor),
    ("shl", TermPool::shl),
    ("lshr", TermPool::lshr),
    ("ashr", TermPool::ashr),
    ("concat", TermPool::concat),
    ("eq", TermPool::eq),
    ("ult", TermPool::ult),
    ("ule", TermPool::ule),
    ("slt", TermPool::slt),
    ("sle", TermPool::sle),
    ("neg", |pool, a, _| pool.neg(a)),
];

/// Asks for `op(x, y)` with `x` and `y` fixed on the path: only the evaluator's value is possible.
fn check(backend: Backend, name: &str, op: Binary, width: u32, y_constant: bool) {
    let config = SolverConfig {
        backend,
        simplify: false,
        independence: false,
        cache: false,
        ..SolverConfig::default()
    };
    let mut solver = build(&config);
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(width));
    let y = pool.var("y", Sort::Bv(width));
    for b in 0..1u64 << width {
        let b_term = pool.bv(width, b);
        let term = op(&mut pool, x, if y_constant { b_term } else { y });
        for a in 0..1u64 << width {
            let a_term = pool.bv(width, a);
            let path = [pool.eq(x, a_term), pool.eq(y, b_term)];
            let mut model = Assignment::new();
            model.set_u64(pool.var_id(x).expect("a variable"), width, a);
            model.set_u64(pool.var_id(y).expect("a variable"), width, b);
            let value = eval(&pool, term, &model).as_u64().expect("a small value");
            let value = pool.bv(pool.width(term), value);
            let goal = [pool.ne(term, value)];
            let answer = solver.check(&mut pool, &Query { path: &path, goal: &goal, want: Want::Verdict });
            assert!(answer.is_unsat(), "{backend:?}: {name} of {a} and {b}, {width} bits: {answer:?}");
        }
    }
}

#[test]
fn operators_on_variables_agree_with_the_evaluator() {
    for (name, op) in OPERATORS {
        for width in 1..=4 {
            check(Backend::BitBlast, name, op, width, false);
        }
        for width in 1..=3 {
            check(Backend::Z3, name, op, width, false);
        }
    }
}

#[test]
fn operators_with_a_constant_agree_with_the_evaluator() {
    for (name, op) in OPERATORS {
        for width in 1..=5 {
            check(Backend::BitBlast, name, op, width, true);
        }
    }
}
