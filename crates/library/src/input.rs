//! Inputs and assumptions: `selvedge.h`, SV-COMP, KLEE, CBMC, ESBMC.

use crate::action::Action::{Assume, Environment, Input as Any, MakeSymbolic, Pure, PureFallible, Sync};
use crate::row::{Row, family};

family! {
    /// Inputs and assumptions.
    Input {
        // By the convention of names that `nondet_suffix` knows.
        /// Gives an input of the declared type.
        Nondet = Row::new("", ".:?", Any);
        /// Makes the bytes of an object inputs.
        MakeSymbolic = Row::new("klee_make_symbolic selvedge_symbolic", "ppp:v", MakeSymbolic);
        /// Makes a variable an input; pointers in it lead to memory that comes into being when the program looks.
        Outside = Row::new("selvedge_outside", "ppp:v", MakeSymbolic);
        /// Keeps the bytes of a variable as the result of a function.
        Result = Row::hook("__selvedge_result", Sync);
        /// The list of the environment's variables.
        Environment = Row::new("__selvedge_environment", ":p", Environment);
        /// How long the value of a variable may be.
        VariableLength = Row::new("__selvedge_variable_length", ":p", Pure);
        /// Makes the value of a variable an input, and gives whether it is there.
        Variable = Row::new("__selvedge_variable", "ppp:b", MakeSymbolic);
        /// Gives an `int` from the first bound up to below the second.
        Below = Row::new("klee_range", "iip:i", Any);
        /// Gives an `int` from the first bound up to the second.
        UpTo = Row::new("selvedge_range", "iip:i", Any);
        /// Gives a number below the bound.
        Choose = Row::new("klee_choose", "p:p", Any);
        /// Goes on only if the condition holds.
        Assume = Row::new(
            "klee_assume __VERIFIER_assume __CPROVER_assume __ESBMC_assume selvedge_assume",
            "n.:v",
            Assume,
        );
        /// Whether a value depends on inputs.
        IsSymbolic = Row::new("klee_is_symbolic __selvedge_is_symbolic", "n:i", Pure);
        /// Does nothing: a hint for another tool.
        Hint = Row::new(
            "klee_prefer_cex klee_posix_prefer_cex klee_warning klee_warning_once klee_print_expr klee_open_merge \
             klee_close_merge klee_mark_global klee_set_forking klee_stack_trace klee_print_range \
             __VERIFIER_loop_bound __CPROVER_input __CPROVER_output __CPROVER_cover __ESBMC_cover",
            ".:v",
            Pure,
        );
        /// The size of an object.
        ObjectSize = Row::new("klee_get_obj_size", "p:p", Sync);
        /// Fails unless so many bytes can be read.
        CheckAccess = Row::new("klee_check_memory_access", "pp:v", Sync);
        /// Zero.
        IsReplay = Row::new("klee_is_replay", ":i", Pure);
        /// Tries each value that a `float` can have.
        ValueOfFloat = Row::new("klee_get_valuef", "f:f", PureFallible);
        /// Tries each value that a `double` can have.
        ValueOfDouble = Row::new("klee_get_valued", "d:d", PureFallible);
        /// Tries each value that a `long` can have.
        ValueOfLong = Row::new("klee_get_valuel", "p:p", PureFallible);
        /// Tries each value that a `long long` can have.
        ValueOfLongLong = Row::new("klee_get_valuell klee_get_value_i64", "q:q", PureFallible);
        /// Tries each value that an `int` can have.
        ValueOfInt = Row::new("klee_get_value_i32", "i:i", PureFallible);
        /// Gives an `int`.
        Int = Row::new("selvedge_int selvedge_i32 klee_int", "p:i", Any);
        /// Gives an `unsigned int`.
        UInt = Row::new("selvedge_uint selvedge_u32", "p:i", Any);
        /// Gives a `char`.
        Char = Row::new("selvedge_char", "p:b", Any);
        /// Gives a `signed char`.
        SChar = Row::new("selvedge_schar selvedge_i8", "p:b", Any);
        /// Gives an `unsigned char`.
        UChar = Row::new("selvedge_uchar selvedge_u8", "p:b", Any);
        /// Gives a `short`.
        Short = Row::new("selvedge_short selvedge_i16", "p:h", Any);
        /// Gives an `unsigned short`.
        UShort = Row::new("selvedge_ushort selvedge_u16", "p:h", Any);
        /// Gives a `long`.
        Long = Row::new("selvedge_long", "p:p", Any);
        /// Gives an `unsigned long`.
        ULong = Row::new("selvedge_ulong", "p:p", Any);
        /// Gives a `long long`.
        LongLong = Row::new("selvedge_longlong selvedge_i64", "p:q", Any);
        /// Gives an `unsigned long long`.
        ULongLong = Row::new("selvedge_ulonglong selvedge_u64", "p:q", Any);
        /// Gives a `size_t`.
        Size = Row::new("selvedge_size", "p:p", Any);
        /// Gives a `_Bool`.
        Bool = Row::new("selvedge_bool", "p:t", Any);
        /// Gives a `float`.
        Float = Row::new("selvedge_float", "p:f", Any);
        /// Gives a `double`.
        Double = Row::new("selvedge_double", "p:d", Any);
    }
}

/// What follows in a name that is an input by the conventions of SV-COMP, CBMC and ESBMC: the type that it gives.
pub fn nondet_suffix(name: &str) -> Option<&str> {
    let what = name.strip_prefix("__VERIFIER_nondet_").or_else(|| name.strip_prefix("nondet_"));
    what.filter(|what| !what.is_empty())
}
