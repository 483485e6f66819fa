//! Locks of streams (`flockfile`).
//!
//! A program that cannot have threads notices nothing of them. In others every call on the stream would have to wait for
//! the lock, which is not modelled.

use super::Model;
use crate::finding::{Res, unsupported};
use crate::step::Step;
use crate::value::Value;

pub(super) fn lookup(name: &str) -> Option<Model> {
    Some(match name {
        "flockfile" | "ftrylockfile" | "funlockfile" => |s, _, _, v| s.lock_stream(v[0]),
        _ => return None,
    })
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
