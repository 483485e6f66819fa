//! Exactness of abstract transitions, and the abstract successors of an abstract state.
//!
//! `a → b` by `t` is exact if every state of `a` has a `t`-successor in `b`: `a ⇒ pre(b, t)`.
//! Differs: DIVERGENCE from [ASE] §4.1: if `t` has nondeterministic input, exactness does not say that `t`
//! leads nowhere else, and the thesis's proof of soundness overlooks it. With the predicate `2x = y` and
//! `x := nondet`, a path with `y = 1` only reaches `2x ≠ y`; that transition is exact, but other states
//! with the same valuation, those with `y = 2`, reach `2x = y`. For such transitions all abstract
//! successors are enumerated and must have been explored.

use rustc_hash::FxHashMap;
use selvedge_term::{Substitution, TermId};

use crate::control::{ControlId, EffectId};
use crate::engine::Engine;
use crate::model::Update;
use crate::oracle::Unanswered;
use crate::predicates::Bits;
use crate::qe::exists_all;

/// Predicates after an assignment, as conditions before it; kept while Φ only grows.
#[derive(Default)]
pub(crate) struct Preimages {
    substitutions: FxHashMap<EffectId, Substitution>,
    of: FxHashMap<(EffectId, TermId), Preimage>,
}

/// A predicate before an assignment.
#[derive(Clone, Copy)]
struct Preimage {
    condition: TermId,
    /// Whether it mentions what `nondet` gives.
    has_input: bool,
}

/// Why a transition is inexact: conditions that its source does not imply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Exactness {
    Exact,
    Inexact(Vec<TermId>),
}

impl Preimages {
    fn of(&mut self, engine: &mut Engine, effect: EffectId, atom: TermId) -> Preimage {
        if let Some(known) = self.of.get(&(effect, atom)) {
            return *known;
        }
        let updates = &engine.controls.effect(effect).updates;
        let substitution = self.substitutions.entry(effect).or_insert_with(|| {
            let mut substitution = Substitution::new();
            for (at, update) in updates {
                let var = engine.pool.var_id(engine.symbols.data[*at]).expect("a variable's term");
                let value = match update {
                    Update::Term(term) => *term,
                    Update::Any => engine.symbols.any[*at],
                };
                substitution.insert(var, value);
            }
            substitution
        });
        let condition = substitution.apply(&mut engine.pool, atom);
        let vars = engine.pool.vars(condition);
        let has_input = vars.iter().any(|v| engine.symbols.any.contains(&engine.pool.var_term(*v)));
        let preimage = Preimage { condition, has_input };
        self.of.insert((effect, atom), preimage);
        preimage
    }

    /// Whether `from → to` is exact under `effect`. The guard is decided in `from` and holds.
    /// `literals` are those of `from`.
    pub(crate) fn exactness(
        &mut self,
        engine: &mut Engine,
        from: &Bits,
        literals: &[TermId],
        effect: EffectId,
        to: &Bits,
    ) -> Result<Exactness, Unanswered> {
        let mut missing = Vec::new();
        let mut about_input = Vec::new();
        for i in 0..engine.predicates.len() {
            let atom = engine.predicates.atoms()[i];
            let preimage = self.of(engine, effect, atom);
            let wanted = if to.get(i) { preimage.condition } else { engine.pool.not(preimage.condition) };
            if preimage.has_input {
                about_input.push(wanted);
            } else if !self.implied(engine, from, literals, wanted)? {
                missing.push(wanted);
            }
        }
        if !about_input.is_empty() {
            let all = engine.pool.and_all(&about_input);
            let inputs = engine.symbols.any.clone();
            let wanted = exists_all(&mut engine.pool, &inputs, all)?;
            if !self.implied(engine, from, literals, wanted)? {
                missing.push(wanted);
            }
        }
        Ok(if missing.is_empty() { Exactness::Exact } else { Exactness::Inexact(missing) })
    }

    fn implied(
        &self,
        engine: &mut Engine,
        from: &Bits,
        literals: &[TermId],
        wanted: TermId,
    ) -> Result<bool, Unanswered> {
        if let Some(constant) = engine.pool.as_bool(wanted) {
            return Ok(constant);
        }
        if let Some(decided) = engine.predicates.decides(&engine.pool, from, wanted) {
            return Ok(decided);
        }
        engine.oracle.implies(&mut engine.pool, literals, wanted)
    }

    /// The abstract successors of a valuation under `effect`, while `go_on` says so.
    pub(crate) fn successors(
        &mut self,
        engine: &mut Engine,
        from: &Bits,
        literals: &[TermId],
        effect: EffectId,
        go_on: &mut dyn FnMut(&Bits) -> bool,
    ) -> Result<(), Unanswered> {
        let mut bits = Bits::new(engine.predicates.len());
        let mut open = Vec::new();
        for i in 0..engine.predicates.len() {
            let preimage = self.of(engine, effect, engine.predicates.atoms()[i]);
            let constant = engine.pool.as_bool(preimage.condition);
            match constant.or_else(|| engine.predicates.decides(&engine.pool, from, preimage.condition)) {
                Some(value) => bits.set(i, value),
                None => open.push((i, preimage.condition)),
            }
        }
        let conditions: Vec<TermId> = open.iter().map(|(_, c)| *c).collect();
        let mut visit = |values: &[bool]| {
            let mut bits = bits.clone();
            for ((i, _), value) in open.iter().zip(values) {
                bits.set(*i, *value);
            }
            go_on(&bits)
        };
        engine.oracle.valuations(&mut engine.pool, literals, &conditions, &mut visit)
    }
}

/// An abstract state taken apart for questions about it.
pub(crate) struct Source {
    pub(crate) control: ControlId,
    pub(crate) bits: Bits,
    pub(crate) literals: Vec<TermId>,
}

impl Source {
    pub(crate) fn new(engine: &mut Engine, control: ControlId, bits: &Bits) -> Source {
        let literals = engine.predicates.literals(&mut engine.pool, bits);
        Source { control, bits: bits.clone(), literals }
    }
}
