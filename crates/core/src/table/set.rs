//! All tables of one game and its options, wherever they lie.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::cache::BlockCache;
use super::checksum::checksum;
use super::directory::{MANIFEST, entries, table_names};
use super::embedded::EmbeddedFiles;
use super::error::TableError;
use super::file::TableFile;
use super::metadata::Section;
use super::names::{directory_name, file_name, first_of_pair, layer_name, parse_file_name};
use crate::board::MAX_STONES;
use crate::index::Layer;
use crate::rules::Game;
use crate::value::Entry;

/// Unpacked blocks a set keeps unless told otherwise: 16 MiB.
const CACHE_BLOCKS: usize = 8192;
/// Stone counts a layer may have.
const STONE_COUNTS: usize = MAX_STONES as usize + 1;

/// The tables of one game and its options, from several places in order.
///
/// The first place that has the file of a layer serves it, sound or not: a damaged file is an error and never silently
/// replaced by another. Files are opened when a layer is first asked for and stay open. A layer found nowhere is
/// remembered as missing, so a set does not see what is built after that; make a new one.
#[derive(Debug)]
pub struct TableSet {
    game: Game,
    sources: Vec<Source>,
    cache: Arc<BlockCache>,
    /// The file of each layer pair, at the place of its first layer; `None` when it is known to be missing. There are
    /// thousands of places and few files, so these lie elsewhere.
    files: Box<[OnceLock<Option<Box<TableFile>>>]>,
    opening: Mutex<()>,
}

#[derive(Debug)]
enum Source {
    /// A root of tables, whose subdirectories are sets.
    Directory(PathBuf),
    /// Files in the program.
    Memory(EmbeddedFiles),
}

impl TableSet {
    /// The empty set for `game`.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        Self::with_cache(game, CACHE_BLOCKS)
    }

    /// The empty set for `game` that keeps as many unpacked blocks, 2 KiB each.
    #[must_use]
    pub fn with_cache(game: &Game, blocks: usize) -> Self {
        Self {
            game: *game,
            sources: Vec::new(),
            cache: Arc::new(BlockCache::new(blocks)),
            files: (0..256 * STONE_COUNTS).map(|_| OnceLock::new()).collect(),
            opening: Mutex::new(()),
        }
    }

    /// The set with the tables below `root` added behind those it has; `root` need not exist.
    #[must_use]
    pub fn and_directory(self, root: impl Into<PathBuf>) -> Self {
        self.and(Source::Directory(root.into()))
    }

    /// The set with files in memory added behind those it has; those of other rules are passed over.
    #[must_use]
    pub fn and_embedded(self, files: EmbeddedFiles) -> Self {
        self.and(Source::Memory(files))
    }

    fn and(mut self, source: Source) -> Self {
        self.sources.push(source);
        // What was missing may be in the new place; what was found stands before it.
        for file in self.files.iter_mut().filter(|file| matches!(file.get(), Some(None))) {
            *file = OnceLock::new();
        }
        self
    }

    /// The game and its options.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Value (from the mover's point of view) and distance of the position with number `rank` in `layer`; `None` if
    /// no table holds the layer.
    ///
    /// # Errors
    /// Those of [`TableSet::file`] and [`TableFile::probe`].
    ///
    /// # Panics
    /// If the layer has no position of that number.
    pub fn probe(&self, layer: Layer, rank: u32) -> Result<Option<Entry>, TableError> {
        self.file(layer)?.map(|file| file.probe(layer, rank)).transpose()
    }

    /// The file that holds `layer`, `None` if there is none.
    ///
    /// # Errors
    /// [`TableError::Damaged`] or [`TableError::NewerFormat`] if it is not sound, [`TableError::OtherRules`],
    /// [`TableError::Io`].
    pub fn file(&self, layer: Layer) -> Result<Option<&TableFile>, TableError> {
        let layer = first_of_pair(layer);
        let place = &self.files[usize::from(layer.unsown().0) * STONE_COUNTS + usize::from(layer.stones())];
        if let Some(file) = place.get() {
            return Ok(file.as_deref());
        }
        let _one_at_a_time = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if place.get().is_none() {
            let file = self.find(layer)?;
            return Ok(place.get_or_init(|| file.map(Box::new)).as_deref());
        }
        Ok(place.get().and_then(Option::as_deref))
    }

    /// The file that holds `layer`.
    ///
    /// # Errors
    /// Those of [`TableSet::file`]; if there is none, [`TableError::Missing`], or [`TableError::OtherRules`] if a
    /// directory of the set has tables of other rules only.
    pub fn require(&self, layer: Layer) -> Result<&TableFile, TableError> {
        match self.file(layer)? {
            Some(file) => Ok(file),
            None => Err(self.missing(layer)),
        }
    }

    /// The layer pairs that have a file somewhere, each by its first layer, in the order of stones and names.
    ///
    /// # Errors
    /// [`TableError::Io`] if a directory cannot be read.
    pub fn layers(&self) -> Result<Vec<Layer>, TableError> {
        let mut names = Vec::new();
        for source in &self.sources {
            names.extend(source.names(&self.game)?);
        }
        names.sort_unstable();
        names.dedup();
        Ok(names.iter().filter_map(|name| parse_file_name(name)).collect())
    }

    /// All files of the set in the order of [`TableSet::layers`], each layer pair from the first place that has it.
    ///
    /// # Errors
    /// Those of [`TableSet::file`].
    pub fn files(&self) -> Result<Vec<&TableFile>, TableError> {
        self.layers()?.into_iter().filter_map(|layer| self.file(layer).transpose()).collect()
    }

    /// A number that two sets share only if they hold the same layers with the same packed bytes (accidents apart).
    ///
    /// # Errors
    /// Those of [`TableSet::file`].
    pub fn fingerprint(&self) -> Result<u64, TableError> {
        let mut bytes = Vec::new();
        for file in self.files()? {
            let metadata = file.metadata();
            for Section { layer, .. } in &metadata.sections {
                bytes.extend([layer.unsown().0, layer.stones()]);
            }
            bytes.extend(metadata.table_checksum.to_le_bytes());
        }
        Ok(checksum(&bytes))
    }

    fn find(&self, layer: Layer) -> Result<Option<TableFile>, TableError> {
        for source in &self.sources {
            if let Some(file) = source.open(&self.game, layer, &self.cache)? {
                file.check_rules(&self.game)?;
                file.check_layer(layer)?;
                return Ok(Some(file));
            }
        }
        Ok(None)
    }

    fn missing(&self, layer: Layer) -> TableError {
        let expected = directory_name(&self.game);
        for root in self.sources.iter().filter_map(Source::root) {
            let others = sets_below(root);
            if !others.is_empty() && !others.contains(&expected) {
                let (file, found) = (root.to_owned(), others.join(" "));
                return TableError::OtherRules { file, found, expected };
            }
        }
        let place = |source: &Source| match source {
            Source::Directory(root) => root.join(&expected).display().to_string(),
            Source::Memory(_) => "the program itself".to_owned(),
        };
        let places: Vec<_> = self.sources.iter().map(place).collect();
        let place = if places.is_empty() { "no place".to_owned() } else { places.join(" or ") };
        TableError::Missing { what: layer_name(layer), place }
    }
}

impl Source {
    fn root(&self) -> Option<&Path> {
        match self {
            Self::Directory(root) => Some(root),
            Self::Memory(_) => None,
        }
    }

    /// Opens the file of `layer` here, if there is one.
    fn open(&self, game: &Game, layer: Layer, cache: &Arc<BlockCache>) -> Result<Option<TableFile>, TableError> {
        let directory = directory_name(game);
        let opened = match self {
            Self::Directory(root) => {
                TableFile::open_with(&root.join(directory).join(file_name(layer)), Arc::clone(cache))
            }
            Self::Memory(files) => {
                let name = format!("{directory}/{}", file_name(layer));
                let Some((_, bytes)) = files.iter().find(|(path, _)| *path == name) else { return Ok(None) };
                TableFile::from_memory(&name, (*bytes).into(), Arc::clone(cache))
            }
        };
        match opened {
            Err(TableError::Missing { .. }) => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// Names of the table files for `game` here.
    fn names(&self, game: &Game) -> Result<Vec<String>, TableError> {
        let directory = directory_name(game);
        match self {
            Self::Directory(root) => {
                let directory = root.join(directory);
                if directory.is_dir() { table_names(&directory) } else { Ok(Vec::new()) }
            }
            Self::Memory(files) => {
                let name = |path: &str| Some(path.strip_prefix(&directory)?.strip_prefix('/')?.to_owned());
                Ok(files.iter().filter_map(|(path, _)| name(path)).collect())
            }
        }
    }
}

/// The directory above, if `directory` is that of one set itself: where tables are looked for it would be taken for one
/// without any.
#[must_use]
pub fn parent_of_set(directory: &Path) -> Option<PathBuf> {
    let names = entries(directory).unwrap_or_default();
    if !names.iter().any(|name| name == MANIFEST || Path::new(name).extension().is_some_and(|end| end == "kpt")) {
        return None;
    }
    // A name such as `.` or `set` does not say what is above.
    let named = directory.parent().filter(|above| directory.file_name().is_some() && !above.as_os_str().is_empty());
    match named {
        Some(above) => Some(above.to_owned()),
        None => Some(directory.canonicalize().ok()?.parent()?.to_owned()),
    }
}

/// Names of the finished sets below `root`, in order; none if it cannot be read.
fn sets_below(root: &Path) -> Vec<String> {
    let mut names = entries(root).unwrap_or_default();
    names.retain(|name| root.join(name).join(MANIFEST).is_file());
    names
}
