//! Between an outcome and a replay file, both ways.
//!
//! Guarantees: the inputs, arguments and properties of a bug survive the way through a file unchanged (`value` texts and steps
//! are for people and are not read back).

use selvedge_engine::{
    Arguments, Bug, Config, Failing, FileContent, FileRole, Input, InputKind, OtherFiles, OutsideBounds,
    Peers, Property, Stdin, Surroundings, Turns, World,
};
use selvedge_trace::{
    BugRecord, Bytes, FileInputRecord, FileRecord, InputRecord, PeerRecord, PlaceRecord, ProgramRecord,
    ReplayFile, RunRecord, StepRecord, WorldRecord,
};

use crate::{Sources, steps};

/// A replay file names something that this release does not know.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A property name.
    #[error("the replay file names an unknown property `{0}`")]
    Property(String),
    /// The source of an input.
    #[error("the replay file names an unknown source of an input, `{0}`")]
    InputSource(String),
}

/// The record of one bug.
pub fn replay_file(
    tool_version: &str,
    program: &ProgramRecord,
    config: &Config,
    bug: &Bug,
    sources: &mut Sources,
) -> ReplayFile {
    let (arguments, around) = (&config.arguments, &config.surroundings);
    let run = RunRecord {
        properties: config.properties.iter().map(|p| p.name().to_owned()).collect(),
        args: arguments.concrete.clone(),
        sym_args: arguments.symbolic.clone(),
        sym_stdin: match around.world.stdin {
            Stdin::Exactly(n) => Some(n),
            _ => None,
        },
        world: world_record(&around.world),
        open_args: arguments.open,
        env: arguments.environment.clone(),
        sym_env: around.sym_env,
        undefined_any: around.undefined_any,
        malloc_may_fail: around.failing.memory,
        threads_may_fail: around.failing.threads,
        io_may_fail: around.failing.io,
        fail_at_most: around.failing.at_most,
        clock_is_fixed: around.clock_is_fixed,
        spurious_wakeups: around.spurious_wakeups,
        signals: around.signals,
    };
    let place = &bug.location;
    let record = BugRecord {
        kind: bug.kind.name().to_owned(),
        message: bug.message.clone(),
        location: PlaceRecord {
            file: place.file.clone(),
            line: place.line,
            column: place.column,
            function: place.function.clone(),
        },
        thread: bug.thread,
    };
    let mut file = ReplayFile::new(tool_version, program.clone(), run, record);
    file.inputs = bug.inputs.iter().map(input_record).collect();
    file.schedule = bug
        .schedule
        .iter()
        .map(|step| StepRecord {
            thread: step.thread,
            file: step.place.file.clone(),
            line: step.place.line,
            text: steps::summary(step, sources),
        })
        .collect();
    file.threads = bug.turns.threads.clone();
    file.turns = bug.turns.steps.clone();
    file.all_shared = bug.turns.all_shared;
    file
}

/// The schedule of the recorded execution.
pub fn turns(file: &ReplayFile) -> Turns {
    Turns {
        threads: file.threads.clone(),
        steps: file.turns.clone(),
        all_shared: file.all_shared,
        points: None,
    }
}

/// The configuration that runs the recorded execution; what the file does not hold has its default.
pub fn config(file: &ReplayFile) -> Result<Config, Error> {
    let property = |name: &String| Property::named(name).ok_or_else(|| Error::Property(name.clone()));
    let run = &file.run;
    Ok(Config {
        properties: run.properties.iter().map(property).collect::<Result<_, _>>()?,
        arguments: Arguments {
            concrete: run.args.clone(),
            symbolic: run.sym_args.clone(),
            open: run.open_args,
            environment: run.env.clone(),
        },
        surroundings: Surroundings {
            world: world(run),
            failing: Failing {
                memory: run.malloc_may_fail,
                threads: run.threads_may_fail,
                io: run.io_may_fail,
                at_most: run.fail_at_most,
            },
            clock_is_fixed: run.clock_is_fixed,
            signals: run.signals,
            spurious_wakeups: run.spurious_wakeups,
            sym_env: run.sym_env,
            undefined_any: run.undefined_any,
            outside: OutsideBounds::default(),
        },
        ..Config::default()
    })
}

fn world_record(world: &World) -> WorldRecord {
    let file = |(name, content): &(String, FileContent)| match content {
        FileContent::Bytes(bytes) => {
            FileRecord { name: name.clone(), content: Some(Bytes(bytes.to_vec())), up_to: 0 }
        }
        FileContent::UpTo(n) => FileRecord { name: name.clone(), content: None, up_to: *n },
    };
    let peer = |content: &FileContent| match content {
        FileContent::Bytes(bytes) => PeerRecord::Sends(Bytes(bytes.to_vec())),
        FileContent::UpTo(n) => PeerRecord::UpTo { up_to: *n },
    };
    WorldRecord {
        stdin: match &world.stdin {
            Stdin::Bytes(bytes) => Some(Bytes(bytes.to_vec())),
            Stdin::Exactly(_) | Stdin::UpTo(_) | Stdin::Task => None,
        },
        files: world.files.iter().map(file).collect(),
        no_files: world.others == OtherFiles::None,
        peers: match &world.peers {
            Peers::Given(peers) => peers.iter().map(peer).collect(),
            Peers::UpTo(_) | Peers::Task => Vec::new(),
        },
        task: world.others == OtherFiles::Task,
    }
}

/// The world that the recorded execution ran in.
fn world(run: &RunRecord) -> World {
    let recorded = &run.world;
    let mut world = if recorded.task { World::task() } else { World::default() };
    if let Some(Bytes(bytes)) = &recorded.stdin {
        world.stdin = Stdin::Bytes(bytes.as_slice().into());
    } else if let Some(n) = run.sym_stdin {
        world.stdin = Stdin::Exactly(n);
    }
    let content = |file: &FileRecord| match &file.content {
        Some(Bytes(bytes)) => FileContent::Bytes(bytes.as_slice().into()),
        None => FileContent::UpTo(file.up_to),
    };
    world.files = recorded.files.iter().map(|file| (file.name.clone(), content(file))).collect();
    if recorded.no_files {
        world.others = OtherFiles::None;
    }
    if !recorded.peers.is_empty() {
        let content = |peer: &PeerRecord| match peer {
            PeerRecord::Sends(Bytes(bytes)) => FileContent::Bytes(bytes.as_slice().into()),
            PeerRecord::UpTo { up_to } => FileContent::UpTo(*up_to),
        };
        world.peers = Peers::Given(recorded.peers.iter().map(content).collect());
    }
    world
}

/// The recorded input values.
pub fn inputs(file: &ReplayFile) -> Result<Vec<Input>, Error> {
    let input = |record: &InputRecord| {
        Ok(Input {
            name: record.name.clone(),
            ty: record.ty.clone(),
            value: record.value.clone(),
            bytes: record.bytes.clone(),
            kind: input_kind(record)?,
            thread: record.thread,
        })
    };
    file.inputs.iter().map(input).collect()
}

/// Whether `bug` is the recorded one: the same property violated in the same place. The column is not compared, so
/// that a re-indented line still counts.
pub fn same_bug(file: &ReplayFile, bug: &Bug) -> bool {
    let (recorded, place) = (&file.bug, &bug.location);
    recorded.kind == bug.kind.name()
        && recorded.location.file == place.file
        && recorded.location.line == place.line
        && recorded.location.function == place.function
}

fn input_record(input: &Input) -> InputRecord {
    InputRecord {
        name: input.name.clone(),
        ty: input.ty.clone(),
        value: input.value.clone(),
        bytes: input.bytes.clone(),
        source: input_source(&input.kind).to_owned(),
        file: match &input.kind {
            InputKind::File { name, role } => {
                Some(FileInputRecord { name: name.clone(), role: role.name().to_owned() })
            }
            _ => None,
        },
        thread: input.thread,
    }
}

/// The name of an input's source in files.
pub(crate) fn input_source(kind: &InputKind) -> &'static str {
    match kind {
        InputKind::Program => "program",
        InputKind::Stdin => "stdin",
        InputKind::Variable => "variable",
        InputKind::Arg => "arg",
        InputKind::Args => "args",
        InputKind::Environment => "environment",
        InputKind::File { .. } => "file",
        InputKind::Uninitialised => "uninitialised",
    }
}

fn input_kind(record: &InputRecord) -> Result<InputKind, Error> {
    let unknown = || Error::InputSource(record.source.clone());
    Ok(match record.source.as_str() {
        "program" => InputKind::Program,
        "stdin" => InputKind::Stdin,
        "variable" => InputKind::Variable,
        "arg" => InputKind::Arg,
        "args" => InputKind::Args,
        "environment" => InputKind::Environment,
        "uninitialised" => InputKind::Uninitialised,
        "file" => {
            let file = record.file.as_ref().ok_or_else(unknown)?;
            let role = FileRole::ALL.iter().find(|(_, name)| *name == file.role);
            let (role, _) = role.ok_or_else(unknown)?;
            InputKind::File { name: file.name.clone(), role: *role }
        }
        _ => return Err(unknown()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn arguments() -> Arguments {
        Arguments {
            concrete: vec!["-x".into()],
            symbolic: vec![3],
            open: false,
            environment: vec!["HOME=/".into()],
        }
    }

    fn surroundings() -> Surroundings {
        Surroundings {
            world: world(),
            failing: Failing { memory: true, threads: true, io: true, at_most: Some(3) },
            clock_is_fixed: true,
            signals: Some(3),
            spurious_wakeups: true,
            sym_env: Some(4),
            undefined_any: true,
            outside: OutsideBounds::default(),
        }
    }

    fn world() -> World {
        World {
            stdin: Stdin::Exactly(2),
            files: vec![
                ("a".into(), FileContent::Bytes(b"text"[..].into())),
                ("b".into(), FileContent::UpTo(3)),
            ],
            others: OtherFiles::None,
            peers: Peers::Given(vec![FileContent::Bytes(b"hello"[..].into()), FileContent::UpTo(3)]),
        }
    }

    fn written() -> ReplayFile {
        let program =
            ProgramRecord { dir: "/src".into(), files: vec!["sum.c".into()], ..ProgramRecord::default() };
        let config = Config {
            properties: vec![Property::Memory, Property::Leak],
            arguments: arguments(),
            surroundings: surroundings(),
            ..Config::default()
        };
        replay_file("0.1.0", &program, &config, &sample::bug(), &mut sample::sources())
    }

    #[test]
    fn what_replay_needs_survives_the_file() {
        let read = ReplayFile::from_json(&written().to_json()).expect("own file");
        let config = config(&read).expect("own properties");
        assert_eq!(config.properties, [Property::Memory, Property::Leak]);
        assert_eq!((config.arguments, config.surroundings), (arguments(), surroundings()));
        assert_eq!(inputs(&read).expect("own inputs"), sample::bug().inputs);
        assert!(same_bug(&read, &sample::bug()));
    }

    #[test]
    fn every_kind_of_input_has_a_name_of_its_own() {
        use InputKind::*;
        let roles = FileRole::ALL.iter().map(|(role, _)| File { name: "a.txt".into(), role: *role });
        for kind in [Program, Stdin, Arg, Environment, Uninitialised].into_iter().chain(roles) {
            let record = input_record(&sample::input("x", "int", "1", &[1], kind.clone()));
            assert_eq!(input_kind(&record).as_ref(), Ok(&kind));
        }
    }

    #[test]
    fn another_line_or_kind_is_another_bug() {
        let file = written();
        let mut other = sample::bug();
        other.location.line += 1;
        assert!(!same_bug(&file, &other));
        let other = Bug { kind: selvedge_engine::BugKind::Assert, ..sample::bug() };
        assert!(!same_bug(&file, &other));
    }

    #[test]
    fn unknown_names_are_refused() {
        let text = written().to_json();
        let file = ReplayFile::from_json(&text.replace("\"leak\"", "\"flow\"")).expect("still well-formed");
        assert_eq!(config(&file).expect_err("unknown property"), Error::Property("flow".into()));
        let file = ReplayFile::from_json(&text.replace("\"source\": \"stdin\"", "\"source\": \"tape\""))
            .expect("still well-formed");
        assert_eq!(inputs(&file).expect_err("unknown source"), Error::InputSource("tape".into()));
    }
}
