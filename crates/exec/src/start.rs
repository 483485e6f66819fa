//! The first state: `main` entered, its arguments (`arguments.rs`) in memory.

use std::rc::Rc;

use selvedge_base::Id;
use selvedge_por::{Event, ThreadId};
use selvedge_program::{BlockId, CastOp, FuncId, Ty};

use crate::arguments::{self, Arguments};
use crate::finding::FindingKind;
use crate::machine::Machine;
use crate::ops;
use crate::output::Output;
use crate::source::{Piece, Source};
use crate::state::{Frame, InputKind, InputRecord, InputType, State, Thread};
use crate::threads::Phase;
use crate::value::Value;

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
        environment: Value::Int(0),
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
        outside: None,
    };
    if machine.options.checks(FindingKind::Race) {
        state.watch_races();
    }
    arguments::give_environment(machine, &mut state, arguments)?;
    let function = &program.funcs[entry];
    let mut regs = vec![Value::Int(0); function.regs.len()];
    if !program.begins_with_main() {
        arbitrary_parameters(machine, &mut state, entry, &mut regs);
    } else if !function.params.is_empty() {
        arguments::pass(machine, &mut state, entry, arguments, &mut regs)?;
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
