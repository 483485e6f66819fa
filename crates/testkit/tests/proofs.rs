//! Proofs without bounds and searches of everything never contradict each other.
//!
//! `SELVEDGE_PROOF_PROGRAMS` sets the number of random programs (120), `SELVEDGE_DIFF_SEED` the first seed (0).

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use selvedge_engine::{BugKind, Config, Dpor, Hooks, Outcome, Reduction, Verdict, prove, verify};
use selvedge_frontend::{Options, load};
use selvedge_program::Program;
use selvedge_testkit::threads::{generate, single_text};
use selvedge_testkit::wishes::number;

fn program(name: &str, text: &str) -> Program {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, text).expect("a writable directory for tests");
    load(&Options { files: vec![file], ..Options::default() }).expect("a valid program")
}

fn proved(program: &Program, timeout: u64) -> Outcome {
    let config = Config::default().with(|c| c.limits.timeout = Some(Duration::from_secs(timeout)));
    let hooks = Hooks { progress: &mut |_| {}, bug: &mut |_| {}, interrupted: &AtomicBool::new(false) };
    prove(program, &config, None, hooks)
}

fn explored(program: &Program) -> Outcome {
    let config = Config::default().with(|c| {
        c.reduction = Reduction::Dpor(Dpor::default());
        c.search.all_bugs = true;
        c.limits.max_runs = Some(20_000);
        c.limits.timeout = Some(Duration::from_secs(20));
    });
    let hooks = Hooks { progress: &mut |_| {}, bug: &mut |_| {}, interrupted: &AtomicBool::new(false) };
    verify(program, &config, hooks)
}

#[test]
fn proofs_and_searches_agree_on_random_programs() {
    let (first, count) = (number("SELVEDGE_DIFF_SEED", 0), number("SELVEDGE_PROOF_PROGRAMS", 120));
    let (mut safe, mut wrong) = (0, 0);
    for seed in first..first + count {
        let generated = generate(seed);
        let text = single_text(&generated.nodes);
        let program = program("proofs.c", &text);
        let (by_proof, by_search) = (proved(&program, 3), explored(&program));
        // Loops that wait for ever are not looked for by proofs.
        let bugs: Vec<(BugKind, u32, u32)> = by_search
            .bugs
            .iter()
            .filter(|b| b.kind != BugKind::Livelock)
            .map(|b| (b.kind, b.location.line, b.location.column))
            .collect();
        match by_proof.verdict {
            Verdict::Safe => {
                safe += 1;
                assert!(bugs.is_empty(), "seed {seed}: proved, but {bugs:?}\n{text}");
            }
            Verdict::Unsafe => {
                wrong += 1;
                let bug = &by_proof.bugs[0];
                let found = (bug.kind, bug.location.line, bug.location.column);
                let gave_up = by_search.reasons.iter().any(|r| r.contains("limit"));
                assert!(
                    gave_up || bugs.contains(&found),
                    "seed {seed}: {found:?} is not in {bugs:?}\n{text}"
                );
            }
            Verdict::Unknown => {
                let reasons = by_proof.reasons.join("; ");
                for bad in ["does not fail", "checker", "contradict"] {
                    assert!(!reasons.contains(bad), "seed {seed}: {reasons}\n{text}");
                }
            }
        }
    }
    assert!(10 * (safe + wrong) > 6 * count, "only {safe} + {wrong} of {count} programs were decided");
    assert!(safe > 0 && wrong > 0, "{safe} safe and {wrong} unsafe programs");
}

/// Its bytes may have any value, and that is not the point. A native run need not notice.
const UNINITIALISED_LOCK: &str = "
#include <pthread.h>
#include <stdlib.h>
static pthread_rwlock_t *lock;
static int value;
static void *writer(void *p)
{
    while (1) {
        value++;
        pthread_rwlock_wrlock(lock);
        value--;
        pthread_rwlock_unlock(lock);
    }
    return p;
}
int main(void)
{
    pthread_t t, u;
    lock = malloc(sizeof *lock);
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, writer, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
";

#[test]
fn a_lock_that_nobody_has_initialised_is_no_lock() {
    let outcome = proved(&program("uninitialised_lock.c", UNINITIALISED_LOCK), 20);
    assert_eq!(outcome.verdict, Verdict::Unsafe, "{:?}", outcome.reasons);
    assert_eq!(outcome.bugs[0].location.line, 10);
}
