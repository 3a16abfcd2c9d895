//! The checksum of table files: XXH3, 64 bits, seed 0. The only module that imports `xxhash_rust`.
//!
//! It tells accidents from sound bytes; it is no protection against somebody who wants to deceive.

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// XXH3-64 of `bytes`.
pub fn checksum(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// XXH3-64 of `first` followed by `second`.
pub fn checksum_of_two(first: &[u8], second: &[u8]) -> u64 {
    let mut state = Xxh3Default::new();
    state.update(first);
    state.update(second);
    state.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of the reference implementation (xxHash 0.8, `xxhsum -H3`).
    #[test]
    fn the_checksum_is_xxh3() {
        assert_eq!(checksum(b""), 0x2d06_8005_38d3_94c2);
        assert_eq!(checksum(b"ab"), checksum_of_two(b"a", b"b"));
    }
}
