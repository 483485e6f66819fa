//! Z3, in process: decides everything the term language can say.
//!
//! The conjuncts of the last query stay asserted, one level each; a new query pops to the
//! longest common prefix and asserts the rest. Along a depth-first search most of a path is
//! thus asserted once. Queries with floats go to a fresh solver each time, because Z3's
//! preprocessing for them is worth more than the shared prefix.
//!
//! Guarantees: an answer is Z3's own; a model gives every variable of the query its value
//! (variables it does not mention are 0, which Z3 allows). Bugs of Z3 are what
//! [`validate`](crate::validate) is for.
//! Not covered: terms nested very deeply (see `translate`); they are `Unsupported`.

mod ffi;
mod float;
mod horn;
mod model;
mod translate;
mod watchdog;

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub use self::horn::solve_horn;
use rustc_hash::FxHashMap;
use selvedge_term::{TermId, TermPool};

use self::ffi::{Ast, Context, Op1, OpN, SolverId, Verdict};
use self::translate::{Failure, Needs, Translation};
use self::watchdog::Watchdog;
use crate::config::SolverConfig;
use crate::query::{Answer, Query, Solver, Want, Why};
use crate::stats::Stats;

/// Z3 terms after which a session is thrown away, to bound memory.
const MAX_ASTS: usize = 2_000_000;

/// The Z3 backend.
pub(crate) struct Z3 {
    incremental: bool,
    timeout: Option<Duration>,
    rlimit: Option<u32>,
    interrupt: Arc<AtomicBool>,
    watchdog: Watchdog,
    session: Option<Session>,
    stats: Stats,
}

/// Everything that lives and dies with one Z3 context.
struct Session {
    ctx: Context,
    translation: Translation,
    /// Bit-vectors and arrays.
    bits: Option<Stack>,
    /// Linear integer arithmetic alone.
    linear: Option<Stack>,
    /// With integers.
    general: Option<Stack>,
    /// For cores: conjuncts behind assumption symbols.
    guarded: Option<Guarded>,
}

/// A solver with one level per conjunct.
struct Stack {
    solver: SolverId,
    // Invariant: as many as the solver has levels.
    asserted: Vec<TermId>,
}

/// A solver in which `guard ⇒ conjunct` is asserted for every conjunct ever blamed.
struct Guarded {
    solver: SolverId,
    guards: FxHashMap<TermId, Ast>,
}

impl Z3 {
    /// A backend with the limits of `config`.
    pub(crate) fn new(config: &SolverConfig) -> Z3 {
        Z3 {
            incremental: config.incremental,
            timeout: config.timeout,
            rlimit: config.rlimit,
            interrupt: Arc::clone(&config.interrupt),
            watchdog: Watchdog::new(Arc::clone(&config.interrupt)),
            session: None,
            stats: Stats::default(),
        }
    }

    fn answer(&mut self, pool: &TermPool, query: &Query<'_>) -> Answer {
        if self.interrupt.load(Ordering::Relaxed) {
            return Answer::Unknown(Why::Interrupted);
        }
        if self.session.as_ref().is_some_and(|session| session.ctx.len() > MAX_ASTS) {
            self.session = None;
        }
        let mut session = match self.session.take() {
            Some(session) => session,
            None => match Session::new() {
                Ok(session) => session,
                Err(failure) => return Answer::Unknown(why(failure)),
            },
        };
        let deadline = self.timeout.map(|limit| Instant::now() + limit);
        let mut run = Run {
            incremental: self.incremental,
            rlimit: self.rlimit,
            deadline,
            watchdog: &mut self.watchdog,
            stopped: None,
        };
        let answer = session.answer(&mut run, pool, query);
        match (answer, run.stopped) {
            // What a check leaves behind that did not finish is not worth trusting: the session is
            // dropped.
            (_, Some(why)) => Answer::Unknown(why),
            (Ok(Answer::Unknown(why)), None) => Answer::Unknown(why),
            (Ok(answer), None) => {
                self.session = Some(session);
                answer
            }
            (Err(Failure::Unsupported(what)), None) => {
                self.session = Some(session);
                Answer::Unknown(Why::Unsupported(what))
            }
            (Err(failure), None) => Answer::Unknown(why(failure)),
        }
    }
}

impl Solver for Z3 {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = Instant::now();
        self.stats.z3_calls += 1;
        let answer = self.answer(pool, query);
        self.stats.z3_time += start.elapsed();
        answer
    }

    fn stats(&self) -> Stats {
        self.stats.clone()
    }
}

fn why(failure: Failure) -> Why {
    match failure {
        Failure::Z3(error) => Why::Unsupported(error.to_string()),
        Failure::Unsupported(what) => Why::Unsupported(what),
    }
}

/// What one query may use, and whether it was stopped.
struct Run<'a> {
    incremental: bool,
    rlimit: Option<u32>,
    deadline: Option<Instant>,
    watchdog: &'a mut Watchdog,
    stopped: Option<Why>,
}

impl Run<'_> {
    fn check(&mut self, ctx: &mut Context, solver: SolverId, assumptions: &[Ast]) -> Verdict {
        self.watchdog.begin(ctx.interrupter(), self.deadline);
        let verdict = ctx.check(solver, assumptions);
        let stopped = self.watchdog.end();
        if verdict == Verdict::Unknown {
            self.stopped = stopped;
        }
        verdict
    }
}

impl Session {
    fn new() -> Result<Session, Failure> {
        Ok(Session {
            ctx: Context::new()?,
            translation: Translation::default(),
            bits: None,
            linear: None,
            general: None,
            guarded: None,
        })
    }

    fn answer(&mut self, run: &mut Run<'_>, pool: &TermPool, query: &Query<'_>) -> Result<Answer, Failure> {
        let mut asts = Vec::with_capacity(query.path.len() + query.goal.len());
        let mut needs = Needs::default();
        for conjunct in query.conjuncts() {
            let (ast, of_conjunct) = self.translation.term(&mut self.ctx, pool, conjunct)?;
            asts.push(ast);
            needs = needs.join(of_conjunct);
        }

        let solver = if !run.incremental || needs.has(Needs::FLOATS) {
            self.one_shot(run, needs, &asts)?
        } else {
            self.stacked(run, needs, query, &asts)?
        };
        match run.check(&mut self.ctx, solver, &[]) {
            Verdict::Sat if query.want == Want::Core => Ok(Answer::Sat(None)),
            Verdict::Sat => {
                let values = self.ctx.model(solver)?;
                let strange = || Failure::Unsupported("a value in a model of Z3's".to_owned());
                let model = model::assignment(pool, &values).ok_or_else(strange)?;
                Ok(Answer::Sat(Some(Rc::new(model))))
            }
            Verdict::Unsat if query.want == Want::Core => self.core(run, query, &asts),
            Verdict::Unsat => Ok(query.unsat_by_all()),
            Verdict::Unknown => Ok(Answer::Unknown(self.why_unknown(solver))),
        }
    }

    fn why_unknown(&self, solver: SolverId) -> Why {
        let reason = self.ctx.reason_unknown(solver);
        if reason.contains("incomplete") {
            Why::Unsupported(format!("this query ({reason})"))
        } else {
            Why::Limit
        }
    }

    /// A solver that holds exactly `asts` and has never seen anything else.
    fn one_shot(&mut self, run: &Run<'_>, needs: Needs, asts: &[Ast]) -> Result<SolverId, Failure> {
        let logic = if needs.is_linear() {
            Some(c"QF_LIA")
        } else if needs.has(Needs::INTS) || (needs.has(Needs::FLOATS) && needs.has(Needs::ARRAYS)) {
            None
        } else if needs.has(Needs::FLOATS) {
            Some(c"QF_FPBV")
        } else {
            Some(c"QF_ABV")
        };
        let solver = self.ctx.scratch_solver(logic, run.rlimit)?;
        for &ast in asts {
            self.ctx.assert(solver, ast);
        }
        Ok(solver)
    }

    /// The solver whose levels are the conjuncts of `query`.
    fn stacked(
        &mut self,
        run: &Run<'_>,
        needs: Needs,
        query: &Query<'_>,
        asts: &[Ast],
    ) -> Result<SolverId, Failure> {
        let (slot, logic) = if needs.is_linear() {
            (&mut self.linear, Some(c"QF_LIA"))
        } else if needs.has(Needs::INTS) {
            (&mut self.general, None)
        } else {
            (&mut self.bits, Some(c"QF_ABV"))
        };
        let stack = match slot {
            Some(stack) => stack,
            None => {
                slot.insert(Stack { solver: self.ctx.new_solver(logic, run.rlimit)?, asserted: Vec::new() })
            }
        };
        let common = stack.asserted.iter().zip(query.conjuncts()).take_while(|(a, b)| **a == *b).count();
        let surplus = stack.asserted.len() - common;
        if surplus > 0 {
            self.ctx.pop(stack.solver, surplus as u32);
            stack.asserted.truncate(common);
        }
        for (conjunct, &ast) in query.conjuncts().zip(asts).skip(common) {
            self.ctx.push(stack.solver);
            self.ctx.assert(stack.solver, ast);
            stack.asserted.push(conjunct);
        }
        Ok(stack.solver)
    }

    /// A core of `query`, which is known to be unsatisfiable.
    fn core(&mut self, run: &mut Run<'_>, query: &Query<'_>, asts: &[Ast]) -> Result<Answer, Failure> {
        let guarded = match &mut self.guarded {
            Some(guarded) => guarded,
            None => {
                let solver = self.ctx.new_solver(None, run.rlimit)?;
                self.guarded.insert(Guarded { solver, guards: FxHashMap::default() })
            }
        };
        let mut guards = Vec::with_capacity(asts.len());
        for (conjunct, &ast) in query.conjuncts().zip(asts) {
            let guard = match guarded.guards.get(&conjunct) {
                Some(&guard) => guard,
                None => {
                    let guard = self.ctx.fresh_bool()?;
                    let off = self.ctx.op1(Op1::Not, guard)?;
                    let implication = self.ctx.op_n(OpN::Or, &[off, ast])?;
                    self.ctx.assert(guarded.solver, implication);
                    guarded.guards.insert(conjunct, guard);
                    guard
                }
            };
            guards.push(guard);
        }
        match run.check(&mut self.ctx, guarded.solver, &guards) {
            Verdict::Unsat => {
                let blamed = self.ctx.core(guarded.solver, &guards)?;
                Ok(Answer::Unsat(
                    query.conjuncts().zip(blamed).filter(|(_, blamed)| *blamed).map(|(c, _)| c).collect(),
                ))
            }
            // Only the search for a small core failed; that everything is a core is known.
            Verdict::Unknown => {
                run.stopped = None;
                self.guarded = None;
                Ok(query.unsat_by_all())
            }
            Verdict::Sat => {
                Ok(Answer::Unknown(Why::Mismatch("z3 finds a model of its own core query".to_owned())))
            }
        }
    }
}
