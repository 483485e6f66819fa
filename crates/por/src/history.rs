//! The accesses made so far to each cell, newest first, pushed and popped with the execution.
//!
//! A record knows the one before it on its cell and where the run of its group starts. With that, the
//! accesses that an access directly depends on are found without looking at anything else: they are one
//! run of records of one group, the last that conflicts. Everything older that conflicts happens before
//! one of these.

use selvedge_base::Id;

use crate::cells::CellId;
use crate::event::Group;
use crate::table::{CellAccess, index};

/// The position of a record; [`NONE`] for no record.
type RecordIdx = u32;

const NONE: RecordIdx = u32::MAX;

/// An access that was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// The position of its step in the execution.
    pub(crate) step: u32,
    pub(crate) group: Group,
    /// By how much it changed the level.
    pub(crate) delta: i64,
    cell: CellId,
    /// The record before it on its cell.
    prev: RecordIdx,
    /// The last record before it on its cell that is of another group, or exclusive.
    before_run: RecordIdx,
}

/// The accesses of an execution by cell.
#[derive(Default)]
pub(crate) struct History {
    records: Vec<Record>,
    /// The newest record of each cell.
    heads: Vec<RecordIdx>,
}

impl History {
    /// Number of records, for [`truncate`](Self::truncate).
    pub(crate) fn len(&self) -> u32 {
        index(self.records.len())
    }

    /// Adds an access made by the step at position `step`.
    pub(crate) fn push(&mut self, access: &CellAccess, step: u32) {
        let cell = access.cell.index();
        if cell >= self.heads.len() {
            self.heads.resize(cell + 1, NONE);
        }
        let prev = self.heads[cell];
        let before_run = match self.record(prev) {
            Some(record) if record.group == access.group && !access.group.conflicts(access.group) => {
                record.before_run
            }
            _ => prev,
        };
        self.heads[cell] = self.len();
        let CellAccess { cell, group, delta, .. } = *access;
        self.records.push(Record { step, group, delta, cell, prev, before_run });
    }

    /// Removes the newest records until `len` are left.
    pub(crate) fn truncate(&mut self, len: u32) {
        while self.len() > len {
            if let Some(record) = self.records.pop() {
                self.heads[record.cell.index()] = record.prev;
            }
        }
    }

    #[inline]
    fn record(&self, idx: RecordIdx) -> Option<&Record> {
        self.records.get(idx as usize)
    }

    #[inline]
    fn head(&self, cell: CellId) -> RecordIdx {
        self.heads.get(cell.index()).copied().unwrap_or(NONE)
    }

    /// All records of `cell`, newest first.
    pub(crate) fn newest_first(&self, cell: CellId) -> impl Iterator<Item = &Record> {
        std::iter::successors(self.record(self.head(cell)), |record| self.record(record.prev))
    }

    /// The steps that an access of `group` to `cell` would directly depend on.
    #[inline]
    pub(crate) fn last_conflicting(&self, cell: CellId, group: Group) -> impl Iterator<Item = u32> {
        let mut newest = self.record(self.head(cell));
        if let Some(record) = newest
            && !record.group.conflicts(group)
        {
            newest = self.record(record.before_run);
        }
        std::iter::successors(newest, |record| {
            let older = self.record(record.prev)?;
            (older.group == record.group && record.group != Group::Exclusive).then_some(older)
        })
        .map(|record| record.step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Guard;

    fn access(cell: u32, group: Group) -> CellAccess {
        CellAccess { cell: CellId(cell), group, guard: Guard::Open, delta: 0 }
    }

    #[test]
    fn the_last_conflicting_run_is_found_for_each_group() {
        let mut history = History::default();
        let groups = [Group::Exclusive, Group::Read, Group::Read, Group::Give, Group::Give, Group::Read];
        for (step, group) in groups.into_iter().enumerate() {
            history.push(&access(3, group), index(step));
            history.push(&access(1, Group::Exclusive), index(step));
        }
        let found = |history: &History, group| history.last_conflicting(CellId(3), group).collect::<Vec<_>>();
        assert_eq!(found(&history, Group::Exclusive), [5]);
        assert_eq!(found(&history, Group::Read), [4, 3]);
        assert_eq!(found(&history, Group::Give), [5]);
        history.truncate(6);
        assert_eq!(found(&history, Group::Exclusive), [2, 1]);
        assert_eq!(found(&history, Group::Read), [0]);
        assert_eq!(history.newest_first(CellId(3)).map(|r| r.step).collect::<Vec<_>>(), [2, 1, 0]);
        history.truncate(0);
        assert_eq!(found(&history, Group::Exclusive), []);
        assert_eq!(history.last_conflicting(CellId(99), Group::Read).count(), 0);
    }
}
