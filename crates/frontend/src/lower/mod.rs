//! From a linked LLVM module to a [`Program`].
//!
//! Guarantees: every reachable instruction has a counterpart; what has none becomes
//! [`Inst::Unsupported`](selvedge_program::Inst::Unsupported) at its place. Aggregates and vectors are
//! split into scalars, phi nodes become block parameters, GEPs become byte arithmetic.
//! Relies on: the module passed LLVM's verifier.

mod aggregates;
mod arith;
mod asm;
mod calls;
mod consts;
mod control;
mod debug;
mod function;
mod globals;
mod intrinsics;
mod memory;
mod merge;
mod pure;
mod types;
mod unwind;

pub(crate) use unwind::ENTRIES as UNWINDING_ENTRIES;

use rustc_hash::FxHashMap;
use selvedge_base::{Dense, Loc};
use selvedge_program::{BlockId, ConstId, FuncId, Function, GlobalId, Inst, Program, RegInfo, Target, Ty};

use crate::Error;
use crate::llvm::{Block, Module, Value, ValueKind};

/// The state of lowering one module.
struct Lowerer<'m> {
    module: &'m Module<'m>,
    program: Program,
    funcs: FxHashMap<Value<'m>, FuncId>,
    globals: FxHashMap<Value<'m>, GlobalId>,
    /// Ids of all reachable blocks of all functions (block addresses cross functions).
    block_ids: FxHashMap<Block<'m>, BlockId>,
    consts: FxHashMap<Value<'m>, Box<[ConstId]>>,
    const_depth: u32,
    shapes: types::Shapes<'m>,
    unwinding: unwind::Unwinding<'m>,
    debug: debug::DebugInfo<'m>,
}

/// Lowers the module; `entry` is the function that the program starts from.
pub(crate) fn lower<'m>(module: &'m Module<'m>, entry: &str) -> Result<Program, Error> {
    let layout = module.layout();
    let ptr_bits = layout.pointer_bits();
    let triple = module.triple();
    // The engine lays out `va_list` and the like as x86 does. Hand-written IR may leave the target open.
    let architecture = triple.split('-').next().unwrap_or_default();
    let is_x86 = matches!(architecture, "" | "x86_64" | "amd64" | "i386" | "i486" | "i586" | "i686");
    if !is_x86 || !matches!(ptr_bits, 32 | 64) || !layout.is_little_endian() {
        return Err(Error::Target { what: format!("{triple} ({ptr_bits}-bit pointers)") });
    }
    let mut lowerer = Lowerer {
        module,
        program: Program::new(Target { ptr_bits }),
        funcs: FxHashMap::default(),
        globals: FxHashMap::default(),
        block_ids: FxHashMap::default(),
        consts: FxHashMap::default(),
        const_depth: 0,
        shapes: types::Shapes::new(layout),
        unwinding: unwind::Unwinding::new(module),
        debug: debug::DebugInfo::new(module.context()),
    };
    lowerer.declare_functions();
    lowerer.declare_globals();
    let orders = lowerer.number_blocks();
    for (function, order) in orders {
        function::lower_body(&mut lowerer, function, &order);
    }
    lowerer.initialise_globals();
    lowerer.find_constructors();
    lowerer.refuse_destructors();
    lowerer.program.entry = lowerer.find_entry(entry)?;
    lowerer.debug.finish(&mut lowerer.program);
    Ok(lowerer.program)
}

impl<'m> Lowerer<'m> {
    fn declare_functions(&mut self) {
        for function in self.module.functions() {
            let mut name = function.name();
            if name.starts_with("llvm.") {
                continue;
            }
            if name.is_empty() {
                name = self.unique_name();
            }
            let declared = self.declare_function(function, name);
            let id = self.program.funcs.push(declared);
            self.funcs.insert(function, id);
        }
        // Which body an ifunc stands for is decided by code that runs in the dynamic linker.
        // As a function without a body it makes a path unknown only where it is called.
        for ifunc in self.module.ifuncs() {
            let declared = self.declare_function(ifunc, ifunc.name());
            let id = self.program.funcs.push(declared);
            self.funcs.insert(ifunc, id);
        }
    }

    /// A name for a value that LLVM lets go without.
    fn unique_name(&self) -> String {
        format!(".unnamed.{}", self.program.funcs.len() + self.program.globals.len())
    }

    /// The function `name` of a library, declared if it is not yet known. `None` if the program
    /// has a function of that name with another type.
    fn library_function(&mut self, name: &str, params: &[Ty], ret: Ty) -> Option<FuncId> {
        if let Some(id) = self.program.func_named(name) {
            let known = &self.program.funcs[id];
            let known_params = known.params.iter().map(|&reg| known.regs[reg].ty);
            let fits = known.ret == [ret] && known_params.eq(params.iter().copied()) && !known.variadic;
            return fits.then_some(id);
        }
        let mut declared = self.empty_function(name.to_owned());
        declared.variadic = false;
        declared.ret = vec![ret];
        for &ty in params {
            declared.params.push(declared.regs.push(RegInfo { ty, name: None, var_ty: None }));
            declared.byval.push(None);
        }
        Some(self.program.funcs.push(declared))
    }

    fn empty_function(&self, name: String) -> Function {
        Function {
            name,
            display_name: None,
            params: Vec::new(),
            byval: Vec::new(),
            ret: Vec::new(),
            variadic: true,
            regs: Dense::new(),
            blocks: Dense::new(),
            loc: selvedge_base::Loc::UNKNOWN,
            is_runtime: false,
            is_weak: false,
        }
    }

    fn declare_function(&mut self, function: Value<'m>, name: String) -> Function {
        let mut declared = self.empty_function(name);
        let is_ifunc = function.kind() == ValueKind::LLVMGlobalIFuncValueKind;
        let ty = function.value_type();
        declared.variadic = ty.is_variadic();
        declared.ret = self.shapes.tys_or_empty(ty.return_type());
        for (index, param) in ty.param_types().into_iter().enumerate() {
            let byval = if is_ifunc { None } else { function.param_byval(index as u32) };
            let byval = byval.and_then(|ty| self.shapes.layout.alloc_size(ty));
            for ty in self.shapes.tys_or_empty(param) {
                let info = RegInfo { ty, name: None, var_ty: None };
                declared.params.push(declared.regs.push(info));
                declared.byval.push(byval);
            }
        }
        if is_ifunc {
            return declared;
        }
        declared.is_weak = function.is_extern_weak();
        // The compiler's own, without a line of the source.
        declared.is_runtime = declared.name == "__clang_call_terminate";
        if let Some(subprogram) = function.subprogram(self.module.context()) {
            let (loc, source_name) = self.debug.subprogram(&mut self.program, subprogram);
            declared.loc = loc;
            declared.is_runtime = self.debug.is_runtime_file(&self.program, loc.file);
            if !source_name.is_empty() && source_name != declared.name {
                declared.display_name = Some(source_name);
            }
        }
        declared
    }

    /// Numbers the reachable blocks of every function in reverse post-order, the entry first.
    fn number_blocks(&mut self) -> Vec<(Value<'m>, Vec<Block<'m>>)> {
        let defined = self.module.functions().filter(|f| self.funcs.contains_key(f) && !f.is_declaration());
        let mut orders = Vec::new();
        for function in defined.collect::<Vec<_>>() {
            let order = control::reverse_post_order(function, &self.unwinding);
            for (index, &block) in order.iter().enumerate() {
                self.block_ids.insert(block, selvedge_base::Id::new(index));
            }
            orders.push((function, order));
        }
        orders
    }

    fn find_entry(&self, entry: &str) -> Result<Option<FuncId>, Error> {
        let alias = || self.module.aliases().find(|alias| alias.name() == entry);
        let value = self.module.function(entry).or_else(alias).map(|value| self.resolve_alias(value));
        let found = value.and_then(|value| self.funcs.get(&value).copied());
        match found {
            Some(id) if self.program.funcs[id].is_defined() => Ok(Some(id)),
            _ => {
                let user_functions = self.program.funcs.iter().filter(|f| f.is_defined() && !f.is_runtime);
                let defined = user_functions.map(|f| f.name.clone()).collect();
                Err(Error::NoEntry { entry: entry.to_owned(), defined })
            }
        }
    }

    /// Constructors from `llvm.global_ctors`, lowest priority number first, then in link order.
    fn find_constructors(&mut self) {
        let Some(list) = self.module.global("llvm.global_ctors").and_then(Value::initializer) else {
            return;
        };
        let mut found = Vec::new();
        for index in 0..list.n_operands() {
            let entry = list.operand(index);
            if entry.kind() != ValueKind::LLVMConstantStructValueKind {
                continue;
            }
            let priority = entry.operand(0).int_limbs(self.module.context())[0];
            let function = self.funcs.get(&self.resolve_alias(entry.operand(1))).copied();
            let Some(id) = function.filter(|id| self.program.funcs[*id].is_defined()) else { continue };
            let takes_arguments = !self.program.funcs[id].params.is_empty();
            let id = if takes_arguments { self.refusal("a constructor with parameters") } else { id };
            found.push((priority, id));
        }
        found.sort_by_key(|&(priority, _)| priority);
        self.program.ctors = found.into_iter().map(|(_, function)| function).collect();
    }

    /// Functions to run after `main` are not modelled: a program that has some is refused when it starts.
    fn refuse_destructors(&mut self) {
        let list = self.module.global("llvm.global_dtors").and_then(Value::initializer);
        if list.is_some_and(|list| list.n_operands() > 0) {
            let refusal = self.refusal("a destructor function (`__attribute__((destructor))`)");
            self.program.ctors.push(refusal);
        }
    }

    /// A function that ends the path as unsupported.
    fn refusal(&mut self, what: &str) -> FuncId {
        let insts = vec![Inst::Unsupported { what: what.into() }, Inst::Unreachable];
        let block =
            selvedge_program::Block { params: Vec::new(), locs: vec![Loc::UNKNOWN; insts.len()], insts };
        self.program.funcs.push(Function {
            name: format!("selvedge.refusal.{}", self.program.funcs.len()),
            display_name: None,
            params: Vec::new(),
            byval: Vec::new(),
            ret: Vec::new(),
            variadic: false,
            regs: Dense::new(),
            blocks: [block].into_iter().collect(),
            loc: Loc::UNKNOWN,
            is_runtime: false,
            is_weak: false,
        })
    }

    /// Follows aliases to the value they name.
    fn resolve_alias(&self, mut value: Value<'m>) -> Value<'m> {
        while value.kind() == ValueKind::LLVMGlobalAliasValueKind {
            value = value.aliasee();
        }
        value
    }
}
