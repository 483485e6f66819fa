//! A changed program is proved with what is known of its last version, and the verdict is that of a search from scratch.
//!
//! `SELVEDGE_PROOF_CHAINS` sets the number of chains of each program (1), `SELVEDGE_DIFF_SEED` the first seed (0).

use std::path::Path;
use std::time::Duration;

use selvedge_testkit::proof_chains::{Seen, chain, programs};
use selvedge_testkit::wishes::number;

#[test]
fn edited_programs_are_proved_as_from_scratch() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/prove");
    let programs = programs(&folder).expect("programs that compile");
    let first = number("SELVEDGE_DIFF_SEED", 0) + 50;
    let mut seen = Seen::default();
    for seed in first..first + number("SELVEDGE_PROOF_CHAINS", 1) {
        for (i, program) in programs.iter().enumerate() {
            seen.add(chain(program, 5, 100 * seed + i as u64, Duration::from_millis(500)));
        }
    }
    assert!(seen.mismatches.is_empty(), "{}", seen.mismatches.join("\n"));
    assert!(seen.versions > 50 && seen.changed > 8, "{seen:?}");
    assert!(seen.held > 5 && seen.begun > 2 && seen.failed > 3, "{seen:?}");
}
