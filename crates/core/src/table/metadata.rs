//! What a table file says of itself. The only module that imports `bincode`.
//!
//! bincode accepts trailing bytes, and without a limit a length in a hostile file makes it ask for any amount of
//! memory. So the configuration is fixed-width with a limit, texts and byte strings are borrowed from the input
//! instead of copied, and the length consumed is compared with the input's. The structs that bincode sees are private
//! and their bytes are pinned by a test: renaming or moving a field of [`Metadata`] cannot change the format.

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use bincode::{BorrowDecode, Encode};

use super::codec::CODEC;
use super::error::{Defect, Refusal};
use super::names::rules_text;
use super::names::{first_of_pair, layer_name};
use super::prefix::MAX_METADATA;
use super::statistics::Statistics;
use crate::board::Pits;
use crate::index::Layer;
use crate::rules::{Game, Layered};
use crate::value::Entry;

/// The most positions a block may hold; bounds the memory that decoding one block takes.
pub const MAX_BLOCK_POSITIONS: u32 = 1 << 16;

const CONFIG: Configuration<LittleEndian, Fixint, Limit<MAX_METADATA>> =
    bincode::config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<MAX_METADATA>();

/// What a table file says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Metadata {
    /// The game's name, as [`crate::rules::Game::name`] gives it.
    pub game: String,
    /// The rule options, as [`crate::rules::Game`] displays them.
    pub options: String,
    /// Positions in a block; the last block of a section may hold fewer.
    pub block_positions: u32,
    /// How blocks are packed; see `tables/README.md`.
    pub codec: u32,
    /// Checksum of the table of blocks.
    pub table_checksum: u64,
    /// The layer the file is named after and, unless it is symmetric, its mirror image.
    pub sections: Vec<Section>,
}

/// One layer of a table file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Section {
    /// The layer.
    pub layer: Layer,
    /// Counts over its positions.
    pub statistics: Statistics,
    /// What the codec needs besides a block to unpack it; opaque outside the codec.
    pub codec_parameters: Vec<u8>,
}

impl Section {
    /// What a file says of `layer`.
    #[must_use]
    pub const fn new(layer: Layer, statistics: Statistics, codec_parameters: Vec<u8>) -> Self {
        Self { layer, statistics, codec_parameters }
    }
}

#[derive(Encode, BorrowDecode)]
struct RawMetadata<'a> {
    game: &'a str,
    options: &'a str,
    block_positions: u32,
    codec: u32,
    table_checksum: u64,
    first: RawSection<'a>,
    second: Option<RawSection<'a>>,
}

#[derive(Encode, BorrowDecode)]
struct RawSection<'a> {
    unsown: u8,
    stones: u8,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    sum_value_squared: u64,
    max_distance: u16,
    sum_distance: u64,
    codec_parameters: &'a [u8],
}

impl Metadata {
    /// The metadata of a file that is about to be written; the checksum of its table of blocks comes last.
    #[must_use]
    pub fn new(game: &Game, block_positions: u32, sections: Vec<Section>) -> Self {
        let (game, options) = (game.name().to_owned(), game.to_string());
        Self { game, options, block_positions, codec: CODEC, table_checksum: 0, sections }
    }

    /// The metadata that `bytes` hold, all of them.
    pub fn decode(bytes: &[u8]) -> Result<Self, Refusal> {
        let (raw, consumed) = bincode::borrow_decode_from_slice::<RawMetadata<'_>, _>(bytes, CONFIG)
            .map_err(|error| Defect::new("metadata", error, "the fields of format 1"))?;
        if consumed != bytes.len() {
            let length = |n| format!("{n} bytes long");
            return Err(Defect::new("metadata", length(bytes.len()), length(consumed)).into());
        }
        raw.try_into()
    }

    /// The metadata as bytes. Their number depends on the lengths of texts and parameters only.
    pub fn encode(&self) -> Vec<u8> {
        let mut sections = self.sections.iter().map(RawSection::from);
        let raw = RawMetadata {
            game: &self.game,
            options: &self.options,
            block_positions: self.block_positions,
            codec: self.codec,
            table_checksum: self.table_checksum,
            first: sections.next().expect("a file has a section; the writer checks it"),
            second: sections.next(),
        };
        bincode::encode_to_vec(raw, CONFIG).expect("writing to memory does not fail")
    }

    /// The rules by which the file was made.
    pub fn rules(&self) -> Result<Layered, Defect> {
        let found = || rules_text(&self.game, &self.options);
        Game::parse(&self.game, &self.options)
            .ok()
            .and_then(|game| game.layered())
            .ok_or_else(|| Defect::new("rules", found(), "a game that is solved by layers"))
    }
}

impl<'a> From<&'a Section> for RawSection<'a> {
    fn from(section: &'a Section) -> Self {
        let Section { layer, statistics, codec_parameters } = section;
        Self {
            unsown: layer.unsown().0,
            stones: layer.stones(),
            positions: layer.positions().into(),
            wins: statistics.wins,
            draws: statistics.draws,
            losses: statistics.losses,
            sum_value_squared: statistics.sum_value_squared,
            max_distance: statistics.max_distance,
            sum_distance: statistics.sum_distance,
            codec_parameters,
        }
    }
}

impl TryFrom<RawMetadata<'_>> for Metadata {
    type Error = Refusal;

    fn try_from(raw: RawMetadata<'_>) -> Result<Self, Refusal> {
        if raw.codec > CODEC {
            let codec = |id| format!("codec {id}");
            return Err(Refusal::Newer { found: codec(raw.codec), expected: codec(CODEC) });
        }
        if raw.codec == 0 {
            return Err(Defect::new("codec", 0, format!("1 to {CODEC}")).into());
        }
        if !(1..=MAX_BLOCK_POSITIONS).contains(&raw.block_positions) {
            let expected = format!("1 to {MAX_BLOCK_POSITIONS}");
            return Err(Defect::new("positions in a block", raw.block_positions, expected).into());
        }
        let sections =
            std::iter::once(raw.first).chain(raw.second).map(Section::try_from).collect::<Result<Vec<_>, _>>()?;
        check_pair(&sections.iter().map(|section| section.layer).collect::<Vec<_>>())?;
        Ok(Self {
            game: raw.game.to_owned(),
            options: raw.options.to_owned(),
            block_positions: raw.block_positions,
            codec: raw.codec,
            table_checksum: raw.table_checksum,
            sections,
        })
    }
}

impl TryFrom<RawSection<'_>> for Section {
    type Error = Defect;

    fn try_from(raw: RawSection<'_>) -> Result<Self, Defect> {
        let layer = Layer::new(Pits(raw.unsown), raw.stones).ok_or_else(|| {
            let found = format!("{} stones with unsown pits {:08b}", raw.stones, raw.unsown);
            Defect::new("layer", found, "one that exists")
        })?;
        let statistics = Statistics {
            wins: raw.wins,
            draws: raw.draws,
            losses: raw.losses,
            sum_value_squared: raw.sum_value_squared,
            max_distance: raw.max_distance,
            sum_distance: raw.sum_distance,
        };
        let positions = u64::from(layer.positions());
        if raw.positions != positions {
            return Err(Defect::new("number of positions", raw.positions, positions));
        }
        if statistics.positions() != positions {
            return Err(Defect::new("sum of wins, draws and losses", statistics.positions(), positions));
        }
        if raw.max_distance > Entry::MAX_DISTANCE {
            let expected = format!("at most {}", Entry::MAX_DISTANCE);
            return Err(Defect::new("largest distance", raw.max_distance, expected));
        }
        Ok(Self { layer, statistics, codec_parameters: raw.codec_parameters.to_owned() })
    }
}

/// Refuses layers that are not a layer and its mirror image, the first of the pair first (or a symmetric one alone).
pub fn check_pair(layers: &[Layer]) -> Result<(), Defect> {
    let names = |layers: &[Layer]| layers.iter().copied().map(layer_name).collect::<Vec<_>>().join(" ");
    let Some(&any) = layers.first() else {
        return Err(Defect::new("number of layers", 0, "1 or 2"));
    };
    let first = first_of_pair(any);
    let expected = if first.is_symmetric() { vec![first] } else { vec![first, first.mirror()] };
    if layers == expected { Ok(()) } else { Err(Defect::new("list of layers", names(layers), names(&expected))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(unsown: u8, draws: u64) -> Section {
        Section {
            layer: Layer::new(Pits(unsown), 7).unwrap(),
            statistics: Statistics {
                wins: 8 - draws - 1,
                draws,
                losses: 1,
                sum_value_squared: 0x0102,
                max_distance: 0x0304,
                sum_distance: 0x05,
            },
            codec_parameters: vec![0xab, 0xcd],
        }
    }

    fn example() -> Metadata {
        Metadata {
            game: "kpe".to_owned(),
            options: "x=y".to_owned(),
            block_positions: 4096,
            codec: 1,
            table_checksum: 0x8877_6655_4433_2211,
            sections: vec![section(0x01, 2), section(0x10, 3)],
        }
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Written down from the description in `tables/README.md`, field by field.
    const GOLDEN: [&str; 7] = [
        "0300000000000000 6b7065",
        "0300000000000000 783d79",
        "00100000 01000000 1122334455667788",
        "01 07 0800000000000000 0500000000000000 0200000000000000 0100000000000000",
        "0201000000000000 0403 0500000000000000 0200000000000000 abcd",
        "01 10 07 0800000000000000 0400000000000000 0300000000000000 0100000000000000",
        "0201000000000000 0403 0500000000000000 0200000000000000 abcd",
    ];

    #[test]
    fn the_bytes_are_those_of_format_1() {
        let mut golden = GOLDEN.concat();
        golden.retain(|c| c != ' ');
        // 0x0304 is beyond the largest distance, so only encoding is compared here.
        assert_eq!(hex(&example().encode()), golden);
    }

    #[test]
    fn decoding_undoes_encoding() {
        let mut metadata = example();
        for section in &mut metadata.sections {
            section.statistics.max_distance = 99;
        }
        assert_eq!(Metadata::decode(&metadata.encode()), Ok(metadata));
    }

    fn refused(change: impl FnOnce(&mut Metadata)) -> Refusal {
        let mut metadata = example();
        for section in &mut metadata.sections {
            section.statistics.max_distance = 99;
        }
        change(&mut metadata);
        Metadata::decode(&metadata.encode()).unwrap_err()
    }

    #[test]
    fn impossible_fields_are_refused() {
        let defect = |refusal| matches!(refusal, Refusal::Defect(_));
        assert!(defect(refused(|m| m.block_positions = 0)));
        assert!(defect(refused(|m| m.block_positions = MAX_BLOCK_POSITIONS + 1)));
        assert!(defect(refused(|m| m.codec = 0)));
        assert!(defect(refused(|m| m.sections[0].statistics.wins = u64::MAX)));
        assert!(defect(refused(|m| m.sections[1].statistics.max_distance = 506)));
        assert!(defect(refused(|m| m.sections.swap(0, 1))));
        assert!(defect(refused(|m| m.sections.truncate(1))));
        assert!(defect(refused(|m| m.sections[1].layer = Layer::new(Pits(0x20), 7).unwrap())));
        assert!(matches!(refused(|m| m.codec = CODEC + 1), Refusal::Newer { .. }));
    }

    #[test]
    fn trailing_bytes_and_huge_lengths_are_refused() {
        let good = example().encode();
        let mut longer = good.clone();
        longer.push(0);
        assert!(Metadata::decode(&longer).is_err());
        for length in 0..good.len() {
            assert!(Metadata::decode(&good[..length]).is_err());
        }
        for at in 0..good.len() - 7 {
            for huge in [u64::MAX, 1 << 62, 1 << 40, 1 << 20] {
                let mut bad = good.clone();
                bad[at..at + 8].copy_from_slice(&huge.to_le_bytes());
                // Some of these are sound; none may panic or ask for memory.
                let _ = Metadata::decode(&bad);
            }
        }
    }
}
