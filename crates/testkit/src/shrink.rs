//! Makes a program that shows a fault smaller while it keeps showing it.
//!
//! Statements, blocks and branches are removed first, then parenthesised parts of expressions are replaced by
//! constants. A candidate may be nonsense (it may not compile, or misbehave): the caller's test says which count.
//! Guarantees: the result passes the test if the start does; it ends, since every accepted step is smaller.

use crate::generator::{Node, render};

/// Shrinks `nodes` as long as `still_fails` accepts candidates and `go_on` allows further attempts.
pub fn shrink(
    nodes: Vec<Node>,
    still_fails: &mut dyn FnMut(&[Node]) -> bool,
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<Node> {
    let mut best = nodes;
    loop {
        let before = render(&best).len();
        remove(&mut best, still_fails, go_on);
        unwrap(&mut best, still_fails, go_on);
        simplify(&mut best, still_fails, go_on);
        if render(&best).len() >= before || !go_on() {
            return best;
        }
    }
}

/// A list of statements inside the tree: (index of the block, index of its part) from the root.
type Path = Vec<(usize, usize)>;

fn lists(nodes: &[Node], at: &mut Path, found: &mut Vec<Path>) {
    found.push(at.clone());
    for (index, node) in nodes.iter().enumerate() {
        if let Node::Block { parts, .. } = node {
            for (part, (_, body)) in parts.iter().enumerate() {
                at.push((index, part));
                lists(body, at, found);
                at.pop();
            }
        }
    }
}

/// The list at `path`; an earlier edit may have removed it.
fn list<'a>(nodes: &'a mut Vec<Node>, path: &[(usize, usize)]) -> Option<&'a mut Vec<Node>> {
    let mut here = nodes;
    for (index, part) in path {
        match here.get_mut(*index) {
            Some(Node::Block { parts, .. }) => here = &mut parts.get_mut(*part)?.1,
            _ => return None,
        }
    }
    Some(here)
}

/// Removes runs of neighbouring statements, long runs first.
fn remove(
    best: &mut Vec<Node>,
    still_fails: &mut dyn FnMut(&[Node]) -> bool,
    go_on: &mut dyn FnMut() -> bool,
) {
    let mut paths = Vec::new();
    lists(best, &mut Vec::new(), &mut paths);
    for path in paths {
        let Some(mut chunk) = list(best, &path).map(|l| l.len()) else { continue };
        while chunk > 0 {
            // From the end: what comes later rarely is needed by what comes earlier.
            let mut end = list(best, &path).map_or(0, |l| l.len());
            while end > 0 {
                if !go_on() {
                    return;
                }
                let start = end.saturating_sub(chunk);
                let mut candidate = best.clone();
                if let Some(list) = list(&mut candidate, &path) {
                    list.drain(start..end.min(list.len()));
                }
                if still_fails(&candidate) {
                    *best = candidate;
                }
                end = start;
            }
            chunk /= 2;
        }
    }
}

/// Replaces blocks by their content, and drops branches of if/else chains.
fn unwrap(
    best: &mut Vec<Node>,
    still_fails: &mut dyn FnMut(&[Node]) -> bool,
    go_on: &mut dyn FnMut() -> bool,
) {
    let mut paths = Vec::new();
    lists(best, &mut Vec::new(), &mut paths);
    for path in paths {
        let mut index = 0;
        while let Some(Some(node)) = list(best, &path).map(|l| l.get(index).cloned()) {
            let mut replacements: Vec<Vec<Node>> = Vec::new();
            if let Node::Block { parts, close } = node {
                replacements.extend(parts.iter().map(|(_, body)| body.clone()));
                for dropped in 1..parts.len() {
                    let mut parts = parts.clone();
                    parts.remove(dropped);
                    replacements.push(vec![Node::Block { parts, close: close.clone() }]);
                }
            }
            for replacement in replacements {
                if !go_on() {
                    return;
                }
                let mut candidate = best.clone();
                if let Some(list) = list(&mut candidate, &path) {
                    list.splice(index..=index, replacement);
                }
                if still_fails(&candidate) {
                    *best = candidate;
                    break;
                }
            }
            index += 1;
        }
    }
}

/// Replaces parenthesised expressions by `0`, `1` or one of their operands.
fn simplify(
    best: &mut Vec<Node>,
    still_fails: &mut dyn FnMut(&[Node]) -> bool,
    go_on: &mut dyn FnMut() -> bool,
) {
    let mut which = 0;
    while let Some(text) = texts(best).get(which).cloned() {
        let mut from = 0;
        'spans: while let Some((start, end)) = parenthesised(&text_at(best, which), from) {
            let text = text_at(best, which);
            let inner = &text[start + 1..end];
            let mut choices = vec!["0".to_owned(), "1".to_owned()];
            choices.extend(operands(inner));
            for choice in choices {
                if !go_on() {
                    return;
                }
                if choice.len() > end - start {
                    continue;
                }
                let mut candidate = best.clone();
                set_text(&mut candidate, which, format!("{}{choice}{}", &text[..start], &text[end + 1..]));
                if still_fails(&candidate) {
                    *best = candidate;
                    continue 'spans;
                }
            }
            from = start + 1;
        }
        let _ = text;
        which += 1;
    }
}

/// The operands of `a op b` at the top level of `inner`, each as it stands.
fn operands(inner: &str) -> Vec<String> {
    let mut depth = 0;
    let mut splits = Vec::new();
    for (at, c) in inner.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ' ' if depth == 0 => splits.push(at),
            _ => {}
        }
    }
    match (splits.first(), splits.last()) {
        (Some(first), Some(last)) if first < last => {
            vec![inner[..*first].to_owned(), inner[last + 1..].to_owned()]
        }
        _ => Vec::new(),
    }
}

/// The next `( ... )` that starts at or after `from` and is an operand, not the arguments of a call.
fn parenthesised(text: &str, from: usize) -> Option<(usize, usize)> {
    for (start, _) in text.match_indices('(').filter(|(at, _)| *at >= from) {
        let before = text[..start].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ')' || c == ']') {
            continue;
        }
        let mut depth = 0;
        for (at, c) in text[start..].char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some((start, start + at));
            }
        }
    }
    None
}

/// All texts of a tree: lines and heads, in order.
fn texts(nodes: &[Node]) -> Vec<String> {
    let mut found = Vec::new();
    let mut copy = nodes.to_vec();
    visit(&mut copy, &mut |text| found.push(text.clone()));
    found
}

fn text_at(nodes: &[Node], which: usize) -> String {
    texts(nodes).get(which).cloned().unwrap_or_default()
}

fn set_text(nodes: &mut [Node], which: usize, new: String) {
    let mut index = 0;
    visit(nodes, &mut |text| {
        if index == which {
            text.clone_from(&new);
        }
        index += 1;
    });
}

fn visit(nodes: &mut [Node], f: &mut dyn FnMut(&mut String)) {
    for node in nodes {
        match node {
            Node::Line(text) => f(text),
            Node::Block { parts, .. } => {
                for (head, body) in parts {
                    f(head);
                    visit(body, f);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::{Options, generate};

    #[test]
    fn what_is_not_needed_goes() {
        let start = generate(3, &Options::default()).nodes;
        let mut fails =
            |nodes: &[Node]| render(nodes).contains("printf") && render(nodes).contains("int main");
        let small = render(&shrink(start, &mut fails, &mut || true));
        assert_eq!(small.lines().count(), 3, "{small}");
    }

    #[test]
    fn expressions_are_cut_down_to_what_matters() {
        let start = vec![Node::Line("x = ((a + (b * c)) - (d ^ e));".to_owned())];
        let mut fails = |nodes: &[Node]| render(nodes).contains("(b * c)");
        assert_eq!(render(&shrink(start, &mut fails, &mut || true)), "x = (b * c);\n");
    }

    #[test]
    fn blocks_are_unwrapped_and_branches_dropped() {
        let start = vec![Node::Block {
            parts: vec![
                ("if (a)".to_owned(), vec![Node::Line("x;".to_owned())]),
                ("else".to_owned(), vec![Node::Line("y;".to_owned())]),
            ],
            close: String::new(),
        }];
        let mut fails = |nodes: &[Node]| render(nodes).contains('y');
        assert_eq!(render(&shrink(start, &mut fails, &mut || true)), "y;\n");
    }

    #[test]
    fn it_stops_when_told_to() {
        let start = generate(3, &Options::default()).nodes;
        let mut left = 5;
        let mut go_on = || {
            left -= 1;
            left > 0
        };
        let mut asked = 0;
        let mut fails = |_: &[Node]| {
            asked += 1;
            false
        };
        assert_eq!(shrink(start.clone(), &mut fails, &mut go_on), start);
        assert!(asked < 5);
    }
}
