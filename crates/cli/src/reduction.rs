//! From flags to the reduction of interleavings.
//!
//! Guarantee: a switch that would change nothing is refused.

use selvedge_engine::{Ag, Backtrack, Dpor, Reduction, ReductionKind, SummaryLimits};

use crate::args::SearchArgs;
use crate::failure::Failure;

/// The reduction that the flags describe.
pub(crate) fn reduction(args: &SearchArgs) -> Result<Reduction, Failure> {
    let of_classes = [("--source-sets", args.source_sets), ("--no-sleep", args.no_sleep)];
    let of_tables = [
        ("--summary-entries", args.summary_entries.is_some()),
        ("--summary-size", args.summary_size.is_some()),
    ];
    let of_ag = [("--no-summaries", args.no_summaries), ("--no-slice", args.no_slice)];
    let no_dpor = [("--no-dpor", args.no_dpor)];
    match args.reduce {
        ReductionKind::None => {
            refuse("--reduce none", [&no_dpor[..], &of_classes, &of_ag, &of_tables])?;
            Ok(Reduction::None)
        }
        ReductionKind::Dpor => {
            refuse("--reduce dpor", [&of_ag[..], &of_tables])?;
            if args.no_dpor {
                return Err(Failure::new("--reduce dpor --no-dpor leaves nothing to reduce by")
                    .help("to run every interleaving: --reduce none"));
            }
            Ok(Reduction::Dpor(dpor(args)))
        }
        ReductionKind::Ag => {
            if args.no_dpor {
                refuse("--no-dpor", [&of_classes[..]])?;
            }
            if args.no_summaries {
                refuse("--no-summaries", [&of_tables[..]])?;
            }
            let limits = SummaryLimits::default();
            let limits = SummaryLimits {
                entries: args.summary_entries.unwrap_or(limits.entries),
                size: args.summary_size.unwrap_or(limits.size),
            };
            Ok(Reduction::Ag(Ag {
                dpor: (!args.no_dpor).then(|| dpor(args)),
                summaries: (!args.no_summaries).then_some(limits),
                slice: !args.no_slice,
            }))
        }
    }
}

fn dpor(args: &SearchArgs) -> Dpor {
    let backtrack = if args.source_sets { Backtrack::SourceSets } else { Backtrack::WakeupTrees };
    Dpor { backtrack, sleep: !args.no_sleep }
}

/// Refuses the first switch that is given though `under` leaves it nothing to do.
fn refuse<const N: usize>(under: &str, switches: [&[(&str, bool)]; N]) -> Result<(), Failure> {
    match switches.concat().iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::new(format!("{flag} changes nothing with {under}"))
            .help("leave one of the two out; `selvedge check --help` says what each of them is for")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;

    fn lowered(flags: &str) -> Result<Reduction, String> {
        let args = ["selvedge", "check"].into_iter().chain(flags.split_whitespace()).chain(["a.c"]);
        match Cli::try_parse_from(args).expect("valid flags").command {
            Command::Check(args) => reduction(&args.search).map_err(|e| e.into_diagnostic().message),
            other => panic!("not a check: {other:?}"),
        }
    }

    #[test]
    fn every_switch_changes_its_part() {
        let (dpor, ag) = (Dpor::default(), Ag::default());
        let sets = Dpor { backtrack: Backtrack::SourceSets, ..dpor };
        let awake = Dpor { sleep: false, ..dpor };
        let tiny = SummaryLimits { entries: 5, size: 40 };
        let expected = [
            ("", Reduction::Ag(ag)),
            ("--reduce none", Reduction::None),
            ("--reduce dpor", Reduction::Dpor(dpor)),
            ("--reduce dpor --source-sets", Reduction::Dpor(sets)),
            ("--reduce dpor --no-sleep", Reduction::Dpor(awake)),
            ("--source-sets", Reduction::Ag(Ag { dpor: Some(sets), ..ag })),
            ("--no-dpor", Reduction::Ag(Ag { dpor: None, ..ag })),
            ("--no-summaries", Reduction::Ag(Ag { summaries: None, ..ag })),
            ("--no-slice", Reduction::Ag(Ag { slice: false, ..ag })),
            ("--summary-entries 5 --summary-size 40", Reduction::Ag(Ag { summaries: Some(tiny), ..ag })),
        ];
        for (flags, reduction) in expected {
            assert_eq!(lowered(flags), Ok(reduction), "{flags}");
        }
    }

    #[test]
    fn a_switch_without_effect_is_refused() {
        let all = "--no-dpor --no-sleep --source-sets --no-summaries --no-slice";
        let tables = ["--summary-entries 5", "--summary-size 40"];
        for switch in all.split_whitespace().chain(tables) {
            let message = lowered(&format!("--reduce none {switch}")).expect_err("nothing is reduced");
            let flag = switch.split_whitespace().next().expect("a flag");
            assert_eq!(message, format!("{flag} changes nothing with --reduce none"));
        }
        for flags in [
            "--reduce dpor --no-dpor",
            "--reduce dpor --no-slice",
            "--reduce dpor --no-summaries",
            "--reduce dpor --summary-size 40",
            "--no-dpor --source-sets",
            "--no-dpor --no-sleep",
            "--no-summaries --summary-entries 5",
        ] {
            assert!(lowered(flags).is_err(), "{flags}");
        }
    }
}
