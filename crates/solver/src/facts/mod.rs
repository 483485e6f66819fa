//! What a path says outright: its conjuncts, bounds of terms, their order, and values of
//! variables.
//!
//! Kept in step with the path from query to query: what the new path shares with the old
//! one stays, the rest is undone, and only new conjuncts are read.
//!
//! Guarantee: if [`PathFacts::decide`] says that a term is true (false), it is true (false)
//! in every model of the conjuncts it names as reasons.

mod order;

use rustc_hash::FxHashMap;
use selvedge_term::{Node, Sort, Substitution, TermId, TermPool, VarId};

use self::order::Order;

/// How a bound reads a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Reading {
    Unsigned,
    Signed,
}

/// The least and the greatest value of a term, each with the conjunct that says so
/// (`None`: it holds of the term anyway). Wide enough for signed and unsigned 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bounds {
    low: i128,
    high: i128,
    low_by: Option<TermId>,
    high_by: Option<TermId>,
}

/// What to do to forget the newest fact.
enum Undo {
    Bounds((TermId, Reading), Option<Bounds>),
    Member(TermId),
    Value(VarId),
}

/// A decision and the conjuncts of the path it rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Decided {
    pub(crate) truth: bool,
    pub(crate) reasons: Vec<TermId>,
}

/// The facts of one path.
#[derive(Default)]
pub(crate) struct PathFacts {
    path: Vec<TermId>,
    /// Lengths of `undo` and `order` before the conjunct of the same index was read.
    marks: Vec<(usize, usize)>,
    undo: Vec<Undo>,
    /// Terms that hold, by the conjunct that says so (itself, or a conjunction).
    members: FxHashMap<TermId, TermId>,
    bounds: FxHashMap<(TermId, Reading), Bounds>,
    order: Order,
    /// Variables with a value, by the conjunct that says so.
    values: FxHashMap<VarId, TermId>,
    substitution: Substitution,
    /// Whether a value was forgotten that `substitution` still has.
    stale: bool,
}

impl PathFacts {
    /// Makes these the facts of `path`.
    pub(crate) fn follow(&mut self, pool: &TermPool, path: &[TermId]) {
        let common = self.path.iter().zip(path).take_while(|(a, b)| a == b).count();
        if let Some(&(undo, edges)) = self.marks.get(common) {
            self.forget(undo);
            self.order.undo_to(edges);
            self.path.truncate(common);
            self.marks.truncate(common);
        }
        for &conjunct in &path[common..] {
            self.marks.push((self.undo.len(), self.order.len()));
            self.path.push(conjunct);
            self.read(pool, conjunct);
        }
        if self.stale {
            self.substitution = Substitution::new();
            // Rare, and the order of insertion does not show in the result.
            let mut values: Vec<(VarId, TermId)> = Vec::with_capacity(self.values.len());
            for undo in &self.undo {
                if let Undo::Value(var) = undo {
                    values.push((*var, self.values[var]));
                }
            }
            for (var, conjunct) in values {
                if let Some(value) = value_in(pool, conjunct, var) {
                    self.insert_value(pool, var, value);
                }
            }
            self.stale = false;
        }
    }

    fn insert_value(&mut self, pool: &TermPool, var: VarId, value: Value) {
        let term = match value {
            Value::Bool(true) => pool.tt(),
            Value::Bool(false) => pool.ff(),
            Value::Term(term) => term,
        };
        self.substitution.insert(var, term);
    }

    fn forget(&mut self, mark: usize) {
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some(Undo::Bounds(key, Some(old))) => {
                    self.bounds.insert(key, old);
                }
                Some(Undo::Bounds(key, None)) => {
                    self.bounds.remove(&key);
                }
                Some(Undo::Member(term)) => {
                    self.members.remove(&term);
                }
                Some(Undo::Value(var)) => {
                    self.values.remove(&var);
                    self.stale = true;
                }
                None => {}
            }
        }
    }

    fn read(&mut self, pool: &TermPool, conjunct: TermId) {
        match *pool.node(conjunct) {
            Node::And(list) => {
                for &part in pool.list(list) {
                    self.read_part(pool, part, conjunct);
                }
                self.add_member(conjunct, conjunct);
            }
            _ => self.read_part(pool, conjunct, conjunct),
        }
    }

    fn add_member(&mut self, term: TermId, by: TermId) {
        self.members.entry(term).or_insert_with(|| {
            self.undo.push(Undo::Member(term));
            by
        });
    }

    fn read_part(&mut self, pool: &TermPool, part: TermId, by: TermId) {
        self.add_member(part, by);
        let (atom, positive) = match *pool.node(part) {
            Node::Not(inner) => (inner, false),
            _ => (part, true),
        };
        match *pool.node(atom) {
            Node::Var(var) => self.set_value(pool, var, Value::Bool(positive), by),
            Node::Eq(a, b) if positive => {
                if let Some(var) = pool.var_id(a)
                    && pool.is_const(b)
                {
                    self.set_value(pool, var, Value::Term(b), by);
                }
                for reading in [Reading::Unsigned, Reading::Signed] {
                    if let Some(value) = constant(pool, b, reading) {
                        self.bound(pool, a, reading, Some(value), Some(value), by);
                    } else if is_word(pool, a) {
                        self.order.add(reading, a, b, false, by);
                        self.order.add(reading, b, a, false, by);
                    }
                }
            }
            Node::Eq(a, b) => {
                for reading in [Reading::Unsigned, Reading::Signed] {
                    if let Some(value) = constant(pool, b, reading) {
                        self.shave(pool, a, reading, value, by);
                    }
                }
            }
            Node::Ult(a, b) => self.read_less(pool, Reading::Unsigned, (a, b), positive, by),
            Node::Slt(a, b) => self.read_less(pool, Reading::Signed, (a, b), positive, by),
            _ => {}
        }
    }

    /// `a < b`, or its negation.
    fn read_less(
        &mut self,
        pool: &TermPool,
        reading: Reading,
        (a, b): (TermId, TermId),
        positive: bool,
        by: TermId,
    ) {
        if let Some(value) = constant(pool, b, reading) {
            let (low, high) = if positive { (None, Some(value - 1)) } else { (Some(value), None) };
            self.bound(pool, a, reading, low, high, by);
        } else if let Some(value) = constant(pool, a, reading) {
            let (low, high) = if positive { (Some(value + 1), None) } else { (None, Some(value)) };
            self.bound(pool, b, reading, low, high, by);
        } else if positive {
            self.order.add(reading, a, b, true, by);
        } else {
            self.order.add(reading, b, a, false, by);
        }
    }

    fn set_value(&mut self, pool: &TermPool, var: VarId, value: Value, by: TermId) {
        if self.values.contains_key(&var) {
            return;
        }
        self.values.insert(var, by);
        self.undo.push(Undo::Value(var));
        if !self.stale {
            self.insert_value(pool, var, value);
        }
    }

    fn bounds_of(&self, pool: &TermPool, term: TermId, reading: Reading) -> Option<Bounds> {
        if let Some(&known) = self.bounds.get(&(term, reading)) {
            return Some(known);
        }
        let Sort::Bv(width @ 1..=64) = pool.sort(term) else { return None };
        let (low, high) = match reading {
            Reading::Unsigned => {
                let (low, high) = pool.range(term);
                (i128::from(low), i128::from(high))
            }
            Reading::Signed => match constant(pool, term, reading) {
                Some(value) => (value, value),
                None => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
            },
        };
        Some(Bounds { low, high, low_by: None, high_by: None })
    }

    fn bound(
        &mut self,
        pool: &TermPool,
        term: TermId,
        reading: Reading,
        low: Option<i128>,
        high: Option<i128>,
        by: TermId,
    ) {
        let Some(mut bounds) = self.bounds_of(pool, term, reading) else { return };
        let before = bounds;
        if let Some(low) = low
            && low > bounds.low
        {
            bounds.low = low;
            bounds.low_by = Some(by);
        }
        if let Some(high) = high
            && high < bounds.high
        {
            bounds.high = high;
            bounds.high_by = Some(by);
        }
        if bounds != before {
            let old = self.bounds.insert((term, reading), bounds);
            self.undo.push(Undo::Bounds((term, reading), old));
        }
    }

    /// `term ≠ value` moves a bound only if that was the value, and if the bound itself rests
    /// on no conjunct: a bound has one reason.
    fn shave(&mut self, pool: &TermPool, term: TermId, reading: Reading, value: i128, by: TermId) {
        let Some(bounds) = self.bounds_of(pool, term, reading) else { return };
        if bounds.low == value && bounds.low_by.is_none() {
            self.bound(pool, term, reading, Some(value + 1), None, by);
        } else if bounds.high == value && bounds.high_by.is_none() {
            self.bound(pool, term, reading, None, Some(value - 1), by);
        }
    }

    /// Whether the path decides `goal`.
    pub(crate) fn decide(&mut self, pool: &mut TermPool, goal: TermId) -> Option<Decided> {
        if let Some(truth) = pool.as_bool(goal) {
            return Some(Decided { truth, reasons: Vec::new() });
        }
        if let Some(&by) = self.members.get(&goal) {
            return Some(Decided { truth: true, reasons: vec![by] });
        }
        let (atom, positive) = match *pool.node(goal) {
            Node::Not(inner) => (inner, false),
            _ => (goal, true),
        };
        if !positive && let Some(&by) = self.members.get(&atom) {
            return Some(Decided { truth: false, reasons: vec![by] });
        }
        if positive && let Some(by) = self.denied(pool, goal) {
            return Some(Decided { truth: false, reasons: vec![by] });
        }
        let decided = match *pool.node(atom) {
            Node::Ult(a, b) => self.decide_less(pool, Reading::Unsigned, a, b),
            Node::Slt(a, b) => self.decide_less(pool, Reading::Signed, a, b),
            Node::Eq(a, b) => self.decide_equal(pool, a, b),
            _ => None,
        };
        if let Some(mut decided) = decided {
            decided.truth = decided.truth == positive;
            return Some(decided);
        }
        self.decide_by_values(pool, goal)
    }

    /// The conjunct that says `¬goal`.
    fn denied(&self, pool: &mut TermPool, goal: TermId) -> Option<TermId> {
        if self.members.is_empty() {
            return None;
        }
        let negated = pool.not(goal);
        self.members.get(&negated).copied()
    }

    fn decide_less(&mut self, pool: &TermPool, reading: Reading, a: TermId, b: TermId) -> Option<Decided> {
        if let (Some(a), Some(b)) = (self.bounds_of(pool, a, reading), self.bounds_of(pool, b, reading)) {
            if a.high < b.low {
                return Some(Decided { truth: true, reasons: reasons(a.high_by, b.low_by) });
            }
            if a.low >= b.high {
                return Some(Decided { truth: false, reasons: reasons(a.low_by, b.high_by) });
            }
        }
        if let Some(chain) = self.order.chain(reading, a, b)
            && chain.strict
        {
            return Some(Decided { truth: true, reasons: chain.reasons });
        }
        self.order.chain(reading, b, a).map(|chain| Decided { truth: false, reasons: chain.reasons })
    }

    fn decide_equal(&mut self, pool: &TermPool, a: TermId, b: TermId) -> Option<Decided> {
        for reading in [Reading::Unsigned, Reading::Signed] {
            for (a, b) in [(a, b), (b, a)] {
                let bounds = (self.bounds_of(pool, a, reading), self.bounds_of(pool, b, reading));
                if let (Some(lower), Some(upper)) = bounds
                    && lower.high < upper.low
                {
                    return Some(Decided { truth: false, reasons: reasons(lower.high_by, upper.low_by) });
                }
            }
            let up = self.order.chain(reading, a, b);
            let down = self.order.chain(reading, b, a);
            match (up, down) {
                (Some(chain), _) | (_, Some(chain)) if chain.strict => {
                    return Some(Decided { truth: false, reasons: chain.reasons });
                }
                (Some(mut up), Some(down)) => {
                    up.reasons.extend(down.reasons);
                    return Some(Decided { truth: true, reasons: up.reasons });
                }
                _ => {}
            }
        }
        None
    }

    /// Puts known values for variables; decides if a constant remains.
    fn decide_by_values(&mut self, pool: &mut TermPool, goal: TermId) -> Option<Decided> {
        if self.values.is_empty() {
            return None;
        }
        let vars = pool.vars(goal);
        // Nothing can remain of the goal only if it loses variables.
        let reasons: Vec<TermId> = vars.iter().filter_map(|var| self.values.get(var).copied()).collect();
        if reasons.is_empty() {
            return None;
        }
        let replaced = self.substitution.apply(pool, goal);
        let truth = pool.as_bool(replaced)?;
        Some(Decided { truth, reasons })
    }
}

/// The value of a variable.
#[derive(Clone, Copy)]
enum Value {
    Bool(bool),
    Term(TermId),
}

/// The value that `conjunct`, or a part of it, gives `var`.
fn value_in(pool: &TermPool, conjunct: TermId, var: VarId) -> Option<Value> {
    let of_part = |part: TermId| {
        let (atom, positive) = match *pool.node(part) {
            Node::Not(inner) => (inner, false),
            _ => (part, true),
        };
        match *pool.node(atom) {
            Node::Var(v) if v == var => Some(Value::Bool(positive)),
            Node::Eq(a, b) if positive && pool.is_const(b) && pool.var_id(a) == Some(var) => {
                Some(Value::Term(b))
            }
            _ => None,
        }
    };
    match *pool.node(conjunct) {
        Node::And(list) => pool.list(list).iter().find_map(|&part| of_part(part)),
        _ => of_part(conjunct),
    }
}

fn is_word(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.sort(term), Sort::Bv(width) if width > 1)
}

fn constant(pool: &TermPool, term: TermId, reading: Reading) -> Option<i128> {
    let Node::Const { width, value } = *pool.node(term) else { return None };
    Some(match reading {
        Reading::Unsigned => i128::from(value),
        Reading::Signed => {
            let unused = 64 - width;
            i128::from(((value << unused) as i64) >> unused)
        }
    })
}

fn reasons(a: Option<TermId>, b: Option<TermId>) -> Vec<TermId> {
    a.into_iter().chain(b.filter(|_| a != b)).collect()
}
