//! Constants and constant expressions.

use selvedge_program::{BinOp, CastOp, Const, ConstExpr, ConstId, Ty};

use super::Lowerer;
use crate::llvm::{Op, Type, TypeKind, Value, ValueKind};

/// Constants nest by recursion, here and in later layers; real programs stay below ten.
const MAX_DEPTH: u32 = 128;

impl<'m> Lowerer<'m> {
    /// The scalars of a constant; the error says what has no counterpart.
    pub(super) fn constant(&mut self, value: Value<'m>) -> Result<Box<[ConstId]>, String> {
        if let Some(known) = self.consts.get(&value) {
            return Ok(known.clone());
        }
        if self.const_depth >= MAX_DEPTH {
            return Err("a constant nested too deeply".to_owned());
        }
        let mut scalars = Vec::new();
        self.const_depth += 1;
        let pushed = self.push_constant(value, &mut scalars);
        self.const_depth -= 1;
        pushed?;
        let scalars: Box<[ConstId]> = scalars.into();
        self.consts.insert(value, scalars.clone());
        Ok(scalars)
    }

    /// A constant that is one scalar.
    pub(super) fn scalar_constant(&mut self, value: Value<'m>) -> Result<ConstId, String> {
        match *self.constant(value)? {
            [id] => Ok(id),
            _ => Err(format!("the constant {}", value.text())),
        }
    }

    pub(super) fn int_const(&mut self, width: u32, value: u64) -> ConstId {
        self.program.add_const(int(width, value))
    }

    pub(super) fn zero(&mut self, ty: Ty) -> ConstId {
        self.program.add_const(match ty {
            Ty::Int(width) => int(width, 0),
            Ty::Ptr => Const::Null,
            Ty::Float(kind) => Const::Float { kind, bits: 0 },
        })
    }

    pub(super) fn undef(&mut self, ty: Ty) -> ConstId {
        self.program.add_const(Const::Undef(ty))
    }

    fn push_constant(&mut self, value: Value<'m>, out: &mut Vec<ConstId>) -> Result<(), String> {
        use ValueKind::*;
        let constant = match value.kind() {
            LLVMConstantIntValueKind => {
                let ty = value.ty();
                let width = match ty.kind() {
                    TypeKind::LLVMIntegerTypeKind => ty.int_width(),
                    // A splat: LLVM may represent a vector of equal integers as one.
                    _ => return self.push_elements(value, out),
                };
                let limbs = value.int_limbs(self.module.context());
                if width <= 64 { int(width, limbs[0]) } else { Const::Wide { width, limbs: limbs.into() } }
            }
            LLVMConstantFPValueKind => match self.shapes.scalar(value.ty()) {
                Some(Ty::Float(kind)) => {
                    Const::Float { kind, bits: value.float_bits(self.module.context(), kind.bits()) }
                }
                Some(_) => return Err(format!("the constant {}", value.text())),
                None => return self.push_elements(value, out),
            },
            LLVMConstantPointerNullValueKind => Const::Null,
            LLVMUndefValueValueKind | LLVMPoisonValueKind => {
                let shape = self.shapes.shape(value.ty())?;
                for ty in shape.tys() {
                    out.push(self.undef(ty));
                }
                return Ok(());
            }
            LLVMConstantAggregateZeroValueKind => {
                let shape = self.shapes.shape(value.ty())?;
                for ty in shape.tys() {
                    out.push(self.zero(ty));
                }
                return Ok(());
            }
            LLVMConstantStructValueKind
            | LLVMConstantArrayValueKind
            | LLVMConstantVectorValueKind
            | LLVMConstantDataArrayValueKind
            | LLVMConstantDataVectorValueKind => return self.push_elements(value, out),
            LLVMFunctionValueKind | LLVMGlobalIFuncValueKind => match self.funcs.get(&value) {
                Some(&id) => Const::Func(id),
                None => return Err(format!("the address of {}", value.name())),
            },
            // A weak reference that nothing defines.
            LLVMGlobalVariableValueKind if value.is_extern_weak() => Const::Null,
            LLVMGlobalVariableValueKind => match self.globals.get(&value) {
                Some(&global) => Const::Global { global, offset: 0 },
                None => return Err(format!("the address of {}", value.name())),
            },
            LLVMGlobalAliasValueKind => {
                out.push(self.scalar_constant(value.aliasee())?);
                return Ok(());
            }
            LLVMBlockAddressValueKind => {
                let (function, block) = value.block_address();
                match (self.funcs.get(&function), self.block_ids.get(&block)) {
                    (Some(&func), Some(&block)) => Const::Block(func, block),
                    _ => return Err("the address of an unreachable label".to_owned()),
                }
            }
            LLVMConstantExprValueKind => {
                out.push(self.constant_expr(value)?);
                return Ok(());
            }
            _ => return Err(format!("the constant {}", value.text())),
        };
        out.push(self.program.add_const(constant));
        Ok(())
    }

    fn push_elements(&mut self, value: Value<'m>, out: &mut Vec<ConstId>) -> Result<(), String> {
        let ty = value.ty();
        let count = match ty.kind() {
            TypeKind::LLVMStructTypeKind => ty.struct_elements().len() as u64,
            TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => ty.element_count(),
            _ => return Err(format!("the constant {}", value.text())),
        };
        // Refuses aggregates too large for registers before they are walked.
        self.shapes.shape(ty)?;
        for index in 0..count as u32 {
            let element = value
                .aggregate_element(index)
                .ok_or_else(|| format!("element {index} of the constant {}", value.text()))?;
            out.extend(self.constant(element)?);
        }
        Ok(())
    }

    fn constant_expr(&mut self, value: Value<'m>) -> Result<ConstId, String> {
        let unsupported = || format!("the constant expression {}", value.text());
        let op = value.const_opcode();
        let to = self.shapes.scalar(value.ty()).ok_or_else(unsupported)?;
        match op {
            Op::LLVMGetElementPtr => {
                let base = self.scalar_constant(value.operand(0))?;
                let offset = self.constant_gep_offset(value).ok_or_else(unsupported)?;
                Ok(self.const_ptr_add(base, offset))
            }
            Op::LLVMBitCast | Op::LLVMAddrSpaceCast => {
                let from = self.shapes.scalar(value.operand(0).ty()).ok_or_else(unsupported)?;
                let arg = self.scalar_constant(value.operand(0))?;
                Ok(self.const_cast(CastOp::Bitcast, from, to, arg))
            }
            Op::LLVMPtrToInt | Op::LLVMPtrToAddr | Op::LLVMIntToPtr | Op::LLVMTrunc => {
                let from = self.shapes.scalar(value.operand(0).ty()).ok_or_else(unsupported)?;
                let arg = self.scalar_constant(value.operand(0))?;
                let op = match op {
                    Op::LLVMIntToPtr => CastOp::IntToPtr,
                    Op::LLVMTrunc => CastOp::Trunc,
                    _ => CastOp::PtrToInt,
                };
                Ok(self.const_cast(op, from, to, arg))
            }
            Op::LLVMAdd | Op::LLVMSub | Op::LLVMXor | Op::LLVMMul => {
                let Ty::Int(width) = to else { return Err(unsupported()) };
                let a = self.scalar_constant(value.operand(0))?;
                let b = self.scalar_constant(value.operand(1))?;
                let op = match op {
                    Op::LLVMAdd => BinOp::Add,
                    Op::LLVMSub => BinOp::Sub,
                    Op::LLVMXor => BinOp::Xor,
                    _ => BinOp::Mul,
                };
                Ok(self.program.add_const(Const::Expr(ConstExpr::Bin { op, width, a, b })))
            }
            _ => Err(unsupported()),
        }
    }

    fn const_cast(&mut self, op: CastOp, from: Ty, to: Ty, arg: ConstId) -> ConstId {
        let folded = match (op, &self.program.consts[arg]) {
            (CastOp::Bitcast, _) if from == to => return arg,
            (CastOp::PtrToInt, Const::Null) => Some(self.zero(to)),
            (CastOp::IntToPtr, Const::Int { value: 0, .. }) => Some(self.zero(to)),
            // The address survives a round trip through an integer of its own width.
            (
                CastOp::IntToPtr,
                &Const::Expr(ConstExpr::Cast { op: CastOp::PtrToInt, to: Ty::Int(width), arg, .. }),
            ) if width == self.program.target.ptr_bits => Some(arg),
            _ => None,
        };
        folded.unwrap_or_else(|| self.program.add_const(Const::Expr(ConstExpr::Cast { op, from, to, arg })))
    }

    /// A pointer constant moved by some bytes.
    pub(super) fn const_ptr_add(&mut self, base: ConstId, offset: i64) -> ConstId {
        if offset == 0 {
            return base;
        }
        let moved = match self.program.consts[base] {
            Const::Global { global, offset: start } => {
                Const::Global { global, offset: start.wrapping_add(offset) }
            }
            Const::Expr(ConstExpr::PtrAdd { base, offset: start }) => {
                Const::Expr(ConstExpr::PtrAdd { base, offset: start.wrapping_add(offset) })
            }
            _ => Const::Expr(ConstExpr::PtrAdd { base, offset }),
        };
        self.program.add_const(moved)
    }

    /// The byte offset of a GEP whose indices are all constants.
    fn constant_gep_offset(&mut self, gep: Value<'m>) -> Option<i64> {
        let mut offset = 0i64;
        let mut ty = gep.gep_type();
        for index in 1..gep.n_operands() {
            let operand = gep.operand(index);
            if operand.kind() != ValueKind::LLVMConstantIntValueKind {
                return None;
            }
            let step = self.signed_int(operand)?;
            offset = offset.wrapping_add(self.gep_step(&mut ty, index == 1, step)?);
        }
        Some(offset)
    }

    /// Bytes added by one constant GEP index; `ty` becomes the type it leads to.
    pub(super) fn gep_step(&self, ty: &mut Type<'m>, is_first: bool, index: i64) -> Option<i64> {
        if is_first {
            return Some(index.wrapping_mul(self.shapes.layout.alloc_size(*ty)? as i64));
        }
        if ty.kind() == TypeKind::LLVMStructTypeKind {
            let field = u32::try_from(index).ok()?;
            let offset = self.shapes.layout.field_offset(*ty, field);
            *ty = self.shapes.element(*ty, field);
            return Some(offset as i64);
        }
        *ty = ty.element();
        Some(index.wrapping_mul(self.shapes.layout.alloc_size(*ty)? as i64))
    }

    /// The value of an integer constant, sign-extended; `None` if it is no integer of up to 64 bits.
    pub(super) fn signed_int(&self, value: Value<'m>) -> Option<i64> {
        if value.kind() != ValueKind::LLVMConstantIntValueKind
            || value.ty().kind() != TypeKind::LLVMIntegerTypeKind
        {
            return None;
        }
        let width = value.ty().int_width();
        if width > 64 {
            return None;
        }
        let bits = value.int_limbs(self.module.context())[0];
        let unused = 64 - width;
        Some(((bits << unused) as i64) >> unused)
    }
}

/// An integer constant; `value` is cut to `width`.
fn int(width: u32, value: u64) -> Const {
    match width {
        0..=63 => Const::Int { width, value: value & ((1 << width) - 1) },
        64 => Const::Int { width, value },
        _ => {
            let mut limbs = vec![0; width.div_ceil(64) as usize];
            limbs[0] = value;
            Const::Wide { width, limbs: limbs.into() }
        }
    }
}
