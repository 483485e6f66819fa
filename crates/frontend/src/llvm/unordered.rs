//! Marks what one expression does in an order that C leaves open.
//!
//! Before `mem2reg` the value of an expression is a tree of registers, and variables are memory. Two calls, or a call and
//! a read of memory, are unordered if they lie in the trees of two operands of one operator, or of two arguments of one
//! call; whether the order can be told from what they do is for the analysis to say.
//! `&&`, `||`, `?:` and the comma are control flow, and no operator here. C++ is judged by the rules of C++17, which
//! order the operands of shifts, assignments and subscripts, and an object before the arguments of its member function.
//! Guarantee: only what is unordered is marked. What is left out are plain reads and writes without any call (clang
//! warns of those it knows to be undefined), and in C++ calls whose values are not used.
//! Relies on: code that clang has just written, with debug information and names, before any pass.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use std::collections::{BTreeMap, BTreeSet};

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;
use rustc_hash::{FxHashMap, FxHashSet};

use super::operators::is_ordered;
use super::{Module, Op, Value, ValueKind};

/// The kind of metadata that the marks are.
const KIND: &str = "selvedge.unordered";

/// A marked instruction: its number in the function, and those of earlier ones that may as well come later.
pub(crate) struct Mark {
    pub(crate) own: u32,
    pub(crate) others: Vec<u32>,
}

impl<'c> Module<'c> {
    /// Marks the calls and reads of all functions.
    pub(crate) fn mark_unordered(&self, is_c: bool) {
        for function in self.functions().filter(|function| !function.is_declaration()).collect::<Vec<_>>() {
            // Without debug information variables cannot be told from temporaries.
            if function.subprogram(self.context()).is_some() {
                for (inst, mark) in Expressions::new(self, function, is_c).marks() {
                    self.put_mark(inst, &mark);
                }
            }
        }
    }

    fn put_mark(&self, inst: Value<'_>, mark: &Mark) {
        // SAFETY: a node of constants of this context, on an instruction.
        unsafe {
            let context = self.context().raw();
            let word = LLVMInt32TypeInContext(context);
            let numbers = std::iter::once(&mark.own).chain(&mark.others);
            let constant = |n: &u32| LLVMValueAsMetadata(LLVMConstInt(word, u64::from(*n), 0));
            let mut numbers: Vec<_> = numbers.map(constant).collect();
            let node = LLVMMDNodeInContext2(context, numbers.as_mut_ptr(), numbers.len());
            LLVMSetMetadata(inst.raw(), self.mark_kind(), LLVMMetadataAsValue(context, node));
        }
    }

    /// The mark of an instruction, if it has one.
    pub(crate) fn unordered_mark(&self, inst: Value<'_>) -> Option<Mark> {
        if !matches!(inst.opcode(), Op::LLVMCall | Op::LLVMInvoke | Op::LLVMLoad) {
            return None;
        }
        // SAFETY: an instruction; the node is one of `put_mark`, whose operands are constant integers, unless bitcode
        // has metadata of this name, which is checked.
        unsafe {
            let node = LLVMGetMetadata(inst.raw(), self.mark_kind());
            if node.is_null() {
                return None;
            }
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
            LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
            let number = |operand: LLVMValueRef| {
                let is_number = !operand.is_null() && !LLVMIsAConstantInt(operand).is_null();
                is_number.then(|| LLVMConstIntGetZExtValue(operand) as u32)
            };
            let mut numbers = operands.into_iter().map(number).collect::<Option<Vec<u32>>>()?.into_iter();
            Some(Mark { own: numbers.next()?, others: numbers.collect() })
        }
    }

    fn mark_kind(&self) -> u32 {
        // SAFETY: pointer and length of a string.
        unsafe { LLVMGetMDKindIDInContext(self.context().raw(), KIND.as_ptr().cast(), KIND.len() as u32) }
    }
}

/// The expressions of one function.
struct Expressions<'m> {
    is_c: bool,
    order: Vec<Value<'m>>,
    position: FxHashMap<Value<'m>, usize>,
    /// Locals that are variables of the source.
    variables: FxHashSet<Value<'m>>,
}

impl<'m> Expressions<'m> {
    fn new(module: &'m Module<'_>, function: Value<'m>, is_c: bool) -> Self {
        let blocks = function.blocks();
        let order: Vec<Value<'m>> = blocks.iter().flat_map(|block| block.instructions()).collect();
        let position = order.iter().enumerate().map(|(i, inst)| (*inst, i)).collect();
        let records = order.iter().flat_map(|inst| inst.debug_records(module.context()));
        let variables = records.filter(|record| record.is_declare).filter_map(|r| r.value()).collect();
        Expressions { is_c, order, position, variables }
    }

    /// The marks of the function.
    fn marks(&self) -> Vec<(Value<'m>, Mark)> {
        let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
        for inst in &self.order {
            self.pairs_of(*inst, &mut pairs);
        }
        let mut others: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for (a, b) in pairs {
            let (first, second) = (a.min(b), a.max(b));
            others.entry(second).or_default().push(first as u32);
            others.entry(first).or_default();
        }
        let mark = |(own, mut others): (usize, Vec<u32>)| {
            others.sort_unstable();
            (self.order[own], Mark { own: own as u32, others })
        };
        others.into_iter().map(mark).collect()
    }

    /// What an instruction joins without ordering it, by positions.
    fn pairs_of(&self, inst: Value<'m>, pairs: &mut BTreeSet<(usize, usize)>) {
        let roots = self.unordered_operands(inst);
        let is_computed = |root: &&Value<'m>| {
            root.kind() == ValueKind::LLVMInstructionValueKind && !self.variables.contains(*root)
        };
        if roots.iter().filter(is_computed).count() < 2 {
            return;
        }
        let mut trees: Vec<BTreeSet<usize>> = roots.iter().map(|root| self.tree(*root, inst)).collect();
        if self.is_c {
            self.add_unused(&roots, &mut trees);
        }
        for (i, tree) in trees.iter().enumerate() {
            for other in &trees[i + 1..] {
                // What both have is computed before they part: a structure that is passed in pieces.
                let (mine, theirs) = (tree.difference(other), other.difference(tree));
                let theirs: Vec<usize> = theirs.copied().collect();
                let both = mine.flat_map(|a| theirs.iter().map(move |b| (*a, *b)));
                let is_call = |position: usize| is_call(self.order[position]);
                pairs.extend(both.filter(|(a, b)| is_call(*a) || is_call(*b)));
            }
        }
    }

    /// The operands of an instruction that are computed in any order.
    fn unordered_operands(&self, inst: Value<'m>) -> Vec<Value<'m>> {
        use Op::*;
        let operands = || (0..inst.n_operands()).map(|i| inst.operand(i)).collect::<Vec<_>>();
        match inst.opcode() {
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMAnd | LLVMOr
            | LLVMXor | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem => {
                // `x += f()` reads x last, and is ordered in C++.
                let at = |index| self.position.get(&inst.operand(index));
                let is_swapped = matches!((at(0), at(1)), (Some(a), Some(b)) if a > b);
                if self.is_c || !is_swapped { operands() } else { Vec::new() }
            }
            LLVMICmp | LLVMFCmp => operands(),
            LLVMShl | LLVMLShr | LLVMAShr | LLVMGetElementPtr | LLVMStore | LLVMAtomicRMW if self.is_c => {
                operands()
            }
            LLVMCall | LLVMInvoke => self.unordered_arguments(inst),
            _ => Vec::new(),
        }
    }

    fn unordered_arguments(&self, call: Value<'m>) -> Vec<Value<'m>> {
        let (mut args, callee) = (call.call_args(), call.callee());
        if self.is_c {
            args.push(callee);
            return args;
        }
        if callee.kind() != ValueKind::LLVMFunctionValueKind {
            // A virtual function, as a rule.
            args.drain(..args.len().min(1));
        } else if is_ordered(&callee.name()) || callee.name().starts_with("llvm.mem") {
            args.clear();
        } else if callee.params().first().is_some_and(|param| param.name() == "this") {
            args.remove(0);
        }
        args
    }

    /// The calls and reads of memory that an operand of `join` is made of, by position.
    fn tree(&self, root: Value<'m>, join: Value<'m>) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![root];
        while let Some(value) = open.pop() {
            if value.kind() != ValueKind::LLVMInstructionValueKind || !seen.insert(value) {
                continue;
            }
            if is_call(value) || is_read(value) {
                found.extend(self.position.get(&value));
            }
            match value.opcode() {
                Op::LLVMCall | Op::LLVMInvoke => {
                    open.extend(value.call_args());
                    open.push(value.callee());
                }
                // What a temporary is made of; what is in a variable was computed before.
                Op::LLVMAlloca if !self.variables.contains(&value) => {
                    // Later ones destroy it.
                    let is_before = |writer: &Value<'m>| self.position.get(writer) < self.position.get(&join);
                    open.extend(writers(value).into_iter().filter(is_before));
                }
                Op::LLVMAlloca => {}
                Op::LLVMPHI => {
                    for (block, incoming) in value.incoming() {
                        open.push(incoming);
                        let branch = block.terminator().filter(|end| end.opcode() == Op::LLVMBr);
                        open.extend(branch.filter(|b| b.is_conditional()).map(Value::condition));
                    }
                }
                _ => open.extend((0..value.n_operands()).map(|i| value.operand(i))),
            }
        }
        found
    }

    /// Adds calls whose values are not used: those between the ends of two operands belong to the second.
    fn add_unused(&self, roots: &[Value<'m>], trees: &mut [BTreeSet<usize>]) {
        let known: BTreeSet<usize> = trees.iter().flatten().copied().collect();
        let mut ends: Vec<(usize, usize)> = Vec::new();
        let is_local = |root: &Value<'m>| {
            root.kind() == ValueKind::LLVMInstructionValueKind && root.opcode() == Op::LLVMAlloca
        };
        // The address of a local is older than the expression.
        for (index, root) in roots.iter().enumerate().filter(|(_, root)| !is_local(root)) {
            ends.extend(self.position.get(root).map(|at| (*at, index)));
        }
        ends.sort_unstable();
        for pair in ends.windows(2) {
            let between = (pair[0].0 + 1)..pair[1].0;
            let unused = between.filter(|at| is_call(self.order[*at]) && !known.contains(at));
            trees[pair[1].1].extend(unused);
        }
    }
}

/// A call of a function that may do something.
fn is_call(inst: Value<'_>) -> bool {
    if !matches!(inst.opcode(), Op::LLVMCall | Op::LLVMInvoke) {
        return false;
    }
    let callee = inst.callee();
    match callee.kind() {
        ValueKind::LLVMFunctionValueKind => !callee.name().starts_with("llvm."),
        kind => kind != ValueKind::LLVMInlineAsmValueKind,
    }
}

/// A read of what others may write: not of a local that is only read and written by its name.
fn is_read(inst: Value<'_>) -> bool {
    if inst.opcode() != Op::LLVMLoad {
        return false;
    }
    let from = inst.operand(0);
    let is_local = from.kind() == ValueKind::LLVMInstructionValueKind && from.opcode() == Op::LLVMAlloca;
    !is_local || from.users().any(|user| !is_plain_use(user, from))
}

fn is_plain_use(user: Value<'_>, local: Value<'_>) -> bool {
    match user.opcode() {
        Op::LLVMLoad => true,
        Op::LLVMStore => user.operand(1) == local && user.operand(0) != local,
        Op::LLVMCall => {
            user.callee().kind() == ValueKind::LLVMFunctionValueKind
                && user.callee().name().starts_with("llvm.lifetime.")
        }
        _ => false,
    }
}

/// What writes a temporary, or parts of it: stores, and calls that get its address.
fn writers<'m>(local: Value<'m>) -> Vec<Value<'m>> {
    let mut found = Vec::new();
    let mut parts = vec![local];
    while let Some(part) = parts.pop() {
        for user in part.users().filter(|user| user.kind() == ValueKind::LLVMInstructionValueKind) {
            match user.opcode() {
                Op::LLVMGetElementPtr => parts.push(user),
                Op::LLVMStore if user.operand(1) == part => found.push(user.operand(0)),
                Op::LLVMCall | Op::LLVMInvoke if user.call_args().first() == Some(&part) => found.push(user),
                _ => {}
            }
        }
    }
    found
}
