//! What is proved, and the check of a proof of it in a machine of its own.

use std::sync::Arc;
use std::time::Instant;

use selvedge_exec::{Arguments, Bounds, CodeNames, Ledger, Machine, Options, Sources, ThreadNames, start};
use selvedge_program::Program;
use selvedge_prove::{
    Ask, Check, CheckError, CheckResult, Domain, Limits, ProofError, Stats, Stopped, TransitionSystem,
    Unanswered, check, spoken_of_all,
};

use crate::proof::read::{Unread, heading};
use crate::proof::system;
use crate::walk::Walk;

/// What is proved.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The program.
    pub program: &'a Program,
    /// What the executor does.
    pub options: &'a Options,
    /// What `main` is called with.
    pub arguments: &'a Arguments,
    /// Numbers of places in the code that versions share, if there are several versions.
    pub names: Option<&'a Arc<CodeNames>>,
}

impl<'a> Subject<'a> {
    /// What the executor does in a proof: no bounds, and loops stop at their heads.
    pub(crate) fn options_of_proofs(&self, share_everything: bool) -> Options {
        Options {
            loop_points: true,
            share_everything,
            bounds: Bounds { unwind: None, max_steps: None, ..self.options.bounds },
            ..self.options.clone()
        }
    }

    /// A machine that knows nothing.
    pub(crate) fn machine(&self, options: Options, threads: Vec<(u32, u32)>) -> Machine<'a> {
        let mut machine = Machine::new(self.program, options, Sources::default());
        machine.code_names = self.names.cloned();
        machine.thread_names = ThreadNames::from_names(threads);
        machine
    }
}

/// Why a proof was not checked to its end.
pub(crate) enum Unchecked {
    Proof(ProofError),
    Stopped(Stopped),
}

/// What a check has come to.
pub(crate) struct Checked {
    pub(crate) result: CheckResult,
    /// How the proof was found.
    pub(crate) how: Option<Check>,
    pub(crate) stats: Stats,
}

/// Checks a proof about `system` in a machine of its own; `ledger` is told what is taken for granted.
pub(crate) fn check_text(
    subject: &Subject<'_>,
    system: &str,
    text: &str,
    ask: &mut Ask,
    ledger: &mut Ledger,
) -> Result<Checked, Unchecked> {
    check_unread(subject, heading(text, system).map_err(Unchecked::Proof)?, ask, ledger)
}

/// Checks a proof of which the heading was read.
pub(crate) fn check_unread(
    subject: &Subject<'_>,
    unread: Unread<'_>,
    ask: &mut Ask,
    ledger: &mut Ledger,
) -> Result<Checked, Unchecked> {
    let how = Check::from_name(&unread.heading.method);
    let options = subject.options_of_proofs(unread.heading.all_shared);
    let mut machine = subject.machine(options, unread.heading.threads.clone());
    let proof = unread.read(&mut machine).map_err(Unchecked::Proof)?;
    let mut stats = Stats::default();
    let first = match start(&mut machine, subject.arguments) {
        Ok(first) => first,
        Err(why) => return Ok(Checked { result: CheckResult::Rejected(why), how, stats }),
    };
    let mut walk = Walk::new(&mut machine, &proof.invariant, first);
    let result = check(&mut walk, ask);
    stats.control_states = walk.n_controls();
    stats.steps = (0..walk.n_controls()).map(|control| walk.n_steps(control)).sum();
    let cases = || proof.invariant.values().flat_map(|claim| &claim.cases);
    stats.predicates = spoken_of_all(&mut machine.pool, cases().flatten().copied()).len();
    stats.clauses = cases().count();
    stats.instructions = machine.n_instructions;
    ledger.merge(machine.ledger);
    let rejected =
        |why: String| Ok(Checked { result: CheckResult::Rejected(why), how, stats: Stats::default() });
    // Control states go by the numbers of threads.
    if machine.thread_names.names().len() != proof.threads.len() {
        return rejected("a thread is missing".to_owned());
    }
    match result {
        Ok(result) => Ok(Checked { result, how, stats }),
        Err(Stopped::Lost) => rejected(Stopped::Lost.to_string()),
        Err(stopped) => Err(Unchecked::Stopped(stopped)),
    }
}

/// Checks a proof object of `program` with nothing but the executor and the solver; `ledger` is told what that takes for
/// granted.
pub fn check_proof(
    program: &Program,
    options: &Options,
    arguments: &Arguments,
    text: &str,
    limits: &Limits,
    ledger: &mut Ledger,
) -> Result<CheckResult, CheckError> {
    let subject = Subject { program, options, arguments, names: None };
    let system = system(program, &subject.options_of_proofs(options.share_everything), arguments);
    let deadline = limits.timeout.map(|t| Instant::now() + t);
    let mut ask = Ask::new(Domain::Bits, deadline, limits.interrupt.clone());
    match check_text(&subject, &system, text, &mut ask, ledger) {
        Ok(checked) => Ok(checked.result),
        Err(Unchecked::Proof(error)) => Err(CheckError::Proof(error)),
        Err(Unchecked::Stopped(stopped)) => Err(CheckError::Unanswered(Unanswered(stopped.to_string()))),
    }
}
