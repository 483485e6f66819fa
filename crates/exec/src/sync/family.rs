//! The families of synchronisation objects, and what is known of each.
//!
//! Guarantee: a family whose [`Facts`] nobody has decided does not compile.

use selvedge_base::listed_enum;
use selvedge_por::ROOM;

listed_enum! {
    /// A family of synchronisation objects; part of the key, so that families never meet at one address.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[repr(u8)]
    pub enum Family {
        /// Mutexes and spinlocks: 1 when free.
        Mutex = 1,
        /// Read-write locks: [`ROOM`] when free.
        RwLock,
        /// Condition variables: no level, a queue.
        Condition,
        /// The wake-up of a thread that sleeps on a condition or a futex, by thread: 1 once woken.
        WakeUp,
        /// Semaphores: their value.
        Semaphore,
        /// Barriers: threads that have come in this round.
        Barrier,
        /// One round of a barrier, open when it is full.
        Round,
        /// `pthread_once`: 1 while nobody runs the function.
        Once,
        /// The end of a thread, by thread: 1 once it has ended.
        Ending,
        /// A request to cancel a thread, by thread.
        Cancel,
        /// The standard input.
        Stdin,
        /// The numbers of keys.
        Key,
        /// The waiters at a futex: a queue.
        Futex,
        /// Whether a thread was joined or detached, by thread.
        Joined,
        /// Signals of a thread, by its number plus one, or of the process.
        Signal,
        /// Calls that have failed, if they are counted.
        Failures,
    }
}

/// What is known of the objects of a family.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The level of an object that was not used.
    pub initial: u32,
    /// Where it is.
    pub lies: Lies,
    /// How many bytes of the program's it has, with addresses of 64 and of 32 bits.
    pub bytes: Option<(u64, u64)>,
    /// Whom a thread that waits at it needs.
    pub needs: Needs,
    /// What a person calls it, if it is a lock that threads hold.
    pub lock: Option<&'static str>,
    /// Whether a person is told of operations on it, which are no part of another one's.
    pub is_told: bool,
    /// What becomes of it when the thread ends that owns it.
    pub at_end: AtEnd,
    /// Whether changes of it come one after another for the watch for races, too: the later thread knows what the
    /// earlier one did.
    pub changes_order: bool,
    /// Whether seeing its level orders a thread after the one that made it.
    pub looks_order: bool,
}

/// Where an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lies {
    /// At the address in its key.
    InMemory,
    /// At the lower bits of that address; above them is a number.
    InRounds,
    /// Nowhere: what its key has is no address.
    Nowhere,
}

/// Whom a thread that waits at an object needs to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// Its owner.
    Holders,
    /// Its owner, and the readers in its queue.
    HoldersAndReaders,
    /// The thread whose number its key has.
    Thread,
    /// Any thread could end the wait.
    Anybody,
}

/// What becomes of an object when the thread ends that owns it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtEnd {
    /// It stays with the thread.
    Kept,
    /// It is given back if its kind says so.
    GivenIfRobust,
    /// It is given back.
    Given,
}

impl Family {
    /// What is known of it.
    pub const fn facts(self) -> Facts {
        match self {
            Family::Mutex => Facts {
                initial: 1,
                lies: Lies::InMemory,
                bytes: Some((40, 24)),
                needs: Needs::Holders,
                lock: Some("mutex"),
                is_told: true,
                at_end: AtEnd::GivenIfRobust,
                changes_order: true,
                looks_order: false,
            },
            Family::RwLock => Facts {
                initial: ROOM,
                lies: Lies::InMemory,
                bytes: Some((56, 32)),
                needs: Needs::HoldersAndReaders,
                lock: Some("read-write lock"),
                is_told: true,
                at_end: AtEnd::Kept,
                changes_order: true,
                looks_order: false,
            },
            // Only the thread that is woken is ordered after a signal.
            Family::Condition => Facts {
                initial: 0,
                lies: Lies::InMemory,
                bytes: Some((48, 48)),
                needs: Needs::Anybody,
                lock: None,
                is_told: true,
                at_end: AtEnd::Kept,
                changes_order: false,
                looks_order: false,
            },
            Family::WakeUp
            | Family::Cancel
            | Family::Stdin
            | Family::Key
            | Family::Signal
            | Family::Failures => Facts {
                initial: 0,
                lies: Lies::Nowhere,
                bytes: None,
                needs: Needs::Anybody,
                lock: None,
                is_told: true,
                at_end: AtEnd::Kept,
                changes_order: true,
                looks_order: false,
            },
            Family::Semaphore => Facts {
                initial: 0,
                lies: Lies::InMemory,
                bytes: Some((32, 16)),
                needs: Needs::Anybody,
                lock: None,
                is_told: true,
                at_end: AtEnd::Kept,
                changes_order: true,
                looks_order: false,
            },
            Family::Barrier => Facts {
                initial: 0,
                lies: Lies::InMemory,
                bytes: Some((32, 20)),
                needs: Needs::Anybody,
                lock: None,
                is_told: true,
                at_end: AtEnd::Kept,
                changes_order: true,
                looks_order: false,
            },
            Family::Round => Facts {
                initial: 0,
                lies: Lies::InRounds,
                bytes: None,
                needs: Needs::Anybody,
                lock: None,
                is_told: true,
                at_end: AtEnd::Kept,
                changes_order: true,
                looks_order: false,
            },
            Family::Once => Facts {
                initial: 1,
                lies: Lies::InMemory,
                bytes: Some((4, 4)),
                needs: Needs::Holders,
                lock: None,
                is_told: true,
                at_end: AtEnd::Given,
                changes_order: true,
                looks_order: true,
            },
            Family::Ending => Facts {
                initial: 0,
                lies: Lies::Nowhere,
                bytes: None,
                needs: Needs::Thread,
                lock: None,
                is_told: true,
                at_end: AtEnd::Kept,
                changes_order: true,
                looks_order: true,
            },
            Family::Futex => Facts {
                initial: 0,
                lies: Lies::InMemory,
                bytes: None,
                needs: Needs::Anybody,
                lock: None,
                is_told: true,
                at_end: AtEnd::Kept,
                changes_order: false,
                looks_order: false,
            },
            // That a thread is joined only once is part of joining it.
            Family::Joined => Facts {
                initial: 0,
                lies: Lies::Nowhere,
                bytes: None,
                needs: Needs::Anybody,
                lock: None,
                is_told: false,
                at_end: AtEnd::Kept,
                changes_order: false,
                looks_order: false,
            },
        }
    }
}
