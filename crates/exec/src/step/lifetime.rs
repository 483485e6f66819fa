//! Where the lives of local variables begin and end.
//!
//! A loop that enters a block again makes its variables anew (C11 6.2.4): they lie where the last ones lay, but a pointer
//! to one of those is dangling. A jump back over a declaration in the same block makes nothing anew: the variable only
//! loses its value. Each life therefore has an identity of its own. The registers that hold the address by
//! computation alone get the new one, as if they were computed again; a pointer that was kept in memory or went round the
//! loop as an argument of a block does not.

use selvedge_base::Id;
use selvedge_program::Operand;

use super::Step;
use crate::finding::Res;
use crate::memory::{Content, Status};
use crate::source::Source;
use crate::value::{ObjId, Value};

impl Step<'_, '_> {
    pub(super) fn lifetime(&mut self, ptr: Operand, start: bool) -> Res<()> {
        let value = self.get(ptr);
        if let Value::Ptr { obj, .. } = self.settle_pointer(value)?
            && self.st.mem.get(obj).is_some()
        {
            self.touch_whole(obj)?;
            let object = self.st.mem.get(obj).expect("seen above");
            self.st.forget_locks(object.base..object.base + object.size);
            if start {
                self.begin_life(ptr, obj);
            } else {
                let object = self.st.mem.get_mut(obj).expect("seen above");
                object.status = Status::OutOfScope;
                object.content = Content::default();
            }
        }
        self.next()
    }

    fn begin_life(&mut self, ptr: Operand, old: ObjId) {
        let size = self.st.mem.get(old).expect("the caller has seen it").size;
        // Stack slots have no place of their own: they are all made when the function begins.
        let declared = self.st.loc(self.m.image.program);
        let unwritten = |obj| Content::lazy(size, Source::Uninit { obj, other: false });
        let new = self.st.mem.renew(old, declared, unwritten);
        let Some(new) = new.filter(|new| *new != old) else { return };
        if let Operand::Reg(local) = ptr {
            let holders = self.m.holders(self.st.frame().func, local);
            let frame = self.st.frame_mut();
            holders.iter().for_each(|reg| rename(&mut frame.regs[reg.index()], old, new));
        }
        self.rename_watched(old, new);
    }
}

/// Makes a pointer to `old` one to `new`.
pub(crate) fn rename(value: &mut Value, old: ObjId, new: ObjId) {
    match value {
        Value::Ptr { obj, .. } | Value::SymPtr { obj, .. } if *obj == old => *obj = new,
        _ => {}
    }
}
