//! Control: errors, ends of the process, jumps, and the search for handlers of exceptions.

use crate::action::Action::{
    Assert, Error, Exit, Fail, Finding, Jump, LookUp, Pure, PureFallible, SetJump, ThreadLeaves,
};
use crate::row::Native::{self, Everywhere};
use crate::row::{Row, family};

family! {
    /// Errors and ends of the process.
    Process {
        /// The call is the error.
        Error = Row::new("reach_error __VERIFIER_error", ".:?", Error).native(&[Native::Error]);
        /// An assertion of `assert.h` failed.
        AssertFail = Row::new("__assert_fail __assert", "p.:v", Fail).native(&[Everywhere]);
        /// An assertion of `assert.h` failed, on other systems.
        AssertRtn = Row::new("__assert_rtn", "p.:v", Fail);
        /// A condition that libstdc++ asks of its callers does not hold.
        ContainerAssertFail =
            Row::new("_ZSt21__glibcxx_assert_failPKciS0_S0_", "pipp:v", Finding).native(&[Everywhere]);
        /// An error number is not zero that must be.
        AssertPerrorFail = Row::new("__assert_perror_fail", ".:v", Fail).native(&[Everywhere]);
        /// Fails unless the condition holds.
        Assert = Row::new(
            "klee_assert __VERIFIER_assert __CPROVER_assert __ESBMC_assert __CPROVER_precondition \
             __CPROVER_postcondition selvedge_assert",
            "n.:v",
            Assert,
        );
        /// Notes a choice that was made for the user.
        Assumed = Row::new("__selvedge_assumed", "p:v", Pure);
        /// Fails with a message.
        ReportError = Row::new("klee_report_error", "pipp:v", Fail);
        /// Ends the process as by a failed assertion.
        Abort = Row::new("abort", ".:v", Fail).native(&[Everywhere]);
        /// Ends the process as by a failed assertion.
        KleeAbort = Row::new("klee_abort", ".:v", Fail);
        /// A signed left shift has no result.
        ShiftOverflows = Row::new("__ubsan_handle_shift_out_of_bounds_minimal_abort", ".:v", Finding);
        /// Fails unless a shift amount is in range.
        ShiftAmount = Row::hook("__selvedge_shift_amount", Finding);
        /// An index is out of the bounds of its array.
        OutOfBounds = Row::hook("__ubsan_handle_out_of_bounds_minimal_abort", Finding);
        /// An array of variable length has a length that is not positive.
        ArrayLength = Row::hook("__ubsan_handle_vla_bound_not_positive_minimal_abort", Finding);
        /// An address is not aligned.
        Misaligned = Row::hook(
            "__ubsan_handle_type_mismatch_minimal_abort __ubsan_handle_alignment_assumption_minimal_abort",
            Finding,
        );
        /// An unsigned addition wraps around.
        AddWraps = Row::hook("__ubsan_handle_add_overflow_minimal_abort", Finding);
        /// An unsigned subtraction wraps around.
        SubWraps = Row::hook("__ubsan_handle_sub_overflow_minimal_abort", Finding);
        /// An unsigned multiplication wraps around.
        MulWraps = Row::hook("__ubsan_handle_mul_overflow_minimal_abort", Finding);
        /// An unsigned negation wraps around.
        NegateWraps = Row::hook("__ubsan_handle_negate_overflow_minimal_abort", Finding);
        /// A floating-point number does not fit an integer type.
        FloatCast = Row::new("__ubsan_handle_float_cast_overflow_minimal_abort", ".:v", Finding);
        /// The zeros of zero are counted.
        InvalidBuiltin = Row::new("__ubsan_handle_invalid_builtin_minimal_abort", ".:v", Finding);
        /// A stack was written over.
        StackSmashed = Row::new("__stack_chk_fail", ".:v", Finding);
        /// A pure virtual function was called.
        PureVirtual = Row::new("__cxa_pure_virtual", ".:v", Finding);
        /// Ends the process, after what was registered for its end.
        Exit = Row::new("exit", "i:v", Exit);
        /// Ends the process at once.
        ExitNow = Row::new("_exit _Exit", "i:v", Exit).native(&[Everywhere]);
        /// Ends the process at once.
        End = Row::new("__selvedge_exit klee_silent_exit", "i:v", Exit);
        /// Gives the path up: something is not modelled.
        Unsupported = Row::new("__selvedge_unsupported", "p:v", Finding);
    }
}

family! {
    /// `setjmp.h`.
    Jumps {
        /// Remembers where it is called.
        Set = Row::new("setjmp _setjmp", "p.:i", SetJump);
        /// Remembers where it is called, and the signal mask if asked for.
        SetWithMask = Row::new("__sigsetjmp sigsetjmp", "p.:i", SetJump);
        /// Goes back to where `setjmp` was called.
        Long = Row::new("longjmp _longjmp siglongjmp __longjmp_chk", "pi:v", Jump);
    }
}

family! {
    /// What the run-time of C++ asks about the stack.
    Unwind {
        /// Looks for a handler before anything is left.
        FindHandler = Row::new("__selvedge_find_handler", "pp:i", LookUp);
        /// Whether a handler takes an exception.
        Catches = Row::new("__selvedge_catches", "ppp:p", LookUp);
        /// Whether a thread that ends must leave functions one by one.
        MustUnwind = Row::new("__selvedge_must_unwind", ":i", PureFallible);
        /// The thread begins to leave its functions.
        Leaves = Row::new("__selvedge_leaves", "p:v", ThreadLeaves);
        /// Ends the process by `std::terminate`.
        Terminate = Row::new("__selvedge_terminate", "pi:v", Fail);
    }
}
