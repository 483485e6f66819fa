//! What real programs use less often: futexes, keys, robust mutexes, C11 threads, addresses as numbers.

use super::body::Body;
use crate::generator::Node;

impl Body<'_> {
    /// One of these, with what belongs to it.
    pub(super) fn rare(&mut self) -> Vec<Node> {
        match self.rng.below(12) {
            10 | 11 => self.block(),
            0..=2 => self.futex(),
            3 | 4 => self.key(),
            5 | 6 => self.robust(),
            7 | 8 => self.c11(),
            _ => self.numbers(),
        }
    }

    fn futex(&mut self) -> Vec<Node> {
        self.spend(3);
        vec![Node::line(match self.rng.below(7) {
            6 => "l0 = futex_soon(&@word, 0) != 0;",
            0 => "futex(&@word, FUTEX_WAIT_PRIVATE, 0);",
            1 => "while (@word == 0) futex(&@word, FUTEX_WAIT_PRIVATE, 0);",
            2 => "l0 = (int)futex(&@word, FUTEX_WAKE_PRIVATE, 1);",
            3 => "@word = 1; futex(&@word, FUTEX_WAKE_PRIVATE, 9);",
            _ => "@word = 1; futex(&@word, FUTEX_WAKE_PRIVATE, 1);",
        })]
    }

    /// The destructor of the key counts.
    fn key(&mut self) -> Vec<Node> {
        self.spend(1);
        vec![Node::line(match self.rng.below(3) {
            0 => "l0 = (int)(long)pthread_getspecific(@key);".to_owned(),
            1 => "pthread_setspecific(@key, 0);".to_owned(),
            _ => format!("pthread_setspecific(@key, (void *){}L);", self.rng.range(1, 3)),
        })]
    }

    /// A mutex whose owner may end without giving it back.
    fn robust(&mut self) -> Vec<Node> {
        self.spend(2);
        let lock = "l1 = pthread_mutex_lock(&@robust); if (l1 == EOWNERDEAD) pthread_mutex_consistent(&@robust); l1 = l1 == EOWNERDEAD;";
        let place = self.scope.fixed(self.rng);
        let unlock = match self.rng.below(4) {
            0 if self.held.is_empty() => {
                "if (l0 == 0) pthread_exit((void *)1); pthread_mutex_unlock(&@robust);"
            }
            1 if self.held.is_empty() => "pthread_exit((void *)2);",
            _ => "pthread_mutex_unlock(&@robust);",
        };
        vec![Node::line(format!("{lock} {place} = {place} + 1; {unlock}"))]
    }

    fn c11(&mut self) -> Vec<Node> {
        self.spend(2);
        let place = self.scope.fixed(self.rng);
        vec![Node::line(match self.rng.below(5) {
            0 => format!("mtx_lock(&@mtx); {place} = {place} + 1; mtx_unlock(&@mtx);"),
            1 => format!(
                "if (mtx_trylock(&@mtx) == thrd_success) {{ {place} = 2; mtx_unlock(&@mtx); }} else l0 = 1;"
            ),
            2 => "mtx_lock(&@mtx); while (!@ready) cnd_wait(&@cnd, &@mtx); mtx_unlock(&@mtx);".to_owned(),
            3 => "mtx_lock(&@mtx); @ready = 1; cnd_signal(&@cnd); mtx_unlock(&@mtx);".to_owned(),
            _ => "call_once(&@flag_once, @first);".to_owned(),
        })]
    }

    /// A block of inputs, which may be read by another thread, later, or not at all.
    fn block(&mut self) -> Vec<Node> {
        self.spend(1);
        let (place, local) = (self.scope.fixed(self.rng), self.rng.below(2));
        let at = self.rng.below(2);
        vec![Node::line(match self.rng.below(5) {
            0 | 1 if self.scope.inputs > 0 => {
                self.scope.inputs -= 1;
                "klee_make_symbolic(&@in, sizeof @in, \"in\");".to_owned()
            }
            2 if self.scope.inputs > 0 => {
                self.scope.inputs -= 1;
                format!(
                    "{{ unsigned char own[2]; klee_make_symbolic(own, sizeof own, \"own\"); {place} = own[{at}] & 1; l0 = own[0] & 1; }}"
                )
            }
            3 => format!("{place} = @in.v[{at}] & 1;"),
            _ => format!("l{local} = @in.v[{at}] & 1;"),
        })]
    }

    /// An address that travels as a number.
    fn numbers(&mut self) -> Vec<Node> {
        self.spend(1);
        vec![Node::line(match self.rng.below(4) {
            0 => "if (@number) *(cell *)(@number ^ 1) = 3;",
            1 => "{ cell *fresh = malloc(sizeof(cell)); *fresh = 1; @number = (unsigned long)fresh ^ 1; }",
            2 => "@number = (unsigned long)&@y ^ 1;",
            _ => "if (@number) l0 = *(cell *)(@number ^ 1);",
        })]
    }
}
