//! Laws of the engine over generated programs: reproducible, whatever the order, whatever the solver's short cuts.
//!
//! `SELVEDGE_PROPERTY_PROGRAMS` sets the number of programs for each law, `SELVEDGE_DIFF_SEED` the first seed.

use selvedge_engine::{Backend, Config, Order};
use selvedge_testkit::differential::{explore, paths_of_variants};
use selvedge_testkit::generator::{Generated, Options, generate};
use selvedge_testkit::wishes::number;

fn programs(default: u64, offset: u64) -> Vec<Generated> {
    let first = number("SELVEDGE_DIFF_SEED", 0) + offset;
    let count = number("SELVEDGE_PROPERTY_PROGRAMS", default);
    (first..first + count).map(|seed| generate(seed, &Options::default())).collect()
}

/// All configurations must give what the first one gives.
fn check_equal(programs: &[Generated], configs: &[(&str, Config)]) {
    let plain: Vec<Config> = configs.iter().map(|(_, c)| c.clone()).collect();
    let results = paths_of_variants(programs, &plain).expect("native programs are built and run");
    let mut problems = Vec::new();
    for (program, variants) in programs.iter().zip(&results) {
        for ((name, _), variant) in configs.iter().zip(variants).skip(1) {
            if *variant != variants[0] {
                problems.push(format!("seed {}, {name}:\n  {:?}\n  {variant:?}", program.seed, variants[0]));
            }
        }
    }
    assert!(problems.is_empty(), "{} differences\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn every_search_order_finds_the_same_paths() {
    let with = |search, seed| {
        Config::default().with(|c| {
            c.search.order = search;
            c.search.seed = seed;
        })
    };
    let configs = [
        ("dfs", with(Order::Dfs, 0)),
        ("bfs", with(Order::Bfs, 0)),
        ("random-path", with(Order::RandomPath, 0)),
        ("random-path, another seed", with(Order::RandomPath, 77)),
        ("coverage", with(Order::Coverage, 0)),
    ];
    check_equal(&programs(60, 100_000), &configs);
}

#[test]
fn no_short_cut_of_the_solver_changes_the_result() {
    let on = Config::default();
    let configs = [
        ("all on", on.clone()),
        ("no simplification", on.clone().with(|c| c.solver.simplify = false)),
        ("no independence", on.clone().with(|c| c.solver.independence = false)),
        ("no cache", on.clone().with(|c| c.solver.cache = false)),
        ("no incremental solver", on.clone().with(|c| c.solver.incremental = false)),
        ("no bit-blaster", on.clone().with(|c| c.solver.backend = Backend::Z3)),
        ("validated", on.clone().with(|c| c.solver.validate = true)),
        (
            "all off",
            on.with(|c| {
                c.solver.simplify = false;
                c.solver.independence = false;
                c.solver.cache = false;
                c.solver.incremental = false;
                c.solver.backend = Backend::Z3;
            }),
        ),
    ];
    check_equal(&programs(40, 200_000), &configs);
}

#[test]
fn two_runs_with_one_configuration_are_equal() {
    let dir = tempfile::tempdir().expect("a folder");
    for search in [Order::Dfs, Order::RandomPath] {
        for program in programs(20, 300_000) {
            let file = dir.path().join("p.c");
            std::fs::write(&file, program.source()).expect("written");
            let config = Config::default().with(|c| {
                c.search.tests = true;
                c.search.order = search;
                c.search.seed = 5;
            });
            let run = || {
                let (outcome, _) = explore(&file, &config).expect("the tool works");
                let counts =
                    (outcome.executions, outcome.states, outcome.instructions, outcome.solver.queries);
                (outcome.verdict, outcome.reasons, outcome.bugs, outcome.tests, counts)
            };
            assert_eq!(run(), run(), "seed {}", program.seed);
        }
    }
}
