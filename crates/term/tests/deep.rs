//! Terms a million operators deep: nothing may recurse on depth or become quadratic.

use selvedge_term::{Assignment, Constant, Evaluator, Sort, Substitution, TermId, TermPool, eval, smtlib};

const DEPTH: u64 = 1_000_000;

/// A chain in which every operator stays: a product of sums with a rotating operand.
fn chain(pool: &mut TermPool, depth: u64) -> TermId {
    let vars: Vec<TermId> = (0..4).map(|i| pool.var(&format!("x{i}"), Sort::Bv(32))).collect();
    let mut t = vars[0];
    for i in 0..depth / 2 {
        t = pool.bvxor(t, vars[(i % 3) as usize]);
        t = pool.mul(t, vars[3]);
    }
    t
}

fn chain_value(values: [u32; 4], depth: u64) -> u32 {
    (0..depth / 2).fold(values[0], |t, i| (t ^ values[(i % 3) as usize]).wrapping_mul(values[3]))
}

#[test]
fn evaluation_substitution_support_and_printing_take_deep_terms() {
    let mut pool = TermPool::new();
    let t = chain(&mut pool, DEPTH);
    assert!(pool.len() as u64 > DEPTH - 10);
    let vars = pool.vars(t);
    assert_eq!(vars.len(), 4);

    let values = [0x1234_5678, 3, 0xffff_0001, 0x8001_0003];
    let mut model = Assignment::new();
    for (&v, value) in vars.iter().zip(values) {
        model.set_u64(v, 32, u64::from(value));
    }
    assert_eq!(eval(&pool, t, &model), Constant::bv(32, u64::from(chain_value(values, DEPTH))));

    let mut substitution = Substitution::new();
    substitution.insert(vars[1], pool.var_term(vars[2]));
    let replaced = substitution.apply(&mut pool, t);
    let swapped = [values[0], values[2], values[2], values[3]];
    assert_eq!(Evaluator::new(&model).eval_u64(&pool, replaced), u64::from(chain_value(swapped, DEPTH)));

    let zero = pool.bv(32, 0);
    let assertion = pool.ne(t, zero);
    let script = smtlib::script(&pool, &[assertion]);
    assert!(script.ends_with("(check-sat)\n"));
    assert!(script.lines().all(|line| line.len() < 2000), "no line nests deeply");
}

#[test]
fn operators_on_top_of_deep_terms_do_not_walk_them() {
    let mut pool = TermPool::new();
    let t = chain(&mut pool, DEPTH);
    let before = pool.len();
    let c = pool.bv(32, 77);
    for _ in 0..1000 {
        let sum = pool.add(t, c);
        let low = pool.extract(sum, 7, 0);
        let wide = pool.zext(low, 32);
        let mixed = pool.bvand(wide, t);
        let minus = pool.neg(mixed);
        let equal = pool.eq(minus, t);
        let less = pool.slt(minus, t);
        let both = pool.and(equal, less);
        pool.ite(both, t, minus);
    }
    assert!(pool.len() - before < 100);
}

#[test]
fn long_sums_choices_conjunctions_and_writes_grow_in_linear_time() {
    let mut pool = TermPool::new();
    let memory = pool.var("m", Sort::Array { index: 32, elem: 8 });
    let byte = pool.var("byte", Sort::Bv(8));
    let (mut sum, mut choice) = (pool.bv(32, 0), pool.bv(32, 0));
    let (mut all, mut array) = (pool.tt(), memory);
    for i in 0..DEPTH / 10 {
        let x = pool.var(&format!("x{i}"), Sort::Bv(32));
        let c = pool.bv(32, i);
        sum = pool.add(sum, x);
        let low = pool.ult(x, c);
        choice = pool.ite(low, x, choice);
        all = pool.and(all, low);
        array = pool.store(array, x, byte);
    }
    let zero = pool.bv(32, 0);
    let read = pool.select(array, zero);
    let mut model = Assignment::new();
    for i in 0..pool.var_count() {
        let v = selvedge_term::VarId(i as u32);
        if pool.var_info(v).sort == Sort::Bv(32) {
            model.set_u64(v, 32, 1);
        }
    }
    model.set_u64(pool.var_id(byte).expect("a variable"), 8, 9);
    let mut evaluator = Evaluator::new(&model);
    assert_eq!(evaluator.eval_u64(&pool, sum), DEPTH / 10);
    assert_eq!(evaluator.eval_u64(&pool, choice), 1);
    assert!(!evaluator.eval_bool(&pool, all));
    assert_eq!(evaluator.eval_u64(&pool, read), 0);
    let other = pool.var("other", Sort::Array { index: 32, elem: 8 });
    let same = pool.eq(array, other);
    assert!(!evaluator.eval_bool(&pool, same));
}
