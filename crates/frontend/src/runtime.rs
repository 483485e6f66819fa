//! The embedded C run-time: `strlen` and the like, as bitcode.
//!
//! A unit is linked only if the program needs a symbol that it defines, as with a static library:
//! reading all of them for every program would cost more than the rest of the front end.

use rustc_hash::FxHashSet;

use crate::Error;
use crate::llvm::{Context, Module};

/// One file of the run-time, compiled for one pointer width.
pub(crate) struct Unit {
    /// The name that debug information has for it.
    name: &'static str,
    /// Pointer width.
    bits: u32,
    /// The engine itself calls into it, so it is always linked.
    always: bool,
    /// Symbols it offers, sorted.
    defines: &'static [&'static str],
    bitcode: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/runtime_units.rs"));

/// The files of the run-time, and the functions and variables that each offers.
pub fn library() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    UNITS.iter().filter(|unit| unit.bits == 64).map(|unit| (unit.name, unit.defines))
}

/// Links what the module needs of the run-time.
pub(crate) fn link_runtime<'c>(context: &'c Context, module: &Module<'c>) -> Result<(), Error> {
    let bits = module.layout().pointer_bits();
    let mut rest: Vec<&Unit> = UNITS.iter().filter(|unit| unit.bits == bits).collect();
    loop {
        let undefined: FxHashSet<String> = undefined_symbols(module);
        let is_needed =
            |unit: &Unit| unit.always || unit.defines.iter().any(|name| undefined.contains(*name));
        let (needed, others): (Vec<&Unit>, Vec<&Unit>) = rest.into_iter().partition(|unit| is_needed(unit));
        rest = others;
        if needed.is_empty() {
            return Ok(());
        }
        for unit in needed {
            let broken = |message| Error::Link { path: unit.name.into(), message };
            let parsed = context.parse(unit.name, unit.bitcode).map_err(broken)?;
            module.link(parsed).map_err(broken)?;
        }
    }
}

fn undefined_symbols(module: &Module<'_>) -> FxHashSet<String> {
    let values = module.functions().chain(module.globals());
    values.filter(|value| value.is_declaration()).map(|value| value.name()).collect()
}
