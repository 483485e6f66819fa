//! Types: from expressions as written to expressions over a system's variables.
//!
//! Guarantees: what comes out is well typed and linear; products of two unknowns are refused. What an expression
//! costs is paid from a [`Budget`], so that a short text cannot ask for an endless one.

use std::cell::Cell;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive};

use crate::ast::{BinOp, Expr as Ast, ExprKind, Fold, Name, Path, Range};
use crate::error::{Error, Span};
use crate::fold::{add, compare, junction, scale};
use crate::symbols::{Instance, Symbols, Ty, VarEntry};
use crate::system::{CmpOp, Expr, Value, VarIdx};
use crate::token::{MAX_BITS, TOO_LARGE};

type Result<T> = std::result::Result<T, Error>;

/// Values that one range may have.
const MAX_RANGE: usize = 10_000;
/// Nodes that all expressions of a program together may have once unrolled.
const MAX_NODES: usize = 5_000_000;
/// How deep macros may use macros.
const MAX_MACROS: usize = 50;
/// How deep expressions may be once macros are replaced; what is written is less deep, see `parse`.
const MAX_DEPTH: usize = 1_000;

/// What unrolling a program has cost.
#[derive(Default)]
pub(crate) struct Budget(Cell<usize>);

impl Budget {
    /// Pays for `nodes` more nodes of expressions, needed at `span`.
    pub(crate) fn spend(&self, nodes: usize, span: Span) -> Result<()> {
        self.0.set(self.0.get().saturating_add(nodes));
        if self.0.get() > MAX_NODES {
            return Err(Error::new(span, "the program becomes too large when it is unrolled"));
        }
        Ok(())
    }
}

/// An expression with its type.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) ty: Ty,
    pub(crate) expr: Expr,
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

/// Gives expressions their meaning.
#[derive(Clone, Copy)]
pub(crate) struct Typer<'a> {
    pub(crate) symbols: &'a Symbols,
    pub(crate) budget: &'a Budget,
}

impl<'a> Typer<'a> {
    /// A boolean expression.
    pub(crate) fn condition(&self, scope: &Scope, ast: &Ast) -> Result<Expr> {
        self.of_type(scope, ast, Ty::Bool)
    }

    /// An expression of type `ty`.
    pub(crate) fn of_type(&self, scope: &Scope, ast: &Ast, ty: Ty) -> Result<Expr> {
        let typed = self.expr(scope, ast)?;
        if typed.ty != ty {
            let (wanted, found) = (self.symbols.type_name(ty), self.symbols.type_name(typed.ty));
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

    /// Any expression.
    pub(crate) fn expr(&self, scope: &Scope, ast: &Ast) -> Result<Typed> {
        self.budget.spend(1, ast.span)?;
        let int = |expr| Ok(Typed { ty: Ty::Int, expr });
        let boolean = |expr| Ok(Typed { ty: Ty::Bool, expr });
        match &ast.kind {
            ExprKind::Number(n) => int(Expr::Const(Value::Int(n.clone()))),
            ExprKind::Bool(b) => boolean(Expr::bool(*b)),
            ExprKind::Deadlock => match &self.symbols.deadlock {
                Some(expr) => {
                    self.budget.spend(measure(expr).0, ast.span)?;
                    boolean(expr.clone())
                }
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
                        let product = scale(&k, other);
                        if let Expr::Const(Value::Int(n)) | Expr::Scale(n, _) = &product
                            && n.bits() > MAX_BITS
                        {
                            return Err(Error::new(span, TOO_LARGE));
                        }
                        int(product)
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
        let Some((params, body)) = self.symbols.defines.get(&name.text) else {
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
        let typed = self.expr(&inner, body)?;
        let (nodes, depth) = measure(&typed.expr);
        self.budget.spend(nodes, span)?;
        if depth > MAX_DEPTH {
            return Err(Error::new(span, "expressions are nested too deeply"));
        }
        Ok(typed)
    }

    fn path(&self, scope: &Scope, path: &Path, span: Span) -> Result<Typed> {
        let name = &path.name.text;
        if path.field.is_none() {
            if path.index.is_none() {
                if let Some((_, typed)) = scope.bound.iter().rev().find(|(bound, _)| bound == name) {
                    self.budget.spend(measure(&typed.expr).0, span)?;
                    return Ok(typed.clone());
                }
                if let Some(n) = self.symbols.consts.get(name) {
                    return Ok(Typed { ty: Ty::Int, expr: Expr::Const(Value::Int(n.clone())) });
                }
                for (i, (_, members)) in self.symbols.enums.iter().enumerate() {
                    if let Some(at) = members.iter().position(|m| m == name) {
                        return Ok(Typed { ty: Ty::Enum(i), expr: Expr::Const(Value::Member(at)) });
                    }
                }
                if self.symbols.defines.contains_key(name) {
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
        let inside = scope.process.as_ref().and_then(|(process, i)| self.symbols.instance(process, *i));
        let local = inside.and_then(|instance| instance.locals.get(name));
        if let Some(entry) = local.or_else(|| self.symbols.vars.get(name)) {
            return self.element(scope, entry, name, path.index.as_deref(), span);
        }
        let error = Error::new(path.name.span, format!("there is no variable `{name}`"));
        if self.symbols.processes.contains_key(name) {
            return Err(error.help(format!(
                "`{name}` is a process: `{name}.x` is its variable, `{name}@l` its location"
            )));
        }
        Err(match self.symbols.similar(inside, name) {
            Some(other) => error.help(format!("did you mean `{other}`?")),
            None => error,
        })
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

    fn instance(&self, scope: &Scope, name: &Name, index: Option<&Ast>) -> Result<&'a Instance> {
        let Some(process) = self.symbols.processes.get(&name.text) else {
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
                Some((name, i)) => (name, &self.symbols.processes[name].instances[*i]),
                None => {
                    return Err(Error::new(
                        location.span,
                        "`@` without a process stands inside a process only",
                    ));
                }
            },
        };
        self.symbols.located(process, instance, location)
    }
}

/// The nodes of an expression, and its depth.
fn measure(expr: &Expr) -> (usize, usize) {
    let (mut nodes, mut deepest) = (0, 0);
    let mut pending = vec![(expr, 1)];
    while let Some((expr, depth)) = pending.pop() {
        nodes += 1;
        deepest = deepest.max(depth);
        match expr {
            Expr::Const(_) | Expr::Var(_) => {}
            Expr::Scale(_, inner) | Expr::Mod(inner, _) | Expr::Not(inner) => {
                pending.push((inner, depth + 1))
            }
            Expr::Cmp(_, a, b) => pending.extend([(a.as_ref(), depth + 1), (b.as_ref(), depth + 1)]),
            Expr::Add(items) | Expr::And(items) | Expr::Or(items) => {
                pending.extend(items.iter().map(|item| (item, depth + 1)));
            }
        }
    }
    (nodes, deepest)
}
