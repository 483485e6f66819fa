//! The cells of one object, in order, cheap to change and to copy also where there are many.
//!
//! An allocator that cuts a block into pieces and chains them leaves a pointer in each, so that one object has tens of
//! thousands of cells, and states that were forked share most of them. Few cells are one list; many are a list of
//! chunks, of which a change copies one.
//! Guarantee: both forms behave the same, as a sequence of disjoint ranges sorted by offset.

use std::rc::Rc;

use super::content::Cell;

/// Cells in one chunk at most, and in a list that is not cut.
const MAX_CHUNK: usize = 64;

/// The cells.
#[derive(Clone, Debug)]
pub struct Cells {
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    Few(Vec<Cell>),
    /// Invariant: no chunk is empty.
    Many(Vec<Rc<Vec<Cell>>>),
}

/// The cells from some place on.
#[derive(Clone, Debug)]
pub struct CellIter<'a> {
    chunk: std::slice::Iter<'a, Cell>,
    rest: std::slice::Iter<'a, Rc<Vec<Cell>>>,
}

impl Default for Cells {
    fn default() -> Self {
        Cells { form: Form::Few(Vec::new()) }
    }
}

impl PartialEq for Cells {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other, |cell| Some(*cell))
    }
}

impl Eq for Cells {}

impl<'a> Iterator for CellIter<'a> {
    type Item = &'a Cell;

    #[inline]
    fn next(&mut self) -> Option<&'a Cell> {
        loop {
            if let Some(cell) = self.chunk.next() {
                return Some(cell);
            }
            self.chunk = self.rest.next()?.iter();
        }
    }
}

impl CellIter<'_> {
    /// Leaves out the next chunk of both if both begin with it.
    fn skip_shared(&mut self, other: &mut Self) -> bool {
        let is_between = self.chunk.as_slice().is_empty() && other.chunk.as_slice().is_empty();
        match (self.rest.as_slice().first(), other.rest.as_slice().first()) {
            (Some(a), Some(b)) if is_between && Rc::ptr_eq(a, b) => {
                self.rest.next();
                other.rest.next();
                true
            }
            _ => false,
        }
    }
}

impl<'a> IntoIterator for &'a Cells {
    type Item = &'a Cell;
    type IntoIter = CellIter<'a>;

    fn into_iter(self) -> CellIter<'a> {
        self.iter()
    }
}

impl Cells {
    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        match &self.form {
            Form::Few(cells) => cells.is_empty(),
            Form::Many(chunks) => chunks.is_empty(),
        }
    }

    /// All of them.
    pub fn iter(&self) -> CellIter<'_> {
        match &self.form {
            Form::Few(cells) => CellIter { chunk: cells.iter(), rest: [].iter() },
            Form::Many(chunks) => CellIter { chunk: [].iter(), rest: chunks.iter() },
        }
    }

    /// Those that end after `off`.
    #[inline]
    pub fn after(&self, off: u64) -> CellIter<'_> {
        match &self.form {
            Form::Few(cells) => CellIter { chunk: cells[first_after(cells, off)..].iter(), rest: [].iter() },
            Form::Many(chunks) => {
                let mut rest = chunks[chunk_after(chunks, off)..].iter();
                let chunk = rest.next().map_or([].iter(), |chunk| chunk[first_after(chunk, off)..].iter());
                CellIter { chunk, rest }
            }
        }
    }

    /// Those that overlap `off..end`.
    #[inline]
    pub fn within(&self, off: u64, end: u64) -> impl Iterator<Item = &Cell> {
        self.after(off).take_while(move |cell| cell.off < end)
    }

    /// Whether the parts of the cells that `view` shows are the same. Chunks that are shared are not looked at.
    pub(crate) fn is_same<T: PartialEq>(&self, other: &Cells, view: impl Fn(&Cell) -> Option<T>) -> bool {
        let (mut a, mut b) = (self.iter(), other.iter());
        loop {
            while a.skip_shared(&mut b) {}
            match (a.find_map(&view), b.find_map(&view)) {
                (None, None) => return true,
                (Some(x), Some(y)) if x == y => {}
                _ => return false,
            }
        }
    }

    /// The last one that starts before `end`.
    pub(super) fn last_before(&self, end: u64) -> Option<&Cell> {
        let cells = match &self.form {
            Form::Few(cells) => cells,
            Form::Many(chunks) => {
                let chunk = chunks.partition_point(|chunk| chunk[0].off < end);
                &chunks[chunk.checked_sub(1)?]
            }
        };
        cells[..cells.partition_point(|cell| cell.off < end)].last()
    }

    /// Puts a cell where none is.
    pub(super) fn insert(&mut self, cell: Cell) {
        self.replace(cell.off, cell.end(), &[cell]);
    }

    /// Replaces all cells that overlap `off..end` by `new`, which lie where those were.
    pub(super) fn replace(&mut self, off: u64, end: u64, new: &[Cell]) {
        match &mut self.form {
            Form::Few(cells) => {
                splice(cells, off, end, new);
                if cells.len() > MAX_CHUNK {
                    self.form = Form::Many(cut(std::mem::take(cells)));
                }
            }
            Form::Many(chunks) => replace_in_chunks(chunks, off, end, new),
        }
    }
}

fn first_after(cells: &[Cell], off: u64) -> usize {
    cells.partition_point(|cell| cell.end() <= off)
}

/// The first chunk that has a cell which ends after `off`.
fn chunk_after(chunks: &[Rc<Vec<Cell>>], off: u64) -> usize {
    chunks.partition_point(|chunk| chunk.last().is_none_or(|cell| cell.end() <= off))
}

fn splice(cells: &mut Vec<Cell>, off: u64, end: u64, new: &[Cell]) {
    let start = first_after(cells, off);
    let stop = start + cells[start..].partition_point(|cell| cell.off < end);
    match *new {
        // The usual cases, without moving what follows twice.
        [cell] if stop == start => cells.insert(start, cell),
        [cell] if stop == start + 1 => cells[start] = cell,
        _ => drop(cells.splice(start..stop, new.iter().copied())),
    }
}

fn replace_in_chunks(chunks: &mut Vec<Rc<Vec<Cell>>>, off: u64, end: u64, new: &[Cell]) {
    let first = chunk_after(chunks, off);
    let stop = first + chunks[first..].partition_point(|chunk| chunk[0].off < end);
    if stop == first && new.is_empty() {
        return;
    }
    // What is added after the end of a chunk, or between two, goes to the one before.
    let home = if stop > first { first } else { first.saturating_sub(1) };
    let Some(chunk) = chunks.get_mut(home) else { return chunks.extend(cut(new.to_vec())) };
    let chunk = Rc::make_mut(chunk);
    splice(chunk, off, end, new);
    // Of the last chunk that overlaps a part may be left; those between are gone.
    let mut last_is_empty = false;
    if stop > first + 1 {
        let last = Rc::make_mut(&mut chunks[stop - 1]);
        last.drain(..last.partition_point(|cell| cell.off < end));
        last_is_empty = last.is_empty();
    }
    let gone = if last_is_empty { stop } else { stop.saturating_sub(1) };
    if gone > home + 1 {
        chunks.drain(home + 1..gone);
    }
    if chunks[home].is_empty() {
        chunks.remove(home);
    } else if chunks[home].len() > MAX_CHUNK {
        let parts = cut(std::mem::take(Rc::make_mut(&mut chunks[home])));
        chunks.splice(home..=home, parts);
    }
}

/// Chunks that have room to grow.
fn cut(cells: Vec<Cell>) -> Vec<Rc<Vec<Cell>>> {
    let n_chunks = cells.len().div_ceil(MAX_CHUNK * 3 / 4);
    cells.chunks(cells.len().div_ceil(n_chunks).max(1)).map(|part| Rc::new(part.to_vec())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::content::CellKind;
    use super::*;
    use crate::source::Source;

    const SIZE: u64 = 3_000;

    fn cell(off: u64, len: u64) -> Cell {
        Cell { off, len, kind: CellKind::Lazy(Source::Undef { thread: 0, n: off as u32, other: false }, 0) }
    }

    /// The same operations on chunks and on a plain list.
    #[test]
    fn chunks_behave_like_one_list() {
        let (mut cells, mut plain) = (Cells::default(), Vec::<Cell>::new());
        let mut seed = 7u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let mut is_cut = false;
        for round in 0..20_000 {
            // Mostly small changes, now and then a large one.
            let off = random(SIZE);
            let most = if round % 500 == 0 { SIZE } else { 8 };
            let end = off + 1 + random(most.min(SIZE - off));
            let mut new = Vec::new();
            let mut at = off;
            while at < end && random(8) != 0 {
                let len = 1 + random(end - at).min(7);
                new.push(cell(at, len.min(end - at)));
                at += len + random(2);
            }
            let mut expected: Vec<Cell> =
                plain.iter().filter(|c| c.end() <= off || c.off >= end).copied().collect();
            expected.extend(&new);
            expected.sort_by_key(|c| c.off);
            // What sticks out of the range is the caller's affair: only whole cells go.
            if plain.iter().any(|c| c.off < end && c.end() > off && (c.off < off || c.end() > end)) {
                continue;
            }
            let before = cells.clone();
            cells.replace(off, end, &new);
            assert!(before.iter().eq(&plain), "a copy has changed");
            plain = expected;
            assert!(cells.iter().eq(&plain), "round {round}: {off}..{end}");
            let probe = random(SIZE);
            assert!(cells.after(probe).eq(plain.iter().filter(|c| c.end() > probe)));
            assert_eq!(cells.last_before(probe), plain.iter().rfind(|c| c.off < probe));
            assert_eq!(cells.within(off, end).count(), new.len());
            is_cut |= matches!(cells.form, Form::Many(_));
        }
        assert!(is_cut, "there were never many");
    }

    #[test]
    fn the_same_cells_are_equal_however_they_came_there() {
        let (mut forth, mut back) = (Cells::default(), Cells::default());
        for i in 0..500 {
            forth.insert(cell(8 * i, 8));
            back.insert(cell(8 * (499 - i), 8));
        }
        assert_eq!(forth, back);
        back.replace(80, 88, &[]);
        assert_ne!(forth, back);
        back.insert(cell(80, 8));
        assert_eq!(forth, back);
        back.replace(0, 4_000, &[]);
        assert_eq!(back, Cells::default());
        assert!(back.is_empty());
    }
}
