//! Sections that are one step to other threads: `__VERIFIER_atomic_begin` and `_end`.
//!
//! The thread stops before the first visible access inside, and then runs to the end of the section.
//! Functions named `__VERIFIER_atomic_*` are sections as a whole (see `enter`).

use super::super::Model;
use selvedge_library::Section;

pub(in crate::models) fn model(function: Section) -> Model {
    match function {
        Section::Begin | Section::BeginElsewhere => |s, _, _, _| {
            s.st.thread_mut().atomic_depth += 1;
            s.returns_nothing()
        },
        Section::End | Section::EndElsewhere => |s, _, _, _| {
            if s.st.thread().atomic_depth == 0 {
                return s.misuse("an atomic section ends that was not begun");
            }
            s.st.thread_mut().atomic_depth -= 1;
            s.returns_nothing()
        },
    }
}
