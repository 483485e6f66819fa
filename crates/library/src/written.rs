//! Functions of the C run-time that are more to the engine than their bodies: it calls them, looks whether the program
//! has them, knows what they do with their arguments, or replaces them in `replay --native`.
//!
//! None of these has a meaning without its body.

use crate::action::Action::{Body, ThreadExit};
use crate::row::Native::{Everywhere, IfCallFails, NamesFiles, Program};
use crate::row::{Row, Use, family};

/// A function that is C code.
const fn row(names: &'static str) -> Row {
    Row::new(names, ".:?", Body)
}

/// One about time: of these arguments, which are addresses, it makes this use, and leaves nothing else behind that its
/// caller could see.
const fn timed(names: &'static str, uses: &'static [(u8, Use)]) -> Row {
    row(names).about_time(uses).native(&[Everywhere])
}

family! {
    /// A function of the C run-time.
    Written {
        // What the engine calls.
        /// Copies so many bytes one by one.
        MemcpyLoop = row("__selvedge_memcpy_loop");
        /// Copies so many bytes that may overlap one by one.
        MemmoveLoop = row("__selvedge_memmove_loop");
        /// Fills so many bytes one by one.
        MemsetLoop = row("__selvedge_memset_loop");
        /// Sends the signals from outside.
        SignalOutside = row("__selvedge_signal_outside");
        /// Calls the handler of a signal.
        SignalHandle = row("__selvedge_signal_handle");
        /// Ends a call that a signal interrupts.
        SignalInterrupted = row("__selvedge_signal_interrupted");
        /// Whether the call before has thrown.
        Landing = row("__selvedge_landing");
        /// Begins a handler or a cleanup.
        Land = row("__selvedge_land");
        /// Goes on with an exception after a cleanup.
        Resume = row("__selvedge_resume");
        /// Makes a thread leave its functions one by one.
        Leave = row("__selvedge_leave");

        // What the engine looks for.
        /// Registers what the end of the process calls.
        AtExit = row("atexit on_exit __cxa_atexit __selvedge_at_thread_end");
        /// Registers what `quick_exit` calls.
        AtQuickExit = row("at_quick_exit");
        /// Asks a stream for its error.
        Ferror = row("ferror ferror_unlocked");
        /// Reads a clock; every function that does calls it.
        ClockNow = row("__selvedge_clock_now");
        /// Reads a clock of C++, which counts nanoseconds.
        ChronoNow = row("_ZNSt6chrono3_V212system_clock3nowEv _ZNSt6chrono3_V212steady_clock3nowEv")
            .native(&[Everywhere]);
        /// Makes the variable `environ`.
        Environ = row("__selvedge_environ");
        /// Makes an object of `new`; further forms are known by the begin of their names.
        New = row("_ZnwmRKSt9nothrow_t _ZnwjRKSt9nothrow_t");
        /// Makes an array of `new[]`.
        NewArray = row("_ZnamRKSt9nothrow_t _ZnajRKSt9nothrow_t");
        /// Releases an object of `new`.
        Delete = row("_ZdlPvRKSt9nothrow_t");
        /// Releases an array of `new[]`.
        DeleteArray = row("_ZdaPvRKSt9nothrow_t");
        /// The program's own function that is atomic as a whole, by the convention of names of SV-COMP.
        Atomic = row("");
        /// Starts a thread.
        ThreadCreate = row("thrd_create").native(&[Everywhere]);
        /// Ends the thread.
        ThreadExit = Row::new("thrd_exit", ".:?", ThreadExit).native(&[Everywhere]);

        // Time.
        /// Reads a clock.
        ClockGettime = timed("clock_gettime", &[(1, Use::Fills(2))]);
        /// Reads the time of day.
        Gettimeofday = timed("gettimeofday", &[(0, Use::Fills(2)), (1, Use::Writes)]);
        /// Reads the time by a base.
        TimespecGet = timed("timespec_get", &[(0, Use::Fills(2))]);
        /// Reads the time in seconds.
        Time = timed("time", &[(0, Use::Fills(1))]);
        /// Reads the time that the process has used.
        Clock = timed("clock", &[]);
        /// Sleeps for whole seconds or microseconds.
        Sleep = timed("sleep usleep", &[]);
        /// Sleeps.
        Nanosleep = timed("nanosleep thrd_sleep", &[(0, Use::Reads), (1, Use::Writes)]);
        /// Sleeps by a clock.
        ClockNanosleep = timed("clock_nanosleep", &[(2, Use::Reads), (3, Use::Writes)]);
        /// Waits for a signal until some time.
        CondTimedwait = timed("pthread_cond_timedwait cnd_timedwait", &[(2, Use::Reads)]);
        /// Waits for a signal until some time of a clock.
        CondClockwait = timed("pthread_cond_clockwait", &[(3, Use::Reads)]);
        /// Takes a lock or a semaphore until some time.
        TimedTake = timed(
            "pthread_mutex_timedlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock sem_timedwait mtx_timedlock",
            &[(1, Use::Reads)],
        );
        /// Takes a lock or a semaphore until some time of a clock.
        ClockTake = timed(
            "pthread_mutex_clocklock pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock sem_clockwait",
            &[(2, Use::Reads)],
        );

        // What is replaced in `replay --native`.
        /// Clocks, random numbers, threads and semaphores: the same C code as in the engine.
        Shared = row(
            "clock_getres clock_settime settimeofday ftime times rand random rand_r srand srandom drand48 erand48 \
             lrand48 nrand48 mrand48 jrand48 srand48 seed48 lcong48 thrd_join thrd_detach thrd_current thrd_equal \
             thrd_yield mtx_init mtx_destroy mtx_lock mtx_trylock mtx_unlock cnd_init cnd_destroy cnd_signal \
             cnd_broadcast cnd_wait call_once tss_create tss_delete tss_get tss_set sem_init sem_post sem_trywait \
             sem_open sem_close sem_unlink syscall",
        )
        .native(&[Everywhere]);
        /// Threads and condition variables of C++: the same C code as in the engine.
        SharedCxx = row(
            "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE \
             _ZNSt6thread4joinEv _ZNSt6thread6detachEv _ZNSt6thread20hardware_concurrencyEv \
             _ZNSt18condition_variableC1Ev _ZNSt18condition_variableC2Ev _ZNSt18condition_variableD1Ev \
             _ZNSt18condition_variableD2Ev _ZNSt18condition_variable10notify_oneEv \
             _ZNSt18condition_variable10notify_allEv _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE \
             _ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj \
             _ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE \
             _ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE",
        )
        .native(&[Everywhere]);
        /// Asks about a file.
        AskOfFile = row(
            "access chdir chmod chown eaccess euidaccess faccessat fchmodat fstatat fstatat64 get_current_dir_name \
             lchown lstat lstat64 stat stat64 utime",
        )
        .native(&[NamesFiles]);
        /// Reads the working directory's name.
        Getcwd = row("getcwd").native(&[NamesFiles, IfCallFails]).may_fill(0, &[1]);
        /// Gives the path of a file without links.
        Realpath = row("realpath").native(&[NamesFiles, IfCallFails]);
        /// Gets memory for what it makes.
        Allocates = row("strdup strndup __strdup __strndup wcsdup asprintf vasprintf setenv fmemopen open_memstream mmap")
            .native(&[IfCallFails]);
        /// Reads a symbolic link.
        Readlink = row("readlink").native(&[NamesFiles]).may_fill(1, &[2]);
        /// Reads a symbolic link below a directory.
        Readlinkat = row("readlinkat").native(&[NamesFiles]).may_fill(2, &[3]);
        /// Reads the name of the host.
        Gethostname = row("gethostname").may_fill(0, &[1]);
        /// Opens, makes or removes a file.
        ChangeFile = row(
            "creat creat64 fopen fopen64 freopen freopen64 link linkat mkdir mkdirat mkdtemp mkostemp mkstemp mkstemp64 \
             mkstemps open open64 openat openat64 opendir remove rename renameat renameat2 rmdir symlink symlinkat \
             truncate truncate64 unlink unlinkat",
        )
        .native(&[NamesFiles, IfCallFails]);
        /// Opens a file for a stream of C++.
        OpenCxx = row("_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode").native(&[NamesFiles]);
        /// Asks about a descriptor, or waits for one or for a signal.
        AskOrWait = row(
            "fstat fstat64 isatty bind connect alarm epoll_wait epoll_pwait eventfd_read eventfd_write pause poll ppoll \
             pselect select setitimer sigsuspend sigtimedwait sigwaitinfo",
        )
        .native(&[Program]);
        /// Reads from a descriptor, or writes to it.
        Transfer = row("readv accept accept4 recvmsg send sendmsg sendto write writev").native(&[Program, IfCallFails]);
        /// Reads bytes from a descriptor.
        Receive = row("read recv recvfrom").native(&[Program, IfCallFails]).may_fill(1, &[2]);
        /// Reads bytes at a place of a file.
        ReadAt = row("pread pread64").native(&[IfCallFails]).may_fill(1, &[2]);
        /// Reads objects from a stream.
        Fread = row("fread").native(&[IfCallFails]).may_fill(0, &[1, 2]);
        /// Reads a line of at most so many bytes from a stream.
        Fgets = row("fgets").native(&[IfCallFails]).may_fill(0, &[1]);
        /// Reads a line of any length.
        Gets = row("gets").native(&[Program]);
        /// Reads bytes from a stream of C++.
        ReadCxx = row("_ZNSi3getEPcl _ZNSi7getlineEPcl _ZNSi4readEPcl _ZNSi4readEPci _ZNSi3getEPclc _ZNSi3getEPcic _ZNSi7getlineEPclc _ZNSi7getlineEPcic")
            .may_fill(1, &[2]);
        /// Uses a descriptor or a stream.
        UseStream = row(
            "__getdelim __isoc99_fscanf __isoc99_scanf close closedir dprintf dup epoll_create epoll_create1 eventfd \
             fclose fcntl fdatasync fgetc fgetc_unlocked fputc_unlocked fscanf fsync ftruncate ftruncate64 \
             getc getc_unlocked getchar getchar_unlocked getdelim getline pipe pipe2 pwrite pwrite64 \
             scanf socket socketpair tmpfile tmpfile64 vdprintf vfscanf vscanf",
        )
        .native(&[IfCallFails]);
    }
}

/// What a name means by its begin alone.
pub(crate) fn by_prefix(name: &str) -> Option<Written> {
    const PREFIXES: [(&str, Written); 5] = [
        ("__VERIFIER_atomic_", Written::Atomic),
        ("_Znw", Written::New),
        ("_Zna", Written::NewArray),
        ("_Zdl", Written::Delete),
        ("_Zda", Written::DeleteArray),
    ];
    PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, written)| *written)
}
