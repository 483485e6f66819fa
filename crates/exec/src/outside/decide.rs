//! What an input pointer is: asked when the program looks, decided by inputs of its own.
//!
//! Two questions, one after the other: whether it is null, and where it leads to. Both change the state before the
//! instruction that asked has run, and nothing but what is known of the pointer; after a fork the instruction runs again.

use std::rc::Rc;

use selvedge_base::Id;
use selvedge_program::{BinOp, CmpOp, Inst, Operand, Program, Reg, Ty, TypeId};
use smallvec::SmallVec;

use super::types::{Pointee, is_char, is_record, places, pointers, truths};
use super::{InputObject, InputPointer, Outside, Standing, address, number, placeholder};
use crate::finding::{PathEnd, Res, end, unsupported};
use crate::memory::{Content, MAX_OBJECT, NewObject, Origin};
use crate::names::size_of;
use crate::ops;
use crate::source::Source;
use crate::state::{InputKind, InputType};
use crate::step::Step;
use crate::value::{ObjId, Region, Value, truncate};

/// More places that one pointer may lead to are not told apart.
const MAX_PLACES: usize = 128;

/// Bytes for each element of memory of which no type is known.
const WORD: u64 = 8;

/// Where an input pointer may lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// An object of its own.
    New,
    /// Memory that is there.
    At(ObjId, u64),
    /// Into the new object of another input pointer of which nothing is known yet.
    Behind(usize, u64),
}

impl Step<'_, '_> {
    /// Decides what the instruction is about to look at, and puts the pointers in place of what stands for them. What
    /// an access goes through is left to `resolve`, which knows what a null pointer means there.
    pub(crate) fn settle_operands(&mut self, inst: &Inst) -> Res<()> {
        match inst {
            Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::MemCopy { .. }
            | Inst::MemSet { .. }
            | Inst::Copy { .. }
            | Inst::Freeze { .. }
            | Inst::Select { .. }
            | Inst::PtrAdd { .. }
            | Inst::Jump { .. }
            | Inst::Branch { .. }
            | Inst::Return { .. } => Ok(()),
            Inst::Cmp { op: CmpOp::Eq | CmpOp::Ne, a, b, .. } => self.settle_equality(*a, *b),
            Inst::AtomicRmw { ty: Ty::Ptr, .. } | Inst::CmpXchg { ty: Ty::Ptr, .. } => {
                unsupported("an atomic operation on a pointer, with pointers that come from outside")
            }
            Inst::Call { callee, .. } if self.keeps_arguments(callee) => Ok(()),
            // Whom it calls is the call's own question.
            Inst::Call { callee: selvedge_program::Callee::Indirect(_), args, .. } => {
                args.iter().try_for_each(|arg| match arg.value {
                    Operand::Reg(reg) => self.settle_register(reg),
                    Operand::Const(_) => Ok(()),
                })
            }
            _ => {
                let mut regs: SmallVec<[Reg; 8]> = SmallVec::new();
                inst.for_each_operand(|operand| {
                    if let Operand::Reg(reg) = operand {
                        regs.push(*reg);
                    }
                });
                regs.into_iter().try_for_each(|reg| self.settle_register(reg))
            }
        }
    }

    /// A comparison with null asks for no more than that.
    fn settle_equality(&mut self, a: Operand, b: Operand) -> Res<()> {
        let (x, y) = (self.get(a), self.get(b));
        if number(x).is_some() && number(x) == number(y) {
            return Ok(());
        }
        let asked = match (number(x), number(y)) {
            (Some(n), None) if ops::concrete(y) == Some(0) && ops::provenance(y).is_none() => Some((n, a)),
            (None, Some(n)) if ops::concrete(x) == Some(0) && ops::provenance(x).is_none() => Some((n, b)),
            _ => None,
        };
        // With an offset that is not known it may be any number, which then depends on where the object lies.
        let is_far = [x, y].iter().any(|value| matches!(value, Value::SymPtr { .. }));
        let asked = asked.filter(|_| !is_far);
        match (asked, a, b) {
            (Some((n, Operand::Reg(reg))), ..) => {
                if self.is_null_input(n)? {
                    self.settle_register(reg)?;
                }
                Ok(())
            }
            (None, a, b) => {
                for operand in [a, b] {
                    if let Operand::Reg(reg) = operand {
                        self.settle_register(reg)?;
                    }
                }
                Ok(())
            }
            (Some((_, Operand::Const(_))), ..) => Ok(()),
        }
    }

    /// Whether a call hands its arguments on as they are: to code of the program, whose parameters are registers.
    fn keeps_arguments(&self, callee: &selvedge_program::Callee) -> bool {
        let selvedge_program::Callee::Direct(func) = callee else { return false };
        let function = &self.m.image.program.funcs[*func];
        function.is_defined()
            && !function.variadic
            && function.byval.iter().all(Option::is_none)
            && self.m.image.models[func.index()].is_none()
    }

    fn settle_register(&mut self, reg: Reg) -> Res<()> {
        let value = self.st.frame().regs[reg.index()];
        if number(value).is_some() {
            let settled = self.settle_input(value)?;
            self.st.frame_mut().set(reg, settled);
        }
        Ok(())
    }

    /// The pointer that a placeholder stands for; other values as they are.
    pub(crate) fn settle_input(&mut self, value: Value) -> Res<Value> {
        let Some(n) = number(value) else { return Ok(value) };
        let target = self.target(n)?;
        let bits = self.ptr_bits();
        let (obj, base) = match target {
            Some((obj, offset)) => (Some(obj), self.st.mem.get(obj).map_or(0, |o| o.base) + offset),
            None => (None, 0),
        };
        let shift = base.wrapping_sub(address(n, bits));
        Ok(match (value, obj) {
            (Value::Ptr { addr, .. }, Some(obj)) => {
                Value::Ptr { obj, addr: truncate(addr.wrapping_add(shift), bits) }
            }
            (Value::Ptr { addr, .. }, None) => Value::Int(truncate(addr.wrapping_add(shift), bits)),
            (other, obj) => {
                let term = ops::to_term(&mut self.m.pool, other, bits);
                let shift = self.m.pool.bv(bits, truncate(shift, bits));
                let moved = self.m.pool.add(term, shift);
                match obj {
                    Some(obj) => ops::pointer(&self.m.pool, obj, moved),
                    None => ops::from_term(&self.m.pool, moved),
                }
            }
        })
    }

    /// Whether a pointer of which a placeholder is there is null; `None` if it is no placeholder.
    pub(crate) fn input_is_null(&mut self, value: Value) -> Res<Option<bool>> {
        match number(value) {
            Some(n) => Ok(Some(self.is_null_input(n)?)),
            None => Ok(None),
        }
    }

    /// The name of the pointer through which a function from outside is called; `None` if it is no such function.
    pub(crate) fn outside_function(&mut self, target: Value) -> Res<Option<Rc<str>>> {
        let Some(n) = number(target) else { return Ok(None) };
        let InputPointer { name, to, .. } = self.outside().pointers[n].clone();
        Ok((to == Pointee::Code && !self.is_null_input(n)?).then_some(name))
    }

    fn outside(&self) -> &Outside {
        self.st.outside.as_ref().expect("there is a placeholder")
    }

    fn outside_mut(&mut self) -> &mut Outside {
        Rc::make_mut(self.st.outside.get_or_insert_default())
    }

    fn is_null_input(&mut self, n: usize) -> Res<bool> {
        match self.outside().pointers[n].standing {
            Standing::Null => return Ok(true),
            Standing::NotNull | Standing::To { .. } => return Ok(false),
            Standing::Open => {}
        }
        if self.st.is_concurrent {
            return unsupported("memory from outside in a program with threads");
        }
        let can_lead = !self.places_of(n)?.is_empty();
        self.note_chain(n);
        let is_null = if can_lead {
            self.decision(n, 2)? == 0
        } else {
            // It could be no other's alias.
            true
        };
        let standing = if is_null { Standing::Null } else { Standing::NotNull };
        self.outside_mut().pointers[n].standing = standing;
        Ok(is_null)
    }

    /// Where an input pointer leads to; `None` if it is null.
    fn target(&mut self, n: usize) -> Res<Option<(ObjId, u64)>> {
        if self.is_null_input(n)? {
            return Ok(None);
        }
        if let Standing::To { obj, offset, .. } = self.outside().pointers[n].standing {
            return Ok(Some((obj, offset)));
        }
        let places = self.places_of(n)?;
        if places.len() > MAX_PLACES {
            return unsupported(format!(
                "a pointer from outside that can lead to more than {MAX_PLACES} places"
            ));
        }
        self.note_chain(n);
        let chosen = if places.len() == 1 { 0 } else { self.decision(n, places.len())? };
        self.assumed("outside.overlap");
        let (obj, offset, is_new) = match places[chosen] {
            Place::New => (self.make(n)?, 0, true),
            Place::At(obj, offset) => (obj, offset, false),
            Place::Behind(other, offset) => {
                let obj = self.make(other)?;
                self.outside_mut().pointers[other].standing = Standing::To { obj, offset: 0, is_new: true };
                (obj, offset, false)
            }
        };
        self.outside_mut().pointers[n].standing = Standing::To { obj, offset, is_new };
        Ok(Some((obj, offset)))
    }

    /// Notes that a pointer leads to no object of its own because it is too far away.
    fn note_chain(&mut self, n: usize) {
        if self.outside().pointers[n].depth >= self.m.options.surroundings.outside.depth() {
            self.assumed("outside.chains");
        }
    }

    /// One of `count` alternatives for an input pointer, as an input.
    fn decision(&mut self, n: usize, count: usize) -> Res<usize> {
        let value = self.peek_input(1);
        let value = ops::to_term(&mut self.m.pool, value, 8);
        let conds: Vec<_> = (0..count as u64)
            .map(|i| {
                let number = self.m.pool.bv(8, i);
                // Whatever is larger is the last one, so that every value means something.
                if i + 1 == count as u64 {
                    self.m.pool.ule(number, value)
                } else {
                    self.m.pool.eq(value, number)
                }
            })
            .collect();
        let chosen = self.choose(&conds)?;
        let name = self.outside().pointers[n].name.clone();
        self.consume_input(name, InputType::Decision(n as u32), 1, InputKind::Program);
        // What the instruction has asked so far it asks again: the answers were for the state before.
        self.st.thread_mut().decisions.clear();
        self.st.cursor = 0;
        Ok(chosen)
    }

    /// All that an input pointer may lead to.
    fn places_of(&self, n: usize) -> Res<Vec<Place>> {
        let (outside, program) = (self.outside(), self.m.image.program);
        let pointer = &outside.pointers[n];
        let is_short = pointer.depth < self.m.options.surroundings.outside.depth();
        let mut found = Vec::new();
        if is_short {
            found.push(Place::New);
        }
        let wanted = match pointer.to {
            Pointee::Type(wanted) => Some(wanted),
            Pointee::Bytes => None,
            Pointee::Code => return Ok(found),
        };
        // Bytes may be an element of any type, from its beginning.
        let inside = |ty: TypeId| wanted.map_or_else(|| vec![0], |wanted| places(program, ty, wanted));
        let is_place = |object: &&InputObject| !object.is_variable || object.obj.region() == Region::Global;
        for object in outside.objects.iter().filter(is_place) {
            let Some(ty) = object.ty else {
                found.extend(wanted.is_none().then_some(Place::At(object.obj, 0)));
                continue;
            };
            let inside = inside(ty);
            for i in 0..object.count {
                found.extend(inside.iter().map(|at| Place::At(object.obj, i * object.element + at)));
            }
        }
        for (number, other) in outside.pointers.iter().enumerate() {
            let is_open = matches!(other.standing, Standing::Open | Standing::NotNull) && number != n;
            let Pointee::Type(ty) = other.to else { continue };
            if !is_open || other.depth >= self.m.options.surroundings.outside.depth() {
                continue;
            }
            let (element, count) = self.extent(other.to);
            for i in 0..count {
                let inside = inside(ty).into_iter().map(|at| i * element + at);
                // Where both begin at the same place, it is the other one that is the alias.
                let is_alias = || wanted.is_some_and(|wanted| places(program, wanted, ty).contains(&0));
                let begins = |at: &u64| *at > 0 || !is_alias();
                found.extend(inside.filter(begins).map(|at| Place::Behind(number, at)));
            }
        }
        Ok(found)
    }

    /// Bytes of an element behind a pointer, and how many there are.
    fn extent(&self, to: Pointee) -> (u64, u64) {
        let (program, bounds) = (self.m.image.program, self.m.options.surroundings.outside);
        match to {
            Pointee::Type(ty) => {
                let count = if is_record(&program.types, ty) { bounds.structs() } else { bounds.elements() };
                (size_of(&program.types, ty, program.ptr_bytes()), count)
            }
            Pointee::Bytes => (WORD, bounds.elements()),
            Pointee::Code => (0, 0),
        }
    }

    /// Makes the object that an input pointer leads to.
    fn make(&mut self, n: usize) -> Res<ObjId> {
        let program = self.m.image.program;
        let InputPointer { name, to, depth, .. } = self.outside().pointers[n].clone();
        let ty = match to {
            Pointee::Type(ty) => Some(ty),
            Pointee::Bytes => None,
            Pointee::Code => {
                return unsupported(format!("the function that `{name}` leads to, which comes from outside"));
            }
        };
        let (element, count) = self.extent(to);
        let size = element.saturating_mul(count);
        if size == 0 || size > MAX_OBJECT {
            return unsupported(format!("an object behind `{name}`, whose type is not known here"));
        }
        let site = self.st.user_loc(program);
        let origin = Origin::Outside { name: name.clone(), ty };
        let source = Source::Input { thread: self.st.current as u32, n: self.st.thread().n_inputs };
        let new = NewObject { size, align: 16, site, origin };
        let thread = self.st.current as u32;
        let Some((obj, _)) = self.st.mem.alloc_heap(thread, new, |_| Content::lazy(size, source)) else {
            return end(PathEnd::Unsupported("more memory than there are addresses".to_owned()));
        };
        let is_one = count == 1;
        let record_ty = ty.filter(|_| is_one);
        let record = crate::names::outside_name(program, &name, ty, size, 0);
        let what: Rc<str> = if is_one { record.into() } else { format!("{name}[0..{count}]").into() };
        self.consume_input(what, InputType::Bytes(record_ty), size, InputKind::Program);
        self.assumed("outside.sizes");
        let is_text = ty.is_some_and(|ty| is_char(&program.types, ty))
            && self.m.options.surroundings.outside.ends_texts();
        if is_text {
            self.assumed("outside.texts-end");
            let mut cx = self.m.symbols();
            self.st.mem.get_mut(obj).expect("just made").content.put(&mut cx, size - 1, &[0]);
        }
        let (is_variable, pointers) = (false, Vec::new());
        let object = InputObject { obj, name, ty, element, count, is_variable, is_text, source, pointers };
        self.add_object(object, depth + 1);
        Ok(obj)
    }

    /// Leaves of a `_Bool` the lowest bit: no other value has a meaning.
    fn make_truths(&mut self, object: &InputObject) {
        let program = self.m.image.program;
        let inside = object.ty.map(|ty| truths(program, ty)).unwrap_or_default();
        for at in (0..object.count).flat_map(|i| inside.iter().map(move |at| i * object.element + at)) {
            let mut cx = self.m.symbols();
            let memory = self.st.mem.get_mut(object.obj).expect("from outside");
            let value = memory.content.read(&mut cx, at, 1);
            let truth = ops::bin(cx.pool, BinOp::And, 8, value, Value::Int(1));
            memory.content.write(&mut cx, at, 1, truth);
        }
    }

    /// Notes an object from outside, and puts placeholders where its type has pointers.
    pub(super) fn add_object(&mut self, mut object: InputObject, depth: u32) {
        let program: &Program = self.m.image.program;
        self.make_truths(&object);
        let bits = self.ptr_bits();
        let inside = object.ty.map(|ty: TypeId| pointers(program, ty)).unwrap_or_default();
        for i in 0..object.count {
            for (at, to) in &inside {
                let at = i * object.element + at;
                let memory = self.st.mem.get(object.obj).expect("from outside");
                let name: Rc<str> =
                    crate::names::cell_name(program, memory, at, program.ptr_bytes()).0.into();
                let pointer = InputPointer { name, to: *to, depth, standing: Standing::Open };
                let outside = self.outside_mut();
                let n = outside.pointers.len();
                outside.pointers.push(pointer);
                object.pointers.push((at, n));
                let mut cx = self.m.symbols();
                let memory = self.st.mem.get_mut(object.obj).expect("from outside");
                memory.content.write(&mut cx, at, program.ptr_bytes(), placeholder(n, bits));
            }
        }
        self.outside_mut().objects.push(object);
    }
}
