//! The same program under several searches: do they see the same?

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use selvedge_engine::{BugKind, Config, Dpor, Hooks, PathEndKind, Property, Reduction, ThreadOrder, Verdict};
use selvedge_frontend::Options as Load;

use super::{
    Mismatch, PLAIN, Plan, Program, SLICING, Stress, batch_text, entry_name, generate, reductions,
    single_text, stress,
};
use crate::generator::Node;
use crate::shrink::shrink;

/// How long one search may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Rounds of loops in which waits are not recognised.
const ROUNDS: u64 = 3;

/// What a search saw of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The verdict.
    pub verdict: Verdict,
    /// Bugs by kind, line and column.
    pub bugs: BTreeSet<(BugKind, u32, u32)>,
    /// Why the verdict is unknown.
    pub reasons: BTreeSet<String>,
    /// What complete executions print: their final states; not known where executions are left out.
    pub finals: Option<BTreeSet<String>>,
    /// Leaves of the search.
    pub executions: u64,
    /// Executions that were given up.
    pub blocked: u64,
}

impl Seen {
    fn gave_up(&self) -> bool {
        self.reasons.iter().any(|r| r.contains("limit"))
    }

    /// What a search of only a part of the executions has seen, and this one has not.
    fn lacks(&self, part: &Seen) -> Option<(&'static str, String)> {
        // A thread that is cut holds others up.
        let is_known =
            |bug: &(BugKind, u32, u32)| bug.0.property() == Property::Deadlock || self.bugs.contains(bug);
        if !part.bugs.iter().all(is_known) {
            return Some(("bugs", sets(&self.bugs, &part.bugs)));
        }
        match (&self.finals, &part.finals) {
            (Some(all), Some(some)) if !some.is_subset(all) => Some(("final states", sets(all, some))),
            _ => None,
        }
    }

    /// What must be the same in every search.
    fn difference(&self, other: &Seen) -> Option<(&'static str, String)> {
        if self.bugs != other.bugs {
            return Some(("bugs", sets(&self.bugs, &other.bugs)));
        }
        if self.reasons != other.reasons {
            return Some(("reasons", sets(&self.reasons, &other.reasons)));
        }
        if self.verdict != other.verdict {
            return Some(("verdict", format!("{:?} and {:?}", self.verdict, other.verdict)));
        }
        match (&self.finals, &other.finals) {
            (Some(one), Some(two)) if one != two => Some(("final states", sets(one, two))),
            _ => None,
        }
    }
}

fn sets<T: Ord + std::fmt::Debug>(one: &BTreeSet<T>, other: &BTreeSet<T>) -> String {
    let only =
        |a: &BTreeSet<T>, b: &BTreeSet<T>| format!("{:?}", a.difference(b).take(6).collect::<Vec<_>>());
    format!("only by the first {}, only by this one {}", only(one, other), only(other, one))
}

/// The result of a comparison.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Agreement {
    /// Programs that all searches finished.
    pub programs: usize,
    /// Programs that plain enumeration gave up: the reductions were compared with each other.
    pub partly: usize,
    /// Programs with nothing to compare.
    pub skipped: usize,
    /// Programs without a bug.
    pub safe: usize,
    /// Programs with an unknown verdict.
    pub unknown: usize,
    /// Programs by the properties they violate.
    pub buggy: BTreeMap<&'static str, usize>,
    /// Executions of plain enumeration, and of wakeup trees.
    pub executions: (u64, u64),
    /// Programs for which wakeup trees need several executions, and those of them for which slicing needs fewer.
    pub sliced: (usize, usize),
    /// Final states seen.
    pub finals: usize,
    /// Native runs, and programs run natively.
    pub native: (u64, usize),
    /// Everything that went wrong.
    pub mismatches: Vec<Mismatch>,
    /// Time for loading and for exploring, summed over workers.
    pub time: (Duration, Duration),
    /// Longest exploration, and of which program.
    pub slowest: (Duration, u64),
}

impl std::fmt::Display for Agreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for m in self.mismatches.iter().take(40) {
            writeln!(f, "seed {}: {}: {}", m.seed, m.kind, m.detail)?;
        }
        write!(
            f,
            "{} programs enumerated ({} only reduced, {} neither; {} safe, {} unknown; by bugs {:?}), \
             {} executions by enumeration and {} reduced, {} of {} programs sliced, {} final states, {} native runs of {} programs, {} mismatches \
             (load {:.1?}, explore {:.1?}, slowest {:.1?} for seed {})",
            self.programs,
            self.partly,
            self.skipped,
            self.safe,
            self.unknown,
            self.buggy,
            self.executions.0,
            self.executions.1,
            self.sliced.1,
            self.sliced.0,
            self.finals,
            self.native.0,
            self.native.1,
            self.mismatches.len(),
            self.time.0,
            self.time.1,
            self.slowest.0,
            self.slowest.1,
        )
    }
}

impl Agreement {
    /// Adds the results of another comparison.
    pub fn add(&mut self, other: Agreement) {
        self.programs += other.programs;
        self.partly += other.partly;
        self.skipped += other.skipped;
        self.safe += other.safe;
        self.unknown += other.unknown;
        for (property, more) in other.buggy {
            *self.buggy.entry(property).or_default() += more;
        }
        self.executions.0 += other.executions.0;
        self.executions.1 += other.executions.1;
        self.sliced.0 += other.sliced.0;
        self.sliced.1 += other.sliced.1;
        self.finals += other.finals;
        self.native.0 += other.native.0;
        self.native.1 += other.native.1;
        self.mismatches.extend(other.mismatches);
        self.time.0 += other.time.0;
        self.time.1 += other.time.1;
        self.slowest = self.slowest.max(other.slowest);
    }
}

/// Loads all programs of a batch from one file, which is written to `dir`.
///
/// # Errors
/// When they cannot be written or loaded.
pub fn explore_batch(programs: &[Program], dir: &Path) -> Result<selvedge_program::Program, String> {
    let file = dir.join("batch.c");
    std::fs::write(&file, batch_text(programs)).map_err(|e| e.to_string())?;
    let load = Load {
        files: vec![file],
        clang_args: vec!["-w".to_owned()],
        entry: "every_program".to_owned(),
        ..Load::default()
    };
    selvedge_frontend::load(&load).map_err(|e| e.to_string())
}

/// Explores the program of `seed` in `batch`.
///
/// # Errors
/// When the engine panics, or the program is not there.
pub fn observe(batch: &mut selvedge_program::Program, seed: u64, config: &Config) -> Result<Seen, String> {
    let name = entry_name(seed);
    let entry = batch.funcs.enumerate().find(|(_, f)| f.name == name).map(|(id, _)| id);
    batch.entry = Some(entry.ok_or("the program is not in its batch")?);
    let interrupted = AtomicBool::new(false);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let hooks = Hooks { progress: &mut |_| {}, bug: &mut |_| {}, interrupted: &interrupted };
        selvedge_engine::verify(batch, config, hooks)
    }))
    .map_err(|_| "the engine panics".to_owned())?;
    let finals = outcome.tests.iter().filter(|t| matches!(t.end, PathEndKind::Exit(_)));
    Ok(Seen {
        verdict: outcome.verdict,
        bugs: outcome.bugs.iter().map(|b| (b.kind, b.location.line, b.location.column)).collect(),
        reasons: outcome.reasons.into_iter().collect(),
        finals: config
            .search
            .tests
            .then(|| finals.map(|t| String::from_utf8_lossy(&t.stdout).into_owned()).collect()),
        executions: outcome.executions.total,
        blocked: outcome.executions.blocked,
    })
}

/// Whether the program of a seed is explored with spurious wakeups.
fn has_spurious_wakeups(seed: u64) -> bool {
    seed.is_multiple_of(8)
}

/// What the searches over one program came to.
struct Compared {
    /// What each of them saw.
    seen: Vec<Seen>,
    /// Where they differ.
    mismatches: Vec<Mismatch>,
    /// Executions of wakeup trees alone, and with slicing.
    sliced: Option<(u64, u64)>,
}

/// Explores one program in all ways; `None` if there is nothing to compare. The first is plain enumeration, or a
/// reduction if enumeration gives up.
fn agree_in(
    batch: &mut selvedge_program::Program,
    seed: u64,
    max_runs: u64,
) -> Result<Option<Compared>, String> {
    // Waits that end for no reason make programs larger: not in all of them.
    let spurious_wakeups = has_spurious_wakeups(seed);
    // Nothing may rely on which thread is tried first.
    let thread_order =
        if seed.is_multiple_of(3) { ThreadOrder::Shuffled(seed) } else { ThreadOrder::default() };
    let enumeration = Config::default().with(|c| {
        c.reduction = Reduction::None;
        c.surroundings.spurious_wakeups = spurious_wakeups;
        c.search.all_bugs = true;
        c.search.tests = true;
        c.limits.max_runs = Some(max_runs);
        c.limits.timeout = Some(PATIENCE);
    });
    let mut seen = vec![observe(batch, seed, &enumeration)?];
    let mut mismatches = Vec::new();
    let (mut plain, mut sliced) = (None, None);
    for (name, config) in reductions() {
        // Where everything is shared, a loop that keeps something of its own is no wait, and goes on for ever.
        let patience = if config.search.share_everything { PATIENCE / 12 } else { PATIENCE };
        let config = config.with(|c| {
            c.limits.timeout = Some(patience);
            c.limits.max_runs = Some(max_runs);
            c.surroundings.spurious_wakeups = spurious_wakeups;
            c.switches.thread_order = thread_order;
        });
        let other = observe(batch, seed, &config).map_err(|e| format!("{name}: {e}"))?;
        match name {
            _ if other.gave_up() => {}
            PLAIN => plain = Some(other.executions),
            SLICING => sliced = Some(other.executions),
            _ => {}
        }
        if seen[0].gave_up() {
            // The reductions can still be compared with each other.
            seen[0] = other;
            continue;
        }
        if other.gave_up() {
            continue;
        }
        if let Some((what, detail)) = seen[0].difference(&other) {
            mismatches.push(Mismatch { seed, kind: format!("{name}: {what}"), detail });
        }
        seen.push(other);
    }
    if !seen[0].gave_up() {
        // Whatever happens in a few rounds of loops also happens where waits are recognised.
        let rounds = enumeration.with(|c| {
            c.reduction = Reduction::Dpor(Dpor::default());
            c.switches.ignore_waits = true;
            c.bounds.unwind = Some(ROUNDS);
            c.limits.max_runs = Some(max_runs.min(1000));
        });
        let few = observe(batch, seed, &rounds).map_err(|e| format!("waits: {e}"))?;
        if let Some((what, detail)) = seen[0].lacks(&few) {
            mismatches.push(Mismatch { seed, kind: format!("waits: {what}"), detail });
        }
    }
    let sliced = plain.zip(sliced);
    Ok((seen.len() > 1).then_some(Compared { seen, mismatches, sliced }))
}

/// Explores a program by itself in all ways; `None` if there is nothing to compare.
///
/// # Errors
/// When it cannot be loaded or the engine fails.
pub fn agree(program: &Program, max_runs: u64) -> Result<Option<Vec<Mismatch>>, String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut batch = explore_batch(std::slice::from_ref(program), dir.path())?;
    Ok(agree_in(&mut batch, program.seed, max_runs)?.map(|compared| compared.mismatches))
}

/// Compares all programs of the plan.
pub fn compare(plan: &Plan) -> Agreement {
    let seeds: Vec<u64> = plan.seeds.clone().collect();
    let batches: Vec<&[u64]> = seeds.chunks(plan.batch.max(1)).collect();
    let next = AtomicUsize::new(0);
    let total = Mutex::new(Agreement::default());
    std::thread::scope(|scope| {
        for _ in 0..plan.workers.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(batch) = batches.get(index) else { return };
                    let is_stressed = plan.stress_every > 0 && index.is_multiple_of(plan.stress_every);
                    let one = compare_batch(batch, plan, is_stressed);
                    total.lock().expect("no worker panics with the lock").add(one);
                }
            });
        }
    });
    let mut total = total.into_inner().expect("all workers have ended");
    total.mismatches.sort_by_key(|m| m.seed);
    keep(&total.mismatches, plan);
    total
}

fn compare_batch(seeds: &[u64], plan: &Plan, is_stressed: bool) -> Agreement {
    let mut report = Agreement::default();
    let programs: Vec<Program> = seeds.iter().map(|s| generate(*s)).collect();
    let fault = |seed, detail: String| Mismatch { seed, kind: "failure of the tool".to_owned(), detail };
    let Ok(dir) = tempfile::tempdir() else {
        report.mismatches.push(fault(seeds[0], "there is no temporary folder".to_owned()));
        return report;
    };
    let started = Instant::now();
    let mut batch = match explore_batch(&programs, dir.path()) {
        Ok(batch) => batch,
        Err(error) => {
            report.mismatches.push(fault(seeds[0], error));
            return report;
        }
    };
    report.time.0 = started.elapsed();
    let mut runnable: Vec<(&Program, Seen)> = Vec::new();
    for program in &programs {
        let seed = program.seed;
        let started = Instant::now();
        let result = agree_in(&mut batch, seed, plan.max_runs);
        let took = started.elapsed();
        report.time.1 += took;
        report.slowest = report.slowest.max((took, seed));
        match result {
            Err(error) => report.mismatches.push(fault(seed, error)),
            Ok(None) => report.skipped += 1,
            Ok(Some(Compared { mut seen, mismatches, sliced })) => {
                report.count(&seen);
                if let Some((plain, sliced)) = sliced.filter(|(plain, _)| *plain > 1) {
                    report.sliced.0 += 1;
                    report.sliced.1 += usize::from(sliced < plain);
                }
                report.mismatches.extend(mismatches);
                // With spurious wakeups a wait always ends; a native one need not.
                if is_stressed && program.is_native() && !has_spurious_wakeups(seed) {
                    runnable.push((program, seen.swap_remove(0)));
                }
            }
        }
    }
    if is_stressed {
        match stress(&runnable, dir.path(), plan.native_runs) {
            Ok(Stress { runs, mismatches }) => {
                report.native = (runs, runnable.len());
                report.mismatches.extend(mismatches);
            }
            Err(error) => report.mismatches.push(fault(seeds[0], error)),
        }
    }
    report
}

impl Agreement {
    fn count(&mut self, seen: &[Seen]) {
        let plain = &seen[0];
        if seen.len() <= reductions().len() {
            self.partly += 1;
        } else {
            self.programs += 1;
            self.executions.0 += plain.executions;
            self.executions.1 += seen[1].executions;
        }
        self.safe += usize::from(plain.verdict == Verdict::Safe);
        self.unknown += usize::from(plain.verdict == Verdict::Unknown);
        let properties: BTreeSet<&str> = plain.bugs.iter().map(|b| b.0.property().name()).collect();
        for property in properties {
            *self.buggy.entry(property).or_default() += 1;
        }
        self.finals += plain.finals.as_ref().map_or(0, BTreeSet::len);
    }
}

/// Writes programs with a mismatch, the first ones also in a small version.
fn keep(mismatches: &[Mismatch], plan: &Plan) {
    let mut done: Vec<u64> = Vec::new();
    for mismatch in mismatches {
        if done.contains(&mismatch.seed) || done.len() >= 50 {
            continue;
        }
        done.push(mismatch.seed);
        let program = generate(mismatch.seed);
        let mut text = String::new();
        for m in mismatches.iter().filter(|m| m.seed == mismatch.seed) {
            let _ = writeln!(text, "// {}: {}", m.kind, m.detail);
        }
        // The report names the seed, so a folder that cannot be written loses nothing.
        let _ = std::fs::create_dir_all(&plan.keep);
        let name = |suffix: &str| plan.keep.join(format!("seed-{}{suffix}.c", mismatch.seed));
        let _ = std::fs::write(name(""), text.clone() + &single_text(&program.nodes));
        if done.len() <= 6 && !mismatch.kind.contains("native") {
            let small = smaller(&program, &mismatch.kind, plan.max_runs, Duration::from_secs(40));
            let _ = std::fs::write(name("-small"), text + &single_text(&small));
        }
    }
}

/// A smaller program with the same kind of mismatch.
fn smaller(program: &Program, kind: &str, max_runs: u64, limit: Duration) -> Vec<Node> {
    let end = Instant::now() + limit;
    let mut still_fails = |nodes: &[Node]| {
        let candidate = Program { nodes: nodes.to_vec(), ..program.clone() };
        let found = agree(&candidate, max_runs);
        found.is_ok_and(|m| m.is_some_and(|m| m.iter().any(|m| m.kind == kind)))
    };
    shrink(program.nodes.clone(), &mut still_fails, &mut || Instant::now() < end)
}
