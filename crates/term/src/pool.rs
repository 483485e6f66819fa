//! The pool that owns all terms: interning, variables, constants, inspection.
//!
//! Guarantees: equal structure has equal id; an operand's id is below its user's, so
//! ids are a topological order; facts about values are computed once, at interning.
//! Terms are never freed.

use std::hash::{Hash, Hasher};

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHasher};
use selvedge_base::{Dense, Id};
use smallvec::{SmallVec, smallvec};

use crate::facts::{Facts, KnownBits};
use crate::node::{IntId, ListId, Node, TermId, VarId, WideId};
use crate::sort::{PackedSort, Sort};
use crate::support::Supports;
use crate::table::IdTable;
use crate::value::{self, BvValue};

/// A variable's name and sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarInfo {
    /// The name, unique among variables of one sort.
    pub name: String,
    /// The sort.
    pub sort: Sort,
}

/// Operands of a node.
pub type Operands = SmallVec<[TermId; 4]>;

/// A term. One record, not parallel tables: builders look at all of an operand.
#[derive(Clone, Copy)]
struct Entry {
    node: Node,
    sort: PackedSort,
    facts: Facts,
}

/// All terms of one analysis.
pub struct TermPool {
    entries: Vec<Entry>,
    table: IdTable,

    /// Each list is its length followed by its items; a [`ListId`] is an offset.
    lists: Vec<TermId>,
    list_table: IdTable,
    wides: Dense<WideId, BigUint>,
    wide_ids: FxHashMap<BigUint, WideId>,
    ints: Dense<IntId, BigInt>,
    int_ids: FxHashMap<BigInt, IntId>,

    vars: Dense<VarId, VarInfo>,
    var_terms: Dense<VarId, TermId>,
    var_ids: FxHashMap<String, SmallVec<[VarId; 1]>>,
    pub(crate) supports: Supports,
    /// Terms that substitutions went through.
    pub(crate) n_replaced: u64,
}

impl Default for TermPool {
    fn default() -> Self {
        TermPool::new()
    }
}

fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    // The table uses the upper half, where the multiplication has mixed best.
    hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

const FALSE: TermId = TermId(0);
const TRUE: TermId = TermId(1);

impl TermPool {
    /// A pool that holds the two truth values only.
    pub fn new() -> Self {
        let mut pool = TermPool {
            entries: Vec::new(),
            table: IdTable::default(),
            lists: Vec::new(),
            list_table: IdTable::default(),
            wides: Dense::new(),
            wide_ids: FxHashMap::default(),
            ints: Dense::new(),
            int_ids: FxHashMap::default(),
            vars: Dense::new(),
            var_terms: Dense::new(),
            var_ids: FxHashMap::default(),
            supports: Supports::new(),
            n_replaced: 0,
        };
        let ff = pool.bv(1, 0);
        let tt = pool.bv(1, 1);
        debug_assert_eq!((ff, tt), (FALSE, TRUE));
        pool
    }

    /// The term with this node, which must be in normal form.
    #[inline]
    pub(crate) fn intern(&mut self, node: Node, sort: PackedSort) -> TermId {
        let hash = hash_of(&node);
        let entries = &self.entries;
        // The sort is part of the key: an extension's node does not tell its width.
        let found = self.table.find(hash, |id| {
            let entry = &entries[id as usize];
            entry.node == node && entry.sort == sort
        });
        if let Some(id) = found {
            return TermId(id);
        }
        let width = sort.width_or_zero();
        let facts = Facts::of(self, &node, width);
        // One possible value: the term is that constant.
        if facts.lo == facts.hi && width <= 64 && !matches!(node, Node::Const { .. }) {
            return self.bv(width, facts.lo);
        }
        let id = TermId::new(self.entries.len());
        self.table.insert(hash, id.0);
        self.entries.push(Entry { node, sort, facts });
        id
    }

    /// Interns a node whose result is a bit-vector of this width.
    #[inline]
    pub(crate) fn intern_bv(&mut self, node: Node, width: u32) -> TermId {
        self.intern(node, PackedSort::bv(width))
    }

    /// Interns a node whose result has width 1.
    #[inline]
    pub(crate) fn intern_bool(&mut self, node: Node) -> TermId {
        self.intern(node, PackedSort::BOOL)
    }

    pub(crate) fn intern_list(&mut self, items: &[TermId]) -> ListId {
        let hash = hash_of(items);
        let lists = &self.lists;
        if let Some(id) = self.list_table.find(hash, |id| list_at(lists, id) == items) {
            return ListId(id);
        }
        let id = ListId::new(self.lists.len());
        self.lists.push(TermId::new(items.len()));
        self.lists.extend_from_slice(items);
        self.list_table.insert(hash, id.0);
        id
    }

    /// The node of a term.
    #[inline]
    pub fn node(&self, t: TermId) -> &Node {
        &self.entries[t.index()].node
    }

    /// The sort of a term.
    pub fn sort(&self, t: TermId) -> Sort {
        self.packed_sort(t).unpack()
    }

    #[inline]
    pub(crate) fn packed_sort(&self, t: TermId) -> PackedSort {
        self.entries[t.index()].sort
    }

    #[inline]
    pub(crate) fn facts(&self, t: TermId) -> &Facts {
        &self.entries[t.index()].facts
    }

    /// The width of a bit-vector term.
    ///
    /// # Panics
    /// If the term is an array or an integer.
    #[inline]
    #[track_caller]
    pub fn width(&self, t: TermId) -> u32 {
        let width = self.packed_sort(t).width_or_zero();
        assert!(width != 0, "{t} is not a bit-vector");
        width
    }

    /// How many terms substitutions have gone through, which is most of the work on large formulas.
    pub fn n_replaced(&self) -> u64 {
        self.n_replaced
    }

    /// How many terms there are. Ids are the numbers below.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Always false: the truth values are there from the start.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many variables there are. Variable ids are the numbers below.
    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    /// The items of an operand list.
    #[inline]
    pub fn list(&self, list: ListId) -> &[TermId] {
        list_at(&self.lists, list.0)
    }

    /// The value of a wide constant.
    pub fn wide(&self, id: WideId) -> &BigUint {
        &self.wides[id]
    }

    /// The value of an integer constant.
    pub fn int_value(&self, id: IntId) -> &BigInt {
        &self.ints[id]
    }

    /// The operands of a term, in order.
    pub fn operands(&self, t: TermId) -> Operands {
        match *self.node(t) {
            Node::Var(_) | Node::Const { .. } | Node::Wide { .. } | Node::IntConst(_) => smallvec![],
            Node::Not(a)
            | Node::Neg(a)
            | Node::Extract { term: a, .. }
            | Node::Zext(a)
            | Node::Sext(a)
            | Node::ConstArray(a) => smallvec![a],
            Node::BvAnd(a, b)
            | Node::BvOr(a, b)
            | Node::BvXor(a, b)
            | Node::Add(a, b)
            | Node::Mul(a, b)
            | Node::Udiv(a, b)
            | Node::Urem(a, b)
            | Node::Sdiv(a, b)
            | Node::Srem(a, b)
            | Node::Shl(a, b)
            | Node::Lshr(a, b)
            | Node::Ashr(a, b)
            | Node::Concat(a, b)
            | Node::Eq(a, b)
            | Node::Ult(a, b)
            | Node::Slt(a, b)
            | Node::Select(a, b)
            | Node::IAdd(a, b)
            | Node::IMul(a, b)
            | Node::IDiv(a, b)
            | Node::IMod(a, b)
            | Node::ILe(a, b) => smallvec![a, b],
            Node::Ite(a, b, c) | Node::Store(a, b, c) => smallvec![a, b, c],
            Node::And(list) | Node::Fp(_, list) => SmallVec::from_slice(self.list(list)),
        }
    }

    // Variables.

    /// The variable of this name and sort, made if there is none.
    pub fn var(&mut self, name: &str, sort: Sort) -> TermId {
        if let Some(ids) = self.var_ids.get(name)
            && let Some(&id) = ids.iter().find(|&&id| self.vars[id].sort == sort)
        {
            return self.var_terms[id];
        }
        let id = self.vars.push(VarInfo { name: name.to_owned(), sort });
        let term = self.intern(Node::Var(id), PackedSort::pack(sort));
        self.var_terms.push(term);
        self.var_ids.entry(name.to_owned()).or_default().push(id);
        term
    }

    /// The variable this term is, if it is one.
    pub fn var_id(&self, t: TermId) -> Option<VarId> {
        match *self.node(t) {
            Node::Var(id) => Some(id),
            _ => None,
        }
    }

    /// The term of a variable.
    pub fn var_term(&self, v: VarId) -> TermId {
        self.var_terms[v]
    }

    /// The name and sort of a variable.
    pub fn var_info(&self, v: VarId) -> &VarInfo {
        &self.vars[v]
    }

    // Constants.

    /// The constant `value`, cut to `width` bits.
    #[inline]
    pub fn bv(&mut self, width: u32, value: u64) -> TermId {
        if width <= 64 {
            self.intern_bv(Node::Const { width, value: value & value::mask(width) }, width)
        } else {
            self.intern_wide(width, BigUint::from(value))
        }
    }

    /// The constant `value`, cut to `width` bits.
    pub fn bv_wide(&mut self, width: u32, value: BigUint) -> TermId {
        let value = if value.bits() > u64::from(width) { value & value::big_mask(width) } else { value };
        match value.to_u64() {
            Some(small) if width <= 64 => self.bv(width, small),
            _ => self.intern_wide(width, value),
        }
    }

    fn intern_wide(&mut self, width: u32, value: BigUint) -> TermId {
        let id = match self.wide_ids.get(&value) {
            Some(&id) => id,
            None => {
                let id = self.wides.push(value.clone());
                self.wide_ids.insert(value, id);
                id
            }
        };
        self.intern_bv(Node::Wide { width, value: id }, width)
    }

    /// The constant of this value, which must fit `width`.
    pub fn bv_value(&mut self, width: u32, value: &BvValue) -> TermId {
        match value {
            BvValue::Small(small) => self.bv(width, *small),
            BvValue::Big(big) => self.bv_wide(width, big.clone()),
        }
    }

    /// A truth value.
    #[inline]
    pub fn bool(&mut self, b: bool) -> TermId {
        if b { TRUE } else { FALSE }
    }

    /// The true term.
    #[inline]
    pub fn tt(&self) -> TermId {
        TRUE
    }

    /// The false term.
    #[inline]
    pub fn ff(&self) -> TermId {
        FALSE
    }

    /// The integer constant `value`.
    pub fn int(&mut self, value: BigInt) -> TermId {
        let id = match self.int_ids.get(&value) {
            Some(&id) => id,
            None => {
                let id = self.ints.push(value.clone());
                self.int_ids.insert(value, id);
                id
            }
        };
        self.intern(Node::IntConst(id), PackedSort::INT)
    }

    /// The value of a constant of at most 64 bits.
    #[inline]
    pub fn as_u64(&self, t: TermId) -> Option<u64> {
        match *self.node(t) {
            Node::Const { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The value of any bit-vector constant.
    pub fn as_big(&self, t: TermId) -> Option<BigUint> {
        match *self.node(t) {
            Node::Const { value, .. } => Some(BigUint::from(value)),
            Node::Wide { value, .. } => Some(self.wides[value].clone()),
            _ => None,
        }
    }

    /// The value of any bit-vector constant.
    pub fn as_value(&self, t: TermId) -> Option<BvValue> {
        match *self.node(t) {
            Node::Const { value, .. } => Some(BvValue::Small(value)),
            Node::Wide { value, .. } => Some(self.wides[value].clone().into()),
            _ => None,
        }
    }

    /// The value of a constant of width 1.
    #[inline]
    pub fn as_bool(&self, t: TermId) -> Option<bool> {
        match t {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    /// The value of an integer constant.
    pub fn as_int(&self, t: TermId) -> Option<&BigInt> {
        match *self.node(t) {
            Node::IntConst(id) => Some(&self.ints[id]),
            _ => None,
        }
    }

    /// Whether the term is a bit-vector or integer constant.
    #[inline]
    pub fn is_const(&self, t: TermId) -> bool {
        matches!(self.node(t), Node::Const { .. } | Node::Wide { .. } | Node::IntConst(_))
    }

    /// Whether the term is a number that floating-point arithmetic makes and that can be a NaN.
    #[inline]
    pub fn is_float_result(&self, t: TermId) -> bool {
        matches!(self.node(t), Node::Fp(op, _) if op.can_be_nan())
    }

    // Facts.

    /// An interval of unsigned numbers that holds the term's value, for widths up to
    /// 64; all of `u64` for anything else.
    #[inline]
    pub fn range(&self, t: TermId) -> (u64, u64) {
        let facts = self.facts(t);
        (facts.lo, facts.hi)
    }

    /// The bits whose value is known, for widths up to 64; none for anything else.
    #[inline]
    pub fn known_bits(&self, t: TermId) -> KnownBits {
        self.facts(t).bits
    }
}

fn list_at(lists: &[TermId], offset: u32) -> &[TermId] {
    let start = offset as usize + 1;
    &lists[start..start + lists[start - 1].index()]
}
