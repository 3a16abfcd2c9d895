//! The graph of a game and its solution; `mod.rs` says what is solved and how.
//!
//! A *claim* is a node together with who claims: the player to move there, or the other. Claim 2i is that of node i's mover, claim
//! 2i + 1 that of his opponent. An edge leads from claims to claims and exchanges the two unless the same player moves on.

/// Edges keep in their lowest bit whether the claims are exchanged.
pub(super) const MOST_NODES: usize = 1 << 31;

/// Nodes, their worth and their edges.
#[derive(Default)]
pub(super) struct Graph {
    /// For the mover: of a finished game the end, else the lead.
    worth: Vec<i8>,
    ended: Vec<bool>,
    /// Where the edges of a node begin.
    starts: Vec<usize>,
    /// 2 · node + exchange.
    edges: Vec<u32>,
}

impl Graph {
    /// Begins the next node, whose edges follow.
    pub(super) fn begin(&mut self, worth: i8, ended: bool) {
        self.worth.push(worth);
        self.ended.push(ended);
        self.starts.push(self.edges.len());
    }

    /// An edge of the node begun last.
    pub(super) fn edge(&mut self, node: u32, same: bool) {
        self.edges.push(node << 1 | u32::from(!same));
    }

    fn edges(&self, node: usize) -> &[u32] {
        let end = self.starts.get(node + 1).copied().unwrap_or(self.edges.len());
        &self.edges[self.starts[node]..end]
    }

    /// The claims that a claim's node leads to.
    fn next(&self, claim: usize) -> impl Iterator<Item = usize> + '_ {
        // An edge to a node's own claim, with the claimant put in its place.
        self.edges(claim / 2).iter().map(move |&edge| (edge & !1) as usize | (claim & 1) ^ (edge & 1) as usize)
    }

    /// The worth of a claim's node to the claimant.
    fn worth(&self, claim: usize) -> i8 {
        let worth = self.worth[claim / 2];
        if claim & 1 == 0 { worth } else { -worth }
    }

    /// Low and high value of each node.
    pub(super) fn solve(&self) -> (Vec<i8>, Vec<i8>) {
        let mut goals: Vec<i8> = self.worth.iter().flat_map(|&worth| [worth, -worth]).collect();
        goals.sort_unstable();
        goals.dedup();
        let mut claims = Claims::new(self);
        for &goal in goals.iter().rev() {
            claims.settle(goal);
        }
        let of = |who: usize| claims.value.iter().skip(who).step_by(2);
        (of(0).copied().collect(), of(1).map(|value| -value).collect())
    }

    /// For each node, the edges that lead to it: (where they begin, 2 · from + exchange).
    fn reversed(&self) -> (Vec<usize>, Vec<u32>) {
        let mut starts = vec![0; self.worth.len() + 1];
        self.edges.iter().for_each(|&edge| starts[(edge >> 1) as usize + 1] += 1);
        (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
        let mut places = starts.clone();
        let mut reversed = vec![0; self.edges.len()];
        for node in 0..self.worth.len() {
            for &edge in self.edges(node) {
                let place = &mut places[(edge >> 1) as usize];
                reversed[*place] = (node as u32) << 1 | edge & 1;
                *place += 1;
            }
        }
        (starts, reversed)
    }
}

/// Which claims are settled, and at what.
struct Claims<'a> {
    graph: &'a Graph,
    reversed: (Vec<usize>, Vec<u32>),
    won: Vec<bool>,
    value: Vec<i8>,
    /// Of a claim whose claimant is not to move: edges that do not lead to won claims.
    open: Vec<u32>,
    /// Won, with the claims that lead to them still to be looked at.
    fresh: Vec<u32>,
}

impl<'a> Claims<'a> {
    fn new(graph: &'a Graph) -> Self {
        let claims = 2 * graph.worth.len();
        let open = (0..claims).map(|claim| graph.edges(claim / 2).len() as u32).collect();
        let (won, value) = (vec![false; claims], vec![0; claims]);
        Self { graph, reversed: graph.reversed(), won, value, open, fresh: Vec::new() }
    }

    fn win(&mut self, claim: usize, goal: i8) {
        if !self.won[claim] {
            (self.won[claim], self.value[claim]) = (true, goal);
            self.fresh.push(claim as u32);
        }
    }

    /// Settles all claims to this goal; those to larger ones are settled.
    fn settle(&mut self, goal: i8) {
        for claim in 0..self.won.len() {
            if self.graph.ended[claim / 2] && self.graph.worth(claim) >= goal {
                self.win(claim, goal);
            }
        }
        loop {
            self.draw_in(goal);
            let staying = self.staying(goal);
            if staying.is_empty() {
                break;
            }
            staying.into_iter().for_each(|claim| self.win(claim as usize, goal));
        }
    }

    /// The claims that lead to a claim.
    fn before(&self, claim: usize) -> impl Iterator<Item = usize> + use<'_> {
        let (starts, edges) = &self.reversed;
        let edges = &edges[starts[claim / 2]..starts[claim / 2 + 1]];
        edges.iter().map(move |&edge| (edge & !1) as usize | (claim & 1) ^ (edge & 1) as usize)
    }

    /// Wins every claim from which a won one can be forced.
    fn draw_in(&mut self, goal: i8) {
        while let Some(claim) = self.fresh.pop() {
            let before: Vec<usize> = self.before(claim as usize).collect();
            for from in before {
                self.open[from] -= 1;
                if from & 1 == 0 || self.open[from] == 0 {
                    self.win(from, goal);
                }
            }
        }
    }

    /// The largest set of claims not yet won whose nodes have leads of `goal` or more and in which, or in
    /// won claims, the claimant can stay.
    fn staying(&self, goal: i8) -> Vec<u32> {
        let graph = self.graph;
        let fits = |claim: usize| !self.won[claim] && !graph.ended[claim / 2] && graph.worth(claim) >= goal;
        let mut inside: Vec<bool> = (0..self.won.len()).map(fits).collect();
        let good = |inside: &[bool], claim: usize| inside[claim] || self.won[claim];
        // A mover's claim needs one way to stay, another's needs all; ways that are left count down as claims fall out.
        let mut ways = vec![0u32; inside.len()];
        let mut falling = Vec::new();
        for claim in 0..inside.len() {
            if !inside[claim] {
                continue;
            }
            ways[claim] = graph.next(claim).filter(|&next| good(&inside, next)).count() as u32;
        }
        for claim in 0..inside.len() {
            let all = graph.edges(claim / 2).len() as u32;
            if inside[claim] && (ways[claim] == 0 || claim & 1 == 1 && ways[claim] < all) {
                inside[claim] = false;
                falling.push(claim);
            }
        }
        while let Some(claim) = falling.pop() {
            for from in self.before(claim) {
                if !inside[from] {
                    continue;
                }
                ways[from] -= 1;
                if from & 1 == 1 || ways[from] == 0 {
                    inside[from] = false;
                    falling.push(from);
                }
            }
        }
        (0..inside.len()).filter(|&claim| inside[claim]).map(|claim| claim as u32).collect()
    }
}
