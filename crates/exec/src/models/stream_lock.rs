//! Locks of streams (`flockfile`).
//!
//! A program that cannot have threads notices nothing of them. In others every call on the stream would have to wait for
//! the lock, which is not modelled.

use super::Model;
use crate::finding::{Res, unsupported};
use crate::step::Step;
use crate::value::Value;
use selvedge_library::StreamLock;

pub(super) fn model(function: StreamLock) -> Model {
    match function {
        StreamLock::Lock | StreamLock::TryLock => |s, _, _, v| s.lock_stream(v[0]),
    }
}

impl Step<'_, '_> {
    fn lock_stream(&mut self, stream: Value) -> Res<()> {
        if self.m.image.can_have_threads {
            return unsupported("locks of streams in a program with threads");
        }
        self.resolve(stream, 1, true)?;
        self.returns(Value::Int(0))
    }
}
