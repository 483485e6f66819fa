//! Execution: one step of one thread on one symbolic state.
//!
//! This crate knows what instructions and library functions do. It chooses nothing: where the program can
//! go several ways it asks an [`Oracle`], and the search decides what to do with a [`Stop::Fork`].
//!
//! Guarantees: a path that ends with [`PathEnd::Exit`] was executed completely; whatever cannot be
//! modelled ends a path as [`PathEnd::Unsupported`]. Relies on: a validated program; an oracle that never
//! omits a feasible alternative.

mod arguments;
mod beginning;
mod code;
mod code_names;
mod control;
mod coverage;
mod dependence;
mod digits;
mod finding;
mod float_text;
mod format;
mod image;
mod ledger;
mod machine;
pub mod memory;
mod models;
mod names;
mod ops;
mod options;
mod oracle;
mod output;
mod outside;
mod record;
mod relative;
mod segment;
mod signals;
mod source;
mod start;
mod state;
mod step;
pub mod sync;
mod threads;
mod value;
mod world;

pub use arguments::{Arguments, OPEN_ARGUMENTS, OPEN_LENGTH};
pub use code::{CodeTrace, Fact, FactSet, FactSets, Place};
pub use code_names::{BlockNames, CodeNames};
pub use control::Control;
pub use coverage::CoverageMap;
pub use finding::{Bound, Finding, FindingKind, Label, PathEnd, Stop};
pub use image::Image;
pub use ledger::{ASSUMPTIONS, Assumption, CAN_CAUSE_FAILURES, Ledger, Reliance, assumption};
pub use machine::{Machine, point};
pub use models::{Failing, IO_FAILS, MEMORY_FAILS, OUTPUT_FAILS};
pub use names::{cell_name, value_text};
pub use options::{Bounds, Options, Surroundings};
pub use oracle::{Choice, Oracle};
pub use output::{Output, Stream};
pub use outside::{
    InputObject, InputPointer, Outside, OutsideBounds, Part, Returned, Standing, input_pointer, parts,
};
pub use record::{RecordedFailure, RecordedRead, RecordedStep, Recorder, Writer};
pub use relative::{
    Extent, Images, Leads, NoEffect, Omit, RelativeStep, StateValues, Valued, cell_variable, fix_pointer,
    forget_history, instantiate, instantiate_all, is_new, join_template, leads, new_template, open_pointers,
    register_variable, relative_step, template_key, template_variables, with_variables,
};
pub use segment::{Driver, Noted, SegmentEnd, run_segment};
pub use signals::{CUT_SHORT, signal_name};
pub use source::{FixedInputs, Piece, Source, Sources};
pub use start::start;
pub use state::{FileRole, Frame, InputKind, InputRecord, InputType, State, Thread, frame_loc};
pub use step::{CopyProgress, CopyStep};
pub use threads::{Phase, Races, ThreadNames};
pub use value::{ObjId, Region, Value};
pub use world::{DEFAULT_BOUND, FileContent, OtherFiles, PEER, Peers, Stdin, World};
