//! The IR in the documentation is real.

use selvedge_program::{parse, validate};

#[test]
fn the_example_in_the_documentation_is_valid_and_printed_as_shown() {
    let page = include_str!("../../../docs/ir.md");
    let blocks: Vec<&str> =
        page.split("```ir\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!blocks.is_empty());
    for text in blocks {
        let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(validate(&program), Ok(()));
        assert_eq!(program.to_string(), text);
    }
}
