//! `kpe opening orders`: binding oneself to an order of unlocking.

use clap::Args;
use kpe::opening::orders::{Orders, orders};
use kpe::value::Value;

use super::{Common, wrapped};
use crate::cli::exit::Status;

/// Value each order in which a player can sow his four pits on his first four turns
#[derive(Args)]
pub(super) struct OrdersArgs {
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(args: &OrdersArgs) -> anyhow::Result<Status> {
    let source = args.common.open()?;
    let orders = orders(&args.common.values(&source)?)?;
    args.common.print("kpe.opening.orders/1", &orders, lines)
}

fn lines(orders: &Orders) -> Vec<String> {
    let mut lines = vec!["What a player can force who alone is bound, from his own view:".to_owned()];
    lines.push(format!("{:20} {:>5} {:>5}", "order", "South", "North"));
    for figures in &orders.orders {
        lines.push(format!("{:20} {:>5} {:>5}", figures.order, Value(figures.south), Value(figures.north)));
    }
    let own = orders.own_choice;
    lines.push(format!("{:20} {:>5} {:>5}", "choosing as he goes", Value(own.south), Value(own.north)));
    lines.push(format!("{:20} {:>5} {:>5}", "free", Value(orders.free), Value(-orders.free)));
    lines.push(String::new());
    lines.push("Both bound, values for South (rows South's order, columns North's):".to_owned());
    let names: Vec<&str> = orders.orders.iter().map(|figures| figures.order.as_str()).collect();
    lines.push(format!("     {}", names.iter().map(|name| format!("{name:>5}")).collect::<String>()));
    for (name, row) in names.iter().zip(&orders.matrix) {
        lines.push(format!("{name} {}", row.iter().map(|&value| format!("{:>5}", Value(value))).collect::<String>()));
    }
    lines.push(String::new());
    lines.extend(wrapped(&orders.sentence()));
    lines
}
