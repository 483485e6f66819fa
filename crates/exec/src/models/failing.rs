//! Calls that may fail although the program has done nothing wrong: memory, threads, input and output.
//!
//! Each call of a family succeeds, which is an assumption, unless the user has asked for its failures (`--fail`). Then an
//! input of the environment decides how it ends: 0 is success, and each other number one of the errors that a program
//! can tell apart. `--fail-at-most` bounds the failures of one execution; their number is something that all threads
//! share, so that with a bound every call that may fail is a visible step.

use selvedge_por::{Access, Location};

use super::Model;
use crate::finding::{Res, unsupported};
use crate::ops;
use crate::state::{InputKind, InputType};
use crate::step::Step;
use crate::sync::{Family, key};
use crate::value::Value;
use selvedge_library::Failures;

/// The inputs that decide about calls of the system and about output. Natively they are not asked for, as the record says
/// which call failed and how.
pub const IO_FAILS: &str = "io fails";
/// See [`IO_FAILS`].
pub const OUTPUT_FAILS: &str = "output fails";
/// See [`IO_FAILS`]; these decide about allocations.
pub const MEMORY_FAILS: &str = "malloc fails";

/// The error of an allocation that fails.
const NO_MEMORY: i32 = 12;

/// Families of calls that may fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Calls {
    /// Allocation.
    Memory,
    /// Starting threads, and making what they synchronise by.
    Threads,
    /// Files and streams.
    Io,
}

/// How a call ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// It succeeds, which nobody was asked about.
    Sure,
    /// An input says so: it succeeds, or ends in one of its errors.
    Asked(Calls, Option<usize>),
}

/// Which calls may fail. Default is none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Failing {
    /// Allocation: `malloc` and friends also return null. Default is false.
    pub memory: bool,
    /// Starting threads, and making what they synchronise by. Default is false.
    pub threads: bool,
    /// Files and streams. Default is false.
    pub io: bool,
    /// How many of these calls fail in one execution, at most. Default is all.
    pub at_most: Option<u32>,
}

impl Failing {
    fn includes(&self, calls: Calls) -> bool {
        match calls {
            Calls::Memory => self.memory,
            Calls::Threads => self.threads,
            Calls::Io => self.io,
        }
    }
}

pub(super) fn model(function: Failures) -> Model {
    match function {
        Failures::MayFail => |s, _, _, v| s.may_fail(v[0], v[1]),
        Failures::Failed => |s, _, _, v| {
            let error = ops::concrete(v[0]).unwrap_or(0);
            s.record_failure(error as i32);
            s.returns_nothing()
        },
    }
}

impl Step<'_, '_> {
    /// `__selvedge_may_fail`: 0, or which of so many errors the call of this family ends in, from 1.
    fn may_fail(&mut self, family: Value, errors: Value) -> Res<()> {
        let name = String::from_utf8_lossy(&self.c_string(family)?).into_owned();
        let calls = match name.as_str() {
            "memory" => Calls::Memory,
            "threads" => Calls::Threads,
            "io" => Calls::Io,
            _ => return unsupported(format!("failures of {name}")),
        };
        let n = ops::concrete(errors).unwrap_or(1);
        let what = match calls {
            Calls::Io => IO_FAILS,
            Calls::Memory => MEMORY_FAILS,
            Calls::Threads => "threads fails",
        };
        let which = self.which_failure(calls, n as usize, what)?;
        self.returns(Value::Int(which.map_or(0, |i| i as u64 + 1)))
    }

    /// Which of `n` errors the call under way ends in, if it fails. Must come after the call's other questions, and
    /// before it changes anything.
    pub(crate) fn which_failure(&mut self, calls: Calls, n: usize, what: &str) -> Res<Option<usize>> {
        let ending = self.foresee_ending(calls, n)?;
        Ok(self.settle_ending(ending, what))
    }

    /// The question of [`which_failure`](Self::which_failure) alone: nothing is changed, so others may follow.
    pub(crate) fn foresee_ending(&mut self, calls: Calls, n: usize) -> Res<Ending> {
        if !self.m.options.surroundings.failing.includes(calls) {
            self.assumed(match calls {
                Calls::Memory => "world.memory-succeeds",
                Calls::Threads => "world.threads-succeed",
                Calls::Io => "world.io-succeeds",
            });
            return Ok(Ending::Sure);
        }
        let failures = key(Family::Failures, 0);
        if let Some(most) = self.m.options.surroundings.failing.at_most {
            let access = Access::read_write(Location::Sync(failures));
            if self.st.is_concurrent {
                self.gate([access])?;
                self.note(access);
            }
            if self.st.sync.level(failures) >= most {
                self.assumed("world.failures-bound");
                return Ok(Ending::Sure);
            }
        }
        let value = self.peek_input(1);
        let term = ops::to_term(&mut self.m.pool, value, 8);
        let mut ends = Vec::with_capacity(n + 1);
        for i in 0..n {
            let number = self.m.pool.bv(8, i as u64);
            ends.push(self.m.pool.eq(term, number));
        }
        let any = self.m.pool.or_all(&ends);
        ends.push(self.m.pool.not(any));
        Ok(Ending::Asked(calls, self.choose(&ends)?.checked_sub(1)))
    }

    /// The call under way does end so: which error it is.
    pub(crate) fn settle_ending(&mut self, ending: Ending, what: &str) -> Option<usize> {
        let Ending::Asked(calls, error) = ending else { return None };
        match (calls, error) {
            (Calls::Io, _) => self.record_chance(),
            (Calls::Memory, Some(_)) => self.record_failure(NO_MEMORY),
            (Calls::Memory, None) | (Calls::Threads, _) => {}
        }
        self.consume_input(what.into(), InputType::Unsigned("unsigned char"), 1, InputKind::Environment);
        if error.is_some() && self.m.options.surroundings.failing.at_most.is_some() {
            self.sync(key(Family::Failures, 0)).level += 1;
        }
        error
    }
}
