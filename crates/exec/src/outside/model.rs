//! `selvedge_outside`, which makes a variable one of the world outside, and what notes a result.

use std::rc::Rc;

use super::{InputObject, Returned};
use crate::finding::{Res, unsupported};
use crate::memory::{Content, Origin};
use crate::ops;
use crate::state::{InputKind, InputType};
use crate::step::Step;
use crate::value::{Region, Value};

impl Step<'_, '_> {
    /// Makes a whole variable an input; pointers in it lead to memory from outside.
    pub(crate) fn make_outside(&mut self, ptr: Value, size: Value, name: Value) -> Res<()> {
        if self.st.is_concurrent || self.oracle.is_relative() || self.m.slice.is_some() {
            return unsupported("memory from outside in a program with threads, or in a proof");
        }
        let name: Rc<str> = String::from_utf8_lossy(&self.c_string(name)?).as_ref().into();
        let place = self.settle_pointer(ptr)?;
        let variable = match place {
            Value::Ptr { obj, .. } => self.st.mem.get(obj).filter(|object| {
                Value::Ptr { obj, addr: object.base } == place && ops::concrete(size) == Some(object.size)
            }),
            _ => None,
        };
        let (obj, ty, bytes) = match variable.map(|object| (object.id, &object.origin, object.size)) {
            Some((obj, Origin::Variable { ty: Some(ty), .. }, bytes)) => (obj, *ty, bytes),
            _ => {
                return unsupported(format!(
                    "`{name}` as memory from outside: it is no whole variable of a known type"
                ));
            }
        };
        if bytes == 0 {
            return self.returns_nothing();
        }
        let is_known = self.st.outside.as_ref().is_some_and(|outside| outside.object(obj).is_some());
        if is_known {
            return unsupported(format!("`{name}` as memory from outside twice"));
        }
        self.has_effect();
        let source = self.consume_input(name.clone(), InputType::Bytes(Some(ty)), bytes, InputKind::Program);
        let object = self.st.mem.get_mut(obj).expect("found above");
        if let (Origin::Variable { name: own, .. }, true) =
            (&mut object.origin, obj.region() == Region::Stack)
        {
            *own = name.clone();
        }
        let mut cx = self.m.symbols();
        object.content.put_lazy(&mut cx, 0, bytes, source, 0);
        let (count, element) = (1, bytes);
        let object = InputObject {
            obj,
            name,
            ty: Some(ty),
            element,
            count,
            is_variable: true,
            is_text: false,
            source,
            pointers: Vec::new(),
        };
        self.add_object(object, 0);
        self.returns_nothing()
    }

    /// Keeps what a variable holds as the result of what was executed; null is a result without a value.
    pub(crate) fn note_result(&mut self, ptr: Value) -> Res<()> {
        let object = match self.settle_pointer(ptr)? {
            Value::Ptr { obj, .. } => self.st.mem.get(obj),
            _ => None,
        };
        let ty = match object.map(|object| &object.origin) {
            Some(Origin::Variable { ty, .. }) => *ty,
            _ => None,
        };
        let content = object.map_or_else(Content::default, |object| object.content.clone());
        Rc::make_mut(self.st.outside.get_or_insert_default()).result = Some(Returned { ty, content });
        self.returns_nothing()
    }
}
