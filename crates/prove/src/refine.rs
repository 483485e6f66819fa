//! [ASE] Figure 4.1, REFINE: explore, check, refine, until something is known.
//!
//! Paper: [ASE] §4.1, Figures 4.1 and 4.3; [UR] as the thesis compares with it.
//! Guarantees: `Safe` comes with a proof object, `Unsafe` with a run; both are checked by others (`check`,
//! the language's simulator) before they are reported.
//! Differs: DIVERGENCE (a) of an inexact transition only those literals of the preimage become predicates
//! that its source does not imply: the others hold there anyway; (b) errors are looked for on the symbolic
//! states themselves, so that the first look is taken under the guards' predicates alone; the property's
//! are added, within the same iteration, only if it finds no error.

use selvedge_base::Id;
use selvedge_term::TermId;

use crate::control::Case;
use crate::engine::Engine;
use crate::exact::{Exactness, Preimages, Source};
use crate::explore::{AbstractId, Exploration, Matching, Stop, explore};
use crate::oracle::Unanswered;
use crate::outcome::{Check, Limits, Method};
use crate::predicates::Bits;
use crate::proof::{Cube, Proof};
use crate::system::{AbstractSystem, AbstractTransition, control};

/// What one round found.
pub(crate) enum Found {
    /// A way to a bad state.
    Error,
    /// An invariant, as cubes, and the check that found it.
    Invariant(Check, Vec<Cube>),
}

/// The last round.
pub(crate) struct Round {
    pub(crate) exploration: Exploration,
    pub(crate) system: AbstractSystem,
    /// By transition of the system, in order: whether it is exact; none if it was not asked.
    pub(crate) exact: Vec<Option<bool>>,
}

/// How it ended.
pub(crate) struct Ended {
    pub(crate) found: Result<Found, String>,
    pub(crate) iterations: u32,
    pub(crate) round: Option<Round>,
}

/// Runs the loop.
pub(crate) fn refine(
    engine: &mut Engine,
    method: Method,
    limits: &Limits,
    on_round: &mut dyn FnMut(u32, usize),
) -> Ended {
    engine.add_guards();
    let matching = if method == Method::Ur { Matching::Global } else { Matching::Path };
    let mut preimages = Preimages::default();
    let mut iterations = 0;
    let mut last = None;
    let mut has_property = false;
    loop {
        if iterations >= limits.max_iterations {
            let why = format!("the limit of {} iterations was reached", limits.max_iterations);
            return Ended { found: Err(why), iterations, round: last };
        }
        iterations += 1;
        on_round(iterations, engine.predicates.len());
        let exploration = loop {
            match explore(engine, matching) {
                // The first look is under the guards alone, in case an error is near.
                Ok(exploration) if iterations == 1 && exploration.error.is_none() && !has_property => {
                    has_property = true;
                    if !engine.add_predicates(engine.model.bad) {
                        break exploration;
                    }
                }
                Ok(exploration) => break exploration,
                Err(Stop::NewPredicates) => {}
                Err(Stop::Unanswered(Unanswered(why))) => {
                    return Ended { found: Err(why), iterations, round: last };
                }
            }
        };
        let system = AbstractSystem::new(&exploration);
        let exact = vec![None; system.transitions.len()];
        let mut round = Round { exploration, system, exact };
        if round.exploration.error.is_some() {
            return Ended { found: Ok(Found::Error), iterations, round: Some(round) };
        }
        let next = round.analyse(engine, &mut preimages, method);
        match next {
            Ok(Next::Done(check, cubes)) => {
                let found = Ok(Found::Invariant(check, cubes));
                return Ended { found, iterations, round: Some(round) };
            }
            Ok(Next::Refined) => {}
            Ok(Next::Stuck) => {
                let why = "refinement found no new predicate".to_owned();
                return Ended { found: Err(why), iterations, round: Some(round) };
            }
            Err(Unanswered(why)) => return Ended { found: Err(why), iterations, round: Some(round) },
        }
        if engine.predicates.len() > limits.max_predicates {
            let why = format!("the limit of {} predicates was reached", limits.max_predicates);
            return Ended { found: Err(why), iterations, round: Some(round) };
        }
        last = Some(round);
    }
}

enum Next {
    Done(Check, Vec<Cube>),
    Refined,
    Stuck,
}

impl Round {
    fn source(&self, engine: &mut Engine, state: AbstractId) -> Source {
        let (control, bits) = self.exploration.states[state].clone();
        Source::new(engine, control, &bits)
    }

    fn analyse(
        &mut self,
        engine: &mut Engine,
        preimages: &mut Preimages,
        method: Method,
    ) -> Result<Next, Unanswered> {
        let everything = method == Method::Ur;
        let (fragment_holds, missing) = self.fragment(engine, preimages, everything)?;
        let unclear = self.unclear_states(engine, everything, fragment_holds)?;
        if fragment_holds && unclear.is_empty() {
            let check = if everything { Check::Exact } else { Check::SafeFragment };
            return Ok(Next::Done(check, self.fragment_cubes(engine, everything)));
        }
        if !everything && self.is_inductive(engine, preimages)? {
            let unclear = self.unclear_states(engine, true, true)?;
            if unclear.is_empty() {
                return Ok(Next::Done(Check::InductiveInvariant, self.fragment_cubes(engine, true)));
            }
            let mut added = false;
            for bad in unclear {
                added |= engine.add_predicates(bad);
            }
            if added {
                return Ok(Next::Refined);
            }
        }
        let mut added = false;
        for condition in unclear.into_iter().chain(missing) {
            added |= engine.add_predicates(condition);
        }
        if added { Ok(Next::Refined) } else { self.refine_outside(engine, preimages) }
    }

    /// Whether all transitions of the fragment, or of everything, are exact and all input is explored; if not, the
    /// conditions that sources of inexact ones do not imply.
    fn fragment(
        &mut self,
        engine: &mut Engine,
        preimages: &mut Preimages,
        everything: bool,
    ) -> Result<(bool, Vec<TermId>), Unanswered> {
        let required: Vec<bool> = self
            .system
            .transitions
            .iter()
            .map(|t| everything || self.system.in_fragment[t.from.index()])
            .collect();
        let mut missing: Vec<TermId> = Vec::new();
        let mut holds = true;
        for (i, required) in required.iter().enumerate() {
            if !required {
                continue;
            }
            let t = self.system.transitions[i];
            let exactness = self.exactness(engine, preimages, t)?;
            self.exact[i] = Some(exactness == Exactness::Exact);
            if let Exactness::Inexact(conditions) = exactness {
                holds = false;
                missing.extend(conditions);
            }
        }
        if holds && let Some(conditions) = self.unexplored_inputs(engine, preimages, &required)? {
            holds = false;
            missing.extend(conditions);
        }
        Ok((holds, missing))
    }

    /// Preimages of inexact transitions outside of the fragment, if those inside gave nothing.
    fn refine_outside(&mut self, engine: &mut Engine, preimages: &mut Preimages) -> Result<Next, Unanswered> {
        let mut added = false;
        for i in 0..self.system.transitions.len() {
            if self.exact[i].is_some() {
                continue;
            }
            let exactness = self.exactness(engine, preimages, self.system.transitions[i])?;
            self.exact[i] = Some(exactness == Exactness::Exact);
            if let Exactness::Inexact(conditions) = exactness {
                for condition in conditions {
                    added |= engine.add_predicates(condition);
                }
            }
        }
        added |= engine.add_predicates(engine.model.bad);
        Ok(if added { Next::Refined } else { Next::Stuck })
    }

    fn exactness(
        &self,
        engine: &mut Engine,
        preimages: &mut Preimages,
        t: AbstractTransition,
    ) -> Result<Exactness, Unanswered> {
        let source = self.source(engine, t.from);
        let effect = engine.cases(source.control)[t.case as usize].effect;
        let to = &self.exploration.states[t.to].1;
        preimages.exactness(engine, &source.bits, &source.literals, effect, to)
    }

    /// An abstract state that input leads to and that was not explored, from a `required` transition: the
    /// conditions under which it is reached.
    fn unexplored_inputs(
        &self,
        engine: &mut Engine,
        preimages: &mut Preimages,
        required: &[bool],
    ) -> Result<Option<Vec<TermId>>, Unanswered> {
        let mut done = None;
        for (t, _) in self.system.transitions.iter().zip(required).filter(|(_, required)| **required) {
            if done == Some((t.from, t.case)) {
                continue;
            }
            done = Some((t.from, t.case));
            let case = engine.cases(control(&self.exploration, t.from))[t.case as usize].clone();
            if !engine.controls.effect(case.effect).has_any {
                continue;
            }
            let source = self.source(engine, t.from);
            if let Some(bits) = self.unexplored(engine, preimages, &source, &case)? {
                let exactness =
                    preimages.exactness(engine, &source.bits, &source.literals, case.effect, &bits)?;
                return Ok(Some(match exactness {
                    Exactness::Exact => Vec::new(),
                    Exactness::Inexact(conditions) => conditions,
                }));
            }
        }
        Ok(None)
    }

    /// An abstract successor that was not explored.
    fn unexplored(
        &self,
        engine: &mut Engine,
        preimages: &mut Preimages,
        source: &Source,
        case: &Case,
    ) -> Result<Option<Bits>, Unanswered> {
        let mut outside = None;
        let mut visit = |bits: &Bits| {
            let known = self.exploration.find(case.to, bits);
            if known.is_none_or(|s| !self.exploration.expanded.contains(&s)) {
                outside = Some(bits.clone());
            }
            outside.is_none()
        };
        preimages.successors(engine, &source.bits, &source.literals, case.effect, &mut visit)?;
        Ok(outside)
    }

    /// Whether all explored abstract states together are closed under all transitions.
    fn is_inductive(&mut self, engine: &mut Engine, preimages: &mut Preimages) -> Result<bool, Unanswered> {
        let groups: Vec<Vec<AbstractTransition>> =
            self.system.grouped().into_iter().map(<[AbstractTransition]>::to_vec).collect();
        let mut at = 0;
        for group in groups {
            let first = group[0];
            let positions = at..at + group.len();
            at += group.len();
            let case = engine.cases(control(&self.exploration, first.from))[first.case as usize].clone();
            if !engine.controls.effect(case.effect).has_any {
                // One successor for each state: a single exact transition is all there is.
                let mut exact = false;
                for (i, t) in positions.zip(&group) {
                    if self.exact[i].is_none() {
                        let exactness = self.exactness(engine, preimages, *t)?;
                        self.exact[i] = Some(exactness == Exactness::Exact);
                    }
                    exact |= self.exact[i] == Some(true);
                }
                if exact {
                    continue;
                }
            }
            let source = self.source(engine, first.from);
            if self.unexplored(engine, preimages, &source, &case)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is bad at abstract states of the invariant that the valuation does not tell from bad ones.
    fn unclear_states(
        &self,
        engine: &mut Engine,
        everything: bool,
        needed: bool,
    ) -> Result<Vec<TermId>, Unanswered> {
        let mut unclear = Vec::new();
        if !needed {
            return Ok(unclear);
        }
        for (id, (control, bits)) in self.exploration.states.enumerate() {
            if !everything && !self.system.in_fragment[id.index()] {
                continue;
            }
            let bad = engine.controls.bad(&mut engine.pool, &engine.model, *control);
            if engine.predicates.holds(&engine.pool, bits, bad) == Some(false) || unclear.contains(&bad) {
                continue;
            }
            let literals = engine.predicates.literals(&mut engine.pool, bits);
            let good = engine.pool.not(bad);
            if !engine.oracle.implies(&mut engine.pool, &literals, good)? {
                unclear.push(bad);
            }
        }
        Ok(unclear)
    }

    /// The invariant: abstract states of the fragment (or all), and symbolic states outside of it.
    fn fragment_cubes(&self, engine: &mut Engine, everything: bool) -> Vec<Cube> {
        let mut cubes = Vec::new();
        for (id, (control, bits)) in self.exploration.states.enumerate() {
            if everything || self.system.in_fragment[id.index()] {
                cubes.push(Cube {
                    control: engine.controls.values(*control).to_vec(),
                    bits: Some(bits.clone()),
                    conditions: Vec::new(),
                });
            }
        }
        if !everything {
            for node in self.exploration.nodes.iter() {
                if !self.system.in_fragment[node.abs.index()] {
                    cubes.push(Cube {
                        control: engine.controls.values(node.control).to_vec(),
                        bits: None,
                        conditions: node.data.describe(&mut engine.pool, &engine.symbols.data),
                    });
                }
            }
        }
        cubes
    }
}

/// Whether `check` alone shows safety after one exploration under the predicates of guards and property.
pub(crate) fn shows_at_once(engine: &mut Engine, check: Check) -> Result<bool, Unanswered> {
    engine.add_guards();
    engine.add_predicates(engine.model.bad);
    let matching = if check == Check::Exact { Matching::Global } else { Matching::Path };
    let exploration = loop {
        match explore(engine, matching) {
            Ok(exploration) => break exploration,
            Err(Stop::NewPredicates) => {}
            Err(Stop::Unanswered(why)) => return Err(why),
        }
    };
    if exploration.error.is_some() {
        return Ok(false);
    }
    let system = AbstractSystem::new(&exploration);
    let exact = vec![None; system.transitions.len()];
    let mut round = Round { exploration, system, exact };
    let mut preimages = Preimages::default();
    let everything = check != Check::SafeFragment;
    let holds = match check {
        Check::InductiveInvariant => round.is_inductive(engine, &mut preimages)?,
        Check::SafeFragment | Check::Exact => round.fragment(engine, &mut preimages, everything)?.0,
        // These are none of an exploration.
        Check::Pdr | Check::PredicateAbstraction => false,
    };
    Ok(holds && round.unclear_states(engine, everything, true)?.is_empty())
}

/// The proof object of an invariant.
pub(crate) fn proof(engine: &Engine, check: Check, cubes: Vec<Cube>) -> Proof {
    Proof { check, predicates: engine.predicates.atoms().to_vec(), cubes }
}
