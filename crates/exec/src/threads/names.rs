//! Numbers of threads that do not depend on the schedule.
//!
//! A thread is the `n`-th child of its parent. That name gets a number when it is first met, and keeps it for
//! the whole search, so that identities of objects and names of inputs agree between interleavings.

use rustc_hash::FxHashMap;

/// The numbers given so far.
#[derive(Clone, Debug, Default)]
pub struct ThreadNames {
    numbers: FxHashMap<(u32, u32), u32>,
    /// Parent and position of thread `i + 1`.
    names: Vec<(u32, u32)>,
    /// Somebody has asked for one.
    pub(crate) is_in_use: bool,
}

impl ThreadNames {
    /// Numbers as another search gave them.
    pub fn from_names(names: Vec<(u32, u32)>) -> Self {
        let numbers = names.iter().enumerate().map(|(i, name)| (*name, i as u32 + 1)).collect();
        ThreadNames { numbers, names, is_in_use: false }
    }

    /// Parent and position of each thread but `main`, which is number 0.
    pub fn names(&self) -> &[(u32, u32)] {
        &self.names
    }

    /// Whether there were threads besides `main`.
    pub fn is_in_use(&self) -> bool {
        self.is_in_use
    }

    /// The number of the `n`-th child of `parent`.
    pub(crate) fn child(&mut self, parent: u32, n: u32) -> u32 {
        self.is_in_use = true;
        let names = &mut self.names;
        *self.numbers.entry((parent, n)).or_insert_with(|| {
            names.push((parent, n));
            names.len() as u32
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_keeps_its_number_whatever_the_order() {
        let mut names = ThreadNames::default();
        let (a, b) = (names.child(0, 0), names.child(0, 1));
        let c = names.child(a, 0);
        assert_eq!((a, b, c), (1, 2, 3));
        assert_eq!(names.child(1, 0), 3);
        let mut again = ThreadNames::from_names(names.names().to_vec());
        assert_eq!(again.child(1, 0), 3, "asked for first this time");
        assert_eq!(again.child(2, 0), 4);
    }
}
