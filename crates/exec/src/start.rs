//! The first state: `main` entered, arguments in memory.

use std::rc::Rc;

use selvedge_base::{Id, Loc};
use selvedge_por::{Event, ThreadId};
use selvedge_program::{BlockId, CastOp, FuncId, Ty};

use crate::finding::FindingKind;
use crate::machine::Machine;
use crate::memory::{Content, NewObject, Origin, Symbols};
use crate::ops;
use crate::output::Output;
use crate::source::{Piece, Source};
use crate::state::{Frame, InputKind, InputRecord, InputType, State, Thread};
use crate::threads::Phase;
use crate::value::Value;

/// The program's arguments.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// `argv[1..]`, as given.
    pub concrete: Vec<String>,
    /// Lengths of symbolic arguments that follow.
    pub symbolic: Vec<u64>,
}

const NO_ROOM: &str = "the arguments of the program do not fit on its stack";

/// The state at the start of the program, or why there is none.
pub fn start(machine: &mut Machine<'_>, arguments: &Arguments) -> Result<State, String> {
    let program = machine.image.program;
    let entry = program.entry.ok_or("the program has no entry")?;
    let mut state = State {
        threads: vec![Rc::new(Thread { phase: Phase::Local, ..Thread::new() })],
        current: 0,
        mem: machine.image.memory.clone(),
        path: Vec::new(),
        inputs: Rc::default(),
        output: Output::default(),
        steps: 0,
        stdin_pos: 0,
        depth: 0,
        jumps: Rc::default(),
        cursor: 0,
        sync: Rc::default(),
        keys: Rc::default(),
        signals: None,
        is_concurrent: false,
        is_scheduled: false,
        n_turns: 0,
        fair_until: 0,
        rounds: 0,
        granted: false,
        event: Event::new(ThreadId(0), []),
        before_section: None,
        races: None,
        exited: None,
        is_cut: false,
        n_noted: 0,
        has_failed: false,
    };
    if machine.options.checks(FindingKind::Race) {
        state.watch_races();
    }
    let function = &program.funcs[entry];
    let mut regs = vec![Value::Int(0); function.regs.len()];
    if function.name != "main" {
        arbitrary_parameters(machine, &mut state, entry, &mut regs);
    } else if !function.params.is_empty() {
        let (argc, argv) = program_arguments(machine, &mut state, arguments)?;
        let environment = empty_environment(machine, &mut state)?;
        for (param, value) in function.params.iter().zip([argc, argv, environment]) {
            regs[param.index()] = value;
        }
    }
    push_frame(machine, &mut state, entry, regs);
    // Constructors run before `main`, first one first: the innermost frame is the next to run.
    for ctor in program.ctors.iter().rev() {
        let regs = vec![Value::Int(0); program.funcs[*ctor].regs.len()];
        push_frame(machine, &mut state, *ctor, regs);
    }
    Ok(state)
}

/// An entry other than `main` is called with any arguments: each parameter is an input.
fn arbitrary_parameters(machine: &mut Machine<'_>, state: &mut State, entry: FuncId, regs: &mut [Value]) {
    let program = machine.image.program;
    let function = &program.funcs[entry];
    for (i, param) in function.params.iter().enumerate() {
        let info = &function.regs[*param];
        let bits = info.ty.bits(program.target.ptr_bits);
        let size = u64::from(bits.div_ceil(8));
        let source = Source::Input { thread: 0, n: state.threads[0].n_inputs };
        let raw = machine.sources.read(&mut machine.pool, Piece { source, at: 0, len: size });
        let wide = Ty::Int((size * 8) as u32);
        regs[param.index()] =
            ops::cast(&mut machine.pool, CastOp::Trunc, wide, Ty::Int(bits), program.target.ptr_bits, raw);
        state.thread_mut().n_inputs += 1;
        let name = info.name.as_deref().map_or_else(|| format!("parameter {i}"), str::to_string);
        Rc::make_mut(&mut state.inputs).push(InputRecord {
            source,
            name: name.into(),
            ty: InputType::Bytes(info.var_ty),
            size,
            kind: InputKind::Program,
            loc: function.loc,
        });
    }
}

/// The environment: no variables.
fn empty_environment(machine: &Machine<'_>, state: &mut State) -> Result<Value, String> {
    let size = machine.image.program.ptr_bytes();
    let origin = Origin::Variable { name: "environ".into(), ty: None };
    let new = NewObject { size, align: size, site: Loc::UNKNOWN, origin };
    let (obj, addr) = state.mem.alloc_stack(0, new, |_| Content::zeroed(size)).ok_or(NO_ROOM)?;
    Ok(Value::Ptr { obj, addr })
}

fn push_frame(machine: &mut Machine<'_>, state: &mut State, func: FuncId, regs: Vec<Value>) {
    let stack_mark = state.mem.stack_mark(0);
    let thread = state.thread_mut();
    thread.n_frames += 1;
    thread.frames.push(Rc::new(Frame {
        func,
        block: BlockId(0),
        idx: 0,
        regs,
        stack_mark,
        varargs: Rc::from([]),
        loops: Vec::new(),
        token: thread.n_frames,
        resumes: true,
        atomic: false,
    }));
    let number = machine.image.block_number(func, BlockId(0));
    machine.coverage.block(number);
}

/// `argc` and `argv`, with the strings on the main thread's stack.
fn program_arguments(
    machine: &mut Machine<'_>,
    state: &mut State,
    arguments: &Arguments,
) -> Result<(Value, Value), String> {
    let program = machine.image.program;
    let ptr = program.ptr_bytes();
    let mut pointers = Vec::new();
    let mut texts: Vec<Result<Vec<u8>, u64>> = vec![Ok(b"program".to_vec())];
    texts.extend(arguments.concrete.iter().map(|a| Ok(a.as_bytes().to_vec())));
    texts.extend(arguments.symbolic.iter().map(|n| Err(*n)));
    for (i, text) in texts.iter().enumerate() {
        let size = match text {
            Ok(bytes) => bytes.len() as u64 + 1,
            Err(n) => n.saturating_add(1),
        };
        let new = NewObject {
            size,
            align: 1,
            site: Loc::UNKNOWN,
            origin: Origin::Variable { name: format!("argv[{i}]").into(), ty: None },
        };
        let (obj, base) = state.mem.alloc_stack(0, new, |_| Content::zeroed(size)).ok_or(NO_ROOM)?;
        let mut cx = Symbols { pool: &mut machine.pool, sources: &mut machine.sources };
        let content = &mut state.mem.get_mut(obj).expect("just made").content;
        match text {
            Ok(bytes) => content.put(&mut cx, 0, bytes),
            Err(n) => {
                let source = Source::Input { thread: 0, n: state.threads[0].n_inputs };
                content.put_lazy(&mut cx, 0, *n, source, 0);
                state.thread_mut().n_inputs += 1;
                Rc::make_mut(&mut state.inputs).push(InputRecord {
                    source,
                    name: format!("argv[{i}]").into(),
                    ty: InputType::Bytes(None),
                    size: *n,
                    kind: InputKind::Arg,
                    loc: Loc::UNKNOWN,
                });
            }
        }
        pointers.push(Value::Ptr { obj, addr: base });
    }
    let size = (pointers.len() as u64 + 1) * ptr;
    let new = NewObject {
        size,
        align: ptr,
        site: Loc::UNKNOWN,
        origin: Origin::Variable { name: "argv".into(), ty: None },
    };
    let (obj, base) = state.mem.alloc_stack(0, new, |_| Content::zeroed(size)).ok_or(NO_ROOM)?;
    let mut cx = Symbols { pool: &mut machine.pool, sources: &mut machine.sources };
    let content = &mut state.mem.get_mut(obj).expect("just made").content;
    for (i, pointer) in pointers.iter().enumerate() {
        content.write(&mut cx, i as u64 * ptr, ptr, *pointer);
    }
    Ok((Value::Int(pointers.len() as u64), Value::Ptr { obj, addr: base }))
}
