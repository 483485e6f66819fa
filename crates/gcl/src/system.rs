//! The flat transition system: what a program means.
//!
//! No names are left to resolve, no families to unroll; every expression is well typed and linear.

use std::fmt;

use num_bigint::BigInt;

use crate::error::Span;

/// A variable: its index in [`System::vars`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarIdx(pub usize);

/// What values a variable has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sort {
    /// Unbounded integers.
    Int,
    /// Truth values.
    Bool,
    /// One of these members, in order.
    Enum(Vec<String>),
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Var {
    /// As it is written: `x`, `a[2]`, `P[1].t`; the location of a process has the process's name.
    pub name: String,
    /// Its values.
    pub sort: Sort,
    /// Whether it is the location of a process.
    pub is_location: bool,
}

/// A value. Members of enumerations are their positions.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// An integer.
    Int(BigInt),
    /// A truth value.
    Bool(bool),
    /// A member.
    Member(usize),
}

/// Comparisons; the others are these swapped or negated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CmpOp {
    /// Equal, of any sort.
    Eq,
    /// At most, of integers.
    Le,
    /// Less than, of integers.
    Lt,
}

/// An expression over variables of a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A constant.
    Const(Value),
    /// A variable.
    Var(VarIdx),
    /// A sum.
    Add(Vec<Expr>),
    /// A product with a constant.
    Scale(BigInt, Box<Expr>),
    /// The remainder by a positive constant, never negative.
    Mod(Box<Expr>, BigInt),
    /// A comparison.
    Cmp(CmpOp, Box<Expr>, Box<Expr>),
    /// Negation.
    Not(Box<Expr>),
    /// Conjunction; true if empty.
    And(Vec<Expr>),
    /// Disjunction; false if empty.
    Or(Vec<Expr>),
}

impl Expr {
    /// The constant true or false.
    pub fn bool(value: bool) -> Expr {
        Expr::Const(Value::Bool(value))
    }

    /// The negation.
    #[must_use]
    pub fn negated(self) -> Expr {
        match self {
            Expr::Not(inner) => *inner,
            Expr::Const(Value::Bool(b)) => Expr::bool(!b),
            other => Expr::Not(Box::new(other)),
        }
    }
}

/// What a variable becomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rhs {
    /// The value of an expression in the state before.
    Expr(Expr),
    /// Any value.
    Nondet,
}

/// One concurrent assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assign {
    /// The variable.
    pub var: VarIdx,
    /// Its new value.
    pub rhs: Rhs,
}

/// `guard → assigns`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// As in `P[1].enter`; unique.
    pub name: String,
    /// The process it belongs to, an index of [`System::processes`].
    pub process: usize,
    /// When it can be taken.
    pub guard: Expr,
    /// What it does; no variable twice.
    pub assigns: Vec<Assign>,
    /// Where it was written.
    pub span: Span,
}

/// A program as a transition system.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct System {
    /// Variables.
    pub vars: Vec<Var>,
    /// Names of processes.
    pub processes: Vec<String>,
    /// Initial states.
    pub init: Option<Expr>,
    /// Transitions.
    pub transitions: Vec<Transition>,
    /// States that must not be reached.
    pub bad: Option<Expr>,
    /// The constants used, after replacement, for reports.
    pub constants: Vec<(String, BigInt)>,
}

/// Values of all variables.
pub type State = Vec<Value>;

impl System {
    /// The initial states.
    pub fn init(&self) -> Expr {
        self.init.clone().unwrap_or(Expr::bool(true))
    }

    /// The bad states.
    pub fn bad(&self) -> Expr {
        self.bad.clone().unwrap_or(Expr::bool(false))
    }

    /// The variable of this name.
    pub fn var(&self, name: &str) -> Option<VarIdx> {
        self.vars.iter().position(|v| v.name == name).map(VarIdx)
    }

    /// A value as it is written for this variable.
    pub fn show_value(&self, var: VarIdx, value: &Value) -> String {
        match (value, &self.vars[var.0].sort) {
            (Value::Int(n), _) => n.to_string(),
            (Value::Bool(b), _) => b.to_string(),
            (Value::Member(i), Sort::Enum(members)) => members.get(*i).cloned().unwrap_or_default(),
            (Value::Member(i), _) => i.to_string(),
        }
    }
}

/// A state with the names of its variables: `x = 1, P[0]@crit`.
pub struct NamedState<'a>(pub &'a System, pub &'a State);

impl fmt::Display for NamedState<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (var, value)) in self.0.vars.iter().zip(self.1).enumerate() {
            let sep = if i == 0 { "" } else { ", " };
            let text = self.0.show_value(VarIdx(i), value);
            match var.is_location {
                true => write!(f, "{sep}{}@{text}", var.name)?,
                false => write!(f, "{sep}{} = {text}", var.name)?,
            }
        }
        Ok(())
    }
}

/// An expression in the syntax of the language.
pub struct Show<'a>(pub &'a System, pub &'a Expr);

impl Show<'_> {
    fn sub<'a>(&'a self, expr: &'a Expr) -> Show<'a> {
        Show(self.0, expr)
    }

    fn list(&self, f: &mut fmt::Formatter<'_>, items: &[Expr], sep: &str, empty: &str) -> fmt::Result {
        if items.is_empty() {
            return f.write_str(empty);
        }
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                f.write_str(sep)?;
            }
            match item {
                Expr::Const(_) | Expr::Var(_) | Expr::Cmp(..) => write!(f, "{}", self.sub(item))?,
                _ => write!(f, "({})", self.sub(item))?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Show<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Expr::Const(Value::Int(n)) => write!(f, "{n}"),
            Expr::Const(Value::Bool(b)) => write!(f, "{b}"),
            Expr::Const(Value::Member(i)) => write!(f, "#{i}"),
            Expr::Var(v) => f.write_str(&self.0.vars[v.0].name),
            Expr::Add(items) => self.list(f, items, " + ", "0"),
            Expr::Scale(k, inner) => write!(f, "{k} * ({})", self.sub(inner)),
            Expr::Mod(inner, k) => write!(f, "({}) mod {k}", self.sub(inner)),
            Expr::Cmp(op, a, b) => {
                if let (Expr::Var(v), Expr::Const(value @ Value::Member(_))) = (a.as_ref(), b.as_ref()) {
                    let var = &self.0.vars[v.0];
                    let sign = if var.is_location { "@" } else { " == " };
                    return write!(f, "{}{sign}{}", var.name, self.0.show_value(*v, value));
                }
                let sign = match op {
                    CmpOp::Eq => "==",
                    CmpOp::Le => "<=",
                    CmpOp::Lt => "<",
                };
                let side = |e: &Expr| match e {
                    Expr::Cmp(..) | Expr::And(_) | Expr::Or(_) | Expr::Not(_) => {
                        format!("({})", self.sub(e))
                    }
                    _ => self.sub(e).to_string(),
                };
                write!(f, "{} {sign} {}", side(a), side(b))
            }
            Expr::Not(inner) => write!(f, "!({})", self.sub(inner)),
            Expr::And(items) => self.list(f, items, " && ", "true"),
            Expr::Or(items) => self.list(f, items, " || ", "false"),
        }
    }
}
