//! Vector clocks of the steps of one execution, kept on a stack.
//!
//! Entry `t` of a step's clock is one more than the position of the last step of thread `t` that happens
//! before the step or is the step itself; 0 if there is none. Positions are positions in the execution, so
//! `a` happens before `b` exactly if `clock(b)[thread(a)] > a`: one comparison.
//!
//! All clocks lie in one vector, in the order of the steps: pushing a step appends, popping truncates.

/// The place of a clock in the [`ClockStack`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockRef {
    start: u32,
    len: u32,
}

/// The clocks of an execution.
#[derive(Default)]
pub(crate) struct ClockStack {
    entries: Vec<u32>,
}

impl ClockStack {
    /// The entries of a clock; threads past its end have none.
    #[inline]
    pub(crate) fn get(&self, clock: ClockRef) -> &[u32] {
        &self.entries[clock.start as usize..][..clock.len as usize]
    }

    /// Whether the step at `position` of the thread with index `thread` happens before the owner of `clock`
    /// or is it.
    #[inline]
    pub(crate) fn covers(&self, clock: ClockRef, thread: usize, position: u32) -> bool {
        covers(self.get(clock), thread, position)
    }

    /// Puts a copy of `base` on top, with room for `n_threads` threads.
    pub(crate) fn push_copy(&mut self, base: Option<ClockRef>, n_threads: usize) -> ClockRef {
        let start = self.entries.len();
        if let Some(ClockRef { start, len }) = base {
            self.entries.extend_from_within(start as usize..(start + len) as usize);
        }
        let len = n_threads.max(self.entries.len() - start);
        self.entries.resize(start + len, 0);
        ClockRef { start: crate::table::index(start), len: crate::table::index(len) }
    }

    /// Joins `other` into the clock on top.
    pub(crate) fn join_top(&mut self, top: ClockRef, other: ClockRef) {
        let (below, entries) = self.entries.split_at_mut(top.start as usize);
        join(entries, &below[other.start as usize..][..other.len as usize]);
    }

    /// Sets the entry of `thread` in the clock on top.
    pub(crate) fn set_top(&mut self, top: ClockRef, thread: usize, entry: u32) {
        self.entries[top.start as usize + thread] = entry;
    }

    /// Removes the clock on top.
    pub(crate) fn pop(&mut self, top: ClockRef) {
        self.entries.truncate(top.start as usize);
    }
}

/// Whether `clock` knows the step at `position` of `thread`.
#[inline]
pub(crate) fn covers(clock: &[u32], thread: usize, position: u32) -> bool {
    clock.get(thread).is_some_and(|&entry| entry > position)
}

/// Makes every entry of `clock` at least that of `other`; `clock` must not be shorter.
#[inline]
pub(crate) fn join(clock: &mut [u32], other: &[u32]) {
    for (entry, &known) in clock.iter_mut().zip(other) {
        *entry = known.max(*entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_pushed_joined_and_popped() {
        let mut clocks = ClockStack::default();
        let a = clocks.push_copy(None, 1);
        clocks.set_top(a, 0, 1);
        let b = clocks.push_copy(None, 3);
        clocks.set_top(b, 2, 2);
        let c = clocks.push_copy(Some(a), 3);
        clocks.join_top(c, b);
        assert_eq!(clocks.get(c), [1, 0, 2]);
        assert!(clocks.covers(c, 0, 0) && clocks.covers(c, 2, 1));
        assert!(!clocks.covers(c, 0, 1) && !clocks.covers(a, 7, 0));
        clocks.pop(c);
        clocks.pop(b);
        assert_eq!(clocks.get(a), [1]);
    }
}
