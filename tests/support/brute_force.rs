//! Leaf-disjoint strategies by their definition, trying every set of leaves.

use cc2s::thesis::quality::Hull;

/// The value of the root if the leaves in the set `turned` change theirs.
pub fn value_with(hull: &Hull, turned: u64) -> bool {
    fn walk(hull: &Hull, turned: u64, next_leaf: &mut u32) -> bool {
        match hull {
            Hull::Leaf { won } => {
                let here = turned >> *next_leaf & 1 == 1;
                *next_leaf += 1;
                *won != here
            }
            Hull::End { won } => *won,
            // No short circuit, because every leaf must be counted.
            Hull::Inner(successors) => {
                successors
                    .iter()
                    .filter(|successor| !walk(successor, turned, next_leaf))
                    .count()
                    > 0
            }
        }
    }
    walk(hull, turned, &mut 0)
}

/// The minimum number of leaves whose change changes the value of the root; all leaves may change.
pub fn least_changes(hull: &Hull) -> u32 {
    let leaves = hull.leaves();
    assert!(leaves < 20, "{leaves} leaves are too many");
    let won = hull.won();
    (0..1_u64 << leaves)
        .filter(|&set| value_with(hull, set) != won)
        .map(u64::count_ones)
        .min()
        .expect("all leaves turn the root")
}

/// The leaf sets of all strategies that prove the value of the root.
pub fn proving_strategies(hull: &Hull) -> Vec<u64> {
    fn walk(hull: &Hull, won: bool, first_leaf: usize) -> Vec<u64> {
        let successors = match hull {
            Hull::Leaf { won: value } => {
                return if *value == won {
                    vec![1 << first_leaf]
                } else {
                    Vec::new()
                };
            }
            Hull::End { .. } => unreachable!("strategies are enumerated by their leaves"),
            Hull::Inner(successors) => successors,
        };
        let mut first_leaf = first_leaf;
        let mut below = Vec::new();
        for successor in successors {
            below.push(walk(successor, !won, first_leaf));
            first_leaf += successor.leaves();
        }
        if won {
            return below.concat();
        }
        // The loser's strategy contains one answer to every move.
        below.into_iter().fold(vec![0], |sets, answers| {
            sets.iter()
                .flat_map(|&set| answers.iter().map(move |&answer| set | answer))
                .collect()
        })
    }
    walk(hull, hull.won(), 0)
}

/// The maximum number of disjoint sets.
pub fn greatest_packing(sets: &[u64]) -> u32 {
    fn pack(sets: &[u64], used: u64) -> u32 {
        let mut best = 0;
        for (index, &set) in sets.iter().enumerate() {
            if set & used == 0 {
                best = best.max(1 + pack(&sets[index + 1..], used | set));
            }
        }
        best
    }
    pack(sets, 0)
}
