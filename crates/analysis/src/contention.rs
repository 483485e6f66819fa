//! Accesses that may meet a conflicting one of another thread.
//!
//! An access that cannot is independent of every step of other threads, whenever it happens.

use selvedge_base::Id;

use crate::effects::Effects;
use crate::layout::{InstId, Layout};
use crate::object::Range;
use crate::threads::Threads;

/// Accesses to one object that are compared with each other; with more, all are taken to meet.
const MAX_COMPARED: usize = 1000;

#[derive(Clone, Copy)]
struct Use {
    inst: InstId,
    range: Range,
    writes: bool,
}

/// By instruction: whether it may meet a conflicting access.
pub(crate) fn contended(
    layout: &Layout,
    effects: &Effects,
    threads: &Threads,
    n_objects: usize,
) -> Vec<bool> {
    let mut uses: Vec<Vec<Use>> = vec![Vec::new(); n_objects];
    for i in 0..layout.n_insts() {
        let inst = InstId::new(i);
        let Some(effect) = effects.of(inst) else { continue };
        for touched in &*effect.reads {
            uses[touched.object.index()].push(Use { inst, range: touched.range, writes: false });
        }
        for touched in &*effect.writes {
            uses[touched.object.index()].push(Use { inst, range: touched.range, writes: true });
        }
        for &object in &effect.ends {
            uses[object.index()].push(Use { inst, range: Range::ALL, writes: true });
        }
    }
    let mut contended = vec![false; layout.n_insts()];
    let meets = |a: &Use, b: &Use| {
        (a.writes || b.writes)
            && a.range.overlaps(b.range)
            && threads.may_overlap(layout.point(a.inst).func, layout.point(b.inst).func)
    };
    for object in &uses {
        let is_simple = object.len() <= MAX_COMPARED;
        for a in object {
            let at = &mut contended[a.inst.index()];
            *at = *at || !is_simple || object.iter().any(|b| meets(a, b));
        }
    }
    contended
}
