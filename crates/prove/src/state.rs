//! Symbolic states: sets of concrete states, in a form in which equal sets mostly look equal.
//!
//! A state gives each data variable a value over the variables that are left free, and a path condition
//! over the free ones. The free variables are the program's own: no symbolic constants survive a step, they
//! are solved for or eliminated. A state that was reached on two ways is thus recognised, which the
//! thesis's states over fresh constants are not.
//!
//! DIVERGENCE from [ASE] §4.1, where a state maps variables to fresh constants: the sets of concrete
//! states are the same.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::One;
use selvedge_term::{Node, Sort, Substitution, TermId, TermPool};

use crate::control::{Controls, EffectId, small};
use crate::linear::{Atom, Linear, conjuncts, literal};
use crate::model::Update;
use crate::oracle::{Oracle, Unanswered};
use crate::qe::exists_all;

/// Values of the data variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Data {
    /// All are known.
    Concrete(Rc<[i64]>),
    /// Some are free.
    Symbolic(Rc<Symbolic>),
}

/// A set of valuations.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Symbolic {
    /// By data variable: itself if it is free, otherwise a term over free ones.
    pub(crate) values: Vec<TermId>,
    /// Conditions on free variables, sorted.
    pub(crate) condition: Vec<TermId>,
}

/// The symbols that stand for values before a step.
pub(crate) struct Symbols {
    /// The program's data variables.
    pub(crate) data: Vec<TermId>,
    /// Their values before.
    old: Vec<TermId>,
    /// What `nondet` gives.
    pub(crate) any: Vec<TermId>,
    to_old: Substitution,
}

impl Symbols {
    pub(crate) fn new(pool: &mut TermPool, data: &[TermId]) -> Symbols {
        let mut to_old = Substitution::new();
        let mut fresh = |prefix: &str| -> Vec<TermId> {
            (0..data.len()).map(|i| pool.var(&format!("{prefix}!{i}"), Sort::Int)).collect()
        };
        let (old, any) = (fresh("old"), fresh("any"));
        for (var, old) in data.iter().zip(&old) {
            to_old.insert(pool.var_id(*var).expect("a variable's term"), *old);
        }
        Symbols { data: data.to_vec(), old, any, to_old }
    }
}

/// The replacement of data variables by `values`.
pub(crate) fn binding(pool: &TermPool, data: &[TermId], values: &[TermId]) -> Substitution {
    let mut substitution = Substitution::new();
    for (var, value) in data.iter().zip(values) {
        if var != value {
            substitution.insert(pool.var_id(*var).expect("a variable's term"), *value);
        }
    }
    substitution
}

impl Data {
    /// As terms.
    pub(crate) fn symbolic(&self, pool: &mut TermPool) -> Rc<Symbolic> {
        match self {
            Data::Symbolic(symbolic) => Rc::clone(symbolic),
            Data::Concrete(values) => {
                let values = values.iter().map(|v| pool.int(BigInt::from(*v))).collect();
                Rc::new(Symbolic { values, condition: Vec::new() })
            }
        }
    }

    /// The conditions on data variables that describe exactly this set.
    pub(crate) fn describe(&self, pool: &mut TermPool, data: &[TermId]) -> Vec<TermId> {
        let symbolic = self.symbolic(pool);
        let mut conditions = Vec::new();
        for (var, value) in data.iter().zip(&symbolic.values) {
            if var != value {
                conditions.push(pool.eq(*var, *value));
            }
        }
        conditions.extend(&symbolic.condition);
        conditions
    }
}

/// The states that satisfy `condition`; `None` if there are none.
pub(crate) fn satisfying(
    pool: &mut TermPool,
    oracle: &mut Oracle,
    data: &[TermId],
    condition: TermId,
) -> Result<Option<Data>, Unanswered> {
    let condition = conjuncts(pool, condition);
    normal(pool, oracle, data, data.to_vec(), condition)
}

/// `data` restricted by further conditions; `None` if nothing is left.
pub(crate) fn restricted(
    pool: &mut TermPool,
    oracle: &mut Oracle,
    vars: &[TermId],
    state: &Symbolic,
    conditions: &[TermId],
) -> Result<Option<Data>, Unanswered> {
    let mut condition = state.condition.clone();
    condition.extend(conditions);
    normal(pool, oracle, vars, state.values.clone(), condition)
}

/// The strongest postcondition of an assignment.
pub(crate) fn post(
    pool: &mut TermPool,
    oracle: &mut Oracle,
    controls: &Controls,
    symbols: &mut Symbols,
    data: &Data,
    effect: EffectId,
) -> Result<Data, Unanswered> {
    let effect = controls.effect(effect);
    if let (Data::Concrete(values), Some(fast)) = (data, &effect.fast)
        && let Some(next) = fast.apply(values)
    {
        return Ok(Data::Concrete(next.into()));
    }
    if effect.updates.is_empty() {
        return Ok(data.clone());
    }
    let symbolic = data.symbolic(pool);
    let before: Vec<TermId> = symbolic.values.iter().map(|v| symbols.to_old.apply(pool, *v)).collect();
    let mut condition: Vec<TermId> =
        symbolic.condition.iter().map(|c| symbols.to_old.apply(pool, *c)).collect();
    let mut to_before = binding(pool, &symbols.data, &before);
    let mut after = before.clone();
    for (at, update) in &effect.updates {
        after[*at] = match update {
            Update::Term(term) => to_before.apply(pool, *term),
            Update::Any => symbols.any[*at],
        };
    }
    let is_symbol = |t: TermId| symbols.old.contains(&t) || symbols.any.contains(&t);
    let mut values = Vec::with_capacity(after.len());
    let mut open: Vec<TermId> = symbols.old.iter().chain(&symbols.any).copied().collect();
    for i in 0..after.len() {
        let var = symbols.data[i];
        let sum = Linear::read(pool, after[i]);
        let solvable = |part: TermId| sum.factor(part).magnitude().is_one() && is_symbol(part);
        let own = Some(symbols.old[i]).filter(|o| solvable(*o));
        let chosen = own.or_else(|| sum.parts.iter().map(|(p, _)| *p).find(|p| solvable(*p)));
        // A symbol inside a remainder cannot be solved for by the sum alone.
        let chosen = chosen.filter(|symbol| {
            let id = pool.var_id(*symbol).expect("a symbol is a variable");
            !sum.without(*symbol).parts.iter().any(|(p, _)| pool.vars(*p).contains(&id))
        });
        if let Some(symbol) = chosen {
            // var = ±symbol + rest, so symbol = ±(var - rest).
            let factor = sum.factor(symbol);
            let mut solution = sum.without(symbol).times(&-BigInt::one());
            solution.add(var, &BigInt::one());
            let solution = solution.times(&factor).build(pool);
            let mut solve = Substitution::new();
            solve.insert(pool.var_id(symbol).expect("a symbol is a variable"), solution);
            for later in &mut after[i + 1..] {
                *later = solve.apply(pool, *later);
            }
            for c in &mut condition {
                *c = solve.apply(pool, *c);
            }
            // Earlier values have no symbols left, but equations kept in the condition were just solved.
            open.retain(|o| *o != symbol);
            values.push(var);
        } else {
            let free_of_symbols = {
                let vars = pool.vars(after[i]);
                !vars.iter().any(|v| is_symbol(pool.var_term(*v)))
            };
            if free_of_symbols {
                values.push(after[i]);
            } else {
                condition.push(pool.eq(var, after[i]));
                values.push(var);
            }
        }
    }
    let all = pool.and_all(&condition);
    let all = exists_all(pool, &open, all)?;
    let condition = conjuncts(pool, all);
    // The set is not empty: the one before was not, and an assignment is total.
    let next = normal(pool, oracle, &symbols.data, values, condition)?;
    next.ok_or_else(|| Unanswered("a step from a state leads nowhere".to_owned()))
}

/// The normal form of `{values | condition}`.
fn normal(
    pool: &mut TermPool,
    oracle: &mut Oracle,
    data: &[TermId],
    mut values: Vec<TermId>,
    mut condition: Vec<TermId>,
) -> Result<Option<Data>, Unanswered> {
    loop {
        let all = pool.and_all(&condition);
        if all == pool.ff() {
            return Ok(None);
        }
        condition = conjuncts(pool, all);
        tighten(pool, &mut condition);
        let Some((at, var, value)) = equation(pool, data, &condition) else { break };
        condition.remove(at);
        let mut solve = Substitution::new();
        solve.insert(pool.var_id(var).expect("a variable's term"), value);
        for v in &mut values {
            *v = solve.apply(pool, *v);
        }
        for c in &mut condition {
            *c = solve.apply(pool, *c);
        }
    }
    condition.sort_unstable();
    condition.dedup();
    if !condition.is_empty() && !oracle.is_possible(pool, &condition, &[])? {
        return Ok(None);
    }
    // What the others imply says nothing.
    let mut i = 0;
    while condition.len() > 1 && i < condition.len() {
        let candidate = condition.remove(i);
        if !oracle.implies(pool, &condition, candidate)? {
            condition.insert(i, candidate);
            i += 1;
        }
    }
    if condition.is_empty() {
        let known: Option<Vec<i64>> = values.iter().map(|v| pool.as_int(*v).and_then(small)).collect();
        if let Some(known) = known {
            return Ok(Some(Data::Concrete(known.into())));
        }
    }
    Ok(Some(Data::Symbolic(Rc::new(Symbolic { values, condition }))))
}

/// A condition `var = value`, where the last such variable is taken.
fn equation(pool: &mut TermPool, data: &[TermId], condition: &[TermId]) -> Option<(usize, TermId, TermId)> {
    for (at, c) in condition.iter().enumerate() {
        let Some(Atom::Eq(sum)) = Atom::read(pool, *c) else { continue };
        let place = |t: TermId| data.iter().position(|d| *d == t);
        let solvable = sum.parts.iter().filter(|(_, f)| f.magnitude().is_one());
        let Some(var) = solvable.filter_map(|(p, _)| Some((place(*p)?, *p))).max().map(|(_, p)| p) else {
            continue;
        };
        let id = pool.var_id(var).expect("a variable's term");
        let rest = sum.without(var);
        if rest.parts.iter().any(|(p, _)| pool.vars(*p).contains(&id)) {
            continue;
        }
        let value = rest.times(&-sum.factor(var)).build(pool);
        return Some((at, var, value));
    }
    None
}

/// Makes `s ≤ k` and `s ≥ k` the equation they are.
fn tighten(pool: &mut TermPool, condition: &mut Vec<TermId>) {
    for i in 0..condition.len() {
        let Node::ILe(left, right) = *pool.node(condition[i]) else { continue };
        let Some(k) = pool.as_int(right).cloned() else { continue };
        let below = pool.int(k - 1);
        let less = pool.ile(left, below);
        let not_less = pool.not(less);
        if let Some(j) = condition.iter().position(|c| *c == not_less && literal(pool, *c).0 == less) {
            condition[i] = pool.eq(left, right);
            condition.remove(j);
            return tighten(pool, condition);
        }
    }
}
