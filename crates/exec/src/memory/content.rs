//! The bytes of one object: concrete bytes with an overlay of cells.
//!
//! A cell covers a range whose bytes are not plain numbers: a symbolic scalar, a pointer (whose
//! address is in the bytes as well, so that partial reads need no special case), or a run of a
//! [`Source`] that nobody has read yet. An access that matches a cell exactly, the usual case, gets the
//! cell's value without any concatenation; everything else is assembled from pieces.

use selvedge_term::{TermId, TermPool};

use super::bytes::Bytes;
use crate::source::{Piece, Source, Sources};
use crate::value::{ObjId, Value};

/// What a cell holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellKind {
    /// A symbolic scalar of `8 * len` bits.
    Term(TermId),
    /// A pointer; the address is in the bytes.
    Ptr(ObjId),
    /// A pointer with a symbolic address.
    SymPtr(ObjId, TermId),
    /// Bytes `at..at + len` of a source, not read yet.
    Lazy(Source, u64),
}

/// A range of an object that is more than bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// First byte.
    pub off: u64,
    /// Length in bytes.
    pub len: u64,
    /// What it holds.
    pub kind: CellKind,
}

impl Cell {
    fn end(&self) -> u64 {
        self.off + self.len
    }
}

/// What reading and writing symbolic content needs.
pub struct Symbols<'a> {
    /// Terms.
    pub pool: &'a mut TermPool,
    /// Variables of sources.
    pub sources: &'a mut Sources,
}

/// The content of an object.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Content {
    bytes: Bytes,
    /// Invariant: sorted by offset, not empty ranges, disjoint, within `bytes`.
    cells: Vec<Cell>,
}

impl Content {
    /// `size` zero bytes.
    pub fn zeroed(size: u64) -> Self {
        Content { bytes: Bytes::zeroed(size as usize), cells: Vec::new() }
    }

    /// `size` bytes of `source` from its start.
    pub fn lazy(size: u64, source: Source) -> Self {
        let mut content = Content::zeroed(size);
        if size > 0 {
            content.cells.push(Cell { off: 0, len: size, kind: CellKind::Lazy(source, 0) });
        }
        content
    }

    /// Size in bytes.
    pub fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() == 0
    }

    /// The cells, in order.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Index of the first cell that ends after `off`.
    fn first_after(&self, off: u64) -> usize {
        self.cells.partition_point(|c| c.end() <= off)
    }

    /// Whether no cell overlaps `[off, off + len)`.
    fn is_plain(&self, off: u64, len: u64) -> bool {
        self.cells.is_empty() || {
            let i = self.first_after(off);
            self.cells.get(i).is_none_or(|c| c.off >= off + len)
        }
    }

    /// The number in at most eight concrete bytes; those under symbolic cells mean nothing.
    pub fn concrete(&self, off: u64, len: u64) -> u64 {
        self.bytes.number(off as usize, len as usize)
    }

    /// The scalar at `off` if it is concrete or exactly one cell; changes nothing.
    #[inline]
    pub fn peek(&self, off: u64, len: u64) -> Option<Value> {
        if len > 8 {
            return None;
        }
        if self.cells.is_empty() {
            return Some(Value::Int(self.concrete(off, len)));
        }
        match self.cells.get(self.first_after(off)) {
            Some(cell) if cell.off < off + len => {
                if cell.off != off || cell.len != len {
                    return None;
                }
                match cell.kind {
                    CellKind::Term(t) => Some(Value::Term(t)),
                    CellKind::Ptr(obj) => Some(Value::Ptr { obj, addr: self.concrete(off, len) }),
                    CellKind::SymPtr(obj, addr) => Some(Value::SymPtr { obj, addr }),
                    CellKind::Lazy(..) => None,
                }
            }
            _ => Some(Value::Int(self.concrete(off, len))),
        }
    }

    /// The scalar of `len` bytes at `off`. Precondition: in bounds, `len > 0`.
    pub fn read(&mut self, cx: &mut Symbols<'_>, off: u64, len: u64) -> Value {
        if len <= 8 && self.is_plain(off, len) {
            return Value::Int(self.concrete(off, len));
        }
        self.materialise(cx, off, len);
        let i = self.first_after(off);
        if let Some(cell) = self.cells.get(i)
            && cell.off == off
            && cell.len == len
        {
            return match cell.kind {
                CellKind::Term(t) => Value::Term(t),
                CellKind::Ptr(obj) => Value::Ptr { obj, addr: self.concrete(off, len) },
                CellKind::SymPtr(obj, addr) => Value::SymPtr { obj, addr },
                CellKind::Lazy(..) => unreachable!("materialised above"),
            };
        }
        if len <= 8 && self.is_plain(off, len) {
            return Value::Int(self.concrete(off, len)); // inputs are fixed
        }
        self.assemble(cx, off, len)
    }

    /// The value of a range that no single cell covers, most significant piece first.
    fn assemble(&self, cx: &mut Symbols<'_>, off: u64, len: u64) -> Value {
        let mut term: Option<TermId> = None;
        let mut all_concrete = true;
        let mut end = off + len;
        while end > off {
            let cell = self.cells[..self.cells.partition_point(|c| c.off < end)].last();
            let piece = match cell {
                Some(c) if c.end() >= end && !matches!(c.kind, CellKind::Ptr(_)) => {
                    let low = c.off.max(off);
                    let whole = match c.kind {
                        CellKind::Term(t) | CellKind::SymPtr(_, t) => t,
                        CellKind::Ptr(_) | CellKind::Lazy(..) => unreachable!("bytes, or materialised"),
                    };
                    let (high_bit, low_bit) = ((end - c.off) * 8 - 1, (low - c.off) * 8);
                    end = low;
                    all_concrete = false;
                    cx.pool.extract(whole, high_bit as u32, low_bit as u32)
                }
                _ => {
                    // Plain bytes down to the next symbolic cell; pointers read as their address bytes.
                    let floor = match cell {
                        Some(c) if matches!(c.kind, CellKind::Ptr(_)) => c.off,
                        Some(c) => c.end(),
                        None => 0,
                    };
                    let low = floor.max(off).max(end.saturating_sub(8));
                    let n = end - low;
                    let piece = cx.pool.bv((n * 8) as u32, self.concrete(low, n));
                    end = low;
                    piece
                }
            };
            term = Some(term.map_or(piece, |high| cx.pool.concat(high, piece)));
        }
        let term = term.expect("reads are not empty");
        match cx.pool.as_u64(term) {
            Some(value) if all_concrete || len <= 8 => Value::Int(value),
            _ => Value::Term(term),
        }
    }

    /// Turns the unread source bytes in `[off, off + len)` into values.
    fn materialise(&mut self, cx: &mut Symbols<'_>, off: u64, len: u64) {
        let mut i = self.first_after(off);
        while i < self.cells.len() && self.cells[i].off < off + len {
            let cell = self.cells[i];
            if let CellKind::Lazy(source, at) = cell.kind {
                let low = cell.off.max(off);
                let high = cell.end().min(off + len);
                let piece = Piece { source, at: at + (low - cell.off), len: high - low };
                let mut parts: [Option<Cell>; 3] = [None; 3];
                if low > cell.off {
                    parts[0] = Some(Cell { off: cell.off, len: low - cell.off, kind: cell.kind });
                }
                match cx.sources.read(cx.pool, piece) {
                    Value::Int(value) => self.put_bytes(low, high - low, value),
                    Value::Term(t) => {
                        parts[1] = Some(Cell { off: low, len: high - low, kind: CellKind::Term(t) });
                    }
                    Value::Ptr { .. } | Value::SymPtr { .. } => unreachable!("sources have no pointers"),
                }
                if high < cell.end() {
                    let kind = CellKind::Lazy(source, at + (high - cell.off));
                    parts[2] = Some(Cell { off: high, len: cell.end() - high, kind });
                }
                let n = parts.iter().flatten().count();
                self.cells.splice(i..=i, parts.into_iter().flatten());
                i += n;
            } else {
                i += 1;
            }
        }
    }

    fn put_bytes(&mut self, off: u64, len: u64, value: u64) {
        self.bytes.write(off as usize, &value.to_le_bytes()[..len as usize]);
    }

    /// Writes the scalar `value` of `len` bytes at `off`. Precondition: in bounds, `len > 0`.
    pub fn write(&mut self, cx: &mut Symbols<'_>, off: u64, len: u64, value: Value) {
        if !self.cells.is_empty() {
            self.clear(cx, off, len);
        }
        let kind = match value {
            Value::Int(v) => return self.put_bytes(off, len, v),
            Value::Ptr { obj, addr } => {
                self.put_bytes(off, len, addr);
                CellKind::Ptr(obj)
            }
            Value::SymPtr { obj, addr } => CellKind::SymPtr(obj, addr),
            Value::Term(t) => {
                if let Some(big) = cx.pool.as_big(t) {
                    let mut raw = big.to_bytes_le();
                    raw.resize(len as usize, 0);
                    self.bytes.write(off as usize, &raw);
                    return;
                }
                CellKind::Term(t)
            }
        };
        let i = self.first_after(off);
        self.cells.insert(i, Cell { off, len, kind });
    }

    /// Removes cells from `[off, off + len)`; what sticks out stays as smaller cells.
    fn clear(&mut self, cx: &mut Symbols<'_>, off: u64, len: u64) {
        let start = self.first_after(off);
        let end = off + len;
        let stop = start + self.cells[start..].partition_point(|c| c.off < end);
        if start == stop {
            return;
        }
        if stop == start + 1 && self.cells[start].off == off && self.cells[start].len == len {
            self.cells.remove(start);
            return;
        }
        let mut rest: [Option<Cell>; 2] = [None; 2];
        let first = self.cells[start];
        if first.off < off {
            rest[0] = sub_cell(cx, first, first.off, off - first.off);
        }
        let last = self.cells[stop - 1];
        if last.end() > end {
            rest[1] = sub_cell(cx, last, end, last.end() - end);
        }
        self.cells.splice(start..stop, rest.into_iter().flatten());
    }

    /// Copies `len` bytes at `from` out of `src` to `off`, cells and all.
    pub fn copy_from(&mut self, cx: &mut Symbols<'_>, off: u64, src: &Content, from: u64, len: u64) {
        if len == 0 {
            return;
        }
        if !self.cells.is_empty() {
            self.clear(cx, off, len);
        }
        self.bytes.copy_from(off as usize, &src.bytes, from as usize, len as usize);
        if src.is_plain(from, len) {
            return;
        }
        let mut moved = Vec::new();
        for cell in &src.cells[src.first_after(from)..] {
            if cell.off >= from + len {
                break;
            }
            let low = cell.off.max(from);
            let high = cell.end().min(from + len);
            let piece = if low == cell.off && high == cell.end() {
                Some(*cell)
            } else {
                sub_cell(cx, *cell, low, high - low)
            };
            moved.extend(piece.map(|c| Cell { off: c.off - from + off, ..c }));
        }
        let i = self.first_after(off);
        self.cells.splice(i..i, moved);
    }

    /// A copy of `len` bytes at `from`.
    pub fn slice(&self, cx: &mut Symbols<'_>, from: u64, len: u64) -> Content {
        let mut part = Content::zeroed(len);
        part.copy_from(cx, 0, self, from, len);
        part
    }

    /// Makes every byte of `[off, off + len)` the number `byte`.
    pub fn fill(&mut self, cx: &mut Symbols<'_>, off: u64, len: u64, byte: u8) {
        if len == 0 {
            return;
        }
        if !self.cells.is_empty() {
            self.clear(cx, off, len);
        }
        self.bytes.fill(off as usize, len as usize, byte);
    }

    /// Overwrites `[off, off + bytes.len())`.
    pub fn put(&mut self, cx: &mut Symbols<'_>, off: u64, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if !self.cells.is_empty() {
            self.clear(cx, off, bytes.len() as u64);
        }
        self.bytes.write(off as usize, bytes);
    }

    /// Makes `[off, off + len)` bytes of `source` from `at`, to be read later.
    pub fn put_lazy(&mut self, cx: &mut Symbols<'_>, off: u64, len: u64, source: Source, at: u64) {
        if len == 0 {
            return;
        }
        if !self.cells.is_empty() {
            self.clear(cx, off, len);
        }
        let i = self.first_after(off);
        self.cells.insert(i, Cell { off, len, kind: CellKind::Lazy(source, at) });
    }

    /// Whether any byte of the range belongs to an unread source that `which` accepts.
    pub fn has_lazy(&self, off: u64, len: u64, which: impl Fn(Source) -> bool) -> bool {
        !self.cells.is_empty()
            && self.cells[self.first_after(off)..]
                .iter()
                .take_while(|c| c.off < off + len)
                .any(|c| matches!(c.kind, CellKind::Lazy(s, _) if which(s)))
    }
}

/// The part `[off, off + len)` of `cell`, or `None` if its bytes say it all.
fn sub_cell(cx: &mut Symbols<'_>, cell: Cell, off: u64, len: u64) -> Option<Cell> {
    let kind = match cell.kind {
        CellKind::Ptr(_) => return None,
        CellKind::Lazy(source, at) => CellKind::Lazy(source, at + (off - cell.off)),
        CellKind::Term(t) | CellKind::SymPtr(_, t) => {
            let low = (off - cell.off) * 8;
            CellKind::Term(cx.pool.extract(t, (low + len * 8 - 1) as u32, low as u32))
        }
    };
    Some(Cell { off, len, kind })
}
