//! Learnt clauses in one arena, and the entries of watch lists.

use super::Lit;

/// A clause, by its place in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ClauseRef(u32);

/// An entry of a watch list: the clause, and another of its literals. While that one is
/// true the clause need not be read.
#[derive(Clone, Copy)]
pub(super) struct Watch {
    clause: ClauseRef,
    pub(super) blocker: Lit,
}

impl Watch {
    pub(super) fn new(clause: ClauseRef, blocker: Lit) -> Watch {
        Watch { clause, blocker }
    }

    pub(super) fn clause(self) -> ClauseRef {
        self.clause
    }
}

/// The arena. A clause is a head of two words and its literals: length with a flag, and the
/// number of levels it spanned when it was learnt (its "LBD", a measure of use).
#[derive(Default)]
pub(super) struct Clauses {
    words: Vec<Lit>,
}

const DROPPED: u32 = 1 << 31;

impl Clauses {
    pub(super) fn add(&mut self, lits: &[Lit], spread: u32) -> ClauseRef {
        let at = self.words.len() as u32;
        // Conflicts are limited, and the backend starts afresh long before that.
        assert!(self.words.len() < u32::MAX as usize, "too many clauses");
        self.words.push(Lit(lits.len() as u32));
        self.words.push(Lit(spread));
        self.words.extend_from_slice(lits);
        ClauseRef(at)
    }

    fn size(&self, clause: ClauseRef) -> usize {
        (self.words[clause.0 as usize].0 & !DROPPED) as usize
    }

    pub(super) fn lits(&self, clause: ClauseRef) -> &[Lit] {
        let start = clause.0 as usize + 2;
        &self.words[start..start + self.size(clause)]
    }

    pub(super) fn lits_mut(&mut self, clause: ClauseRef) -> &mut [Lit] {
        let start = clause.0 as usize + 2;
        let size = self.size(clause);
        &mut self.words[start..start + size]
    }

    pub(super) fn spread(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize + 1].0
    }

    pub(super) fn is_dropped(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize].0 & DROPPED != 0
    }

    /// Marks the clause; watch lists still name it until they are cleaned.
    pub(super) fn drop_clause(&mut self, clause: ClauseRef) {
        self.words[clause.0 as usize].0 |= DROPPED;
    }
}
