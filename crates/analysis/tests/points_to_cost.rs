//! How much work the points-to analysis does: exact counters, which depend on the program only.
//!
//! Programs come in two sizes. Twice the program has twice the nodes and edges, where a plain solver has an edge for each
//! store and load that meet. Steps grow faster: they count the words of sets, which are copied as they grow.

use selvedge_analysis::{Properties, Slice};
use selvedge_program::{parse, validate};

/// Nodes, edges and steps.
fn cost(text: &str) -> (usize, usize, u64) {
    let program = parse(text).unwrap_or_else(|e| panic!("{e}"));
    validate(&program).unwrap_or_else(|problems| panic!("{problems:?}"));
    let slice = Slice::new(&program, Properties::default());
    assert_eq!(slice.gave_up(), None);
    let stats = slice.stats();
    (stats.nodes, stats.edges, stats.work)
}

fn globals(n: usize) -> String {
    (0..n).map(|i| format!("global @g{i} size 4 align 4 = {{}}\n")).collect()
}

/// So many pointers are written to any element of an array, and as many are read from any.
fn table(n: usize) -> String {
    let mut text = format!("entry @main\n{}global @t size {} align 8 = {{}}\n", globals(n), 8 * n);
    text.push_str("func @main(%0: i32) {\nbb0: %1: ptr = ptradd @t, 0, i32 %0 * 8\n");
    for i in 0..n {
        text.push_str(&format!("store ptr @g{i} to %1\n%{}: ptr = load ptr %1\n", i + 2));
    }
    text.push_str("return }\n");
    text
}

/// So many functions call each other in a circle, each with the pointer it was given or one of its own.
fn circle(n: usize) -> String {
    let mut text = format!("entry @main\n{}", globals(n));
    for i in 0..n {
        let next = (i + 1) % n;
        text.push_str(&format!(
            "func @f{i}(%0: ptr) {{\nbb0: store i32 1i32 to %0\ncall @f{next}(ptr %0)\ncall @f{next}(ptr @g{i})\nreturn }}\n"
        ));
    }
    text.push_str("func @main() {\nbb0: call @f0(ptr @g0)\nreturn }\n");
    text
}

#[test]
fn stores_and_loads_of_the_same_bytes_add_up() {
    assert_eq!(cost(&table(20)), (48, 82, 515));
    assert_eq!(cost(&table(40)), (88, 162, 1_425));
}

#[test]
fn a_circle_of_calls_is_one_node() {
    assert_eq!(cost(&circle(20)), (43, 41, 370));
    assert_eq!(cost(&circle(40)), (83, 81, 1_140));
}
