//! Uniform game trees grown from a seed, with adjustable quality of the move order.
