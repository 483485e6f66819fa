//! Points that the front end marks before each instruction that could be visible to other threads.
//!
//! A native build of the same program has the same points, so "the `k`-th point that thread `t` passes" names
//! the same moment in both. Here they are only counted.

use super::super::Model;
use crate::ops;
use selvedge_library::Point;

pub(in crate::models) fn model(function: Point) -> Model {
    match function {
        Point::Pass => |s, _, _, v| {
            let site = ops::concrete(v[0]).unwrap_or(0);
            let thread = s.st.thread_mut();
            thread.n_points += 1;
            thread.last_point = site as u32;
            s.returns_nothing()
        },
        // The native run-time must be told where atomic functions begin and end; the engine sees it by itself.
        Point::Enter | Point::Leave => |s, _, _, _| s.returns_nothing(),
    }
}
