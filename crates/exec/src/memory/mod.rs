//! The memory of one state: objects by identity, addresses, allocation.
//!
//! Objects live in copy-on-write tables, one for globals and a heap and a stack for each thread.
//! An object's address is a function of its own thread's allocation history, so states reached by
//! different interleavings agree on it. Heap addresses are never reused within an execution; stack
//! addresses are, and a generation in [`ObjId`] tells the occupants apart. Objects are
//! separated by unmapped gaps.

mod bytes;
mod cells;
mod content;
mod object;
mod table;

use std::ops::Range;
use std::rc::Rc;

use selvedge_analysis::InstId;
use selvedge_base::Loc;

pub use cells::{CellIter, Cells};
pub use content::{Cell, CellKind, Content, Symbols};
pub(crate) use object::{KEPT, MAPPING, MadeBy};
pub use object::{Object, Origin, Passed, Status};
use table::CowTable;

use crate::value::{ObjId, Region};

/// Where the regions of the address space lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressSpace {
    functions: u64,
    globals: u64,
    heap: u64,
    heap_step: u64,
    stack: u64,
    stack_step: u64,
}

/// Unmapped bytes between two objects.
const GAP: u64 = 32;
/// Addresses below this are "null" in messages.
pub const NULL_PAGE: u64 = 4096;
/// Largest object that is modelled.
pub const MAX_OBJECT: u64 = 1 << 30;

impl AddressSpace {
    /// The layout for pointers of `bits` bits.
    pub fn new(bits: u32) -> Self {
        if bits == 32 {
            AddressSpace {
                functions: 0x0804_8000,
                globals: 0x0a00_0000,
                heap: 0x2000_0000,
                heap_step: 0x0200_0000,
                stack: 0xa000_0000,
                stack_step: 0x0080_0000,
            }
        } else {
            AddressSpace {
                functions: 0x40_0000,
                globals: 0x60_0000,
                heap: 0x1000_0000_0000,
                heap_step: 1 << 36,
                stack: 0x7000_0000_0000,
                stack_step: 1 << 32,
            }
        }
    }

    /// The address of the function with this index.
    pub fn function(&self, index: usize) -> u64 {
        self.functions + 16 * index as u64
    }

    /// The function at an address.
    pub fn function_at(&self, addr: u64, count: usize) -> Option<usize> {
        let index = addr.checked_sub(self.functions)? / 16;
        ((index as usize) < count && addr == self.function(index as usize)).then_some(index as usize)
    }
}

/// What a new object is.
pub struct NewObject {
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// Where it is allocated.
    pub site: Loc,
    /// What makes it.
    pub origin: Origin,
}

/// The heap and stack of one thread.
#[derive(Clone, Debug, Default)]
struct ThreadMemory {
    heap: CowTable<Object>,
    heap_top: u64,
    /// Where the next object lies follows from the last one that is there, whatever lay above it before.
    stack: CowTable<Object>,
    generation: u32,
}

/// The memory of one state.
#[derive(Clone, Debug)]
pub struct Memory {
    space: AddressSpace,
    globals: CowTable<Object>,
    globals_top: u64,
    threads: Vec<Rc<ThreadMemory>>,
    /// What is made from now on is shared from its beginning.
    shares_new: bool,
}

fn align_up(addr: u64, align: u64) -> u64 {
    addr.next_multiple_of(align.max(1))
}

impl Memory {
    /// No objects yet, one thread.
    pub fn new(space: AddressSpace) -> Self {
        let mut memory = Memory {
            space,
            globals: CowTable::default(),
            globals_top: space.globals,
            threads: Vec::new(),
            shares_new: false,
        };
        memory.add_threads(1);
        memory
    }

    /// Room for threads up to number `n`.
    pub fn add_threads(&mut self, n: usize) {
        for i in self.threads.len() as u64..n as u64 {
            self.threads.push(Rc::new(ThreadMemory {
                heap_top: self.space.heap + i * self.space.heap_step,
                ..ThreadMemory::default()
            }));
        }
    }

    /// Shares every object that is made from now on.
    pub(crate) fn share_new(&mut self) {
        self.shares_new = true;
    }

    fn thread_mut(&mut self, thread: u32) -> &mut ThreadMemory {
        Rc::make_mut(&mut self.threads[thread as usize])
    }

    /// Adds the next global variable; call in `GlobalId` order.
    pub fn add_global(&mut self, new: NewObject, writable: bool, content: Content) -> ObjId {
        let base = align_up(self.globals_top, new.align.max(16));
        self.globals_top = base + new.size + GAP;
        let id = ObjId::global(self.globals.len(), 0);
        self.globals.push(object(id, base, new, writable, true, content));
        id
    }

    /// Allocates on the heap of `thread`; `None` when its address range is used up.
    pub fn alloc_heap(
        &mut self,
        thread: u32,
        new: NewObject,
        content: impl FnOnce(ObjId) -> Content,
    ) -> Option<(ObjId, u64)> {
        let limit = self.space.heap + (u64::from(thread) + 1) * self.space.heap_step;
        let is_shared = self.shares_new;
        let t = self.thread_mut(thread);
        let base = align_up(t.heap_top, new.align.max(16));
        let top = base.checked_add(new.size)?.checked_add(GAP)?;
        if top > limit {
            return None;
        }
        t.heap_top = top;
        let id = ObjId::heap(thread, t.heap.len() as u64);
        t.heap.push(object(id, base, new, true, is_shared, content(id)));
        Some((id, base))
    }

    /// Allocates on the stack of `thread`; `None` when the stack is full.
    pub fn alloc_stack(
        &mut self,
        thread: u32,
        new: NewObject,
        content: impl FnOnce(ObjId) -> Content,
    ) -> Option<(ObjId, u64)> {
        let limit = self.space.stack + (u64::from(thread) + 1) * self.space.stack_step;
        let is_shared = self.shares_new;
        let base = align_up(self.stack_top(thread), new.align.max(16));
        let t = self.thread_mut(thread);
        let top = base.checked_add(new.size)?.checked_add(GAP)?;
        if top > limit || t.stack.len() >= 0xf_ffff {
            return None;
        }
        t.generation = (t.generation + 1) & 0xff_ffff;
        let id = ObjId::stack(thread, t.stack.len() as u64, t.generation);
        t.stack.push(object(id, base, new, true, is_shared, content(id)));
        Some((id, base))
    }

    /// Begins a new life of a local. One whose last life has ended gets another identity: pointers from then do not lead to
    /// it. One that is declared again while it lives only loses its value. `content` gets a name for what is not written.
    pub(crate) fn renew(
        &mut self,
        old: ObjId,
        site: Loc,
        content: impl FnOnce(ObjId) -> Content,
    ) -> Option<ObjId> {
        self.get(old).filter(|_| old.region() == Region::Stack)?;
        let is_shared = self.shares_new;
        let t = self.thread_mut(old.thread());
        t.generation = (t.generation + 1) & 0xff_ffff;
        let id = ObjId::stack(old.thread(), old.index() as u64, t.generation);
        let object = t.stack.get_mut(old.index())?;
        object.site = site;
        object.content = content(id);
        if object.status == Status::OutOfScope {
            object.id = id;
            object.status = Status::Live;
            object.is_shared = is_shared;
            object.has_locks = false;
        }
        Some(object.id)
    }

    /// The variable that a pointer to a stack object led to, if that is there with a later life.
    pub(crate) fn renewed(&self, id: ObjId) -> Option<&Object> {
        let object = self.denoted(id).filter(|_| id.region() == Region::Stack)?;
        (object.first.generation()..object.id.generation()).contains(&id.generation()).then_some(object)
    }

    /// How many heap objects the thread has made; later ones have this number or a higher one.
    pub(crate) fn heap_mark(&self, thread: u32) -> usize {
        self.threads[thread as usize].heap.len()
    }

    /// A mark for [`release_stack`](Self::release_stack).
    pub fn stack_mark(&self, thread: u32) -> usize {
        self.threads[thread as usize].stack.len()
    }

    fn stack_start(&self, thread: u32) -> u64 {
        self.space.stack + u64::from(thread) * self.space.stack_step
    }

    /// The first address above the thread's stack.
    fn stack_top(&self, thread: u32) -> u64 {
        let stack = &self.threads[thread as usize].stack;
        let last = stack.len().checked_sub(1).and_then(|last| stack.get(last));
        last.map_or_else(|| self.stack_start(thread), |last| last.base + last.size + GAP)
    }

    /// Bytes of the thread's stack that are in use.
    pub(crate) fn stack_use(&self, thread: u32) -> u64 {
        self.stack_top(thread) - self.stack_start(thread)
    }

    /// The addresses of the stack objects made since `mark`.
    pub(crate) fn stack_since(&self, thread: u32, mark: usize) -> Range<u64> {
        let stack = &self.threads[thread as usize].stack;
        let last = stack.len().checked_sub(1).and_then(|last| stack.get(last));
        match (stack.get(mark), last) {
            (Some(first), Some(last)) => first.base..last.base + last.size,
            _ => 0..0,
        }
    }

    /// Ends the life of the stack objects made since `mark`.
    pub(crate) fn release_stack(&mut self, thread: u32, mark: usize) {
        if mark < self.threads[thread as usize].stack.len() {
            self.thread_mut(thread).stack.truncate(mark);
        }
    }

    /// Undoes the allocation of the newest stack object of `thread`, to which no pointer was made: as if it had never
    /// been there.
    pub(crate) fn forget_newest(&mut self, thread: u32) {
        let newest = self.threads[thread as usize].stack.len() - 1;
        self.release_stack(thread, newest);
        let t = self.thread_mut(thread);
        t.generation = t.generation.wrapping_sub(1) & 0xff_ffff;
    }

    /// The object, dead or alive; `None` for a stack object whose frame is gone.
    #[inline]
    pub fn get(&self, id: ObjId) -> Option<&Object> {
        match id.region() {
            Region::Global => self.globals.get(id.index()),
            Region::Heap => self.threads.get(id.thread() as usize)?.heap.get(id.index()),
            Region::Stack => {
                self.threads.get(id.thread() as usize)?.stack.get(id.index()).filter(|o| o.id == id)
            }
            Region::Function => None,
        }
    }

    /// As [`get`](Self::get), to change it.
    #[inline]
    pub fn get_mut(&mut self, id: ObjId) -> Option<&mut Object> {
        match id.region() {
            Region::Global => self.globals.get_mut(id.index()),
            Region::Heap => {
                Rc::make_mut(self.threads.get_mut(id.thread() as usize)?).heap.get_mut(id.index())
            }
            Region::Stack => {
                let memory = self.threads.get_mut(id.thread() as usize)?;
                if memory.stack.get(id.index())?.id != id {
                    return None;
                }
                Rc::make_mut(memory).stack.get_mut(id.index())
            }
            Region::Function => None,
        }
    }

    /// The object that contains `addr` (or whose one-past-the-end address it is), dead or alive.
    pub fn find(&self, addr: u64) -> Option<ObjId> {
        let (table, n) = if addr >= self.space.stack {
            (&self.threads.get(((addr - self.space.stack) / self.space.stack_step) as usize)?.stack, 0)
        } else if addr >= self.space.heap {
            (&self.threads.get(((addr - self.space.heap) / self.space.heap_step) as usize)?.heap, 0)
        } else {
            (&self.globals, 0)
        };
        // Objects of one table have ascending addresses: the last one that starts at or before `addr`.
        let (mut low, mut high) = (n, table.len());
        while low < high {
            let mid = usize::midpoint(low, high);
            if table.get(mid)?.base <= addr {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        let object = table.get(low.checked_sub(1)?)?;
        (addr <= object.base + object.size).then_some(object.id)
    }

    /// Shared objects of `thread`'s stack made since `mark`.
    pub(crate) fn shared_stack(&self, thread: u32, mark: usize) -> impl Iterator<Item = ObjId> {
        let stack = &self.threads[thread as usize].stack;
        (mark..stack.len()).filter_map(|slot| stack.get(slot)).filter(|o| o.is_shared).map(|o| o.id)
    }

    /// Objects in stack slots `from..to` of `thread`.
    pub(crate) fn stack_objects(&self, thread: usize, from: usize, to: usize) -> impl Iterator<Item = ObjId> {
        let stack = &self.threads[thread].stack;
        (from..to.min(stack.len())).filter_map(|slot| stack.get(slot)).map(|o| o.id)
    }

    /// All objects: globals, then each thread's heap and stack.
    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        self.globals.iter().chain(self.threads.iter().flat_map(|t| t.heap.iter().chain(t.stack.iter())))
    }

    /// The objects there are, for a control state: where they lie, what may be done with them, but not what they hold.
    pub(crate) fn shape(&self, maker: &impl Fn(InstId) -> u64, out: &mut Vec<u64>) {
        let Memory {
            globals,
            threads,
            // The same throughout the search.
            space: _,
            globals_top: _,
            // Set when the first thread starts, which the number of threads says, or with signals, which have no
            // control states.
            shares_new: _,
        } = self;
        // Global variables do not come and go; only the copies of thread-local ones change.
        for object in globals.iter().filter(|o| !o.is_shared || o.status != Status::Live) {
            object.shape(maker, out);
        }
        for thread in threads {
            let ThreadMemory {
                heap,
                heap_top,
                stack,
                generation: _, // names the next local
            } = &**thread;
            out.extend([heap.len() as u64, *heap_top, stack.len() as u64]);
            heap.iter().chain(stack.iter()).for_each(|o| o.shape(maker, out));
        }
    }

    /// The object that a state variable is about: its identity, but for the generation of a local.
    pub(crate) fn denoted(&self, id: ObjId) -> Option<&Object> {
        match id.region() {
            Region::Stack => self.threads.get(id.thread() as usize)?.stack.get(id.index()),
            _ => self.get(id),
        }
    }

    /// Replaces objects by what `new` makes of them.
    pub(crate) fn replace(&mut self, mut new: impl FnMut(&Object) -> Option<Rc<Object>>) {
        self.globals.replace(&mut new);
        for thread in &mut self.threads {
            if thread.heap.len() + thread.stack.len() > 0 {
                let thread = Rc::make_mut(thread);
                thread.heap.replace(&mut new);
                thread.stack.replace(&mut new);
            }
        }
    }

    /// Calls `f` with each object that is not the same in both memories, as it is in this one and in the other.
    pub(crate) fn differences(
        &self,
        other: &Memory,
        mut f: impl FnMut(Option<&Rc<Object>>, Option<&Rc<Object>>),
    ) {
        self.globals.differences(&other.globals, &mut f);
        let none = CowTable::default();
        for t in 0..self.threads.len().max(other.threads.len()) {
            let (old, new) = (self.threads.get(t), other.threads.get(t));
            if matches!((old, new), (Some(old), Some(new)) if Rc::ptr_eq(old, new)) {
                continue;
            }
            let tables = |t: Option<&Rc<ThreadMemory>>| match t {
                Some(t) => [t.heap.clone(), t.stack.clone()],
                None => [none.clone(), none.clone()],
            };
            for (old, new) in tables(old).iter().zip(&tables(new)) {
                old.differences(new, &mut f);
            }
        }
    }

    /// All heap objects.
    pub fn heap_objects(&self) -> impl Iterator<Item = &Object> {
        self.threads.iter().flat_map(|t| t.heap.iter())
    }
}

fn object(id: ObjId, base: u64, new: NewObject, writable: bool, is_shared: bool, content: Content) -> Object {
    Object {
        id,
        base,
        size: new.size,
        align: u32::try_from(new.align).unwrap_or(1 << 31).max(1),
        status: Status::Live,
        writable,
        is_shared,
        has_locks: false,
        site: new.site,
        origin: new.origin,
        maker: None,
        first: id,
        content,
    }
}
