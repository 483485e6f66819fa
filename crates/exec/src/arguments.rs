//! The arguments of the program, in memory before `main` runs.
//!
//! Three kinds: texts as given, symbolic ones of a given number and length, and *open* ones, which nobody named. Open
//! arguments are one input: a byte that says how many there are (as many as there can be, if it is larger), then the
//! text of each. `argc` and the pointers in `argv` are terms over that byte, so a program that only looks at `argv[1]`
//! never splits its paths over `argv[2]`, and bytes become variables only when they are read.
//!
//! Guarantee: a `main` that uses none of its parameters has no such input and notes no assumption.

use std::rc::Rc;

use selvedge_base::{Id, Loc};
use selvedge_library::{Input, Written};
use selvedge_program::{BlockId, FuncId, Function, Global, Operand, Program, Reg};
use selvedge_term::TermId;

use crate::ledger::{Reliance, assumption};
use crate::machine::Machine;
use crate::memory::{Content, NewObject, Origin, Status, Symbols};
use crate::ops;
use crate::source::{Piece, Source};
use crate::state::{InputKind, InputRecord, InputType, State};
use crate::step::{Offset, Step};
use crate::value::{ObjId, Value};

/// Open arguments there can be, beside the program's name.
pub const OPEN_ARGUMENTS: u64 = 2;
/// The bytes that an open argument can have.
pub const OPEN_LENGTH: u64 = 4;

/// The program's arguments, and its environment, which comes with them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Arguments {
    /// `argv[1..]`, as given. Default is empty.
    pub concrete: Vec<String>,
    /// Length of each symbolic argument that follows. Default is empty.
    pub symbolic: Vec<u64>,
    /// If none is given above: let the program have any arguments within a bound. Default is false.
    pub open: bool,
    /// Variables of the environment, as given: `NAME=value`. Default is empty.
    pub environment: Vec<String>,
}

impl Arguments {
    /// Any arguments, within a bound.
    pub fn any() -> Arguments {
        Arguments { open: true, ..Arguments::default() }
    }

    fn is_open(&self) -> bool {
        self.open && self.concrete.is_empty() && self.symbolic.is_empty()
    }
}

const NO_ROOM: &str = "the arguments of the program do not fit on its stack";

/// Puts the arguments into memory and the parameters of `main` into its registers.
pub(crate) fn pass(
    machine: &mut Machine<'_>,
    state: &mut State,
    main: FuncId,
    arguments: &Arguments,
    regs: &mut [Value],
) -> Result<(), String> {
    let function = &machine.image.program.funcs[main];
    let used: Vec<bool> = function.params.iter().map(|param| is_used(function, *param)).collect();
    let looks = used.iter().take(2).any(|used| *used);
    let (argc, argv) = if arguments.is_open() && looks {
        let at = Reliance { loc: function.loc, block: Some((main, BlockId(0))) };
        machine.ledger.note(assumption("world.argv-bound").expect("it has its row"), at);
        open_arguments(machine, state, function)?
    } else {
        given_arguments(machine, state, arguments)?
    };
    let environment = match used.get(2) {
        Some(true) => whole_environment(machine, state)?,
        _ => Value::Int(0),
    };
    machine.names = names(machine.image.program, argv);
    for (param, value) in function.params.iter().zip([argc, argv, environment]) {
        regs[param.index()] = value;
    }
    Ok(())
}

/// Whether an instruction of the function reads the register.
fn is_used(function: &Function, reg: Reg) -> bool {
    let mut used = false;
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        inst.for_each_operand(|operand| used |= *operand == Operand::Reg(reg));
    }
    used
}

/// Variables of the run-time that hold the program's name.
const NAMES: [&str; 4] =
    ["program_invocation_name", "program_invocation_short_name", "__progname", "__progname_full"];

/// Objects whose first pointer leads to the program's name: those variables, and `argv`.
fn names(program: &Program, argv: Value) -> Vec<ObjId> {
    let is_name = |global: &Global| global.is_runtime && NAMES.contains(&global.name.as_str());
    let variables = program.globals.enumerate().filter(|(_, global)| is_name(global));
    let variables = variables.map(|(id, _)| ObjId::global(id.index(), 0));
    ops::provenance(argv).into_iter().chain(variables).collect()
}

impl Step<'_, '_> {
    /// Notes that the program reads where its name is. The run-time does so for messages only.
    pub(crate) fn looks_at_name(&mut self, obj: ObjId, off: Offset) {
        let is_first = matches!(off, Offset::At(0) | Offset::Sym(_));
        let is_program = !self.m.image.program.funcs[self.st.frame().func].is_runtime;
        if is_first && is_program && self.m.names.contains(&obj) {
            self.assumed("world.program-name");
        }
    }
}

/// Puts the variables that were given into memory, if the program can ask for them.
pub(crate) fn give_environment(
    machine: &mut Machine<'_>,
    state: &mut State,
    arguments: &Arguments,
) -> Result<(), String> {
    let program = machine.image.program;
    let is_asked = machine.image.library.has(Input::Environment);
    let has_parameter = program.entry.is_some_and(|entry| program.funcs[entry].params.len() > 2);
    if !is_asked && !has_parameter {
        return Ok(());
    }
    if let Some(environ) = our_environ(machine).filter(|_| machine.options.surroundings.variable_length() > 0)
    {
        state.mem.get_mut(environ).expect("a global variable").status = Status::External;
    }
    let mut values = Vec::new();
    for given in &arguments.environment {
        let name = format!("environ[{}]", values.len());
        values.push(text(machine, state, &name, given.as_bytes())?);
    }
    state.environment = pointers(machine, state, "environ", &values)?;
    Ok(())
}

/// The third parameter of `main`: the variables that were given. If there may be others it cannot be read, as if it
/// were defined nowhere.
fn whole_environment(machine: &mut Machine<'_>, state: &mut State) -> Result<Value, String> {
    if machine.options.surroundings.variable_length() == 0 {
        return Ok(state.environment);
    }
    let size = machine.image.program.ptr_bytes();
    let (obj, unknown) = allocate(machine, state, size, true, "the environment as a whole")?;
    state.mem.get_mut(obj).expect("just made").status = Status::External;
    Ok(unknown)
}

/// The variable `environ`, if the run-time has defined it.
fn our_environ(machine: &Machine<'_>) -> Option<ObjId> {
    let program = machine.image.program;
    machine.image.library.find(Written::Environ)?;
    let (id, _) = program.globals.enumerate().find(|(_, global)| global.name == "environ")?;
    Some(ObjId::global(id.index(), 0))
}

/// A zeroed object on the main thread's stack.
fn allocate(
    machine: &Machine<'_>,
    state: &mut State,
    size: u64,
    holds_pointers: bool,
    name: &str,
) -> Result<(ObjId, Value), String> {
    let align = if holds_pointers { machine.image.program.ptr_bytes() } else { 1 };
    let origin = Origin::Variable { name: name.into(), ty: None };
    let new = NewObject { size, align, site: Loc::UNKNOWN, origin };
    let (obj, addr) = state.mem.alloc_stack(0, new, |_| Content::zeroed(size)).ok_or(NO_ROOM)?;
    Ok((obj, Value::Ptr { obj, addr }))
}

/// An object with a text.
fn text(machine: &mut Machine<'_>, state: &mut State, name: &str, bytes: &[u8]) -> Result<Value, String> {
    let (obj, value) = allocate(machine, state, bytes.len() as u64 + 1, false, name)?;
    let mut cx = Symbols { pool: &mut machine.pool, sources: &mut machine.sources };
    state.mem.get_mut(obj).expect("just made").content.put(&mut cx, 0, bytes);
    Ok(value)
}

/// An object with `len` bytes of a source from `at` on, and a terminator.
fn symbolic_text(
    machine: &mut Machine<'_>,
    state: &mut State,
    name: &str,
    (source, at, len): (Source, u64, u64),
) -> Result<Value, String> {
    let (obj, value) = allocate(machine, state, len.saturating_add(1), false, name)?;
    let mut cx = Symbols { pool: &mut machine.pool, sources: &mut machine.sources };
    let object = state.mem.get_mut(obj).expect("just made");
    object.content.put_lazy(&mut cx, 0, len, source, at);
    object.origin = Origin::Text { name: name.into(), at: 0, piece: Piece { source, at, len } };
    Ok(value)
}

/// An array of these pointers and a null one.
fn pointers(
    machine: &mut Machine<'_>,
    state: &mut State,
    name: &str,
    values: &[Value],
) -> Result<Value, String> {
    let ptr = machine.image.program.ptr_bytes();
    let (obj, array) = allocate(machine, state, (values.len() as u64 + 1) * ptr, true, name)?;
    let mut cx = Symbols { pool: &mut machine.pool, sources: &mut machine.sources };
    let content = &mut state.mem.get_mut(obj).expect("just made").content;
    for (i, value) in values.iter().enumerate() {
        content.write(&mut cx, i as u64 * ptr, ptr, *value);
    }
    Ok(array)
}

/// The next input of the main thread.
fn new_input(state: &mut State, name: String, size: u64, kind: InputKind) -> Source {
    let source = Source::Input { thread: 0, n: state.threads[0].n_inputs };
    state.thread_mut().n_inputs += 1;
    Rc::make_mut(&mut state.inputs).push(InputRecord {
        source,
        name: name.into(),
        ty: InputType::Bytes(None),
        size,
        kind,
        loc: Loc::UNKNOWN,
    });
    source
}

/// `argc` and `argv` with the arguments that were asked for.
fn given_arguments(
    machine: &mut Machine<'_>,
    state: &mut State,
    arguments: &Arguments,
) -> Result<(Value, Value), String> {
    let mut values = vec![text(machine, state, "argv[0]", b"program")?];
    for given in &arguments.concrete {
        let name = format!("argv[{}]", values.len());
        values.push(text(machine, state, &name, given.as_bytes())?);
    }
    for &len in &arguments.symbolic {
        let name = format!("argv[{}]", values.len());
        let source = new_input(state, name.clone(), len, InputKind::Arg);
        values.push(symbolic_text(machine, state, &name, (source, 0, len))?);
    }
    let argv = pointers(machine, state, "argv", &values)?;
    Ok((Value::Int(values.len() as u64), argv))
}

/// `argc` and `argv` with any arguments within the bounds.
fn open_arguments(
    machine: &mut Machine<'_>,
    state: &mut State,
    function: &Function,
) -> Result<(Value, Value), String> {
    let bits = machine.image.program.target.ptr_bits;
    let mut values = vec![text(machine, state, "argv[0]", b"program")?];
    let size = 1 + OPEN_ARGUMENTS * OPEN_LENGTH;
    let source = new_input(state, "arguments".to_owned(), size, InputKind::Args);
    let count = machine.sources.read(&mut machine.pool, Piece { source, at: 0, len: 1 });
    let count = ops::to_term(&mut machine.pool, count, 8);
    let width = function.params.first().map_or(32, |argc| function.regs[*argc].ty.bits(bits));
    let mut argc = machine.pool.bv(width, 1);
    for i in 0..OPEN_ARGUMENTS {
        let at = 1 + i * OPEN_LENGTH;
        let name = format!("argv[{}]", i + 1);
        let here = symbolic_text(machine, state, &name, (source, at, OPEN_LENGTH))?;
        let pool = &mut machine.pool;
        let limit = pool.bv(8, i);
        let exists: TermId = pool.ult(limit, count);
        let (here, none) = (ops::to_term(pool, here, bits), pool.bv(bits, 0));
        let pointer = pool.ite(exists, here, none);
        values.push(ops::from_term(pool, pointer));
        let n = pool.bv(width, i + 2);
        argc = pool.ite(exists, n, argc);
    }
    let argv = pointers(machine, state, "argv", &values)?;
    Ok((ops::from_term(&machine.pool, argc), argv))
}
