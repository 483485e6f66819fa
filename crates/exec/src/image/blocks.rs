//! What is known of blocks before the program runs: a program-wide numbering, and where loops begin and end.

use rustc_hash::FxHashSet;
use selvedge_analysis::faint::{self, Context};
use selvedge_analysis::{DeadLocals, WaitFinder, Waits};
use selvedge_base::Id;
use selvedge_program::{BlockId, ConstId, Flow, FuncId, Loops};

/// Blocks by program-wide number.
#[derive(Default)]
pub(super) struct Blocks {
    /// For each function: the number of its first block.
    base: Vec<u32>,
    /// Edges that close a loop.
    back_edges: FxHashSet<(u32, u32)>,
    /// Whether a loop begins with the block.
    loop_heads: Vec<bool>,
    /// Likewise: whether that loop may turn out to be a wait.
    waits: Vec<Waits>,
}

impl Blocks {
    /// Looks at all functions; `is_zero` tells which constants may be zero.
    pub(super) fn new(context: Context<'_>, is_zero: impl Fn(ConstId) -> bool) -> Self {
        let Context { program, library, .. } = context;
        let finder = WaitFinder::new(program, library);
        let mut all = Blocks { base: Vec::with_capacity(program.funcs.len()), ..Blocks::default() };
        for func in program.funcs.iter() {
            let first = all.loop_heads.len() as u32;
            all.base.push(first);
            all.loop_heads.resize(first as usize + func.blocks.len(), false);
            all.waits.resize(all.loop_heads.len(), Waits::Never);
            let flow = Flow::new(func);
            let edges = flow.back_edges().iter().map(|(from, to)| (first + from.0, first + to.0));
            all.back_edges.extend(edges);
            if flow.back_edges().is_empty() {
                continue;
            }
            let (needed, locals) = (faint::needed(context, func), DeadLocals::new(program, library, func));
            for l in Loops::new(&flow).iter() {
                let number = (first + l.head.0) as usize;
                all.loop_heads[number] = true;
                all.waits[number] = finder.waits((func, &needed), locals.as_ref(), l, &is_zero);
            }
        }
        all
    }

    #[inline]
    pub(super) fn number(&self, func: FuncId, block: BlockId) -> usize {
        self.base[func.index()] as usize + block.index()
    }

    #[inline]
    pub(super) fn is_loop_head(&self, func: FuncId, block: BlockId) -> bool {
        self.loop_heads[self.number(func, block)]
    }

    #[inline]
    pub(super) fn waits(&self, func: FuncId, head: BlockId) -> Waits {
        self.waits[self.number(func, head)]
    }

    pub(super) fn is_back_edge(&self, func: FuncId, from: BlockId, to: BlockId) -> bool {
        self.back_edges.contains(&(self.number(func, from) as u32, self.number(func, to) as u32))
    }

    pub(super) fn len(&self) -> usize {
        self.loop_heads.len()
    }
}
