//! Library functions that clang computes itself, and programs that bring their own.
//!
//! clang turns a call of `memcpy` into an intrinsic and `strlen("abc")` into 3, whatever the program defines
//! under these names. A program that defines one is therefore compiled again with that knowledge taken from
//! clang. Copies of structs, and calls spelled `__builtin_memcpy`, stay with the engine.

use crate::llvm::Module;

/// Flags that make clang forget the functions of these that the program defines itself.
pub(crate) fn without_replaced(module: &Module<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for function in module.functions().filter(|function| !function.is_declaration()) {
        let name = function.name();
        if selvedge_library::is_computed_by_clang(&name) {
            found.push(format!("-fno-builtin-{name}"));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
