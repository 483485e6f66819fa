//! How a program ends: assertions, errors, `abort`, `exit`.

use super::Model;
use crate::finding::{FindingKind, PathEnd, Res, end, unsupported};
use crate::ops;
use crate::step::Step;
use crate::value::Value;
use selvedge_program::{CmpOp, Ty};

/// What a shell shows for a program that `abort` ended.
const SIGABRT_STATUS: i32 = 134;

/// Functions whose call is the error, whatever body the program gives them.
pub(super) fn always(name: &str) -> Option<Model> {
    Some(match name {
        "reach_error" | "__VERIFIER_error" => |s, f, a, v| {
            let function = &s.m.image.program.funcs[f];
            if s.m.options.checks(FindingKind::Error) {
                return s.finding(FindingKind::Error, format!("`{}` is reached", function.name));
            }
            if function.is_defined() { s.enter(f, a, v) } else { s.aborts("an error is reached") }
        },
        _ => return None,
    })
}

/// Whether a function that is defined nowhere can fail as an assertion does: it [gives the program up](Step::aborts).
pub(super) fn can_abort(name: &str) -> bool {
    matches!(
        name,
        "__assert_fail"
            | "__assert"
            | "__assert_rtn"
            | "__assert_perror_fail"
            | "klee_assert"
            | "__VERIFIER_assert"
            | "__CPROVER_assert"
            | "__ESBMC_assert"
            | "__CPROVER_precondition"
            | "__CPROVER_postcondition"
            | "selvedge_assert"
            | "klee_report_error"
            | "klee_abort"
            | "abort"
            | "__selvedge_terminate"
    )
}

pub(super) fn lookup(name: &str) -> Option<Model> {
    Some(match name {
        "__assert_fail" | "__assert" | "__assert_rtn" => |s, _, _, v| s.assert_fail(v[0]),
        "__assert_perror_fail" => |s, _, _, _| s.aborts("assert_perror failed"),
        "klee_assert"
        | "__VERIFIER_assert"
        | "__CPROVER_assert"
        | "__ESBMC_assert"
        | "__CPROVER_precondition"
        | "__CPROVER_postcondition"
        | "selvedge_assert" => |s, f, a, v| {
            let width = a[0].ty.bits(s.ptr_bits());
            let holds = ops::cmp(&mut s.m.pool, CmpOp::Ne, width, v[0], Value::Int(0));
            if s.decide(holds)? {
                return s.returns_nothing();
            }
            let name = &s.m.image.program.funcs[f].name;
            match a.get(1) {
                Some(text) if text.ty == Ty::Ptr => {
                    let text = s.c_string(v[1])?;
                    s.aborts(format!("`{name}` failed: {}", String::from_utf8_lossy(&text)))
                }
                _ => s.aborts(format!("`{name}` failed")),
            }
        },
        "__selvedge_assumed" => |s, _, _, v| {
            let id = s.c_string(v[0])?;
            s.assumed_by_name(&id)
        },
        "klee_report_error" => |s, _, _, v| {
            let message = String::from_utf8_lossy(&s.c_string(v[2])?).into_owned();
            s.aborts(message)
        },
        "klee_abort" | "abort" => |s, _, _, _| s.aborts("`abort` is called"),
        "__ubsan_handle_shift_out_of_bounds_minimal_abort" => |s, _, _, _| {
            s.finding(
                FindingKind::Overflow,
                "signed left shift of a negative number, or the result is not representable",
            )
        },
        "__selvedge_shift_amount" => |s, _, _, v| {
            let fits = ops::cmp(&mut s.m.pool, CmpOp::Ne, 32, v[0], Value::Int(0));
            if s.decide(fits)? {
                return s.returns_nothing();
            }
            s.finding(
                FindingKind::Operand,
                "shift amount is negative, or not below the width of what is shifted",
            )
        },
        "__ubsan_handle_out_of_bounds_minimal_abort" => {
            |s, _, _, _| s.finding(FindingKind::Bounds, "index out of the bounds of its array")
        }
        "__ubsan_handle_vla_bound_not_positive_minimal_abort" => |s, _, _, _| {
            s.finding(FindingKind::Bounds, "the length of a variable-length array is not positive")
        },
        "__ubsan_handle_type_mismatch_minimal_abort"
        | "__ubsan_handle_alignment_assumption_minimal_abort" => |s, _, _, _| {
            s.finding(FindingKind::Align, "the address is not aligned as the type of the access demands")
        },
        "__ubsan_handle_add_overflow_minimal_abort" => {
            |s, _, _, _| s.finding(FindingKind::Unsigned, "unsigned addition wraps around")
        }
        "__ubsan_handle_sub_overflow_minimal_abort" => {
            |s, _, _, _| s.finding(FindingKind::Unsigned, "unsigned subtraction wraps around")
        }
        "__ubsan_handle_mul_overflow_minimal_abort" => {
            |s, _, _, _| s.finding(FindingKind::Unsigned, "unsigned multiplication wraps around")
        }
        "__ubsan_handle_negate_overflow_minimal_abort" => {
            |s, _, _, _| s.finding(FindingKind::Unsigned, "unsigned negation wraps around")
        }
        "__ubsan_handle_float_cast_overflow_minimal_abort" => |s, _, _, _| {
            s.finding(
                FindingKind::Operand,
                "conversion of a floating-point number to an integer type that cannot hold it",
            )
        },
        "__ubsan_handle_invalid_builtin_minimal_abort" => |s, _, _, _| {
            s.finding(FindingKind::Operand, "leading or trailing zeros of 0 are counted, which is undefined")
        },
        "__stack_chk_fail" => |s, _, _, _| s.finding(FindingKind::Memory, "the stack is smashed"),
        "__cxa_pure_virtual" => {
            |s, _, _, _| s.finding(FindingKind::Misuse, "call of a pure virtual function")
        }
        "__selvedge_exit" | "_exit" | "_Exit" | "exit" => |s, _, _, v| s.exit(v[0]),
        "__selvedge_unsupported" => |s, _, _, v| {
            let what = String::from_utf8_lossy(&s.c_string(v[0])?).into_owned();
            unsupported(what)
        },
        _ => return None,
    })
}

impl Step<'_, '_> {
    fn assert_fail(&mut self, text: Value) -> Res<()> {
        let text = self.c_string(text)?;
        self.aborts(format!("assertion `{}` failed", String::from_utf8_lossy(&text)))
    }

    /// The program gives itself up. Unlike undefined behaviour this is a known end if nobody asked for it.
    pub(crate) fn aborts<T>(&mut self, message: impl Into<String>) -> Res<T> {
        if self.m.options.checks(FindingKind::Assert) {
            return self.finding(FindingKind::Assert, message);
        }
        end(PathEnd::Exit(SIGABRT_STATUS))
    }
}
