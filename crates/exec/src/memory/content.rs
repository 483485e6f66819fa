//! The bytes of one object: concrete bytes with an overlay of cells.
//!
//! A cell covers a range whose bytes are not plain numbers: a symbolic scalar, a pointer (whose
//! address is in the bytes as well, so that partial reads need no special case), or a run of a
//! [`Source`] that nobody has read yet. An access that matches a cell exactly, the usual case, gets the
//! cell's value without any concatenation; everything else is assembled from pieces.

use selvedge_term::{TermId, TermPool};
use smallvec::SmallVec;

use super::bytes::Bytes;
use super::cells::Cells;
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
    /// One past the last byte.
    pub(crate) fn end(&self) -> u64 {
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
    /// Invariant: not empty ranges, disjoint, within `bytes`.
    cells: Cells,
}

impl Content {
    /// `size` zero bytes.
    pub fn zeroed(size: u64) -> Self {
        Content { bytes: Bytes::zeroed(size as usize), cells: Cells::default() }
    }

    /// `size` bytes of `source` from its start.
    pub fn lazy(size: u64, source: Source) -> Self {
        let mut content = Content::zeroed(size);
        if size > 0 {
            content.cells.insert(Cell { off: 0, len: size, kind: CellKind::Lazy(source, 0) });
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
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Whether no cell overlaps `[off, off + len)`.
    fn is_plain(&self, off: u64, len: u64) -> bool {
        self.cells.is_empty() || self.cells.within(off, off + len).next().is_none()
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
        match self.cells.after(off).next() {
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
        if let Some(cell) = self.cells.after(off).next()
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
            let cell = self.cells.last_before(end);
            let piece = match cell {
                Some(c) if c.end() >= end && !matches!(c.kind, CellKind::Ptr(_)) => {
                    let low = c.off.max(off);
                    if let CellKind::SymPtr(obj, _) = c.kind {
                        cx.sources.tear(obj);
                    }
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
                        Some(&Cell { off, kind: CellKind::Ptr(obj), .. }) => {
                            cx.sources.tear(obj);
                            off
                        }
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
        let mut from = off;
        loop {
            let next = self.cells.within(from, off + len).next().copied();
            let Some(cell) = next else { return };
            from = cell.end();
            let CellKind::Lazy(source, at) = cell.kind else { continue };
            let low = cell.off.max(off);
            let high = cell.end().min(off + len);
            let piece = Piece { source, at: at + (low - cell.off), len: high - low };
            let mut parts: SmallVec<[Cell; 3]> = SmallVec::new();
            if low > cell.off {
                parts.push(Cell { off: cell.off, len: low - cell.off, kind: cell.kind });
            }
            match cx.sources.read(cx.pool, piece) {
                Value::Int(value) => self.put_bytes(low, high - low, value),
                Value::Term(t) => {
                    parts.push(Cell { off: low, len: high - low, kind: CellKind::Term(t) });
                }
                Value::Ptr { .. } | Value::SymPtr { .. } => unreachable!("sources have no pointers"),
            }
            if high < cell.end() {
                let kind = CellKind::Lazy(source, at + (high - cell.off));
                parts.push(Cell { off: high, len: cell.end() - high, kind });
            }
            self.cells.replace(cell.off, cell.end(), &parts);
        }
    }

    fn put_bytes(&mut self, off: u64, len: u64, value: u64) {
        self.bytes.write(off as usize, &value.to_le_bytes()[..len as usize]);
    }

    /// Writes the scalar `value` of `len` bytes at `off`. Precondition: in bounds, `len > 0`.
    pub fn write(&mut self, cx: &mut Symbols<'_>, off: u64, len: u64, value: Value) {
        let kind = match value {
            Value::Int(v) => {
                self.put_bytes(off, len, v);
                None
            }
            Value::Ptr { obj, addr } => {
                self.put_bytes(off, len, addr);
                Some(CellKind::Ptr(obj))
            }
            Value::SymPtr { obj, addr } => Some(CellKind::SymPtr(obj, addr)),
            Value::Term(t) => match cx.pool.as_big(t) {
                Some(big) => {
                    let mut raw = big.to_bytes_le();
                    raw.resize(len as usize, 0);
                    self.bytes.write(off as usize, &raw);
                    None
                }
                None => Some(CellKind::Term(t)),
            },
        };
        self.set(cx, off, len, kind);
    }

    /// Makes `[off, off + len)` one cell of this kind, or plain bytes; what sticks out of it of other cells stays as
    /// smaller ones.
    fn set(&mut self, cx: &mut Symbols<'_>, off: u64, len: u64, kind: Option<CellKind>) {
        let cell = kind.map(|kind| Cell { off, len, kind });
        self.set_all(cx, off, len, cell.as_slice());
    }

    /// As `set`, with several cells within the range.
    fn set_all(&mut self, cx: &mut Symbols<'_>, off: u64, len: u64, new: &[Cell]) {
        if new.is_empty() && self.cells.is_empty() {
            return;
        }
        let end = off + len;
        let before = self.cells.after(off).next().filter(|cell| cell.off < off).copied();
        let after = self.cells.last_before(end).filter(|cell| cell.end() > end).copied();
        if before.is_none() && after.is_none() {
            return self.cells.replace(off, end, new);
        }
        let mut parts: SmallVec<[Cell; 3]> = SmallVec::new();
        parts.extend(before.and_then(|cell| sub_cell(cx, cell, cell.off, off - cell.off)));
        parts.extend_from_slice(new);
        parts.extend(after.and_then(|cell| sub_cell(cx, cell, end, cell.end() - end)));
        self.cells.replace(off, end, &parts);
    }

    /// Copies `len` bytes at `from` out of `src` to `off`, cells and all.
    pub fn copy_from(&mut self, cx: &mut Symbols<'_>, off: u64, src: &Content, from: u64, len: u64) {
        if len == 0 {
            return;
        }
        self.bytes.copy_from(off as usize, &src.bytes, from as usize, len as usize);
        let mut moved = Vec::new();
        for cell in src.cells.within(from, from + len) {
            let low = cell.off.max(from);
            let high = cell.end().min(from + len);
            let piece = if low == cell.off && high == cell.end() {
                Some(*cell)
            } else {
                sub_cell(cx, *cell, low, high - low)
            };
            moved.extend(piece.map(|c| Cell { off: c.off - from + off, ..c }));
        }
        self.set_all(cx, off, len, &moved);
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
        self.set(cx, off, len, None);
        self.bytes.fill(off as usize, len as usize, byte);
    }

    /// Overwrites `[off, off + bytes.len())`.
    pub fn put(&mut self, cx: &mut Symbols<'_>, off: u64, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.set(cx, off, bytes.len() as u64, None);
        self.bytes.write(off as usize, bytes);
    }

    /// Makes `[off, off + len)` bytes of `source` from `at`, to be read later.
    pub fn put_lazy(&mut self, cx: &mut Symbols<'_>, off: u64, len: u64, source: Source, at: u64) {
        if len == 0 {
            return;
        }
        self.set(cx, off, len, Some(CellKind::Lazy(source, at)));
    }

    /// Whether any byte of the range belongs to an unread source that `which` accepts.
    pub fn has_lazy(&self, off: u64, len: u64, which: impl Fn(Source) -> bool) -> bool {
        self.cells.within(off, off + len).any(|c| matches!(c.kind, CellKind::Lazy(s, _) if which(s)))
    }
}

/// The part `[off, off + len)` of `cell`, or `None` if its bytes say it all.
fn sub_cell(cx: &mut Symbols<'_>, cell: Cell, off: u64, len: u64) -> Option<Cell> {
    if let CellKind::Ptr(obj) | CellKind::SymPtr(obj, _) = cell.kind {
        cx.sources.tear(obj);
    }
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
