//! Variables by which a run of the tests is told something.

/// The value of the variable; `None` where it is not set, or set to nothing.
pub fn variable(name: &str) -> Option<String> {
    let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
    Some(value.into_string().expect("a variable in Unicode"))
}

/// The number that the variable says; `default` where it says none.
#[allow(dead_code, reason = "not every test counts")]
pub fn number<T: std::str::FromStr>(name: &str, default: T) -> T {
    variable(name).map_or(default, |value| {
        let number = value.parse().ok();
        number.unwrap_or_else(|| panic!("{name} must be a number, not '{value}'"))
    })
}
