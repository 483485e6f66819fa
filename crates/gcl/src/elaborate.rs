//! From the syntax tree to the flat system: declarations, families, initial states, transitions.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::ast::{
    Expr as Ast, ExprKind, Init, ItemKind, LocalKind, Name, Process, Program, TransitionDecl, Type, VarDecl,
};
use crate::error::{Error, Span};
use crate::fold::{compare, junction};
use crate::symbols::{Instance, ProcessEntry, Symbols, Ty, VarEntry};
use crate::system::{Assign, CmpOp, Expr, Rhs, Sort, System, Transition, Value, Var, VarIdx};
use crate::typing::{Budget, Scope, Typer};

type Result<T> = std::result::Result<T, Error>;

/// Elements of one array.
const MAX_ARRAY: usize = 10_000;
/// Variables of a program.
const MAX_VARS: usize = 100_000;
/// Transitions of a program.
const MAX_TRANSITIONS: usize = 100_000;

/// A system with the names it was made from.
#[derive(Clone, Debug)]
pub struct Elaborated {
    /// The system.
    pub system: System,
    symbols: Symbols,
}

impl Elaborated {
    /// A condition in the names of the program, as an expression over the system's variables.
    pub fn condition(&self, text: &str) -> Result<Expr> {
        let typer = Typer { symbols: &self.symbols, budget: &Budget::default() };
        typer.condition(&Scope::default(), &crate::parse::parse_expr(text)?)
    }
}

/// The system that `program` describes; `defines` replaces values of constants.
pub fn elaborate(program: &Program, defines: &[(String, BigInt)]) -> Result<Elaborated> {
    let mut builder = Builder::default();
    builder.constants(program, defines)?;
    builder.declarations(program)?;
    builder.initial_states(program)?;
    builder.transitions(program)?;
    builder.property(program)?;
    let Builder { system, symbols, .. } = builder;
    Ok(Elaborated { system, symbols })
}

#[derive(Default)]
struct Builder {
    system: System,
    symbols: Symbols,
    /// Where each global name was declared.
    declared: BTreeMap<String, Span>,
    init: Vec<Expr>,
    /// Variables without an initial value: they must occur in an `init`.
    open: Vec<(VarIdx, Name)>,
    budget: Budget,
}

impl Builder {
    fn typer(&self) -> Typer<'_> {
        Typer { symbols: &self.symbols, budget: &self.budget }
    }

    fn declare(&mut self, name: &Name) -> Result<()> {
        if self.declared.insert(name.text.clone(), name.span).is_some() {
            return Err(Error::new(name.span, format!("the name `{}` is declared twice", name.text)));
        }
        Ok(())
    }

    fn constants(&mut self, program: &Program, defines: &[(String, BigInt)]) -> Result<()> {
        for item in &program.items {
            if let ItemKind::Const(name, value) = &item.kind {
                self.declare(name)?;
                let given = defines.iter().rev().find(|(n, _)| *n == name.text);
                let value = match given {
                    Some((_, value)) => value.clone(),
                    None => self.typer().constant(&Scope::default(), value, "the value of a constant")?,
                };
                self.system.constants.push((name.text.clone(), value.clone()));
                self.symbols.consts.insert(name.text.clone(), value);
            }
        }
        match defines.iter().find(|(name, _)| !self.symbols.consts.contains_key(name)) {
            Some((name, _)) => {
                let error =
                    Error::new(Span::default(), format!("the program has no constant `{name}` to set"));
                let known: Vec<String> = self.symbols.consts.keys().map(|n| format!("`{n}`")).collect();
                Err(if known.is_empty() { error } else { error.help(format!("it has {}", known.join(", "))) })
            }
            None => Ok(()),
        }
    }

    fn declarations(&mut self, program: &Program) -> Result<()> {
        for item in &program.items {
            match &item.kind {
                ItemKind::Enum(name, members) => {
                    self.declare(name)?;
                    for member in members {
                        self.declare(member)?;
                    }
                    let members = members.iter().map(|m| m.text.clone()).collect();
                    self.symbols.enums.push((name.text.clone(), members));
                }
                ItemKind::Define(name, params, body) => {
                    self.declare(name)?;
                    let entry = (params.clone(), body.clone());
                    self.symbols.defines.insert(name.text.clone(), entry);
                }
                _ => {}
            }
        }
        for item in &program.items {
            match &item.kind {
                ItemKind::Var(decl) => {
                    for (name, _) in &decl.names {
                        self.declare(name)?;
                    }
                    let entries = self.variables(&Scope::default(), decl, "")?;
                    self.symbols.vars.extend(entries);
                }
                ItemKind::Process(process) => self.process(process)?,
                _ => {}
            }
        }
        if self.symbols.processes.is_empty() {
            return Err(Error::new(Span::default(), "the program has no process"));
        }
        Ok(())
    }

    /// The variables of a declaration; their names start with `prefix`.
    fn variables(&mut self, scope: &Scope, decl: &VarDecl, prefix: &str) -> Result<Vec<(String, VarEntry)>> {
        let ty = self.declared_type(&decl.ty)?;
        let mut entries = Vec::new();
        for (name, size) in &decl.names {
            let full = format!("{prefix}{}", name.text);
            let entry = match size {
                None => VarEntry::Scalar(self.add_var(full, ty, name.span)?, ty),
                Some(size) => {
                    let n = self.typer().constant(scope, size, "the size of an array")?;
                    let n = n.to_usize().filter(|n| (1..=MAX_ARRAY).contains(n)).ok_or_else(|| {
                        Error::new(size.span, format!("an array has 1 to {MAX_ARRAY} elements, not {n}"))
                    })?;
                    let element = |i| self.add_var(format!("{full}[{i}]"), ty, name.span);
                    VarEntry::Array((0..n).map(element).collect::<Result<_>>()?, ty)
                }
            };
            if decl.init.is_none() {
                let vars = match &entry {
                    VarEntry::Scalar(var, _) => std::slice::from_ref(var),
                    VarEntry::Array(vars, _) => vars,
                };
                self.open.extend(vars.iter().map(|var| (*var, name.clone())));
            }
            entries.push((name.text.clone(), entry));
        }
        Ok(entries)
    }

    fn declared_type(&self, ty: &Type) -> Result<Ty> {
        match ty {
            Type::Int => Ok(Ty::Int),
            Type::Bool => Ok(Ty::Bool),
            Type::Enum(name) => match self.symbols.enums.iter().position(|(n, _)| *n == name.text) {
                Some(i) => Ok(Ty::Enum(i)),
                None => Err(Error::new(name.span, format!("there is no type `{}`", name.text))),
            },
        }
    }

    fn add_var(&mut self, name: String, ty: Ty, span: Span) -> Result<VarIdx> {
        let sort = match ty {
            Ty::Int => Sort::Int,
            Ty::Bool => Sort::Bool,
            Ty::Enum(i) => Sort::Enum(self.symbols.enums[i].1.clone()),
        };
        self.push_var(Var { name, sort, is_location: false }, span)
    }

    fn push_var(&mut self, var: Var, span: Span) -> Result<VarIdx> {
        if self.system.vars.len() >= MAX_VARS {
            return Err(Error::new(span, format!("a program may have at most {MAX_VARS} variables")));
        }
        self.system.vars.push(var);
        Ok(VarIdx(self.system.vars.len() - 1))
    }

    fn process(&mut self, process: &Process) -> Result<()> {
        self.declare(&process.name)?;
        let name = &process.name.text;
        let mut entry = ProcessEntry::default();
        // A transition may have the name of a location: the two never stand at the same place.
        let (mut names, mut transitions) = (BTreeSet::new(), BTreeSet::new());
        let fresh = |seen: &mut BTreeSet<String>, name: &Name| match seen.insert(name.text.clone()) {
            true => Ok(()),
            false => {
                let message = format!("the name `{}` is declared twice in its process", name.text);
                Err(Error::new(name.span, message))
            }
        };
        for local in &process.locals {
            match &local.kind {
                LocalKind::Locations(list) if entry.locations.is_empty() => {
                    list.iter().try_for_each(|name| fresh(&mut names, name))?;
                    entry.locations = list.iter().map(|n| n.text.clone()).collect();
                }
                LocalKind::Locations(_) => {
                    return Err(Error::new(local.span, "the locations of a process are listed once"));
                }
                LocalKind::Var(decl) => {
                    decl.names.iter().try_for_each(|(name, _)| fresh(&mut names, name))?
                }
                LocalKind::Transition(t) => fresh(&mut transitions, &t.name)?,
            }
        }
        if !process.locals.iter().any(|l| matches!(l.kind, LocalKind::Transition(_))) {
            return Err(Error::new(process.name.span, format!("process `{name}` has no transitions"))
                .help("a transition is `name: at location when guard do x := e goto location;`"));
        }
        let mut indices = vec![None];
        if let Some(range) = &process.range {
            let values = self.typer().values(&Scope::default(), range)?;
            let Some(low) = values.first() else {
                return Err(Error::new(process.name.span, format!("the family `{name}` is empty")));
            };
            entry.low = Some(low.clone());
            indices = values.into_iter().map(Some).collect();
        }
        // Registered before its variables: their sizes and values are ordinary expressions.
        self.symbols.processes.insert(name.clone(), entry);
        for (i, index) in indices.iter().enumerate() {
            let full = index.as_ref().map_or(name.clone(), |index| format!("{name}[{index}]"));
            let scope = self.scope(process, i, index.as_ref());
            self.system.processes.push(full.clone());
            let locations = self.symbols.processes[name].locations.clone();
            let mut instance = Instance::default();
            if !locations.is_empty() {
                let var = Var { name: full.clone(), sort: Sort::Enum(locations), is_location: true };
                let var = self.push_var(var, process.name.span)?;
                instance.location = Some(var);
                self.init.push(compare(CmpOp::Eq, Expr::Var(var), Expr::Const(Value::Member(0))));
            }
            for local in &process.locals {
                if let LocalKind::Var(decl) = &local.kind {
                    let entries = self.variables(&scope, decl, &format!("{full}."))?;
                    instance.locals.extend(entries);
                }
            }
            let entry = self.symbols.processes.get_mut(name).expect("it was just registered");
            entry.instances.push(instance);
        }
        Ok(())
    }

    fn scope(&self, process: &Process, i: usize, index: Option<&BigInt>) -> Scope {
        let mut scope = Scope::default();
        if let (Some(range), Some(index)) = (&process.range, index) {
            scope = scope.with_index(&range.name.text, index);
        }
        scope.process = Some((process.name.text.clone(), i));
        scope
    }

    /// The processes of a declaration with their scopes.
    fn scopes(&self, process: &Process) -> Vec<Scope> {
        let entry = &self.symbols.processes[&process.name.text];
        let index = |i: usize| entry.low.as_ref().map(|low| low + i);
        (0..entry.instances.len()).map(|i| self.scope(process, i, index(i).as_ref())).collect()
    }

    fn initial_values(&mut self, scope: &Scope, decl: &VarDecl) -> Result<()> {
        let Some(Init::Value(value)) = &decl.init else { return Ok(()) };
        let ty = self.declared_type(&decl.ty)?;
        let value = self.typer().of_type(scope, value, ty)?;
        for (name, _) in &decl.names {
            let local = scope
                .process
                .as_ref()
                .map(|(process, i)| &self.symbols.processes[process].instances[*i].locals[&name.text]);
            let entry = local.unwrap_or_else(|| &self.symbols.vars[&name.text]);
            let vars = match entry {
                VarEntry::Scalar(var, _) => vec![*var],
                VarEntry::Array(vars, _) => vars.clone(),
            };
            self.init.extend(vars.into_iter().map(|var| compare(CmpOp::Eq, Expr::Var(var), value.clone())));
        }
        Ok(())
    }

    fn initial_states(&mut self, program: &Program) -> Result<()> {
        let mut mentioned = BTreeSet::new();
        for item in &program.items {
            match &item.kind {
                ItemKind::Var(decl) => self.initial_values(&Scope::default(), decl)?,
                ItemKind::Process(process) => {
                    for scope in self.scopes(process) {
                        for local in &process.locals {
                            if let LocalKind::Var(decl) = &local.kind {
                                self.initial_values(&scope, decl)?;
                            }
                        }
                    }
                }
                ItemKind::Init(expr) => {
                    let init = self.typer().condition(&Scope::default(), expr)?;
                    collect_vars(&init, &mut mentioned);
                    self.init.push(init);
                }
                _ => {}
            }
        }
        if let Some((_, name)) = self.open.iter().find(|(var, _)| !mentioned.contains(var)) {
            return Err(Error::new(name.span, format!("the variable `{}` has no initial value", name.text))
                .help("give it one with `= value` or an `init`, or write `= nondet` if it can have any"));
        }
        self.system.init = Some(junction(std::mem::take(&mut self.init), true));
        Ok(())
    }

    fn transitions(&mut self, program: &Program) -> Result<()> {
        let mut process_at = 0;
        for item in &program.items {
            let ItemKind::Process(process) = &item.kind else { continue };
            for scope in self.scopes(process) {
                for local in &process.locals {
                    let LocalKind::Transition(decl) = &local.kind else { continue };
                    let values = match &decl.range {
                        Some(range) => self.typer().values(&scope, range)?.into_iter().map(Some).collect(),
                        None => vec![None],
                    };
                    for value in values {
                        if self.system.transitions.len() >= MAX_TRANSITIONS {
                            let message = format!("a program may have at most {MAX_TRANSITIONS} transitions");
                            return Err(Error::new(local.span, message));
                        }
                        let mut inner = scope.clone();
                        let mut name = format!("{}.{}", self.system.processes[process_at], decl.name.text);
                        if let (Some(range), Some(value)) = (&decl.range, &value) {
                            inner = inner.with_index(&range.name.text, value);
                            name.push_str(&format!("[{value}]"));
                        }
                        let transition =
                            self.transition(&inner, process, decl, name, process_at, local.span)?;
                        // A family index that contradicts its guard leaves nothing to take.
                        if transition.guard != Expr::bool(false) {
                            self.system.transitions.push(transition);
                        }
                    }
                }
                process_at += 1;
            }
        }
        Ok(())
    }

    fn transition(
        &self,
        scope: &Scope,
        process: &Process,
        decl: &TransitionDecl,
        name: String,
        process_at: usize,
        span: Span,
    ) -> Result<Transition> {
        let process = &process.name.text;
        let (_, i) = scope.process.as_ref().expect("a transition stands in a process");
        let instance = &self.symbols.processes[process].instances[*i];
        let mut guard = Vec::new();
        if !decl.at.is_empty() {
            let places: Result<Vec<Expr>> =
                decl.at.iter().map(|at| self.symbols.located(process, instance, at)).collect();
            guard.push(junction(places?, false));
        }
        if let Some(when) = &decl.when {
            guard.push(self.typer().condition(scope, when)?);
        }
        let mut assigns: Vec<Assign> = Vec::new();
        let mut assign = |span: Span, var: VarIdx, rhs: Rhs, vars: &[Var]| {
            if assigns.iter().any(|a| a.var == var) {
                let name = &vars[var.0].name;
                return Err(Error::new(span, format!("`{name}` is assigned twice in one transition")));
            }
            // What assigns a variable to itself changes nothing.
            if rhs != Rhs::Expr(Expr::Var(var)) {
                assigns.push(Assign { var, rhs });
            }
            Ok(())
        };
        for (target, value) in &decl.assigns {
            let (var, ty) = self.target(scope, target)?;
            let rhs = match value {
                Init::Nondet(_) => Rhs::Nondet,
                Init::Value(value) => Rhs::Expr(self.typer().of_type(scope, value, ty)?),
            };
            assign(target.span, var, rhs, &self.system.vars)?;
        }
        if let Some(goto) = &decl.goto {
            let at = self.symbols.location(process, goto)?;
            let var = instance.location.expect("a process with locations has a variable for them");
            assign(goto.span, var, Rhs::Expr(Expr::Const(Value::Member(at))), &self.system.vars)?;
        }
        Ok(Transition { name, process: process_at, guard: junction(guard, true), assigns, span })
    }

    fn target(&self, scope: &Scope, target: &Ast) -> Result<(VarIdx, Ty)> {
        let ExprKind::Path(path) = &target.kind else {
            return Err(Error::new(target.span, "only variables can be assigned"));
        };
        let is_constant = |name: &str| {
            self.symbols.consts.contains_key(name) || scope.bound.iter().any(|(bound, _)| bound == name)
        };
        if path.field.is_none() && path.index.is_none() && is_constant(&path.name.text) {
            return Err(Error::new(
                target.span,
                format!("`{}` is a constant and cannot be assigned", path.name.text),
            ));
        }
        self.typer().variable(scope, path, target.span)
    }

    fn property(&mut self, program: &Program) -> Result<()> {
        let guards = self.system.transitions.iter().map(|t| t.guard.clone().negated()).collect();
        self.symbols.deadlock = Some(junction(guards, true));
        let mut bad = Vec::new();
        for item in &program.items {
            if let ItemKind::Property { bad: is_bad, expr } = &item.kind {
                let states = self.typer().condition(&Scope::default(), expr)?;
                bad.push(if *is_bad { states } else { states.negated() });
            }
        }
        if !bad.is_empty() {
            self.system.bad = Some(junction(bad, false));
        }
        Ok(())
    }
}

/// The variables of an expression.
fn collect_vars(expr: &Expr, into: &mut BTreeSet<VarIdx>) {
    match expr {
        Expr::Const(_) => {}
        Expr::Var(v) => {
            into.insert(*v);
        }
        Expr::Scale(_, inner) | Expr::Mod(inner, _) | Expr::Not(inner) => collect_vars(inner, into),
        Expr::Cmp(_, a, b) => {
            collect_vars(a, into);
            collect_vars(b, into);
        }
        Expr::Add(items) | Expr::And(items) | Expr::Or(items) => {
            items.iter().for_each(|item| collect_vars(item, into));
        }
    }
}
