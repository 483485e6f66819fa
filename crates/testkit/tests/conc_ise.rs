//! The examples of [Conc-iSE]: Guo, Kusano, Wang, "Conc-iSE: Incremental Symbolic Execution of Concurrent Software", ASE 2016.

use selvedge_engine::{Ag, Config, Dpor, Outcome, Property, Reduction, Verdict};
use selvedge_frontend::{Options, load};
use selvedge_program::Program;
use selvedge_testkit::lineage::{Lineage, Way, difference, from_scratch};

fn program(name: &str, text: &str) -> Program {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, text).expect("a writable directory for tests");
    load(&Options { files: vec![file], ..Options::default() }).expect("a valid program")
}

/// Two versions, the second one changed.
struct Versions {
    old: Program,
    new: Program,
}

impl Versions {
    fn new(name: &str, text: &str, (from, to): (&str, &str)) -> Versions {
        assert!(text.contains(from), "the change applies");
        let changed = text.replacen(from, to, 1);
        Versions {
            old: program(&format!("{name}-1.c"), text),
            new: program(&format!("{name}-2.c"), &changed),
        }
    }

    /// The new version from scratch, and with what is known of the old one.
    fn check(&self, reduction: Reduction, way: Way) -> (Outcome, Outcome) {
        let config = Config::default().with(|c| {
            c.reduction = reduction;
            c.properties = vec![Property::Assert];
        });
        let mut lineage = Lineage::new(way);
        assert_eq!(lineage.check(&self.old, &config).verdict, Verdict::Safe);
        let (fresh, again) = (from_scratch(&self.new, &config), lineage.check(&self.new, &config));
        assert_eq!(difference(&fresh, &again), None);
        (fresh, again)
    }
}

fn runs((fresh, again): &(Outcome, Outcome)) -> (u64, u64) {
    (fresh.executions.total, again.executions.total)
}

/// Figures 2 and 3.
const FIGURE_2: &str = "
#include <assert.h>
#include <pthread.h>
int x, y;
void *one(void *p) { int a = x; y = 1; assert(a < 5); return 0; }
void *two(void *p) { x = 1; int b = y; assert(b < 5); return 0; }
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
";

#[test]
fn figures_2_and_3_four_runs_become_two() {
    let versions = Versions::new("figure-2", FIGURE_2, ("x = 1", "x = 2"));
    let dpor = Reduction::Dpor(Dpor::default());
    assert_eq!(runs(&versions.check(dpor, Way::Impact)), (4, 2));
    // The paper's threads make two steps each, hence 6; ours also start, end and are joined at any time.
    assert_eq!(runs(&versions.check(Reduction::None, Way::Impact)), (69, 19));
    let (fresh, again) = runs(&versions.check(Reduction::default(), Way::All));
    assert!(again <= 2 && again <= fresh, "{again} of {fresh}");
}

#[test]
fn an_assertion_over_what_both_threads_read_needs_all_four_runs() {
    let text = FIGURE_2
        .replace("int a = x;", "a = x;")
        .replace("assert(a < 5);", "")
        .replace("int b = y; assert(b < 5);", "b = y;")
        .replace("int x, y;", "int x, y, a, b;")
        .replace("    return 0;\n}", "    assert(a + b < 9);\n    return 0;\n}");
    let versions = Versions::new("figure-2-sum", &text, ("x = 1", "x = 2"));
    assert_eq!(runs(&versions.check(Reduction::Dpor(Dpor::default()), Way::Impact)), (4, 4));
}

/// Figure 10: the Wheel Brake System, with an assertion about each of its outputs.
const WBS: &str = "
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int meter, alt;
void update(int pedal, int bswitch, int cmd)
{
    if (pedal == 0)
        cmd = cmd + 1;
    else if (pedal == 1)
        cmd = cmd + 2;
    else
        cmd = pedal;
    cmd = cmd + 1;
    if (bswitch == 0)
        meter = 1;
    else if (bswitch == 1)
        meter = 2;
    assert(meter < 3);
    if (cmd == 2)
        alt = 0;
    else if (cmd == 3)
        alt = 1;
    else
        alt = 2;
    assert(alt < 3);
}
void *step(void *p)
{
    int pedal = __VERIFIER_nondet_int(), bswitch = __VERIFIER_nondet_int();
    update(pedal, bswitch, __VERIFIER_nondet_int());
    return p;
}
int main(void)
{
    START
    return 0;
}
";

fn wbs(name: &str, start: &str) -> Versions {
    Versions::new(name, &WBS.replace("START", start), ("pedal == 0", "pedal <= 0"))
}

/// The paper counts 21, 7 and 2. DiSE looks at the third way of the command once, because all that it comes to has been
/// covered; but two ways go on from there, a command of 3 and any other, so there are 3 + 3 + 2 ways about the command, each
/// with three about the switch.
#[test]
fn figure_10_what_the_switch_does_is_not_explored_again() {
    let alone = wbs("wbs", "step(0);");
    assert_eq!(runs(&alone.check(Reduction::None, Way::Impact)), (24, 8));
    assert_eq!(runs(&alone.check(Reduction::Dpor(Dpor::default()), Way::Impact)), (24, 8));
}

/// Summaries are made where there are threads. The paper has two partial runs, one for each way of the first condition. Ours
/// speak of states, in which the condition has its value: the branch on it is the same as before, so the one run that
/// comes to it is recognised before it goes either way.
#[test]
fn figure_10_summaries_leave_one_partial_run() {
    let start = "pthread_t t; pthread_create(&t, 0, step, 0); pthread_join(t, 0);";
    let in_thread = wbs("wbs-thread", start);
    let all = Reduction::Ag(Ag::default());
    let checked = in_thread.check(all, Way::All);
    assert_eq!(runs(&checked).1, 1, "{:?}", checked.1.reuse);
    assert_eq!(checked.1.executions.full, 0, "it is recognised");
    assert_eq!(runs(&in_thread.check(Reduction::Dpor(Dpor::default()), Way::Impact)), (24, 8));
}
