//! A state with its contents replaced by state variables.
//!
//! Pointers keep the objects they were derived from: which objects other threads can reach is decided by that, and an
//! address is pinned to its value wherever it is used.

use std::rc::Rc;

use selvedge_base::Id;
use selvedge_por::Location;
use selvedge_program::{FuncId, Reg};
use selvedge_term::TermId;

use crate::machine::Machine;
use crate::memory::{Cell, CellKind, Cells, Content, Object, Status, Symbols};
use crate::source::{Piece, Source};
use crate::state::{Frame, State};
use crate::threads::Read;
use crate::value::{ObjId, Value};

/// Replaces the contents of all live objects that can change.
pub(crate) fn abstract_memory(machine: &mut Machine<'_>, state: &mut State) {
    let Machine { pool, sources, abstracts, .. } = machine;
    let mut cx = Symbols { pool, sources };
    state.mem.replace(|object| {
        if object.status != Status::Live || !object.writable || object.size == 0 {
            return None;
        }
        // Most objects are as they were when they were last needed, but for their contents.
        if let Some(known) = abstracts.get(&object.id).filter(|known| known.is_of(object)) {
            return Some(known.object.clone());
        }
        let new = Rc::new(object.with_content(abstract_content(&mut cx, object)));
        let made_of = object.content.cells().clone();
        abstracts.insert(object.id, Abstract { object: new.clone(), made_of });
        Some(new)
    });
}

/// An object with its state variables.
pub(crate) struct Abstract {
    object: Rc<Object>,
    /// The cells of the object that it was made of, which has the same pointers.
    made_of: Cells,
}

impl Abstract {
    /// Whether it is what `object` would become.
    fn is_of(&self, object: &Object) -> bool {
        self.object.is_like(object) && self.made_of.is_same(object.content.cells(), pointer)
    }
}

/// Where a pointer lies, and to which object, if the cell is one.
fn pointer(cell: &Cell) -> Option<(u64, u64, ObjId)> {
    match cell.kind {
        CellKind::Ptr(to) | CellKind::SymPtr(to, _) => Some((cell.off, cell.len, to)),
        CellKind::Term(_) | CellKind::Lazy(..) => None,
    }
}

fn abstract_content(cx: &mut Symbols<'_>, object: &Object) -> Content {
    let source = Source::Cell { obj: object.id.denotation() };
    let mut content = Content::lazy(object.size, source);
    for cell in object.content.cells() {
        if let CellKind::Ptr(obj) | CellKind::SymPtr(obj, _) = cell.kind {
            let addr = cx.sources.term(cx.pool, Piece { source, at: cell.off, len: cell.len });
            content.write(cx, cell.off, cell.len, Value::SymPtr { obj, addr });
        }
    }
    content
}

/// Replaces the registers of a thread.
pub(crate) fn abstract_thread(machine: &mut Machine<'_>, state: &mut State, thread: usize) {
    let t = Rc::make_mut(&mut state.threads[thread]);
    // What its instruction was told was about the actual state.
    t.decisions.clear();
    for depth in 0..t.frames.len() {
        let frame = abstract_frame(machine, thread as u32, depth as u32, &t.frames[depth]);
        t.frames[depth] = Rc::new(frame);
    }
    for (i, probe) in t.probes.iter_mut().enumerate() {
        let mut frame = probe.frame().clone();
        for reg in machine.live_at_head(frame.func, probe.header()).iter() {
            let source = Source::Watched { thread: thread as u32, probe: i as u32, reg: reg.index() as u32 };
            let bits = register_bits(machine, frame.func, *reg);
            let var = machine.sources.register(&mut machine.pool, source, bits);
            let value = &mut frame.regs[reg.index()];
            *value = over_variable(*value, var);
        }
        let n_regs = frame.regs.len() as u32;
        let probe = Rc::make_mut(probe);
        probe.set_frame(frame);
        for at in 0..probe.reads().len() {
            let Read { place: Location::Memory { len, .. }, value: Some(value) } = probe.reads()[at] else {
                continue;
            };
            let source = Source::Watched { thread: thread as u32, probe: i as u32, reg: n_regs + at as u32 };
            let var = machine.sources.register(&mut machine.pool, source, (len * 8) as u32);
            probe.set_read(at, over_variable(value, var));
        }
    }
}

fn register_bits(machine: &Machine<'_>, func: FuncId, reg: Reg) -> u32 {
    let program = machine.image.program;
    program.funcs[func].regs[reg].ty.bits(program.target.ptr_bits)
}

/// A variable in place of a value.
fn over_variable(value: Value, var: TermId) -> Value {
    match value {
        Value::Ptr { obj, .. } | Value::SymPtr { obj, .. } => Value::SymPtr { obj, addr: var },
        Value::Int(_) | Value::Term(_) => Value::Term(var),
    }
}

fn abstract_frame(machine: &mut Machine<'_>, thread: u32, depth: u32, frame: &Frame) -> Frame {
    let program = machine.image.program;
    let function = &program.funcs[frame.func];
    let mut abstracted = frame.clone();
    for (reg, info) in function.regs.enumerate() {
        let bits = info.ty.bits(program.target.ptr_bits);
        let i = reg.index();
        let var = register_variable(machine, thread, depth, i as u32, bits);
        abstracted.regs[i] = over_variable(frame.regs[i], var);
    }
    abstracted
}

/// The variable of a register of the frame at `depth`.
pub fn register_variable(machine: &mut Machine<'_>, thread: u32, depth: u32, reg: u32, bits: u32) -> TermId {
    machine.sources.register(&mut machine.pool, Source::Register { thread, depth, reg }, bits)
}

/// The content variable of some bytes of an object.
pub fn cell_variable(machine: &mut Machine<'_>, obj: ObjId, off: u64, len: u64) -> TermId {
    machine.sources.term(&mut machine.pool, Piece { source: Source::Cell { obj }, at: off, len })
}
