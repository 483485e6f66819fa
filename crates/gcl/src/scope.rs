//! Names and types: from expressions as written to expressions over a system's variables.
//!
//! Guarantees: what comes out is well typed and linear; products of two unknowns are refused.

use std::cell::Cell;
use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::ast::{BinOp, Expr as Ast, ExprKind, Fold, Name, Path, Range};
use crate::error::{Error, Span};
use crate::system::{CmpOp, Expr, Value, VarIdx};

type Result<T> = std::result::Result<T, Error>;

/// Values that one range may have.
const MAX_RANGE: usize = 10_000;
/// Nodes that all expressions of a program together may have once unrolled.
const MAX_NODES: usize = 5_000_000;
/// How deep macros may use macros.
const MAX_MACROS: usize = 50;

/// The type of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    Int,
    Bool,
    /// An enumeration, by position.
    Enum(usize),
}

/// An expression with its type.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) ty: Ty,
    pub(crate) expr: Expr,
}

/// What the name of a variable stands for.
#[derive(Clone, Debug)]
pub(crate) enum VarEntry {
    Scalar(VarIdx, Ty),
    Array(Vec<VarIdx>, Ty),
}

/// A process or family.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProcessEntry {
    /// First index of a family.
    pub(crate) low: Option<BigInt>,
    pub(crate) locations: Vec<String>,
    pub(crate) instances: Vec<Instance>,
}

/// One process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instance {
    pub(crate) location: Option<VarIdx>,
    pub(crate) locals: BTreeMap<String, VarEntry>,
}

/// All names of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    pub(crate) consts: BTreeMap<String, BigInt>,
    pub(crate) enums: Vec<(String, Vec<String>)>,
    pub(crate) defines: BTreeMap<String, (Vec<Name>, Ast)>,
    pub(crate) vars: BTreeMap<String, VarEntry>,
    pub(crate) processes: BTreeMap<String, ProcessEntry>,
    /// That no transition is possible, once it is known.
    pub(crate) deadlock: Option<Expr>,
    pub(crate) nodes: Cell<usize>,
}

/// Names in force at a place.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    /// The process it stands in, and which of its family.
    pub(crate) process: Option<(String, usize)>,
    /// Indices and parameters, innermost last.
    pub(crate) bound: Vec<(String, Typed)>,
    macros: usize,
}

impl Scope {
    /// With an index that has a value.
    pub(crate) fn with_index(&self, name: &str, value: &BigInt) -> Scope {
        let mut scope = self.clone();
        let expr = Expr::Const(Value::Int(value.clone()));
        scope.bound.push((name.to_owned(), Typed { ty: Ty::Int, expr }));
        scope
    }
}

impl Symbols {
    pub(crate) fn type_name(&self, ty: Ty) -> &str {
        match ty {
            Ty::Int => "int",
            Ty::Bool => "bool",
            Ty::Enum(i) => &self.enums[i].0,
        }
    }

    /// A boolean expression.
    pub(crate) fn condition(&self, scope: &Scope, ast: &Ast) -> Result<Expr> {
        self.of_type(scope, ast, Ty::Bool)
    }

    /// An expression of type `ty`.
    pub(crate) fn of_type(&self, scope: &Scope, ast: &Ast, ty: Ty) -> Result<Expr> {
        let typed = self.expr(scope, ast)?;
        if typed.ty != ty {
            let (wanted, found) = (self.type_name(ty), self.type_name(typed.ty));
            return Err(Error::new(ast.span, format!("expected a value of type {wanted}, found {found}")));
        }
        Ok(typed.expr)
    }

    /// A constant integer.
    pub(crate) fn constant(&self, scope: &Scope, ast: &Ast, what: &str) -> Result<BigInt> {
        match self.of_type(scope, ast, Ty::Int)? {
            Expr::Const(Value::Int(n)) => Ok(n),
            _ => Err(Error::new(ast.span, format!("{what} must be a constant")).help(
                "for a variable index write a family of transitions: `t[j: 0..N-1]: when i == j do ...`",
            )),
        }
    }

    /// The values of a range.
    pub(crate) fn values(&self, scope: &Scope, range: &Range) -> Result<Vec<BigInt>> {
        let low = self.constant(scope, &range.low, "the first value of a range")?;
        let high = self.constant(scope, &range.high, "the last value of a range")?;
        let length = (&high - &low + 1u8).to_usize().unwrap_or(if high < low { 0 } else { usize::MAX });
        if length > MAX_RANGE {
            let span = range.low.span.to(range.high.span);
            return Err(Error::new(span, format!("a range may have at most {MAX_RANGE} values")));
        }
        Ok((0..length).map(|i| &low + i).collect())
    }

    fn count(&self, span: Span) -> Result<()> {
        self.nodes.set(self.nodes.get() + 1);
        if self.nodes.get() > MAX_NODES {
            return Err(Error::new(span, "the program becomes too large when it is unrolled"));
        }
        Ok(())
    }

    /// Any expression.
    pub(crate) fn expr(&self, scope: &Scope, ast: &Ast) -> Result<Typed> {
        self.count(ast.span)?;
        let int = |expr| Ok(Typed { ty: Ty::Int, expr });
        let boolean = |expr| Ok(Typed { ty: Ty::Bool, expr });
        match &ast.kind {
            ExprKind::Number(n) => int(Expr::Const(Value::Int(n.clone()))),
            ExprKind::Bool(b) => boolean(Expr::bool(*b)),
            ExprKind::Deadlock => match &self.deadlock {
                Some(expr) => boolean(expr.clone()),
                None => Err(Error::new(ast.span, "`deadlock` is for `safe` and `bad` only")),
            },
            ExprKind::Path(path) => self.path(scope, path, ast.span),
            ExprKind::At(path, location) => boolean(self.at(scope, path.as_ref(), location)?),
            ExprKind::Call(name, args) => self.call(scope, name, args, ast.span),
            ExprKind::Neg(inner) => int(scale(&-BigInt::one(), self.of_type(scope, inner, Ty::Int)?)),
            ExprKind::Not(inner) => boolean(self.condition(scope, inner)?.negated()),
            ExprKind::Sum(items) => {
                let mut sum = Vec::with_capacity(items.len());
                for (minus, item) in items {
                    let value = self.of_type(scope, item, Ty::Int)?;
                    sum.push(if *minus { scale(&-BigInt::one(), value) } else { value });
                }
                int(add(sum))
            }
            ExprKind::And(items) => boolean(self.all(scope, items, true)?),
            ExprKind::Or(items) => boolean(self.all(scope, items, false)?),
            ExprKind::Binary(op, a, b) => self.binary(scope, *op, a, b, ast.span),
            ExprKind::Fold(fold, range, body) => {
                let mut parts = Vec::new();
                let ty = if *fold == Fold::Sum { Ty::Int } else { Ty::Bool };
                for value in self.values(scope, range)? {
                    parts.push(self.of_type(&scope.with_index(&range.name.text, &value), body, ty)?);
                }
                let expr = match fold {
                    Fold::All => junction(parts, true),
                    Fold::Any => junction(parts, false),
                    Fold::Sum => add(parts),
                };
                Ok(Typed { ty, expr })
            }
        }
    }

    fn all(&self, scope: &Scope, items: &[Ast], conjunction: bool) -> Result<Expr> {
        let items: Result<Vec<Expr>> = items.iter().map(|item| self.condition(scope, item)).collect();
        Ok(junction(items?, conjunction))
    }

    fn binary(&self, scope: &Scope, op: BinOp, a: &Ast, b: &Ast, span: Span) -> Result<Typed> {
        let int = |expr| Ok(Typed { ty: Ty::Int, expr });
        let boolean = |expr| Ok(Typed { ty: Ty::Bool, expr });
        match op {
            BinOp::Implies => {
                let (a, b) = (self.condition(scope, a)?, self.condition(scope, b)?);
                boolean(junction(vec![a.negated(), b], false))
            }
            BinOp::Mul => {
                let (x, y) = (self.of_type(scope, a, Ty::Int)?, self.of_type(scope, b, Ty::Int)?);
                match (x, y) {
                    (Expr::Const(Value::Int(k)), other) | (other, Expr::Const(Value::Int(k))) => {
                        int(scale(&k, other))
                    }
                    _ => Err(Error::new(span, "this product is not linear: one factor must be a constant")
                        .help("nonlinear arithmetic cannot be decided, so it is refused")),
                }
            }
            BinOp::Mod => {
                let x = self.of_type(scope, a, Ty::Int)?;
                let y = self.of_type(scope, b, Ty::Int)?;
                let Expr::Const(Value::Int(k)) = y else {
                    return Err(Error::new(
                        b.span,
                        "this remainder is not linear: the divisor must be a constant",
                    )
                    .help("nonlinear arithmetic cannot be decided, so it is refused"));
                };
                if !k.is_positive() {
                    return Err(Error::new(b.span, "the divisor of `mod` must be positive"));
                }
                int(match x {
                    Expr::Const(Value::Int(n)) => Expr::Const(Value::Int(n.mod_floor(&k))),
                    x => Expr::Mod(Box::new(x), k),
                })
            }
            BinOp::Eq | BinOp::Ne => {
                let x = self.expr(scope, a)?;
                let y = self.of_type(scope, b, x.ty)?;
                let equal = compare(CmpOp::Eq, x.expr, y);
                boolean(if op == BinOp::Ne { equal.negated() } else { equal })
            }
            BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
                let (x, y) = (self.of_type(scope, a, Ty::Int)?, self.of_type(scope, b, Ty::Int)?);
                boolean(match op {
                    BinOp::Lt => compare(CmpOp::Lt, x, y),
                    BinOp::Le => compare(CmpOp::Le, x, y),
                    BinOp::Gt => compare(CmpOp::Lt, y, x),
                    _ => compare(CmpOp::Le, y, x),
                })
            }
        }
    }

    fn call(&self, scope: &Scope, name: &Name, args: &[Ast], span: Span) -> Result<Typed> {
        let Some((params, body)) = self.defines.get(&name.text) else {
            return Err(Error::new(name.span, format!("there is no macro `{}`", name.text)));
        };
        if params.len() != args.len() {
            let (n, m) = (params.len(), args.len());
            return Err(Error::new(span, format!("the macro `{}` has {n} parameters, not {m}", name.text)));
        }
        if scope.macros >= MAX_MACROS {
            return Err(Error::new(span, format!("the macro `{}` uses itself", name.text)));
        }
        // A macro sees its parameters and global names only.
        let mut inner = Scope { macros: scope.macros + 1, ..Scope::default() };
        for (param, arg) in params.iter().zip(args) {
            inner.bound.push((param.text.clone(), self.expr(scope, arg)?));
        }
        self.expr(&inner, body)
    }

    fn path(&self, scope: &Scope, path: &Path, span: Span) -> Result<Typed> {
        let name = &path.name.text;
        if path.field.is_none() {
            if path.index.is_none() {
                if let Some((_, typed)) = scope.bound.iter().rev().find(|(bound, _)| bound == name) {
                    return Ok(typed.clone());
                }
                if let Some(n) = self.consts.get(name) {
                    return Ok(Typed { ty: Ty::Int, expr: Expr::Const(Value::Int(n.clone())) });
                }
                for (i, (_, members)) in self.enums.iter().enumerate() {
                    if let Some(at) = members.iter().position(|m| m == name) {
                        return Ok(Typed { ty: Ty::Enum(i), expr: Expr::Const(Value::Member(at)) });
                    }
                }
                if self.defines.contains_key(name) {
                    return self.call(scope, &path.name, &[], span);
                }
            }
            let (var, ty) = self.variable(scope, path, span)?;
            return Ok(Typed { ty, expr: Expr::Var(var) });
        }
        let (var, ty) = self.variable(scope, path, span)?;
        Ok(Typed { ty, expr: Expr::Var(var) })
    }

    /// The variable that a path names.
    pub(crate) fn variable(&self, scope: &Scope, path: &Path, span: Span) -> Result<(VarIdx, Ty)> {
        if let Some((field, index)) = &path.field {
            let instance = self.instance(scope, &path.name, path.index.as_deref())?;
            let Some(entry) = instance.locals.get(&field.text) else {
                let message = format!("process `{}` has no variable `{}`", path.name.text, field.text);
                return Err(Error::new(field.span, message));
            };
            return self.element(scope, entry, &field.text, index.as_deref(), span);
        }
        let name = &path.name.text;
        let local = scope
            .process
            .as_ref()
            .and_then(|(process, i)| self.processes.get(process)?.instances.get(*i)?.locals.get(name));
        if let Some(entry) = local.or_else(|| self.vars.get(name)) {
            return self.element(scope, entry, name, path.index.as_deref(), span);
        }
        let error = Error::new(path.name.span, format!("there is no variable `{name}`"));
        if self.processes.contains_key(name) {
            return Err(error.help(format!(
                "`{name}` is a process: `{name}.x` is its variable, `{name}@l` its location"
            )));
        }
        Err(match self.similar(scope, name) {
            Some(other) => error.help(format!("did you mean `{other}`?")),
            None => error,
        })
    }

    /// A name that starts alike and differs in at most a letter or in case.
    fn similar(&self, scope: &Scope, name: &str) -> Option<String> {
        let locals = scope
            .process
            .as_ref()
            .and_then(|(process, i)| self.processes.get(process)?.instances.get(*i))
            .into_iter()
            .flat_map(|instance| instance.locals.keys());
        let known = self.vars.keys().chain(self.consts.keys()).chain(self.defines.keys()).chain(locals);
        let first = |text: &str| text.chars().next().map(|c| c.to_lowercase().to_string());
        known.filter(|other| first(name) == first(other) && distance(name, other) <= 1).min().cloned()
    }

    fn element(
        &self,
        scope: &Scope,
        entry: &VarEntry,
        name: &str,
        index: Option<&Ast>,
        span: Span,
    ) -> Result<(VarIdx, Ty)> {
        match (entry, index) {
            (VarEntry::Scalar(var, ty), None) => Ok((*var, *ty)),
            (VarEntry::Scalar(..), Some(index)) => {
                Err(Error::new(index.span, format!("`{name}` is not an array")))
            }
            (VarEntry::Array(..), None) => {
                Err(Error::new(span, format!("`{name}` is an array and needs an index")))
            }
            (VarEntry::Array(vars, ty), Some(index)) => {
                let at = self.constant(scope, index, "an index")?;
                match at.to_usize().and_then(|at| vars.get(at)) {
                    Some(var) => Ok((*var, *ty)),
                    None => {
                        let message = format!(
                            "the index {at} is outside of `{name}`, which has {} elements",
                            vars.len()
                        );
                        Err(Error::new(index.span, message))
                    }
                }
            }
        }
    }

    fn instance(&self, scope: &Scope, name: &Name, index: Option<&Ast>) -> Result<&Instance> {
        let Some(process) = self.processes.get(&name.text) else {
            return Err(Error::new(name.span, format!("there is no process `{}`", name.text)));
        };
        let offset = match (&process.low, index) {
            (None, None) => Some(0),
            (None, Some(index)) => {
                return Err(Error::new(index.span, format!("`{}` is not a family of processes", name.text)));
            }
            (Some(_), None) => {
                return Err(Error::new(
                    name.span,
                    format!("`{}` is a family of processes and needs an index", name.text),
                ));
            }
            (Some(low), Some(index)) => {
                let at = self.constant(scope, index, "an index")?;
                (at - low).to_usize()
            }
        };
        let place = index.map_or(name.span, |index| index.span);
        offset.and_then(|offset| process.instances.get(offset)).ok_or_else(|| {
            Error::new(place, format!("there is no such process in the family `{}`", name.text))
        })
    }

    /// `P[i]@location`.
    fn at(&self, scope: &Scope, path: Option<&Path>, location: &Name) -> Result<Expr> {
        let (process, instance) = match path {
            Some(path) => (&path.name.text, self.instance(scope, &path.name, path.index.as_deref())?),
            None => match &scope.process {
                Some((name, i)) => (name, &self.processes[name].instances[*i]),
                None => {
                    return Err(Error::new(
                        location.span,
                        "`@` without a process stands inside a process only",
                    ));
                }
            },
        };
        self.located(process, instance, location)
    }

    /// That `instance` of `process` is at `location`.
    pub(crate) fn located(&self, process: &str, instance: &Instance, location: &Name) -> Result<Expr> {
        let at = self.location(process, location)?;
        let var = instance.location.expect("a process with locations has a variable for them");
        Ok(compare(CmpOp::Eq, Expr::Var(var), Expr::Const(Value::Member(at))))
    }

    /// The position of a location.
    pub(crate) fn location(&self, process: &str, location: &Name) -> Result<usize> {
        self.processes[process].locations.iter().position(|l| *l == location.text).ok_or_else(|| {
            Error::new(location.span, format!("process `{process}` has no location `{}`", location.text))
        })
    }
}

/// Whether two names differ by more than one letter: 0, 1 or 2.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    if long.len() - short.len() > 1 {
        return 2;
    }
    let start = short.iter().zip(long).take_while(|(x, y)| x == y).count();
    let rest = short.len() - start;
    let end = short.iter().rev().zip(long.iter().rev()).take_while(|(x, y)| x == y).count().min(rest);
    (long.len() - start - end).min(2)
}

pub(crate) fn scale(factor: &BigInt, expr: Expr) -> Expr {
    match expr {
        _ if factor.is_zero() => Expr::Const(Value::Int(BigInt::zero())),
        expr if factor.is_one() => expr,
        Expr::Const(Value::Int(n)) => Expr::Const(Value::Int(n * factor)),
        Expr::Scale(k, inner) => scale(&(k * factor), *inner),
        expr => Expr::Scale(factor.clone(), Box::new(expr)),
    }
}

/// A sum, with constants added up.
fn add(items: Vec<Expr>) -> Expr {
    let mut constant = BigInt::zero();
    let mut rest = Vec::with_capacity(items.len());
    for item in items {
        match item {
            Expr::Const(Value::Int(n)) => constant += n,
            other => rest.push(other),
        }
    }
    if rest.is_empty() {
        return Expr::Const(Value::Int(constant));
    }
    if !constant.is_zero() {
        rest.push(Expr::Const(Value::Int(constant)));
    }
    if rest.len() == 1 { rest.remove(0) } else { Expr::Add(rest) }
}

/// A conjunction or disjunction, decided where constants decide it.
pub(crate) fn junction(items: Vec<Expr>, conjunction: bool) -> Expr {
    let mut rest = Vec::with_capacity(items.len());
    for item in items {
        match item {
            Expr::Const(Value::Bool(b)) if b == conjunction => {}
            Expr::Const(Value::Bool(_)) => return Expr::bool(!conjunction),
            Expr::And(inner) if conjunction => rest.extend(inner),
            Expr::Or(inner) if !conjunction => rest.extend(inner),
            other => rest.push(other),
        }
    }
    match rest.len() {
        0 => Expr::bool(conjunction),
        1 => rest.remove(0),
        _ if conjunction => Expr::And(rest),
        _ => Expr::Or(rest),
    }
}

/// A comparison, decided if both sides are constants.
pub(crate) fn compare(op: CmpOp, a: Expr, b: Expr) -> Expr {
    match (&a, &b) {
        (Expr::Const(x), Expr::Const(y)) => Expr::bool(match op {
            CmpOp::Eq => x == y,
            CmpOp::Le => x <= y,
            CmpOp::Lt => x < y,
        }),
        (_, Expr::Const(Value::Bool(true))) if op == CmpOp::Eq => a,
        (_, Expr::Const(Value::Bool(false))) if op == CmpOp::Eq => a.negated(),
        (Expr::Const(_), _) if op == CmpOp::Eq => compare(op, b, a),
        _ => Expr::Cmp(op, Box::new(a), Box::new(b)),
    }
}
