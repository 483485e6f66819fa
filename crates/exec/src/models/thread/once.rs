//! `pthread_once`: a lock around the function, and a mark that it has run.

use selvedge_por::Access;

use super::super::Model;
use crate::finding::Res;
use crate::step::Step;
use crate::sync::Family;
use crate::value::Value;
use selvedge_library::Once;

/// The function has run.
const DONE: u32 = 1;

pub(in crate::models) fn model(function: Once) -> Model {
    match function {
        Once::Call => |s, _, _, v| s.once(v[0], v[1]),
    }
}

impl Step<'_, '_> {
    fn once(&mut self, ptr: Value, function: Value) -> Res<()> {
        let at = self.sync_at(Family::Once, ptr, 4)?;
        let me = self.me();
        let depth = self.st.thread().frames.len() as u32;
        let once = self.st.sync.get(at.key);
        let is_done = once.is_some_and(|o| o.kind == DONE);
        if once.is_some_and(|o| o.owner == me && o.count == depth) {
            // The function has returned, and the call runs again.
            let once = Access::unlock(at.key);
            if self.is_visible(at.obj) {
                self.gate([once])?;
            }
            self.note(once);
            let once = self.sync(at.key);
            once.owner = 0;
            once.level = 1;
            once.kind = DONE;
            return self.returns(Value::Int(0));
        }
        let func = self.resolve_function(function)?;
        let want = Access::lock(at.key, self.st.sync.level(at.key) > 0);
        self.wait_for(at.obj, &[want])?;
        if is_done {
            self.note(Access::await_level(at.key, self.st.sync.level(at.key), 1));
            self.note_if_moved(want);
            return self.returns(Value::Int(0));
        }
        self.note(want);
        self.has_effect();
        self.enter(func, &[], &[])?;
        self.st.frame_mut().resumes = true;
        let once = self.sync(at.key);
        once.owner = me;
        once.level = 0;
        // A call from within the function, at another depth, waits for ever.
        once.count = depth;
        Ok(())
    }
}
