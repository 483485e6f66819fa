//! `replay --native` of random programs with an open world: what the engine says about them the real program does.

use std::ops::Range;

use selvedge_testkit::worlds::open;

use crate::Sandbox;

/// Seeds of the programs; `SELVEDGE_WORLDS=0..200` takes others.
const SEEDS: Range<u64> = 0..5;

fn seeds() -> Range<u64> {
    let given = std::env::var("SELVEDGE_WORLDS").ok();
    let bounds = given.as_deref().and_then(|text| text.split_once(".."));
    bounds.map_or(SEEDS, |(from, to)| {
        from.parse().expect("a number before ..")..to.parse().expect("a number after ..")
    })
}

/// Looks for a number that the program ends with, and replays that execution: an explanation if it is not reproduced.
fn check_seed(seed: u64) -> Result<(), String> {
    let sandbox = Sandbox::new();
    sandbox.file("world.c", open::source(seed));
    let found = (0..8).map(|n| (seed + n) % 8).find(|wanted| {
        let wanted = format!("-DWANTED={wanted}");
        let mut args = vec!["check", "world.c", "--timeout", "20", "--out", "result", "--sym-args", "1,2"];
        args.extend(["--sym-env", "2", "--sym-file", "in=2", "--quiet"]);
        // Every other one may meet a failing call as well.
        if seed % 2 == 1 {
            args.extend(["--fail", "io", "--fail-at-most", "1"]);
        }
        args.extend(["--", &wanted]);
        sandbox.run(&args).code == Some(1)
    });
    let Some(wanted) = found else { return Err(format!("seed {seed}: nothing is found")) };
    let run = sandbox.run(&["replay", "result/bug-1.json", "--native", "--timeout", "20"]);
    match run.stdout.contains("native: the real program fails in the same way") {
        true => Ok(()),
        false => Err(format!("seed {seed}, -DWANTED={wanted}: {}", run.stdout)),
    }
}

#[test]
fn random_programs_find_the_same_world_natively() {
    let failed: Vec<String> = seeds().filter_map(|seed| check_seed(seed).err()).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
