//! Barriers.
//!
//! Arriving is one visible step, leaving another. The last thread to arrive in a round opens it and is the one
//! that is told so; the others leave when they get their turn. Between the steps of a thread its
//! `sleep` holds the round.
//!
//! A barrier may be destroyed as soon as nobody is blocked there, which others cannot see: like that of the system,
//! `pthread_barrier_destroy` waits until all have left.

use selvedge_por::Access;
use selvedge_program::{BinOp, CmpOp};

use super::super::Model;
use super::At;
use crate::finding::Res;
use crate::ops;
use crate::state::Sleep;
use crate::step::Step;
use crate::sync::{Family, ROUND_SHIFT, Sync, address, key};
use crate::value::Value;
use selvedge_library::Barrier;

/// `PTHREAD_BARRIER_SERIAL_THREAD`, an `int` of -1.
const SERIAL: u64 = 0xffff_ffff;
/// Most threads that the C library lets meet at a barrier.
const MAX_COUNT: u64 = (u32::MAX / 2 - 1) as u64;
/// Sizes of a barrier to fork over.
const MAX_SIZES: usize = 64;

pub(in crate::models) fn model(function: Barrier) -> Model {
    match function {
        Barrier::Init => |s, _, _, v| {
            let less = ops::bin(&mut s.m.pool, BinOp::Sub, 32, v[2], Value::Int(1));
            let fits = ops::cmp(&mut s.m.pool, CmpOp::Ult, 32, less, Value::Int(MAX_COUNT));
            if !s.decide(fits)? {
                return s.returns(Value::Int(super::life::EINVAL));
            }
            let count = s.concretise(v[2], 32, MAX_SIZES, "the size of a barrier")?;
            if let Some(error) = s.error_of_init()? {
                return s.returns(Value::Int(error));
            }
            let at = s.exclusive_use(Family::Barrier, v[0])?;
            // If it was not destroyed, threads may still leave: neither they nor rounds are counted anew.
            let round = s.st.sync.get(at.key).map_or(0, |before| before.kind);
            *s.sync(at.key) = Sync { count: count as u32, kind: round, ..Sync::default() };
            s.returns(Value::Int(0))
        },
        Barrier::Destroy => |s, _, _, v| s.barrier_destroy(v[0]),
        Barrier::Wait => |s, _, _, v| s.barrier_wait(v[0]),
    }
}

/// The key of one round; rounds far apart may share it. It counts those that have still to leave, and is forgotten
/// with the last.
fn round_key(barrier: u64, round: u32) -> u64 {
    key(Family::Round, address(barrier) | u64::from(round & 0x7f) << ROUND_SHIFT)
}

/// The key of how many have left, of those that did not open their round; `count` is how many may.
fn left_key(barrier: u64) -> u64 {
    key(Family::Round, address(barrier) | 0x80 << ROUND_SHIFT)
}

impl Step<'_, '_> {
    fn barrier_destroy(&mut self, ptr: Value) -> Res<()> {
        let at = self.sync_at(Family::Barrier, ptr, 4)?;
        let left = left_key(at.key);
        let expected = self.st.sync.get(left).map_or(0, |left| left.count);
        let wants = [Access::queue(at.key), Access::await_level(left, self.st.sync.level(left), expected)];
        self.wait_for(at.obj, &wants)?;
        wants.into_iter().for_each(|want| self.note(want));
        self.has_effect();
        if self.st.sync.level(at.key) > 0 {
            return self.misuse("a barrier is destroyed while a thread waits at it");
        }
        *self.sync(at.key) = Sync::default();
        std::rc::Rc::make_mut(&mut self.st.sync).remove(left);
        self.returns(Value::Int(0))
    }

    fn barrier_wait(&mut self, ptr: Value) -> Res<()> {
        let at = self.sync_at(Family::Barrier, ptr, 4)?;
        let (needed, round) = match self.st.sync.get(at.key) {
            Some(barrier) if barrier.count > 0 => (barrier.count, barrier.kind),
            Some(_) => return self.misuse_of(at, "a barrier is used after it was destroyed"),
            None => return self.misuse_of(at, "a barrier is used that was never initialised"),
        };
        if let Some(sleep) = self.st.thread().sleep {
            return self.barrier_leave(at, round_key(at.key, sleep.count));
        }
        if self.is_visible(at.obj) {
            self.gate([Access::queue(at.key)])?;
        }
        self.note(Access::queue(at.key));
        self.has_effect();
        let barrier = self.sync(at.key);
        barrier.level += 1;
        if barrier.level < needed {
            self.st.thread_mut().sleep = Some(Sleep { count: round, is_fruitless: false, left: None });
            return Ok(());
        }
        barrier.level = 0;
        barrier.kind = round.wrapping_add(1);
        if needed > 1 {
            self.sync(left_key(at.key)).count += needed - 1;
            let open = round_key(at.key, round);
            self.note(Access::post(open));
            *self.sync(open) = Sync { level: 1, count: needed - 1, ..Sync::default() };
        }
        self.returns(Value::Int(SERIAL))
    }

    fn barrier_leave(&mut self, at: At, round: u64) -> Res<()> {
        let left = left_key(at.key);
        let wants = [Access::await_level(round, self.st.sync.level(round), 1), Access::post(left)];
        self.wait_for(at.obj, &wants)?;
        wants.into_iter().for_each(|want| self.note(want));
        self.sync(left).level += 1;
        self.sync(round).count -= 1;
        if self.sync(round).count == 0 {
            std::rc::Rc::make_mut(&mut self.st.sync).remove(round);
        }
        self.st.thread_mut().sleep = None;
        self.returns(Value::Int(0))
    }
}
