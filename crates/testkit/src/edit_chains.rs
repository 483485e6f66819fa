//! Random programs with threads in chains of versions: each version is checked with what is known of those before it, in
//! both ways and with one of the reductions, and from scratch.

use std::path::Path;
use std::time::Duration;

use selvedge_engine::{Ag, Config, Outcome, Reduction, ReductionKind};
use selvedge_frontend::{Options, load};
use selvedge_program::Program;

use crate::generator::Rng;
use crate::lineage::{Lineage, Way, difference, from_scratch, is_cut};
use crate::{edits, statements, threads};

/// Versions of one program.
const VERSIONS: usize = 6;

/// What a comparison has seen.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Seen {
    /// Versions that were compared, and edits between them.
    pub versions: u64,
    /// Edits between versions.
    pub edits: u64,
    /// Versions whose verdict is not that of the version before.
    pub changed: u64,
    /// Versions that needed no search, and searches for what the change can influence.
    pub stood: u64,
    /// Searches for what the change can influence.
    pub focused: u64,
    /// Searches that left something out because of a summary from before.
    pub recalled: u64,
    /// Executions from scratch, with impact alone, and with summaries as well.
    pub executions: [u64; 3],
    /// What did not agree.
    pub mismatches: Vec<String>,
}

impl Seen {
    /// Adds what another comparison has seen.
    pub fn add(&mut self, other: Seen) {
        self.versions += other.versions;
        self.edits += other.edits;
        self.changed += other.changed;
        self.stood += other.stood;
        self.focused += other.focused;
        self.recalled += other.recalled;
        self.executions.iter_mut().zip(other.executions).for_each(|(sum, n)| *sum += n);
        self.mismatches.extend(other.mismatches);
    }

    fn count(&mut self, outcome: &Outcome) {
        let reuse = outcome.reuse.unwrap_or_default();
        self.stood += u64::from(reuse.stands.is_some());
        self.focused += u64::from(reuse.is_focused);
        self.recalled += u64::from(reuse.used > 0);
    }
}

/// Compares the versions of the programs of these seeds. Files are put into `folder`.
pub fn compare(seeds: &[u64], folder: &Path) -> Result<Seen, String> {
    let lines: Vec<Vec<String>> =
        seeds.iter().map(|seed| statements::program(&mut Rng::new(seed ^ 0x0ed1_7c4a)).0).collect();
    let all = compiled(&statements::batch(&lines), folder, seeds)?;
    let mut seen = Seen::default();
    for (i, seed) in seeds.iter().enumerate() {
        let prefix = statements::name(i);
        let base = alone(&all, &prefix);
        seen.add(chain(base, &prefix, *seed));
    }
    Ok(seen)
}

/// The same with programs that use more of what threads have, and are dearer; what they show is asserted.
pub fn compare_large(seeds: &[u64], folder: &Path) -> Result<Seen, String> {
    let programs: Vec<_> = seeds.iter().map(|seed| threads::generate(*seed)).collect();
    let mut n = 0;
    let asserted: Vec<String> = threads::batch_text(&programs)
        .lines()
        .map(|line| match line.trim().strip_prefix("show(").and_then(|rest| rest.strip_suffix(");")) {
            Some(shown) => {
                n += 1;
                format!("assert(({shown}) != {});", n % 4 + 1)
            }
            None => line.to_owned(),
        })
        .collect();
    let all = compiled(&asserted.join("\n"), folder, seeds)?;
    let mut seen = Seen::default();
    for (_, seed) in programs.iter().zip(seeds).filter(|(program, _)| !program.makes_addresses()) {
        let name = threads::entry_name(*seed);
        let prefix = name.trim_end_matches("main").to_owned();
        seen.add(chain(alone(&all, &prefix), &prefix, *seed));
    }
    Ok(seen)
}

fn compiled(text: &str, folder: &Path, seeds: &[u64]) -> Result<Program, String> {
    let file = folder.join(format!("chain-{}.c", seeds.first().unwrap_or(&0)));
    std::fs::write(&file, text).map_err(|error| error.to_string())?;
    let options = Options {
        files: vec![file],
        clang_args: vec!["-w".to_owned()],
        entry: "every_program".to_owned(),
        ..Options::default()
    };
    load(&options).map_err(|error| error.to_string())
}

/// One program of a batch, without the bodies of the others.
fn alone(all: &Program, prefix: &str) -> Program {
    let mut program = all.clone();
    program.entry = program.func_named(&format!("{prefix}main"));
    program.unordered.clear();
    for func in program.funcs.iter_mut().filter(|f| !f.is_runtime && !f.name.starts_with(prefix)) {
        func.blocks = Default::default();
    }
    program
}

/// The reductions of chains, each as often as it is to be drawn.
fn reductions() -> Vec<Reduction> {
    let of_kind = |kind: &ReductionKind| match kind {
        ReductionKind::None | ReductionKind::Dpor => vec![kind.whole(); 2],
        ReductionKind::Ag => {
            vec![
                Reduction::Ag(Ag { slice: false, ..Ag::default() }),
                kind.whole(),
                kind.whole(),
                kind.whole(),
            ]
        }
    };
    ReductionKind::ALL.iter().flat_map(of_kind).collect()
}

fn config(rng: &mut Rng) -> Config {
    let mut reductions = reductions();
    let drawn = rng.below(reductions.len() as u64) as usize;
    let reduction = reductions.swap_remove(drawn);
    let all_bugs = rng.chance(70);
    Config::default().with(|c| {
        c.reduction = reduction;
        c.search.all_bugs = all_bugs;
        c.limits.max_runs = Some(400);
        c.limits.timeout = Some(Duration::from_secs(5));
    })
}

fn chain(base: Program, prefix: &str, seed: u64) -> Seen {
    let mut rng = Rng::new(seed ^ 0x1ace);
    let config = config(&mut rng);
    let mut seen = Seen::default();
    let mut lineages = [Lineage::new(Way::Impact), Lineage::new(Way::All)];
    let mut known = vec![base];
    let mut last = None;
    for step in 0..VERSIONS {
        let mut version =
            if rng.chance(70) { known[known.len() - 1].clone() } else { rng.pick(&known).clone() };
        let mut what = Vec::new();
        if step > 0 {
            for _ in 0..rng.range(1, 2) {
                what.extend(edits::edit(&mut version, &mut rng, |name| name.starts_with(prefix)));
            }
            if rng.chance(15) {
                edits::add_elsewhere(&mut version, &mut rng);
            }
            if rng.chance(25) {
                version = edits::shuffle(&version, &mut rng);
            }
        }
        let fresh = from_scratch(&version, &config);
        seen.edits += what.len() as u64;
        if is_cut(&fresh) {
            // Too large for a comparison; so are its versions.
            break;
        }
        seen.versions += 1;
        seen.changed += u64::from(last.is_some_and(|last| last != fresh.verdict));
        seen.executions[0] += fresh.executions.total;
        last = Some(fresh.verdict);
        for (i, lineage) in lineages.iter_mut().enumerate() {
            let again = lineage.check(&version, &config);
            seen.count(&again);
            seen.executions[i + 1] += again.executions.total;
            let is_first_only = !config.search.all_bugs && !fresh.bugs.is_empty();
            let wrong = match is_first_only {
                // Each way may come to another failure first.
                true => (fresh.verdict != again.verdict && !is_cut(&again))
                    .then(|| format!("{:?}", again.verdict)),
                false => difference(&fresh, &again),
            };
            if let Some(wrong) = wrong {
                let reduction = config.reduction.name();
                seen.mismatches.push(format!(
                    "program {seed}, {reduction}, version {step} with {what:?}, way {i}: {wrong}; {:?}",
                    again.reuse
                ));
            }
        }
        known.push(version);
    }
    seen
}
