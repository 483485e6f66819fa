//! Registers and memory operands of one statement, and how they are read and written.
//!
//! A register that the compiler chooses is named by the operand that it belongs to; one that has a name is that one.
//! Two operands share a register only if the constraints say so (`tied`), or if an output may overwrite an input that
//! is not needed any more: a program that reads an input after it has written such an output gets whatever the compiler
//! chose, and is refused.

use selvedge_program::{Access, BinOp, CastOp, Inst, Operand, Ty};

use super::super::function::{FnLowerer, Scalars};
use super::flags::Flags;
use super::text::{Arg, Constraint};
use crate::llvm::Value;

/// A register.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Register {
    Named(&'static str),
    /// Chosen for an operand.
    Of(usize),
}

/// What a register holds.
#[derive(Clone, Copy)]
struct Held {
    value: Operand,
    ty: Ty,
    /// Whether the part above is zero, as it is after a write of 32 bits; otherwise it is not known.
    zero_above: bool,
}

/// Where an operand of an instruction is.
#[derive(Clone, Copy)]
pub(super) enum Location {
    Register(Register),
    Immediate(i64),
    /// Memory at a pointer; `is_ptr`: a pointer lies there.
    Memory {
        ptr: Operand,
        is_ptr: bool,
    },
}

/// An operand of an instruction with the width that is known of it.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) location: Location,
    pub(super) width: Option<u32>,
}

/// An operand of the statement.
enum Slot {
    Register { register: Register, ty: Ty },
    Memory { ptr: Operand, ty: Option<Ty> },
    Flag { code: String, ty: Ty },
}

/// The state while a statement is translated.
pub(super) struct Machine<'a, 'b, 'm> {
    pub(super) lowerer: &'a mut FnLowerer<'b, 'm>,
    slots: Vec<Slot>,
    n_outputs: usize,
    held: Vec<(Register, Held)>,
    /// Registers that may be written.
    writable: Vec<Register>,
    /// Outputs that share no register with an input.
    early: Vec<Register>,
    /// Registers of inputs that are no outputs.
    inputs: Vec<Register>,
    pub(super) flags: Flags,
    /// An output was written that may have overwritten inputs.
    has_overwritten: bool,
    touches_memory: bool,
}

impl<'a, 'b, 'm> Machine<'a, 'b, 'm> {
    pub(super) fn new(
        lowerer: &'a mut FnLowerer<'b, 'm>,
        inst: Value<'m>,
        constraints: &[Constraint],
        clobbers: Vec<&'static str>,
    ) -> Result<Self, String> {
        let result_tys = lowerer.tys(inst.ty()).map_err(|_| String::new())?;
        let mut result_tys = result_tys.into_iter();
        let args = inst.call_args();
        let mut args = args.into_iter().enumerate();
        let writable = clobbers.into_iter().map(Register::Named).collect();
        let mut machine = Machine {
            lowerer,
            slots: Vec::new(),
            n_outputs: 0,
            held: Vec::new(),
            writable,
            early: Vec::new(),
            inputs: Vec::new(),
            flags: Flags::Unknown,
            has_overwritten: false,
            touches_memory: false,
        };
        for (index, constraint) in constraints.iter().enumerate() {
            let slot = match constraint {
                Constraint::Output { early, register } => {
                    let register = register.map_or(Register::Of(index), Register::Named);
                    machine.writable.push(register);
                    if *early {
                        machine.early.push(register);
                    }
                    let ty = result_tys.next().filter(is_general).ok_or_else(String::new)?;
                    machine.n_outputs = index + 1;
                    Slot::Register { register, ty }
                }
                Constraint::Flag(code) => {
                    let ty = result_tys.next().filter(is_general).ok_or_else(String::new)?;
                    machine.n_outputs = index + 1;
                    Slot::Flag { code: code.clone(), ty }
                }
                Constraint::Memory => {
                    let (number, arg) = args.next().ok_or_else(String::new)?;
                    let ty = inst.call_element_type(number as u32);
                    let ty = ty.and_then(|ty| machine.lowerer.lowerer.shapes.scalar(ty));
                    Slot::Memory { ptr: machine.lowerer.address(arg).map_err(|_| String::new())?, ty }
                }
                Constraint::Input { .. } | Constraint::Tied(_) => {
                    let (_, arg) = args.next().ok_or_else(String::new)?;
                    machine.input(index, constraint, arg)?
                }
            };
            machine.slots.push(slot);
        }
        if result_tys.next().is_some() || args.next().is_some() {
            return Err(String::new());
        }
        Ok(machine)
    }

    fn input(&mut self, index: usize, constraint: &Constraint, arg: Value<'m>) -> Result<Slot, String> {
        let ty = self.lowerer.scalar_ty(arg).ok().filter(is_general).ok_or_else(String::new)?;
        let value = self.lowerer.operand(arg).map_err(|_| String::new())?;
        let register = match constraint {
            Constraint::Tied(output) => match self.slots.get(*output) {
                Some(Slot::Register { register, .. }) => *register,
                _ => return Err(String::new()),
            },
            Constraint::Input { register: Some(name) } => Register::Named(name),
            _ => Register::Of(index),
        };
        if !self.writable.contains(&register) {
            self.inputs.push(register);
        }
        self.held.push((register, Held { value, ty, zero_above: false }));
        Ok(Slot::Register { register, ty })
    }

    pub(super) fn touches_memory(&self) -> bool {
        self.touches_memory
    }

    /// Where an operand is. Addresses are read here, so an instruction finds all its operands before it writes.
    pub(super) fn locate(&mut self, arg: &Arg) -> Result<Place, String> {
        match *arg {
            Arg::Immediate(value) => Ok(Place { location: Location::Immediate(value), width: None }),
            Arg::Register { name, width } => {
                Ok(Place { location: Location::Register(Register::Named(name)), width: Some(width) })
            }
            Arg::Place { index, width } => {
                let bits = self.lowerer.ptr_bits();
                match self.slots.get(index) {
                    Some(Slot::Register { register, ty }) => Ok(Place {
                        location: Location::Register(*register),
                        width: Some(width.unwrap_or(ty.bits(bits))),
                    }),
                    Some(&Slot::Memory { ptr, ty }) => {
                        let is_ptr = ty == Some(Ty::Ptr);
                        let width = width.or(ty.map(|ty| ty.bits(bits)));
                        self.check_inputs_intact()?;
                        Ok(Place { location: Location::Memory { ptr, is_ptr }, width })
                    }
                    _ => Err(String::new()),
                }
            }
            Arg::Memory { offset, ref base } => {
                let base = self.locate(base)?;
                let bits = self.lowerer.ptr_bits();
                if base.width != Some(bits) {
                    return Err(String::new());
                }
                let Location::Register(register) = base.location else { return Err(String::new()) };
                let (value, ty) = self.read_register(register, bits)?;
                let ptr = if ty == Ty::Ptr { value } else { self.lowerer.with_bits(value, Ty::Ptr) };
                let ptr = self.lowerer.ptr_add(ptr, offset);
                Ok(Place { location: Location::Memory { ptr, is_ptr: false }, width: None })
            }
        }
    }

    fn check_inputs_intact(&self) -> Result<(), String> {
        match self.has_overwritten {
            true => Err(" (an output may share a register with an input that is read later)".to_owned()),
            false => Ok(()),
        }
    }

    // --- registers ---

    /// The value of a register's lower part; a pointer stays one.
    pub(super) fn read_register(&mut self, register: Register, width: u32) -> Result<(Operand, Ty), String> {
        if self.inputs.contains(&register) {
            self.check_inputs_intact()?;
        }
        let held = self.held.iter().find(|(other, _)| *other == register);
        let Some(&(_, held)) = held else { return Err(" (a register is read that has no value)".to_owned()) };
        let bits = held.ty.bits(self.lowerer.ptr_bits());
        if bits == width {
            return Ok((held.value, held.ty));
        }
        if bits < width && !held.zero_above {
            return Err(" (an operand is read wider than it is)".to_owned());
        }
        let value = self.lowerer.bits_of(held.value, held.ty);
        Ok((self.lowerer.resize(value, bits, width), Ty::Int(width)))
    }

    /// How wide the operand of the program is that a register belongs to.
    pub(super) fn operand_width(&self, register: Register) -> Option<u32> {
        let bits = self.lowerer.ptr_bits();
        self.slots.iter().find_map(|slot| match slot {
            Slot::Register { register: other, ty } if *other == register => Some(ty.bits(bits)),
            _ => None,
        })
    }

    /// Whether a register holds, or is an output for, a pointer.
    pub(super) fn is_pointer(&self, register: Register) -> bool {
        let is_it =
            |slot: &Slot| matches!(slot, Slot::Register { register: r, ty: Ty::Ptr } if *r == register);
        self.slots.iter().any(is_it)
    }

    pub(super) fn write_register(
        &mut self,
        register: Register,
        value: Operand,
        ty: Ty,
    ) -> Result<(), String> {
        if !self.writable.contains(&register) {
            return Err(" (a register is changed that is no output)".to_owned());
        }
        let is_output = self.operand_width(register).is_some();
        self.has_overwritten |= is_output && !self.early.contains(&register);
        let bits = self.lowerer.ptr_bits();
        let width = ty.bits(bits);
        let before = self.held.iter().position(|(other, _)| *other == register);
        let mut held = Held { value, ty, zero_above: width == 32 };
        if width < 32
            && let Some(before) = before
        {
            // The part above stays.
            let old = self.held[before].1;
            let old_width = old.ty.bits(bits);
            if old_width > width {
                let old_value = self.lowerer.bits_of(old.value, old.ty);
                let mask = self.lowerer.int(old_width, u64::MAX << width);
                let above = self.lowerer.binary(BinOp::And, old_width, old_value, mask);
                let low = self.lowerer.resize(value, width, old_width);
                let value = self.lowerer.binary(BinOp::Or, old_width, above, low);
                held = Held { value, ty: Ty::Int(old_width), zero_above: old.zero_above };
            }
        }
        match before {
            Some(before) => self.held[before].1 = held,
            None => self.held.push((register, held)),
        }
        Ok(())
    }

    // --- operands of any kind ---

    pub(super) fn read(&mut self, place: Place, width: u32) -> Result<(Operand, Ty), String> {
        match place.location {
            Location::Immediate(value) => {
                Ok((self.lowerer.int(width, truncated(value, width)), Ty::Int(width)))
            }
            Location::Register(register) => self.read_register(register, width),
            Location::Memory { ptr, is_ptr } => {
                let ty = self.memory_ty(width, is_ptr);
                let dst = self.lowerer.new_reg(ty);
                self.memory_is_touched();
                self.lowerer.emit(Inst::Load { dst, ty, ptr, access: PLAIN });
                Ok((Operand::Reg(dst), ty))
            }
        }
    }

    /// The value as an integer.
    pub(super) fn read_bits(&mut self, place: Place, width: u32) -> Result<Operand, String> {
        let (value, ty) = self.read(place, width)?;
        Ok(self.lowerer.bits_of(value, ty))
    }

    pub(super) fn write(&mut self, place: Place, value: Operand, ty: Ty) -> Result<(), String> {
        match place.location {
            Location::Immediate(_) => Err(String::new()),
            Location::Register(register) => self.write_register(register, value, ty),
            Location::Memory { ptr, .. } => {
                self.memory_is_touched();
                self.lowerer.emit(Inst::Store { ty, value, ptr, access: PLAIN });
                Ok(())
            }
        }
    }

    pub(super) fn memory_ty(&self, width: u32, is_ptr: bool) -> Ty {
        if is_ptr && width == self.lowerer.ptr_bits() { Ty::Ptr } else { Ty::Int(width) }
    }

    pub(super) fn memory_is_touched(&mut self) {
        self.touches_memory = true;
    }

    /// Any value.
    pub(super) fn anything(&mut self, width: u32) -> Operand {
        let ty = Ty::Int(width);
        let open = Operand::Const(self.lowerer.lowerer.undef(ty));
        let dst = self.lowerer.new_reg(ty);
        self.lowerer.emit(Inst::Freeze { dst, ty, a: open });
        Operand::Reg(dst)
    }

    // --- the end ---

    /// The values of the outputs. What was not written is not known.
    pub(super) fn results(&mut self) -> Result<Scalars, String> {
        let mut results = Scalars::new();
        for index in 0..self.n_outputs {
            match &self.slots[index] {
                Slot::Memory { .. } => {}
                Slot::Flag { code, ty } => {
                    let (code, ty) = (code.clone(), *ty);
                    let holds = self.lowerer.condition(self.flags, &code).ok_or_else(String::new)?;
                    let width = ty.bits(self.lowerer.ptr_bits());
                    results.push(self.lowerer.resize(holds, 1, width));
                }
                &Slot::Register { register, ty } => results.push(self.result(register, ty)),
            }
        }
        Ok(results)
    }

    fn result(&mut self, register: Register, ty: Ty) -> Operand {
        let width = ty.bits(self.lowerer.ptr_bits());
        let held = self.held.iter().find(|(other, _)| *other == register).map(|(_, held)| *held);
        let Some(held) = held else {
            let value = self.anything(width);
            return self.lowerer.with_bits(value, ty);
        };
        if held.ty == ty {
            return held.value;
        }
        let known = held.ty.bits(self.lowerer.ptr_bits());
        let low = self.lowerer.bits_of(held.value, held.ty);
        let mut value = self.lowerer.resize(low, known, width);
        if known < width && !held.zero_above {
            let above = self.anything(width - known);
            let above = self.lowerer.convert(CastOp::ZExt, Ty::Int(width - known), Ty::Int(width), above);
            let shift = self.lowerer.int(width, u64::from(known));
            let above = self.lowerer.binary(BinOp::Shl, width, above, shift);
            value = self.lowerer.binary(BinOp::Or, width, above, value);
        }
        self.lowerer.with_bits(value, ty)
    }
}

/// Accesses of assembly are neither left out nor repeated, like those of `volatile` objects.
const PLAIN: Access = Access { volatile: true, order: None };

/// Whether a value fits a general register.
fn is_general(ty: &Ty) -> bool {
    match ty {
        Ty::Int(width) => matches!(width, 8 | 16 | 32 | 64),
        Ty::Ptr => true,
        Ty::Float(_) => false,
    }
}

fn truncated(value: i64, width: u32) -> u64 {
    if width >= 64 { value as u64 } else { value as u64 & ((1 << width) - 1) }
}
