//! The operating system: files, locks and limits behind functions that say what they promise. The one room for what differs
//! between systems; where a system lacks something the program works without.
pub mod files;
pub mod limits;
