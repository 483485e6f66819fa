//! Threads: their lives, cancellation, values of their own, atomic sections.

use crate::action::Action::{
    Create, GetSpecific, Join, Jump, KeyCreate, Once as CallsOnce, Pure, SectionBegins, SectionEnds,
    SetSpecific, Sync, ThreadExit,
};
use crate::row::Native::Everywhere;
use crate::row::{Row, family};

family! {
    /// The lives of threads.
    Life {
        /// Starts a thread.
        Create = Row::new("pthread_create", "pppp:i", Create).native(&[Everywhere]);
        /// Waits for the end of a thread.
        Join = Row::new("pthread_join", "pp:i", Join).waits().native(&[Everywhere]);
        /// Takes the result of a thread that has ended.
        TryJoin = Row::new("pthread_tryjoin_np", "pp:i", Join);
        /// Lets a thread end by itself.
        Detach = Row::new("pthread_detach", "p:i", Sync).native(&[Everywhere]);
        /// Ends the thread.
        Exit = Row::new("pthread_exit __selvedge_end_thread", "p:v", ThreadExit);
        /// The number of the thread.
        Own = Row::new("pthread_self", ":p", Pure);
        /// Whether two numbers are those of the same thread.
        Equal = Row::new("pthread_equal", "pp:i", Pure);
        // Scheduling and stacks do not change what can happen under any schedule.
        /// Sets how a thread is scheduled; changes nothing.
        SchedParam = Row::new("pthread_setschedparam", "pip:i", Pure);
        /// Sets the priority of a thread; changes nothing.
        SchedPrio = Row::new("pthread_setschedprio", "pi:i", Pure);
        /// Sets where a thread runs; changes nothing.
        Affinity = Row::new("pthread_setaffinity_np pthread_attr_setaffinity_np", "ppp:i", Pure);
        /// Lets others run; changes nothing.
        Yield = Row::new("sched_yield pthread_yield", ":i", Pure);
        /// Sets where the process runs; changes nothing.
        ProcessAffinity = Row::new("sched_setaffinity", "ipp:i", Pure);
    }
}

family! {
    /// Cancellation and cleanup handlers.
    Cancel {
        /// Asks a thread to end.
        Request = Row::new("pthread_cancel", "p:i", Jump);
        /// Ends the thread if it was asked to.
        Test = Row::new("pthread_testcancel", ":v", Jump);
        /// Allows cancellation or forbids it.
        SetState = Row::new("pthread_setcancelstate", "ip:i", Jump);
        /// Says when cancellation happens.
        SetType = Row::new("pthread_setcanceltype", "ip:i", Jump);
        /// Adds a cleanup handler.
        Register = Row::new("__pthread_register_cancel", "p:v", Jump);
        /// Removes a cleanup handler.
        Unregister = Row::new("__pthread_unregister_cancel", "p:v", Jump);
        /// Goes on with the end of the thread after a cleanup handler.
        UnwindNext = Row::new("__pthread_unwind_next", "p:v", Jump);
    }
}

family! {
    /// Values that each thread has for itself.
    Keys {
        /// Makes a key.
        Create = Row::new("pthread_key_create", "pp:i", KeyCreate);
        /// Deletes a key.
        Delete = Row::new("pthread_key_delete", "i:i", Sync);
        /// Sets the thread's value of a key.
        Set = Row::new("pthread_setspecific", "ip:i", SetSpecific);
        /// Gives the thread's value of a key.
        Get = Row::new("pthread_getspecific", "i:p", GetSpecific);
    }
}

family! {
    /// What happens once.
    Once {
        /// Calls a function unless that was done before.
        Call = Row::new("pthread_once", "pp:i", CallsOnce).waits();
    }
}

family! {
    /// Sections that are one step to other threads.
    Section {
        /// Begins an atomic section.
        Begin = Row::new("__VERIFIER_atomic_begin", ".:v", SectionBegins);
        /// Begins an atomic section, by the names of other tools.
        BeginElsewhere =
            Row::new("selvedge_atomic_begin __CPROVER_atomic_begin __ESBMC_atomic_begin", ".:v", SectionBegins);
        /// Ends an atomic section.
        End = Row::new("__VERIFIER_atomic_end", ".:v", SectionEnds);
        /// Ends an atomic section, by the names of other tools.
        EndElsewhere =
            Row::new("selvedge_atomic_end __CPROVER_atomic_end __ESBMC_atomic_end", ".:v", SectionEnds);
    }
}

family! {
    /// Marks that the front end puts there for `replay --native`.
    Point {
        /// Counts a point before something that others could notice.
        Pass = Row::new("__selvedge_point", "n.:v", Pure);
        /// A function begins that is atomic as a whole.
        Enter = Row::new("__selvedge_atomic_enter", ".:v", Pure);
        /// A function ends that is atomic as a whole.
        Leave = Row::new("__selvedge_atomic_leave", ".:v", Pure);
    }
}
