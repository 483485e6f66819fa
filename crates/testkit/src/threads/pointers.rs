//! Pointers that take detours, functions in variables, and accesses that matter to nobody.
//!
//! Marks, integers and bytes carry a pointer along; bits that are branched on and memory that was never set do not. What a
//! static analysis knows of the former and not of the latter must make no difference.

use super::body::Body;
use crate::generator::Node;

/// A use of a pointer that was never set.
pub(super) const UNSET: &str = "{ cell *made; if (made == &@y) *made = 2; }";

impl Body<'_> {
    /// An access that no assertion and no other thread depends on.
    pub(super) fn noise(&mut self) -> Vec<Node> {
        self.spend(1);
        vec![Node::line(match self.rng.below(6) {
            0 | 1 => "@n0 = @n0 + 1;".to_owned(),
            2 => format!("@n1 = l{};", self.rng.below(2)),
            3 => "if (@n0 == 1) @n1 = 2;".to_owned(),
            4 => format!("@n0 = {};", self.scope.fixed(self.rng)),
            _ => "for (int n = 0; n < 2; n++) @n1 = @n1 + n;".to_owned(),
        })]
    }

    /// An access, or a call, through a pointer of unusual origin.
    pub(super) fn detour(&mut self) -> Vec<Node> {
        self.spend(2);
        let place = self.scope.fixed(self.rng);
        let uses = ["*made = 2;", "l0 = *made;", "l1 = *made;", "*made = *made + 1;"];
        let used = uses[self.rng.index(uses.len())];
        let local = |how: &str| format!("{{ cell *from = &{place}, *made; {how} {used} }}");
        vec![Node::line(match self.rng.below(16) {
            0 | 1 => local("memcpy(&made, &from, sizeof made);"),
            2 | 3 => {
                local("for (unsigned b = 0; b < sizeof made; b++) ((char *)&made)[b] = ((char *)&from)[b];")
            }
            4 => local(
                "unsigned low = (unsigned)(unsigned long)from, high = (unsigned)((unsigned long)from >> 32); made = (cell *)((unsigned long)high << 32 | low);",
            ),
            5 => local("made = (cell *)rebuilt((unsigned long)from);"),
            6 => UNSET.to_owned(),
            7 | 8 => format!("@mark = (unsigned long)&{place} | 1;"),
            9 => format!("if (@mark) {{ cell *made = (cell *)(@mark & ~1UL); {used} }}"),
            10 => "if (@mark & 1) *(cell *)(@mark - 1) = 3;".to_owned(),
            11 => "@action = @bump;".to_owned(),
            12 => "((void (*)(void))rebuilt((unsigned long)@bump))();".to_owned(),
            _ => "@action();".to_owned(),
        })]
    }
}
