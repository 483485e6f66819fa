//! A proof as it is kept for later versions of the program.
//!
//! The text of a proof names functions, blocks, registers and objects by numbers, which versions share
//! (`selvedge_incremental::align`), and the lines where threads stand, which they do not. So the places are kept as places
//! in the code; [`Kept::moved`] is the same proof as one about another version.
//!
//! Guarantee: none. What comes out is a proof only if the checker accepts it.

use std::collections::BTreeMap;

use selvedge_exec::{CodeNames, Place};
use selvedge_program::Program;
use selvedge_prove::{open, seal};
use serde::{Deserialize, Serialize};

use crate::proof::{Stand, Stands, shown};

/// Function, block and position of an instruction, by the numbers that versions share.
type Numbers = (u32, u32, u32);

/// A proof of one version, for others.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Kept {
    proof: String,
    /// For each control state, by its name: where its threads stand.
    stands: BTreeMap<u64, Vec<(u32, Numbers)>>,
}

impl Kept {
    /// A proof whose threads stand at these places.
    pub(crate) fn new(proof: String, stands: &Stands, names: Option<&CodeNames>) -> Kept {
        let numbers = |at: &Place| {
            let (block, inst) = names.map_or((at.block.0, at.inst), |names| names.place(*at));
            (at.func.0, block, inst)
        };
        let lasting =
            |stand: &Stand| stand.iter().map(|(thread, at)| (*thread as u32, numbers(at))).collect();
        let stands = stands.iter().map(|(name, stand)| (name.number(), lasting(stand))).collect();
        Kept { proof, stands }
    }

    /// The text of the proof.
    pub fn proof(&self) -> &str {
        &self.proof
    }

    /// The proof as one about `system`, a version of the program, without the control states whose code is gone. `None` if
    /// it is none at all.
    pub(crate) fn moved(&self, system: &str, program: &Program, names: Option<&CodeNames>) -> Option<Kept> {
        let own = self.proof.lines().nth(1)?.strip_prefix("system ")?;
        let opened = open(&self.proof, own).ok()?;
        let places = Places::new(program, names);
        let mut body = String::new();
        let mut stands = BTreeMap::new();
        let mut is_there = true;
        for (_, line) in opened.lines {
            if let Some(state) = line.strip_prefix("state ") {
                let name = state.split(' ').next().unwrap_or_default();
                let number = u64::from_str_radix(name, 16).ok()?;
                let known = self.stands.get(&number).and_then(|stand| Some((stand, places.all(stand)?)));
                is_there = known.is_some();
                if let Some((stand, here)) = known {
                    stands.insert(number, stand.clone());
                    body.push_str(format!("state {name} {}", shown(program, &here)).trim_end());
                    body.push('\n');
                }
            } else if is_there {
                body.push_str(line);
                body.push('\n');
            }
        }
        Some(Kept { proof: seal(system, opened.check, &body), stands })
    }
}

/// Places in the code by the numbers that versions share.
struct Places(BTreeMap<Numbers, Place>);

impl Places {
    fn new(program: &Program, names: Option<&CodeNames>) -> Places {
        let mut places = BTreeMap::new();
        for (func, function) in program.funcs.enumerate().filter(|(_, function)| !function.is_runtime) {
            for (block, body) in function.blocks.enumerate() {
                for inst in 0..body.insts.len() as u32 {
                    let place = Place { func, block, inst };
                    let (block, inst) = names.map_or((block.0, inst), |names| names.place(place));
                    places.insert((func.0, block, inst), place);
                }
            }
        }
        Places(places)
    }

    fn all(&self, stand: &[(u32, Numbers)]) -> Option<Stand> {
        stand.iter().map(|(thread, at)| Some((*thread as usize, *self.0.get(at)?))).collect()
    }
}
