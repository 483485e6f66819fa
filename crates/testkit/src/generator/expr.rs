//! Random integer expressions.
//!
//! Guarantees: the value depends on inputs at most as the given [`Taint`] allows; each construct that would make
//! the engine fork on a `Wide` value is paid for from the path budget.

use super::Gen;
use super::ints::Int;
use super::places::Access;
use super::value::{Op, Taint, Val};

const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

impl Gen {
    /// A constant of this type; edges of the range are more likely than their number.
    pub(super) fn constant(&mut self, ty: Int) -> Val {
        let (min, max) = (ty.min(), ty.max());
        let value = match self.rng.weighted(&[50, 15, 10, 10, 15]) {
            0 => self.rng.wide_range(-9, 20),
            1 => self.rng.wide_range(min, max),
            2 => *self.rng.pick(&[min, max, min + 1, max - 1]),
            3 => 1 << self.rng.range(0, ty.bits().saturating_sub(2)),
            _ => self.rng.wide_range(-300, 300),
        };
        Val::literal(ty, value.clamp(min, max))
    }

    /// An operand without operators: a constant or the content of a place.
    pub(super) fn leaf(&mut self, limit: Taint) -> Val {
        // Indices are leaves again; without a limit they would nest in each other.
        if self.nesting < 2 && !self.rng.chance(20) {
            self.nesting += 1;
            let place = self.place(Access::Read(limit));
            self.nesting -= 1;
            if let Some(value) = place.map(|p| p.value())
                && value.taint <= limit
            {
                return value;
            }
        }
        let fixed: Vec<usize> = (0..self.vars.len())
            .filter(|i| self.vars[*i].fixed.is_some() && self.vars[*i].taint <= limit)
            .collect();
        if !fixed.is_empty() && self.rng.chance(50) {
            let var = self.vars[*self.rng.pick(&fixed)].clone();
            if let (super::types::Ty::Int(int), Some((lo, hi))) = (var.ty, var.fixed) {
                return Val::within(var.name, int, lo, hi, var.taint);
            }
        }
        let ty = self.any_int();
        self.constant(ty)
    }

    /// An expression with up to `depth` levels of operators.
    pub(super) fn expr(&mut self, limit: Taint, depth: u32) -> Val {
        if depth == 0 {
            return self.leaf(limit);
        }
        match self.rng.weighted(&[14, 48, 9, 10, 9, 4, 4, 9, 1, 2]) {
            1 => {
                let op = *self.rng.pick(&Op::ALL);
                // A product of two unknown factors, or a quotient by one, is what solvers are slow at.
                let hard = matches!(op, Op::Mul | Op::Div | Op::Rem);
                let a = self.expr(limit, depth - 1);
                let right = if hard && a.taint != Taint::Concrete { Taint::Concrete } else { limit };
                let b = self.expr(right, depth - 1);
                // The compiler folds an operator on constants before anyone can see that it is wrong.
                let folded = !a.mentions_variable() && !b.mentions_variable();
                if self.fault(6) && !folded && !matches!(op, Op::And | Op::Or | Op::Xor) {
                    return self.unguarded(op, &a, &b);
                }
                if hard && b.taint != Taint::Concrete {
                    Val::binary(Op::Xor, &a, &b)
                } else {
                    Val::binary(op, &a, &b)
                }
            }
            2 => {
                let sign = *self.rng.pick(&COMPARISONS);
                let (a, b) = (self.expr(limit, depth - 1), self.expr(limit, depth - 1));
                Val::compare(sign, &a, &b)
            }
            3 => {
                let a = self.expr(limit, depth - 1);
                match self.rng.below(3) {
                    0 => a.negated(),
                    1 => a.complement(),
                    _ => a.not(),
                }
            }
            4 => {
                let ty = self.any_int();
                self.expr(limit, depth - 1).cast(ty)
            }
            5 => {
                let sign = if self.rng.chance(50) { "&&" } else { "||" };
                let a = self.condition(limit, depth - 1);
                let b = self.expr(limit, depth - 1);
                Val::compare(sign, &a, &b)
            }
            6 => {
                let c = self.condition(limit, depth - 1);
                let (a, b) = (self.expr(limit, depth - 1), self.expr(limit, depth - 1));
                let ty = Int::common(a.ty, b.ty);
                let taint = c.taint.max(a.taint).max(b.taint);
                Val::new(format!("({} ? {} : {})", c.text, a.text, b.text), ty, taint)
            }
            7 => self.call_value(limit).unwrap_or_else(|| self.leaf(limit)),
            8 => {
                let ty = self.any_object();
                Val::within(
                    format!("sizeof({})", self.type_name(&ty)),
                    Int::ULong,
                    1,
                    1 << 20,
                    Taint::Concrete,
                )
            }
            9 => self.builtin(limit, depth - 1),
            _ => self.leaf(limit),
        }
    }

    /// An expression to branch on. If it may be `Wide`, the fork has been paid for.
    pub(super) fn condition(&mut self, limit: Taint, depth: u32) -> Val {
        let wide = limit == Taint::Wide && self.spend(1);
        let most = if wide { Taint::Wide } else { limit.min(Taint::Small) };
        let mut value = self.expr(most, depth);
        if value.taint == Taint::Concrete && most > Taint::Concrete {
            // A branch that all inputs take is seldom of interest.
            value = self.expr(most, depth);
        }
        if wide && value.taint < Taint::Wide {
            self.refund(1);
        }
        value
    }

    /// Compiler built-ins that become LLVM intrinsics.
    fn builtin(&mut self, limit: Taint, depth: u32) -> Val {
        let a = self.expr(limit, depth);
        let text = a.text.as_str();
        match self.rng.below(6) {
            0 => Val::within(format!("__builtin_popcount({text})"), Int::Int, 0, 32, a.taint),
            1 => Val::within(format!("__builtin_clz((unsigned){text} | 1U)"), Int::Int, 0, 31, a.taint),
            2 => Val::within(format!("__builtin_ctzll({text} | 16ULL)"), Int::Int, 0, 4, a.taint),
            3 => Val::new(format!("__builtin_bswap32({text})"), Int::UInt, a.taint),
            4 => Val::new(format!("__builtin_bswap16({text})"), Int::UShort, a.taint),
            _ => Val::new(format!("__builtin_expect({text}, 0)"), Int::Long, a.taint),
        }
    }

    /// A floating constant that is exact in `float`.
    pub(super) fn float_literal(&mut self) -> String {
        let value = self.rng.wide_range(-4000, 4000);
        let fraction = *self.rng.pick(&["0", "25", "5", "75", "125"]);
        if value < 0 { format!("(-{}.{fraction})", -value) } else { format!("{value}.{fraction}") }
    }
}
