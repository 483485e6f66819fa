//! An oracle that answers as an actual execution did.

use rustc_hash::FxHashSet;
use selvedge_term::TermId;

use super::values::{StateValues, Valued, instantiated};
use crate::memory::Symbols;
use crate::ops;
use crate::oracle::{Choice, Oracle};
use crate::state::State;
use crate::value::Value;

/// Guards that a test leaves out, to show what they are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Omit {
    /// Those of addresses.
    pub addresses: bool,
    /// Those of branches that concrete values decide.
    pub concrete_branches: bool,
    /// Those of branches that inputs decide.
    pub branches: bool,
}

/// Answers as the actual execution did, and notes each answer as a guard.
pub(super) struct ActualOracle<'a> {
    pub(super) start: &'a State,
    values: StateValues,
    pub(super) guards: Vec<TermId>,
    /// The same, to find one again: a step with a long loop has very many.
    known: FxHashSet<TermId>,
    /// Conditions under which the run contradicts an assumption about its own inputs.
    pub(super) voids: Vec<TermId>,
    /// The next question is an assumption about inputs only.
    assumes: bool,
    /// Some guard relates inputs of the run to the state before it.
    is_mixed: bool,
    omit: Omit,
    /// The next question is about an address.
    pins: bool,
}

impl<'a> ActualOracle<'a> {
    pub(super) fn new(start: &'a State, values: StateValues, omit: Omit) -> Self {
        ActualOracle {
            start,
            values,
            guards: Vec::new(),
            known: FxHashSet::default(),
            voids: Vec::new(),
            assumes: false,
            is_mixed: false,
            omit,
            pins: false,
        }
    }

    fn value(&mut self, cx: &mut Symbols<'_>, term: TermId) -> Valued {
        let unknown = Valued { value: 0, is_certain: false };
        self.values.value_in(cx, self.start, term).unwrap_or(unknown)
    }

    fn guard(&mut self, cx: &mut Symbols<'_>, cond: TermId) {
        let (new, old) = ActualOracle::is_about_inputs(cx, cond);
        self.is_mixed |= new && old;
        if self.known.insert(cond) {
            self.guards.push(cond);
        }
    }
}

impl Oracle for ActualOracle<'_> {
    fn choose(&mut self, cx: &mut Symbols<'_>, _: &State, conds: &[TermId]) -> Choice {
        let assumes = std::mem::take(&mut self.assumes);
        let pins = std::mem::take(&mut self.pins);
        for (i, &cond) in conds.iter().enumerate() {
            let Valued { value, is_certain } = self.value(cx, cond);
            if value == 1 {
                let is_left_out = match is_certain {
                    _ if pins => self.omit.addresses,
                    true => self.omit.concrete_branches,
                    false => self.omit.branches,
                };
                if is_left_out {
                    return Choice::Only(i);
                }
                if assumes && i == 0 && !self.is_mixed && !ActualOracle::is_about_inputs(cx, cond).1 {
                    let fails = cx.pool.not(cond);
                    let so_far = cx.pool.and_all(&self.guards);
                    let void = cx.pool.and(so_far, fails);
                    self.voids.push(void);
                }
                self.guard(cx, cond);
                return Choice::Only(i);
            }
        }
        Choice::Unknown("the actual state takes none of the alternatives".to_string())
    }

    fn witness(&mut self, cx: &mut Symbols<'_>, _: &State, term: TermId) -> Result<u64, String> {
        Ok(self.value(cx, term).value)
    }

    fn pin(&mut self, cx: &mut Symbols<'_>, term: TermId) -> Option<u64> {
        let Valued { value, is_certain } = self.value(cx, term);
        let pinned = match is_certain {
            true => Some(value),
            false => {
                let actual = self.term_in_start(cx, term);
                cx.pool.as_u64(actual)
            }
        };
        self.pins = pinned.is_some();
        pinned
    }

    fn actual(&mut self, cx: &mut Symbols<'_>, term: TermId) -> Option<TermId> {
        Some(self.term_in_start(cx, term))
    }

    fn are_same(&mut self, cx: &mut Symbols<'_>, pairs: &[(Value, Value)]) -> bool {
        let mut conds = Vec::with_capacity(pairs.len());
        for &(a, b) in pairs {
            let terms = [a, b].map(ops::term_of);
            let Some(width) = terms.iter().flatten().map(|t| cx.pool.width(*t)).next() else { return false };
            let (a, b) = (ops::to_term(cx.pool, a, width), ops::to_term(cx.pool, b, width));
            conds.push(cx.pool.eq(a, b));
        }
        let all = conds.iter().all(|c| cx.pool.as_bool(*c).unwrap_or_else(|| self.value(cx, *c).value == 1));
        if all {
            conds.into_iter().for_each(|c| self.guard(cx, c));
        }
        all
    }

    fn is_relative(&self) -> bool {
        true
    }

    fn assumption_follows(&mut self) {
        self.assumes = true;
    }
}

impl ActualOracle<'_> {
    /// Whether a condition is about inputs of this step only, and about nothing of the state.
    pub(super) fn is_about_inputs(cx: &mut Symbols<'_>, cond: TermId) -> (bool, bool) {
        let (mut new, mut old) = (false, false);
        for &var in cx.pool.vars(cond).iter() {
            match cx.sources.piece(var) {
                Some(piece) if piece.source.is_input() => new = true,
                _ => old = true,
            }
        }
        (new, old)
    }

    pub(super) fn term_in_start(&self, cx: &mut Symbols<'_>, term: TermId) -> TermId {
        instantiated(cx, self.start, term).unwrap_or(term)
    }
}
