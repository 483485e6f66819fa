//! The names of a program, and what they stand for.

use std::collections::BTreeMap;

use num_bigint::BigInt;

use crate::ast::{Expr as Ast, Name};
use crate::error::Error;
use crate::fold::compare;
use crate::system::{CmpOp, Expr, Value, VarIdx};

type Result<T> = std::result::Result<T, Error>;

/// The type of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    Int,
    Bool,
    /// An enumeration, by position.
    Enum(usize),
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
}

impl Symbols {
    pub(crate) fn type_name(&self, ty: Ty) -> &str {
        match ty {
            Ty::Int => "int",
            Ty::Bool => "bool",
            Ty::Enum(i) => &self.enums[i].0,
        }
    }

    /// One process of a family.
    pub(crate) fn instance(&self, process: &str, i: usize) -> Option<&Instance> {
        self.processes.get(process)?.instances.get(i)
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

    /// A name of something with a value that starts like `name` and differs in at most a letter or in case.
    pub(crate) fn similar(&self, inside: Option<&Instance>, name: &str) -> Option<String> {
        let locals = inside.into_iter().flat_map(|instance| instance.locals.keys());
        let known = self.vars.keys().chain(self.consts.keys()).chain(self.defines.keys()).chain(locals);
        let first = |text: &str| text.chars().next().map(|c| c.to_lowercase().to_string());
        known.filter(|other| first(name) == first(other) && distance(name, other) <= 1).min().cloned()
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
