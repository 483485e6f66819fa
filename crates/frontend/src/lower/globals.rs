//! Global variables and their initial content.

use selvedge_base::Loc;
use selvedge_program::{Global, InitPiece, Ty};

use super::Lowerer;
use crate::llvm::{TypeKind, Value, ValueKind};

/// Zero bytes between two runs of plain bytes that are cheaper to store than a new piece.
const MAX_ZERO_GAP: u64 = 16;

impl<'m> Lowerer<'m> {
    /// Gives every global variable an id; initial content follows once all addresses are known.
    pub(super) fn declare_globals(&mut self) {
        for variable in self.module.globals() {
            let mut name = variable.name();
            // `llvm.used` and the like direct the linker.
            if name.starts_with("llvm.") {
                continue;
            }
            if name.is_empty() {
                name = self.unique_name();
            }
            let ty = variable.value_type();
            let mut global = Global {
                name,
                size: self.shapes.layout.alloc_size(ty).unwrap_or(0),
                align: match variable.alignment() {
                    0 => self.shapes.layout.align(ty),
                    given => given,
                },
                init: None,
                is_const: variable.is_constant_global(),
                thread_local: variable.is_thread_local(),
                loc: Loc::UNKNOWN,
                var_ty: None,
                is_runtime: false,
            };
            if let Some(info) = variable.global_variable_info(self.module.context()) {
                (global.loc, global.var_ty) = self.debug.global(&mut self.program, info);
                global.is_runtime = self.debug.is_runtime_file(&self.program, global.loc.file);
            }
            let id = self.program.globals.push(global);
            self.globals.insert(variable, id);
        }
    }

    pub(super) fn initialise_globals(&mut self) {
        for variable in self.module.globals() {
            let Some(&id) = self.globals.get(&variable) else { continue };
            let Some(initial) = variable.initializer() else { continue };
            let mut pieces = Pieces::default();
            self.push_initial(initial, 0, &mut pieces);
            self.program.globals[id].init = Some(pieces.finish());
        }
    }

    fn push_initial(&mut self, value: Value<'m>, offset: u64, pieces: &mut Pieces) {
        use ValueKind::*;
        let ty = value.ty();
        match value.kind() {
            LLVMConstantAggregateZeroValueKind | LLVMConstantPointerNullValueKind => {}
            LLVMUndefValueValueKind | LLVMPoisonValueKind => {
                pieces.undef(offset, self.shapes.layout.alloc_size(ty).unwrap_or(0));
            }
            LLVMConstantDataArrayValueKind | LLVMConstantDataVectorValueKind => {
                pieces.bytes(offset, value.raw_data());
            }
            LLVMConstantIntValueKind if ty.kind() == TypeKind::LLVMIntegerTypeKind => {
                let limbs = value.int_limbs(self.module.context());
                let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
                pieces.bytes(offset, &bytes[..ty.int_width().div_ceil(8) as usize]);
            }
            LLVMConstantFPValueKind if self.shapes.scalar(ty).is_some() => {
                let bits = self.shapes.scalar(ty).map_or(0, |ty| ty.bits(0));
                let pattern = value.float_bits(self.module.context(), bits);
                pieces.bytes(offset, &pattern.to_le_bytes()[..bits as usize / 8]);
            }
            LLVMConstantStructValueKind => {
                for index in 0..value.n_operands() {
                    let start = self.shapes.layout.field_offset(ty, index);
                    self.push_initial(value.operand(index), offset + start, pieces);
                }
            }
            LLVMConstantArrayValueKind => {
                let stride = self.shapes.layout.alloc_size(ty.element()).unwrap_or(0);
                for index in 0..value.n_operands() {
                    self.push_initial(value.operand(index), offset + u64::from(index) * stride, pieces);
                }
            }
            _ => self.push_scalars(value, offset, pieces),
        }
    }

    /// Addresses, constant expressions, and vectors that are not plain data.
    fn push_scalars(&mut self, value: Value<'m>, offset: u64, pieces: &mut Pieces) {
        let scalars = match (self.shapes.shape(value.ty()), self.constant(value)) {
            (Ok(shape), Ok(scalars)) if !shape.bit_packed => Some((shape, scalars)),
            _ => None,
        };
        let Some((shape, scalars)) = scalars else {
            // Any value is possible, which covers the one that could not be expressed.
            pieces.undef(offset, self.shapes.layout.alloc_size(value.ty()).unwrap_or(0));
            return;
        };
        for (leaf, &constant) in shape.leaves.iter().zip(&*scalars) {
            pieces.scalar(offset + leaf.offset, leaf.ty, constant);
        }
    }
}

/// Collects pieces in order of their offsets and joins runs of bytes.
#[derive(Default)]
struct Pieces {
    done: Vec<InitPiece>,
    run_start: u64,
    run: Vec<u8>,
}

impl Pieces {
    /// Adds plain bytes. Zero is the default, so long runs of it cost nothing.
    fn bytes(&mut self, offset: u64, bytes: &[u8]) {
        let mut rest = 0;
        while let Some(skipped) = bytes[rest..].iter().position(|&byte| byte != 0) {
            let start = rest + skipped;
            let mut end = start;
            let mut next = start;
            while next < bytes.len() && next - end <= MAX_ZERO_GAP as usize {
                if bytes[next] != 0 {
                    end = next + 1;
                }
                next += 1;
            }
            self.run_of_bytes(offset + start as u64, &bytes[start..end]);
            rest = next;
        }
    }

    fn run_of_bytes(&mut self, offset: u64, bytes: &[u8]) {
        let end = self.run_start + self.run.len() as u64;
        if !self.run.is_empty() && offset >= end && offset - end <= MAX_ZERO_GAP {
            self.run.resize((offset - self.run_start) as usize, 0);
        } else {
            self.flush();
            self.run_start = offset;
        }
        self.run.extend_from_slice(bytes);
    }

    fn scalar(&mut self, offset: u64, ty: Ty, value: selvedge_program::ConstId) {
        self.flush();
        self.done.push(InitPiece::Scalar { offset, ty, value });
    }

    fn undef(&mut self, offset: u64, len: u64) {
        self.flush();
        if len > 0 {
            self.done.push(InitPiece::Undef { offset, len });
        }
    }

    fn flush(&mut self) {
        if !self.run.is_empty() {
            let bytes = std::mem::take(&mut self.run).into();
            self.done.push(InitPiece::Bytes { offset: self.run_start, bytes });
        }
    }

    fn finish(mut self) -> Vec<InitPiece> {
        self.flush();
        self.done
    }
}
