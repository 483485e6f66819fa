//! Feasibility and subsumption queries as a search asks them, over several chains.
//!
//! Prints CPU time per query, because wall-clock time on a shared machine says little.
//! Run with `cargo bench -p selvedge-solver [-- NAME..]`, where a name picks families.

use std::time::Duration;

use selvedge_solver::{Answer, Backend, Query, SolverConfig, Want, build};
use selvedge_term::{Assignment, Sort, TermId, TermPool, eval};

/// A small deterministic generator (SplitMix64).
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}

/// A recorded query.
struct Asked {
    path: Vec<TermId>,
    goal: Vec<TermId>,
}

/// A family of queries over one pool.
struct Family {
    name: &'static str,
    pool: TermPool,
    queries: Vec<Asked>,
}

/// Walks depth-first: `branch` makes a condition for a depth, both sides are asked, and a
/// feasible one is followed. Verdicts come from the default chain.
fn walk(
    name: &'static str,
    count: usize,
    depth: usize,
    mut branch: impl FnMut(&mut TermPool, &mut Rng, usize) -> TermId,
) -> Family {
    let count = count / scale();
    let mut pool = TermPool::new();
    let mut rng = Rng(7);
    let mut solver = build(&SolverConfig::default());
    let mut queries = Vec::new();
    let mut path: Vec<TermId> = Vec::new();
    while queries.len() < count {
        if path.len() >= depth {
            // Back to a random place, mostly near the end, as a depth-first search does.
            let back = 1 + rng.below(8).min(rng.below(depth as u64)) as usize;
            path.truncate(path.len() - back.min(path.len()));
            if rng.below(20) == 0 {
                path.clear();
            }
        }
        let condition = branch(&mut pool, &mut rng, path.len());
        if pool.is_const(condition) {
            continue;
        }
        let sides = [condition, pool.not(condition)];
        let mut feasible = Vec::new();
        for side in sides {
            let goal = [side];
            let answer = solver.check(&mut pool, &Query { path: &path, goal: &goal, want: Want::Verdict });
            if matches!(answer, Answer::Sat(_)) {
                feasible.push(side);
            }
            queries.push(Asked { path: path.clone(), goal: goal.to_vec() });
        }
        if !feasible.is_empty() {
            path.push(rng.pick(&feasible));
        }
    }
    Family { name, pool, queries }
}

/// `SCALE=10` asks a tenth of the queries.
fn scale() -> usize {
    std::env::var("SCALE").ok().and_then(|text| text.parse().ok()).unwrap_or(1).max(1)
}

fn compare(pool: &mut TermPool, rng: &mut Rng, a: TermId, b: TermId) -> TermId {
    match rng.below(5) {
        0 => pool.eq(a, b),
        1 => pool.ult(a, b),
        2 => pool.ule(a, b),
        3 => pool.slt(a, b),
        _ => pool.sle(a, b),
    }
}

/// 32-bit linear comparisons over eight variables, about ten conjuncts.
fn feasibility() -> Family {
    walk("feas", 20_000, 12, |pool, rng, _| {
        let width = Sort::Bv(32);
        let var = |pool: &mut TermPool, rng: &mut Rng| pool.var(&format!("x{}", rng.below(8)), width);
        let (a, b) = (var(pool, rng), var(pool, rng));
        let sum = if rng.below(2) == 0 { pool.add(a, b) } else { a };
        let constant = pool.bv(32, rng.below(1000));
        let sum = if rng.below(3) == 0 { pool.add(sum, constant) } else { sum };
        let other = if rng.below(2) == 0 { var(pool, rng) } else { pool.bv(32, rng.below(1 << 16)) };
        compare(pool, rng, sum, other)
    })
}

/// A parser's paths: long, over many bytes, each compared with constants, with a running sum.
fn parser() -> Family {
    walk("parser", 20_000, 200, |pool, rng, depth| {
        let byte = pool.var(&format!("in{}", depth / 3), Sort::Bv(8));
        match rng.below(8) {
            0 => {
                // A checksum over the last bytes.
                let mut sum = pool.bv(32, 0);
                for i in (depth / 3).saturating_sub(4)..=depth / 3 {
                    let byte = pool.var(&format!("in{i}"), Sort::Bv(8));
                    let wide = pool.zext(byte, 32);
                    let ten = pool.bv(32, 10);
                    let scaled = pool.mul(sum, ten);
                    sum = pool.add(scaled, wide);
                }
                let limit = pool.bv(32, rng.below(1 << 20));
                pool.ult(sum, limit)
            }
            1 => {
                let wide = pool.sext(byte, 32);
                let constant = pool.bv(32, rng.below(128));
                pool.slt(wide, constant)
            }
            _ => {
                let constant = pool.bv(8, 32 + rng.below(96));
                compare(pool, rng, byte, constant)
            }
        }
    })
}

/// Multiplications, remainders and shifts of symbolic values, 16 bits.
fn nonlinear() -> Family {
    walk("nonlin", 2_000, 8, |pool, rng, _| {
        let var = |pool: &mut TermPool, rng: &mut Rng| pool.var(&format!("n{}", rng.below(5)), Sort::Bv(16));
        let (a, b) = (var(pool, rng), var(pool, rng));
        let made = match rng.below(4) {
            0 => pool.mul(a, b),
            1 => {
                let seven = pool.bv(16, 3 + rng.below(20));
                pool.urem(a, seven)
            }
            2 => pool.shl(a, b),
            _ => pool.udiv(a, b),
        };
        let other = if rng.below(2) == 0 { var(pool, rng) } else { pool.bv(16, rng.below(1 << 12)) };
        compare(pool, rng, made, other)
    })
}

/// Reads and writes of a byte array at symbolic indices.
fn arrays() -> Family {
    walk("arrays", 2_000, 8, |pool, rng, _| {
        let index = Sort::Bv(32);
        let mut array = pool.var("m", Sort::Array { index: 32, elem: 8 });
        for _ in 0..rng.below(4) {
            let at = pool.var(&format!("i{}", rng.below(4)), index);
            let value = pool.bv(8, rng.below(256));
            array = pool.store(array, at, value);
        }
        let at = pool.var(&format!("i{}", rng.below(4)), index);
        let read = pool.select(array, at);
        if rng.below(3) == 0 {
            let limit = pool.bv(32, rng.below(100));
            return pool.ult(at, limit);
        }
        let constant = pool.bv(8, rng.below(256));
        compare(pool, rng, read, constant)
    })
}

/// All paths of bubble sort over six integers, asked as the explorer asks: the side that a model
/// of the path takes is feasible, and a model of the other side is wanted.
fn sort() -> Family {
    const N: usize = 6;
    let mut pool = TermPool::new();
    let vars: Vec<TermId> = (0..N).map(|i| pool.var(&format!("s{i}"), Sort::Bv(32))).collect();
    let mut solver = build(&SolverConfig::default());
    let mut queries = Vec::new();
    // Steps of the algorithm done, the array, the path and its model.
    let mut pending = vec![(0, vars, Vec::new(), Assignment::new())];
    let steps: Vec<usize> = (0..N).flat_map(|pass| 0..N - 1 - pass).collect();
    while let Some((step, array, path, model)) = pending.pop() {
        let Some(&at) = steps.get(step) else { continue };
        let swapped = pool.slt(array[at + 1], array[at]);
        let kept = pool.not(swapped);
        let mut next = array.clone();
        next.swap(at, at + 1);
        for (cond, array) in [(kept, array), (swapped, next)] {
            let mut model = model.clone();
            if eval(&pool, cond, &model).as_bool() != Some(true) {
                let goal = vec![cond];
                let answer = solver.check(&mut pool, &Query { path: &path, goal: &goal, want: Want::Model });
                queries.push(Asked { path: path.clone(), goal });
                match answer.model() {
                    Some(found) => model.merge(found),
                    None => continue,
                }
            }
            let mut path = path.clone();
            path.push(cond);
            pending.push((step + 1, array, path, model));
        }
    }
    queries.truncate(queries.len() / scale());
    Family { name: "sort", pool, queries }
}

/// Is a state contained in a summary? `pc ∧ ¬(20 disjuncts)` over eight variables.
fn subsumption() -> Family {
    let mut family = feasibility();
    let mut rng = Rng(99);
    let conditions: Vec<TermId> = family.queries.iter().map(|asked| asked.goal[0]).collect();
    let mut queries = Vec::new();
    for asked in family.queries.iter().step_by(10) {
        let pool = &mut family.pool;
        let mut goal = Vec::new();
        for _ in 0..20 {
            let parts: Vec<TermId> = (0..3).map(|_| rng.pick(&conditions)).collect();
            let disjunct = pool.and_all(&parts);
            goal.push(pool.not(disjunct));
        }
        queries.push(Asked { path: asked.path.clone(), goal });
    }
    Family { name: "sub", pool: family.pool, queries }
}

type Make = fn() -> Family;

fn cpu_time() -> Duration {
    // Nanoseconds this thread has run, by the kernel's scheduler.
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split_whitespace().next().and_then(|field| field.parse().ok()).unwrap_or(0);
    Duration::from_nanos(nanos)
}

fn chains() -> Vec<(&'static str, SolverConfig)> {
    let bare = SolverConfig {
        simplify: false,
        independence: false,
        cache: false,
        timeout: Some(Duration::from_secs(20)),
        ..SolverConfig::default()
    };
    vec![
        ("z3", SolverConfig { backend: Backend::Z3, ..bare.clone() }),
        ("bitblast", SolverConfig { backend: Backend::BitBlast, ..bare.clone() }),
        ("auto", bare.clone()),
        ("auto+indep", SolverConfig { independence: true, ..bare.clone() }),
        ("auto+indep+simp", SolverConfig { independence: true, simplify: true, ..bare.clone() }),
        ("full", SolverConfig { independence: true, simplify: true, cache: true, ..bare.clone() }),
        (
            "full/z3",
            SolverConfig { backend: Backend::Z3, independence: true, simplify: true, cache: true, ..bare },
        ),
    ]
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let families: [(&str, Make); 6] = [
        ("sort", sort),
        ("feas", feasibility),
        ("parser", parser),
        ("nonlin", nonlinear),
        ("arrays", arrays),
        ("sub", subsumption),
    ];
    println!(
        "{:<8} {:<16} {:>9} {:>8} {:>8} {:>8}  hits",
        "family", "chain", "us/query", "sat", "unsat", "unknown"
    );
    for (name, make) in families {
        if !wanted.is_empty() && !wanted.iter().any(|w| w == name) {
            continue;
        }
        let mut family = make();
        for (chain, config) in chains() {
            if std::env::var("CHAIN").is_ok_and(|only| only != chain) {
                continue;
            }
            let mut solver = build(&config);
            let start = cpu_time();
            for asked in &family.queries {
                let query = Query { path: &asked.path, goal: &asked.goal, want: Want::Verdict };
                solver.check(&mut family.pool, &query);
            }
            let micros = (cpu_time() - start).as_secs_f64() * 1e6 / family.queries.len() as f64;
            let s = solver.stats();
            println!(
                "{:<8} {chain:<16} {micros:>9.1} {:>8} {:>8} {:>8}  simp {} model {} core {} exact {} | bb {} (gave up {}, rebuilt {}) z3 {}",
                family.name,
                s.sat,
                s.unsat,
                s.unknown,
                s.simplified,
                s.model_hits,
                s.core_hits,
                s.exact_hits,
                s.bitblast_calls,
                s.bitblast_gave_up,
                s.bitblast_rebuilds,
                s.z3_calls
            );
        }
    }
}
