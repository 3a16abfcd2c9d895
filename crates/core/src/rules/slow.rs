//! Both games stone by stone, as RULES 2 and 3 tell them: the oracle of the fast code, compiled for tests only.
//!
//! Everything here is written from the page of rules and for the eye: pits in the order A B C D a b c d, players
//! South = 0 and North = 1, plain arrays. It shares nothing with the fast code, not even the reading of positions.

/// The order of pits, which is the order of sowing.
const LETTERS: [char; 8] = ['A', 'B', 'C', 'D', 'a', 'b', 'c', 'd'];

/// The game and its options, by their plain meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SlowRules {
    /// Kpé.
    Kpe { sow_origin: bool, unlock_next: bool, feed_sown: bool },
    /// Goré.
    Gore { sow_origin: bool, trade: bool },
}

/// A position with everything in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Slow {
    /// Stones by pit.
    pub(crate) pits: [u32; 8],
    /// Captured stones of South and North.
    pub(crate) stores: [u32; 2],
    /// Who is to move.
    pub(crate) mover: usize,
    /// Kpé: pits whose owner has not yet sown from them.
    pub(crate) unsown: [bool; 8],
    /// Goré: who owns each pit (in Kpé whose row it is in).
    pub(crate) owner: [usize; 8],
    /// Goré: the pits the other player has just offered.
    pub(crate) offer: Vec<usize>,
}

/// A move and what it leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SlowOutcome {
    /// The move as text.
    pub(crate) text: String,
    /// Stones captured.
    pub(crate) captured: u32,
    /// The position after it.
    pub(crate) result: Slow,
    /// The pits in which the stones of a sowing fell, one after another.
    pub(crate) path: Vec<usize>,
    /// The pits captured.
    pub(crate) taken: Vec<usize>,
}

impl SlowOutcome {
    /// A move that sows nothing.
    fn quiet(text: &str, result: Slow) -> Self {
        Self { text: text.to_owned(), captured: 0, result, path: Vec::new(), taken: Vec::new() }
    }
}

impl Slow {
    fn may_sow(&self, pit: usize) -> bool {
        self.owner[pit] == self.mover && self.pits[pit] > 0
    }

    fn row_is_empty(&self, player: usize) -> bool {
        (0..8).filter(|pit| pit / 4 == player).all(|pit| self.pits[pit] == 0)
    }

    /// Drops the stones of a pit one by one; returns where each of them fell.
    fn sow(&mut self, origin: usize, sow_origin: bool) -> Vec<usize> {
        let mut hand = self.pits[origin];
        self.pits[origin] = 0;
        let mut pit = origin;
        let mut path = Vec::new();
        while hand > 0 {
            pit = (pit + 1) % 8;
            if pit == origin && !sow_origin {
                continue;
            }
            self.pits[pit] += 1;
            path.push(pit);
            hand -= 1;
        }
        path
    }

    fn holds_two_or_four(&self, pit: usize) -> bool {
        self.pits[pit] == 2 || self.pits[pit] == 4
    }

    fn capture(&mut self, pit: usize) -> u32 {
        let stones = self.pits[pit];
        self.pits[pit] = 0;
        self.stores[self.mover] += stones;
        stones
    }

    fn pass_turn(&mut self) {
        self.mover = 1 - self.mover;
    }

    fn sow_kpe(&self, pit: usize, rules: (bool, bool, bool)) -> SlowOutcome {
        let (sow_origin, unlock_next, _) = rules;
        let mut result = self.clone();
        let path = result.sow(pit, sow_origin);
        let mut last = path[path.len() - 1];
        result.unsown[pit] = false;
        let witness = if unlock_next { self } else { &result };
        let free = (0..8).all(|own| own / 4 != self.mover || !witness.unsown[own]);
        let (mut captured, mut taken) = (0, Vec::new());
        while free && last / 4 != self.mover && result.holds_two_or_four(last) {
            captured += result.capture(last);
            taken.push(last);
            last = (last + 7) % 8;
        }
        result.pass_turn();
        SlowOutcome { text: LETTERS[pit].to_string(), captured, result, path, taken }
    }

    fn kpe_moves(&self, rules: (bool, bool, bool)) -> Vec<SlowOutcome> {
        let other = 1 - self.mover;
        let all: Vec<usize> = (0..8).filter(|&pit| self.may_sow(pit)).collect();
        let feeds = |pit: &usize| {
            if rules.2 {
                let mut sown = self.clone();
                sown.sow(*pit, rules.0);
                !sown.row_is_empty(other)
            } else {
                !self.sow_kpe(*pit, rules).result.row_is_empty(other)
            }
        };
        let mut legal = all.clone();
        if self.row_is_empty(other) {
            legal.retain(feeds);
            if legal.is_empty() {
                legal = all;
            }
        }
        legal.into_iter().map(|pit| self.sow_kpe(pit, rules)).collect()
    }

    fn sow_gore(&self, pit: usize, sow_origin: bool) -> SlowOutcome {
        let mut result = self.clone();
        let path = result.sow(pit, sow_origin);
        let last = path[path.len() - 1];
        let (mut captured, mut taken) = (0, Vec::new());
        if result.owner[last] != self.mover && result.holds_two_or_four(last) {
            captured += result.capture(last);
            taken.push(last);
            // A pit that is taken holds nothing and so stops the arm that meets it.
            for step in [1, 7] {
                let mut next = (last + step) % 8;
                while result.holds_two_or_four(next) {
                    captured += result.capture(next);
                    taken.push(next);
                    next = (next + step) % 8;
                }
            }
        }
        result.pass_turn();
        SlowOutcome { text: LETTERS[pit].to_string(), captured, result, path, taken }
    }

    fn gore_offers(&self) -> Vec<SlowOutcome> {
        let own: Vec<usize> = (0..8).filter(|&pit| self.owner[pit] == self.mover).collect();
        let mut offers = Vec::new();
        for size in 1..=3 {
            for set in 0..1u32 << own.len() {
                let chosen: Vec<usize> = (0..own.len()).filter(|i| set >> i & 1 == 1).map(|i| own[i]).collect();
                let keeps_one = chosen.len() < own.len();
                let can_pay = self.stores[1 - self.mover] >= 6 * chosen.len() as u32;
                if chosen.len() == size && keeps_one && can_pay {
                    let mut result = self.clone();
                    result.pass_turn();
                    let letters: String = chosen.iter().map(|&pit| LETTERS[pit]).collect();
                    result.offer = chosen;
                    offers.push(SlowOutcome::quiet(&format!("offer:{letters}"), result));
                }
            }
        }
        offers
    }

    fn gore_answers(&self) -> Vec<SlowOutcome> {
        let mut declined = self.clone();
        declined.offer.clear();
        let mut accepted = declined.clone();
        for &pit in &self.offer {
            accepted.owner[pit] = self.mover;
            accepted.pits[pit] += 6;
            accepted.stores[self.mover] -= 6;
        }
        vec![SlowOutcome::quiet("accept", accepted), SlowOutcome::quiet("decline", declined)]
    }

    fn gore_moves(&self, sow_origin: bool, trade: bool) -> Vec<SlowOutcome> {
        if !self.offer.is_empty() {
            return self.gore_answers();
        }
        let mut all: Vec<SlowOutcome> =
            (0..8).filter(|&pit| self.may_sow(pit)).map(|pit| self.sow_gore(pit, sow_origin)).collect();
        if all.is_empty() {
            let mut result = self.clone();
            result.pass_turn();
            return vec![SlowOutcome::quiet("pass", result)];
        }
        if trade {
            all.extend(self.gore_offers());
        }
        all
    }

    /// Every legal move with its outcome.
    pub(crate) fn moves(&self, rules: SlowRules) -> Vec<SlowOutcome> {
        if self.is_over(rules) {
            return Vec::new();
        }
        match rules {
            SlowRules::Kpe { sow_origin, unlock_next, feed_sown } => {
                self.kpe_moves((sow_origin, unlock_next, feed_sown))
            }
            SlowRules::Gore { sow_origin, trade } => self.gore_moves(sow_origin, trade),
        }
    }

    /// Whether the game has ended.
    pub(crate) fn is_over(&self, rules: SlowRules) -> bool {
        match rules {
            SlowRules::Kpe { .. } => self.row_is_empty(self.mover),
            SlowRules::Gore { .. } => self.pits.iter().all(|&stones| stones < 3),
        }
    }

    /// What South and North have in the end when the game stops here.
    pub(crate) fn totals(&self) -> [u32; 2] {
        let mut totals = self.stores;
        for pit in 0..8 {
            totals[self.owner[pit]] += self.pits[pit];
        }
        totals
    }

    /// All stones, wherever they are.
    pub(crate) fn stones(&self) -> u32 {
        self.pits.iter().sum::<u32>() + self.stores.iter().sum::<u32>()
    }

    /// The position as text (RULES 1).
    pub(crate) fn text(&self, rules: SlowRules) -> String {
        let mut text = String::new();
        for stones in self.pits.iter().chain(&self.stores) {
            text += &format!("{stones}-");
        }
        text += ["S", "N"][self.mover];
        let letters = |take: &dyn Fn(usize) -> bool| -> String {
            (0..8).filter(|&pit| take(pit)).map(|pit| LETTERS[pit]).collect()
        };
        match rules {
            SlowRules::Kpe { .. } => {
                if self.unsown.contains(&true) {
                    text = format!("{text}:{}", letters(&|pit| self.unsown[pit]));
                }
            }
            SlowRules::Gore { .. } => {
                text = format!("{text}@{}", letters(&|pit| self.owner[pit] == 0));
                if !self.offer.is_empty() {
                    text = format!("{text}~{}", letters(&|pit| self.offer.contains(&pit)));
                }
            }
        }
        text
    }
}
