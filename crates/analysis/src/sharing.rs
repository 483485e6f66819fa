//! Which objects several threads may know, and which of those may die while another thread uses them.

use selvedge_base::Id;
use selvedge_program::{Inst, Program};

use crate::call_graph::CallKind;
use crate::constraints::Builder;
use crate::effects::Effects;
use crate::layout::{InstId, Layout};
use crate::object::{ObjectId, Origin};

/// Facts about abstract objects.
#[derive(Clone, Debug)]
pub(crate) struct Sharing {
    shared: Vec<bool>,
    mortal: Vec<bool>,
}

impl Sharing {
    pub(crate) fn new(program: &Program, layout: &Layout, built: &Builder<'_>, effects: &Effects) -> Sharing {
        let n = built.solver.n_objects();
        let mut sharing = Sharing { shared: vec![false; n], mortal: vec![false; n] };
        let mut work: Vec<ObjectId> = built.thread_results();
        for i in 0..n {
            let object = ObjectId::new(i);
            match built.solver.origin(object) {
                Origin::Global(global) if !program.globals[global].thread_local => work.push(object),
                _ => {}
            }
        }
        for i in 0..layout.n_insts() {
            let id = InstId::new(i);
            let starts = built.graph.callees(id).iter().any(|(_, kind)| *kind == CallKind::Thread);
            if starts && let Inst::Call { args, .. } = layout.inst(program, id) {
                let func = layout.point(id).func;
                let argument = args.get(3).into_iter().flat_map(|a| built.places(func, a.value));
                work.extend(argument.map(|(object, _)| object));
            }
            if let Some(effect) = effects.of(id) {
                effect.ends.iter().for_each(|o| sharing.mortal[o.index()] = true);
            }
        }
        while let Some(object) = work.pop() {
            if !std::mem::replace(&mut sharing.shared[object.index()], true) {
                work.extend(built.solver.content(object));
            }
        }
        for i in 0..n {
            sharing.mortal[i] |= match built.solver.origin(ObjectId::new(i)) {
                Origin::Local(_) | Origin::Copied(..) | Origin::VarArgs(_) => true,
                Origin::Global(global) => program.globals[global].thread_local,
                Origin::Heap(_) | Origin::Function(_) | Origin::Arguments => false,
            };
        }
        sharing
    }

    /// Whether several threads may know the object.
    pub(crate) fn is_shared(&self, object: ObjectId) -> bool {
        self.shared[object.index()]
    }

    /// Whether the object may end while another thread uses it.
    pub(crate) fn may_die_in_use(&self, object: ObjectId) -> bool {
        self.shared[object.index()] && self.mortal[object.index()]
    }
}
