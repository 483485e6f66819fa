//! Which calls can fail.

use selvedge_program::{Arg, Callee, FuncId, Inst, Ty};

use super::Failing;
use crate::call_graph::CallKind;
use crate::layout::InstId;
use crate::library::Model;
use crate::numbers::constant;
use crate::signature::{Site, signature};

/// Allocations of at most this many bytes succeed.
const SMALL: u64 = 1 << 20;

impl Failing<'_> {
    pub(super) fn call(&self, id: InstId) -> bool {
        let Inst::Call { dsts, callee, args } = self.layout.inst(self.program, id) else { return true };
        if let Callee::Indirect(target) = callee {
            let fits = |f: &FuncId| self.fits(*f, args, dsts.len());
            let is_certain = self.addresses.functions(id, *target).is_some_and(|f| f.iter().all(fits));
            if !is_certain {
                return true;
            }
        }
        let copied = args.iter().filter_map(|a| a.byval.map(|size| (a.value, size)));
        if copied.into_iter().any(|(ptr, size)| size > 0 && !self.addresses.is_valid(id, ptr, size, false)) {
            return true;
        }
        let plain = self.graph.callees(id).iter().filter(|(_, kind)| *kind == CallKind::Plain);
        let caller = &self.program.funcs[self.layout.point(id).func];
        let result = dsts.first().map(|dst| caller.regs[*dst].ty);
        plain
            .into_iter()
            .any(|(func, _)| self.is_misfit(*func, args, result) || self.model_fails(id, *func, args))
    }

    /// Whether a modelled function is not called as its model has it.
    fn is_misfit(&self, func: FuncId, args: &[Arg], result: Option<Ty>) -> bool {
        let function = &self.program.funcs[func];
        if self.model(func) == Model::Body {
            return false;
        }
        let site = Site { function, args, result, ptr_bits: self.program.target.ptr_bits };
        site.fit(signature(&function.name), |_, _, _| ()).is_err()
    }

    /// Whether control never comes back from the call.
    pub(crate) fn never_returns(&self, id: InstId) -> bool {
        let Inst::Call { .. } = self.layout.inst(self.program, id) else { return false };
        let callees = self.graph.callees(id);
        let ends = |(func, kind): &(FuncId, CallKind)| {
            let is_end = match self.model(*func) {
                Model::Fail | Model::Finding | Model::Exit | Model::ThreadExit => true,
                Model::Error => self.properties.errors || !self.is_defined(*func),
                _ => false,
            };
            *kind == CallKind::Plain && is_end
        };
        !callees.is_empty() && callees.iter().all(ends)
    }

    /// Whether the function is called with its own types.
    fn fits(&self, func: FuncId, args: &[Arg], n_results: usize) -> bool {
        let function = &self.program.funcs[func];
        let same = |(i, param): (usize, &selvedge_program::Reg)| {
            args.get(i).is_some_and(|a| a.ty == function.regs[*param].ty && a.byval == function.byval[i])
        };
        function.params.iter().enumerate().all(same) && n_results <= function.ret.len()
    }

    fn model_fails(&self, id: InstId, func: FuncId, args: &[Arg]) -> bool {
        let number = |i: u8| args.get(usize::from(i)).and_then(|a| constant(self.program, a.value));
        let word = self.program.ptr_bytes();
        match self.model(func) {
            Model::Environment => false,
            Model::Body | Model::Pure | Model::Input | Model::Assume => {
                // A named input reads its name.
                args.iter().any(|a| a.ty == Ty::Ptr)
                    && self.model(func) == Model::Input
                    && args.first().is_some_and(|a| self.text(a.value).is_none())
            }
            Model::Assert | Model::Fail => self.properties.assertions,
            Model::Error => self.properties.errors || (self.properties.assertions && !self.is_defined(func)),
            Model::Exit => self.properties.leaks,
            Model::ThreadExit | Model::ThreadLeaves => false,
            // A section may end that was not begun.
            Model::Section => self.program.funcs[func].name.ends_with("_end"),
            Model::Alloc { size } => {
                let bytes = size
                    .iter()
                    .flatten()
                    .try_fold(1u64, |product, i| product.checked_mul(u64::try_from(number(*i)?).ok()?));
                bytes.is_none_or(|n| n > SMALL)
            }
            Model::Copy { to, from, len, .. } => {
                let operand = |i: u8| args.get(usize::from(i)).map(|a| a.value);
                let name = self.program.funcs[func].name.as_str();
                let overlap = name.contains("memmove") || name == "bcopy";
                match (operand(to), operand(from), operand(len)) {
                    (Some(to), Some(from), Some(len)) => !self.copies_safely(id, to, from, len, overlap),
                    _ => true,
                }
            }
            Model::Set { len } => match (args.first(), args.get(usize::from(len))) {
                (Some(to), Some(len)) => !self.reaches(id, to.value, len.value, true),
                _ => true,
            },
            Model::Print { format } => {
                let name = self.program.funcs[func].name.as_str();
                let is_console = matches!(name, "printf" | "__printf_chk");
                let rest = args.get(usize::from(format) + 1..).unwrap_or(&[]);
                let text = args.get(usize::from(format)).and_then(|a| self.text(a.value));
                !is_console || !text.is_some_and(|text| prints_numbers(text, rest))
            }
            Model::PutNumber => self.program.funcs[func].name != "putchar",
            Model::PutString { text } => {
                let is_console = self.program.funcs[func].name == "puts";
                !is_console || args.get(usize::from(text)).is_none_or(|a| self.text(a.value).is_none())
            }
            Model::Create => {
                let [out, attr, start, _] = args else { return true };
                let can_start = |f: &FuncId| self.is_defined(*f);
                number(1) != Some(0)
                    || !self.addresses.is_valid(id, out.value, word, true)
                    || attr.ty != Ty::Ptr
                    || !self.addresses.functions(id, start.value).is_some_and(|f| f.iter().all(can_start))
            }
            Model::PureFallible
            | Model::LookUp
            | Model::PureTo
            | Model::MakeSymbolic
            | Model::Finding
            | Model::Realloc
            | Model::AllocTo
            | Model::Free
            | Model::PrintList
            | Model::PutBytes { .. }
            | Model::FormatNumber
            | Model::ParseNumber
            | Model::SetJump
            | Model::Jump
            | Model::Join
            | Model::Sync
            | Model::SyncRead
            | Model::KeyCreate
            | Model::SetSpecific
            | Model::GetSpecific
            | Model::Once
            | Model::Unknown => true,
        }
    }

    fn is_defined(&self, func: FuncId) -> bool {
        self.program.funcs[func].is_defined()
    }
}

/// Whether the format is plain text and conversions of integers, for which there are arguments.
fn prints_numbers(format: &[u8], args: &[Arg]) -> bool {
    let mut used = 0;
    let mut rest = format.iter().copied();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        loop {
            match rest.next() {
                Some(b'0'..=b'9' | b'-' | b'+' | b' ' | b'#' | b'l' | b'h' | b'z') => {}
                Some(b'%') => break,
                Some(b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b'p') => {
                    used += 1;
                    break;
                }
                _ => return false,
            }
        }
    }
    used <= args.len() && args.iter().take(used).all(|a| !matches!(a.ty, Ty::Float(_)))
}

#[cfg(test)]
mod tests {
    use selvedge_program::{ConstId, Operand};

    use super::*;

    #[test]
    fn only_formats_of_numbers_with_enough_arguments_are_safe() {
        let arg = Arg { value: Operand::Const(ConstId(0)), ty: Ty::Int(32), byval: None };
        assert!(prints_numbers(b"100%% of %05d and %lx\n", &[arg; 2]));
        assert!(!prints_numbers(b"%d %d", &[arg]));
        assert!(
            !prints_numbers(b"%s", &[arg])
                && !prints_numbers(b"%n", &[arg])
                && !prints_numbers(b"%*d", &[arg; 2])
        );
        assert!(!prints_numbers(b"%", &[arg]));
    }
}
