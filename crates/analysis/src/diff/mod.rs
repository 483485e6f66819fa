//! The difference between two versions of a program.
//!
//! Functions and globals are matched by their stable names, and what has the same digest in both versions is the same. In
//! other functions instructions are aligned (`function`), and where control goes is compared (`flow`).
//!
//! Guarantees: each instruction is *same*, with its partner, *modified*, with its partner, or in one version only. If a
//! function [is the same](Diff::is_same_function), its two versions are equal up to the numbers of ids. Source places,
//! names of locals and source types never are a difference.
//! Relies on: both programs are valid, and come from the same version of the tool, whose library functions are the same.

mod align;
mod flow;
mod function;

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use selvedge_library::Action;
use selvedge_program::stable::{Content, Fingerprint, Names};
use selvedge_program::{FuncId, GlobalId, Program};

use crate::layout::{InstId, Layout, Point};
use crate::library::Library;
use function::Version;

/// What became of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// The other version has it as well.
    Same(Point),
    /// The other version has another one in its place.
    Modified(Point),
    /// Only this version has it: deleted from the old one, added to the new one.
    Alone,
}

/// A function or global of one version or of both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Matched<I> {
    /// In the old program.
    pub old: Option<I>,
    /// In the new program.
    pub new: Option<I>,
    /// Whether both have it, with the same content.
    pub is_same: bool,
}

/// One version, and what became of its parts.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) names: Names,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) layout: Layout,
    pub(crate) changes: Vec<Change>,
    /// Instructions that are in both versions, but under other branches or in another order.
    pub(crate) moved: Vec<InstId>,
    /// Program-wide numbers of parameters of blocks that only this version has.
    pub(crate) params: Vec<usize>,
}

/// The difference.
#[derive(Clone, Debug)]
pub struct Diff {
    pub(crate) old: Side,
    pub(crate) new: Side,
    funcs: Vec<Matched<FuncId>>,
    globals: Vec<Matched<GlobalId>>,
    by_new: FxHashMap<FuncId, usize>,
    by_old: FxHashMap<FuncId, usize>,
}

impl Diff {
    /// Compares two programs.
    pub fn new(old: &Program, new: &Program) -> Diff {
        let (old_names, new_names) = (Names::new(old), Names::new(new));
        let (from, to) = (content(old, &old_names), content(new, &new_names));
        let (before, now) = (from.fingerprint(), to.fingerprint());
        let funcs = matched(old_names.funcs(), new_names.funcs(), |a, b| before.funcs[a] == now.funcs[b]);
        let globals =
            matched(named(&old_names), named(&new_names), |a, b| before.globals[a] == now.globals[b]);
        let mut pair = (Side::new(old, &old_names, before), Side::new(new, &new_names, now));
        for entry in &funcs {
            match (entry.old, entry.new) {
                (Some(a), Some(b)) if entry.is_same => same(&mut pair, (old, a), b),
                (Some(a), Some(b)) => {
                    let versions =
                        (Version::new(&old.funcs[a], a, &from), Version::new(&new.funcs[b], b, &to));
                    compare(&mut pair, (a, &versions.0), (b, &versions.1));
                }
                // Everything in it is there only once, as it is said of each instruction at first.
                _ => {}
            }
        }
        let numbered = |of: fn(&Matched<FuncId>) -> Option<FuncId>| {
            funcs.iter().enumerate().filter_map(move |(i, entry)| Some((of(entry)?, i)))
        };
        Diff {
            by_old: numbered(|entry| entry.old).collect(),
            by_new: numbered(|entry| entry.new).collect(),
            old: pair.0,
            new: pair.1,
            funcs,
            globals,
        }
    }

    /// All functions: those of the new program in its order, then those that it does not have any more.
    pub fn funcs(&self) -> &[Matched<FuncId>] {
        &self.funcs
    }

    /// All globals that have a name, likewise.
    pub fn globals(&self) -> &[Matched<GlobalId>] {
        &self.globals
    }

    /// Whether the function of the new program is the same in the old one.
    pub fn is_same_function(&self, new: FuncId) -> bool {
        self.by_new.get(&new).is_some_and(|i| self.funcs[*i].is_same)
    }

    /// The function of the new program that a function of the old one has become.
    pub fn new_function(&self, old: FuncId) -> Option<FuncId> {
        self.funcs[*self.by_old.get(&old)?].new
    }

    /// What became of an instruction of the old program.
    pub fn old_change(&self, point: Point) -> Change {
        self.old.change(point)
    }

    /// Where an instruction of the new program comes from.
    pub fn new_change(&self, point: Point) -> Change {
        self.new.change(point)
    }

    /// Whether target, beginning, origin or version of the programs differ: everything may then be different.
    pub fn is_other_program(&self) -> bool {
        self.old.fingerprint.rest != self.new.fingerprint.rest
    }

    /// Whether addresses may be others because globals or functions come in another order.
    pub fn has_other_layout(&self) -> bool {
        self.old.fingerprint.layout != self.new.fingerprint.layout
    }

    /// Whether nothing that is executed differs.
    pub fn is_empty(&self) -> bool {
        !self.is_other_program()
            && self.funcs.iter().all(|entry| entry.is_same)
            && self.globals.iter().all(|entry| entry.is_same)
    }

    /// Whether the comparison of two versions of a function found a difference in an instruction or in the control flow.
    pub(crate) fn has_changes(&self, old: FuncId, new: FuncId) -> bool {
        [(&self.old, old), (&self.new, new)].into_iter().any(|(side, func)| {
            let is_here = |id: &InstId| side.layout.point(*id).func == func;
            side.params.iter().any(|reg| side.layout.func_of_reg(*reg) == func)
                || side.moved.iter().any(is_here)
                || side.layout.insts_of(func).any(|id| !matches!(side.changes[id.index()], Change::Same(_)))
        })
    }

    /// The digests of the new program and the names that they belong to.
    pub fn new_fingerprint(&self) -> (&Names, &Fingerprint) {
        (&self.new.names, &self.new.fingerprint)
    }

    /// The digests of the old program and the names that they belong to.
    pub fn old_fingerprint(&self) -> (&Names, &Fingerprint) {
        (&self.old.names, &self.old.fingerprint)
    }
}

impl Side {
    fn new(program: &Program, names: &Names, fingerprint: Fingerprint) -> Side {
        let layout = Layout::new(program);
        let changes = vec![Change::Alone; layout.n_insts()];
        Side { names: names.clone(), fingerprint, layout, changes, moved: Vec::new(), params: Vec::new() }
    }

    fn change(&self, point: Point) -> Change {
        self.layout.id(point).map_or(Change::Alone, |id| self.changes[id.index()])
    }
}

/// Contents as they count for executions: who reports a failed assertion does nothing else with what he is told.
fn content<'p>(program: &'p Program, names: &'p Names) -> Content<'p> {
    let library = Library::new(program);
    Content::new(program, names, |func| library.action(func) == Action::Fail)
}

fn named(names: &Names) -> impl Iterator<Item = (GlobalId, &str)> {
    names.globals().filter(|(id, _)| !names.is_content(*id))
}

fn matched<'n, I: Id + std::hash::Hash>(
    old: impl Iterator<Item = (I, &'n str)>,
    new: impl Iterator<Item = (I, &'n str)>,
    is_same: impl Fn(I, I) -> bool,
) -> Vec<Matched<I>> {
    let old: Vec<(I, &str)> = old.collect();
    let mut left: FxHashMap<&str, I> = old.iter().map(|(id, name)| (*name, *id)).collect();
    let mut all: Vec<Matched<I>> = new
        .map(|(id, name)| {
            let partner = left.remove(name);
            Matched { old: partner, new: Some(id), is_same: partner.is_some_and(|old| is_same(old, id)) }
        })
        .collect();
    let gone = old.iter().filter(|(_, name)| left.contains_key(name));
    all.extend(gone.map(|(id, _)| Matched { old: Some(*id), new: None, is_same: false }));
    all
}

/// Two functions with the same digest: instruction by instruction.
fn same(pair: &mut (Side, Side), (old, a): (&Program, FuncId), b: FuncId) {
    for (block, body) in old.funcs[a].blocks.enumerate() {
        for inst in 0..body.insts.len() {
            let (from, to) = (Point { func: a, block, inst }, Point { func: b, block, inst });
            if let (Some(x), Some(y)) = (pair.0.layout.id(from), pair.1.layout.id(to)) {
                pair.0.changes[x.index()] = Change::Same(to);
                pair.1.changes[y.index()] = Change::Same(from);
            }
        }
    }
}

fn compare(pair: &mut (Side, Side), (a, old): (FuncId, &Version<'_>), (b, new): (FuncId, &Version<'_>)) {
    if !old.function().is_defined() || !new.function().is_defined() {
        return;
    }
    let alignment = function::compare(old, new);
    let base = |side: &Side, func| side.layout.first(func, selvedge_program::BlockId(0)).index();
    let (first_old, first_new) = (base(&pair.0, a), base(&pair.1, b));
    for &(x, y, is_same) in &alignment.pairs {
        let (x, y) = (InstId::new(first_old + x), InstId::new(first_new + y));
        let (from, to) = (pair.0.layout.point(x), pair.1.layout.point(y));
        let made = if is_same { Change::Same } else { Change::Modified };
        pair.0.changes[x.index()] = made(to);
        pair.1.changes[y.index()] = made(from);
    }
    for number in flow::moved(old, new, &alignment.pairs) {
        let (x, y, _) = alignment.pairs[number];
        pair.0.moved.push(InstId::new(first_old + x));
        pair.1.moved.push(InstId::new(first_new + y));
    }
    let old_params: Vec<usize> = alignment.old_params.iter().map(|r| pair.0.layout.reg(a, *r)).collect();
    let new_params: Vec<usize> = alignment.new_params.iter().map(|r| pair.1.layout.reg(b, *r)).collect();
    pair.0.params.extend(old_params);
    pair.1.params.extend(new_params);
}
