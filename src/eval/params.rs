//! The form of the weights of the evaluation: each is declared once, in `weights.rs`.

/// Declares the weights: name, number of entries, the entries, meaning. Those in two game phases are pairs of
/// centipawns (middlegame, ending), seen by the side that owns the feature; those of attacks on a king are units of
/// danger, which a nonlinear curve turns into centipawns. Arrays count from the least.
macro_rules! weights {
    (
        tapered { $($name:ident: $count:literal = [$(($middlegame:literal, $ending:literal)),* $(,)?], $meaning:literal;)* }
        danger { $($unit:ident: $units:literal = [$($value:literal),*], $use:literal;)* }
    ) => {
        use super::Tapered;

        /// Values of features to the side that has them, in centipawns; arrays count from the least.
        #[derive(Clone, Debug)]
        pub struct Weights {
            $(#[doc = $meaning] pub $name: [Tapered; $count],)*
            /// Attacks on kings.
            pub danger: Danger,
        }

        /// Attacks on a king in units, which a curve turns into centipawns.
        #[derive(Clone, Debug)]
        pub struct Danger {
            $(#[doc = $use] pub $unit: [i32; $units],)*
        }

        impl Weights {
            /// The weights in use.
            pub const DEFAULT: Self = Self {
                $($name: [$(Tapered::new($middlegame, $ending)),*],)*
                danger: Danger { $($unit: [$($value),*],)* },
            };

            /// Nothing is worth anything.
            pub const ZERO: Self = Self {
                $($name: [Tapered::ZERO; $count],)*
                danger: Danger { $($unit: [0; $units],)* },
            };

            /// Number of weights in two phases.
            pub const COUNT: usize = 0 $(+ $count)*;

            /// Their tables: name, weights, meaning.
            pub fn tables(&mut self) -> Vec<(&'static str, &mut [Tapered], &'static str)> {
                vec![$((stringify!($name), &mut self.$name[..], $meaning)),*]
            }

            /// All of them, in that order.
            pub fn all(&mut self) -> impl Iterator<Item = &mut Tapered> {
                self.tables().into_iter().flat_map(|(_, table, _)| table)
            }
        }

        impl Danger {
            /// Number of kinds of units.
            pub const COUNT: usize = 0 $(+ $units)*;

            /// Their tables: name, units, meaning.
            pub fn tables(&mut self) -> Vec<(&'static str, &mut [i32], &'static str)> {
                vec![$((stringify!($unit), &mut self.$unit[..], $use)),*]
            }

            /// All of them, in that order.
            pub fn all(&mut self) -> impl Iterator<Item = &mut i32> {
                self.tables().into_iter().flat_map(|(_, table, _)| table)
            }
        }
    };
}

pub(super) use weights;
