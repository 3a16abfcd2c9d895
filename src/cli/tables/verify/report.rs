//! What `kpe tables verify` reports, as a document that `--merge` reads again. `tables/TOOLS.md` describes the fields.

use anyhow::ensure;
use kpe::notation::{Position, Side};
use kpe::rules::Game;
use kpe::table::{TableSet, set_digest};
use kpe::value::Entry;
use kpe::verify::{Fault, Finding, Report, Shard};
use serde::{Deserialize, Serialize};

use crate::cli::exit::Status;
use crate::cli::output::Output;
use crate::cli::units::grouped;

/// Kind and version of the document.
const SCHEMA: &str = "kpe.verify/1";

/// The report of one check or of all shards of one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct VerifyDocument {
    schema: String,
    game: String,
    options: String,
    /// Whether nothing wrong was found.
    sound: bool,
    shard: ShardDocument,
    /// With `--sample` only: the check looked at some positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sample: Option<SampleDocument>,
    /// The set as a whole.
    set: SetDocument,
    /// Files and positions checked.
    checked: Amount,
    /// Entries and counts that are wrong, at most five of each layer.
    faults: Vec<FaultDocument>,
    /// Files that could not be read; then the entries were not checked.
    damaged: Vec<DamageDocument>,
}

/// Part `number` of `count`, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct ShardDocument {
    pub(super) number: usize,
    pub(super) count: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct SampleDocument {
    pub(super) count: u64,
    pub(super) seed: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct SetDocument {
    /// Tells this set from others: names, lengths and seals of its files.
    digest: String,
    #[serde(flatten)]
    all: Amount,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(super) struct Amount {
    files: u64,
    positions: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct FaultDocument {
    layer: String,
    /// `null` where the counts of a file are wrong.
    number: Option<u32>,
    position: Option<String>,
    found: Claimed,
    expected: Claimed,
}

/// An entry, or counts as text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Claimed {
    Entry { value: i8, distance: u16 },
    Counts(String),
}

/// A file that is not sound, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct DamageDocument {
    pub(super) file: String,
    pub(super) error: String,
}

impl SetDocument {
    /// What tells `set` from others. Files that cannot be opened are left out; the check will tell of them.
    pub(super) fn of(set: &TableSet) -> anyhow::Result<Self> {
        let files: Vec<_> = set.layers()?.into_iter().filter_map(|layer| set.file(layer).ok().flatten()).collect();
        let sections = files.iter().flat_map(|file| &file.metadata().sections);
        let positions = sections.map(|section| u64::from(section.layer.positions())).sum();
        let all = Amount { files: files.len() as u64, positions };
        Ok(Self { digest: set_digest(files), all })
    }
}

impl FaultDocument {
    fn new(game: Game, fault: &Fault) -> Self {
        let entry = |entry: &Entry| Claimed::Entry { value: entry.value().0, distance: entry.distance().0 };
        let (found, expected) = match &fault.finding {
            Finding::Entry { found, expected } => (entry(found), entry(expected)),
            Finding::Counts { found, expected } => (Claimed::Counts(found.clone()), Claimed::Counts(expected.clone())),
        };
        let position = fault.position.and_then(|(_, board)| {
            Position::from_solver(game, Side::South, board, [0, 0]).ok().map(|position| position.to_string())
        });
        let number = fault.position.map(|(number, _)| number);
        Self { layer: fault.layer.clone(), number, position, found, expected }
    }
}

impl std::fmt::Display for Claimed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Entry { value, distance } => write!(f, "value {value:+} distance {distance}"),
            Self::Counts(text) => f.write_str(text),
        }
    }
}

impl std::fmt::Display for FaultDocument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "layer {}", self.layer)?;
        match (self.number, &self.position) {
            (Some(number), Some(position)) => write!(f, ", position {number}, {position}")?,
            (Some(number), None) => write!(f, ", position {number}")?,
            (None, _) => write!(f, ", counts of the file")?,
        }
        write!(f, ": found {}, expected {}", self.found, self.expected)
    }
}

impl VerifyDocument {
    /// The report of one run.
    pub(super) fn new(
        game: Game,
        shard: Shard,
        sample: Option<SampleDocument>,
        set: SetDocument,
        report: &Report,
        damaged: Vec<DamageDocument>,
    ) -> Self {
        let sound = report.faults.is_empty() && damaged.is_empty();
        Self {
            schema: SCHEMA.to_owned(),
            game: game.name().to_owned(),
            options: game.to_string(),
            sound,
            shard: ShardDocument { number: shard.number(), count: shard.count() },
            sample,
            set,
            checked: Amount { files: report.files, positions: report.positions },
            faults: report.faults.iter().map(|fault| FaultDocument::new(game, fault)).collect(),
            damaged,
        }
    }

    /// The exit status that goes with it.
    pub(super) fn status(&self) -> Status {
        if self.sound { Status::Done } else { Status::Damaged }
    }

    /// Refuses a document of another kind, or one that contradicts itself.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        ensure!(self.schema == SCHEMA, "found schema {:?}, expected {SCHEMA:?}", self.schema);
        ensure!(self.sample.is_none(), "it is the report of a sample, which proves no part of a set");
        let found = self.faults.is_empty() && self.damaged.is_empty();
        ensure!(self.sound == found, "sound is {}, but the lists of faults say {found}", self.sound);
        let ShardDocument { number, count } = self.shard;
        ensure!((1..=count).contains(&number), "shard {number} of {count} is none");
        Ok(())
    }

    /// One report of all shards.
    ///
    /// # Errors
    /// If they are not all shards of one check, each once.
    pub(super) fn merge(mut parts: Vec<Self>) -> anyhow::Result<Self> {
        parts.sort_by_key(|part| part.shard.number);
        let Some(first) = parts.first().cloned() else { anyhow::bail!("no reports to merge") };
        for part in &parts {
            let same = (&part.game, &part.options, &part.set) == (&first.game, &first.options, &first.set);
            ensure!(same, "shard {} is of another set or of other rules than shard {}", part.name(), first.name());
            ensure!(part.shard.count == first.shard.count, "shards {} and {} do not fit", part.name(), first.name());
        }
        let count = first.shard.count;
        for number in 1..=count {
            let found = parts.iter().filter(|part| part.shard.number == number).count();
            ensure!(found != 0, "shard {number}/{count} is missing");
            ensure!(found == 1, "shard {number}/{count} is there {found} times");
        }
        let mut whole = Self { shard: ShardDocument { number: 1, count: 1 }, checked: Amount::default(), ..first };
        (whole.faults, whole.damaged) = (Vec::new(), Vec::new());
        for part in parts {
            whole.sound &= part.sound;
            whole.checked.files += part.checked.files;
            whole.checked.positions += part.checked.positions;
            whole.faults.extend(part.faults);
            whole.damaged.extend(part.damaged);
        }
        let (checked, all) = (whole.checked, whole.set.all);
        let complete = !whole.sound || checked == all;
        ensure!(complete, "the shards checked {} positions, the set has {}", checked.positions, all.positions);
        Ok(whole)
    }

    fn name(&self) -> String {
        format!("{}/{}", self.shard.number, self.shard.count)
    }

    /// Prints it as text or as a line of JSON.
    pub(super) fn print(&self, json: bool) -> anyhow::Result<()> {
        let mut out = Output::new();
        if json {
            out.json(self)?;
        } else {
            for damage in &self.damaged {
                out.line(&damage.error)?;
            }
            for fault in &self.faults {
                out.line(fault)?;
            }
            out.line(self.summary())?;
        }
        out.finish()?;
        Ok(())
    }

    fn summary(&self) -> String {
        let positions = grouped(self.checked.positions);
        let faults = self.faults.len() + self.damaged.len();
        let what = match self.sample {
            Some(sample) => format!("a sample of {positions} positions (seed {})", sample.seed),
            None => format!("{} files with {positions} positions", self.checked.files),
        };
        match (self.sound, self.damaged.is_empty()) {
            (true, _) => format!("{what}: every checksum and every entry is right"),
            (false, true) => format!("{what}: {faults} faults told above; build these files again"),
            (false, false) => format!("{} damaged files; entries were not checked", self.damaged.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(number: usize, count: usize, positions: u64) -> VerifyDocument {
        VerifyDocument {
            schema: SCHEMA.to_owned(),
            game: "kpe".to_owned(),
            options: "origin=skip".to_owned(),
            sound: true,
            shard: ShardDocument { number, count },
            sample: None,
            set: SetDocument { digest: "d".to_owned(), all: Amount { files: 2, positions: 10 } },
            checked: Amount { files: 1, positions },
            faults: Vec::new(),
            damaged: Vec::new(),
        }
    }

    #[test]
    fn all_shards_of_one_check_make_one_report() {
        let whole = VerifyDocument::merge(vec![part(2, 2, 6), part(1, 2, 4)]).unwrap();
        assert_eq!(whole.checked, Amount { files: 2, positions: 10 });
        assert_eq!(whole.status(), Status::Done);
        let text = serde_json::to_string(&whole).unwrap();
        assert_eq!(serde_json::from_str::<VerifyDocument>(&text).unwrap(), whole);
    }

    #[test]
    fn anything_else_makes_none() {
        let other_set =
            VerifyDocument { set: SetDocument { digest: "e".into(), ..part(1, 2, 4).set }, ..part(2, 2, 6) };
        let other_rules = VerifyDocument { options: "origin=sow".into(), ..part(2, 2, 6) };
        for (parts, reason) in [
            (vec![], "no reports"),
            (vec![part(1, 2, 4)], "2/2 is missing"),
            (vec![part(1, 2, 4), part(2, 2, 6), part(2, 2, 6)], "2/2 is there 2 times"),
            (vec![part(1, 2, 4), part(2, 3, 6)], "do not fit"),
            (vec![part(1, 2, 4), other_set], "another set"),
            (vec![part(1, 2, 4), other_rules], "other rules"),
            (vec![part(1, 2, 4), part(2, 2, 5)], "checked 9 positions"),
        ] {
            let error = VerifyDocument::merge(parts).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        let liar = VerifyDocument { sound: false, ..part(1, 1, 10) };
        assert!(liar.check().is_err() && part(3, 2, 1).check().is_err());
    }
}
