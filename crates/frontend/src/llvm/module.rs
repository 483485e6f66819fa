//! Contexts and modules: parse, verify, link, run passes, iterate over top-level values.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::marker::PhantomData;
use std::ptr::null_mut;

use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::core::*;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::ir_reader::LLVMParseIRInContext2;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use llvm_sys::target::LLVMGetModuleDataLayout;
use llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
};
use llvm_sys::{LLVMDiagnosticSeverity, LLVMLinkage};

use super::{Layout, Value};

/// An LLVM context that collects errors instead of printing them (or ending the process).
pub(crate) struct Context {
    raw: LLVMContextRef,
    // Boxed so that its address, which LLVM keeps, never changes.
    diagnostics: Box<RefCell<Vec<String>>>,
}

extern "C" fn collect_diagnostic(info: LLVMDiagnosticInfoRef, sink: *mut c_void) {
    // SAFETY: `sink` is the `diagnostics` box of the context, which outlives the handler, and the
    // description is a message that we own.
    unsafe {
        if LLVMGetDiagInfoSeverity(info) != LLVMDiagnosticSeverity::LLVMDSError {
            return;
        }
        let text = take_message(LLVMGetDiagInfoDescription(info));
        (*sink.cast::<RefCell<Vec<String>>>()).borrow_mut().push(text);
    }
}

/// Copies a message that LLVM allocated and frees the original.
///
/// # Safety
/// `message` is null or a C string to be freed by `LLVMDisposeMessage`.
pub(super) unsafe fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: by the contract above.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        text
    }
}

/// Copies a string given by pointer and length; a null pointer gives the empty string.
///
/// # Safety
/// `text` is null or points to `len` bytes.
pub(super) unsafe fn copy_text(text: *const c_char, len: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: by the contract above.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

impl Context {
    pub(crate) fn new() -> Self {
        let diagnostics = Box::new(RefCell::new(Vec::new()));
        // SAFETY: creates a fresh context; the sink lives as long as the context (see `Drop`).
        let raw = unsafe {
            let raw = LLVMContextCreate();
            let sink: *const RefCell<Vec<String>> = &raw const *diagnostics;
            LLVMContextSetDiagnosticHandler(raw, Some(collect_diagnostic), sink.cast_mut().cast());
            raw
        };
        Context { raw, diagnostics }
    }

    /// The messages LLVM has given since the last call.
    pub(crate) fn take_diagnostics(&self) -> Vec<String> {
        std::mem::take(&mut self.diagnostics.borrow_mut())
    }

    /// Parses bitcode or textual IR; an error is LLVM's message.
    pub(crate) fn parse(&self, name: &str, bytes: &[u8]) -> Result<Module<'_>, String> {
        let name = CString::new(name.replace('\0', " ")).expect("no inner nul is left");
        // SAFETY: the buffer is a copy (with the terminator that the text parser needs) which the
        // parsed module does not refer to, so it is freed here.
        unsafe {
            let buffer =
                LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), name.as_ptr());
            let (mut module, mut message) = (null_mut(), null_mut());
            let failed = LLVMParseIRInContext2(self.raw, buffer, &mut module, &mut message) != 0;
            LLVMDisposeMemoryBuffer(buffer);
            if failed {
                return Err(self.with_diagnostics(take_message(message)));
            }
            Ok(Module { raw: module, context: self })
        }
    }

    fn with_diagnostics(&self, message: String) -> String {
        let mut parts = self.take_diagnostics();
        if !message.trim().is_empty() && !parts.iter().any(|part| part.contains(message.trim())) {
            parts.push(message.trim().to_owned());
        }
        if parts.is_empty() { "no further message".to_owned() } else { parts.join("\n") }
    }

    pub(super) fn raw(&self) -> LLVMContextRef {
        self.raw
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: all modules borrow the context, so none is left.
        unsafe { LLVMContextDispose(self.raw) }
    }
}

/// A module owned by us.
pub(crate) struct Module<'c> {
    raw: LLVMModuleRef,
    context: &'c Context,
}

impl<'c> Module<'c> {
    pub(super) fn raw(&self) -> LLVMModuleRef {
        self.raw
    }

    pub(crate) fn context(&self) -> &'c Context {
        self.context
    }

    /// LLVM's verifier; an error is its message.
    pub(crate) fn verify(&self) -> Result<(), String> {
        let mut message = null_mut();
        // SAFETY: the module is valid memory; the message is ours.
        unsafe {
            let broken =
                LLVMVerifyModule(self.raw, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut message);
            let text = take_message(message);
            if broken != 0 { Err(text.trim().to_owned()) } else { Ok(()) }
        }
    }

    /// The module written out.
    pub(crate) fn to_bitcode(&self) -> Vec<u8> {
        // SAFETY: the buffer is ours and is freed after its bytes were copied.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.raw);
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    /// Links `other` into this module; an error is LLVM's message.
    pub(crate) fn link(&self, other: Module<'c>) -> Result<(), String> {
        let raw = other.raw;
        // The linker disposes of the source module itself.
        std::mem::forget(other);
        // SAFETY: both modules are of one context.
        let failed = unsafe { LLVMLinkModules2(self.raw, raw) } != 0;
        if failed { Err(self.context.with_diagnostics(String::new())) } else { Ok(()) }
    }

    /// Runs a textual pass pipeline.
    pub(crate) fn run_passes(&self, pipeline: &str) -> Result<(), String> {
        let pipeline = CString::new(pipeline).expect("a pipeline has no nul");
        // SAFETY: a null target machine is allowed for target-independent passes.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.raw, pipeline.as_ptr(), null_mut(), options);
            LLVMDisposePassBuilderOptions(options);
            if error.is_null() {
                return Ok(());
            }
            let message = LLVMGetErrorMessage(error);
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(message);
            Err(text)
        }
    }

    /// Sizes and offsets of types.
    pub(crate) fn layout(&self) -> Layout<'_> {
        // SAFETY: the layout lives in the module.
        Layout::new(unsafe { LLVMGetModuleDataLayout(self.raw) })
    }

    /// The target triple.
    pub(crate) fn triple(&self) -> String {
        // SAFETY: returns a C string that lives in the module.
        unsafe { CStr::from_ptr(LLVMGetTarget(self.raw)).to_string_lossy().into_owned() }
    }

    /// The function of this name.
    pub(crate) fn function(&self, name: &str) -> Option<Value<'_>> {
        let name = CString::new(name).ok()?;
        // SAFETY: a lookup by name.
        Value::wrap(unsafe { LLVMGetNamedFunction(self.raw, name.as_ptr()) })
    }

    /// Makes the function of this name visible to other modules, if it is defined here.
    pub(crate) fn expose(&self, name: &str) {
        if let Some(function) = self.function(name).filter(|f| !f.is_declaration()) {
            // SAFETY: a function of this module, which lives as long as `self`.
            unsafe { LLVMSetLinkage(function.raw(), LLVMLinkage::LLVMExternalLinkage) };
        }
    }

    /// The global variable of this name.
    pub(crate) fn global(&self, name: &str) -> Option<Value<'_>> {
        let name = CString::new(name).ok()?;
        // SAFETY: a lookup by name.
        Value::wrap(unsafe { LLVMGetNamedGlobal(self.raw, name.as_ptr()) })
    }

    /// All functions, defined and declared, intrinsics too.
    pub(crate) fn functions(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: walks the module's list of functions.
        let first = unsafe { LLVMGetFirstFunction(self.raw) };
        Chain { next: first, advance: LLVMGetNextFunction, module: PhantomData }
    }

    /// All global variables.
    pub(crate) fn globals(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: walks the module's list of variables.
        let first = unsafe { LLVMGetFirstGlobal(self.raw) };
        Chain { next: first, advance: LLVMGetNextGlobal, module: PhantomData }
    }

    /// All aliases.
    pub(crate) fn aliases(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: walks the module's list of aliases.
        let first = unsafe { LLVMGetFirstGlobalAlias(self.raw) };
        Chain { next: first, advance: LLVMGetNextGlobalAlias, module: PhantomData }
    }

    /// All indirect functions.
    pub(crate) fn ifuncs(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: walks the module's list of ifuncs.
        let first = unsafe { LLVMGetFirstGlobalIFunc(self.raw) };
        Chain { next: first, advance: LLVMGetNextGlobalIFunc, module: PhantomData }
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: we own the module; values borrow it, so none is left.
        unsafe { LLVMDisposeModule(self.raw) }
    }
}

/// Iterates over one of LLVM's intrusive lists of values.
struct Chain<'m> {
    next: LLVMValueRef,
    // Invariant: the function that goes on in the list that `next` is part of.
    advance: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Iterator for Chain<'m> {
    type Item = Value<'m>;

    fn next(&mut self) -> Option<Value<'m>> {
        let value = Value::wrap(self.next)?;
        // SAFETY: by the invariant; `next` is not null.
        self.next = unsafe { (self.advance)(self.next) };
        Some(value)
    }
}
