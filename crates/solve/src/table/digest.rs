//! SHA-256 of files. The only module that imports `sha2`.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use kpe_core::table::TableError;
use kpe_core::table::TableFile;

/// SHA-256 of the file at `path` in lower-case hexadecimal.
///
/// # Errors
/// [`TableError::Io`].
pub fn sha256_of_file(path: &Path) -> Result<String, TableError> {
    let failed = |source| TableError::io(path, source);
    let mut file = File::open(path).map_err(failed)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer).map_err(failed)? {
            0 => return Ok(hex(&hasher.finalize())),
            length => hasher.update(&buffer[..length]),
        }
    }
}

/// SHA-256 of a table file in lower-case hexadecimal, once every byte of it is found to be what was written.
///
/// # Errors
/// [`TableError::Damaged`], [`TableError::Io`].
pub(super) fn sha256_of_table(file: &TableFile) -> Result<String, TableError> {
    let mut hasher = Sha256::new();
    file.each_checked(|bytes| hasher.update(bytes))?;
    Ok(hex(&hasher.finalize()))
}

/// SHA-256 of `bytes` in lower-case hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standard() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b""), empty);
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(sha256_of_file(file.path()).unwrap(), empty);
    }
}
