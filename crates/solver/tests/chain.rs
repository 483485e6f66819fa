//! The chain with any choice of links answers like bare Z3, with right models and cores.

mod common;

use std::ops::Range;

use common::{Flavour, check_evidence, walk};
use selvedge_solver::{Answer, Backend, SolverConfig, build};
use selvedge_term::{TermPool, smtlib};

fn bare_z3() -> SolverConfig {
    SolverConfig {
        backend: Backend::Z3,
        simplify: false,
        independence: false,
        cache: false,
        ..SolverConfig::default()
    }
}

/// A configuration by its switches, one bit each.
fn switches(number: u32, backend: Backend) -> SolverConfig {
    SolverConfig {
        backend,
        simplify: number & 1 != 0,
        independence: number & 2 != 0,
        cache: number & 4 != 0,
        incremental: number & 8 != 0,
        ..SolverConfig::default()
    }
}

/// Asks every configuration what bare Z3 was asked. Returns how many queries were left open.
fn compare(configs: &[SolverConfig], flavour: Flavour, seeds: Range<u64>, depth: u32, steps: usize) -> usize {
    let mut open = 0;
    for seed in seeds {
        let mut pool = TermPool::new();
        let mut oracle = build(&bare_z3());
        let walked = walk(&mut pool, seed, flavour, depth, steps, &mut *oracle);
        for config in configs {
            let mut chain = build(config);
            for asked in &walked {
                let query = asked.query();
                let answer = chain.check(&mut pool, &query);
                match (&answer, &asked.expected) {
                    (Answer::Sat(_), Answer::Unsat(_)) | (Answer::Unsat(_), Answer::Sat(_)) => {
                        let conjuncts: Vec<_> = query.conjuncts().collect();
                        let script = smtlib::script(&pool, &conjuncts);
                        panic!("{answer:?} by {config:?} of seed {seed}, not {:?}\n{script}", asked.expected);
                    }
                    (Answer::Unknown(_), _) => open += 1,
                    _ => {}
                }
                check_evidence(&mut *oracle, &mut pool, &query, &answer, &asked.path_model);
            }
        }
    }
    open
}

#[test]
fn every_choice_of_links_answers_like_bare_z3() {
    let configs: Vec<SolverConfig> = Backend::ALL
        .iter()
        .flat_map(|&backend| (0..16).map(move |number| switches(number, backend)))
        .collect();
    assert_eq!(compare(&configs, Flavour::default(), 0..4, 3, 30), 0);
}

#[test]
fn the_full_chain_answers_like_bare_z3_on_longer_walks() {
    let configs = [SolverConfig::default(), switches(15, Backend::BitBlast)];
    assert_eq!(compare(&configs, Flavour::default(), 1000..1010, 3, 80), 0);
}

#[test]
fn the_full_chain_answers_like_bare_z3_on_deeper_terms() {
    compare(&[SolverConfig::default()], Flavour::default(), 1100..1106, 4, 40);
}

#[test]
fn comparisons_are_decided_by_facts_as_by_bare_z3() {
    let flavour = Flavour { comparisons: true, ..Flavour::default() };
    let configs = [1, 3, 15].map(|number| switches(number, Backend::BitBlast));
    assert_eq!(compare(&configs, flavour, 1200..1240, 1, 40), 0);
}

#[test]
fn arrays_are_answered_like_bare_z3() {
    let flavour = Flavour { arrays: true, ..Flavour::default() };
    let configs = [(15, Backend::Auto), (0, Backend::Auto), (0, Backend::Z3), (15, Backend::BitBlast)]
        .map(|(number, backend)| switches(number, backend));
    compare(&configs, flavour, 2000..2008, 4, 30);
}

#[test]
fn floats_are_answered_like_bare_z3() {
    let flavour = Flavour { floats: true, ..Flavour::default() };
    compare(&[SolverConfig::default()], flavour, 3000..3004, 3, 20);
}

#[test]
fn integers_are_answered_like_bare_z3() {
    let flavour = Flavour { ints: true, ..Flavour::default() };
    let configs = [(15, Backend::Auto), (0, Backend::Z3)].map(|(number, backend)| switches(number, backend));
    compare(&configs, flavour, 4000..4006, 3, 30);
}

#[test]
fn a_validated_chain_finds_no_fault_in_itself() {
    let flavour = Flavour { arrays: true, ..Flavour::default() };
    let mut pool = TermPool::new();
    let walked = walk(&mut pool, 5000, flavour, 3, 60, &mut *build(&bare_z3()));
    for backend in [Backend::Auto, Backend::Z3] {
        let mut chain = build(&SolverConfig { validate: true, ..switches(15, backend) });
        for asked in &walked {
            chain.check(&mut pool, &asked.query());
        }
        let stats = chain.stats();
        assert_eq!((stats.validated, stats.mismatches), (120, 0));
    }
}
