//! Variables in scope, and the places (lvalues) inside them that expressions read and statements write.
//!
//! Guarantees: a place exists whenever its text is evaluated: indices stay inside arrays, and a pointer variable
//! only ever points into objects that live at least as long as it does.

use super::Gen;
use super::ints::Int;
use super::types::Ty;
use super::value::{Taint, Val};

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub(super) name: String,
    pub(super) ty: Ty,
    /// What its content (for a pointer: what it points to) may depend on.
    pub(super) taint: Taint,
    /// Block depth of its declaration (of a moved pointer: of its target); 0 for what lives as long as the program.
    pub(super) depth: u32,
    /// Limits of a variable that no statement writes and no pointer reaches (loop counters, inputs).
    pub(super) fixed: Option<(i128, i128)>,
    /// A pointer that a loop moves: no statement may let it point elsewhere.
    pub(super) moved_by_loop: bool,
}

/// A scalar integer place.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) text: String,
    pub(super) ty: Int,
    /// Width if it is a bit-field.
    pub(super) bits: Option<u32>,
    /// What a value stored here may depend on.
    pub(super) taint: Taint,
    /// What a value read from here may depend on: also on the indices of the way here.
    pub(super) read_taint: Taint,
    lo: i128,
    hi: i128,
}

impl Place {
    /// The place as an operand. A bit-field promotes to `int`, so that is its type.
    pub(super) fn value(&self) -> Val {
        let ty = if self.bits.is_some() { Int::Int } else { self.ty };
        Val::within(self.text.clone(), ty, self.lo, self.hi, self.read_taint)
    }
}

/// Why a place is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// To read a value that depends on this at most.
    Read(Taint),
    Write,
}

impl Gen {
    /// Brings a variable into scope.
    pub(super) fn add_var(&mut self, name: String, ty: Ty, taint: Taint) {
        self.vars.push(Var { name, ty, taint, depth: self.depth, fixed: None, moved_by_loop: false });
    }

    /// A random integer place, if a variable in scope has one that fits.
    pub(super) fn place(&mut self, access: Access) -> Option<Place> {
        let fits = |v: &Var| match access {
            Access::Read(limit) => v.taint <= limit,
            Access::Write => v.fixed.is_none(),
        };
        let mut candidates: Vec<usize> = (0..self.vars.len()).filter(|i| fits(&self.vars[*i])).collect();
        if let Access::Read(limit) = access
            && self.rng.chance(45)
        {
            // What depends on inputs is rarer than it should be: half of the reads look for it first.
            let tainted: Vec<usize> =
                candidates.iter().copied().filter(|i| self.vars[*i].taint == limit).collect();
            if !tainted.is_empty() {
                candidates = tainted;
            }
        }
        for _ in 0..4 {
            if candidates.is_empty() {
                return None;
            }
            let var = self.vars[*self.rng.pick(&candidates)].clone();
            if let Some(place) = self.descend(&var, access) {
                return Some(place);
            }
        }
        None
    }

    /// A random integer member of one variable.
    pub(super) fn member_of(&mut self, var: &Var) -> Option<Place> {
        self.descend(var, Access::Read(Taint::Wide))
    }

    /// Walks from a variable down to one integer in it.
    fn descend(&mut self, var: &Var, access: Access) -> Option<Place> {
        let (mut text, mut ty, mut bits) = (var.name.clone(), var.ty.clone(), None::<u32>);
        let mut read_taint = var.taint;
        // The index of a write spreads into the whole object, so it must not depend on more than that may.
        let index_limit = match access {
            Access::Read(limit) => limit,
            Access::Write => var.taint,
        };
        loop {
            match ty {
                Ty::Int(int) => {
                    let (lo, hi) = match (bits, var.fixed) {
                        (Some(b), _) if int.signed() => (-(1_i128 << (b - 1)), (1 << (b - 1)) - 1),
                        (Some(b), _) => (0, (1 << b) - 1),
                        (None, Some(limits)) => limits,
                        (None, None) => (int.min(), int.max()),
                    };
                    return Some(Place { text, ty: int, bits, taint: var.taint, read_taint, lo, hi });
                }
                Ty::Float(_) => return None,
                Ty::Array(elem, n) => {
                    // Inside of a larger object an overrun would hit its own neighbours, which is no fault in memory.
                    let whole = text == var.name && !matches!(*elem, Ty::Array(..));
                    let index = if whole && self.nesting < 2 && self.fault(6) {
                        self.nesting += 1;
                        let index = self.loose_index(n, index_limit);
                        self.nesting -= 1;
                        index
                    } else {
                        self.index(n, index_limit)
                    };
                    read_taint = read_taint.max(index.taint);
                    text = format!("{text}[{}]", index.text);
                    ty = *elem;
                }
                Ty::Ptr(elem, n) => {
                    if n == 1 {
                        text = format!("(*{text})");
                    } else {
                        let index = self.index(n, index_limit);
                        read_taint = read_taint.max(index.taint);
                        text = if self.rng.chance(30) {
                            format!("(*({text} + {}))", index.text)
                        } else {
                            format!("{text}[{}]", index.text)
                        };
                    }
                    ty = *elem;
                }
                Ty::Struct(id) => {
                    let fields = &self.structs[id].fields;
                    let field = fields[self.rng.index(fields.len())].clone();
                    text = match text.strip_prefix("(*").and_then(|t| t.strip_suffix(')')) {
                        Some(pointer) if !pointer.contains([' ', '(']) => {
                            format!("{pointer}->{}", field.name)
                        }
                        _ => format!("{text}.{}", field.name),
                    };
                    (ty, bits) = (field.ty, field.bits);
                }
            }
        }
    }

    /// An index below `n`.
    pub(super) fn index(&mut self, n: u32, limit: Taint) -> Val {
        if self.rng.chance(30) {
            return Val::literal(Int::Int, i128::from(self.rng.range(0, n - 1)));
        }
        let fixed: Vec<usize> = (0..self.vars.len())
            .filter(|i| {
                let var = &self.vars[*i];
                var.taint <= limit && var.fixed.is_some_and(|(lo, hi)| lo >= 0 && hi < i128::from(n))
            })
            .collect();
        if !fixed.is_empty() && self.rng.chance(60) {
            let var = self.vars[*self.rng.pick(&fixed)].clone();
            let (lo, hi) = var.fixed.unwrap_or((0, 0));
            if let Ty::Int(int) = var.ty {
                return Val::within(var.name, int, lo, hi, var.taint);
            }
        }
        self.leaf(limit).reduced(i128::from(n))
    }

    /// Text of a pointer to `n` elements of type `elem` whose objects have exactly this taint and live at block
    /// depth `max_depth` or further out; `None` if there is nothing to point to.
    pub(super) fn address(&mut self, elem: &Ty, n: u32, taint: Taint, max_depth: u32) -> Option<String> {
        let mut found = Vec::new();
        for var in &self.vars {
            if var.taint == taint && var.depth <= max_depth && var.fixed.is_none() {
                self.addresses(&var.name, &var.ty, elem, n, &mut found);
            }
        }
        if found.is_empty() { None } else { Some(self.rng.pick(&found).clone()) }
    }

    /// All ways to point to `n` elements of type `elem` inside the object `text` of type `ty`.
    fn addresses(&self, text: &str, ty: &Ty, elem: &Ty, n: u32, found: &mut Vec<String>) {
        if ty == elem && n == 1 {
            found.push(format!("&{text}"));
        }
        match ty {
            Ty::Array(inner, len) => {
                if **inner == *elem && n <= *len {
                    found.push(text.to_owned());
                    if n < *len {
                        found.push(format!("&{text}[{}]", len - n));
                        found.push(format!("{text} + {}", len - n));
                    }
                }
                self.addresses(&format!("{text}[{}]", len - 1), inner, elem, n, found);
            }
            Ty::Struct(id) if !self.structs[*id].packed => {
                for field in self.structs[*id].fields.iter().filter(|f| f.bits.is_none()) {
                    self.addresses(&format!("{text}.{}", field.name), &field.ty, elem, n, found);
                }
            }
            // A pointer parameter's extent is known, so it can be passed on.
            Ty::Ptr(inner, len) if **inner == *elem && n <= *len => found.push(text.to_owned()),
            _ => {}
        }
    }
}
