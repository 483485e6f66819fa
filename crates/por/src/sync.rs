//! The operations of threads as accesses: how each primitive is said with counters.
//!
//! | primitive | counter | its operations |
//! |---|---|---|
//! | mutex, spinlock | 1 when free | lock takes 1 of 1, unlock gives it back; a failed try reads |
//! | semaphore | its value | wait takes 1, post gives 1; posts commute |
//! | read-write lock | [`ROOM`] when free | a reader takes a share of 1, a writer takes all |
//! | thread | 0, and 1 once ended | exit gives, join waits for it |
//! | condition variable | a queue (exclusive) and one counter per sleeper | wait enters the queue and gives the mutex back, signal changes the queue and gives to the sleepers it wakes, waking waits for that and takes the mutex |
//! | barrier, per round | threads that have come | arriving gives 1, leaving waits for all; arriving is exclusive instead if more threads use it than it holds |
//! | once | as mutex, and a done flag as memory | |
//!
//! A recursive lock by its owner touches nothing that others can notice and needs no event.
//! Guarantees: nothing by itself; these are shorthands, and events may be built without them.

use crate::event::{Access, Event, Guard, Location, Mode, ThreadId};

/// The level of a free read-write lock: more than any number of readers.
pub const ROOM: u32 = 1 << 30;

impl Access {
    /// A read of memory.
    pub const fn read(location: Location) -> Access {
        Access::new(location, Mode::Read)
    }

    /// A write to memory.
    pub const fn write(location: Location) -> Access {
        Access::new(location, Mode::Write)
    }

    /// An atomic read-modify-write, or any change of a shared structure in one step.
    pub const fn read_write(location: Location) -> Access {
        Access::new(location, Mode::ReadWrite)
    }

    /// Locking a mutex, which is free or not just before.
    pub const fn lock(mutex: u64, free: bool) -> Access {
        Access::wait(mutex, free as u32)
    }

    /// Locking a mutex by a try that succeeds: it would not have blocked either.
    pub const fn try_lock(mutex: u64) -> Access {
        Access::new(Location::Sync(mutex), Mode::Take { guard: Guard::Open, amount: 1 })
    }

    /// Looking at a synchronisation object: a try that fails, a query of its value.
    pub const fn look(object: u64) -> Access {
        Access::new(Location::Sync(object), Mode::Read)
    }

    /// Unlocking a mutex.
    pub const fn unlock(mutex: u64) -> Access {
        Access::post(mutex)
    }

    /// Waiting on a semaphore, whose value is `level` just before.
    pub const fn wait(semaphore: u64, level: u32) -> Access {
        let guard = Guard::Level { level, needs: 1 };
        Access::new(Location::Sync(semaphore), Mode::Take { guard, amount: 1 })
    }

    /// Posting to a semaphore.
    pub const fn post(semaphore: u64) -> Access {
        Access::new(Location::Sync(semaphore), Mode::Give { amount: 1 })
    }

    /// Locking a read-write lock as a reader; `level` is [`ROOM`] less the readers, or 0 under a writer.
    pub const fn lock_shared(lock: u64, level: u32) -> Access {
        let guard = Guard::Level { level, needs: 1 };
        Access::new(Location::Sync(lock), Mode::TakeShared { guard, amount: 1 })
    }

    /// A try to lock a read-write lock as a reader that succeeded; it can happen at any level, and fail.
    pub const fn try_lock_shared(lock: u64) -> Access {
        Access::new(Location::Sync(lock), Mode::TakeShared { guard: Guard::Open, amount: 1 })
    }

    /// A try to lock a read-write lock as a writer that succeeded; it can happen at any level, and fail.
    pub const fn try_lock_exclusive(lock: u64) -> Access {
        Access::new(Location::Sync(lock), Mode::Take { guard: Guard::Open, amount: ROOM })
    }

    /// Unlocking a read-write lock as a reader.
    pub const fn unlock_shared(lock: u64) -> Access {
        Access::new(Location::Sync(lock), Mode::GiveShared { amount: 1 })
    }

    /// Locking a read-write lock as a writer; `level` as for [`lock_shared`](Self::lock_shared).
    pub const fn lock_exclusive(lock: u64, level: u32) -> Access {
        let guard = Guard::Level { level, needs: ROOM };
        Access::new(Location::Sync(lock), Mode::Take { guard, amount: ROOM })
    }

    /// Unlocking a read-write lock as a writer.
    pub const fn unlock_exclusive(lock: u64) -> Access {
        Access::new(Location::Sync(lock), Mode::Give { amount: ROOM })
    }

    /// Waiting until a counter, now at `level`, stands at `needs`: a join, a barrier, a wake-up.
    pub const fn await_level(object: u64, level: u32, needs: u32) -> Access {
        Access::new(Location::Sync(object), Mode::Await { guard: Guard::Level { level, needs } })
    }

    /// Entering or changing the queue of a condition variable.
    pub const fn queue(condition: u64) -> Access {
        Access::new(Location::Sync(condition), Mode::ReadWrite)
    }

    /// A read by a thread that is blocked until the value changes.
    pub const fn spin(location: Location) -> Access {
        Access::new(location, Mode::Spin)
    }
}

impl Event {
    /// A compare-and-swap; one that failed is a read, and would write if it came at another time.
    pub fn compare_and_swap(thread: ThreadId, location: Location, succeeded: bool) -> Event {
        match succeeded {
            true => Event::new(thread, [Access::read_write(location)]),
            false => Event::new(thread, [Access::read(location)]).moved_also([Access::read_write(location)]),
        }
    }

    /// A try to lock a mutex.
    pub fn try_lock(thread: ThreadId, mutex: u64, succeeded: bool) -> Event {
        match succeeded {
            true => Event::new(thread, [Access::try_lock(mutex)]),
            false => Event::new(thread, [Access::look(mutex)]).moved_also([Access::try_lock(mutex)]),
        }
    }
}
