//! The reduction of late moves.

/// Plies by which the first search of the move number `count` of a node of that depth is reduced. Grows with the
/// logarithms of both: `ln(depth) * ln(count) / 2.4 + 0.4`, in integers.
pub fn late_move_reduction(depth: i32, count: i32) -> i32 {
    // Logarithms to base 2 in eighths; (ln 2)^2 / 2.4 is 0.2.
    let product = i64::from(log2_eighths(depth)) * i64::from(log2_eighths(count));
    ((product * 2_000 / 64 + 4_000) / 10_000) as i32
}

/// Logarithm to base 2 in eighths, linear between powers of two.
fn log2_eighths(number: i32) -> i32 {
    let exponent = number.max(1).ilog2() as i32;
    8 * exponent + ((8 * number) >> exponent) - 8
}

#[cfg(test)]
mod tests {
    use super::late_move_reduction;

    #[test]
    fn reductions_grow_slowly() {
        assert_eq!(late_move_reduction(3, 4), 1);
        assert_eq!(late_move_reduction(8, 8), 2);
        assert_eq!(late_move_reduction(16, 32), 4);
    }
}
