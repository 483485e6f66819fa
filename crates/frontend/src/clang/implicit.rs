//! Prototypes for what verification harnesses use without declaring it.
//!
//! Since C99 the use of an undeclared function is an error; before, its result was an `int`, which
//! is wrong for `__VERIFIER_nondet_ulong` and the like. Only what clang reports as undeclared is
//! declared, so that a program's own declarations never conflict.

/// Names clang reported as undeclared and for which there is a prototype.
pub(super) fn undeclared(stderr: &str) -> Vec<&'static str> {
    let mut found: Vec<&'static str> = Vec::new();
    for line in stderr.lines() {
        let is_report = line.contains("undeclared function '")
            || line.contains("undeclared library function '")
            || line.contains("implicit declaration of function '")
            || line.contains("implicitly declaring library function '")
            || line.contains("use of undeclared identifier '")
            || line.contains("unknown type name '");
        if !is_report {
            continue;
        }
        let Some(name) = line.split('\'').nth(1) else { continue };
        if let Some((known, _)) = PROTOTYPES.iter().find(|(known, _)| *known == name)
            && !found.contains(known)
        {
            found.push(known);
        }
    }
    found
}

/// A header that declares these names.
pub(super) fn header(names: &[&str]) -> String {
    let known = PROTOTYPES.iter().filter(|(name, _)| names.contains(name)).map(|(_, text)| *text);
    let (mut includes, prototypes): (Vec<&str>, Vec<&str>) =
        known.partition(|text| text.starts_with("#include"));
    includes.extend(["#include <stddef.h>", "#include <stdint.h>"]);
    includes.sort_unstable();
    includes.dedup();
    let mut text: String = includes.into_iter().map(|line| format!("{line}\n")).collect();
    text.push_str("#ifdef __cplusplus\n#define _Bool bool\nextern \"C\" {\n#endif\n");
    // What ends with a macro needs no semicolon.
    let ended = |text: &str| if text.contains("\n#") { format!("{text}\n") } else { format!("{text};\n") };
    text.extend(prototypes.into_iter().map(ended));
    text.push_str("#ifdef __cplusplus\n}\n#undef _Bool\n#endif\n");
    text
}

/// Name, and its prototype or the header that has it.
const PROTOTYPES: &[(&str, &str)] = &[
    ("assert", "#include <assert.h>"),
    ("abort", "#include <stdlib.h>"),
    ("exit", "#include <stdlib.h>"),
    ("malloc", "#include <stdlib.h>"),
    ("calloc", "#include <stdlib.h>"),
    ("free", "#include <stdlib.h>"),
    ("reach_error", "void reach_error(void)"),
    (
        "__assert_fail",
        "__attribute__((noreturn)) void __assert_fail(const char *, const char *, unsigned, const char *)",
    ),
    (
        "__assert_rtn",
        "__attribute__((noreturn)) void __assert_rtn(const char *, const char *, int, const char *)",
    ),
    ("__VERIFIER_error", "__attribute__((noreturn)) void __VERIFIER_error(void)"),
    ("__VERIFIER_assume", "void __VERIFIER_assume(int)"),
    ("__VERIFIER_assert", "void __VERIFIER_assert(int)"),
    ("__VERIFIER_atomic_begin", "void __VERIFIER_atomic_begin(void)"),
    ("__VERIFIER_atomic_end", "void __VERIFIER_atomic_end(void)"),
    ("__VERIFIER_nondet_bool", "_Bool __VERIFIER_nondet_bool(void)"),
    ("__VERIFIER_nondet__Bool", "_Bool __VERIFIER_nondet__Bool(void)"),
    ("__VERIFIER_nondet_char", "char __VERIFIER_nondet_char(void)"),
    ("__VERIFIER_nondet_schar", "signed char __VERIFIER_nondet_schar(void)"),
    ("__VERIFIER_nondet_uchar", "unsigned char __VERIFIER_nondet_uchar(void)"),
    ("__VERIFIER_nondet_unsigned_char", "unsigned char __VERIFIER_nondet_unsigned_char(void)"),
    ("__VERIFIER_nondet_short", "short __VERIFIER_nondet_short(void)"),
    ("__VERIFIER_nondet_ushort", "unsigned short __VERIFIER_nondet_ushort(void)"),
    ("__VERIFIER_nondet_unsigned_short", "unsigned short __VERIFIER_nondet_unsigned_short(void)"),
    ("__VERIFIER_nondet_int", "int __VERIFIER_nondet_int(void)"),
    ("__VERIFIER_nondet_uint", "unsigned int __VERIFIER_nondet_uint(void)"),
    ("__VERIFIER_nondet_unsigned", "unsigned int __VERIFIER_nondet_unsigned(void)"),
    ("__VERIFIER_nondet_unsigned_int", "unsigned int __VERIFIER_nondet_unsigned_int(void)"),
    ("__VERIFIER_nondet_long", "long __VERIFIER_nondet_long(void)"),
    ("__VERIFIER_nondet_ulong", "unsigned long __VERIFIER_nondet_ulong(void)"),
    ("__VERIFIER_nondet_unsigned_long", "unsigned long __VERIFIER_nondet_unsigned_long(void)"),
    ("__VERIFIER_nondet_longlong", "long long __VERIFIER_nondet_longlong(void)"),
    ("__VERIFIER_nondet_ulonglong", "unsigned long long __VERIFIER_nondet_ulonglong(void)"),
    ("__VERIFIER_nondet_int128", "__int128 __VERIFIER_nondet_int128(void)"),
    ("__VERIFIER_nondet_uint128", "unsigned __int128 __VERIFIER_nondet_uint128(void)"),
    ("__VERIFIER_nondet_float", "float __VERIFIER_nondet_float(void)"),
    ("__VERIFIER_nondet_double", "double __VERIFIER_nondet_double(void)"),
    ("__VERIFIER_nondet_size_t", "size_t __VERIFIER_nondet_size_t(void)"),
    ("__VERIFIER_nondet_loff_t", "long long __VERIFIER_nondet_loff_t(void)"),
    ("__VERIFIER_nondet_sector_t", "unsigned long __VERIFIER_nondet_sector_t(void)"),
    ("__VERIFIER_nondet_pthread_t", "unsigned long __VERIFIER_nondet_pthread_t(void)"),
    ("__VERIFIER_nondet_uintptr_t", "uintptr_t __VERIFIER_nondet_uintptr_t(void)"),
    ("__VERIFIER_nondet_u8", "uint8_t __VERIFIER_nondet_u8(void)"),
    ("__VERIFIER_nondet_u16", "uint16_t __VERIFIER_nondet_u16(void)"),
    ("__VERIFIER_nondet_u32", "uint32_t __VERIFIER_nondet_u32(void)"),
    ("__VERIFIER_nondet_u64", "uint64_t __VERIFIER_nondet_u64(void)"),
    ("__VERIFIER_nondet_int8_t", "int8_t __VERIFIER_nondet_int8_t(void)"),
    ("__VERIFIER_nondet_int16_t", "int16_t __VERIFIER_nondet_int16_t(void)"),
    ("__VERIFIER_nondet_int32_t", "int32_t __VERIFIER_nondet_int32_t(void)"),
    ("__VERIFIER_nondet_int64_t", "int64_t __VERIFIER_nondet_int64_t(void)"),
    ("__VERIFIER_nondet_uint8_t", "uint8_t __VERIFIER_nondet_uint8_t(void)"),
    ("__VERIFIER_nondet_uint16_t", "uint16_t __VERIFIER_nondet_uint16_t(void)"),
    ("__VERIFIER_nondet_uint32_t", "uint32_t __VERIFIER_nondet_uint32_t(void)"),
    ("__VERIFIER_nondet_uint64_t", "uint64_t __VERIFIER_nondet_uint64_t(void)"),
    ("__VERIFIER_nondet_pchar", "char *__VERIFIER_nondet_pchar(void)"),
    ("__VERIFIER_nondet_charp", "char *__VERIFIER_nondet_charp(void)"),
    ("__VERIFIER_nondet_pointer", "void *__VERIFIER_nondet_pointer(void)"),
    ("nondet_bool", "_Bool nondet_bool(void)"),
    ("nondet__Bool", "_Bool nondet__Bool(void)"),
    ("nondet_char", "char nondet_char(void)"),
    ("nondet_schar", "signed char nondet_schar(void)"),
    ("nondet_uchar", "unsigned char nondet_uchar(void)"),
    ("nondet_unsigned_char", "unsigned char nondet_unsigned_char(void)"),
    ("nondet_short", "short nondet_short(void)"),
    ("nondet_ushort", "unsigned short nondet_ushort(void)"),
    ("nondet_unsigned_short", "unsigned short nondet_unsigned_short(void)"),
    ("nondet_int", "int nondet_int(void)"),
    ("nondet_uint", "unsigned int nondet_uint(void)"),
    ("nondet_unsigned", "unsigned int nondet_unsigned(void)"),
    ("nondet_unsigned_int", "unsigned int nondet_unsigned_int(void)"),
    ("nondet_long", "long nondet_long(void)"),
    ("nondet_ulong", "unsigned long nondet_ulong(void)"),
    ("nondet_unsigned_long", "unsigned long nondet_unsigned_long(void)"),
    ("nondet_longlong", "long long nondet_longlong(void)"),
    ("nondet_ulonglong", "unsigned long long nondet_ulonglong(void)"),
    ("nondet_int128", "__int128 nondet_int128(void)"),
    ("nondet_uint128", "unsigned __int128 nondet_uint128(void)"),
    ("nondet_float", "float nondet_float(void)"),
    ("nondet_double", "double nondet_double(void)"),
    ("nondet_size_t", "size_t nondet_size_t(void)"),
    ("nondet_loff_t", "long long nondet_loff_t(void)"),
    ("nondet_sector_t", "unsigned long nondet_sector_t(void)"),
    ("nondet_pthread_t", "unsigned long nondet_pthread_t(void)"),
    ("nondet_uintptr_t", "uintptr_t nondet_uintptr_t(void)"),
    ("nondet_u8", "uint8_t nondet_u8(void)"),
    ("nondet_u16", "uint16_t nondet_u16(void)"),
    ("nondet_u32", "uint32_t nondet_u32(void)"),
    ("nondet_u64", "uint64_t nondet_u64(void)"),
    ("nondet_int8_t", "int8_t nondet_int8_t(void)"),
    ("nondet_int16_t", "int16_t nondet_int16_t(void)"),
    ("nondet_int32_t", "int32_t nondet_int32_t(void)"),
    ("nondet_int64_t", "int64_t nondet_int64_t(void)"),
    ("nondet_uint8_t", "uint8_t nondet_uint8_t(void)"),
    ("nondet_uint16_t", "uint16_t nondet_uint16_t(void)"),
    ("nondet_uint32_t", "uint32_t nondet_uint32_t(void)"),
    ("nondet_uint64_t", "uint64_t nondet_uint64_t(void)"),
    ("nondet_pchar", "char *nondet_pchar(void)"),
    ("nondet_charp", "char *nondet_charp(void)"),
    ("nondet_pointer", "void *nondet_pointer(void)"),
    ("__VERIFIER_nondet_memory", "void __VERIFIER_nondet_memory(void *, size_t)"),
    ("klee_make_symbolic", "void klee_make_symbolic(void *, size_t, const char *)"),
    ("klee_assume", "void klee_assume(uintptr_t)"),
    ("klee_range", "int klee_range(int, int, const char *)"),
    ("klee_int", "int klee_int(const char *)"),
    ("klee_choose", "uintptr_t klee_choose(uintptr_t)"),
    ("klee_is_symbolic", "unsigned klee_is_symbolic(uintptr_t)"),
    ("klee_is_replay", "unsigned klee_is_replay(void)"),
    ("klee_silent_exit", "__attribute__((noreturn)) void klee_silent_exit(int)"),
    ("klee_abort", "__attribute__((noreturn)) void klee_abort(void)"),
    (
        "klee_report_error",
        "__attribute__((noreturn)) void klee_report_error(const char *, int, const char *, const char *)",
    ),
    ("klee_warning", "void klee_warning(const char *)"),
    ("klee_warning_once", "void klee_warning_once(const char *)"),
    ("klee_prefer_cex", "void klee_prefer_cex(void *, uintptr_t)"),
    ("klee_get_obj_size", "size_t klee_get_obj_size(void *)"),
    ("klee_print_expr", "void klee_print_expr(const char *, ...)"),
    ("klee_check_memory_access", "void klee_check_memory_access(const void *, size_t)"),
    ("klee_open_merge", "void klee_open_merge(void)"),
    ("klee_close_merge", "void klee_close_merge(void)"),
    ("klee_stack_trace", "void klee_stack_trace(void)"),
    ("__ESBMC_assume", "void __ESBMC_assume(_Bool)"),
    ("__ESBMC_assert", "void __ESBMC_assert(_Bool, const char *)"),
    ("__ESBMC_cover", "void __ESBMC_cover(_Bool)"),
    ("__ESBMC_atomic_begin", "void __ESBMC_atomic_begin(void)"),
    ("__ESBMC_atomic_end", "void __ESBMC_atomic_end(void)"),
    ("__ESBMC_r_ok", "_Bool __ESBMC_r_ok(const void *, size_t)"),
    ("__ESBMC_w_ok", "_Bool __ESBMC_w_ok(const void *, size_t)"),
    ("__ESBMC_rw_ok", "_Bool __ESBMC_rw_ok(const void *, size_t)"),
    ("__ESBMC_same_object", "_Bool __ESBMC_same_object(const void *, const void *)"),
    ("__ESBMC_get_object_size", "size_t __ESBMC_get_object_size(const void *)"),
    ("__ESBMC_POINTER_OFFSET", "ptrdiff_t __ESBMC_POINTER_OFFSET(const void *)"),
    ("__ESBMC_POINTER_OBJECT", "uintptr_t __ESBMC_POINTER_OBJECT(const void *)"),
    ("__CPROVER_size_t", "typedef size_t __CPROVER_size_t"),
    ("__CPROVER_ssize_t", "typedef ptrdiff_t __CPROVER_ssize_t"),
    ("__CPROVER_bool", "typedef _Bool __CPROVER_bool"),
    ("__CPROVER_assume", "void __CPROVER_assume(_Bool)"),
    ("__CPROVER_assert", "void __CPROVER_assert(_Bool, const char *)"),
    ("__CPROVER_precondition", "void __CPROVER_precondition(_Bool, const char *)"),
    ("__CPROVER_postcondition", "void __CPROVER_postcondition(_Bool, const char *)"),
    ("__CPROVER_cover", "void __CPROVER_cover(_Bool)"),
    ("__CPROVER_input", "void __CPROVER_input(const char *, ...)"),
    ("__CPROVER_output", "void __CPROVER_output(const char *, ...)"),
    ("__CPROVER_atomic_begin", "void __CPROVER_atomic_begin(void)"),
    ("__CPROVER_atomic_end", "void __CPROVER_atomic_end(void)"),
    // With one argument they are about what it points to.
    (
        "__CPROVER_r_ok",
        "_Bool __CPROVER_r_ok(const void *, size_t);\n#define __CPROVER_r_ok(p, ...) __CPROVER_r_ok((p), (sizeof(*(p)), ##__VA_ARGS__))",
    ),
    (
        "__CPROVER_w_ok",
        "_Bool __CPROVER_w_ok(const void *, size_t);\n#define __CPROVER_w_ok(p, ...) __CPROVER_w_ok((p), (sizeof(*(p)), ##__VA_ARGS__))",
    ),
    (
        "__CPROVER_rw_ok",
        "_Bool __CPROVER_rw_ok(const void *, size_t);\n#define __CPROVER_rw_ok(p, ...) __CPROVER_rw_ok((p), (sizeof(*(p)), ##__VA_ARGS__))",
    ),
    ("__CPROVER_OBJECT_SIZE", "size_t __CPROVER_OBJECT_SIZE(const void *)"),
    ("__CPROVER_POINTER_OFFSET", "size_t __CPROVER_POINTER_OFFSET(const void *)"),
    ("__CPROVER_POINTER_OBJECT", "size_t __CPROVER_POINTER_OBJECT(const void *)"),
    ("__CPROVER_same_object", "_Bool __CPROVER_same_object(const void *, const void *)"),
    ("__CPROVER_DYNAMIC_OBJECT", "_Bool __CPROVER_DYNAMIC_OBJECT(const void *)"),
    ("__CPROVER_isnanf", "_Bool __CPROVER_isnanf(float)"),
    ("__CPROVER_isnand", "_Bool __CPROVER_isnand(double)"),
    ("__CPROVER_isinff", "_Bool __CPROVER_isinff(float)"),
    ("__CPROVER_isinfd", "_Bool __CPROVER_isinfd(double)"),
    ("__CPROVER_isfinitef", "_Bool __CPROVER_isfinitef(float)"),
    ("__CPROVER_isfinited", "_Bool __CPROVER_isfinited(double)"),
    (
        "__CPROVER_fence",
        "void __CPROVER_fence(const char *, ...);\n#define __CPROVER_fence(...) __sync_synchronize()",
    ),
    ("selvedge_symbolic", "void selvedge_symbolic(void *, size_t, const char *)"),
    ("selvedge_outside", "void selvedge_outside(void *, size_t, const char *)"),
    ("selvedge_assume", "void selvedge_assume(_Bool)"),
    ("selvedge_assert", "void selvedge_assert(_Bool)"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_names_that_clang_reports_are_declared() {
        let stderr = "a.c:1:20: error: call to undeclared function '__VERIFIER_nondet_ulong'; ISO C99 ...\n\
                      a.c:2:20: error: call to undeclared function 'helper'; ISO C99 ...\n\
                      a.c:3:20: error: call to undeclared function '__VERIFIER_nondet_ulong'; ISO C99 ...\n";
        assert_eq!(undeclared(stderr), ["__VERIFIER_nondet_ulong"]);
        let header = header(&["__VERIFIER_nondet_ulong", "abort", "malloc"]);
        assert!(header.contains("unsigned long __VERIFIER_nondet_ulong(void);\n"), "{header}");
        assert_eq!(header.matches("stdlib.h").count(), 1, "{header}");
        assert!(!header.contains("nondet_int"), "{header}");
    }
}
