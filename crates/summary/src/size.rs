//! The size of formulas, for the bound on it.

use selvedge_base::Id;
use selvedge_term::{Node, TermId, TermPool};

/// Counts nodes of formulas.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    /// In which count each term was last met.
    met: Vec<u32>,
    n_counts: u32,
    stack: Vec<TermId>,
}

impl Counter {
    /// The number of distinct nodes of a formula, unless it has more than `limit`.
    pub(crate) fn size(&mut self, pool: &TermPool, formula: TermId, limit: usize) -> Option<usize> {
        self.n_counts = self.n_counts.wrapping_add(1);
        if self.n_counts == 0 {
            self.met.fill(0);
            self.n_counts = 1;
        }
        self.met.resize(self.met.len().max(pool.len()), 0);
        self.stack.clear();
        self.stack.push(formula);
        let mut n = 0;
        while let Some(term) = self.stack.pop() {
            if std::mem::replace(&mut self.met[term.index()], self.n_counts) != self.n_counts {
                n += 1;
                if n > limit {
                    return None;
                }
                match *pool.node(term) {
                    Node::And(list) => self.stack.extend_from_slice(pool.list(list)),
                    Node::Eq(a, b) | Node::Ult(a, b) | Node::Slt(a, b) | Node::Add(a, b) => {
                        self.stack.extend_from_slice(&[a, b]);
                    }
                    Node::Not(a) | Node::Zext(a) | Node::Sext(a) => self.stack.push(a),
                    Node::Var(_) | Node::Const { .. } => {}
                    _ => self.stack.extend(pool.operands(term)),
                }
            }
        }
        Some(n)
    }
}

#[cfg(test)]
mod tests {
    use selvedge_term::Sort;

    use super::*;

    #[test]
    fn what_occurs_twice_counts_once() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.var("x", Sort::Bv(32)), pool.var("y", Sort::Bv(32)));
        let sum = pool.add(x, y);
        let product = pool.mul(sum, sum);
        assert_eq!(Counter::default().size(&pool, product, 100), Some(4));
    }

    #[test]
    fn what_is_larger_than_the_limit_has_no_size() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.var("x", Sort::Bv(32)), pool.var("y", Sort::Bv(32)));
        let sum = pool.add(x, y);
        let mut counter = Counter::default();
        assert_eq!([2, 3, 4].map(|limit| counter.size(&pool, sum, limit)), [None, Some(3), Some(3)]);
    }

    #[test]
    fn a_count_does_not_remember_the_one_before() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.var("x", Sort::Bv(32)), pool.var("y", Sort::Bv(32)));
        let (less, same) = (pool.ult(x, y), pool.eq(x, y));
        let mut counter = Counter::default();
        assert_eq!([less, same, less].map(|term| counter.size(&pool, term, 100)), [Some(3); 3]);
    }

    #[test]
    fn counts_go_on_when_their_number_overflows() {
        let mut pool = TermPool::new();
        let x = pool.var("x", Sort::Bv(32));
        let mut counter = Counter { n_counts: u32::MAX - 1, ..Counter::default() };
        for _ in 0..3 {
            assert_eq!(counter.size(&pool, x, 100), Some(1));
        }
    }
}
