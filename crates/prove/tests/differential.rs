//! Random programs with small domains: verdicts of both methods equal those of explicit-state search.

mod support;

use selvedge_gcl::simulate::Random;
use selvedge_prove::{Limits, Method, Verdict};
use support::{outcome, program, random_program, reaches_bad};

/// Programs; a tenth of them also by the other method.
const PROGRAMS: u64 = 2_000;

fn limits() -> Limits {
    Limits { max_iterations: 8, max_predicates: 30, max_states: 20_000, ..Limits::default() }
}

#[test]
fn verdicts_equal_those_of_enumeration() {
    let (mut safe, mut bugs, mut open) = (0, 0, 0);
    for seed in 0..PROGRAMS {
        let mut random = Random::new(seed);
        let text = random_program(&mut random, seed % 2 == 0);
        let program = program(&text, &[]);
        let expected = reaches_bad(program.system());
        match outcome(&program, Method::Ase, limits()).verdict {
            Verdict::Safe { .. } => {
                safe += 1;
                assert!(!expected, "seed {seed}: safe, but a bad state can be reached\n{text}");
            }
            Verdict::Unsafe(_) => {
                bugs += 1;
                assert!(expected, "seed {seed}: unsafe, but no bad state can be reached\n{text}");
            }
            Verdict::Unknown { reasons } => {
                open += 1;
                assert!(
                    reasons[0].contains("limit of") || reasons[0].contains("no new"),
                    "seed {seed}: {reasons:?}"
                );
            }
        }
    }
    assert!(
        safe > PROGRAMS / 10 && bugs > PROGRAMS / 10,
        "{safe} safe, {bugs} unsafe: the generator is lopsided"
    );
    assert!(open * 20 < PROGRAMS, "{open} of {PROGRAMS} were left open");
}

#[test]
fn the_two_methods_agree() {
    let mut both = 0;
    for seed in 0..PROGRAMS / 10 {
        let mut random = Random::new(seed);
        let text = random_program(&mut random, false);
        let program = program(&text, &[]);
        let verdicts = [Method::Ase, Method::Ur].map(|method| outcome(&program, method, limits()).verdict);
        match verdicts {
            [Verdict::Safe { .. }, Verdict::Safe { .. }] | [Verdict::Unsafe(_), Verdict::Unsafe(_)] => {
                both += 1
            }
            [Verdict::Unknown { .. }, _] | [_, Verdict::Unknown { .. }] => {}
            [ase, ur] => panic!("seed {seed}: {ase:?} and {ur:?}\n{text}"),
        }
    }
    assert!(both > PROGRAMS / 20, "only {both} programs were decided by both");
}
