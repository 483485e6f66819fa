//! Programs that tests of several crates look at.

use selvedge_program::Program;

use crate::text::Text;

/// `main` hands the address of a local to a thread as a number that shows nothing of it, and the thread writes there. `look`
/// is what `main` does with `%l` meanwhile.
#[track_caller]
pub fn address_as_a_number(look: &str) -> Program {
    Text::new()
        .zeros("n", 8)
        .thread(
            "one",
            "%n: i64 = load i64 @n
            %c: i1 = cmp.ne i64 %n, 0i64
            branch %c, bb1, bb2
            bb1: %a: i64 = xor i64 %n, 4095i64
            %p: ptr = inttoptr i64 %a to ptr
            store i32 1i32 to %p
            jump bb2
            bb2:",
        )
        .main(&format!(
            "%l: ptr = alloca 4 x 1i64 align 4
            store i32 0i32 to %l
            start one
            %a: i64 = ptrtoint ptr %l to i64
            %n: i64 = xor i64 %a, 4095i64
            store i64 %n to @n
            {look}
            join one"
        ))
}
