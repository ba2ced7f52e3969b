//! Tunable numbers, each declared once: name, default, range, unit, source and meaning.
//!
//! Every layer owns its struct of parameters; `engine.toml`, the UCI `option` lines and `setoption` all derive from the
//! same declarations, so a parameter exists nowhere twice.

use thiserror::Error;

/// The declaration of one parameter.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// Its key in `engine.toml`, in `snake_case`.
    pub name: &'static str,
    /// Its value unless told otherwise; a switch counts 0 and 1.
    pub default: i32,
    /// Least legal value.
    pub min: i32,
    /// Greatest legal value.
    pub max: i32,
    /// Whether it is a switch (on, off) rather than a number.
    pub is_switch: bool,
    /// Unit of the number; empty for switches.
    pub unit: &'static str,
    /// Where the default comes from: a section of the thesis, a paper, a file of this repository, a heading of
    /// `docs/experiments.md` with the topic of its experiments, or custom. Else it says "not measured", or "technical
    /// bound" where there is nothing to measure.
    pub source: &'static str,
    /// Its effect, in a sentence.
    pub meaning: &'static str,
}

/// Why a parameter keeps its old value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParameterError {
    /// No parameter of that name exists here.
    #[error("unknown parameter '{0}'")]
    Unknown(String),
    /// The value is outside the declared range.
    #[error("{name} = {value} is outside {min}..{max}")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// The refused value.
        value: i64,
        /// Least legal value.
        min: i32,
        /// Greatest legal value.
        max: i32,
    },
}

/// A struct made by [`parameters!`](crate::parameters).
pub trait Parameters: Default + Clone {
    /// All parameters, in the order of their declaration.
    const DECLARATIONS: &'static [Declaration];

    /// The value of the parameter of that name (snake case).
    fn get(&self, name: &str) -> Option<i32>;

    /// Sets a parameter by name; on error nothing changes.
    ///
    /// # Errors
    /// The name is unknown or the value out of range.
    fn set(&mut self, name: &str, value: i64) -> Result<(), ParameterError>;
}

/// A parameter's type: `i32` for numbers, `bool` for switches.
pub trait ParameterValue: Copy {
    /// Whether the type is a switch.
    const IS_SWITCH: bool;
    /// As stored in a declaration.
    fn to_i32(self) -> i32;
    /// Back from the stored form; the range was checked before.
    fn from_i32(value: i32) -> Self;
}

impl ParameterValue for i32 {
    const IS_SWITCH: bool = false;
    fn to_i32(self) -> i32 {
        self
    }
    fn from_i32(value: i32) -> Self {
        value
    }
}

impl ParameterValue for bool {
    const IS_SWITCH: bool = true;
    fn to_i32(self) -> i32 {
        i32::from(self)
    }
    fn from_i32(value: i32) -> Self {
        value != 0
    }
}

/// Declares a struct of parameters and derives [`Parameters`] and `Default` for it.
///
/// A line reads `name: type = default, min..=max, "unit", "source", "meaning";`. After `and`, there may be fields that
/// are no numbers: they have no declaration, and their type's own default.
#[macro_export]
macro_rules! parameters {
    ($(#[$outer:meta])* pub struct $Struct:ident {
        $($name:ident: $type:ty = $default:expr, $min:literal..=$max:literal, $unit:literal, $source:literal, $meaning:literal;)*
    } $(and {
        $($(#[$note:meta])* $field:ident: $kind:ty,)*
    })?) => {
        $(#[$outer])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(clippy::struct_excessive_bools, reason = "switches are independent of each other")]
        pub struct $Struct {
            $(#[doc = $meaning] pub $name: $type,)*
            $($($(#[$note])* pub $field: $kind,)*)?
        }

        impl Default for $Struct {
            fn default() -> Self {
                Self {
                    $($name: $default,)*
                    $($($field: <$kind>::default(),)*)?
                }
            }
        }

        impl $crate::params::Parameters for $Struct {
            const DECLARATIONS: &'static [$crate::params::Declaration] = &[
                $($crate::params::Declaration {
                    name: stringify!($name),
                    default: $default as i32,
                    min: $min,
                    max: $max,
                    is_switch: <$type as $crate::params::ParameterValue>::IS_SWITCH,
                    unit: $unit,
                    source: $source,
                    meaning: $meaning,
                },)*
            ];

            fn get(&self, name: &str) -> Option<i32> {
                use $crate::params::ParameterValue;
                match name {
                    $(stringify!($name) => Some(self.$name.to_i32()),)*
                    _ => None,
                }
            }

            fn set(&mut self, name: &str, value: i64) -> Result<(), $crate::params::ParameterError> {
                use $crate::params::{ParameterError, ParameterValue};
                match name {
                    $(stringify!($name) => {
                        if !($min..=$max).contains(&value) {
                            return Err(ParameterError::OutOfRange {
                                name: stringify!($name), value, min: $min, max: $max,
                            });
                        }
                        self.$name = <$type>::from_i32(value as i32);
                        Ok(())
                    })*
                    _ => Err(ParameterError::Unknown(name.to_owned())),
                }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::{ParameterError, Parameters};

    crate::parameters! {
        /// An example.
        pub struct ExampleParams {
            depth: i32 = 2, 0..=8, "plies", "thesis 2.3", "How deep.";
            null_move: bool = true, 0..=1, "", "thesis 2.3", "Whether to pass.";
        }
    }

    #[test]
    fn set_checks_name_and_range_and_keeps_the_old_value() {
        let mut example = ExampleParams::default();
        assert_eq!(example.set("depth", 3), Ok(()));
        assert!(matches!(
            example.set("depth", 9),
            Err(ParameterError::OutOfRange { .. })
        ));
        assert!(matches!(
            example.set("breadth", 1),
            Err(ParameterError::Unknown(_))
        ));
        assert_eq!(example.set("null_move", 0), Ok(()));
        assert_eq!((example.depth, example.null_move), (3, false));
        assert_eq!(ExampleParams::DECLARATIONS[1].max, 1);
    }
}
