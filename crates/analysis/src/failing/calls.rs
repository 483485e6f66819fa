//! Which calls can fail.

use selvedge_program::{Arg, Callee, FuncId, Inst, Ty};

use super::Failing;
use crate::call_graph::CallKind;
use crate::defs::constant;
use crate::layout::InstId;
use crate::signature::Site;
use selvedge_library::Action;

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
        if self.model(func) == Action::Body {
            return false;
        }
        let site = Site { function, args, result, ptr_bits: self.program.target.ptr_bits };
        site.fit(self.library.known(func), |_, _, _| ()).is_err()
    }

    /// Whether control never comes back from the call.
    pub(crate) fn never_returns(&self, id: InstId) -> bool {
        let Inst::Call { .. } = self.layout.inst(self.program, id) else { return false };
        let callees = self.graph.callees(id);
        let ends = |(func, kind): &(FuncId, CallKind)| {
            let is_end = match self.model(*func) {
                Action::Fail | Action::Finding | Action::Exit | Action::ThreadExit => true,
                Action::Error => self.properties.errors || !self.is_defined(*func),
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
            Action::Environment => false,
            Action::Body | Action::Pure | Action::Input | Action::Assume => {
                // A named input reads its name.
                args.iter().any(|a| a.ty == Ty::Ptr)
                    && self.model(func) == Action::Input
                    && args.first().is_some_and(|a| self.text(a.value).is_none())
            }
            Action::Assert | Action::Fail => self.properties.assertions,
            Action::Error => self.properties.errors || (self.properties.assertions && !self.is_defined(func)),
            Action::Exit => self.properties.leaks,
            Action::ThreadExit | Action::ThreadLeaves => false,
            Action::SectionBegins => false,
            Action::Alloc { size } => {
                let bytes = size
                    .iter()
                    .flatten()
                    .try_fold(1u64, |product, i| product.checked_mul(u64::try_from(number(*i)?).ok()?));
                bytes.is_none_or(|n| n > SMALL)
            }
            Action::Copy { to, from, len, overlap, .. } => {
                let operand = |i: u8| args.get(usize::from(i)).map(|a| a.value);
                match (operand(to), operand(from), operand(len)) {
                    (Some(to), Some(from), Some(len)) => !self.copies_safely(id, to, from, len, overlap),
                    _ => true,
                }
            }
            Action::Set { len } => match (args.first(), args.get(usize::from(len))) {
                (Some(to), Some(len)) => !self.reaches(id, to.value, len.value, true),
                _ => true,
            },
            Action::Print { format, to_console } => {
                let rest = args.get(usize::from(format) + 1..).unwrap_or(&[]);
                let text = args.get(usize::from(format)).and_then(|a| self.text(a.value));
                !to_console || !text.is_some_and(|text| prints_numbers(text, rest))
            }
            Action::PutNumber { to_console } => !to_console,
            Action::PutString { text, to_console } => {
                !to_console || args.get(usize::from(text)).is_none_or(|a| self.text(a.value).is_none())
            }
            Action::Create => {
                let [out, attr, start, _] = args else { return true };
                let can_start = |f: &FuncId| self.is_defined(*f);
                number(1) != Some(0)
                    || !self.addresses.is_valid(id, out.value, word, true)
                    || attr.ty != Ty::Ptr
                    || !self.addresses.functions(id, start.value).is_some_and(|f| f.iter().all(can_start))
            }
            // A section may end that was not begun.
            Action::SectionEnds
            | Action::PureFallible
            | Action::LookUp
            | Action::PureTo
            | Action::MakeSymbolic
            | Action::Finding
            | Action::Realloc
            | Action::AllocTo
            | Action::Free
            | Action::PrintList
            | Action::PutBytes { .. }
            | Action::FormatNumber
            | Action::ParseNumber
            | Action::SetJump
            | Action::Jump
            | Action::Join
            | Action::Sync
            | Action::SyncRead
            | Action::KeyCreate
            | Action::SetSpecific
            | Action::GetSpecific
            | Action::Once
            | Action::Opaque => true,
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
