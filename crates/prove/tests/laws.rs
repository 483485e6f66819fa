//! The thesis's theorems as tests, and one place where its argument has a gap.

mod support;

use std::collections::BTreeSet;

use selvedge_gcl::simulate::Random;
use selvedge_prove::{Check, Limits, Method, Verdict, explored, shows_at_once};
use support::{outcome, program, random_program};

#[test]
fn more_predicates_explore_more_states() {
    // Theorem 4.2.3.
    let limits = Limits { max_matches: 0, ..Limits::default() };
    let mut grew = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let text = random_program(&mut random, false);
        // Exploration ends at an error; without a property there is none.
        let text = text.split("bad ").next().expect("there is a first part").to_owned();
        let program = program(&text, &[]);
        let all = ["x == 1", "y <= x", "z == 0", "x + y == 2", "z <= 1", "y == 3", "z mod 2 == 0", "x == z"];
        let mut predicates: Vec<String> = Vec::new();
        let mut before: Option<BTreeSet<_>> = None;
        for _ in 0..4 {
            let states: BTreeSet<_> = explored(&program, &predicates, &limits)
                .expect("all states are concrete")
                .into_iter()
                .collect();
            if let Some(before) = &before {
                assert!(before.is_subset(&states), "seed {seed}, {predicates:?}\n{text}");
                grew += usize::from(before.len() < states.len());
            }
            before = Some(states);
            predicates.push(all[random.below(all.len())].to_owned());
        }
    }
    assert!(grew > 50, "only {grew} explorations grew");
}

#[test]
fn each_of_the_two_checks_is_needed() {
    // Theorem 4.2.4: each system is proved without refinement by one of the checks, and not by the other.
    for (name, by, not_by) in [
        ("mutex.gcl", Check::SafeFragment, Check::InductiveInvariant),
        ("mutex_increment.gcl", Check::InductiveInvariant, Check::SafeFragment),
    ] {
        let path = format!("{}/../../tests/programs/gcl/{name}", env!("CARGO_MANIFEST_DIR"));
        let program = program(&std::fs::read_to_string(path).expect("the fixture exists"), &[]);
        let limits = Limits::default();
        assert_eq!(shows_at_once(&program, by, &limits), Ok(true), "{name}");
        assert_eq!(shows_at_once(&program, not_by, &limits), Ok(false), "{name}");
        assert_eq!(shows_at_once(&program, Check::Exact, &limits), Ok(false), "{name}");
        let outcome = outcome(&program, Method::Ase, limits);
        assert_eq!(outcome.stats.iterations, 1, "{name}");
        match outcome.verdict {
            Verdict::Safe { check, .. } => assert_eq!(check, Some(by), "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn input_that_reaches_more_from_other_states_is_not_overlooked() {
    // With `2 * x == y` decided, the first run only knows y == 1, from where the input never satisfies it.
    // The transition it sees is exact all the same; the thesis's check would stop here and say safe.
    let text = "
        var x: int = 0;
        var y: int = 1;
        process P {
            loc a, b, c, d;
            guess: at a do x := nondet goto b;
            again: at b when 2 * x != y do y := y + 1 goto a;
            found: at b when 2 * x == y goto c;
        }
        safe !P@c;";
    let outcome = outcome(&program(text, &[]), Method::Ase, Limits::default());
    assert!(matches!(outcome.verdict, Verdict::Unsafe(_)), "{:?}", outcome.verdict);
}
