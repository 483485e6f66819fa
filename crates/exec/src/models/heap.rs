//! `malloc` and its relatives, `new` and `delete`.
//!
//! Allocation succeeds unless the user lets it fail; then both outcomes are explored. A symbolic size is
//! made concrete by forking over its values, up to a limit beyond which the path is unsupported.

use std::rc::Rc;

use selvedge_por::Mode;
use selvedge_program::{BinOp, CmpOp, FuncId};

use super::{Calls, MEMORY_FAILS, Model};
use crate::finding::{FindingKind, Res, unsupported};
use crate::memory::{Content, MAX_OBJECT, MadeBy, NewObject, Origin, Status};
use crate::ops;
use crate::source::Source;
use crate::step::Step;
use crate::value::{ObjId, Region, Value};
use selvedge_library::{Heap, Known, Operator};

const EINVAL: i32 = 22;
const ENOMEM: i32 = 12;

/// Sizes of one allocation to fork over.
const MAX_SIZES: usize = 128;

pub(super) fn model(function: Heap) -> Model {
    match function {
        Heap::Malloc | Heap::New | Heap::NewArray => |s, f, _, v| s.malloc(f, v[0]),
        Heap::Calloc => |s, f, _, v| s.calloc(f, v[0], v[1]),
        Heap::Realloc => |s, f, _, v| s.realloc(f, v[0], v[1]),
        Heap::ReallocArray => |s, f, _, v| {
            let size = s.product(v[1], v[2])?;
            match size {
                Some(size) => s.realloc(f, v[0], Value::Int(size)),
                None => s.no_memory(),
            }
        },
        Heap::AlignedAlloc => |s, f, _, v| s.aligned(f, v[0], v[1], false),
        Heap::Memalign => |s, f, _, v| s.aligned(f, v[0], v[1], true),
        Heap::PosixMemalign => |s, f, _, v| s.posix_memalign(f, v[0], v[1], v[2]),
        Heap::Free | Heap::Delete | Heap::DeleteArray => |s, f, _, v| {
            s.release(f, v[0])?;
            s.returns_nothing()
        },
        Heap::UsableSize => |s, _, _, v| s.usable_size(v[0]),
    }
}

impl Step<'_, '_> {
    fn size(&mut self, size: Value) -> Res<u64> {
        let bits = self.ptr_bits();
        self.concretise(size, bits, MAX_SIZES, "the size of an allocation")
    }

    /// `a * b`, or `None` if it does not fit.
    fn product(&mut self, a: Value, b: Value) -> Res<Option<u64>> {
        let (a, b) = (self.size(a)?, self.size(b)?);
        let limit = if self.ptr_bits() == 32 { u64::from(u32::MAX) } else { u64::MAX };
        Ok(a.checked_mul(b).filter(|p| *p <= limit))
    }

    /// Whether this allocation fails; decided by an input if the user allows it.
    fn fails(&mut self) -> Res<bool> {
        Ok(self.which_failure(Calls::Memory, 1, MEMORY_FAILS)?.is_some())
    }

    /// What no process can have, as a size or an alignment: x86 uses 47 bits of an address, or half of 32.
    fn too_much(&self) -> u64 {
        1 << (self.ptr_bits() - 1).min(47)
    }

    /// A fresh heap block; `None` if the request cannot be met, as for absurd sizes.
    fn allocate(&mut self, func: FuncId, size: u64, align: u64, zero: bool) -> Res<Option<Value>> {
        self.note_in_handler();
        if size > MAX_OBJECT {
            // Below that, where exactly real allocators refuse is their business.
            if size >= self.too_much() {
                return Ok(None);
            }
            return unsupported(format!("allocation of {size} bytes"));
        }
        let name: Rc<str> = match self.operator(func) {
            Operator::Malloc => self.m.image.program.funcs[func].name.as_str().into(),
            Operator::New => "new".into(),
            Operator::NewArray => "new[]".into(),
        };
        self.block(size, align, name, zero).map(Some)
    }

    /// A fresh block that `name` has made.
    pub(super) fn block(&mut self, size: u64, align: u64, name: Rc<str>, zero: bool) -> Res<Value> {
        let site = self.st.user_loc(self.m.image.program);
        let new = NewObject { size, align, site, origin: Origin::Call(name) };
        let thread = self.st.current as u32;
        let made = self.st.mem.alloc_heap(thread, new, |obj| {
            let unwritten = Source::Uninit { obj, other: false };
            if zero { Content::zeroed(size) } else { Content::lazy(size, unwritten) }
        });
        match made {
            Some((obj, addr)) => {
                self.note_maker(obj);
                Ok(Value::Ptr { obj, addr })
            }
            None => unsupported("the heap is full"),
        }
    }

    /// What an allocation or release belongs to: `new`, `new[]` or `malloc` (with its relatives). The operators of
    /// the run-time call `malloc` and `free`.
    fn operator(&self, func: FuncId) -> Operator {
        let image = &self.m.image;
        let caller = self.st.frame().func;
        let func = if image.program.funcs[caller].is_runtime { caller } else { func };
        image.library.known(func).map_or(Operator::Malloc, Known::operator)
    }

    /// A block of `new` must be released by `delete`, and so on.
    fn check_operator(&mut self, block: ObjId, func: FuncId) -> Res<()> {
        let object = self.st.mem.get(block).expect("checked");
        let made_by = match object.origin.made_by() {
            MadeBy::New => Some(Operator::New),
            MadeBy::NewArray => Some(Operator::NewArray),
            MadeBy::Mapping => None,
            MadeBy::Malloc | MadeBy::World => Some(Operator::Malloc),
            MadeBy::Variable | MadeBy::Engine => return Ok(()),
            MadeBy::Outside => {
                self.assumed("outside.freeable");
                return Ok(());
            }
        };
        let released_by = self.operator(func);
        if made_by == Some(released_by) {
            return Ok(());
        }
        let (name, site) = (object.origin.describe(), object.site);
        let release = match released_by {
            Operator::New => "delete",
            Operator::NewArray => "delete[]",
            Operator::Malloc => self.m.image.program.funcs[func].name.as_str(),
        };
        let message = format!("{release} of {name}");
        self.finding_at(FindingKind::Misuse, message, &[("allocated here", site)])
    }

    /// Ends a call that could not allocate.
    fn no_memory(&mut self) -> Res<()> {
        self.set_errno(ENOMEM)?;
        self.returns(Value::Int(0))
    }

    /// Ends a call with the block that it made, if it made one.
    fn returns_block(&mut self, block: Option<Value>) -> Res<()> {
        match block {
            Some(block) => self.returns(block),
            None => self.no_memory(),
        }
    }

    fn malloc(&mut self, func: FuncId, size: Value) -> Res<()> {
        let size = self.size(size)?;
        if self.fails()? {
            return self.no_memory();
        }
        let block = self.allocate(func, size, 16, false)?;
        self.returns_block(block)
    }

    fn calloc(&mut self, func: FuncId, count: Value, size: Value) -> Res<()> {
        let Some(size) = self.product(count, size)? else { return self.no_memory() };
        if self.fails()? {
            return self.no_memory();
        }
        let block = self.allocate(func, size, 16, true)?;
        self.returns_block(block)
    }

    /// `aligned_alloc`, and `memalign`, which takes the next power of two (`rounds`) where the other refuses.
    fn aligned(&mut self, func: FuncId, align: Value, size: Value, rounds: bool) -> Res<()> {
        let (align, size) = (self.size(align)?, self.size(size)?);
        if align > 1 << (self.ptr_bits() - 1) || !(rounds || align.is_power_of_two()) {
            self.set_errno(EINVAL)?;
            return self.returns(Value::Int(0));
        }
        if self.fails()? {
            return self.no_memory();
        }
        if align >= self.too_much() {
            return self.no_memory();
        }
        let block = self.allocate(func, size, align.next_power_of_two().max(16), false)?;
        self.returns_block(block)
    }

    fn posix_memalign(&mut self, func: FuncId, out: Value, align: Value, size: Value) -> Res<()> {
        let (align, size) = (self.size(align)?, self.size(size)?);
        let room = u64::from(self.ptr_bits() / 8);
        let out = self.concrete_place(out, room, true)?;
        self.touch_at(out, room, Mode::Write)?;
        if !align.is_power_of_two() || align < u64::from(self.ptr_bits() / 8) {
            return self.returns(Value::Int(EINVAL as u64));
        }
        if self.fails()? || align >= self.too_much() {
            return self.returns(Value::Int(ENOMEM as u64));
        }
        match self.allocate(func, size, align.max(16), false)? {
            Some(block) => {
                self.store(out, selvedge_program::Ty::Ptr, block)?;
                self.returns(Value::Int(0))
            }
            None => self.returns(Value::Int(ENOMEM as u64)),
        }
    }

    fn realloc(&mut self, func: FuncId, old: Value, size: Value) -> Res<()> {
        let size = self.size(size)?;
        let bits = self.ptr_bits();
        let null = ops::cmp(&mut self.m.pool, CmpOp::Eq, bits, old, Value::Int(0));
        if self.decide(null)? {
            if self.fails()? {
                return self.no_memory();
            }
            let block = self.allocate(func, size, 16, false)?;
            return self.returns_block(block);
        }
        let block = self.block_start(old, Heap::Realloc)?;
        self.check_operator(block, func)?;
        self.touch_whole(block)?;
        if size == 0 {
            // C leaves open whether the block is freed, and C23 leaves everything open.
            self.assumed("library.realloc-zero");
            self.kill(block);
            return self.returns(Value::Int(0));
        }
        if self.fails()? {
            return self.no_memory();
        }
        let object = self.st.mem.get(block).expect("checked");
        let keep = object.size.min(size);
        let from = Value::Ptr { obj: block, addr: object.base };
        let Some(new) = self.allocate(func, size, 16, false)? else { return self.no_memory() };
        self.copy_at_once(new, from, keep)?;
        self.kill(block);
        self.returns(new)
    }

    fn usable_size(&mut self, ptr: Value) -> Res<()> {
        let ptr = self.settle_pointer(ptr)?;
        if self.is_null(ptr)? {
            return self.returns(Value::Int(0));
        }
        let block = self.block_start(ptr, Heap::UsableSize)?;
        let size = self.st.mem.get(block).expect("checked").size;
        self.assumed("library.usable-size");
        self.returns(Value::Int(size))
    }

    /// `free`.
    pub(crate) fn release(&mut self, func: FuncId, ptr: Value) -> Res<()> {
        self.note_in_handler();
        let bits = self.ptr_bits();
        let null = ops::cmp(&mut self.m.pool, CmpOp::Eq, bits, ptr, Value::Int(0));
        if self.decide(null)? {
            return Ok(());
        }
        let block = self.block_start(ptr, Heap::Free)?;
        self.check_operator(block, func)?;
        self.touch_whole(block)?;
        self.kill(block);
        Ok(())
    }

    fn kill(&mut self, block: ObjId) {
        let at = self.st.user_loc(self.m.image.program);
        self.has_changed(block);
        let object = self.st.mem.get_mut(block).expect("checked");
        object.status = Status::Freed(at);
        object.content = Content::default();
    }

    /// The live heap block that `ptr` is the start of, which `function` wants.
    fn block_start(&mut self, ptr: Value, function: Heap) -> Res<ObjId> {
        let what = function.row().name();
        let bits = self.ptr_bits();
        let ptr = self.settle_pointer(ptr)?;
        let obj = match ptr {
            Value::Ptr { obj, .. } | Value::SymPtr { obj, .. } => obj,
            Value::Int(addr) => match self.st.mem.find(addr) {
                Some(obj) => obj,
                None => {
                    return self.finding(
                        FindingKind::Free,
                        format!("{what} of {addr:#x}, which no allocation returned"),
                    );
                }
            },
            Value::Term(addr) => {
                let addr = self.concretise(Value::Term(addr), bits, MAX_SIZES, "the argument of free")?;
                return self.block_start(Value::Int(addr), function);
            }
        };
        if self.st.is_concurrent && self.st.mem.get(obj).is_none_or(|o| o.status != Status::Live) {
            self.touch_dead(obj, true)?;
        }
        let Some(object) = self.st.mem.get(obj) else {
            return self.finding(FindingKind::Free, format!("{what} of something that is not a heap block"));
        };
        let (name, base, site, status) = (object.origin.describe(), object.base, object.site, object.status);
        if obj.region() != Region::Heap {
            return self.finding(FindingKind::Free, format!("{what} of {name}, which is not a heap block"));
        }
        if let Status::Freed(at) = status {
            let message = if function == Heap::Free {
                format!("double free of {name}")
            } else {
                format!("{what} of {name}, which is already freed")
            };
            let places = [("allocated here", site), ("freed first here", at)];
            return self.finding_at(FindingKind::Free, message, &places);
        }
        let at_start = ops::cmp(&mut self.m.pool, CmpOp::Eq, bits, ptr, Value::Int(base));
        if self.decide(at_start)? {
            return Ok(obj);
        }
        let inside = ops::bin(&mut self.m.pool, BinOp::Sub, bits, ptr, Value::Int(base));
        let place = match ops::concrete(inside) {
            Some(off) => format!("{off} bytes into {name}"),
            None => format!("a place inside {name}"),
        };
        self.finding_at(FindingKind::Free, format!("{what} of {place}"), &[("allocated here", site)])
    }
}
