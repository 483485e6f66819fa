//! Pages list exactly what there is: `docs/library.md` the library functions, `docs/limitations.md` the choices that the
//! engine can make for the user.
//!
//! The former is made from the symbols of the C run-time and the table of library functions; `UPDATE_EXPECT=1` writes it
//! again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use selvedge_library::{Known, Row, Topic};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/library.md");

const INTRO: &str = "\
# Library functions

What a program may call without defining it.
A definition in the program wins over the one listed here; a function that is neither in the program nor here ends the path that calls it, and the verdict is `unknown`.
Names with a leading underscore, which only compilers and headers use, are left out.
This page is written by a test (`UPDATE_EXPECT=1 cargo test -p selvedge-testkit --test pages`), and the same test fails when it is not true any more.

Inputs of every scalar type are `selvedge_int(\"name\")` and the like and `__VERIFIER_nondet_int()` and the like; `selvedge.h` has the full list.
Of CBMC and ESBMC there are `__CPROVER_assume`, `__CPROVER_assert`, `__ESBMC_atomic_begin` and the like, and questions about pointers: `__CPROVER_r_ok`, `__CPROVER_w_ok`, `__CPROVER_rw_ok`, `__CPROVER_OBJECT_SIZE`, `__CPROVER_POINTER_OFFSET`, `__CPROVER_POINTER_OBJECT`, `__CPROVER_same_object`, `__CPROVER_DYNAMIC_OBJECT`, with their counterparts `__ESBMC_r_ok`, `__ESBMC_get_object_size`, ...
What the functions do where C leaves it open is in [limitations.md](limitations.md).
";

const MODELLED: &str = "
## What the engine itself does

The functions whose meaning is not C code of the run-time.
Those that wait can make their thread wait for others; of those with a version of their own `replay --native` calls ours instead of the system's, always or where the recorded execution asks for it.

| functions | what they do | wait | own version |
|---|---|---|---|
";

/// What a file of the run-time is about that has functions for programs.
fn topic(file: &str) -> Topic {
    match file {
        "ctype" => Topic::Characters,
        "string" | "texts" | "errno" => Topic::Memory,
        "options" | "env" | "environ" | "stdlib" | "number" | "exit" | "random" | "rand48" => Topic::Program,
        "system" => Topic::System,
        "descriptors" | "table" | "names" | "facts" | "directories" | "temporary" => Topic::Files,
        "pipe" | "poll" | "masking" | "epoll" | "epollwait" | "eventfd" | "timerfd" => Topic::Descriptors,
        "inet" | "network" | "resolve" | "socket" | "address" | "message" | "connect" | "transfer"
        | "sockopt" => Topic::Network,
        "mapping" => Topic::Mappings,
        "cxx" => Topic::Allocation,
        "print" | "format" | "scan" | "scanf" | "stream" | "complain" | "standard" | "fopen"
        | "memstream" | "buffering" | "perror" | "dprintf" | "output" | "progname" | "ferror" => {
            Topic::Streams
        }
        "wide" | "multibyte" | "wctype" => Topic::WideCharacters,
        "search" => Topic::Searching,
        "complex" => Topic::ComplexNumbers,
        "math" | "fpclass" | "fenv" => Topic::Mathematics,
        "time" | "calendar" | "dates" => Topic::Time,
        "signal" | "sigset" => Topic::Jumps,
        "locale" => Topic::Locale,
        "threads" | "attributes" | "timedwait" | "exceptions" | "chrono" => Topic::Threads,
        _ => panic!("nobody has said what runtime/{file}.c is about"),
    }
}

fn stem(file: &str) -> &str {
    Path::new(file).file_stem().and_then(|s| s.to_str()).unwrap_or(file)
}

/// Whether programs call the function, not only compilers and headers.
fn is_for_programs(name: &str) -> bool {
    !name.starts_with('_') || matches!(name, "_exit" | "_Exit")
}

fn page() -> String {
    let mut families: BTreeMap<&'static str, BTreeSet<&'static str>> = BTreeMap::new();
    let mut add = |topic: Topic, name: &'static str| {
        families.entry(topic.heading()).or_default().insert(name);
    };
    for (file, names) in selvedge_frontend::library() {
        let names = names.iter().filter(|name| is_for_programs(name));
        names.for_each(|name| add(topic(stem(file)), name));
    }
    for known in Known::all().filter(|known| known.is_modelled()) {
        let names = known.names().filter(|name| is_for_programs(name));
        names.for_each(|name| add(known.topic(), name));
    }
    let mut page = INTRO.to_owned();
    for (heading, names) in families {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        page.push_str(&format!("\n## {heading}\n\n{}\n", names.join(", ")));
    }
    page.push_str(MODELLED);
    // The precisions of a function have one row.
    let mut rows: Vec<(&Row, Vec<String>)> = Vec::new();
    for known in Known::all().filter(|known| known.is_modelled()) {
        let names = known.names().filter(|name| is_for_programs(name)).map(|name| format!("`{name}`"));
        match rows.last_mut() {
            Some((row, all)) if std::ptr::eq(*row, known.row()) => all.extend(names),
            _ => rows.push((known.row(), names.collect())),
        }
    }
    for (row, names) in rows.into_iter().filter(|(_, names)| !names.is_empty()) {
        let [waits, own] = [row.waits, !row.native.is_empty()].map(|is_so| if is_so { "yes" } else { "" });
        page.push_str(&format!("| {} | {} | {waits} | {own} |\n", names.join(", "), row.does.trim()));
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

#[test]
fn the_table_of_choices_and_the_ledger_agree() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/limitations.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let section = page.split("\n## ").find(|part| part.starts_with("Choices that are made for you"));
    let section = section.expect("the page has the section");
    let mut listed = Vec::new();
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 3, "a row has three cells: {line}");
        listed.push((cells[0].trim_matches('`').to_owned(), cells[1].to_owned()));
    }
    let known: Vec<(String, String)> =
        selvedge_engine::known_assumptions().map(|(id, text)| (id.to_owned(), text.to_owned())).collect();
    assert_eq!(listed, known, "left: docs/limitations.md, right: crates/exec/src/ledger.rs");
}
