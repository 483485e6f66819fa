//! What was recorded of an execution, so that it can be run again: today the replay
//! file of a counterexample.
//!
//! Relies on nothing above `base`; every serialised type here carries a format version.

mod replay_file;

pub use replay_file::{
    BugRecord, Bytes, Error, FileInputRecord, FileRecord, InputRecord, PeerRecord, PlaceRecord,
    ProgramRecord, ReplayFile, RunRecord, StepRecord, VERSION, WorldRecord,
};
