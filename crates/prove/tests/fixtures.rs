//! Every program under `tests/programs/gcl` gives what its header says: verdict, iterations, predicates. Proof
//! objects are checked once more, and the thesis's numbers, where a header has them, are not exceeded.

mod support;

use std::path::Path;

use num_bigint::BigInt;
use selvedge_prove::{CheckResult, Limits, Method, Verdict, check_proof};
use support::{outcome, program};

/// `key=number` pairs of a header line.
fn numbers(text: &str) -> Vec<(String, u64)> {
    let pair = |word: &str| {
        let (key, value) = word.split_once('=')?;
        Some((key.to_owned(), value.trim_end_matches(';').parse().ok()?))
    };
    text.split_whitespace().filter_map(pair).collect()
}

fn check(name: &str, text: &str, defines: &[(String, BigInt)], ours: &str, thesis: &str) {
    let header = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("//@ {key}: ")))?;
        Some(line.trim().to_owned())
    };
    let program = program(text, defines);
    let outcome = outcome(&program, Method::Ase, Limits::default());
    let what = format!("{name} {defines:?}");
    match &outcome.verdict {
        Verdict::Safe { check: how, proof } => {
            assert_eq!(header("verdict").as_deref(), Some("safe"), "{what}");
            let how = how.expect("this method has a check").name();
            assert_eq!(header("check").as_deref().unwrap_or(how), how, "{what}");
            let proof = proof.as_ref().expect("this method has a proof object");
            let checked = check_proof(&program, proof, &Limits::default()).expect("the proof can be read");
            assert_eq!(checked, CheckResult::Accepted, "{what}");
        }
        Verdict::Unsafe(_) => assert_eq!(header("verdict").as_deref(), Some("unsafe"), "{what}"),
        Verdict::Unknown { reasons } => panic!("{what}: unknown, {reasons:?}"),
    }
    let found = |key: &str| match key {
        "iterations" => Some(u64::from(outcome.stats.iterations)),
        "predicates" => Some(outcome.stats.predicates as u64),
        _ => None,
    };
    assert!(!numbers(ours).is_empty(), "{what}: no numbers are expected");
    for (key, expected) in numbers(ours) {
        assert_eq!(found(&key), Some(expected), "{key} of {what}");
    }
    for (key, bound) in numbers(thesis) {
        assert!(found(&key) <= Some(bound), "{key} of {what} is above the thesis's {bound}");
    }
}

#[test]
fn every_program_gives_what_its_header_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/gcl");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of fixtures exists")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|e| e == "gcl"))
        .collect();
    files.sort();
    assert!(files.len() > 15, "the thesis's programs are there");
    for path in files {
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("it can be read");
        assert!(text.contains("// Source: "), "{name} does not say where it is from");
        let line = |key: &str| {
            text.lines().find_map(|l| l.strip_prefix(&format!("//@ {key}: "))).unwrap_or_default().to_owned()
        };
        check(&name, &text, &[], &line("ase"), &line("thesis"));
        for rev in text.lines().filter_map(|l| l.strip_prefix("//@ rev -D ")) {
            let (define, expected) = rev.split_once(": ").expect("a revision has expectations");
            let (constant, value) = define.split_once('=').expect("a revision sets a constant");
            let (ours, thesis) = expected.split_once("thesis").unwrap_or((expected, ""));
            let defines = [(constant.to_owned(), value.parse().expect("a number"))];
            check(&name, &text, &defines, ours, thesis);
        }
        let tree = selvedge_gcl::parse(&text).expect("it was parsed before");
        assert_eq!(selvedge_gcl::format(&tree), text, "{name} is not in the standard layout");
    }
}
