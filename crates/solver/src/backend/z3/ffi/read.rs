//! Reading models and cores.

use std::ffi::CStr;

use z3_sys::*;

use super::{Ast, Context, Result, SolverId, Z3Error};

/// A value read from a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum Value {
    /// A Boolean.
    Bool(bool),
    /// A bit-vector that fits into 64 bits.
    Small(u64),
    /// Any other number, in decimal.
    Decimal(String),
    /// An array: its value elsewhere, and its entries; the last entry for an index counts.
    Array(Box<Value>, Vec<(Value, Value)>),
}

impl Context {
    /// Which of `assumptions` (those of the last check) are in the unsatisfiable core.
    pub(in super::super) fn core(&self, solver: SolverId, assumptions: &[Ast]) -> Result<Vec<bool>> {
        // SAFETY: context and solver are alive; the vector is referenced while it is read.
        unsafe {
            let core = Z3_solver_get_unsat_core(self.raw, self.solver(solver)).ok_or_else(|| self.error())?;
            Z3_ast_vector_inc_ref(self.raw, core);
            let members: Vec<Z3_ast> = (0..Z3_ast_vector_size(self.raw, core))
                .filter_map(|i| Z3_ast_vector_get(self.raw, core, i))
                .collect();
            Z3_ast_vector_dec_ref(self.raw, core);
            // Equal terms are one object in Z3, so that pointers can be compared.
            Ok(assumptions.iter().map(|&a| members.contains(&self.get(a))).collect())
        }
    }

    /// The model of the last check, which said `Sat`: numbers of symbols with their values.
    /// Symbols that are not listed may have any value.
    pub(in super::super) fn model(&self, solver: SolverId) -> Result<Vec<(u32, Value)>> {
        // SAFETY: context and solver are alive; the model is referenced while it is read.
        unsafe {
            let model = Z3_solver_get_model(self.raw, self.solver(solver)).ok_or_else(|| self.error())?;
            Z3_model_inc_ref(self.raw, model);
            let values = self.read_model(model);
            Z3_model_dec_ref(self.raw, model);
            values
        }
    }

    /// # Safety
    /// `model` is a model of this context and is referenced.
    unsafe fn read_model(&self, model: Z3_model) -> Result<Vec<(u32, Value)>> {
        let mut values = Vec::new();
        // SAFETY: by the contract; declarations and values are owned by the model.
        unsafe {
            for i in 0..Z3_model_get_num_consts(self.raw, model) {
                let Some(decl) = Z3_model_get_const_decl(self.raw, model, i) else { continue };
                let Some(name) = Z3_get_decl_name(self.raw, decl) else { continue };
                if Z3_get_symbol_kind(self.raw, name) != SymbolKind::String {
                    continue;
                }
                let text = Z3_get_symbol_string(self.raw, name);
                if text.is_null() {
                    continue;
                }
                // Everything that is not `v` and a number is an auxiliary constant of Z3's.
                let number =
                    CStr::from_ptr(text).to_str().ok().and_then(|text| text.strip_prefix('v')?.parse().ok());
                let Some(number) = number else { continue };
                if let Some(value) = Z3_model_get_const_interp(self.raw, model, decl) {
                    values.push((number, self.read_value(model, value)?));
                }
            }
        }
        Ok(values)
    }

    /// # Safety
    /// `model` is a model of this context and is referenced; `value` is a value in it.
    unsafe fn read_value(&self, model: Z3_model, value: Z3_ast) -> Result<Value> {
        // SAFETY: by the contract.
        unsafe {
            if Z3_is_as_array(self.raw, value) {
                return self.read_function(model, value);
            }
            if let Some(scalar) = self.read_scalar(value) {
                return Ok(scalar);
            }
            self.read_stores(model, value)
        }
    }

    /// # Safety
    /// `value` is a term of this context that someone owns.
    unsafe fn read_scalar(&self, value: Z3_ast) -> Option<Value> {
        // SAFETY: by the contract; text is copied at once.
        unsafe {
            // Booleans first: to Z3 they are numerals, too, though without digits.
            match Z3_get_bool_value(self.raw, value) {
                Z3_L_TRUE => return Some(Value::Bool(true)),
                Z3_L_FALSE => return Some(Value::Bool(false)),
                _ => {}
            }
            if !Z3_is_numeral_ast(self.raw, value) {
                return None;
            }
            let mut small = 0u64;
            if Z3_get_numeral_uint64(self.raw, value, &mut small) {
                return Some(Value::Small(small));
            }
            let text = Z3_get_numeral_string(self.raw, value);
            (!text.is_null()).then(|| Value::Decimal(CStr::from_ptr(text).to_string_lossy().into_owned()))
        }
    }

    /// An array given as a function graph.
    ///
    /// # Safety
    /// As for [`read_value`](Self::read_value), and `Z3_is_as_array` holds.
    unsafe fn read_function(&self, model: Z3_model, value: Z3_ast) -> Result<Value> {
        // SAFETY: by the contract; the interpretation and its entries are referenced while read.
        unsafe {
            let decl = Z3_get_as_array_func_decl(self.raw, value).ok_or_else(|| self.error())?;
            let function = Z3_model_get_func_interp(self.raw, model, decl).ok_or_else(|| self.error())?;
            Z3_func_interp_inc_ref(self.raw, function);
            let mut entries = Vec::new();
            for i in 0..Z3_func_interp_get_num_entries(self.raw, function) {
                let Some(entry) = Z3_func_interp_get_entry(self.raw, function, i) else { continue };
                Z3_func_entry_inc_ref(self.raw, entry);
                let index = Z3_func_entry_get_arg(self.raw, entry, 0).and_then(|a| self.read_scalar(a));
                let elem = Z3_func_entry_get_value(self.raw, entry).and_then(|a| self.read_scalar(a));
                Z3_func_entry_dec_ref(self.raw, entry);
                if let (Some(index), Some(elem)) = (index, elem) {
                    entries.push((index, elem));
                }
            }
            let rest = Z3_func_interp_get_else(self.raw, function).and_then(|a| self.read_scalar(a));
            Z3_func_interp_dec_ref(self.raw, function);
            Ok(Value::Array(Box::new(rest.unwrap_or(Value::Small(0))), entries))
        }
    }

    /// An array given as stores into a constant array or a function graph.
    ///
    /// # Safety
    /// As for [`read_value`](Self::read_value).
    unsafe fn read_stores(&self, model: Z3_model, mut value: Z3_ast) -> Result<Value> {
        let strange = || Z3Error("a model value of unexpected shape".to_owned());
        let mut entries = Vec::new();
        // SAFETY: by the contract; arguments are owned by their application. Operators are told
        // apart by the number of arguments, because the numbering of Z3's operator kinds differs
        // between versions.
        unsafe {
            loop {
                if Z3_is_as_array(self.raw, value) {
                    let Value::Array(rest, mut all) = self.read_function(model, value)? else {
                        return Err(strange());
                    };
                    entries.reverse();
                    all.append(&mut entries);
                    return Ok(Value::Array(rest, all));
                }
                let app = Z3_to_app(self.raw, value).ok_or_else(strange)?;
                match Z3_get_app_num_args(self.raw, app) {
                    1 => {
                        let elem = Z3_get_app_arg(self.raw, app, 0).and_then(|a| self.read_scalar(a));
                        entries.reverse();
                        return Ok(Value::Array(Box::new(elem.ok_or_else(strange)?), entries));
                    }
                    3 => {
                        let index = Z3_get_app_arg(self.raw, app, 1).and_then(|a| self.read_scalar(a));
                        let elem = Z3_get_app_arg(self.raw, app, 2).and_then(|a| self.read_scalar(a));
                        entries.push((index.ok_or_else(strange)?, elem.ok_or_else(strange)?));
                        value = Z3_get_app_arg(self.raw, app, 0).ok_or_else(strange)?;
                    }
                    _ => return Err(strange()),
                }
            }
        }
    }
}
