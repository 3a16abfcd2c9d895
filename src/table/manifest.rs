//! The two lists a finished directory of tables carries: `manifest.json` for programs, `SHA256SUMS` for people.
//!
//! Neither is needed to probe. The manifest tells which files belong to the set, so that a lost one is missed;
//! `sha256sum -c SHA256SUMS` checks the files without this program.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::atomic::AtomicFile;
use super::digest::{sha256, sha256_of_file, sha256_of_table};
use super::error::{Defect, TableError};
use super::file::TableFile;
use super::names::{file_name, mover_letters, opponent_letters, parse_file_name, rules_text};
use super::prefix::FORMAT_VERSION;
use crate::echo::{quoted, short};
use crate::rules::Game;

/// Name of the list of files for programs.
pub const MANIFEST: &str = "manifest.json";
/// Name of the list of SHA-256 digests, in the form `sha256sum -c` reads.
pub const SUMS: &str = "SHA256SUMS";
/// No list of files that there can be is longer, in bytes.
const LONGEST_LIST: u64 = 16 << 20;
/// What the manifest calls itself.
const SCHEMA: &str = "kpe-tables-1";

/// The files of a finished set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Name of this kind of document.
    pub schema: String,
    /// Format version of the files.
    pub format: u32,
    /// The game's name.
    pub game: String,
    /// The rule options.
    pub options: String,
    /// The files in the order of their names.
    pub files: Vec<ManifestFile>,
}

/// One file of a set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ManifestFile {
    /// Name in the directory.
    pub name: String,
    /// Stones on the board.
    pub stones: u8,
    /// The mover's unsown pits in the file's first layer, as capital letters.
    pub mover_unsown: String,
    /// The opponent's unsown pits in the file's first layer, as small letters.
    pub opponent_unsown: String,
    /// Positions in all layers of the file.
    pub positions: u64,
    /// Length of the file in bytes.
    pub bytes: u64,
}

impl Manifest {
    /// The manifest of `directory`, `None` if it has none because no build has been finished there.
    ///
    /// # Errors
    /// [`TableError::Damaged`], [`TableError::NewerFormat`], [`TableError::Io`].
    pub fn read(directory: &Path) -> Result<Option<Self>, TableError> {
        let path = directory.join(MANIFEST);
        let text = match read_list(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(TableError::io(&path, error)),
        };
        let manifest: Self = serde_json::from_slice(&text)
            .map_err(|error| TableError::damaged(&path, Defect::new("text", short(&error.to_string()), SCHEMA)))?;
        if manifest.format > FORMAT_VERSION || manifest.schema != SCHEMA {
            let found = format!("{} of format {}", short(&manifest.schema), manifest.format);
            return Err(TableError::NewerFormat {
                file: path,
                found,
                expected: format!("{SCHEMA} of format {FORMAT_VERSION}"),
            });
        }
        manifest.check_names().map_err(|defect| TableError::damaged(&path, defect))?;
        Ok(Some(manifest))
    }

    /// Refuses files that no set has: names are those of layers, so none leads out of the directory.
    fn check_names(&self) -> Result<(), Defect> {
        let mut known = HashSet::new();
        for file in &self.files {
            let expected = "the name of a table file of the set, each once";
            let wrong = || Defect::new("name of a file", quoted(&file.name), expected);
            let layer = parse_file_name(&file.name).filter(|&layer| file_name(layer) == file.name).ok_or_else(wrong)?;
            if !known.insert(&file.name) {
                return Err(wrong());
            }
            let found = (file.stones, &file.mover_unsown, &file.opponent_unsown);
            let expected = (layer.stones(), &mover_letters(layer), &opponent_letters(layer));
            if found != expected {
                let what = |(stones, own, other): (u8, &String, &String)| {
                    format!("{stones} stones, unsown {} and {}", quoted(own), quoted(other))
                };
                return Err(Defect::new(format!("description of {}", file.name), what(found), what(expected)));
            }
        }
        // Sums of them are told.
        let sum =
            |of: fn(&ManifestFile) -> u64| self.files.iter().try_fold(0u64, |sum, file| sum.checked_add(of(file)));
        match (sum(|file| file.positions), sum(|file| file.bytes)) {
            (Some(_), Some(_)) => Ok(()),
            _ => Err(Defect::new("number of positions or bytes", "more than 64 bits", "those of the files")),
        }
    }

    /// Refuses the manifest in `directory` if it is of other rules than `game`.
    ///
    /// # Errors
    /// [`TableError::OtherRules`].
    pub fn check_rules(&self, directory: &Path, game: &Game) -> Result<(), TableError> {
        let found = rules_text(&self.game, &self.options);
        let expected = rules_text(game.name(), &game.to_string());
        let file = directory.join(MANIFEST);
        if found == expected { Ok(()) } else { Err(TableError::OtherRules { file, found, expected }) }
    }

    /// Names of the listed files that are not in `directory`.
    ///
    /// # Errors
    /// [`TableError::Io`] if the system does not say.
    pub fn missing_files(&self, directory: &Path) -> Result<Vec<&str>, TableError> {
        let mut missing = Vec::new();
        for file in &self.files {
            let path = directory.join(&file.name);
            if !path.try_exists().map_err(|error| TableError::io(&path, error))? {
                missing.push(file.name.as_str());
            }
        }
        Ok(missing)
    }

    /// Refuses a directory that lacks a listed file or has one of another length.
    ///
    /// # Errors
    /// [`TableError::Missing`], [`TableError::Damaged`], [`TableError::Io`].
    pub fn check_files(&self, directory: &Path) -> Result<(), TableError> {
        for file in &self.files {
            let path = directory.join(&file.name);
            let length = match std::fs::metadata(&path) {
                Ok(metadata) => metadata.len(),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let place = directory.display().to_string();
                    return Err(TableError::Missing { what: file.name.clone(), place });
                }
                Err(error) => return Err(TableError::io(&path, error)),
            };
            if length != file.bytes {
                let bytes = |n| format!("{n} bytes");
                return Err(TableError::damaged(&path, Defect::new("length", bytes(length), bytes(file.bytes))));
            }
        }
        Ok(())
    }
}

/// Compares `SHA256SUMS` in `directory` with the files it lists; nothing to compare if there is none. `is_wanted` says of each
/// name whether the file is to be read.
///
/// # Errors
/// [`TableError::Damaged`] if a line is none, names a file twice or one outside the set, or a file has another digest;
/// [`TableError::Missing`], [`TableError::Io`].
pub fn check_sums(directory: &Path, is_wanted: impl Fn(usize, &str) -> bool + Sync) -> Result<(), TableError> {
    let path = directory.join(SUMS);
    let text = match read_list(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(TableError::io(&path, error)),
    };
    let damaged = |defect| TableError::damaged(&path, defect);
    let sums = parse_sums(&text).map_err(damaged)?;
    let listed = Manifest::read(directory)?.map_or(Vec::new(), |manifest| manifest.files);
    for name in listed.iter().map(|file| file.name.as_str()).chain(listed.first().map(|_| MANIFEST)) {
        if !sums.contains_key(name) {
            return Err(damaged(Defect::new("list", format!("without {name}"), format!("all files of {MANIFEST}"))));
        }
    }
    let lengths: BTreeMap<&str, u64> = listed.iter().map(|file| (file.name.as_str(), file.bytes)).collect();
    let sums: Vec<_> = sums.iter().enumerate().collect();
    sums.into_par_iter().try_for_each(|(at, (name, expected))| {
        if !is_wanted(at, name) {
            return Ok(());
        }
        let file = directory.join(name);
        if !file.try_exists().map_err(|error| TableError::io(&file, error))? {
            let place = directory.display().to_string();
            return Err(TableError::Missing { what: name.clone(), place });
        }
        // A pipe or a device might have no end. Whoever opens the table, or the list, says what it is.
        if !file.is_file() {
            return Ok(());
        }
        // One of another length than the manifest says is told by that, and might be endless too.
        let length = file.metadata().map_err(|error| TableError::io(&file, error))?.len();
        if lengths.get(name.as_str()).is_some_and(|&expected| expected != length) {
            return Ok(());
        }
        let found = sha256_of_file(&file)?;
        if found == *expected {
            Ok(())
        } else {
            Err(damaged(Defect::new(format!("digest of {name}"), expected, found)))
        }
    })
}

/// The digests in a list as `sha256sum` writes it, by the names.
fn parse_sums(text: &[u8]) -> Result<BTreeMap<String, String>, Defect> {
    let mut sums = BTreeMap::new();
    for (number, line) in (1..).zip(String::from_utf8_lossy(text).lines()) {
        let is_digest = |sum: &str| sum.len() == 64 && sum.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_name =
            |name: &str| name == MANIFEST || parse_file_name(name).is_some_and(|layer| file_name(layer) == name);
        let parts = line.split_once(' ').map(|(sum, name)| (sum, name.strip_prefix([' ', '*']).unwrap_or(name)));
        let whole = parts.filter(|(sum, name)| is_digest(sum) && is_name(name));
        let before = whole.map(|(sum, name)| sums.insert(name.to_owned(), sum.to_ascii_lowercase()));
        if before != Some(None) {
            let expected = "a digest and the name of a file of the set, each file once";
            return Err(Defect::new(format!("line {number}"), quoted(line), expected));
        }
    }
    Ok(sums)
}

/// The bytes of a list, which is a regular file: reading a named pipe would wait for a writer.
fn read_list(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() || metadata.len() > LONGEST_LIST {
        let what = format!("not a regular file of at most {LONGEST_LIST} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST_LIST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes both lists anew from the table files that lie in `directory`, each opened and checked against `game`, its own
/// name and its checksums, so that no list vouches for a damaged file.
pub(super) fn write_lists(directory: &Path, game: &Game) -> Result<Manifest, TableError> {
    let names = table_names(directory)?;
    let described = names
        .par_iter()
        .map(|name| {
            let file = open_named(directory, name, game)?;
            Ok((describe(&file, name), sha256_of_table(&file)?))
        })
        .collect::<Result<Vec<_>, TableError>>()?;
    let (files, mut sums): (Vec<_>, Vec<_>) = described.into_iter().unzip();
    let manifest = Manifest {
        schema: SCHEMA.to_owned(),
        format: FORMAT_VERSION,
        game: game.name().to_owned(),
        options: game.to_string(),
        files,
    };
    let mut text = serde_json::to_vec_pretty(&manifest).expect("texts and numbers become JSON");
    text.push(b'\n');
    sums.push(sha256(&text));
    let listed = names.iter().map(String::as_str).chain([MANIFEST]);
    let lines: String = sums.iter().zip(listed).map(|(sum, name)| format!("{sum}  {name}\n")).collect();
    replace(directory, MANIFEST, &text)?;
    replace(directory, SUMS, lines.as_bytes())?;
    Ok(manifest)
}

/// Names of the table files in `directory`, in order. Other files are none of ours.
pub(super) fn table_names(directory: &Path) -> Result<Vec<String>, TableError> {
    let mut names = entries(directory)?;
    names.retain(|name| parse_file_name(name).is_some());
    Ok(names)
}

/// Names in `directory`, in order; names that are not Unicode are left out.
pub(super) fn entries(directory: &Path) -> Result<Vec<String>, TableError> {
    let failed = |source| TableError::io(directory, source);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(failed)? {
        names.extend(entry.map_err(failed)?.file_name().into_string());
    }
    names.sort_unstable();
    Ok(names)
}

/// The file of this name in `directory`, if it is of the rules of `game` and of the layer that its name says.
pub(super) fn open_named(directory: &Path, name: &str, game: &Game) -> Result<TableFile, TableError> {
    let file = TableFile::open(directory.join(name))?;
    file.check_rules(game)?;
    file.check_layer(parse_file_name(name).expect("only table names are listed"))?;
    Ok(file)
}

fn describe(file: &TableFile, name: &str) -> ManifestFile {
    let layer = parse_file_name(name).expect("only table names are listed");
    ManifestFile {
        name: name.to_owned(),
        stones: layer.stones(),
        mover_unsown: mover_letters(layer),
        opponent_unsown: opponent_letters(layer),
        positions: file.metadata().sections.iter().map(|section| u64::from(section.layer.positions())).sum(),
        bytes: file.length(),
    }
}

fn replace(directory: &Path, name: &str, text: &[u8]) -> Result<(), TableError> {
    let file = AtomicFile::create(directory, name)?;
    file.file().write_all(text).map_err(|source| TableError::io(file.path(), source))?;
    file.commit().map(|_| ())
}
