//! `docs/library.md` lists exactly the library functions that there are.
//!
//! The page is made from the symbols of the C run-time and the names in the engine's models; `UPDATE_EXPECT=1` writes
//! it again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/library.md");
const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../exec/src/models");

const INTRO: &str = "\
# Library functions

What a program may call without defining it.
A definition in the program wins over the one listed here; a function that is neither in the program nor here ends the path that calls it, and the verdict is `unknown`.
Names with a leading underscore, which only compilers and headers use, are left out.
This page is written by a test (`UPDATE_EXPECT=1 cargo test -p selvedge-testkit --test library_page`), and the same test fails when it is not true any more.

Inputs of every scalar type are `selvedge_int(\"name\")` and the like and `__VERIFIER_nondet_int()` and the like; `selvedge.h` has the full list.
Of CBMC and ESBMC there are `__CPROVER_assume`, `__CPROVER_assert`, `__ESBMC_atomic_begin` and the like, and questions about pointers: `__CPROVER_r_ok`, `__CPROVER_w_ok`, `__CPROVER_rw_ok`, `__CPROVER_OBJECT_SIZE`, `__CPROVER_POINTER_OFFSET`, `__CPROVER_POINTER_OBJECT`, `__CPROVER_same_object`, `__CPROVER_DYNAMIC_OBJECT`, with their counterparts `__ESBMC_r_ok`, `__ESBMC_get_object_size`, ...
What the functions do where C leaves it open is in [limitations.md](limitations.md).
";

/// The heading for a file of the run-time or of the models.
fn heading(file: &str) -> &'static str {
    match file {
        "ctype" => "Characters (`ctype.h`)",
        "string" | "memory" | "errno" | "texts" => "Strings and memory (`string.h`, `strings.h`, `libgen.h`)",
        "options" | "env" | "environ" | "stdlib" | "number" | "exit" | "process" | "random" | "rand48" => {
            "Program, numbers, sorting (`stdlib.h`, `assert.h`)"
        }
        "system" => "System (`sys/resource.h`, `unistd.h`, `sched.h`)",
        "descriptors" | "names" | "facts" | "directories" | "temporary" => {
            "Files (`fcntl.h`, `unistd.h`, `sys/stat.h`, `dirent.h`)"
        }
        "pipe" | "poll" | "masking" | "epoll" | "epollwait" | "eventfd" | "timerfd" => {
            "Pipes and waiting for descriptors (`unistd.h`, `poll.h`, `sys/select.h`, `sys/epoll.h`)"
        }
        "inet" | "network" | "resolve" | "socket" | "address" | "message" | "connect" | "transfer"
        | "sockopt" => "Network (`sys/socket.h`, `netdb.h`, `arpa/inet.h`)",
        "mapping" => "Mappings (`sys/mman.h`, `unistd.h`), anonymous ones only",
        "heap" | "cxx" => "Allocation (`stdlib.h`, `malloc.h`, C++ `new` and `delete`)",
        "print" | "format" | "scan" | "scanf" | "stream" | "io" | "complain" | "standard" | "fopen"
        | "memstream" | "buffering" | "perror" | "dprintf" | "output" | "progname" | "ferror" | "console"
        | "stream_lock" => "Input and output (`stdio.h`, `err.h`)",
        "wide" | "multibyte" | "wctype" => "Wide characters (`wchar.h`, `wctype.h`), in the C locale",
        "search" => "Searching (`search.h`)",
        "complex" => "Complex numbers (`complex.h`)",
        "math_errors" | "math" | "fpclass" | "fenv" => {
            "Mathematics (`math.h`), most of it on concrete numbers only"
        }
        "time" | "calendar" | "dates" => "Time (`time.h`)",
        "signal" | "sigset" | "setjmp" => "Jumps and signals (`setjmp.h`, `signal.h`)",
        "locale" => "Locale (`locale.h`, `langinfo.h`)",
        "thread" | "threads" | "attributes" | "timedwait" | "exceptions" | "chrono" => {
            "Threads (`pthread.h`, `semaphore.h`, `threads.h`)"
        }
        "input" => "Inputs and assumptions (`selvedge.h`, SV-COMP, KLEE)",
        _ => "Other",
    }
}

fn stem(file: &str) -> &str {
    Path::new(file).file_stem().and_then(|s| s.to_str()).unwrap_or(file)
}

/// All string literals of a source file that look like names.
fn literals(source: &str) -> impl Iterator<Item = &str> {
    let is_name = |s: &&str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    source.split('"').filter(is_name)
}

fn page() -> String {
    let mut families: BTreeMap<&'static str, BTreeSet<String>> = BTreeMap::new();
    let mut add = |file: &str, name: &str| {
        if !name.starts_with('_') || matches!(name, "_exit" | "_Exit") {
            families.entry(heading(stem(file))).or_default().insert(name.to_owned());
        }
    };
    for (file, names) in selvedge_frontend::library() {
        names.iter().for_each(|name| add(file, name));
    }
    let mut folders = vec![Path::new(MODELS).to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the models") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = std::fs::read_to_string(&path).expect("a source file");
            let names = literals(&source).filter(|name| selvedge_exec::is_modelled(name));
            // A family that fills a folder is named by it.
            let family = if folder == Path::new(MODELS) { &path } else { &folder };
            names.for_each(|name| add(&family.to_string_lossy(), name));
        }
    }
    let mut page = INTRO.to_owned();
    for (heading, names) in families {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        page.push_str(&format!("\n## {heading}\n\n{}\n", names.join(", ")));
    }
    page
}

#[test]
fn the_page_lists_what_there_is() {
    let page = page();
    for name in ["`strlen`", "`malloc`", "`printf`", "`qsort`", "`sin`", "`strtol`", "`klee_make_symbolic`"] {
        assert!(page.contains(name), "{name} is not found");
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(PAGE, &page).expect("a document of ours");
    }
    let written = std::fs::read_to_string(PAGE).expect("docs/library.md");
    assert!(written == page, "docs/library.md is not up to date: run this test with UPDATE_EXPECT=1");
}
