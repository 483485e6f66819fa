//! Proof objects of C programs.

use std::path::{Path, PathBuf};
use std::process::Output;

use sha2::{Digest, Sha256};

use super::{selvedge, text};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/prove")
}

fn prove(file: &Path, proof: &Path, more: &[&str]) -> Output {
    let mut args = vec![Path::new("prove"), Path::new("-q"), file, Path::new("--proof"), proof];
    args.extend(more.iter().map(Path::new));
    selvedge(&args)
}

fn check(file: &Path, proof: &Path, more: &[&str]) -> Output {
    let mut args = vec![Path::new("check-proof"), file, proof];
    args.extend(more.iter().map(Path::new));
    selvedge(&args)
}

/// The text with the sum that belongs to it.
fn signed(text: &str) -> String {
    let body = &text[..text.rfind("end ").expect("every proof has an end")];
    let sum: String = Sha256::digest(body.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{body}end {sum}\n")
}

#[test]
fn proofs_of_all_safe_c_programs_can_be_checked() {
    let dir = tempfile::tempdir().expect("temporary directory");
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).expect("the folder exists") {
        let file = entry.expect("it can be read").path();
        let source = std::fs::read_to_string(&file).expect("it can be read");
        let proof = dir.path().join(file.file_name().expect("a name"));
        let out = prove(&file, &proof, &[]);
        if !source.contains("//@ verdict: safe") {
            assert!(out.status.code() != Some(0) && !proof.exists(), "{}", file.display());
            continue;
        }
        count += 1;
        assert_eq!(out.status.code(), Some(0), "{}: {}", file.display(), text(&out.stdout));
        let out = check(&file, &proof, &[]);
        assert_eq!(out.status.code(), Some(0), "{}: {}", file.display(), text(&out.stdout));
        assert!(text(&out.stdout).lines().last().is_some_and(|l| l.starts_with("ACCEPTED")));
        let written = std::fs::read_to_string(&proof).expect("it can be read");
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(written.contains(&format!("0 {name}:")), "places are told:\n{written}");
        // With any values everywhere, what must not happen can.
        let anything: Vec<String> =
            written.lines().map(|l| l.split_once("case").map_or(l, |_| "case").to_owned()).collect();
        let anything = signed(&format!("{}\n", anything.join("\n")));
        if anything != written {
            std::fs::write(&proof, anything).expect("it can be written");
            let out = check(&file, &proof, &[]);
            let said = text(&out.stdout);
            assert!(out.status.code() == Some(1) && said.starts_with("REJECTED"), "{name}: {said}");
        }
    }
    assert!(count >= 9, "only {count} safe programs");
}

#[test]
fn what_is_no_proof_of_the_program_is_refused() {
    let dir = tempfile::tempdir().expect("temporary directory");
    let (peterson, ticket) = (folder().join("peterson.c"), folder().join("ticket.c"));
    let (proof, other) = (dir.path().join("p"), dir.path().join("q"));
    let out = prove(&peterson, &proof, &["--json", "-"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let written = std::fs::read_to_string(&proof).expect("it is there");
    let refused = |file: &Path, changed: &str, more: &[&str], why: &str| {
        std::fs::write(&other, changed).expect("it can be written");
        let out = check(file, &other, more);
        assert_eq!(out.status.code(), Some(2), "{why}: {}", text(&out.stdout));
        assert!(text(&out.stderr).contains(why), "{why}: {}", text(&out.stderr));
    };
    refused(&ticket, &written, &[], "the proof is about another program");
    refused(&peterson, &written, &["--check", "assert"], "the proof is about another program");
    refused(&peterson, &written, &["--check", "assert,race"], "the property race cannot be proved");
    refused(&peterson, &written.replacen("case ", "case -", 1), &[], "its sum does not match");
    refused(&peterson, &written[..written.len() / 2], &[], "its sum does not match");
    refused(
        &peterson,
        &written.replacen("proof 1", "proof 2", 1),
        &[],
        "this version of the format is not known",
    );
    refused(&peterson, "", &[], "`selvedge-proof` is missing");
    let unknown = signed(&written.replacen("case ", "case 999 ", 1));
    refused(&peterson, &unknown, &[], "there is no predicate `999`");
    let gcl = folder().join("../gcl/mutex.gcl");
    std::fs::write(&other, &written).expect("it can be written");
    assert_eq!(check(&gcl, &other, &[]).status.code(), Some(2), "a proof of a C program is none of another");
    assert_eq!(check(&peterson, &proof, &["-D", "N=3"]).status.code(), Some(2));
    let both = prove(&peterson, Path::new("-"), &["--json", "-"]);
    assert_eq!(both.status.code(), Some(2), "one thing goes to standard output");
}

#[test]
fn a_check_of_a_proof_stops_when_time_is_up() {
    let dir = tempfile::tempdir().expect("temporary directory");
    let (file, proof) = (folder().join("ticket.c"), dir.path().join("p"));
    assert_eq!(prove(&file, &proof, &[]).status.code(), Some(0));
    let out = check(&file, &proof, &["--timeout", "0.001"]);
    assert_eq!(out.status.code(), Some(3), "{}", text(&out.stdout));
    assert!(text(&out.stdout).starts_with("UNKNOWN  the time limit"), "{}", text(&out.stdout));
}
