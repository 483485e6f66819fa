//! Which instructions of two versions of a function belong together.
//!
//! Instructions are aligned in text order: first those with the same content, whose operands are computed alike and whose
//! results are used alike, then without the uses, then by their own content, then by kind: pairs of the last sort are
//! modified. What was aligned is then looked at once more: a pair is the
//! same only if its registers belong together and its edges lead to blocks that belong together.
//! Guarantee: pairs are in order on both sides. If every instruction is in a pair that is the same, the two versions are
//! equal up to the numbers of registers.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use selvedge_base::Id;
use selvedge_program::stable::{Content, Digest};
use selvedge_program::{BlockId, Edge, FuncId, Function, Inst, Operand, Reg};

use super::align::align;

/// One version of a function.
pub(super) struct Version<'a> {
    function: &'a Function,
    content: &'a Content<'a>,
    /// All instructions in text order.
    insts: Vec<(BlockId, usize)>,
    /// By block: the number of its first instruction.
    first: Vec<usize>,
    shapes: Vec<Digest>,
    defs: FxHashMap<Reg, usize>,
}

impl<'a> Version<'a> {
    pub(super) fn new(function: &'a Function, id: FuncId, content: &'a Content<'a>) -> Version<'a> {
        let mut version = Version {
            function,
            content,
            insts: Vec::new(),
            first: Vec::new(),
            shapes: Vec::new(),
            defs: FxHashMap::default(),
        };
        for (block, body) in function.blocks.enumerate() {
            version.first.push(version.insts.len());
            for (at, inst) in body.insts.iter().enumerate() {
                inst.for_each_dst(|reg| {
                    version.defs.insert(reg, version.insts.len());
                });
                version.insts.push((block, at));
                version.shapes.push(content.shape(id, block, at));
            }
        }
        version
    }

    fn inst(&self, at: usize) -> &'a Inst {
        let (block, index) = self.insts[at];
        &self.function.blocks[block].insts[index]
    }

    /// Keys that also tell operands apart, by what computes them.
    fn deep_keys(&self) -> Vec<u64> {
        let hash = |value: &dyn Fn(&mut FxHasher)| {
            let mut hasher = FxHasher::default();
            value(&mut hasher);
            hasher.finish()
        };
        let shallow = self.shallow_keys();
        let mut keys = shallow.clone();
        for _ in 0..3 {
            let deeper = (0..self.insts.len()).map(|at| {
                hash(&|hasher| {
                    shallow[at].hash(hasher);
                    self.inst(at).for_each_operand(|operand| match operand {
                        Operand::Reg(reg) => self.defs.get(reg).map(|def| keys[*def]).hash(hasher),
                        Operand::Const(_) => {}
                    });
                })
            });
            keys = deeper.collect();
        }
        keys
    }

    /// Keys that also tell values apart by what is made of them.
    fn use_keys(&self, deep: &[u64]) -> Vec<u64> {
        let mut uses = vec![0u64; self.insts.len()];
        for (at, key) in deep.iter().enumerate() {
            self.inst(at).for_each_operand(|operand| {
                if let Operand::Reg(reg) = operand
                    && let Some(def) = self.defs.get(reg)
                {
                    uses[*def] = uses[*def].wrapping_add(*key);
                }
            });
        }
        let both = deep.iter().zip(uses).map(|both| {
            let mut hasher = FxHasher::default();
            both.hash(&mut hasher);
            hasher.finish()
        });
        both.collect()
    }

    fn shallow_keys(&self) -> Vec<u64> {
        let key = |digest: &Digest| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&digest.bytes()[..8]);
            u64::from_le_bytes(bytes)
        };
        self.shapes.iter().map(key).collect()
    }

    /// Keys that tell kinds of instructions apart.
    fn kind_keys(&self) -> Vec<u64> {
        let kinds = (0..self.insts.len()).map(|at| {
            let mut hasher = FxHasher::default();
            let inst = self.inst(at);
            std::mem::discriminant(inst).hash(&mut hasher);
            inst.for_each_dst(|reg| self.function.regs[reg].ty.hash(&mut hasher));
            hasher.finish()
        });
        kinds.collect()
    }
}

/// What was found out.
#[derive(Default, Debug)]
pub(super) struct Alignment {
    /// Positions in both versions, and whether the two instructions are the same.
    pub(super) pairs: Vec<(usize, usize, bool)>,
    /// Parameters of blocks that only one version has.
    pub(super) old_params: Vec<Reg>,
    pub(super) new_params: Vec<Reg>,
}

pub(super) fn compare(old: &Version<'_>, new: &Version<'_>) -> Alignment {
    let mut pairs = Vec::new();
    let deep = (old.deep_keys(), new.deep_keys());
    let levels = [
        (old.use_keys(&deep.0), new.use_keys(&deep.1)),
        deep,
        (old.shallow_keys(), new.shallow_keys()),
        (old.kind_keys(), new.kind_keys()),
    ];
    for (a, b) in &levels {
        pairs = refine(&pairs, a, b);
    }
    let mut matching = Matching { old, new, blocks: FxHashMap::default(), regs: FxHashMap::default() };
    matching.match_blocks(&pairs);
    let mut alignment = Alignment::default();
    matching.match_registers(&pairs, &mut alignment);
    alignment.pairs = pairs.iter().map(|&(a, b)| (a, b, matching.is_same(a, b))).collect();
    alignment
}

/// Aligns what lies between the pairs.
fn refine(pairs: &[(usize, usize)], a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let mut refined = Vec::new();
    let (mut from_a, mut from_b) = (0, 0);
    for &(i, j) in pairs.iter().chain([&(a.len(), b.len())]) {
        let between = align(&a[from_a..i], &b[from_b..j]);
        refined.extend(between.into_iter().map(|(x, y)| (from_a + x, from_b + y)));
        if i < a.len() {
            refined.push((i, j));
        }
        (from_a, from_b) = (i + 1, j + 1);
    }
    refined
}

struct Matching<'a> {
    old: &'a Version<'a>,
    new: &'a Version<'a>,
    /// From old to new, one to one.
    blocks: FxHashMap<BlockId, BlockId>,
    regs: FxHashMap<Reg, Reg>,
}

impl Matching<'_> {
    /// Two blocks belong together if what is left of their beginnings does.
    fn match_blocks(&mut self, pairs: &[(usize, usize)]) {
        let (mut heads_old, mut heads_new) = (FxHashMap::default(), FxHashMap::default());
        for &(a, b) in pairs {
            let (old, new) = (self.old.insts[a].0, self.new.insts[b].0);
            heads_old.entry(old).or_insert(new);
            heads_new.entry(new).or_insert(old);
        }
        let is_mutual = |(old, new): &(&BlockId, &BlockId)| heads_new.get(new) == Some(old);
        self.blocks = heads_old.iter().filter(is_mutual).map(|(old, new)| (*old, *new)).collect();
    }

    fn match_registers(&mut self, pairs: &[(usize, usize)], alignment: &mut Alignment) {
        let (old, new) = (self.old.function, self.new.function);
        for (a, b) in old.params.iter().zip(&new.params) {
            self.pair(*a, *b);
        }
        for &(a, b) in pairs {
            let mut dsts = Vec::new();
            self.old.inst(a).for_each_dst(|reg| dsts.push(reg));
            let mut dsts = dsts.into_iter();
            self.new.inst(b).for_each_dst(|reg| {
                if let Some(old) = dsts.next() {
                    self.pair(old, reg);
                }
            });
        }
        for (block, body) in old.blocks.enumerate() {
            let Some(partner) = self.blocks.get(&block) else {
                alignment.old_params.extend(&body.params);
                continue;
            };
            let other = &new.blocks[*partner].params;
            let matched = self.match_params(&body.params, other);
            for (i, reg) in body.params.iter().enumerate() {
                match matched.iter().find(|(a, _)| *a == i) {
                    Some((_, j)) => self.pair(*reg, other[*j]),
                    None => alignment.old_params.push(*reg),
                }
            }
        }
        let paired: rustc_hash::FxHashSet<Reg> = self.regs.values().copied().collect();
        let params = new.blocks.iter().flat_map(|block| &block.params);
        alignment.new_params.extend(params.filter(|reg| !paired.contains(reg)));
    }

    /// Positions of parameters that belong together. Names are a hint only: what is paired is compared all the same.
    fn match_params(&self, old: &[Reg], new: &[Reg]) -> Vec<(usize, usize)> {
        let (a, b) = (&self.old.function.regs, &self.new.function.regs);
        if old.len() == new.len() {
            let same = |i: &usize| a[old[*i]].ty == b[new[*i]].ty;
            return (0..old.len()).filter(same).map(|i| (i, i)).collect();
        }
        let keys = |regs: &selvedge_base::Dense<Reg, selvedge_program::RegInfo>, params: &[Reg]| {
            let key = |reg: &Reg| {
                let mut hasher = FxHasher::default();
                (regs[*reg].ty, &regs[*reg].name).hash(&mut hasher);
                hasher.finish()
            };
            params.iter().map(key).collect::<Vec<u64>>()
        };
        align(&keys(a, old), &keys(b, new))
    }

    fn pair(&mut self, old: Reg, new: Reg) {
        if self.old.function.regs[old].ty == self.new.function.regs[new].ty {
            self.regs.insert(old, new);
        }
    }

    fn is_same(&self, a: usize, b: usize) -> bool {
        if self.old.shapes[a] != self.new.shapes[b] {
            return false;
        }
        let (old, new) = (self.old.inst(a), self.new.inst(b));
        let (from, to) = (own_operands(old), own_operands(new));
        let (old_edges, new_edges): (Vec<&Edge>, Vec<&Edge>) = (old.edges().collect(), new.edges().collect());
        from.len() == to.len()
            && from.iter().zip(&to).all(|(x, y)| self.is_same_register(*x, *y))
            && old_edges.len() == new_edges.len()
            && old_edges.iter().zip(&new_edges).all(|(x, y)| self.is_same_edge(x, y))
    }

    /// Constants of instructions are part of their content.
    fn is_same_register(&self, old: Operand, new: Operand) -> bool {
        matches!((old, new), (Operand::Const(_), Operand::Const(_))) || self.is_same_operand(old, new)
    }

    fn is_same_operand(&self, old: Operand, new: Operand) -> bool {
        match (old, new) {
            (Operand::Reg(old), Operand::Reg(new)) => self.regs.get(&old) == Some(&new),
            (Operand::Const(old), Operand::Const(new)) => {
                self.old.content.constant_digest(old) == self.new.content.constant_digest(new)
            }
            _ => false,
        }
    }

    /// The same target, and the same values for the parameters that both versions have.
    fn is_same_edge(&self, old: &Edge, new: &Edge) -> bool {
        if self.blocks.get(&old.target) != Some(&new.target) {
            return false;
        }
        let params = |version: &Version<'_>, block: BlockId| version.function.blocks[block].params.clone();
        let (from, to) = (params(self.old, old.target), params(self.new, new.target));
        from.iter().zip(&old.args).all(|(reg, arg)| {
            let position = self.regs.get(reg).and_then(|partner| to.iter().position(|r| r == partner));
            position.is_none_or(|j| self.is_same_operand(*arg, new.args[j]))
        })
    }
}

/// The operands of an instruction, without those of edges.
fn own_operands(inst: &Inst) -> Vec<Operand> {
    let n_edges: usize = inst.edges().map(|edge| edge.args.len()).sum();
    let mut all = Vec::new();
    inst.for_each_operand(|operand| all.push(*operand));
    // Those of edges come last.
    all.truncate(all.len() - n_edges);
    all
}

impl Version<'_> {
    /// The block of an instruction, and its number in the whole text.
    pub(super) fn block_of(&self, at: usize) -> BlockId {
        self.insts[at].0
    }

    pub(super) fn position(&self, block: BlockId, index: usize) -> usize {
        self.first[block.index()] + index
    }

    pub(super) fn function(&self) -> &Function {
        self.function
    }
}
