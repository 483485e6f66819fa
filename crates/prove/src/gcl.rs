//! Programs in the guarded-command language as transition systems over terms.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use selvedge_gcl::simulate::{Step, Trace, replay};
use selvedge_gcl::{CmpOp, Elaborated, Expr, Rhs, Sort, System, Value, VarIdx};
use selvedge_term::{Sort as TermSort, TermId, TermPool};

use crate::model::{Kind, Language, Model, ModelTransition, ModelVar, Run, Update};
use crate::show::show;

/// A program in the guarded-command language.
pub struct Gcl(pub Elaborated);

impl Gcl {
    /// The transition system of the program.
    pub fn system(&self) -> &System {
        &self.0.system
    }

    /// `run` as a trace of the simulator.
    pub fn trace(&self, run: &Run) -> Trace {
        let system = self.system();
        let value = |var: usize, n: &BigInt| match system.vars[var].sort {
            Sort::Int => Value::Int(n.clone()),
            Sort::Bool => Value::Bool(*n != BigInt::ZERO),
            Sort::Enum(_) => Value::Member(n.to_usize().unwrap_or_default()),
        };
        let state = |values: &[BigInt]| values.iter().enumerate().map(|(i, n)| value(i, n)).collect();
        let steps = run.steps.iter().map(|step| {
            let vars = selvedge_gcl::simulate::input_vars(system, step.transition);
            let inputs = vars.iter().zip(&step.inputs).map(|(var, n)| value(var.0, n)).collect();
            Step { transition: step.transition, inputs, state: state(&step.state) }
        });
        Trace { start: state(&run.start), steps: steps.collect() }
    }
}

fn size(sort: &Sort) -> Option<u32> {
    match sort {
        Sort::Int => None,
        Sort::Bool => Some(2),
        Sort::Enum(members) => Some(members.len() as u32),
    }
}

fn width(sort: &Sort) -> u32 {
    size(sort).map_or(1, |n| (u32::BITS - n.saturating_sub(1).leading_zeros()).max(1))
}

struct Lowering<'a> {
    pool: &'a mut TermPool,
    system: &'a System,
    vars: &'a [ModelVar],
}

impl Lowering<'_> {
    fn sort(&self, expr: &Expr) -> Option<&Sort> {
        match expr {
            Expr::Var(VarIdx(v)) => Some(&self.system.vars[*v].sort),
            _ => None,
        }
    }

    fn value(&mut self, value: &Value, sort: Option<&Sort>) -> TermId {
        match value {
            Value::Int(n) => self.pool.int(n.clone()),
            Value::Bool(b) => self.pool.bool(*b),
            Value::Member(i) => self.pool.bv(sort.map_or(1, width), *i as u64),
        }
    }

    /// `expr`, where members of enumerations are of `sort`. Expressions are as deep as the program's text
    /// is nested, which the parser limits.
    fn term(&mut self, expr: &Expr, sort: Option<&Sort>) -> TermId {
        match expr {
            Expr::Const(value) => self.value(value, sort),
            Expr::Var(VarIdx(v)) => self.vars[*v].term,
            Expr::Add(items) => {
                let mut sum = self.pool.int(BigInt::ZERO);
                for item in items {
                    let item = self.term(item, None);
                    sum = self.pool.iadd(sum, item);
                }
                sum
            }
            Expr::Scale(k, inner) => {
                let k = self.pool.int(k.clone());
                let inner = self.term(inner, None);
                self.pool.imul(inner, k)
            }
            Expr::Mod(inner, k) => {
                let k = self.pool.int(k.clone());
                let inner = self.term(inner, None);
                self.pool.imod(inner, k)
            }
            Expr::Cmp(op, a, b) => {
                let sort = self.sort(a).or_else(|| self.sort(b)).cloned();
                let (a, b) = (self.term(a, sort.as_ref()), self.term(b, sort.as_ref()));
                match op {
                    CmpOp::Eq => self.pool.eq(a, b),
                    CmpOp::Le => self.pool.ile(a, b),
                    CmpOp::Lt => self.pool.ilt(a, b),
                }
            }
            Expr::Not(inner) => {
                let inner = self.term(inner, None);
                self.pool.not(inner)
            }
            Expr::And(items) => {
                let items: Vec<TermId> = items.iter().map(|item| self.term(item, None)).collect();
                self.pool.and_all(&items)
            }
            Expr::Or(items) => {
                let items: Vec<TermId> = items.iter().map(|item| self.term(item, None)).collect();
                self.pool.or_all(&items)
            }
        }
    }
}

impl Language for Gcl {
    fn model(&self, pool: &mut TermPool) -> Model {
        let system = self.system();
        let mut vars = Vec::with_capacity(system.vars.len());
        for var in &system.vars {
            let (kind, sort) = match size(&var.sort) {
                Some(n) => (Kind::Control(n), TermSort::Bv(width(&var.sort))),
                None => (Kind::Data, TermSort::Int),
            };
            let term = pool.var(&var.name, sort);
            vars.push(ModelVar { name: var.name.clone(), term, kind });
        }
        let mut lowering = Lowering { pool, system, vars: &vars };
        let init = lowering.term(&system.init(), None);
        let bad = lowering.term(&system.bad(), None);
        let mut transitions = Vec::with_capacity(system.transitions.len());
        for t in &system.transitions {
            let guard = lowering.term(&t.guard, None);
            let mut updates = Vec::with_capacity(t.assigns.len());
            for assign in &t.assigns {
                let update = match &assign.rhs {
                    Rhs::Nondet => Update::Any,
                    Rhs::Expr(expr) => {
                        Update::Term(lowering.term(expr, Some(&system.vars[assign.var.0].sort)))
                    }
                };
                updates.push((assign.var.0, update));
            }
            transitions.push(ModelTransition { name: t.name.clone(), guard, updates });
        }
        Model { vars, init, transitions, bad }
    }

    fn show(&self, pool: &TermPool, model: &Model, condition: TermId) -> String {
        show(pool, model, condition)
    }

    fn read(&self, pool: &mut TermPool, model: &Model, text: &str) -> Result<TermId, String> {
        let expr = self.0.condition(text).map_err(|e| e.to_string())?;
        Ok(Lowering { pool, system: self.system(), vars: &model.vars }.term(&expr, None))
    }

    fn show_value(&self, var: usize, value: &BigInt) -> String {
        match &self.system().vars[var].sort {
            Sort::Int => value.to_string(),
            Sort::Bool => (*value != BigInt::ZERO).to_string(),
            Sort::Enum(members) => {
                value.to_usize().and_then(|i| members.get(i)).cloned().unwrap_or_else(|| value.to_string())
            }
        }
    }

    fn replay(&self, run: &Run) -> Result<(), String> {
        replay(self.system(), &self.trace(run)).map_err(|e| e.to_string())
    }
}
