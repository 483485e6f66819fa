//! Templates: a control state with what is known of its contents on every way to it.
//!
//! A template is a state in which a place (a register, a scalar in memory) holds a constant if it has the same value on
//! every way that was joined into it, and its state variable otherwise. Pointers keep the object they were derived from;
//! only their addresses become variables. Running a step from a template therefore covers every state that was joined
//! into it, with less to ask than if everything were a variable.
//!
//! Guarantee: after [`join_template`], every state that the template or the arrival stood for is the template with some
//! values for its variables. Relies on: both have the same [`template_key`].

use std::rc::Rc;

use selvedge_base::Id;
use selvedge_por::{Access, Event, Location, ThreadId};
use selvedge_program::{DebugType, Program, Reg, TypeId};
use selvedge_term::TermId;

use super::abstraction::register_variable;
use crate::machine::Machine;
use crate::memory::{CellKind, Content, Object, Origin, Status, Symbols};
use crate::ops;
use crate::output::Output;
use crate::source::{Piece, Source};
use crate::state::{State, Thread};
use crate::threads::Phase;
use crate::value::{ObjId, Value};

/// Bytes of the largest object of which a pointer's place is part of the control state: addresses in it are told apart.
const EXPLICIT: u64 = 256;
/// Bytes that are taken together where no type says which belong together.
const GROUP: u64 = 4;

/// Forgets all of a state that has no influence on what may happen next: how it was reached, what it has printed,
/// registers that are not read again. Places that waiting threads are about to access are found anew when they do.
///
/// What is kept must be in the [key](template_key), or be the same in all states that are joined.
pub fn forget_history(machine: &mut Machine<'_>, state: &mut State) {
    let State {
        threads,
        current,
        path,
        inputs,
        output,
        steps,
        depth,
        cursor,
        n_turns,
        fair_until,
        rounds,
        granted,
        event,
        before_section,
        n_noted,
        // In the control state.
        mem: _,
        stdin_pos: _,
        sync: _,
        keys: _,
        is_concurrent: _,
        is_scheduled: _,
        exited: _,
        is_cut: _,
        // There is no control state with them.
        jumps: _,
        signals: _,
        // The same from the start on: a proof does not look for races.
        environment: _,
        races: _,
        // Only searches ask for it.
        has_failed: _,
        outside: _,
    } = state;
    path.clear();
    *inputs = Rc::default();
    *output = Output::default();
    (*steps, *depth, *rounds, *cursor) = (0, 0, 0, 0);
    (*n_turns, *fair_until, *n_noted) = (0, 0, 0);
    *current = 0;
    *granted = false;
    *before_section = None;
    *event = Event::new(ThreadId::new(0), []);
    for thread in threads.iter_mut() {
        // Most threads have not moved, and are those of other states as well.
        if has_history(thread) {
            forget_history_of_thread(Rc::make_mut(thread));
        }
        forget_dead_registers(machine, thread);
    }
}

/// Whether there is something in a thread that [`forget_history_of_thread`] forgets.
fn has_history(thread: &Thread) -> bool {
    let counts =
        [thread.n_inputs, thread.n_inputs_seen, thread.n_natural, thread.n_readings, thread.n_undefs];
    let is_memory = |access: &Access| matches!(access.location, Location::Memory { .. });
    counts != [0; 5]
        || thread.last_turn != 0
        || !thread.decisions.is_empty()
        || !thread.probes.is_empty()
        || !thread.spun.is_empty()
        || matches!(&thread.phase, Phase::Waiting(accesses) if accesses.iter().any(is_memory))
}

fn forget_history_of_thread(thread: &mut Thread) {
    let Thread {
        n_inputs,
        n_inputs_seen,
        n_natural,
        n_readings,
        n_undefs,
        phase,
        last_turn,
        spun,
        probes,
        decisions,
        // In the control state; registers are forgotten by themselves.
        frames: _,
        time_ends_wait: _,
        waits_for_outside: _,
        n_children: _,
        atomic_depth: _,
        n_held: _,
        is_detached: _,
        is_joined: _,
        result: _,
        specific: _,
        n_destructors: _,
        sleep: _,
        copying: _,
        ignores_cancel: _,
        rounding: _,
        cleanup: _,
        ends_at: _,
        is_leaving: _,
        // There is no control state with them.
        woke_alone: _,
        idle: _,
        signals: _,
        // Nobody counts them here: points of a native build, steps up to a bound, rounds of loops that may wait.
        n_points: _,
        last_point: _,
        n_steps: _,
        rounds: _,
        // Names of frames; those that are there have theirs.
        n_frames: _,
    } = thread;
    (*n_inputs, *n_inputs_seen, *n_natural, *n_readings, *n_undefs) = (0, 0, 0, 0, 0);
    *last_turn = 0;
    decisions.clear();
    probes.clear();
    spun.clear();
    if let Phase::Waiting(accesses) = phase {
        accesses.retain(|access| !matches!(access.location, Location::Memory { .. }));
    }
}

/// Forgets registers that are not read again.
fn forget_dead_registers(machine: &mut Machine<'_>, thread: &mut Rc<Thread>) {
    for depth in 0..thread.frames.len() {
        let frame = &thread.frames[depth];
        let live = machine.live_before(frame);
        let is_dead = |(i, value): (usize, &Value)| !live[i] && *value != Value::Int(0);
        if frame.regs.iter().enumerate().any(is_dead) {
            let frame = &mut Rc::make_mut(thread).frames[depth];
            let regs = &mut Rc::make_mut(frame).regs;
            regs.iter_mut()
                .zip(live.iter())
                .filter(|(_, live)| !**live)
                .for_each(|(r, _)| *r = Value::Int(0));
        }
    }
}

/// What two states must have in common to be joined: their control states, and which objects their pointers were derived
/// from, and what was never written. Precondition: the history is forgotten. An error says why there is no such key.
pub fn template_key(machine: &mut Machine<'_>, state: &State) -> Result<Vec<u64>, String> {
    let control = machine.control(state, None).ok_or("a state after `setjmp` cannot be described")?;
    if !control.is_known() || state.threads.iter().any(|thread| machine.is_undefined(thread.result)) {
        return Err("the result of a thread, or a value kept for it, is not known".to_string());
    }
    let mut key: Vec<u64> = control.parts().concat();
    let target = |obj: ObjId, addr: Option<u64>| {
        let is_live = state.mem.get(obj).is_some_and(|o| o.status == Status::Live);
        let addr = addr.filter(|_| is_explicit(state, obj));
        [obj.denotation().key(), u64::from(is_live) << 1 | u64::from(addr.is_some()), addr.unwrap_or(0)]
    };
    for object in state.mem.objects().filter(|o| changes(o)) {
        for cell in object.content.cells() {
            let (to, addr) = match cell.kind {
                CellKind::Ptr(to) => (to, Some(object.content.concrete(cell.off, cell.len))),
                CellKind::SymPtr(to, _) => (to, None),
                // What was never written is not the same as what may have any value.
                CellKind::Lazy(Source::Uninit { .. }, _) => {
                    key.extend([!object.id.denotation().key(), cell.off, cell.len]);
                    continue;
                }
                CellKind::Term(_) | CellKind::Lazy(..) => continue,
            };
            key.extend([object.id.denotation().key(), cell.off, cell.len]);
            key.extend(target(to, addr));
        }
    }
    for (t, thread) in state.threads.iter().enumerate() {
        for (depth, frame) in thread.frames.iter().enumerate() {
            for (reg, value) in frame.regs.iter().enumerate() {
                if let Some(obj) = ops::provenance(*value) {
                    key.push((t as u64) << 48 | (depth as u64) << 32 | reg as u64);
                    key.extend(target(obj, ops::concrete(*value)));
                }
            }
        }
    }
    Ok(key)
}

fn is_explicit(state: &State, obj: ObjId) -> bool {
    state.mem.get(obj).is_none_or(|o| o.size <= EXPLICIT)
}

/// Pointers of a state whose addresses are not known but should be: into small objects. A control state would have their
/// places if they were.
pub fn open_pointers(state: &State) -> Vec<(Piece, TermId)> {
    let mut open = Vec::new();
    for object in state.mem.objects().filter(|o| changes(o)) {
        for cell in object.content.cells() {
            if let CellKind::SymPtr(to, addr) = cell.kind
                && is_explicit(state, to)
            {
                let source = Source::Cell { obj: object.id };
                open.push((Piece { source, at: cell.off, len: cell.len }, addr));
            }
        }
    }
    for (t, thread) in state.threads.iter().enumerate() {
        for (depth, frame) in thread.frames.iter().enumerate() {
            for (reg, value) in frame.regs.iter().enumerate() {
                if let Value::SymPtr { obj, addr } = *value
                    && is_explicit(state, obj)
                {
                    let (thread, depth, reg) = (t as u32, depth as u32, reg as u32);
                    open.push((
                        Piece { source: Source::Register { thread, depth, reg }, at: 0, len: 0 },
                        addr,
                    ));
                }
            }
        }
    }
    open
}

/// Gives one of the [`open_pointers`] its address.
pub fn fix_pointer(machine: &mut Machine<'_>, state: &mut State, at: Piece, addr: u64) {
    match at.source {
        Source::Cell { obj } => {
            if let Some(object) = state.mem.get_mut(obj)
                && let Some(to) = pointer_at(&object.content, at.at, at.len)
            {
                let value = Value::Ptr { obj: to, addr };
                object.content.write(&mut machine.symbols(), at.at, at.len, value);
            }
        }
        Source::Register { thread, depth, reg } => {
            let frame = &mut Rc::make_mut(&mut state.threads[thread as usize]).frames[depth as usize];
            let value = &mut Rc::make_mut(frame).regs[reg as usize];
            if let Some(obj) = ops::provenance(*value) {
                *value = Value::Ptr { obj, addr };
            }
        }
        Source::Watched { .. } | Source::Input { .. } | Source::Uninit { .. } | Source::Undef { .. } => {}
    }
}

fn changes(object: &Object) -> bool {
    object.status == Status::Live && object.writable && object.size > 0
}

/// Makes a template of a state that has come to a new key.
pub fn new_template(machine: &mut Machine<'_>, arrival: &State) -> State {
    let mut template = arrival.clone();
    join_template(machine, &mut template, arrival);
    template
}

/// Joins a state into the template of its key; whether the template has changed.
pub fn join_template(machine: &mut Machine<'_>, template: &mut State, arrival: &State) -> bool {
    let in_memory = join_memory(machine, template, arrival);
    let mut in_registers = false;
    for thread in 0..template.threads.len() {
        in_registers |= join_registers(machine, template, arrival, thread);
    }
    in_memory || in_registers
}

fn join_registers(machine: &mut Machine<'_>, template: &mut State, arrival: &State, t: usize) -> bool {
    let program = machine.image.program;
    let mut changed = false;
    for depth in 0..template.threads[t].frames.len() {
        let frame = template.threads[t].frames[depth].clone();
        let other = &arrival.threads[t].frames[depth];
        let regs = &program.funcs[frame.func].regs;
        for (i, (known, new)) in frame.regs.iter().copied().zip(other.regs.iter().copied()).enumerate() {
            if is_same_constant(known, new) {
                continue;
            }
            let bits = regs[Reg::new(i)].ty.bits(program.target.ptr_bits);
            let var = register_variable(machine, t as u32, depth as u32, i as u32, bits);
            let value = match ops::provenance(known) {
                Some(obj) => Value::SymPtr { obj, addr: var },
                None => Value::Term(var),
            };
            if value != known {
                let thread = Rc::make_mut(&mut template.threads[t]);
                Rc::make_mut(&mut thread.frames[depth]).regs[i] = value;
                changed = true;
            }
        }
    }
    changed
}

/// Whether both are known, and the same.
fn is_same_constant(a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Ptr { obj: a, addr: x }, Value::Ptr { obj: b, addr: y }) => {
            a.denotation() == b.denotation() && x == y
        }
        _ => false,
    }
}

fn join_memory(machine: &mut Machine<'_>, template: &mut State, arrival: &State) -> bool {
    let program = machine.image.program;
    let mut cx = machine.symbols();
    let mut changed = false;
    template.mem.replace(|object| {
        if !changes(object) {
            return None;
        }
        let other = arrival.mem.denoted(object.id.denotation())?;
        let content = join_content(&mut cx, program, object, &other.content)?;
        changed = true;
        Some(Rc::new(object.with_content(content)))
    });
    changed
}

/// The content of an object after the join, if it is another one.
fn join_content(cx: &mut Symbols<'_>, program: &Program, object: &Object, new: &Content) -> Option<Content> {
    let known = &object.content;
    if known.cells().is_empty() && known == new {
        return None;
    }
    let source = Source::Cell { obj: object.id.denotation() };
    let mut joined: Option<Content> = None;
    let mut off = 0;
    while off < object.size {
        if let Some(end) = end_of_unwritten(known, off) {
            off = end;
            continue;
        }
        let (start, len) = scalar(program, object, [known, new], off);
        off = start + len;
        if is_variable(known, source, start, len) || is_same_scalar(known, new, start, len) {
            continue;
        }
        let joined = joined.get_or_insert_with(|| known.clone());
        match pointer_at(known, start, len) {
            None => joined.put_lazy(cx, start, len, source, start),
            Some(obj) => {
                let addr = cx.sources.term(cx.pool, Piece { source, at: start, len });
                joined.write(cx, start, len, Value::SymPtr { obj, addr });
            }
        }
    }
    joined.filter(|joined| joined != known)
}

/// Where bytes end that were never written, if the one at `off` is one of them.
fn end_of_unwritten(content: &Content, off: u64) -> Option<u64> {
    let cell = content.cells().after(off).next()?;
    let is_unwritten = matches!(cell.kind, CellKind::Lazy(Source::Uninit { .. }, _));
    (cell.off <= off && is_unwritten).then_some(cell.off + cell.len)
}

/// The object that a pointer at exactly this place was derived from.
fn pointer_at(content: &Content, off: u64, len: u64) -> Option<ObjId> {
    match content.cells().after(off).next() {
        Some(cell) if cell.off == off && cell.len == len => match cell.kind {
            CellKind::Ptr(obj) | CellKind::SymPtr(obj, _) => Some(obj),
            CellKind::Term(_) | CellKind::Lazy(..) => None,
        },
        _ => None,
    }
}

/// Whether the bytes are their own state variables, not read yet.
fn is_variable(content: &Content, source: Source, off: u64, len: u64) -> bool {
    let mut next = off;
    for cell in content.cells().after(off) {
        if next >= off + len || cell.off > next {
            break;
        }
        match cell.kind {
            CellKind::Lazy(s, at) if s == source && at == cell.off => next = cell.off + cell.len,
            _ => return false,
        }
    }
    next >= off + len
}

fn is_same_scalar(a: &Content, b: &Content, off: u64, len: u64) -> bool {
    let mut at = off;
    // A wide scalar is compared in parts: constants only.
    while at < off + len {
        let n = (off + len - at).min(8);
        match (a.peek(at, n), b.peek(at, n)) {
            (Some(x), Some(y)) if is_same_constant(x, y) => at += n,
            _ => return false,
        }
    }
    true
}

/// The scalar that the byte at `off` belongs to, from `off` on: a pointer in either content, what the type says, or a
/// group, widened to the symbolic scalars that overlap it and cut off before the next pointer.
fn scalar(program: &Program, object: &Object, contents: [&Content; 2], off: u64) -> (u64, u64) {
    let mut end = match &object.origin {
        Origin::Variable { ty: Some(ty), .. } => typed_end(program, *ty, off),
        _ => None,
    }
    .unwrap_or((off / GROUP + 1) * GROUP)
    .min(object.size);
    let mut limit = object.size;
    for content in contents {
        for cell in content.cells().after(off) {
            if cell.off >= end {
                break;
            }
            match cell.kind {
                CellKind::Ptr(_) | CellKind::SymPtr(..) if cell.off == off => return (off, cell.len),
                CellKind::Ptr(_) | CellKind::SymPtr(..) => {
                    limit = limit.min(cell.off.max(off + 1));
                    break;
                }
                CellKind::Term(_) => end = end.max(cell.off + cell.len),
                CellKind::Lazy(Source::Uninit { .. }, _) => {
                    limit = limit.min(cell.off.max(off + 1));
                    break;
                }
                CellKind::Lazy(..) => {}
            }
        }
    }
    (off, end.min(limit) - off)
}

/// Where the scalar ends that has the byte at `off` in a value of this type.
fn typed_end(program: &Program, ty: TypeId, off: u64) -> Option<u64> {
    let (mut ty, mut off, mut base) = (ty, off, 0);
    for _ in 0..64 {
        let size = crate::names::size_of(&program.types, ty, program.ptr_bytes());
        if size == 0 || off >= size {
            return None;
        }
        match program.types.get(crate::names::strip(&program.types, ty)?)? {
            DebugType::Array { elem, .. } => {
                let size = crate::names::size_of(&program.types, *elem, program.ptr_bytes());
                if size == 0 {
                    return None;
                }
                base += off / size * size;
                off %= size;
                ty = *elem;
            }
            DebugType::Record { fields, .. } => {
                let holds = |bits: u64, n: u64| bits / 8 <= off && off * 8 < bits + n.max(1);
                let field = fields.iter().find(|f| holds(f.bit_offset, f.bit_size))?;
                if !field.bit_offset.is_multiple_of(8) || !field.bit_size.is_multiple_of(8) {
                    return None;
                }
                base += field.bit_offset / 8;
                off -= field.bit_offset / 8;
                ty = field.ty;
            }
            _ => return Some(base + size),
        }
    }
    None
}

/// The places of a template that are variables; a register has its width in bits for its length.
pub fn template_variables(machine: &Machine<'_>, template: &State) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for object in template.mem.objects().filter(|o| changes(o)) {
        let source = Source::Cell { obj: object.id.denotation() };
        for cell in object.content.cells() {
            let is_variable = match cell.kind {
                CellKind::Lazy(source, _) => !matches!(source, Source::Uninit { .. }),
                CellKind::SymPtr(..) | CellKind::Term(_) => true,
                CellKind::Ptr(_) => false,
            };
            if is_variable {
                pieces.push(Piece { source, at: cell.off, len: cell.len });
            }
        }
    }
    let program = machine.image.program;
    for (t, thread) in template.threads.iter().enumerate() {
        for (depth, frame) in thread.frames.iter().enumerate() {
            for (reg, info) in program.funcs[frame.func].regs.enumerate() {
                if matches!(frame.regs[reg.index()], Value::Term(_) | Value::SymPtr { .. }) {
                    let (thread, depth, reg) = (t as u32, depth as u32, reg.index() as u32);
                    let len = u64::from(info.ty.bits(program.target.ptr_bits));
                    pieces.push(Piece { source: Source::Register { thread, depth, reg }, at: 0, len });
                }
            }
        }
    }
    pieces
}

/// A template with exactly these variables, and for the rest the values of `state`, which is joined into it. `None` if the
/// state has no such places, or a value that is not known anywhere else.
pub fn with_variables(machine: &mut Machine<'_>, state: &State, variables: &[Piece]) -> Option<State> {
    let mut template = state.clone();
    for piece in variables {
        match piece.source {
            Source::Cell { obj } => {
                let mut cx = machine.symbols();
                let id = template.mem.denoted(obj).filter(|o| changes(o))?.id;
                let object = template.mem.get_mut(id)?;
                let end = piece.at.checked_add(piece.len).filter(|end| *end <= object.size);
                end.filter(|_| piece.len > 0)?;
                match pointer_at(&object.content, piece.at, piece.len) {
                    None => object.content.put_lazy(&mut cx, piece.at, piece.len, piece.source, piece.at),
                    Some(obj) => {
                        let addr = cx.sources.term(cx.pool, *piece);
                        object.content.write(&mut cx, piece.at, piece.len, Value::SymPtr { obj, addr });
                    }
                }
            }
            Source::Register { thread, depth, reg } => {
                let t = Rc::make_mut(template.threads.get_mut(thread as usize)?);
                let frame = Rc::make_mut(t.frames.get_mut(depth as usize)?);
                let known = frame.regs.get_mut(reg as usize)?;
                let var = register_variable(machine, thread, depth, reg, u32::try_from(piece.len).ok()?);
                *known = match ops::provenance(*known) {
                    Some(obj) => Value::SymPtr { obj, addr: var },
                    None => Value::Term(var),
                };
            }
            Source::Watched { .. } | Source::Input { .. } | Source::Uninit { .. } | Source::Undef { .. } => {
                return None;
            }
        }
    }
    let joins = join_template(machine, &mut template.clone(), state);
    (!joins).then_some(template)
}
