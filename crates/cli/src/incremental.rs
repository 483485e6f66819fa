//! `--incremental`: what earlier runs have found out about a program, from the store and back.
//!
//! Guarantee: whatever is wrong with the store, the program is checked; what cannot be read is not known, and what cannot be
//! written is found out again next time. Each problem is told once.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use selvedge_engine::{Bug, Config, LayerId, Memory, Outcome, Proofs, Verdict};
use selvedge_frontend::Options;
use selvedge_report::Sources;
use selvedge_report::json::{self, JsonOptions};
use selvedge_store::{Embedded, Entry, Error, Found, Key, Kind, Store};

use crate::args::{IncrementalArgs, KnownArg};
use crate::check::VERSION;
use crate::failure::Failure;
use crate::tool;

/// The folder of the store, in the working directory, if no other is named.
pub(crate) const FOLDER: &str = ".selvedge";

/// Bytes that a store may take if nobody says how many.
pub(crate) const LIMIT: u64 = 1 << 30;

/// What `--incremental` asks for.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) folder: PathBuf,
    pub(crate) limit: u64,
    /// Of the line of versions that the program belongs to.
    pub(crate) key: Key,
    /// Also without what is known, to compare.
    pub(crate) compares: bool,
    /// All failures are wanted, and not just one.
    pub(crate) all_bugs: bool,
    /// What a change can influence decides, and summaries are not used.
    pub(crate) by_impact: bool,
}

/// What the flags ask for, if anything.
pub(crate) fn plan(
    args: &IncrementalArgs,
    options: &Options,
    config: &Config,
) -> Result<Option<Plan>, Failure> {
    let compares = args.check_incremental;
    if args.incremental.is_none() && !compares {
        let unused = [
            (args.git.is_some(), "--git says which version is known, and nobody asked for that"),
            (args.store.is_some(), "--store says where to keep what nobody asked for"),
            (args.store_limit.is_some(), "--store-limit says where to keep what nobody asked for"),
        ];
        return match unused.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, why)) => Err(Failure::new(why).help("add --incremental")),
            None => Ok(None),
        };
    }
    let folder = args.store.clone().unwrap_or_else(|| PathBuf::from(FOLDER));
    let limit = args.store_limit.map_or(LIMIT, |mib| mib << 20);
    let all_bugs = config.search.all_bugs;
    let by_impact = args.incremental == Some(KnownArg::Impact);
    Ok(Some(Plan { folder, limit, key: lineage(options, config), compares, all_bugs, by_impact }))
}

/// The line of versions of a program: the same files, compiled with the same arguments and checked in the same way.
pub(crate) fn lineage(options: &Options, config: &Config) -> Key {
    let here = std::env::current_dir().unwrap_or_default();
    let name = |file: &PathBuf| {
        let whole = file.canonicalize().unwrap_or_else(|_| file.clone());
        whole.strip_prefix(&here).map_or(whole.clone(), Path::to_owned)
    };
    let files: Vec<PathBuf> = options.files.iter().map(name).collect();
    let checked =
        (&config.properties, &config.reduction, &config.bounds, &config.arguments, &config.surroundings);
    let program = format!("{files:?} {:?} {:?}", options.entry, options.clang_args);
    Key::of(&[program.as_bytes(), format!("{checked:?}").as_bytes()])
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// The part of a store that is about one line of versions.
pub(crate) struct Lineage {
    store: Option<Embedded>,
    key: Key,
    /// A hash of what was read.
    known: Option<u64>,
    /// The layers of what was read.
    layers: Vec<LayerId>,
    problems: Vec<String>,
}

impl Lineage {
    pub(crate) fn open(plan: &Plan) -> Lineage {
        let mut lineage =
            Lineage { store: None, key: plan.key, known: None, layers: Vec::new(), problems: Vec::new() };
        match Embedded::open(&plan.folder, &tool::identity(), plan.limit) {
            Ok(store) => lineage.store = Some(store),
            Err(error) => lineage.tell("the store is not used", &error),
        }
        lineage
    }

    fn tell(&mut self, what: &str, error: &Error) {
        let mut text = format!("{what}: {error}");
        let mut source = std::error::Error::source(error);
        while let Some(cause) = source {
            text.push_str(&format!(": {cause}"));
            source = cause.source();
        }
        self.problems.push(text);
    }

    /// What is known.
    pub(crate) fn load(&mut self) -> Memory {
        let bytes = self.load_as(Kind::Memory, |bytes| Some(bytes.to_vec()));
        let Some(bytes) = bytes else { return Memory::default() };
        let mut layers = Vec::new();
        let memory = Memory::from_bytes(&bytes, |ids| {
            layers = ids.to_vec();
            self.read_layers(ids)
        });
        self.layers = layers;
        memory.unwrap_or_else(|| {
            self.damaged();
            Memory::default()
        })
    }

    fn read_layers(&mut self, ids: &[LayerId]) -> Vec<Option<Vec<u8>>> {
        let keys: Vec<Key> = ids.iter().map(|id| self.layer_key(*id)).collect();
        let Some(found) = self.store.as_ref().map(|store| store.get(Kind::Layer, &keys)) else {
            return Vec::new();
        };
        let found = found.unwrap_or_else(|error| {
            self.tell("not all that is known from before can be read", &error);
            Vec::new()
        });
        if found.contains(&Found::Damaged) {
            self.damaged();
        }
        let bytes = |found| match found {
            Found::Value(bytes) => Some(bytes),
            Found::Nothing | Found::Damaged => None,
        };
        found.into_iter().map(bytes).collect()
    }

    fn layer_key(&self, [first, second]: LayerId) -> Key {
        Key::of(&[&self.key.0, &first.to_le_bytes(), &second.to_le_bytes()])
    }

    /// What is known from proofs.
    pub(crate) fn load_proofs(&mut self) -> Proofs {
        self.load_as(Kind::Proof, Proofs::from_bytes).unwrap_or_default()
    }

    fn load_as<T>(&mut self, kind: Kind, read: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
        let store = self.store.as_ref()?;
        match store.get(kind, &[self.key]).map(|found| found.into_iter().next()) {
            Ok(Some(Found::Value(bytes))) => match read(&bytes) {
                Some(known) => {
                    self.known = Some(hash_of(&bytes));
                    return Some(known);
                }
                None => self.damaged(),
            },
            Ok(Some(Found::Damaged)) => self.damaged(),
            Ok(Some(Found::Nothing) | None) => {}
            Err(error) => self.tell("nothing is known from before", &error),
        }
        None
    }

    /// Whether a version in git, of which this is the key, was checked, and what was found out may still be there.
    pub(crate) fn knows_revision(&self, revision: Key) -> bool {
        let is_there = |kind, key| {
            let found = self.store.as_ref().map(|store| store.get(kind, &[key]));
            matches!(found, Some(Ok(found)) if matches!(found[..], [Found::Value(_)]))
        };
        is_there(Kind::Revision, revision) && is_there(Kind::Memory, self.key)
    }

    /// Notes that a version in git was checked.
    pub(crate) fn note_revision(&mut self, revision: Key) {
        let entry = Entry { kind: Kind::Revision, key: revision, value: Vec::new() };
        if let Some(store) = &mut self.store {
            // What cannot be noted is done again.
            let _ = store.put(&[entry], &[]);
        }
    }

    fn damaged(&mut self) {
        self.problems.push(
            "what the store knows of this program is damaged and is not used; it is found out again"
                .to_owned(),
        );
    }

    /// Keeps what is known now: of the layers, those that are not there yet. Another process may have removed some.
    pub(crate) fn save(&mut self, memory: &Memory) {
        let layers: Vec<(LayerId, &[u8])> = memory.layers().filter(|(_, bytes)| !bytes.is_empty()).collect();
        let keys: Vec<Key> = layers.iter().map(|(id, _)| self.layer_key(*id)).collect();
        let is_there = match self.store.as_ref().map(|store| store.has(Kind::Layer, &keys)) {
            Some(Ok(is_there)) => is_there,
            Some(Err(error)) => return self.tell("what was found out is not kept", &error),
            None => return,
        };
        let new = layers.iter().zip(&keys).zip(&is_there).filter(|(_, is_there)| !**is_there);
        let entry = |((layer, key), _): ((&(LayerId, &[u8]), &Key), _)| Entry {
            kind: Kind::Layer,
            key: *key,
            value: layer.1.to_vec(),
        };
        let entries = new.map(entry).collect();
        let is_gone = |id: &&LayerId| layers.iter().all(|(kept, _)| kept != *id);
        let gone = self.layers.iter().filter(is_gone).map(|id| (Kind::Layer, self.layer_key(*id))).collect();
        self.save_as(Kind::Memory, memory.to_bytes(), entries, gone);
    }

    /// Keeps what is known from proofs now.
    pub(crate) fn save_proofs(&mut self, proofs: &Proofs) {
        self.save_as(Kind::Proof, proofs.to_bytes(), Vec::new(), Vec::new());
    }

    /// Keeps what is known now, together with other entries.
    fn save_as(&mut self, kind: Kind, value: Vec<u8>, mut entries: Vec<Entry>, gone: Vec<(Kind, Key)>) {
        let Some(mut store) = self.store.take() else { return };
        if self.known != Some(hash_of(&value)) {
            entries.push(Entry { kind, key: self.key, value });
        }
        if entries.is_empty() && gone.is_empty() {
            return;
        }
        if let Err(error) = store.put(&entries, &gone) {
            self.tell("what was found out is not kept", &error);
        }
    }

    /// Compares two outcomes of one program, and keeps what is known only if they are the same. If they are not, the outcome
    /// becomes `unknown`, and both are written into the folder of the store.
    pub(crate) fn compare(&mut self, plan: &Plan, fresh: Outcome, again: &mut Outcome, memory: Memory) {
        let Some(difference) = difference(&fresh, again, plan.all_bugs) else { return self.save(&memory) };
        let (mut kept, mut sources) = (Vec::new(), Sources::from_disk());
        for (name, outcome) in [("from-scratch.json", &fresh), ("with-what-is-known.json", &*again)] {
            let path = plan.folder.join(name);
            let options = JsonOptions { version: VERSION.to_owned(), reduce: "ag", replay_files: Vec::new() };
            match std::fs::write(&path, json::render(outcome, &mut sources, &options)) {
                Ok(()) => kept.push(path.display().to_string()),
                Err(error) => self.problems.push(format!("{} cannot be written: {error}", path.display())),
            }
        }
        again.verdict = Verdict::Unknown;
        again
            .reasons
            .insert(0, format!("this is a bug in selvedge: {difference}; see {}", kept.join(" and ")));
    }

    /// What was wrong with the store.
    pub(crate) fn problems(self) -> Vec<String> {
        self.problems
    }
}

/// In what two outcomes of one program differ that must not. Which failure comes first depends on what is known.
pub(crate) fn difference(fresh: &Outcome, again: &Outcome, all_bugs: bool) -> Option<String> {
    // A limit may have stopped one of them earlier.
    let is_cut = |outcome: &Outcome| outcome.verdict == Verdict::Unknown;
    if fresh.verdict != again.verdict && !is_cut(fresh) && !is_cut(again) {
        return Some(format!(
            "the verdict is {} from scratch, and {} with what is known",
            json::verdict_name(fresh.verdict),
            json::verdict_name(again.verdict)
        ));
    }
    if !all_bugs {
        return None;
    }
    let places = |outcome: &Outcome| {
        let place = |bug: &Bug| (bug.kind.name(), bug.location.clone());
        let mut places: Vec<String> =
            outcome.bugs.iter().map(place).map(|place| format!("{place:?}")).collect();
        places.sort();
        places.dedup();
        places
    };
    let (fresh_places, again_places) = (places(fresh), places(again));
    (fresh_places != again_places && !is_cut(fresh) && !is_cut(again)).then(|| {
        format!(
            "from scratch, {} failures are found, and with what is known {}",
            fresh_places.len(),
            again_places.len()
        )
    })
}
