//! Random programs with uninitialised locals: every native outcome must be one that the engine knows.
//!
//! Natively a program runs with its locals filled with zeros, with clang's pattern, and with what is there. Where the
//! engine finds nothing that depends on an unwritten value (`uninit`), all fillings must give the same; where everything is
//! written, it must find nothing.
//!
//! `SELVEDGE_UNWRITTEN_PROGRAMS` sets the number of programs (8), `SELVEDGE_UNWRITTEN_SEED` the first seed (0). A program
//! with a mismatch stays in `target/tmp/unwritten`.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use selvedge_engine::{Config, Hooks, Outcome, Property, Verdict};
use selvedge_frontend::Options;
use selvedge_testkit::native::compile;
use selvedge_testkit::process::run;
use selvedge_testkit::unwritten::{is_written, source};

const PROGRAMS: u64 = 8;
const PATIENCE: Duration = Duration::from_secs(60);
const FILLINGS: [&[&str]; 3] = [&[], &["-ftrivial-auto-var-init=zero"], &["-ftrivial-auto-var-init=pattern"]];

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// The exit statuses of the program with each filling.
fn native(file: &Path, executable: &Path) -> BTreeSet<i32> {
    let status = |filling: &&[&str]| {
        compile(file, executable, |command| {
            command.args(["-w", "-O0", "-pthread"]).args(*filling);
        })
        .expect("the program is valid");
        let ended = run(&mut Command::new(executable), b"", PATIENCE).expect("it runs");
        ended.code.unwrap_or_else(|| panic!("{} does not end by itself", file.display()))
    };
    FILLINGS.iter().map(status).collect()
}

fn check(file: &Path, flags: &[String], properties: Vec<Property>) -> Outcome {
    let mut clang_args = vec!["-w".to_owned()];
    clang_args.extend_from_slice(flags);
    let options = Options { files: vec![file.to_owned()], clang_args, ..Options::default() };
    let program = selvedge_frontend::load(&options).expect("the program is valid");
    let config = Config { properties, timeout: Some(PATIENCE), ..Config::default() };
    let interrupted = AtomicBool::new(false);
    let hooks = Hooks { progress: &mut |_| {}, bug: &mut |_| {}, interrupted: &interrupted };
    selvedge_engine::verify(&program, &config, hooks)
}

#[test]
fn native_outcomes_of_unwritten_values_are_foreseen() {
    let keep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unwritten");
    std::fs::create_dir_all(&keep).expect("a folder");
    let first = number("SELVEDGE_UNWRITTEN_SEED", 0);
    let mut n_open = 0;
    for seed in first..first + number("SELVEDGE_UNWRITTEN_PROGRAMS", PROGRAMS) {
        let (file, executable) = (keep.join(format!("u{seed}.c")), keep.join(format!("u{seed}")));
        std::fs::write(&file, source(seed)).expect("a file");
        let seen = native(&file, &executable);
        n_open += usize::from(seen.len() > 1);
        for status in &seen {
            let flags = [format!("-DWANTED={status}")];
            let outcome = check(&file, &flags, Property::DEFAULT.to_vec());
            assert_eq!(outcome.verdict, Verdict::Unsafe, "status {status} of {}", file.display());
            let message = &outcome.bugs[0].message;
            assert!(message.contains("WANTED"), "{message} in {}", file.display());
        }
        let outcome = check(&file, &[], vec![Property::Uninit]);
        if outcome.verdict == Verdict::Safe {
            assert_eq!(seen.len(), 1, "{} depends on nothing unwritten", file.display());
        }
        if is_written(seed) {
            assert_eq!(outcome.verdict, Verdict::Safe, "{} writes everything", file.display());
        }
        std::fs::remove_file(&file).expect("ours");
        std::fs::remove_file(&executable).expect("ours");
    }
    assert!(n_open > 0, "no program shows what was never written");
}
