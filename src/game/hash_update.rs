//! Updates for searchers with another hash table.

/// A change that searchers publish for searchers with other hash tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashUpdate {
    /// A position was searched.
    Found {
        /// Key of the position.
        key: u64,
        /// The entry of the hash table, packed in a word.
        content: u64,
    },
    /// A searcher is searching the move with that mark.
    Begun(u64),
    /// The searcher is done with it.
    Ended(u64),
}

impl HashUpdate {
    /// The key or mark that it is about.
    pub const fn subject(self) -> u64 {
        match self {
            Self::Found { key, .. } => key,
            Self::Begun(mark) | Self::Ended(mark) => mark,
        }
    }
}
