//! The text of single nodes, built bottom-up so that depth is no concern.

use std::fmt::Write;

use num_bigint::BigInt;
use num_traits::Signed;
use rustc_hash::FxHashMap;

use super::{names, shared_name, sort_name};
use crate::float::{FpFormat, FpOp, RoundingMode};
use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::sort::Sort;

/// Longer texts get a name even if used once: this bounds both copying and nesting.
const LONGEST_INLINE: usize = 400;

/// How the bit pattern of a floating-point result is expressed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FpBits {
    /// By Z3's `fp.to_ieee_bv`.
    Z3Function,
    /// By a variable whose value as a float is the result; see [`define_pattern`].
    FreshVariable,
}

/// Produces texts of terms visited in id order.
pub(super) struct Renderer<'p> {
    pool: &'p TermPool,
    fp_bits: FpBits,
    names: FxHashMap<crate::node::VarId, String>,
    uses: FxHashMap<TermId, u32>,
    /// The text by which users refer to a visited term: its name or its whole text.
    texts: FxHashMap<TermId, String>,
    /// Whether a visited term has a name.
    named: FxHashMap<TermId, bool>,
}

impl<'p> Renderer<'p> {
    pub(super) fn new(pool: &'p TermPool, order: &[TermId], roots: &[TermId], fp_bits: FpBits) -> Self {
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        for &t in order {
            for operand in pool.operands(t) {
                *uses.entry(operand).or_default() += 1;
            }
            // Total integer division mentions its operands again.
            if let Node::IDiv(a, b) | Node::IMod(a, b) = *pool.node(t)
                && !pool.is_const(b)
            {
                *uses.entry(a).or_default() += 1;
                *uses.entry(b).or_default() += 1;
            }
        }
        for &root in roots {
            *uses.entry(root).or_default() += 1;
        }
        let names = names::assign(pool, order.iter().filter_map(|&t| pool.var_id(t)));
        Renderer { pool, fp_bits, names, uses, texts: FxHashMap::default(), named: FxHashMap::default() }
    }

    /// Renders a term; returns name and text if it must be defined before its users.
    pub(super) fn visit(&mut self, t: TermId) -> Option<(String, String)> {
        let text = self.render(t);
        // A negated variable is as short as a name.
        let leaf = match *self.pool.node(t) {
            Node::Not(x) => self.pool.operands(x).is_empty(),
            _ => self.pool.operands(t).is_empty(),
        };
        let float = matches!(*self.pool.node(t), Node::Fp(op, _) if op.result_format().is_some());
        let must = float && self.fp_bits == FpBits::FreshVariable;
        let name = !leaf && (must || self.uses[&t] > 1 || text.len() > LONGEST_INLINE);
        self.named.insert(t, name);
        if !name {
            self.texts.insert(t, text);
            return None;
        }
        let name = shared_name(t);
        self.texts.insert(t, name.clone());
        Some((name, text))
    }

    /// How a visited term is referred to.
    pub(super) fn text(&self, t: TermId) -> &str {
        &self.texts[&t]
    }

    /// The printed name of a variable's term.
    pub(super) fn text_of_var(&self, t: TermId) -> &str {
        match *self.pool.node(t) {
            Node::Var(v) => &self.names[&v],
            other => unreachable!("{other:?} is no variable"),
        }
    }

    /// The term as a `BitVec`, also at width 1.
    fn bits(&self, t: TermId) -> String {
        match (self.pool.sort(t), self.pool.as_bool(t)) {
            (Sort::Bv(1), Some(value)) => if value { "#b1" } else { "#b0" }.to_owned(),
            (Sort::Bv(1), None) => format!("(ite {} #b1 #b0)", self.text(t)),
            _ => self.text(t).to_owned(),
        }
    }

    /// The term as a floating-point number.
    fn float(&self, format: FpFormat, t: TermId) -> String {
        match *self.pool.node(t) {
            Node::Fp(op, _) if op.result_format().is_some() && self.fp_bits == FpBits::FreshVariable => {
                format!("{}f", self.text(t))
            }
            _ => format!("((_ to_fp {} {}) {})", format.exp_bits, format.sig_bits, self.bits(t)),
        }
    }

    fn app(&self, op: &str, args: &[TermId]) -> String {
        let mut text = format!("({op}");
        for &arg in args {
            text.push(' ');
            text.push_str(self.text(arg));
        }
        text.push(')');
        text
    }

    /// A term whose SMT-LIB operator gives a `BitVec`, made `Bool` at width 1.
    fn result(&self, t: TermId, text: String) -> String {
        if self.pool.sort(t) == Sort::BOOL { format!("(= {text} #b1)") } else { text }
    }

    fn negated(&self, t: TermId) -> String {
        match *self.pool.node(t) {
            Node::Not(x) if !self.named[&t] => self.text(x).to_owned(),
            _ => format!("(not {})", self.text(t)),
        }
    }

    fn render_not(&self, t: TermId, x: TermId) -> String {
        if self.pool.sort(t) != Sort::BOOL {
            return self.app("bvnot", &[x]);
        }
        if self.named[&x] {
            return self.app("not", &[x]);
        }
        match *self.pool.node(x) {
            Node::Ult(a, b) => self.app("bvule", &[b, a]),
            Node::Slt(a, b) => self.app("bvsle", &[b, a]),
            Node::ILe(a, b) => self.app("<", &[b, a]),
            Node::Eq(a, b) => self.app("distinct", &[a, b]),
            Node::And(list) => {
                let items: Vec<String> = self.pool.list(list).iter().map(|&i| self.negated(i)).collect();
                format!("(or {})", items.join(" "))
            }
            _ => self.app("not", &[x]),
        }
    }

    fn render(&self, t: TermId) -> String {
        let pool = self.pool;
        match *pool.node(t) {
            Node::Var(v) => self.names[&v].clone(),
            Node::Const { width: 1, value } => if value == 1 { "true" } else { "false" }.to_owned(),
            Node::Const { width, value } if width % 4 == 0 => {
                format!("#x{value:0digits$x}", digits = width as usize / 4)
            }
            Node::Const { width, value } => format!("#b{value:0digits$b}", digits = width as usize),
            Node::Wide { width, value } => format!("(_ bv{} {width})", pool.wide(value)),
            Node::IntConst(id) => integer(pool.int_value(id)),
            Node::Not(x) => self.render_not(t, x),
            Node::And(list) => self.app("and", pool.list(list)),
            Node::BvAnd(a, b) => self.app("bvand", &[a, b]),
            Node::BvOr(a, b) => self.app("bvor", &[a, b]),
            Node::BvXor(a, b) => self.app("bvxor", &[a, b]),
            Node::Neg(a) => self.app("bvneg", &[a]),
            Node::Add(a, b) => match *pool.node(b) {
                Node::Neg(x) if !self.named[&b] => self.app("bvsub", &[a, x]),
                _ => self.app("bvadd", &[a, b]),
            },
            Node::Mul(a, b) => self.app("bvmul", &[a, b]),
            Node::Udiv(a, b) => self.app("bvudiv", &[a, b]),
            Node::Urem(a, b) => self.app("bvurem", &[a, b]),
            Node::Sdiv(a, b) => self.app("bvsdiv", &[a, b]),
            Node::Srem(a, b) => self.app("bvsrem", &[a, b]),
            Node::Shl(a, b) => self.app("bvshl", &[a, b]),
            Node::Lshr(a, b) => self.app("bvlshr", &[a, b]),
            Node::Ashr(a, b) => self.app("bvashr", &[a, b]),
            Node::Concat(a, b) => format!("(concat {} {})", self.bits(a), self.bits(b)),
            Node::Extract { term, high, low } => {
                self.result(t, format!("((_ extract {high} {low}) {})", self.text(term)))
            }
            Node::Zext(a) => {
                format!("((_ zero_extend {}) {})", pool.width(t) - pool.width(a), self.bits(a))
            }
            Node::Sext(a) => {
                format!("((_ sign_extend {}) {})", pool.width(t) - pool.width(a), self.bits(a))
            }
            Node::Eq(a, b) => self.app("=", &[a, b]),
            Node::Ult(a, b) => self.app("bvult", &[a, b]),
            Node::Slt(a, b) => self.app("bvslt", &[a, b]),
            Node::Ite(c, a, b) => self.app("ite", &[c, a, b]),
            Node::ConstArray(elem) => {
                format!("((as const {}) {})", sort_name(pool.sort(t)), self.bits(elem))
            }
            Node::Select(a, i) => self.result(t, format!("(select {} {})", self.text(a), self.bits(i))),
            Node::Store(a, i, v) => {
                format!("(store {} {} {})", self.text(a), self.bits(i), self.bits(v))
            }
            Node::IAdd(a, b) => self.app("+", &[a, b]),
            Node::IMul(a, b) => self.app("*", &[a, b]),
            Node::IDiv(a, b) if pool.is_const(b) => self.app("div", &[a, b]),
            Node::IMod(a, b) if pool.is_const(b) => self.app("mod", &[a, b]),
            Node::IDiv(a, b) => {
                format!("(ite (= {1} 0) 0 (div {0} {1}))", self.text(a), self.text(b))
            }
            Node::IMod(a, b) => {
                format!("(ite (= {1} 0) {0} (mod {0} {1}))", self.text(a), self.text(b))
            }
            Node::ILe(a, b) => self.app("<=", &[a, b]),
            Node::Fp(op, list) => self.render_fp(op, pool.list(list)),
        }
    }

    fn render_fp(&self, op: FpOp, args: &[TermId]) -> String {
        let floats = |name: &str| {
            let format = op.operand_format().expect("operands are floats");
            let mut text = format!("({name}");
            for &arg in args {
                let _ = write!(text, " {}", self.float(format, arg));
            }
            text + ")"
        };
        let text = match op {
            FpOp::Add(_) => floats("fp.add RNE"),
            FpOp::Sub(_) => floats("fp.sub RNE"),
            FpOp::Mul(_) => floats("fp.mul RNE"),
            FpOp::Div(_) => floats("fp.div RNE"),
            FpOp::Rem(_) | FpOp::IeeeRem(_) => floats("fp.rem"),
            FpOp::Sqrt(_) => floats("fp.sqrt RNE"),
            FpOp::Fma(_) => floats("fp.fma RNE"),
            FpOp::RoundToIntegral(_, mode) => floats(match mode {
                RoundingMode::NearestEven => "fp.roundToIntegral RNE",
                RoundingMode::NearestAway => "fp.roundToIntegral RNA",
                RoundingMode::Up => "fp.roundToIntegral RTP",
                RoundingMode::Down => "fp.roundToIntegral RTN",
                RoundingMode::TowardZero => "fp.roundToIntegral RTZ",
            }),
            FpOp::Lt(_) => floats("fp.lt"),
            FpOp::Le(_) => floats("fp.leq"),
            FpOp::Eq(_) => floats("fp.eq"),
            FpOp::IsNan(_) => floats("fp.isNaN"),
            FpOp::IsInf(_) => floats("fp.isInfinite"),
            FpOp::ToFp { to, .. } => floats(&format!("(_ to_fp {} {}) RNE", to.exp_bits, to.sig_bits)),
            FpOp::FromSInt { to } => {
                format!("((_ to_fp {} {}) RNE {})", to.exp_bits, to.sig_bits, self.bits(args[0]))
            }
            FpOp::FromUInt { to } => {
                format!("((_ to_fp_unsigned {} {}) RNE {})", to.exp_bits, to.sig_bits, self.bits(args[0]))
            }
            FpOp::ToSInt { width, .. } => floats(&format!("(_ fp.to_sbv {width}) RTZ")),
            FpOp::ToUInt { width, .. } => floats(&format!("(_ fp.to_ubv {width}) RTZ")),
        };
        match self.fp_bits {
            FpBits::Z3Function if op.result_format().is_some() => format!("(fp.to_ieee_bv {text})"),
            _ => text,
        }
    }
}

/// Defines a floating-point result as `<name>f` and its bit pattern as `name`.
pub(super) fn define_pattern(text: &mut String, op: FpOp, name: &str, definition: &str) -> std::fmt::Result {
    let format = op.result_format().expect("the result is a float");
    let (exp, sig) = (format.exp_bits, format.sig_bits);
    let width = format.width();
    let nan = format.nan_pattern();
    writeln!(text, "(define-fun {name}f () (_ FloatingPoint {exp} {sig}) {definition})")?;
    writeln!(text, "(declare-fun {name} () (_ BitVec {width}))")?;
    writeln!(text, "(assert (= ((_ to_fp {exp} {sig}) {name}) {name}f))")?;
    writeln!(text, "(assert (=> (fp.isNaN {name}f) (= {name} (_ bv{nan} {width}))))")
}

fn integer(value: &BigInt) -> String {
    if value.is_negative() { format!("(- {})", value.magnitude()) } else { value.to_string() }
}
