//! Laws of the term builder, checked on random expressions.

mod reference;

use num_bigint::BigUint;
use proptest::prelude::*;
use reference::Choices;
use rustc_hash::FxHashMap;
use selvedge_term::{
    Assignment, Constant, Evaluator, Node, Ranges, Sort, Substitution, TermId, TermPool, eval, smtlib,
};

const WIDTHS: [u32; 7] = [1, 8, 13, 32, 64, 65, 128];

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..160)
}

fn width() -> impl Strategy<Value = u32> {
    prop::sample::select(WIDTHS.to_vec())
}

fn big(constant: &Constant) -> BigUint {
    constant.as_big().expect("a bit-vector")
}

proptest! {
    #[test]
    fn a_built_term_has_the_value_of_its_expression(
        width in width(), shape in bytes(), values in prop::collection::vec(bytes(), 1..6)
    ) {
        let mut pool = TermPool::new();
        let expr = Choices::new(&shape).expr(width, 5);
        let term = expr.build(&mut pool);
        prop_assert_eq!(pool.width(term), width);
        for value in values {
            let model = Choices::new(&value).assignment(&mut pool);
            let expected = expr.value(&mut pool, &model);
            let actual = eval(&pool, term, &model);
            prop_assert_eq!(
                big(&actual), expected, "{:?}\nbuilt {}\nunder {:?}", expr, smtlib::print_term(&pool, term), model
            );
        }
    }

    #[test]
    fn range_and_known_bits_contain_the_value(
        width in prop::sample::select(vec![8u32, 13, 32, 64]), shape in bytes(), value in bytes()
    ) {
        let mut pool = TermPool::new();
        let expr = Choices::new(&shape).expr(width, 5);
        expr.build(&mut pool);
        let model = Choices::new(&value).assignment(&mut pool);
        let mut evaluator = Evaluator::new(&model);
        for t in (0..pool.len() as u32).map(TermId) {
            if !matches!(pool.sort(t), Sort::Bv(1..=64)) {
                continue;
            }
            let width = pool.width(t);
            let value = evaluator.eval_u64(&pool, t);
            let (lo, hi) = pool.range(t);
            let bits = pool.known_bits(t);
            let (slo, shi) = pool.signed_range(t);
            let signed = ((value << (64 - width)) as i64) >> (64 - width);
            let text = smtlib::print_term(&pool, t);
            prop_assert!(lo <= value && value <= hi, "{value:#x} is not in {lo:#x}..={hi:#x}: {text}");
            prop_assert!(slo <= signed && signed <= shi, "{signed} is not in {slo}..={shi}: {text}");
            prop_assert_eq!(value & bits.zeros, 0, "{}", &text);
            prop_assert_eq!(value & bits.ones, bits.ones, "{}", &text);
        }
    }

    #[test]
    fn a_range_contains_the_values_of_all_assignments_within(
        width in prop::sample::select(vec![1u32, 8, 13, 32, 64]), shape in bytes(), value in bytes(),
        around in prop::collection::vec((any::<u64>(), any::<u64>(), 0u32..64), 8),
    ) {
        let mut pool = TermPool::new();
        let term = Choices::new(&shape).expr(width, 5).build(&mut pool);
        let model = Choices::new(&value).assignment(&mut pool);
        let mut ranges = FxHashMap::default();
        for (i, &var) in pool.vars(term).iter().enumerate() {
            if let Sort::Bv(width @ 1..=64) = pool.sort(pool.var_term(var)) {
                let value = eval(&pool, pool.var_term(var), &model).as_u64().expect("64 bits");
                let (below, above, shift) = around[i % around.len()];
                let most = u64::MAX >> (64 - width);
                let high = value.saturating_add(above >> shift).min(most);
                ranges.insert(var, (value.saturating_sub(below >> shift), high));
            }
        }
        let mut by_parts = Ranges::new(&pool, term);
        let (lo, hi) = by_parts.of(&pool, |var| ranges.get(&var).copied());
        let value = eval(&pool, term, &model).as_u64().expect("64 bits");
        let text = smtlib::print_term(&pool, term);
        prop_assert!(lo <= value && value <= hi, "{value:#x} is not in {lo:#x}..={hi:#x}: {text}");
    }

    #[test]
    fn substituting_then_evaluating_is_evaluating_in_the_composed_model(
        width in width(), shape in bytes(), images in bytes(), value in bytes()
    ) {
        let mut pool = TermPool::new();
        let term = Choices::new(&shape).expr(width, 5).build(&mut pool);
        let domain = pool.vars(term);
        let mut substitution = Substitution::new();
        let mut choices = Choices::new(&images);
        let mut replaced = Vec::new();
        for &v in domain.iter() {
            if let Sort::Bv(width) = pool.var_info(v).sort {
                let image = choices.expr(width, 2).build(&mut pool);
                substitution.insert(v, image);
                replaced.push((v, image));
            }
        }
        let result = substitution.apply(&mut pool, term);
        let model = Choices::new(&value).assignment(&mut pool);
        let mut composed: Assignment = model.clone();
        for (v, image) in replaced {
            composed.set(v, eval(&pool, image, &model));
        }
        prop_assert_eq!(eval(&pool, result, &model), eval(&pool, term, &composed));
    }

    #[test]
    fn rebuilding_a_term_from_its_operands_keeps_its_value(
        width in width(), shape in bytes(), value in bytes()
    ) {
        let mut pool = TermPool::new();
        let term = Choices::new(&shape).expr(width, 5).build(&mut pool);
        let operands = pool.operands(term);
        let again = pool.rebuild(term, &operands);
        let model = Choices::new(&value).assignment(&mut pool);
        prop_assert_eq!(eval(&pool, again, &model), eval(&pool, term, &model));
    }

    #[test]
    fn logical_negation_is_its_own_inverse(shape in bytes()) {
        let mut pool = TermPool::new();
        let term = Choices::new(&shape).expr(1, 6).build(&mut pool);
        let not = pool.not(term);
        prop_assert_eq!(pool.not(not), term);
        prop_assert_eq!(pool.and(term, not), pool.ff());
        prop_assert_eq!(pool.or(term, not), pool.tt());
    }

    #[test]
    fn printing_is_deterministic(width in width(), shape in bytes()) {
        let script = || {
            let mut pool = TermPool::new();
            let expr = Choices::new(&shape).expr(width, 5);
            let term = expr.build(&mut pool);
            let zero = pool.bv(width, 0);
            let assertion = pool.ne(term, zero);
            smtlib::script(&pool, &[assertion])
        };
        prop_assert_eq!(script(), script());
    }

    #[test]
    fn operands_come_before_their_users(width in width(), shape in bytes()) {
        let mut pool = TermPool::new();
        Choices::new(&shape).expr(width, 5).build(&mut pool);
        for t in (0..pool.len() as u32).map(TermId) {
            prop_assert!(pool.operands(t).iter().all(|&operand| operand < t));
        }
    }

    #[test]
    fn the_normal_form_holds_in_every_node(width in width(), shape in bytes()) {
        let mut pool = TermPool::new();
        Choices::new(&shape).expr(width, 6).build(&mut pool);
        for t in (0..pool.len() as u32).map(TermId) {
            check_normal_form(&pool, t);
        }
    }
}

/// The facts that `build`'s documentation states of single nodes.
fn check_normal_form(pool: &TermPool, t: TermId) {
    let node = |t: TermId| *pool.node(t);
    let is_const = |t: TermId| pool.is_const(t);
    let wide = |t: TermId| pool.width(t) > 1;
    let ok = match node(t) {
        Node::Not(x) => !is_const(x) && !matches!(node(x), Node::Not(_)),
        Node::And(list) => {
            let items = pool.list(list);
            let atom = |t: TermId| if let Node::Not(x) = node(t) { x } else { t };
            items.len() >= 2
                && items.windows(2).all(|pair| atom(pair[0]) < atom(pair[1]))
                && items.iter().all(|&item| !is_const(item))
        }
        Node::BvAnd(a, b) | Node::BvOr(a, b) | Node::BvXor(a, b) => {
            wide(t) && !is_const(a) && (is_const(b) || a < b)
        }
        Node::Neg(x) => wide(t) && !is_const(x) && !matches!(node(x), Node::Neg(_)),
        Node::Add(a, _) => wide(t) && !is_const(a),
        Node::Mul(a, b) => wide(t) && !is_const(a) && (is_const(b) || a <= b),
        Node::Udiv(..) | Node::Urem(..) | Node::Sdiv(..) | Node::Srem(..) => wide(t),
        Node::Shl(_, b) | Node::Lshr(_, b) | Node::Ashr(_, b) => wide(t) && !is_const(b),
        Node::Concat(a, b) => {
            !matches!(node(a), Node::Concat(..) | Node::Zext(_))
                && !(is_const(a) && (is_const(b) || matches!(node(b), Node::Zext(_))))
        }
        Node::Extract { term, .. } => !matches!(
            node(term),
            Node::Extract { .. } | Node::Concat(..) | Node::Zext(_) | Node::Sext(_) | Node::Const { .. }
        ),
        Node::Zext(x) => !is_const(x) && !matches!(node(x), Node::Zext(_)),
        Node::Sext(x) => !is_const(x) && !matches!(node(x), Node::Zext(_) | Node::Sext(_)),
        Node::Eq(a, b) => !is_const(a) && (is_const(b) || a < b),
        Node::Ult(a, _) | Node::Slt(a, _) => !is_const(a),
        Node::Ite(c, a, b) => !is_const(c) && !matches!(node(c), Node::Not(_)) && a != b,
        Node::Select(array, index) => match node(array) {
            Node::ConstArray(_) => false,
            Node::Store(_, at, _) => at != index,
            _ => true,
        },
        _ => true,
    };
    assert!(ok, "{t} = {:?} is not in normal form", node(t));
}
