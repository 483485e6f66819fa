//! How a program ends: assertions, errors, `abort`, `exit`.

use super::Model;
use crate::finding::{FindingKind, PathEnd, Res, end, unsupported};
use crate::ops;
use crate::step::Step;
use crate::value::Value;
use selvedge_library::Process;
use selvedge_program::{CmpOp, Ty};

/// What a shell shows for a program that `abort` ended.
const SIGABRT_STATUS: i32 = 134;

pub(super) fn model(function: Process) -> Model {
    match function {
        // The call is the error, whatever body the program gives the function.
        Process::Error => |s, f, a, v| {
            let function = &s.m.image.program.funcs[f];
            if s.m.options.checks(FindingKind::Error) {
                return s.finding(FindingKind::Error, format!("`{}` is reached", function.name));
            }
            if function.is_defined() { s.enter(f, a, v) } else { s.aborts("an error is reached") }
        },
        Process::AssertFail | Process::AssertRtn => |s, _, _, v| s.assert_fail(v[0]),
        Process::ContainerAssertFail => |s, _, _, v| s.container_assert_fail(v[3]),
        Process::AssertPerrorFail => |s, _, _, _| s.aborts("assert_perror failed"),
        Process::Assert => |s, f, a, v| {
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
        Process::Assumed => |s, _, _, v| {
            let id = s.c_string(v[0])?;
            s.assumed_by_name(&id)
        },
        Process::ReportError => |s, _, _, v| {
            let message = String::from_utf8_lossy(&s.c_string(v[2])?).into_owned();
            s.aborts(message)
        },
        Process::KleeAbort | Process::Abort => |s, _, _, _| s.aborts("`abort` is called"),
        Process::ShiftOverflows => |s, _, _, _| {
            s.finding(
                FindingKind::Overflow,
                "signed left shift of a negative number, or the result is not representable",
            )
        },
        Process::ShiftAmount => |s, _, _, v| {
            let fits = ops::cmp(&mut s.m.pool, CmpOp::Ne, 32, v[0], Value::Int(0));
            if s.decide(fits)? {
                return s.returns_nothing();
            }
            s.finding(
                FindingKind::Operand,
                "shift amount is negative, or not below the width of what is shifted",
            )
        },
        Process::OutOfBounds => {
            |s, _, _, _| s.finding(FindingKind::Bounds, "index out of the bounds of its array")
        }
        Process::ArrayLength => |s, _, _, _| {
            s.finding(FindingKind::Bounds, "the length of a variable-length array is not positive")
        },
        Process::Misaligned => |s, _, _, _| {
            s.finding(FindingKind::Align, "the address is not aligned as the type of the access demands")
        },
        Process::AddWraps => |s, _, _, _| s.finding(FindingKind::Unsigned, "unsigned addition wraps around"),
        Process::SubWraps => {
            |s, _, _, _| s.finding(FindingKind::Unsigned, "unsigned subtraction wraps around")
        }
        Process::MulWraps => {
            |s, _, _, _| s.finding(FindingKind::Unsigned, "unsigned multiplication wraps around")
        }
        Process::NegateWraps => {
            |s, _, _, _| s.finding(FindingKind::Unsigned, "unsigned negation wraps around")
        }
        Process::FloatCast => |s, _, _, _| {
            s.finding(
                FindingKind::Operand,
                "conversion of a floating-point number to an integer type that cannot hold it",
            )
        },
        Process::InvalidBuiltin => |s, _, _, _| {
            s.finding(FindingKind::Operand, "leading or trailing zeros of 0 are counted, which is undefined")
        },
        Process::StackSmashed => |s, _, _, _| s.finding(FindingKind::Memory, "the stack is smashed"),
        Process::PureVirtual => {
            |s, _, _, _| s.finding(FindingKind::Misuse, "call of a pure virtual function")
        }
        Process::End | Process::ExitNow | Process::Exit => |s, _, _, v| s.exit(v[0]),
        Process::Unsupported => |s, _, _, v| {
            let what = String::from_utf8_lossy(&s.c_string(v[0])?).into_owned();
            unsupported(what)
        },
    }
}

impl Step<'_, '_> {
    fn assert_fail(&mut self, text: Value) -> Res<()> {
        let text = self.c_string(text)?;
        self.aborts(format!("assertion `{}` failed", String::from_utf8_lossy(&text)))
    }

    /// Asked for by `bounds`, or by the user's own `_GLIBCXX_ASSERTIONS`.
    fn container_assert_fail(&mut self, text: Value) -> Res<()> {
        if !self.m.options.checks(FindingKind::Bounds) {
            return self.assert_fail(text);
        }
        let text = self.c_string(text)?;
        let text = String::from_utf8_lossy(&text);
        self.finding(FindingKind::Bounds, format!("the C++ library needs `{text}`, which does not hold"))
    }

    /// The program gives itself up. Unlike undefined behaviour this is a known end if nobody asked for it.
    pub(crate) fn aborts<T>(&mut self, message: impl Into<String>) -> Res<T> {
        if self.m.options.checks(FindingKind::Assert) {
            return self.finding(FindingKind::Assert, message);
        }
        end(PathEnd::Exit(SIGABRT_STATUS))
    }
}
