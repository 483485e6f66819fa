//! `setjmp` and `longjmp`.
//!
//! `setjmp` leaves the number of a [`JumpPoint`] in the buffer, so buffers can be copied. Jumping
//! to a frame that has returned is a finding.

use std::rc::Rc;

use selvedge_program::Ty;

use super::Model;
use crate::finding::{FindingKind, Res};
use crate::ops;
use crate::state::JumpPoint;
use crate::step::Step;
use crate::value::Value;
use selvedge_library::Jumps;

/// Told apart from stale bytes in a buffer that `setjmp` never saw.
const MAGIC: u64 = 0x5e1f_ed6e_0000_0000;

pub(super) fn model(function: Jumps) -> Model {
    match function {
        Jumps::Set => |s, _, _, v| s.setjmp(v[0], false),
        Jumps::SetWithMask => |s, _, _, v| {
            let saves = s.is_nonzero(v[1])?;
            s.setjmp(v[0], saves)
        },
        Jumps::Long => |s, _, _, v| s.longjmp(v[0], v[1]),
    }
}

impl Step<'_, '_> {
    fn setjmp(&mut self, buffer: Value, saves_mask: bool) -> Res<()> {
        self.resolve(buffer, 8, true)?;
        let frame = self.st.frame();
        let point = JumpPoint {
            thread: self.st.current,
            depth: self.st.thread().frames.len() - 1,
            token: frame.token,
            block: frame.block,
            idx: frame.idx,
            mask: saves_mask.then(|| self.st.mask_of(self.st.current)),
        };
        let jumps = Rc::make_mut(&mut self.st.jumps);
        let number = match jumps.iter().position(|p| *p == point) {
            Some(i) => i,
            None => {
                jumps.push(point);
                jumps.len() - 1
            }
        };
        self.store(buffer, Ty::Int(64), Value::Int(MAGIC | number as u64))?;
        self.returns(Value::Int(0))
    }

    pub(super) fn longjmp(&mut self, buffer: Value, value: Value) -> Res<()> {
        let number = self.load(buffer, Ty::Int(64))?;
        let number = self.settle(number, 64)?;
        let point = match number {
            Value::Int(n) if n & !0xffff_ffff == MAGIC => {
                self.st.jumps.get((n & 0xffff_ffff) as usize).copied()
            }
            _ => None,
        };
        let Some(point) = point else {
            return self.finding(FindingKind::Misuse, "longjmp with a buffer that setjmp did not fill");
        };
        let thread = self.st.thread();
        let alive = point.thread == self.st.current
            && thread.frames.get(point.depth).is_some_and(|f| f.token == point.token);
        if !alive {
            return self.finding(FindingKind::Misuse, "longjmp into a function that has returned");
        }
        self.assumed("memory.setjmp-locals");
        let zero = ops::cmp(&mut self.m.pool, selvedge_program::CmpOp::Eq, 32, value, Value::Int(0));
        let value = self.select_for_jump(zero, value)?;
        if let Some(inner) = self.st.thread().frames.get(point.depth + 1) {
            let mark = inner.stack_mark;
            self.touch_stack(mark)?;
            self.st.release_stack(self.st.current as u32, mark);
        }
        let left = self.st.thread_mut().frames.split_off(point.depth + 1);
        self.leave_handlers()?;
        let n_sections = left.iter().filter(|f| f.atomic).count() as u32;
        let thread = self.st.thread_mut();
        thread.atomic_depth = thread.atomic_depth.saturating_sub(n_sections);
        let frame = self.st.frame_mut();
        frame.block = point.block;
        frame.idx = point.idx;
        self.returns(value)?;
        match point.mask {
            Some(mask) if mask != self.st.mask_of(point.thread) => {
                self.st.signals_of_mut(point.thread).mask = mask;
                self.handle_due()
            }
            _ => Ok(()),
        }
    }

    fn is_nonzero(&mut self, value: Value) -> Res<bool> {
        let nonzero = ops::cmp(&mut self.m.pool, selvedge_program::CmpOp::Ne, 32, value, Value::Int(0));
        self.decide(nonzero)
    }

    /// `longjmp(b, 0)` makes `setjmp` return 1.
    fn select_for_jump(&mut self, zero: Value, value: Value) -> Res<Value> {
        Ok(if self.decide(zero)? { Value::Int(1) } else { value })
    }
}
