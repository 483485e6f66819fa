//! Our own bit-blaster: terms become circuits, circuits become clauses, a SAT solver decides.
//!
//! For the many small feasibility queries of a search it beats a general solver (see the
//! numbers in `benches/queries.rs`). The clauses of a term are made once and define what it
//! means; the conjuncts of a query are only *assumed*, so that nothing has to be taken back
//! and everything learnt stays. When the clauses of terms no longer in use have piled up,
//! it starts afresh.
//!
//! Guarantees: models and cores as the SAT solver found them.
//! Not covered: arrays, integers and floats are `Unsupported`; hard arithmetic is given up
//! after a number of conflicts (`Limit`). A stronger backend should stand behind.

mod blast;
mod gates;
mod sat;
mod word;

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;
use selvedge_term::{Assignment, BvValue, Constant, TermId, TermPool};

use self::blast::{Blaster, Unsupported};
use self::sat::{Limits, Lit, Stop};
use crate::config::SolverConfig;
use crate::query::{Answer, Query, Solver, Want, Why};
use crate::stats::Stats;

/// Conflicts after which a query is left to the next backend.
const MAX_CONFLICTS: u64 = 2_000;
/// Variables that may have piled up before the backend starts afresh, besides some for each
/// variable the last query was about. Gates that no query asks about cost memory, about 150 bytes
/// each, and a little locality; translating the path again costs time. From 20,000 to 400,000 the
/// mean query of `benches/queries.rs` differs by less than the measurements do.
const PILE: (usize, usize) = (100_000, 4);

fn is_stale(blaster: &Blaster) -> bool {
    let sat = &blaster.gates.sat;
    sat.vars() > PILE.0 + PILE.1 * sat.cone_size()
}

/// The bit-blasting backend.
pub(crate) struct BitBlast {
    incremental: bool,
    timeout: Option<Duration>,
    interrupt: Arc<AtomicBool>,
    conflicts: u64,
    blaster: Option<Blaster>,
    assumptions: Vec<Lit>,
    stats: Stats,
}

impl BitBlast {
    /// A backend with the limits of `config`; it gives up after a number of conflicts
    /// if another backend stands behind.
    pub(crate) fn new(config: &SolverConfig, is_last: bool) -> BitBlast {
        BitBlast {
            incremental: config.incremental,
            timeout: config.timeout,
            interrupt: Arc::clone(&config.interrupt),
            conflicts: if is_last { u64::MAX } else { MAX_CONFLICTS },
            blaster: None,
            assumptions: Vec::new(),
            stats: Stats::default(),
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        if self.interrupt.load(Ordering::Relaxed) {
            return Answer::Unknown(Why::Interrupted);
        }
        let limits = Limits {
            conflicts: self.conflicts,
            deadline: self.timeout.map(|limit| Instant::now() + limit),
            interrupt: Arc::clone(&self.interrupt),
        };
        if let Some(blaster) = &self.blaster
            && (!self.incremental || is_stale(blaster))
        {
            self.blaster = None;
            self.stats.bitblast_rebuilds += 1;
        }
        let blaster = self.blaster.get_or_insert_with(Blaster::new);

        self.assumptions.clear();
        for conjunct in query.conjuncts() {
            let lit = match blaster.known(conjunct) {
                Some(lit) => lit,
                None => match blaster.literal(pool, conjunct) {
                    Ok(lit) => lit,
                    Err(Unsupported(what)) => return Answer::Unknown(Why::Unsupported(what.to_owned())),
                },
            };
            match lit {
                Lit::TRUE => {}
                Lit::FALSE => return Answer::Unsat(vec![conjunct]),
                lit => self.assumptions.push(lit),
            }
        }
        match blaster.gates.sat.solve(&self.assumptions, &limits) {
            Ok(true) if query.want == Want::Core => Answer::Sat(None),
            Ok(true) => Answer::Sat(Some(Rc::new(model(pool, blaster, query)))),
            Ok(false) => {
                let blamed = |t: &TermId| blaster.known(*t).is_some_and(|lit| blaster.gates.sat.blamed(lit));
                let core: Vec<TermId> = query.conjuncts().filter(blamed).collect();
                if core.is_empty() {
                    return Answer::Unknown(Why::Mismatch("the circuits contradict themselves".to_owned()));
                }
                Answer::Unsat(core)
            }
            Err(Stop::Conflicts) => Answer::Unknown(Why::Limit),
            Err(Stop::Timeout) => Answer::Unknown(Why::Timeout),
            Err(Stop::Interrupted) => Answer::Unknown(Why::Interrupted),
        }
    }
}

/// The values of the query's variables in the model just found.
fn model(pool: &mut TermPool, blaster: &Blaster, query: &Query<'_>) -> Assignment {
    let mut model = Assignment::new();
    let mut seen = FxHashSet::default();
    for conjunct in query.conjuncts() {
        for &var in pool.vars(conjunct).iter() {
            if !seen.insert(var) {
                continue;
            }
            // A variable that the circuits do not mention can have any value, also 0.
            let Some(lits) = blaster.variable(var) else { continue };
            let width = lits.len() as u32;
            let bit = |lit: Lit| blaster.gates.sat.value(lit);
            if width <= 64 {
                let value = lits.iter().rev().fold(0, |value, &lit| value << 1 | u64::from(bit(lit)));
                model.set_u64(var, width, value);
            } else {
                let mut value = num_bigint::BigUint::default();
                for (i, &lit) in (0..).zip(lits) {
                    value.set_bit(i, bit(lit));
                }
                model.set(var, Constant::Bv { width, value: BvValue::from(value) });
            }
        }
    }
    model
}

impl Solver for BitBlast {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = Instant::now();
        self.stats.bitblast_calls += 1;
        let answer = self.answer(pool, query);
        if matches!(answer, Answer::Unknown(_)) {
            self.stats.bitblast_gave_up += 1;
        }
        self.stats.bitblast_time += start.elapsed();
        answer
    }

    fn stats(&self) -> Stats {
        self.stats.clone()
    }
}
