//! The threads of a search: all of them search the same root on the same table, each for itself (lazy SMP).
//!
//! The first thread's result is the search's; the others leave in the table what it would have had to find out. Every second
//! of them is an iteration ahead, so that they do not all do the same at the same time.

use std::sync::atomic::AtomicBool;
use std::thread;

use super::negamax::{Shared, Worker};
use super::probe::Probe;
use super::root::Root;
use super::time::{Control, Steadiness};
use super::{Limits, MAX_PLY, Report, Setup, Step};
use crate::board::Board;
use crate::rules::Rules;

/// See [`super::search`].
pub(super) fn run<R: Rules, P: Probe>(
    setup: &Setup<'_, R, P>,
    board: Board,
    steps: &[Step],
    limits: &Limits,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(&Report),
) -> Option<Report> {
    let root = || Root::new(&setup.rules, setup.evaluation, board, steps, limits.lines);
    let mut first = root()?;
    let control = Control::new(limits, stop);
    setup.table.begin_search();
    let shared = Shared {
        rules: setup.rules,
        probe: setup.probe,
        table: setup.table,
        evaluation: setup.evaluation,
        control: &control,
    };
    thread::scope(|scope| {
        for helper in 1..limits.threads.max(1) {
            let (shared, root) = (&shared, &root);
            scope.spawn(move || {
                if let Some(mut own) = root() {
                    deepen(shared, &mut own, limits, 1 + (helper & 1) as u8, &mut |_| {});
                }
            });
        }
        deepen(&shared, &mut first, limits, 1, observe);
        control.finish();
    });
    Some(first.report(control.nodes()))
}

/// One thread's iterations.
fn deepen<R: Rules, P: Probe>(
    shared: &Shared<'_, R, P>,
    root: &mut Root,
    limits: &Limits,
    from: u8,
    observe: &mut dyn FnMut(&Report),
) {
    let last = limits.depth.unwrap_or(u8::MAX).min(MAX_PLY as u8);
    let mut worker = Worker::new(shared);
    let mut steadiness = Steadiness::new(root.is_only_move());
    for depth in from..=last {
        root.iterate(&mut worker, depth);
        worker.report_nodes();
        if worker.is_stopped() {
            break;
        }
        observe(&root.report(shared.control.nodes()));
        steadiness.note(root.best());
        if root.is_proven() || !shared.control.may_go_on(&steadiness) {
            break;
        }
        worker.memory.fade();
    }
}
