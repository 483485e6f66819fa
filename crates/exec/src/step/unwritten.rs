//! The property `uninit`: what an execution shows must not depend on a value that was never written.
//!
//! What was never written is a variable like an input. Each such variable has a second one, and a branch, an address or
//! an output depends on it if the two can lead to different ones. So `x & 0`, or the padding that a copy moves along, is
//! no dependence, and neither is a copy of the value itself.
//!
//! Guarantee: nothing is reported unless two executions that differ only in what was never written differ in what is
//! shown. On the path that goes on, both values have gone the same way so far.
//! Relies on: no summaries and no slice, which speak about values and not about where they come from.

use selvedge_term::{Substitution, TermId};

use super::Step;
use crate::finding::{FindingKind, Res};
use crate::ops;
use crate::source::Source;
use crate::value::Value;

impl Step<'_, '_> {
    /// Reports `what` if the value depends on something that was never written.
    #[inline]
    pub(crate) fn check_written(&mut self, value: Value, what: &str) -> Res<()> {
        match ops::term_of(value) {
            Some(term) if self.m.options.checks(FindingKind::Uninit) => self.check_term_written(term, what),
            _ => Ok(()),
        }
    }

    /// As [`check_written`](Self::check_written).
    pub(crate) fn check_term_written(&mut self, term: TermId, what: &str) -> Res<()> {
        if !self.m.options.checks(FindingKind::Uninit) {
            return Ok(());
        }
        let Some((other, source)) = self.with_other_values(term) else { return Ok(()) };
        let same = self.m.pool.eq(term, other);
        let same = ops::from_term(&self.m.pool, same);
        if self.decide(same)? {
            return Ok(());
        }
        let name = match source {
            Source::Uninit { obj, .. } => self.st.mem.denoted(obj).map(|object| object.origin.describe()),
            _ => None,
        };
        let of = name.map(|name| format!(" of {name}")).unwrap_or_default();
        self.finding(FindingKind::Uninit, format!("{what} depends on a value{of} that was never written"))
    }

    /// The term for other values of what was never written, and the first such source; `None` if there is none in it.
    fn with_other_values(&mut self, term: TermId) -> Option<(TermId, Source)> {
        let mut values = Substitution::new();
        let mut first = None;
        for &var in self.m.pool.vars(term).iter() {
            let Some(mut piece) = self.m.sources.piece(var) else { continue };
            let Some(other) = piece.source.other() else { continue };
            first.get_or_insert(piece.source);
            piece.source = other;
            let value = self.m.sources.term(&mut self.m.pool, piece);
            values.insert(var, value);
        }
        Some((values.apply(&mut self.m.pool, term), first?))
    }
}
