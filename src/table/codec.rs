//! How the entries of one block become bytes and back. The only module that imports `zstd`.
//!
//! The file around it sees four things: [`train`] looks at a whole layer and returns parameters that the file keeps,
//! [`Codec::new`] reads them again, [`Codec::encode_block`] and [`Codec::decode_block`] work on one block. Blocks are
//! foreign data: a decoder must end with every entry written or with an error, whatever the bytes.
//!
//! Codec 1: the values of the block as signed bytes, zstd-compressed; then its distances likewise, each in one or two
//! bytes, little-endian. The one parameter byte is the width of a distance. A block is the length of the packed
//! values (four bytes, little-endian), the packed values, the packed distances.

use std::cell::RefCell;

use super::error::Defect;
use crate::board::MAX_STONES;
use crate::index::Layer;
use crate::value::{Distance, Entry, Value};

/// The codec this program writes, and the latest it reads.
pub const CODEC: u32 = 1;

/// No value is further from 0.
const BOUND: i8 = MAX_STONES as i8;
/// zstd's effort; higher levels gain little on blocks this small.
const LEVEL: i32 = 6;

thread_local! {
    /// Working memory of zstd and the plane being unpacked: both are costly to make anew for each block.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

#[derive(Default)]
struct Scratch {
    zstd: Option<zstd::bulk::Decompressor<'static>>,
    plane: Vec<u8>,
}

/// The parameters that suit `entries`, the whole of `layer`.
#[must_use]
pub fn train(entries: &[Entry], _layer: Layer) -> Vec<u8> {
    let longest = entries.iter().map(|entry| entry.distance().0).max().unwrap_or(0);
    vec![if longest <= u8::MAX.into() { 1 } else { 2 }]
}

/// Packs and unpacks the blocks of one layer.
#[derive(Clone, Debug)]
pub struct Codec {
    /// Bytes a distance takes, 1 or 2.
    distance_width: usize,
    /// No value of the layer is further from 0.
    stones: u8,
}

impl Codec {
    /// The codec of `layer` with parameters that [`train`] returned, read from a file.
    ///
    /// # Errors
    /// If the parameters are not such.
    pub fn new(layer: Layer, parameters: &[u8]) -> Result<Self, Defect> {
        match *parameters {
            [width @ (1 | 2)] => Ok(Self { distance_width: width.into(), stones: layer.stones() }),
            _ => {
                let found = format!("{:02x?}", &parameters[..parameters.len().min(16)]);
                Err(Defect::new("codec parameters", found, "the byte 01 or 02"))
            }
        }
    }

    /// The packed form of the block of positions whose first one has number `_first` in the layer.
    #[must_use]
    pub fn encode_block(&self, _first: u32, entries: &[Entry]) -> Vec<u8> {
        let values: Vec<u8> = entries.iter().map(|entry| entry.value().0 as u8).collect();
        let distances: Vec<u8> = entries
            .iter()
            .flat_map(|entry| entry.distance().0.to_le_bytes().into_iter().take(self.distance_width))
            .collect();
        let values = pack(&values);
        let mut block = (values.len() as u32).to_le_bytes().to_vec();
        block.extend(values);
        block.extend(pack(&distances));
        block
    }

    /// Unpacks `block` into `entries`, which are as many as went in; the first one has number `_first` in the layer.
    ///
    /// # Errors
    /// If the bytes are not exactly such a block. The entries are then unspecified.
    pub fn decode_block(&self, _first: u32, block: &[u8], entries: &mut [Entry]) -> Result<(), Defect> {
        let (values, distances) = split(block)?;
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.unpack(values, entries.len(), "values of a block")?;
            let mut furthest = 0;
            for (entry, &byte) in entries.iter_mut().zip(&scratch.plane) {
                let value = Value(byte as i8);
                furthest = furthest.max(value.0.unsigned_abs());
                // Clamped so that a hostile value cannot leave its bits; the block is refused below.
                *entry = Entry::new(Value(value.0.clamp(-BOUND, BOUND)), Distance(0));
            }
            if furthest > self.stones {
                return Err(Defect::new("largest value of a block", furthest, format!("at most {}", self.stones)));
            }
            scratch.unpack(distances, entries.len() * self.distance_width, "distances of a block")?;
            let mut longest = 0;
            for (entry, bytes) in entries.iter_mut().zip(scratch.plane.chunks_exact(self.distance_width)) {
                let distance = bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u16::from(byte));
                longest = longest.max(distance);
                *entry = Entry::new(entry.value(), Distance(distance.min(Entry::MAX_DISTANCE)));
            }
            if longest > Entry::MAX_DISTANCE {
                let expected = format!("at most {}", Entry::MAX_DISTANCE);
                return Err(Defect::new("largest distance of a block", longest, expected));
            }
            Ok(())
        })
    }
}

/// The packed values and the packed distances of a block.
fn split(block: &[u8]) -> Result<(&[u8], &[u8]), Defect> {
    block
        .split_first_chunk::<4>()
        .and_then(|(length, rest)| rest.split_at_checked(u32::from_le_bytes(*length) as usize))
        .ok_or_else(|| Defect::new("packed block", format!("{} bytes", block.len()), "room for its values"))
}

fn pack(plane: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(plane, LEVEL).expect("zstd fails only for want of memory, as Vec does")
}

impl Scratch {
    /// Unpacks `packed` into the plane; it must hold exactly `length` bytes.
    fn unpack(&mut self, packed: &[u8], length: usize, what: &str) -> Result<(), Defect> {
        let zstd = match &mut self.zstd {
            Some(zstd) => zstd,
            none => none.insert(zstd::bulk::Decompressor::new().expect("zstd fails only for want of memory")),
        };
        self.plane.resize(length, 0);
        let expected = || format!("{length} bytes packed by zstd");
        let unpacked = zstd
            .decompress_to_buffer(packed, self.plane.as_mut_slice())
            .map_err(|error| Defect::new(what, error, expected()))?;
        if unpacked != length {
            return Err(Defect::new(what, format!("{unpacked} bytes"), expected()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Pits;
    use proptest::prelude::*;

    fn layer() -> Layer {
        Layer::new(Pits::NONE, 20).unwrap()
    }

    fn entries(longest: u16) -> impl Strategy<Value = Vec<Entry>> {
        let entry = (-20i8..=20, 0..=longest).prop_map(|(v, d)| Entry::new(Value(v), Distance(d)));
        prop::collection::vec(entry, 1..300)
    }

    fn round_trip(entries: &[Entry]) -> Vec<Entry> {
        let codec = Codec::new(layer(), &train(entries, layer())).unwrap();
        let mut back = vec![Entry::new(Value(1), Distance(1)); entries.len()];
        codec.decode_block(0, &codec.encode_block(0, entries), &mut back).unwrap();
        back
    }

    proptest! {
        #[test]
        fn unpacking_undoes_packing(short in entries(255), long in entries(505)) {
            prop_assert_eq!(round_trip(&short), short);
            prop_assert_eq!(round_trip(&long), long);
        }

        #[test]
        fn any_bytes_are_unpacked_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), at in 0usize..60, byte: u8) {
            let mut out = vec![Entry::new(Value(0), Distance(0)); 64];
            for width in [1, 2] {
                let codec = Codec::new(layer(), &[width]).unwrap();
                let _ = codec.decode_block(0, &bytes, &mut out);
                let mut block = codec.encode_block(0, &out);
                let len = block.len();
                block[at % len] = byte;
                let _ = codec.decode_block(0, &block, &mut out);
            }
        }
    }

    #[test]
    fn impossible_values_and_distances_are_refused() {
        let codec = Codec::new(layer(), &[2]).unwrap();
        let mut out = [Entry::new(Value(0), Distance(0)); 1];
        let mut refused = |value: i8, distance: u16| {
            let mut block = (pack(&[value as u8]).len() as u32).to_le_bytes().to_vec();
            block.extend(pack(&[value as u8]));
            block.extend(pack(&distance.to_le_bytes()));
            codec.decode_block(0, &block, &mut out).is_err()
        };
        assert!(!refused(-20, 505));
        assert!(refused(21, 0) && refused(-128, 0) && refused(0, 506) && refused(0, u16::MAX));
    }

    #[test]
    fn a_block_of_another_size_is_refused() {
        let codec = Codec::new(layer(), &[1]).unwrap();
        let block = codec.encode_block(0, &[Entry::new(Value(0), Distance(0)); 10]);
        for length in [0, 9, 11] {
            let mut out = vec![Entry::new(Value(0), Distance(0)); length];
            assert!(codec.decode_block(0, &block, &mut out).is_err());
        }
    }
}
