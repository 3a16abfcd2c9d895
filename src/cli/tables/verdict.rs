//! The document of a check, and how those of all shards become one.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use kpe::echo::{quoted, short};
use kpe::rules::Game;
use kpe::table::TableError;
use kpe::verify::{Report, Shard};
use serde::{Deserialize, Serialize};

use super::fault::FaultDocument;
use crate::cli::exit::{self, Refused, Status};
use crate::cli::input;

const SCHEMA: &str = "kpe.verify/1";

/// What a check found.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Verdict {
    schema: String,
    game: String,
    options: String,
    /// Whether nothing is wrong with what was checked.
    pub(super) sound: bool,
    /// The part checked: its number from 1, and how many there are.
    shard: [usize; 2],
    /// Positions asked for at random instead of all.
    pub(super) sample: Option<u64>,
    pub(super) files: u64,
    pub(super) positions: u64,
    /// What the set is known by, 16 hexadecimal digits; none if a file could not be read.
    fingerprint: Option<String>,
    /// Wrong entries, the first few of each layer.
    pub(super) faults: Vec<FaultDocument>,
    /// Files that are missing or not sound.
    pub(super) damaged: Vec<String>,
    /// The status of the worst in `damaged`.
    #[serde(skip)]
    worst: Option<Status>,
    #[serde(skip)]
    incomplete: bool,
}

impl Verdict {
    /// The verdict on the set of `game` before anything was checked.
    pub(super) fn new(game: &Game, shard: Shard, sample: Option<u64>) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            game: game.name().to_owned(),
            options: game.to_string(),
            sound: true,
            shard: [shard.number(), shard.count()],
            sample,
            files: 0,
            positions: 0,
            fingerprint: None,
            faults: Vec::new(),
            damaged: Vec::new(),
            worst: None,
            incomplete: false,
        }
    }

    /// Adds a file that is missing or not sound, unless it is known already.
    pub(super) fn add_damage(&mut self, error: &TableError) {
        self.sound = false;
        self.worst = self.worst.max(Some(exit::of_table(error)));
        let text = error.to_string();
        if !self.damaged.contains(&text) {
            self.damaged.push(text);
        }
    }

    /// Says that files are missing, so that nothing was checked.
    pub(super) fn add_incomplete(&mut self, text: String) {
        self.sound = false;
        self.incomplete = true;
        self.worst = self.worst.max(Some(Status::Missing));
        self.damaged.push(text);
    }

    /// Whether nothing was checked because files are missing.
    pub(super) fn incomplete(&self) -> bool {
        self.incomplete
    }

    /// Adds what the certificate found.
    pub(super) fn add_report(&mut self, game: &Game, report: &Report, fingerprint: u64) {
        self.files = report.files;
        self.positions = report.positions;
        self.faults = report.faults.iter().map(|fault| FaultDocument::new(game, fault)).collect();
        self.sound &= self.faults.is_empty();
        self.fingerprint = Some(format!("{fingerprint:016x}"));
    }

    /// What in a document that was read cannot have been written by a check.
    fn contradiction(&self) -> Option<String> {
        let [number, count] = self.shard;
        let is_print = |text: &String| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if Shard::new(number, count).is_none() {
            return Some(format!("found shard [{number},{count}], expected [I,K] with 1 <= I <= K <= 10000"));
        }
        if self.sound != (self.faults.is_empty() && self.damaged.is_empty()) {
            let (sound, faults, damaged) = (self.sound, self.faults.len(), self.damaged.len());
            let found = format!("found \"sound\": {sound} beside {faults} faults and {damaged} damaged files");
            return Some(format!("{found}, expected true without any and false with some"));
        }
        match &self.fingerprint {
            Some(print) if !is_print(print) => {
                Some(format!("found the fingerprint {}, expected 16 hexadecimal digits", quoted(print)))
            }
            None if self.sound => {
                Some("found no fingerprint of a sound set, expected 16 hexadecimal digits".to_owned())
            }
            _ => None,
        }
    }

    /// The status the command ends with.
    pub(super) fn status(&self) -> Status {
        match self.worst {
            None if self.sound => Status::Done,
            None => Status::Damaged,
            Some(worst) if self.faults.is_empty() => worst,
            Some(worst) => worst.max(Status::Damaged),
        }
    }
}

/// The verdict on a whole set from those on all its shards.
///
/// # Errors
/// If a file cannot be read, is no such document, or the documents are not all the shards of one set.
pub(super) fn merge(files: &[PathBuf]) -> anyhow::Result<Verdict> {
    let mut parts = Vec::new();
    for file in files {
        parts.extend(read(file)?);
    }
    parts.sort_by_key(|part| part.shard);
    let refused = |text: String| Err(Refused::Usage(text).into());
    let Some(count) = parts.first().map(|part| part.shard[1]) else {
        return refused("found no documents in these files, expected those of all shards".to_owned());
    };
    let numbers: Vec<usize> = parts.iter().map(|part| part.shard[0]).collect();
    if parts.iter().any(|part| part.shard[1] != count) || numbers != (1..=count).collect::<Vec<_>>() {
        let found: Vec<String> = parts.iter().map(|part| format!("{}/{}", part.shard[0], part.shard[1])).collect();
        return refused(format!(
            "found the shards {}, expected each of 1/{count} to {count}/{count} once",
            found.join(" ")
        ));
    }
    let identity = |part: &Verdict| [part.schema.clone(), part.game.clone(), part.options.clone()];
    let prints: Vec<&String> = parts.iter().filter_map(|part| part.fingerprint.as_ref()).collect();
    if parts.iter().any(|part| identity(part) != identity(&parts[0]) || part.sample.is_some()) {
        return refused("the documents are of different sets or of samples, expected the shards of one set".to_owned());
    }
    if prints.iter().any(|print| *print != prints[0]) {
        return refused("the shards were checked on different tables, expected the same files everywhere".to_owned());
    }
    let mut whole = parts[0].clone();
    whole.shard = [1, 1];
    for part in parts.drain(1..) {
        whole.sound &= part.sound;
        let sums = (whole.files.checked_add(part.files), whole.positions.checked_add(part.positions));
        let (Some(files), Some(positions)) = sums else {
            return refused("found more files or positions than can be counted, expected those of one set".to_owned());
        };
        (whole.files, whole.positions) = (files, positions);
        whole.faults.extend(part.faults);
        whole.damaged.extend(part.damaged);
        whole.fingerprint = whole.fingerprint.or(part.fingerprint);
    }
    // What several machines found is one thing.
    let mut known = HashSet::new();
    whole.damaged.retain(|text| known.insert(text.clone()));
    Ok(whole)
}

/// The largest file of verdicts that is read, in MiB.
const LARGEST: u64 = 64;

/// The documents in a file, one a line.
fn read(file: &Path) -> anyhow::Result<Vec<Verdict>> {
    let text = input::read_text(file, LARGEST, &format!("documents of {SCHEMA}"))?;
    let lines = (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty());
    lines
        .map(|(line, text)| {
            let refused = |what: String| Refused::Usage(format!("{}, line {line}: {what}", file.display()));
            let expected = |error| refused(format!("{}; expected a document of {SCHEMA}", short(&format!("{error}"))));
            let verdict: Verdict = serde_json::from_str(text).map_err(expected)?;
            match verdict.schema.as_str() {
                SCHEMA => match verdict.contradiction() {
                    None => Ok(verdict),
                    Some(what) => Err(refused(what).into()),
                },
                other => Err(refused(format!("found {}, expected {SCHEMA}", quoted(other))).into()),
            }
        })
        .collect()
}
