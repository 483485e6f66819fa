//! Events: what one step of a thread touches, and which two events do not commute.
//!
//! An event is a thread with a small list of accesses; an atomic section is one event with several.
//! Two events are *dependent* if they belong to one thread, if one starts the thread of the other, or
//! if two of their accesses conflict. Everything else commutes: executed next to each other in either
//! order they lead to the same state, and neither can enable, disable or change the other.
//!
//! Places come in two kinds. Memory is a range of bytes in an object; two ranges of one object that
//! overlap are the same place. A synchronisation object is a *counter*: it has a level, an access may
//! lower it ([`Mode::Take`]), raise it ([`Mode::Give`]) or only look at it, and a [`Guard`] says from
//! which level on the access can happen at all. Mutexes, semaphores, read-write locks, joins, condition
//! variables and barriers are counters or pairs of them; the [constructors](crate::Access) in `sync` say how.
//!
//! An address that is not known exactly is an access to all it may be: a wider range, the whole object, or
//! several accesses. Dependence then over-approximates, which costs executions and loses nothing.
//!
//! The conflict table, by what an access does to its place (`x` = dependent):
//!
//! | | exclusive | read | give | shared |
//! |---|---|---|---|---|
//! | exclusive: `Write`, `ReadWrite`, `Take` | x | x | x | x |
//! | read: `Read`, `Await`, `Spin` | x | | x | x |
//! | give: `Give` | x | x | | x |
//! | shared: `TakeShared`, `GiveShared` | x | x | x | |
//!
//! Relies on: shared takes never starve each other (a read-write lock has room for all readers).
//! Checked by: `independent_events_commute` in `tests/random.rs`.

use selvedge_base::define_id;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

define_id!(
    /// A thread of the program under analysis; the same thread has the same id in every schedule.
    pub struct ThreadId, "t"
);

/// A place that events touch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Location {
    /// Some bytes of an object of memory.
    Memory {
        /// Which object.
        object: u64,
        /// First byte.
        offset: u64,
        /// Number of bytes.
        len: u64,
    },
    /// A synchronisation object; its keys are apart from those of memory.
    Sync(u64),
}

impl Location {
    /// `len` bytes of `object` from `offset` on.
    pub const fn bytes(object: u64, offset: u64, len: u64) -> Location {
        Location::Memory { object, offset, len }
    }

    /// All bytes of `object`: the place of its allocation and release, and of accesses to unknown offsets.
    pub const fn whole(object: u64) -> Location {
        Location::Memory { object, offset: 0, len: u64::MAX }
    }

    /// Whether the two have something in common.
    pub fn overlaps(self, other: Location) -> bool {
        match (self, other) {
            (Location::Sync(a), Location::Sync(b)) => a == b,
            (
                Location::Memory { object: a, offset: a_start, len: a_len },
                Location::Memory { object: b, offset: b_start, len: b_len },
            ) => {
                let (a_end, b_end) = (a_start.saturating_add(a_len), b_start.saturating_add(b_len));
                a == b && a_start.max(b_start) < a_end.min(b_end)
            }
            _ => false,
        }
    }
}

/// When a blocking access can happen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Guard {
    /// Always.
    Open,
    /// While the counter stands at `needs` or above.
    Level {
        /// The level just before the event; below `needs` for an event that is blocked.
        level: u32,
        /// The level from which on the access can happen.
        needs: u32,
    },
    /// Under a condition that is not a level, such as a value read from memory. Reversals of its races
    /// are tried and may turn out to be impossible, which costs work but loses nothing.
    Unknown,
}

/// What an access does to its place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Mode {
    /// Looks at memory, or at a counter (a failed try, a query of its value).
    Read,
    /// Writes without looking.
    Write,
    /// Reads and writes in one: an atomic read-modify-write, a change of a waiting queue.
    ReadWrite,
    /// Lowers a counter.
    Take {
        /// When it can happen.
        guard: Guard,
        /// By how much it lowers.
        amount: u32,
    },
    /// Raises a counter; always possible.
    Give {
        /// By how much.
        amount: u32,
    },
    /// Lowers a counter by a share, as a reader of a read-write lock does.
    TakeShared {
        /// When it can happen.
        guard: Guard,
        /// By how much it lowers.
        amount: u32,
    },
    /// Gives a share back.
    GiveShared {
        /// By how much it raises.
        amount: u32,
    },
    /// Waits for a level and changes nothing.
    Await {
        /// When it can happen.
        guard: Guard,
    },
    /// A read of memory by a thread that is blocked until the value changes: `Await` with an unknown guard.
    Spin,
}

/// What a mode does to its place, as far as commuting is concerned: different groups conflict, and so do
/// two exclusive accesses; two of one other group commute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Group {
    Exclusive,
    Read,
    Give,
    Shared,
}

impl Group {
    /// Whether accesses of the groups to one place are dependent.
    #[inline]
    pub(crate) fn conflicts(self, other: Group) -> bool {
        self != other || self == Group::Exclusive
    }
}

impl Mode {
    pub(crate) fn group(self) -> Group {
        match self {
            Mode::Write | Mode::ReadWrite | Mode::Take { .. } => Group::Exclusive,
            Mode::Read | Mode::Await { .. } | Mode::Spin => Group::Read,
            Mode::Give { .. } => Group::Give,
            Mode::TakeShared { .. } | Mode::GiveShared { .. } => Group::Shared,
        }
    }

    /// When the access can happen.
    pub fn guard(self) -> Guard {
        match self {
            Mode::Take { guard, .. } | Mode::TakeShared { guard, .. } | Mode::Await { guard } => guard,
            Mode::Spin => Guard::Unknown,
            Mode::Read | Mode::Write | Mode::ReadWrite | Mode::Give { .. } | Mode::GiveShared { .. } => {
                Guard::Open
            }
        }
    }

    /// By how much the access changes the level of a counter.
    pub(crate) fn delta(self) -> i64 {
        match self {
            Mode::Take { amount, .. } | Mode::TakeShared { amount, .. } => -i64::from(amount),
            Mode::Give { amount } | Mode::GiveShared { amount } => i64::from(amount),
            Mode::Read | Mode::Write | Mode::ReadWrite | Mode::Await { .. } | Mode::Spin => 0,
        }
    }

    /// Whether the access may change its place.
    pub fn changes(self) -> bool {
        self.group() != Group::Read
    }

    /// Whether accesses with these modes to one place are dependent.
    pub fn conflicts(self, other: Mode) -> bool {
        self.group().conflicts(other.group())
    }
}

/// One access of an event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Access {
    /// Where.
    pub location: Location,
    /// What it does there.
    pub mode: Mode,
}

impl Access {
    /// An access of `mode` to `location`.
    pub const fn new(location: Location, mode: Mode) -> Access {
        Access { location, mode }
    }

    /// Whether the two do not commute.
    pub fn conflicts(self, other: Access) -> bool {
        self.mode.conflicts(other.mode) && self.location.overlaps(other.location)
    }
}

/// The accesses of one event, few as a rule.
pub type Accesses = SmallVec<[Access; 2]>;

/// What an event would touch if it happened at another time, with its thread in the same state.
///
/// A compare-and-swap that failed would write if it came earlier; an atomic section may take another
/// branch. A reversed race moves its second event, so this is what that event is assumed to do there.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum IfMoved {
    /// The same as here, or less.
    #[default]
    Same,
    /// At most these accesses, the present ones included.
    AtMost(Accesses),
    /// Not known: as if everything.
    Anything,
}

/// One step of one thread: all its accesses happen at once.
///
/// Its places must be determined by the state before it; a thread whose next address is not yet
/// resolved must resolve it first (a data fork of the step before), or name all candidates.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    /// The thread that steps.
    pub thread: ThreadId,
    /// What it touches; empty for a step that nobody else can notice.
    pub accesses: Accesses,
    /// The threads that this step starts.
    pub spawns: SmallVec<[ThreadId; 1]>,
    /// What it would touch at another time.
    pub if_moved: IfMoved,
}

impl Event {
    /// A step with these accesses that would do the same at any other time.
    #[inline]
    pub fn new(thread: ThreadId, accesses: impl IntoIterator<Item = Access>) -> Event {
        let accesses = accesses.into_iter().collect();
        Event { thread, accesses, spawns: SmallVec::new(), if_moved: IfMoved::Same }
    }

    /// The same step, starting `child` as well: everything of `child` comes after it.
    pub fn spawning(mut self, child: ThreadId) -> Event {
        self.spawns.push(child);
        self
    }

    /// The same step, which at another time would also make `others`.
    pub fn moved_also(mut self, others: impl IntoIterator<Item = Access>) -> Event {
        self.if_moved = IfMoved::AtMost(self.accesses.iter().copied().chain(others).collect());
        self
    }

    /// The same step, of which it is not known what it would do at another time.
    pub fn moved_unknown(mut self) -> Event {
        self.if_moved = IfMoved::Anything;
        self
    }
}

/// Whether the order of the two events matters.
pub fn dependent(a: &Event, b: &Event) -> bool {
    a.thread == b.thread
        || a.spawns.contains(&b.thread)
        || b.spawns.contains(&a.thread)
        || a.accesses.iter().any(|x| b.accesses.iter().any(|y| x.conflicts(*y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: ThreadId = ThreadId(0);
    const T1: ThreadId = ThreadId(1);

    fn event(thread: ThreadId, location: Location, mode: Mode) -> Event {
        Event::new(thread, [Access::new(location, mode)])
    }

    #[test]
    fn reads_commute_and_writes_do_not() {
        let x = Location::bytes(1, 0, 4);
        assert!(!dependent(&event(T0, x, Mode::Read), &event(T1, x, Mode::Read)));
        assert!(dependent(&event(T0, x, Mode::Read), &event(T1, x, Mode::Write)));
        assert!(dependent(&event(T0, x, Mode::Write), &event(T1, x, Mode::Write)));
        assert!(dependent(&event(T0, x, Mode::Read), &event(T0, x, Mode::Read)), "one thread");
    }

    #[test]
    fn ranges_of_bytes_conflict_when_they_overlap() {
        let write = |thread, offset, len| event(thread, Location::bytes(1, offset, len), Mode::Write);
        assert!(dependent(&write(T0, 0, 4), &write(T1, 3, 1)));
        assert!(!dependent(&write(T0, 0, 4), &write(T1, 4, 4)));
        assert!(dependent(&event(T0, Location::whole(1), Mode::Write), &write(T1, u64::MAX - 1, 8)));
        assert!(!dependent(&event(T0, Location::whole(2), Mode::Write), &write(T1, 0, 8)));
        assert!(!dependent(&write(T0, 2, 0), &write(T1, 0, 8)), "an empty range is nowhere");
        assert!(!dependent(&write(T0, 0, 4), &event(T1, Location::Sync(1), Mode::Write)));
    }

    #[test]
    fn the_conflict_table_is_symmetric_and_as_documented() {
        use Group::{Exclusive, Give, Read, Shared};
        let groups = [Exclusive, Read, Give, Shared];
        for a in groups {
            for b in groups {
                assert_eq!(a.conflicts(b), b.conflicts(a));
                assert_eq!(a.conflicts(b), a == Exclusive || a != b, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn starting_a_thread_comes_before_all_of_it() {
        let start = Event::new(T0, []).spawning(T1);
        assert!(dependent(&start, &Event::new(T1, [])));
        assert!(!dependent(&start, &Event::new(ThreadId(2), [])));
        let start_both = start.spawning(ThreadId(2));
        assert!(dependent(&start_both, &Event::new(T1, [])));
        assert!(dependent(&start_both, &Event::new(ThreadId(2), [])));
    }
}
