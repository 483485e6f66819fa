//! Which objects other threads can reach.
//!
//! Globals are shared. Any other object belongs to the thread that made it until a pointer to it is written
//! into a shared object or handed to another thread; then it is shared together with all that can be reached
//! from it. Before a second thread exists nothing needs to be noted: the reachable objects are found when it
//! is started.
//!
//! Where an address has reached another thread as a number, all objects are shared, those too that are made later.

use crate::memory::{CellKind, Content};
use crate::ops;
use crate::step::Step;
use crate::value::{ObjId, Value};

impl Step<'_, '_> {
    /// A pointer leaves its thread: its object becomes shared.
    pub(crate) fn share_value(&mut self, value: Value) {
        if let Some(obj) = ops::provenance(value) {
            self.share(vec![obj]);
        }
    }

    /// `value` is written into `into`.
    #[inline]
    pub(crate) fn share_if_escaping(&mut self, into: ObjId, value: Value) {
        if self.st.is_concurrent
            && ops::provenance(value).is_some()
            && self.st.mem.get(into).is_some_and(|o| o.is_shared)
        {
            self.share_value(value);
        }
    }

    /// Pointers in `content` are written into `into`.
    pub(crate) fn share_copied(&mut self, into: ObjId, content: &Content) {
        if self.st.is_concurrent && self.st.mem.get(into).is_some_and(|o| o.is_shared) {
            self.share(pointees(content).collect());
        }
    }

    /// A second thread is about to run: everything that can be reached from shared objects is shared.
    pub(crate) fn share_reachable(&mut self) {
        // A jump out of a signal handler shows what a thread has done by itself.
        let everything = self.m.options.share_everything || self.m.image.can_jump && self.st.has_bringers();
        if everything {
            self.st.mem.share_new();
        }
        let mut reached = Vec::new();
        for object in self.st.mem.objects() {
            if object.is_shared {
                reached.extend(pointees(&object.content));
            } else if everything {
                reached.push(object.id);
            }
        }
        self.share(reached);
    }

    /// Signals may arrive from here on.
    pub(crate) fn share_with_handlers(&mut self) {
        if self.st.is_concurrent && self.m.image.can_jump {
            self.share_reachable();
        }
    }

    fn share(&mut self, mut work: Vec<ObjId>) {
        while let Some(obj) = work.pop() {
            let Some(object) = self.st.mem.get(obj) else { continue };
            if object.is_shared {
                continue;
            }
            work.extend(pointees(&object.content));
            self.st.mem.get_mut(obj).expect("just seen").is_shared = true;
        }
    }
}

/// The objects that pointers in `content` point to.
fn pointees(content: &Content) -> impl Iterator<Item = ObjId> {
    content.cells().iter().filter_map(|cell| match cell.kind {
        CellKind::Ptr(to) | CellKind::SymPtr(to, _) => Some(to),
        CellKind::Term(_) | CellKind::Lazy(..) => None,
    })
}
