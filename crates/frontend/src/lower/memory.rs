//! Memory: allocas, loads, stores, address arithmetic, atomics.

use selvedge_program::{Access, Const, Inst, Operand, Order, RmwOp, Ty};
use smallvec::smallvec;

use super::function::{FnLowerer, Scalars};
use crate::llvm::{Op, Ordering, RmwBinOp, TypeKind, Value, ValueKind};

impl<'m> FnLowerer<'_, 'm> {
    pub(super) fn memory(&mut self, inst: Value<'m>) -> Result<(), String> {
        match inst.opcode() {
            Op::LLVMAlloca => self.alloca(inst),
            Op::LLVMLoad => self.load(inst),
            Op::LLVMStore => self.store(inst),
            Op::LLVMGetElementPtr => self.gep(inst),
            Op::LLVMFence => {
                let order = order(inst.ordering()).unwrap_or(Order::SeqCst);
                self.emit(Inst::Fence { order, signal: inst.is_single_thread() });
                Ok(())
            }
            Op::LLVMAtomicCmpXchg => self.compare_exchange(inst),
            Op::LLVMAtomicRMW => self.read_modify_write(inst),
            _ => {
                let ty = self.scalar_ty(inst)?;
                let list = self.operand(inst.operand(0))?;
                let dst = self.result_reg(inst, ty);
                self.emit(Inst::VaArg { dst, ty, list });
                Ok(())
            }
        }
    }

    fn alloca(&mut self, inst: Value<'m>) -> Result<(), String> {
        let ty = inst.allocated_type();
        let layout = self.lowerer.shapes.layout;
        let size = layout.alloc_size(ty).ok_or_else(|| format!("a stack object of type {ty}"))?;
        let align = inst.alignment().max(1);
        let Ty::Int(count_width) = self.scalar_ty(inst.operand(0))? else {
            return Err("an allocation count that is no integer".to_owned());
        };
        let count = self.operand(inst.operand(0))?;
        let count = self.resize(count, count_width, self.ptr_bits());
        let (name, var_ty) = self.variable_of(inst);
        let dst = self.new_reg(Ty::Ptr);
        self.bind(inst, smallvec![Operand::Reg(dst)]);
        self.emit(Inst::Alloca { dst, size, count, align, name, var_ty });
        Ok(())
    }

    /// The address operand of an access.
    pub(super) fn address(&mut self, value: Value<'m>) -> Result<Operand, String> {
        let ty = value.ty();
        // On x86 other address spaces are relative to a segment register.
        if ty.kind() == TypeKind::LLVMPointerTypeKind && ty.address_space() != 0 {
            return Err(format!("an access to address space {}", ty.address_space()));
        }
        self.operand(value)
    }

    fn load(&mut self, inst: Value<'m>) -> Result<(), String> {
        let base = self.address(inst.operand(0))?;
        let access = access(inst);
        let shape = self.lowerer.shapes.shape(inst.ty())?;
        if shape.bit_packed {
            if inst.ty().kind() != TypeKind::LLVMVectorTypeKind {
                return Err(format!("a load of type {}", inst.ty()));
            }
            let tys: Vec<Ty> = shape.tys().collect();
            let total = tys.iter().map(|ty| ty.bits(self.ptr_bits())).sum();
            let whole = self.new_reg(Ty::Int(total));
            self.emit(Inst::Load { dst: whole, ty: Ty::Int(total), ptr: base, access });
            let parts = self.split_bits(Operand::Reg(whole), total, &tys);
            self.bind(inst, parts.into());
            return Ok(());
        }
        if let [leaf] = *shape.leaves {
            let ptr = self.ptr_add(base, leaf.offset as i64);
            let dst = self.result_reg(inst, leaf.ty);
            self.emit(Inst::Load { dst, ty: leaf.ty, ptr, access });
            return Ok(());
        }
        let mut scalars = Scalars::new();
        for leaf in &shape.leaves {
            let ptr = self.ptr_add(base, leaf.offset as i64);
            let dst = self.new_reg(leaf.ty);
            self.emit(Inst::Load { dst, ty: leaf.ty, ptr, access });
            scalars.push(Operand::Reg(dst));
        }
        self.bind(inst, scalars);
        Ok(())
    }

    fn store(&mut self, inst: Value<'m>) -> Result<(), String> {
        let base = self.address(inst.operand(1))?;
        let access = access(inst);
        let ty = inst.operand(0).ty();
        let shape = self.lowerer.shapes.shape(ty)?;
        let values = self.operands(inst.operand(0))?;
        if shape.bit_packed {
            if ty.kind() != TypeKind::LLVMVectorTypeKind {
                return Err(format!("a store of type {ty}"));
            }
            let parts: Vec<(Operand, Ty)> = values.iter().copied().zip(shape.tys()).collect();
            let (whole, total) = self.join_bits(&parts);
            self.emit(Inst::Store { ty: Ty::Int(total), value: whole, ptr: base, access });
            return Ok(());
        }
        for (leaf, &value) in shape.leaves.iter().zip(&values) {
            let ptr = self.ptr_add(base, leaf.offset as i64);
            self.emit(Inst::Store { ty: leaf.ty, value, ptr, access });
        }
        Ok(())
    }

    /// A pointer moved by a constant number of bytes; constants fold.
    pub(super) fn ptr_add(&mut self, base: Operand, offset: i64) -> Operand {
        self.ptr_add_scaled(base, offset, Vec::new())
    }

    fn ptr_add_scaled(&mut self, base: Operand, offset: i64, scaled: Vec<(Operand, u32, i64)>) -> Operand {
        if scaled.is_empty() {
            if offset == 0 {
                return base;
            }
            if let Operand::Const(id) = base
                && !matches!(self.lowerer.program.consts[id], Const::Undef(_))
            {
                return Operand::Const(self.lowerer.const_ptr_add(id, offset));
            }
        }
        let dst = self.new_reg(Ty::Ptr);
        self.emit(Inst::PtrAdd { dst, base, offset, scaled: scaled.into() });
        Operand::Reg(dst)
    }

    fn gep(&mut self, inst: Value<'m>) -> Result<(), String> {
        let tys = self.tys(inst.ty())?;
        let columns: Vec<Scalars> =
            (0..inst.n_operands()).map(|i| self.operands(inst.operand(i))).collect::<Result<_, _>>()?;
        let mut results = Scalars::new();
        for lane in 0..tys.len() {
            // A scalar among vectors stands for all lanes.
            let pick = |column: &Scalars| if column.len() == 1 { column[0] } else { column[lane] };
            let base = pick(&columns[0]);
            let (mut offset, mut scaled) = (0i64, Vec::new());
            let mut ty = inst.gep_type();
            for index in 1..inst.n_operands() {
                let operand = pick(&columns[index as usize]);
                let value = inst.operand(index);
                let width = self.index_width(value)?;
                let step = match operand {
                    Operand::Const(id) => match self.lowerer.program.consts[id] {
                        Const::Int { width, value } => Some(sign_extend(width, value)),
                        _ => None,
                    },
                    Operand::Reg(_) => None,
                };
                let is_first = index == 1;
                match step {
                    Some(step) => {
                        let bytes = self.lowerer.gep_step(&mut ty, is_first, step);
                        let bytes =
                            bytes.ok_or_else(|| format!("address arithmetic on {}", inst.gep_type()))?;
                        offset = offset.wrapping_add(bytes);
                    }
                    None => {
                        if !is_first {
                            ty = self.lowerer.shapes.element(ty, 0);
                        }
                        let size = self.lowerer.shapes.layout.alloc_size(ty);
                        let size = size.ok_or_else(|| format!("address arithmetic on {ty}"))?;
                        scaled.push((operand, width, size as i64));
                    }
                }
            }
            if tys.len() == 1 && !(scaled.is_empty() && (offset == 0 || matches!(base, Operand::Const(_)))) {
                let dst = self.result_reg(inst, Ty::Ptr);
                self.emit(Inst::PtrAdd { dst, base, offset, scaled: scaled.into() });
                return Ok(());
            }
            results.push(self.ptr_add_scaled(base, offset, scaled));
        }
        self.bind(inst, results);
        Ok(())
    }

    fn index_width(&mut self, index: Value<'m>) -> Result<u32, String> {
        match self.tys(index.ty())?.first() {
            Some(&Ty::Int(width)) if width <= 64 => Ok(width),
            _ => Err(format!("an index of type {}", index.ty())),
        }
    }

    fn compare_exchange(&mut self, inst: Value<'m>) -> Result<(), String> {
        let ptr = self.address(inst.operand(0))?;
        let ty = self.scalar_ty(inst.operand(1))?;
        let expected = self.operand(inst.operand(1))?;
        let new = self.operand(inst.operand(2))?;
        let (old, ok) = (self.new_reg(ty), self.new_reg(Ty::BOOL));
        let order = order(inst.success_ordering()).unwrap_or(Order::SeqCst);
        let failure = self::order(inst.failure_ordering()).unwrap_or(Order::SeqCst);
        let weak = inst.is_weak();
        self.emit(Inst::CmpXchg { old, ok, ty, ptr, expected, new, weak, order, failure });
        self.bind(inst, smallvec![Operand::Reg(old), Operand::Reg(ok)]);
        Ok(())
    }

    fn read_modify_write(&mut self, inst: Value<'m>) -> Result<(), String> {
        use RmwBinOp::*;
        let op = match inst.rmw_op() {
            LLVMAtomicRMWBinOpXchg => RmwOp::Xchg,
            LLVMAtomicRMWBinOpAdd => RmwOp::Add,
            LLVMAtomicRMWBinOpSub => RmwOp::Sub,
            LLVMAtomicRMWBinOpAnd => RmwOp::And,
            LLVMAtomicRMWBinOpNand => RmwOp::Nand,
            LLVMAtomicRMWBinOpOr => RmwOp::Or,
            LLVMAtomicRMWBinOpXor => RmwOp::Xor,
            LLVMAtomicRMWBinOpMax => RmwOp::Max,
            LLVMAtomicRMWBinOpMin => RmwOp::Min,
            LLVMAtomicRMWBinOpUMax => RmwOp::UMax,
            LLVMAtomicRMWBinOpUMin => RmwOp::UMin,
            LLVMAtomicRMWBinOpFAdd => RmwOp::FAdd,
            LLVMAtomicRMWBinOpFSub => RmwOp::FSub,
            other => {
                let name = format!("{other:?}").replace("LLVMAtomicRMWBinOp", "");
                return Err(format!("the atomic operation {name}"));
            }
        };
        let ptr = self.address(inst.operand(0))?;
        let ty = self.scalar_ty(inst)?;
        let value = self.operand(inst.operand(1))?;
        let order = order(inst.ordering()).unwrap_or(Order::SeqCst);
        let dst = self.result_reg(inst, ty);
        self.emit(Inst::AtomicRmw { dst, op, ty, ptr, value, order });
        Ok(())
    }
}

fn sign_extend(width: u32, value: u64) -> i64 {
    let unused = 64 - width;
    ((value << unused) as i64) >> unused
}

fn access(inst: Value<'_>) -> Access {
    debug_assert!(inst.kind() == ValueKind::LLVMInstructionValueKind, "an access is an instruction");
    Access { volatile: inst.is_volatile(), order: order(inst.ordering()) }
}

/// `None` for plain accesses.
fn order(ordering: Ordering) -> Option<Order> {
    use Ordering::*;
    match ordering {
        LLVMAtomicOrderingNotAtomic => None,
        LLVMAtomicOrderingUnordered => Some(Order::Unordered),
        LLVMAtomicOrderingMonotonic => Some(Order::Relaxed),
        LLVMAtomicOrderingAcquire => Some(Order::Acquire),
        LLVMAtomicOrderingRelease => Some(Order::Release),
        LLVMAtomicOrderingAcquireRelease => Some(Order::AcqRel),
        LLVMAtomicOrderingSequentiallyConsistent => Some(Order::SeqCst),
    }
}
