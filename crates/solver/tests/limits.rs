//! Time limits, interrupts and very deep terms: the answer is `Unknown`, soon, and never a crash.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use selvedge_solver::{Answer, Backend, Query, SolverConfig, Want, Why, build};
use selvedge_term::{Sort, TermId, TermPool};

/// Two primes of 31 bits, asked for by their product.
fn factoring(pool: &mut TermPool) -> Vec<TermId> {
    let product = pool.bv(64, 2_147_483_647 * 2_147_483_629);
    let mut factors = Vec::new();
    let mut conjuncts = Vec::new();
    for name in ["p", "q"] {
        let factor = pool.var(name, Sort::Bv(32));
        let one = pool.bv(32, 1);
        conjuncts.push(pool.ult(one, factor));
        factors.push(pool.zext(factor, 64));
    }
    let multiplied = pool.mul(factors[0], factors[1]);
    conjuncts.push(pool.eq(multiplied, product));
    conjuncts
}

#[test]
fn a_hard_query_comes_back_when_its_time_is_up() {
    for &backend in Backend::ALL {
        let config =
            SolverConfig { backend, timeout: Some(Duration::from_millis(50)), ..SolverConfig::default() };
        let mut pool = TermPool::new();
        let goal = factoring(&mut pool);
        let mut solver = build(&config);
        let start = Instant::now();
        let answer = solver.check(&mut pool, &Query { path: &[], goal: &goal, want: Want::Model });
        assert!(matches!(answer, Answer::Unknown(Why::Timeout)), "{backend:?}: {answer:?}");
        // Generous: the machine may be busy with other tests.
        assert!(start.elapsed() < Duration::from_secs(3), "{backend:?}: {:?}", start.elapsed());

        // The solver is still good for other queries.
        let x = pool.var("x", Sort::Bv(32));
        let seven = pool.bv(32, 7);
        let easy = [pool.eq(x, seven)];
        let answer = solver.check(&mut pool, &Query { path: &[], goal: &easy, want: Want::Model });
        let model = answer.model().unwrap_or_else(|| panic!("{backend:?}: {answer:?}"));
        assert_eq!(pool.var_id(x).and_then(|x| model.get_u64(x)), Some(7));
    }
}

#[test]
fn an_interrupt_from_another_thread_ends_a_check() {
    for &backend in Backend::ALL {
        let interrupt = Arc::new(AtomicBool::new(false));
        let config = SolverConfig { backend, interrupt: Arc::clone(&interrupt), ..SolverConfig::default() };
        let mut pool = TermPool::new();
        let goal = factoring(&mut pool);
        let mut solver = build(&config);
        let query = Query { path: &[], goal: &goal, want: Want::Verdict };
        let raiser = std::thread::spawn({
            let interrupt = Arc::clone(&interrupt);
            move || {
                std::thread::sleep(Duration::from_millis(50));
                interrupt.store(true, Ordering::Relaxed);
            }
        });
        let answer = solver.check(&mut pool, &query);
        assert!(matches!(answer, Answer::Unknown(Why::Interrupted)), "{backend:?}: {answer:?}");
        raiser.join().expect("the other thread does not panic");
        // Raised beforehand, it ends the check at once.
        let answer = solver.check(&mut pool, &query);
        assert!(matches!(answer, Answer::Unknown(Why::Interrupted)), "{backend:?}: {answer:?}");
    }
}

#[test]
fn a_resource_limit_ends_a_check() {
    let config = SolverConfig { backend: Backend::Z3, rlimit: Some(100_000), ..SolverConfig::default() };
    let mut pool = TermPool::new();
    let goal = factoring(&mut pool);
    let answer = build(&config).check(&mut pool, &Query { path: &[], goal: &goal, want: Want::Verdict });
    assert!(matches!(answer, Answer::Unknown(Why::Limit)), "{answer:?}");
}

#[test]
fn a_term_of_two_hundred_thousand_levels_does_not_overflow_the_stack() {
    let mut pool = TermPool::new();
    let vars: Vec<TermId> = (0..7).map(|i| pool.var(&format!("x{i}"), Sort::Bv(8))).collect();
    let mut deep = vars[0];
    for level in 0..200_000 {
        let var = vars[level % vars.len()];
        deep = if level % 2 == 0 { pool.add(deep, var) } else { pool.bvxor(deep, var) };
    }
    let five = pool.bv(8, 5);
    let goal = [pool.eq(deep, five)];
    for &backend in Backend::ALL {
        let mut solver = build(&SolverConfig { backend, ..SolverConfig::default() });
        let answer = solver.check(&mut pool, &Query { path: &[], goal: &goal, want: Want::Verdict });
        match backend {
            Backend::Z3 => assert!(matches!(answer, Answer::Unknown(Why::Unsupported(_))), "{answer:?}"),
            _ => assert!(answer.is_sat(), "{answer:?}"),
        }
    }
}
