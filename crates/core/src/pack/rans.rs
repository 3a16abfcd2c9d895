//! The range coder: rANS with 12-bit probabilities, a 32-bit state and 16-bit words.
//!
//! A packed block is the coder's last state (four bytes) and its words (two bytes each), little-endian, in the order in
//! which the decoder reads them.

use super::PackError;
use super::contexts::{Distributions, SCALE_BITS, Share};

/// The state of a decoder that has read everything; states stay at or above it.
const FLOOR: u32 = 1 << 16;
/// Bits of a symbol after an escape.
const RAW_BITS: u32 = 9;

/// 2^52 over each width, rounded up: a product with a state divides it exactly, since widths are below 2^12.
static RECIPROCALS: [u64; 1 << SCALE_BITS] = {
    let mut table = [0; 1 << SCALE_BITS];
    let mut width = 1;
    while width < table.len() {
        table[width] = (1u64 << 52).div_ceil(width as u64);
        width += 1;
    }
    table
};

/// Collects the shares of a block's symbols, then codes them backwards.
#[derive(Debug, Default)]
pub(crate) struct Encoder {
    shares: Vec<Share>,
    words: Vec<u16>,
}

impl Encoder {
    /// Adds a symbol in its context.
    #[inline]
    pub(crate) fn put(&mut self, distributions: &Distributions, context: usize, symbol: u16) {
        let (share, escaped) = distributions.share(context, symbol);
        self.shares.push(share);
        if escaped {
            let width = 1 << (SCALE_BITS - RAW_BITS);
            self.shares.push(Share { start: symbol * width, width });
        }
    }

    /// Appends the block to `out` and forgets it.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        let mut state = FLOOR;
        self.words.clear();
        for share in self.shares.drain(..).rev() {
            let width = u32::from(share.width);
            // The full scale itself cannot be reached: an escape always has its share.
            if state >= width << (32 - SCALE_BITS) {
                self.words.push(state as u16);
                state >>= 16;
            }
            let quotient = ((u128::from(state) * u128::from(RECIPROCALS[share.width as usize])) >> 52) as u32;
            state = (quotient << SCALE_BITS) + (state - quotient * width) + u32::from(share.start);
        }
        out.extend_from_slice(&state.to_le_bytes());
        for word in self.words.iter().rev() {
            out.extend_from_slice(&word.to_le_bytes());
        }
    }
}

/// Reads a block's symbols.
pub(crate) struct Decoder<'a> {
    state: u32,
    words: &'a [[u8; 2]],
    /// Words asked for; beyond the end they read as nothing and [`Decoder::finish`] refuses the block.
    next: usize,
}

impl<'a> Decoder<'a> {
    /// A decoder at the start of a block.
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, PackError> {
        let Some((state, words)) = bytes.split_first_chunk::<4>() else {
            return Err(PackError::new("packed block", format!("{} bytes", bytes.len()), "at least 4"));
        };
        let (words, []) = words.as_chunks::<2>() else {
            return Err(PackError::new("packed block", format!("{} bytes", bytes.len()), "an even number"));
        };
        let state = u32::from_le_bytes(*state);
        if state < FLOOR {
            return Err(PackError::new("first state of a packed block", state, format!("at least {FLOOR}")));
        }
        Ok(Self { state, words, next: 0 })
    }

    /// The next symbol, in its context. Garbage in, some symbol out.
    #[inline]
    pub(crate) fn get(&mut self, distributions: &Distributions, context: usize) -> u16 {
        let slot = self.state as u16 & ((1 << SCALE_BITS) - 1);
        let (share, symbol) = distributions.symbol(context, slot);
        self.take(share, slot);
        symbol.unwrap_or_else(|| {
            let slot = self.state as u16 & ((1 << SCALE_BITS) - 1);
            let width = 1 << (SCALE_BITS - RAW_BITS);
            let symbol = slot / width;
            self.take(Share { start: symbol * width, width }, slot);
            symbol
        })
    }

    #[inline]
    fn take(&mut self, share: Share, slot: u16) {
        self.state = u32::from(share.width) * (self.state >> SCALE_BITS) + u32::from(slot - share.start);
        if self.state < FLOOR {
            let word = self.words.get(self.next).map_or(0, |&word| u16::from_le_bytes(word));
            self.next += 1;
            self.state = self.state << 16 | u32::from(word);
        }
    }

    /// Checks that the block ends here.
    pub(crate) fn finish(&self) -> Result<(), PackError> {
        if self.next != self.words.len() {
            let found = format!("{} words", self.words.len());
            return Err(PackError::new("packed block", found, format!("{} words", self.next)));
        }
        if self.state != FLOOR {
            return Err(PackError::new("last state of a packed block", self.state, FLOOR));
        }
        Ok(())
    }
}
