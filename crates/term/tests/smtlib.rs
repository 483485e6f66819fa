//! The text that terms and scripts print as.

use selvedge_term::{FpFormat, FpOp, Sort, TermPool, smtlib};

#[test]
fn a_script_declares_defines_and_asserts() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.var("x", Sort::Bv(8)), pool.var("y", Sort::Bv(8)));
    let p = pool.var("p", Sort::Bv(1));
    let product = pool.mul(x, y);
    let less = pool.ult(product, x);
    let same = pool.eq(product, y);
    let either = pool.or(p, same);
    assert_eq!(
        smtlib::script(&pool, &[less, either]),
        "(set-logic QF_BV)\n\
         (declare-fun x () (_ BitVec 8))\n\
         (declare-fun y () (_ BitVec 8))\n\
         (declare-fun p () Bool)\n\
         (define-fun $t5 () (_ BitVec 8) (bvmul x y))\n\
         (assert (bvult $t5 x))\n\
         (assert (or p (= y $t5)))\n\
         (check-sat)\n"
    );
}

#[test]
fn a_shared_subterm_of_a_single_term_is_bound_by_let() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.var("x", Sort::Bv(8)), pool.var("y", Sort::Bv(8)));
    let product = pool.mul(x, y);
    let t = pool.udiv(product, x);
    let t = pool.bvxor(t, product);
    assert_eq!(smtlib::print_term(&pool, t), "(let (($t4 (bvmul x y))) (bvxor $t4 (bvudiv $t4 x)))");
}

#[test]
fn a_shared_negation_of_a_variable_gets_no_name() {
    let mut pool = TermPool::new();
    let [p, q, r] = ["p", "q", "r"].map(|name| pool.var(name, Sort::Bv(1)));
    let not_p = pool.not(p);
    let (one, other) = (pool.and(not_p, q), pool.and(not_p, r));
    let either = pool.or(one, other);
    assert_eq!(smtlib::print_term(&pool, either), "(or (and (not p) q) (and (not p) r))");
}

#[test]
fn truth_values_become_bits_only_where_bits_are_needed() {
    let mut pool = TermPool::new();
    let (p, q) = (pool.var("p", Sort::Bv(1)), pool.var("q", Sort::Bv(1)));
    let joined = pool.concat(p, q);
    assert_eq!(smtlib::print_term(&pool, joined), "(concat (ite p #b1 #b0) (ite q #b1 #b0))");
    let bits = pool.var("bits", Sort::Array { index: 1, elem: 1 });
    let written = pool.store(bits, p, q);
    let not_q = pool.not(q);
    let read = pool.select(written, not_q);
    assert_eq!(
        smtlib::print_term(&pool, read),
        "(= (select (store bits (ite p #b1 #b0) (ite q #b1 #b0)) (ite (not q) #b1 #b0)) #b1)"
    );
}

#[test]
fn names_are_quoted_escaped_and_told_apart() {
    let mut pool = TermPool::new();
    let names = ["plain", "main::x[3]", "a|b\\c", "and", "$t3", "", "1st", "bvadd"];
    let terms: Vec<_> = names.iter().map(|name| pool.var(name, Sort::Bv(8))).collect();
    let printed: Vec<String> = terms.iter().map(|&t| smtlib::print_term(&pool, t)).collect();
    let expected = ["plain", "|main::x[3]|", "a_b_c", "$$and", "$$$t3", "|$$|", "|1st|", "$$bvadd"];
    assert_eq!(printed, expected);
    // One name, two sorts.
    let wide = pool.var("plain", Sort::Bv(64));
    let narrow = pool.extract(wide, 7, 0);
    let sum = pool.add(terms[0], narrow);
    assert_eq!(smtlib::print_term(&pool, sum), "(bvadd plain ((_ extract 7 0) |plain#2|))");
}

#[test]
fn the_logic_fits_the_content() {
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(64));
    let memory = pool.var("m", Sort::Array { index: 64, elem: 64 });
    let (i, j) = (pool.var("i", Sort::Int), pool.var("j", Sort::Int));
    let zero = pool.bv(64, 0);
    let bits = pool.ult(x, zero);
    assert_eq!(bits, pool.ff());
    let read = pool.select(memory, x);
    let arrays = pool.eq(read, x);
    let root = pool.fp(FpOp::Sqrt(FpFormat::F64), &[x]);
    let floats = pool.fp(FpOp::Lt(FpFormat::F64), &[root, x]);
    let linear = pool.ile(i, j);
    let product = pool.imul(i, j);
    let nonlinear = pool.ile(product, j);
    let logic = |assertions: &[_]| {
        let script = smtlib::script(&pool, assertions);
        script.lines().next().expect("a line").to_owned()
    };
    assert_eq!(logic(&[bits]), "(set-logic QF_BV)");
    assert_eq!(logic(&[arrays]), "(set-logic QF_ABV)");
    assert_eq!(logic(&[floats]), "(set-logic QF_BVFP)");
    assert_eq!(logic(&[floats, arrays]), "(set-logic QF_ABVFP)");
    assert_eq!(logic(&[linear]), "(set-logic QF_LIA)");
    assert_eq!(logic(&[nonlinear]), "(set-logic QF_NIA)");
    assert_eq!(logic(&[linear, arrays]), "(set-logic ALL)");
}

#[test]
fn a_floating_point_result_gets_a_variable_for_its_pattern() {
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(32));
    let root = pool.fp(FpOp::Sqrt(FpFormat::F32), &[x]);
    let same = pool.eq(root, x);
    let script = smtlib::script(&pool, &[same]);
    assert_eq!(
        script,
        "(set-logic QF_BVFP)\n\
         (declare-fun x () (_ BitVec 32))\n\
         (define-fun $t3f () (_ FloatingPoint 8 24) (fp.sqrt RNE ((_ to_fp 8 24) x)))\n\
         (declare-fun $t3 () (_ BitVec 32))\n\
         (assert (= ((_ to_fp 8 24) $t3) $t3f))\n\
         (assert (=> (fp.isNaN $t3f) (= $t3 (_ bv2143289344 32))))\n\
         (assert (= x $t3))\n\
         (check-sat)\n"
    );
}

#[test]
fn integer_division_is_total() {
    let mut pool = TermPool::new();
    let (i, j) = (pool.var("i", Sort::Int), pool.var("j", Sort::Int));
    let quotient = pool.idiv(i, j);
    assert_eq!(smtlib::print_term(&pool, quotient), "(ite (= j 0) 0 (div i j))");
    let three = pool.int(3.into());
    let rest = pool.imod(i, three);
    assert_eq!(smtlib::print_term(&pool, rest), "(mod i 3)");
}
