//! Barriers.
//!
//! Arriving is one visible step, leaving another. The last thread to arrive in a round opens it and is the one
//! that is told so; the others leave when they get their turn. Between the steps of a thread its
//! `sleep` holds the round.

use selvedge_por::Access;

use super::super::Model;
use crate::finding::Res;
use crate::state::Sleep;
use crate::step::Step;
use crate::sync::{Family, Sync, address, key};
use crate::value::Value;

/// `PTHREAD_BARRIER_SERIAL_THREAD`, an `int` of -1.
const SERIAL: u64 = 0xffff_ffff;
/// Sizes of a barrier to fork over.
const MAX_SIZES: usize = 64;

pub(super) fn lookup(name: &str) -> Option<Model> {
    Some(match name {
        "pthread_barrier_init" => |s, _, _, v| {
            let count = s.concretise(v[2], 32, MAX_SIZES, "the size of a barrier")?;
            if count == 0 {
                return s.returns(Value::Int(super::life::EINVAL));
            }
            let at = s.exclusive_use(Family::Barrier, v[0])?;
            *s.sync(at.key) = Sync { count: count as u32, ..Sync::default() };
            s.returns(Value::Int(0))
        },
        "pthread_barrier_destroy" => |s, _, _, v| {
            let at = s.exclusive_use(Family::Barrier, v[0])?;
            if s.st.sync.level(at.key) > 0 {
                return s.misuse("a barrier is destroyed while a thread waits at it");
            }
            s.returns(Value::Int(0))
        },
        "pthread_barrier_wait" => |s, _, _, v| s.barrier_wait(v[0]),
        "pthread_barrierattr_init" | "pthread_barrierattr_destroy" | "pthread_barrierattr_setpshared" => {
            |s, _, _, _| s.returns(Value::Int(0))
        }
        _ => return None,
    })
}

/// The key of one round; rounds far apart may share it.
fn round_key(barrier: u64, round: u32) -> u64 {
    key(Family::Round, address(barrier) | u64::from(round & 0xff) << 48)
}

impl Step<'_, '_> {
    fn barrier_wait(&mut self, ptr: Value) -> Res<()> {
        let at = self.sync_at(Family::Barrier, ptr, 4)?;
        let Some(barrier) = self.st.sync.get(at.key).filter(|b| b.count > 0) else {
            return self.misuse("a barrier is used that was never initialised");
        };
        let (needed, round) = (barrier.count, barrier.kind);
        if let Some(sleep) = self.st.thread().sleep {
            let round = round_key(at.key, sleep.count);
            let want = Access::await_level(round, self.st.sync.level(round), 1);
            self.wait_for(at.obj, &[want])?;
            self.note(want);
            self.st.thread_mut().sleep = None;
            return self.returns(Value::Int(0));
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
        let open = round_key(at.key, round);
        self.note(Access::post(open));
        self.sync(open).level = 1;
        // Nobody waits for the round before any more.
        let table = std::rc::Rc::make_mut(&mut self.st.sync);
        table.remove(round_key(at.key, round.wrapping_sub(2)));
        self.returns(Value::Int(SERIAL))
    }
}
