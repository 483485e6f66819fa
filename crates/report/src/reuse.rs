//! What an outcome had from earlier runs, in words.

use selvedge_base::iso8601;
use selvedge_engine::{Checks, EarlierProof, KnownBugs, Reuse, Stands, StandsBecause, Unused};

/// What came from earlier runs, each line without a beginning.
pub(crate) fn lines(reuse: &Reuse) -> Vec<String> {
    let Reuse { stands, known_bugs, unused, .. } = reuse;
    if let Some(why) = unused {
        return vec![format!("nothing is used, {}", unused_because(*why))];
    }
    let mut lines = bugs(known_bugs);
    if let Some(earlier) = &reuse.proof {
        // A failure that is still there needs no proof.
        if known_bugs.same + known_bugs.other == 0 {
            lines.push(proof(earlier));
        }
        return lines;
    }
    match stands {
        Some(Stands { since, because: StandsBecause::Unchanged }) => {
            let date = iso8601(*since);
            lines.push(format!(
                "the answer of {date} to the same question stands: nothing that it rests on has changed"
            ));
        }
        Some(Stands { since, because: StandsBecause::Harmless }) => {
            let date = iso8601(*since);
            lines.push(format!("the answer of {date} to the same question stands: {}", impacted(reuse)));
        }
        // A failure that is still there needs no search.
        None if known_bugs.same + known_bugs.other > 0 && reuse.kept + reuse.again + reuse.dropped == 0 => {}
        None => {
            if reuse.is_focused {
                lines.push(format!("{}; the search was for these", impacted(reuse)));
            }
            lines.push(summaries(reuse));
        }
    }
    lines
}

/// What has become of the last proof.
fn proof(earlier: &EarlierProof) -> String {
    match earlier {
        EarlierProof::None => "there is no proof of an earlier version".to_owned(),
        EarlierProof::Holds(since) => format!("the last proof, of {}, still holds", iso8601(*since)),
        EarlierProof::Left { of, holds } => {
            let conditions = if *of == 1 { "condition" } else { "conditions" };
            format!("of {of} {conditions} of the last proof, {holds} still hold; the search began with these")
        }
        EarlierProof::Useless => "nothing of the last proof can be used".to_owned(),
    }
}

fn unused_because(why: Unused) -> &'static str {
    match why {
        Unused::Jobs => "and nothing is kept, as --jobs asks for several workers",
        Unused::Addresses => "as the answer depends on addresses of objects",
    }
}

fn impacted(reuse: &Reuse) -> String {
    let Checks { of, impacted } = reuse.checks.unwrap_or_default();
    match impacted {
        0 => format!("of {of} places that can fail, the change influences none"),
        _ => format!("of {of} places that can fail, the change influences {impacted}"),
    }
}

fn summaries(Reuse { kept, again, dropped, used, .. }: &Reuse) -> String {
    if kept + again + dropped == 0 {
        return "no summaries were known".to_owned();
    }
    let holding = if *kept == 1 { "summary holds" } else { "summaries hold" };
    let rest = if *dropped == 1 { "rests" } else { "rest" };
    let were = if *used == 1 { "was" } else { "were" };
    let states = if *used == 1 { "state" } else { "states" };
    let again = match again {
        0 => String::new(),
        1 => ", 1 holds again as the end is safe".to_owned(),
        n => format!(", {n} hold again as the end is safe"),
    };
    format!("{kept} {holding}{again}, {dropped} {rest} on changed code, {used} {states} {were} recognised")
}

/// What has become of known failures.
fn bugs(KnownBugs { same, other, fixed }: &KnownBugs) -> Vec<String> {
    let failures = |n: u64| match n {
        1 => "the known failure".to_owned(),
        n => format!("{n} known failures"),
    };
    let mut lines = Vec::new();
    if *same > 0 {
        lines.push(format!("{} {} still there", failures(*same), if *same == 1 { "is" } else { "are" }));
    }
    if *other > 0 {
        lines.push(format!("where {} came, something else fails now", failures(*other)));
    }
    if *fixed > 0 {
        lines.push(format!(
            "{} {} not happen any more with the same inputs and schedule",
            failures(*fixed),
            if *fixed == 1 { "does" } else { "do" }
        ));
    }
    lines
}
