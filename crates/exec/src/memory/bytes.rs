//! The plain bytes of an object, cheap to copy also where the object is large.
//!
//! A state that is forked shares its objects with the other one; the first write to an object copies it. Large objects
//! are kept as pages, of which only the one that is written is copied; pages of zeros are not kept at all.
//! Guarantee: both forms behave the same.

use std::rc::Rc;

/// Objects up to this size are one piece.
const MAX_FLAT: usize = 2 * PAGE;
const PAGE: usize = 16 * 1024;

type Page = [u8; PAGE];

/// The bytes.
#[derive(Clone, Debug)]
pub(crate) enum Bytes {
    Flat(Vec<u8>),
    Paged(Pages),
}

/// Bytes in pages; one that is missing is all zeros.
#[derive(Clone, Debug)]
pub(crate) struct Pages {
    len: usize,
    pages: Vec<Option<Rc<Page>>>,
}

impl Default for Bytes {
    fn default() -> Self {
        Bytes::Flat(Vec::new())
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Self) -> bool {
        let is_same = |(a, b): (&Option<Rc<Page>>, &Option<Rc<Page>>)| match (a, b) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b) || a == b,
            (Some(page), None) | (None, Some(page)) => page.iter().all(|b| *b == 0),
        };
        match (self, other) {
            (Bytes::Flat(a), Bytes::Flat(b)) => a == b,
            (Bytes::Paged(a), Bytes::Paged(b)) => a.len == b.len && a.pages.iter().zip(&b.pages).all(is_same),
            _ => false,
        }
    }
}

impl Eq for Bytes {}

impl Bytes {
    /// `len` zeros.
    pub(crate) fn zeroed(len: usize) -> Self {
        match len {
            len if len <= MAX_FLAT => Bytes::Flat(vec![0; len]),
            len => Bytes::Paged(Pages { len, pages: vec![None; len.div_ceil(PAGE)] }),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Bytes::Flat(bytes) => bytes.len(),
            Bytes::Paged(pages) => pages.len,
        }
    }

    /// The number in `len` bytes, at most 8, least significant first.
    #[inline]
    pub(crate) fn number(&self, off: usize, len: usize) -> u64 {
        match self {
            Bytes::Flat(bytes) => number(&bytes[off..off + len]),
            Bytes::Paged(pages) => {
                let mut buffer = [0; 8];
                pages.read(off, &mut buffer[..len]);
                number(&buffer[..len])
            }
        }
    }

    /// Copies bytes out.
    pub(crate) fn read(&self, off: usize, to: &mut [u8]) {
        match self {
            Bytes::Flat(bytes) => to.copy_from_slice(&bytes[off..off + to.len()]),
            Bytes::Paged(pages) => pages.read(off, to),
        }
    }

    /// Overwrites bytes.
    #[inline]
    pub(crate) fn write(&mut self, off: usize, from: &[u8]) {
        match self {
            Bytes::Flat(bytes) => bytes[off..off + from.len()].copy_from_slice(from),
            Bytes::Paged(pages) => pages.write(off, from),
        }
    }

    /// Makes all of a range one byte.
    pub(crate) fn fill(&mut self, off: usize, len: usize, byte: u8) {
        match self {
            Bytes::Flat(bytes) => bytes[off..off + len].fill(byte),
            Bytes::Paged(pages) => pages.fill(off, len, byte),
        }
    }

    /// Overwrites bytes with those of another object.
    pub(crate) fn copy_from(&mut self, off: usize, other: &Bytes, from: usize, len: usize) {
        if let Bytes::Flat(bytes) = other {
            return self.write(off, &bytes[from..from + len]);
        }
        let mut buffer = [0; 1024];
        let mut done = 0;
        while done < len {
            let n = buffer.len().min(len - done);
            other.read(from + done, &mut buffer[..n]);
            self.write(off + done, &buffer[..n]);
            done += n;
        }
    }
}

impl Pages {
    /// The parts of `off..off + len` in each page: the page, where in it, where in the range, how much.
    fn parts(off: usize, len: usize) -> impl Iterator<Item = (usize, usize, usize, usize)> {
        let mut done = 0;
        std::iter::from_fn(move || {
            if done == len {
                return None;
            }
            let at = off + done;
            let n = (PAGE - at % PAGE).min(len - done);
            done += n;
            Some((at / PAGE, at % PAGE, done - n, n))
        })
    }

    fn read(&self, off: usize, to: &mut [u8]) {
        for (page, at, start, n) in Pages::parts(off, to.len()) {
            match &self.pages[page] {
                Some(page) => to[start..start + n].copy_from_slice(&page[at..at + n]),
                None => to[start..start + n].fill(0),
            }
        }
    }

    fn page_mut(&mut self, page: usize) -> &mut Page {
        Rc::make_mut(self.pages[page].get_or_insert_with(|| Rc::new([0; PAGE])))
    }

    fn write(&mut self, off: usize, from: &[u8]) {
        for (page, at, start, n) in Pages::parts(off, from.len()) {
            self.page_mut(page)[at..at + n].copy_from_slice(&from[start..start + n]);
        }
    }

    fn fill(&mut self, off: usize, len: usize, byte: u8) {
        for (page, at, _, n) in Pages::parts(off, len) {
            if byte == 0 && (n == PAGE || self.pages[page].is_none()) {
                self.pages[page] = None;
            } else {
                self.page_mut(page)[at..at + n].fill(byte);
            }
        }
    }
}

#[inline]
fn number(bytes: &[u8]) -> u64 {
    match *bytes {
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => bytes.iter().rev().fold(0, |value, &b| value << 8 | u64::from(b)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LARGE: usize = 5 * PAGE + 100;

    /// The same operations on pages and on a plain vector.
    #[test]
    fn pages_behave_like_one_piece() {
        let (mut paged, mut flat) = (Bytes::zeroed(LARGE), Bytes::Flat(vec![0; LARGE]));
        assert!(matches!(paged, Bytes::Paged(_)));
        let mut seed = 1u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for round in 0..2_000 {
            let off = random(LARGE);
            let len = 1 + random((LARGE - off).min(3 * PAGE));
            match random(4) {
                0 => [&mut paged, &mut flat].map(|b| b.fill(off, len, (round % 3) as u8)),
                1 => {
                    let bytes: Vec<u8> = (0..len.min(40)).map(|i| (round + i) as u8).collect();
                    [&mut paged, &mut flat].map(|b| b.write(off, &bytes))
                }
                2 => {
                    let (from, source) = (random(LARGE - len + 1), paged.clone());
                    [&mut paged, &mut flat].map(|b| b.copy_from(off, &source, from, len))
                }
                _ => {
                    let n = len.min(8);
                    assert_eq!(paged.number(off, n), flat.number(off, n));
                    [(), ()]
                }
            };
        }
        let mut bytes = vec![0; LARGE];
        paged.read(0, &mut bytes);
        assert_eq!(Bytes::Flat(bytes), flat);
    }

    #[test]
    fn a_copy_keeps_its_bytes_and_shares_pages() {
        let mut first = Bytes::zeroed(LARGE);
        first.write(10, &[1, 2, 3]);
        let second = first.clone();
        first.write(11, &[9]);
        assert_eq!((first.number(10, 3), second.number(10, 3)), (0x03_09_01, 0x03_02_01));
        assert_ne!(first, second);
    }

    #[test]
    fn zeros_are_equal_whether_kept_or_not() {
        let (mut written, fresh) = (Bytes::zeroed(LARGE), Bytes::zeroed(LARGE));
        written.write(PAGE - 1, &[1, 1]);
        assert_ne!(written, fresh);
        written.write(PAGE - 1, &[0, 0]);
        assert_eq!(written, fresh);
        written.fill(0, LARGE, 0);
        assert_eq!((written.len(), written), (LARGE, fresh));
    }
}
