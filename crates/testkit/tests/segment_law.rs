//! The segment law, over random programs: from any state at the same control location that satisfies the guards
//! of a relative effect, running the segment gives the state its assignment says.

use num_bigint::BigUint;
use selvedge_exec::memory::{Status, Symbols};
use selvedge_exec::{
    Arguments, Choice, Effect, FixedInputs, Machine, ObjId, Options, Oracle, Piece, Source, Sources, State,
    Stop, Target, Value, instantiate, relative_effect, start,
};
use selvedge_program::Program;
use selvedge_term::{Assignment, TermId, eval};
use selvedge_testkit::generator::{self, Generated, Rng};

const PROGRAMS: u64 = 60;
const SEGMENTS: u64 = 6;
const OTHERS: u64 = 6;

/// Concrete runs ask nothing.
struct Concrete;

impl Oracle for Concrete {
    fn choose(&mut self, _: &mut Symbols<'_>, _: &State, _: &[TermId]) -> Choice {
        Choice::Unknown("a concrete run asked".to_string())
    }
    fn witness(&mut self, _: &mut Symbols<'_>, _: &State, _: TermId) -> Result<u64, String> {
        Err("a concrete run asked".to_string())
    }
}

/// The inputs of one run, as bytes for execution and as a model of the input variables.
#[derive(Clone)]
struct Inputs {
    fixed: FixedInputs,
    model: Assignment,
}

fn random_inputs(machine: &mut Machine<'_>, program: &Generated, random: &mut Rng) -> Inputs {
    let mut inputs = Inputs { fixed: FixedInputs::default(), model: Assignment::new() };
    for (n, input) in program.inputs.iter().enumerate() {
        let source = Source::Input { thread: 0, n: n as u32 };
        let bytes = input.sample(random);
        let (len, width) = (bytes.len() as u64, bytes.len() as u32 * 8);
        let var = machine.sources.term(&mut machine.pool, Piece { source, at: 0, len });
        let value = machine.pool.bv_wide(width, BigUint::from_bytes_le(&bytes));
        let value = eval(&machine.pool, value, &Assignment::new());
        inputs.model.set(machine.pool.var_id(var).expect("a variable"), value);
        inputs.fixed.bytes.insert(source, bytes);
    }
    inputs
}

/// What `term` is in `state` on these inputs.
fn value(machine: &mut Machine<'_>, state: &State, inputs: &Inputs, term: TermId) -> BigUint {
    let term = instantiate(machine, state, term).expect("the state has what its variables are about");
    eval(&machine.pool, term, &inputs.model).as_big().expect("a bit-vector")
}

/// The state after `steps` instructions on these inputs, if the run gets that far.
fn state_after(machine: &mut Machine<'_>, inputs: &Inputs, steps: u64) -> Option<State> {
    machine.sources.set_fixed(Some(inputs.fixed.clone()));
    let mut state = start(machine, &Arguments::default()).ok()?;
    (steps == 0 || machine.run(&mut state, &mut Concrete, steps) == Stop::Budget).then_some(state)
}

/// Function, block, instruction of each frame, and the live objects with their sizes.
type Control = (Vec<(u32, u32, usize)>, Vec<(ObjId, u64)>);

fn control(state: &State) -> Control {
    let frames = state.thread().frames.iter().map(|f| (f.func.0, f.block.0, f.idx)).collect();
    let objects = state.mem.objects().filter(|o| o.status == Status::Live).map(|o| (o.id, o.size)).collect();
    (frames, objects)
}

fn bytes_of(machine: &mut Machine<'_>, state: &State, obj: ObjId) -> Option<Vec<u8>> {
    let object = state.mem.get(obj).filter(|o| o.status == Status::Live)?;
    let mut content = object.content.clone();
    let mut cx = Symbols { pool: &mut machine.pool, sources: &mut machine.sources };
    Some(
        (0..object.size)
            .map(|off| match content.read(&mut cx, off, 1) {
                Value::Int(b) => b as u8,
                other => panic!("a concrete run has {other:?} in memory"),
            })
            .collect(),
    )
}

fn bits(machine: &Machine<'_>, value: Value) -> BigUint {
    match value {
        Value::Int(v) | Value::Ptr { addr: v, .. } => v.into(),
        Value::Term(t) => machine.pool.as_big(t).expect("concrete"),
        Value::SymPtr { .. } => panic!("a concrete run has a symbolic pointer"),
    }
}

/// Whether the guards hold in `state`.
fn admits(machine: &mut Machine<'_>, state: &State, inputs: &Inputs, effect: &Effect) -> bool {
    effect.guards.iter().all(|&g| value(machine, state, inputs, g) == BigUint::from(1u8))
}

/// Checks that `after` is `before` changed as `effect` says.
fn check(
    machine: &mut Machine<'_>,
    inputs: &Inputs,
    before: &State,
    after: &State,
    effect: &Effect,
    what: &str,
) {
    let objects: Vec<ObjId> =
        after.mem.objects().filter(|o| o.status == Status::Live).map(|o| o.id).collect();
    for obj in objects {
        let fresh = before.mem.get(obj).is_none_or(|o| o.status != Status::Live);
        let old = if fresh { None } else { bytes_of(machine, before, obj) };
        let new = bytes_of(machine, after, obj).expect("live");
        let mut expected = old.clone().unwrap_or_else(|| new.clone());
        for &(target, term) in &effect.assign {
            let Target::Memory { obj: o, off, len } = target else { continue };
            if o != obj.denotation() {
                continue;
            }
            let mut raw = value(machine, before, inputs, term).to_bytes_le();
            raw.resize(len as usize, 0);
            expected[off as usize..(off + len) as usize].copy_from_slice(&raw);
        }
        assert_eq!(expected, new, "{what}: memory {obj:?}");
    }
    for (depth, frame) in after.thread().frames.iter().enumerate() {
        let old = before.thread().frames.get(depth).filter(|f| f.token == frame.token);
        for (reg, &actual) in frame.regs.iter().enumerate() {
            let target = Target::Register { thread: 0, depth: depth as u32, reg: reg as u32 };
            let assigned = effect.assign.iter().find(|(t, _)| *t == target).map(|(_, term)| *term);
            let expected = match assigned {
                Some(term) => value(machine, before, inputs, term),
                None => bits(machine, old.expect("a new frame assigns all its registers").regs[reg]),
            };
            assert_eq!(expected, bits(machine, actual), "{what}: register {reg} at depth {depth}");
        }
    }
}

fn load(generated: &Generated) -> Program {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = dir.path().join("program.c");
    std::fs::write(&file, generated.source()).expect("written");
    let options = selvedge_frontend::Options { files: vec![file], ..Default::default() };
    selvedge_frontend::load(&options).expect("generated programs compile")
}

#[test]
fn running_a_segment_from_any_state_that_satisfies_its_guards_gives_what_its_assignment_says() {
    let (mut own, mut others) = (0, 0);
    for seed in 0..PROGRAMS {
        let generated = generator::generate(seed, &generator::Options::default());
        let program = load(&generated);
        let mut random = Rng::new(seed);
        let sources = Sources::fixed(FixedInputs::default());
        let mut machine = Machine::new(&program, Options::default(), sources);
        for _ in 0..SEGMENTS {
            let (skip, length) = (random.below(400), 1 + random.below(60));
            let inputs = random_inputs(&mut machine, &generated, &mut random);
            let Some(before) = state_after(&mut machine, &inputs, skip) else { continue };
            let Some(after) = state_after(&mut machine, &inputs, skip + length) else { continue };
            let what = format!("seed {seed}, {length} instructions after {skip}");
            machine.sources.set_fixed(None);
            let effect = relative_effect(&mut machine, &before, &inputs.model, length);
            machine.sources.set_fixed(Some(inputs.fixed.clone()));
            let Ok(effect) = effect else { continue };
            assert!(admits(&mut machine, &before, &inputs, &effect), "{what}: its own state");
            check(&mut machine, &inputs, &before, &after, &effect, &what);
            own += 1;
            for _ in 0..OTHERS {
                let inputs = random_inputs(&mut machine, &generated, &mut random);
                let Some(other) = state_after(&mut machine, &inputs, skip) else { continue };
                if control(&other) != control(&before) || !admits(&mut machine, &other, &inputs, &effect) {
                    continue;
                }
                let end = state_after(&mut machine, &inputs, skip + length)
                    .unwrap_or_else(|| panic!("{what}: the guards admit a state whose segment stops early"));
                check(&mut machine, &inputs, &other, &end, &effect, &format!("{what}, another state"));
                others += 1;
            }
        }
    }
    assert!(own > 100 && others > 50, "too few segments were compared: {own} and {others} from other states");
}
