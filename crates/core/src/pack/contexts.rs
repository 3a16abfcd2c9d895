//! Distributions of symbols by context: counted, chosen, written, read.

use hashbrown::HashMap;

use super::PackError;

/// Bits of a probability: shares of a distribution add up to 2^12.
pub(crate) const SCALE_BITS: u32 = 12;
const SCALE: u32 = 1 << SCALE_BITS;
/// Stands for every symbol a distribution does not list.
const ESCAPE: u16 = u16::MAX;
/// What a listed symbol and a listed context cost in the file, in bits, when it is weighed whether they pay.
const SYMBOL_COST: f64 = 20.0;
const CONTEXT_COST: f64 = 24.0;

/// A symbol's part of the scale.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Share {
    pub(crate) start: u16,
    pub(crate) width: u16,
}

/// A symbol and where its share ends; it begins where the one before ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Line {
    symbol: u16,
    end: u16,
}

/// The first four lines of a distribution side by side, so that one comparison finds the right one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Head {
    /// Their symbols, sixteen bits each, the first in the low ones. [`NOTHING`] where there is no line.
    symbols: u64,
    /// Where their shares end, likewise; the scale's end where there is no line.
    ends: u64,
    /// Where the distribution begins in the list of all lines, and how many it has.
    first: u32,
    lines: u32,
}

/// Stands in a head where there is no line.
const NOTHING: u16 = u16::MAX - 1;
/// One in each sixteen bits.
const EACH: u64 = 0x0001_0001_0001_0001;

/// One distribution a context: own, its coarse context's, or the one of the whole section.
///
/// Most contexts of a section have none of their own and are never met. So what a context falls back to is looked up when it
/// is met, and a file's distributions are quickly at hand.
pub(crate) struct Distributions {
    /// For each context the number of its own distribution, 0 if it has none.
    of: Vec<u16>,
    /// For each coarse context the number of its distribution, 0 for that of the whole section.
    of_coarse: Vec<u16>,
    coarse_of: fn(usize) -> usize,
    heads: Vec<Head>,
    /// The lines of all distributions one behind the other, widest share first in each; the escape is always listed.
    lines: Vec<Line>,
    /// Coarse contexts and contexts that have a distribution of their own, ascending, in the order of `heads`, where
    /// that of the whole section comes first.
    coarse: Vec<u32>,
    own: Vec<u32>,
}

/// Most distributions a model can have.
const MOST: usize = 1 << 16;

impl std::fmt::Debug for Distributions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} coarse and {} own distributions", self.coarse.len(), self.own.len())
    }
}

impl Head {
    /// The share of its line number `at`, 0–3.
    #[inline]
    fn share(&self, at: u32) -> Share {
        let end = (self.ends >> (16 * at)) as u16;
        let start = (self.ends << 16 >> (16 * at)) as u16;
        Share { start, width: end - start }
    }
}

impl PartialEq for Distributions {
    /// Whether both code everything alike.
    fn eq(&self, other: &Self) -> bool {
        (&self.of, &self.of_coarse, &self.heads, &self.lines)
            == (&other.of, &other.of_coarse, &other.heads, &other.lines)
    }
}

impl Eq for Distributions {}

impl Distributions {
    /// The head of the distribution of a context.
    #[inline]
    fn head(&self, context: usize) -> &Head {
        let own = self.of[context];
        let at = if own == 0 { self.of_coarse[(self.coarse_of)(context)] } else { own };
        &self.heads[usize::from(at)]
    }

    /// The share of a symbol in its context, and whether that is the escape's.
    #[inline]
    pub(crate) fn share(&self, context: usize, symbol: u16) -> (Share, bool) {
        let head = self.head(context);
        // The lowest sixteen bits that are nothing after the xor hold the symbol.
        let differences = head.symbols ^ (u64::from(symbol) * EACH);
        let found = differences.wrapping_sub(EACH) & !differences & (EACH << 15);
        if found != 0 {
            return (head.share(found.trailing_zeros() / 16), false);
        }
        self.rare_share(head, symbol)
    }

    #[cold]
    fn rare_share(&self, head: &Head, symbol: u16) -> (Share, bool) {
        let lines = &self.lines[head.first as usize..][..head.lines as usize];
        let listed = |symbol| lines.iter().position(|line| line.symbol == symbol);
        let escaped = listed(symbol).is_none();
        // Every distribution lists the escape.
        let at = listed(symbol).or_else(|| listed(ESCAPE)).unwrap_or(0);
        (share_of(lines, at), escaped)
    }

    /// The symbol whose share holds `slot`; `None` for the escape.
    #[inline]
    pub(crate) fn symbol(&self, context: usize, slot: u16) -> (Share, Option<u16>) {
        let head = self.head(context);
        // The top bit of each sixteen says that the slot lies at or beyond the end of that line.
        let beyond = (((u64::from(slot) * EACH) | (EACH << 15)) - head.ends) & (EACH << 15);
        let at = beyond.count_ones();
        if at == 4 {
            return self.rare_symbol(head, slot);
        }
        let symbol = (head.symbols >> (16 * at)) as u16;
        (head.share(at), (symbol != ESCAPE).then_some(symbol))
    }

    #[cold]
    fn rare_symbol(&self, head: &Head, slot: u16) -> (Share, Option<u16>) {
        let lines = &self.lines[head.first as usize..][..head.lines as usize];
        // The last share ends with the scale, beyond every slot.
        let at = lines.iter().position(|line| slot < line.end).unwrap_or(0);
        (share_of(lines, at), (lines[at].symbol != ESCAPE).then_some(lines[at].symbol))
    }

    /// Puts distributions together: that of the whole section first, then those of `coarse` and `own` contexts.
    fn assemble(
        contexts: usize,
        coarse_of: fn(usize) -> usize,
        lines: Vec<Line>,
        coarse: Vec<u32>,
        own: Vec<u32>,
    ) -> Self {
        let mut heads = Vec::with_capacity(1 + coarse.len() + own.len());
        let mut first = 0;
        for list in lines.chunk_by(|before, _| u32::from(before.end) < SCALE) {
            let mut head = Head { symbols: 0, ends: 0, first, lines: list.len() as u32 };
            first += head.lines;
            for at in (0..4).rev() {
                let line = list.get(at).copied();
                let Line { symbol, end } = line.unwrap_or(Line { symbol: NOTHING, end: SCALE as u16 });
                head.symbols = head.symbols << 16 | u64::from(symbol);
                head.ends = head.ends << 16 | u64::from(end);
            }
            heads.push(head);
        }
        let mut of_coarse = vec![0; coarse_of(contexts - 1) + 1];
        for (at, &context) in coarse.iter().enumerate() {
            of_coarse[context as usize] = 1 + at as u16;
        }
        let mut of = vec![0; contexts];
        for (at, &context) in own.iter().enumerate() {
            of[context as usize] = (1 + coarse.len() + at) as u16;
        }
        Self { of, of_coarse, coarse_of, heads, lines, coarse, own }
    }

    /// The distributions as lists of symbols and widths, in the order of `lines`.
    fn lists(&self) -> impl Iterator<Item = impl Iterator<Item = (u16, u16)>> {
        self.heads.iter().map(|head| {
            let lines = &self.lines[head.first as usize..][..head.lines as usize];
            (0..lines.len()).map(|at| (lines[at].symbol, share_of(lines, at).width))
        })
    }

    /// Appends the distributions to `out`: numbers of contexts, their numbers as differences, their lists.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        put(out, self.coarse.len() as u32);
        put(out, self.own.len() as u32);
        for contexts in [&self.coarse, &self.own] {
            let mut before = 0;
            for &context in contexts {
                put(out, context - before);
                before = context;
            }
        }
        for list in self.lists() {
            for (symbol, width) in list {
                // The escape is written as 0; the list ends where the widths reach the scale.
                put(out, if symbol == ESCAPE { 0 } else { u32::from(symbol) + 1 });
                put(out, u32::from(width));
            }
        }
    }

    /// Reads what [`Distributions::write`] wrote from the front of `bytes`.
    pub(crate) fn read(
        bytes: &mut &[u8],
        contexts: usize,
        symbols: u16,
        coarse_of: fn(usize) -> usize,
    ) -> Result<Self, PackError> {
        let coarse_contexts = coarse_of(contexts - 1) + 1;
        let coarse_count = get(bytes)? as usize;
        let own_count = get(bytes)? as usize;
        let coarse = ascending(bytes, coarse_count, coarse_contexts)?;
        let own = ascending(bytes, own_count, contexts)?;
        if 1 + coarse.len() + own.len() > MOST {
            return Err(PackError::new(
                "number of distributions",
                1 + coarse.len() + own.len(),
                format!("at most {MOST}"),
            ));
        }
        let mut lines = Vec::new();
        for _ in 0..1 + coarse.len() + own.len() {
            read_list(bytes, symbols, &mut lines)?;
        }
        Ok(Self::assemble(contexts, coarse_of, lines, coarse, own))
    }
}

/// The share of line `at` of a distribution.
fn share_of(lines: &[Line], at: usize) -> Share {
    let start = if at == 0 { 0 } else { lines[at - 1].end };
    Share { start, width: lines[at].end - start }
}

/// `count` ascending numbers below `limit`, written as differences.
fn ascending(bytes: &mut &[u8], count: usize, limit: usize) -> Result<Vec<u32>, PackError> {
    if count > limit || count > bytes.len() {
        return Err(PackError::new("number of contexts in a model", count, format!("at most {limit}")));
    }
    let mut numbers = Vec::with_capacity(count);
    let mut before = 0u64;
    for at in 0..count {
        let step = u64::from(get(bytes)?);
        let number = before + step;
        if number >= limit as u64 || (at > 0 && step == 0) {
            return Err(PackError::new("context in a model", number, format!("above {before} and below {limit}")));
        }
        numbers.push(number as u32);
        before = number;
    }
    Ok(numbers)
}

/// Appends one distribution to `lines`: different symbols below `symbols` or the escape, widths that add up to the scale.
fn read_list(bytes: &mut &[u8], symbols: u16, lines: &mut Vec<Line>) -> Result<(), PackError> {
    let first = lines.len();
    let mut sum = 0;
    while sum < SCALE {
        let symbol = get(bytes)?;
        let width = get(bytes)?;
        if symbol > u32::from(symbols) {
            return Err(PackError::new("symbol in a model", symbol, format!("at most {symbols}")));
        }
        if width == 0 || sum + width > SCALE || width == SCALE {
            return Err(PackError::new("share in a model", width, format!("1 to {}", SCALE - sum)));
        }
        let symbol = (symbol as u16).wrapping_sub(1);
        if lines[first..].iter().any(|line| line.symbol == symbol) {
            return Err(PackError::new("symbol in a model", symbol, "one not listed yet"));
        }
        sum += width;
        lines.push(Line { symbol, end: sum as u16 });
    }
    if lines[first..].iter().all(|line| line.symbol != ESCAPE) {
        return Err(PackError::new("distribution in a model", "no escape", "an escape"));
    }
    Ok(())
}

/// A distribution as lines.
fn lines_of(list: Vec<(u16, u16)>) -> impl Iterator<Item = Line> {
    list.into_iter().scan(0, |end, (symbol, width)| {
        *end += width;
        Some(Line { symbol, end: *end })
    })
}

/// Appends a number, seven bits a byte, low ones first, the top bit set on all but the last.
fn put(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn get(bytes: &mut &[u8]) -> Result<u32, PackError> {
    let mut number = 0u32;
    for shift in (0..28).step_by(7) {
        let Some((&byte, rest)) = bytes.split_first() else {
            return Err(PackError::new("model", "its end", "a number"));
        };
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            if byte == 0 && shift > 0 {
                return Err(PackError::new("number in a model", "a superfluous byte", "the shortest form"));
            }
            return Ok(number);
        }
    }
    Err(PackError::new("number in a model", "more than four bytes", "at most four"))
}

/// How often each symbol occurred in each context of a sample.
pub(crate) struct Counts {
    seen: HashMap<(u32, u16), u32>,
}

impl Counts {
    pub(crate) fn new() -> Self {
        Self { seen: HashMap::new() }
    }

    #[inline]
    pub(crate) fn add(&mut self, context: usize, symbol: u16) {
        *self.seen.entry((context as u32, symbol)).or_default() += 1;
    }

    /// The distributions worth their place, for a section `weight` times as large as the sample.
    pub(crate) fn distributions(&self, contexts: usize, coarse_of: fn(usize) -> usize, weight: usize) -> Distributions {
        let mut fine: Vec<(u32, u16, u32)> = self.seen.iter().map(|(&(c, s), &n)| (c, s, n)).collect();
        fine.sort_unstable();
        let whole = Tally::of(fine.iter().map(|&(_, symbol, count)| (symbol, count)));
        let mut by_coarse: HashMap<u32, Vec<(u16, u32)>> = HashMap::new();
        for &(context, symbol, count) in &fine {
            by_coarse.entry(coarse_of(context as usize) as u32).or_default().push((symbol, count));
        }
        let mut lists = vec![whole.widths()];
        let mut coarse: Vec<(u32, Tally)> =
            by_coarse.into_iter().map(|(context, counts)| (context, Tally::of(counts.into_iter()))).collect();
        coarse.sort_unstable_by_key(|&(context, _)| context);
        coarse.retain(|(_, tally)| tally.pays(&lists[0], weight));
        lists.extend(coarse.iter().map(|(_, tally)| tally.widths()));
        let place: HashMap<u32, usize> =
            coarse.iter().enumerate().map(|(at, &(context, _))| (context, at + 1)).collect();
        let mut own = Vec::new();
        for group in fine.chunk_by(|a, b| a.0 == b.0) {
            let context = group[0].0;
            let tally = Tally::of(group.iter().map(|&(_, symbol, count)| (symbol, count)));
            let behind = place.get(&(coarse_of(context as usize) as u32)).copied().unwrap_or(0);
            if lists.len() < MOST && tally.pays(&lists[behind], weight) {
                own.push(context);
                lists.push(tally.widths());
            }
        }
        let coarse = coarse.into_iter().map(|(context, _)| context).collect();
        let lines = lists.into_iter().flat_map(lines_of).collect();
        Distributions::assemble(contexts, coarse_of, lines, coarse, own)
    }
}

/// The symbols of one context, most frequent first.
struct Tally {
    counts: Vec<(u16, u32)>,
}

impl Tally {
    fn of(counts: impl Iterator<Item = (u16, u32)>) -> Self {
        let mut sums: HashMap<u16, u32> = HashMap::new();
        for (symbol, count) in counts {
            *sums.entry(symbol).or_default() += count;
        }
        let mut counts: Vec<(u16, u32)> = sums.into_iter().collect();
        counts.sort_unstable_by_key(|&(symbol, count)| (std::cmp::Reverse(count), symbol));
        // A share is at least 1, and one is the escape's.
        counts.truncate(SCALE as usize / 4);
        Self { counts }
    }

    /// Shares that add up to the scale, with the escape last.
    fn widths(&self) -> Vec<(u16, u16)> {
        let total: u64 = self.counts.iter().map(|&(_, count)| u64::from(count)).sum::<u64>().max(1);
        // As many escapes are to come as symbols came but once (Good and Turing), weighed down a little.
        let singles = self.counts.iter().filter(|&&(_, count)| count == 1).count() as u64;
        let escape = ((singles * u64::from(SCALE) / (2 * total)) as u32).clamp(1, SCALE / 2);
        let room = SCALE - escape - self.counts.len() as u32;
        let mut widths: Vec<(u16, u16)> = self
            .counts
            .iter()
            .map(|&(symbol, count)| (symbol, 1 + (u64::from(count) * u64::from(room) / total) as u16))
            .collect();
        let used: u32 = widths.iter().map(|&(_, width)| u32::from(width)).sum();
        // What rounding left over goes to the most frequent symbol.
        match widths.first_mut() {
            Some(first) => first.1 += (SCALE - escape - used) as u16,
            None => widths.push((0, (SCALE - escape) as u16)),
        }
        widths.push((ESCAPE, escape as u16));
        widths
    }

    /// Whether a distribution of its own saves more than it costs, against coding under `other`.
    fn pays(&self, other: &[(u16, u16)], weight: usize) -> bool {
        let cost = |list: &[(u16, u16)]| -> f64 {
            let bits = |width: u16| f64::from(SCALE_BITS) - f64::from(width).log2();
            let escape =
                list.iter().find(|&&(symbol, _)| symbol == ESCAPE).map_or(12.0, |&(_, width)| bits(width)) + 9.0;
            self.counts
                .iter()
                .map(|&(symbol, count)| {
                    let own =
                        list.iter().find(|&&(listed, _)| listed == symbol).map_or(escape, |&(_, width)| bits(width));
                    f64::from(count) * own
                })
                .sum()
        };
        let own = self.widths();
        let saved = (cost(other) - cost(&own)) * weight as f64;
        saved > CONTEXT_COST + SYMBOL_COST * own.len() as f64
    }
}
