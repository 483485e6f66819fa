//! What each modelled function takes and gives, and the check of a call against it.
//!
//! Declarations are not to be trusted: `int puts();` allows any call, and a function pointer can have any type. The
//! executor runs a model only on arguments of the number and kinds that it reads, for a result of the kind that it sets;
//! the analyses count every other call as one that can fail.
//!
//! A signature is written as one letter for each parameter, a colon, and one for the result:
//! `i` 32 bits, `q` 64 bits, `h` 16, `b` 8, `t` one bit; `p` a pointer or an integer of its width; `n` an integer of any
//! width; `f`, `d` and `x` floating-point numbers (of 32, 64 and 80 bits); `v` no result, `?` a result that the model itself looks after; `.` ends the
//! parameters: whatever follows is not looked at, or by the model itself.

use selvedge_program::{Arg, FloatKind, Function, Ty};

/// Why a model is not run on a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// The call is undefined: too few arguments, or one of another kind.
    Misuse(String),
    /// What the function gets, or what becomes of its result, is not known.
    Unknown(String),
}

/// A call of a modelled function: what the executor and the analyses see of it.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// The function as it is declared.
    pub function: &'a Function,
    /// The arguments.
    pub args: &'a [Arg],
    /// The type of the result, if it is used.
    pub result: Option<Ty>,
    /// The width of a pointer.
    pub ptr_bits: u32,
}

/// The signature of a modelled function.
pub fn signature(name: &str) -> Option<&'static str> {
    if is_nondet(name) || matches!(name, "reach_error" | "__VERIFIER_error") {
        return Some(".:?");
    }
    let row = ROWS.iter().find(|(names, _)| names.split(' ').any(|known| known == name));
    // Hooks that only the run-time calls, and checks that only the compiler puts there.
    let is_hook = || name.starts_with("__selvedge_") || name.starts_with("__ubsan_handle_");
    row.map(|(_, text)| *text).or_else(|| is_hook().then_some(".:?"))
}

const ROWS: &[(&str, &str)] = &[
    // Memory.
    ("malloc valloc _Znwm _Znam _Znwj _Znaj __selvedge_map", "p:p"),
    ("calloc aligned_alloc memalign realloc", "pp:p"),
    ("reallocarray", "ppp:p"),
    ("posix_memalign", "ppp:i"),
    // Sized forms of `delete` have one more argument, which says nothing new.
    ("free cfree _ZdlPv _ZdlPvm _ZdaPv _ZdaPvm _ZdlPvj _ZdaPvj", "p.:v"),
    ("malloc_usable_size klee_get_obj_size", "p:p"),
    ("__selvedge_unmap klee_check_memory_access", "pp:v"),
    ("memcpy memmove mempcpy", "ppp:p"),
    ("__memcpy_chk __memmove_chk", "pppp:p"),
    ("memset", "pip:p"),
    ("__memset_chk", "pipp:p"),
    ("bcopy", "ppp:v"),
    ("bzero explicit_bzero", "pp:v"),
    // Questions about pointers.
    ("__CPROVER_r_ok __CPROVER_w_ok __CPROVER_rw_ok __ESBMC_r_ok __ESBMC_w_ok __ESBMC_rw_ok", "pp:t"),
    ("__CPROVER_OBJECT_SIZE __ESBMC_get_object_size __CPROVER_POINTER_OFFSET __ESBMC_POINTER_OFFSET", "p:p"),
    ("__CPROVER_POINTER_OBJECT __ESBMC_POINTER_OBJECT", "p:p"),
    ("__CPROVER_same_object __ESBMC_same_object", "pp:t"),
    ("__CPROVER_DYNAMIC_OBJECT", "p:t"),
    // The environment.
    ("__selvedge_environment __selvedge_variable_length", ":p"),
    ("__selvedge_variable", "ppp:v"),
    // Inputs.
    ("klee_make_symbolic selvedge_symbolic", "ppp:v"),
    ("klee_int selvedge_int selvedge_uint selvedge_i32 selvedge_u32", "p:i"),
    ("selvedge_char selvedge_schar selvedge_uchar selvedge_i8 selvedge_u8", "p:b"),
    ("selvedge_short selvedge_ushort selvedge_i16 selvedge_u16", "p:h"),
    ("selvedge_long selvedge_ulong selvedge_size klee_choose", "p:p"),
    ("selvedge_longlong selvedge_ulonglong selvedge_i64 selvedge_u64", "p:q"),
    ("selvedge_bool", "p:t"),
    ("selvedge_float", "p:f"),
    ("selvedge_double", "p:d"),
    ("klee_range selvedge_range", "iip:i"),
    ("klee_assume __VERIFIER_assume __CPROVER_assume __ESBMC_assume selvedge_assume", "n.:v"),
    ("klee_is_symbolic __selvedge_is_symbolic", "n:i"),
    (
        "klee_prefer_cex klee_posix_prefer_cex klee_warning klee_warning_once klee_print_expr klee_open_merge \
         klee_close_merge klee_mark_global klee_set_forking klee_stack_trace klee_print_range __VERIFIER_loop_bound \
         __CPROVER_input __CPROVER_output __CPROVER_cover __ESBMC_cover",
        ".:v",
    ),
    ("klee_is_replay", ":i"),
    ("klee_get_valuef", "f:f"),
    ("klee_get_valued", "d:d"),
    ("klee_get_valuel", "p:p"),
    ("klee_get_valuell klee_get_value_i64", "q:q"),
    ("klee_get_value_i32", "i:i"),
    ("__selvedge_stdin", ":i"),
    // Ends.
    ("__assert_fail __assert __assert_rtn", "p.:v"),
    ("__assert_perror_fail klee_abort abort __stack_chk_fail __cxa_pure_virtual", ".:v"),
    ("klee_assert __VERIFIER_assert __CPROVER_assert __ESBMC_assert selvedge_assert", "n.:v"),
    ("__CPROVER_precondition __CPROVER_postcondition", "n.:v"),
    ("__selvedge_assumed __selvedge_unsupported", "p:v"),
    ("__selvedge_failed", "i:v"),
    ("klee_report_error", "pipp:v"),
    (
        "__ubsan_handle_shift_out_of_bounds_minimal_abort __ubsan_handle_float_cast_overflow_minimal_abort \
         __ubsan_handle_invalid_builtin_minimal_abort",
        ".:v",
    ),
    ("__selvedge_exit _exit _Exit exit klee_silent_exit", "i:v"),
    // Output.
    ("printf", "p.:i"),
    ("__printf_chk", "ip.:i"),
    ("fprintf", "pp.:i"),
    ("__fprintf_chk", "pip.:i"),
    ("vprintf", "pp:i"),
    ("vfprintf", "ppp:i"),
    ("puts", "p:i"),
    ("fputs fputs_unlocked", "pp:i"),
    ("fflush fflush_unlocked", "p:i"),
    ("putchar putchar_unlocked", "i:i"),
    ("fputc putc _IO_putc putc_unlocked", "ip:i"),
    ("fwrite fwrite_unlocked", "pppp:p"),
    ("__selvedge_format_double", "pppd:i"),
    ("__selvedge_strtod", "ppp:d"),
    ("__selvedge_strtof", "ppp:f"),
    ("__selvedge_strtold", "ppp:x"),
    ("flockfile funlockfile", "p:v"),
    ("ftrylockfile", "p:i"),
    // Rounding.
    ("__selvedge_rounding", ":i"),
    ("__selvedge_set_rounding", "i:v"),
    // Jumps and exceptions.
    ("setjmp _setjmp __sigsetjmp sigsetjmp", "p.:i"),
    ("longjmp _longjmp siglongjmp __longjmp_chk", "pi:v"),
    ("__selvedge_find_handler", "pp:i"),
    ("__selvedge_catches", "ppp:p"),
    ("__selvedge_must_unwind", ":i"),
    ("__selvedge_leaves __selvedge_end_thread", "p:v"),
    ("__selvedge_terminate", "pi:v"),
    // Threads.
    ("pthread_create", "pppp:i"),
    ("pthread_join pthread_tryjoin_np", "pp:i"),
    ("pthread_detach pthread_cancel", "p:i"),
    ("pthread_exit", "p:v"),
    ("pthread_self", ":p"),
    ("pthread_equal", "pp:i"),
    ("pthread_setschedprio", "pi:i"),
    ("pthread_setschedparam", "pip:i"),
    ("pthread_setaffinity_np pthread_attr_setaffinity_np", "ppp:i"),
    ("pthread_sigmask", "ipp:i"),
    ("sched_yield pthread_yield", ":i"),
    ("sched_setaffinity", "ipp:i"),
    ("pthread_mutex_init", "pp:i"),
    ("pthread_spin_init", "pi:i"),
    (
        "pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock \
         pthread_mutex_consistent pthread_spin_destroy pthread_spin_lock pthread_spin_trylock \
         pthread_spin_unlock",
        "p:i",
    ),
    ("pthread_cond_init pthread_cond_wait", "pp:i"),
    ("pthread_cond_destroy pthread_cond_signal pthread_cond_broadcast", "p:i"),
    ("pthread_rwlock_init", "pp:i"),
    (
        "pthread_rwlock_destroy pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_tryrdlock \
         pthread_rwlock_trywrlock pthread_rwlock_unlock",
        "p:i",
    ),
    ("pthread_barrier_init", "ppi:i"),
    ("pthread_barrier_destroy pthread_barrier_wait", "p:i"),
    ("sem_destroy sem_wait __selvedge_sem_trywait __selvedge_sem_timedwait", "p:i"),
    ("__selvedge_poll_wait __selvedge_poll_timedwait", "p:i"),
    ("__selvedge_masked_wait", "pi:i"),
    ("sem_getvalue pthread_once", "pp:i"),
    ("pthread_key_create", "pp:i"),
    ("pthread_key_delete", "i:i"),
    ("pthread_setspecific", "ip:i"),
    ("pthread_getspecific", "i:p"),
    ("pthread_testcancel", ":v"),
    ("pthread_setcancelstate pthread_setcanceltype", "ip:i"),
    ("__pthread_register_cancel __pthread_unregister_cancel __pthread_unwind_next", "p:v"),
    ("__selvedge_futex", "pipp:p"),
    (
        "__VERIFIER_atomic_begin __VERIFIER_atomic_end selvedge_atomic_begin selvedge_atomic_end \
         __CPROVER_atomic_begin __CPROVER_atomic_end __ESBMC_atomic_begin __ESBMC_atomic_end",
        ".:v",
    ),
    ("__selvedge_point", "n.:v"),
    ("__selvedge_atomic_enter __selvedge_atomic_leave", ".:v"),
    // Mathematics.
    (
        "sin cos tan asin acos atan sinh cosh tanh exp exp2 expm1 log log2 log10 log1p cbrt sqrt fabs floor ceil trunc \
         round rint nearbyint roundeven",
        "d:d",
    ),
    (
        "sinf cosf tanf asinf acosf atanf sinhf coshf tanhf expf exp2f expm1f logf log2f log10f log1pf cbrtf sqrtf \
         fabsf floorf ceilf truncf roundf rintf nearbyintf roundevenf",
        "f:f",
    ),
    ("acosh asinh atanh erf erfc exp10 logb tgamma", "d:d"),
    ("acoshf asinhf atanhf erff erfcf exp10f logbf tgammaf", "f:f"),
    ("pow atan2 hypot copysign fmod fmin fmax fdim drem remainder nextafter", "dd:d"),
    ("powf atan2f hypotf copysignf fmodf fminf fmaxf fdimf dremf remainderf nextafterf", "ff:f"),
    ("fma", "ddd:d"),
    ("fmaf", "fff:f"),
    ("lround lrint", "d:p"),
    ("lroundf lrintf", "f:p"),
    ("llround llrint", "d:q"),
    ("llroundf llrintf", "f:q"),
    ("frexp modf scalbln", "dp:d"),
    ("frexpf modff scalblnf", "fp:f"),
    ("ldexp scalbn", "di:d"),
    ("ldexpf scalbnf", "fi:f"),
    ("fminl fmaxl", "xx:x"),
    ("__powisf2", "fi:f"),
    ("__powidf2", "di:d"),
    ("__powixf2", "xi:x"),
];

/// The type that a letter stands for; `None` for those that leave it open.
fn ty(letter: u8, ptr_bits: u32) -> Option<Ty> {
    Some(match letter {
        b't' => Ty::Int(1),
        b'b' => Ty::Int(8),
        b'h' => Ty::Int(16),
        b'i' => Ty::Int(32),
        b'q' => Ty::Int(64),
        b'p' => Ty::Int(ptr_bits),
        b'f' => Ty::Float(FloatKind::Single),
        b'd' => Ty::Float(FloatKind::Double),
        b'x' => Ty::Float(FloatKind::X87),
        _ => return None,
    })
}

impl Site<'_> {
    fn word(&self, ty: Ty) -> Ty {
        if ty == Ty::Ptr { Ty::Int(self.ptr_bits) } else { ty }
    }

    /// Checks the call against the signature. Integers of another width than the model takes are to be converted, by
    /// position, from one type to the other: of one that is too wide the callee sees the low bits. An error says why the
    /// model must not be run.
    pub fn fit(
        &self,
        signature: Option<&str>,
        mut convert: impl FnMut(usize, Ty, Ty),
    ) -> Result<(), Mismatch> {
        let name = &self.function.name;
        let Some((params, result)) = signature.and_then(|text| text.split_once(':')) else {
            let why = format!("call of `{name}`, whose model has no row in the table of signatures");
            return Err(Mismatch::Unknown(why));
        };
        let given = result.as_bytes().first().copied().unwrap_or(b'v');
        if let Some(have) = self.result.map(|ty| self.word(ty))
            && given != b'?'
            && ty(given, self.ptr_bits) != Some(have)
        {
            let why = format!("the result of `{name}` is declared as {have}, which it is not");
            return Err(Mismatch::Unknown(why));
        }
        for (i, letter) in params.bytes().take_while(|letter| *letter != b'.').enumerate() {
            let Some(arg) = self.args.get(i) else {
                return Err(Mismatch::Misuse(format!("call of `{name}` with too few arguments")));
            };
            let have = self.word(arg.ty);
            let want = ty(letter, self.ptr_bits).unwrap_or(have);
            let fits = match (have, want) {
                (Ty::Int(_), Ty::Int(_)) => true,
                _ => have == want && letter != b'n',
            };
            if !fits || arg.byval.is_some() {
                let (n, have) = (i + 1, arg.ty);
                let why = format!("call of `{name}` with another type for argument {n} ({have} for {want})");
                return Err(Mismatch::Misuse(why));
            }
            let (has, wants) = (have.bits(self.ptr_bits), want.bits(self.ptr_bits));
            if has != wants {
                convert(i, have, want);
            }
        }
        if is_nondet(name) { self.check_nondet() } else { Ok(()) }
    }

    fn check_nondet(&self) -> Result<(), Mismatch> {
        let name = &self.function.name;
        let why = match (nondet_type(self.function, self.ptr_bits), &self.function.ret[..]) {
            (Err(why), _) => why,
            (Ok(_), [declared]) if self.result.is_some_and(|used| used != *declared) => {
                format!("`{name}` is called by a type that is not its own")
            }
            (Ok(_), _) => return Ok(()),
        };
        Err(Mismatch::Unknown(why))
    }
}

/// Whether the name is that of an input by the conventions of SV-COMP, CBMC and ESBMC.
pub fn is_nondet(name: &str) -> bool {
    nondet_suffix(name).is_some()
}

fn nondet_suffix(name: &str) -> Option<&str> {
    let what = name.strip_prefix("__VERIFIER_nondet_").or_else(|| name.strip_prefix("nondet_"));
    what.filter(|what| !what.is_empty())
}

/// The type of the input that `nondet_*` or `__VERIFIER_nondet_*` gives, and its name in C; `None` if it gives nothing.
///
/// It is the declared type. That must not contradict the function's name, and a declaration that says nothing (there is
/// none, or it is `int f();`) must agree with it; the error says what is wrong.
pub fn nondet_type(function: &Function, ptr_bits: u32) -> Result<Option<(Ty, &'static str)>, String> {
    let name = &function.name;
    let declared = match function.ret[..] {
        [] => return Ok(None),
        [ty] => ty,
        _ => return Err(format!("`{name}` gives a structure")),
    };
    let Some(reads_as) = declared_name(declared) else {
        return Err(format!("`{name}` gives a value of type {declared}"));
    };
    let named = nondet_suffix(name).and_then(|what| named_type(what, ptr_bits));
    let is_float = |ty: Ty| matches!(ty, Ty::Float(_));
    match named {
        Some((ty, _)) if is_float(ty) != is_float(declared) => {
            Err(format!("`{name}` is declared to give {declared}, but its name says otherwise"))
        }
        Some((ty, c)) if ty.bits(ptr_bits) == declared.bits(ptr_bits) => Ok(Some((declared, c))),
        _ if function.variadic => {
            Err(format!("call of `{name}` without a prototype that says what it gives"))
        }
        _ => Ok(Some((declared, reads_as))),
    }
}

/// How a value of a declared type reads in C.
pub fn declared_name(ty: Ty) -> Option<&'static str> {
    Some(match ty {
        Ty::Int(1) => "_Bool",
        Ty::Int(8) => "char",
        Ty::Int(16) => "short",
        Ty::Int(32) => "int",
        Ty::Int(64) => "long long",
        Ty::Int(_) => "bytes",
        Ty::Ptr => "pointer",
        Ty::Float(FloatKind::Single) => "float",
        Ty::Float(FloatKind::Double) => "double",
        Ty::Float(_) => return None,
    })
}

/// What the rest of a name such as `nondet_uint` says: the type, and its name in C.
fn named_type(what: &str, ptr_bits: u32) -> Option<(Ty, &'static str)> {
    Some(match what {
        "int" | "int32_t" | "i32" => (Ty::Int(32), "int"),
        "uint" | "unsigned" | "unsigned_int" | "u32" | "uint32_t" => (Ty::Int(32), "unsigned int"),
        "char" | "schar" | "signed_char" | "S8" | "int8_t" | "i8" => (Ty::Int(8), "char"),
        "uchar" | "unsigned_char" | "u8" | "U8" | "uint8_t" => (Ty::Int(8), "unsigned char"),
        "short" | "int16_t" | "i16" => (Ty::Int(16), "short"),
        "ushort" | "unsigned_short" | "u16" | "U16" | "uint16_t" => (Ty::Int(16), "unsigned short"),
        "long" => (Ty::Int(ptr_bits), "long"),
        "ulong" | "unsigned_long" | "size_t" | "sector_t" | "pthread_t" | "uintptr_t" => {
            (Ty::Int(ptr_bits), "unsigned long")
        }
        "longlong" | "long_long" | "loff_t" | "int64" | "int64_t" | "i64" => (Ty::Int(64), "long long"),
        "ulonglong" | "unsigned_long_long" | "u64" | "uint64" | "uint64_t" => {
            (Ty::Int(64), "unsigned long long")
        }
        "int128" => (Ty::Int(128), "__int128"),
        "uint128" => (Ty::Int(128), "unsigned __int128"),
        "bool" | "_Bool" => (Ty::Int(1), "_Bool"),
        "float" => (Ty::Float(FloatKind::Single), "float"),
        "double" => (Ty::Float(FloatKind::Double), "double"),
        "pointer" | "pchar" | "charp" => (Ty::Ptr, "pointer"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_of_a_known_function_and_well_formed() {
        for (names, text) in ROWS {
            for name in names.split_whitespace() {
                assert!(crate::library::is_known(name), "{name}");
                assert_eq!(signature(name), Some(*text), "{name} has two rows");
            }
            let (params, result) = text.split_once(':').expect("a colon");
            assert!(params.bytes().all(|c| b"tbhiqpfdxn.".contains(&c)), "{text}");
            assert!(!params.contains('.') || params.ends_with('.'), "{text}");
            assert!(result.len() == 1 && result.bytes().all(|c| b"tbhiqpfdxv?".contains(&c)), "{text}");
        }
        assert_eq!(signature("no_such_function"), None);
    }
}
