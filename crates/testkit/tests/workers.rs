//! Several workers find what one finds: the same verdict, the same bugs, the same number of executions.

use std::sync::atomic::AtomicBool;

use selvedge_engine::{Config, Dpor, Hooks, Outcome, Reduction, verify};
use selvedge_frontend::{Options, load};
use selvedge_program::Program;

const COUNTERS: &str = "
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
static int a = 1, b = 1;
static void *first(void *p) { for (int i = 0; i < 2; i++) a += b; return p; }
static void *second(void *p) { for (int i = 0; i < 2; i++) b += a; return p; }
int main(void)
{
    pthread_t t, u;
    int limit = __VERIFIER_nondet_int();
    if (limit < 40) limit = 144;
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, second, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(a < LIMIT && b < LIMIT);
    return 0;
}
";

const LOCKS: &str = "
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int next, serving;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *worker(void *p)
{
    int mine = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != mine) {}
    n++;
    atomic_fetch_add(&serving, 1);
    pthread_mutex_lock(&mutex);
    n++;
    pthread_mutex_unlock(&mutex);
    return p;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(n <= 4);
    return 0;
}
";

fn program(name: &str, text: &str) -> Program {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, text).expect("a writable directory for tests");
    load(&Options { files: vec![file], ..Options::default() }).expect("a valid program")
}

fn run(program: &Program, reduction: &Reduction, jobs: usize) -> Outcome {
    let config = Config::default().with(|c| {
        c.reduction = reduction.clone();
        c.search.jobs = jobs;
        c.search.all_bugs = true;
    });
    let hooks = Hooks { progress: &mut |_| {}, bug: &mut |_| {}, interrupted: &AtomicBool::new(false) };
    verify(program, &config, hooks)
}

#[track_caller]
fn check(name: &str, text: &str) {
    let program = program(name, text);
    for reduction in [Reduction::None, Reduction::Dpor(Dpor::default())] {
        let alone = run(&program, &reduction, 1);
        assert!(alone.executions.total > 10, "{name}: there is something to share");
        for jobs in [2, 3] {
            let together = run(&program, &reduction, jobs);
            let what = format!("{name}, {}, {jobs} workers", reduction.name());
            assert_eq!(together.verdict, alone.verdict, "{what}: {:?}", together.reasons);
            let counts = |o: &Outcome| (o.executions.total, o.executions.full, o.executions.failed);
            assert_eq!(counts(&together), counts(&alone), "{what}");
            let bugs = |o: &Outcome| {
                let mut bugs: Vec<_> = o.bugs.iter().map(|b| (b.kind, b.location.line)).collect();
                bugs.sort_unstable();
                bugs
            };
            assert_eq!(bugs(&together), bugs(&alone), "{what}");
        }
    }
}

#[test]
fn all_executions_are_explored_once_by_someone() {
    check("counters_safe.c", &COUNTERS.replace("LIMIT", "1000"));
    check("locks.c", LOCKS);
}

#[test]
fn the_same_bugs_are_found() {
    check("counters_unsafe.c", &COUNTERS.replace("LIMIT", "8"));
}
