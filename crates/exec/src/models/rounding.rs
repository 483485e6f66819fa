//! The direction in which a thread's floating-point arithmetic rounds; `fenv.h` itself is C code of the run-time.
//!
//! Modes are the numbers of `FLT_ROUNDS`. A handler of a signal starts with arithmetic to nearest, and what it interrupts
//! goes on as before; that is not modelled, so signals and other modes do not go together.

use selvedge_term::RoundingMode;

use super::Model;
use crate::finding::{Res, unsupported};
use crate::step::Step;
use crate::value::Value;
use selvedge_library::Rounding;

const MODES: [RoundingMode; 4] =
    [RoundingMode::TowardZero, RoundingMode::NearestEven, RoundingMode::Up, RoundingMode::Down];

pub(super) fn model(function: Rounding) -> Model {
    match function {
        Rounding::Get => |s, _, _, _| {
            let mode = s.st.thread().rounding;
            let number = MODES.iter().position(|known| *known == mode).expect("one of four");
            s.returns(Value::Int(number as u64))
        },
        Rounding::Set => |s, _, _, v| {
            let number = s.concretise(v[0], 32, 4, "a rounding mode")?;
            let Some(&mode) = MODES.get(number as usize) else { return unsupported("a rounding mode") };
            s.set_rounding(mode)
        },
    }
}

impl Step<'_, '_> {
    fn set_rounding(&mut self, mode: RoundingMode) -> Res<()> {
        if mode != self.st.thread().rounding {
            if self.st.signals.is_some() {
                return unsupported("rounding other than to nearest in a program with signals");
            }
            self.st.thread_mut().rounding = mode;
            self.has_effect();
        }
        self.returns_nothing()
    }

    /// Signals come to threads that round to nearest only.
    pub(super) fn rounds_for_signals(&self) -> Res<()> {
        match self.st.thread().rounding {
            RoundingMode::NearestEven => Ok(()),
            _ => unsupported("rounding other than to nearest in a program with signals"),
        }
    }
}
