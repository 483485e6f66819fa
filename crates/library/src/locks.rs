//! Synchronisation objects: mutexes, condition variables, read-write locks, semaphores, barriers, futexes.

use crate::action::Action::{LookUp, Sync, SyncRead};
use crate::row::Native::{Everywhere, IfThreadsFail, Program};
use crate::row::{Row, family};

family! {
    /// Mutexes and spinlocks.
    Mutex {
        /// Makes a mutex.
        Init = Row::new("pthread_mutex_init", "pp:i", Sync).native(&[IfThreadsFail]);
        /// Ends a mutex.
        Destroy = Row::new("pthread_mutex_destroy", "p:i", Sync).native(&[Everywhere]);
        /// Takes a mutex.
        Lock = Row::new("pthread_mutex_lock", "p:i", Sync).waits().native(&[Everywhere]);
        /// Takes a mutex if it is free.
        TryLock = Row::new("pthread_mutex_trylock", "p:i", Sync);
        /// Takes a mutex if it is free, or its time is over.
        TimedLock = Row::hook("__selvedge_mutex_timedlock", Sync);
        /// Gives a mutex back.
        Unlock = Row::new("pthread_mutex_unlock", "p:i", Sync).native(&[Everywhere]);
        /// Makes a mutex usable whose owner has died.
        Consistent = Row::new("pthread_mutex_consistent", "p:i", Sync);
        /// Makes a spinlock.
        SpinInit = Row::new("pthread_spin_init", "pi:i", Sync);
        /// Ends a spinlock.
        SpinDestroy = Row::new("pthread_spin_destroy", "p:i", Sync);
        /// Takes a spinlock.
        SpinLock = Row::new("pthread_spin_lock", "p:i", Sync).waits();
        /// Takes a spinlock if it is free.
        SpinTryLock = Row::new("pthread_spin_trylock", "p:i", Sync);
        /// Gives a spinlock back.
        SpinUnlock = Row::new("pthread_spin_unlock", "p:i", Sync);
    }
}

family! {
    /// Condition variables.
    Cond {
        /// Makes a condition variable.
        Init = Row::new("pthread_cond_init", "pp:i", Sync).native(&[Everywhere]);
        /// Ends a condition variable.
        Destroy = Row::new("pthread_cond_destroy", "p:i", Sync).native(&[Everywhere]);
        /// Waits for a signal.
        Wait = Row::new("pthread_cond_wait", "pp:i", Sync).waits().native(&[Everywhere]);
        /// Waits for a signal, or its time is over.
        TimedWait = Row::hook("__selvedge_cond_timedwait", Sync).waits();
        /// The clock by which a condition variable counts.
        Clock = Row::hook("__selvedge_cond_clock", LookUp);
        /// Wakes a waiting thread.
        Signal = Row::new("pthread_cond_signal", "p:i", Sync).native(&[Everywhere]);
        /// Wakes all waiting threads.
        Broadcast = Row::new("pthread_cond_broadcast", "p:i", Sync).native(&[Everywhere]);
    }
}

family! {
    /// Read-write locks.
    RwLock {
        /// Makes a read-write lock.
        Init = Row::new("pthread_rwlock_init", "pp:i", Sync).native(&[IfThreadsFail]);
        /// Ends a read-write lock.
        Destroy = Row::new("pthread_rwlock_destroy", "p:i", Sync);
        /// Takes a lock for reading.
        Read = Row::new("pthread_rwlock_rdlock", "p:i", Sync).waits();
        /// Takes a lock for writing.
        Write = Row::new("pthread_rwlock_wrlock", "p:i", Sync).waits();
        /// Takes a lock for reading if nobody writes.
        TryRead = Row::new("pthread_rwlock_tryrdlock", "p:i", Sync);
        /// Takes a lock for writing if it is free.
        TryWrite = Row::new("pthread_rwlock_trywrlock", "p:i", Sync);
        /// Takes a lock for reading if nobody writes, or its time is over.
        TimedRead = Row::hook("__selvedge_rwlock_timedrdlock", Sync);
        /// Takes a lock for writing if it is free, or its time is over.
        TimedWrite = Row::hook("__selvedge_rwlock_timedwrlock", Sync);
        /// Gives a lock back.
        Unlock = Row::new("pthread_rwlock_unlock", "p:i", Sync).native(&[Everywhere]);
    }
}

family! {
    /// Semaphores.
    Semaphore {
        /// Makes a semaphore.
        Init = Row::hook("__selvedge_sem_init", Sync);
        /// Ends a semaphore.
        Destroy = Row::new("sem_destroy", "p:i", Sync);
        /// Takes one, as soon as there is one.
        Wait = Row::new("sem_wait", "p:i", Sync).waits().native(&[Program]);
        /// `sem_wait` that gives an error number, and that any handler ends.
        PollWait = Row::new("__selvedge_poll_wait", "p:i", Sync).waits();
        /// A wait with a signal mask of its own.
        MaskedWait = Row::new("__selvedge_masked_wait", "pi:i", Sync).waits();
        /// Takes one if there is one.
        TryWait = Row::new("__selvedge_sem_trywait", "p:i", Sync);
        /// Takes one if there is one, or its time is over.
        TimedWait = Row::new("__selvedge_sem_timedwait __selvedge_poll_timedwait", "p:i", Sync);
        /// Gives one.
        Post = Row::hook("__selvedge_sem_post", Sync);
        /// How many there are.
        Value = Row::new("sem_getvalue", "pp:i", SyncRead);
    }
}

family! {
    /// Barriers.
    Barrier {
        /// Makes a barrier.
        Init = Row::new("pthread_barrier_init", "ppi:i", Sync).native(&[Everywhere]);
        /// Ends a barrier.
        Destroy = Row::new("pthread_barrier_destroy", "p:i", Sync).waits().native(&[Everywhere]);
        /// Waits until all have come.
        Wait = Row::new("pthread_barrier_wait", "p:i", Sync).waits().native(&[Everywhere]);
    }
}

family! {
    /// Futexes.
    Futex {
        /// Waits at a word, or wakes those who do.
        Call = Row::new("__selvedge_futex", "pipp:p", Sync).waits();
    }
}
