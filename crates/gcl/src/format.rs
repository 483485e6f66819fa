//! The one layout: four spaces, one declaration a line, parentheses only where they are needed.
//!
//! Guarantees: the result parses to the same tree, comments stay (those inside a declaration move in front
//! of it), at most one blank line is kept between declarations; formatting twice changes nothing.

use std::fmt::Write as _;

use crate::ast::{
    BinOp, Comment, Expr, ExprKind, Fold, Init, ItemKind, LocalKind, Name, Path, Process, Program, Range,
    TransitionDecl, Type, VarDecl,
};
use crate::error::Span;

/// The text of `program` in the standard layout.
pub fn format(program: &Program) -> String {
    let mut out = Printer { program, text: String::new(), next_comment: 0, last_end: None };
    for item in &program.items {
        if let ItemKind::Process(process) = &item.kind {
            let opening = Span { start: item.span.start, end: process.name.span.end };
            out.before(opening, "");
            let _ = write!(out.text, "process {}{} {{", process.name.text, bracket(process.range.as_ref()));
            out.last_end = Some(opening.end);
            out.after(opening.end);
            out.locals(process);
            out.comments_until(item.span.end, "    ");
            out.text.push('}');
        } else {
            out.before(item.span, "");
            let line = item_text(&item.kind);
            out.text.push_str(&line);
        }
        out.last_end = Some(item.span.end);
        out.after(item.span.end);
    }
    out.comments_until(usize::MAX, "");
    out.text
}

struct Printer<'a> {
    program: &'a Program,
    text: String,
    next_comment: usize,
    /// Where the last thing printed ended in the source.
    last_end: Option<usize>,
}

impl Printer<'_> {
    fn locals(&mut self, process: &Process) {
        for local in &process.locals {
            self.before(local.span, "    ");
            let line = match &local.kind {
                LocalKind::Locations(names) => format!("loc {};", list(names)),
                LocalKind::Var(decl) => var_text(decl),
                LocalKind::Transition(transition) => transition_text(transition),
            };
            let _ = write!(self.text, "    {line}");
            self.last_end = Some(local.span.end);
            self.after(local.span.end);
        }
    }

    fn comment(&self) -> Option<&Comment> {
        self.program.comments.get(self.next_comment)
    }

    /// Whether a blank line of the source stands between what was printed last and `start`.
    fn blank_before(&self, start: usize) -> bool {
        let Some(end) = self.last_end else { return false };
        let between = self.program.source.get(end..start).unwrap_or_default();
        // The first piece is the rest of the last line, the last one the indentation.
        let pieces: Vec<&str> = between.split('\n').collect();
        pieces.len() > 2 && pieces[1..pieces.len() - 1].iter().any(|piece| piece.trim().is_empty())
    }

    /// Comments in front of `span` and inside of it, and a blank line if there was one.
    fn before(&mut self, span: Span, indent: &str) {
        self.comments_until(span.end, indent);
        if self.blank_before(span.start) {
            self.text.push('\n');
        }
    }

    fn comments_until(&mut self, end: usize, indent: &str) {
        while let Some(comment) = self.comment() {
            if comment.span.start >= end {
                return;
            }
            let (start, text, stop) = (comment.span.start, comment.text.clone(), comment.span.end);
            if self.blank_before(start) {
                self.text.push('\n');
            }
            let _ = writeln!(self.text, "{indent}{text}");
            self.last_end = Some(stop);
            self.next_comment += 1;
        }
    }

    /// Ends the line, with the comment that stood behind on it.
    fn after(&mut self, end: usize) {
        if let Some(comment) = self.comment() {
            let between = self.program.source.get(end..comment.span.start).unwrap_or("\n");
            if !between.contains('\n') {
                let (text, stop) = (comment.text.clone(), comment.span.end);
                let _ = write!(self.text, "  {text}");
                self.last_end = Some(stop);
                self.next_comment += 1;
            }
        }
        self.text.push('\n');
    }
}

fn list(names: &[Name]) -> String {
    names.iter().map(|n| n.text.as_str()).collect::<Vec<_>>().join(", ")
}

fn bracket(range: Option<&Range>) -> String {
    range.map_or(String::new(), |range| format!("[{}]", range_text(range)))
}

fn range_text(range: &Range) -> String {
    format!("{}: {}..{}", range.name.text, at(&range.low, SUM), at(&range.high, SUM))
}

fn item_text(item: &ItemKind) -> String {
    match item {
        ItemKind::Const(name, value) => format!("const {} = {};", name.text, expr(value)),
        ItemKind::Enum(name, members) => format!("enum {} {{ {} }}", name.text, list(members)),
        ItemKind::Var(decl) => var_text(decl),
        ItemKind::Define(name, params, body) if params.is_empty() => {
            format!("define {} = {};", name.text, expr(body))
        }
        ItemKind::Define(name, params, body) => {
            format!("define {}({}) = {};", name.text, list(params), expr(body))
        }
        ItemKind::Init(init) => format!("init {};", expr(init)),
        ItemKind::Property { bad, expr: states } => {
            format!("{} {};", if *bad { "bad" } else { "safe" }, expr(states))
        }
        ItemKind::Process(process) => format!("process {}", process.name.text),
    }
}

fn var_text(decl: &VarDecl) -> String {
    let name = |(name, size): &(Name, Option<Expr>)| match size {
        Some(size) => format!("{}[{}]", name.text, expr(size)),
        None => name.text.clone(),
    };
    let names = decl.names.iter().map(name).collect::<Vec<_>>().join(", ");
    let ty = match &decl.ty {
        Type::Int => "int",
        Type::Bool => "bool",
        Type::Enum(name) => &name.text,
    };
    let init = decl.init.as_ref().map_or(String::new(), |init| format!(" = {}", value(init)));
    format!("var {names}: {ty}{init};")
}

fn value(init: &Init) -> String {
    match init {
        Init::Value(e) => expr(e),
        Init::Nondet(_) => "nondet".to_owned(),
    }
}

/// Characters of a line, beyond which a transition is broken.
const WIDTH: usize = 110;

/// A transition, without the indentation of its first line. Where it does not fit on a line, `do` and `goto` start lines of
/// their own, and assignments fill as many as they need.
fn transition_text(t: &TransitionDecl) -> String {
    let mut head = format!("{}{}:", t.name.text, bracket(t.range.as_ref()));
    if !t.at.is_empty() {
        let places: Vec<&str> = t.at.iter().map(|n| n.text.as_str()).collect();
        let _ = write!(head, " at {}", places.join(" | "));
    }
    if let Some(when) = &t.when {
        let _ = write!(head, " when {}", expr(when));
    }
    let assigns: Vec<String> =
        t.assigns.iter().map(|(target, rhs)| format!("{} := {}", expr(target), value(rhs))).collect();
    let goto = t.goto.as_ref().map(|goto| format!("goto {}", goto.text));
    let mut parts = vec![head.clone()];
    if !assigns.is_empty() {
        parts.push(format!("do {}", assigns.join(", ")));
    }
    parts.extend(goto.clone());
    let line = parts.join(" ") + ";";
    if parts.len() == 1 || line.chars().count() + 4 <= WIDTH {
        return line;
    }
    let mut text = head;
    for (i, assign) in assigns.iter().enumerate() {
        let last = text.rsplit('\n').next().map_or(0, |line| line.chars().count());
        match i {
            0 => text.push_str("\n        do "),
            _ if last + assign.chars().count() + 3 > WIDTH => text.push_str(",\n           "),
            _ => text.push_str(", "),
        }
        text.push_str(assign);
    }
    if let Some(goto) = goto {
        let _ = write!(text, "\n        {goto}");
    }
    text.push(';');
    text
}

// How tightly operators bind; a larger number binds more tightly.
const IMPLIES: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const COMPARE: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;
const UNARY: u8 = 7;
const ATOM: u8 = 8;

fn binding(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Binary(BinOp::Implies, ..) => IMPLIES,
        ExprKind::Or(_) => OR,
        ExprKind::And(_) => AND,
        ExprKind::Binary(BinOp::Mul | BinOp::Mod, ..) => PRODUCT,
        ExprKind::Binary(..) => COMPARE,
        ExprKind::Sum(_) => SUM,
        ExprKind::Neg(_) | ExprKind::Not(_) => UNARY,
        _ => ATOM,
    }
}

fn expr(e: &Expr) -> String {
    at(e, 0)
}

/// The text of `e` where at least `least` must bind.
fn at(e: &Expr, least: u8) -> String {
    let text = bare(e);
    if binding(&e.kind) < least { format!("({text})") } else { text }
}

fn bare(e: &Expr) -> String {
    let joined = |items: &[Expr], sep: &str, least: u8| {
        items.iter().map(|item| at(item, least)).collect::<Vec<_>>().join(sep)
    };
    match &e.kind {
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::Deadlock => "deadlock".to_owned(),
        ExprKind::Path(path) => path_text(path),
        ExprKind::At(None, location) => format!("@{}", location.text),
        ExprKind::At(Some(path), location) => format!("{}@{}", path_text(path), location.text),
        ExprKind::Call(name, args) => format!("{}({})", name.text, joined(args, ", ", 0)),
        ExprKind::Neg(inner) => format!("-{}", at(inner, UNARY)),
        ExprKind::Not(inner) => format!("!{}", at(inner, UNARY)),
        ExprKind::Sum(items) => {
            let mut text = String::new();
            for (i, (minus, item)) in items.iter().enumerate() {
                let sign = match (i, minus) {
                    (0, _) => "",
                    (_, true) => " - ",
                    (_, false) => " + ",
                };
                let _ = write!(text, "{sign}{}", at(item, PRODUCT));
            }
            text
        }
        ExprKind::And(items) => joined(items, " && ", COMPARE),
        ExprKind::Or(items) => joined(items, " || ", AND),
        ExprKind::Binary(BinOp::Implies, a, b) => format!("{} => {}", at(a, OR), at(b, IMPLIES)),
        ExprKind::Binary(op @ (BinOp::Mul | BinOp::Mod), a, b) => {
            format!("{} {} {}", at(a, PRODUCT), op.sign(), at(b, UNARY))
        }
        ExprKind::Binary(op, a, b) => format!("{} {} {}", at(a, SUM), op.sign(), at(b, SUM)),
        ExprKind::Fold(fold, range, body) => {
            let word = match fold {
                Fold::All => "forall",
                Fold::Any => "exists",
                Fold::Sum => "sum",
            };
            format!("{word} {} ({})", range_text(range), expr(body))
        }
    }
}

fn path_text(path: &Path) -> String {
    let index =
        |index: &Option<Box<Expr>>| index.as_ref().map_or(String::new(), |e| format!("[{}]", expr(e)));
    let mut text = format!("{}{}", path.name.text, index(&path.index));
    if let Some((field, at)) = &path.field {
        let _ = write!(text, ".{}{}", field.text, index(at));
    }
    text
}
