//! A generated program as a tree of lines and blocks: what is printed, and what the shrinker cuts.
//!
//! Nothing below a line is structure: a line is text that is kept or dropped whole. Parts of a program that only
//! make sense together (a loop and its counter) are one line or one block head.

use std::fmt::Write as _;

/// A piece of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// One or more whole lines.
    Line(String),
    /// `head { body } head { body } close`, as in if/else chains, loops and functions.
    Block {
        /// Text before each brace, and what stands inside it.
        parts: Vec<(String, Vec<Node>)>,
        /// Text after the last brace, such as `while (i < 3);`.
        close: String,
    },
}

impl Node {
    pub(crate) fn line(text: impl Into<String>) -> Node {
        Node::Line(text.into())
    }

    pub(crate) fn block(head: impl Into<String>, body: Vec<Node>) -> Node {
        Node::Block { parts: vec![(head.into(), body)], close: String::new() }
    }

    /// Number of nodes, this one included.
    pub fn size(&self) -> usize {
        match self {
            Node::Line(_) => 1,
            Node::Block { parts, .. } => 1 + parts.iter().map(|(_, body)| size(body)).sum::<usize>(),
        }
    }
}

/// Number of nodes in a list.
pub fn size(nodes: &[Node]) -> usize {
    nodes.iter().map(Node::size).sum()
}

/// The C text of a program.
pub fn render(nodes: &[Node]) -> String {
    let mut out = String::new();
    write_nodes(&mut out, nodes, 0);
    out
}

fn write_nodes(out: &mut String, nodes: &[Node], depth: usize) {
    let indent = "  ".repeat(depth);
    for node in nodes {
        match node {
            Node::Line(text) => {
                for line in text.lines() {
                    let _ = writeln!(out, "{indent}{line}");
                }
            }
            Node::Block { parts, close } => {
                for (index, (head, body)) in parts.iter().enumerate() {
                    let gap = if head.is_empty() { "" } else { " " };
                    let lead = if index == 0 { indent.as_str() } else { " " };
                    let _ = writeln!(out, "{lead}{head}{gap}{{");
                    write_nodes(out, body, depth + 1);
                    let _ = write!(out, "{indent}}}");
                }
                let gap = if close.is_empty() { "" } else { " " };
                let _ = writeln!(out, "{gap}{close}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_indented_and_chained() {
        let tree = Node::Block {
            parts: vec![
                ("if (a)".to_owned(), vec![Node::line("x = 1;")]),
                ("else".to_owned(), vec![Node::block("while (b)", vec![])]),
            ],
            close: String::new(),
        };
        assert_eq!(render(&[tree]), "if (a) {\n  x = 1;\n} else {\n  while (b) {\n  }\n}\n");
    }

    #[test]
    fn the_text_after_the_last_brace_is_kept() {
        let tree = Node::Block { parts: vec![("do".to_owned(), vec![])], close: "while (0);".to_owned() };
        assert_eq!((render(std::slice::from_ref(&tree)).as_str(), tree.size()), ("do {\n} while (0);\n", 1));
    }
}
