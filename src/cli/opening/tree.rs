//! `kpe opening tree`: the moves of the opening and what they are worth.

use std::path::PathBuf;

use clap::Args;
use kpe::opening::report::tree_page;
use kpe::opening::tree::{Tree, tree};
use kpe::value::Value;

use super::Common;
use crate::cli::exit::Status;
use crate::cli::output::{Output, write_file};
use crate::cli::units::number;

/// Show the tree of exact values, merged where lines transpose
#[derive(Args)]
pub(super) struct TreeArgs {
    /// Plies from the start; the program's own book suffices for nine
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u8>(0..=10))]
    plies: u8,
    /// Print the tree in the language of Graphviz
    #[arg(long, conflicts_with = "json")]
    dot: bool,
    /// Write the tree as a page to a file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(args: &TreeArgs) -> anyhow::Result<Status> {
    let source = args.common.open()?;
    let tree = tree(&args.common.values(&source)?, args.plies)?;
    if let Some(file) = &args.html {
        write_file(file, &[], tree_page(&tree).as_bytes())?;
        return Ok(Status::Done);
    }
    if args.dot {
        let mut out = Output::new();
        out.line(tree.dot().trim_end())?;
        out.finish()?;
        return Ok(Status::Done);
    }
    args.common.print("kpe.opening.tree/1", &tree, lines)
}

/// Each node on a line: how to get there, its value, its moves.
pub(super) fn lines(tree: &Tree) -> Vec<String> {
    let mut lines = vec![format!("{:10} {:>5} {:>6}  moves", "line", "value", "hold")];
    for node in &tree.nodes {
        let line = if node.line.is_empty() { "start" } else { &node.line };
        let moves: Vec<String> =
            node.moves.iter().map(|action| format!("{} {:>3}", action.action, Value(action.value))).collect();
        // Blank where it is not known.
        let hold = node.holding.map(|holding| format!("{holding}/{}", node.choices)).unwrap_or_default();
        lines.push(format!("{line:10} {:>5} {hold:>6}  {}", Value(node.value), moves.join("  ")).trim_end().to_owned());
    }
    lines
}
