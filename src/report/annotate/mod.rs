//! Annotated games: the score of each position, better moves, and the accuracy of each side.
//!
//! | file | content |
//! |---|---|
//! | `finding` | the analysis of a position |
//! | `game` | analyses every position of a game |
//! | `comment` | commands and text of comments |
//! | `forget` | removes the annotations of an earlier run |
//! | `judge` | converts scores to glyphs and accuracy |
//! | `remarks` | adds the annotations to the PGN of a game |
//! | `told` | the text of variations |
//! | `sheet` | the content of a game on the page |
//! | `page` | the page of all games |
//! | `pool` | analyses several games in parallel |

mod comment;
mod finding;
mod forget;
mod game;
mod judge;
mod page;
mod pool;
mod remarks;
mod sheet;
mod told;

pub use game::Annotated;
pub use page::page;
pub use pool::annotate_all;
