//! What is known about functions that the engine itself gives meaning to, and about all others without a body.
//!
//! The table mirrors the models of the executor. A function that is not in it is [`Model::Unknown`]: a call of it
//! ends a path as unsupported, so its effects need no description, but reaching it counts as a possible failure.
//! Guarantee: for a function that *is* here, [`Model`] names everything it reads, writes and calls.
//! `testkit` checks that what the executor models is not unknown here.

use selvedge_program::Function;

use crate::signature;

/// The meaning of a function to the analyses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Model {
    /// The program's own code.
    Body,
    /// No effect, and the result is a number that depends on the arguments only.
    Pure,
    /// As `Pure`, but it may fail.
    PureFallible,
    /// As `PureFallible`, and it depends on what the arguments point to as well, directly or not.
    LookUp,
    /// As `PureFallible`, and another number is written to `*1`.
    PureTo,
    /// A new input; the arguments, if any, name it or bound it.
    Input,
    /// Fills `*0` with inputs, `1` bytes.
    MakeSymbolic,
    /// The path goes on only if `0` holds.
    Assume,
    /// Fails unless `0` holds.
    Assert,
    /// The call is the failure of an assertion.
    Fail,
    /// The call is the error.
    Error,
    /// The call is a finding that no switch turns into a normal end.
    Finding,
    /// The process ends.
    Exit,
    /// `malloc` and relatives: a new object of so many bytes (the product of these arguments).
    Alloc { size: [Option<u8>; 2] },
    /// `realloc` of `0`.
    Realloc,
    /// `posix_memalign`: a new object is written to `*0`.
    AllocTo,
    /// Releases `0`.
    Free,
    /// Copies `len` bytes; the result is the target, or its end.
    Copy { to: u8, from: u8, len: u8, is_end: bool },
    /// Fills `1` or `2` bytes at `0`.
    Set { len: u8 },
    /// Formatted output; the format is this argument and the others follow it.
    Print { format: u8 },
    /// As `Print`, with a list of arguments.
    PrintList,
    /// Output of a number.
    PutNumber,
    /// Output of the string at this argument.
    PutString { text: u8 },
    /// Output of the bytes at `0` or `1`.
    PutBytes { from: u8 },
    /// Writes text to `*0`, reads the text at `2`.
    FormatNumber,
    /// Reads text at `0`; writes a pointer into it to `*1` and a number to `*2`.
    ParseNumber,
    /// `setjmp`: a number is written to `*0`.
    SetJump,
    /// Control goes to where no edge leads: `longjmp`, cancellation, cleanup handlers.
    Jump,
    /// Starts `2` with `3` in a thread; its number is written to `*0`.
    Create,
    /// Waits for a thread; its result is written to `*1`.
    Join,
    /// The thread ends with result `0`.
    ThreadExit,
    /// The thread will end with result `0` once it has left its functions.
    ThreadLeaves,
    /// A step that other threads can notice or wait for, on the object at `0` (and more).
    Sync,
    /// As `Sync`, and a number is written to `*1`.
    SyncRead,
    /// Writes a key to `*0`; threads call `1` when they end.
    KeyCreate,
    /// Sets the thread's value of key `0` to `1`.
    SetSpecific,
    /// The thread's value of key `0`.
    GetSpecific,
    /// Calls `1` if nobody has.
    Once,
    /// An atomic section begins or ends.
    Section,
    /// The list of the environment, which lies with the arguments of the program.
    Environment,
    /// Not known.
    Unknown,
}

/// The model of a function.
pub(crate) fn model(function: &Function) -> Model {
    let name = function.name.as_str();
    if matches!(name, "reach_error" | "__VERIFIER_error") {
        return Model::Error;
    }
    if function.is_defined() { Model::Body } else { by_name(name) }
}

/// Whether a function without a body has a meaning here.
pub fn is_known(name: &str) -> bool {
    by_name(name) != Model::Unknown || matches!(name, "reach_error" | "__VERIFIER_error")
}

fn by_name(name: &str) -> Model {
    if is_input(name) {
        return Model::Input;
    }
    if is_math(name) {
        return Model::PureFallible;
    }
    life_and_memory(name).or_else(|| threads(name)).unwrap_or(Model::Unknown)
}

fn is_input(name: &str) -> bool {
    if signature::is_nondet(name) {
        return true;
    }
    let scalars = [
        "int",
        "uint",
        "char",
        "schar",
        "i8",
        "u8",
        "i16",
        "u16",
        "i32",
        "u32",
        "i64",
        "u64",
        "uchar",
        "short",
        "ushort",
        "long",
        "ulong",
        "longlong",
        "ulonglong",
        "size",
        "bool",
        "float",
        "double",
    ];
    name.strip_prefix("selvedge_").is_some_and(|what| scalars.contains(&what))
        || matches!(
            name,
            "klee_int"
                | "klee_range"
                | "selvedge_range"
                | "klee_choose"
                | "__selvedge_stdin"
                | "__selvedge_time"
                | "__selvedge_may_fail"
                | "__selvedge_console_fails"
        )
}

fn is_math(name: &str) -> bool {
    let double = name.strip_suffix('f').unwrap_or(name);
    let known = |n: &str| {
        matches!(
            n,
            "sin"
                | "cos"
                | "tan"
                | "asin"
                | "acos"
                | "atan"
                | "sinh"
                | "cosh"
                | "tanh"
                | "exp"
                | "exp2"
                | "expm1"
                | "log"
                | "log2"
                | "log10"
                | "log1p"
                | "cbrt"
                | "sqrt"
                | "fabs"
                | "floor"
                | "ceil"
                | "trunc"
                | "round"
                | "rint"
                | "nearbyint"
                | "roundeven"
                | "pow"
                | "atan2"
                | "hypot"
                | "copysign"
                | "fmod"
                | "fmin"
                | "fmax"
                | "fdim"
                | "fma"
                | "ldexp"
                | "scalbn"
                | "scalbln"
                | "lrint"
                | "llrint"
                | "lround"
                | "llround"
                | "asinh"
                | "acosh"
                | "atanh"
                | "erf"
                | "erfc"
                | "tgamma"
                | "logb"
                | "exp10"
                | "remainder"
                | "drem"
                | "nextafter"
                | "fminl"
                | "fmaxl"
                | "__powisf2"
                | "__powidf2"
                | "__powixf2"
        )
    };
    known(double) || known(name)
}

fn life_and_memory(name: &str) -> Option<Model> {
    Some(match name {
        "malloc" | "valloc" | "_Znwm" | "_Znam" | "_Znwj" | "_Znaj" => Model::Alloc { size: [Some(0), None] },
        "__selvedge_map" | "__selvedge_keep" => Model::Alloc { size: [Some(0), None] },
        "__selvedge_environment" => Model::Environment,
        "__selvedge_variable" => Model::MakeSymbolic,
        "__selvedge_variable_length" => Model::Pure,
        "__selvedge_unmap" => Model::Free,
        "calloc" => Model::Alloc { size: [Some(0), Some(1)] },
        "aligned_alloc" | "memalign" => Model::Alloc { size: [Some(1), None] },
        "realloc" | "reallocarray" => Model::Realloc,
        "posix_memalign" => Model::AllocTo,
        "free" | "cfree" | "_ZdlPv" | "_ZdlPvm" | "_ZdaPv" | "_ZdaPvm" | "_ZdlPvj" | "_ZdaPvj" => Model::Free,
        "memcpy" | "__memcpy_chk" | "memmove" | "__memmove_chk" => {
            Model::Copy { to: 0, from: 1, len: 2, is_end: false }
        }
        "mempcpy" => Model::Copy { to: 0, from: 1, len: 2, is_end: true },
        "bcopy" => Model::Copy { to: 1, from: 0, len: 2, is_end: false },
        "memset" | "__memset_chk" => Model::Set { len: 2 },
        "bzero" | "explicit_bzero" => Model::Set { len: 1 },
        "klee_make_symbolic" | "selvedge_symbolic" | "__selvedge_file_input" | "__selvedge_world_bytes" => {
            Model::MakeSymbolic
        }
        "klee_assume"
        | "__VERIFIER_assume"
        | "__CPROVER_assume"
        | "__ESBMC_assume"
        | "selvedge_assume"
        | "__selvedge_assume_time" => Model::Assume,
        "klee_is_symbolic"
        | "__selvedge_is_symbolic"
        | "klee_is_replay"
        | "__selvedge_assumed"
        | "__selvedge_failed"
        | "__selvedge_world"
        | "__selvedge_stdin_bound"
        | "__selvedge_result_is_used"
        | "__selvedge_errno_is_used"
        | "__selvedge_waits_for_outside"
        | "fflush"
        | "fflush_unlocked" => Model::Pure,
        "klee_prefer_cex"
        | "klee_posix_prefer_cex"
        | "klee_warning"
        | "klee_warning_once"
        | "klee_print_expr"
        | "klee_open_merge"
        | "klee_close_merge"
        | "klee_mark_global"
        | "klee_set_forking"
        | "klee_stack_trace"
        | "klee_print_range"
        | "__VERIFIER_loop_bound"
        | "__CPROVER_input"
        | "__CPROVER_output"
        | "__CPROVER_cover"
        | "__ESBMC_cover" => Model::Pure,
        // They look at an object's size and life, which frees of other threads end: no better than `Sync`.
        "frexp" | "frexpf" | "modf" | "modff" => Model::PureTo,
        "malloc_usable_size"
        | "klee_get_obj_size"
        | "klee_check_memory_access"
        | "__CPROVER_r_ok"
        | "__CPROVER_w_ok"
        | "__CPROVER_rw_ok"
        | "__ESBMC_r_ok"
        | "__ESBMC_w_ok"
        | "__ESBMC_rw_ok"
        | "__CPROVER_OBJECT_SIZE"
        | "__ESBMC_get_object_size"
        | "__CPROVER_POINTER_OFFSET"
        | "__ESBMC_POINTER_OFFSET"
        | "__CPROVER_POINTER_OBJECT"
        | "__ESBMC_POINTER_OBJECT"
        | "__CPROVER_same_object"
        | "__ESBMC_same_object"
        | "__CPROVER_DYNAMIC_OBJECT" => Model::Sync,
        // Arithmetic depends on the mode: what decides it always matters.
        "__selvedge_rounding" | "__selvedge_set_rounding" => Model::Sync,
        "flockfile" | "ftrylockfile" | "funlockfile" => Model::Sync,
        "__selvedge_find_handler" | "__selvedge_catches" => Model::LookUp,
        "klee_get_valuef" | "klee_get_valued" | "klee_get_valuel" | "klee_get_valuell"
        | "klee_get_value_i32" | "klee_get_value_i64" => Model::PureFallible,
        "klee_assert"
        | "__VERIFIER_assert"
        | "__CPROVER_assert"
        | "__ESBMC_assert"
        | "__CPROVER_precondition"
        | "__CPROVER_postcondition"
        | "selvedge_assert" => Model::Assert,
        "__assert_fail"
        | "__assert"
        | "__assert_rtn"
        | "__assert_perror_fail"
        | "klee_report_error"
        | "klee_abort"
        | "__selvedge_terminate"
        | "abort" => Model::Fail,
        "__selvedge_shift_amount"
        | "__ubsan_handle_shift_out_of_bounds_minimal_abort"
        | "__ubsan_handle_float_cast_overflow_minimal_abort"
        | "__ubsan_handle_invalid_builtin_minimal_abort"
        | "__ubsan_handle_out_of_bounds_minimal_abort"
        | "__ubsan_handle_vla_bound_not_positive_minimal_abort"
        | "__ubsan_handle_type_mismatch_minimal_abort"
        | "__ubsan_handle_alignment_assumption_minimal_abort"
        | "__ubsan_handle_add_overflow_minimal_abort"
        | "__ubsan_handle_sub_overflow_minimal_abort"
        | "__ubsan_handle_mul_overflow_minimal_abort"
        | "__ubsan_handle_negate_overflow_minimal_abort"
        | "__stack_chk_fail"
        | "__cxa_pure_virtual"
        | "__selvedge_unsupported" => Model::Finding,
        "__selvedge_exit" | "_exit" | "_Exit" | "exit" | "klee_silent_exit" => Model::Exit,
        "printf" => Model::Print { format: 0 },
        "__printf_chk" | "fprintf" => Model::Print { format: 1 },
        "__fprintf_chk" => Model::Print { format: 2 },
        "vprintf" | "vfprintf" | "__selvedge_print_list" => Model::PrintList,
        "puts" | "fputs" | "fputs_unlocked" => Model::PutString { text: 0 },
        "putchar" | "putchar_unlocked" | "fputc" | "putc" | "_IO_putc" | "putc_unlocked" => Model::PutNumber,
        "fwrite" | "fwrite_unlocked" => Model::PutBytes { from: 0 },
        "__selvedge_print" => Model::PutBytes { from: 1 },
        "__selvedge_shown" => Model::PutBytes { from: 0 },
        "__selvedge_format_double" => Model::FormatNumber,
        "__selvedge_strtod" | "__selvedge_strtof" | "__selvedge_strtold" => Model::ParseNumber,
        "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" => Model::SetJump,
        "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" => Model::Jump,
        _ => return None,
    })
}

fn threads(name: &str) -> Option<Model> {
    Some(match name {
        "pthread_create" => Model::Create,
        "pthread_join" | "pthread_tryjoin_np" => Model::Join,
        "pthread_exit" | "__selvedge_end_thread" => Model::ThreadExit,
        "__selvedge_leaves" => Model::ThreadLeaves,
        "__selvedge_must_unwind" => Model::PureFallible,
        "pthread_self" | "pthread_equal" => Model::Pure,
        "pthread_setschedparam"
        | "pthread_setschedprio"
        | "pthread_setaffinity_np"
        | "pthread_attr_setaffinity_np"
        | "pthread_sigmask"
        | "sched_yield"
        | "pthread_yield"
        | "sched_setaffinity"
        | "__selvedge_clock_is_read"
        | "__selvedge_clock_is_fixed"
        | "__selvedge_clock_counts"
        | "__selvedge_may_interrupt"
        | "__selvedge_interrupts"
        | "__selvedge_signals_given"
        | "__selvedge_point"
        | "__selvedge_atomic_enter"
        | "__selvedge_atomic_leave" => Model::Pure,
        "pthread_detach"
        | "pthread_mutex_init"
        | "pthread_spin_init"
        | "pthread_mutex_destroy"
        | "pthread_spin_destroy"
        | "pthread_mutex_lock"
        | "pthread_spin_lock"
        | "pthread_mutex_trylock"
        | "pthread_spin_trylock"
        | "__selvedge_mutex_timedlock"
        | "pthread_mutex_unlock"
        | "pthread_spin_unlock"
        | "pthread_mutex_consistent"
        | "pthread_cond_init"
        | "pthread_cond_destroy"
        | "pthread_cond_wait"
        | "__selvedge_cond_timedwait"
        | "pthread_cond_signal"
        | "pthread_cond_broadcast"
        | "pthread_rwlock_init"
        | "pthread_rwlock_destroy"
        | "pthread_rwlock_rdlock"
        | "pthread_rwlock_wrlock"
        | "pthread_rwlock_tryrdlock"
        | "pthread_rwlock_trywrlock"
        | "__selvedge_rwlock_timedrdlock"
        | "__selvedge_rwlock_timedwrlock"
        | "pthread_rwlock_unlock"
        | "__selvedge_sem_init"
        | "sem_destroy"
        | "sem_wait"
        | "__selvedge_sem_trywait"
        | "__selvedge_sem_timedwait"
        | "__selvedge_poll_wait"
        | "__selvedge_masked_wait"
        | "__selvedge_poll_timedwait"
        | "__selvedge_sem_post"
        | "pthread_barrier_init"
        | "pthread_barrier_destroy"
        | "pthread_barrier_wait"
        | "__selvedge_futex"
        | "pthread_key_delete" => Model::Sync,
        "__selvedge_cond_clock" => Model::LookUp,
        "sem_getvalue" => Model::SyncRead,
        "pthread_key_create" => Model::KeyCreate,
        "pthread_setspecific" => Model::SetSpecific,
        "pthread_getspecific" => Model::GetSpecific,
        "pthread_once" => Model::Once,
        "__VERIFIER_atomic_begin"
        | "selvedge_atomic_begin"
        | "__CPROVER_atomic_begin"
        | "__VERIFIER_atomic_end"
        | "selvedge_atomic_end"
        | "__CPROVER_atomic_end"
        | "__ESBMC_atomic_begin"
        | "__ESBMC_atomic_end" => Model::Section,
        "pthread_cancel"
        | "pthread_testcancel"
        | "pthread_setcancelstate"
        | "pthread_setcanceltype"
        | "__pthread_register_cancel"
        | "__pthread_unregister_cancel"
        | "__pthread_unwind_next" => Model::Jump,
        _ => return None,
    })
}
