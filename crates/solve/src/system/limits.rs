//! What the system lets this process use: memory, processors, open files.
