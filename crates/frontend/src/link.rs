//! Parses and links the modules and prepares them for lowering.

use crate::Error;
use crate::clang::IrFile;
use crate::llvm::{Context, Module, Point};
use crate::lower::UNWINDING_ENTRIES;
use crate::runtime;

/// One verified module out of all inputs. A `static` function called `exposed` becomes visible to all.
pub(crate) fn link_inputs<'c>(
    context: &'c Context,
    files: &[IrFile],
    exposed: Option<&str>,
) -> Result<Module<'c>, Error> {
    let mut linked: Option<Module<'c>> = None;
    for file in files {
        let module = parse(context, file)?;
        // Of C++ clang marks more, and temporaries have lives of their own.
        if file.is_c {
            module.begin_lives();
        }
        if file.is_own {
            module.mark_unordered(file.is_c);
        }
        if let Some(name) = exposed {
            module.expose(name);
        }
        match &linked {
            None => linked = Some(module),
            Some(whole) => link_into(whole, module, file)?,
        }
    }
    linked.ok_or(Error::NoInput)
}

/// Adds the run-time, drops what `entry` does not need, and brings locals into registers.
pub(crate) fn prepare<'c>(
    context: &'c Context,
    module: &Module<'c>,
    entry: &str,
    points: bool,
) -> Result<(), Error> {
    let functions = if points { module.defined_functions() } else { Vec::new() };
    runtime::link_runtime(context, module)?;
    simplify(module, entry)?;
    if points {
        module.add_points(&functions);
    }
    module.tell_shifts_apart();
    Ok(())
}

/// As [`prepare`] with points, but for a native build: the system's own library takes the place of the run-time.
pub(crate) fn prepare_native(module: &Module<'_>, entry: &str) -> Result<Vec<Point>, Error> {
    let functions = module.defined_functions();
    simplify(module, entry)?;
    Ok(module.add_points(&functions))
}

fn simplify(module: &Module<'_>, entry: &str) -> Result<(), Error> {
    // A name that would not survive the pipeline's syntax keeps everything instead.
    let is_plain = entry.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$'));
    let has_entry = module.function(entry).is_some_and(|function| !function.is_declaration());
    let run = |pipeline: &str| module.run_passes(pipeline).map_err(|message| Error::Pass { message });
    if is_plain && has_entry {
        // Nothing calls these before the module is lowered.
        let unwinding: String =
            UNWINDING_ENTRIES.map(|entry| format!(";preserve-gv={}", entry.row().name())).concat();
        run(&format!("internalize<preserve-gv={entry}{unwinding}>,globaldce"))?;
    }
    // Only scalar locals whose address is not taken leave memory: accesses that another thread
    // could see stay one load or store each.
    module.allow_passes();
    module.pin_locals();
    module.thread_cleanups();
    module.mark_uninitialised();
    run("function(mem2reg)")?;
    module.sweep_uninitialised();
    if cfg!(debug_assertions) {
        module.verify().map_err(|message| Error::Pass { message })?;
    }
    Ok(())
}

fn parse<'c>(context: &'c Context, file: &IrFile) -> Result<Module<'c>, Error> {
    let bad = |message| Error::BadIr { path: file.path.clone(), form: file.form, message };
    let module = context.parse(&file.path.to_string_lossy(), &file.bytes).map_err(bad)?;
    module.verify().map_err(bad)?;
    Ok(module)
}

fn link_into<'c>(whole: &Module<'c>, module: Module<'c>, file: &IrFile) -> Result<(), Error> {
    let mismatch = |message| Error::Link { path: file.path.clone(), message };
    let (first, second) = (whole.layout().pointer_bits(), module.layout().pointer_bits());
    if first != second {
        return Err(mismatch(format!(
            "it is for a {second}-bit target, the files before it for {first} bits"
        )));
    }
    whole.link(module).map_err(mismatch)
}
