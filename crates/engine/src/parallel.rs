//! A search by several workers (`--jobs`).
//!
//! The search is cut into parts ([`Explorer::split`]), which workers take from a common queue. Each worker has its own
//! executor, terms and solver; only plain data crosses. The verdict and, when everything is explored, the numbers
//! of executions are those of one worker; which of several bugs is found first is not.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use selvedge_exec::{CoverageMap, Ledger, Machine, Sources};
use selvedge_explore::{Ended, Explorer, Limits, SearchConfig, SummaryStats, Task};
use selvedge_solver::Solver;

use crate::collect::{Collected, Run};
use crate::outcome::{Bug, Executions, Progress, SolverUse};

/// Parts made for each worker: enough to even out their sizes.
const PARTS: usize = 32;
/// Deep terms are evaluated on the stack of libraries.
const STACK_BYTES: usize = 256 << 20;
/// Time between two reports of progress.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// What several workers share.
pub(crate) struct Pool<'a> {
    pub(crate) run: &'a Run<'a>,
    pub(crate) config: &'a SearchConfig,
    pub(crate) solver: &'a (dyn Fn() -> Box<dyn Solver> + Sync),
    pub(crate) jobs: usize,
    pub(crate) started: Instant,
}

/// What one worker brings home.
struct Harvest {
    executions: Executions,
    summaries: SummaryStats,
    bounds: Vec<String>,
    unknown: Vec<String>,
    bugs: Vec<Bug>,
    tests: Vec<crate::outcome::TestCase>,
    coverage: CoverageMap,
    uninitialised: Vec<selvedge_base::Loc>,
    ledger: Ledger,
    states: u64,
    instructions: u64,
    solver: SolverUse,
    ended: Ended,
}

/// What all of them found.
pub(crate) struct Sum<'a, 'p> {
    pub(crate) collected: Collected<'a>,
    pub(crate) machine: Machine<'p>,
    pub(crate) states: u64,
    pub(crate) solver: SolverUse,
    pub(crate) ended: Ended,
}

enum Message {
    Bug(Box<Bug>),
    Done(Box<Harvest>),
}

impl<'a> Pool<'a> {
    /// Searches. `None` if it must be done again with all objects shared.
    pub(crate) fn search(
        &self,
        progress: &mut dyn FnMut(&Progress),
        on_bug: &mut dyn FnMut(&Bug),
    ) -> Option<Sum<'a, 'a>> {
        let (stopped, runs) = (AtomicBool::new(false), AtomicU64::new(0));
        let limits = Limits { stopped: Some(&stopped), runs: Some(&runs), ..self.run.limits };
        let mut explorer = self.explorer();
        let mut collected = Collected::new(self.run);
        let parts = explorer.split(self.config, &limits, PARTS * self.jobs, |machine, leaf| {
            let known = collected.bugs.len();
            let control = collected.leaf(machine, &leaf);
            collected.bugs[known..].iter().for_each(&mut *on_bug);
            control
        });
        let mut ended = Ended::Complete;
        let mut harvests = Vec::new();
        match parts {
            Err(Ended::Lost) => return None,
            Err(other) => ended = other,
            Ok(tasks) => {
                let tasks = Mutex::new(VecDeque::from(tasks));
                harvests = self.work(&tasks, &limits, &stopped, &runs, progress, on_bug);
            }
        }
        note_undecided(&explorer, &mut collected);
        collected.count(&explorer);
        let mut solver = solver_use(&explorer);
        let (mut machine, mut states) = (explorer.machine, explorer.n_states);
        for harvest in harvests {
            match (&ended, harvest.ended) {
                (_, Ended::Lost) => return None,
                (Ended::Stopped, _) | (_, Ended::Complete) => {}
                (_, Ended::Stopped) => ended = Ended::Stopped,
                // The reason of the worker that ended the search counts, not that it was noticed.
                (Ended::Complete, other) => ended = other,
                (Ended::Limit(_) | Ended::Lost, _) => {}
            }
            collected.add(harvest.executions, harvest.bugs, harvest.tests, harvest.unknown, harvest.bounds);
            collected.summaries += harvest.summaries;
            machine.coverage.merge(&harvest.coverage);
            machine.uninitialised.extend(harvest.uninitialised);
            machine.ledger.merge(harvest.ledger);
            machine.n_instructions += harvest.instructions;
            states += harvest.states;
            solver.queries += harvest.solver.queries;
            solver.cache_hits += harvest.solver.cache_hits;
            solver.time_s += harvest.solver.time_s;
        }
        machine.uninitialised.sort();
        machine.uninitialised.dedup();
        Some(Sum { collected, machine, states, solver, ended })
    }

    fn explorer(&self) -> Explorer<'a> {
        let mut machine = Machine::new(self.run.program, self.run.options.clone(), Sources::default());
        machine.slice = self.run.slice.clone();
        Explorer::new(machine, (self.solver)())
    }

    /// Lets the workers do all tasks.
    fn work(
        &self,
        tasks: &Mutex<VecDeque<Task>>,
        limits: &Limits<'_>,
        stopped: &AtomicBool,
        runs: &AtomicU64,
        progress: &mut dyn FnMut(&Progress),
        on_bug: &mut dyn FnMut(&Bug),
    ) -> Vec<Harvest> {
        let (sender, receiver) = channel();
        let mut harvests = Vec::new();
        std::thread::scope(|scope| {
            for number in 0..self.jobs {
                let sender = sender.clone();
                let builder = std::thread::Builder::new().name(format!("worker {number}"));
                let worker = move || self.worker(tasks, limits, stopped, &sender);
                builder
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, worker)
                    .expect("the system lets a worker start");
            }
            drop(sender);
            let mut bugs = 0;
            loop {
                match receiver.recv_timeout(PROGRESS_EVERY) {
                    Ok(Message::Bug(bug)) => {
                        bugs += 1;
                        on_bug(&bug);
                    }
                    Ok(Message::Done(harvest)) => harvests.push(*harvest),
                    Err(RecvTimeoutError::Timeout) => {
                        let total = runs.load(Ordering::Relaxed);
                        let pending = tasks.lock().unwrap_or_else(PoisonError::into_inner).len() as u64;
                        progress(&Progress {
                            executions: Executions { total, full: total, ..Executions::default() },
                            pending,
                            time_s: self.started.elapsed().as_secs_f64(),
                            bugs,
                            ..Progress::default()
                        });
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        harvests
    }

    fn worker(
        &self,
        tasks: &Mutex<VecDeque<Task>>,
        limits: &Limits<'_>,
        stopped: &AtomicBool,
        sender: &Sender<Message>,
    ) {
        let mut explorer = self.explorer();
        let mut collected = Collected::new(self.run);
        let mut ended = Ended::Complete;
        loop {
            let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(task) = task else { break };
            ended = explorer.run_task(
                self.config,
                limits,
                &task,
                |machine, leaf| {
                    let known = collected.bugs.len();
                    let control = collected.leaf(machine, &leaf);
                    for bug in &collected.bugs[known..] {
                        // Nobody listens only if the search is over.
                        let _ = sender.send(Message::Bug(Box::new(bug.clone())));
                    }
                    control
                },
                |_| {},
            );
            if ended != Ended::Complete {
                stopped.store(true, Ordering::Relaxed);
                break;
            }
        }
        note_undecided(&explorer, &mut collected);
        collected.count(&explorer);
        let harvest = Harvest {
            executions: collected.executions,
            summaries: collected.summaries,
            bounds: collected.bounds,
            unknown: collected.unknown,
            bugs: collected.bugs,
            tests: collected.tests,
            solver: solver_use(&explorer),
            states: explorer.n_states,
            instructions: explorer.machine.n_instructions,
            coverage: explorer.machine.coverage,
            uninitialised: explorer.machine.uninitialised,
            ledger: explorer.machine.ledger,
            ended,
        };
        let _ = sender.send(Message::Done(Box::new(harvest)));
    }
}

/// What the solver could not decide makes the search incomplete.
pub(crate) fn note_undecided(explorer: &Explorer<'_>, collected: &mut Collected<'_>) {
    for (loc, why) in &explorer.undecided {
        let at = explorer.machine.place(*loc);
        collected.unknown(format!("{at}: {why}"));
    }
}

/// How much the solver was used.
pub(crate) fn solver_use(explorer: &Explorer<'_>) -> SolverUse {
    let stats = explorer.solver_stats();
    SolverUse { queries: stats.queries, cache_hits: stats.hits(), time_s: stats.time.as_secs_f64() }
}
