//! Random programs with small domains: verdicts of both methods equal those of explicit-state search.

mod support;

use selvedge_gcl::simulate::Random;
use selvedge_prove::{Limits, Method, Verdict};
use support::{outcome, program, random_program, reaches_bad};

/// Programs. Every other one has nondeterministic values; the others are also given to the second method, which rarely
/// ends where the first one needs an invariant.
const PROGRAMS: u64 = 2_000;

fn limits() -> Limits {
    Limits { max_iterations: 8, max_predicates: 30, max_states: Some(20_000), ..Limits::default() }
}

/// How often a method came to each verdict.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    safe: u64,
    bugs: u64,
    open: u64,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.safe += other.safe;
        self.bugs += other.bugs;
        self.open += other.open;
    }
}

/// Compares the verdict of `method` with what is `expected` of the program of `seed`.
fn compare(seed: u64, text: &str, method: Method, expected: bool, tally: &mut Tally) {
    match outcome(&program(text, &[]), method, limits()).verdict {
        Verdict::Safe { .. } => {
            tally.safe += 1;
            assert!(!expected, "seed {seed}, {method:?}: safe, but a bad state can be reached\n{text}");
        }
        Verdict::Unsafe(_) => {
            tally.bugs += 1;
            assert!(expected, "seed {seed}, {method:?}: unsafe, but no bad state can be reached\n{text}");
        }
        Verdict::Unknown { reasons } => {
            tally.open += 1;
            let is_limit = reasons[0].what.contains("limit of") || reasons[0].what.contains("no new");
            assert!(is_limit, "seed {seed}, {method:?}: {reasons:?}\n{text}");
        }
    }
}

#[test]
fn verdicts_of_both_methods_equal_those_of_enumeration() {
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let work = |worker: u64| {
        let (mut ase, mut ur) = (Tally::default(), Tally::default());
        for seed in (worker..PROGRAMS).step_by(workers as usize) {
            let free = seed % 2 == 0;
            let text = random_program(&mut Random::new(seed), free);
            let expected = reaches_bad(program(&text, &[]).system());
            compare(seed, &text, Method::Ase, expected, &mut ase);
            if !free {
                compare(seed, &text, Method::Ur, expected, &mut ur);
            }
        }
        (ase, ur)
    };
    let (mut ase, mut ur) = (Tally::default(), Tally::default());
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|worker| scope.spawn(move || work(worker))).collect();
        for thread in threads {
            let (a, u) = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            ase.add(a);
            ur.add(u);
        }
    });
    assert_eq!(ase.safe + ase.bugs + ase.open, PROGRAMS);
    assert!(ase.safe > PROGRAMS / 10 && ase.bugs > PROGRAMS / 10, "{ase:?}: the generator is lopsided");
    assert!(ase.open * 20 < PROGRAMS, "{ase:?}: too many were left open");
    assert!(ur.safe + ur.bugs > PROGRAMS / 4, "{ur:?}: too few were decided by both");
}
