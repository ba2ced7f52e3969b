//! The literal definition of values, the reference for all algorithms.
//!
//! Amounts t are processed from the greatest down. The *least* fixed point of "some move leads to ..." and "every
//! move leads to ..." gives the positions worth at least t or at most -t. All other positions are worth 0: no side
//! can force anything in finitely many moves.

use super::{Class, Metric, Survey, TableValue};

/// Returns the values of all indices, 0 for unused ones. Takes time size × amount × longest chain.
pub fn solve<C: Class>(class: &C) -> Vec<TableValue> {
    let nodes: Vec<_> = (0..class.size())
        .map(|index| GraphNode::look(class, index))
        .collect();
    let mut values: Vec<TableValue> = vec![TableValue::DRAW; nodes.len()];
    for amount in (1..=class.amount_max()).rev() {
        while round(class.metric(), &nodes, amount, &mut values) {}
    }
    values
}

struct GraphNode {
    survey: Option<Survey>,
    children: Vec<u32>,
}

impl GraphNode {
    fn look<C: Class>(class: &C, index: u32) -> Self {
        let (survey, mut children) = (class.survey(index), Vec::new());
        if survey.is_some() {
            class.children(index, &mut children);
        }
        Self { survey, children }
    }
}

/// Makes one pass for one amount and returns whether it added a position. Greater amounts stay unchanged.
fn round(metric: Metric, nodes: &[GraphNode], amount: u8, values: &mut [TableValue]) -> bool {
    let mut added = false;
    for (index, node) in nodes.iter().enumerate() {
        let Some(survey) = node.survey else { continue };
        if values[index] != TableValue::DRAW {
            continue;
        }
        let known = match survey {
            Survey::End(value) => value,
            Survey::Open { outside, .. } => {
                let inside = node
                    .children
                    .iter()
                    .map(|&child| metric.lift(values[child as usize]));
                inside
                    .chain(outside)
                    .max()
                    .expect("a position that has not ended has a move")
            }
        };
        if known.amount() == amount {
            values[index] = known;
            added = true;
        }
    }
    added
}
