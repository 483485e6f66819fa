//! Output on the console that fails: what the program can see of it, and when it does.
//!
//! A stream holds back what it is given, so that a failure may come at once, at a later call, or when the stream is
//! flushed or closed. Each call may fail here, which covers all of these, as far as anybody can tell: by the result of
//! the call, by `ferror`, or by the state of a stream of C++.
//!
//! Guarantee: a call whose failure nobody can see succeeds, and notes nothing.

use selvedge_program::{BinOp, Inst, Program, Ty};

use super::failing::OUTPUT_FAILS;
use super::{Calls, Ending, Model};
use crate::finding::{FindingKind, Res};
use crate::ops;
use crate::step::Step;
use crate::value::Value;
use selvedge_analysis::Library;
use selvedge_library::{Console, Written, is_cxx, is_stream_state};

const EIO: i32 = 5;
const ENOSPC: i32 = 28;
/// Lengths of a write to fork over.
const MAX_SIZES: usize = 64;
/// How output to a terminal, a pipe or a file fails.
const ERRORS: [i32; 2] = [ENOSPC, EIO];

/// What `int` functions return for a failure: `EOF`, or another negative number.
pub(super) const NEGATIVE: u64 = u32::MAX as u64;

pub(super) fn model(function: Console) -> Model {
    match function {
        Console::Fails => |s, _, _, _| {
            let ending = s.foresee_output()?;
            let error = s.settle_output(ending).unwrap_or(0);
            s.returns(Value::Int(error as u64))
        },
        Console::Shown => |s, _, _, v| s.shown(v[0], v[1]),
        Console::ResultIsUsed => |s, _, _, _| s.returns(Value::bool(s.seen_of_call().result)),
    }
}

/// How a program can see that its output has failed, beside the results of calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watching {
    /// It calls `ferror`.
    stdio: bool,
    /// It asks a stream of C++ for its state, or may do so by code that is not its functions'.
    streams: bool,
}

impl Watching {
    /// What the program does.
    pub(crate) fn of(program: &Program, library: &Library) -> Watching {
        Watching {
            stdio: library.has(Written::Ferror),
            // Optimised code has no such functions left.
            streams: program.has_bitcode || program.funcs.iter().any(|f| is_stream_state(&f.name)),
        }
    }
}

/// What the program can see of the call of the library that is under way.
struct Seen {
    /// Its result.
    result: bool,
    /// That it has failed.
    failure: bool,
}

impl Step<'_, '_> {
    /// The run-time hands results on, or drops them; functions of C++ keep a failure in their stream instead.
    fn seen_of_call(&self) -> Seen {
        let (program, watching) = (self.m.image.program, self.m.image.watching);
        let (mut result, mut is_stream) = (true, false);
        for frame in self.st.thread().frames.iter().rev() {
            let func = &program.funcs[frame.func];
            let inst = func.blocks[frame.block].insts.get(frame.idx);
            result &= !matches!(inst, Some(Inst::Call { dsts, .. }) if dsts.is_empty());
            if !func.is_runtime {
                break;
            }
            is_stream = is_cxx(&func.name);
        }
        match is_stream {
            true => Seen { result: false, failure: watching.streams },
            false => Seen { result, failure: result || watching.stdio },
        }
    }

    /// Whether the program can use the result of the call.
    pub(super) fn uses_result(&self) -> bool {
        self.seen_of_call().result
    }

    /// `__selvedge_shown`: bytes that go into a file, a pipe or a connection.
    fn shown(&mut self, from: Value, size: Value) -> Res<()> {
        if self.m.options.checks(FindingKind::Uninit) {
            let bits = self.ptr_bits();
            let size = self.concretise(size, bits, MAX_SIZES, "the length of a write")?;
            for i in 0..size {
                let at = ops::bin(&mut self.m.pool, BinOp::Add, bits, from, Value::Int(i));
                let byte = self.load(at, Ty::Int(8))?;
                self.check_written(byte, "the output")?;
            }
        }
        self.returns_nothing()
    }

    /// How the output under way ends, as far as the program can see it.
    fn foresee_output(&mut self) -> Res<Ending> {
        match self.seen_of_call().failure {
            true => self.foresee_ending(Calls::Io, ERRORS.len()),
            false => Ok(Ending::Sure),
        }
    }

    /// The number of the error that the output ends in; nothing may be asked any more.
    fn settle_output(&mut self, ending: Ending) -> Option<i32> {
        let error = self.settle_ending(ending, OUTPUT_FAILS).map(|i| ERRORS[i]);
        match error {
            Some(error) => self.record_failure(error),
            None => self.errno_may_change(),
        }
        error
    }

    /// Runs a model of output, which `result` says the failure of; its questions come first, then it says that it has none.
    pub(super) fn output(
        &mut self,
        result: u64,
        model: impl FnOnce(&mut Self, Ending) -> Res<()>,
    ) -> Res<()> {
        let ending = self.foresee_output()?;
        if !matches!(ending, Ending::Asked(_, Some(_))) {
            return model(self, ending);
        }
        let error = self.settle_output(ending).unwrap_or(EIO);
        self.set_errno(error)?;
        self.returns(Value::Int(result))
    }

    /// The output under way succeeds: the model has asked all that it asks.
    pub(super) fn output_succeeds(&mut self, ending: Ending) {
        self.settle_output(ending);
    }
}
