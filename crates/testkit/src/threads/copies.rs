//! Statements that move more than a word: assignments of structures, `memcpy` and its relatives, arguments by value.
//!
//! Others see them half done, so the places they touch are also read and written word by word.

use super::body::Body;
use crate::generator::Node;

impl Body<'_> {
    /// A copy in shared memory, or an access to what is copied.
    pub(super) fn copy(&mut self) -> Vec<Node> {
        let (to, from) = if self.rng.chance(50) { ("@c0", "@c1") } else { ("@c1", "@c0") };
        let at = self.rng.below(2);
        let (steps, text) = match self.rng.below(18) {
            0 => (4, format!("{to} = {from};")),
            1 => (4, format!("memcpy(&{to}, &{from}, sizeof {to});")),
            2 | 3 => (2, format!("{{ struct two own = {from}; l0 = (int)own.v[0]; l1 = (int)own.v[1]; }}")),
            4 | 5 => (2, format!("{{ struct two own = {{{{l0 + 1, {at}}}}}; {to} = own; }}")),
            6 => (2, format!("memset(&{to}, {at}, sizeof {to});")),
            7 => (2, format!("memmove(&{to}.v[1], &{to}.v[0], sizeof {to}.v[0]);")),
            8 => (4, "memmove(&@d[1], &@d[0], 2 * sizeof @d[0]);".to_owned()),
            9 => (4, "memmove(&@d[0], &@d[1], 2 * sizeof @d[0]);".to_owned()),
            10 => (1, format!("@d[{}] = l0 + 1;", self.rng.below(3))),
            11 => (1, format!("l{at} = @d[{}];", self.rng.below(3))),
            12 => (3, "l0 = sum(@three);".to_owned()),
            13 => (1, format!("@three.v[{}] = 1;", self.rng.below(3))),
            14 => (4, (*self.rng.pick(&["@k0 = @k1;", "memcpy(&@k1, &@k0, sizeof @k1);"])).to_owned()),
            15 => (2, "if (@k0.to) *@k0.to = 3;".to_owned()),
            16 => match self.scope.input(self.rng) {
                Some(input) => (3, format!("memcpy(&{to}, &{from}, 8 * (unsigned long){input});")),
                None => {
                    (3, "{ struct link own = {malloc(sizeof(cell)), 1}; *own.to = 2; @k1 = own; }".to_owned())
                }
            },
            _ if self.rng.chance(50) => (1, format!("{to}.v[{at}] = l1 + 1;")),
            _ => (1, format!("l{} = (int){from}.v[{at}];", self.rng.below(2))),
        };
        self.spend(steps);
        vec![Node::line(text)]
    }
}
