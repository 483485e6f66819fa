//! Terms from SMT-LIB text: the inverse of [`print_term`](super::print_term).
//!
//! Guarantees: nothing makes [`read_term`] panic, and what it gives means what the text says. What does not fit, such as
//! an operand of another sort, or what the printer never writes, such as integers or a `let` of several names, is an
//! error. Nothing recurses on the depth of the text.

mod floats;

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use crate::float::FpFormat;
use crate::node::TermId;
use crate::op::Op;
use crate::pool::TermPool;
use crate::portable::{MAX_WIDTH, fits};
use crate::sort::Sort;

/// The term that `text` is, with `variable` for the names of variables.
pub fn read_term(
    pool: &mut TermPool,
    text: &str,
    variable: &mut dyn FnMut(&str) -> Option<TermId>,
) -> Result<TermId, String> {
    let mut reader = Reader { pool, variable, shared: FxHashMap::default() };
    let mut open: Vec<Vec<Item>> = vec![Vec::new()];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' | ')' => 1,
            '|' => rest[1..].find('|').ok_or("a name in bars has no end")? + 2,
            _ => rest.find(|c: char| c.is_whitespace() || "()|".contains(c)).unwrap_or(rest.len()),
        };
        let (word, after) = rest.split_at(length);
        match word {
            "(" => open.push(Vec::new()),
            ")" => {
                let items = open.pop().unwrap_or_default();
                let item = reader.list(&items)?;
                open.last_mut().ok_or("there are more `)` than `(`")?.push(item);
            }
            _ => {
                let item = reader.word(word);
                open.last_mut().ok_or("there are more `)` than `(`")?.push(item);
            }
        }
        rest = after.trim_start();
    }
    match &open[..] {
        [items] => match &items[..] {
            [item] => reader.term(item),
            _ => Err("expected one term".to_owned()),
        },
        _ => Err("a `)` is missing".to_owned()),
    }
}

/// What a part of the text is.
#[derive(Clone, PartialEq, Debug)]
enum Item {
    Word(String),
    Term(TermId),
    /// A number that is a float, as its bits.
    Float(FpFormat, TermId),
    /// An operator with the numbers that belong to it.
    Indexed(String, Vec<u32>),
    /// Sorts: bit-vectors, and arrays of them.
    Bits(u32),
    Arrays(u32, u32),
    /// A constant array of this sort.
    Filled(u32, u32),
    /// The definition of a shared term.
    Definition,
    Definitions,
}

struct Reader<'a> {
    pool: &'a mut TermPool,
    variable: &'a mut dyn FnMut(&str) -> Option<TermId>,
    shared: FxHashMap<String, TermId>,
}

impl Reader<'_> {
    fn word(&mut self, word: &str) -> Item {
        let term = match word {
            "true" => Some(self.pool.tt()),
            "false" => Some(self.pool.ff()),
            _ if word.starts_with("$t") => self.shared.get(word).copied(),
            _ => constant(self.pool, word).or_else(|| (self.variable)(word.trim_matches('|'))),
        };
        term.map_or_else(|| Item::Word(word.to_owned()), Item::Term)
    }

    fn term(&self, item: &Item) -> Result<TermId, String> {
        match item {
            Item::Term(term) => Ok(*term),
            Item::Word(word) => Err(format!("`{word}` has no meaning here")),
            _ => Err("expected a term".to_owned()),
        }
    }

    fn terms(&self, items: &[Item]) -> Result<Vec<TermId>, String> {
        items.iter().map(|item| self.term(item)).collect()
    }

    fn list(&mut self, items: &[Item]) -> Result<Item, String> {
        match items {
            [Item::Word(name), Item::Term(term)] if name.starts_with("$t") => {
                match self.shared.insert(name.clone(), *term) {
                    None => Ok(Item::Definition),
                    Some(_) => Err(format!("`{name}` is defined twice")),
                }
            }
            [Item::Definition] => Ok(Item::Definitions),
            [Item::Word(word), Item::Definitions, body @ (Item::Term(_) | Item::Float(..))]
                if word == "let" =>
            {
                Ok(body.clone())
            }
            [Item::Word(word), Item::Word(name), indices @ ..] if word == "_" => self.indexed(name, indices),
            [Item::Word(word), Item::Bits(index), Item::Bits(elem)] if word == "Array" => {
                Ok(Item::Arrays(*index, *elem))
            }
            [Item::Word(word), Item::Word(what), sort] if word == "as" && what == "const" => match sort {
                Item::Arrays(index, elem) => Ok(Item::Filled(*index, *elem)),
                _ => Err("expected the sort of an array".to_owned()),
            },
            [Item::Filled(index, elem), Item::Term(value)] if self.pool.sort(*value) == Sort::Bv(*elem) => {
                self.apply(Op::ConstArray { index: *index }, &[*value])
            }
            [Item::Indexed(name, numbers), operands @ ..] if !name.contains("fp") => {
                let operands = self.terms(operands)?;
                self.apply_indexed(name, numbers, &operands)
            }
            [Item::Word(name), ..] if name.starts_with("fp.") => self.float(items),
            [Item::Indexed(..), ..] => self.float(items),
            [Item::Word(name), operands @ ..] => {
                let operands = self.terms(operands)?;
                self.apply_named(name, &operands)
            }
            _ => Err("a list has no operator".to_owned()),
        }
    }

    fn indexed(&mut self, name: &str, indices: &[Item]) -> Result<Item, String> {
        let mut numbers = Vec::with_capacity(indices.len());
        for item in indices {
            let number = match item {
                Item::Word(digits) => digits.parse().ok(),
                _ => None,
            };
            numbers.push(number.filter(|n| *n < MAX_WIDTH).ok_or("expected a small number after `_`")?);
        }
        match (name.strip_prefix("bv").map(str::parse::<BigUint>), &numbers[..]) {
            (Some(Ok(value)), [width]) if *width > 0 && value.bits() <= u64::from(*width) => {
                Ok(Item::Term(self.pool.bv_wide(*width, value)))
            }
            (None, [width]) if *width > 0 && name == "BitVec" => Ok(Item::Bits(*width)),
            _ => Ok(Item::Indexed(name.to_owned(), numbers)),
        }
    }

    fn apply(&mut self, op: Op, operands: &[TermId]) -> Result<Item, String> {
        let sorts: Vec<Sort> = operands.iter().map(|o| self.pool.sort(*o)).collect();
        match fits(op, &sorts) {
            true => Ok(Item::Term(self.pool.apply(op, operands))),
            false => Err(format!("{op:?} does not take operands of the sorts {sorts:?}")),
        }
    }

    fn apply_indexed(&mut self, name: &str, numbers: &[u32], operands: &[TermId]) -> Result<Item, String> {
        let width = operands.first().and_then(|o| match self.pool.sort(*o) {
            Sort::Bv(width) => Some(width),
            _ => None,
        });
        let wider = |more: u32| width.unwrap_or(MAX_WIDTH) + more;
        match (name, numbers) {
            ("extract", [high, low]) => self.apply(Op::Extract { high: *high, low: *low }, operands),
            ("zero_extend", [more]) => self.apply(Op::Zext { width: wider(*more) }, operands),
            ("sign_extend", [more]) => self.apply(Op::Sext { width: wider(*more) }, operands),
            _ => Err(format!("there is no operator `{name}` with {} numbers", numbers.len())),
        }
    }

    fn apply_named(&mut self, name: &str, operands: &[TermId]) -> Result<Item, String> {
        let turned: Vec<TermId> = operands.iter().rev().copied().collect();
        let op = match name {
            "not" | "bvnot" => Op::Not,
            "and" => Op::And,
            "bvand" => Op::BvAnd,
            "bvor" => Op::BvOr,
            "bvxor" => Op::BvXor,
            "bvneg" => Op::Neg,
            "bvadd" => Op::Add,
            "bvmul" => Op::Mul,
            "bvudiv" => Op::Udiv,
            "bvurem" => Op::Urem,
            "bvsdiv" => Op::Sdiv,
            "bvsrem" => Op::Srem,
            "bvshl" => Op::Shl,
            "bvlshr" => Op::Lshr,
            "bvashr" => Op::Ashr,
            "concat" => Op::Concat,
            "=" => Op::Eq,
            "bvult" => Op::Ult,
            "bvslt" => Op::Slt,
            "ite" => Op::Ite,
            "select" => Op::Select,
            "store" => Op::Store,
            "bvule" => return self.negated(Op::Ult, &turned),
            "bvsle" => return self.negated(Op::Slt, &turned),
            "distinct" => return self.negated(Op::Eq, operands),
            "or" => {
                let negated: Result<Vec<TermId>, String> = operands
                    .iter()
                    .map(|o| match self.pool.sort(*o) {
                        Sort::BOOL => Ok(self.pool.not(*o)),
                        other => Err(format!("`or` does not take operands of the sort {other:?}")),
                    })
                    .collect();
                return self.negated(Op::And, &negated?);
            }
            "bvsub" => match operands {
                [a, b] => match self.apply(Op::Neg, &[*b])? {
                    Item::Term(negative) => return self.apply(Op::Add, &[*a, negative]),
                    _ => return Err("expected a term".to_owned()),
                },
                _ => return Err("`bvsub` takes two operands".to_owned()),
            },
            _ => return Err(format!("there is no operator `{name}`")),
        };
        self.apply(op, operands)
    }

    fn negated(&mut self, op: Op, operands: &[TermId]) -> Result<Item, String> {
        match self.apply(op, operands)? {
            Item::Term(term) => Ok(Item::Term(self.pool.not(term))),
            _ => Err("expected a term".to_owned()),
        }
    }
}

/// `#x...` or `#b...`.
fn constant(pool: &mut TermPool, word: &str) -> Option<TermId> {
    let (digits, radix, bits) = match word.split_at_checked(2)? {
        ("#x", digits) => (digits, 16, 4),
        ("#b", digits) => (digits, 2, 1),
        _ => return None,
    };
    let width = u32::try_from(digits.len()).ok()?.checked_mul(bits).filter(|w| (1..MAX_WIDTH).contains(w))?;
    digits.chars().all(|c| c.is_digit(radix)).then_some(())?;
    Some(pool.bv_wide(width, BigUint::parse_bytes(digits.as_bytes(), radix)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::print_term;

    fn reads_back(pool: &mut TermPool, term: TermId) {
        let text = print_term(pool, term);
        let vars: Vec<TermId> = pool.vars(term).iter().map(|v| pool.var_term(*v)).collect();
        let names: Vec<(String, TermId)> = vars
            .into_iter()
            .map(|v| (pool.var_info(pool.var_id(v).expect("a variable")).name.clone(), v))
            .collect();
        let mut variable = |name: &str| names.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
        assert_eq!(read_term(pool, &text, &mut variable), Ok(term), "{text}");
    }

    #[test]
    fn what_is_printed_reads_back() {
        let mut pool = TermPool::new();
        let p = &mut pool;
        let (x, y) = (p.var("x", Sort::Bv(32)), p.var("a b", Sort::Bv(32)));
        let memory = p.var("memory", Sort::Array { index: 32, elem: 8 });
        let (sum, difference) = (p.add(x, y), p.sub(x, y));
        let product = p.mul(sum, difference);
        let (low, odd) = (p.extract(product, 15, 0), p.extract(product, 0, 0));
        let (wide, signed) = (p.zext(low, 100), p.sext(low, 32));
        let big = p.bv_wide(100, BigUint::from(77u32) << 80);
        let (below, signed) = (p.ult(wide, big), p.slt(signed, x));
        let (at_most, other) = (p.not(signed), p.ne(x, y));
        let byte = p.select(memory, x);
        let changed = p.store(memory, y, byte);
        let zero = p.bv(8, 0);
        let cleared = p.const_array(32, zero);
        let (same, blank) = (p.eq(changed, memory), p.eq(cleared, memory));
        let quotient = p.udiv(x, y);
        let shifted = p.shl(quotient, x);
        let chosen = p.ite(odd, shifted, product);
        let chosen = p.eq(chosen, y);
        let bit = p.zext(odd, 8);
        let bit = p.eq(bit, byte);
        let all = p.and_all(&[below, at_most, other, bit]);
        let any = p.or_all(&[all, same, blank, chosen, odd]);
        for term in [below, at_most, other, same, blank, chosen, bit, all, any, odd] {
            reads_back(p, term);
        }
    }

    #[test]
    fn floats_read_back() {
        let mut pool = TermPool::new();
        let p = &mut pool;
        use crate::float::{FpOp, RoundingMode};
        let f = FpFormat::F32;
        let (x, y) = (p.var("x", Sort::Bv(32)), p.var("y", Sort::Bv(32)));
        let sum = p.fp(FpOp::Add(f), &[x, y]);
        let fused = p.fp(FpOp::Fma(f), &[sum, x, y]);
        let double = p.fp(FpOp::ToFp { from: f, to: FpFormat::F64 }, &[fused]);
        let root = p.fp(FpOp::Sqrt(FpFormat::F64), &[double]);
        let round = p.fp(FpOp::RoundToIntegral(FpFormat::F64, RoundingMode::Down), &[root]);
        let whole = p.fp(FpOp::ToSInt { from: FpFormat::F64, width: 32 }, &[round]);
        let natural = p.fp(FpOp::ToUInt { from: f, width: 32 }, &[sum]);
        let back = p.fp(FpOp::FromSInt { to: f }, &[whole]);
        let above = p.fp(FpOp::FromUInt { to: f }, &[natural]);
        let (less, most) = (p.fp(FpOp::Lt(f), &[back, above]), p.fp(FpOp::Le(f), &[x, back]));
        let (nan, infinite) = (p.fp(FpOp::IsNan(f), &[sum]), p.fp(FpOp::IsInf(f), &[sum]));
        let rest = p.fp(FpOp::IeeeRem(f), &[x, y]);
        let same = p.fp(FpOp::Eq(f), &[rest, y]);
        for term in [less, most, nan, infinite, same] {
            reads_back(p, term);
        }
    }

    #[test]
    fn what_is_no_term_is_an_error() {
        let mut pool = TermPool::new();
        let x = pool.var("x", Sort::Bv(8));
        for text in [
            "",
            "x x",
            "(",
            ")",
            "(bvadd x x",
            "(bvadd x x))",
            "(bvadd x)",
            "(bvadd x #x000)",
            "(and x x)",
            "(or x)",
            "(or x x)",
            "(bvnope x)",
            "y",
            "|x",
            "((_ extract 8 0) x)",
            "((_ extract 0 1) x)",
            "((_ zero_extend 4294967295) x)",
            "(_ bv300 8)",
            "(_ bv0 0)",
            "#x",
            "#b2",
            "(let (($t1 x)) y)",
            "(let (($t1 x)) (let (($t1 x)) $t1))",
            "(select x x)",
            "(fp.lt x x)",
            "(fp.to_ieee_bv x)",
            "((_ to_fp 8 24) x)",
            "(fp.lt ((_ to_fp 1 1) x) ((_ to_fp 1 1) x))",
            "()",
            "(())",
            "é",
        ] {
            let mut variable = |name: &str| (name == "x").then_some(x);
            assert!(read_term(&mut pool, text, &mut variable).is_err(), "{text}");
        }
    }
}
