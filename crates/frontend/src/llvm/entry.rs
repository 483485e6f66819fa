//! Makes a module ready for a native build: the function that starts it, and names that the native run-time
//! gives its own meaning.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use llvm_sys::LLVMLinkage;
use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::{Module, Type, TypeKind, Value};

/// What the native run-time calls.
const START: &str = "__selvedge_start";
/// Where it gets the arguments of an entry other than `main` from.
const INPUT: &str = "__selvedge_input";

impl<'c> Module<'c> {
    /// Gives a function another name.
    pub(crate) fn rename(&self, name: &str, to: &str) {
        if let Some(function) = self.function(name) {
            // SAFETY: a live function; pointer and length of a string.
            unsafe { LLVMSetValueName2(function.raw(), to.as_ptr().cast(), to.len()) };
        }
    }

    /// Sends all uses of the function `name`, defined or not, to an external function `to`.
    pub(crate) fn redirect(&self, name: &str, to: &str) {
        let Some(function) = self.function(name) else { return };
        // SAFETY: both functions have the same type.
        unsafe {
            let new = self.declare(to, LLVMGlobalGetValueType(function.raw()));
            LLVMReplaceAllUsesWith(function.raw(), new);
        }
    }

    /// Keeps inline functions and those of templates to this module: shared libraries that have them, too, would call
    /// these. A copy of one that a library is said to define is the one that is called: only it has points.
    pub(crate) fn hide_inline_functions(&self) {
        use llvm_sys::LLVMVisibility;
        for function in self.functions().filter(|f| !f.is_declaration()) {
            // SAFETY: a live function with a body.
            unsafe {
                let linkage = LLVMGetLinkage(function.raw());
                if matches!(linkage, LLVMLinkage::LLVMLinkOnceODRLinkage | LLVMLinkage::LLVMWeakODRLinkage) {
                    LLVMSetVisibility(function.raw(), LLVMVisibility::LLVMHiddenVisibility);
                }
                if linkage == LLVMLinkage::LLVMAvailableExternallyLinkage {
                    LLVMSetLinkage(function.raw(), LLVMLinkage::LLVMInternalLinkage);
                }
            }
        }
    }

    /// Gives all functions an attribute, such as `sanitize_address`, which asks for checks.
    pub(crate) fn add_attribute(&self, name: &str) {
        // SAFETY: an attribute without a value, at the function index.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            assert!(kind != 0, "LLVM knows no attribute `{name}`");
            let attribute = LLVMCreateEnumAttribute(self.context().raw(), kind, 0);
            for function in self.functions().filter(|f| !f.is_declaration()) {
                LLVMAddAttributeAtIndex(function.raw(), llvm_sys::LLVMAttributeFunctionIndex, attribute);
            }
        }
    }

    /// Makes `int __selvedge_start(int argc, char **argv, char **envp)`, which calls `entry`: `main` with these,
    /// another function with inputs. An error names the parameter that no input can be given for.
    pub(crate) fn add_start(&self, entry: &str) -> Result<(), String> {
        let function = self.function(entry).filter(|f| !f.is_declaration()).ok_or("it is not defined")?;
        let is_main = entry == "main";
        // SAFETY: all types and values are of this module; each call fits its callee's type.
        unsafe {
            let context = self.context().raw();
            let (int, ptr) = (LLVMInt32TypeInContext(context), LLVMPointerTypeInContext(context, 0));
            let mut params = [int, ptr, ptr];
            let ty = LLVMFunctionType(int, params.as_mut_ptr(), 3, 0);
            let start = LLVMAddFunction(self.raw(), format!("{START}\0").as_ptr().cast(), ty);
            let block = LLVMAppendBasicBlockInContext(context, start, c"".as_ptr());
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderAtEnd(builder, block);
            let callee_ty: Type<'_> = Type::new(LLVMGlobalGetValueType(function.raw()));
            let mut args = Vec::new();
            for (i, param) in callee_ty.param_types().into_iter().enumerate() {
                let given = (is_main && i < 3).then(|| LLVMGetParam(start, i as u32));
                let arg = match given {
                    Some(given) if LLVMTypeOf(given) == param.raw() => given,
                    Some(_) => LLVMConstNull(param.raw()),
                    None => match self.input_argument(builder, param) {
                        Some(arg) => arg,
                        None => {
                            LLVMDisposeBuilder(builder);
                            return Err(format!("parameter {} has the type {param}", i + 1));
                        }
                    },
                };
                args.push(arg);
            }
            let result = LLVMBuildCall2(
                builder,
                callee_ty.raw(),
                function.raw(),
                args.as_mut_ptr(),
                args.len() as u32,
                c"".as_ptr(),
            );
            let code = if LLVMTypeOf(result) == int && is_main { result } else { LLVMConstNull(int) };
            LLVMBuildRet(builder, code);
            LLVMDisposeBuilder(builder);
        }
        // The C run-time of the system has a `main` already: ours.
        if is_main {
            self.rename("main", "__selvedge_main");
        }
        if let Some(function) = self.function("__selvedge_main") {
            // SAFETY: a live function.
            unsafe { LLVMSetLinkage(function.raw(), LLVMLinkage::LLVMInternalLinkage) };
        }
        Ok(())
    }

    /// Gives a function that is defined nowhere a body that returns inputs, as the engine takes them: one for each part
    /// of its result. An error says what that result is.
    pub(crate) fn return_input(&self, name: &str) -> Result<(), String> {
        let Some(function) = self.function(name).filter(|f| f.is_declaration()) else { return Ok(()) };
        // SAFETY: all types and values are of this module; the function had no blocks.
        unsafe {
            let context = self.context().raw();
            // A declaration may share its debug information, a definition may not.
            LLVMGlobalClearMetadata(function.raw());
            let result: Type<'_> = Type::new(LLVMGetReturnType(LLVMGlobalGetValueType(function.raw())));
            let block = LLVMAppendBasicBlockInContext(context, function.raw(), c"".as_ptr());
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderAtEnd(builder, block);
            let unsuitable = || format!("its result has the type {result}");
            let done = match result.kind() {
                TypeKind::LLVMVoidTypeKind => {
                    LLVMBuildRetVoid(builder);
                    Ok(())
                }
                TypeKind::LLVMStructTypeKind => {
                    let n = LLVMCountStructElementTypes(result.raw());
                    let mut whole = Some(LLVMGetPoison(result.raw()));
                    for i in 0..n {
                        let part = Type::new(LLVMStructGetTypeAtIndex(result.raw(), i));
                        whole = match (whole, self.input_argument(builder, part)) {
                            (Some(whole), Some(value)) => {
                                Some(LLVMBuildInsertValue(builder, whole, value, i, c"".as_ptr()))
                            }
                            _ => None,
                        };
                    }
                    match whole {
                        Some(whole) => {
                            LLVMBuildRet(builder, whole);
                            Ok(())
                        }
                        None => Err(unsuitable()),
                    }
                }
                _ => match self.input_argument(builder, result) {
                    Some(value) => {
                        LLVMBuildRet(builder, value);
                        Ok(())
                    }
                    None => Err(unsuitable()),
                },
            };
            LLVMDisposeBuilder(builder);
            done
        }
    }

    /// An argument read from the inputs as the engine reads it: whole bytes, of which an integer takes its low bits.
    ///
    /// # Safety
    /// `builder` must stand in a function of this module, `ty` be a type of it.
    unsafe fn input_argument(&self, builder: LLVMBuilderRef, ty: Type<'_>) -> Option<LLVMValueRef> {
        let size = self.layout().alloc_size(ty)?;
        let is_scalar = matches!(
            ty.kind(),
            TypeKind::LLVMIntegerTypeKind
                | TypeKind::LLVMPointerTypeKind
                | TypeKind::LLVMFloatTypeKind
                | TypeKind::LLVMDoubleTypeKind
        );
        if !is_scalar {
            return None;
        }
        // SAFETY: by the contract above; the slot has the size that is read into it.
        unsafe {
            let context = self.context().raw();
            let is_int = ty.kind() == TypeKind::LLVMIntegerTypeKind;
            let bytes = if is_int { u64::from(ty.int_width().div_ceil(8)) } else { size };
            let memory = if is_int { LLVMIntTypeInContext(context, (bytes * 8) as u32) } else { ty.raw() };
            let slot = LLVMBuildAlloca(builder, memory, c"".as_ptr());
            let (ptr, long) = (LLVMPointerTypeInContext(context, 0), LLVMInt64TypeInContext(context));
            let mut params = [ptr, long];
            let input_ty =
                LLVMFunctionType(LLVMVoidTypeInContext(context), params.as_mut_ptr(), params.len() as u32, 0);
            let input = self.declare(INPUT, input_ty);
            let mut args = [slot, LLVMConstInt(long, bytes, 0)];
            LLVMBuildCall2(builder, input_ty, input, args.as_mut_ptr(), args.len() as u32, c"".as_ptr());
            let value = LLVMBuildLoad2(builder, memory, slot, c"".as_ptr());
            Some(if is_int { LLVMBuildTrunc(builder, value, ty.raw(), c"".as_ptr()) } else { value })
        }
    }

    /// The names of all functions that are used but not defined.
    pub(crate) fn undefined_functions(&self) -> Vec<String> {
        let undefined = self.functions().filter(|f| f.is_declaration());
        undefined.map(Value::name).filter(|name| !name.starts_with("llvm.")).collect()
    }
}
