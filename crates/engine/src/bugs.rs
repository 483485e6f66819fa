//! From a failing path to a reported bug: re-execute it concretely, then tell its story.

use std::rc::Rc;

use selvedge_exec::{
    Finding, FindingKind, FixedInputs, Machine, PathEnd, Phase, RecordedFailure, RecordedRead, RecordedStep,
    Recorder, Sources, State, Stream, ThreadNames, frame_loc, signal_name, value_text,
};
use selvedge_explore::{Replayed, VisibleStep};
use selvedge_program::{FuncId, Program};

use crate::collect::Run;
use crate::inputs;
use crate::outcome::{
    Assumption, Bug, BugKind, Label, Place, PointCopy, PointEnd, PointFailure, PointStep, Points, Read,
    StackFrame, Step, Turns, Writer,
};
use crate::places::{place, user_place};

/// One concrete execution with its story.
pub(crate) struct Execution {
    pub(crate) end: Option<PathEnd>,
    pub(crate) place: Place,
    pub(crate) stdout: Vec<u8>,
    pub(crate) steps: Vec<Step>,
    pub(crate) stack: Vec<StackFrame>,
    pub(crate) inputs: Vec<crate::Input>,
    pub(crate) instructions: u64,
    pub(crate) thread: u32,
    pub(crate) turns: Turns,
    /// What might have made it fail.
    pub(crate) assumptions: Vec<Assumption>,
}

/// Visible steps of an execution that is run again, beyond any schedule that leads to where it is to lead: what follows it
/// may have no end.
const MAX_TURNS: usize = 1_000_000;
/// A step of a schedule that has only what matters may stand for several.
pub(crate) const TURNS_PER_STEP: usize = 64;

/// Runs `program` with `fixed` inputs and schedule and records what happens; `None` without an entry.
/// `is_wanted` says which end is looked for.
pub(crate) fn execute(
    run: &Run<'_>,
    fixed: FixedInputs,
    turns: &Turns,
    is_wanted: &dyn Fn(&State, &PathEnd) -> bool,
) -> Option<Execution> {
    let program = run.program;
    let sources = fixed_sources(run, &fixed);
    let mut machine = Machine::new(program, run.options.clone(), sources);
    machine.thread_names = ThreadNames::from_names(turns.threads.clone());
    machine.recorder = Some(Recorder::default());
    let Replayed { state, end, turns: steps } = selvedge_explore::replay(
        &mut machine,
        &run.config.arguments,
        &turns.steps,
        (&run.limits, MAX_TURNS.max(TURNS_PER_STEP * turns.steps.len())),
        None,
        is_wanted,
    )?;
    let recorder = machine.recorder.take().expect("set above");
    let end_is_clean = matches!(end, Some(PathEnd::Exit(_)));
    Some(Execution {
        assumptions: crate::assumptions::of_failure(&machine),
        place: user_place(program, &state),
        stdout: state.output.render(
            Stream::Stdout,
            &machine.pool,
            &machine.sources.fixed_model(&machine.pool),
        ),
        steps: story(program, &recorder),
        stack: if end_is_clean { Vec::new() } else { stack(program, &state) },
        inputs: inputs::describe(program, &state, &fixed),
        instructions: machine.n_instructions,
        thread: state.current as u32,
        turns: Turns {
            threads: machine.thread_names.names().to_vec(),
            steps: steps.iter().map(|s| s.thread as u32).collect(),
            all_shared: run.options.share_everything,
            points: points(&steps, &recorder.failures, &state),
        },
        end,
    })
}

/// Nothing is symbolic, except where it matters what a value was made of.
pub(crate) fn fixed_sources(run: &Run<'_>, fixed: &FixedInputs) -> Sources {
    let keeps_unwritten = run.options.checks(FindingKind::Uninit);
    Sources::fixed(FixedInputs { keeps_unwritten, ..fixed.clone() })
}

/// The execution by its points, if it has passed any.
fn points(steps: &[VisibleStep], failures: &[RecordedFailure], state: &State) -> Option<Points> {
    if state.threads.iter().all(|thread| thread.n_points == 0) {
        return None;
    }
    let step = |step: &VisibleStep| PointStep {
        thread: step.brings.map_or(step.thread, |brings| brings.thread) as u32,
        point: step.n_points,
        site: step.site,
        // A native build passes arguments by value, and runs library functions, at once.
        is_midway: step.is_midway && !step.copy.is_some_and(|copy| copy.is_implicit),
        is_rest: step.is_rest && step.brings.is_none(),
        copy: step.copy.filter(|copy| !copy.is_implicit).map(|copy| PointCopy {
            at: copy.at,
            size: copy.size,
            reads: copy.reads,
            writes: copy.writes,
        }),
        signal: step.brings.and_then(|brings| brings.signal),
    };
    // What threads send to each other they send natively, too.
    let is_native = |step: &&VisibleStep| step.brings.is_none_or(|brings| brings.signal.is_some());
    let is_waiting = |thread: usize| matches!(state.threads[thread].phase, Phase::Waiting(_));
    let end = |thread: usize| PointEnd {
        points: state.threads[thread].n_points,
        site: state.threads[thread].last_point,
        is_waiting: is_waiting(thread) && !state.is_midway(thread),
        is_resting: state.is_resting(thread),
    };
    let is_spinning = |thread: usize| matches!(state.threads[thread].phase, Phase::Spinning(_));
    let failure = |failure: &RecordedFailure| PointFailure {
        thread: failure.thread,
        point: failure.n_points,
        site: failure.site,
        after: failure.after,
        error: failure.error,
    };
    Some(Points {
        steps: steps.iter().filter(is_native).map(step).collect(),
        failures: failures.iter().map(failure).collect(),
        ends: (0..state.threads.len()).map(end).collect(),
        is_stuck: is_waiting(state.current) || is_spinning(state.current),
    })
}

/// The bug of an execution that ended in `finding`.
pub(crate) fn bug(program: &Program, execution: Execution, finding: &Rc<Finding>) -> Bug {
    Bug {
        kind: kind_of(finding.kind),
        message: finding.message.clone(),
        location: execution.place,
        stack: execution.stack,
        labels: finding.labels.iter().map(|l| label(program, l)).collect(),
        assumptions: execution.assumptions,
        thread: execution.thread,
        inputs: execution.inputs,
        schedule: execution.steps,
        turns: execution.turns,
        stdout: execution.stdout,
    }
}

fn label(program: &Program, label: &selvedge_exec::Label) -> Label {
    Label {
        text: label.text.clone(),
        thread: label.thread,
        place: place(program, label.func, label.loc),
        callers: label.callers.iter().map(|(func, loc)| place(program, Some(*func), *loc)).collect(),
    }
}

/// The reported kind of a finding.
pub(crate) fn kind_of(kind: FindingKind) -> BugKind {
    match kind {
        FindingKind::Assert => BugKind::Assert,
        FindingKind::Error => BugKind::Error,
        FindingKind::Memory => BugKind::Memory,
        FindingKind::Free => BugKind::Free,
        FindingKind::Misuse => BugKind::Misuse,
        FindingKind::Div => BugKind::Div,
        FindingKind::DivOverflow => BugKind::DivOverflow,
        FindingKind::Overflow => BugKind::Overflow,
        FindingKind::Operand => BugKind::Operand,
        FindingKind::Uninit => BugKind::Uninit,
        FindingKind::Bounds => BugKind::Bounds,
        FindingKind::Align => BugKind::Align,
        FindingKind::Unsigned => BugKind::Unsigned,
        FindingKind::Leak => BugKind::Leak,
        FindingKind::Cleanup => BugKind::Cleanup,
        FindingKind::Deadlock => BugKind::Deadlock,
        FindingKind::Livelock => BugKind::Livelock,
        FindingKind::Race => BugKind::Race,
    }
}

/// What ran, in order. Code of system headers (the C++ library) is not the user's story.
fn story(program: &Program, recorder: &Recorder) -> Vec<Step> {
    let is_users = |s: &&RecordedStep| program.files.get(s.loc.file).is_none_or(|f| !f.is_of_system());
    let first: Vec<&RecordedStep> = recorder.first.iter().filter(is_users).collect();
    let last: Vec<&RecordedStep> = recorder.last.iter().filter(is_users).collect();
    let gap = (recorder.skipped > 0)
        .then(|| Step { event: format!("... {} steps left out ...", recorder.skipped), ..Step::default() });
    let after_gap = first.len() + usize::from(gap.is_some());
    let position = |writer: selvedge_exec::Writer| {
        let find = |steps: &[&RecordedStep]| {
            let at = steps.binary_search_by_key(&writer.step, |s| s.number).ok()?;
            (steps[at].thread == writer.thread).then_some(at)
        };
        find(&first).or_else(|| Some(after_gap + find(&last)?))
    };
    let step = |s: &&RecordedStep| story_step(program, s, &position);
    first.iter().map(step).chain(gap).chain(last.iter().map(step)).collect()
}

fn story_step(
    program: &Program,
    s: &RecordedStep,
    position: &dyn Fn(selvedge_exec::Writer) -> Option<usize>,
) -> Step {
    let read = |read: &RecordedRead| Read {
        name: read.name.clone(),
        value: read.value.clone(),
        writer: read.writer.map(|writer| Writer { thread: writer.thread, step: position(writer) }),
    };
    let called = |f: &Option<FuncId>| f.map(|f| program.funcs[f].name.to_string()).unwrap_or_default();
    Step {
        thread: s.thread,
        place: place(program, Some(s.func), s.loc),
        event: s.signal.map_or_else(String::new, |n| format!("signal {n} ({}) arrives", signal_name(n))),
        reads: s.reads.iter().map(read).collect(),
        writes: s.writes.iter().map(|(name, value)| format!("{name} = {value}")).collect(),
        depth: s.depth as u32,
        creates: s.creates.clone(),
        inputs: s.inputs.iter().map(|(i, f)| (*i, called(f))).collect(),
    }
}

/// The call stack of the running thread, innermost first, run-time functions left out.
fn stack(program: &Program, state: &State) -> Vec<StackFrame> {
    let mut frames: Vec<StackFrame> = Vec::new();
    for frame in state.thread().frames.iter().rev() {
        let function = &program.funcs[frame.func];
        if function.is_runtime {
            continue;
        }
        let mut values: Vec<(String, String)> = Vec::new();
        for (reg, info) in function.regs.enumerate() {
            let Some(name) = &info.name else { continue };
            let value = frame.regs[selvedge_base::Id::index(reg)];
            let text = value_text(program, value, info.ty.bits(program.target.ptr_bits), info.var_ty);
            // A variable has several registers; the one defined last in program order is the best guess.
            match values.iter_mut().find(|(n, _)| **n == **name) {
                Some(entry) if text != "0" => entry.1 = text,
                Some(_) => {}
                None => values.push((name.to_string(), text)),
            }
        }
        frames
            .push(StackFrame { place: place(program, Some(frame.func), frame_loc(program, frame)), values });
    }
    frames
}
