//! Sections that are one step to other threads: `__VERIFIER_atomic_begin` and `_end`.
//!
//! The thread stops before the first visible access inside, and then runs to the end of the section.
//! Functions named `__VERIFIER_atomic_*` are sections as a whole (see `enter`).

use super::super::Model;

pub(super) fn lookup(name: &str) -> Option<Model> {
    Some(match name {
        "__VERIFIER_atomic_begin"
        | "selvedge_atomic_begin"
        | "__CPROVER_atomic_begin"
        | "__ESBMC_atomic_begin" => |s, _, _, _| {
            s.st.thread_mut().atomic_depth += 1;
            s.returns_nothing()
        },
        "__VERIFIER_atomic_end" | "selvedge_atomic_end" | "__CPROVER_atomic_end" | "__ESBMC_atomic_end" => {
            |s, _, _, _| {
                if s.st.thread().atomic_depth == 0 {
                    return s.misuse("an atomic section ends that was not begun");
                }
                s.st.thread_mut().atomic_depth -= 1;
                s.returns_nothing()
            }
        }
        _ => return None,
    })
}
