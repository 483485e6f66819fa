//! Atomic read-modify-write and compare-exchange, executed in one step (sequential consistency).

use selvedge_program::{BinOp, CmpOp, Operand, Order, Reg, RmwOp, Ty};

use super::Step;
use crate::finding::{Res, unsupported};
use crate::ops;
use crate::value::Value;

impl Step<'_, '_> {
    pub(super) fn atomic_rmw(
        &mut self,
        dst: Reg,
        op: RmwOp,
        ty: Ty,
        ptr: Operand,
        value: Operand,
    ) -> Res<()> {
        let (ptr, value) = (self.get(ptr), self.get(value));
        let bits = self.ptr_bits();
        let width = ty.bits(bits);
        let size = u64::from(width.div_ceil(8));
        let (obj, off) = self.resolve(ptr, size, true)?;
        let old = self.load(ptr, ty)?;
        let pool = &mut self.m.pool;
        let new = match op {
            RmwOp::Xchg => value,
            RmwOp::Add => ops::bin(pool, BinOp::Add, width, old, value),
            RmwOp::Sub => ops::bin(pool, BinOp::Sub, width, old, value),
            RmwOp::And => ops::bin(pool, BinOp::And, width, old, value),
            RmwOp::Or => ops::bin(pool, BinOp::Or, width, old, value),
            RmwOp::Xor => ops::bin(pool, BinOp::Xor, width, old, value),
            RmwOp::Nand => {
                let both = ops::bin(pool, BinOp::And, width, old, value);
                let ones = Value::Int(crate::value::truncate(u64::MAX, width));
                ops::bin(pool, BinOp::Xor, width, both, ones)
            }
            RmwOp::Max => self.pick(CmpOp::Slt, ty, old, value, true)?,
            RmwOp::Min => self.pick(CmpOp::Slt, ty, old, value, false)?,
            RmwOp::UMax => self.pick(CmpOp::Ult, ty, old, value, true)?,
            RmwOp::UMin => self.pick(CmpOp::Ult, ty, old, value, false)?,
            RmwOp::FAdd | RmwOp::FSub => return unsupported("atomic floating-point arithmetic"),
        };
        if new == old {
            // Others cannot tell it from a read, as long as it is not moved.
            self.touch_silently(obj, off, size)?;
        } else {
            self.store(ptr, ty, new)?;
        }
        self.finish(dst, old)
    }

    /// The larger (`max`) or smaller of two values.
    pub(super) fn pick(&mut self, less: CmpOp, ty: Ty, a: Value, b: Value, max: bool) -> Res<Value> {
        let width = ty.bits(self.ptr_bits());
        let a_less = ops::cmp(&mut self.m.pool, less, width, a, b);
        if max { self.select_value(ty, a_less, b, a) } else { self.select_value(ty, a_less, a, b) }
    }

    /// `may_fail`: it may find the values unlike although they are not. `failure`: the order if it does.
    pub(super) fn cmp_xchg(
        &mut self,
        (old, ok): (Reg, Reg),
        ty: Ty,
        ptr: Operand,
        (expected, new): (Operand, Operand),
        may_fail: bool,
        failure: Order,
    ) -> Res<()> {
        let (ptr, expected, new) = (self.get(ptr), self.get(expected), self.get(new));
        let width = ty.bits(self.ptr_bits());
        let size = u64::from(width.div_ceil(8));
        let (obj, off) = self.resolve(ptr, size, true)?;
        let before = self.load(ptr, ty)?;
        let equal = ops::cmp(&mut self.m.pool, CmpOp::Eq, width, before, expected);
        // The exchange decides what later code does, so a symbolic comparison is a branch.
        let equal = self.decide(equal)?;
        let fails = equal && may_fail && self.nature_chooses(2, "whether a weak exchange fails")? == 1;
        let equal = equal && !fails;
        if equal {
            self.store(ptr, ty, new)?;
        } else {
            self.note_writes_if_moved();
            self.touch_in_vain(obj, off, size, failure)?;
        }
        self.set(ok, Value::bool(equal));
        self.finish(old, before)
    }
}
