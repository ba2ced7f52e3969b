//! The output of the command `eval` for a network.

use crate::chess::{Position, notation};
use crate::engine::NetworkView;

/// Value, output bucket, and a board with the value of each man.
pub fn explain(position: &Position, view: &NetworkView) -> Vec<String> {
    let NetworkView { value, bucket, men } = view;
    let cell = |square| {
        let letter = notation::letter_at(position, square);
        let worth = men.iter().find(|(place, _)| *place == square);
        worth.map_or(letter.to_string(), |(_, worth)| {
            format!("{letter}{worth:+}")
        })
    };
    let mut lines = vec![
        format!("Network: value cp {value}, output bucket {bucket}"),
        "Loss of value without each man:".to_owned(),
    ];
    lines.extend(notation::board_of(cell).lines().map(str::to_owned));
    lines
}
