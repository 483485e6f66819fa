//! The flags after an instruction, computed only when something asks for them.

use selvedge_program::{BinOp, CmpOp, Inst, Operand, Ty};

use super::super::function::FnLowerer;

/// What the last instruction that set the flags has done. A flag that it leaves open, or that is not modelled, cannot be
/// asked for.
#[derive(Clone, Copy)]
pub(super) enum Flags {
    Unknown,
    /// `a - b`.
    Sub {
        a: Operand,
        b: Operand,
        width: u32,
    },
    /// `a + b`.
    Add {
        a: Operand,
        b: Operand,
        width: u32,
    },
    /// A result of `and`, `or`, `xor`: no carry, no overflow.
    Logic {
        result: Operand,
        width: u32,
    },
    /// Only zero and sign are known.
    Sign {
        result: Operand,
        width: u32,
    },
    /// Only whether the value is zero.
    Zero {
        value: Operand,
        width: u32,
    },
    /// Only the carry.
    Carry(Operand),
}

impl FnLowerer<'_, '_> {
    /// The condition `code` (`z`, `ne`, `b`, ...) as an `i1`.
    pub(super) fn condition(&mut self, flags: Flags, code: &str) -> Option<Operand> {
        use Flags::*;
        let (code, negated) = match code {
            "ne" | "nz" => ("e", true),
            "ae" | "nb" | "nc" => ("b", true),
            "a" | "nbe" => ("be", true),
            "ns" => ("s", true),
            "ge" | "nl" => ("l", true),
            "g" | "nle" => ("le", true),
            "z" => ("e", false),
            "c" | "nae" => ("b", false),
            "na" => ("be", false),
            "nge" => ("l", false),
            "ng" => ("le", false),
            "e" | "b" | "be" | "s" | "l" | "le" => (code, false),
            _ => return None,
        };
        let holds = match (flags, code) {
            (Sub { a, b, width }, "e") => self.compare(CmpOp::Eq, width, a, b),
            (Sub { a, b, width }, "b") => self.compare(CmpOp::Ult, width, a, b),
            (Sub { a, b, width }, "be") => self.compare(CmpOp::Ule, width, a, b),
            (Sub { a, b, width }, "l") => self.compare(CmpOp::Slt, width, a, b),
            (Sub { a, b, width }, "le") => self.compare(CmpOp::Sle, width, a, b),
            (Sub { a, b, width }, _) => {
                let result = self.binary(BinOp::Sub, width, a, b);
                self.against_zero(CmpOp::Slt, width, result)
            }
            (Add { a, b, width }, "b") => {
                let result = self.binary(BinOp::Add, width, a, b);
                self.compare(CmpOp::Ult, width, result, a)
            }
            (Add { a, b, width }, "e" | "s") => {
                let result = self.binary(BinOp::Add, width, a, b);
                self.against_zero(if code == "e" { CmpOp::Eq } else { CmpOp::Slt }, width, result)
            }
            (Logic { .. }, "b") => self.int(1, 0),
            (Logic { result, width }, "e" | "be") => self.against_zero(CmpOp::Eq, width, result),
            (Logic { result, width }, "s" | "l") => self.against_zero(CmpOp::Slt, width, result),
            (Logic { result, width }, "le") => self.against_zero(CmpOp::Sle, width, result),
            (Sign { result, width }, "s") => self.against_zero(CmpOp::Slt, width, result),
            (Sign { result: value, width } | Zero { value, width }, "e") => {
                self.against_zero(CmpOp::Eq, width, value)
            }
            (Carry(carry), "b") => carry,
            _ => return None,
        };
        if !negated {
            return Some(holds);
        }
        let one = self.int(1, 1);
        Some(self.binary(BinOp::Xor, 1, holds, one))
    }

    pub(super) fn compare(&mut self, op: CmpOp, width: u32, a: Operand, b: Operand) -> Operand {
        let dst = self.new_reg(Ty::BOOL);
        self.emit(Inst::Cmp { dst, op, width, a, b });
        Operand::Reg(dst)
    }

    fn against_zero(&mut self, op: CmpOp, width: u32, value: Operand) -> Operand {
        let zero = self.int(width, 0);
        self.compare(op, width, value, zero)
    }
}
