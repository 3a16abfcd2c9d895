//! The directory of a set: what lies in it.
use std::path::Path;

use super::error::TableError;
use super::names::parse_file_name;

/// Name of the list of files for programs.
pub const MANIFEST: &str = "manifest.json";

/// Names of the table files in `directory`, in order. Other files are none of ours.
pub fn table_names(directory: &Path) -> Result<Vec<String>, TableError> {
    let mut names = entries(directory)?;
    names.retain(|name| parse_file_name(name).is_some());
    Ok(names)
}

/// Names in `directory`, in order; names that are not Unicode are left out.
pub fn entries(directory: &Path) -> Result<Vec<String>, TableError> {
    let failed = |source| TableError::io(directory, source);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(failed)? {
        names.extend(entry.map_err(failed)?.file_name().into_string());
    }
    names.sort_unstable();
    Ok(names)
}
