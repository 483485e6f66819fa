//! Each backend by itself on small queries with known answers.

use selvedge_solver::{Answer, Backend, Query, Solver, SolverConfig, Want, build};
use selvedge_term::{Sort, TermId, TermPool, eval};

fn backends() -> Vec<(Backend, Box<dyn Solver>)> {
    let alone = |&backend: &Backend| (backend, build(&SolverConfig { backend, ..SolverConfig::default() }));
    Backend::ALL.iter().map(alone).collect()
}

fn check(
    solver: &mut dyn Solver,
    pool: &mut TermPool,
    path: &[TermId],
    goal: &[TermId],
    want: Want,
) -> Answer {
    solver.check(pool, &Query { path, goal, want })
}

#[test]
fn a_model_satisfies_the_query() {
    for (backend, mut solver) in backends() {
        let mut pool = TermPool::new();
        let x = pool.var("x", Sort::Bv(32));
        let y = pool.var("y", Sort::Bv(32));
        let sum = pool.add(x, y);
        let hundred = pool.bv(32, 100);
        let path = [pool.eq(sum, hundred), pool.ult(x, y)];
        let seven = pool.bv(32, 7);
        let goal = [pool.ult(seven, x)];
        let answer = check(&mut *solver, &mut pool, &path, &goal, Want::Model);
        let Answer::Sat(Some(model)) = answer else { panic!("{backend:?}: {answer:?}") };
        for t in path.into_iter().chain(goal) {
            assert_eq!(eval(&pool, t, &model).as_bool(), Some(true), "{backend:?}");
        }
    }
}

#[test]
fn a_core_leaves_out_what_does_not_matter() {
    for (backend, mut solver) in backends() {
        let mut pool = TermPool::new();
        let x = pool.var("x", Sort::Bv(8));
        let y = pool.var("y", Sort::Bv(8));
        let (three, five) = (pool.bv(8, 3), pool.bv(8, 5));
        let small = pool.ult(x, three);
        let unrelated = pool.ult(y, five);
        let large = pool.ult(five, x);
        let answer = check(&mut *solver, &mut pool, &[unrelated, small], &[large], Want::Core);
        let Answer::Unsat(core) = answer else { panic!("{backend:?}: {answer:?}") };
        assert!(!core.contains(&unrelated), "{backend:?}: {core:?}");
        assert!(core.contains(&small) && core.contains(&large), "{backend:?}: {core:?}");
    }
}

#[test]
fn the_stack_follows_a_path_back_and_forth() {
    for (backend, mut solver) in backends() {
        let mut pool = TermPool::new();
        let x = pool.var("x", Sort::Bv(16));
        let mut path = Vec::new();
        for i in 0..16u32 {
            let bit = pool.extract(x, i, i);
            let unset = pool.not(bit);
            assert!(check(&mut *solver, &mut pool, &path, &[bit], Want::Verdict).is_sat(), "{backend:?}");
            assert!(check(&mut *solver, &mut pool, &path, &[bit, unset], Want::Verdict).is_unsat());
            path.push(if i % 3 == 0 { bit } else { unset });
        }
        let value = (0..16).filter(|i| i % 3 == 0).fold(0, |v, i| v | 1 << i);
        let expected = pool.bv(16, value);
        let equal = pool.eq(x, expected);
        let other = pool.not(equal);
        assert!(check(&mut *solver, &mut pool, &path, &[equal], Want::Verdict).is_sat());
        assert!(check(&mut *solver, &mut pool, &path, &[other], Want::Verdict).is_unsat());
        assert!(check(&mut *solver, &mut pool, &path[..15], &[other], Want::Verdict).is_sat());
    }
}

/// Bare backends, so that the circuit or the theory itself has to find out.
fn decides_alone(backend: Backend, pool: &mut TermPool, path: &[TermId], goal: TermId) -> Answer {
    let config = SolverConfig {
        backend,
        simplify: false,
        independence: false,
        cache: false,
        ..SolverConfig::default()
    };
    check(&mut *build(&config), pool, path, &[goal], Want::Core)
}

#[test]
fn sums_without_carry_are_equal_in_any_order() {
    let mut pool = TermPool::new();
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| pool.var(name, Sort::Bv(64)));
    let left = [b, c, d].into_iter().fold(a, |sum, x| pool.bvxor(sum, x));
    let right = [c, b, a].into_iter().fold(d, |sum, x| pool.bvxor(sum, x));
    let differ = pool.ne(left, right);
    if pool.as_bool(differ) != Some(false) {
        assert!(decides_alone(Backend::BitBlast, &mut pool, &[], differ).is_unsat());
    }
}

#[test]
fn a_chain_of_comparisons_needs_no_backend() {
    let mut pool = TermPool::new();
    let x: Vec<TermId> = (0..5).map(|i| pool.var(&format!("x{i}"), Sort::Bv(32))).collect();
    // x0 < x1 <= x2 < x3, and x3 = x4.
    let path = [pool.slt(x[0], x[1]), pool.sle(x[1], x[2]), pool.slt(x[2], x[3]), pool.eq(x[3], x[4])];
    let unrelated = pool.slt(x[3], x[1]);
    let refuted = [pool.sle(x[4], x[0]), pool.slt(x[3], x[4]), pool.eq(x[0], x[3]), unrelated];
    let implied = [pool.slt(x[0], x[4]), pool.ne(x[4], x[1]), pool.sle(x[3], x[4])];
    let open = [pool.slt(x[1], x[2]), pool.ult(x[0], x[1]), pool.eq(x[1], x[2])];
    let mut solver = build(&SolverConfig::default());
    for goal in refuted {
        let Answer::Unsat(core) = check(&mut *solver, &mut pool, &path, &[goal], Want::Core) else {
            panic!("{goal} is refuted by the path")
        };
        assert!(decides_alone(Backend::Z3, &mut pool, &[], goal).is_sat());
        let whole = pool.and_all(&core);
        assert!(decides_alone(Backend::Z3, &mut pool, &[], whole).is_unsat(), "{core:?}");
    }
    for goal in implied {
        assert!(check(&mut *solver, &mut pool, &path, &[goal], Want::Verdict).is_sat());
    }
    assert_eq!(solver.stats().simplified, 7);
    for goal in open {
        check(&mut *solver, &mut pool, &path, &[goal], Want::Verdict);
    }
    assert_eq!(solver.stats().simplified, 7);
    // Going back forgets: without the middle nothing follows.
    assert!(check(&mut *solver, &mut pool, &path[..1], &[unrelated], Want::Verdict).is_sat());
}
