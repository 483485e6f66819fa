//! Control-flow graphs and the call graph of a program in Graphviz's DOT language.
//!
//! Guarantees: nodes and edges come in id order, so equal programs give equal text; every name and source line is
//! escaped. Selvedge's own C run-time is left out unless asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use selvedge_base::Loc;
use selvedge_program::{Block, BlockId, Callee, Edge, FuncId, Function, Inst, Program};

use crate::Sources;
use crate::paint::printable;

/// Which functions are drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// Those of the user. Default.
    #[default]
    User,
    /// Also those of the C run-time.
    All,
    /// The one of this name.
    Function(String),
}

/// Longest source line in a node.
const MAX_LINE: usize = 60;
/// Source lines in a node before the rest is summed up.
const MAX_LINES: usize = 12;

/// The defined functions that `scope` selects, in id order; empty if a named function does not exist.
fn selected<'a>(program: &'a Program, scope: &Scope) -> Vec<(FuncId, &'a Function)> {
    let wanted = |f: &Function| match scope {
        Scope::User => !f.is_runtime,
        Scope::All => true,
        Scope::Function(name) => f.name == *name || f.display_name.as_ref() == Some(name),
    };
    program.funcs.enumerate().filter(|(_, f)| f.is_defined() && wanted(f)).collect()
}

/// The control-flow graphs of the selected functions, or `None` if there is none.
pub fn control_flow(program: &Program, scope: &Scope, sources: &mut Sources) -> Option<String> {
    let funcs = selected(program, scope);
    if funcs.is_empty() {
        return None;
    }
    let mut out = start("control flow");
    for (id, func) in funcs {
        let _ = writeln!(out, "  subgraph \"cluster_{id}\" {{\n    label={};", quoted(&func_name(func)));
        for (block_id, block) in func.blocks.enumerate() {
            let label = block_label(program, block_id, block, sources);
            let style = block_style(block);
            let _ = writeln!(out, "    \"{id}.{block_id}\" [label=\"{label}\"{style}];");
        }
        for (block_id, block) in func.blocks.enumerate() {
            for (target, label) in edges(block) {
                let label =
                    if label.is_empty() { String::new() } else { format!(" [label={}]", quoted(&label)) };
                let _ = writeln!(out, "    \"{id}.{block_id}\" -> \"{id}.{target}\"{label};");
            }
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    Some(out)
}

/// The call graph of the selected functions and what they call, or `None` if there is none.
pub fn call_graph(program: &Program, scope: &Scope) -> Option<String> {
    let funcs = selected(program, scope);
    if funcs.is_empty() {
        return None;
    }
    let mut nodes: BTreeSet<FuncId> = funcs.iter().map(|(id, _)| *id).collect();
    // Calls by (caller, callee); `None` is a call through a pointer.
    let mut calls: BTreeMap<(FuncId, Option<FuncId>), u64> = BTreeMap::new();
    for (id, func) in &funcs {
        for inst in func.blocks.iter().flat_map(|b| &b.insts) {
            let Inst::Call { callee, .. } = inst else { continue };
            let target = match callee {
                Callee::Direct(target) => Some(*target),
                Callee::Indirect(_) => None,
            };
            nodes.extend(target);
            *calls.entry((*id, target)).or_default() += 1;
        }
    }
    let mut out = start("calls");
    for id in nodes {
        let func = &program.funcs[id];
        let style = match (func.is_defined(), func.is_runtime) {
            (false, _) => ", style=dashed",
            (true, true) => ", color=gray",
            (true, false) => "",
        };
        let entry = if program.entry == Some(id) { ", penwidth=2" } else { "" };
        let _ = writeln!(out, "  \"{id}\" [label={}{style}{entry}];", quoted(&func_name(func)));
    }
    if calls.keys().any(|(_, target)| target.is_none()) {
        out.push_str("  \"pointer\" [label=\"(through a pointer)\", style=dotted];\n");
    }
    for ((from, to), count) in calls {
        let to = to.map_or_else(|| "pointer".to_owned(), |id| id.to_string());
        let label = if count > 1 { format!(" [label=\"{count}\"]") } else { String::new() };
        let _ = writeln!(out, "  \"{from}\" -> \"{to}\"{label};");
    }
    out.push_str("}\n");
    Some(out)
}

pub(crate) fn start(name: &str) -> String {
    format!(
        "digraph {} {{\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n  edge [fontname=\"monospace\", fontsize=9];\n",
        quoted(name)
    )
}

fn func_name(func: &Function) -> String {
    func.display_name.clone().unwrap_or_else(|| func.name.clone())
}

/// A DOT string with its quotes.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

pub(crate) fn escaped(text: &str) -> String {
    printable(text).replace('\\', "\\\\").replace('"', "\\\"")
}

/// The block's name and the source lines it stands for, each left-aligned (`\l`).
fn block_label(program: &Program, id: BlockId, block: &Block, sources: &mut Sources) -> String {
    let mut lines: Vec<Loc> = Vec::new();
    for loc in block.locs.iter().filter(|l| l.is_known()) {
        let line = Loc { column: 0, ..*loc };
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let mut label = format!("{id}\\l");
    for loc in lines.iter().take(MAX_LINES) {
        let file = program.files.get(loc.file);
        let text = file
            .and_then(|f| sources.lines(&f.dir, &f.name))
            .and_then(|text| text.get(loc.line as usize - 1))
            .map(|line| line.trim().chars().take(MAX_LINE).collect::<String>());
        let _ = write!(label, "{}: {}\\l", loc.line, escaped(&text.unwrap_or_default()));
    }
    if lines.len() > MAX_LINES {
        let _ = write!(label, "... {} more lines\\l", lines.len() - MAX_LINES);
    }
    if block.insts.iter().any(|i| matches!(i, Inst::Unsupported { .. })) {
        label.push_str("(unsupported)\\l");
    }
    label
}

fn block_style(block: &Block) -> &'static str {
    match block.insts.last() {
        Some(Inst::Return { .. }) => ", peripheries=2",
        Some(Inst::Unreachable | Inst::Trap) => ", style=dashed",
        _ => "",
    }
}

/// Where control goes from `block`, with the condition.
fn edges(block: &Block) -> Vec<(BlockId, String)> {
    let to = |edge: &Edge, label: &str| (edge.target, label.to_owned());
    match block.insts.last() {
        Some(Inst::Jump { edge }) => vec![to(edge, "")],
        Some(Inst::Branch { then, otherwise, .. }) => vec![to(then, "true"), to(otherwise, "false")],
        Some(Inst::Switch { cases, default, .. }) => {
            let mut edges: Vec<_> = cases.iter().map(|(value, edge)| to(edge, &value.to_string())).collect();
            edges.push(to(default, "default"));
            edges
        }
        Some(Inst::IndirectJump { targets, .. }) => targets.iter().map(|edge| to(edge, "goto *")).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use expect_test::expect;
    use selvedge_base::{Dense, FileId};
    use selvedge_program::{Const, Operand, SourceFile, Target, Ty};

    fn func(name: &str, blocks: Vec<Block>) -> Function {
        Function {
            name: name.into(),
            display_name: None,
            params: vec![],
            byval: vec![],
            ret: vec![Ty::Int(32)],
            variadic: false,
            regs: Dense::new(),
            blocks: blocks.into_iter().collect(),
            loc: Loc::UNKNOWN,
            is_runtime: false,
            is_weak: false,
        }
    }

    fn block(insts: Vec<Inst>, line: u32) -> Block {
        let locs = vec![Loc { file: FileId(0), line, column: 1 }; insts.len()];
        Block { params: vec![], insts, locs }
    }

    fn program() -> Program {
        let mut p = Program::new(Target { ptr_bits: 64 });
        p.files.push(SourceFile { name: "sum.c".into(), dir: "/src".into() });
        let one = Operand::Const(p.add_const(Const::Int { width: 1, value: 1 }));
        let edge = |target: u32| Edge { target: BlockId(target), args: Box::new([]) };
        let call = |callee| Inst::Call { dsts: Box::new([]), callee, args: Box::new([]) };
        let ret = || Inst::Return { values: Box::new([one]) };
        let main = func(
            "main",
            vec![
                block(vec![Inst::Branch { cond: one, then: edge(1), otherwise: edge(2) }], 11),
                block(vec![call(Callee::Direct(FuncId(1))), call(Callee::Direct(FuncId(1))), ret()], 12),
                block(
                    vec![
                        call(Callee::Indirect(one)),
                        Inst::Switch {
                            value: one,
                            width: 1,
                            cases: Box::new([(0, edge(1))]),
                            default: edge(3),
                        },
                    ],
                    5,
                ),
                block(vec![Inst::Unsupported { what: "inline assembly".into() }, Inst::Unreachable], 0),
            ],
        );
        p.entry = Some(p.funcs.push(main));
        p.funcs.push(func("extern \"C\"", vec![]));
        let mut strlen = func("strlen", vec![block(vec![ret()], 0)]);
        strlen.is_runtime = true;
        p.funcs.push(strlen);
        p
    }

    #[test]
    fn control_flow_shows_source_lines_and_conditions() {
        let dot = control_flow(&program(), &Scope::User, &mut sample::sources()).expect("main is defined");
        expect![[r#"
            digraph "control flow" {
              node [shape=box, fontname="monospace", fontsize=10];
              edge [fontname="monospace", fontsize=9];
              subgraph "cluster_f0" {
                label="main";
                "f0.bb0" [label="bb0\l11: if (n < 0 || n > 10) return 0;\l"];
                "f0.bb1" [label="bb1\l12: return sum(n);\l", peripheries=2];
                "f0.bb2" [label="bb2\l5: for (int i = 0; i <= n; i++)\l"];
                "f0.bb3" [label="bb3\l(unsupported)\l", style=dashed];
                "f0.bb0" -> "f0.bb1" [label="true"];
                "f0.bb0" -> "f0.bb2" [label="false"];
                "f0.bb2" -> "f0.bb1" [label="0"];
                "f0.bb2" -> "f0.bb3" [label="default"];
              }
            }
        "#]]
        .assert_eq(&dot);
    }

    #[test]
    fn the_call_graph_counts_calls_and_marks_what_is_not_defined() {
        expect![[r#"
            digraph "calls" {
              node [shape=box, fontname="monospace", fontsize=10];
              edge [fontname="monospace", fontsize=9];
              "f0" [label="main", penwidth=2];
              "f1" [label="extern \"C\"", style=dashed];
              "pointer" [label="(through a pointer)", style=dotted];
              "f0" -> "pointer";
              "f0" -> "f1" [label="2"];
            }
        "#]]
        .assert_eq(&call_graph(&program(), &Scope::User).expect("main is defined"));
    }

    #[test]
    fn the_scope_selects_functions() {
        let names = |scope: &Scope| -> Vec<String> {
            selected(&program(), scope).iter().map(|(_, f)| f.name.clone()).collect()
        };
        assert_eq!(names(&Scope::User), ["main"]);
        assert_eq!(names(&Scope::All), ["main", "strlen"]);
        assert_eq!(names(&Scope::Function("strlen".into())), ["strlen"]);
        assert_eq!(call_graph(&program(), &Scope::Function("nope".into())), None);
    }
}
