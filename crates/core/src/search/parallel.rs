//! The threads of a search: all of them search the same root on the same table, each for itself.
//!
//! The first thread's result is the search's; the others leave in the table what it would have had to find out. In the search of
//! boards they tell each other where they are (`busy.rs`); threads that only share the table (lazy SMP), even with every second of
//! them an iteration ahead, took 1.8 times the nodes of one and saved no time, against 1.06 to 1.09 times the nodes.

use std::thread;

use super::root::{Explorer, Root};
use super::time::{Control, Steadiness};
use super::{Limits, MAX_PLY, Report};

/// What is known after an iteration.
type ReportOf<E> = Report<<E as Explorer>::Step, <E as Explorer>::Board>;

/// More are not started, whatever the limits say.
const MOST_THREADS: usize = 1024;

/// Searches a root with as many threads as the limits say; each makes itself an explorer, and its own copy of the root.
pub(super) fn run<E: Explorer>(
    explorer: impl Fn() -> E + Sync,
    root: impl Fn() -> Option<Root<E>> + Sync,
    control: &Control<'_>,
    limits: &Limits,
    observe: &mut dyn FnMut(&ReportOf<E>),
) -> Option<ReportOf<E>> {
    let mut first = root()?;
    thread::scope(|scope| {
        for _ in 1..limits.threads.clamp(1, MOST_THREADS) {
            let (explorer, root) = (&explorer, &root);
            let work = move || {
                if let Some(mut own) = root() {
                    deepen(&mut explorer(), &mut own, control, limits, 1, &mut |_| {});
                }
            };
            // Where the system has no more threads the search is slower and the same.
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        deepen(&mut explorer(), &mut first, control, limits, 1, observe);
        control.finish();
    });
    Some(first.report(control.nodes()))
}

/// One thread's iterations.
fn deepen<E: Explorer>(
    explorer: &mut E,
    root: &mut Root<E>,
    control: &Control<'_>,
    limits: &Limits,
    from: u8,
    observe: &mut dyn FnMut(&ReportOf<E>),
) {
    let last = limits.depth.unwrap_or(u8::MAX).min(MAX_PLY as u8);
    let mut steadiness = Steadiness::new(root.is_only_move());
    for depth in from..=last {
        root.iterate(explorer, depth);
        explorer.report_nodes();
        if explorer.is_stopped() {
            break;
        }
        observe(&root.report(control.nodes()));
        steadiness.note(root.best());
        if root.is_proven() || !control.may_go_on(&steadiness) {
            break;
        }
        explorer.fade();
    }
}
