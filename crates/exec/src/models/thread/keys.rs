//! Thread-specific values (`pthread_key_create`) and what runs when a thread ends.

use std::rc::Rc;

use selvedge_por::{Access, Location};
use selvedge_program::{Arg, Operand, Reg, Ty};

use super::super::Model;
use super::life::{EAGAIN, EINVAL};
use crate::finding::Res;
use crate::ops;
use crate::state::Key;
use crate::step::Step;
use crate::sync::{Family, key};
use crate::value::Value;
use selvedge_library::Keys;

/// `PTHREAD_DESTRUCTOR_ITERATIONS`: a destructor may set values again, but not for ever.
const ROUNDS: u32 = 4;
/// `PTHREAD_KEYS_MAX`.
const MAX_KEYS: usize = 1024;

pub(in crate::models) fn model(function: Keys) -> Model {
    match function {
        Keys::Create => |s, _, _, v| s.create_key(v[0], v[1]),
        Keys::Delete => |s, _, _, v| {
            let number = s.key_number(v[0])?;
            let keys = Rc::make_mut(&mut s.st.keys);
            match keys.get_mut(number as usize) {
                Some(key) if *key != Key::Deleted => {
                    *key = Key::Deleted;
                    s.has_effect();
                    s.returns(Value::Int(0))
                }
                _ => s.returns(Value::Int(EINVAL)),
            }
        },
        Keys::Set => |s, _, _, v| {
            let number = s.key_number(v[0])?;
            if !s.is_key(number) {
                return s.returns(Value::Int(EINVAL));
            }
            s.has_effect();
            let specific = &mut s.st.thread_mut().specific;
            specific.retain(|(k, _)| *k != number);
            specific.push((number, v[1]));
            s.returns(Value::Int(0))
        },
        Keys::Get => |s, _, _, v| {
            let number = s.key_number(v[0])?;
            let value = s.st.thread().specific.iter().find(|(k, _)| *k == number).map(|(_, v)| *v);
            let value = value.filter(|_| s.is_key(number));
            s.returns(value.unwrap_or(Value::Int(0)))
        },
    }
}

impl Step<'_, '_> {
    fn key_number(&mut self, value: Value) -> Res<u32> {
        Ok(self.concretise(value, 32, 64, "a key of thread-specific values")? as u32)
    }

    fn is_key(&self, number: u32) -> bool {
        self.st.keys.get(number as usize).is_some_and(|key| *key != Key::Deleted)
    }

    fn create_key(&mut self, out: Value, destructor: Value) -> Res<()> {
        let out = self.concrete_place(out, 4, true)?;
        let destructor = match self.is_null(destructor)? {
            true => Key::Plain,
            false => Key::Destroying(self.resolve_function(destructor)?),
        };
        if self.st.is_concurrent {
            // Numbers are given in the order of creation.
            let access = Access::read_write(Location::Sync(key(Family::Key, 0)));
            self.gate([access])?;
            self.note(access);
        }
        if self.st.keys.iter().filter(|key| **key != Key::Deleted).count() >= MAX_KEYS {
            return self.returns(Value::Int(EAGAIN));
        }
        let number = self.st.keys.len() as u64;
        self.store(out, Ty::Int(32), Value::Int(number))?;
        self.has_effect();
        Rc::make_mut(&mut self.st.keys).push(destructor);
        self.returns(Value::Int(0))
    }

    /// Enters the destructor of a value that the ending thread still has; the current instruction runs again
    /// afterwards.
    pub(super) fn run_destructor(&mut self) -> Res<bool> {
        let limit = ROUNDS * self.st.keys.len() as u32;
        while let Some(&(number, value)) = self.st.thread().specific.first() {
            let destructor = match self.st.keys.get(number as usize) {
                Some(Key::Destroying(func)) => Some(*func),
                _ => None,
            };
            let is_set = ops::concrete(value) != Some(0);
            let Some(func) = destructor.filter(|_| is_set && self.st.thread().n_destructors < limit) else {
                self.st.thread_mut().specific.remove(0);
                continue;
            };
            let arg = Arg { value: Operand::Reg(Reg(0)), ty: Ty::Ptr, byval: None };
            self.enter(func, &[arg], &[value])?;
            self.st.frame_mut().resumes = true;
            let thread = self.st.thread_mut();
            thread.specific.remove(0);
            thread.n_destructors += 1;
            return Ok(true);
        }
        Ok(false)
    }
}
