//! Proof objects: what the checker accepts and what it rejects.

mod support;

use selvedge_prove::{CheckError, CheckResult, Gcl, Limits, Method, Verdict, check_proof};
use support::{outcome, program, signed};

fn proof_of(name: &str) -> (Gcl, String) {
    let path = format!("{}/../../tests/programs/gcl/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the fixture exists");
    let program = program(&text, &[]);
    match outcome(&program, Method::Ase, Limits::default()).verdict {
        Verdict::Safe { proof: Some(proof), .. } => (program, proof),
        other => panic!("{other:?}"),
    }
}

fn is_accepted(program: &Gcl, proof: &str) -> bool {
    matches!(check_proof(program, proof, &Limits::default()), Ok(CheckResult::Accepted))
}

const PROGRAMS: [&str; 9] = [
    "mutex.gcl",
    "mutex_increment.gcl",
    "bakery.gcl",
    "ticket.gcl",
    "ticket_any_start.gcl",
    "peterson.gcl",
    "rax.gcl",
    "mesi_any.gcl",
    "synapse_any.gcl",
];

#[test]
fn every_state_and_every_literal_of_a_proof_is_needed() {
    // Explored states are real and abstract states do not overlap, so that an invariant without one of them,
    // or with another one in its place, is none.
    for name in PROGRAMS {
        let (program, proof) = proof_of(name);
        assert!(is_accepted(&program, &proof), "{name}");
        let mut body: Vec<String> = proof.lines().map(str::to_owned).collect();
        body.pop();
        assert!(is_accepted(&program, &signed(&body)), "{name}: signing is right");
        for (at, line) in body.clone().iter().enumerate().filter(|(_, line)| line.starts_with("state")) {
            let mut without = body.clone();
            without.remove(at);
            assert!(!is_accepted(&program, &signed(&without)), "{name} without `{line}`");
            let Some((control, literals)) = line.split_once(" : ") else { continue };
            let literals: Vec<&str> = literals.split(' ').collect();
            // Two of them for each state; which two changes from state to state.
            for i in [at % literals.len(), (7 * at + 3) % literals.len()] {
                let mut flipped: Vec<String> = literals.iter().map(|l| (*l).to_owned()).collect();
                flipped[i] = match flipped[i].strip_prefix('-') {
                    Some(positive) => positive.to_owned(),
                    None => format!("-{}", flipped[i]),
                };
                let mut other = body.clone();
                other[at] = format!("{control} : {}", flipped.join(" "));
                assert!(
                    !is_accepted(&program, &signed(&other)),
                    "{name} with literal {} of `{line}` flipped",
                    i + 1
                );
            }
        }
    }
}

#[test]
fn a_proof_with_a_bad_state_is_rejected() {
    let (program, proof) = proof_of("bakery.gcl");
    let mut body: Vec<String> = proof.lines().map(str::to_owned).collect();
    body.pop();
    body.push("state crit crit = x == 1".to_owned());
    match check_proof(&program, &signed(&body), &Limits::default()) {
        Ok(CheckResult::Rejected(why)) => assert!(why.contains("bad"), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn damage_is_noticed() {
    let (program, proof) = proof_of("ticket.gcl");
    for at in 0..proof.len() {
        let mut bytes = proof.clone().into_bytes();
        bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        assert!(!is_accepted(&program, &text), "byte {at}");
    }
    for cut in 0..proof.len() - 1 {
        assert!(!is_accepted(&program, &proof[..cut]), "cut at {cut}");
    }
}

#[test]
fn a_proof_belongs_to_its_program() {
    let (_, proof) = proof_of("ticket.gcl");
    let (other, _) = proof_of("bakery.gcl");
    let result = check_proof(&other, &proof, &Limits::default());
    assert!(matches!(result, Err(CheckError::Proof(_))), "{result:?}");
}
