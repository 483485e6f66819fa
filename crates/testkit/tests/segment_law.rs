//! The segment law, over random programs: from any state with the control state of a segment's start that satisfies its
//! guards, the segment leads to the control state of its end, and to the contents that it says.
//!
//! Programs without threads are cut anywhere, those with threads at scheduling points, as searches, summaries and
//! proofs do. All of them run [`run_segment`]; the relative effect is that of [`relative_step`].

use std::collections::BTreeMap;

use num_bigint::BigUint;
use selvedge_base::Id;
use selvedge_exec::memory::{Status, Symbols};
use selvedge_exec::{
    Arguments, Choice, Control, Driver, Extent, FixedInputs, Machine, Noted, ObjId, Omit, Options, Oracle,
    PathEnd, Piece, RelativeStep, SegmentEnd, Source, Sources, State, Stop, Value, cell_variable,
    instantiate, register_variable, relative_step, run_segment, start,
};
use selvedge_program::Program;
use selvedge_term::{Assignment, TermId, eval};
use selvedge_testkit::generator::{self, Generated, Rng};
use selvedge_testkit::threads;

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

/// Runs segments concretely. What nobody asks summaries about is left.
struct Running<'a, 'p> {
    machine: &'a mut Machine<'p>,
}

impl Driver for Running<'_, '_> {
    type Left = ();

    fn run(&mut self, state: &mut State) -> Result<Stop, ()> {
        match self.machine.run(state, &mut Concrete, 100_000) {
            Stop::Budget => Err(()),
            stop => Ok(stop),
        }
    }

    fn stopped(&mut self, _: &State, end: &PathEnd) -> Result<Noted, ()> {
        match end {
            PathEnd::Exit(_) | PathEnd::Infeasible | PathEnd::Finding(_) => Ok(Noted::Yes),
            _ => Err(()),
        }
    }
}

/// The state in which all threads rest again.
fn at_rest(machine: &mut Machine<'_>, mut state: State) -> Option<State> {
    let end = run_segment(&mut Running { machine }, &mut state);
    (end == Ok(SegmentEnd::AtRest)).then_some(state)
}

/// The inputs of one run, as bytes for execution and as a model of the input variables.
#[derive(Clone)]
struct Inputs {
    fixed: FixedInputs,
    model: Assignment,
}

impl Inputs {
    fn new(machine: &mut Machine<'_>, all: impl IntoIterator<Item = (Source, Vec<u8>)>) -> Inputs {
        let mut inputs = Inputs { fixed: FixedInputs::default(), model: Assignment::new() };
        for (source, bytes) in all {
            let (len, width) = (bytes.len() as u64, bytes.len() as u32 * 8);
            machine.sources.set_fixed(None);
            let var = machine.sources.term(&mut machine.pool, Piece { source, at: 0, len });
            let value = machine.pool.bv_wide(width, BigUint::from_bytes_le(&bytes));
            let value = eval(&machine.pool, value, &Assignment::new());
            inputs.model.set(machine.pool.var_id(var).expect("a variable"), value);
            inputs.fixed.bytes.insert(source, bytes);
        }
        inputs
    }

    /// Those of a program without threads.
    fn sample(machine: &mut Machine<'_>, program: &Generated, random: &mut Rng) -> Inputs {
        let all = program.inputs.iter().enumerate();
        let all: Vec<_> =
            all.map(|(n, i)| (Source::Input { thread: 0, n: n as u32 }, i.sample(random))).collect();
        Inputs::new(machine, all)
    }

    /// Small numbers for all threads.
    fn of_threads(machine: &mut Machine<'_>, random: &mut Rng) -> Inputs {
        let sources = (0..5).flat_map(|thread| (0..6).map(move |n| Source::Input { thread, n }));
        let all: Vec<_> = sources.map(|s| (s, vec![random.below(4) as u8, 0, 0, 0])).collect();
        Inputs::new(machine, all)
    }
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

fn bytes_of(machine: &mut Machine<'_>, state: &State, obj: ObjId) -> Vec<u8> {
    let object = state.mem.get(obj).expect("an object of the state");
    let mut content = object.content.clone();
    let mut cx = Symbols { pool: &mut machine.pool, sources: &mut machine.sources };
    let mut byte = |off| match content.read(&mut cx, off, 1) {
        Value::Int(b) => b as u8,
        other => panic!("a concrete run has {other:?} in memory"),
    };
    (0..object.size).map(&mut byte).collect()
}

fn bits(machine: &Machine<'_>, value: Value) -> BigUint {
    match value {
        Value::Int(v) | Value::Ptr { addr: v, .. } => v.into(),
        Value::Term(t) => machine.pool.as_big(t).expect("concrete"),
        Value::SymPtr { .. } => panic!("a concrete run has a symbolic pointer"),
    }
}

/// A segment that was run concretely, and its relative effect.
struct Case {
    step: RelativeStep,
    end: Control,
}

impl Case {
    /// The segment of `thread` from `before` to `after`; `None` if summaries could not use it either.
    fn new(
        machine: &mut Machine<'_>,
        inputs: &Inputs,
        (before, thread): (&State, usize),
        after: &State,
        extent: Extent,
    ) -> Option<Case> {
        let end = machine.control(after, None).filter(Control::is_known)?;
        machine.sources.set_fixed(None);
        let step =
            relative_step(machine, before, thread, &inputs.model, &end, extent, Omit::default()).ok()?;
        Some(Case { step, end })
    }

    /// Whether the segment goes this way from `state`.
    fn admits(&self, machine: &mut Machine<'_>, state: &State, inputs: &Inputs) -> bool {
        self.step.guards.iter().all(|&g| value(machine, state, inputs, g) == BigUint::from(1u8))
    }

    /// What `var`, of the state after the segment, is by what it says.
    fn says(&mut self, machine: &mut Machine<'_>, before: &State, inputs: &Inputs, var: TermId) -> BigUint {
        let (same, changed) = self.step.before(machine, var).expect("it is there after the segment");
        let [term] = same.into_iter().chain(changed).collect::<Vec<_>>()[..] else {
            panic!("one variable has one value")
        };
        value(machine, before, inputs, term)
    }

    /// Checks that `after` is what `before` becomes by the segment.
    fn check(
        &mut self,
        machine: &mut Machine<'_>,
        inputs: &Inputs,
        before: &State,
        after: &State,
        what: &str,
    ) {
        let reached = machine.control(after, None).expect("it can be described");
        assert_eq!(reached.parts(), self.end.parts(), "{what}: the control state");
        let live = |state: &State| -> Vec<(ObjId, u64)> {
            let objects = state.mem.objects().filter(|o| o.status == Status::Live);
            objects.map(|o| (o.id, o.size)).collect()
        };
        for (obj, size) in live(after) {
            machine.sources.set_fixed(Some(inputs.fixed.clone()));
            let new = bytes_of(machine, after, obj);
            machine.sources.set_fixed(None);
            for off in 0..size {
                let var = cell_variable(machine, obj.denotation(), off, 1);
                let said = self.says(machine, before, inputs, var);
                assert_eq!(said, BigUint::from(new[off as usize]), "{what}: byte {off} of {obj:?}");
            }
        }
        let program = machine.image.program;
        for (t, thread) in after.threads.iter().enumerate() {
            for (depth, frame) in thread.frames.iter().enumerate() {
                for (reg, info) in program.funcs[frame.func].regs.enumerate() {
                    let bits_of_it = info.ty.bits(program.target.ptr_bits);
                    let var =
                        register_variable(machine, t as u32, depth as u32, reg.index() as u32, bits_of_it);
                    let said = self.says(machine, before, inputs, var);
                    let actual = bits(machine, frame.regs[reg.index()]);
                    assert_eq!(said, actual, "{what}: thread {t}, register {reg:?} at depth {depth}");
                }
            }
        }
    }
}

fn load(source: &str) -> Program {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = dir.path().join("program.c");
    std::fs::write(&file, source).expect("written");
    let clang_args = vec!["-w".to_string()];
    let options = selvedge_frontend::Options { files: vec![file], clang_args, ..Default::default() };
    selvedge_frontend::load(&options).expect("generated programs compile")
}

fn executor(program: &Program) -> Machine<'_> {
    Machine::new(program, Options::default(), Sources::fixed(FixedInputs::default()))
}

/// Programs without threads, segments of each, and other states that each is tried on.
const PROGRAMS: u64 = 60;
const SEGMENTS: u64 = 6;
const OTHERS: u64 = 6;

#[test]
fn a_part_of_a_segment_does_to_any_state_that_it_admits_what_it_says() {
    let (mut own, mut others) = (0, 0);
    for seed in 0..PROGRAMS {
        let generated = generator::generate(seed, &generator::Options::default());
        let program = load(&generated.source());
        let mut random = Rng::new(seed);
        let mut machine = executor(&program);
        for _ in 0..SEGMENTS {
            let (skip, length) = (random.below(400), 1 + random.below(60));
            let inputs = Inputs::sample(&mut machine, &generated, &mut random);
            let Some(before) = state_after(&mut machine, &inputs, skip) else { continue };
            let Some(after) = state_after(&mut machine, &inputs, skip + length) else { continue };
            let what = format!("seed {seed}, {length} instructions after {skip}");
            let Some(control) = machine.control(&before, None) else { continue };
            let extent = Extent::Part(length);
            let Some(mut case) = Case::new(&mut machine, &inputs, (&before, 0), &after, extent) else {
                continue;
            };
            assert!(case.admits(&mut machine, &before, &inputs), "{what}: its own state");
            case.check(&mut machine, &inputs, &before, &after, &what);
            own += 1;
            for _ in 0..OTHERS {
                let inputs = Inputs::sample(&mut machine, &generated, &mut random);
                let Some(other) = state_after(&mut machine, &inputs, skip) else { continue };
                let like = machine.control(&other, None);
                if like.is_none_or(|like| like.parts() != control.parts())
                    || !case.admits(&mut machine, &other, &inputs)
                {
                    continue;
                }
                let end = state_after(&mut machine, &inputs, skip + length)
                    .unwrap_or_else(|| panic!("{what}: the guards admit a state whose segment stops early"));
                case.check(&mut machine, &inputs, &other, &end, &format!("{what}, another state"));
                others += 1;
            }
        }
    }
    assert!(own > 100 && others > 50, "too few segments were compared: {own} and {others} from other states");
}

/// A control state, and the thread that goes on from there.
type Start = (Vec<Vec<u64>>, usize);

/// Programs with threads, random executions of each, steps of each execution, and states that a segment is tried on.
const THREADED: u64 = 40;
const EXECUTIONS: u64 = 12;
const STEPS: u64 = 60;
const TRIES: u64 = 8;

#[test]
fn a_segment_of_threads_does_to_any_state_that_it_admits_what_it_says() {
    let (mut own, mut others) = (0, 0);
    for seed in 0..THREADED {
        let program = load(&threads::single_text(&threads::generate(seed).nodes));
        let mut random = Rng::new(seed);
        let mut machine = executor(&program);
        // The first segment from each start, and on how many states it was tried.
        let mut met: BTreeMap<Start, (Option<Case>, u64)> = BTreeMap::new();
        for _ in 0..EXECUTIONS {
            let inputs = Inputs::of_threads(&mut machine, &mut random);
            machine.sources.set_fixed(Some(inputs.fixed.clone()));
            let first = start(&mut machine, &Arguments::default()).expect("it can start");
            let Some(mut state) = at_rest(&mut machine, first) else { continue };
            for _ in 0..STEPS {
                let able: Vec<usize> = (0..state.threads.len()).filter(|t| state.is_enabled(*t)).collect();
                let Some(n) = (able.len() as u64).checked_sub(1) else { break };
                let thread = able[random.below(n + 1) as usize];
                let mut granted = state.clone();
                granted.grant(thread);
                machine.sources.set_fixed(Some(inputs.fixed.clone()));
                let Some(after) = at_rest(&mut machine, granted) else { break };
                let Some(control) = machine.control(&state, None).filter(Control::is_known) else { break };
                let parts = control.parts().iter().map(|part| part.to_vec()).collect();
                let what = format!("seed {seed}, thread {thread} after {} steps", state.n_turns);
                let (case, tries) = met.entry((parts, thread)).or_insert_with(|| {
                    let extent = Extent::Whole(2 * (after.steps - state.steps) + 1000);
                    (Case::new(&mut machine, &inputs, (&state, thread), &after, extent), 0)
                });
                if let Some(case) = case.as_mut().filter(|_| *tries < TRIES)
                    && case.admits(&mut machine, &state, &inputs)
                {
                    case.check(&mut machine, &inputs, &state, &after, &what);
                    *if *tries == 0 { &mut own } else { &mut others } += 1;
                    *tries += 1;
                }
                state = after;
            }
        }
    }
    assert!(
        own > 500 && others > 500,
        "too few segments were compared: {own} and {others} from other states"
    );
}
