//! The tables that are part of the program.

/// Table files in memory: each with its path below a root of tables, such as `kpe-skip-same-remains/n04.kpt`.
pub type EmbeddedFiles = &'static [(&'static str, &'static [u8])];

/// The table files built into the program.
#[must_use]
pub const fn embedded() -> EmbeddedFiles {
    &[]
}
