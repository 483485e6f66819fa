//! Formulas over state variables as a person writes them: infix, with the names of the program.
//!
//! For reading only: widths and extensions are left out, and what is too long ends in an ellipsis.

use selvedge_exec::{Machine, State};
use selvedge_term::{Node, TermId};

/// Longest text.
const MAX_LEN: usize = 400;
/// Deepest nesting that is shown.
const MAX_DEPTH: u32 = 24;

/// The formula about `state`.
pub(crate) fn text(machine: &Machine<'_>, state: &State, formula: TermId) -> String {
    let mut writer = Writer { machine, state, out: String::new() };
    writer.condition(formula, true, 0);
    let mut out = writer.out;
    if out.len() > MAX_LEN {
        let end = (0..=MAX_LEN).rev().find(|i| out.is_char_boundary(*i)).unwrap_or(0);
        out.truncate(end);
        out.push_str("...");
    }
    out
}

struct Writer<'a, 'p> {
    machine: &'a Machine<'p>,
    state: &'a State,
    out: String,
}

impl Writer<'_, '_> {
    /// Whether nothing more is to be written here; depth and length are bounded, so recursion is.
    fn is_full(&mut self, depth: u32) -> bool {
        let is_deep = depth > MAX_DEPTH;
        if is_deep {
            self.out.push_str("...");
        }
        is_deep || self.out.len() > MAX_LEN
    }

    /// A term of width 1, or its negation.
    fn condition(&mut self, term: TermId, holds: bool, depth: u32) {
        if self.is_full(depth) {
            return;
        }
        let pool = &self.machine.pool;
        match *pool.node(term) {
            Node::Const { value, .. } => {
                self.out.push_str(if (value != 0) == holds { "true" } else { "false" })
            }
            Node::Not(inner) => self.condition(inner, !holds, depth + 1),
            Node::And(list) => {
                let parts = pool.list(list).to_vec();
                self.join(&parts, if holds { " && " } else { " || " }, holds, depth);
            }
            Node::Eq(a, b) => self.relation(a, if holds { " == " } else { " != " }, b, depth),
            Node::Slt(a, b) if holds => self.relation(a, " < ", b, depth),
            Node::Slt(a, b) => self.relation(b, " <= ", a, depth),
            Node::Ult(a, b) if holds => self.relation(a, " <u ", b, depth),
            Node::Ult(a, b) => self.relation(b, " <=u ", a, depth),
            _ => {
                if !holds {
                    self.out.push('!');
                }
                self.value(term, depth + 1);
            }
        }
    }

    fn join(&mut self, parts: &[TermId], between: &str, holds: bool, depth: u32) {
        if depth > 0 {
            self.out.push('(');
        }
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.out.push_str(between);
            }
            self.condition(*part, holds, depth + 1);
        }
        if depth > 0 {
            self.out.push(')');
        }
    }

    fn relation(&mut self, a: TermId, sign: &str, b: TermId, depth: u32) {
        self.value(a, depth + 1);
        self.out.push_str(sign);
        self.value(b, depth + 1);
    }

    fn value(&mut self, term: TermId, depth: u32) {
        if self.is_full(depth) {
            return;
        }
        let pool = &self.machine.pool;
        let sign = match *pool.node(term) {
            Node::Var(var) => {
                self.out.push_str(&self.machine.variable_name(self.state, var));
                return;
            }
            Node::Const { width, value } => {
                let is_pointer = width == self.machine.image.program.target.ptr_bits && value > 0xffff;
                let name = is_pointer.then(|| self.machine.address_name(self.state, value)).flatten();
                if let Some(name) = name {
                    self.out.push_str(&name);
                    return;
                }
                let shift = 64 - width;
                let signed = ((value << shift) as i64) >> shift;
                self.out.push_str(&if width == 1 { value.to_string() } else { signed.to_string() });
                return;
            }
            Node::Zext(inner) | Node::Sext(inner) => return self.value(inner, depth + 1),
            Node::Not(_) | Node::And(_) | Node::Eq(..) | Node::Slt(..) | Node::Ult(..)
                if pool.width(term) == 1 =>
            {
                self.out.push('(');
                self.condition(term, true, depth + 1);
                self.out.push(')');
                return;
            }
            Node::Extract { term: inner, high, low } => {
                self.value(inner, depth + 1);
                self.out.push_str(&format!("[{high}:{low}]"));
                return;
            }
            Node::Ite(cond, then, otherwise) => {
                self.out.push('(');
                self.condition(cond, true, depth + 1);
                self.out.push_str(" ? ");
                self.value(then, depth + 1);
                self.out.push_str(" : ");
                self.value(otherwise, depth + 1);
                self.out.push(')');
                return;
            }
            Node::Neg(_) => "-",
            Node::Not(_) => "~",
            Node::Add(..) => " + ",
            Node::Mul(..) => " * ",
            Node::BvAnd(..) => " & ",
            Node::BvOr(..) => " | ",
            Node::BvXor(..) => " ^ ",
            Node::Sdiv(..) => " / ",
            Node::Udiv(..) => " /u ",
            Node::Srem(..) => " % ",
            Node::Urem(..) => " %u ",
            Node::Shl(..) => " << ",
            Node::Ashr(..) => " >> ",
            Node::Lshr(..) => " >>u ",
            Node::Concat(..) => " ++ ",
            _ => " , ",
        };
        let operands = pool.operands(term);
        if let [only] = operands.as_slice() {
            self.out.push_str(sign);
            return self.value(*only, depth + 1);
        }
        self.out.push('(');
        for (i, operand) in operands.iter().enumerate() {
            if i > 0 {
                self.out.push_str(sign);
            }
            self.value(*operand, depth + 1);
        }
        self.out.push(')');
    }
}
