//! What the run-time asks about clocks: `runtime/clock.c` says how they go.
//!
//! The state of the clocks is memory of the run-time, [`CLOCKS`], which only it touches. It says how early each clock may
//! still be read, so a state with later clocks can do less than one with earlier ones: every reading that it can give, the
//! other can give as well. This is why loops that only move clocks on are waits (`threads/spin.rs`).

use selvedge_program::CmpOp;

use super::Model;
use crate::finding::Res;
use crate::ops;
use crate::state::{InputKind, InputType};
use crate::step::Step;
use crate::value::Value;
use selvedge_library::Clock;

/// The variable that holds the state of all clocks.
pub(crate) const CLOCKS: &str = "__selvedge_clocks";

pub(super) fn model(function: Clock) -> Model {
    match function {
        Clock::Time => |s, _, _, _| s.any_time(),
        Clock::Assume => |s, _, _, v| {
            let is_so = ops::cmp(&mut s.m.pool, CmpOp::Ne, 32, v[0], Value::Int(0));
            // Whatever others have done, some reading is late enough: no step of theirs must come earlier for it.
            s.assume_apart(is_so, false)?;
            s.returns_nothing()
        },
        Clock::IsRead => |s, _, _, _| s.returns(Value::bool(s.m.image.reads_clocks)),
        Clock::IsFixed => |s, _, _, _| s.returns(Value::bool(s.m.options.surroundings.clock_is_fixed)),
        Clock::Counts => |s, _, _, _| s.returns(Value::bool(s.m.image.counts_time)),
    }
}

impl Step<'_, '_> {
    fn any_time(&mut self) -> Res<()> {
        let value = self.peek_input(8);
        let ty = InputType::Unsigned("unsigned long long");
        self.consume_input("clock".into(), ty, 8, InputKind::Environment);
        self.st.thread_mut().n_readings += 1;
        self.returns(value)
    }
}
