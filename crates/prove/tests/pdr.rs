//! Property-directed reachability and predicate abstraction on programs over unbounded integers: they agree with what is
//! known of the fixtures and of random programs, and their proof objects are accepted.

mod support;

use std::path::Path;
use std::time::Duration;

use selvedge_gcl::simulate::Random;
use selvedge_prove::{CheckResult, Gcl, Limits, Method, Verdict, check_proof};
use support::{outcome, program, random_program, reaches_bad};

/// Random programs.
const PROGRAMS: u64 = 100;

/// Whether the program is safe, as far as it was found out within a short time.
fn verdict(what: &str, program: &Gcl) -> Option<bool> {
    let limits = Limits { timeout: Some(Duration::from_millis(500)), ..Limits::default() };
    match outcome(program, Method::Pdr, limits).verdict {
        Verdict::Safe { check, proof } => {
            assert!(check.is_some(), "{what}");
            let proof = proof.expect("this method has a proof object");
            let checked = check_proof(program, &proof, &Limits::default()).expect("the proof can be read");
            assert_eq!(checked, CheckResult::Accepted, "{what}");
            Some(true)
        }
        Verdict::Unsafe(_) => Some(false),
        Verdict::Unknown { reasons } => {
            let why = reasons[0].to_string();
            assert!(["time limit", "control states"].iter().any(|w| why.contains(w)), "{what}: {why}");
            None
        }
    }
}

#[test]
fn fixtures_are_what_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/gcl");
    let (mut safe, mut bad) = (0, 0);
    for entry in std::fs::read_dir(folder).expect("the folder of fixtures exists") {
        let path = entry.expect("it can be listed").path();
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let what = path.display().to_string();
        let found = verdict(&what, &program(&text, &[]));
        let is_safe = text.contains("//@ verdict: safe");
        assert!(found.is_none_or(|found| found == is_safe), "{what}: {found:?}");
        safe += u32::from(found == Some(true));
        bad += u32::from(found == Some(false));
    }
    assert!(safe > 5 && bad > 5, "only {safe} safe and {bad} other programs were decided");
}

#[test]
fn random_programs_are_what_enumeration_finds() {
    let mut decided = 0;
    for seed in 0..PROGRAMS {
        let text = random_program(&mut Random::new(seed), seed % 2 == 0);
        let program = program(&text, &[]);
        if let Some(is_safe) = verdict(&text, &program) {
            decided += 1;
            assert_eq!(is_safe, !reaches_bad(program.system()), "seed {seed}:\n{text}");
        }
    }
    assert!(decided * 10 > PROGRAMS * 8, "only {decided} were decided");
}
