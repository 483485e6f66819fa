//! `memcpy`, `memmove`, `memset` called by name.

use selvedge_program::{CastOp, Ty};

use super::Model;
use crate::finding::Res;
use crate::ops;
use crate::step::Step;
use crate::value::Value;
use selvedge_library::{Copying, Written};

pub(super) fn model(function: Copying) -> Model {
    match function {
        Copying::Memcpy | Copying::MemcpyChecked => |s, _, _, v| s.copy_call(v[0], v[1], v[2], false, false),
        Copying::Mempcpy => |s, _, _, v| s.copy_call(v[0], v[1], v[2], false, true),
        Copying::Memmove | Copying::MemmoveChecked => |s, _, _, v| s.copy_call(v[0], v[1], v[2], true, false),
        Copying::Bcopy => |s, _, _, v| s.copy_call(v[1], v[0], v[2], true, false),
        Copying::Memset | Copying::MemsetChecked => |s, _, _, v| s.set_call(v[0], v[1], v[2]),
        Copying::Bzero => |s, _, _, v| s.set_call(v[0], Value::Int(0), v[1]),
    }
}

impl Step<'_, '_> {
    fn copy_call(&mut self, to: Value, from: Value, len: Value, overlap: bool, end: bool) -> Res<()> {
        let Some(n) = self.copy_length(to, Some(from), len)? else {
            return self.call_copy_loop(to, from, len, overlap);
        };
        if !self.copy_range(to, from, n, overlap)? {
            return Ok(());
        }
        let bits = self.ptr_bits();
        let result =
            if end { ops::bin(&mut self.m.pool, selvedge_program::BinOp::Add, bits, to, len) } else { to };
        self.returns(result)
    }

    fn set_call(&mut self, to: Value, byte: Value, len: Value) -> Res<()> {
        let Some(n) = self.copy_length(to, None, len)? else {
            return self.call_runtime(Written::MemsetLoop, &[to, byte, len]);
        };
        let bits = self.ptr_bits();
        let byte = ops::cast(&mut self.m.pool, CastOp::Trunc, Ty::Int(32), Ty::Int(8), bits, byte);
        match self.fill_range(to, byte, n)? {
            true => self.returns(to),
            false => Ok(()),
        }
    }
}
