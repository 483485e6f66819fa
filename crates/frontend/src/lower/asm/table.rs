//! The instructions: what each does to registers, memory and flags.

use selvedge_program::{BinOp, CmpOp, Inst, IntrinsicOp, Operand, Order, RmwOp, Ty};

use super::flags::Flags;
use super::machine::{Location, Machine, Place, Register};
use super::text::{Arg, Line};

/// Instructions with operands of any width, which a suffix or the operands give.
const SIZED: &[&str] = &[
    "mov", "xchg", "cmpxchg", "xadd", "add", "sub", "and", "or", "xor", "not", "neg", "inc", "dec", "shl",
    "sal", "shr", "sar", "cmp", "test", "bsf", "bsr", "tzcnt", "lzcnt", "popcnt", "bswap", "sbb", "bt",
    "bts", "btr", "btc",
];

impl Machine<'_, '_, '_> {
    /// Translates one instruction. The error is a remark, or empty.
    pub(super) fn execute(&mut self, line: &Line) -> Result<(), String> {
        if line.lock && self.is_stack_fence(line) {
            return self.fence();
        }
        if let Some((base, suffix)) = split_name(&line.name) {
            let places: Vec<Place> =
                line.args.iter().map(|arg| self.locate(arg)).collect::<Result<_, _>>()?;
            let known = places.iter().rev().find_map(|place| match place.location {
                Location::Register(_) => place.width,
                _ => None,
            });
            let width = suffix.or(known).or_else(|| places.iter().rev().find_map(|place| place.width));
            let width = width.filter(|&width| width <= self.lowerer.ptr_bits()).ok_or_else(String::new)?;
            return self.sized(base, width, line.lock, &places);
        }
        if line.lock {
            return Err(String::new());
        }
        match (line.name.as_str(), line.args.as_slice()) {
            ("mfence" | "lfence" | "sfence", []) => self.fence(),
            ("pause" | "nop", []) => Ok(()),
            ("rdtsc", []) => {
                for name in ["ax", "dx"] {
                    let value = self.anything(32);
                    self.write_register(Register::Named(name), value, Ty::Int(32))?;
                }
                Ok(())
            }
            (name, [dst]) if name.starts_with("set") => {
                let dst = self.locate(dst)?;
                let holds = self.lowerer.condition(self.flags, &name[3..]).ok_or_else(String::new)?;
                let value = self.lowerer.resize(holds, 1, 8);
                self.write(dst, value, Ty::Int(8))
            }
            _ => Err(String::new()),
        }
    }

    fn fence(&mut self) -> Result<(), String> {
        self.memory_is_touched();
        self.lowerer.emit(Inst::Fence { order: Order::SeqCst, signal: false });
        Ok(())
    }

    /// `lock; addl $0, 0(%rsp)` changes nothing of what a C program can see and is a fence.
    fn is_stack_fence(&self, line: &Line) -> bool {
        let [Arg::Immediate(0), Arg::Memory { base, .. }] = line.args.as_slice() else { return false };
        let is_stack = matches!(**base, Arg::Register { name: "sp", .. });
        is_stack && matches!(line.name.as_str(), "addl" | "addq" | "orl" | "orq")
    }

    fn sized(&mut self, base: &str, width: u32, lock: bool, places: &[Place]) -> Result<(), String> {
        check_operands(base, lock, places)?;
        match (base, places) {
            ("mov", &[src, dst]) => {
                let is_ptr = matches!(src.location, Location::Memory { .. }) && self.holds_pointer(dst);
                let src = if is_ptr { as_pointer(src) } else { src };
                let (value, ty) = self.read(src, width)?;
                self.write(dst, value, ty)
            }
            ("xchg", &[a, b]) => self.exchange(width, a, b),
            ("cmpxchg", &[new, dst]) => self.compare_exchange(width, lock, new, dst),
            ("xadd", &[src, dst]) => {
                let Location::Register(_) = src.location else { return Err(String::new()) };
                let added = self.read_bits(src, width)?;
                let old = self.update(width, lock, BinOp::Add, dst, added)?;
                self.flags = Flags::Add { a: old, b: added, width };
                self.write(src, old, Ty::Int(width))
            }
            ("add" | "sub" | "and" | "or" | "xor", &[src, dst]) => {
                let op = match base {
                    "add" => BinOp::Add,
                    "sub" => BinOp::Sub,
                    "and" => BinOp::And,
                    "or" => BinOp::Or,
                    _ => BinOp::Xor,
                };
                let b = self.read_bits(src, width)?;
                let a = self.update(width, lock, op, dst, b)?;
                self.flags = match op {
                    BinOp::Add => Flags::Add { a, b, width },
                    BinOp::Sub => Flags::Sub { a, b, width },
                    _ => Flags::Logic { result: self.lowerer.binary(op, width, a, b), width },
                };
                Ok(())
            }
            ("inc" | "dec", &[dst]) => {
                let op = if base == "inc" { BinOp::Add } else { BinOp::Sub };
                let one = self.lowerer.int(width, 1);
                let a = self.update(width, lock, op, dst, one)?;
                // They leave the carry as it was, which is not followed.
                self.flags = Flags::Sign { result: self.lowerer.binary(op, width, a, one), width };
                Ok(())
            }
            ("not", &[dst]) => {
                let ones = self.lowerer.int(width, u64::MAX);
                self.update(width, lock, BinOp::Xor, dst, ones).map(drop)
            }
            ("neg", &[dst]) => {
                let (a, b) = (self.lowerer.int(width, 0), self.read_bits(dst, width)?);
                let value = self.lowerer.binary(BinOp::Sub, width, a, b);
                self.flags = Flags::Sub { a, b, width };
                self.write(dst, value, Ty::Int(width))
            }
            ("shl" | "sal" | "shr" | "sar", &[count, dst]) => self.shift(base, width, count, dst),
            ("cmp", &[b, a]) => {
                let (a, b) = (self.read_bits(a, width)?, self.read_bits(b, width)?);
                self.flags = Flags::Sub { a, b, width };
                Ok(())
            }
            ("test", &[b, a]) => {
                let (a, b) = (self.read_bits(a, width)?, self.read_bits(b, width)?);
                self.flags = Flags::Logic { result: self.lowerer.binary(BinOp::And, width, a, b), width };
                Ok(())
            }
            ("bsf" | "bsr" | "tzcnt" | "lzcnt" | "popcnt", &[src, dst]) => self.count(base, width, src, dst),
            ("bswap", &[dst]) if width >= 32 => {
                let value = self.read_bits(dst, width)?;
                let value = self.intrinsic(IntrinsicOp::BSwap, width, value);
                self.write(dst, value, Ty::Int(width))
            }
            ("sbb", &[a, b]) => {
                // Of a register from itself: all ones if there is a carry.
                let (Location::Register(x), Location::Register(y)) = (a.location, b.location) else {
                    return Err(String::new());
                };
                let carry =
                    self.lowerer.condition(self.flags, "b").filter(|_| x == y).ok_or_else(String::new)?;
                let (zero, carry_wide) = (self.lowerer.int(width, 0), self.lowerer.resize(carry, 1, width));
                let value = self.lowerer.binary(BinOp::Sub, width, zero, carry_wide);
                self.flags = Flags::Carry(carry);
                self.write(b, value, Ty::Int(width))
            }
            ("bt" | "bts" | "btr" | "btc", &[index, dst]) => self.bit(base, width, lock, index, dst),
            _ => Err(String::new()),
        }
    }

    fn holds_pointer(&mut self, place: Place) -> bool {
        match place.location {
            Location::Register(register) => self.is_pointer(register),
            Location::Memory { is_ptr, .. } => is_ptr,
            Location::Immediate(_) => false,
        }
    }

    /// `dst = dst op b`; gives what was there. With `lock` one atomic instruction.
    fn update(
        &mut self,
        width: u32,
        lock: bool,
        op: BinOp,
        dst: Place,
        b: Operand,
    ) -> Result<Operand, String> {
        if let (true, Location::Memory { ptr, .. }) = (lock, dst.location) {
            let op = match op {
                BinOp::Add => RmwOp::Add,
                BinOp::Sub => RmwOp::Sub,
                BinOp::And => RmwOp::And,
                BinOp::Or => RmwOp::Or,
                _ => RmwOp::Xor,
            };
            return Ok(self.atomic(op, Ty::Int(width), ptr, b));
        }
        let a = self.read_bits(dst, width)?;
        let value = self.lowerer.binary(op, width, a, b);
        self.write(dst, value, Ty::Int(width))?;
        Ok(a)
    }

    fn atomic(&mut self, op: RmwOp, ty: Ty, ptr: Operand, value: Operand) -> Operand {
        let dst = self.lowerer.new_reg(ty);
        self.memory_is_touched();
        self.lowerer.emit(Inst::AtomicRmw { dst, op, ty, ptr, value, order: Order::SeqCst });
        Operand::Reg(dst)
    }

    /// An exchange with memory is locked with and without the prefix.
    fn exchange(&mut self, width: u32, a: Place, b: Place) -> Result<(), String> {
        let (memory, other) = if matches!(a.location, Location::Memory { .. }) { (a, b) } else { (b, a) };
        let (value, ty) = self.read(other, width)?;
        let Location::Memory { ptr, .. } = memory.location else {
            let (second, second_ty) = self.read(memory, width)?;
            self.write(memory, value, ty)?;
            return self.write(other, second, second_ty);
        };
        let old = self.atomic(RmwOp::Xchg, ty, ptr, value);
        self.write(other, old, ty)
    }

    fn compare_exchange(&mut self, width: u32, lock: bool, new: Place, dst: Place) -> Result<(), String> {
        let accumulator = Register::Named("ax");
        // Above 32 bits the accumulator is cleared only if the values differ.
        if self.operand_width(accumulator).is_some_and(|whole| whole != width) {
            return Err(String::new());
        }
        let (expected, ty) = self.read_register(accumulator, width)?;
        let (new, new_ty) = self.read(new, width)?;
        // Pointers stay pointers if both values are.
        let is_ptr = ty == Ty::Ptr && new_ty == Ty::Ptr;
        let (ty, expected, new) = match is_ptr {
            true => (Ty::Ptr, expected, new),
            false => (Ty::Int(width), self.lowerer.bits_of(expected, ty), self.lowerer.bits_of(new, new_ty)),
        };
        let old = match dst.location {
            Location::Memory { ptr, .. } if lock => {
                let (old, ok) = (self.lowerer.new_reg(ty), self.lowerer.new_reg(Ty::BOOL));
                self.memory_is_touched();
                let (weak, order, failure) = (false, Order::SeqCst, Order::SeqCst);
                self.lowerer.emit(Inst::CmpXchg { old, ok, ty, ptr, expected, new, weak, order, failure });
                Operand::Reg(old)
            }
            _ => {
                let dst = if is_ptr { as_pointer(dst) } else { dst };
                let (old, old_ty) = self.read(dst, width)?;
                if old_ty != ty {
                    return Err(String::new());
                }
                let equal = self.lowerer.compare(CmpOp::Eq, width, old, expected);
                let value = self.lowerer.new_reg(ty);
                self.lowerer.emit(Inst::Select { dst: value, ty, cond: equal, a: new, b: old });
                self.write(dst, Operand::Reg(value), ty)?;
                old
            }
        };
        let (a, b) = (self.lowerer.bits_of(expected, ty), self.lowerer.bits_of(old, ty));
        self.flags = Flags::Sub { a, b, width };
        // If it was equal, this is what was there.
        self.write_register(accumulator, old, ty)
    }

    fn shift(&mut self, base: &str, width: u32, count: Place, dst: Place) -> Result<(), String> {
        let mask = if width == 64 { 63 } else { 31 };
        let amount = match count.location {
            Location::Immediate(count) => self.lowerer.int(width, count as u64 & mask),
            Location::Register(register) => {
                // A count is in %cl.
                let (count, _) = self.read_register(register, 8)?;
                let mask = self.lowerer.int(8, mask);
                let count = self.lowerer.binary(BinOp::And, 8, count, mask);
                self.lowerer.resize(count, 8, width)
            }
            Location::Memory { .. } => return Err(String::new()),
        };
        // Narrow operands can be shifted by more than their width, which our instructions leave open.
        if width < 32 {
            return Err(String::new());
        }
        let op = match base {
            "shr" => BinOp::LShr,
            "sar" => BinOp::AShr,
            _ => BinOp::Shl,
        };
        self.update(width, false, op, dst, amount)?;
        self.flags = Flags::Unknown;
        Ok(())
    }

    fn intrinsic(&mut self, op: IntrinsicOp, width: u32, value: Operand) -> Operand {
        let dst = self.lowerer.new_reg(Ty::Int(width));
        let args = [value].into();
        self.lowerer.emit(Inst::Intrinsic { dsts: [dst].into(), op, ty: Ty::Int(width), args });
        Operand::Reg(dst)
    }

    /// Scans and counts of bits. The scans leave the result open if there is no bit.
    fn count(&mut self, base: &str, width: u32, src: Place, dst: Place) -> Result<(), String> {
        let Location::Register(register) = dst.location else { return Err(String::new()) };
        let value = self.read_bits(src, width)?;
        let op = match base {
            "popcnt" => IntrinsicOp::CtPop,
            "bsr" | "lzcnt" => IntrinsicOp::Ctlz,
            _ => IntrinsicOp::Cttz,
        };
        let mut result = self.intrinsic(op, width, value);
        self.flags = match base {
            "popcnt" | "bsf" | "bsr" => Flags::Zero { value, width },
            _ => Flags::Unknown,
        };
        if base == "bsr" {
            let top = self.lowerer.int(width, u64::from(width) - 1);
            result = self.lowerer.binary(BinOp::Sub, width, top, result);
        }
        if matches!(base, "bsf" | "bsr") {
            let zero = self.lowerer.int(width, 0);
            let is_zero = self.lowerer.compare(CmpOp::Eq, width, value, zero);
            // Open is all of the register.
            let whole = self.operand_width(register).map_or(width, |whole| whole.max(width));
            let open = self.anything(whole);
            let counted = self.lowerer.resize(result, width, whole);
            let (ty, chosen) = (Ty::Int(whole), self.lowerer.new_reg(Ty::Int(whole)));
            self.lowerer.emit(Inst::Select { dst: chosen, ty, cond: is_zero, a: open, b: counted });
            return self.write(dst, Operand::Reg(chosen), ty);
        }
        self.write(dst, result, Ty::Int(width))
    }

    /// A bit is copied to the carry, and set, reset or complemented.
    fn bit(&mut self, base: &str, width: u32, lock: bool, index: Place, dst: Place) -> Result<(), String> {
        let is_register = matches!(dst.location, Location::Register(_));
        let index = match index.location {
            Location::Immediate(index) => self.lowerer.int(width, index as u64 & (u64::from(width) - 1)),
            // With an index in a register memory is a string of bits that reaches beyond the operand.
            _ if is_register => {
                let index = self.read_bits(index, width)?;
                let mask = self.lowerer.int(width, u64::from(width) - 1);
                self.lowerer.binary(BinOp::And, width, index, mask)
            }
            _ => return Err(String::new()),
        };
        let one = self.lowerer.int(width, 1);
        let bit = self.lowerer.binary(BinOp::Shl, width, one, index);
        let before = match base {
            "bt" => self.read_bits(dst, width)?,
            "bts" => self.update(width, lock, BinOp::Or, dst, bit)?,
            "btc" => self.update(width, lock, BinOp::Xor, dst, bit)?,
            _ => {
                let ones = self.lowerer.int(width, u64::MAX);
                let others = self.lowerer.binary(BinOp::Xor, width, bit, ones);
                self.update(width, lock, BinOp::And, dst, others)?
            }
        };
        let (zero, found) = (self.lowerer.int(width, 0), self.lowerer.binary(BinOp::And, width, before, bit));
        self.flags = Flags::Carry(self.lowerer.compare(CmpOp::Ne, width, found, zero));
        Ok(())
    }
}

fn as_pointer(place: Place) -> Place {
    match place.location {
        Location::Memory { ptr, .. } => Place { location: Location::Memory { ptr, is_ptr: true }, ..place },
        _ => place,
    }
}

/// The instruction and the width that its suffix stands for.
fn split_name(name: &str) -> Option<(&'static str, Option<u32>)> {
    if let Some(base) = SIZED.iter().find(|base| **base == name) {
        return Some((base, None));
    }
    let last = name.chars().last()?;
    let base = SIZED.iter().find(|base| name.strip_suffix(last) == Some(base))?;
    let width = match last {
        'b' => 8,
        'w' => 16,
        'l' => 32,
        'q' => 64,
        _ => return None,
    };
    Some((base, Some(width)))
}

/// Refuses what the processor refuses.
fn check_operands(base: &str, lock: bool, places: &[Place]) -> Result<(), String> {
    let is_memory = |place: &Place| matches!(place.location, Location::Memory { .. });
    let may_lock = matches!(
        base,
        "xchg"
            | "cmpxchg"
            | "xadd"
            | "add"
            | "sub"
            | "and"
            | "or"
            | "xor"
            | "not"
            | "inc"
            | "dec"
            | "bts"
            | "btr"
            | "btc"
    );
    // The processor refuses the prefix elsewhere.
    if lock && !(may_lock && places.iter().any(is_memory)) {
        return Err(String::new());
    }
    // No instruction has two operands in memory.
    if places.iter().filter(|place| is_memory(place)).count() > 1 {
        return Err(String::new());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::split_name;

    #[test]
    fn a_suffix_is_the_width_unless_it_belongs_to_the_name() {
        assert_eq!(split_name("subb"), Some(("sub", Some(8))));
        assert_eq!(split_name("sub"), Some(("sub", None)));
        assert_eq!(split_name("shl"), Some(("shl", None)));
        assert_eq!(split_name("sbbl"), Some(("sbb", Some(32))));
        assert_eq!(split_name("cmpxchgq"), Some(("cmpxchg", Some(64))));
        assert_eq!(split_name("cmpxchg16b"), None);
        assert_eq!(split_name("movzbl"), None);
    }
}
