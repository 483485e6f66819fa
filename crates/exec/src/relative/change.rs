//! What a step has changed: the objects and threads that differ from the state before it.
//!
//! Kept in place of the state after the step, which is mostly the state before it, and large.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::values::{Contents, Held};
use crate::memory::{Content, Memory, Object};
use crate::state::{State, Thread};
use crate::value::{ObjId, Value};

/// The difference between a state over state variables and the state after a step from there.
#[derive(Debug, Default)]
pub(super) struct Change {
    /// Objects by what variables call them; `None` if they are gone.
    objects: FxHashMap<ObjId, Option<Rc<Object>>>,
    /// Threads that took part.
    threads: Vec<(usize, Rc<Thread>)>,
}

impl Change {
    /// What was changed from `before` to `after`. Of threads that are `idle`, nothing was.
    pub(super) fn between(before: &Memory, after: &State, idle: &[bool]) -> Change {
        let mut objects = FxHashMap::default();
        before.differences(&after.mem, |old, new| {
            if let Some(object) = new.or(old) {
                objects.insert(object.id.denotation(), new.cloned());
            }
        });
        let takes_part = |(t, _): &(usize, &Rc<Thread>)| idle.get(*t) != Some(&true);
        let threads = after.threads.iter().enumerate().filter(takes_part);
        Change { objects, threads: threads.map(|(t, thread)| (t, thread.clone())).collect() }
    }

    fn of_thread(&self, thread: u32, value: impl Fn(&Thread) -> Option<Value>) -> Held<Value> {
        match self.threads.iter().find(|(t, _)| *t == thread as usize) {
            Some((_, thread)) => value(thread).map_or(Held::Gone, Held::Is),
            None => Held::Same,
        }
    }
}

impl Contents for Change {
    fn object(&self, obj: ObjId) -> Held<&Content> {
        match self.objects.get(&obj) {
            None => Held::Same,
            Some(None) => Held::Gone,
            Some(Some(object)) => Held::Is(&object.content),
        }
    }

    fn register(&self, thread: u32, depth: u32, reg: u32) -> Held<Value> {
        self.of_thread(thread, |thread| thread.register(depth, reg))
    }

    fn watched(&self, thread: u32, probe: u32, reg: u32) -> Held<Value> {
        self.of_thread(thread, |thread| thread.watched(probe, reg))
    }
}
