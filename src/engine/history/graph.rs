//! The graph of a layer around some positions, solved with the past as finished games: as tables are, from the largest
//! number of stones down.

use std::collections::HashMap;

use super::{Inquiry, Range, Spot};
use crate::rules::Rules;
use crate::search::Probe;
use crate::value::Value;

/// Where a move leads, seen from the player who makes it.
enum Edge {
    /// Out of the layer, or to the end of the game.
    Exit(Range),
    /// To the position of this number.
    To(usize),
}

/// What is known of a position, mover's view.
enum Node {
    /// Enough.
    Leaf(Range),
    /// Its moves.
    Inner(Vec<Edge>),
}

impl Node {
    fn is_sure(&self) -> bool {
        match self {
            Self::Leaf(range) => range.is_exact(),
            Self::Inner(edges) => edges.iter().all(|edge| match edge {
                Edge::Exit(range) => range.is_exact(),
                Edge::To(_) => true,
            }),
        }
    }
}

/// The positions met.
struct Graph {
    spots: Vec<Spot>,
    numbers: HashMap<Spot, usize>,
    nodes: Vec<Node>,
}

impl Graph {
    fn number(&mut self, spot: Spot) -> usize {
        let spots = &mut self.spots;
        *self.numbers.entry(spot).or_insert_with(|| {
            spots.push(spot);
            spots.len() - 1
        })
    }

    /// The worth to its mover of every position and the plies to its event, if what is not known is as bad for one player as it can
    /// be: for the one to move now, or for the other if it is `good`.
    fn solve(&self, good: bool) -> Vec<(i8, u16)> {
        // Where the player to move now is the mover, the lower end is the bad one.
        let end = |range: Range, turned: bool| if turned == good { range.low } else { range.high };
        let mut worth: Vec<Option<(i8, u16)>> = vec![None; self.nodes.len()];
        let mut most = 0;
        for (at, node) in self.nodes.iter().enumerate() {
            let turned = self.spots[at].turned;
            match node {
                Node::Leaf(range) => {
                    let value = end(*range, turned);
                    worth[at] = Some((value, 0));
                    most = most.max(value.abs());
                }
                Node::Inner(edges) => {
                    let exits = edges.iter().filter_map(|edge| match edge {
                        Edge::Exit(range) => Some(end(*range, turned).abs()),
                        Edge::To(_) => None,
                    });
                    most = exits.fold(most, i8::max);
                }
            }
        }
        for stones in (1..=most).rev() {
            let mut round = 0;
            loop {
                round += 1;
                let decided = |(at, node): (usize, &Node)| {
                    let Node::Inner(edges) = node else { return None };
                    if worth[at].is_some() {
                        return None;
                    }
                    let (mut best, mut open) = (i8::MIN, false);
                    for edge in edges {
                        match *edge {
                            Edge::Exit(range) => best = best.max(end(range, self.spots[at].turned)),
                            Edge::To(next) => match worth[next] {
                                Some((theirs, _)) => best = best.max(-theirs),
                                None => open = true,
                            },
                        }
                    }
                    (best >= stones || !open && best <= -stones).then_some((at, best))
                };
                let found: Vec<(usize, i8)> = self.nodes.iter().enumerate().filter_map(decided).collect();
                if found.is_empty() {
                    break;
                }
                found.into_iter().for_each(|(at, value)| worth[at] = Some((value, round)));
            }
        }
        worth.into_iter().map(|worth| worth.unwrap_or((0, 0))).collect()
    }
}

impl<R: Rules, P: Probe> Inquiry<'_, R, P> {
    /// What these positions are worth to their movers. If only a `claimant` can hope for more than 0 in them (whether that is the opponent
    /// of the player to move now), positions without hope count as 0: nobody has to go there.
    pub(super) fn explore(&mut self, roots: &[Spot], claimant: Option<bool>) -> Vec<Range> {
        let mut graph = Graph { spots: Vec::new(), numbers: HashMap::new(), nodes: Vec::new() };
        for &root in roots {
            graph.number(root);
        }
        let mut is_sure = true;
        while graph.nodes.len() < graph.spots.len() {
            let spot = graph.spots[graph.nodes.len()];
            let node = match self.leaf(spot, claimant) {
                Some(range) => Node::Leaf(range),
                None if self.spend() => self.inner(spot, &mut graph),
                None => Node::Leaf(self.limits(spot)),
            };
            is_sure &= node.is_sure();
            graph.nodes.push(node);
        }
        let bad = graph.solve(false);
        let good = if is_sure { bad.clone() } else { graph.solve(true) };
        for (at, &spot) in graph.spots.iter().enumerate() {
            if bad[at].0 == good[at].0 && matches!(graph.nodes[at], Node::Inner(_)) {
                self.solved.insert(spot, bad[at]);
            }
        }
        let range = |root: &Spot| {
            let at = graph.numbers[root];
            Range { low: bad[at].0.min(good[at].0), high: bad[at].0.max(good[at].0) }
        };
        roots.iter().map(range).collect()
    }

    /// What a position is worth that need not be looked into.
    fn leaf(&mut self, spot: Spot, claimant: Option<bool>) -> Option<Range> {
        if self.past.contains(&spot) {
            return Some(Range::exact(0));
        }
        let (value, _) = self.known(spot.board)?;
        let better = if value.0 > 0 { spot.turned } else { !spot.turned };
        if value == Value::ZERO || claimant.is_some_and(|claimant| claimant != better) {
            return Some(Range::exact(0));
        }
        self.is_way_free(spot, 0).then_some(Range::exact(value.0))
    }

    /// A position with its moves.
    fn inner(&mut self, spot: Spot, graph: &mut Graph) -> Node {
        let edges = self.moves(spot).into_iter().map(|(_, captured, next, stays)| {
            if stays {
                return Edge::To(graph.number(next));
            }
            let known = self.known(next.board).map(|(value, _)| Range::exact(value.0));
            Edge::Exit(known.unwrap_or(Range::most(next.board.total())).of_move(captured))
        });
        Node::Inner(edges.collect())
    }

    /// All that is known of a position without looking into it.
    fn limits(&mut self, spot: Spot) -> Range {
        let known = self.known(spot.board).map(|(value, _)| Range::exact(value.0).with_zero());
        known.unwrap_or(Range::most(spot.board.total()))
    }
}
