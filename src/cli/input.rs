//! Files that the user names, read whole and never without end: a name may be that of a device or of something huge.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::Context;

use super::exit::Refused;

/// The bytes of a file that holds `what` and no more than so many MiB.
///
/// # Errors
/// If it cannot be read; [`Refused::Usage`] if it is larger.
pub(super) fn read(path: &Path, mib: u64, what: &str) -> anyhow::Result<Vec<u8>> {
    let (name, limit) = (path.display(), mib << 20);
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes));
    if read.with_context(|| format!("cannot read {name}"))? as u64 > limit {
        return Err(Refused::Usage(format!("{name} is larger than {mib} MiB, expected {what}")).into());
    }
    Ok(bytes)
}

/// The same of a file of text.
///
/// # Errors
/// As [`read`], and [`Refused::Usage`] if it is no text.
pub(super) fn read_text(path: &Path, mib: u64, what: &str) -> anyhow::Result<String> {
    let text = String::from_utf8(read(path, mib, what)?);
    text.map_err(|_| Refused::Usage(format!("{} is not UTF-8, expected {what}", path.display())).into())
}
