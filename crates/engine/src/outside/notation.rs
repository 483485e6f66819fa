//! Terms over inputs as C expressions.
//!
//! Text for people: it is as short as it can be while it says the same to a reader who knows the types. What has no short
//! form in C is an ellipsis.

use selvedge_exec::{Machine, Outside, Source, Standing, State};
use selvedge_program::{DebugType, Encoding, Program, TypeId};
use selvedge_term::{Node, TermId};

use super::{is_unsigned, plain};

/// Longer expressions end in an ellipsis.
const MAX_LENGTH: usize = 400;
/// What is left out.
pub(super) const MORE: &str = "...";

/// How the operands of an operator are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Signed,
    Unsigned,
}

pub(super) struct Notation<'a, 'p> {
    pub(super) program: &'p Program,
    pub(super) machine: &'a Machine<'p>,
    pub(super) state: &'a State,
    pub(super) outside: &'a Outside,
}

impl Notation<'_, '_> {
    /// A condition.
    pub(super) fn text(&self, condition: TermId) -> String {
        self.bounded(self.condition(condition, true, 0))
    }

    /// Its negation.
    pub(super) fn negated(&self, condition: TermId) -> String {
        self.bounded(self.condition(condition, false, 0))
    }

    /// A number.
    pub(super) fn expression(&self, term: TermId) -> String {
        let text = self.value(term, self.reading(term), 0);
        let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let is_one = |inner: &&str| !inner.contains(['(', ')']);
        self.bounded(inner.filter(is_one).map_or(text.clone(), str::to_owned))
    }

    /// What was decided of an input pointer, and its negation; nothing if there was no choice that C could tell.
    pub(super) fn decision(&self, number: usize, is_second: bool) -> Option<(String, String)> {
        let pointer = &self.outside.pointers[number];
        let (name, target) = (&pointer.name, self.outside.target_text(self.program, number));
        match (pointer.standing, is_second) {
            (Standing::Null, false) => Some((format!("{name} == NULL"), format!("{name} != NULL"))),
            (_, false) => Some((format!("{name} != NULL"), format!("{name} == NULL"))),
            (Standing::To { is_new: true, .. }, true) => None,
            (_, true) => Some((format!("{name} == {target}"), format!("{name} != {target}"))),
        }
    }

    fn bounded(&self, text: String) -> String {
        if text.len() <= MAX_LENGTH {
            return text;
        }
        let end = (0..=MAX_LENGTH).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        format!("{}{MORE}", &text[..end])
    }

    fn condition(&self, t: TermId, holds: bool, depth: u32) -> String {
        let pool = &self.machine.pool;
        if depth > 24 {
            return MORE.to_owned();
        }
        match *pool.node(t) {
            Node::Not(inner) => self.condition(inner, !holds, depth + 1),
            Node::And(list) => {
                let part = |part: &TermId| {
                    let text = self.condition(*part, holds, depth + 1);
                    let is_list = [" && ", " || ", " ? "].iter().any(|op| text.contains(op));
                    if is_list { format!("({text})") } else { text }
                };
                let parts: Vec<String> = pool.list(list).iter().map(part).collect();
                parts.join(if holds { " && " } else { " || " })
            }
            Node::Eq(a, b) if pool.width(a) == 1 => {
                let (x, y) = (self.grouped(a, true, depth), self.grouped(b, true, depth));
                format!("{x} {} {y}", if holds { "==" } else { "!=" })
            }
            Node::Eq(a, b) => self.comparison(if holds { "==" } else { "!=" }, a, b, None, depth),
            Node::Slt(a, b) => {
                self.comparison(if holds { "<" } else { ">=" }, a, b, Some(Reading::Signed), depth)
            }
            Node::Ult(a, b) => {
                self.comparison(if holds { "<" } else { ">=" }, a, b, Some(Reading::Unsigned), depth)
            }
            Node::Const { value, .. } => u8::from((value != 0) == holds).to_string(),
            _ => {
                let text = self.value(t, None, depth + 1);
                if holds { text } else { format!("!{}", parenthesised(&text)) }
            }
        }
    }

    fn grouped(&self, t: TermId, holds: bool, depth: u32) -> String {
        parenthesised(&self.condition(t, holds, depth + 1))
    }

    fn comparison(&self, op: &str, a: TermId, b: TermId, reading: Option<Reading>, depth: u32) -> String {
        let pool = &self.machine.pool;
        // The number stands on the right.
        let (a, b, op) = match pool.is_const(a) && !pool.is_const(b) {
            true => (b, a, flipped(op)),
            false => (a, b, op),
        };
        let own = self.reading(a).or_else(|| self.reading(b));
        let read = reading.or(own).unwrap_or(Reading::Signed);
        let ty = self.type_of(a).or_else(|| self.type_of(b));
        let x = self.operand(a, read, ty, depth);
        // The negation of `n < 3` is `n >= 3`; programs say `n > 2`.
        let (op, y) = match (op, pool.as_u64(b)) {
            (">=", Some(value)) if value > 0 && signed(value, pool.width(b)) != i64::MIN => {
                (">", self.number(value - 1, pool.width(b), read, ty))
            }
            _ => (op, self.operand(b, read, ty, depth)),
        };
        // Checks whether a result fits: the same text stands for different numbers of bits.
        let is_check = reading.is_none() && (self.widens(a, false, depth) || self.widens(b, false, depth));
        if x == y || is_check {
            return MORE.to_owned();
        }
        let is_positive = |t: TermId| pool.signed_range(t).0 >= 0;
        let is_unsigned = self.counts_unsigned(a, depth)
            || self.counts_unsigned(b, depth)
            || x.contains("(size_t)")
            || is_positive(a) && is_positive(b);
        let cast = match pool.width(a) {
            _ if reading != Some(Reading::Unsigned) || is_unsigned => "",
            32 => "(unsigned)",
            64 => "(size_t)",
            _ => return MORE.to_owned(),
        };
        format!("{cast}{x} {op} {y}")
    }

    /// Whether a result is made wider and then calculated with, which its text does not tell.
    fn widens(&self, t: TermId, is_operand: bool, depth: u32) -> bool {
        let pool = &self.machine.pool;
        match *pool.node(t) {
            _ if depth > 24 => false,
            Node::Zext(inner) | Node::Sext(inner) => {
                is_operand && matches!(pool.node(inner), Node::Add(..) | Node::Mul(..) | Node::Neg(_))
                    || self.widens(inner, is_operand, depth + 1)
            }
            Node::Add(a, b) | Node::Mul(a, b) => {
                self.widens(a, true, depth + 1) || self.widens(b, true, depth + 1)
            }
            Node::Neg(a) => self.widens(a, true, depth + 1),
            _ => false,
        }
    }

    /// Whether C makes an unsigned number of a term as it is printed.
    fn counts_unsigned(&self, t: TermId, depth: u32) -> bool {
        let pool = &self.machine.pool;
        match *pool.node(t) {
            Node::Var(_) => pool.width(t) >= 32 && self.reading(t) == Some(Reading::Unsigned),
            Node::Add(a, b) | Node::Mul(a, b) | Node::BvAnd(a, b) | Node::BvOr(a, b) | Node::BvXor(a, b)
                if depth < 24 =>
            {
                self.counts_unsigned(a, depth + 1) || self.counts_unsigned(b, depth + 1)
            }
            Node::Neg(a) if depth < 24 => self.counts_unsigned(a, depth + 1),
            _ => false,
        }
    }

    fn operand(&self, t: TermId, read: Reading, ty: Option<TypeId>, depth: u32) -> String {
        let pool = &self.machine.pool;
        match pool.as_u64(t) {
            Some(value) => self.number(value, pool.width(t), read, ty),
            None => parenthesised(&self.value(t, Some(read), depth + 1)),
        }
    }

    fn number(&self, value: u64, width: u32, read: Reading, ty: Option<TypeId>) -> String {
        match ty.and_then(|ty| plain(self.program, ty)) {
            Some(DebugType::Basic { encoding: Encoding::Char, size: 1, .. }) => {
                match char::from_u32((value & 0xff) as u32) {
                    Some(c) if value < 128 && (c.is_ascii_graphic() || c == ' ') && !"'\\".contains(c) => {
                        return format!("'{c}'");
                    }
                    _ => {}
                }
            }
            Some(DebugType::Enum { values, .. }) => {
                if let Some((name, _)) = values.iter().find(|(_, number)| *number == signed(value, width)) {
                    return name.clone();
                }
            }
            _ => {}
        }
        match read {
            Reading::Signed => signed(value, width).to_string(),
            Reading::Unsigned => value.to_string(),
        }
    }

    /// A value, read as `read` says.
    fn value(&self, t: TermId, read: Option<Reading>, depth: u32) -> String {
        let pool = &self.machine.pool;
        if depth > 24 {
            return MORE.to_owned();
        }
        let signed_read = read.unwrap_or(Reading::Signed);
        let sub = |t: TermId| match *pool.node(t) {
            // C would count with fewer bits.
            Node::Zext(inner) | Node::Sext(inner)
                if signed_read == Reading::Unsigned && pool.width(t) == 64 && pool.width(inner) > 1 =>
            {
                format!("(size_t){}", self.operand(inner, signed_read, None, depth))
            }
            _ => self.operand(t, signed_read, None, depth),
        };
        let binary = |a: TermId, op: &str, b: TermId| format!("{} {op} {}", sub(a), sub(b));
        match *pool.node(t) {
            Node::Var(var) => self.variable(var),
            Node::Const { width, value } => self.number(value, width, signed_read, None),
            Node::Zext(inner) | Node::Sext(inner) => {
                if pool.width(inner) == 1 {
                    self.grouped(inner, true, depth)
                } else {
                    self.value(inner, read, depth + 1)
                }
            }
            Node::Add(a, b) => {
                let (a, b) = if pool.is_const(a) { (b, a) } else { (a, b) };
                match (pool.as_u64(b).map(|v| signed(v, pool.width(b))), pool.node(b)) {
                    (Some(v), _) if v < 0 => format!("{} - {}", sub(a), v.unsigned_abs()),
                    (_, Node::Neg(inner)) => format!("{} - {}", sub(a), sub(*inner)),
                    _ => match pool.node(a) {
                        Node::Neg(inner) => format!("{} - {}", sub(b), sub(*inner)),
                        _ => binary(a, "+", b),
                    },
                }
            }
            Node::Mul(a, b) => {
                binary(if pool.is_const(a) { b } else { a }, "*", if pool.is_const(a) { a } else { b })
            }
            Node::Neg(a) => format!("-{}", sub(a)),
            Node::Udiv(a, b) | Node::Sdiv(a, b) => binary(a, "/", b),
            Node::Urem(a, b) | Node::Srem(a, b) => binary(a, "%", b),
            Node::BvAnd(a, b) => binary(a, "&", b),
            Node::BvOr(a, b) => binary(a, "|", b),
            Node::BvXor(a, b) => binary(a, "^", b),
            Node::Shl(a, b) => binary(a, "<<", b),
            Node::Lshr(a, b) | Node::Ashr(a, b) => binary(a, ">>", b),
            Node::Not(inner) if pool.width(t) > 1 => format!("~{}", sub(inner)),
            Node::Ite(c, a, b) => format!("{} ? {} : {}", self.grouped(c, true, depth), sub(a), sub(b)),
            // All that there is of a truth value.
            Node::Extract { term, high: 0, low: 0 } if self.is_truth(term) => {
                self.value(term, read, depth + 1)
            }
            Node::Extract { term, high, low } if self.bit_field(term, high, low).is_some() => {
                self.bit_field(term, high, low).unwrap_or_default()
            }
            Node::Extract { term, high, low: 0 } => {
                let cast = match high {
                    7 => "(char)",
                    15 => "(short)",
                    31 => "(int)",
                    _ => return format!("{} & {:#x}", sub(term), u64::MAX >> (63 - high.min(63))),
                };
                format!("{cast}{}", sub(term))
            }
            _ if pool.width(t) == 1 => self.condition(t, true, depth + 1),
            _ => MORE.to_owned(),
        }
    }

    fn variable(&self, var: selvedge_term::VarId) -> String {
        let Some(piece) = self.machine.sources.piece(var) else { return MORE.to_owned() };
        if let Some(object) = self.outside.objects.iter().find(|object| object.source == piece.source) {
            return object.cell_text(self.program, piece.at, piece.len).0;
        }
        match piece.source {
            Source::Input { .. } => {
                let record = self.state.inputs.iter().find(|record| record.source == piece.source);
                record.map_or_else(|| "input".to_owned(), |record| record.name.to_string())
            }
            Source::Uninit { .. } | Source::Undef { .. } => "uninitialised".to_owned(),
            _ => MORE.to_owned(),
        }
    }

    /// The name of the bit-field that these bits of a variable are.
    fn bit_field(&self, t: TermId, high: u32, low: u32) -> Option<String> {
        let Node::Var(var) = *self.machine.pool.node(t) else { return None };
        let piece = self.machine.sources.piece(var)?;
        let object = self.outside.objects.iter().find(|object| object.source == piece.source)?;
        let element = object.element.max(1);
        let (bit, bits) = (piece.at % element * 8 + u64::from(low), u64::from(high - low + 1));
        let parts = selvedge_exec::parts(self.program, object.ty?);
        let part = parts.iter().find(|part| part.is_bit_field && (part.bit, part.bits) == (bit, bits))?;
        let index = piece.at / element;
        Some(match (object.is_variable, index) {
            (true, _) => format!("{}{}", object.name, part.path),
            (false, 0) => format!("{}->{}", object.name, part.path.trim_start_matches('.')),
            (false, _) => format!("{}[{index}]{}", object.name, part.path),
        })
    }

    /// The source type of what is read, through conversions that keep the value.
    fn type_of(&self, t: TermId) -> Option<TypeId> {
        let pool = &self.machine.pool;
        match *pool.node(t) {
            Node::Var(var) => {
                let piece = self.machine.sources.piece(var)?;
                let object = self.outside.objects.iter().find(|object| object.source == piece.source)?;
                object.cell_text(self.program, piece.at, piece.len).1
            }
            Node::Zext(inner) | Node::Sext(inner) => self.type_of(inner),
            _ => None,
        }
    }

    fn is_truth(&self, t: TermId) -> bool {
        let ty = self.type_of(t).and_then(|ty| plain(self.program, ty));
        matches!(ty, Some(DebugType::Basic { encoding: Encoding::Bool, .. }))
    }

    /// Whether a value is signed, as far as its type says.
    fn reading(&self, t: TermId) -> Option<Reading> {
        match plain(self.program, self.type_of(t)?)? {
            ty if is_unsigned(ty) => Some(Reading::Unsigned),
            DebugType::Basic { encoding: Encoding::Signed | Encoding::Char, .. } => Some(Reading::Signed),
            _ => None,
        }
    }
}

fn signed(value: u64, width: u32) -> i64 {
    if width == 0 || width >= 64 { value as i64 } else { ((value << (64 - width)) as i64) >> (64 - width) }
}

fn flipped(op: &str) -> &str {
    match op {
        "<" => ">",
        ">=" => "<=",
        other => other,
    }
}

/// Text that is one operand.
fn parenthesised(text: &str) -> String {
    let is_one = !text.contains(' ') || text == MORE;
    if is_one { text.to_owned() } else { format!("({text})") }
}
