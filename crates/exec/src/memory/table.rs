//! A growable table with cheap copies: chunks shared until written.

use std::rc::Rc;

const CHUNK: usize = 16;

/// A vector whose clone costs one reference count for each chunk of items.
#[derive(Debug)]
pub(crate) struct CowTable<T> {
    chunks: Vec<Rc<Vec<Rc<T>>>>,
    len: usize,
}

impl<T> Clone for CowTable<T> {
    fn clone(&self) -> Self {
        CowTable { chunks: self.chunks.clone(), len: self.len }
    }
}

impl<T> Default for CowTable<T> {
    fn default() -> Self {
        CowTable { chunks: Vec::new(), len: 0 }
    }
}

impl<T: Clone> CowTable<T> {
    /// Number of items.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The item at `index`.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        Some(self.chunks.get(index / CHUNK)?.get(index % CHUNK)?)
    }

    /// The item at `index`, made unique.
    #[inline]
    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        let chunk = Rc::make_mut(self.chunks.get_mut(index / CHUNK)?);
        Some(Rc::make_mut(chunk.get_mut(index % CHUNK)?))
    }

    /// Appends an item.
    pub(crate) fn push(&mut self, item: T) {
        if self.len.is_multiple_of(CHUNK) {
            self.chunks.push(Rc::new(Vec::with_capacity(CHUNK)));
        }
        Rc::make_mut(self.chunks.last_mut().expect("just ensured")).push(Rc::new(item));
        self.len += 1;
    }

    /// Drops items from the end.
    pub(crate) fn truncate(&mut self, len: usize) {
        while self.len > len {
            let in_last = self.len - (self.chunks.len() - 1) * CHUNK;
            let drop = in_last.min(self.len - len);
            if drop == in_last {
                self.chunks.pop();
            } else {
                Rc::make_mut(self.chunks.last_mut().expect("not empty")).truncate(in_last - drop);
            }
            self.len -= drop;
        }
    }

    /// Replaces items by what `new` makes of them.
    pub(crate) fn replace(&mut self, mut new: impl FnMut(&T) -> Option<Rc<T>>) {
        for chunk in &mut self.chunks {
            for i in 0..chunk.len() {
                if let Some(item) = new(&chunk[i]) {
                    Rc::make_mut(chunk)[i] = item;
                }
            }
        }
    }

    /// Calls `f` with each pair of items at the same place that are not the same.
    pub(crate) fn differences(&self, other: &CowTable<T>, mut f: impl FnMut(Option<&Rc<T>>, Option<&Rc<T>>)) {
        for i in 0..self.chunks.len().max(other.chunks.len()) {
            let (old, new) = (self.chunks.get(i), other.chunks.get(i));
            if matches!((old, new), (Some(old), Some(new)) if Rc::ptr_eq(old, new)) {
                continue;
            }
            let len = |chunk: Option<&Rc<Vec<Rc<T>>>>| chunk.map_or(0, |chunk| chunk.len());
            for at in 0..len(old).max(len(new)) {
                let (old, new) = (old.and_then(|c| c.get(at)), new.and_then(|c| c.get(at)));
                if !matches!((old, new), (Some(old), Some(new)) if Rc::ptr_eq(old, new)) {
                    f(old, new);
                }
            }
        }
    }

    /// Items in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.chunks.iter().flat_map(|c| c.iter()).map(|item| &**item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_does_not_see_later_writes() {
        let mut a = CowTable::default();
        for i in 0..100 {
            a.push(i);
        }
        let mut b = a.clone();
        *b.get_mut(33).unwrap() = -1;
        b.truncate(40);
        b.push(7);
        assert_eq!(a.get(33), Some(&33));
        assert_eq!((a.len(), b.len()), (100, 41));
        assert_eq!((b.get(33), b.get(40), b.get(41)), (Some(&-1), Some(&7), None));
        assert_eq!(a.iter().copied().sum::<i32>(), 4950);
        b.truncate(0);
        assert_eq!(b.len(), 0);
        assert_eq!(b.get(0), None);
    }
}
