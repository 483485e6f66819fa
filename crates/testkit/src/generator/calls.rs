//! Calls of generated functions: direct, through tables of function pointers, and through a callback parameter.

use super::Gen;
use super::ints::Int;
use super::tree::Node;
use super::types::{Field, Ty};
use super::value::{Op, Taint, Val};

/// How a function is called.
#[derive(Clone, Debug)]
pub(super) enum Callee {
    /// By its name.
    Direct(String),
    /// `table[i](...)` with this many entries.
    Table(String, u32),
    /// `apply(table[i], ...)`.
    Callback { apply: String, table: String, entries: u32 },
}

/// What a parameter wants.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) name: String,
    pub(super) ty: Ty,
    pub(super) taint: Taint,
    /// It counts recursion down: the argument is from 0 to 3 and depends on small inputs at most.
    pub(super) counts_down: bool,
}

/// A function that can be called from here on.
#[derive(Clone, Debug)]
pub(super) struct Fun {
    pub(super) callee: Callee,
    pub(super) params: Vec<Param>,
    pub(super) ret: Option<Ty>,
    /// What the result may depend on.
    pub(super) taint: Taint,
    /// Forks on `Wide` values in one call.
    pub(super) cost: u32,
    /// Statements executed in one call, about.
    pub(super) work: u32,
}

impl Gen {
    /// A call with an integer result, as an operand.
    pub(super) fn call_value(&mut self, limit: Taint) -> Option<Val> {
        if self.rng.chance(20) {
            return self.call_member(limit);
        }
        let fun = self.pick_fun(|f| matches!(f.ret, Some(Ty::Int(_))) && f.taint <= limit)?;
        let Some(Ty::Int(ret)) = fun.ret else { return None };
        let (text, taint) = self.call(&fun, limit)?;
        Some(Val::new(text, ret, fun.taint.max(taint)))
    }

    /// A member of the struct that a call returns.
    fn call_member(&mut self, limit: Taint) -> Option<Val> {
        let fun = self.pick_fun(|f| matches!(f.ret, Some(Ty::Struct(_))) && f.taint <= limit)?;
        let Some(Ty::Struct(id)) = fun.ret else { return None };
        let plain = |f: &&Field| f.bits.is_none() && matches!(f.ty, Ty::Int(_));
        let fields: Vec<Field> = self.structs[id].fields.iter().filter(plain).cloned().collect();
        if fields.is_empty() {
            return None;
        }
        let field = self.rng.pick(&fields).clone();
        let Ty::Int(int) = field.ty else { return None };
        let (text, taint) = self.call(&fun, limit)?;
        Some(Val::new(format!("{text}.{}", field.name), int, fun.taint.max(taint)))
    }

    /// A call with a struct result of this type.
    pub(super) fn call_struct(&mut self, id: usize, limit: Taint) -> Option<String> {
        let fun = self.pick_fun(|f| f.ret == Some(Ty::Struct(id)) && f.taint <= limit)?;
        Some(self.call(&fun, limit)?.0)
    }

    /// A call for its effects.
    pub(super) fn call_statement(&mut self) -> Option<String> {
        let fun = self.pick_fun(|_| true)?;
        Some(self.call(&fun, Taint::Small)?.0)
    }

    /// Calls every function once more, as far as the budget goes, so that none is dead.
    pub(super) fn call_all(&mut self, nodes: &mut Vec<Node>) {
        for fun in self.funs.clone() {
            if let Some((text, _)) = self.call(&fun, Taint::Small) {
                let line = match fun.ret {
                    Some(Ty::Int(_)) => self.mix(&text),
                    _ => format!("{text};"),
                };
                nodes.push(Node::line(line));
            }
        }
    }

    fn pick_fun(&mut self, wanted: impl Fn(&Fun) -> bool) -> Option<Fun> {
        let affordable = |f: &Fun| {
            f.cost * self.mult <= self.budget
                && self.work + f.work * self.mult <= super::MAX_WORK
                && wanted(f)
        };
        let found: Vec<usize> = (0..self.funs.len()).filter(|i| affordable(&self.funs[*i])).collect();
        if found.is_empty() || self.calling > 1 {
            return None;
        }
        Some(self.funs[*self.rng.pick(&found)].clone())
    }

    /// The text of a call and what the choice of the callee depends on.
    fn call(&mut self, fun: &Fun, limit: Taint) -> Option<(String, Taint)> {
        if !self.spend(fun.cost) {
            return None;
        }
        self.calling += 1;
        self.work += fun.work * self.mult;
        let mut args = Vec::new();
        for param in &fun.params {
            let arg = self.argument(param);
            args.push(arg);
        }
        // The engine forks over the targets of a symbolic function pointer.
        let which = limit.min(Taint::Small);
        let (head, taint) = match &fun.callee {
            Callee::Direct(name) => (format!("{name}("), Taint::Concrete),
            Callee::Table(table, entries) => {
                let index = self.index(*entries, which);
                let star = self.rng.chance(30);
                let target = format!("{table}[{}]", index.text);
                (if star { format!("(*{target})(") } else { format!("{target}(") }, index.taint)
            }
            Callee::Callback { apply, table, entries } => {
                let index = self.index(*entries, which);
                (format!("{apply}({table}[{}], ", index.text), index.taint)
            }
        };
        self.calling -= 1;
        Some((format!("{head}{})", args.join(", ")), taint))
    }

    fn argument(&mut self, param: &Param) -> String {
        match &param.ty {
            Ty::Int(_) if param.counts_down => self.expr(Taint::Small, 1).masked(3).text,
            Ty::Int(_) => self.expr(param.taint, 1).text,
            Ty::Struct(id) => self.struct_value(*id, param.taint),
            Ty::Ptr(elem, n) => {
                let depth = self.depth;
                if let Some(text) = self.address(elem, *n, param.taint, depth) {
                    return text;
                }
                // Nothing in scope fits: an unnamed object, alive until the block ends.
                if *n == 1 {
                    let init = self.initialiser(elem);
                    let init = if init.starts_with('{') { init } else { format!("{{{init}}}") };
                    return format!("&({}){init}", self.type_name(elem));
                }
                let array = Ty::Array(elem.clone(), *n);
                let init = self.initialiser(&array);
                format!("({}){init}", self.type_name(&array))
            }
            Ty::Float(_) => self.float_literal(),
            Ty::Array(..) => unreachable!("parameters have no array type"),
        }
    }

    /// A struct of this type as a value that depends on inputs at most so.
    pub(super) fn struct_value(&mut self, id: usize, limit: Taint) -> String {
        let ty = Ty::Struct(id);
        if self.rng.chance(25)
            && let Some(call) = self.call_struct(id, limit)
        {
            return call;
        }
        let vars: Vec<usize> =
            (0..self.vars.len()).filter(|i| self.vars[*i].ty == ty && self.vars[*i].taint <= limit).collect();
        if !vars.is_empty() && self.rng.chance(70) {
            return self.vars[*self.rng.pick(&vars)].name.clone();
        }
        // Also structs inside of other objects, which are copied from an odd offset.
        let depth = self.depth;
        let taints = [Taint::Concrete, Taint::Small, Taint::Wide];
        let taint = *self.rng.pick(&taints[..=limit as usize]);
        if self.rng.chance(60)
            && let Some(address) = self.address(&ty, 1, taint, depth)
        {
            return format!("(*({address}))");
        }
        let fields = self.structs[id].fields.clone();
        let mut items = Vec::new();
        for field in &fields {
            items.push(match &field.ty {
                Ty::Int(_) => self.expr(limit, 1).text,
                other => self.initialiser(other),
            });
        }
        format!("({}){{{}}}", self.type_name(&ty), items.join(", "))
    }

    /// Mixes a value into the checksum.
    pub(super) fn mix(&self, value: &str) -> String {
        format!("{crc} = {crc} * 31 + (unsigned long long)({value});", crc = self.crc)
    }

    /// An expression that is true whatever its operands are: the solver has to agree.
    pub(super) fn tautology(&mut self) -> String {
        if self.fault(40) {
            self.calling += 2;
            let claim = self.expr(Taint::Wide, 1);
            self.calling -= 2;
            return claim.text;
        }
        let (a, b) = (self.leaf(Taint::Wide), self.leaf(Taint::Wide));
        let mask = (1 << self.rng.range(1, 6)) - 1;
        match self.rng.below(6) {
            0 => format!("{} <= {mask}", a.masked(mask).text),
            1 => {
                let twice = Val::binary(Op::Xor, &Val::binary(Op::Xor, &a, &b), &b);
                let ty = Int::common(a.ty, b.ty).name();
                format!("({ty}){} == ({ty}){}", twice.text, a.text)
            }
            2 => {
                let (a, b) = (a.cast(Int::UInt), b.cast(Int::UInt));
                format!("({} + {}) - {} == {}", a.text, b.text, b.text, a.text)
            }
            3 => {
                let n = i128::from(self.rng.range(2, 9));
                let unsigned = a.cast(Int::UShort);
                format!("({} % {n}) < {n}", unsigned.text)
            }
            4 => format!("({} < {}) + ({} >= {}) == 1", a.text, b.text, a.text, b.text),
            _ => {
                let (a, b) = (a.cast(Int::UInt), b.cast(Int::UInt));
                format!("({} | {}) >= ({} & {})", a.text, b.text, a.text, b.text)
            }
        }
    }
}
