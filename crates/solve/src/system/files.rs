//! Files that a user names and locks on them.
