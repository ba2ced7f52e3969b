//! News for searchers with another hash table.

/// A change that searchers of one hash table publish for those of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashUpdate {
    /// A position was searched.
    Found {
        /// Key of the position.
        key: u64,
        /// The entry of the hash table, packed in a word.
        content: u64,
    },
    /// A searcher is at the move of that mark.
    Begun(u64),
    /// It is not any more.
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
