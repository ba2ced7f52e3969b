//! Games with the engine's remarks: what each position is worth, what was better, and how well each side played.
//!
//! | file | what |
//! |---|---|
//! | `finding` | what was found about a position |
//! | `game` | searches every position of a game |
//! | `comment` | commands and words in comments |
//! | `forget` | takes back what was said in an earlier run |
//! | `judge` | from what positions are worth to glyphs and accuracy |
//! | `remarks` | puts the remarks into the game, so that any PGN reader finds them |
//! | `told` | what stands in a game, as text |
//! | `sheet` | a game as the page shows it |
//! | `page` | the page of all games |
//! | `pool` | several games at the same time |

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
