//! Memory at the end of the program: what is lost, and what is not released.
//!
//! Guarantee: a block that is reported is live in the state in which the program ends. While other threads may still
//! run, which state that is depends on the schedule, and schedules that differ in it only are not all explored: then
//! the absence of leaks is not claimed.

use rustc_hash::FxHashSet;
use selvedge_base::Id;
use selvedge_program::Inst;

use crate::finding::{FindingKind, Res, unsupported};
use crate::memory::{CellKind, MadeBy, Object, Origin, Status};
use crate::ops;
use crate::step::Step;
use crate::value::{ObjId, Region};

impl Step<'_, '_> {
    /// Objects that the program could still name: globals, and for frames that have not returned their local
    /// objects and what is in registers that are used later.
    fn roots(&mut self) -> Vec<ObjId> {
        let program = self.m.image.program;
        let mut roots: Vec<_> = (0..program.globals.len()).map(|g| ObjId::global(g, 0)).collect();
        // Copies of thread-local variables lie on the heaps of their threads.
        // Callers still know what came from outside.
        let is_variable = |o: &&Object| matches!(o.origin, Origin::Variable { .. } | Origin::Outside { .. });
        roots.extend(self.st.mem.heap_objects().filter(is_variable).map(|o| o.id));
        for (number, thread) in self.st.threads.iter().enumerate() {
            for (depth, frame) in thread.frames.iter().enumerate() {
                // `main` stands at its return while handlers run: its locals are gone.
                let inst = &program.funcs[frame.func].blocks[frame.block].insts[frame.idx];
                if matches!(inst, Inst::Return { .. }) {
                    continue;
                }
                let live = self.m.live_after(frame);
                roots.extend(live.iter().filter_map(|reg| ops::provenance(frame.regs[reg.index()])));
                let end = thread.frames.get(depth + 1).map_or(usize::MAX, |inner| inner.stack_mark);
                roots.extend(self.st.mem.stack_objects(number, frame.stack_mark, end));
            }
        }
        roots
    }

    /// Heap blocks whose addresses are constants in `term`.
    fn mentioned(&self, term: selvedge_term::TermId) -> Vec<ObjId> {
        let mut seen = FxHashSet::default();
        let mut work = vec![term];
        let mut found = Vec::new();
        while let Some(t) = work.pop() {
            if !seen.insert(t) {
                continue;
            }
            if let Some(addr) = self.m.pool.as_u64(t) {
                found.extend(self.st.mem.find(addr).filter(|o| o.region() == Region::Heap));
            }
            work.extend(self.m.pool.operands(t).iter().copied());
        }
        found
    }

    /// Looks for leaks at the end of the program, as far as they are checked.
    pub(crate) fn check_leaks(&mut self) -> Res<()> {
        let [lost, kept] = [FindingKind::Leak, FindingKind::Cleanup].map(|k| self.m.options.checks(k));
        if !lost && !kept {
            return Ok(());
        }
        if lost {
            let reached = self.reachable_blocks();
            self.check_released(FindingKind::Leak, |id| !reached.contains(&id))?;
        }
        if kept {
            self.check_released(FindingKind::Cleanup, |_| true)?;
        }
        if self.st.has_other_threads() {
            return unsupported("leaks of a program that ends while threads may still run");
        }
        if self.st.is_in_handler() {
            // What the interrupted code has allocated by then is not looked at step by step.
            return unsupported("leaks of a program that ends in a signal handler");
        }
        Ok(())
    }

    /// Reports a block of the program's that is not released and of the kind that `counts`.
    fn check_released(&mut self, kind: FindingKind, counts: impl Fn(ObjId) -> bool) -> Res<()> {
        let found = self.st.mem.heap_objects().find(|o| {
            let is_users = matches!(o.origin.made_by(), MadeBy::Malloc | MadeBy::New | MadeBy::NewArray);
            is_users && o.status == Status::Live && counts(o.id)
        });
        let Some(object) = found else { return Ok(()) };
        let (size, name, site) = (object.size, object.origin.describe(), object.site);
        let message = match kind {
            FindingKind::Leak => {
                format!("{size} bytes are lost: {name} is never freed and nothing points to it at exit")
            }
            _ => format!("{size} bytes are not released: {name} is never freed"),
        };
        self.finding_at(kind, message, &[("allocated here", site)])
    }

    /// All that can be reached from a root.
    fn reachable_blocks(&mut self) -> FxHashSet<ObjId> {
        let mut work = self.roots();
        let mut reached: FxHashSet<ObjId> = work.iter().copied().collect();
        while let Some(id) = work.pop() {
            let Some(object) = self.st.mem.get(id) else { continue };
            for cell in object.content.cells() {
                match cell.kind {
                    CellKind::Ptr(to) | CellKind::SymPtr(to, _) => {
                        if to.region() == Region::Heap && reached.insert(to) {
                            work.push(to);
                        }
                    }
                    // A symbolic pointer is one of the addresses its term mentions.
                    CellKind::Term(t) => {
                        for to in self.mentioned(t) {
                            if reached.insert(to) {
                                work.push(to);
                            }
                        }
                    }
                    CellKind::Lazy(..) => {}
                }
            }
        }
        reached
    }
}
